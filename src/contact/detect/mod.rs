//! Stage 1: which faces intersect, by exact predicates, and how far bodies are that do not.

mod collision_detection;
mod gap;
mod orientation;
mod posed_surface;
mod triangle_intersection;

pub use collision_detection::PosedPair;
pub use gap::{Gap, GapMemory, gap};
pub use orientation::{Sign, edge_past_edge, side_of_face};
pub use posed_surface::PosedSurface;
pub use triangle_intersection::{IntersectionLine, Node, NodeId};

#[cfg(test)]
mod collision_detection_tests;
