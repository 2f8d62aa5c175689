//! A surface seen from frame E.

use crate::contact::surface::ContactSurface;
use crate::math::{Grid, Matrix, Pose, Vector};
use crate::mesh::{FaceIndex, VertexIndex};

/// A surface with the pose of its frame in E, on the grid of the evaluation.
///
/// A vertex always maps to the same grid point, so all tests of an evaluation see the same points.
#[derive(Clone, Copy)]
pub struct PosedSurface<'a> {
    /// The surface in its own frame.
    pub surface: &'a ContactSurface,
    rotation: Matrix,
    translation: Vector,
    grid: Grid,
}

impl<'a> PosedSurface<'a> {
    /// `pose` maps coordinates of the surface to coordinates in E; for E itself the identity.
    pub fn new(surface: &'a ContactSurface, pose: &Pose, grid: Grid) -> Self {
        PosedSurface { surface, rotation: *pose.rotation.matrix(), translation: pose.translation.vector, grid }
    }

    /// The grid of the evaluation.
    #[inline]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// A vertex in frame E.
    #[inline]
    pub fn vertex(&self, vertex: VertexIndex) -> Vector {
        self.grid.snap(self.rotation * self.surface.mesh().vertices[vertex.index()] + self.translation)
    }

    /// The corners of a face in frame E.
    #[inline]
    pub fn corners(&self, face: FaceIndex) -> [Vector; 3] {
        let [a, b, c] = self.surface.mesh().faces[face.index()];
        [self.vertex(a), self.vertex(b), self.vertex(c)]
    }

    /// The outward unit normal of a face, resolved in E.
    #[inline]
    pub fn normal(&self, face: FaceIndex) -> Vector {
        self.rotation * self.surface.normal(face)
    }

    /// A vector resolved in E, resolved in the frame of the surface.
    #[inline]
    pub fn own_axes(&self, vector_e: Vector) -> Vector {
        self.rotation.tr_mul(&vector_e)
    }

    /// A vector resolved in the frame of the surface, resolved in E.
    #[inline]
    pub fn axes_in_e(&self, vector: Vector) -> Vector {
        self.rotation * vector
    }

    /// A point given in E, in the frame of the surface.
    #[inline]
    pub fn own_frame(&self, point_e: Vector) -> Vector {
        self.own_axes(point_e - self.translation)
    }
}
