//! What a depth is measured from: a face, an edge or a vertex of the body that a point is inside.

use crate::mesh::{FaceIndex, HalfEdge, VertexIndex};

/// A part of a surface that can be the nearest one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// The inside of a face, or of a plate of faces in one plane, by its largest face: the depth is the distance to its
    /// plane.
    Face(FaceIndex),
    /// An inner edge, by the half-edge that stands for it.
    Edge(HalfEdge),
    /// A vertex with inner edges.
    Vertex(VertexIndex),
}
