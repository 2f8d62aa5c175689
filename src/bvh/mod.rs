//! Trees of bounding boxes over the faces of a surface.
//!
//! Boxes are aligned with the frame of the surface, so a tree is built once and never touched again.
#![forbid(unsafe_code)]

mod aabb;
mod build;
mod disc;
mod nearest;
mod nearest_pair;
mod overlap_pairs;
mod query;
mod search_cache;
mod separation;

pub use aabb::Aabb;
pub use build::LEAF_FACES;
pub use disc::Disc;
pub use nearest::NearestFace;
pub use nearest_pair::PairMemory;
pub use overlap_pairs::{OverlapStack, RelativeFrame};
pub use search_cache::{LeafPairs, SearchCache};
pub use separation::Separation;

use crate::mesh::FaceIndex;

/// A node of a [`Tree`]: an inner node with two children, or a leaf with a few faces.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Encloses all faces below the node.
    pub bounds: Aabb,
    /// Encloses them too; thin where they are nearly flat, whatever their direction.
    pub disc: Disc,
    /// Inner node: index of the second child (the first is the next node). Leaf: first face slot.
    offset: u32,
    /// Faces of a leaf; 0 marks an inner node.
    count: u32,
}

/// A binary tree of boxes in depth-first order; the root is node 0.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    faces: Vec<FaceIndex>,
}

impl Tree {
    /// The box around everything.
    pub fn bounds(&self) -> &Aabb {
        &self.nodes[0].bounds
    }

    /// The node that encloses everything.
    pub fn root(&self) -> &Node {
        &self.nodes[0]
    }

    /// How many nodes the tree has.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    fn leaf_faces(&self, node: &Node) -> &[FaceIndex] {
        &self.faces[node.offset as usize..(node.offset + node.count) as usize]
    }

    /// Both children of the inner node `index`.
    #[inline]
    fn children(&self, index: u32) -> [u32; 2] {
        [index + 1, self.nodes[index as usize].offset]
    }
}

#[cfg(test)]
mod bvh_tests;
#[cfg(test)]
mod nearest_tests;
