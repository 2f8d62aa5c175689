//! Derivatives of everything that an evaluation returns, from their sums.

use nalgebra::Matrix6;

use super::derivatives::{
    AREA, BED, CLOSING_VELOCITY, Column, DIRECTION, DerivativeScope, DerivativeSums, ENERGY, FORCE, LAW_NUMBERS,
    MAGNITUDE, NORMAL, PENETRATION, POSITION, POWER, SHEAR, SLIP_SPEED, TORQUE, add_multiple,
};
use super::peaks::{
    DEEPEST, FASTEST_CLOSING, FASTEST_SLIP, HIGHEST_PRESSURE, HIGHEST_SHEAR, PEAKS, SLOWEST_CLOSING, SLOWEST_SLIP,
};
use super::totals::ElementIntegrals;
use crate::contact::outcome::{MeanMax, MinMeanMax, Outcome};
use crate::contact::relative_motion::RelativeMotion;
use crate::math::{Vector, Wrench, Wrenches};

/// How the outcome changes with the motion of F and with the numbers of the force law.
///
/// Each column is an outcome whose numbers are derivatives; its counts and flags mean nothing. Motions are small ones of F
/// against E along the axes of M_e: translations of the origin of M_f, then rotations about it, per m and per rad;
/// likewise velocities, per m/s and per rad/s. Damping and friction are included. With the pose the velocity inputs are
/// held, resolved in M_e. The derivative of a smallest or largest value is that of the point which attains it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Derivatives {
    /// Of everything.
    pub by_pose: [Outcome; 6],
    /// Likewise.
    pub by_velocity: [Outcome; 6],
    /// By displacements of bristles: of the origin of M_f, and rotations about it, all else held. Of energy, power and
    /// the largest tangential stress there are none with bristles, also not in the other columns.
    pub by_deflection: [Outcome; 6],
    /// See [`LawNumber`](super::LawNumber). Those with respect to damping, transition depth and friction are zero
    /// where the number itself is.
    pub by_number: [Outcome; LAW_NUMBERS],
    /// Of force and torque on E, about and resolved in M_e, in N and N·m.
    pub wrench_on_e_by_pose: Matrix6<f64>,
    /// Likewise.
    pub wrench_on_e_by_velocity: Matrix6<f64>,
    /// Of force and torque on F, about and resolved in M_f, in N and N·m.
    pub wrench_on_f_by_pose: Matrix6<f64>,
    /// Likewise.
    pub wrench_on_f_by_velocity: Matrix6<f64>,
    /// Likewise.
    pub wrench_on_f_by_deflection: Matrix6<f64>,
}

impl Default for Derivatives {
    fn default() -> Self {
        let none = Outcome::default();
        Derivatives::new([none; 6], [none; 6], [none; 6], [none; LAW_NUMBERS])
    }
}

impl Derivatives {
    fn new(
        by_pose: [Outcome; 6],
        by_velocity: [Outcome; 6],
        by_deflection: [Outcome; 6],
        by_number: [Outcome; LAW_NUMBERS],
    ) -> Self {
        let on_e = |columns: &[Outcome; 6]| matrix(columns, |outcome| &outcome.wrenches.on_e);
        let on_f = |columns: &[Outcome; 6]| matrix(columns, |outcome| &outcome.wrenches.on_f);
        Derivatives {
            wrench_on_e_by_pose: on_e(&by_pose),
            wrench_on_e_by_velocity: on_e(&by_velocity),
            wrench_on_f_by_pose: on_f(&by_pose),
            wrench_on_f_by_velocity: on_f(&by_velocity),
            wrench_on_f_by_deflection: on_f(&by_deflection),
            by_pose,
            by_velocity,
            by_deflection,
            by_number,
        }
    }
}

fn matrix(columns: &[Outcome; 6], wrench: impl Fn(&Outcome) -> &Wrench) -> Matrix6<f64> {
    Matrix6::from_fn(|row, column| {
        let Wrench { force, torque } = wrench(&columns[column]);
        if row < 3 { force[row] } else { torque[row - 3] }
    })
}

/// What derivatives of quotients and of vectors that move with F need.
pub struct ChangeReport<'a> {
    /// Where sums are about, in E.
    pub reference_e: Vector,
    /// Relative motion.
    pub motion: &'a RelativeMotion,
    /// Sums over the contact.
    pub sums: &'a ElementIntegrals,
    /// The outcome that they make.
    pub outcome: &'a Outcome,
}

impl ChangeReport<'_> {
    /// The derivatives.
    pub fn derivatives(&self, sums: &DerivativeSums) -> Derivatives {
        let r = self.motion.pose_ef().translation.vector;
        // Motions are those of M_f: a rotation about it moves the reference point.
        let way = self.reference_e - r;
        let by_pose = shifted(&sums.by_pose, way);
        let by_velocity = shifted(&sums.by_velocity, way);
        let by_deflection = shifted(&sums.by_deflection, way);
        let none = Vector::zeros();
        let peaks = |of: &dyn Fn(usize) -> [f64; 6]| {
            let columns: [[f64; PEAKS]; 6] = std::array::from_fn(|column| std::array::from_fn(|peak| of(peak)[column]));
            shifted(&columns, way)
        };
        let peaks_by_pose = peaks(&|peak| sums.peaks[peak].by_pose);
        let peaks_by_velocity = peaks(&|peak| sums.peaks[peak].by_velocity);
        Derivatives::new(
            std::array::from_fn(|column| {
                let unit = Vector::ith(column % 3, 1.0);
                let [translation, rotation] = if column < 3 { [unit, none] } else { [none, unit] };
                self.change(&by_pose[column], &peaks_by_pose[column], translation, rotation)
            }),
            std::array::from_fn(|column| self.change(&by_velocity[column], &peaks_by_velocity[column], none, none)),
            std::array::from_fn(|column| self.change(&by_deflection[column], &[0.0; PEAKS], none, none)),
            std::array::from_fn(|number| {
                if sums.scope == DerivativeScope::Motion {
                    return Outcome::default();
                }
                let peaks = std::array::from_fn(|peak| sums.peaks[peak].by_number[number]);
                self.change(&sums.by_number[number], &peaks, none, none)
            }),
        )
    }

    /// One column; F moves besides.
    fn change(&self, column: &Column, peaks: &[f64; PEAKS], translation: Vector, rotation: Vector) -> Outcome {
        let (sums, outcome) = (self.sums, self.outcome);
        let vector = |row: usize| Vector::new(column[row], column[row + 1], column[row + 2]);
        let mut change = Outcome {
            wrenches: self.wrenches(vector(FORCE), vector(TORQUE), translation, rotation),
            contact_area: column[AREA],
            elastic_energy: column[if sums.elastic_energy.is_nan() { BED } else { ENERGY }],
            dissipated_power: column[POWER],
            ..Outcome::default()
        };
        if 0.0 < sums.force_magnitude {
            let mean = |of: Vector, mean: Vector| (of - mean * column[MAGNITUDE]) / sums.force_magnitude;
            change.contact_position_e = mean(vector(POSITION), outcome.contact_position_e - self.reference_e);
            change.contact_normal_e = mean(vector(DIRECTION), outcome.contact_normal_e);
        }
        // As in the outcome itself: too small to divide by.
        if outcome.contact_area == 0.0 {
            return Outcome { contact_area: 0.0, ..change };
        }
        let mean = |row: usize, mean: f64| (column[row] - column[AREA] * mean) / sums.area;
        let range = |row: usize, of: &MinMeanMax, [least, most]: [f64; 2]| {
            let mean = mean(row, of.mean);
            MinMeanMax { min: extreme(of.min, least, of.mean, mean), mean, max: extreme(of.max, most, of.mean, mean) }
        };
        let stress = |row: usize, of: &MeanMax, most: f64| {
            let mean = mean(row, of.mean);
            MeanMax { mean, max: extreme(of.max, most, of.mean, mean) }
        };
        change.mean_penetration = mean(PENETRATION, outcome.mean_penetration);
        change.max_penetration =
            extreme(outcome.max_penetration, peaks[DEEPEST], outcome.mean_penetration, change.mean_penetration);
        let (closing, slip) = (&outcome.normal_velocity, &outcome.tangential_velocity);
        change.normal_velocity = range(CLOSING_VELOCITY, closing, [peaks[SLOWEST_CLOSING], peaks[FASTEST_CLOSING]]);
        change.tangential_velocity = range(SLIP_SPEED, slip, [peaks[SLOWEST_SLIP], peaks[FASTEST_SLIP]]);
        change.normal_stress = stress(NORMAL, &outcome.normal_stress, peaks[HIGHEST_PRESSURE]);
        change.tangential_stress = stress(SHEAR, &outcome.tangential_stress, peaks[HIGHEST_SHEAR]);
        change
    }

    /// Of a change of force and torque on E, about the reference point.
    fn wrenches(&self, force: Vector, torque: Vector, translation: Vector, rotation: Vector) -> Wrenches {
        let (pose, of) = (self.motion.pose_ef(), &self.outcome.wrenches);
        let on_e = Wrench { force, torque: torque + self.reference_e.cross(&force) };
        let r = pose.translation.vector;
        let torque_on_e_at_f = on_e.torque - translation.cross(&of.on_e.force) - r.cross(&force);
        // What is resolved in M_f turns with it.
        let in_f = |change: Vector, value: Vector| pose.rotation.inverse() * (rotation.cross(&value) - change);
        let on_f = Wrench { force: in_f(force, of.on_e.force), torque: in_f(torque_on_e_at_f, of.torque_on_e_at_f) };
        Wrenches { on_e, on_f, torque_on_e_at_f }
    }
}

/// An extreme is that of a point, or the mean where no point is beyond that.
fn extreme(value: f64, change: f64, mean: f64, mean_change: f64) -> f64 {
    if value == mean { mean_change } else { change }
}

/// The same derivatives with rotations about a point from which the reference point is a way off.
fn shifted<const N: usize>(columns: &[[f64; N]; 6], way: Vector) -> [[f64; N]; 6] {
    let mut result = *columns;
    for axis in 0..3 {
        let moved = Vector::ith(axis, 1.0).cross(&way);
        for along in 0..3 {
            add_multiple(&mut result[3 + axis], moved[along], &columns[along]);
        }
    }
    result
}
