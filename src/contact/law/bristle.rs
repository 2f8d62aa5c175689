//! Bristles: elastic up to the limit of friction, at every point.
//!
//! The stress is c_t z + d_t v with the deflection z and the slip v, both of rigid motions and so linear over a region; it
//! is limited to μ p. Regions are cut along the line where it reaches the limit, and halved where its direction turns
//! ([`super::limit_line`]). Below the line four points with the moments of the area integrate the stress exactly. Beyond it
//! friction follows the pressure, and four points with the moments of the pressure do, as without memory.

use super::friction::{FOUR_POINTS, Slipping};
use super::grip_sums::GripLanes;
use super::limit_line::Sides;
use super::sums::GroupSums;
use super::{PressureKind, RegionLanes};
use crate::contact::parameters::BristleParameters;
use crate::lanes::{Lanes, Mask, Registers};

/// What a point stands for.
#[derive(Clone, Copy)]
pub struct Share<V> {
    pub area: V,
    /// Normal force.
    pub force: V,
    /// Whether the limit is known to be reached around it.
    pub is_full: bool,
}

impl BristleParameters {
    /// μ at a square of the slip speed, in m²/s²: it falls from that of rest to that of sliding, by half at the Stribeck
    /// velocity, and grows with the viscous part.
    #[inline(always)]
    pub(super) fn coefficient_at<V: Lanes>(&self, zero: V, square: V) -> V {
        let mut coefficient = zero + self.static_coefficient;
        if self.coefficient < self.static_coefficient {
            let per = 1.0 / (self.stribeck_velocity * self.stribeck_velocity);
            let fall = zero + (self.static_coefficient - self.coefficient);
            coefficient = zero + self.coefficient + fall / (square * per + 1.0);
        }
        if 0.0 < self.viscous {
            coefficient = coefficient + square.sqrt() * self.viscous;
        }
        coefficient
    }

    /// No coefficient is larger.
    pub(super) fn largest_coefficient(&self) -> f64 {
        if 0.0 < self.viscous { f64::INFINITY } else { self.static_coefficient }
    }

    /// The force on E of bristles that would take `trial` if they could, with the limit: stress from pressure, deflection
    /// and slip, in one place. Also the part of `trial` that it is.
    #[inline(always)]
    pub(super) fn limited<V: Lanes>(&self, zero: V, trial: [V; 2], limit: V, is_full: bool) -> ([V; 2], V) {
        let length = (trial[0] * trial[0] + trial[1] * trial[1]).sqrt();
        let is_there = zero.less(length);
        let most = is_there.keep(limit / is_there.choose(length, zero + 1.0));
        let part = if is_full { most } else { limit.less(length).choose(most, zero + 1.0) };
        ([trial[0] * part, trial[1] * part], part)
    }
}

impl<V: Lanes> Slipping<'_, V> {
    #[inline(always)]
    pub fn deflection(&self, at: [V; 2]) -> [V; 2] {
        self.law.deflection(self.face, at, self.depth.at(at))
    }

    /// The stress that bristles would have without a limit.
    #[inline(always)]
    pub fn trial(&self, bristles: &BristleParameters, at: [V; 2]) -> [V; 2] {
        let ([z_x, z_y], [v_x, v_y]) = (self.deflection(at), self.slip(at));
        [z_x * bristles.stiffness + v_x * bristles.damping, z_y * bristles.stiffness + v_y * bristles.damping]
    }

    /// Adds the bristles of regions.
    #[inline(always)]
    pub fn add_bristles<R: Registers<Vector = V, Mask = V::Mask>>(
        &self,
        registers: R,
        bristles: &BristleParameters,
        kind: PressureKind,
        (sides, region): (&Sides<V>, &RegionLanes<V>),
        sums: &mut GroupSums<V>,
        grip: &mut GripLanes,
    ) {
        let zero = registers.splat(0.0);
        let Sides { stuck, slipping, .. } = *sides;
        let is_stuck = zero.less(stuck.magnitude());
        if is_stuck.bits() != 0 {
            let even = region.even_load(zero, is_stuck);
            let area = even.force * stuck * 0.25;
            for (s, t) in FOUR_POINTS {
                let at = even.point(s, t);
                let pressure = self.law.pressure(zero, kind, self.depth.at(at), self.closing.at(at));
                let share = Share { area, force: pressure * area, is_full: false };
                self.add_stuck(zero, bristles, at, share, sums, grip);
            }
        }
        if zero.less(slipping).bits() != 0 {
            let quarter = slipping * 0.25;
            let share =
                Share { area: region.moments.area * quarter, force: region.loaded.force * quarter, is_full: true };
            for (s, t) in FOUR_POINTS {
                self.add_bristle(zero, bristles, region.loaded.point(s, t), share, sums, grip);
            }
        }
    }

    /// Adds a point where the limit is nowhere reached around it.
    #[inline(always)]
    fn add_stuck(
        &self,
        zero: V,
        bristles: &BristleParameters,
        at: [V; 2],
        share: Share<V>,
        sums: &mut GroupSums<V>,
        grip: &mut GripLanes,
    ) {
        // Four points may lie a little outside, where there is less pressure: there is no limit for them.
        let [x, y] = self.trial(bristles, at);
        let (force, elastic) = ([x * share.area, y * share.area], self.deflection(at));
        let slip = self.slip(at);
        let limit = share.force * bristles.coefficient_at(zero, slip[0] * slip[0] + slip[1] * slip[1]);
        let square = elastic[0] * elastic[0] + elastic[1] * elastic[1];
        grip.add_limit(limit, self.law.weight);
        grip.add_stuck(square * share.area * (0.5 * bristles.stiffness), self.law.weight);
        let viscous = (slip[0] * slip[0] + slip[1] * slip[1]) * share.area * bristles.damping;
        grip.add_viscous(viscous, self.law.weight);
        let magnitude = (x * x + y * y).sqrt() * share.area;
        self.add_tangential(at, (force, magnitude), viscous, sums);
    }

    /// Adds a point with its limit.
    #[inline(always)]
    pub fn add_bristle(
        &self,
        zero: V,
        bristles: &BristleParameters,
        at: [V; 2],
        share: Share<V>,
        sums: &mut GroupSums<V>,
        grip: &mut GripLanes,
    ) {
        let ([z_x, z_y], slip) = (self.deflection(at), self.slip(at));
        let limit = share.force * bristles.coefficient_at(zero, slip[0] * slip[0] + slip[1] * slip[1]);
        let elastic = [z_x * (share.area * bristles.stiffness), z_y * (share.area * bristles.stiffness)];
        let viscous = share.area * bristles.damping;
        let trial = [elastic[0] + slip[0] * viscous, elastic[1] + slip[1] * viscous];
        let (force, _) = bristles.limited(zero, trial, limit, share.is_full);
        // What the springs of the bristles take by themselves is stored, or lost with their slip; the rest is viscous.
        let (stored, part) = bristles.limited(zero, elastic, limit, false);
        let power = (force[0] - stored[0]) * slip[0] + (force[1] - stored[1]) * slip[1];
        let length = (z_x * z_x + z_y * z_y).sqrt();
        let slips = part.less(zero + 1.0);
        let stiffness = share.area * bristles.stiffness;
        let is_there = slips.and(zero.less(stiffness));
        let square = is_there.keep(limit * limit / is_there.choose(stiffness, zero + 1.0) * 0.5);
        grip.add_limit(limit, self.law.weight);
        grip.add_slipping(slips.keep(limit * length), square, self.law.weight);
        let half = stiffness * length * length * 0.5;
        grip.add_stuck(half - slips.keep(half), self.law.weight);
        let power = power.larger(zero);
        grip.add_viscous(power, self.law.weight);
        let magnitude = (force[0] * force[0] + force[1] * force[1]).sqrt();
        self.add_tangential(at, (force, magnitude), power, sums);
    }

    /// Adds a tangential force at a point, and the power that is taken besides.
    #[inline(always)]
    fn add_tangential(
        &self,
        at: [V; 2],
        ([force_x, force_y], magnitude): ([V; 2], V),
        power: V,
        sums: &mut GroupSums<V>,
    ) {
        let origin = self.face.origin;
        let depth = self.depth.at(at);
        let (x, y, z) = (at[0] + origin[0], at[1] + origin[1], depth * -self.law.layer_share + origin[2]);
        sums.tangential_stress = sums.tangential_stress + magnitude;
        sums.dissipated_power = sums.dissipated_power + power;
        sums.force[0] = sums.force[0] + force_x;
        sums.force[1] = sums.force[1] + force_y;
        sums.torque[0] = sums.torque[0] - z * force_y;
        sums.torque[1] = sums.torque[1] + z * force_x;
        sums.torque[2] = sums.torque[2] + (x * force_y - y * force_x);
    }
}
