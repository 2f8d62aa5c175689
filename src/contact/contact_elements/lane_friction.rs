//! Friction of several pieces of contact at a time, at four points of each region.
//!
//! [`super::region_force`] has the same for one piece, and for regions over which the slip changes much.

use super::lane_faces::FaceLanes;
use super::lane_force::{Depth, LaneForce};
use super::lane_regions::{LaneFunctionMoments, Regions, corner};
use super::lane_sums::GroupSums;
use super::lanes::{Lanes, Mask, Registers};
use super::region_force::SLIP_CHANGE_SMALL;

/// Where the force of a region acts, by lane: its centre of pressure, and the root of its second moments.
#[derive(Clone, Copy)]
pub struct Loaded<V> {
    /// ∫ p dA.
    pub force: V,
    area: V,
    mean: [V; 2],
    pub spread: [V; 3],
}

impl<V: Lanes> Loaded<V> {
    /// No force.
    #[inline(always)]
    pub fn new(zero: V) -> Self {
        Loaded { force: zero, area: zero, mean: [zero; 2], spread: [zero; 3] }
    }
}

/// A point at which friction is evaluated.
#[derive(Clone, Copy)]
struct FrictionPoint<V> {
    /// From the reference point of the torques, in the plane of the face, and along its normal.
    at: [V; 2],
    z: V,
    slip: [V; 2],
    speed: V,
}

/// Where friction is evaluated.
struct FrictionAt<'a, V: Lanes> {
    force: &'a LaneForce,
    face: &'a FaceLanes<V>,
    depth: &'a Depth<V>,
    is_loaded: V::Mask,
    mean: [V; 2],
    spread: [V; 3],
}

impl<V: Lanes> FrictionAt<'_, V> {
    /// One of the four points at mean ± spread, by the signs.
    #[inline(always)]
    fn point(&self, s: f64, t: f64) -> FrictionPoint<V> {
        let (x, y) = (self.mean[0] + self.spread[0] * s, self.mean[1] + (self.spread[1] * s + self.spread[2] * t));
        let u = self.is_loaded.keep(self.depth.at(x, y));
        let slip = self.force.slip(self.face, x, y, u);
        let speed = (slip[0] * slip[0] + slip[1] * slip[1]).sqrt();
        let origin = self.face.origin;
        let z = u * -self.force.layer_share + origin[2];
        FrictionPoint { at: [x + origin[0], y + origin[1]], z, slip, speed }
    }
}

impl LaneForce {
    /// Of the lanes asked for, those where four points do not do for the friction of a region.
    #[inline(always)]
    pub(super) fn slip_changes_much<R: Registers>(
        &self,
        registers: R,
        face: &FaceLanes<R::Vector>,
        regions: &Regions<R::Vector>,
        region: &Loaded<R::Vector>,
        depth: &Depth<R::Vector>,
        asked: R::Mask,
    ) -> R::Mask {
        let zero = registers.splat(0.0);
        let none = zero.less(zero);
        let Some(friction) = self.friction else { return none };
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
        let asked = asked.and(is_loaded).and(allowed.less(change));
        if asked.bits() == 0 {
            return none;
        }
        let mut most = zero;
        for side in &regions.sides[..regions.count] {
            let ([x, y], is_corner) = corner(zero, *side);
            let [at_x, at_y] = self.slip(face, x, y, depth.at(x, y));
            let (of_x, of_y) = (at_x - slip_x, at_y - slip_y);
            most = most.larger(is_corner.keep(of_x * of_x + of_y * of_y));
        }
        asked.and(allowed.less(most))
    }

    /// Adds a force and an area, shared by four points at mean ± spread.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    pub(super) fn add_loaded<R: Registers>(
        &self,
        registers: R,
        face: &FaceLanes<R::Vector>,
        region: &Loaded<R::Vector>,
        depth: &Depth<R::Vector>,
        done: R::Mask,
        weights: R::Vector,
        sums: &mut GroupSums<R::Vector>,
    ) {
        let zero = registers.splat(0.0);
        let is_loaded = done.and(zero.less(region.force));
        let force = is_loaded.keep(region.force) * weights;
        let quarter_area = is_loaded.keep(region.area) * weights * 0.25;
        let mean = [is_loaded.keep(region.mean[0]), is_loaded.keep(region.mean[1])];
        let [l_xx, l_yx, l_yy] = region.spread;
        let spread = [is_loaded.keep(l_xx), is_loaded.keep(l_yx), is_loaded.keep(l_yy)];
        let (coefficient, slowest) =
            self.friction.map_or((0.0, 1.0), |friction| (friction.coefficient, friction.regularization_velocity));
        let lowest = registers.splat(slowest);
        let quarter = force * 0.25;
        let (px, py) = (mean[0] + face.origin[0], mean[1] + face.origin[1]);
        let one = zero + 1.0;
        let at = FrictionAt { force: self, face, depth, is_loaded, mean, spread };
        let points = [at.point(-1.0, -1.0), at.point(1.0, -1.0), at.point(-1.0, 1.0), at.point(1.0, 1.0)];
        // Friction stress over pressure and slip velocity, as `force_law::friction_per_velocity`: with two divisions for
        // four points.
        let [a, b, c, d] = points;
        let sliding = [a.speed.larger(lowest), b.speed.larger(lowest), c.speed.larger(lowest), d.speed.larger(lowest)];
        let [per_ab, per_cd] =
            [one / (sliding[0] * sliding[1]) * coefficient, one / (sliding[2] * sliding[3]) * coefficient];
        let per_velocities = [per_ab * sliding[1], per_ab * sliding[0], per_cd * sliding[3], per_cd * sliding[2]];
        for (FrictionPoint { at: [at_x, at_y], z, slip: [slip_x, slip_y], speed }, mut per_velocity) in
            points.into_iter().zip(per_velocities)
        {
            let is_slow = speed.less(lowest);
            let mut magnitude = quarter * self.sliding_magnitude;
            let mut friction_force = quarter * coefficient;
            if is_slow.bits() != 0 {
                let slow = (registers.splat(2.0) - speed * (1.0 / slowest)) * (coefficient / slowest);
                per_velocity = is_slow.choose(slow, per_velocity);
                let share = per_velocity * speed;
                magnitude = is_slow.choose(quarter * (share * share + 1.0).sqrt(), magnitude);
                friction_force = is_slow.choose(quarter * share, friction_force);
            }
            let per_velocity = per_velocity * quarter;
            let (force_x, force_y) = (per_velocity * slip_x, per_velocity * slip_y);
            sums.force[0] = sums.force[0] + force_x;
            sums.force[1] = sums.force[1] + force_y;
            sums.torque[0] = sums.torque[0] - z * force_y;
            sums.torque[1] = sums.torque[1] + z * force_x;
            sums.torque[2] = sums.torque[2] + (at_x * force_y - at_y * force_x);
            sums.magnitude = sums.magnitude + magnitude;
            sums.position[0] = sums.position[0] + magnitude * at_x;
            sums.position[1] = sums.position[1] + magnitude * at_y;
            sums.position[2] = sums.position[2] + magnitude * z;
            sums.tangential_stress = sums.tangential_stress + friction_force;
            sums.dissipated_power = sums.dissipated_power + friction_force * speed;
        }
        let speeds = (a.speed + b.speed) + (c.speed + d.speed);
        sums.tangential_velocity = sums.tangential_velocity + quarter_area * speeds;
        // What is linear in the coordinates has its sum at the mean.
        let normal_force = force * self.into_e;
        let closing = self.closing(face).at(mean[0], mean[1]);
        sums.force[2] = sums.force[2] + normal_force;
        sums.torque[0] = sums.torque[0] + py * normal_force;
        sums.torque[1] = sums.torque[1] - px * normal_force;
        sums.normal_stress = sums.normal_stress + force;
        sums.dissipated_power = sums.dissipated_power + closing * force;
    }
}

/// Centre of pressure, and the lower triangular root of the second moments about it per force; no force where a region
/// is not larger than `small`.
#[inline(always)]
pub fn loaded_at<V: Lanes>(zero: V, origin: [V; 2], area: V, pressure: &LaneFunctionMoments<V>, small: V) -> Loaded<V> {
    let is_there = small.less(area);
    let per_force = (zero + 1.0) / pressure.total;
    let (x, y) = (pressure.first[0] * per_force, pressure.first[1] * per_force);
    let xx = (pressure.second[0] * per_force - x * x).larger(zero);
    let xy = pressure.second[1] * per_force - x * y;
    let yy = (pressure.second[2] * per_force - y * y).larger(zero);
    // A part of a piece may be so small that its second moments are nothing but rounding: the root stays within them.
    let l_xx = xx.sqrt();
    let bound = yy.sqrt();
    let l_yx = zero.less(l_xx).keep(xy / l_xx).smaller(bound).larger(-bound);
    let l_yy = (yy - l_yx * l_yx).larger(zero).sqrt();
    Loaded {
        force: is_there.keep(pressure.total),
        area: is_there.keep(area),
        mean: [origin[0] + x, origin[1] + y],
        spread: [l_xx, l_yx, l_yy],
    }
}
