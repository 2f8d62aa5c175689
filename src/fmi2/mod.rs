//! The host boundary: FMI 2.0.
//!
//! A call travels `c_api` (raw pointers, handles, panics, call sequence) to [`crate::fmu`], which knows nothing of a
//! version of the standard.

pub mod c_api;
mod call_sequence;
pub mod types;

pub use call_sequence::Call;
