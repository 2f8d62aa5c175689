//! Derivatives of the motion of a body, along a change of its state and of the wrench on it.

use nalgebra::{Quaternion, Vector4};

use super::{BodyState, NORM_RATE, RigidBody};
use crate::math::{Matrix, Vector, Wrench};

/// How the motion of the marker and the rates of the state change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyChange {
    /// Of the position of the marker.
    pub position: Vector,
    /// Of its rotation, which is no rotation itself.
    pub rotation: Matrix,
    /// Of its velocity.
    pub velocity: Vector,
    /// Of its angular velocity.
    pub angular_velocity: Vector,
    /// Of [`RigidBody::state_rates`].
    pub rates: BodyState,
}

impl RigidBody {
    /// The derivative of motion and rates in a state under a wrench, along a change of both.
    pub fn change(&self, state: &BodyState, wrench: &Wrench, of_state: &BodyState, of_wrench: &Wrench) -> BodyChange {
        let rotation = state.rotation();
        let (quaternion, of_quaternion) = (state.quaternion(), of_state.quaternion());
        // The small turn that the change of the quaternion makes, whatever its norm; inertial.
        let turn: Vector = (of_quaternion * quaternion.conjugate()).imag() * (2.0 / quaternion.norm_squared());
        let momentum = state.angular_momentum();
        let of_momentum = of_state.angular_momentum() - turn.cross(&momentum);
        let in_marker = self.angular_velocity_in_marker(state, &rotation);
        let of_in_marker = self.inverse_inertia * (rotation.inverse() * of_momentum);
        let angular_velocity = rotation * in_marker;
        let of_angular_velocity = turn.cross(&angular_velocity) + rotation * of_in_marker;

        let arm = rotation * self.centre_of_mass;
        let of_arm = turn.cross(&arm);
        // What is resolved in the marker turns with it.
        let turned = |value: Vector, change: Vector| turn.cross(&(rotation * value)) + rotation * change;
        let of_turn = of_quaternion * Quaternion::from_imag(0.5 * in_marker)
            + quaternion * Quaternion::from_imag(0.5 * of_in_marker);
        let (q, dq): (Vector4<f64>, Vector4<f64>) = (quaternion.coords, of_quaternion.coords);
        let of_correction = 0.5 * NORM_RATE * ((1.0 - q.norm_squared()) * dq - 2.0 * q.dot(&dq) * q);
        let rates = BodyState::new(
            of_state.velocity(),
            turned(wrench.force, of_wrench.force) / self.mass,
            Quaternion::from_vector(of_turn.coords + of_correction),
            turned(self.torque_about_centre(wrench), self.torque_about_centre(of_wrench)),
        );
        BodyChange {
            position: of_state.centre() - of_arm,
            rotation: turn.cross_matrix() * rotation.matrix(),
            velocity: of_state.velocity() - of_angular_velocity.cross(&arm) - angular_velocity.cross(&of_arm),
            angular_velocity: of_angular_velocity,
            rates,
        }
    }
}
