//! The sphere as a rigid body: six degrees of freedom, integrated by the demo.

use nalgebra::{UnitQuaternion, Vector3};

/// Standard gravity in m/s², along −z.
pub const GRAVITY: f64 = 9.80665;
/// Radius of the sphere in m, that of resources/sphere.obj.
pub const RADIUS: f64 = 0.1;
/// Mass of the sphere in kg; with its volume, about that of rubber.
pub const MASS: f64 = 4.0;
/// Moment of inertia of a full sphere in kg m², the same about every axis.
pub const INERTIA: f64 = 0.4 * MASS * RADIUS * RADIUS;

/// Motion of the sphere in the world; the origin is the middle of the plate's upper side, z is up.
#[derive(Clone, Copy)]
pub struct Body {
    /// Centre in m.
    pub position: Vector3<f64>,
    /// Maps coordinates of the sphere to those of the world.
    pub orientation: UnitQuaternion<f64>,
    /// In m/s.
    pub velocity: Vector3<f64>,
    /// In rad/s, resolved in the world.
    pub angular_velocity: Vector3<f64>,
}

impl Body {
    /// At the start: 50 mm above the plate, drifting along x with a spin against rolling.
    pub fn dropped() -> Self {
        Body {
            position: Vector3::new(-0.05, 0.0, RADIUS + 0.05),
            orientation: UnitQuaternion::identity(),
            velocity: Vector3::new(0.25, 0.0, 0.0),
            angular_velocity: Vector3::new(2.0, -3.0, 1.0),
        }
    }

    /// After some time with constant velocities.
    pub fn moved(&self, time: f64) -> Body {
        let turn = UnitQuaternion::from_scaled_axis(self.angular_velocity * time);
        let mut orientation = turn * self.orientation;
        // A thousand products of rounded quaternions must not drift from length 1.
        orientation.renormalize();
        Body { position: self.position + self.velocity * time, orientation, ..*self }
    }

    /// After some time under constant force and torque, at the same pose.
    pub fn accelerated(&self, force: Vector3<f64>, torque: Vector3<f64>, time: f64) -> Body {
        let acceleration = force / MASS - Vector3::z() * GRAVITY;
        Body {
            velocity: self.velocity + acceleration * time,
            angular_velocity: self.angular_velocity + torque / INERTIA * time,
            ..*self
        }
    }

    /// Of translation and rotation, in J.
    pub fn kinetic_energy(&self) -> f64 {
        0.5 * MASS * self.velocity.norm_squared() + 0.5 * INERTIA * self.angular_velocity.norm_squared()
    }

    /// Zero where the sphere touches the plate, in J.
    pub fn potential_energy(&self) -> f64 {
        MASS * GRAVITY * self.height()
    }

    /// Of the lowest point above the plate, in m.
    pub fn height(&self) -> f64 {
        self.position.z - RADIUS
    }
}
