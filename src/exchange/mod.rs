//! The wrench that a host should apply over its next step, so that the exchange at communication points keeps the energy.
//!
//! A host applies the wrench that it gets as a constant over one step. Here that constant is found: its work along the
//! motion which the host will then make is the change of the contact's energy and what damping and friction take. It needs
//! how the host's bodies answer a wrench and how they accelerate without one; both are identified from what the inputs
//! show. This room knows bodies, poses and wrenches, and nothing of FMI.
#![forbid(unsafe_code)]

mod bodies;
mod friction;
mod identification;
mod memory;
mod step;
#[cfg(test)]
mod tests;
mod view;
mod way;

pub use bodies::{BodyParameters, SolidBody};
pub use friction::Losses;
pub use identification::Scale;
pub use memory::Memory;
pub use step::{Delay, Exchange, Returned};
pub use way::Sample;

use nalgebra::{Matrix6, Vector6};

use crate::math::{Pose, Rotation, Vector, Wrench, Wrenches};

/// A twist or a small motion of M_f against M_e: translation of the origin of M_f, then rotation; or the wrench on F
/// about the origin of M_f. All resolved in M_e.
type Six = Vector6<f64>;

/// Maps wrenches to accelerations.
type Compliance = Matrix6<f64>;

fn six(first: Vector, second: Vector) -> Six {
    Six::new(first.x, first.y, first.z, second.x, second.y, second.z)
}

fn halves(six: &Six) -> (Vector, Vector) {
    (six.fixed_rows::<3>(0).into_owned(), six.fixed_rows::<3>(3).into_owned())
}

/// On F, about the origin of M_f, resolved in M_e.
fn wrench_on_f(wrenches: &Wrenches) -> Six {
    -six(wrenches.on_e.force, wrenches.torque_on_e_at_f)
}

/// Both wrenches in their own frames at a pose, from the one on F about the origin of M_f, resolved in M_e.
fn wrenches_at(wrench: &Six, pose_ef: &Pose) -> Wrenches {
    let (force, torque) = halves(wrench);
    let to_f = pose_ef.rotation.inverse();
    Wrenches {
        on_e: Wrench { force: -force, torque: -(torque + pose_ef.translation.vector.cross(&force)) },
        on_f: Wrench { force: to_f * force, torque: to_f * torque },
        torque_on_e_at_f: -torque,
    }
}

/// The pose after a small motion.
fn moved(pose_ef: &Pose, way: &Six) -> Pose {
    let (translation, rotation) = halves(way);
    Pose::from_parts((pose_ef.translation.vector + translation).into(), Rotation::new(rotation) * pose_ef.rotation)
}

/// The motion that leads from one pose to another.
fn way_between(from: &Pose, to: &Pose) -> Six {
    six(to.translation.vector - from.translation.vector, rotation_vector(&(to.rotation * from.rotation.inverse())))
}

/// Exact for small turns, where the angle from the trace is not; half a turn within a step has no direction.
fn rotation_vector(rotation: &Rotation) -> Vector {
    let m = rotation.matrix();
    let sine = 0.5 * Vector::new(m[(2, 1)] - m[(1, 2)], m[(0, 2)] - m[(2, 0)], m[(1, 0)] - m[(0, 1)]);
    let length = sine.norm();
    let angle = length.atan2(0.5 * (m.trace() - 1.0));
    if 0.0 < length { sine * (angle / length) } else { sine }
}

/// From 0 to 1, smoothly.
fn smooth(from: f64, to: f64, value: f64) -> f64 {
    let part = ((value - from) / (to - from)).clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}
