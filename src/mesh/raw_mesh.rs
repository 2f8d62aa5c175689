//! What a reader hands on: triangles as in the file, nothing cleaned.

use std::ops::Range;

use super::file_normals::FileNormals;
use super::resolution::Resolution;
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
    /// How finely the coordinates are stated.
    pub(super) resolution: Resolution,
    /// Names of objects, groups or solids.
    pub(super) parts: Vec<RawPart>,
    /// Normals of the vertices, where the file states them for all; of any length.
    pub(super) vertex_normals: Vec<Vector>,
}

impl RawMesh {
    /// The stated normals of vertices as those of corners.
    pub(super) fn corner_normals(&self) -> FileNormals {
        if self.vertex_normals.len() != self.vertices.len() {
            return FileNormals::default();
        }
        let corners = self.faces.iter().zip(&self.face_numbers).flat_map(|(face, &number)| {
            face.map(|corner| (number, self.vertices[corner as usize], self.vertex_normals[corner as usize]))
        });
        FileNormals::new(corners)
    }
}

/// A named run of faces: an object or a group of OBJ, a solid of STL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RawPart {
    pub(super) name: String,
    /// Numbers of its polygons or facets.
    pub(super) faces: Range<u32>,
}

/// Runs with names that are kept, and names that a run may have: bounded memory for any file.
const MAX_PARTS: usize = 100_000;
pub(super) const MAX_NAMES: usize = 16;

/// Collects the runs of one kind of names.
#[derive(Default)]
pub(super) struct PartNames {
    /// Names of the run that is open, and its first face.
    open: Vec<String>,
    first: u32,
}

impl PartNames {
    /// Ends the open run at face `next`, and begins one with other names.
    pub(super) fn begin(&mut self, names: Vec<String>, next: u32, parts: &mut Vec<RawPart>) {
        let faces = self.first..next;
        if !faces.is_empty() && parts.len() < MAX_PARTS {
            parts.extend(self.open.drain(..).map(|name| RawPart { name, faces: faces.clone() }));
        }
        (self.open, self.first) = (names, next);
    }

    /// Ends the last run.
    pub(super) fn end(mut self, next: u32, parts: &mut Vec<RawPart>) {
        self.begin(Vec::new(), next, parts);
    }
}
