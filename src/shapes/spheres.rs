//! Spheres by subdivision of the icosahedron.

use std::collections::BTreeMap;

use super::push_triangle;
use crate::math::Vector;
use crate::mesh::TriangleMesh;

/// An icosahedron, every face of which is split in four `subdivisions` times, with all vertices on
/// the sphere: 20 · 4^`subdivisions` faces (1280 for 3, 5120 for 4, 20480 for 5, 81920 for 6).
pub fn icosphere(radius: f64, subdivisions: u32) -> TriangleMesh {
    let golden = 0.5 * (1.0 + 5.0_f64.sqrt());
    let mut directions: Vec<Vector> = Vec::new();
    // The corners are the cyclic permutations of (0, ±1, ±golden).
    for axis in 0..3 {
        for (a, b) in [(1.0, golden), (1.0, -golden), (-1.0, golden), (-1.0, -golden)] {
            let mut corner = Vector::zeros();
            corner[(axis + 1) % 3] = a;
            corner[(axis + 2) % 3] = b;
            directions.push(corner.normalize());
        }
    }
    // Faces are the triples of mutually nearest corners; neighbours are 63.4° apart, others 116.6° or more.
    let are_neighbours = |i: usize, j: usize| 0.0 < directions[i].dot(&directions[j]);
    let mut faces: Vec<[u32; 3]> = Vec::new();
    for i in 0..12 {
        for j in i + 1..12 {
            for k in j + 1..12 {
                if are_neighbours(i, j) && are_neighbours(j, k) && are_neighbours(k, i) {
                    let is_outward = 0.0 < directions[i].cross(&directions[j]).dot(&directions[k]);
                    let (j, k) = if is_outward { (j, k) } else { (k, j) };
                    faces.push([i as u32, j as u32, k as u32]);
                }
            }
        }
    }
    for _ in 0..subdivisions {
        let mut middles: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        let mut middle = |a: u32, b: u32| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                directions.push((directions[a as usize] + directions[b as usize]).normalize());
                directions.len() as u32 - 1
            })
        };
        let mut finer = Vec::with_capacity(4 * faces.len());
        for [a, b, c] in faces {
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            finer.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        faces = finer;
    }
    let mut mesh = TriangleMesh { vertices: directions.iter().map(|d| d * radius).collect(), faces: Vec::new() };
    for face in faces {
        push_triangle(&mut mesh.faces, face);
    }
    mesh
}
