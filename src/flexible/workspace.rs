//! Memory that evaluations and steps reuse.

use std::sync::Arc;

use super::compliance::Compliance;
use super::equilibrium::SolveMemory;
use super::implicit_mode::ImplicitMode;
use super::modes::Propagator;

/// Buffers of a pair: once warm, neither evaluations nor steps allocate (with the Newton solver). It lends memory,
/// and what it keeps between calls (the compliance of the damped submodel for one step size) changes no result.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    pub(super) solve: SolveMemory,
    /// Modal forces of one body.
    pub(super) modal: Vec<f64>,
    pub(super) integration: Integration,
    pub(super) damped: Option<DampedCompliance>,
}

/// Memory of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Integration {
    /// The state under way.
    pub(super) numbers: Vec<f64>,
    /// Coordinates in the middle of an internal step, without its contact forces.
    pub(super) middle: [Vec<f64>; 2],
    /// Half an internal step of the low-frequency modes.
    pub(super) propagators: [Vec<Propagator>; 2],
    /// High-frequency modes of the damped submodel.
    pub(super) implicit: [Vec<ImplicitMode>; 2],
}

/// Compliances of the damped submodel, for one pair and one internal step.
#[derive(Clone, Debug)]
pub(super) struct DampedCompliance {
    /// The pair: held, so that no other pair can get its address.
    pub(super) pair: Arc<()>,
    /// Internal step, T_d and ξ_t.
    pub(super) key: [f64; 3],
    pub(super) compliances: [Option<Compliance>; 2],
}
