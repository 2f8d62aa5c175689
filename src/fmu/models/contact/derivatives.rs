//! How the outputs change with the inputs, from the derivatives that the force element has by formula.

use nalgebra::{Matrix6, Vector6};

use crate::contact::{Derivatives, Outcome, RelativeMotion};
use crate::fmu::motion_inputs::SmallMotion;
use crate::math::{Vector, Wrench, Wrenches};

/// The outputs whose derivatives [`change`] knows by formula.
pub(crate) const EXACT_OUTPUTS: [&str; 5] = ["forceOnE", "torqueOnE", "forceOnF", "torqueOnF", "torqueOnEAtF"];

/// Derivative of an outcome along a small motion of F: of the fields of [`EXACT_OUTPUTS`]; the others are zero.
pub(crate) fn change(
    outcome: &Outcome,
    derivatives: &Derivatives,
    motion: &RelativeMotion,
    small: &SmallMotion,
) -> Outcome {
    let (rotation, r) = (motion.pose_ef().rotation, motion.pose_ef().translation.vector);
    let wrench_on_e = derivatives.wrench_on_e_by_pose * stacked(small.translation, small.rotation)
        + derivatives.wrench_on_e_by_velocity * stacked(small.velocity, small.angular_velocity);
    let on_e = Wrench {
        force: Vector::new(wrench_on_e[0], wrench_on_e[1], wrench_on_e[2]),
        torque: Vector::new(wrench_on_e[3], wrench_on_e[4], wrench_on_e[5]),
    };
    let of = &outcome.wrenches;
    let torque_on_e_at_f = on_e.torque - small.translation.cross(&of.on_e.force) - r.cross(&on_e.force);
    // What is resolved in M_f turns with it.
    let in_f = |change: Vector, value: Vector| rotation.inverse() * (small.rotation.cross(&value) - change);
    let on_f = Wrench { force: in_f(on_e.force, of.on_e.force), torque: in_f(torque_on_e_at_f, of.torque_on_e_at_f) };
    Outcome { wrenches: Wrenches { on_e, on_f, torque_on_e_at_f }, ..Outcome::default() }
}

/// Stiffness and damping: minus the derivatives of the wrench on F, reduced to the origin of M_f and resolved in M_f, by
/// motions of M_f along its axes: translations of its origin, then rotations about it; likewise velocities.
pub(crate) fn stiffness_and_damping(
    outcome: &Outcome,
    derivatives: &Derivatives,
    motion: &RelativeMotion,
) -> [Matrix6<f64>; 2] {
    let mut matrices = [Matrix6::zeros(); 2];
    for column in 0..6 {
        let mut axis = Vector::zeros();
        axis[column % 3] = 1.0;
        let axis = motion.pose_ef().rotation * axis;
        let [along, about] = if column < 3 { [axis, Vector::zeros()] } else { [Vector::zeros(), axis] };
        let displaced = SmallMotion { translation: along, rotation: about, ..SmallMotion::default() };
        let faster = SmallMotion { velocity: along, angular_velocity: about, ..SmallMotion::default() };
        for (matrix, small) in matrices.iter_mut().zip([displaced, faster]) {
            let change = change(outcome, derivatives, motion, &small);
            matrix.set_column(column, &-stacked(change.wrenches.on_f.force, change.wrenches.on_f.torque));
        }
    }
    matrices
}

fn stacked(first: Vector, second: Vector) -> Vector6<f64> {
    Vector6::new(first.x, first.y, first.z, second.x, second.y, second.z)
}
