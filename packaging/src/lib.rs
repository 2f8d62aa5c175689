//! Two meshes and a TOML file become an FMU; what is known about a pair before it is one.
//!
//! What users do with a pair, one module per verb with its arguments, and what the verbs have in common. The program
//! `polycontact` and its Python package offer the verbs.

mod approach;
pub mod check_mesh;
pub mod contact_pair;
pub mod estimate;
mod files;
mod fmu_model;
mod free_body;
#[cfg(test)]
mod headless;
pub mod library_kit;
mod model_description;
pub mod new;
mod numbers;
pub mod package;
pub mod picture;
mod plausibility;
pub mod replay;
pub mod system;
#[cfg(test)]
mod test_support;
pub mod view;

pub use contact_pair::ContactPair;
pub use files::{shown, with_ending};
pub use model_description::model_description;

use std::path::PathBuf;

use library_kit::LibraryKit;

/// What a verb finds around it.
pub struct Surroundings<'a> {
    /// Folder of what is written where the user names no file.
    pub outputs: PathBuf,
    /// What an FMU needs besides its model: found, or built. Asked for when everything else is known to be right.
    pub kit: &'a dyn Fn() -> Result<LibraryKit, String>,
}
