//! Error of the quadrature of friction in a spinning patch, against integrals in polar coordinates.
//!
//! `cargo test --test friction_quadrature -- --nocapture` prints the table of ARCHITECTURE.md.
//!
//! Everything but friction is integrated exactly. The friction stress of a spinning patch turns about the centre of
//! rotation, where it has a kink; the face that holds the centre carries the error.

mod support;

use std::f64::consts::{PI, TAU};

use polycontact::contact::{ContactSurface, Method};
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::mesh::{TriangleMesh, VertexIndex};
use polycontact::shapes::{cuboid, moved, regular_prism};
use support::{frictional, moving, surface, translation};

const MU: f64 = 0.3;
const V_EPS: f64 = 1e-4;
const RADIUS: f64 = 0.1;
const HEIGHT: f64 = 0.1;

fn plate() -> ContactSurface {
    surface(moved(&cuboid(Vector::new(2.0, 2.0, 0.5)), &translation(0.0, 0.0, -0.25)))
}

/// A prism over a triangle whose base is one face.
fn triangular_prism() -> TriangleMesh {
    let corner = |index: usize| {
        let angle = TAU * (index % 3) as f64 / 3.0;
        let z = if index < 3 { -0.5 * HEIGHT } else { 0.5 * HEIGHT };
        Vector::new(RADIUS * angle.cos(), RADIUS * angle.sin(), z)
    };
    let faces = [[0, 2, 1], [3, 4, 5], [0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4], [2, 0, 3], [2, 3, 5]];
    TriangleMesh {
        vertices: (0..6).map(corner).collect(),
        faces: faces.map(|face: [u32; 3]| face.map(VertexIndex)).to_vec(),
    }
}

/// Every face becomes four.
fn refined(mesh: &TriangleMesh) -> TriangleMesh {
    let mut vertices = mesh.vertices.clone();
    let mut middles: Vec<((u32, u32), u32)> = Vec::new();
    let mut faces = Vec::new();
    for face in &mesh.faces {
        let [a, b, c] = face.map(|vertex| vertex.0);
        let mut middle = |from: u32, to: u32| {
            let key = (from.min(to), from.max(to));
            if let Some((_, known)) = middles.iter().find(|(edge, _)| *edge == key) {
                return *known;
            }
            vertices.push(0.5 * (mesh.vertices[from as usize] + mesh.vertices[to as usize]));
            middles.push((key, vertices.len() as u32 - 1));
            vertices.len() as u32 - 1
        };
        let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
        faces.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]].map(|face| face.map(VertexIndex)));
    }
    TriangleMesh { vertices, faces }
}

/// Spin moment of a prism about its axis over μ F_n R, with the prism as master or as slave.
fn spin_moment(prism: &ContactSurface, method: Method) -> f64 {
    let turn = Rotation::from_axis_angle(&Vector::z_axis(), 0.123);
    // Away from the diagonals of the plate, which would cut the patch.
    let pose = Pose::from_parts(Vector::new(0.5, 0.1, 0.5 * HEIGHT - 1e-3).into(), turn);
    // The regularised zone is a circle of 1e-4 R: it takes less than 1e-6 of the moment.
    let spin = Vector::new(0.0, 0.0, V_EPS / (1e-4 * RADIUS));
    let outcome = moving(&plate(), prism, &frictional(method, MU, V_EPS), (&pose, Vector::zeros(), spin));
    let moment = (outcome.torque_on_e - pose.translation.vector.cross(&outcome.force_on_e)).z;
    moment / (MU * -outcome.force_on_e.z * RADIUS)
}

/// The mean distance of a regular N-gon from its centre over R: ∫∫ r² dr dφ / ∫∫ r dr dφ, r up to cos(π/N) / cos φ.
fn mean_distance(sides: usize) -> f64 {
    let (half_angle, steps) = (PI / sides as f64, 10_000);
    let (mut moment, mut area) = (0.0, 0.0);
    for i in 0..steps {
        let r = half_angle.cos() / (half_angle * (i as f64 + 0.5) / steps as f64).cos();
        moment += r.powi(3) / 3.0;
        area += r * r / 2.0;
    }
    moment / area
}

#[test]
fn spin_moments_as_a_table() {
    println!("| patch | faces in it | theory | measured | error |");
    println!("|---|---|---|---|---|");
    let mut row = |name: &str, sides: usize, mesh: TriangleMesh| {
        let on_the_plate = |face: &&[VertexIndex; 3]| face.iter().all(|v| mesh.vertices[v.0 as usize].z < -0.49 * HEIGHT);
        let faces = mesh.faces.iter().filter(on_the_plate).count();
        let (theory, measured) = (mean_distance(sides), spin_moment(&surface(mesh.clone()), Method::MasterE));
        let error = measured / theory - 1.0;
        println!("| {name} | {faces} | {theory:.4} | {measured:.4} | {:+.2} % |", 1e2 * error);
        error.abs()
    };
    let triangle = triangular_prism();
    let errors = [
        row("triangle, one face", 3, triangle.clone()),
        row("triangle, refined once", 3, refined(&triangle)),
        row("triangle, refined twice", 3, refined(&refined(&triangle))),
    ];
    // The error sits in the face about the centre, whose share of the moment falls by eight per refinement.
    assert!(errors[0] < 0.02 && errors[1] < errors[0] / 4.0 && errors[2] < errors[1] / 4.0, "{errors:?}");
    for sides in [4, 6, 12, 96] {
        let error = row(&format!("regular {sides}-gon"), sides, regular_prism(RADIUS, HEIGHT, sides));
        assert!(error < 0.01, "{sides}: {error}");
    }
}
