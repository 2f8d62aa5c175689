//! What an instance is for, and where it is in its life.

/// Who integrates: the host, or the FMU itself from one communication point to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interface {
    /// The host sets inputs and states at any time and asks for outputs, derivatives and event indicators.
    ModelExchange,
    /// The host asks for steps.
    CoSimulation,
}

impl Interface {
    /// Both kinds, in the order of their numbers in the standard.
    pub const ALL: [Interface; 2] = [Interface::ModelExchange, Interface::CoSimulation];

    /// For messages.
    pub fn name(self) -> &'static str {
        match self {
            Interface::ModelExchange => "Model Exchange",
            Interface::CoSimulation => "co-simulation",
        }
    }
}

/// Where an instance is in its life.
///
/// `stepInProgress`, `stepFailed` and `stepCanceled` of the standard do not occur: steps are synchronous, and one that
/// fails is discarded or refused at once, with the instance where it was. `fatal` does not occur either: a failure
/// concerns one instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// After `fmi2Instantiate` or `fmi2Reset`.
    Instantiated,
    /// Between `fmi2EnterInitializationMode` and `fmi2ExitInitializationMode`.
    InitializationMode,
    /// At a communication point; co-simulation only.
    StepComplete,
    /// Where discrete values may change; Model Exchange only.
    EventMode,
    /// While the host integrates; Model Exchange only.
    ContinuousTimeMode,
    /// After `fmi2Terminate`.
    Terminated,
    /// After an initialization or a step that failed; a reset or an earlier state leads out of it.
    Error,
}

impl State {
    /// Every state, in the order of an instance's life.
    pub const ALL: [State; 7] = [
        State::Instantiated,
        State::InitializationMode,
        State::StepComplete,
        State::EventMode,
        State::ContinuousTimeMode,
        State::Terminated,
        State::Error,
    ];

    /// The standard's name.
    pub fn name(self) -> &'static str {
        match self {
            State::Instantiated => "instantiated",
            State::InitializationMode => "initialization mode",
            State::StepComplete => "step complete",
            State::EventMode => "event mode",
            State::ContinuousTimeMode => "continuous-time mode",
            State::Terminated => "terminated",
            State::Error => "error",
        }
    }

    /// Whether instances of this kind get there.
    pub fn exists_in(self, interface: Interface) -> bool {
        match self {
            State::StepComplete => interface == Interface::CoSimulation,
            State::EventMode | State::ContinuousTimeMode => interface == Interface::ModelExchange,
            State::Instantiated | State::InitializationMode | State::Terminated | State::Error => true,
        }
    }

    /// Whether initialization is over and the run goes on.
    pub(crate) fn is_running(self) -> bool {
        matches!(self, State::StepComplete | State::EventMode | State::ContinuousTimeMode)
    }
}
