//! Where an instance is in its life.

/// Where an instance is in its life.
///
/// `stepInProgress`, `stepFailed` and `stepCanceled` of the standard do not occur: steps are
/// synchronous and never discarded. `fatal` does not either: a failure concerns one instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// After `fmi2Instantiate` or `fmi2Reset`.
    Instantiated,
    /// Between `fmi2EnterInitializationMode` and `fmi2ExitInitializationMode`.
    InitializationMode,
    /// At a communication point.
    StepComplete,
    /// After `fmi2Terminate`.
    Terminated,
    /// After an initialization or a step that failed; a reset or an earlier state leads out of it.
    Error,
}

impl State {
    /// Every state, in the order of an instance's life.
    pub const ALL: [State; 5] =
        [State::Instantiated, State::InitializationMode, State::StepComplete, State::Terminated, State::Error];

    /// The standard's name.
    pub fn name(self) -> &'static str {
        match self {
            State::Instantiated => "instantiated",
            State::InitializationMode => "initialization mode",
            State::StepComplete => "step complete",
            State::Terminated => "terminated",
            State::Error => "error",
        }
    }
}
