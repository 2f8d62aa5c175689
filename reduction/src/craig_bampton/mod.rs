//! Craig-Bampton reduction: static shapes of the contact nodes and modes of the body held at them, decoupled.

mod dissection;
mod interface;
mod model_checks;
mod orthonormalization;
mod reduce;
mod rigid_motion;
mod settings;
mod split;
mod static_shapes;

pub use reduce::{MODE_LIMIT, Progress, reduce};
pub use rigid_motion::RigidProperties;
pub use settings::{Damping, Directions, Modes, ReductionSettings, Split};
