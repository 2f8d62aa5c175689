//! A free rigid body: its parameters, its state, and the integration of its motion over a step.
//!
//! The body has a marker, the frame in which forces act on it and whose motion it reports. "Inertial" below is the frame
//! in which gravity is given and the body moves.
#![forbid(unsafe_code)]

mod change;

pub use change::BodyChange;

use nalgebra::{Quaternion, SVector, UnitQuaternion};
use thiserror::Error;

use crate::math::{Matrix, Rotation, Vector, Wrench};

/// Turn of the body within a sub-step of the integration, in rad.
///
/// The rule is of fourth order: per sub-step the angle is off by 2 (0.01 / 2)⁵ / 120, after a turn of
/// 1 rad by 5e-12.
const TURN_PER_SUB_STEP: f64 = 0.01;

/// Sub-steps before a step is given up: 1000 rad, 160 turns, within a step.
const MOST_SUB_STEPS: u32 = 100_000;

/// Part of the sum of the smaller principal moments by which the largest may exceed it: data sheets round.
const ROUNDED_INERTIA: f64 = 1.0e-3;

/// Rate in 1/s at which [`RigidBody::state_rates`] leads the norm of a quaternion back to 1, where the rounding and the
/// tolerance of a solver have moved it: far faster than that drift, and no stiffness next to a contact.
const NORM_RATE: f64 = 10.0;

/// Numbers of a [`BodyState`].
pub const STATE_NUMBERS: usize = 13;

/// A body and how it starts, as a user states it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RawBody {
    /// Mass in kg.
    pub mass: f64,
    /// I_xx, I_yy, I_zz about the centre of mass, axes of the marker, in kg m².
    pub moments_of_inertia: Vector,
    /// The entries I_xy, I_xz, I_yz of the tensor, such as I_xy = −∫ x y dm.
    pub products_of_inertia: Vector,
    /// Centre of mass seen from the marker, resolved in it, in m.
    pub centre_of_mass: Vector,
    /// Acceleration of free fall in m/s², inertial.
    pub gravity: Vector,
    /// Position of the marker at the start in m, inertial.
    pub initial_position: Vector,
    /// Cardan angles (α, β, γ) of the marker at the start in rad: its rotation is A_x(α) A_y(β) A_z(γ).
    pub initial_angles: Vector,
    /// Velocity of the marker's origin at the start in m/s, inertial.
    pub initial_velocity: Vector,
    /// Angular velocity at the start in rad/s, inertial.
    pub initial_angular_velocity: Vector,
}

impl Default for RawBody {
    /// A ball of water with a radius of 0.1 m at rest in its origin, under gravity along −z.
    fn default() -> Self {
        let mass = 4.19;
        RawBody {
            mass,
            moments_of_inertia: Vector::from_element(0.4 * mass * 0.01),
            products_of_inertia: Vector::zeros(),
            centre_of_mass: Vector::zeros(),
            gravity: Vector::new(0.0, 0.0, -9.81),
            initial_position: Vector::zeros(),
            initial_angles: Vector::zeros(),
            initial_velocity: Vector::zeros(),
            initial_angular_velocity: Vector::zeros(),
        }
    }
}

/// Why a body does not exist or cannot move.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum BodyError {
    /// A mass that is no mass.
    #[error("the mass is {0}, but must be a finite number above 0")]
    Mass(f64),
    /// Inertia that would gain energy by slowing down.
    #[error(
        "moments and products of inertia have the principal moments {0:e}, {1:e} and {2:e} kg.m2, but all of them must be finite and above 0; \
         check the signs and sizes of the products"
    )]
    NotPositive(f64, f64, f64),
    /// Inertia that no distribution of mass has.
    #[error(
        "moments and products of inertia have the principal moments {0:e}, {1:e} and {2:e} kg.m2, which no body has: none can exceed the sum of the \
         others; check the units and the order xx, yy, zz and xy, xz, yz"
    )]
    Impossible(f64, f64, f64),
    /// Too fast for a step.
    #[error(
        "the body turns with {0:e} rad/s, too fast for a step of {1:e} s; take smaller steps, or check torque and inertia"
    )]
    TooFast(f64, f64),
    /// Overflow.
    #[error("the motion is beyond the range of numbers: a force, a torque or a parameter is far too large")]
    NotFinite,
}

/// What stays of a body while it moves: mass, inertia, gravity; checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidBody {
    mass: f64,
    /// About the centre of mass, in axes of the marker.
    inertia: Matrix,
    inverse_inertia: Matrix,
    centre_of_mass: Vector,
    gravity: Vector,
}

/// A wrench on the body that starts at `start` and changes linearly, by `rate` per second. Both are about the origin of
/// the marker and resolved in it: while the body turns, they turn with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WrenchCourse {
    /// At the beginning of the step.
    pub start: Wrench,
    /// Change per second.
    pub rate: Wrench,
}

impl WrenchCourse {
    /// The wrench some seconds after the start.
    pub fn at(&self, time: f64) -> Wrench {
        Wrench { force: self.start.force + time * self.rate.force, torque: self.start.torque + time * self.rate.torque }
    }
}

/// Motion of the marker, inertial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MarkerMotion {
    /// Its origin in m.
    pub position: Vector,
    /// Maps coordinates in the marker to inertial ones.
    pub rotation: Rotation,
    /// Velocity of its origin in m/s.
    pub velocity: Vector,
    /// Angular velocity in rad/s.
    pub angular_velocity: Vector,
}

/// Acceleration of the marker, inertial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MarkerAcceleration {
    /// Of its origin in m/s².
    pub acceleration: Vector,
    /// In rad/s².
    pub angular_acceleration: Vector,
}

/// Where a body is and how it moves: position and velocity of its centre of mass, the quaternion (x, y, z, w) of the
/// marker, the angular momentum about the centre of mass; all inertial.
///
/// The angular momentum instead of the velocity: without a torque it stays as it is to the last bit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyState(SVector<f64, STATE_NUMBERS>);

impl BodyState {
    /// From the numbers of [`BodyState::as_numbers`]; none where their count is wrong.
    pub fn from_numbers(numbers: &[f64]) -> Option<BodyState> {
        (numbers.len() == STATE_NUMBERS).then(|| BodyState(SVector::from_column_slice(numbers)))
    }

    /// The state as numbers.
    pub fn as_numbers(&self) -> &[f64] {
        self.0.as_slice()
    }

    fn new(centre: Vector, velocity: Vector, quaternion: Quaternion<f64>, angular_momentum: Vector) -> BodyState {
        let mut numbers: SVector<f64, STATE_NUMBERS> = SVector::zeros();
        numbers.fixed_rows_mut::<3>(0).copy_from(&centre);
        numbers.fixed_rows_mut::<3>(3).copy_from(&velocity);
        numbers.fixed_rows_mut::<4>(6).copy_from(&quaternion.coords);
        numbers.fixed_rows_mut::<3>(10).copy_from(&angular_momentum);
        BodyState(numbers)
    }

    fn centre(&self) -> Vector {
        self.0.fixed_rows::<3>(0).into_owned()
    }

    fn velocity(&self) -> Vector {
        self.0.fixed_rows::<3>(3).into_owned()
    }

    fn quaternion(&self) -> Quaternion<f64> {
        Quaternion::from_vector(self.0.fixed_rows::<4>(6).into_owned())
    }

    /// Norm of the quaternion, 1 but for what a solver makes of it.
    pub fn norm(&self) -> f64 {
        self.quaternion().norm()
    }

    fn rotation(&self) -> Rotation {
        UnitQuaternion::new_normalize(self.quaternion()).to_rotation_matrix()
    }

    fn angular_momentum(&self) -> Vector {
        self.0.fixed_rows::<3>(10).into_owned()
    }

    fn with_unit_quaternion(self) -> BodyState {
        BodyState::new(self.centre(), self.velocity(), self.quaternion().normalize(), self.angular_momentum())
    }
}

impl RigidBody {
    /// Checks mass and inertia.
    pub fn new(raw: &RawBody) -> Result<RigidBody, BodyError> {
        if !(raw.mass.is_finite() && 0.0 < raw.mass) {
            return Err(BodyError::Mass(raw.mass));
        }
        let (moments, products) = (raw.moments_of_inertia, raw.products_of_inertia);
        let [xx, yy, zz] = moments.into();
        let [xy, xz, yz] = products.into();
        let inertia = Matrix::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
        if !inertia.iter().all(|entry| entry.is_finite()) {
            return Err(BodyError::NotPositive(xx, yy, zz));
        }
        let mut principal: [f64; 3] = inertia.symmetric_eigenvalues().into();
        principal.sort_by(f64::total_cmp);
        let [least, middle, largest] = principal;
        let inverse = inertia.try_inverse().filter(|inverse| inverse.iter().all(|entry| entry.is_finite()));
        let Some(inverse_inertia) = inverse.filter(|_| 0.0 < least) else {
            return Err(BodyError::NotPositive(least, middle, largest));
        };
        if (1.0 + ROUNDED_INERTIA) * (least + middle) < largest {
            return Err(BodyError::Impossible(least, middle, largest));
        }
        let RawBody { mass, centre_of_mass, gravity, .. } = *raw;
        Ok(RigidBody { mass, inertia, inverse_inertia, centre_of_mass, gravity })
    }

    /// The state of a body whose marker moves in this way.
    pub fn state(&self, motion: &MarkerMotion) -> BodyState {
        let MarkerMotion { position, rotation, velocity, angular_velocity } = motion;
        let arm = rotation * self.centre_of_mass;
        let angular_momentum = rotation * (self.inertia * (rotation.inverse() * angular_velocity));
        BodyState::new(
            position + arm,
            velocity + angular_velocity.cross(&arm),
            *UnitQuaternion::from_rotation_matrix(rotation).quaternion(),
            angular_momentum,
        )
    }

    /// How the marker of a body in this state moves.
    pub fn motion(&self, state: &BodyState) -> MarkerMotion {
        let rotation = state.rotation();
        let arm = rotation * self.centre_of_mass;
        let angular_velocity = rotation * self.angular_velocity_in_marker(state, &rotation);
        MarkerMotion {
            position: state.centre() - arm,
            rotation,
            velocity: state.velocity() - angular_velocity.cross(&arm),
            angular_velocity,
        }
    }

    /// How the motion of the marker changes under a wrench.
    pub fn acceleration(&self, state: &BodyState, wrench: &Wrench) -> MarkerAcceleration {
        let rotation = state.rotation();
        let arm = rotation * self.centre_of_mass;
        let velocity_in_marker = self.angular_velocity_in_marker(state, &rotation);
        let angular_velocity = rotation * velocity_in_marker;
        let angular_acceleration = rotation * self.angular_acceleration_in_marker(&velocity_in_marker, wrench);
        let of_centre = self.gravity + rotation * wrench.force / self.mass;
        let centripetal = angular_velocity.cross(&angular_velocity.cross(&arm));
        MarkerAcceleration {
            acceleration: of_centre - angular_acceleration.cross(&arm) - centripetal,
            angular_acceleration,
        }
    }

    /// The state after some seconds under a wrench, by the classical Runge-Kutta rule in sub-steps of a small turn.
    ///
    /// Free flight and constant forces without rotation are exact up to rounding.
    pub fn advance(&self, start: &BodyState, course: &WrenchCourse, duration: f64) -> Result<BodyState, BodyError> {
        let mut state = *start;
        let mut time = 0.0;
        for _ in 0..MOST_SUB_STEPS {
            let rate = self.turn_rate(&state, &course.at(time));
            let sub_steps = ((duration - time) * rate / TURN_PER_SUB_STEP).ceil().max(1.0);
            let step = (duration - time) / sub_steps;
            state = self.sub_step(&state, course, time, step);
            if !state.0.iter().all(|number| number.is_finite()) {
                return Err(BodyError::NotFinite);
            }
            if sub_steps == 1.0 {
                return Ok(state);
            }
            time += step;
        }
        Err(BodyError::TooFast(self.turn_rate(&state, &course.at(time)), duration))
    }

    /// Turn per second that the next sub-step has to expect: from the angular velocity, and from the acceleration, which
    /// makes a turn of α h² / 2.
    fn turn_rate(&self, state: &BodyState, wrench: &Wrench) -> f64 {
        let velocity = self.angular_velocity_in_marker(state, &state.rotation());
        let acceleration = self.angular_acceleration_in_marker(&velocity, wrench);
        velocity.norm() + (0.5 * TURN_PER_SUB_STEP * acceleration.norm()).sqrt()
    }

    fn sub_step(&self, state: &BodyState, course: &WrenchCourse, time: f64, step: f64) -> BodyState {
        let (first, middle, last) = (course.at(time), course.at(time + 0.5 * step), course.at(time + step));
        let k1 = self.rates(state, &first);
        let k2 = self.rates(&BodyState(state.0 + 0.5 * step * k1), &middle);
        let k3 = self.rates(&BodyState(state.0 + 0.5 * step * k2), &middle);
        let k4 = self.rates(&BodyState(state.0 + step * k3), &last);
        BodyState(state.0 + step / 6.0 * (k1 + 2.0 * (k2 + k3) + k4)).with_unit_quaternion()
    }

    /// Time derivatives of the numbers of a state for a solver that knows no quaternions: the norm of the quaternion is
    /// an attracting 1.
    pub fn state_rates(&self, state: &BodyState, wrench: &Wrench) -> BodyState {
        let mut rates = self.rates(state, wrench);
        let quaternion = state.quaternion().coords;
        let correction = 0.5 * NORM_RATE * (1.0 - quaternion.norm_squared()) * quaternion;
        let corrected = rates.fixed_rows::<4>(6) + correction;
        rates.fixed_rows_mut::<4>(6).copy_from(&corrected);
        BodyState(rates)
    }

    /// Time derivatives of the numbers of a state.
    fn rates(&self, state: &BodyState, wrench: &Wrench) -> SVector<f64, STATE_NUMBERS> {
        let rotation = state.rotation();
        let angular_velocity = self.angular_velocity_in_marker(state, &rotation);
        let acceleration = self.gravity + rotation * wrench.force / self.mass;
        let turn = state.quaternion() * Quaternion::from_imag(0.5 * angular_velocity);
        BodyState::new(state.velocity(), acceleration, turn, rotation * self.torque_about_centre(wrench)).0
    }

    fn torque_about_centre(&self, wrench: &Wrench) -> Vector {
        wrench.torque - self.centre_of_mass.cross(&wrench.force)
    }

    fn angular_velocity_in_marker(&self, state: &BodyState, rotation: &Rotation) -> Vector {
        self.inverse_inertia * (rotation.inverse() * state.angular_momentum())
    }

    /// Euler's equations.
    fn angular_acceleration_in_marker(&self, angular_velocity: &Vector, wrench: &Wrench) -> Vector {
        let gyroscopic = angular_velocity.cross(&(self.inertia * angular_velocity));
        self.inverse_inertia * (self.torque_about_centre(wrench) - gyroscopic)
    }
}
