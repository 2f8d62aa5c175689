//! Memory that evaluations reuse.

/// Buffers of an evaluation: once warm, no evaluation allocates. It never carries results from
/// one evaluation to the next.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    /// Reads a monotonic clock in seconds; without one, stage times are zero.
    pub clock: Option<fn() -> f64>,
}
