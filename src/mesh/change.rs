//! What reading has changed in a mesh.

use std::fmt;

use super::error::{Coordinates, Place};
use crate::math::Vector;

/// A change between the file and the mesh. None moves the surface by more than the merge distance.
#[derive(Clone, Debug, PartialEq)]
pub enum MeshChange {
    /// Different points that became one vertex.
    MergedVertices {
        /// How many went to another.
        vertices: usize,
        /// The longest way in m.
        farthest: f64,
    },
    /// Edges that got the corners of the faces across a T-junction or a hair crack.
    ClosedCracks {
        /// How many.
        edges: usize,
        /// The longest way in m.
        farthest: f64,
    },
    /// Faces without area, which were dropped.
    DroppedFaces {
        /// How many.
        faces: usize,
    },
    /// Faces with the corners of another, which were removed.
    RemovedDuplicates {
        /// How many.
        faces: usize,
        /// The first.
        example: Place,
    },
    /// Faces that were turned over so that neighbours wind alike.
    TurnedFaces {
        /// How many.
        faces: usize,
        /// The first.
        example: Place,
    },
    /// Edges with more than two faces, whose sheets were separated.
    SeparatedEdges {
        /// How many.
        edges: usize,
        /// Ends of the first, in m.
        example: [Vector; 2],
    },
    /// Closed parts that were inside out and are turned.
    TurnedShells {
        /// How many.
        shells: usize,
        /// A vertex of the first.
        example: Vector,
    },
}

impl fmt::Display for MeshChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MeshChange::MergedVertices { vertices, farthest } => {
                write!(f, "{vertices} vertices were merged with others up to {farthest:.2e} m away")
            }
            MeshChange::ClosedCracks { edges, farthest } => {
                write!(f, "T-junctions or cracks up to {farthest:.2e} m wide were closed along {edges} edge(s)")
            }
            MeshChange::DroppedFaces { faces } => write!(f, "{faces} face(s) without area were dropped"),
            MeshChange::RemovedDuplicates { faces, example } => {
                write!(f, "{faces} face(s) that were there twice were removed, first {example}")
            }
            MeshChange::TurnedFaces { faces, example } => {
                write!(f, "{faces} face(s) were turned over to wind as their neighbours do, first {example}")
            }
            MeshChange::SeparatedEdges { edges, example: [from, to] } => write!(
                f,
                "the sheets along {edges} edge(s) with more than two faces were separated, first from {} to {}",
                Coordinates(from),
                Coordinates(to)
            ),
            MeshChange::TurnedShells { shells, example } => {
                write!(
                    f,
                    "{shells} closed part(s) that were inside out were turned, the first at {}",
                    Coordinates(example)
                )
            }
        }
    }
}
