//! Force law, integrated over a piece of a master face.
//!
//! Penetration and normal velocity are linear over a piece, so the pressure is a polynomial once the
//! piece is cut along the transition depth (fade-in of damping) and along the line where damping
//! would pull (tension cut-off). Both are straight lines. The pressure is then linear, or quadratic
//! in the fade-in, and everything but friction is integrated exactly. Friction is a smooth function
//! of the slip velocity, which is linear too; its quadrature error is documented in ARCHITECTURE.md.

use wide::f64x2;

use super::Pass;
use super::convex_polygon::{ConvexPolygon, PlanePoint, difference};
use super::face_frame::FaceFrame;
use super::polygon_moments::PolygonMoments;
use super::region_force::moments_by_quadrature;
use super::seen_face::SeenFace;
use crate::contact::force_law::{damping_share, friction_per_velocity, normal_pressure};
use crate::contact::parameters::FrictionParameters;
use crate::contact::totals::{AtPoint, ElementIntegrals, Ranges, Totals, larger, smaller};
use crate::contact::triangle_intersection::Body;
use crate::math::Vector;

/// Pieces that weigh less do not count for smallest and largest values: they carry almost no load,
/// and their depths may be those that `auto` does not believe. Dimensionless.
pub const COUNTED_WEIGHT: f64 = 0.05;

/// Forces on the plane of one master face.
#[derive(Clone, Copy, Debug)]
pub struct FaceForce {
    pub(super) frame: FaceFrame,
    /// +1 if the normal of the face points into E, the direction of the force on E; else −1.
    pub(super) into_e: f64,
    /// Part of the penetration that the layer of the master takes; the element lies that deep.
    pub(super) layer_share: f64,
    /// Velocity of F relative to E at the origin of the frame, resolved in the frame.
    pub(super) velocity: [f64; 3],
    pub(super) angular_velocity: [f64; 3],
    pub(super) is_moving: bool,
    /// Values at the corners of the face, which bound those everywhere on it.
    pub(super) bounds: FaceBounds,
    /// Squared length of the longest edge of the face: points of it are not farther apart.
    pub(super) longest_edge_squared: f64,
    /// From the reference point of the torques to the origin of the frame, resolved in the frame.
    pub(super) origin: [f64; 3],
    pub(super) layer_stiffness: f64,
    pub(super) areal_damping: f64,
    pub(super) damping_transition_depth: f64,
    pub(super) friction: Option<FrictionParameters>,
    /// Length of the force over its normal part while sliding, √(1 + μ²).
    pub(super) sliding_magnitude: f64,
}

/// Smallest and largest velocities on the plane of a master face, over its triangle; in m/s.
#[derive(Clone, Copy, Debug, Default)]
pub struct FaceBounds {
    /// Closing velocity.
    pub(super) closing: [f64; 2],
    /// Slip at no depth, along x and y.
    pub(super) slip: [[f64; 2]; 2],
}

/// Sums over pieces of one master face, in its frame: they are turned into E once for all pieces.
#[derive(Clone, Copy, Debug, Default)]
pub struct FaceSums {
    pub(super) area: f64,
    pub(super) penetration: f64,
    /// ∫ u² dA.
    pub(super) square: f64,
    pub(super) normal_velocity: f64,
    pub(super) tangential_velocity: f64,
    pub(super) normal_stress: f64,
    pub(super) tangential_stress: f64,
    /// Force along x and y of the frame; along z it is `into_e · normal_stress`.
    pub(super) shear: [f64; 2],
    pub(super) torque: [f64; 3],
    pub(super) force_magnitude: f64,
    pub(super) weighted_position: [f64; 3],
    pub(super) dissipated_power: f64,
}

/// What is not seen of a slave face.
pub struct Hidden<'a> {
    /// Faces that may lie before it.
    pub faces: &'a [SeenFace],
    /// Largest credible depth in m.
    pub credible_depth: f64,
}

impl Hidden<'_> {
    /// Whether everything is seen down to a depth.
    #[inline]
    fn is_nothing_above(&self, depth: f64) -> bool {
        self.faces.is_empty() && depth <= self.credible_depth
    }

    /// Whether a face is hidden from a point of the master below which it has this depth.
    fn is_at(&self, point: PlanePoint, depth: f64, seen: &SeenFace) -> bool {
        self.credible_depth < depth || self.faces.iter().any(|face| face.hides(point, seen))
    }
}

impl FaceForce {
    /// Prepares the force law for a master face.
    pub fn new(pass: &Pass, frame: &FaceFrame, triangle: &[PlanePoint; 3], reference_e: Vector) -> Self {
        let (parameters, motion) = (pass.parameters, pass.motion);
        let ratio = parameters.penetration_ratio();
        let (into_e, layer_share) = match pass.master_body {
            Body::E => (-1.0, ratio),
            Body::F => (1.0, 1.0 - ratio),
        };
        let square = |[x, y]: PlanePoint| x * x + y * y;
        let [a, b, c] = *triangle;
        let longest_edge_squared =
            larger(square(difference(b, a)), larger(square(difference(c, b)), square(difference(a, c))));
        let friction = parameters.friction();
        let mut force = FaceForce {
            frame: *frame,
            into_e,
            layer_share,
            velocity: frame.axes(motion.velocity_at(frame.origin_e)),
            angular_velocity: frame.axes(motion.angular_velocity_e()),
            is_moving: motion.velocity_e() != Vector::zeros() || motion.angular_velocity_e() != Vector::zeros(),
            bounds: FaceBounds::default(),
            longest_edge_squared,
            origin: frame.axes(frame.origin_e - reference_e),
            layer_stiffness: parameters.combined_layer_stiffness(),
            areal_damping: parameters.areal_damping(),
            damping_transition_depth: parameters.damping_transition_depth(),
            friction,
            sliding_magnitude: friction.map_or(1.0, |friction| (1.0 + friction.coefficient.powi(2)).sqrt()),
        };
        force.bounds = FaceBounds {
            closing: range(triangle.map(|corner| force.closing_velocity(corner))),
            slip: [0, 1].map(|axis| range(triangle.map(|corner| force.slip(corner, 0.0)[axis]))),
        };
        force
    }

    /// Whether both belong to the same master face.
    #[cfg(feature = "floor")]
    pub(super) fn has_frame_of(&self, other: &FaceForce) -> bool {
        self.frame.origin_e == other.frame.origin_e
            && self.frame.axes_e == other.frame.axes_e
            && self.into_e == other.into_e
    }

    /// What acts at an element below a point of the face; for pictures.
    #[cfg(feature = "floor")]
    pub(super) fn at(&self, point: PlanePoint, depth: f64) -> super::patch_polygons::PatchPoint {
        let [x, y] = point;
        let slip = self.slip(point, depth);
        super::patch_polygons::PatchPoint {
            position_e: self.frame.origin_e + self.frame.in_e([x, y, -self.layer_share * depth]),
            penetration: depth,
            pressure: self.pressure(depth, self.closing_velocity(point)),
            slip_velocity_e: self.frame.in_e([slip[0], slip[1], 0.0]),
        }
    }

    /// Unit normal of the face that points into E, and whether the face belongs to E.
    #[cfg(feature = "floor")]
    pub(super) fn normal_into_e(&self) -> (Vector, bool) {
        (self.frame.axes_e[2] * self.into_e, self.into_e < 0.0)
    }

    /// Adds a piece of the face over which one slave face is seen, with a weight that is negative for
    /// pieces to be taken away. Hidden corners do not count for the extremes.
    #[allow(clippy::too_many_arguments)]
    #[inline]
    pub fn integrate(
        &self,
        piece: &ConvexPolygon,
        moments: &PolygonMoments,
        seen: &SeenFace,
        weight: f64,
        hidden: &Hidden,
        sums: &mut FaceSums,
        totals: &mut Totals,
    ) {
        #[cfg(feature = "floor")]
        super::floor::record_region(self, piece, seen, weight, hidden, totals);
        // Most pieces need no cut: deeper than the transition, and pressed everywhere. Most are no extremes either,
        // by bounds for their master face and the whole of the face that it sees.
        let mut bounds = self.ranges_by_bounds(seen);
        let friction = self.friction.map_or(0.0, |friction| friction.coefficient);
        let is_surely_whole = self.is_whole(&bounds);
        if !is_surely_whole {
            // Where damping fades in or is cut off, it takes less away than it would.
            bounds.pressure[1] = larger(bounds.pressure[1], self.layer_stiffness * bounds.depth[1]);
        }
        let may_be_extreme = COUNTED_WEIGHT <= weight && !totals.extremes.include_already(&bounds, friction);
        let (ranges, is_whole) = if is_surely_whole && !may_be_extreme {
            (bounds, true)
        } else {
            let ranges = self.ranges(piece, seen);
            let is_whole = self.is_whole(&ranges);
            if may_be_extreme {
                if is_whole && self.slides(&ranges) && hidden.is_nothing_above(ranges.depth[1]) {
                    totals.extremes.include_ranges(&ranges, friction);
                } else {
                    self.include_corners(piece, seen, hidden, totals);
                }
            }
            (ranges, is_whole)
        };

        // Depth and closing velocity by their values at the first corner, where the moments start, and
        // their gradients.
        let depth = seen.depth(moments.origin);
        let closing = self.closing_velocity(moments.origin);
        let [w_x, w_y, _] = self.angular_velocity;
        let closing_gradient = [-self.into_e * w_y, self.into_e * w_x];
        let of_depth = moments.of_linear(depth, seen.gradient);
        let penetration = of_depth.total;
        let square = depth * penetration + seen.gradient[0] * of_depth.first[0] + seen.gradient[1] * of_depth.first[1];
        sums.area += weight * moments.area;
        sums.penetration += weight * penetration;
        sums.square += weight * square;
        sums.normal_velocity += weight * moments.of_linear(closing, closing_gradient).total;
        if self.is_moving && (0.0 < self.areal_damping || self.friction.is_some()) {
            if is_whole || self.areal_damping == 0.0 {
                let (c, d) = (self.layer_stiffness, self.areal_damping);
                let gradient = [0, 1].map(|axis| c * seen.gradient[axis] + d * closing_gradient[axis]);
                let pressure = moments.of_linear(c * depth + d * closing, gradient);
                self.add_region(piece, moments.area, &pressure, seen, weight, sums);
            } else {
                self.add_in_regions(piece, seen, &ranges, weight, sums);
            }
            // The springs' power is not dissipated: ∫ u v_n dA needs only the integrals above.
            let power = closing * penetration
                + closing_gradient[0] * of_depth.first[0]
                + closing_gradient[1] * of_depth.first[1];
            sums.dissipated_power -= weight * self.layer_stiffness * power;
        } else {
            let stiffness = weight * self.layer_stiffness;
            let force = stiffness * penetration;
            let position = [
                (self.origin[0] + moments.origin[0]) * force + stiffness * of_depth.first[0],
                (self.origin[1] + moments.origin[1]) * force + stiffness * of_depth.first[1],
                self.origin[2] * force - self.layer_share * stiffness * square,
            ];
            sums.normal_stress += force;
            sums.force_magnitude += force;
            sums.torque[0] += self.into_e * position[1];
            sums.torque[1] -= self.into_e * position[0];
            for (sum, moment) in sums.weighted_position.iter_mut().zip(position) {
                *sum += moment;
            }
            if self.is_moving {
                let centroid = moments.centroid();
                sums.tangential_velocity += weight * moments.area * length(self.slip(centroid, seen.depth(centroid)));
            }
        }
    }

    /// Whether a piece with these values needs no cut along the transition depth or where it would pull.
    #[inline]
    fn is_whole(&self, ranges: &Ranges) -> bool {
        self.damping_transition_depth <= ranges.depth[0] && 0.0 <= ranges.pressure[0]
    }

    /// Whether a piece with these values slides everywhere.
    #[inline]
    fn slides(&self, ranges: &Ranges) -> bool {
        self.friction.is_none_or(|friction| {
            friction.regularization_velocity * friction.regularization_velocity <= ranges.slip_squared[0]
        })
    }

    /// Bounds for [`Self::ranges`] of every piece that sees a face, from the corners of both faces alone.
    #[inline]
    fn ranges_by_bounds(&self, seen: &SeenFace) -> Ranges {
        let depth = [larger(seen.depth_range[0], 0.0), seen.depth_range[1]];
        let closing = self.bounds.closing;
        let pressure = [0, 1].map(|end| self.layer_stiffness * depth[end] + self.areal_damping * closing[end]);
        // An element lies deeper than the face, where the slip is another one.
        let [w_x, w_y, _] = self.angular_velocity;
        let below = depth.map(|depth| -self.layer_share * depth);
        let [x, y] = [(0, w_y), (1, -w_x)].map(|(axis, factor)| {
            let (a, b) = (factor * below[0], factor * below[1]);
            let [low, high] = self.bounds.slip[axis];
            [low + smaller(a, b), high + larger(a, b)]
        });
        let least = |[low, high]: [f64; 2]| larger(larger(low, -high), 0.0);
        let most = |[low, high]: [f64; 2]| larger(high, -low);
        let square = |x: f64, y: f64| x * x + y * y;
        Ranges { depth, closing, pressure, slip_squared: [square(least(x), least(y)), square(most(x), most(y))] }
    }

    /// Smallest and largest values at the corners of a piece; two corners at a time, in the lanes of vector
    /// registers. [`Self::at_point`] has the same formulas for one point.
    #[inline]
    pub(super) fn ranges(&self, piece: &ConvexPolygon, seen: &SeenFace) -> Ranges {
        let lanes = f64x2::splat;
        let [v_x, v_y, v_z] = self.velocity.map(lanes);
        let [w_x, w_y, w_z] = self.angular_velocity.map(lanes);
        let (lowest, highest) = (lanes(f64::INFINITY), lanes(f64::NEG_INFINITY));
        let (mut depth, mut closing, mut pressure, mut slip_squared) =
            ([lowest, highest], [lowest, highest], [lowest, highest], [lowest, highest]);
        let include = |range: &mut [f64x2; 2], value: f64x2| {
            *range = [value.fast_min(range[0]), value.fast_max(range[1])];
        };
        let mut corners = piece.corners().iter();
        while let Some(&first) = corners.next() {
            // An odd corner is taken twice.
            let second = *corners.next().unwrap_or(&first);
            let (x, y) = (f64x2::from([first[0], second[0]]), f64x2::from([first[1], second[1]]));
            let u = seen.pair_of_depths(x, y);
            let v_n = (v_z + w_x * y - w_y * x) * self.into_e;
            let z = u * -self.layer_share;
            let (slip_x, slip_y) = (v_x + w_y * z - w_z * y, v_y + w_z * x - w_x * z);
            include(&mut depth, u);
            include(&mut closing, v_n);
            include(&mut pressure, u * self.layer_stiffness + v_n * self.areal_damping);
            include(&mut slip_squared, slip_x * slip_x + slip_y * slip_y);
        }
        let of_both = |[low, high]: [f64x2; 2]| {
            let ([a, b], [c, d]) = (low.to_array(), high.to_array());
            [smaller(a, b), larger(c, d)]
        };
        Ranges {
            depth: of_both(depth),
            closing: of_both(closing),
            pressure: of_both(pressure),
            slip_squared: of_both(slip_squared),
        }
    }

    /// Takes note of every corner that is not hidden.
    #[inline(never)]
    fn include_corners(&self, piece: &ConvexPolygon, seen: &SeenFace, hidden: &Hidden, totals: &mut Totals) {
        for &corner in piece.corners() {
            let (depth, closing) = (seen.depth(corner), self.closing_velocity(corner));
            if !hidden.is_at(corner, depth, seen) {
                totals.extremes.include(&self.at_point(corner, depth, closing, self.pressure(depth, closing)));
            }
        }
    }

    /// Adds one element that stands for `area` around a point.
    pub fn add_point(&self, point: PlanePoint, area: f64, depth: f64, weight: f64, totals: &mut Totals) {
        #[cfg(feature = "floor")]
        super::floor::record_point(self, point, area, depth, weight, totals);
        let closing = self.closing_velocity(point);
        let pressure = self.pressure(depth, closing);
        let weighted = weight * area;
        let mut sums = FaceSums {
            area: weighted,
            penetration: weighted * depth,
            square: weighted * depth * depth,
            normal_velocity: weighted * closing,
            ..Default::default()
        };
        self.add_points([point], [depth], [weighted], [pressure], &mut sums);
        // The springs' power is not dissipated.
        sums.dissipated_power -= weighted * self.layer_stiffness * depth * closing;
        if COUNTED_WEIGHT <= weight {
            totals.extremes.include(&self.at_point(point, depth, closing, pressure));
        }
        self.finish(&sums, totals);
        totals.element_count += 1;
    }

    /// What counts for the extremes at a point.
    #[inline]
    pub(super) fn at_point(&self, point: PlanePoint, depth: f64, closing: f64, pressure: f64) -> AtPoint {
        let [x, y] = self.slip(point, depth);
        let slip_squared = x * x + y * y;
        let shear = self.friction.map_or(0.0, |friction| pressure * friction_share(&friction, slip_squared));
        AtPoint { penetration: depth, normal_velocity: closing, slip_squared, pressure, shear }
    }

    /// Adds a piece cut along the transition depth and along the line of zero pressure.
    #[inline(never)]
    fn add_in_regions(
        &self,
        piece: &ConvexPolygon,
        seen: &SeenFace,
        ranges: &Ranges,
        weight: f64,
        sums: &mut FaceSums,
    ) {
        let transition = self.damping_transition_depth;
        let linear_pressure =
            |point| self.layer_stiffness * seen.depth(point) + self.areal_damping * self.closing_velocity(point);
        let [w_x, w_y, _] = self.angular_velocity;
        let damping = self.into_e * self.areal_damping;
        let gradient = [
            self.layer_stiffness * seen.gradient[0] - damping * w_y,
            self.layer_stiffness * seen.gradient[1] + damping * w_x,
        ];
        let mut add_linear = |part: &ConvexPolygon| {
            if let Some(moments) = PolygonMoments::of(part.corners()) {
                let pressure = moments.of_linear(linear_pressure(moments.origin), gradient);
                self.add_region(part, moments.area, &pressure, seen, weight, sums);
            }
        };
        if transition == 0.0 {
            add_linear(&piece.clipped(linear_pressure));
            return;
        }
        let [shallowest, deepest] = ranges.depth;
        if transition < deepest {
            let deep = piece.clipped(|point| seen.depth(point) - transition);
            if 0.0 <= ranges.pressure[0] { add_linear(&deep) } else { add_linear(&deep.clipped(linear_pressure)) }
        }
        if shallowest < transition {
            // Fade-in: p = u (c_l + d_l v_n / u_d) is a product of two linear functions.
            let slope = self.areal_damping / transition;
            let factor = |point| self.layer_stiffness + slope * self.closing_velocity(point);
            let pressure = |x: f64x2, y: f64x2| {
                let closing = (y * w_x - x * w_y + self.velocity[2]) * self.into_e;
                seen.pair_of_depths(x, y).fast_max(f64x2::splat(0.0)) * (closing * slope + self.layer_stiffness)
            };
            let mut add_fading = |part: &ConvexPolygon| {
                let pressure = moments_by_quadrature(part, pressure);
                self.add_region(part, part.area(), &pressure, seen, weight, sums);
            };
            let pushes = 0.0 <= self.layer_stiffness + slope * ranges.closing[0];
            match (transition < deepest, pushes) {
                (false, true) => add_fading(piece),
                (false, false) => add_fading(&piece.clipped(factor)),
                (true, true) => add_fading(&piece.clipped(|point| transition - seen.depth(point))),
                (true, false) => {
                    add_fading(&piece.clipped(|point| transition - seen.depth(point)).clipped(factor));
                }
            }
        }
    }

    /// Turns the sums of a face into E and adds them to the totals.
    pub fn finish(&self, sums: &FaceSums, totals: &mut Totals) {
        totals.add(&ElementIntegrals {
            area: sums.area,
            penetration: sums.penetration,
            normal_velocity: sums.normal_velocity,
            tangential_velocity: sums.tangential_velocity,
            normal_stress: sums.normal_stress,
            tangential_stress: sums.tangential_stress,
            force_e: self.frame.in_e([sums.shear[0], sums.shear[1], self.into_e * sums.normal_stress]),
            torque_e: self.frame.in_e(sums.torque),
            force_magnitude: sums.force_magnitude,
            weighted_position_e: self.frame.in_e(sums.weighted_position),
            weighted_normal_e: self.frame.axes_e[2] * (self.into_e * sums.force_magnitude),
            elastic_energy: 0.5 * self.layer_stiffness * sums.square,
            dissipated_power: sums.dissipated_power,
        });
    }

    #[inline]
    pub(super) fn pressure(&self, depth: f64, closing_velocity: f64) -> f64 {
        let share = damping_share(depth, self.damping_transition_depth);
        normal_pressure(self.layer_stiffness, depth, self.areal_damping, share, closing_velocity)
    }

    /// v_n, positive while closing; the same at every depth below a point of the face.
    #[inline]
    pub(super) fn closing_velocity(&self, [x, y]: PlanePoint) -> f64 {
        let [w_x, w_y, _] = self.angular_velocity;
        self.into_e * (self.velocity[2] + w_x * y - w_y * x)
    }

    /// Slip velocity v_t of F on E at an element, which lies below the face.
    #[inline]
    pub(super) fn slip(&self, [x, y]: PlanePoint, depth: f64) -> [f64; 2] {
        let [w_x, w_y, w_z] = self.angular_velocity;
        let z = -self.layer_share * depth;
        [self.velocity[0] + w_y * z - w_z * y, self.velocity[1] + w_z * x - w_x * z]
    }
}

/// Friction stress over pressure at the square of a slip speed.
#[inline]
fn friction_share(friction: &FrictionParameters, slip_squared: f64) -> f64 {
    let slowest = friction.regularization_velocity;
    if slowest * slowest <= slip_squared {
        friction.coefficient
    } else {
        let speed = slip_squared.sqrt();
        friction_per_velocity(friction, speed) * speed
    }
}

/// The smallest and the largest of three values.
#[inline]
fn range([a, b, c]: [f64; 3]) -> [f64; 2] {
    [smaller(a, smaller(b, c)), larger(a, larger(b, c))]
}

#[inline]
fn length([x, y]: [f64; 2]) -> f64 {
    (x * x + y * y).sqrt()
}
