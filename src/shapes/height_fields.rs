//! Open surfaces: ground, funnel, paraboloid caps. Their normals point up, along +z.

use super::{push_quad, push_triangle};
use crate::math::Vector;
use crate::mesh::TriangleMesh;

/// The dissertation's ground (§5.1): a square of side `size` in the plane z = 0, as 8 coplanar triangles.
pub fn ground(size: f64) -> TriangleMesh {
    height_field(3, 0.5 * size, |_, _| 0.0)
}

/// The dissertation's funnel (§5.3): a square opening of 2 m × 2 m at z = 0.5 m, the tip at the origin,
/// 4 triangles; the body is below it.
pub fn funnel() -> TriangleMesh {
    let mut mesh = TriangleMesh { vertices: vec![Vector::zeros()], faces: Vec::new() };
    for (x, y) in [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)] {
        mesh.vertices.push(Vector::new(x, y, 0.5));
    }
    for i in 0..4 {
        push_triangle(&mut mesh.faces, [0, 1 + i, 1 + (i + 1) % 4]);
    }
    mesh
}

/// The dissertation's sphere (§5.2): the paraboloid z = −(x² + y²) / (2 `radius`) over a square of
/// `points` × `points` grid points from −`half_width` to `half_width`; 2 (`points` − 1)² faces. The
/// body is below it.
pub fn paraboloid_cap(radius: f64, half_width: f64, points: usize) -> TriangleMesh {
    height_field(points, half_width, |x, y| -0.5 * (x * x + y * y) / radius)
}

fn height_field(points: usize, half_width: f64, height: impl Fn(f64, f64) -> f64) -> TriangleMesh {
    let coordinate = |i: usize| half_width * (2.0 * i as f64 / (points - 1) as f64 - 1.0);
    let mut mesh = TriangleMesh { vertices: Vec::new(), faces: Vec::new() };
    for i in 0..points {
        for j in 0..points {
            let (x, y) = (coordinate(i), coordinate(j));
            mesh.vertices.push(Vector::new(x, y, height(x, y)));
        }
    }
    let vertex = |i: usize, j: usize| (i * points + j) as u32;
    for i in 0..points - 1 {
        for j in 0..points - 1 {
            push_quad(&mut mesh.faces, [vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)]);
        }
    }
    mesh
}
