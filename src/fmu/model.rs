//! What an instance drives: a model behind the variables of its table.

use std::ops::Range;

use super::jacobian::{ExactColumn, Formula};
use super::messages::{LogCategory, Message};
use super::parts::{Part, Parts};
use super::state::Interface;
use super::values::Values;
use super::variables::VariableTable;
use crate::contact::RelativeMotion;
use crate::record::{Patches, RecordedBody};

/// Why a call did not do what was asked.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fault {
    /// The call was refused and changed nothing: the instance can go on.
    Refused(String),
    /// Initialization or a step failed: the instance is in the error state.
    Failed(String),
    /// The answer is not available.
    Discarded(String),
}

impl Fault {
    /// For callers that are no hosts.
    pub(crate) fn into_words(self) -> String {
        match self {
            Fault::Refused(text) | Fault::Failed(text) | Fault::Discarded(text) => text,
        }
    }

    /// Makes a refusal within initialization or a step the failure of it.
    pub(crate) fn into_failure(self) -> Fault {
        match self {
            Fault::Refused(text) => Fault::Failed(text),
            other => other,
        }
    }
}

/// A warning that is given once per run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Once {
    Projection = 1,
    Enclosed = 2,
    Border = 4,
    UnusedDerivative = 8,
    Time = 16,
    Defect = 32,
    Layer = 64,
    /// The first step has been looked at.
    Start = 128,
    Thickness = 256,
    Fallback = 512,
    Energy = 1024,
    Force = 2048,
}

/// What a call has to tell the host besides its result.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    /// Drained into the host's logger at the end of each call.
    pub(crate) messages: Vec<Message>,
    /// Bits of [`Once`]: part of the FMU state, so that a repeated run repeats its messages.
    pub(crate) given: u32,
}

impl Notes {
    pub(crate) fn event(&mut self, text: String) {
        self.messages.push(Message { category: LogCategory::Events, text });
    }

    pub(crate) fn event_once(&mut self, once: Once, text: impl FnOnce() -> String) {
        if self.given & once as u32 == 0 {
            self.given |= once as u32;
            self.event(text());
        }
    }

    pub(crate) fn warn(&mut self, text: String) {
        self.messages.push(Message { category: LogCategory::StatusWarning, text });
    }

    pub(crate) fn warn_once(&mut self, once: Once, text: impl FnOnce() -> String) {
        if self.given & once as u32 == 0 {
            self.given |= once as u32;
            self.warn(text());
        }
    }
}

/// A model: everything that it knows between calls is in its values, so that saving and restoring
/// them is saving and restoring the model.
pub(crate) trait Model: Send {
    /// The variables.
    fn table(&self) -> &VariableTable;

    /// Its name in the configuration.
    fn name(&self) -> &str;

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

    /// Refuses a kind that the model cannot serve.
    fn check_interface(&self, _interface: Interface) -> Result<(), String> {
        Ok(())
    }

    /// Real slots of the continuous states, in the order of the host's vector.
    fn states(&self) -> Range<usize> {
        0..0
    }

    /// Real slots of their time derivatives.
    fn state_derivatives(&self) -> Range<usize> {
        0..0
    }

    /// Takes over states, which are finite; after a fault the old ones are in place.
    fn set_states(&self, _states: &[f64], _values: &mut Values) -> Result<(), Fault> {
        Ok(())
    }

    /// Sizes that the states usually have.
    fn nominal_states(&self, _values: &Values) -> Vec<f64> {
        vec![1.0; self.states().len()]
    }

    /// Real slots of the event indicators.
    fn event_indicators(&self) -> Range<usize> {
        0..0
    }

    /// Seconds until something may happen that event indicators could miss; the event indicators are current.
    fn time_to_event(&self, _values: &Values) -> Option<f64> {
        None
    }

    /// What a user should hear of where the calculated values are current.
    fn notice(&self, _values: &Values, _notes: &mut Notes) {}

    /// Calculated values of the main part from inputs and parameters; after a fault they are as they were.
    fn evaluate(&mut self, values: &mut Values, notes: &mut Notes) -> Result<(), Fault>;

    /// The same at a communication point, where the host may apply what it reads to the step that comes; its size is
    /// expected to be `step_size` seconds.
    fn evaluate_for_step(&mut self, values: &mut Values, _step_size: f64, notes: &mut Notes) -> Result<(), Fault> {
        self.evaluate(values, notes)
    }

    /// Calculated values of another part, `offset` seconds after the inputs.
    fn evaluate_part(
        &mut self,
        _part: Part,
        _values: &mut Values,
        _input_derivatives: &[f64],
        _offset: f64,
    ) -> Result<(), Fault> {
        Ok(())
    }

    /// How the model finds the derivative of one real value by another; none where it has no formula for it.
    fn formula(&self, _values: &Values, _unknown: usize, _known: usize) -> Option<Formula> {
        None
    }

    /// Partial derivatives that go by a formula, at the inputs; what is missing there is found by differences.
    fn exact_derivatives(&mut self, _formula: Formula, _values: &Values) -> Result<Vec<ExactColumn>, Fault> {
        Ok(Vec::new())
    }

    /// By how much the real value in this slot is moved down and up for a difference.
    fn difference_steps(&self, slot: usize, values: &Values) -> Result<[f64; 2], Fault>;

    /// Calculated values after a step of `step_size` seconds that starts at the inputs;
    /// `input_derivatives` has one number per real slot, per second; `is_current` says that the
    /// calculated values already belong to the inputs. Returns how far from the inputs the
    /// outputs were evaluated, in seconds; none where they stay as they were.
    fn do_step(
        &mut self,
        values: &mut Values,
        input_derivatives: &[f64],
        step_size: f64,
        is_current: bool,
        notes: &mut Notes,
    ) -> Result<Option<f64>, Fault>;

    /// Time derivative of every real value of these parts along the extrapolated motion, `offset` seconds after the inputs.
    fn output_derivatives(
        &mut self,
        parts: Parts,
        values: &Values,
        input_derivatives: &[f64],
        offset: f64,
        last_step: f64,
    ) -> Result<Vec<f64>, Fault>;

    /// The bodies that a recording shows.
    fn recorded_bodies(&self) -> Vec<RecordedBody> {
        Vec::new()
    }

    /// Whether the inputs are the motion of one body relative to another.
    fn records_motion(&self) -> bool {
        false
    }

    /// The motion to which outputs belong that were evaluated `offset` seconds after the inputs.
    fn recorded_motion(&self, _values: &Values, _input_derivatives: &[f64], _offset: f64) -> Option<RelativeMotion> {
        None
    }

    /// The contact at a motion.
    fn recorded_patches(&mut self, _values: &Values, _motion: &RelativeMotion) -> Patches {
        Patches::default()
    }

    /// Drops memory that a panic may have left in disorder.
    fn recover(&mut self);
}
