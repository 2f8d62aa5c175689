//! The memory of bristles in the FMU: continuous states in Model Exchange, and in co-simulation the pose at which all
//! bristles would be straight, which advances in steps only.

use std::ops::Range;

use crate::configuration::NumberRange;
use crate::contact::{BristleMemory, Deflection, Grip, Outcome, RelativeMotion};
use crate::fmu::values::Values;
use crate::fmu::variables::{Causality, Kind, Variability, VariableTable};
use crate::math::{Matrix, Pose, Rotation, Vector};

/// Continuous states: deflection, its rotation, energy; and two that nothing depends on, slip distance and friction work,
/// which are integrals along the way and follow from nothing else.
pub(crate) const STATES: usize = 9;

/// Where the others begin.
const ENERGY: usize = 6;
const LOSSES: usize = 7;

/// Sizes that they usually have: a bristle slips at about a micrometre.
pub(crate) const NOMINAL_STATES: [f64; STATES] = [1e-6, 1e-6, 1e-6, 1e-5, 1e-5, 1e-5, 1e-4, 1e-3, 1e-3];

/// Differences by them.
pub(crate) const STATE_DIFFERENCES: [f64; STATES] = [1e-10, 1e-10, 1e-10, 1e-9, 1e-9, 1e-9, 1e-8, 1e-6, 1e-6];

/// Numbers of one memory: whether there is a pose, the pose, slip distance, friction work, energy, capacity, deflection.
const MEMORY_NUMBERS: usize = 23;

/// The memory at the last communication point, the one that the next step will start with, and the power of dampers.
const ALL_NUMBERS: usize = 2 * MEMORY_NUMBERS + 1;

/// Appends the states and then their derivatives; returns the position of the first of both.
pub(crate) fn push_states(table: &mut VariableTable) -> usize {
    let first = table.variables().len();
    let axes = |name: &str, meaning: &str| {
        (1..)
            .zip(["x", "y", "z"])
            .map(|(i, axis)| (format!("{name}[{i}]"), format!("{meaning}, {axis}")))
            .take(3)
            .collect()
    };
    type Named = Vec<(String, String)>;
    let groups: [(Named, &'static str, &'static str); 5] = [
        (axes("deflection", "Deflection z of bristles at the origin of M_e, resolved in M_e"), "m", "m/s"),
        (axes("deflectionRotation", "Rotation of the deflection of bristles, resolved in M_e"), "rad", "rad/s"),
        (vec![("bristleEnergy".to_owned(), "Energy that bristles were given and have not lost".to_owned())], "J", "W"),
        (vec![("slipDistance".to_owned(), "Way s by which bristles have slipped".to_owned())], "m", "m/s"),
        (vec![("frictionWork".to_owned(), "Work W that friction has taken".to_owned())], "J", "W"),
    ];
    for is_derivative in [false, true] {
        for (components, unit, unit_per_time) in &groups {
            for (name, meaning) in components {
                let (name, meaning, unit) = match is_derivative {
                    false => (format!("state.{name}"), meaning.clone(), *unit),
                    true => (format!("der(state.{name})"), format!("Time derivative of: {meaning}"), *unit_per_time),
                };
                let kind = Kind::Real { unit, range: NumberRange::Finite };
                table.push(name, format!("{meaning} [{unit}]"), kind, Causality::Local, Variability::Continuous, None);
            }
        }
    }
    first
}

/// What an instance remembers of bristles.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Bristles {
    /// Nothing has stepped yet: what the continuous states say. So it stays in Model Exchange.
    States { deflection: Deflection, energy: f64, slip_distance: f64, friction_work: f64 },
    /// At the last communication point.
    Memory(BristleMemory),
}

impl Bristles {
    /// Of the values of an instance, with the real slots of the states.
    pub(crate) fn read(values: &Values, states: Range<usize>) -> Self {
        match values.memory.len() == ALL_NUMBERS {
            true => Bristles::Memory(memory_of(&values.memory[..MEMORY_NUMBERS])),
            false => {
                let states = &values.reals[states];
                let deflection = Deflection::from_numbers(std::array::from_fn(|k| states[k]));
                let [slip_distance, friction_work] = [states[LOSSES], states[LOSSES + 1]];
                Bristles::States { deflection, energy: states[ENERGY], slip_distance, friction_work }
            }
        }
    }

    /// What bristles were given and have not lost, in J.
    fn energy(&self) -> f64 {
        match self {
            Bristles::States { energy, .. } => *energy,
            Bristles::Memory(memory) => memory.energy,
        }
    }

    /// Writes deflection and rates to the states and their derivatives, which begin in the real slot `first`.
    pub(crate) fn store_states(&self, motion: &RelativeMotion, outcome: &Outcome, first: usize, values: &mut Values) {
        let energy = self.energy();
        let rate = outcome.grip.rate(motion, energy);
        let states = motion.deflection().to_numbers().into_iter();
        let states = states.chain([energy, outcome.slip_distance, outcome.friction_work]);
        let power = rate.loss + outcome.grip.viscous_power;
        let rates = rate.deflection.to_numbers().into_iter().chain([rate.energy, rate.slip, power]);
        let slots = values.reals[first..first + 2 * STATES].iter_mut();
        slots.zip(states.chain(rates)).for_each(|(slot, number)| *slot = number);
    }

    /// A motion with the deflection that bristles have there.
    pub(crate) fn recall(&self, motion: &RelativeMotion) -> RelativeMotion {
        let recalled = match self {
            Bristles::States { deflection, .. } => motion.with_deflection(*deflection),
            Bristles::Memory(memory) => memory.recall(motion),
        };
        // Poses beyond all numbers: forces are not finite either.
        recalled.unwrap_or(*motion)
    }

    /// The memory at the last communication point, if nothing was in contact there.
    pub(crate) fn of_nothing(&self) -> Option<BristleMemory> {
        match self {
            Bristles::Memory(memory) if memory.straight_ef.is_none() => Some(*memory),
            _ => None,
        }
    }

    /// Whether the deflection follows the pose.
    pub(crate) fn follows_pose(&self) -> bool {
        matches!(self, Bristles::Memory(BristleMemory { straight_ef: Some(_), .. }))
    }

    /// The memory once the pose is reached from which a step starts; `grip` is that of the step.
    pub(crate) fn advanced(&self, pose_ef: &Pose, grip: &Grip) -> BristleMemory {
        match self {
            Bristles::Memory(memory) => memory.advanced(pose_ef, grip),
            Bristles::States { .. } => BristleMemory::default().advanced(pose_ef, grip),
        }
    }

    /// Completes an outcome at a pose with what has been lost until there; returns the memory there.
    pub(crate) fn complete(&self, pose_ef: &Pose, outcome: &mut Outcome) -> BristleMemory {
        let next = self.advanced(pose_ef, &outcome.grip);
        let energy;
        (outcome.slip_distance, outcome.friction_work, energy) = match self {
            Bristles::States { slip_distance, friction_work, energy, .. } => (*slip_distance, *friction_work, *energy),
            Bristles::Memory(_) => (next.slip_distance, next.friction_work, next.energy),
        };
        outcome.elastic_energy = energy + outcome.layer_energy.unwrap_or(0.0);
        outcome.grip.stored = energy;
        next
    }
}

/// Keeps what the next step will start with, if it starts at this pose.
pub(crate) fn foresee(next: &BristleMemory, viscous_power: f64, values: &mut Values) {
    if values.memory.len() == ALL_NUMBERS {
        values.memory[MEMORY_NUMBERS..2 * MEMORY_NUMBERS].copy_from_slice(&numbers_of(next));
        values.memory[2 * MEMORY_NUMBERS] = viscous_power;
    }
}

/// Whether it is known what the next step starts with.
pub(crate) fn is_foreseen(values: &Values) -> bool {
    values.memory.len() == ALL_NUMBERS
}

/// Starts a step: the memory becomes the one that was foreseen, and dampers take their part.
pub(crate) fn start_step(values: &mut Values, step_size: f64) {
    if let Some(next) = values.memory.get(MEMORY_NUMBERS..2 * MEMORY_NUMBERS) {
        let mut next = memory_of(next);
        next.friction_work += values.memory[2 * MEMORY_NUMBERS] * step_size;
        keep(&next, values);
    }
}

/// Starts a step with a memory.
pub(crate) fn start_step_with(mut next: BristleMemory, viscous_power: f64, values: &mut Values, step_size: f64) {
    next.friction_work += viscous_power * step_size;
    values.memory.resize(ALL_NUMBERS, 0.0);
    values.memory[2 * MEMORY_NUMBERS] = viscous_power;
    keep(&next, values);
}

fn keep(memory: &BristleMemory, values: &mut Values) {
    let numbers = numbers_of(memory);
    values.memory[..MEMORY_NUMBERS].copy_from_slice(&numbers);
    values.memory[MEMORY_NUMBERS..2 * MEMORY_NUMBERS].copy_from_slice(&numbers);
}

fn numbers_of(memory: &BristleMemory) -> [f64; MEMORY_NUMBERS] {
    let mut numbers = [0.0; MEMORY_NUMBERS];
    if let Some(pose) = &memory.straight_ef {
        numbers[0] = 1.0;
        numbers[1..4].copy_from_slice(pose.translation.vector.as_slice());
        numbers[4..13].copy_from_slice(pose.rotation.matrix().as_slice());
    }
    numbers[13] = memory.slip_distance;
    numbers[14] = memory.friction_work;
    numbers[15] = memory.energy;
    numbers[16] = memory.capacity;
    numbers[17..].copy_from_slice(&memory.deflection.to_numbers());
    numbers
}

fn memory_of(numbers: &[f64]) -> BristleMemory {
    let pose = || {
        let rotation = Rotation::from_matrix_unchecked(Matrix::from_column_slice(&numbers[4..13]));
        Pose::from_parts(Vector::from_column_slice(&numbers[1..4]).into(), rotation)
    };
    BristleMemory {
        straight_ef: (numbers[0] == 1.0).then(pose),
        slip_distance: numbers[13],
        friction_work: numbers[14],
        energy: numbers[15],
        capacity: numbers[16],
        deflection: Deflection::from_numbers(std::array::from_fn(|k| numbers[17 + k])),
    }
}
