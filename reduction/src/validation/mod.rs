//! Published impacts as tests of the whole chain: mesh, reduction, contact, integration.

mod bodies;
mod cases;
mod impact;

pub use bodies::{BodyError, reduced_body};
pub use cases::{CASES, Case, Prepared, PressError, Published, hertz_force, static_press};
pub use impact::{Contact, Coupling, Impact, ImpactResult};
