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

impl Feature {
    /// A number that no other feature of a surface has.
    #[inline]
    pub fn key(self) -> u64 {
        let (kind, index) = match self {
            Feature::Face(face) => (0, face.0),
            Feature::Edge(edge) => (1, edge.0),
            Feature::Vertex(vertex) => (2, vertex.0),
        };
        u64::from(index) << 2 | kind
    }
}
