//! What an instance drives: a model behind the variables of its table.

use super::logger::{LogCategory, Message};
use super::types::fmi2Status;
use super::values::Values;
use super::variables::VariableTable;

/// Why a call did not do what was asked.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Fault {
    /// The call was refused and changed nothing: `fmi2Error`, the instance can go on.
    Refused(String),
    /// Initialization or a step failed: `fmi2Error`, the instance is in the error state.
    Failed(String),
    /// The answer is not available: `fmi2Discard`.
    Discarded(String),
}

impl Fault {
    /// Makes a refusal within initialization or a step the failure of it.
    pub(super) fn into_failure(self) -> Fault {
        match self {
            Fault::Refused(text) => Fault::Failed(text),
            other => other,
        }
    }
}

/// A warning that is given once per run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Once {
    Projection = 1,
    Enclosed = 2,
    Border = 4,
    UnusedDerivative = 8,
    Time = 16,
    Defect = 32,
    Layer = 64,
    /// The first step has been looked at.
    Start = 128,
}

/// What a call has to tell the host besides its result.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes {
    /// Drained into the host's logger at the end of each call.
    pub(super) messages: Vec<Message>,
    /// Bits of [`Once`]: part of the FMU state, so that a repeated run repeats its messages.
    pub(super) given: u32,
}

impl Notes {
    pub(super) fn event(&mut self, text: String) {
        self.messages.push(Message { status: fmi2Status::fmi2OK, category: LogCategory::Events, text });
    }

    pub(super) fn event_once(&mut self, once: Once, text: impl FnOnce() -> String) {
        if self.given & once as u32 == 0 {
            self.given |= once as u32;
            self.event(text());
        }
    }

    pub(super) fn warn(&mut self, text: String) {
        self.messages.push(Message { status: fmi2Status::fmi2Warning, category: LogCategory::StatusWarning, text });
    }

    pub(super) fn warn_once(&mut self, once: Once, text: impl FnOnce() -> String) {
        if self.given & once as u32 == 0 {
            self.given |= once as u32;
            self.warn(text());
        }
    }
}

/// A model: everything that it knows between calls is in its values, so that saving and restoring
/// them is saving and restoring the model.
pub(super) trait Model: Send {
    /// The variables.
    fn table(&self) -> &VariableTable;

    /// Tells models and their resources apart.
    fn guid(&self) -> &str;

    /// Reads the files that the values name; a second call with the same files does not read them
    /// again. With a digest, other files than those of the digest are refused. After a fault the
    /// files read before stay in place.
    fn prepare(&mut self, values: &Values, digest: Option<&[u8; 32]>, notes: &mut Notes) -> Result<(), Fault>;

    /// Checks the parameters, as every evaluation does.
    fn check_parameters(&self, values: &Values) -> Result<(), Fault>;

    /// Hash of the files that are in place.
    fn files_digest(&self) -> [u8; 32];

    /// Whether the first derivative of the real input in this slot is used.
    fn uses_input_derivative(&self, slot: usize) -> bool;

    /// Calculated values from inputs and parameters; after a fault they are as they were.
    fn evaluate(&mut self, values: &mut Values, notes: &mut Notes) -> Result<(), Fault>;

    /// Calculated values after a step of `step_size` seconds that starts at the inputs;
    /// `input_derivatives` has one number per real slot, per second; `is_current` says that the
    /// calculated values already belong to the inputs. Returns how far from the inputs the
    /// outputs were evaluated, in seconds.
    fn do_step(
        &mut self,
        values: &mut Values,
        input_derivatives: &[f64],
        step_size: f64,
        is_current: bool,
        notes: &mut Notes,
    ) -> Result<f64, Fault>;

    /// Time derivative of every real value along the extrapolated motion, `offset` seconds after the inputs.
    fn output_derivatives(
        &mut self,
        values: &Values,
        input_derivatives: &[f64],
        offset: f64,
        last_step: f64,
    ) -> Result<Vec<f64>, Fault>;

    /// Drops memory that a panic may have left in disorder.
    fn recover(&mut self);
}
