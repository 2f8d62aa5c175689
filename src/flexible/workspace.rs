//! Memory that evaluations and steps reuse.

/// Buffers of a pair: once warm, neither evaluations nor steps allocate (with the Newton solver). It lends memory,
/// and what it keeps between calls (the compliance of the damped submodel for one step size) changes no result.
#[derive(Clone, Debug, Default)]
pub struct Workspace {}
