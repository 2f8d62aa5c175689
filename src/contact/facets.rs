//! Faces of a surface that lie in one plane, side by side: their depths are one linear function.

use crate::math::Vector;
use crate::mesh::{FaceIndex, HalfEdge, HalfEdges, TriangleMesh};

/// Sine of an angle between faces up to which an edge counts as flat; dimensionless. Depths next to such an edge are off
/// by no more than this part.
pub const FLAT_EDGE: f64 = 1e-9;

/// How the surface bends across an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bend {
    /// Not at all.
    Flat,
    /// Outwards, as on a box.
    Convex,
    /// Inwards, or back onto itself, or there is no face beyond.
    Open,
}

/// How the surface bends across a half-edge.
pub fn bend(mesh: &TriangleMesh, half_edges: &HalfEdges, normals: &[Vector], edge: HalfEdge) -> Bend {
    let Some(twin) = half_edges.twin(edge) else { return Bend::Open };
    let corners = mesh.corners(edge.face());
    let along = corners[(edge.corner() + 1) % 3] - corners[edge.corner()];
    let (own, other) = (normals[edge.face().index()], normals[twin.face().index()]);
    let (sine, limit) = (own.cross(&other).dot(&along), FLAT_EDGE * along.norm());
    if own.dot(&other) < -1.0 + FLAT_EDGE || sine < -limit {
        Bend::Open
    } else if sine <= limit {
        Bend::Flat
    } else {
        Bend::Convex
    }
}

/// The faces by their planes.
#[derive(Clone, Debug)]
pub struct Facets {
    of_face: Vec<u32>,
    /// Where the open edges of each facet start; one more than there are facets.
    first_edge: Vec<u32>,
    open_edges: Vec<HalfEdge>,
}

impl Facets {
    /// The facets of a surface with these outward unit normals.
    pub fn new(mesh: &TriangleMesh, half_edges: &HalfEdges, normals: &[Vector]) -> Self {
        let mut facets =
            Facets { of_face: vec![u32::MAX; mesh.faces.len()], first_edge: vec![0], open_edges: Vec::new() };
        let mut pending = Vec::new();
        for first in 0..mesh.faces.len() as u32 {
            if facets.of_face[first as usize] != u32::MAX {
                continue;
            }
            let number = facets.first_edge.len() as u32 - 1;
            facets.of_face[first as usize] = number;
            pending.push(FaceIndex(first));
            while let Some(face) = pending.pop() {
                for edge in [0, 1, 2].map(|corner| HalfEdge::new(face, corner)) {
                    match (bend(mesh, half_edges, normals, edge), half_edges.twin(edge)) {
                        (Bend::Flat, Some(twin)) if facets.of_face[twin.face().index()] == u32::MAX => {
                            facets.of_face[twin.face().index()] = number;
                            pending.push(twin.face());
                        }
                        (Bend::Open, _) => facets.open_edges.push(edge),
                        _ => (),
                    }
                }
            }
            facets.first_edge.push(facets.open_edges.len() as u32);
        }
        facets
    }

    /// The edges of a face's facet beyond which its plane is not the nearest: reflex ones, and borders.
    #[inline]
    pub fn open_edges(&self, face: FaceIndex) -> &[HalfEdge] {
        let facet = self.of_face[face.index()] as usize;
        &self.open_edges[self.first_edge[facet] as usize..self.first_edge[facet + 1] as usize]
    }
}
