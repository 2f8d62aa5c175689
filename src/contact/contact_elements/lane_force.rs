//! Force law, integrated over several pieces of contact at a time.
//!
//! [`super::element_integrals`] and [`super::region_force`] have the same for one piece, and for everything that the
//! lanes leave to them: sides that nearly coincide, slip that changes much over a piece, damping that would pull,
//! depths that are not credible.

use super::Pass;
use super::element_integrals::COUNTED_WEIGHT;
use super::lane_extremes::ExtremeBounds;
use super::lane_faces::{FaceLanes, FaceRecord};
use super::lane_friction::{Loaded, loaded_at};
use super::lane_overlay::{SeenLanes, Sidedness};
use super::lane_queue::{Geometry, Kind, PieceQueues, PieceRecord};
use super::lane_regions::{LaneMoments, Linear, Regions, corner, too_close};
use super::lane_sums::{GroupSums, LaneTotals};
use super::lanes::{Lanes, MOST_LANES, Mask, Registers};
use crate::contact::active_areas::FaceCorners;
use crate::contact::parameters::FrictionParameters;
use crate::contact::totals::{AllExtremes, Totals};
use crate::contact::triangle_intersection::Body;
use crate::math::Vector;

/// Regions smaller than this part of a side squared are left to single pieces; dimensionless. Sums over the sides of a
/// region are rounded by some 10⁻¹⁶ of it.
const SMALL_REGION: f64 = 1e-12;

/// With a smaller regularisation velocity, in m/s, all pieces are integrated one by one: here the product of two such
/// speeds must have a reciprocal.
pub const SMALLEST_REGULARIZATION: f64 = 1e-140;

/// The force law of a pass.
#[derive(Clone, Copy, Debug)]
pub struct LaneForce {
    /// +1 if the normals of the master point into E, the direction of the force on E; else −1.
    pub(super) into_e: f64,
    /// Part of the penetration that the layer of the master takes; the element lies that deep.
    pub(super) layer_share: f64,
    is_moving: bool,
    pub(super) layer_stiffness: f64,
    pub(super) areal_damping: f64,
    /// Up to which damping fades in; 0 where nothing is damped.
    pub(super) transition_depth: f64,
    pub(super) friction: Option<FrictionParameters>,
    pub(super) sliding_magnitude: f64,
}

/// Which pieces of a group have been dealt with, as bits.
#[derive(Clone, Copy, Debug)]
struct Integrated {
    /// Area and penetration have been noted.
    measured: u32,
    /// Everything has been added, where there is anything.
    done: u32,
}

/// Depths of slave faces below the plane of the master face.
#[derive(Clone, Copy)]
pub struct Depth<V> {
    /// As a function of the place on the plane.
    pub function: Linear<V>,
    /// At the corners of the slave face.
    pub least: V,
    /// Likewise.
    pub most: V,
}

impl<V: Lanes> Depth<V> {
    /// Within the face it is between the depths of the corners; the clamp keeps rounding there.
    #[inline(always)]
    pub fn at(&self, x: V, y: V) -> V {
        self.function.at(x, y).larger(self.least).smaller(self.most)
    }
}

impl LaneForce {
    /// Of a pass.
    pub fn new(pass: &Pass) -> Self {
        let (parameters, motion) = (pass.parameters, pass.motion);
        let ratio = parameters.penetration_ratio();
        let (into_e, layer_share) = match pass.master_body {
            Body::E => (-1.0, ratio),
            Body::F => (1.0, 1.0 - ratio),
        };
        let is_moving = motion.velocity_e() != Vector::zeros() || motion.angular_velocity_e() != Vector::zeros();
        let is_damped = 0.0 < parameters.areal_damping();
        let friction = parameters.friction();
        LaneForce {
            into_e,
            layer_share,
            is_moving,
            layer_stiffness: parameters.combined_layer_stiffness(),
            areal_damping: if is_damped { parameters.areal_damping() } else { 0.0 },
            transition_depth: if is_damped { parameters.damping_transition_depth() } else { 0.0 },
            friction,
            sliding_magnitude: friction.map_or(1.0, |friction| (1.0 + friction.coefficient.powi(2)).sqrt()),
        }
    }

    /// Adds all pieces that wait, and hands out those that the lanes leave, with whether they have been measured.
    #[inline(always)]
    pub fn integrate_all<R: Registers>(
        &self,
        registers: R,
        queues: &mut PieceQueues,
        slave_corners_e: &[FaceCorners],
        totals: &mut Totals,
        mut leave: impl FnMut(&PieceRecord, bool),
    ) {
        let mut sums = LaneTotals::default();
        let PieceQueues { faces, waiting, geometry, .. } = queues;
        for kind in Kind::ALL {
            for pieces in waiting[kind as usize].chunks(R::LANES) {
                let extremes = &mut totals.extremes;
                let is = self.integrate(registers, kind, pieces, faces, slave_corners_e, geometry, &mut sums, extremes);
                totals.element_count += is.measured.count_ones();
                for (lane, piece) in pieces.iter().enumerate().filter(|(lane, _)| is.done >> lane & 1 == 0) {
                    leave(piece, is.measured >> lane & 1 == 1);
                }
            }
        }
        sums.finish(&queues.total_geometry(), self.layer_stiffness, totals);
    }

    /// Adds pieces of a kind, not more than there are lanes, as far as the lanes can.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn integrate<R: Registers>(
        &self,
        registers: R,
        kind: Kind,
        pieces: &[PieceRecord],
        faces: &[FaceRecord],
        slave_corners_e: &[FaceCorners],
        geometry: &mut [Geometry],
        totals: &mut LaneTotals,
        extremes: &mut AllExtremes,
    ) -> Integrated {
        let zero = registers.splat(0.0);
        // The last piece again where there are fewer.
        let mut of_lanes = [&pieces[0]; MOST_LANES];
        let mut records = [&faces[of_lanes[0].face as usize]; MOST_LANES];
        let mut corners_e = [&slave_corners_e[of_lanes[0].slave_slot as usize]; MOST_LANES];
        for lane in 1..R::LANES {
            let piece = &pieces[lane.min(pieces.len() - 1)];
            of_lanes[lane] = piece;
            records[lane] = &faces[piece.face as usize];
            corners_e[lane] = &slave_corners_e[piece.slave_slot as usize];
        }
        let face = FaceLanes::new(registers, &records);
        let seen = SeenLanes::new(registers, &face.frame, &corners_e, 0);
        let sides = Sidedness::new(&face.triangle, &seen);
        let (longest_of_master, longest_of_slave) = (face.triangle.longest_side_squared, sides.longest_side_squared());
        let both_longest = (longest_of_master * longest_of_slave).sqrt();
        let mut regions = Regions::new(zero, &face.triangle, &seen, &sides, both_longest);
        let depth = depth_below(zero, &seen, &sides.slave_sides);
        // Left to single pieces by their shape, and by how the bodies move.
        let mut left = too_close(zero, both_longest, &sides);
        let mut left_by_motion = zero.less(zero);
        // Above the surface altogether: nothing to add.
        let mut nothing_left = zero.less(zero);
        let closing = self.closing(&face);
        let (stiffness, damping) = (self.layer_stiffness, self.areal_damping);
        let bounds = ExtremeBounds::new(self, zero, &face, &depth);
        if self.is_moving && 0.0 < damping {
            // Damping never pulls: by the slowest closing velocity on the face and the least depth of what it sees.
            let shallowest = depth.least.larger(registers.splat(self.transition_depth));
            left_by_motion = (shallowest * stiffness + bounds.closing[0] * damping).less(zero);
        }
        if kind == Kind::Cut {
            let above = depth.least.less(zero);
            let surface = Linear {
                at_origin: above.choose(depth.function.at_origin, zero + 1.0),
                gradient: [above.keep(depth.function.gradient[0]), above.keep(depth.function.gradient[1])],
            };
            let cut = regions.cut(zero, &surface);
            left = left.or(cut.is_open);
            nothing_left = cut.is_nothing.but_not(left);
        }

        let incredible = face.credible_depth.less(depth.most);
        if incredible.bits() != 0 {
            left = left.or(incredible.and(face.credible_depth.less(deepest(zero, &regions, &depth))));
        }

        // All moments about a point of the region, so that little cancels.
        let origin = regions.origin;
        let moves = self.is_moving && (0.0 < damping || self.friction.is_some());
        let fades = moves && kind != Kind::Deep && 0.0 < self.transition_depth;
        let moments = LaneMoments::of::<false>(zero, &regions, origin);
        let depth_there = Linear { at_origin: depth.function.at(origin[0], origin[1]), ..depth.function };
        let closing_there = Linear { at_origin: closing.at(origin[0], origin[1]), ..closing };
        // No region is larger than the smaller face.
        let small = longest_of_slave.smaller(longest_of_master) * SMALL_REGION;
        let is_large = small.less(moments.area);

        // Weight, by the mean depth.
        let penetration = moments.integral(&depth_there);
        let mut weights = face.weight;
        if incredible.bits() != 0 {
            let credible = face.credible_depth * moments.area;
            let ratio = credible.less(penetration).choose(credible / penetration, zero + 1.0);
            weights = weights * ((ratio * ratio) * (ratio * ratio));
        }

        let measured = registers.first(pieces.len()).and(is_large).but_not(left).but_not(nothing_left);
        let [first_x, first_y] = moments.first_of(&depth_there);
        let [depth_x, depth_y] = depth.function.gradient;
        let square = depth_there.at_origin * penetration + depth_x * first_x + depth_y * first_y;
        let columns = [weights * moments.area, weights * penetration, weights * square, zero];
        let measured_bits = measured.bits();
        registers.rows(columns, |lane, [area, penetration, square, _]| {
            if measured_bits >> lane & 1 == 1 {
                geometry[of_lanes[lane].index as usize] = Geometry { area, penetration, square };
            }
        });
        let counted = measured.but_not(weights.less(registers.splat(COUNTED_WEIGHT)));
        self.note_extremes(registers, &face, &regions, &depth, &closing, &bounds, counted, extremes);
        let mut done = measured.but_not(left_by_motion);

        // Pressure in one region, or in two where damping fades in.
        let nothing = Loaded::new(zero);
        let (mut loaded, mut loaded_count) = ([nothing; 2], 0);
        if moves {
            let pressure = Linear {
                at_origin: depth_there.at_origin * stiffness + closing_there.at_origin * damping,
                gradient: [
                    depth.function.gradient[0] * stiffness + closing.gradient[0] * damping,
                    depth.function.gradient[1] * stiffness + closing.gradient[1] * damping,
                ],
            };
            let mut deep = moments;
            if fades {
                let below = Linear {
                    at_origin: registers.splat(self.transition_depth) - depth.function.at_origin,
                    gradient: [-depth_x, -depth_y],
                };
                let mut strip = regions;
                done = done.but_not(strip.cut(zero, &below).is_open);
                let shallow = LaneMoments::of::<true>(zero, &strip, origin);
                deep = moments.without(&shallow);
                // Fade-in: p = u (c_l + d_l v_n / u_d) is a product of two linear functions.
                let slope = damping / self.transition_depth;
                let factor = Linear {
                    at_origin: closing_there.at_origin * slope + stiffness,
                    gradient: [closing.gradient[0] * slope, closing.gradient[1] * slope],
                };
                loaded[0] = loaded_at(zero, origin, shallow.area, &shallow.of_product(&depth_there, &factor), small);
                loaded_count = 1;
            }
            if kind != Kind::Shallow {
                loaded[loaded_count] = loaded_at(zero, origin, deep.area, &deep.of_linear(&pressure), small);
                loaded_count += 1;
            }
            for region in &loaded[..loaded_count] {
                // Numbers at the end of their range have no reciprocal.
                let has_place = region.spread[0].less(zero + f64::INFINITY);
                done = done.but_not(zero.less(region.force).but_not(has_place));
                done = done.but_not(self.slip_changes_much(registers, &face, &regions, region, &depth, done));
            }
        }
        let integrated = Integrated { measured: measured_bits, done: done.or(nothing_left).bits() };
        if done.bits() == 0 {
            return integrated;
        }

        // Lanes that are left to single pieces add nothing.
        let weights = done.keep(weights);
        let mut sums = GroupSums::new(zero);
        sums.normal_velocity = weights * done.keep(moments.integral(&closing_there));
        if moves {
            for region in &loaded[..loaded_count] {
                self.add_loaded(registers, &face, region, &depth, done, weights, &mut sums);
            }
            // The springs' power is not dissipated: ∫ u v_n dA needs only the integrals above.
            let power =
                closing_there.at_origin * penetration + closing.gradient[0] * first_x + closing.gradient[1] * first_y;
            sums.dissipated_power = sums.dissipated_power - weights * done.keep(power) * stiffness;
        } else {
            let stiffness = weights * stiffness;
            let force = done.keep(penetration) * stiffness;
            let position = [
                done.keep(origin[0] + face.origin[0]) * force + done.keep(first_x) * stiffness,
                done.keep(origin[1] + face.origin[1]) * force + done.keep(first_y) * stiffness,
                force * face.origin[2] + done.keep(square) * stiffness * -self.layer_share,
            ];
            sums.force[2] = force * self.into_e;
            sums.torque = [position[1] * self.into_e, position[0] * -self.into_e, zero];
            sums.position = position;
            sums.magnitude = force;
            sums.normal_stress = force;
            if self.is_moving {
                let per_area = (zero + 1.0) / moments.area;
                let (x, y) = (origin[0] + moments.first[0] * per_area, origin[1] + moments.first[1] * per_area);
                let [slip_x, slip_y] = self.slip(&face, x, y, depth.at(x, y));
                let speed = done.keep((slip_x * slip_x + slip_y * slip_y).sqrt());
                sums.tangential_velocity = weights * done.keep(moments.area) * speed;
            }
        }
        totals.add(&sums, &face, self.into_e);
        integrated
    }

    /// Closing velocity v_n as a function of the place on the master face.
    #[inline(always)]
    pub(super) fn closing<V: Lanes>(&self, face: &FaceLanes<V>) -> Linear<V> {
        let [w_x, w_y, _] = face.angular_velocity;
        Linear { at_origin: face.velocity[2] * self.into_e, gradient: [w_y * -self.into_e, w_x * self.into_e] }
    }

    /// Slip velocity of F on E at an element, which lies below the face.
    #[inline(always)]
    pub fn slip<V: Lanes>(&self, face: &FaceLanes<V>, x: V, y: V, depth: V) -> [V; 2] {
        let [w_x, w_y, w_z] = face.angular_velocity;
        let z = depth * -self.layer_share;
        [face.velocity[0] + z * w_y - y * w_z, face.velocity[1] + x * w_z - z * w_x]
    }
}

/// The largest depths at the corners of regions.
#[inline(always)]
fn deepest<V: Lanes>(zero: V, regions: &Regions<V>, depth: &Depth<V>) -> V {
    let mut deepest = zero;
    for side in &regions.sides[..regions.count] {
        let ([x, y], is_corner) = corner(zero, *side);
        deepest = deepest.larger(is_corner.keep(depth.at(x, y)));
    }
    deepest
}

/// The depth of slave faces as a function of the place on the master face.
#[inline(always)]
fn depth_below<V: Lanes>(zero: V, seen: &SeenLanes<V>, sides: &[[V; 2]; 3]) -> Depth<V> {
    let SeenLanes { x, y, z } = *seen;
    let u = [-z[0], -z[1], -z[2]];
    let (s, t) = (sides[0], [-sides[2][0], -sides[2][1]]);
    let double_area = s[0] * t[1] - s[1] * t[0];
    let (along_s, along_t) = (u[1] - u[0], u[2] - u[0]);
    let per_area = (zero + 1.0) / double_area;
    let gradient = [(along_s * t[1] - along_t * s[1]) * per_area, (s[0] * along_t - t[0] * along_s) * per_area];
    Depth {
        function: Linear { at_origin: u[0] - gradient[0] * x[0] - gradient[1] * y[0], gradient },
        least: u[0].smaller(u[1]).smaller(u[2]),
        most: u[0].larger(u[1]).larger(u[2]),
    }
}
