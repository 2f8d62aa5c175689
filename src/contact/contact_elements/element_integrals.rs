//! Force law, integrated over a piece of a master face.
//!
//! Penetration and normal velocity are linear over a piece, so the pressure is a polynomial once the
//! piece is cut along the transition depth (fade-in of damping) and along the line where damping
//! would pull (tension cut-off). Both are straight lines. The pressure is then linear, or quadratic
//! in the fade-in, and everything but friction is integrated exactly. Friction is a smooth function
//! of the slip velocity, which is linear too; its quadrature error is documented in ARCHITECTURE.md.

use super::Pass;
use super::convex_polygon::{ConvexPolygon, PlanePoint, cross, difference};
use super::face_frame::FaceFrame;
use super::seen_face::SeenFace;
use crate::contact::force_law::{damping_share, friction_per_velocity, normal_pressure};
use crate::contact::parameters::FrictionParameters;
use crate::contact::pass_weights::smooth_step;
use crate::contact::totals::{ElementIntegrals, Totals};
use crate::contact::triangle_intersection::Body;
use crate::math::Vector;

/// Pieces that weigh less do not count for smallest and largest values: they carry almost no load,
/// and their depths may be those that `auto` does not believe. Dimensionless.
const COUNTED_WEIGHT: f64 = 0.05;

/// Squares of the change of slip over a region, relative to slip and regularisation velocity: below
/// the first, four points do for friction; above the second, the quadrature. Dimensionless; with a
/// change of a tenth, third-order terms are a thousandth, of which little is left in the sum.
const SLIP_CHANGE_SMALL: f64 = 0.01;
const SLIP_CHANGE_LARGE: f64 = 0.09;

/// Points (barycentric) and weights of a quadrature over a triangle, exact for polynomials of degree 4.
/// (Two orbits of three points; the parameters solve the moment equations.)
const TRIANGLE_RULE: [([f64; 3], f64); 6] = {
    const A: f64 = 0.445_948_490_915_964_9;
    const B: f64 = 0.091_576_213_509_770_74;
    const WEIGHT_A: f64 = 0.223_381_589_678_011_47;
    const WEIGHT_B: f64 = 0.109_951_743_655_321_87;
    [
        ([1.0 - 2.0 * A, A, A], WEIGHT_A),
        ([A, 1.0 - 2.0 * A, A], WEIGHT_A),
        ([A, A, 1.0 - 2.0 * A], WEIGHT_A),
        ([1.0 - 2.0 * B, B, B], WEIGHT_B),
        ([B, 1.0 - 2.0 * B, B], WEIGHT_B),
        ([B, B, 1.0 - 2.0 * B], WEIGHT_B),
    ]
};

/// Forces on the plane of one master face.
#[derive(Clone, Copy, Debug)]
pub struct FaceForce {
    frame: FaceFrame,
    /// +1 if the normal of the face points into E, the direction of the force on E; else −1.
    into_e: f64,
    /// Part of the penetration that the layer of the master takes; the element lies that deep.
    layer_share: f64,
    /// Velocity of F relative to E at the origin of the frame, resolved in the frame.
    velocity: [f64; 3],
    angular_velocity: [f64; 3],
    is_moving: bool,
    /// From the reference point of the torques to the origin of the frame, resolved in the frame.
    origin: [f64; 3],
    layer_stiffness: f64,
    areal_damping: f64,
    damping_transition_depth: f64,
    friction: Option<FrictionParameters>,
}

/// Sums in the frame of the face.
#[derive(Default)]
struct LocalSums {
    tangential_velocity: f64,
    normal_stress: f64,
    tangential_stress: f64,
    /// Force along x and y of the frame; along z it is `into_e · normal_stress`.
    shear: [f64; 2],
    torque: [f64; 3],
    force_magnitude: f64,
    weighted_position: [f64; 3],
    dissipated_power: f64,
}

impl FaceForce {
    /// Prepares the force law for a master face.
    pub fn new(pass: &Pass, frame: &FaceFrame, reference_e: Vector) -> Self {
        let (parameters, motion) = (pass.parameters, pass.motion);
        let ratio = parameters.penetration_ratio();
        let (into_e, layer_share) = match pass.master_body {
            Body::E => (-1.0, ratio),
            Body::F => (1.0, 1.0 - ratio),
        };
        FaceForce {
            frame: *frame,
            into_e,
            layer_share,
            velocity: frame.axes(motion.velocity_at(frame.origin_e)),
            angular_velocity: frame.axes(motion.angular_velocity_e()),
            is_moving: motion.velocity_e() != Vector::zeros() || motion.angular_velocity_e() != Vector::zeros(),
            origin: frame.axes(frame.origin_e - reference_e),
            layer_stiffness: parameters.combined_layer_stiffness(),
            areal_damping: parameters.areal_damping(),
            damping_transition_depth: parameters.damping_transition_depth(),
            friction: parameters.friction(),
        }
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
    pub fn integrate(
        &self,
        piece: &ConvexPolygon,
        seen: &SeenFace,
        weight: f64,
        is_hidden: &impl Fn(PlanePoint) -> bool,
        totals: &mut Totals,
    ) {
        #[cfg(feature = "floor")]
        super::floor::record_region(self, piece, seen, weight, is_hidden, totals);
        let Some((area, centroid)) = piece.area_and_centroid() else { return };
        let mut element = ElementIntegrals { area, ..Default::default() };
        let mut sums = LocalSums::default();
        let depth = |point| seen.depth(point);
        let counts_for_extremes = COUNTED_WEIGHT <= weight;

        // Integrals of u, u² and u·(x, y), exact over the triangles of a fan.
        let corners = piece.corners();
        let first = corners[0];
        let (mut moment, mut square) = ([0.0; 2], 0.0);
        let mut power_of_springs = 0.0;
        for pair in corners[1..].windows(2) {
            let triangle = [first, pair[0], pair[1]];
            let third = cross(difference(pair[0], first), difference(pair[1], first)) / 6.0;
            let u = triangle.map(depth);
            let sum = u[0] + u[1] + u[2];
            element.penetration += third * sum;
            square += 0.25 * third * (sum * sum + u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
            for axis in 0..2 {
                let x = triangle.map(|corner| corner[axis]);
                moment[axis] += 0.25 * third * (sum * (x[0] + x[1] + x[2]) + u[0] * x[0] + u[1] * x[1] + u[2] * x[2]);
            }
        }
        element.elastic_energy = 0.5 * self.layer_stiffness * square;
        if counts_for_extremes {
            for &corner in corners.iter().filter(|&&corner| !is_hidden(corner)) {
                let (u, closing) = (depth(corner), self.closing_velocity(corner));
                let pressure = self.pressure(u, closing);
                let (shear, slip_speed) = self.shear(corner, u, pressure);
                totals.include(u, closing, slip_speed, pressure, length(shear));
            }
        }

        if self.is_moving && (0.0 < self.areal_damping || self.friction.is_some()) {
            self.add_moving_piece(piece, seen, &mut sums);
            // ∫ u v_n dA: v_n is linear, so its moment with u needs only the integrals above.
            let [_, _, v_z] = self.velocity;
            let [w_x, w_y, _] = self.angular_velocity;
            power_of_springs =
                self.layer_stiffness * self.into_e * (v_z * element.penetration + w_x * moment[1] - w_y * moment[0]);
        } else {
            let stiffness = self.layer_stiffness;
            let force = stiffness * element.penetration;
            let position = [
                self.origin[0] * force + stiffness * moment[0],
                self.origin[1] * force + stiffness * moment[1],
                self.origin[2] * force - self.layer_share * stiffness * square,
            ];
            sums.normal_stress = force;
            sums.force_magnitude = force;
            sums.torque = [self.into_e * position[1], -self.into_e * position[0], 0.0];
            sums.weighted_position = position;
            if self.is_moving {
                sums.tangential_velocity = area * length(self.slip(centroid, depth(centroid)));
            }
        }
        element.normal_velocity = area * self.closing_velocity(centroid);
        sums.dissipated_power -= power_of_springs;
        self.finish(&sums, &mut element);
        totals.add(weight, &element);
    }

    /// Adds one element that stands for `area` around a point.
    pub fn add_point(&self, point: PlanePoint, area: f64, depth: f64, weight: f64, totals: &mut Totals) {
        #[cfg(feature = "floor")]
        super::floor::record_point(self, point, area, depth, weight, totals);
        let mut sums = LocalSums::default();
        let closing = self.closing_velocity(point);
        let pressure = self.pressure(depth, closing);
        self.add_quadrature_point(point, depth, area, pressure, &mut sums);
        // The springs' power is not dissipated.
        sums.dissipated_power -= area * self.layer_stiffness * depth * closing;
        if COUNTED_WEIGHT <= weight {
            let (shear, slip_speed) = self.shear(point, depth, pressure);
            totals.include(depth, closing, slip_speed, pressure, length(shear));
        }
        let mut element = ElementIntegrals {
            area,
            penetration: area * depth,
            normal_velocity: area * closing,
            elastic_energy: 0.5 * self.layer_stiffness * area * depth * depth,
            ..Default::default()
        };
        self.finish(&sums, &mut element);
        totals.add(weight, &element);
        totals.element_count += 1;
    }

    fn add_moving_piece(&self, piece: &ConvexPolygon, seen: &SeenFace, sums: &mut LocalSums) {
        let depth = |point| seen.depth(point);
        let transition = self.damping_transition_depth;
        let linear_pressure =
            |point| self.layer_stiffness * depth(point) + self.areal_damping * self.closing_velocity(point);
        let mut add_linear = |part: &ConvexPolygon| {
            self.add_region(part, PressureMoments::of_linear(part, linear_pressure), &depth, sums);
        };
        if self.areal_damping == 0.0 {
            add_linear(piece);
        } else if transition == 0.0 {
            add_linear(&piece.clipped(linear_pressure));
        } else {
            add_linear(&piece.clipped(|point| depth(point) - transition).clipped(linear_pressure));
            // Fade-in: p = u (c_l + d_l v_n / u_d) is a product of two linear functions.
            let slope = self.areal_damping / transition;
            let factor = |point| self.layer_stiffness + slope * self.closing_velocity(point);
            let fading = piece.clipped(|point| transition - depth(point)).clipped(factor);
            let moments = PressureMoments::of_quadratic(&fading, |point| depth(point).max(0.0) * factor(point));
            self.add_region(&fading, moments, &depth, sums);
        }
    }

    /// Adds a region with a smooth pressure.
    ///
    /// Four points that share the force, and have the first and second moments of the pressure, give
    /// the normal force, its torque and the power of damping exactly, and friction to the third order
    /// of the change of slip over the region. Where that changes much, as around a centre of rotation,
    /// a quadrature over the region takes over, step by step, so that nothing jumps.
    fn add_region(
        &self,
        region: &ConvexPolygon,
        moments: PressureMoments,
        depth: &impl Fn(PlanePoint) -> f64,
        sums: &mut LocalSums,
    ) {
        let area = region.area();
        let Some((mean, spread)) = moments.mean_and_spread().filter(|_| 0.0 < area) else { return };
        let fine_share = self.friction.map_or(0.0, |friction| {
            let slip = self.slip(mean, depth(mean));
            let change = region.corners().iter().fold(0.0, |most: f64, &corner| {
                let [x, y] = difference(self.slip(corner, depth(corner)), slip);
                most.max(x * x + y * y)
            });
            let scale = slip[0] * slip[0] + slip[1] * slip[1] + friction.regularization_velocity.powi(2);
            smooth_step((change / scale - SLIP_CHANGE_SMALL) / (SLIP_CHANGE_LARGE - SLIP_CHANGE_SMALL))
        });
        if fine_share < 1.0 {
            let quarter = 0.25 * (1.0 - fine_share) * area;
            let pressure = moments.force / area;
            for [s, t] in [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]] {
                let point = [mean[0] + s * spread[0], mean[1] + s * spread[1] + t * spread[2]];
                self.add_quadrature_point(point, depth(point), quarter, pressure, sums);
            }
        }
        if 0.0 < fine_share {
            self.add_by_quadrature(region, fine_share, depth, sums);
        }
    }

    /// Applies the rule to the triangles between the centroid and the sides of a polygon: a fan that
    /// does not depend on where the polygon starts, so the result is continuous in its shape.
    fn add_by_quadrature(
        &self,
        polygon: &ConvexPolygon,
        weight: f64,
        depth: &impl Fn(PlanePoint) -> f64,
        sums: &mut LocalSums,
    ) {
        let polygon = polygon.without_straight_corners();
        let Some((_, centroid)) = polygon.area_and_centroid() else { return };
        let corners = polygon.corners();
        let mut previous = corners[corners.len() - 1];
        for &corner in corners {
            let area = 0.5 * weight * cross(difference(previous, centroid), difference(corner, centroid));
            for ([a, b, c], share) in TRIANGLE_RULE {
                let point = [
                    a * centroid[0] + b * previous[0] + c * corner[0],
                    a * centroid[1] + b * previous[1] + c * corner[1],
                ];
                let u = depth(point);
                let pressure = self.pressure(u, self.closing_velocity(point));
                self.add_quadrature_point(point, u, share * area, pressure, sums);
            }
            previous = corner;
        }
    }

    #[inline]
    fn add_quadrature_point(&self, point: PlanePoint, depth: f64, area: f64, pressure: f64, sums: &mut LocalSums) {
        let (shear, slip_speed) = self.shear(point, depth, pressure);
        let shear_stress = length(shear);
        let [x, y, z] =
            [self.origin[0] + point[0], self.origin[1] + point[1], self.origin[2] - self.layer_share * depth];
        let force = [shear[0] * area, shear[1] * area, self.into_e * pressure * area];
        let magnitude = (pressure * pressure + shear_stress * shear_stress).sqrt() * area;
        sums.tangential_velocity += slip_speed * area;
        sums.normal_stress += pressure * area;
        sums.tangential_stress += shear_stress * area;
        sums.shear[0] += force[0];
        sums.shear[1] += force[1];
        sums.torque[0] += y * force[2] - z * force[1];
        sums.torque[1] += z * force[0] - x * force[2];
        sums.torque[2] += x * force[1] - y * force[0];
        sums.force_magnitude += magnitude;
        sums.weighted_position[0] += magnitude * x;
        sums.weighted_position[1] += magnitude * y;
        sums.weighted_position[2] += magnitude * z;
        sums.dissipated_power += area * (pressure * self.closing_velocity(point) + shear_stress * slip_speed);
    }

    fn finish(&self, sums: &LocalSums, element: &mut ElementIntegrals) {
        element.tangential_velocity = sums.tangential_velocity;
        element.normal_stress = sums.normal_stress;
        element.tangential_stress = sums.tangential_stress;
        element.force_e = self.frame.in_e([sums.shear[0], sums.shear[1], self.into_e * sums.normal_stress]);
        element.torque_e = self.frame.in_e(sums.torque);
        element.force_magnitude = sums.force_magnitude;
        element.weighted_position_e = self.frame.in_e(sums.weighted_position);
        element.weighted_normal_e = self.frame.axes_e[2] * (self.into_e * sums.force_magnitude);
        element.dissipated_power = sums.dissipated_power;
    }

    #[inline]
    fn pressure(&self, depth: f64, closing_velocity: f64) -> f64 {
        let share = damping_share(depth, self.damping_transition_depth);
        normal_pressure(self.layer_stiffness, depth, self.areal_damping, share, closing_velocity)
    }

    /// v_n, positive while closing; the same at every depth below a point of the face.
    #[inline]
    fn closing_velocity(&self, [x, y]: PlanePoint) -> f64 {
        let [w_x, w_y, _] = self.angular_velocity;
        self.into_e * (self.velocity[2] + w_x * y - w_y * x)
    }

    /// Slip velocity v_t of F on E at an element, which lies below the face.
    #[inline]
    fn slip(&self, [x, y]: PlanePoint, depth: f64) -> [f64; 2] {
        let [w_x, w_y, w_z] = self.angular_velocity;
        let z = -self.layer_share * depth;
        [self.velocity[0] + w_y * z - w_z * y, self.velocity[1] + w_z * x - w_x * z]
    }

    /// Tangential stress on E, and the slip speed.
    #[inline]
    fn shear(&self, point: PlanePoint, depth: f64, pressure: f64) -> ([f64; 2], f64) {
        let slip = self.slip(point, depth);
        let speed = length(slip);
        match &self.friction {
            Some(friction) => {
                let factor = pressure * friction_per_velocity(friction, speed);
                ([factor * slip[0], factor * slip[1]], speed)
            }
            None => ([0.0; 2], speed),
        }
    }
}

#[inline]
fn length([x, y]: [f64; 2]) -> f64 {
    (x * x + y * y).sqrt()
}

/// Integrals of a pressure over a polygon: of itself, and with the coordinates and their products,
/// measured from the first corner.
#[derive(Clone, Copy, Debug, Default)]
struct PressureMoments {
    origin: PlanePoint,
    force: f64,
    first: [f64; 2],
    /// xx, xy, yy.
    second: [f64; 3],
}

impl PressureMoments {
    /// Of a linear pressure, by the closed form over each triangle of a fan.
    #[inline]
    fn of_linear(polygon: &ConvexPolygon, pressure: impl Fn(PlanePoint) -> f64) -> Self {
        let Some(&origin) = polygon.corners().first() else { return Self::default() };
        let mut moments = PressureMoments { origin, ..Default::default() };
        let at_origin = pressure(origin);
        let mut previous = None;
        for &corner in &polygon.corners()[1..] {
            let (b, p_b) = (difference(corner, origin), pressure(corner));
            if let Some((a, p_a)) = previous.replace((b, p_b)) {
                let (a, p_a): (PlanePoint, f64) = (a, p_a);
                // One corner of the triangle is the origin, so its coordinates drop out of the sums.
                let area = 0.5 * cross(a, b);
                let sum = at_origin + p_a + p_b;
                let (x, y) = (a[0] + b[0], a[1] + b[1]);
                let (px, py) = (p_a * a[0] + p_b * b[0], p_a * a[1] + p_b * b[1]);
                moments.force += area / 3.0 * sum;
                moments.first[0] += area / 12.0 * (sum * x + px);
                moments.first[1] += area / 12.0 * (sum * y + py);
                let sixtieth = area / 60.0;
                let product = |s: f64, t: f64, ps: f64, pt: f64, st: f64, pst: f64| {
                    sixtieth * (sum * (s * t + st) + s * pt + t * ps + 2.0 * pst)
                };
                moments.second[0] +=
                    product(x, x, px, px, a[0] * a[0] + b[0] * b[0], p_a * a[0] * a[0] + p_b * b[0] * b[0]);
                moments.second[1] +=
                    product(x, y, px, py, a[0] * a[1] + b[0] * b[1], p_a * a[0] * a[1] + p_b * b[0] * b[1]);
                moments.second[2] +=
                    product(y, y, py, py, a[1] * a[1] + b[1] * b[1], p_a * a[1] * a[1] + p_b * b[1] * b[1]);
            }
        }
        moments
    }

    /// Of a quadratic pressure, by a rule that is exact for it.
    fn of_quadratic(polygon: &ConvexPolygon, pressure: impl Fn(PlanePoint) -> f64) -> Self {
        let Some(&origin) = polygon.corners().first() else { return Self::default() };
        let mut moments = PressureMoments { origin, ..Default::default() };
        for pair in polygon.corners()[1..].windows(2) {
            let (u, v) = (difference(pair[0], origin), difference(pair[1], origin));
            let area = 0.5 * cross(u, v);
            for ([_, b, c], share) in TRIANGLE_RULE {
                let [x, y] = [b * u[0] + c * v[0], b * u[1] + c * v[1]];
                let force = share * area * pressure([origin[0] + x, origin[1] + y]);
                moments.force += force;
                moments.first[0] += force * x;
                moments.first[1] += force * y;
                moments.second[0] += force * x * x;
                moments.second[1] += force * x * y;
                moments.second[2] += force * y * y;
            }
        }
        moments
    }

    /// Centre of pressure, and the lower triangular root (l_xx, l_yx, l_yy) of the second moments about
    /// it per force; none without a force.
    fn mean_and_spread(&self) -> Option<(PlanePoint, [f64; 3])> {
        if self.force <= 0.0 {
            return None;
        }
        let [x, y] = self.first.map(|moment| moment / self.force);
        let [xx, xy, yy] = self.second.map(|moment| moment / self.force);
        // Never negative but for rounding.
        let l_xx = (xx - x * x).max(0.0).sqrt();
        let l_yx = if 0.0 < l_xx { (xy - x * y) / l_xx } else { 0.0 };
        let l_yy = (yy - y * y - l_yx * l_yx).max(0.0).sqrt();
        // Where rounding has taken l_xx, the other side bounds what is left of the product.
        let l_yx = l_yx.clamp(-(yy - y * y).max(0.0).sqrt(), (yy - y * y).max(0.0).sqrt());
        let mean = [self.origin[0] + x, self.origin[1] + y];
        (mean[0].is_finite() && mean[1].is_finite()).then_some((mean, [l_xx, l_yx, l_yy]))
    }
}
