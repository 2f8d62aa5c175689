//! Error of the quadrature of friction in a spinning patch, against integrals in polar coordinates.
//!
//! `cargo test --test contact friction_quadrature:: -- --nocapture` prints the table of ARCHITECTURE.md.
//!
//! Everything but friction is integrated exactly. The friction stress of a spinning patch turns about the centre of
//! rotation, where it has a kink; the face that holds the centre carries the error.

use std::f64::consts::{PI, TAU};

use crate::support::{frictional, moving, surface, translation};
use polycontact::contact::{ContactSurface, Method};
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::mesh::{TriangleMesh, VertexIndex};
use polycontact::shapes::{cuboid, moved, regular_prism};

const MU: f64 = 0.3;
const V_EPS: f64 = 1e-4;
const RADIUS: f64 = 0.1;
const HEIGHT: f64 = 0.1;
/// The pressure is smaller within this of the rim: it takes 2e-5 of the moment.
const DEPTH: f64 = 1e-6;

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

/// Moment over μ F_n R of a prism that spins about a point of its base, given from its axis; the
/// faces of the plate carry the pressure.
fn spin_moment(prism: &ContactSurface, pole: Vector) -> f64 {
    let turn = Rotation::from_axis_angle(&Vector::z_axis(), 0.123);
    // Away from the diagonals of the plate, which would cut the patch.
    let pose = Pose::from_parts(Vector::new(0.5, 0.1, 0.5 * HEIGHT - DEPTH).into(), turn);
    // The regularised zone is a circle of 1e-4 R: it takes less than 1e-6 of the moment.
    let spin = Vector::new(0.0, 0.0, V_EPS / (1e-4 * RADIUS));
    let (from_axis, pole) = (turn * pole, pose.translation.vector + turn * pole);
    let motion = (&pose, -spin.cross(&from_axis), spin);
    let outcome = moving(&plate(), prism, &frictional(Method::MasterE, MU, V_EPS), motion);
    let moment = (outcome.wrenches.on_e.torque - pole.cross(&outcome.wrenches.on_e.force)).z;
    moment / (MU * -outcome.wrenches.on_e.force.z * RADIUS)
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

/// The mean distance of the triangle from a point over R, by midpoints of a million small triangles.
fn mean_distance_of_triangle(pole: Vector) -> f64 {
    let corners = [0.0, 1.0, 2.0].map(|third| Vector::new((TAU * third / 3.0).cos(), (TAU * third / 3.0).sin(), 0.0));
    let (n, mut sum) = (1000, 0.0);
    for i in 0..n {
        for j in 0..n - i {
            let at = |i: f64, j: f64| {
                let (a, b) = (i / n as f64, j / n as f64);
                (a * corners[0] + b * corners[1] + (1.0 - a - b) * corners[2] - pole / RADIUS).norm()
            };
            let (i, j, is_inner) = (i as f64, j as f64, j + 1 < n - i);
            sum += at(i + 1.0 / 3.0, j + 1.0 / 3.0);
            if is_inner {
                sum += at(i + 2.0 / 3.0, j + 2.0 / 3.0);
            }
        }
    }
    sum / (n * n) as f64
}

#[test]
fn spin_moments_as_a_table() {
    println!("| patch | spins about | faces in it | theory | measured | error |");
    println!("|---|---|---|---|---|---|");
    let row = |name: &str, about: &str, mesh: &TriangleMesh, pole: Vector, theory: f64| {
        let in_base =
            |face: &&[VertexIndex; 3]| face.iter().all(|vertex| mesh.vertices[vertex.index()].z < -0.49 * HEIGHT);
        let faces = mesh.faces.iter().filter(in_base).count();
        let measured = spin_moment(&surface(mesh.clone()), pole);
        let error = measured / theory - 1.0;
        println!("| {name} | {about} | {faces} | {theory:.4} | {measured:.4} | {:+.3} % |", 1e2 * error);
        error.abs()
    };
    let triangle = triangular_prism();
    let meshes = [triangle.clone(), refined(&triangle), refined(&refined(&triangle))];
    for (about, share, worst) in [
        ("its centre", 0.0, 1e-3),
        ("a point a quarter of the way to a corner", 0.25, 5e-3),
        ("a point halfway to a corner", 0.5, 5e-3),
    ] {
        let pole = Vector::new(share * RADIUS, 0.0, 0.0);
        let theory = mean_distance_of_triangle(pole);
        let errors = meshes.each_ref().map(|mesh| row("triangle", about, mesh, pole, theory));
        assert!(errors.iter().all(|error| *error < worst), "{about}: {errors:?}");
        assert!(errors[2] < errors[0].max(errors[1]) / 4.0, "{about}: {errors:?}");
    }
    // Outside the patch the direction of slip changes little over it, and four points take over.
    for (about, share) in [("a point 2 R away", 2.0), ("a point 5 R away", 5.0), ("a point 20 R away", 20.0)] {
        let pole = Vector::new(share * RADIUS, 0.0, 0.0);
        let error = row("triangle", about, &triangle, pole, mean_distance_of_triangle(pole));
        assert!(error < 1e-3, "{about}: {error}");
    }
    assert!((mean_distance_of_triangle(Vector::zeros()) - mean_distance(3)).abs() < 1e-6);
    for sides in [4, 6, 12, 96] {
        let mesh = regular_prism(RADIUS, HEIGHT, sides);
        let error = row(&format!("regular {sides}-gon"), "its centre", &mesh, Vector::zeros(), mean_distance(sides));
        assert!(error < 0.01, "{sides}: {error}");
    }
}
