//! What an FMU can be: a contact of rigid bodies, one with flexible bodies, a free body.

pub(crate) mod contact;
pub(crate) mod flexible;
pub(crate) mod free_body;
