//! Stage 6: sums over all contact elements, and the outcome that they make.

use super::change_report::{ChangeReport, Derivatives};
use super::derivatives::{
    AREA, BED, CLOSING_VELOCITY, Column, DIRECTION, DerivativeScope, DerivativeSums, ENERGY, FORCE, LawNumber,
    MAGNITUDE, MotionAtReference, NORMAL, PENETRATION, POSITION, POWER, ROWS, SHEAR, SLIP_SPEED, TORQUE,
};
use super::middle::Facing;
use crate::contact::grip::{Grip, GripSums, LIMIT};
use crate::contact::outcome::{MeanMax, MinMeanMax, Outcome};
use crate::contact::parameters::ContactParameters;
use crate::contact::pieces::SMALLEST_AREA;
use crate::contact::relative_motion::RelativeMotion;
use crate::math::{Vector, Wrench, Wrenches};

/// Smallest and largest value so far.
#[derive(Clone, Copy, Debug)]
struct Extremes {
    min: f64,
    max: f64,
}

impl Extremes {
    const NONE: Extremes = Extremes { min: f64::INFINITY, max: f64::NEG_INFINITY };

    #[inline]
    fn include_range(&mut self, [low, high]: [f64; 2]) {
        self.min = smaller(self.min, low);
        self.max = larger(self.max, high);
    }

    /// Extremes of the roots of values that are not negative.
    fn root(&self) -> Self {
        // Without a value the largest is below zero, and stays so.
        Extremes { min: self.min.sqrt(), max: if 0.0 <= self.max { self.max.sqrt() } else { self.max } }
    }

    /// Pieces of little weight count for the mean only, so it may lie outside: then it is the extreme.
    fn with_mean(&self, mean: f64) -> MinMeanMax {
        MinMeanMax { min: self.min.min(mean), mean, max: self.max.max(mean) }
    }
}

/// Smallest and largest values over a piece of contact.
#[derive(Clone, Copy, Debug)]
pub struct Ranges {
    /// Of v_n in m/s.
    pub closing: [f64; 2],
    /// Of |v_t|² in m²/s².
    pub slip_squared: [f64; 2],
    /// Largest p in Pa.
    pub pressure: f64,
    /// Largest |τ| in Pa.
    pub shear: f64,
}

/// Extremes of everything that has some.
#[derive(Clone, Copy, Debug)]
pub struct AllExtremes {
    penetration: f64,
    normal_velocity: Extremes,
    slip_squared: Extremes,
    normal_stress: f64,
    tangential_stress: f64,
}

impl AllExtremes {
    const NONE: AllExtremes = AllExtremes {
        penetration: f64::NEG_INFINITY,
        normal_velocity: Extremes::NONE,
        slip_squared: Extremes::NONE,
        normal_stress: f64::NEG_INFINITY,
        tangential_stress: f64::NEG_INFINITY,
    };

    /// Takes note of a piece.
    #[inline]
    pub fn include(&mut self, ranges: &Ranges) {
        self.normal_velocity.include_range(ranges.closing);
        self.slip_squared.include_range(ranges.slip_squared);
        self.normal_stress = larger(self.normal_stress, ranges.pressure);
        self.tangential_stress = larger(self.tangential_stress, ranges.shear);
    }

    /// Takes note of a depth in m.
    #[inline]
    pub fn include_depth(&mut self, depth: f64) {
        self.penetration = larger(self.penetration, depth);
    }

    /// What is known so far, but for the depth.
    #[inline]
    pub fn ranges(&self) -> Ranges {
        Ranges {
            closing: [self.normal_velocity.min, self.normal_velocity.max],
            slip_squared: [self.slip_squared.min, self.slip_squared.max],
            pressure: self.normal_stress,
            shear: self.tangential_stress,
        }
    }

    /// Takes note of all that others have.
    fn include_all(&mut self, other: &AllExtremes) {
        self.include_depth(other.penetration);
        self.include(&other.ranges());
    }
}

/// As `f64::min` for numbers, in one instruction.
#[inline]
pub fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// As `f64::max` for numbers, in one instruction.
#[inline]
pub fn larger(a: f64, b: f64) -> f64 {
    if b < a { a } else { b }
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
    /// Wrench on E about the reference point, resolved in E.
    pub wrench_e: Wrench,
    /// ∫ |dF| in N.
    pub force_magnitude: f64,
    /// ∫ |dF| (x − reference) in N·m.
    pub weighted_position_e: Vector,
    /// ∫ |dF| n in N.
    pub weighted_normal_e: Vector,
    /// c_l ∫ u dV in J; not a number where it is not known.
    pub elastic_energy: f64,
    /// ½ c_l ∫ u² dA in J: the same between flats.
    pub bed_energy: f64,
    /// Power of damping and friction in W.
    pub dissipated_power: f64,
}

impl ElementIntegrals {
    /// In the order of the rows of derivatives.
    pub fn as_column(&self) -> Column {
        let mut column = [0.0; ROWS];
        for axis in 0..3 {
            column[FORCE + axis] = self.wrench_e.force[axis];
            column[TORQUE + axis] = self.wrench_e.torque[axis];
            column[POSITION + axis] = self.weighted_position_e[axis];
            column[DIRECTION + axis] = self.weighted_normal_e[axis];
        }
        column[MAGNITUDE] = self.force_magnitude;
        column[POWER] = self.dissipated_power;
        column[NORMAL] = self.normal_stress;
        column[SHEAR] = self.tangential_stress;
        column[CLOSING_VELOCITY] = self.normal_velocity;
        column[SLIP_SPEED] = self.tangential_velocity;
        column[PENETRATION] = self.penetration;
        column[BED] = self.bed_energy;
        column[AREA] = self.area;
        column[ENERGY] = self.elastic_energy;
        column
    }
}

/// An energy is known where its doubts are no more than this part of it; dimensionless. They are some 10⁻¹³ where walls are
/// planes, and 10⁻⁸ where mitres do not quite meet.
const MOST_DOUBT: f64 = 1e-6;

/// Sums over both passes, each with its weight.
#[derive(Clone, Copy, Debug)]
pub struct Totals {
    /// Point that torques are summed about, in E; within the contact, so that little cancels.
    pub reference_e: Vector,
    /// Number of elements.
    pub element_count: u32,
    sums: ElementIntegrals,
    /// What should be zero if the energy is known, in J.
    energy_doubts: [f64; 2],
    /// Of bristles.
    pub grip: GripSums,
    /// Extremes over the points of the contact.
    pub extremes: AllExtremes,
    /// Whether finding all nearest features would have taken too long.
    pub is_cut_short: bool,
    /// Which way the nearest surfaces face, for the faces of both bodies.
    pub facing: [Facing; 2],
    /// Derivatives where they are asked for.
    pub derivatives: Option<(MotionAtReference, DerivativeSums)>,
}

impl Totals {
    /// Nothing yet.
    pub fn new(reference_e: Vector) -> Self {
        Totals {
            reference_e,
            element_count: 0,
            sums: ElementIntegrals::default(),
            energy_doubts: [0.0; 2],
            grip: GripSums::default(),
            extremes: AllExtremes::NONE,
            is_cut_short: false,
            facing: Default::default(),
            derivatives: None,
        }
    }

    /// Nothing yet, with the derivatives.
    pub fn with_derivatives(reference_e: Vector, motion: &RelativeMotion, scope: DerivativeScope) -> Self {
        let motion = MotionAtReference::new(reference_e, motion);
        Totals { derivatives: Some((motion, DerivativeSums::new(scope))), ..Self::new(reference_e) }
    }

    /// Adds elements, already weighted.
    #[inline]
    pub fn add(&mut self, element: &ElementIntegrals) {
        let sums = &mut self.sums;
        sums.area += element.area;
        sums.penetration += element.penetration;
        sums.normal_velocity += element.normal_velocity;
        sums.tangential_velocity += element.tangential_velocity;
        sums.normal_stress += element.normal_stress;
        sums.tangential_stress += element.tangential_stress;
        sums.wrench_e += element.wrench_e;
        sums.force_magnitude += element.force_magnitude;
        sums.weighted_position_e += element.weighted_position_e;
        sums.weighted_normal_e += element.weighted_normal_e;
        sums.elastic_energy += element.elastic_energy;
        sums.bed_energy += element.bed_energy;
        sums.dissipated_power += element.dissipated_power;
    }

    /// ∫ u dA in m³, with the weights of the passes.
    pub fn pressed_volume(&self) -> f64 {
        self.sums.penetration
    }

    /// Adds an energy in J, not a number where it is not known, and what should be zero in all if it is.
    pub fn add_energy(&mut self, energy: f64, doubts: [f64; 2]) {
        self.sums.elastic_energy += energy;
        (0..2).for_each(|k| self.energy_doubts[k] += doubts[k]);
    }

    /// Whether there is an energy, known or in doubt.
    pub fn has_energy(&self) -> bool {
        !self.sums.elastic_energy.is_nan()
    }

    /// Whether the energy is known.
    pub fn knows_energy(&self) -> bool {
        self.energy_doubts.iter().all(|doubt| doubt.abs() <= MOST_DOUBT * self.sums.elastic_energy)
    }

    /// Replaces the energy, and its derivatives by the stiffness, to which it is proportional, and by the penetration ratio.
    pub fn set_energy(&mut self, energy: f64, stiffness: f64, by_ratio: f64) {
        self.sums.elastic_energy = energy;
        if let Some((_, derivatives)) = &mut self.derivatives {
            derivatives.by_number[LawNumber::CombinedLayerStiffness as usize][ENERGY] = energy / stiffness;
            derivatives.by_number[LawNumber::PenetrationRatio as usize][ENERGY] = by_ratio;
        }
    }

    /// Adds the sums over other elements, about the same reference point.
    pub fn add_all(&mut self, other: &Totals) {
        self.element_count += other.element_count;
        self.add(&other.sums);
        (0..2).for_each(|k| self.energy_doubts[k] += other.energy_doubts[k]);
        self.grip.add(&other.grip);
        self.extremes.include_all(&other.extremes);
        self.is_cut_short |= other.is_cut_short;
        self.facing.iter_mut().zip(&other.facing).for_each(|(facing, others)| facing.add(others));
        if let (Some((_, sums)), Some((_, others))) = (&mut self.derivatives, &other.derivatives) {
            sums.add_all(others);
        }
    }

    /// Adds to the derivatives what all sums so far have in common; these are those of the faces of one body with this
    /// share, which changes by `share_change` with the penetration ratio.
    pub fn add_proportional(&mut self, stiffness: f64, share: f64, share_change: f64) {
        if let Some((_, derivatives)) = &mut self.derivatives {
            derivatives.add_proportional(&self.sums, stiffness, share, share_change);
        }
    }

    /// The derivatives, where they were asked for; `outcome` is what [`Self::report`] has written.
    pub fn report_derivatives(&self, motion: &RelativeMotion, outcome: &Outcome) -> Derivatives {
        let report = ChangeReport { reference_e: self.reference_e, motion, sums: &self.sums, outcome };
        self.derivatives.as_ref().map(|(_, sums)| report.derivatives(sums)).unwrap_or_default()
    }

    /// Writes wrenches and statistics into the outcome.
    pub fn report(&self, parameters: &ContactParameters, motion: &RelativeMotion, outcome: &mut Outcome) {
        self.report_sums(motion, outcome);
        let mut limit = parameters.friction().map_or(0.0, |friction| friction.coefficient * self.sums.normal_stress);
        if let Some(bristles) = parameters.bristles() {
            let reach_per_pressure = bristles.static_coefficient / bristles.stiffness;
            Grip::new(&self.grip, self.reference_e, reach_per_pressure, motion.deflection()).report(motion, outcome);
            limit = self.grip.0[LIMIT];
        }
        if 0.0 < limit {
            outcome.friction_utilisation = (self.sums.tangential_stress / limit).min(1.0);
        }
    }

    fn report_sums(&self, motion: &RelativeMotion, outcome: &mut Outcome) {
        let sums = &self.sums;
        outcome.element_count = self.element_count;
        outcome.is_force_estimated = self.is_cut_short;
        let on_e_at_f = sums.wrench_e.moved_by(self.reference_e - motion.pose_ef().translation.vector);
        let to_f = motion.pose_ef().rotation.inverse();
        outcome.wrenches = Wrenches {
            on_e: sums.wrench_e.moved_by(self.reference_e),
            on_f: Wrench { force: -(to_f * on_e_at_f.force), torque: -(to_f * on_e_at_f.torque) },
            torque_on_e_at_f: on_e_at_f.torque,
        };
        // Beyond the middle of a part the walls of the field are not known: then what a bed of springs would store.
        outcome.elastic_energy =
            if sums.elastic_energy.is_nan() { sums.bed_energy } else { sums.elastic_energy.max(0.0) };
        outcome.layer_energy = Some(outcome.elastic_energy);
        // Rounding must not let damping give energy.
        outcome.dissipated_power = sums.dissipated_power.max(0.0);
        // With both passes weighted down, the area may be too small to divide by.
        if sums.area <= SMALLEST_AREA {
            return;
        }
        let mean = |integral: f64| integral / sums.area;
        outcome.contact_area = sums.area;
        outcome.mean_penetration = mean(sums.penetration);
        outcome.max_penetration = self.extremes.penetration.max(outcome.mean_penetration);
        outcome.normal_velocity = self.extremes.normal_velocity.with_mean(mean(sums.normal_velocity));
        outcome.tangential_velocity = self.extremes.slip_squared.root().with_mean(mean(sums.tangential_velocity));
        let stress = |integral: f64, max: f64| MeanMax { mean: mean(integral), max: max.max(mean(integral)) };
        outcome.normal_stress = stress(sums.normal_stress, self.extremes.normal_stress);
        outcome.tangential_stress = stress(sums.tangential_stress, self.extremes.tangential_stress);
        if 0.0 < sums.force_magnitude {
            outcome.contact_position_e = self.reference_e + sums.weighted_position_e / sums.force_magnitude;
            outcome.contact_normal_e = sums.weighted_normal_e / sums.force_magnitude;
        }
    }
}
