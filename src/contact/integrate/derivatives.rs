//! Derivatives of what an evaluation returns, with respect to the motion of F.

use nalgebra::{Matrix3x6, Matrix6, Vector6};

use super::totals::ElementIntegrals;
use crate::contact::pieces::SMALLEST_AREA;
use crate::contact::relative_motion::RelativeMotion;
use crate::math::{Body, Matrix, Vector};

/// Quantities that are summed up over the contact and differentiated: force and torque on E, ∫ |dF| (x − reference),
/// and below them single numbers.
pub const ROWS: usize = 17;
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
/// How many of the rows depend on the velocities.
pub const MOVING_ROWS: usize = 13;
/// ∫ u dA.
pub const PENETRATION: usize = 13;
/// Energy of a bed of springs.
pub const BED: usize = 14;
pub const AREA: usize = 15;
pub const ENERGY: usize = 16;

/// One derivative of all quantities.
pub type Column = [f64; ROWS];

/// What the changes of the inputs mean at the reference point.
#[derive(Clone, Copy, Debug)]
pub struct MotionAtReference {
    /// From the reference point to the origin of M_f, in E.
    to_f: Vector,
    velocity_e: Vector,
    angular_velocity_e: Vector,
}

impl MotionAtReference {
    pub fn new(reference_e: Vector, motion: &RelativeMotion) -> Self {
        MotionAtReference {
            to_f: motion.pose_ef().translation.vector - reference_e,
            velocity_e: motion.velocity_e(),
            angular_velocity_e: motion.angular_velocity_e(),
        }
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
}

impl Default for DerivativeSums {
    fn default() -> Self {
        DerivativeSums { by_pose: [[0.0; ROWS]; 6], by_velocity: [[0.0; ROWS]; 6] }
    }
}

impl DerivativeSums {
    /// Adds the sums over other parts of the contact.
    pub fn add_all(&mut self, other: &Self) {
        let columns = self.by_pose.iter_mut().chain(&mut self.by_velocity);
        for (sums, others) in columns.zip(other.by_pose.iter().chain(&other.by_velocity)) {
            add_multiple(sums, 1.0, others);
        }
    }

    /// Adds the faces of a body, given in its axes: derivatives by the motion of the field's body against them, and by the
    /// velocity; `integrals` are those of the same faces.
    pub fn add_faces(
        &mut self,
        body: Body,
        by_field: &[Column; 6],
        by_velocity: &[Column; 6],
        integrals: &ElementIntegrals,
        motion: &MotionAtReference,
    ) {
        let sign = if body == Body::E { 1.0 } else { -1.0 };
        for column in 0..6 {
            let (axis, is_rotation) = (column % 3, 3 <= column);
            let sums = &mut self.by_pose[column];
            add_multiple(sums, sign, &by_field[column]);
            let [velocity, spin] = motion.twist_change(body, axis, is_rotation);
            for axis in 0..3 {
                add_multiple(sums, velocity[axis], &by_velocity[axis]);
                add_multiple(sums, spin[axis], &by_velocity[3 + axis]);
            }
            if body == Body::F {
                add_carried(sums, axis, is_rotation, integrals);
            }
            add_multiple(&mut self.by_velocity[column], 1.0, &by_velocity[column]);
        }
    }

    /// The derivatives, with what the reference point takes and gives.
    pub fn report(&self, reference_e: Vector, motion: &RelativeMotion, sums: &ElementIntegrals) -> Derivatives {
        let pose = motion.pose_ef();
        // Motions are those of M_f: a rotation about it moves the reference point.
        let way = reference_e - pose.translation.vector;
        let (by_pose, by_velocity) = (shifted(&self.by_pose, way), shifted(&self.by_velocity, way));
        let wrench_e = |columns: &[Column; 6]| wrench(columns, reference_e);
        // On F the torque is about M_f, and all is resolved there: both go along with F.
        let to_f = -pose.rotation.inverse().matrix();
        let torque_at_f = sums.wrench_e.torque + way.cross(&sums.wrench_e.force);
        let wrench_f = |columns: &[Column; 6], moves: bool| {
            let mut matrix = wrench(columns, way);
            for column in (0..6).filter(|_| moves) {
                let unit = Vector::ith(column % 3, 1.0);
                let (force, torque) = match column {
                    0..3 => (Vector::zeros(), -unit.cross(&sums.wrench_e.force)),
                    _ => (-unit.cross(&sums.wrench_e.force), -unit.cross(&torque_at_f)),
                };
                for axis in 0..3 {
                    matrix[(axis, column)] += force[axis];
                    matrix[(3 + axis, column)] += torque[axis];
                }
            }
            let mut turned = Matrix6::zeros();
            for half in [0, 3] {
                let rows = to_f * matrix.fixed_view::<3, 6>(half, 0);
                turned.fixed_view_mut::<3, 6>(half, 0).copy_from(&rows);
            }
            turned
        };
        let row = |columns: &[Column; 6], row: usize| Vector6::from_fn(|column, _| columns[column][row]);
        let energy = if sums.elastic_energy.is_nan() { BED } else { ENERGY };
        let mut derivatives = Derivatives {
            wrench_on_e_by_pose: wrench_e(&by_pose),
            wrench_on_e_by_velocity: wrench_e(&by_velocity),
            wrench_on_f_by_pose: wrench_f(&by_pose, true),
            wrench_on_f_by_velocity: wrench_f(&by_velocity, false),
            elastic_energy_by_pose: row(&by_pose, energy),
            contact_area_by_pose: row(&by_pose, AREA),
            dissipated_power_by_pose: row(&by_pose, POWER),
            dissipated_power_by_velocity: row(&by_velocity, POWER),
            ..Derivatives::default()
        };
        let area = row(&by_pose, AREA);
        if SMALLEST_AREA < sums.area {
            let mean = |integral: f64, change: Vector6<f64>, area: Vector6<f64>| {
                (change - area * (integral / sums.area)) / sums.area
            };
            let still = Vector6::zeros();
            derivatives.mean_penetration_by_pose = mean(sums.penetration, row(&by_pose, PENETRATION), area);
            derivatives.mean_normal_stress_by_pose = mean(sums.normal_stress, row(&by_pose, NORMAL), area);
            derivatives.mean_normal_stress_by_velocity = mean(sums.normal_stress, row(&by_velocity, NORMAL), still);
            derivatives.mean_tangential_stress_by_pose = mean(sums.tangential_stress, row(&by_pose, SHEAR), area);
            derivatives.mean_tangential_stress_by_velocity =
                mean(sums.tangential_stress, row(&by_velocity, SHEAR), still);
        }
        if 0.0 < sums.force_magnitude {
            let mean = sums.weighted_position_e / sums.force_magnitude;
            let position = |columns: &[Column; 6]| {
                Matrix3x6::from_fn(|axis, column| {
                    let of = &columns[column];
                    (of[POSITION + axis] - mean[axis] * of[MAGNITUDE]) / sums.force_magnitude
                })
            };
            derivatives.contact_position_e_by_pose = position(&by_pose);
            derivatives.contact_position_e_by_velocity = position(&by_velocity);
        }
        derivatives
    }
}

fn add_multiple(sums: &mut Column, factor: f64, others: &Column) {
    sums.iter_mut().zip(others).for_each(|(sum, other)| *sum += factor * other);
}

/// What faces of F take along: their forces move and turn with them.
fn add_carried(sums: &mut Column, axis: usize, is_rotation: bool, integrals: &ElementIntegrals) {
    let unit = Vector::ith(axis, 1.0);
    let (force, torque, position) = if is_rotation {
        (
            unit.cross(&integrals.wrench_e.force),
            unit.cross(&integrals.wrench_e.torque),
            unit.cross(&integrals.weighted_position_e),
        )
    } else {
        (Vector::zeros(), unit.cross(&integrals.wrench_e.force), unit * integrals.force_magnitude)
    };
    for axis in 0..3 {
        sums[FORCE + axis] += force[axis];
        sums[TORQUE + axis] += torque[axis];
        sums[POSITION + axis] += position[axis];
    }
}

/// The same derivatives with rotations about a point from which the reference point is a way off.
fn shifted(columns: &[Column; 6], way: Vector) -> [Column; 6] {
    let mut result = *columns;
    for axis in 0..3 {
        let moved = Vector::ith(axis, 1.0).cross(&way);
        for along in 0..3 {
            add_multiple(&mut result[3 + axis], moved[along], &columns[along]);
        }
    }
    result
}

/// Force and torque, about a point from which the reference point is a way off.
fn wrench(columns: &[Column; 6], way: Vector) -> Matrix6<f64> {
    let matrix = Matrix6::from_fn(|row, column| columns[column][row]);
    let mut shift = Matrix6::identity();
    let block: Matrix = way.cross_matrix();
    shift.fixed_view_mut::<3, 3>(3, 0).copy_from(&block);
    shift * matrix
}

/// How the outcome changes with the motion of F.
///
/// Columns are small motions of F against E along the axes of M_e: translations of the origin of M_f, then rotations about
/// it, per m and per rad; likewise velocities, per m/s and per rad/s. Damping and friction are included. With the pose
/// the velocity inputs are held, resolved in M_e. Rows of wrenches are force before torque, as in
/// [`Outcome`](crate::contact::Outcome).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Derivatives {
    /// Of force and torque on E, about and resolved in M_e, in N and N·m.
    pub wrench_on_e_by_pose: Matrix6<f64>,
    /// Likewise.
    pub wrench_on_e_by_velocity: Matrix6<f64>,
    /// Of force and torque on F, about and resolved in M_f, in N and N·m.
    pub wrench_on_f_by_pose: Matrix6<f64>,
    /// Likewise.
    pub wrench_on_f_by_velocity: Matrix6<f64>,
    /// Of the elastic energy in J.
    pub elastic_energy_by_pose: Vector6<f64>,
    /// Of the contact area in m². Where faces are nearly flush it is as large as areas grow fast.
    pub contact_area_by_pose: Vector6<f64>,
    /// Of the force-weighted contact position in m.
    pub contact_position_e_by_pose: Matrix3x6<f64>,
    /// Likewise.
    pub contact_position_e_by_velocity: Matrix3x6<f64>,
    /// Of the power that damping and friction take, in W.
    pub dissipated_power_by_pose: Vector6<f64>,
    /// Likewise.
    pub dissipated_power_by_velocity: Vector6<f64>,
    /// Of the mean penetration in m.
    pub mean_penetration_by_pose: Vector6<f64>,
    /// Of the mean normal stress in Pa.
    pub mean_normal_stress_by_pose: Vector6<f64>,
    /// Likewise.
    pub mean_normal_stress_by_velocity: Vector6<f64>,
    /// Of the mean tangential stress in Pa.
    pub mean_tangential_stress_by_pose: Vector6<f64>,
    /// Likewise.
    pub mean_tangential_stress_by_velocity: Vector6<f64>,
}

impl Default for Derivatives {
    fn default() -> Self {
        let (matrix, position, vector) = (Matrix6::zeros(), Matrix3x6::zeros(), Vector6::zeros());
        Derivatives {
            wrench_on_e_by_pose: matrix,
            wrench_on_e_by_velocity: matrix,
            wrench_on_f_by_pose: matrix,
            wrench_on_f_by_velocity: matrix,
            elastic_energy_by_pose: vector,
            contact_area_by_pose: vector,
            contact_position_e_by_pose: position,
            contact_position_e_by_velocity: position,
            dissipated_power_by_pose: vector,
            dissipated_power_by_velocity: vector,
            mean_penetration_by_pose: vector,
            mean_normal_stress_by_pose: vector,
            mean_normal_stress_by_velocity: vector,
            mean_tangential_stress_by_pose: vector,
            mean_tangential_stress_by_velocity: vector,
        }
    }
}
