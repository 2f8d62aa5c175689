//! Volume meshes: nodes, elements, named groups of nodes; read, written, generated and checked.
#![forbid(unsafe_code)]

mod boundary;
mod check;
mod element;
mod error;
pub mod generators;
mod grid;
pub mod impact_bodies;
pub mod msh;
mod quality;
mod refinement;
mod second_order;

use std::collections::BTreeMap;

pub use check::Numbering;
pub use element::{Element, Face, TETRAHEDRON_EDGES};
pub use error::VolumeMeshError;
pub use quality::MeshQuality;

/// Name of the group that holds all nodes of a generated mesh.
pub const BODY_GROUP: &str = "body";
/// Name of the group that holds the nodes in the contact zone of a generated mesh.
pub const CONTACT_GROUP: &str = "contact";

/// A body cut into elements of one kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VolumeMesh {
    /// In m.
    pub node_positions: Vec<[f64; 3]>,
    /// Of one kind; no order is implied.
    pub elements: Vec<Element>,
    /// Named sets of nodes, each in ascending order.
    pub node_groups: BTreeMap<String, Vec<u32>>,
}

impl VolumeMesh {
    /// Where these nodes are, in m.
    pub(crate) fn positions<const N: usize>(&self, nodes: &[u32; N]) -> [[f64; 3]; N] {
        nodes.map(|node| self.node_positions[node as usize])
    }
}
