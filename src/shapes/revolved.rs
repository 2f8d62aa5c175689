//! Bodies of revolution about the z axis.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use super::{cylindrical, push_quad, push_triangle};
use crate::math::Vector;
use crate::mesh::TriangleMesh;

/// Turns a closed profile of (radius, z) points about z; radii above 0, the profile counter-clockwise
/// with the radius to the right and z up. 2 · `segments` faces per point.
pub fn revolve_ring(profile: &[[f64; 2]], segments: usize) -> TriangleMesh {
    let mut mesh = rings(profile, segments);
    let n = profile.len();
    for ring in 0..n {
        connect_rings(&mut mesh, ring, (ring + 1) % n, segments);
    }
    mesh
}

/// Turns an open profile of (radius, z) points with ascending z about z and closes it with poles at
/// the heights `poles` (bottom, top). 2 · `segments` faces per point.
pub fn revolve_solid(profile: &[[f64; 2]], poles: [f64; 2], segments: usize) -> TriangleMesh {
    let mut mesh = rings(profile, segments);
    for ring in 1..profile.len() {
        connect_rings(&mut mesh, ring - 1, ring, segments);
    }
    let bottom = mesh.vertices.len() as u32;
    let top = bottom + 1;
    mesh.vertices.extend(poles.map(|z| Vector::new(0.0, 0.0, z)));
    let last_ring = ((profile.len() - 1) * segments) as u32;
    for i in 0..segments as u32 {
        let j = (i + 1) % segments as u32;
        push_triangle(&mut mesh.faces, [bottom, j, i]);
        push_triangle(&mut mesh.faces, [top, last_ring + i, last_ring + j]);
    }
    mesh
}

fn rings(profile: &[[f64; 2]], segments: usize) -> TriangleMesh {
    let mut vertices = Vec::with_capacity(profile.len() * segments + 2);
    for &[radius, z] in profile {
        vertices.extend((0..segments).map(|i| cylindrical(radius, TAU * i as f64 / segments as f64, z)));
    }
    TriangleMesh { vertices, faces: Vec::new() }
}

fn connect_rings(mesh: &mut TriangleMesh, lower: usize, upper: usize, segments: usize) {
    for i in 0..segments {
        let j = (i + 1) % segments;
        let quad = [lower * segments + i, lower * segments + j, upper * segments + j, upper * segments + i];
        push_quad(&mut mesh.faces, quad.map(|vertex| vertex as u32));
    }
}

/// A torus about z: tube of radius `minor` around a circle of radius `major`; 2 · `segments` · `tube_segments` faces.
pub fn torus(major: f64, minor: f64, segments: usize, tube_segments: usize) -> TriangleMesh {
    let profile: Vec<[f64; 2]> = (0..tube_segments)
        .map(|i| {
            let angle = TAU * i as f64 / tube_segments as f64;
            [major + minor * angle.cos(), minor * angle.sin()]
        })
        .collect();
    revolve_ring(&profile, segments)
}

/// The dissertation's bubble (§5.3), a dumb-bell of 950 faces along z: 40 cm long, two bulges of
/// 20 cm diameter with centres at z = ±10 cm, a waist of 10 cm diameter.
pub fn dumb_bell() -> TriangleMesh {
    const SEGMENTS: usize = 25;
    let mut profile = Vec::with_capacity(19);
    for i in 1..=5 {
        let angle = FRAC_PI_2 * i as f64 / 5.0;
        profile.push([0.1 * angle.sin(), -0.1 - 0.1 * angle.cos()]);
    }
    for i in -4..=4 {
        let z = 0.02 * i as f64;
        profile.push([0.075 - 0.025 * (PI * z / 0.1).cos(), z]);
    }
    for i in (1..=5).rev() {
        let angle = FRAC_PI_2 * i as f64 / 5.0;
        profile.push([0.1 * angle.sin(), 0.1 + 0.1 * angle.cos()]);
    }
    revolve_solid(&profile, [-0.2, 0.2], SEGMENTS)
}

/// A wheel like the dissertation's (§5.1), about z: 416 faces, 571 mm diameter, 201 mm wide, with
/// bevelled shoulders.
pub fn wheel() -> TriangleMesh {
    let profile = [[0.25, -0.1005], [0.2855, -0.07], [0.2855, 0.07], [0.25, 0.1005]];
    revolve_solid(&profile, [-0.1005, 0.1005], 52)
}

/// A bush about z: the space between the radii `inner` and `outer`; 8 · `segments` faces.
///
/// `inner` is the radius of the corners of the hole; the middle of its flats is nearer to the axis.
pub fn bush(inner: f64, outer: f64, length: f64, segments: usize) -> TriangleMesh {
    let half = 0.5 * length;
    revolve_ring(&[[inner, -half], [outer, -half], [outer, half], [inner, half]], segments)
}

/// A thick cup with a spherical inner surface: the space between the radii `inner` and `outer` about
/// the origin, up to the polar angle `opening_angle` from the −z axis; `rings` rings inside and outside.
pub fn spherical_socket(inner: f64, outer: f64, opening_angle: f64, rings: usize, segments: usize) -> TriangleMesh {
    let arc = |radius: f64, i: usize| {
        let angle = opening_angle * i as f64 / rings as f64;
        [radius * angle.sin(), -radius * angle.cos()]
    };
    // From the outer pole up to the rim, over it, and down to the inner pole.
    let profile: Vec<[f64; 2]> =
        (1..=rings).map(|i| arc(outer, i)).chain((1..=rings).rev().map(|i| arc(inner, i))).collect();
    revolve_solid(&profile, [-outer, -inner], segments)
}
