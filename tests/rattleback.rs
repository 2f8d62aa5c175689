//! The rattleback of Kane and Levinson (1982): spun one way it rattles and turns back, the other way it does not.
//!
//! Rolling without slip would cross zero at 2.35 s. A patch of some millimetres also resists the spin itself, by about
//! 8/15 μ F a; so the layer is hard here, and the stone still loses spin by that. Hard layers need short steps: with the
//! modulus of 1e12 Pa the stone of 1 kg lies 0.3 µm deep, k = 2 F / δ is 6e7 N/m, and a wrench that is held is stable up to
//! 2 √(m/k), 0.26 ms, and less along the surface, where only 0.18 kg resist. Steps of 1 ms need 1e9 Pa; then the stone lies
//! 10 µm deep on a patch of 6 mm and stops after 1.7 s, before it would turn back.

use std::f64::consts::FRAC_PI_4;

use crate::support::host::{Body, Element, soft_on_rigid};
use crate::support::{surface, translation};
use polycontact::contact::{RawLayer, RawParameters};
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::mesh::{TriangleMesh, VertexIndex};
use polycontact::shapes::{cuboid, moved};

/// Semi-axes of the ellipsoid, and how far its centre is above the centre of mass, in m.
const AXES: Vector = Vector::new(0.2, 0.03, 0.02);
const CENTRE: f64 = 0.01;
/// Moments and product of inertia in the axes of the ellipsoid, in kg m²; the mass is 1 kg.
const INERTIA: [f64; 3] = [2e-4, 16e-4, 17e-4];
const PRODUCT: f64 = -0.2e-4;
const WEIGHT: f64 = 9.81;
const STEP: f64 = 5e-5;

/// The lower part of the ellipsoid, in a square grid that is drawn onto its outline, with a lid.
fn stone(cells: usize) -> TriangleMesh {
    let mut mesh = TriangleMesh { vertices: Vec::new(), faces: Vec::new() };
    for (i, j) in (0..=cells).flat_map(|i| (0..=cells).map(move |j| (i, j))) {
        let [u, v] = [i, j].map(|k| 2.0 * k as f64 / cells as f64 - 1.0);
        let (radius, angle) = match (u, v) {
            (0.0, 0.0) => (0.0, 0.0),
            _ if v.abs() < u.abs() => (u, FRAC_PI_4 * v / u),
            _ => (v, 2.0 * FRAC_PI_4 - FRAC_PI_4 * u / v),
        };
        let (x, y) = (0.9 * radius * angle.cos(), 0.9 * radius * angle.sin());
        mesh.vertices
            .push(AXES.component_mul(&Vector::new(x, y, -(1.0 - x * x - y * y).sqrt())) + Vector::z() * CENTRE);
    }
    let at = |i: usize, j: usize| VertexIndex((i * (cells + 1) + j) as u32);
    for (i, j) in (0..cells).flat_map(|i| (0..cells).map(move |j| (i, j))) {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        mesh.faces.extend(if (i + j) % 2 == 0 { [[a, c, b], [a, d, c]] } else { [[a, d, b], [b, d, c]] });
    }
    let sides = [|k, _| (k, 0), |k, n| (n, k), |k, n| (n - k, n), |k, n| (0, n - k)];
    let rim: Vec<(usize, usize)> =
        sides.iter().flat_map(|side: &fn(usize, usize) -> (usize, usize)| (0..cells).map(|k| side(k, cells))).collect();
    let top = VertexIndex(mesh.vertices.len() as u32);
    mesh.vertices.push(Vector::z() * 0.03);
    for (k, &(i, j)) in rim.iter().enumerate() {
        let (next_i, next_j) = rim[(k + 1) % rim.len()];
        mesh.faces.push([at(i, j), at(next_i, next_j), top]);
    }
    mesh
}

/// The spin after every tenth of a second.
fn spins(start: f64, seconds: f64) -> Vec<f64> {
    let [a, b, c] = INERTIA;
    // From the axes of the ellipsoid to the principal ones.
    let angle = 0.5 * (2.0 * PRODUCT / (a - b)).atan();
    let (sin, cos) = angle.sin_cos();
    let inertia = Vector::new(
        a * cos * cos + 2.0 * PRODUCT * sin * cos + b * sin * sin,
        a * sin * sin - 2.0 * PRODUCT * sin * cos + b * cos * cos,
        c,
    );
    let to_principal = Rotation::new(Vector::z() * -angle);
    let raw = RawParameters {
        layer_e: RawLayer { youngs_modulus: 1e12, poissons_ratio: 0.0, layer_thickness: 0.01 },
        layer_f: RawLayer::RIGID,
        friction_coefficient: 0.15,
        ..soft_on_rigid()
    };
    let plate = surface(moved(&cuboid(Vector::new(4.0, 4.0, 0.2)), &translation(0.0, 0.0, -0.1)));
    let stone = moved(&stone(300), &Pose::from_parts(Vector::zeros().into(), to_principal));
    let mut element = Element::new(plate, surface(stone), &raw);
    // Tilted by half a degree about both axes; its lowest point touches, and does not slip.
    let tilt = 0.5f64.to_radians();
    let tilted = Rotation::new(Vector::x() * tilt) * Rotation::new(Vector::y() * tilt);
    let down = (tilted.inverse() * -Vector::z()).component_mul(&AXES);
    let lowest = tilted * (down.component_mul(&AXES) / down.norm() + Vector::z() * CENTRE);
    // F = c_l π √(R₁ R₂) δ² of a paraboloid with the radii a²/c and b²/c.
    let radius = AXES.x * AXES.y / AXES.z;
    let depth = (WEIGHT / (element.parameters.combined_layer_stiffness() * std::f64::consts::PI * radius)).sqrt();
    let mut body = Body::at_rest(1.0, inertia, Vector::zeros());
    body.pose = Pose::from_parts(Vector::new(0.0, 0.0, -lowest.z - depth).into(), tilted * to_principal.inverse());
    body.angular_velocity = Vector::z() * start;
    body.velocity = -body.angular_velocity.cross(&lowest);
    let every = (0.1 / STEP).round() as usize;
    let mut found = Vec::new();
    for step in 0..(seconds / STEP).round() as usize {
        body.step(&mut element, -Vector::z() * WEIGHT, STEP);
        if step % every == 0 {
            found.push(body.angular_velocity.z);
        }
    }
    found
}

#[test]
fn a_rattleback_turns_back_from_one_spin_and_not_from_the_other() {
    let reversed = spins(-5.0, 4.5);
    println!("{reversed:.2?}");
    assert!(reversed[..20].iter().all(|spin| *spin < 0.0), "turns too early");
    assert!(0.2 < reversed[44], "does not turn back");
    let kept = spins(5.0, 4.5);
    println!("{kept:.2?}");
    assert!(kept.iter().all(|spin| 1.0 < *spin), "turns back");
}
