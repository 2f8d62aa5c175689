//! Sums over pieces of contact, by lane.

use super::lane_faces::FaceLanes;
use super::lane_queue::Geometry;
use super::lanes::{Lanes, Sums, sum};
use crate::contact::totals::{ElementIntegrals, Totals};
use crate::math::Vector;

/// Sums over the pieces of a group, lane by lane; vectors in the frames of their master faces. See [`ElementIntegrals`].
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

/// Sums of a run, vectors resolved in E; see [`ElementIntegrals`].
#[derive(Clone, Copy, Debug, Default)]
pub struct LaneTotals {
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

impl LaneTotals {
    /// Turns the vectors of a group into E and adds everything.
    #[inline(always)]
    pub fn add<V: Lanes>(&mut self, sums: &GroupSums<V>, face: &FaceLanes<V>, into_e: f64) {
        sums.normal_velocity.add_to(&mut self.normal_velocity);
        sums.tangential_velocity.add_to(&mut self.tangential_velocity);
        sums.normal_stress.add_to(&mut self.normal_stress);
        sums.tangential_stress.add_to(&mut self.tangential_stress);
        sums.dissipated_power.add_to(&mut self.dissipated_power);
        sums.magnitude.add_to(&mut self.force_magnitude);
        let [x, y, z] = face.frame.axes_e;
        let normal = sums.magnitude * into_e;
        for axis in 0..3 {
            let turned = |[a, b, c]: [V; 3]| x[axis] * a + y[axis] * b + z[axis] * c;
            turned(sums.force).add_to(&mut self.force_e[axis]);
            turned(sums.torque).add_to(&mut self.torque_e[axis]);
            turned(sums.position).add_to(&mut self.weighted_position_e[axis]);
            (z[axis] * normal).add_to(&mut self.weighted_normal_e[axis]);
        }
    }

    /// Adds all lanes to the totals.
    pub fn finish(&self, geometry: &Geometry, layer_stiffness: f64, totals: &mut Totals) {
        totals.add(&ElementIntegrals {
            area: geometry.area,
            penetration: geometry.penetration,
            normal_velocity: sum(self.normal_velocity),
            tangential_velocity: sum(self.tangential_velocity),
            normal_stress: sum(self.normal_stress),
            tangential_stress: sum(self.tangential_stress),
            force_e: vector(self.force_e),
            torque_e: vector(self.torque_e),
            force_magnitude: sum(self.force_magnitude),
            weighted_position_e: vector(self.weighted_position_e),
            weighted_normal_e: vector(self.weighted_normal_e),
            elastic_energy: 0.5 * layer_stiffness * geometry.square,
            dissipated_power: sum(self.dissipated_power),
        });
    }
}

fn vector([x, y, z]: [Sums; 3]) -> Vector {
    Vector::new(sum(x), sum(y), sum(z))
}
