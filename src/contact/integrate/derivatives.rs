//! Sums of derivatives over the contact: with respect to the motion of F, and to the numbers of the force law.

use super::peaks::{PEAKS, Peak};
use super::totals::ElementIntegrals;
use crate::contact::relative_motion::RelativeMotion;
use crate::math::{Body, Vector};

/// Quantities that are summed up over the contact and differentiated: force and torque on E, ∫ |dF| (x − reference),
/// and below them single numbers.
pub const ROWS: usize = 22;
pub const FORCE: usize = 0;
pub const TORQUE: usize = 3;
pub const POSITION: usize = 6;
/// ∫ |dF|.
pub const MAGNITUDE: usize = 9;
pub const POWER: usize = 10;
/// ∫ p dA.
pub const NORMAL: usize = 11;
/// ∫ |τ| dA.
pub const SHEAR: usize = 12;
/// How many of the rows follow from pressure and friction.
pub const LAW_ROWS: usize = 13;
/// ∫ |dF| n, which follows from the magnitudes.
pub const DIRECTION: usize = 13;
/// ∫ v_n dA.
pub const CLOSING_VELOCITY: usize = 16;
/// ∫ |v_t| dA.
pub const SLIP_SPEED: usize = 17;
/// ∫ u dA.
pub const PENETRATION: usize = 18;
/// Energy of a bed of springs.
pub const BED: usize = 19;
pub const AREA: usize = 20;
pub const ENERGY: usize = 21;

/// One derivative of all quantities.
pub type Column = [f64; ROWS];

/// The numbers of the force law that an outcome changes with, in the order of [`Derivatives::by_number`](super::Derivatives::by_number).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LawNumber {
    /// c_l in N/m³.
    CombinedLayerStiffness,
    /// d_l in N·s/m³; above 0.
    ArealDamping,
    /// u_d in m; above 0.
    DampingTransitionDepth,
    /// μ; above 0.
    FrictionCoefficient,
    /// v_eps in m/s.
    FrictionRegularizationVelocity,
    /// λ, where both bodies have a layer.
    PenetrationRatio,
}

impl LawNumber {
    /// All of them, in their order.
    pub const ALL: [LawNumber; LAW_NUMBERS] = [
        LawNumber::CombinedLayerStiffness,
        LawNumber::ArealDamping,
        LawNumber::DampingTransitionDepth,
        LawNumber::FrictionCoefficient,
        LawNumber::FrictionRegularizationVelocity,
        LawNumber::PenetrationRatio,
    ];
}

/// How many numbers of the law there are.
pub const LAW_NUMBERS: usize = 6;

/// Which derivatives are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DerivativeScope {
    /// By the motion, but for velocities and for smallest and largest values.
    Motion,
    /// All of them.
    Everything,
}

/// What the changes of the inputs mean at the reference point.
#[derive(Clone, Copy, Debug)]
pub struct MotionAtReference {
    /// From the reference point to the origin of M_f, in E.
    to_f: Vector,
    velocity_e: Vector,
    angular_velocity_e: Vector,
    /// Of bristles, at the reference point, and its rotation.
    deflection_e: [Vector; 2],
}

impl MotionAtReference {
    pub fn new(reference_e: Vector, motion: &RelativeMotion) -> Self {
        MotionAtReference {
            to_f: motion.pose_ef().translation.vector - reference_e,
            velocity_e: motion.velocity_e(),
            angular_velocity_e: motion.angular_velocity_e(),
            deflection_e: [motion.deflection().at(reference_e), motion.deflection().rotation_e],
        }
    }

    /// How the deflection at the reference point and its rotation change with a small motion of F, in the axes of the body
    /// whose faces carry the pressure; the deflection is held as a field in M_e.
    fn deflection_change(&self, body: Body, axis: usize, is_rotation: bool) -> [Vector; 2] {
        let unit = Vector::ith(axis, 1.0);
        let [there, rotation] = &self.deflection_e;
        match (body, is_rotation) {
            (Body::E, _) => [Vector::zeros(); 2],
            (Body::F, false) => [rotation.cross(&unit), Vector::zeros()],
            (Body::F, true) => [-unit.cross(there), -unit.cross(rotation)],
        }
    }

    /// How something on the faces of a body changes with a small motion of F; given how it changes with the motion of the
    /// field's body against the faces, and with the velocity. Axes of E, in which vectors of F are turned besides.
    pub fn by_pose<const N: usize>(
        &self,
        body: Body,
        column: usize,
        by_field: &[[f64; N]; 6],
        by_velocity: &[[f64; N]; 6],
    ) -> [f64; N] {
        let sign = if body == Body::E { 1.0 } else { -1.0 };
        let mut change = [0.0; N];
        add_multiple(&mut change, sign, &by_field[column]);
        let [velocity, spin] = self.twist_change(body, column % 3, 3 <= column);
        for axis in 0..3 {
            add_multiple(&mut change, velocity[axis], &by_velocity[axis]);
            add_multiple(&mut change, spin[axis], &by_velocity[3 + axis]);
        }
        change
    }

    /// How the velocity at the reference point and the angular velocity change with a small motion of F, in the axes of
    /// the body whose faces carry the pressure; the velocity inputs are held.
    fn twist_change(&self, body: Body, axis: usize, is_rotation: bool) -> [Vector; 2] {
        let unit = Vector::ith(axis, 1.0);
        match (body, is_rotation) {
            (Body::E, false) => [-self.angular_velocity_e.cross(&unit), Vector::zeros()],
            (Body::E, true) => [-self.angular_velocity_e.cross(&unit.cross(&self.to_f)), Vector::zeros()],
            (Body::F, false) => [Vector::zeros(); 2],
            (Body::F, true) => {
                let spin = -unit.cross(&self.angular_velocity_e);
                [-unit.cross(&self.velocity_e) - spin.cross(&self.to_f), spin]
            }
        }
    }
}

/// Sums over the contact, resolved in E, about the reference point; motions are those of F along the axes of E.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DerivativeSums {
    /// Translations, and rotations about the reference point.
    pub by_pose: [Column; 6],
    /// Velocity at the reference point, and angular velocity.
    pub by_velocity: [Column; 6],
    /// Deflection of bristles at the reference point, and its rotation.
    pub by_deflection: [Column; 6],
    /// See [`LawNumber`].
    pub by_number: [Column; LAW_NUMBERS],
    /// Smallest and largest values.
    pub peaks: [Peak; PEAKS],
    /// What is to be summed up.
    pub scope: DerivativeScope,
}

impl DerivativeSums {
    /// Nothing yet.
    pub fn new(scope: DerivativeScope) -> Self {
        DerivativeSums {
            scope,
            by_pose: [[0.0; ROWS]; 6],
            by_velocity: [[0.0; ROWS]; 6],
            by_deflection: [[0.0; ROWS]; 6],
            by_number: [[0.0; ROWS]; LAW_NUMBERS],
            peaks: [Peak::NONE; PEAKS],
        }
    }

    /// Adds the sums over other parts of the contact.
    pub fn add_all(&mut self, other: &Self) {
        let columns = self.by_pose.iter_mut().chain(&mut self.by_velocity);
        let columns = columns.chain(&mut self.by_deflection).chain(&mut self.by_number);
        let others = other.by_pose.iter().chain(&other.by_velocity);
        for (sums, others) in columns.zip(others.chain(&other.by_deflection).chain(&other.by_number)) {
            add_multiple(sums, 1.0, others);
        }
        self.peaks.iter_mut().zip(&other.peaks).for_each(|(peak, other)| peak.include(other));
    }

    /// Adds the faces of a body, given in its axes: derivatives by the motion of the field's body against them, by the
    /// velocity and by the deflection; `integrals` are those of the same faces.
    pub fn add_faces(
        &mut self,
        body: Body,
        by_field: &[Column; 6],
        [by_velocity, by_deflection]: [&[Column; 6]; 2],
        integrals: &ElementIntegrals,
        motion: &MotionAtReference,
    ) {
        for column in 0..6 {
            let sums = &mut self.by_pose[column];
            add_multiple(sums, 1.0, &motion.by_pose(body, column, by_field, by_velocity));
            if body == Body::F {
                add_carried(sums, column % 3, 3 <= column, integrals);
            }
            let [deflection, rotation] = motion.deflection_change(body, column % 3, 3 <= column);
            for axis in 0..3 {
                add_multiple(sums, deflection[axis], &by_deflection[axis]);
                add_multiple(sums, rotation[axis], &by_deflection[3 + axis]);
            }
            add_multiple(&mut self.by_velocity[column], 1.0, &by_velocity[column]);
            add_multiple(&mut self.by_deflection[column], 1.0, &by_deflection[column]);
        }
    }

    /// Adds what all sums over faces have in common: energies are proportional to the stiffness, and everything to the
    /// share of the faces, which changes by `share_change` with the penetration ratio.
    pub fn add_proportional(&mut self, sums: &ElementIntegrals, stiffness: f64, share: f64, share_change: f64) {
        let all = sums.as_column();
        for row in [BED, ENERGY] {
            self.by_number[LawNumber::CombinedLayerStiffness as usize][row] += all[row] / stiffness;
        }
        add_multiple(&mut self.by_number[LawNumber::PenetrationRatio as usize], share_change / share, &all);
    }
}

/// Adds a multiple of a list.
pub fn add_multiple<const N: usize>(sums: &mut [f64; N], factor: f64, others: &[f64; N]) {
    sums.iter_mut().zip(others).for_each(|(sum, other)| *sum += factor * other);
}

/// What faces of F take along: their forces move and turn with them.
fn add_carried(sums: &mut Column, axis: usize, is_rotation: bool, integrals: &ElementIntegrals) {
    let unit = Vector::ith(axis, 1.0);
    let (mut force, mut direction) = (Vector::zeros(), Vector::zeros());
    let (torque, position);
    if is_rotation {
        force = unit.cross(&integrals.wrench_e.force);
        torque = unit.cross(&integrals.wrench_e.torque);
        position = unit.cross(&integrals.weighted_position_e);
        direction = unit.cross(&integrals.weighted_normal_e);
    } else {
        torque = unit.cross(&integrals.wrench_e.force);
        position = unit * integrals.force_magnitude;
    }
    for axis in 0..3 {
        sums[FORCE + axis] += force[axis];
        sums[TORQUE + axis] += torque[axis];
        sums[POSITION + axis] += position[axis];
        sums[DIRECTION + axis] += direction[axis];
    }
}
