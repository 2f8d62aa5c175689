//! Motion of a body in the world.

use nalgebra::{UnitQuaternion, Vector3};

/// Pose and velocity of a marker in the world, z up.
#[derive(Clone, Copy)]
pub struct Motion {
    /// Origin in m.
    pub position: Vector3<f64>,
    /// Maps coordinates of the body to those of the world.
    pub orientation: UnitQuaternion<f64>,
    /// In m/s.
    pub velocity: Vector3<f64>,
    /// In rad/s, resolved in the world.
    pub angular_velocity: Vector3<f64>,
}

impl Motion {
    /// At rest at a place.
    pub fn at_rest(position: Vector3<f64>, orientation: UnitQuaternion<f64>) -> Self {
        Motion { position, orientation, velocity: Vector3::zeros(), angular_velocity: Vector3::zeros() }
    }

    /// The world itself.
    pub fn world() -> Self {
        Motion::at_rest(Vector3::zeros(), UnitQuaternion::identity())
    }

    /// After some time with constant velocities.
    pub fn moved(&self, time: f64) -> Self {
        let turn = UnitQuaternion::from_scaled_axis(self.angular_velocity * time);
        let mut orientation = turn * self.orientation;
        // A thousand products of rounded quaternions must not drift from length 1.
        orientation.renormalize();
        Motion { position: self.position + self.velocity * time, orientation, ..*self }
    }
}
