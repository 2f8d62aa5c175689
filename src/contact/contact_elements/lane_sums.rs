//! Sums over pieces of contact, by lane.

use super::lane_queue::{FaceLanes, Geometry};
use super::lanes::Lanes;
use crate::contact::totals::{ElementIntegrals, Totals};
use crate::math::Vector;

/// Vectors of a group of pieces, each in the frame of its master face.
#[derive(Clone, Copy)]
pub struct GroupSums<V> {
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
        GroupSums { force: [zero; 3], torque: [zero; 3], magnitude: zero, position: [zero; 3] }
    }
}

/// Sums of a pass by lane, vectors resolved in E; see [`ElementIntegrals`].
#[derive(Clone, Copy)]
pub struct LaneTotals<V> {
    pub normal_velocity: V,
    pub tangential_velocity: V,
    pub normal_stress: V,
    pub tangential_stress: V,
    pub dissipated_power: V,
    force_e: [V; 3],
    torque_e: [V; 3],
    force_magnitude: V,
    weighted_position_e: [V; 3],
    weighted_normal_e: [V; 3],
}

impl<V: Lanes> LaneTotals<V> {
    /// Nothing yet.
    #[inline(always)]
    pub fn new(zero: V) -> Self {
        LaneTotals {
            normal_velocity: zero,
            tangential_velocity: zero,
            normal_stress: zero,
            tangential_stress: zero,
            dissipated_power: zero,
            force_e: [zero; 3],
            torque_e: [zero; 3],
            force_magnitude: zero,
            weighted_position_e: [zero; 3],
            weighted_normal_e: [zero; 3],
        }
    }

    /// Turns the vectors of a group into E and adds them.
    #[inline(always)]
    pub fn add(&mut self, sums: &GroupSums<V>, face: &FaceLanes<V>, into_e: f64) {
        let [x, y, z] = face.axes_e;
        let normal = sums.magnitude * into_e;
        self.force_magnitude = self.force_magnitude + sums.magnitude;
        for axis in 0..3 {
            let (f, t, p) = (sums.force, sums.torque, sums.position);
            self.force_e[axis] = self.force_e[axis] + (x[axis] * f[0] + y[axis] * f[1] + z[axis] * f[2]);
            self.torque_e[axis] = self.torque_e[axis] + (x[axis] * t[0] + y[axis] * t[1] + z[axis] * t[2]);
            self.weighted_position_e[axis] =
                self.weighted_position_e[axis] + (x[axis] * p[0] + y[axis] * p[1] + z[axis] * p[2]);
            self.weighted_normal_e[axis] = self.weighted_normal_e[axis] + z[axis] * normal;
        }
    }

    /// Adds all lanes to the totals.
    #[inline(always)]
    pub fn finish(&self, geometry: &Geometry, layer_stiffness: f64, totals: &mut Totals) {
        totals.add(&ElementIntegrals {
            area: geometry.area,
            penetration: geometry.penetration,
            normal_velocity: self.normal_velocity.sum(),
            tangential_velocity: self.tangential_velocity.sum(),
            normal_stress: self.normal_stress.sum(),
            tangential_stress: self.tangential_stress.sum(),
            force_e: vector(self.force_e),
            torque_e: vector(self.torque_e),
            force_magnitude: self.force_magnitude.sum(),
            weighted_position_e: vector(self.weighted_position_e),
            weighted_normal_e: vector(self.weighted_normal_e),
            elastic_energy: 0.5 * layer_stiffness * geometry.square,
            dissipated_power: self.dissipated_power.sum(),
        });
    }
}

#[inline(always)]
fn vector<V: Lanes>(lanes: [V; 3]) -> Vector {
    Vector::new(lanes[0].sum(), lanes[1].sum(), lanes[2].sum())
}
