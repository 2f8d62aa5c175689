//! Force curves of `docs/validation.md`: meshes against closed forms.

use std::f64::consts::PI;

use polycontact::contact::{ContactSurface, ElementScheme, Method, Outcome, RawLayer, RawParameters, RelativeMotion};
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::shapes::{cuboid, icosphere, moved, paraboloid_cap};
use polycontact_plot::{Axes, Line, Panel, to_svg, to_svg_with};

use super::{checked, evaluated};

/// Radius of the ball in m and largest depth.
const RADIUS: f64 = 0.1;
const DEEPEST: f64 = 5e-3;
const DEPTHS: usize = 60;

/// Balls by subdivisions of an icosahedron.
const BALLS: [(u32, &str); 4] = [(2, "320 faces"), (3, "1280 faces"), (4, "5120 faces"), (5, "20480 faces")];

/// Force of a ball on a plate over the depth, by the number of its faces, next to c_l times the volume of the cap.
pub fn sphere_on_plate() -> String {
    let raw = RawParameters::default();
    let stiffness = checked(&raw).combined_layer_stiffness();
    let cap = |depth: f64| stiffness * PI * depth * depth * (RADIUS - depth / 3.0);
    let plate = ContactSurface::new(moved(&cuboid(Vector::new(0.4, 0.4, 0.1)), &Pose::translation(0.0, 0.0, -0.05)));
    // Turned, so that no vertex of the mesh leads the way.
    let turn = Rotation::from_scaled_axis(Vector::new(0.4, -0.7, 0.2));
    let depths = || (0..=DEPTHS).map(|i| DEEPEST * i as f64 / DEPTHS as f64);
    let (mut forces, mut parts) = (Vec::new(), Vec::new());
    for (subdivisions, name) in BALLS {
        let ball = ContactSurface::new(icosphere(RADIUS, subdivisions));
        let force = |depth: f64| {
            let pose = Pose::from_parts(Vector::new(0.011, -0.007, RADIUS - depth).into(), turn);
            -evaluated(&plate, &ball, &raw, &RelativeMotion::at_rest(pose)).wrenches.on_e.force.z
        };
        let points: Vec<(f64, f64)> = depths().map(|depth| (depth, force(depth))).collect();
        forces.push(Line { name, points: points.iter().map(|(d, force)| (1e3 * d, 1e-3 * force)).collect() });
        let above_zero = points.iter().filter(|(depth, _)| 0.0 < *depth);
        parts.push(Line { name, points: above_zero.map(|(d, force)| (1e3 * d, force / cap(*d))).collect() });
    }
    forces.push(Line { name: "smooth sphere", points: depths().map(|d| (1e3 * d, 1e-3 * cap(d))).collect() });
    let x_label = "depth / mm";
    to_svg(&[
        Panel { title: "Ball of radius 0.1 m on a plate: force", x_label, y_label: "force / kN", lines: forces },
        Panel { title: "As a part of the smooth sphere's force", x_label, y_label: "part", lines: parts },
    ])
}

/// Two caps of the dissertation (§5.2): radii in m and half their width.
const CAP_RADII: [f64; 2] = [0.2, 0.1];
const HALF_WIDTH: f64 = 0.015;
const CAP_DEPTH: f64 = 0.25e-3;
const GRID_POINTS: [usize; 10] = [5, 7, 10, 14, 20, 28, 40, 56, 80, 112];

/// Deviation of force and area from the elastic foundation over the grid width, both schemes, logarithmic.
pub fn paraboloids() -> String {
    let width = |points: usize| 2e3 * HALF_WIDTH / (points - 1) as f64;
    let (mut forces, mut areas) = (Vec::new(), Vec::new());
    for (elements, name) in [(ElementScheme::Potential, "potential"), (ElementScheme::Centroid, "centroid")] {
        let raw = RawParameters {
            layer_e: RawLayer { youngs_modulus: 105e9, poissons_ratio: 0.25, layer_thickness: 20e-3 },
            layer_f: RawLayer { youngs_modulus: 210e9, poissons_ratio: 0.3, layer_thickness: 20e-3 },
            method: Method::TwoPass,
            elements,
            ..RawParameters::default()
        };
        let radius = 1.0 / CAP_RADII.iter().map(|radius| 1.0 / radius).sum::<f64>();
        let theory = PI * checked(&raw).combined_layer_stiffness() * radius * CAP_DEPTH * CAP_DEPTH;
        let area = 2.0 * PI * radius * CAP_DEPTH;
        let deviations: Vec<(f64, f64, f64)> = GRID_POINTS
            .iter()
            .rev()
            .map(|&points| {
                let outcome = caps(points, &raw);
                let deviation = |value: f64, theory: f64| 100.0 * (value / theory - 1.0).abs();
                (
                    width(points),
                    deviation(-outcome.wrenches.on_e.force.z, theory),
                    deviation(outcome.contact_area, area),
                )
            })
            .collect();
        forces.push(Line { name, points: deviations.iter().map(|(h, force, _)| (*h, *force)).collect() });
        areas.push(Line { name, points: deviations.iter().map(|(h, _, area)| (*h, *area)).collect() });
    }
    // Flat faces lie h² / (6 R) below the paraboloids on average: so much depth is lost, and the force is its square.
    for (lines, part) in [(&mut forces, 1.0), (&mut areas, 0.5)] {
        let radius = 1.0 / CAP_RADII.iter().map(|radius| 1.0 / radius).sum::<f64>();
        let lost = |h: f64| 100.0 * part * (1e-3 * h).powi(2) / (3.0 * radius * CAP_DEPTH);
        let points = GRID_POINTS[1..].iter().rev().map(|&points| (width(points), lost(width(points)))).collect();
        lines.push(Line { name: if part == 1.0 { "h² / (3 R d)" } else { "h² / (6 R d)" }, points });
    }
    let x_label = "grid width h / mm";
    let panel = |title, lines| Panel { title, x_label, y_label: "deviation / %", lines };
    let panels = [
        panel("Two spheres, 0.25 mm deep: force against π c_l R d²", forces),
        panel("Contact area against 2 π R d", areas),
    ];
    to_svg_with(&panels, Axes::Logarithmic)
}

fn caps(points: usize, raw: &RawParameters) -> Outcome {
    let [lower, upper] = CAP_RADII.map(|radius| ContactSurface::new(paraboloid_cap(radius, HALF_WIDTH, points)));
    let upside_down = Rotation::from_axis_angle(&Vector::x_axis(), PI);
    let pose = Pose::from_parts(Vector::new(0.0, 0.0, -CAP_DEPTH).into(), upside_down);
    evaluated(&lower, &upper, raw, &RelativeMotion::at_rest(pose))
}
