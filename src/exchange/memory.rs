//! What the exchange remembers from step to step, as numbers that can be saved.

use super::Six;
use super::identification::{self, Identification, Prior};
use crate::math::{Matrix, Pose, Rotation, Vector};

/// Numbers apart from the identification.
const OTHERS: usize = 1 + 12 + 6 + 2 + 3 * WrenchOfStep::NUMBERS + 10 + STATEMENT + 5;

/// Numbers that a user can state of both bodies.
pub(super) const STATEMENT: usize = 14;

/// Numbers of a memory.
pub(super) const NUMBERS: usize = OTHERS + 2 * identification::NUMBERS;

/// Where it is written whether the contact ends open.
const ENDS_APART: usize = 1 + 12 + 6 + 2 + 3 * WrenchOfStep::NUMBERS + 1;

/// Whether the last step was expected to end with an open contact; numbers are those of a memory.
pub(super) fn is_apart(numbers: &[f64]) -> bool {
    numbers.len() == NUMBERS && numbers[ENDS_APART] == 1.0
}

/// A wrench that was handed out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct WrenchOfStep {
    pub(super) wrench: Six,
    /// What damping and friction were to take over the step, in J.
    pub(super) dissipated: f64,
}

impl WrenchOfStep {
    const NUMBERS: usize = 7;
}

/// What a step is expected to do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Plan {
    pub(super) returned: WrenchOfStep,
    pub(super) ends_apart: bool,
    /// How far the contact oscillates within the step, in rad.
    pub(super) phase: f64,
    /// Energy that the exchange had put in, in J.
    pub(super) error: f64,
    /// Elastic energy where the step starts, in J.
    pub(super) stored: f64,
}

/// What was read after the inputs were set, before the step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Pending {
    pub(super) is_valid: bool,
    pub(super) plan: Plan,
}

/// Everything that the exchange knows of the host between two steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// Steps that were seen.
    pub(super) steps: f64,
    /// The inputs of the last step.
    pub(super) pose: Pose,
    pub(super) twist: Six,
    pub(super) step_size: f64,
    /// The longest step of late.
    pub(super) longest_step: f64,
    /// Handed out by the last step, and by the one before.
    pub(super) last: [WrenchOfStep; 2],
    /// How much likelier it is that a wrench acts a step later: twice the logarithm of the ratio.
    pub(super) delay: f64,
    pub(super) ends_apart: bool,
    /// How far the contact has oscillated since it touched, in rad.
    pub(super) phase: f64,
    /// Most energy that the contact has stored since it touched, in J.
    pub(super) most_stored: f64,
    /// Work of the contact on the bodies with what damping and friction took, over all steps and until the present touch.
    /// If wrenches act over the step that returns them, and if over the one after.
    pub(super) work: [f64; 2],
    pub(super) work_before_touch: [f64; 2],
    /// What damping and friction have taken since the present touch, likewise.
    pub(super) taken: [f64; 2],
    /// What the user states of the bodies, as far as it was taken over.
    pub(super) statement: [f64; STATEMENT],
    pub(super) pending: Pending,
    /// If wrenches act over the step that returns them, and if over the one after.
    pub(super) identifications: [Identification; 2],
}

impl Memory {
    pub(super) fn new(prior: &Prior) -> Memory {
        Memory {
            steps: 0.0,
            pose: Pose::identity(),
            twist: Six::zeros(),
            step_size: 0.0,
            longest_step: 0.0,
            last: [WrenchOfStep::default(); 2],
            delay: super::step::FIRST_DELAY,
            ends_apart: false,
            phase: 0.0,
            most_stored: 0.0,
            work: [0.0; 2],
            work_before_touch: [0.0; 2],
            taken: [0.0; 2],
            statement: [0.0; STATEMENT],
            pending: Pending::default(),
            identifications: [Identification::new(prior), Identification::new(prior)],
        }
    }

    pub(super) fn write(&self, numbers: &mut Vec<f64>) {
        let flag = |flag: bool| if flag { 1.0 } else { 0.0 };
        numbers.clear();
        numbers.push(self.steps);
        numbers.extend(self.pose.translation.vector.iter());
        numbers.extend(self.pose.rotation.matrix().iter());
        numbers.extend(self.twist.iter());
        numbers.extend([self.step_size, self.longest_step]);
        for WrenchOfStep { wrench, dissipated } in self.last.iter().chain([&self.pending.plan.returned]) {
            numbers.extend(wrench.iter());
            numbers.push(*dissipated);
        }
        numbers.extend([self.delay, flag(self.ends_apart), self.phase, self.most_stored]);
        numbers.extend(self.work.iter().chain(&self.work_before_touch).chain(&self.taken));
        numbers.extend(self.statement);
        let Plan { ends_apart, phase, error, stored, .. } = self.pending.plan;
        numbers.extend([flag(self.pending.is_valid), flag(ends_apart), phase, error, stored]);
        self.identifications.iter().for_each(|identification| identification.write(numbers));
    }

    /// Takes over numbers that [`Memory::write`] wrote; others are refused.
    pub(super) fn read(&mut self, numbers: &[f64]) -> bool {
        if numbers.len() != NUMBERS {
            return false;
        }
        let mut rest = numbers.iter();
        let mut next = || rest.next().copied().unwrap_or_default();
        self.steps = next();
        let translation = Vector::from_fn(|_, _| next());
        let rotation =
            Rotation::from_matrix_unchecked(Matrix::from_iterator(std::iter::repeat_with(&mut next).take(9)));
        self.pose = Pose::from_parts(translation.into(), rotation);
        self.twist = Six::from_fn(|_, _| next());
        self.step_size = next();
        self.longest_step = next();
        for WrenchOfStep { wrench, dissipated } in self.last.iter_mut().chain([&mut self.pending.plan.returned]) {
            *wrench = Six::from_fn(|_, _| next());
            *dissipated = next();
        }
        self.delay = next();
        self.ends_apart = next() != 0.0;
        self.phase = next();
        self.most_stored = next();
        self.work = [next(), next()];
        self.work_before_touch = [next(), next()];
        self.taken = [next(), next()];
        self.statement = std::array::from_fn(|_| next());
        self.pending.is_valid = next() != 0.0;
        self.pending.plan.ends_apart = next() != 0.0;
        self.pending.plan.phase = next();
        self.pending.plan.error = next();
        self.pending.plan.stored = next();
        self.identifications.iter_mut().for_each(|identification| identification.read(&mut next));
        true
    }
}
