//! Faces that meet another one in a sharp inner corner, and may come nearer to what lies below it.

use super::Bend;
use super::walls::Shape;
use crate::math::Vector;
use crate::mesh::{FaceIndex, HalfEdge, TriangleMesh};

/// Faces whose normals and planes differ by less, the latter as a part of the size, lie in one plane; dimensionless.
const ONE_PLANE: f64 = 1e-9;

/// Such faces, for each face.
#[derive(Clone, Debug)]
pub struct CornerFaces {
    /// Where those of each face start; one more than there are faces, or none where there are no such corners.
    first: Vec<u32>,
    faces: Vec<FaceIndex>,
}

impl CornerFaces {
    /// Of a surface of this size in m.
    pub fn new(shape: &Shape, simple_vertices: &[bool], size: f64) -> Self {
        let (mut first, mut faces) = (Vec::new(), Vec::new());
        if simple_vertices.contains(&false) {
            first.reserve(shape.mesh.faces.len() + 1);
            first.push(0);
            for face in (0..shape.mesh.faces.len() as u32).map(FaceIndex) {
                push_of_face(shape, simple_vertices, size, face, &mut faces);
                first.push(faces.len() as u32);
            }
        }
        CornerFaces { first, faces }
    }

    /// Those of a face.
    #[inline]
    pub fn of(&self, face: FaceIndex) -> &[FaceIndex] {
        match self.first.get(face.index()..face.index() + 2) {
            Some(&[start, end]) => &self.faces[start as usize..end as usize],
            _ => &[],
        }
    }
}

/// Whether two faces of a surface of this size lie in one plane.
pub fn are_in_one_plane(mesh: &TriangleMesh, normals: &[Vector], size: f64, [one, other]: [FaceIndex; 2]) -> bool {
    let [normal, across] = [one, other].map(|face| normals[face.index()]);
    let offset = normal.dot(&(mesh.corners(other)[0] - mesh.corners(one)[0]));
    (across - normal).norm() <= ONE_PLANE && offset.abs() <= ONE_PLANE * size
}

fn push_of_face(shape: &Shape, simple_vertices: &[bool], size: f64, face: FaceIndex, faces: &mut Vec<FaceIndex>) {
    let Shape { mesh, half_edges, normals, bends } = shape;
    let (normal, anchor) = (normals[face.index()], mesh.corners(face)[0]);
    let in_one_plane = |one: FaceIndex, other: FaceIndex| are_in_one_plane(mesh, normals, size, [one, other]);
    let edges = [0, 1, 2].map(|corner| HalfEdge::new(face, corner));
    // Walls keep off what lies behind them in the plane of a neighbour.
    let is_walled = |other: FaceIndex| {
        edges.into_iter().any(|edge| {
            let is_convex = matches!(bends.across(edge), Bend::Flat | Bend::Convex);
            let beside = half_edges.twin(edge).filter(|_| is_convex);
            beside.is_some_and(|twin| twin.face() == other || in_one_plane(twin.face(), other))
        })
    };
    let is_below = |other: FaceIndex| mesh.corners(other).iter().any(|corner| normal.dot(&(corner - anchor)) < 0.0);
    let first = faces.len();
    for vertex in mesh.faces[face.index()].into_iter().filter(|vertex| !simple_vertices[vertex.index()]) {
        for other in half_edges.outgoing(vertex).iter().map(|leaving| leaving.face()) {
            let is_new = other != face && !faces[first..].contains(&other);
            if is_new && is_below(other) && !in_one_plane(face, other) && !is_walled(other) {
                faces.push(other);
            }
        }
    }
}
