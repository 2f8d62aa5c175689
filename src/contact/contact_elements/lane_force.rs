//! Force law, integrated over four pieces of contact at a time.
//!
//! [`super::element_integrals`] and [`super::region_force`] have the same for one piece, and for everything that the
//! lanes leave to them: sides that nearly coincide, slip that changes much over a piece, damping that would pull,
//! extremes where depths are not credible or the bodies creep.

use super::Pass;
use super::element_integrals::COUNTED_WEIGHT;
use super::lane_extremes::ExtremeBounds;
use super::lane_overlay::sidedness;
use super::lane_queue::{FaceLanes, Geometry, Group, Kind, PieceQueues};
use super::lane_regions::{LaneFunctionMoments, LaneMoments, Linear, Regions, too_close};
use super::lane_sums::{GroupSums, LaneTotals};
use super::lanes::{LANES, Lanes, Registers};
use super::region_force::SLIP_CHANGE_SMALL;
use crate::contact::parameters::FrictionParameters;
use crate::contact::totals::AllExtremes;
use crate::contact::triangle_intersection::Body;
use crate::math::Vector;

/// Regions smaller than this part of a side squared are left to single pieces; dimensionless. Sums over the sides of a
/// region are rounded by some 10⁻¹⁶ of it.
const SMALL_REGION: f64 = 1e-12;

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
    sliding_magnitude: f64,
}

/// Which pieces of a group have been dealt with, as bits.
#[derive(Clone, Copy, Debug)]
pub struct Integrated {
    /// Area and penetration have been noted.
    pub measured: u32,
    /// Everything has been added.
    pub done: u32,
}

/// Where the force of a region acts, by lane: its centre of pressure, and the root of its second moments.
#[derive(Clone, Copy)]
struct Loaded<V> {
    /// ∫ p dA.
    force: V,
    area: V,
    mean: [V; 2],
    spread: [V; 3],
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

    /// The depth at which pieces change their kind.
    pub fn transition_depth(&self) -> f64 {
        self.transition_depth
    }

    /// Adds the pieces of a group, as far as the lanes can.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    pub fn integrate<R: Registers>(
        &self,
        registers: R,
        kind: Kind,
        face: &FaceLanes<R::Vector>,
        group: &Group,
        queues: &mut PieceQueues,
        totals: &mut LaneTotals<R::Vector>,
        extremes: &mut AllExtremes,
    ) -> Integrated {
        let zero = registers.splat(0.0);
        let [a, b, c] = group.corners(registers);
        let (x, y, u) = ([a[0], b[0], c[0]], [a[1], b[1], c[1]], [-a[2], -b[2], -c[2]]);
        let sides = sidedness(&face.triangle, x, y);
        let mut regions = Regions::new(zero, &face.triangle, x, y, &sides);
        let depth = depth_below(x, y, u, &sides.slave_sides);
        // Left to single pieces by their shape, and by how the bodies move.
        let mut left = too_close(zero, &face.triangle, &sides);
        let mut left_by_motion = zero;
        let closing = self.closing(face);
        let (stiffness, damping) = (self.layer_stiffness, self.areal_damping);
        let bounds = ExtremeBounds::new(self, zero, face, &depth);
        if self.is_moving && 0.0 < damping {
            // Damping never pulls: by the slowest closing velocity on the face and the least depth of what it sees.
            let shallowest = depth.least.larger(registers.splat(self.transition_depth));
            left_by_motion = (shallowest * stiffness + bounds.closing[0] * damping).less(zero);
        }
        if kind == Kind::Cut {
            let above = depth.least.less(zero);
            let surface = Linear {
                at_origin: above.choose(depth.function.at_origin, zero + 1.0),
                gradient: [above.and(depth.function.gradient[0]), above.and(depth.function.gradient[1])],
            };
            left = left.or(regions.cut(zero, &surface));
        }

        let incredible = face.credible_depth.less(depth.most);
        if incredible.bits() != 0 {
            left = left.or(incredible.and(face.credible_depth.less(deepest(zero, &regions, &depth))));
        }

        // All moments about a point of the region, so that little cancels.
        let origin = regions.origin;
        let moves = self.is_moving && (0.0 < damping || self.friction.is_some());
        let fades = moves && kind != Kind::Deep && 0.0 < self.transition_depth;
        let moments = if fades {
            LaneMoments::of::<true>(zero, &regions, origin)
        } else {
            LaneMoments::of::<false>(zero, &regions, origin)
        };
        let depth_there = Linear { at_origin: depth.function.at(origin[0], origin[1]), ..depth.function };
        let closing_there = Linear { at_origin: closing.at(origin[0], origin[1]), ..closing };
        let small = sides.shortest_side_squared(&face.triangle) * SMALL_REGION;
        left = left.or(moments.area.less(small));

        // Weight, by the mean depth.
        let penetration = moments.integral(&depth_there);
        let mean_depth = penetration / moments.area;
        let is_incredible = face.credible_depth.less(mean_depth);
        let ratio = is_incredible.choose(face.credible_depth / mean_depth, zero + 1.0);
        let weights = (ratio * ratio) * (ratio * ratio) * face.weight;

        let measured = ((1 << group.count) - 1) & !left.bits();
        let [first_x, first_y] = moments.first_of(&depth_there);
        let [depth_x, depth_y] = depth.function.gradient;
        let square = depth_there.at_origin * penetration + depth_x * first_x + depth_y * first_y;
        let geometry = [(weights * moments.area).array(), (weights * penetration).array(), (weights * square).array()];
        for lane in (0..group.count).filter(|lane| measured >> lane & 1 == 1) {
            let [area, penetration, square] = [geometry[0][lane], geometry[1][lane], geometry[2][lane]];
            queues.set_geometry(&group.pieces[lane], Geometry { area, penetration, square });
        }
        let counted = measured & !weights.less(registers.splat(COUNTED_WEIGHT)).bits();
        let mut done = measured & !left_by_motion.bits();
        done &= !self.note_extremes(registers, face, &regions, &depth, &closing, &bounds, counted, extremes);

        // Pressure in one region, or in two where damping fades in.
        let nothing = Loaded { force: zero, area: zero, mean: [zero; 2], spread: [zero; 3] };
        let (mut loaded, mut loaded_count) = ([nothing; 2], 0);
        if moves {
            let pressure = Linear {
                at_origin: depth_there.at_origin * stiffness + closing_there.at_origin * damping,
                gradient: [
                    depth.function.gradient[0] * stiffness + closing.gradient[0] * damping,
                    depth.function.gradient[1] * stiffness + closing.gradient[1] * damping,
                ],
            };
            let mut shallow = moments;
            if fades {
                if kind == Kind::Cut {
                    let mut deep = regions;
                    let mut above = depth.function;
                    above.at_origin = above.at_origin + -self.transition_depth;
                    done &= !deep.cut(zero, &above).bits();
                    let deep_moments = LaneMoments::of::<true>(zero, &deep, origin);
                    shallow = moments.without(&deep_moments);
                    loaded[1] = loaded_at(zero, origin, deep_moments.area, &deep_moments.of_linear(&pressure), small);
                    loaded_count = 1;
                }
                // Fade-in: p = u (c_l + d_l v_n / u_d) is a product of two linear functions.
                let slope = damping / self.transition_depth;
                let factor = Linear {
                    at_origin: closing_there.at_origin * slope + stiffness,
                    gradient: [closing.gradient[0] * slope, closing.gradient[1] * slope],
                };
                loaded[0] = loaded_at(zero, origin, shallow.area, &shallow.of_product(&depth_there, &factor), small);
            } else {
                loaded[0] = loaded_at(zero, origin, moments.area, &moments.of_linear(&pressure), zero);
            }
            loaded_count += 1;
            for region in &loaded[..loaded_count] {
                done &= !self.slip_changes_much(registers, face, &regions, region, &depth, done);
            }
        }
        let integrated = Integrated { measured, done };
        if done == 0 {
            return integrated;
        }

        // Lanes that are left to single pieces add nothing.
        let mut signs = [0.0; LANES];
        for (lane, sign) in signs.iter_mut().enumerate() {
            *sign = if done >> lane & 1 == 1 { -1.0 } else { 0.0 };
        }
        let is_done = registers.vector(signs).less(zero);
        let weights = is_done.and(weights);
        let (area, penetration, square) = (is_done.and(moments.area), is_done.and(penetration), is_done.and(square));
        totals.normal_velocity = totals.normal_velocity + weights * is_done.and(moments.integral(&closing_there));
        let mut sums = GroupSums::new(zero);
        if moves {
            for region in &loaded[..loaded_count] {
                self.add_loaded(registers, face, region, &depth, is_done, weights, &mut sums, totals);
            }
            // The springs' power is not dissipated: ∫ u v_n dA needs only the integrals above.
            let power =
                closing_there.at_origin * penetration + closing.gradient[0] * first_x + closing.gradient[1] * first_y;
            totals.dissipated_power = totals.dissipated_power - weights * is_done.and(power) * stiffness;
        } else {
            let stiffness = weights * stiffness;
            let force = penetration * stiffness;
            let position = [
                is_done.and(origin[0] + face.origin[0]) * force + is_done.and(first_x) * stiffness,
                is_done.and(origin[1] + face.origin[1]) * force + is_done.and(first_y) * stiffness,
                force * face.origin[2] + square * stiffness * -self.layer_share,
            ];
            sums.force[2] = force * self.into_e;
            sums.torque = [position[1] * self.into_e, position[0] * -self.into_e, zero];
            sums.position = position;
            sums.magnitude = force;
            totals.normal_stress = totals.normal_stress + force;
            if self.is_moving {
                let per_area = (zero + 1.0) / moments.area;
                let (x, y) = (origin[0] + moments.first[0] * per_area, origin[1] + moments.first[1] * per_area);
                let [slip_x, slip_y] = self.slip(face, x, y, depth.at(x, y));
                let speed = is_done.and((slip_x * slip_x + slip_y * slip_y).sqrt());
                totals.tangential_velocity = totals.tangential_velocity + weights * area * speed;
            }
        }
        totals.add(&sums, face, self.into_e);
        integrated
    }

    /// Closing velocity v_n as a function of the place on the master face.
    #[inline(always)]
    fn closing<V: Lanes>(&self, face: &FaceLanes<V>) -> Linear<V> {
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

    /// Bits of the lanes where four points do not do for the friction of a region.
    #[inline(always)]
    fn slip_changes_much<R: Registers>(
        &self,
        registers: R,
        face: &FaceLanes<R::Vector>,
        regions: &Regions<R::Vector>,
        region: &Loaded<R::Vector>,
        depth: &Depth<R::Vector>,
        asked: u32,
    ) -> u32 {
        let Some(friction) = self.friction else { return 0 };
        let zero = registers.splat(0.0);
        let [mean_x, mean_y] = region.mean;
        let [slip_x, slip_y] = self.slip(face, mean_x, mean_y, depth.at(mean_x, mean_y));
        let slowest = friction.regularization_velocity;
        let allowed = (slip_x * slip_x + slip_y * slip_y + slowest * slowest) * SLIP_CHANGE_SMALL;
        // No two points are farther apart than this; most regions need no closer look.
        let [w_x, w_y, w_z] = face.angular_velocity;
        let height = (depth.most - depth.least) * self.layer_share;
        let farthest_squared = height * height + face.triangle.longest_side_squared;
        let change = farthest_squared * (w_x * w_x + w_y * w_y + w_z * w_z);
        let is_loaded = zero.less(region.force);
        let asked = asked & is_loaded.and(allowed.less(change)).bits();
        if asked == 0 {
            return 0;
        }
        let mut most = zero;
        for side in &regions.sides[..regions.count] {
            let [[x, y], [end_x, end_y]] = *side;
            let (dx, dy) = (end_x - x, end_y - y);
            let [at_x, at_y] = self.slip(face, x, y, depth.at(x, y));
            let (of_x, of_y) = (at_x - slip_x, at_y - slip_y);
            most = most.larger(zero.less(dx * dx + dy * dy).and(of_x * of_x + of_y * of_y));
        }
        asked & allowed.less(most).bits()
    }

    /// Adds a force and an area, shared by four points at mean ± spread.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn add_loaded<R: Registers>(
        &self,
        registers: R,
        face: &FaceLanes<R::Vector>,
        region: &Loaded<R::Vector>,
        depth: &Depth<R::Vector>,
        is_done: R::Vector,
        weights: R::Vector,
        sums: &mut GroupSums<R::Vector>,
        totals: &mut LaneTotals<R::Vector>,
    ) {
        let zero = registers.splat(0.0);
        let is_loaded = is_done.and(zero.less(region.force));
        let force = is_loaded.and(region.force) * weights;
        let quarter_area = is_loaded.and(region.area) * weights * 0.25;
        let mean = [is_loaded.and(region.mean[0]), is_loaded.and(region.mean[1])];
        let spread =
            [is_loaded.and(region.spread[0]), is_loaded.and(region.spread[1]), is_loaded.and(region.spread[2])];
        let (coefficient, slowest) =
            self.friction.map_or((0.0, 1.0), |friction| (friction.coefficient, friction.regularization_velocity));
        let lowest = registers.splat(slowest);
        let quarter = force * 0.25;
        let (px, py) = (mean[0] + face.origin[0], mean[1] + face.origin[1]);
        let mut speeds = zero;
        for (s, t) in [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)] {
            let (from_x, from_y) = (spread[0] * s, spread[1] * s + spread[2] * t);
            let (x, y) = (mean[0] + from_x, mean[1] + from_y);
            let u = is_loaded.and(depth.at(x, y));
            let [slip_x, slip_y] = self.slip(face, x, y, u);
            let speed = (slip_x * slip_x + slip_y * slip_y).sqrt();
            // Friction stress over pressure and slip velocity, as `force_law::friction_per_velocity`.
            let is_slow = speed.less(lowest);
            let mut per_velocity = registers.splat(coefficient) / speed.larger(lowest);
            let mut magnitude = quarter * self.sliding_magnitude;
            let mut friction_force = quarter * coefficient;
            if is_slow.bits() != 0 {
                let slow = (registers.splat(2.0) - speed * (1.0 / slowest)) * (coefficient / slowest);
                per_velocity = is_slow.choose(slow, per_velocity);
                let share = per_velocity * speed;
                magnitude = quarter * (share * share + 1.0).sqrt();
                friction_force = quarter * share;
            }
            let per_velocity = per_velocity * quarter;
            let (force_x, force_y) = (per_velocity * slip_x, per_velocity * slip_y);
            let z = u * -self.layer_share + face.origin[2];
            let (at_x, at_y) = (px + from_x, py + from_y);
            sums.force[0] = sums.force[0] + force_x;
            sums.force[1] = sums.force[1] + force_y;
            sums.torque[0] = sums.torque[0] - z * force_y;
            sums.torque[1] = sums.torque[1] + z * force_x;
            sums.torque[2] = sums.torque[2] + (at_x * force_y - at_y * force_x);
            sums.magnitude = sums.magnitude + magnitude;
            sums.position[0] = sums.position[0] + magnitude * at_x;
            sums.position[1] = sums.position[1] + magnitude * at_y;
            sums.position[2] = sums.position[2] + magnitude * z;
            speeds = speeds + speed;
            totals.tangential_stress = totals.tangential_stress + friction_force;
            totals.dissipated_power = totals.dissipated_power + friction_force * speed;
        }
        totals.tangential_velocity = totals.tangential_velocity + quarter_area * speeds;
        // What is linear in the coordinates has its sum at the mean.
        let normal_force = force * self.into_e;
        let closing = self.closing(face).at(mean[0], mean[1]);
        sums.force[2] = sums.force[2] + normal_force;
        sums.torque[0] = sums.torque[0] + py * normal_force;
        sums.torque[1] = sums.torque[1] - px * normal_force;
        totals.normal_stress = totals.normal_stress + force;
        totals.dissipated_power = totals.dissipated_power + closing * force;
    }
}

/// The largest depths at the corners of regions.
#[inline(always)]
fn deepest<V: Lanes>(zero: V, regions: &Regions<V>, depth: &Depth<V>) -> V {
    let mut deepest = zero;
    for side in &regions.sides[..regions.count] {
        let [[x, y], [end_x, end_y]] = *side;
        let (dx, dy) = (end_x - x, end_y - y);
        deepest = deepest.larger(zero.less(dx * dx + dy * dy).and(depth.at(x, y)));
    }
    deepest
}

/// The depth of slave faces as a function of the place on the master face.
#[inline(always)]
fn depth_below<V: Lanes>(x: [V; 3], y: [V; 3], u: [V; 3], sides: &[[V; 2]; 3]) -> Depth<V> {
    let (s, t) = (sides[0], [-sides[2][0], -sides[2][1]]);
    let double_area = s[0] * t[1] - s[1] * t[0];
    let (along_s, along_t) = (u[1] - u[0], u[2] - u[0]);
    let gradient = [(along_s * t[1] - along_t * s[1]) / double_area, (s[0] * along_t - t[0] * along_s) / double_area];
    Depth {
        function: Linear { at_origin: u[0] - gradient[0] * x[0] - gradient[1] * y[0], gradient },
        least: u[0].smaller(u[1]).smaller(u[2]),
        most: u[0].larger(u[1]).larger(u[2]),
    }
}

/// Centre of pressure, and the lower triangular root of the second moments about it per force; no force where a region
/// is not larger than `small`.
#[inline(always)]
fn loaded_at<V: Lanes>(zero: V, origin: [V; 2], area: V, pressure: &LaneFunctionMoments<V>, small: V) -> Loaded<V> {
    let is_there = small.less(area);
    let per_force = (zero + 1.0) / pressure.total;
    let (x, y) = (pressure.first[0] * per_force, pressure.first[1] * per_force);
    let xx = (pressure.second[0] * per_force - x * x).larger(zero);
    let xy = pressure.second[1] * per_force - x * y;
    let yy = (pressure.second[2] * per_force - y * y).larger(zero);
    // Never negative but for rounding.
    let l_xx = xx.sqrt();
    let l_yx = zero.less(l_xx).choose(xy / l_xx, zero);
    let l_yy = (yy - l_yx * l_yx).larger(zero).sqrt();
    let bound = yy.sqrt();
    let l_yx = l_yx.smaller(bound).larger(-bound);
    Loaded {
        force: is_there.and(pressure.total),
        area: is_there.and(area),
        mean: [origin[0] + x, origin[1] + y],
        spread: [l_xx, l_yx, l_yy],
    }
}
