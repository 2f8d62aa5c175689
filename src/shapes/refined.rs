//! The same surface with other faces.

use std::collections::HashMap;

use super::push_triangle;
use crate::math::Vector;
use crate::mesh::{TriangleMesh, VertexIndex};

/// How [`refined`] cuts faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Each face in 3, from its centroid.
    Centroids,
    /// Each face in 4, from the middles of its edges.
    EdgeMiddles,
}

/// The mesh with every face cut into smaller ones; the surface stays the same, but for the rounding of the new vertices.
pub fn refined(mesh: &TriangleMesh, cut: Cut) -> TriangleMesh {
    let mut fine = TriangleMesh { vertices: mesh.vertices.clone(), faces: Vec::with_capacity(4 * mesh.faces.len()) };
    let mut middles: HashMap<(u32, u32), u32> = HashMap::new();
    for face in &mesh.faces {
        let [a, b, c] = face.map(|vertex| vertex.0);
        let [p, q, r] = face.map(|vertex| mesh.vertices[vertex.index()]);
        match cut {
            Cut::Centroids => {
                let centroid = fine.vertices.len() as u32;
                fine.vertices.push((p + q + r) / 3.0);
                for [from, to] in [[a, b], [b, c], [c, a]] {
                    push_triangle(&mut fine.faces, [from, to, centroid]);
                }
            }
            Cut::EdgeMiddles => {
                let [ab, bc, ca] = [(a, b, p, q), (b, c, q, r), (c, a, r, p)].map(|(from, to, x, y)| {
                    *middles.entry((from.min(to), from.max(to))).or_insert_with(|| {
                        fine.vertices.push(0.5 * (x + y));
                        fine.vertices.len() as u32 - 1
                    })
                });
                for corners in [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]] {
                    push_triangle(&mut fine.faces, corners);
                }
            }
        }
    }
    fine
}

/// Two normals of one plane: their product.
const ONE_PLANE: f64 = 1.0 - 1e-12;

/// Equal diagonals are not turned.
const CLEARLY_WIDER: f64 = -1e-9;

/// The mesh with other edges inside flat places: as far from needles as their corners allow (Delaunay).
///
/// # Panics
/// Where an edge has more than two faces, or a face no area.
pub fn evened(mesh: &TriangleMesh) -> TriangleMesh {
    let mut faces = mesh.faces.clone();
    let point = |vertex: VertexIndex| mesh.vertices[vertex.index()];
    let normal = |[a, b, c]: [VertexIndex; 3]| (point(b) - point(a)).cross(&(point(c) - point(a))).normalize();
    let cotangent = |at: VertexIndex, a: VertexIndex, b: VertexIndex| {
        let [a, b]: [Vector; 2] = [point(a) - point(at), point(b) - point(at)];
        a.dot(&b) / a.cross(&b).norm()
    };
    loop {
        let sides = faces.iter().enumerate().flat_map(|(face, &[a, b, c])| {
            [[a, b, c], [b, c, a], [c, a, b]].map(|[from, to, opposite]| ((from, to), (face, opposite)))
        });
        let count = 3 * faces.len();
        let sides: HashMap<_, _> = sides.collect();
        assert_eq!(sides.len(), count, "an edge has two faces on one side");
        let mut is_turned = vec![false; faces.len()];
        for face in 0..faces.len() {
            if is_turned[face] {
                continue;
            }
            let [a, b, c] = faces[face];
            let wider = [[a, b, c], [b, c, a], [c, a, b]].into_iter().find_map(|[from, to, opposite]| {
                let (other, beyond) = sides.get(&(to, from)).copied().filter(|(other, _)| !is_turned[*other])?;
                let is_flat = ONE_PLANE < normal(faces[face]).dot(&normal(faces[other]));
                let is_wider = || cotangent(opposite, from, to) + cotangent(beyond, from, to) < CLEARLY_WIDER;
                (is_flat && is_wider()).then_some((other, [from, to, opposite, beyond]))
            });
            if let Some((other, [from, to, opposite, beyond])) = wider {
                faces[face] = [opposite, from, beyond];
                faces[other] = [beyond, to, opposite];
                is_turned[face] = true;
                is_turned[other] = true;
            }
        }
        if !is_turned.contains(&true) {
            return TriangleMesh { vertices: mesh.vertices.clone(), faces };
        }
    }
}
