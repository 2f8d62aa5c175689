//! Vertices and faces of a surface.

use crate::math::Vector;

/// Index of a face in its mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FaceIndex(pub u32);

/// Index of a vertex in its mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VertexIndex(pub u32);

impl FaceIndex {
    /// The index for use with slices.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl VertexIndex {
    /// The index for use with slices.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A triangle surface in the coordinate frame of its marker.
///
/// Faces wind counter-clockwise seen from outside: the normal `(b − a) × (c − a)` points out of
/// the body. Every face has a positive area, every edge at most two faces that run along it in
/// opposite directions; a mesh from [`super::read`] keeps that promise.
#[derive(Clone, Debug, PartialEq)]
pub struct TriangleMesh {
    /// Vertex coordinates in metres.
    pub vertices: Vec<Vector>,
    /// Vertex indices of each face.
    pub faces: Vec<[VertexIndex; 3]>,
}

impl TriangleMesh {
    /// Corner coordinates of a face.
    #[inline]
    pub fn corners(&self, face: FaceIndex) -> [Vector; 3] {
        self.faces[face.index()].map(|vertex| self.vertices[vertex.index()])
    }

    /// Area of a face in m².
    pub(super) fn area(&self, face: FaceIndex) -> f64 {
        let [a, b, c] = self.corners(face);
        0.5 * (b - a).cross(&(c - a)).norm()
    }
}
