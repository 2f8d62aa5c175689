//! Why a volume mesh was refused: what, where, and what to do.

use std::fmt;

use thiserror::Error;

use super::{Numbering, VolumeMesh};

/// A point in the coordinates of the mesh, in m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Location(pub [f64; 3]);

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.0;
        write!(f, "({x:.6}, {y:.6}, {z:.6}) m")
    }
}

/// A volume mesh that cannot become a finite-element model. Numbers are those of the file where the mesh
/// came from one; otherwise they count from 1.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum VolumeMeshError {
    /// Not one volume element.
    #[error(
        "the mesh has no volume elements; mesh the volume, not only its surface, and in Gmsh put the volume into a \
         physical group, since elements outside physical groups are not saved"
    )]
    NoVolumeElements,
    /// A coordinate is infinite or not a number.
    #[error("node {node} has a coordinate that is not a finite number")]
    CoordinateNotFinite {
        /// Number of the node.
        node: u64,
    },
    /// An element or group names a node that does not exist.
    #[error("{user} refers to node {node}, which the mesh does not have")]
    UnknownNode {
        /// An element or a group.
        user: String,
        /// Number of the missing node.
        node: u64,
    },
    /// Elements of several kinds.
    #[error(
        "element {element} is a {kind}, but the first element is a {first_kind}; a mesh has to have elements of one \
         kind, since different kinds do not fit together at their faces"
    )]
    MixedKinds {
        /// Number of the odd element.
        element: u64,
        /// Its kind.
        kind: &'static str,
        /// The kind of the first element.
        first_kind: &'static str,
    },
    /// Elements whose Jacobian is not positive at all integration points.
    #[error(
        "{count} of {total} elements are inverted or without volume; the first is the {kind} {element} at {place}; \
         improve the mesh there (in Gmsh: Mesh.Optimize, or Mesh.HighOrderOptimize for curved elements)"
    )]
    InvertedElements {
        /// How many.
        count: usize,
        /// Of all elements.
        total: usize,
        /// Number of the first.
        element: u64,
        /// Its kind.
        kind: &'static str,
        /// Mean of its nodes.
        place: Location,
    },
    /// A face with three or more elements, or two copies of one element.
    #[error(
        "element {element} at {place} has a face that belongs to {count} elements; a face belongs to one or two: \
         remove repeated or overlapping elements"
    )]
    CrowdedFace {
        /// Number of one of the elements.
        element: u64,
        /// Mean of its nodes.
        place: Location,
        /// Elements at the face.
        count: usize,
    },
    /// Nodes that would have neither mass nor stiffness.
    #[error(
        "{count} nodes belong to no volume element; the first is node {node} at {place}; save the mesh without them \
         (in Gmsh: save physical groups only, not all entities; centres of arcs are such nodes)"
    )]
    NodesWithoutElement {
        /// How many.
        count: usize,
        /// Number of the first.
        node: u64,
        /// Where it is.
        place: Location,
    },
    /// Parts that do not share nodes.
    #[error(
        "the mesh falls into {parts} unconnected parts; one has {nodes} nodes and lies at {place}; a flexible body \
         is one piece: join the parts, or remove those that do not belong to it"
    )]
    UnconnectedParts {
        /// How many.
        parts: usize,
        /// Nodes of the smallest.
        nodes: usize,
        /// A node of the smallest.
        place: Location,
    },
}

impl VolumeMeshError {
    /// The elements with these indices, at least one, are inverted.
    pub(crate) fn inverted(mesh: &VolumeMesh, indices: &[usize], numbering: &Numbering) -> VolumeMeshError {
        let first = indices.first().copied().unwrap_or_default();
        VolumeMeshError::InvertedElements {
            count: indices.len(),
            total: mesh.elements.len(),
            element: numbering.element(first),
            kind: mesh.elements[first].kind(),
            place: Location(mesh.centre_of_element(first)),
        }
    }
}
