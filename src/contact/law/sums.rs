//! Sums over regions and pieces of contact, by lane.

use super::Law;
use super::faces::FaceLanes;
use crate::contact::integrate::{ElementIntegrals, Totals};
use crate::lanes::{Lanes, Sums, dot, sum};
use crate::math::{Vector, Wrench};

/// Sums over the regions of a group, lane by lane; vectors in the frames of their faces. See [`ElementIntegrals`].
#[derive(Clone, Copy)]
pub struct GroupSums<V> {
    pub normal_velocity: V,
    pub tangential_velocity: V,
    pub normal_stress: V,
    pub tangential_stress: V,
    pub dissipated_power: V,
    /// Force on E.
    pub force: [V; 3],
    /// Torque on E about the reference point.
    pub torque: [V; 3],
    /// ∫ |dF|.
    pub magnitude: V,
    /// ∫ |dF| (x − reference).
    pub position: [V; 3],
}

impl<V: Lanes> GroupSums<V> {
    /// Nothing yet.
    #[inline(always)]
    pub fn new(zero: V) -> Self {
        GroupSums {
            normal_velocity: zero,
            tangential_velocity: zero,
            normal_stress: zero,
            tangential_stress: zero,
            dissipated_power: zero,
            force: [zero; 3],
            torque: [zero; 3],
            magnitude: zero,
            position: [zero; 3],
        }
    }
}

/// What pieces contribute whatever the velocities.
#[derive(Clone, Copy, Debug, Default)]
pub struct PieceSums {
    area: Sums,
    penetration: Sums,
    energy: Sums,
    square: Sums,
    deepest: f64,
}

impl PieceSums {
    /// Adds area, ∫ u dA, the same times the heights of the cones below, ∫ u² dA, and takes note of the largest depth.
    #[inline(always)]
    pub fn add<V: Lanes>(&mut self, area: V, penetration: V, energy: V, square: V, deepest: V) {
        area.add_to(&mut self.area);
        penetration.add_to(&mut self.penetration);
        energy.add_to(&mut self.energy);
        square.add_to(&mut self.square);
        for &depth in deepest.array().as_ref() {
            self.deepest = depth.larger(self.deepest);
        }
    }

    /// Adds everything to the totals.
    pub fn finish(&self, law: &Law, totals: &mut Totals) {
        totals.add(&ElementIntegrals {
            area: law.weight * sum(self.area),
            penetration: law.weight * sum(self.penetration),
            elastic_energy: law.weight * law.stiffness * sum(self.energy),
            bed_energy: 0.5 * law.weight * law.stiffness * sum(self.square),
            ..ElementIntegrals::default()
        });
        totals.extremes.include_depth(self.deepest);
    }
}

/// Sums over regions, vectors resolved in E; see [`ElementIntegrals`].
#[derive(Clone, Copy, Debug, Default)]
pub struct LawSums {
    normal_velocity: Sums,
    tangential_velocity: Sums,
    normal_stress: Sums,
    tangential_stress: Sums,
    dissipated_power: Sums,
    force_e: [Sums; 3],
    torque_e: [Sums; 3],
    force_magnitude: Sums,
    weighted_position_e: [Sums; 3],
    weighted_normal_e: [Sums; 3],
}

impl LawSums {
    /// Turns the vectors of a group into E and adds everything with a weight.
    #[inline(always)]
    pub fn add<V: Lanes>(&mut self, sums: &GroupSums<V>, face: &FaceLanes<V>, into_e: f64, weight: f64) {
        (sums.normal_velocity * weight).add_to(&mut self.normal_velocity);
        (sums.tangential_velocity * weight).add_to(&mut self.tangential_velocity);
        (sums.normal_stress * weight).add_to(&mut self.normal_stress);
        (sums.tangential_stress * weight).add_to(&mut self.tangential_stress);
        (sums.dissipated_power * weight).add_to(&mut self.dissipated_power);
        (sums.magnitude * weight).add_to(&mut self.force_magnitude);
        let [x, y, z] = face.frame.axes_e;
        let normal = sums.magnitude * (into_e * weight);
        for axis in 0..3 {
            let row = [x[axis], y[axis], z[axis]];
            (dot(row, sums.force) * weight).add_to(&mut self.force_e[axis]);
            (dot(row, sums.torque) * weight).add_to(&mut self.torque_e[axis]);
            (dot(row, sums.position) * weight).add_to(&mut self.weighted_position_e[axis]);
            (z[axis] * normal).add_to(&mut self.weighted_normal_e[axis]);
        }
    }

    /// The sums over all lanes.
    pub fn integrals(&self) -> ElementIntegrals {
        ElementIntegrals {
            normal_velocity: sum(self.normal_velocity),
            tangential_velocity: sum(self.tangential_velocity),
            normal_stress: sum(self.normal_stress),
            tangential_stress: sum(self.tangential_stress),
            wrench_e: Wrench { force: vector(self.force_e), torque: vector(self.torque_e) },
            force_magnitude: sum(self.force_magnitude),
            weighted_position_e: vector(self.weighted_position_e),
            weighted_normal_e: vector(self.weighted_normal_e),
            dissipated_power: sum(self.dissipated_power),
            ..ElementIntegrals::default()
        }
    }
}

fn vector([x, y, z]: [Sums; 3]) -> Vector {
    Vector::new(sum(x), sum(y), sum(z))
}
