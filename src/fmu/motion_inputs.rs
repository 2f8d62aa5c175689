//! The inputs of every contact FMU: the motion of marker M_f relative to M_e.

use std::ops::Range;

use super::model::{Fault, Notes, Once};
use super::orientation::{orientation, turn_per_number};
use super::step_output::Extrapolation;
use super::values::{Value, Values};
use super::variables::{Causality, Kind, Variability, VariableTable};
use crate::configuration::{Configuration, NumberRange, OrientationInput, StartPose};
use crate::contact::{MotionError, RelativeMotion};
use crate::math::{Pose, Rotation, Vector};

/// Positions in the table.
pub(crate) struct Inputs {
    pub(crate) pose: Vec<usize>,
    pub(crate) velocities: Vec<usize>,
}

/// Real slots of the inputs.
#[derive(Clone, Debug)]
pub(crate) struct MotionSlots {
    orientation_input: OrientationInput,
    /// First of three.
    position: usize,
    /// Nine, four or three.
    orientation: Range<usize>,
    /// First of three.
    velocity: usize,
    /// First of three.
    angular_velocity: usize,
}

/// The motion that the inputs describe.
pub(crate) struct InputMotion {
    pub(crate) motion: Extrapolation,
    /// How far the orientation was from a rotation, where it had to be corrected.
    pub(crate) corrected_by: f64,
}

/// A small motion of F against E, resolved in M_e: of the origin of M_f, about it, and of both velocities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SmallMotion {
    pub(crate) translation: Vector,
    pub(crate) rotation: Vector,
    pub(crate) velocity: Vector,
    pub(crate) angular_velocity: Vector,
}

impl Default for SmallMotion {
    fn default() -> Self {
        let none = Vector::zeros();
        SmallMotion { translation: none, rotation: none, velocity: none, angular_velocity: none }
    }
}

/// What an input is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InputKind {
    Position,
    Orientation,
    Velocity,
}

impl MotionSlots {
    pub(crate) fn find(table: &VariableTable, orientation_input: OrientationInput) -> MotionSlots {
        let slot = |name: &str| table.find(name).expect("the table has the inputs").slot;
        let (first, count) = match orientation_input {
            OrientationInput::Matrix => (slot("relativeOrientation[1,1]"), 9),
            OrientationInput::Quaternion => (slot("relativeQuaternion[1]"), 4),
            OrientationInput::Cardan => (slot("relativeAngles[1]"), 3),
        };
        MotionSlots {
            orientation_input,
            position: slot("relativePosition[1]"),
            orientation: first..first + count,
            velocity: slot("relativeVelocity[1]"),
            angular_velocity: slot("relativeAngularVelocity[1]"),
        }
    }

    /// What the real in a slot is; none where it is no input.
    pub(crate) fn kind(&self, slot: usize) -> Option<InputKind> {
        let is_in = |first: usize| (first..first + 3).contains(&slot);
        match () {
            () if is_in(self.position) => Some(InputKind::Position),
            () if self.orientation.contains(&slot) => Some(InputKind::Orientation),
            () if is_in(self.velocity) || is_in(self.angular_velocity) => Some(InputKind::Velocity),
            () => None,
        }
    }

    /// The small motion that each input makes, per unit of it.
    pub(crate) fn small_motions(&self, values: &Values, rotation: &Rotation) -> Vec<(usize, SmallMotion)> {
        let mut motions = Vec::new();
        let none = SmallMotion::default();
        for axis in 0..3 {
            let mut unit = Vector::zeros();
            unit[axis] = 1.0;
            motions.push((self.position + axis, SmallMotion { translation: unit, ..none }));
            motions.push((self.velocity + axis, SmallMotion { velocity: unit, ..none }));
            motions.push((self.angular_velocity + axis, SmallMotion { angular_velocity: unit, ..none }));
        }
        let numbers = &values.reals[self.orientation.clone()];
        for (index, slot) in self.orientation.clone().enumerate() {
            let turn = turn_per_number(self.orientation_input, numbers, rotation, index);
            motions.push((slot, SmallMotion { rotation: turn, ..none }));
        }
        motions
    }

    /// Those of the velocities are accelerations; those of the pose say again what the velocities say.
    pub(crate) fn uses_derivative(&self, slot: usize) -> bool {
        [self.velocity, self.angular_velocity].iter().any(|first| (*first..first + 3).contains(&slot))
    }

    /// Checks what cannot be checked value by value.
    pub(crate) fn read(&self, values: &Values, input_derivatives: Option<&[f64]>) -> Result<InputMotion, Fault> {
        let vector = |numbers: &[f64], slot: usize| Vector::from_column_slice(&numbers[slot..slot + 3]);
        let orientation =
            orientation(self.orientation_input, &values.reals[self.orientation.clone()]).map_err(Fault::Refused)?;
        let pose = Pose::from_parts(vector(&values.reals, self.position).into(), orientation.rotation);
        let velocity = vector(&values.reals, self.velocity);
        let angular_velocity = vector(&values.reals, self.angular_velocity);
        let derivative = |slot| input_derivatives.map_or_else(Vector::zeros, |numbers| vector(numbers, slot));
        let motion = Extrapolation {
            start: RelativeMotion::new(pose, velocity, angular_velocity).map_err(refused_motion)?,
            acceleration_e: derivative(self.velocity),
            angular_acceleration_e: derivative(self.angular_velocity),
        };
        Ok(InputMotion { motion, corrected_by: orientation.corrected_by })
    }
}

impl InputMotion {
    pub(crate) fn warn_of_correction(&self, notes: &mut Notes) {
        let corrected_by = self.corrected_by;
        if corrected_by > 0.0 {
            notes.warn_once(Once::Projection, || {
                format!(
                    "the orientation is not quite a rotation (an entry of A^T A - I is {corrected_by:e}); it is \
                     replaced by the nearest one, here and from now on"
                )
            });
        }
    }
}

pub(crate) fn refused_motion(error: MotionError) -> Fault {
    Fault::Refused(format!("{error}; the extrapolated motion is beyond the range of numbers"))
}

/// Appends the inputs, with the pose of the configuration as start values; returns their positions.
pub(crate) fn push_inputs(table: &mut VariableTable, configuration: &Configuration) -> Inputs {
    let orientation = configuration.orientation;
    let start = configuration.pose.clone().unwrap_or(StartPose { position: [0.0; 3], orientation: Vec::new() });
    let mut turn = start.orientation_input(orientation).into_iter();
    let mut next = || turn.next().expect("a start value per input");
    let mut push = |name: &str, indices: String, meaning: &str, unit: &'static str, start: f64| {
        table.push(
            format!("{name}[{indices}]"),
            format!("{meaning} [{unit}]"),
            Kind::Real { unit, range: NumberRange::Finite },
            Causality::Input,
            Variability::Continuous,
            Some(Value::Real(start)),
        )
    };
    let mut pose = Vec::new();
    let mut velocities = Vec::new();
    for ((i, axis), position) in (1..).zip(["x", "y", "z"]).zip(start.position) {
        let meaning = format!("r_EF,{axis}: origin of M_f seen from M_e, resolved in M_e");
        pose.push(push("relativePosition", i.to_string(), &meaning, "m", position));
    }
    match orientation {
        OrientationInput::Matrix => {
            for (i, j) in (1..=3).flat_map(|i| (1..=3).map(move |j| (i, j))) {
                let meaning = format!("A_EF,{i}{j}: A_EF maps coordinates in M_f to coordinates in M_e");
                pose.push(push("relativeOrientation", format!("{i},{j}"), &meaning, "1", next()));
            }
        }
        OrientationInput::Quaternion => {
            for (i, part) in (1..).zip(["w", "x", "y", "z"]) {
                let meaning = format!("q_{part} of the unit quaternion of A_EF, which maps coordinates in M_f to M_e");
                pose.push(push("relativeQuaternion", i.to_string(), &meaning, "1", next()));
            }
        }
        OrientationInput::Cardan => {
            for ((i, angle), axis) in (1..).zip(["alpha", "beta", "gamma"]).zip(["x", "y", "z"]) {
                let meaning = format!("{angle}, turn about {axis}: A_EF = A_x(alpha) A_y(beta) A_z(gamma)");
                pose.push(push("relativeAngles", i.to_string(), &meaning, "rad", next()));
            }
        }
    }
    for (i, axis) in (1..).zip(["x", "y", "z"]) {
        let meaning = format!("v_EF,{axis}: time derivative of r_EF as seen from M_e, resolved in M_e");
        velocities.push(push("relativeVelocity", i.to_string(), &meaning, "m/s", 0.0));
    }
    for (i, axis) in (1..).zip(["x", "y", "z"]) {
        let meaning = format!("omega_EF,{axis}: angular velocity of M_f relative to M_e, resolved in M_e");
        velocities.push(push("relativeAngularVelocity", i.to_string(), &meaning, "rad/s", 0.0));
    }
    Inputs { pose, velocities }
}
