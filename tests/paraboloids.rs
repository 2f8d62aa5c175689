//! The dissertation's study of two spheres (§5.2): paraboloid caps over grids, both schemes, next to theory.
//!
//! `cargo test --test contact paraboloids:: -- --nocapture` prints the table of the documentation.

use std::f64::consts::PI;

use crate::support::{assert_close, at_rest, checked, elastic_raw, surface};
use polycontact::contact::{ContactParameters, ElementScheme, Method, Outcome, RawLayer, RawParameters};
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::shapes::paraboloid_cap;

const RADIUS_E: f64 = 0.2;
const RADIUS_F: f64 = 0.1;
/// Wider than the contact radius of 11.5 mm at the largest depth.
const HALF_WIDTH: f64 = 0.015;

fn parameters(elements: ElementScheme) -> ContactParameters {
    checked(&RawParameters {
        layer_e: RawLayer { youngs_modulus: 105e9, poissons_ratio: 0.25, layer_thickness: 20e-3 },
        layer_f: RawLayer { youngs_modulus: 210e9, poissons_ratio: 0.3, layer_thickness: 20e-3 },
        elements,
        ..elastic_raw(Method::TwoPass)
    })
}

/// Two-pass contact of the caps at a depth, `points` grid points along each side.
fn pressed(points: usize, depth: f64, parameters: &ContactParameters) -> Outcome {
    let lower = surface(paraboloid_cap(RADIUS_E, HALF_WIDTH, points));
    let upper = surface(paraboloid_cap(RADIUS_F, HALF_WIDTH, points));
    let upside_down = Rotation::from_axis_angle(&Vector::x_axis(), PI);
    let outcome =
        at_rest(&lower, &upper, parameters, &Pose::from_parts(Vector::new(0.0, 0.0, -depth).into(), upside_down));
    assert!(!outcome.border_in_contact);
    outcome
}

/// F = π c_l R d² (5.11) and the area 2πRd (5.9).
fn theory(depth: f64, parameters: &ContactParameters) -> (f64, f64) {
    let radius = 1.0 / (1.0 / RADIUS_E + 1.0 / RADIUS_F);
    (PI * parameters.combined_layer_stiffness() * radius * depth * depth, 2.0 * PI * radius * depth)
}

#[test]
fn potential_is_of_second_order_in_the_grid_width() {
    let parameters = parameters(ElementScheme::Potential);
    let depth = 1e-3;
    // Each grid is twice as fine as the one before.
    let forces = [11, 21, 41, 81].map(|points| -pressed(points, depth, &parameters).wrenches.on_e.force.z);
    let changes: Vec<f64> = forces.windows(2).map(|pair| pair[1] - pair[0]).collect();
    for pair in changes.windows(2) {
        let ratio = pair[0] / pair[1];
        assert!((3.0..5.3).contains(&ratio), "forces {forces:?}, changes {changes:?}");
    }
    // What remains is the slope: up to 0.115 at the border, where cosines and curved areas differ by 0.7 %.
    let limit = forces[3] + changes[2] / 3.0;
    assert_close("limit", limit, theory(depth, &parameters).0, 0.01);
}

#[test]
fn area_approaches_that_of_the_elastic_foundation() {
    let parameters = parameters(ElementScheme::Potential);
    let outcome = pressed(81, 1e-3, &parameters);
    println!("area / theory {}", outcome.contact_area / theory(1e-3, &parameters).1);
    // Sag of 81 grid points: 0.37² / (4 · 67) mm = 0.5 µm on 1 mm; slopes 0.7 %.
    assert_close("area", outcome.contact_area, theory(1e-3, &parameters).1, 0.01);
}

#[test]
fn forces_of_both_schemes_grow_with_the_depth() {
    for elements in crate::support::SCHEMES {
        let parameters = parameters(elements);
        // 110 depths as published every second one; none below 0.
        let count_of_backward_steps = |points: usize| {
            let forces: Vec<f64> = (0..=110)
                .map(|i| -pressed(points, 1e-5 * i as f64 - 1e-4, &parameters).wrenches.on_e.force.z)
                .collect();
            assert_eq!(forces[0], 0.0);
            assert_eq!(forces[9], 0.0);
            forces.windows(2).filter(|pair| pair[1] < pair[0]).count()
        };
        assert_eq!(count_of_backward_steps(10), 0, "{elements:?}");
    }
}

#[test]
fn study_of_the_dissertation_as_a_table() {
    println!("| grid | faces | depth | potential: force | area | centroid: force | area |");
    println!("|---|---|---|---|---|---|---|");
    for points in [5, 10, 20, 40] {
        for depth in [0.25e-3, 0.5e-3, 1e-3] {
            let mut cells = Vec::new();
            for elements in crate::support::SCHEMES {
                let parameters = parameters(elements);
                let outcome = pressed(points, depth, &parameters);
                let (force, area) = theory(depth, &parameters);
                let errors = [-outcome.wrenches.on_e.force.z / force - 1.0, outcome.contact_area / area - 1.0];
                cells.extend(errors.map(|error| format!("{:+.1} %", 100.0 * error)));
                // Coarse grids are stiff by nothing but their sag: from below.
                assert!(errors[0] < 0.01, "{elements:?}, {points} points, {depth} m: {errors:?}");
            }
            let faces = 2 * (points - 1) * (points - 1);
            println!("| {points} × {points} | {faces} | {:.2} mm | {} |", 1e3 * depth, cells.join(" | "));
        }
    }
}
