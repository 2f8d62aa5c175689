//! A contact of two rigid bodies.

pub(crate) mod bristles;
pub(crate) mod derivatives;
pub(crate) mod enumerations;
mod exchange;
pub(crate) mod model;
pub(crate) mod outputs;
pub(crate) mod variables;
