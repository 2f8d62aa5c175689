//! Rigid bodies as numbers for the integrator.

use nalgebra::{Quaternion, UnitQuaternion, Vector3};

use crate::contact_fmu::Wrench;
use crate::motion::Motion;

/// Numbers of one body: position, quaternion (w, x, y, z), velocity, angular velocity in the frame of the body.
pub const NUMBERS: usize = 13;

/// Mass and principal moments of inertia about the axes of the marker, which is the centre of mass.
pub struct Inertia {
    /// In kg.
    pub mass: f64,
    /// In kg m².
    pub moments: Vector3<f64>,
}

impl Inertia {
    /// Of translation and rotation, in J.
    pub fn kinetic_energy(&self, motion: &Motion) -> f64 {
        let spin = motion.orientation.inverse() * motion.angular_velocity;
        0.5 * self.mass * motion.velocity.norm_squared() + 0.5 * spin.dot(&self.moments.component_mul(&spin))
    }

    /// Derivative of the numbers of a body under a wrench.
    pub fn rate(&self, motion: &Motion, wrench: &Wrench) -> [f64; NUMBERS] {
        let spin = motion.orientation.inverse() * motion.angular_velocity;
        let torque = motion.orientation.inverse() * wrench.torque;
        let gyroscopic = spin.cross(&self.moments.component_mul(&spin));
        let turn = Quaternion::from_imag(0.5 * motion.angular_velocity) * motion.orientation.into_inner();
        numbers(motion.velocity, turn, wrench.force / self.mass, (torque - gyroscopic).component_div(&self.moments))
    }
}

/// The numbers of a motion.
pub fn from_motion(motion: &Motion) -> [f64; NUMBERS] {
    let spin = motion.orientation.inverse() * motion.angular_velocity;
    numbers(motion.position, motion.orientation.into_inner(), motion.velocity, spin)
}

/// The motion of the numbers; the length of the quaternion does not matter.
pub fn to_motion(numbers: &[f64]) -> Motion {
    let vector = |first: usize| Vector3::from_column_slice(&numbers[first..first + 3]);
    let orientation = UnitQuaternion::from_quaternion(Quaternion::new(numbers[3], numbers[4], numbers[5], numbers[6]));
    Motion { position: vector(0), orientation, velocity: vector(7), angular_velocity: orientation * vector(10) }
}

fn numbers(
    position: Vector3<f64>,
    orientation: Quaternion<f64>,
    velocity: Vector3<f64>,
    spin: Vector3<f64>,
) -> [f64; NUMBERS] {
    let [p, q, v, w] = [position, orientation.imag(), velocity, spin];
    [p.x, p.y, p.z, orientation.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runge_kutta::{Control, Integration};

    /// A free body keeps its energy and its angular momentum, also about no principal axis.
    #[test]
    fn a_free_body_keeps_energy_and_angular_momentum() {
        let body = Inertia { mass: 2.0, moments: Vector3::new(0.02, 0.03, 0.01) };
        let start = Motion {
            position: Vector3::new(0.1, 0.2, 0.3),
            orientation: UnitQuaternion::from_euler_angles(0.3, -0.5, 0.8),
            velocity: Vector3::new(1.0, 0.0, -2.0),
            angular_velocity: Vector3::new(3.0, -2.0, 4.0),
        };
        let momentum = |motion: &Motion| {
            let spin = motion.orientation.inverse() * motion.angular_velocity;
            motion.orientation * body.moments.component_mul(&spin)
        };
        let mut rate = |numbers: &[f64; NUMBERS]| Ok(body.rate(&to_motion(numbers), &Wrench::default()));
        let state = from_motion(&start);
        let derivative = rate(&state).unwrap();
        let mut run = Integration { time: 0.0, state, derivative, next_step: 1e-3, rejected: 0 };
        let control = Control { tolerance: 1e-8, components: NUMBERS, largest_step: 0.1 };
        while run.time < 2.0 {
            run.advance(2.0, &control, &mut rate).unwrap();
        }
        let end = to_motion(&run.state);
        assert!((end.position - start.position - 2.0 * start.velocity).norm() < 1e-9);
        // A thousand steps with errors of 1e-8 and values of the size of 5.
        assert!((body.kinetic_energy(&end) / body.kinetic_energy(&start) - 1.0).abs() < 1e-4);
        assert!((momentum(&end) - momentum(&start)).norm() < 1e-4 * momentum(&start).norm());
        // It has turned a lot meanwhile.
        assert!(0.5 < end.orientation.angle_to(&start.orientation));
    }
}
