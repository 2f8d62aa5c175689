//! The standard's state machine for co-simulation (FMI 2.0.4, 4.2.4): which call is allowed when.

use crate::fmu::{Fault, State};

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

    /// Refuses what the standard's state machine does not allow now.
    pub(crate) fn check(self, state: State) -> Result<(), Fault> {
        if self.allowed_in().contains(&state) {
            return Ok(());
        }
        let allowed: Vec<&str> = self.allowed_in().iter().map(|state| state.name()).collect();
        let allowed = if allowed.is_empty() {
            "never allowed, since steps are synchronous".to_owned()
        } else {
            format!("allowed in: {}", allowed.join(", "))
        };
        Err(Fault::Refused(format!("not allowed in the state \"{}\"; {allowed}", state.name())))
    }
}
