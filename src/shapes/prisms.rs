//! Prisms over outlines in the x-y plane.

use std::f64::consts::TAU;

use super::{cylindrical, push_quad, push_triangle};
use crate::math::Vector;
use crate::mesh::TriangleMesh;

/// A prism of `height` along z over an outline that the z axis sees completely (star-shaped about
/// the origin), given counter-clockwise; 4 faces per corner, its ends are fans around their centres.
pub fn star_prism(outline: &[[f64; 2]], height: f64) -> TriangleMesh {
    let n = outline.len() as u32;
    let mut mesh = TriangleMesh { vertices: Vec::new(), faces: Vec::new() };
    for z in [-0.5 * height, 0.5 * height] {
        mesh.vertices.extend(outline.iter().map(|&[x, y]| Vector::new(x, y, z)));
    }
    let (bottom_centre, top_centre) = (2 * n, 2 * n + 1);
    mesh.vertices.push(Vector::new(0.0, 0.0, -0.5 * height));
    mesh.vertices.push(Vector::new(0.0, 0.0, 0.5 * height));
    for i in 0..n {
        let j = (i + 1) % n;
        push_quad(&mut mesh.faces, [i, j, n + j, n + i]);
        push_triangle(&mut mesh.faces, [bottom_centre, j, i]);
        push_triangle(&mut mesh.faces, [top_centre, n + i, n + j]);
    }
    mesh
}

/// A prism over a regular polygon with `sides` corners on a circle of `radius`, the first on the
/// x axis; many sides make a cylinder, a small radius a rod.
pub fn regular_prism(radius: f64, height: f64, sides: usize) -> TriangleMesh {
    let outline: Vec<[f64; 2]> = (0..sides)
        .map(|i| {
            let corner = cylindrical(radius, TAU * i as f64 / sides as f64, 0.0);
            [corner.x, corner.y]
        })
        .collect();
    star_prism(&outline, height)
}

/// A gear-like prism: `teeth` trapezoidal teeth between the radii `root` and `tip`; 16 faces per tooth.
pub fn gear(teeth: usize, root: f64, tip: f64, height: f64) -> TriangleMesh {
    let pitch = TAU / teeth as f64;
    let mut outline = Vec::with_capacity(4 * teeth);
    for tooth in 0..teeth {
        for (part, radius) in [(0.0, root), (0.3, root), (0.45, tip), (0.85, tip)] {
            let corner = cylindrical(radius, (tooth as f64 + part) * pitch, 0.0);
            outline.push([corner.x, corner.y]);
        }
    }
    star_prism(&outline, height)
}
