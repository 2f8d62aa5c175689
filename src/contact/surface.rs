//! A surface that is ready for contact.

use std::sync::atomic::{AtomicU64, Ordering};

use super::field::{Feature, Field, Incidence, WallsOf, are_in_one_plane};
use crate::bvh::{FaceTree, NearestFace, OverlapStack};
use crate::math::Vector;
use crate::mesh::{FaceIndex, HalfEdge, HalfEdges, TriangleMesh, VertexIndex};

/// A mesh with what every evaluation needs of it; immutable, so instances can share it.
#[derive(Clone, Debug)]
pub struct ContactSurface {
    mesh: TriangleMesh,
    half_edges: HalfEdges,
    tree: FaceTree,
    normals: Vec<Vector>,
    areas: Vec<f64>,
    field: Field,
    /// One vertex of every shell (faces connected over edges).
    shell_vertices: Vec<VertexIndex>,
    /// Faces at edges that could not be repaired; empty where there are none, else one entry per face.
    is_defect: Vec<bool>,
    /// Tells surfaces apart; clones have the same content and the same number.
    number: u64,
}

/// Numbers of surfaces given so far.
static SURFACES: AtomicU64 = AtomicU64::new(0);

impl ContactSurface {
    /// Builds adjacency, face geometry and the tree.
    ///
    /// # Panics
    /// Where the mesh has no face.
    pub fn new(mesh: TriangleMesh) -> Self {
        let half_edges = HalfEdges::build(&mesh.faces, mesh.vertices.len());
        let tree = FaceTree::of_mesh(&mesh);
        let normals: Vec<Vector> =
            (0..mesh.faces.len() as u32).map(|face| unit_normal(&mesh.corners(FaceIndex(face)))).collect();
        let areas = (0..mesh.faces.len() as u32)
            .map(|face| {
                let [a, b, c] = mesh.corners(FaceIndex(face));
                0.5 * (b - a).cross(&(c - a)).norm()
            })
            .collect();
        let shell_vertices = shell_vertices(&mesh, &half_edges);
        let field = Field::new(&mesh, &half_edges, &normals, tree.bounds().radius());
        let number = SURFACES.fetch_add(1, Ordering::Relaxed);
        ContactSurface { mesh, half_edges, tree, normals, areas, field, shell_vertices, is_defect: Vec::new(), number }
    }

    /// The surface with faces that a contact should not come near.
    pub fn with_defects(mut self, defects: &[FaceIndex]) -> Self {
        if !defects.is_empty() {
            self.is_defect = vec![false; self.mesh.faces.len()];
            defects.iter().for_each(|face| self.is_defect[face.index()] = true);
        }
        self
    }

    /// Whether one of the faces is a defect.
    pub(super) fn has_defect(&self, mut faces: impl Iterator<Item = FaceIndex>) -> bool {
        !self.is_defect.is_empty() && faces.any(|face| self.is_defect[face.index()])
    }

    /// A number that no other surface of the process has, but clones of this one.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The mesh.
    pub fn mesh(&self) -> &TriangleMesh {
        &self.mesh
    }

    /// The adjacency of its faces.
    pub fn half_edges(&self) -> &HalfEdges {
        &self.half_edges
    }

    /// The tree of its faces.
    pub fn tree(&self) -> &FaceTree {
        &self.tree
    }

    /// Outward unit normal of a face.
    #[inline]
    pub fn normal(&self, face: FaceIndex) -> Vector {
        self.normals[face.index()]
    }

    /// Area of a face in m².
    #[inline]
    pub fn area(&self, face: FaceIndex) -> f64 {
        self.areas[face.index()]
    }

    /// Whether two faces lie in one plane.
    pub(super) fn are_in_one_plane(&self, one: FaceIndex, other: FaceIndex) -> bool {
        are_in_one_plane(&self.mesh, &self.normals, self.tree.bounds().radius(), [one, other])
    }

    /// The face nearest to a point in the frame of the surface; none where all are farther away than `start`, in m.
    pub fn nearest_face(&self, point: Vector, start: f64, stack: &mut OverlapStack) -> Option<NearestFace> {
        self.tree.nearest_face(&self.mesh, point, start, stack)
    }

    /// The cells of its field.
    #[inline]
    pub(super) fn field(&self) -> &Field {
        &self.field
    }

    /// What bounds the space where one of its features itself has the nearest point of its plane, line or vertex.
    #[inline]
    pub(super) fn walls(&self, feature: Feature) -> WallsOf<'_> {
        self.field.walls(feature, &self.mesh, &self.half_edges, &self.normals)
    }

    /// Which vertices its features have.
    #[inline]
    pub(super) fn incidence(&self) -> Incidence<'_> {
        Incidence { mesh: &self.mesh, half_edges: &self.half_edges, plates: self.field.plates() }
    }

    /// One vertex of every shell.
    pub(super) fn shell_vertices(&self) -> &[VertexIndex] {
        &self.shell_vertices
    }
}

/// Unit normal `(b − a) × (c − a)`, scaled first so that tiny faces do not underflow.
fn unit_normal([a, b, c]: &[Vector; 3]) -> Vector {
    let (u, v) = (b - a, c - a);
    let size = u.amax().max(v.amax());
    let cross = (u / size).cross(&(v / size));
    let length = cross.norm();
    if length > 0.0 { cross / length } else { Vector::z() }
}

fn shell_vertices(mesh: &TriangleMesh, half_edges: &HalfEdges) -> Vec<VertexIndex> {
    let mut seen = vec![false; mesh.faces.len()];
    let mut pending = Vec::new();
    let mut vertices = Vec::new();
    for first in 0..mesh.faces.len() as u32 {
        if seen[first as usize] {
            continue;
        }
        vertices.push(mesh.faces[first as usize][0]);
        seen[first as usize] = true;
        pending.push(FaceIndex(first));
        while let Some(face) = pending.pop() {
            for corner in 0..3 {
                if let Some(twin) = half_edges.twin(HalfEdge::new(face, corner))
                    && !std::mem::replace(&mut seen[twin.face().index()], true)
                {
                    pending.push(twin.face());
                }
            }
        }
    }
    vertices
}
