//! One step in time.

use super::error::FlexibleError;
use super::outcome::StepOutcome;
use super::pair::FlexiblePair;
use super::parameters::FlexibleParameters;
use super::state::PairState;
use super::workspace::Workspace;
use crate::contact::{MotionError, RelativeMotion};

/// Most internal steps of one step: a mistyped internal step must not run for days.
pub const MOST_INTERNAL_STEPS: u32 = 10_000_000;

impl FlexiblePair {
    /// Integrates the modes over `step` seconds and returns the contact at its end and the mean wrench.
    ///
    /// `motion_at(t)` is the relative motion `t` seconds after the beginning of the step, 0 ≤ t ≤ `step`. After an
    /// error the state is as before.
    pub fn advance(
        &self,
        _parameters: &FlexibleParameters,
        _motion_at: &dyn Fn(f64) -> Result<RelativeMotion, MotionError>,
        _step: f64,
        _state: &mut PairState,
        _workspace: &mut Workspace,
    ) -> Result<StepOutcome, FlexibleError> {
        todo!()
    }
}
