//! Figure of `docs/smooth.md`: a flat follower on a cam of few corners, as it is and smoothed.

use std::f64::consts::TAU;

use polycontact::contact::{ContactSurface, RawLayer, RawParameters, RelativeMotion, Workspace, evaluate};
use polycontact::math::{Matrix, Pose, Rotation, Vector};
use polycontact::mesh::smoothed;
use polycontact::shapes::{regular_prism, star_prism};
use polycontact_plot::{Line, Panel, to_svg};

use super::checked;
use crate::example_meshes::{CAM_WIDTH, cam_outline, cam_support};

/// Corners of the cam: 5° each.
const CORNERS: usize = 72;
/// Force on the follower in N, and turns per second.
const LOAD: f64 = 100.0;
const SPEED: f64 = 5.0;
/// Step of the differences, in degrees: half of one of the plot.
const STEP: f64 = 1.0;
/// How well the height is found: a millionth of the load at 2 N/µm is 5e-11 m, or 2e-4 m/s² in the second differences.
const FORCE_TOLERANCE: f64 = 1e-4;
/// What is left of the height when the force jumps, in m.
const HEIGHT_TOLERANCE: f64 = 1e-12;

/// Acceleration of the follower over the angle of the cam.
pub fn cam() -> String {
    let outline: Vec<[f64; 2]> = (0..CORNERS).map(|i| cam_outline(TAU * i as f64 / CORNERS as f64)).collect();
    let coarse = star_prism(&outline, CAM_WIDTH);
    let (fine, _) = smoothed(&coarse, 30.0, 1e-6);
    let acceleration = |height: &mut dyn FnMut(f64) -> f64| -> Vec<(f64, f64)> {
        let heights: Vec<f64> = (0..=260).map(|i| height((f64::from(i) - 130.0) * STEP)).collect();
        let squared = (TAU * SPEED / STEP.to_radians()).powi(2);
        let second = heights.windows(3).map(|h| (h[0] - 2.0 * h[1] + h[2]) * squared);
        second.enumerate().map(|(i, acceleration)| ((i as f64 - 129.0) * STEP, acceleration)).collect()
    };
    let line = |name, points| Line { name, points };
    let lines = vec![
        line("72 corners", acceleration(&mut follower(ContactSurface::new(coarse)))),
        line("smooth-angle = 30", acceleration(&mut follower(ContactSurface::new(fine)))),
        line("motion law", acceleration(&mut |angle| cam_support(angle.to_radians())[0])),
    ];
    to_svg(&[Panel {
        title: "Flat follower on a cam of 72 corners, 300 turns per minute",
        x_label: "angle of the cam / °",
        y_label: "acceleration / (m/s²)",
        lines,
    }])
}

/// The height in m at which a follower carries the load, by the angle of the cam in degrees.
fn follower(cam: ContactSurface) -> impl FnMut(f64) -> f64 {
    let mut disc = regular_prism(0.015, 0.005, 48);
    disc.vertices.iter_mut().for_each(|vertex| vertex.z += 0.0025);
    let disc = ContactSurface::new(disc);
    let layer = RawLayer { youngs_modulus: 2.8e9, poissons_ratio: 0.35, layer_thickness: 0.005 };
    let rigid = RawLayer { youngs_modulus: 0.0, ..layer };
    let parameters = checked(&RawParameters { layer_e: layer, layer_f: rigid, ..RawParameters::default() });
    let mut workspace = Workspace::default();
    move |angle| {
        let (sin, cos) = angle.to_radians().sin_cos();
        let up = Vector::new(cos, sin, 0.0);
        let axes = Matrix::from_columns(&[Vector::z(), up.cross(&Vector::z()), up]);
        let rotation = Rotation::from_matrix_unchecked(axes);
        let mut force = |height: f64| {
            let motion = RelativeMotion::at_rest(Pose::from_parts((up * height).into(), rotation));
            -evaluate(&cam, &disc, &parameters, &motion, &mut workspace).wrenches.on_e.force.dot(&up)
        };
        // The force falls from the height of the law less the depth to that of the law. False position; an end that
        // stays twice counts half (Illinois).
        let law = cam_support(angle.to_radians())[0];
        let (mut low, mut high) = (law - 2e-4, law + 1e-6);
        let (mut above, mut below) = (force(low) - LOAD, force(high) - LOAD);
        let mut last = 0.0f64;
        loop {
            let height = (low * below - high * above) / (below - above);
            let missing = force(height) - LOAD;
            if missing.abs() < FORCE_TOLERANCE || high - low < HEIGHT_TOLERANCE {
                return height;
            }
            if missing < 0.0 {
                (high, below) = (height, missing);
                above *= if last < 0.0 { 0.5 } else { 1.0 };
            } else {
                (low, above) = (height, missing);
                below *= if 0.0 < last { 0.5 } else { 1.0 };
            }
            last = missing;
        }
    }
}
