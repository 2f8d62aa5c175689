//! A contact with flexible bodies.

pub(crate) mod enumerations;
pub(crate) mod model;
pub(crate) mod outputs;
pub(crate) mod variables;
