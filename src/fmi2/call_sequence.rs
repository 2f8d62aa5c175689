//! The standard's state machines for Model Exchange and co-simulation (FMI 2.0.4, 3.2.3 and 4.2.4): which call is
//! allowed when.

use crate::fmu::{Fault, Interface, State};

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
    EnterEventMode,
    NewDiscreteStates,
    EnterContinuousTimeMode,
    CompletedIntegratorStep,
    SetTime,
    SetContinuousStates,
    GetDerivatives,
    GetEventIndicators,
    GetContinuousStates,
    GetNominalsOfContinuousStates,
}

impl Call {
    /// In which states the standard allows the call.
    ///
    /// `GetReal` and its like are allowed after an error too: the values are those of the last
    /// good evaluation.
    pub fn allowed_in(self) -> &'static [State] {
        use State::*;
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
            Call::Terminate => &[StepComplete, EventMode, ContinuousTimeMode],
            Call::DoStep => &[StepComplete],
            Call::GetReal | Call::GetInteger | Call::GetBoolean | Call::GetString => {
                &[InitializationMode, StepComplete, EventMode, ContinuousTimeMode, Terminated, Error]
            }
            // After a failure there are last good values, but nothing to differentiate.
            Call::GetDirectionalDerivative => {
                &[InitializationMode, StepComplete, EventMode, ContinuousTimeMode, Terminated]
            }
            // In continuous-time mode only inputs change; discrete values that stay as they are may be set again.
            Call::SetReal | Call::SetInteger | Call::SetBoolean | Call::SetString => {
                &[Instantiated, InitializationMode, StepComplete, EventMode, ContinuousTimeMode]
            }
            Call::SetRealInputDerivatives => &[Instantiated, InitializationMode, StepComplete],
            Call::GetRealOutputDerivatives => &[StepComplete, Terminated, Error],
            // Only a step in progress can be cancelled, and steps here are synchronous.
            Call::CancelStep => &[],
            Call::GetStatus
            | Call::GetRealStatus
            | Call::GetIntegerStatus
            | Call::GetBooleanStatus
            | Call::GetStringStatus => &[StepComplete, Terminated],
            Call::EnterEventMode => &[EventMode, ContinuousTimeMode],
            Call::NewDiscreteStates | Call::EnterContinuousTimeMode => &[EventMode],
            Call::SetTime => &[EventMode, ContinuousTimeMode],
            Call::CompletedIntegratorStep | Call::SetContinuousStates => &[ContinuousTimeMode],
            Call::GetDerivatives
            | Call::GetEventIndicators
            | Call::GetContinuousStates
            | Call::GetNominalsOfContinuousStates => {
                &[InitializationMode, EventMode, ContinuousTimeMode, Terminated, Error]
            }
        }
    }

    /// The kind of FMU that alone has this function; none where both have it.
    pub fn interface(self) -> Option<Interface> {
        match self {
            Call::DoStep
            | Call::CancelStep
            | Call::SetRealInputDerivatives
            | Call::GetRealOutputDerivatives
            | Call::GetStatus
            | Call::GetRealStatus
            | Call::GetIntegerStatus
            | Call::GetBooleanStatus
            | Call::GetStringStatus => Some(Interface::CoSimulation),
            Call::EnterEventMode
            | Call::NewDiscreteStates
            | Call::EnterContinuousTimeMode
            | Call::CompletedIntegratorStep
            | Call::SetTime
            | Call::SetContinuousStates
            | Call::GetDerivatives
            | Call::GetEventIndicators
            | Call::GetContinuousStates
            | Call::GetNominalsOfContinuousStates => Some(Interface::ModelExchange),
            _ => None,
        }
    }

    /// The name of the C function.
    pub fn function(self) -> String {
        format!("fmi2{self:?}")
    }

    /// Refuses what the standard's state machine does not allow now.
    pub(crate) fn check(self, state: State, interface: Interface) -> Result<(), Fault> {
        if let Some(of) = self.interface()
            && of != interface
        {
            let (of, interface) = (of.name(), interface.name());
            return Err(Fault::Refused(format!("a function of {of}, but the instance was made for {interface}")));
        }
        if self.allowed_in().contains(&state) {
            return Ok(());
        }
        let allowed = self.allowed_in().iter().filter(|state| state.exists_in(interface));
        let allowed: Vec<&str> = allowed.map(|state| state.name()).collect();
        let allowed = if allowed.is_empty() {
            "never allowed, since steps are synchronous".to_owned()
        } else {
            format!("allowed in: {}", allowed.join(", "))
        };
        Err(Fault::Refused(format!("not allowed in the state \"{}\"; {allowed}", state.name())))
    }
}
