//! Preprocessing: a file becomes a valid triangle surface.
#![forbid(unsafe_code)]

mod half_edge;
mod triangle_mesh;

pub use half_edge::{HalfEdge, HalfEdges};
pub use triangle_mesh::{FaceIndex, TriangleMesh, VertexIndex};
