//! Binary trees of bounding volumes over items of any kind.
//!
//! A surface in contact has one over its faces ([`crate::bvh`]), a flexible body has one that follows its deformation,
//! and the check of a mesh looks for faces that intersect with one.
#![forbid(unsafe_code)]

mod build;
mod search;

pub use build::BuildItem;
pub use search::OverlapStack;

use crate::math::Aabb;

/// A node of a [`Tree`]: an inner node with two children, or a leaf with a few items.
#[derive(Clone, Copy, Debug)]
pub struct Node<V> {
    /// Encloses all items below the node.
    pub volume: V,
    /// Inner node: index of the second child (the first is the next node). Leaf: first slot of an item.
    offset: u32,
    /// Items of a leaf; 0 marks an inner node.
    count: u32,
}

impl<V> Node<V> {
    /// Whether the node has items instead of children.
    #[inline]
    pub fn is_leaf(&self) -> bool {
        0 < self.count
    }

    /// Slots of the items of a leaf in [`Tree::items`].
    #[inline]
    pub fn slots(&self) -> std::ops::Range<u32> {
        self.offset..self.offset + self.count
    }
}

/// A binary tree of volumes `V` over items `I`, in depth-first order; the root is node 0.
#[derive(Clone, Debug)]
pub struct Tree<I, V> {
    nodes: Vec<Node<V>>,
    items: Vec<I>,
}

impl<I, V> Default for Tree<I, V> {
    /// No node at all; [`Tree::refit`] fills it.
    fn default() -> Self {
        Tree { nodes: Vec::new(), items: Vec::new() }
    }
}

impl<I: Copy, V> Tree<I, V> {
    /// A node by its index.
    #[inline]
    pub fn node(&self, index: u32) -> &Node<V> {
        &self.nodes[index as usize]
    }

    /// The node that encloses everything.
    #[inline]
    pub fn root(&self) -> &Node<V> {
        &self.nodes[0]
    }

    /// How many nodes the tree has.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// All items in the order of the tree.
    pub fn items(&self) -> &[I] {
        &self.items
    }

    /// The items of a leaf.
    #[inline]
    pub fn leaf_items(&self, node: &Node<V>) -> &[I] {
        &self.items[node.offset as usize..(node.offset + node.count) as usize]
    }

    /// Both children of the inner node `index`.
    #[inline]
    pub fn children(&self, index: u32) -> [u32; 2] {
        [index + 1, self.nodes[index as usize].offset]
    }
}

impl<I: Copy> Tree<I, Aabb> {
    /// Takes over the shape of a tree, with boxes around the items where they are now. Allocates only where the shape is
    /// larger than any before.
    pub fn refit(&mut self, shape: &Self, bounds: impl Fn(I) -> Aabb) {
        self.nodes.clone_from(&shape.nodes);
        self.items.clone_from(&shape.items);
        for index in (0..self.nodes.len()).rev() {
            let node = self.nodes[index];
            self.nodes[index].volume = if node.is_leaf() {
                let items = self.leaf_items(&node);
                items[1..].iter().fold(bounds(items[0]), |joined, &item| joined.joined(&bounds(item)))
            } else {
                let [first, second] = self.children(index as u32);
                self.node(first).volume.joined(&self.node(second).volume)
            };
        }
    }
}
