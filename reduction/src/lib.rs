//! Prepares flexible bodies: from a volume mesh or from finite-element matrices to the few modes that a
//! contact FMU integrates.

pub mod archive;
pub mod assembly;
pub mod body_file;
pub mod contact_selection;
pub mod craig_bampton;
pub mod elements;
pub mod error;
pub mod finite_element_model;
pub mod linear_algebra;
pub mod material;
pub mod matrices;
pub mod reduced_body;
pub mod validation;
mod vector;
pub mod volume_mesh;
