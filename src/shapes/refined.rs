//! The same surface with smaller faces.

use std::collections::HashMap;

use super::push_triangle;
use crate::mesh::TriangleMesh;

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
