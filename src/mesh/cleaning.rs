//! Merges vertices and drops faces without area and vertices without faces.

use robust::{Coord, orient2d};

use super::merging::{MergedVertices, merge};
use super::raw_mesh::RawMesh;
use super::stitching::stitch_seams;
use super::{FaceIndex, HalfEdge, TriangleMesh, VertexIndex};
use crate::math::Vector;

/// A mesh whose faces have an area, and what it took.
pub(super) struct CleanedMesh {
    pub(super) mesh: TriangleMesh,
    /// For every face the number of its polygon or facet in the file, from 0.
    pub(super) face_numbers: Vec<u32>,
    /// What became of equal and nearly equal vertices.
    pub(super) merged: MergedVertices,
    /// Triangles without area.
    pub(super) dropped_faces: usize,
    /// Faces at edges that could not be repaired; empty where there are none, else one entry per face.
    is_defect: Vec<bool>,
}

impl CleanedMesh {
    /// Keeps some faces, and the vertices that they use.
    pub(super) fn keep_faces(&mut self, is_kept: impl Fn(FaceIndex) -> bool) {
        let kept = || (0..self.mesh.faces.len() as u32).map(FaceIndex).filter(|face| is_kept(*face));
        let faces = kept().map(|face| self.mesh.faces[face.index()].map(|corner| corner.0)).collect();
        self.face_numbers = kept().map(|face| self.face_numbers[face.index()]).collect();
        if !self.is_defect.is_empty() {
            self.is_defect = kept().map(|face| self.is_defect[face.index()]).collect();
        }
        self.mesh = compact(&self.mesh.vertices, faces);
    }

    /// Says that a face has an edge that could not be repaired.
    pub(super) fn mark_defect(&mut self, face: FaceIndex) {
        self.is_defect.resize(self.mesh.faces.len(), false);
        self.is_defect[face.index()] = true;
    }

    /// Faces at edges that could not be repaired.
    pub(super) fn defects(&self) -> impl Iterator<Item = FaceIndex> {
        (0..self.is_defect.len() as u32).map(FaceIndex).filter(|face| self.is_defect[face.index()])
    }

    /// Cuts a face in two at a vertex on the edge of a half-edge.
    pub(super) fn cut_face(&mut self, half_edge: HalfEdge, vertex: VertexIndex) {
        let face = half_edge.face().index();
        let corners = self.mesh.faces[face];
        let [from, to, tip] =
            [half_edge, half_edge.next(), half_edge.next().next()].map(|half_edge| corners[half_edge.corner()]);
        // The corner at which the half-edge starts stays in its place.
        self.mesh.faces[face][half_edge.next().corner()] = vertex;
        debug_assert!(self.mesh.faces[face].contains(&from) && self.mesh.faces[face].contains(&tip));
        self.mesh.faces.push([vertex, to, tip]);
        self.face_numbers.push(self.face_numbers[face]);
        if !self.is_defect.is_empty() {
            self.is_defect.push(self.is_defect[face]);
        }
    }
}

/// Cleans a mesh; the order of faces and vertices stays as in the file, apart from stitched seams.
///
/// Vertices at most `merge_distance`, in m, apart become one.
pub(super) fn clean(raw: RawMesh, merge_distance: f64) -> CleanedMesh {
    let RawMesh { vertices, faces: raw_faces, face_numbers: raw_numbers, .. } = raw;
    let (representative, merged) = merge(&vertices, merge_distance);

    let mut faces = Vec::with_capacity(raw_faces.len());
    let mut face_numbers = Vec::with_capacity(raw_faces.len());
    let mut slivers = Vec::new();
    for (corners, number) in raw_faces.iter().zip(raw_numbers) {
        let corners = corners.map(|corner| representative[corner as usize]);
        let [a, b, c] = corners.map(|corner| vertices[corner as usize]);
        let is_repeated = corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0];
        if is_repeated {
            continue;
        }
        if has_area(&a, &b, &c) {
            faces.push(corners);
            face_numbers.push(number);
        } else {
            slivers.push(corners);
        }
    }
    let dropped_faces = raw_faces.len() - faces.len();
    stitch_seams(&vertices, slivers, &mut faces, &mut face_numbers);
    CleanedMesh { mesh: compact(&vertices, faces), face_numbers, merged, dropped_faces, is_defect: Vec::new() }
}

/// Whether the triangle has an area: its corners are not on one line, exactly, and the area that
/// double precision gives for it is positive, so that it has a normal.
pub(super) fn has_area(a: &Vector, b: &Vector, c: &Vector) -> bool {
    let projection = |x: usize, y: usize| {
        let flat = |point: &Vector| Coord { x: point[x], y: point[y] };
        orient2d(flat(a), flat(b), flat(c))
    };
    let is_collinear = projection(0, 1) == 0.0 && projection(1, 2) == 0.0 && projection(2, 0) == 0.0;
    !is_collinear && 0.0 < (b - a).cross(&(c - a)).norm_squared()
}

/// Removes vertices that no face uses; the order stays.
fn compact(vertices: &[Vector], faces: Vec<[u32; 3]>) -> TriangleMesh {
    let mut is_used = vec![false; vertices.len()];
    faces.iter().flatten().for_each(|&corner| is_used[corner as usize] = true);
    let mut new_index = vec![u32::MAX; vertices.len()];
    let mut kept = Vec::new();
    for (vertex, point) in vertices.iter().enumerate().filter(|&(vertex, _)| is_used[vertex]) {
        new_index[vertex] = kept.len() as u32;
        kept.push(*point);
    }
    let faces = faces.into_iter().map(|corners| corners.map(|corner| VertexIndex(new_index[corner as usize])));
    TriangleMesh { vertices: kept, faces: faces.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collinear_corners_have_no_area_and_nearly_collinear_ones_do() {
        let a = Vector::new(0.1, 0.1, 0.1);
        let c = Vector::new(0.3, 0.3, 0.3);
        let b = Vector::new(0.2, 0.2, 0.2);
        assert!(!has_area(&a, &b, &c));
        let off = Vector::new(0.2, 0.2, 0.2f64.next_up());
        assert!(has_area(&a, &off, &c));
        assert!(!has_area(&a, &a, &c));
    }
}
