//! The host boundary: FMI 2.0 for Co-Simulation.
//!
//! A call travels `c_api` (raw pointers, handles, panics) → `instance` (call sequence, values,
//! when to evaluate) → `model` (what to compute). [`contact_variables()`] is the one table that
//! getters, setters and `modelDescription.xml` share; [`free_body_variables()`] is that of a rigid body. Nothing in here knows triangles.

pub mod c_api;
mod call_sequence;
mod contact_enumerations;
mod contact_model;
mod contact_outputs;
mod contact_variables;
mod flexible_enumerations;
mod flexible_model;
mod flexible_outputs;
mod flexible_variables;
mod fmu_state;
mod free_body_model;
mod free_body_variables;
mod guid;
mod instance;
mod instantiation;
mod logger;
mod model;
mod motion_inputs;
mod orientation;
mod outputs;
mod parameter_variables;
mod registry;
mod resource_location;
mod step_output;
mod surface_file;
mod surface_source;
pub mod types;
mod units;
mod values;
mod variables;

pub use call_sequence::{Call, State};
pub use contact_enumerations::{ELEMENT_SCHEMES, METHODS, STEP_OUTPUTS};
pub use contact_variables::{CAPABILITIES, MODEL_IDENTIFIER, contact_variables, max_output_derivative_order};
pub use free_body_variables::{FREE_BODY_IDENTIFIER, FREE_BODY_OUTPUT_DERIVATIVE_ORDER, free_body_variables};
pub use guid::{GuidError, free_body_guid, free_body_guid_of_folder, guid, guid_of_folder};
pub use logger::{LOG_CATEGORIES, LogCategory};
pub use resource_location::{ResourceLocationError, resource_folder};
pub use units::{UNITS, Unit};
pub use values::Value;
pub use variables::{Causality, Enumeration, EnumerationItem, Initial, Kind, Variability, Variable, VariableTable};
