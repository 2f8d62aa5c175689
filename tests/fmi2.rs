//! The FMU through its C functions, as a host calls it.
//!
//! One program for many files: it is linked once, and its tests share all cores.

mod counting;
mod fmi2_support;
mod hosts;

mod fmi2_allocation;
mod fmi2_bristles;
mod fmi2_call_sequence;
mod fmi2_coupling;
mod fmi2_derivatives;
mod fmi2_exchange;
mod fmi2_exchange_limits;
mod fmi2_flexible;
mod fmi2_flexible_refusals;
mod fmi2_free_body;
mod fmi2_model_exchange;
mod fmi2_random_calls;
mod fmi2_recording;
mod fmi2_semantics;
mod fmi2_state;
mod fmi2_system;
mod fmi2_threads;
mod fmi2_variables;
mod fmi2_warnings;
