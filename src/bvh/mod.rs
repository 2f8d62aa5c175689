//! Trees of bounding boxes and discs over the faces of a surface.
//!
//! Boxes are aligned with the frame of the surface, so a tree is built once and never touched again.
#![forbid(unsafe_code)]

mod disc;
mod face_tree;
mod nearest;
mod nearest_pair;
mod overlap_pairs;
mod search_cache;
mod separation;

pub use crate::tree::OverlapStack;
pub use disc::Disc;
pub use face_tree::{CenteredBox, FaceNode, FaceTree, FaceVolume, LEAF_FACES};
pub use nearest::NearestFace;
pub use nearest_pair::PairMemory;
pub use overlap_pairs::RelativeFrame;
pub use search_cache::{LeafPairs, SearchCache};
pub use separation::Separation;

#[cfg(test)]
mod bvh_tests;
#[cfg(test)]
mod nearest_tests;
