//! Derivatives of the wrench with respect to the motion of F.

use nalgebra::Matrix6;

use crate::contact::relative_motion::RelativeMotion;
use crate::math::{Matrix, Vector};

/// Sums over the contact, in E, about the reference point: `[column][row]`; translation, rotation, velocity and angular
/// velocity of F along the axes of E, and force and torque on E.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DerivativeSums(pub [[f64; 6]; 12]);

impl DerivativeSums {
    /// Adds the sums over other parts of the contact.
    pub fn add_all(&mut self, other: &Self) {
        for (sums, others) in self.0.iter_mut().zip(&other.0) {
            sums.iter_mut().zip(others).for_each(|(sum, other)| *sum += other);
        }
    }

    /// The derivatives, with what the reference point takes and gives.
    pub fn report(&self, reference_e: Vector, motion: &RelativeMotion) -> Derivatives {
        // Torques are wanted about M_e; motions are those of M_f.
        let (rows, columns) =
            (reference_e.cross_matrix(), (reference_e - motion.pose_ef().translation.vector).cross_matrix());
        let block = |first: usize| {
            let mut matrix = Matrix6::zeros();
            for (column, numbers) in self.0[first..first + 6].iter().enumerate() {
                numbers.iter().enumerate().for_each(|(row, &number)| matrix[(row, column)] = number);
            }
            let shifted_rows = unit_with(2, rows) * matrix;
            // A rotation about M_f moves the reference point by the rotation times the way to it.
            shifted_rows * unit_with(1, -columns)
        };
        Derivatives { wrench_on_e_by_pose: block(0), wrench_on_e_by_velocity: block(6) }
    }
}

/// The unit matrix with a block below (2) or above (1) the diagonal.
fn unit_with(place: usize, block: Matrix) -> Matrix6<f64> {
    let mut matrix = Matrix6::identity();
    let (row, column) = if place == 2 { (3, 0) } else { (0, 3) };
    for i in 0..3 {
        for k in 0..3 {
            matrix[(row + i, column + k)] = block[(i, k)];
        }
    }
    matrix
}

/// How the wrench on E changes with the motion of F.
///
/// Rows are force and torque on E, the torque about the origin of M_e, resolved in M_e. Columns are small motions of F
/// against E along the axes of M_e: translations of the origin of M_f, then rotations about it; likewise velocities.
/// Damping and friction are included. While the rest is held, a translation or rotation leaves the velocity inputs as
/// they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Derivatives {
    /// In N/m, N/rad, N·m/m and N·m/rad.
    pub wrench_on_e_by_pose: Matrix6<f64>,
    /// In N·s/m, N·s/rad, N·m·s/m and N·m·s/rad.
    pub wrench_on_e_by_velocity: Matrix6<f64>,
}

impl Default for Derivatives {
    fn default() -> Self {
        Derivatives { wrench_on_e_by_pose: Matrix6::zeros(), wrench_on_e_by_velocity: Matrix6::zeros() }
    }
}
