//! Prepares flexible bodies: from a volume mesh or from finite-element matrices to the few modes that a
//! contact FMU integrates.

pub mod finite_element_model;
