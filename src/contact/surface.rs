//! A surface that is ready for contact.

use crate::mesh::{HalfEdges, TriangleMesh};

/// A mesh with what every evaluation needs of it; immutable, so instances can share it.
#[derive(Clone, Debug)]
pub struct ContactSurface {
    mesh: TriangleMesh,
    half_edges: HalfEdges,
}

impl ContactSurface {
    /// Builds adjacency, face geometry and the tree.
    pub fn new(mesh: TriangleMesh) -> Self {
        let half_edges = HalfEdges::build(&mesh.faces, mesh.vertices.len());
        ContactSurface { mesh, half_edges }
    }

    /// The mesh.
    pub fn mesh(&self) -> &TriangleMesh {
        &self.mesh
    }

    /// The adjacency of its faces.
    pub fn half_edges(&self) -> &HalfEdges {
        &self.half_edges
    }
}
