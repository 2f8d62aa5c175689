//! Memory that evaluations reuse.

use super::areas::{ActiveArea, IntersectionPolygons, Patches};
use super::detect::IntersectionLine;
use super::integrate::PassMemory;
use crate::bvh::{OverlapStack, SearchCache};
use crate::lanes::Width;

/// Buffers of an evaluation: once warm, no evaluation in one thread allocates. It never carries results from
/// one evaluation to the next; what it remembers of the last search makes the next one shorter and
/// changes no bit of what is found.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    /// Reads a monotonic clock in seconds; without one, stage times are zero.
    pub clock: Option<fn() -> f64>,
    /// How many threads may work on a large contact; with 0 or 1 no thread is ever started. The outcome is the same, bit
    /// for bit.
    pub threads: usize,
    /// The widest vector registers to use; the outcome is the same, bit for bit.
    pub registers: Width,
    /// The energy of the layers is left out where it is not a by-product: next to inner edges and deep in a body it costs as
    /// much as several evaluations. See [`super::Outcome::layer_energy`].
    pub without_energy: bool,
    /// Nearest features are found by trying all faces: slow, and the twin of every faster way.
    pub tries_all: bool,
    pub(super) stack: OverlapStack,
    pub(super) search_cache: SearchCache,
    pub(super) lines: Vec<IntersectionLine>,
    pub(super) polygons: IntersectionPolygons,
    pub(super) area_e: ActiveArea,
    pub(super) area_f: ActiveArea,
    pub(super) patches: Patches,
    /// One for each thread.
    pub(super) passes: Vec<PassMemory>,
}
