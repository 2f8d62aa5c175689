//! Stage 6: sums over all contact elements, and the outcome that they make.

use super::contact_elements::SMALLEST_AREA;
use super::outcome::{MeanMax, MinMeanMax, Outcome};
use super::relative_motion::RelativeMotion;
use crate::math::Vector;

/// Smallest and largest value so far.
#[derive(Clone, Copy, Debug)]
struct Extremes {
    min: f64,
    max: f64,
}

impl Extremes {
    const NONE: Extremes = Extremes { min: f64::INFINITY, max: f64::NEG_INFINITY };

    #[inline]
    fn include(&mut self, value: f64) {
        self.min = self.min.min(value);
        self.max = self.max.max(value);
    }

    /// Pieces of little weight count for the mean only, so it may lie outside: then it is the extreme.
    fn with_mean(&self, mean: f64) -> MinMeanMax {
        MinMeanMax { min: self.min.min(mean), mean, max: self.max.max(mean) }
    }
}

/// What a piece of contact contributes besides its extremes; all integrals over the piece.
#[derive(Clone, Copy, Debug, Default)]
pub struct ElementIntegrals {
    /// ∫ dA in m².
    pub area: f64,
    /// ∫ u dA in m³.
    pub penetration: f64,
    /// ∫ v_n dA in m³/s.
    pub normal_velocity: f64,
    /// ∫ |v_t| dA in m³/s.
    pub tangential_velocity: f64,
    /// ∫ p dA in N.
    pub normal_stress: f64,
    /// ∫ |τ| dA in N.
    pub tangential_stress: f64,
    /// Force on E, resolved in E, in N.
    pub force_e: Vector,
    /// Torque on E about the reference point, resolved in E, in N·m.
    pub torque_e: Vector,
    /// ∫ |dF| in N.
    pub force_magnitude: f64,
    /// ∫ |dF| (x − reference) in N·m.
    pub weighted_position_e: Vector,
    /// ∫ |dF| n in N.
    pub weighted_normal_e: Vector,
    /// ½ ∫ c_l u² dA in J.
    pub elastic_energy: f64,
    /// Power of damping and friction in W.
    pub dissipated_power: f64,
}

/// Sums over both passes, each with its weight.
#[derive(Clone, Copy, Debug)]
pub struct Totals {
    /// Point that torques are summed about, in E; within the contact, so that little cancels.
    pub reference_e: Vector,
    /// Number of elements.
    pub element_count: u32,
    sums: ElementIntegrals,
    penetration: Extremes,
    normal_velocity: Extremes,
    tangential_velocity: Extremes,
    normal_stress: Extremes,
    tangential_stress: Extremes,
}

impl Totals {
    /// Nothing yet.
    pub fn new(reference_e: Vector) -> Self {
        Totals {
            reference_e,
            element_count: 0,
            sums: ElementIntegrals::default(),
            penetration: Extremes::NONE,
            normal_velocity: Extremes::NONE,
            tangential_velocity: Extremes::NONE,
            normal_stress: Extremes::NONE,
            tangential_stress: Extremes::NONE,
        }
    }

    /// Adds an element with the weight of its pass.
    #[inline]
    pub fn add(&mut self, weight: f64, element: &ElementIntegrals) {
        let sums = &mut self.sums;
        sums.area += weight * element.area;
        sums.penetration += weight * element.penetration;
        sums.normal_velocity += weight * element.normal_velocity;
        sums.tangential_velocity += weight * element.tangential_velocity;
        sums.normal_stress += weight * element.normal_stress;
        sums.tangential_stress += weight * element.tangential_stress;
        sums.force_e += weight * element.force_e;
        sums.torque_e += weight * element.torque_e;
        sums.force_magnitude += weight * element.force_magnitude;
        sums.weighted_position_e += weight * element.weighted_position_e;
        sums.weighted_normal_e += weight * element.weighted_normal_e;
        sums.elastic_energy += weight * element.elastic_energy;
        sums.dissipated_power += weight * element.dissipated_power;
    }

    /// Takes note of penetration (m), velocities (m/s) and stresses (Pa) at a point of the contact.
    #[inline]
    pub fn include(&mut self, penetration: f64, normal_velocity: f64, slip_speed: f64, pressure: f64, shear: f64) {
        self.penetration.include(penetration);
        self.normal_velocity.include(normal_velocity);
        self.tangential_velocity.include(slip_speed);
        self.normal_stress.include(pressure);
        self.tangential_stress.include(shear);
    }

    /// Writes wrenches and statistics into the outcome.
    pub fn report(&self, motion: &RelativeMotion, outcome: &mut Outcome) {
        let sums = &self.sums;
        outcome.element_count = self.element_count;
        let force_e = sums.force_e;
        let origin_f = motion.pose_ef().translation.vector;
        outcome.force_on_e = force_e;
        outcome.torque_on_e = sums.torque_e + self.reference_e.cross(&force_e);
        outcome.torque_on_e_at_f = sums.torque_e + (self.reference_e - origin_f).cross(&force_e);
        let to_f = motion.pose_ef().rotation.inverse();
        outcome.force_on_f = -(to_f * force_e);
        outcome.torque_on_f = -(to_f * outcome.torque_on_e_at_f);
        outcome.elastic_energy = sums.elastic_energy;
        // Rounding must not let damping give energy.
        outcome.dissipated_power = sums.dissipated_power.max(0.0);
        // With both passes weighted down, the area may be too small to divide by.
        if sums.area <= SMALLEST_AREA {
            return;
        }
        let mean = |integral: f64| integral / sums.area;
        outcome.contact_area = sums.area;
        outcome.mean_penetration = mean(sums.penetration);
        outcome.max_penetration = self.penetration.with_mean(outcome.mean_penetration).max;
        outcome.normal_velocity = self.normal_velocity.with_mean(mean(sums.normal_velocity));
        outcome.tangential_velocity = self.tangential_velocity.with_mean(mean(sums.tangential_velocity));
        for (stress, extremes, integral) in [
            (&mut outcome.normal_stress, &self.normal_stress, sums.normal_stress),
            (&mut outcome.tangential_stress, &self.tangential_stress, sums.tangential_stress),
        ] {
            let MinMeanMax { mean, max, .. } = extremes.with_mean(mean(integral));
            *stress = MeanMax { mean, max };
        }
        if 0.0 < sums.force_magnitude {
            outcome.contact_position_e = self.reference_e + sums.weighted_position_e / sums.force_magnitude;
            outcome.contact_normal_e = sums.weighted_normal_e / sums.force_magnitude;
        }
    }
}
