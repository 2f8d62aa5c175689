//! How a surface bends across its edges, and at which inner edges the depth is measured to planes.
//!
//! Beside an inner edge the nearest point is on the edge itself, and the depth is not linear. Where the edge is flat enough,
//! the field takes the distance to the plane of the face on the same side of the plane that halves the angle instead: the
//! *mitre*. Forces are the gradient of an energy with any field that is a function of the place. The field also stays
//! continuous where the mitres around a vertex meet in one axis, as they do wherever three planes meet, on prisms and on
//! surfaces of revolution; edges that end where they do not, or at a sharp inner edge, are treated as sharp ones.

use nalgebra::SymmetricEigen;

use crate::math::{Matrix, Vector};
use crate::mesh::{HalfEdge, HalfEdges, TriangleMesh, VertexIndex};

/// Sine of an angle between faces up to which an edge is flat; dimensionless. Below it the plane that halves the angle
/// stands for what lies beside an inner edge, whatever its ends are like: depths there are off by an eighth of its square,
/// 10⁻⁹.
const FLAT_EDGE: f64 = 1e-4;

/// Sine of the largest angle of a mitre; dimensionless. Depths on the halving plane are 0.13 % smaller there than the distance
/// to the edge, and the same away from it.
const LARGEST_MITRE: f64 = 0.1;

/// The tangent of half the largest angle of a mitre: cells reach so much farther beside their faces, by the depth.
pub const MITRE_OVERHANG: f64 = 0.0502;

/// Mitres meet in one axis where the depths below all faces around a vertex differ along it by less than this part;
/// dimensionless. So large are the steps that are left, over an area around the axis of about as small a part of the square
/// of the depth. Where CAD kernels triangulate a round wall, some faces of it meet in one corner of its rim.
const ONE_AXIS: f64 = 5e-3;

/// Squares of differences between normals, as a part, that do not tell an axis; dimensionless, above those of files in single
/// precision.
const NO_DIFFERENCE: f64 = 1e-9;

/// How the surface bends across an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bend {
    /// Hardly at all: the plane that halves the angle is a wall.
    Flat,
    /// Inwards, but not much: the plane that halves the angle is a wall here too.
    Mitred,
    /// Outwards, as on a box.
    Convex,
    /// Inwards, or back onto itself, or there is no face beyond.
    Open,
}

/// The bends of all edges.
#[derive(Clone, Debug)]
pub struct Bends {
    of_edge: Vec<Bend>,
    /// Whether an edge with a mitre ends in a vertex.
    has_mitre: Vec<bool>,
}

impl Bends {
    /// Those of a surface with these outward unit normals.
    pub fn new(mesh: &TriangleMesh, half_edges: &HalfEdges, normals: &[Vector]) -> Self {
        let edges = (0..3 * mesh.faces.len() as u32).map(HalfEdge);
        let mut of_edge: Vec<Bend> = edges.clone().map(|edge| bend(mesh, half_edges, normals, edge)).collect();
        let start = |edge: HalfEdge| mesh.faces[edge.face().index()][edge.corner()];
        let mut has_mitre = vec![false; mesh.vertices.len()];
        // Both half-edges of an edge bend alike: each end is the start of one of them.
        for edge in edges.clone().filter(|edge| of_edge[edge.index()] == Bend::Mitred) {
            has_mitre[start(edge).index()] = true;
        }
        // A mitre that does not meet the others at its ends, or meets a sharp edge there, is none; nor are those it meets.
        let vertices = (0..mesh.vertices.len() as u32).map(VertexIndex);
        let mut pending: Vec<VertexIndex> = vertices.filter(|vertex| has_mitre[vertex.index()]).collect();
        let does_not_meet = |vertex: &VertexIndex| !has_one_axis(half_edges, normals, *vertex);
        let mut is_sharp = vec![false; mesh.vertices.len()];
        pending.iter().filter(|vertex| does_not_meet(vertex)).for_each(|vertex| is_sharp[vertex.index()] = true);
        for edge in edges.filter(|edge| of_edge[edge.index()] == Bend::Open) {
            is_sharp[start(edge).index()] = true;
            is_sharp[start(edge.next()).index()] = true;
        }
        while let Some(vertex) = pending.pop() {
            if !std::mem::replace(&mut has_mitre[vertex.index()], !is_sharp[vertex.index()])
                || !is_sharp[vertex.index()]
            {
                continue;
            }
            for &leaving in half_edges.outgoing(vertex) {
                let Some(twin) = half_edges.twin(leaving).filter(|_| of_edge[leaving.index()] == Bend::Mitred) else {
                    continue;
                };
                of_edge[leaving.index()] = Bend::Open;
                of_edge[twin.index()] = Bend::Open;
                is_sharp[start(twin).index()] = true;
                pending.push(start(twin));
            }
        }
        Bends { of_edge, has_mitre }
    }

    /// Across a half-edge.
    #[inline]
    pub fn across(&self, edge: HalfEdge) -> Bend {
        self.of_edge[edge.index()]
    }

    /// Whether an edge with a mitre ends in a vertex.
    #[inline]
    pub fn has_mitre(&self, vertex: VertexIndex) -> bool {
        self.has_mitre[vertex.index()]
    }
}

fn bend(mesh: &TriangleMesh, half_edges: &HalfEdges, normals: &[Vector], edge: HalfEdge) -> Bend {
    let Some(twin) = half_edges.twin(edge) else { return Bend::Open };
    let corners = mesh.corners(edge.face());
    let along = corners[(edge.corner() + 1) % 3] - corners[edge.corner()];
    let (own, other) = (normals[edge.face().index()], normals[twin.face().index()]);
    let (sine, cosine, length) = (own.cross(&other).dot(&along), own.dot(&other), along.norm());
    let is_turned_back = cosine < -1.0 + FLAT_EDGE * FLAT_EDGE;
    if 0.0 < cosine && sine.abs() <= FLAT_EDGE * length {
        Bend::Flat
    } else if !is_turned_back && 0.0 <= sine {
        Bend::Convex
    } else if 0.0 < cosine && -LARGEST_MITRE * length <= sine {
        Bend::Mitred
    } else {
        Bend::Open
    }
}

/// Whether there is an axis along which all faces around a vertex are about equally deep, and they make one fan.
fn has_one_axis(half_edges: &HalfEdges, normals: &[Vector], vertex: VertexIndex) -> bool {
    let around = half_edges.outgoing(vertex);
    // The shortest axis with n · axis = 1 for all normals, by least squares.
    let (mut squares, mut sum) = (Matrix::zeros(), Vector::zeros());
    for normal in around.iter().map(|edge| normals[edge.face().index()]) {
        squares += normal * normal.transpose();
        sum += normal;
    }
    let SymmetricEigen { eigenvalues, eigenvectors } = SymmetricEigen::new(squares);
    let smallest = NO_DIFFERENCE * eigenvalues.max();
    let mut axis = Vector::zeros();
    for (value, vector) in eigenvalues.iter().zip(eigenvectors.column_iter()) {
        if smallest < *value {
            axis += vector * (vector.dot(&sum) / value);
        }
    }
    let is_as_deep = |edge: &HalfEdge| (normals[edge.face().index()].dot(&axis) - 1.0).abs() <= ONE_AXIS;
    super::is_one_fan(half_edges, around) && around.iter().all(is_as_deep)
}
