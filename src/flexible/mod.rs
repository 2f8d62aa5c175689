//! Flexible bodies: reduced elastic models in penalty contact, node to surface.
//!
//! A body comes from an archive that a reduction wrote offline: modes at its contact nodes, split into low and high
//! frequency. [`FlexiblePair::advance`] integrates the modes along a given relative motion,
//! [`FlexiblePair::evaluate`] gives the wrenches at one instant. The method is that of S. Tschigg's dissertation
//! (TU Hamburg, 2020).
#![forbid(unsafe_code)]

mod advance;
mod archive;
mod backing;
mod body;
mod broyden;
mod closest_point;
mod compliance;
mod contact_body;
mod dense;
mod equilibrium;
mod error;
mod implicit_mode;
mod modes;
mod node_to_surface;
mod outcome;
mod pair;
mod parameters;
mod reduced_model;
mod state;
mod totals;
mod workspace;

pub use advance::MOST_INTERNAL_STEPS;
pub use archive::{ArchiveDefect, ArchiveError};
pub use body::{BodyModel, FlexibleBody};
pub use error::{FlexibleError, PairError};
pub use outcome::{FlexibleOutcome, StepOutcome};
pub use pair::FlexiblePair;
pub use parameters::{FlexibleParameters, RawFlexibleParameters, Solver, Submodel};
pub use reduced_model::{MOST_CONTACT_NODES, MOST_MODES, ReducedModel};
pub use state::PairState;
pub use workspace::Workspace;

#[cfg(test)]
mod search_tests;
