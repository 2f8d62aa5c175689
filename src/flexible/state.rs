//! Everything of a flexible pair that time changes.

use std::ops::Range;

use super::error::FlexibleError;
use super::pair::FlexiblePair;

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
const ACCOUNT_LENGTH: usize = 4;

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

/// The energy account in J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Account {
    /// Stored energy when the account began; none before the first step.
    pub(super) reference: Option<f64>,
    /// Work of the motion since then.
    pub(super) work: f64,
    /// Lost in modal damping since then.
    pub(super) dissipated: f64,
}

impl Account {
    pub(super) fn load(layout: &StateLayout, numbers: &[f64]) -> Self {
        let [has_begun, reference, work, dissipated] =
            std::array::from_fn::<f64, ACCOUNT_LENGTH, _>(|k| numbers[layout.account + k]);
        Account { reference: (has_begun != 0.0).then_some(reference), work, dissipated }
    }

    pub(super) fn store(&self, layout: &StateLayout, numbers: &mut [f64]) {
        let has_begun = if self.reference.is_some() { 1.0 } else { 0.0 };
        let values = [has_begun, self.reference.unwrap_or(0.0), self.work, self.dissipated];
        numbers[layout.account..layout.account + ACCOUNT_LENGTH].copy_from_slice(&values);
    }
}
