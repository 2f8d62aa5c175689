//! A block with a hole, its ends cut the way CAD kernels do: fans from the corners to the hole.

use std::f64::consts::TAU;

use super::{cylindrical, push_quad, push_triangle};
use crate::math::Vector;
use crate::mesh::TriangleMesh;

/// A cuboid with a round hole of `radius` through it, about z; 4 `segments` + 16 faces.
///
/// `radius` is that of the corners of the hole; the middle of its flats is nearer to the axis.
///
/// # Panics
/// Where `segments` is no multiple of 4, or the hole does not fit.
pub fn bored_block(size: Vector, radius: f64, segments: usize) -> TriangleMesh {
    assert!(segments.is_multiple_of(4) && 0 < segments, "{segments} segments do not divide into quarters");
    let half = 0.5 * size;
    assert!(radius < half.x.min(half.y), "a hole of {radius} m does not fit");
    let corners = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];
    let n = segments as u32;
    let mut mesh = TriangleMesh { vertices: Vec::new(), faces: Vec::new() };
    // Each end: four corners, then the hole, both counter-clockwise; the hole begins on the x axis.
    for z in [-half.z, half.z] {
        mesh.vertices.extend(corners.map(|[x, y]| Vector::new(x * half.x, y * half.y, z)));
        mesh.vertices.extend((0..segments).map(|k| cylindrical(radius, TAU * k as f64 / segments as f64, z)));
    }
    let top = 4 + n;
    let hole = |k: u32| 4 + k % n;
    for corner in 0..4 {
        let next = (corner + 1) % 4;
        push_quad(&mut mesh.faces, [corner, next, top + next, top + corner]);
        // The triangle on the side from this corner to the next one, up to the hole; then the fan of the next corner.
        let middle = hole((corner + 1) * n / 4);
        push_triangle(&mut mesh.faces, [corner, middle, next]);
        push_triangle(&mut mesh.faces, [top + corner, top + next, top + middle]);
        for k in (corner + 1) * n / 4..(corner + 2) * n / 4 {
            let (a, b) = (hole(k), hole(k + 1));
            push_triangle(&mut mesh.faces, [next, a, b]);
            push_triangle(&mut mesh.faces, [top + next, top + b, top + a]);
        }
    }
    for k in 0..n {
        let (a, b) = (hole(k), hole(k + 1));
        push_quad(&mut mesh.faces, [b, a, top + a, top + b]);
    }
    mesh
}
