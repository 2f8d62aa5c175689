//! What an FMU offers, for its description.

/// What differs from FMU to FMU; the rest is the same for all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Whether it can be instantiated for Model Exchange; co-simulation is always there.
    pub model_exchange: bool,
    /// `providesDirectionalDerivative`, in both kinds.
    pub directional_derivatives: bool,
    /// `numberOfEventIndicators`.
    pub event_indicators: usize,
    /// `maxOutputDerivativeOrder` of co-simulation.
    pub output_derivative_order: u32,
}

/// Flags of `ModelExchange` that all FMUs share, in the order of the schema.
pub const MODEL_EXCHANGE_FLAGS: [(&str, bool); 6] = [
    ("needsExecutionTool", false),
    ("completedIntegratorStepNotNeeded", false),
    ("canBeInstantiatedOnlyOncePerProcess", false),
    ("canNotUseMemoryManagementFunctions", true),
    ("canGetAndSetFMUstate", true),
    ("canSerializeFMUstate", true),
];

/// Flags of `CoSimulation` that all FMUs share, in the order of the schema.
pub const CO_SIMULATION_FLAGS: [(&str, bool); 8] = [
    ("needsExecutionTool", false),
    ("canHandleVariableCommunicationStepSize", true),
    ("canInterpolateInputs", true),
    ("canRunAsynchronuously", false),
    ("canBeInstantiatedOnlyOncePerProcess", false),
    ("canNotUseMemoryManagementFunctions", true),
    ("canGetAndSetFMUstate", true),
    ("canSerializeFMUstate", true),
];
