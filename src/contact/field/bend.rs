//! How a surface bends across its edges.

use crate::math::Vector;
use crate::mesh::{HalfEdge, HalfEdges, TriangleMesh};

/// Sine of an angle between faces up to which an edge is shallow; dimensionless. Below it the plane that halves the angle
/// stands for what lies beside an inner edge too: depths there are off by an eighth of its square, 10⁻⁹.
const SHALLOW_EDGE: f64 = 1e-4;

/// How the surface bends across an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bend {
    /// Hardly at all, either way.
    Shallow,
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
    let (sine, limit) = (own.cross(&other).dot(&along), SHALLOW_EDGE * along.norm());
    if own.dot(&other) < -1.0 + SHALLOW_EDGE * SHALLOW_EDGE || sine < -limit {
        Bend::Open
    } else if sine <= limit && 0.0 < own.dot(&other) {
        Bend::Shallow
    } else {
        Bend::Convex
    }
}
