//! A free rigid body.

pub(crate) mod model;
pub(crate) mod variables;
