//! Parametric meshes for examples, tests and benchmarks.
//!
//! Every shape is centred on the origin of its frame unless its documentation says otherwise, in
//! metres, with normals out of the body; closed shapes have no border.
#![forbid(unsafe_code)]

mod blocks;
mod bored;
mod extruded;
mod height_fields;
mod machine_parts;
mod prisms;
mod profiles;
mod refined;
mod revolved;
mod spheres;

pub use blocks::{comb, cuboid, from_cells, subdivided_cuboid, table};
pub use bored::bored_block;
pub use extruded::extruded;
pub use height_fields::{funnel, ground, paraboloid_cap};
pub use machine_parts::{chain_link, involute_gear};
pub use prisms::{gear, regular_prism, star_prism};
pub use profiles::{filleted_angle, filleted_bar, gripper_finger, l_profile, latch_hook, rounded, u_profile};
pub use refined::{Cut, evened, refined};
pub use revolved::{bush, dumb_bell, revolve_ring, revolve_solid, spherical_socket, torus, wheel};
pub use spheres::icosphere;

use crate::math::{Pose, Vector};
use crate::mesh::{TriangleMesh, VertexIndex};

/// The mesh after a rigid motion: every vertex `x` becomes `pose * x`.
pub fn moved(mesh: &TriangleMesh, pose: &Pose) -> TriangleMesh {
    let vertices = mesh.vertices.iter().map(|vertex| pose.rotation * vertex + pose.translation.vector).collect();
    TriangleMesh { vertices, faces: mesh.faces.clone() }
}

/// The mesh with every face turned over: the body becomes the space around it.
pub fn reversed(mesh: &TriangleMesh) -> TriangleMesh {
    let faces = mesh.faces.iter().map(|&[a, b, c]| [a, c, b]).collect();
    TriangleMesh { vertices: mesh.vertices.clone(), faces }
}

/// Two triangles over the quadrilateral a, b, c, d, split along a-c; counter-clockwise from outside.
fn push_quad(faces: &mut Vec<[VertexIndex; 3]>, [a, b, c, d]: [u32; 4]) {
    push_triangle(faces, [a, b, c]);
    push_triangle(faces, [a, c, d]);
}

fn push_triangle(faces: &mut Vec<[VertexIndex; 3]>, corners: [u32; 3]) {
    faces.push(corners.map(VertexIndex));
}

/// A point of the cylinder coordinates radius, angle, height.
fn cylindrical(radius: f64, angle: f64, z: f64) -> Vector {
    Vector::new(radius * angle.cos(), radius * angle.sin(), z)
}

#[cfg(test)]
mod shapes_tests;
