//! Prepares flexible bodies: from a volume mesh or from finite-element matrices to the few modes that a
//! contact FMU integrates.

pub mod assembly;
pub mod elements;
pub mod finite_element_model;
pub mod material;
pub mod volume_mesh;
