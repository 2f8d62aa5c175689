//! What a reader hands on: triangles as in the file, nothing cleaned.

use crate::math::Vector;

/// Triangles of a file; corners are indices into `vertices`, in range.
#[derive(Debug, Default)]
pub(super) struct RawMesh {
    /// Coordinates in metres, checked by [`super::limits::scaled_point`].
    pub(super) vertices: Vec<Vector>,
    pub(super) faces: Vec<[u32; 3]>,
    /// For every triangle the number of its polygon or facet in the file, from 0.
    pub(super) face_numbers: Vec<u32>,
    /// Polygons or facets in the file.
    pub(super) faces_in_file: usize,
    /// Vertices in the file; for STL, three per facet.
    pub(super) vertices_in_file: usize,
    /// Facets whose stated normal contradicts the order of their corners.
    pub(super) contradicting_normals: usize,
}
