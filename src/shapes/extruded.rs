//! Prisms over any simple polygon, with ends cut the way CAD kernels do: long thin triangles and fans.

use super::{push_quad, push_triangle};
use crate::math::Vector;
use crate::mesh::TriangleMesh;

/// A prism of `height` along z over a simple polygon, given counter-clockwise; 4 n − 4 faces for n corners.
///
/// Its ends are cut by clipping ears, without points inside. Corners may lie on straight sides.
///
/// # Panics
/// Where the polygon crosses itself or runs clockwise.
pub fn extruded(profile: &[[f64; 2]], height: f64) -> TriangleMesh {
    let n = profile.len() as u32;
    let mut mesh = TriangleMesh { vertices: Vec::new(), faces: Vec::new() };
    for z in [-0.5 * height, 0.5 * height] {
        mesh.vertices.extend(profile.iter().map(|&[x, y]| Vector::new(x, y, z)));
    }
    for i in 0..n {
        let j = (i + 1) % n;
        push_quad(&mut mesh.faces, [i, j, n + j, n + i]);
    }
    for [a, b, c] in ears(profile) {
        push_triangle(&mut mesh.faces, [a, c, b]);
        push_triangle(&mut mesh.faces, [n + a, n + b, n + c]);
    }
    mesh
}

/// A triangle with less area than this part of the square around the profile has none: three corners on one line, but
/// for rounding.
const FLAT: f64 = 1e-10;

/// The triangles of a simple polygon.
fn ears(profile: &[[f64; 2]]) -> Vec<[u32; 3]> {
    let extent = profile.iter().flatten().fold(0.0, |extent: f64, x| extent.max(x.abs()));
    let flat = FLAT * extent * extent;
    let mut rest: Vec<usize> = (0..profile.len()).collect();
    let mut triangles = Vec::with_capacity(profile.len());
    while 3 <= rest.len() {
        let n = rest.len();
        let corner = |k: usize| [rest[(k + n - 1) % n], rest[k], rest[(k + 1) % n]];
        let is_ear = |&k: &usize| {
            let ear = corner(k);
            let [a, b, c] = ear.map(|i| profile[i]);
            let holds = |&&i: &&usize| !ear.contains(&i) && is_in_triangle(profile[i], [a, b, c], flat);
            flat < turn(a, b, c) && !rest.iter().any(|i| holds(&i))
        };
        let ear = (0..n).find(is_ear).expect("a simple polygon, counter-clockwise");
        triangles.push(corner(ear).map(|i| i as u32));
        rest.remove(ear);
    }
    triangles
}

/// Twice the area of the triangle, positive where it runs counter-clockwise.
fn turn([ax, ay]: [f64; 2], [bx, by]: [f64; 2], [cx, cy]: [f64; 2]) -> f64 {
    (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
}

/// Whether a point lies in a counter-clockwise triangle or on its border.
fn is_in_triangle(point: [f64; 2], [a, b, c]: [[f64; 2]; 3], flat: f64) -> bool {
    [turn(a, b, point), turn(b, c, point), turn(c, a, point)].iter().all(|side| -flat <= *side)
}
