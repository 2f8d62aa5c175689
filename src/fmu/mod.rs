//! An FMU without a version of FMI: instances, their values and states, and the models behind them.
//!
//! A call goes from the adapter of a version ([`crate::fmi2`]) to `instance` (values, when to evaluate) and to `model`
//! (what to compute). [`contact_variables()`] is the one table that getters, setters and `modelDescription.xml` share;
//! [`free_body_variables()`] is that of a rigid body. Nothing in here knows triangles.
#![forbid(unsafe_code)]

mod capabilities;
mod evaluator;
mod guid;
mod instance;
mod instantiation;
pub(crate) mod jacobian;
mod messages;
pub(crate) mod model;
mod model_exchange;
mod models;
mod motion_inputs;
mod orientation;
mod outputs;
mod parameter_variables;
pub(crate) mod parts;
mod recorder;
mod registry;
mod resource_location;
mod saved_state;
mod state;
mod step_output;
mod surface_file;
mod surface_source;
mod units;
pub(crate) mod values;
mod variables;

pub use capabilities::{CO_SIMULATION_FLAGS, Capabilities, MODEL_EXCHANGE_FLAGS};
pub use evaluator::{Choice, Evaluator};
pub use guid::{GuidError, free_body_guid, free_body_guid_of_folder, guid, guid_of_folder};
pub use messages::{LOG_CATEGORIES, LogCategory};
pub use models::contact::derivatives::stiffness_and_damping;
pub use models::contact::enumerations::{ELEMENT_SCHEMES, METHODS, STEP_OUTPUTS};
pub use models::contact::variables::{MODEL_IDENTIFIER, contact_capabilities, contact_variables};
pub use models::free_body::variables::{FREE_BODY_CAPABILITIES, FREE_BODY_IDENTIFIER, free_body_variables};
pub use orientation::rotation;
pub use parts::Part;
pub use recorder::MotionRecorder;
pub use resource_location::{ResourceLocationError, resource_folder};
pub use state::{Interface, State};
pub use units::{UNITS, Unit};
pub use values::Value;
pub use variables::{Causality, Enumeration, EnumerationItem, Initial, Kind, Variability, Variable, VariableTable};

pub(crate) use instance::Instance;
pub(crate) use instantiation::instantiate;

pub(crate) use messages::{LogFilter, Message, host_text};
pub(crate) use model::{Fault, Notes};
pub(crate) use registry::Registry;
pub(crate) use saved_state::Snapshot;
