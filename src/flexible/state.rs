//! Everything of a flexible pair that time changes.

use std::ops::Range;

use super::error::FlexibleError;
use super::pair::FlexiblePair;
use crate::math::{Matrix, Pose, Rotation, Vector, Wrench};

/// Modal coordinates and velocities of both bodies, the warm start of the equilibrium, and the energy account.
///
/// It is a list of numbers that can be stored; restoring them gives the same results bit for bit.
#[derive(Clone, Debug, PartialEq)]
pub struct PairState {
    numbers: Vec<f64>,
}

impl PairState {
    /// The state as numbers.
    pub fn as_numbers(&self) -> &[f64] {
        &self.numbers
    }

    /// The state of `pair` from its numbers.
    pub fn from_numbers(pair: &FlexiblePair, numbers: &[f64]) -> Result<Self, FlexibleError> {
        let mut state = pair.initial_state();
        state.copy_from_numbers(numbers)?;
        Ok(state)
    }

    /// Takes over the numbers of a state of the same pair, without new memory.
    pub fn copy_from_numbers(&mut self, numbers: &[f64]) -> Result<(), FlexibleError> {
        let expected = self.numbers.len();
        if numbers.len() != expected {
            return Err(FlexibleError::ForeignState { expected, found: numbers.len() });
        }
        if let Some(index) = numbers.iter().position(|x| !x.is_finite()) {
            return Err(FlexibleError::BadState { index });
        }
        self.numbers.copy_from_slice(numbers);
        Ok(())
    }

    /// Undeformed and at rest, with an empty energy account.
    pub(super) fn at_rest(layout: &StateLayout) -> Self {
        PairState { numbers: vec![0.0; layout.length] }
    }

    pub(super) fn numbers_mut(&mut self) -> &mut Vec<f64> {
        &mut self.numbers
    }
}

/// Where the numbers of one body are.
#[derive(Clone, Debug, Default)]
pub(super) struct BodyLayout {
    /// q_i of all modes, m·√kg.
    pub(super) coordinates: Range<usize>,
    /// Their velocities.
    pub(super) velocities: Range<usize>,
    /// Contact forces on the nodes in the frame of the body, x y z: the warm start.
    pub(super) forces: Range<usize>,
}

/// Where the numbers of a state are.
#[derive(Clone, Debug, Default)]
pub(super) struct StateLayout {
    pub(super) bodies: [BodyLayout; 2],
    /// First number of the energy account, see [`Account`].
    pub(super) account: usize,
    pub(super) length: usize,
}

/// Numbers of the energy account.
const ACCOUNT_LENGTH: usize = 22;

impl StateLayout {
    /// The layout for `(modes, nodes)` of both bodies; a rigid body has neither.
    pub(super) fn new(sizes: [(usize, usize); 2]) -> Self {
        let mut end = 0;
        let mut take = |count: usize| {
            end += count;
            end - count..end
        };
        let bodies = sizes.map(|(modes, nodes)| BodyLayout {
            coordinates: take(modes),
            velocities: take(modes),
            forces: take(3 * nodes),
        });
        let account = take(ACCOUNT_LENGTH).start;
        StateLayout { bodies, account, length: end }
    }
}

/// The energy account.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Account {
    /// Stored energy in J when the account began; none before the first step.
    pub(super) reference: Option<f64>,
    /// Work of the motion since then in J.
    pub(super) work: f64,
    /// Lost in modal damping since then in J.
    pub(super) dissipated: f64,
    /// Pose at the end of the last step. Hosts correct an extrapolated motion at communication points: what the jump
    /// does against the contact is work too.
    pub(super) pose_ef: Pose,
    /// Wrench on E about the origin of F at the end of the last step, in frame E.
    pub(super) on_e_at_f: Wrench,
}

impl Account {
    pub(super) fn load(layout: &StateLayout, numbers: &[f64]) -> Self {
        let numbers = &numbers[layout.account..layout.account + ACCOUNT_LENGTH];
        let vector = |first: usize| Vector::from_column_slice(&numbers[first..first + 3]);
        let rotation = Matrix::from_column_slice(&numbers[4..13]);
        Account {
            reference: (numbers[0] != 0.0).then_some(numbers[1]),
            work: numbers[2],
            dissipated: numbers[3],
            pose_ef: Pose::from_parts(vector(13).into(), Rotation::from_matrix_unchecked(rotation)),
            on_e_at_f: Wrench { force: vector(16), torque: vector(19) },
        }
    }

    pub(super) fn store(&self, layout: &StateLayout, numbers: &mut [f64]) {
        let numbers = &mut numbers[layout.account..layout.account + ACCOUNT_LENGTH];
        numbers[0] = if self.reference.is_some() { 1.0 } else { 0.0 };
        numbers[1] = self.reference.unwrap_or(0.0);
        numbers[2] = self.work;
        numbers[3] = self.dissipated;
        numbers[4..13].copy_from_slice(self.pose_ef.rotation.matrix().as_slice());
        numbers[13..16].copy_from_slice(self.pose_ef.translation.vector.as_slice());
        numbers[16..19].copy_from_slice(self.on_e_at_f.force.as_slice());
        numbers[19..22].copy_from_slice(self.on_e_at_f.torque.as_slice());
    }

    /// Adds the work of the motion to another pose against a contact, given by its wrench on E about the origin of F.
    pub(super) fn add_work(&mut self, on_e_at_f: &Wrench, before: &Pose, after: &Pose) {
        let moved = after.translation.vector - before.translation.vector;
        let turn = (after.rotation * before.rotation.inverse()).into_inner();
        let difference = turn - turn.transpose();
        // The axial vector of a small rotation.
        let turned = 0.5 * Vector::new(difference[(2, 1)], difference[(0, 2)], difference[(1, 0)]);
        self.work += on_e_at_f.force.dot(&moved) + on_e_at_f.torque.dot(&turned);
    }
}
