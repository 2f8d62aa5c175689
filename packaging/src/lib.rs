//! Two meshes and a TOML file become an FMU; what is known about a pair before it is one.
//!
//! What users do with a pair, one module per verb, and what these have in common. `cargo xtask` offers the verbs.

mod approach;
pub mod arguments;
pub mod check_mesh;
mod contact_pair;
pub mod estimate;
mod fmu_model;
mod free_body;
#[cfg(test)]
mod headless;
mod json;
pub mod model_description;
mod numbers;
pub mod package;
pub mod picture;
mod plausibility;
pub mod project;
pub mod replay;
pub mod system;
pub mod view;

/// A command.
pub struct Verb {
    /// How it is called.
    pub name: &'static str,
    /// One line for the list of verbs.
    pub summary: &'static str,
    /// What `--help` prints after the summary.
    pub usage: &'static str,
    /// Does the work with the arguments after the verb; the error is a message for people.
    pub run: fn(&[String]) -> Result<(), String>,
}
