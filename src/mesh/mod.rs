//! Preprocessing: a file becomes a valid triangle surface.
#![forbid(unsafe_code)]

mod change;
mod cleaning;
mod cracks;
mod duplicates;
mod error;
mod file_normals;
mod half_edge;
mod limits;
mod measures;
mod merging;
mod nesting;
mod obj;
mod off;
mod ply;
mod point_tree;
mod polygon;
mod polygons;
mod raw_mesh;
mod read;
mod repair;
mod report;
mod resolution;
mod selection;
mod self_intersection;
mod sheets;
mod smooth;
mod stitching;
mod stl;
mod stl_text;
mod text_lines;
mod triangle_distance;
mod triangle_mesh;
mod triangle_pair;
mod validation;
mod winding;

pub use change::MeshChange;
pub use error::{EdgeExample, MeshError, Place};
pub use half_edge::{HalfEdge, HalfEdges};
pub use limits::{LARGEST_COORDINATE, MAX_FACES, MAX_FILE_BYTES, MAX_VERTICES, SMALLEST_COORDINATE};
pub use read::{MeshFormat, ReadOptions, inspect, inspect_bytes, open, read, read_bytes};
pub use repair::Repair;
pub use report::{AspectRatio, Border, MeshReport, MeshWarning, SelfIntersections, SelfTouching, ShellReport};
pub use smooth::{
    DEFAULT_RELATIVE_SAG, LARGEST_SMOOTH_ANGLE, MOST_REFINED_FACES, SmoothReport, USUAL_SMOOTH_ANGLE, smoothed,
};
pub use triangle_distance::{
    TriangleFeature, closest_in_segments, closest_on_segment, closest_on_triangle, on_triangle,
};
pub use triangle_mesh::{FaceIndex, TriangleMesh, VertexIndex};
pub use triangle_pair::{TrianglePair, closest_of_triangles};

#[cfg(test)]
mod triangle_distance_tests;
