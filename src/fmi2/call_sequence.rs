//! The standard's state machine for co-simulation (FMI 2.0.4, 4.2.4): which call is allowed when.

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

/// The functions that work on an instance.
#[allow(missing_docs, reason = "the names and meanings are the standard's")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    SetDebugLogging,
    FreeInstance,
    SetupExperiment,
    EnterInitializationMode,
    ExitInitializationMode,
    Terminate,
    Reset,
    GetReal,
    GetInteger,
    GetBoolean,
    GetString,
    SetReal,
    SetInteger,
    SetBoolean,
    SetString,
    GetFMUstate,
    SetFMUstate,
    FreeFMUstate,
    SerializedFMUstateSize,
    SerializeFMUstate,
    DeSerializeFMUstate,
    GetDirectionalDerivative,
    SetRealInputDerivatives,
    GetRealOutputDerivatives,
    DoStep,
    CancelStep,
    GetStatus,
    GetRealStatus,
    GetIntegerStatus,
    GetBooleanStatus,
    GetStringStatus,
}

impl Call {
    /// In which states the standard allows the call.
    ///
    /// `GetReal` and its like are allowed after an error too: the values are those of the last
    /// good evaluation.
    pub fn allowed_in(self) -> &'static [State] {
        use State::{Error, InitializationMode, Instantiated, StepComplete, Terminated};
        match self {
            Call::SetDebugLogging
            | Call::FreeInstance
            | Call::Reset
            | Call::GetFMUstate
            | Call::SetFMUstate
            | Call::FreeFMUstate
            | Call::SerializedFMUstateSize
            | Call::SerializeFMUstate
            | Call::DeSerializeFMUstate => &State::ALL,
            Call::SetupExperiment | Call::EnterInitializationMode => &[Instantiated],
            Call::ExitInitializationMode => &[InitializationMode],
            Call::Terminate | Call::DoStep => &[StepComplete],
            Call::GetReal | Call::GetInteger | Call::GetBoolean | Call::GetString | Call::GetDirectionalDerivative => {
                &[InitializationMode, StepComplete, Terminated, Error]
            }
            Call::SetReal | Call::SetInteger | Call::SetBoolean | Call::SetString | Call::SetRealInputDerivatives => {
                &[Instantiated, InitializationMode, StepComplete]
            }
            Call::GetRealOutputDerivatives => &[StepComplete, Terminated, Error],
            // Only a step in progress can be cancelled, and steps here are synchronous.
            Call::CancelStep => &[],
            Call::GetStatus
            | Call::GetRealStatus
            | Call::GetIntegerStatus
            | Call::GetBooleanStatus
            | Call::GetStringStatus => &[StepComplete, Terminated],
        }
    }

    /// The name of the C function.
    pub fn function(self) -> String {
        format!("fmi2{self:?}")
    }
}
