//! Two bodies that can touch.

use super::body::Body;
use super::error::{FlexibleError, PairError};
use super::outcome::FlexibleOutcome;
use super::parameters::FlexibleParameters;
use super::state::{PairState, StateLayout};
use super::workspace::Workspace;
use crate::contact::RelativeMotion;

/// Two bodies ready for contact, at least one of them flexible; immutable, so instances can share it.
#[derive(Debug)]
pub struct FlexiblePair {
    layout: StateLayout,
}

impl FlexiblePair {
    /// Prepares the bodies.
    pub fn new(_e: Body, _f: Body) -> Result<Self, PairError> {
        todo!()
    }

    /// Undeformed and at rest; the energy account begins with the first step.
    pub fn initial_state(&self) -> PairState {
        PairState::at_rest(&self.layout)
    }

    /// Evaluates the contact at the modal coordinates of `state`.
    ///
    /// The result depends on the arguments only, bit for bit; `workspace` lends memory.
    pub fn evaluate(
        &self,
        _parameters: &FlexibleParameters,
        _motion: &RelativeMotion,
        _state: &PairState,
        _workspace: &mut Workspace,
    ) -> Result<FlexibleOutcome, FlexibleError> {
        todo!()
    }

    pub(super) fn layout(&self) -> &StateLayout {
        &self.layout
    }
}
