//! Preprocessing: a file becomes a valid triangle surface.
#![forbid(unsafe_code)]

mod cleaning;
mod error;
mod half_edge;
mod limits;
mod measures;
mod obj;
mod polygon;
mod raw_mesh;
mod read;
mod report;
mod self_intersection;
mod stitching;
mod stl;
mod stl_text;
mod text_lines;
mod triangle_distance;
mod triangle_mesh;
mod triangle_pair;
mod validation;

pub use error::{EdgeExample, MeshError, Place};
pub use half_edge::{HalfEdge, HalfEdges};
pub use limits::{LARGEST_COORDINATE, MAX_FACES, MAX_FILE_BYTES, MAX_VERTICES, SMALLEST_COORDINATE};
pub use read::{MeshFormat, ReadOptions, inspect, inspect_bytes, open, read, read_bytes};
pub use report::{AspectRatio, Border, MeshReport, MeshWarning, SelfIntersections, SelfTouching};
pub use triangle_distance::{
    TriangleFeature, closest_in_segments, closest_on_segment, closest_on_triangle, on_triangle,
};
pub use triangle_mesh::{FaceIndex, TriangleMesh, VertexIndex};
pub use triangle_pair::{TrianglePair, closest_of_triangles};

#[cfg(test)]
mod triangle_distance_tests;
