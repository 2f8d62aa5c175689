//! A cam turns under a flat follower that is held a little below its ideal lift: force over the angle.

use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::path::Path;

use nalgebra::{UnitQuaternion, Vector3};
use polycontact_plot::{Line, Panel};

use crate::contact_fmu::ContactFmu;
use crate::motion::Motion;
use crate::write;

/// The cam: radius of its base circle, lift and width in m, angle of rise and of fall in rad.
const BASE: f64 = 0.030;
const LIFT: f64 = 0.010;
const WIDTH: f64 = 0.010;
const RISE: f64 = TAU / 3.0;

/// How deep the follower is pressed in m.
const DEPTH: f64 = 0.05e-3;

/// What is compared: value of `elements`, value of `method` if not that of the configuration, and a name.
const VARIANTS: [(i32, Option<i32>, &str); 3] =
    [(1, None, "potential"), (2, Some(4), "centroid, cam"), (2, None, "centroid, auto")];

/// Distance of the angles in degrees, over the whole turn and in a closer look at one of its parts.
const COARSE: f64 = 0.1;
const FINE: f64 = 0.001;
/// The part of the closer look in degrees: rise, over some facets.
const CLOSER: [f64; 2] = [60.0, 65.0];

/// Sagitta of a facet of 1° over the depth, both along the cam's normal, is at most 0.035; the force goes with the power
/// 1.5 of the depth, and two thirds of the sagitta are lost on average.
const MESH_ERROR: f64 = 0.06;

/// Runs a turn with both element schemes and writes `cam.svg`.
pub fn demo(fmu: &Path, folder: &Path) -> Result<(), String> {
    let (mut turns, mut closer) = (Vec::new(), Vec::new());
    let mut stiffness = 0.0;
    println!("A cam turns below a follower that is held {:.2} mm too deep", 1e3 * DEPTH);
    for (scheme, method, name) in VARIANTS {
        let mut fmu = ContactFmu::load(fmu, name)?;
        fmu.set_choice("elements", scheme)?;
        if let Some(method) = method {
            fmu.set_choice("method", method)?;
        }
        let [cam, follower] = motions(0.0);
        fmu.start(&cam, &follower, 1.0)?;
        stiffness = fmu.real("combinedLayerStiffness")?;
        let turn = sweep(&mut fmu, [0.0, 360.0], COARSE)?;
        let near = sweep(&mut fmu, CLOSER, COARSE)?;
        let nearest = sweep(&mut fmu, CLOSER, FINE)?;
        let ratios: Vec<f64> = turn.iter().map(|(angle, force)| force / smooth_force(*angle, stiffness)).collect();
        let (low, high) = ratios.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), r| (low.min(*r), high.max(*r)));
        let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
        println!(
            "  {name:<14} force / formula: mean {mean:.4}, from {low:.4} to {high:.4}; largest change per {COARSE}°: {:.2} %, \
             per {FINE}°: {:.3} %",
            100.0 * largest_change(&near),
            100.0 * largest_change(&nearest)
        );
        if name == "potential" && (low < 1.0 - MESH_ERROR || 1.0 < high) {
            return Err(format!("the force must be 0.94 to 1 of the smooth cam's, but is {low:.4} to {high:.4}"));
        }
        turns.push(Line { name, points: turn });
        if name != "centroid, auto" {
            closer.push(Line { name, points: nearest });
        }
    }
    let smooth = |points: &[(f64, f64)]| Line {
        name: "smooth cam",
        points: points.iter().map(|(angle, _)| (*angle, smooth_force(*angle, stiffness))).collect(),
    };
    // At the same place in both, for the same colour.
    turns.insert(2, smooth(&turns[0].points));
    closer.insert(2, smooth(&closer[0].points));
    let (x_label, y_label) = ("angle of the cam / °", "force / N");
    let panels = [
        Panel { title: "Force on the follower, held 0.05 mm deep", x_label, y_label, lines: turns },
        Panel { title: "A closer look, in steps of 0.001°", x_label, y_label, lines: closer },
    ];
    write(folder, "cam.svg", &polycontact_plot::to_svg(&panels))
}

/// Angle in degrees and force along the follower's axis in N.
fn sweep(fmu: &mut ContactFmu, [from, to]: [f64; 2], distance: f64) -> Result<Vec<(f64, f64)>, String> {
    let count = ((to - from) / distance).round() as usize;
    let angles = (0..=count).map(|i| from + (to - from) * i as f64 / count as f64);
    angles
        .map(|angle| {
            let [cam, follower] = motions(angle.to_radians());
            Ok((angle, fmu.evaluate(&cam, &follower)?.on_f.force.y))
        })
        .collect()
}

/// The cam about the world's z axis, its nose up at the angle 0; the follower above it along y.
fn motions(angle: f64) -> [Motion; 2] {
    let turn = |axis, angle| UnitQuaternion::from_axis_angle(&axis, angle);
    let cam = Motion::at_rest(Vector3::zeros(), turn(Vector3::z_axis(), FRAC_PI_2 + angle));
    let height = law(angle)[0] - DEPTH;
    [cam, Motion::at_rest(Vector3::new(0.0, height, 0.0), turn(Vector3::x_axis(), -FRAC_PI_2))]
}

/// Height of the follower in m and its second derivative in m/rad²: cycloids, the nose at the angle 0.
fn law(angle: f64) -> [f64; 2] {
    let from_nose = ((angle + PI).rem_euclid(TAU) - PI).abs();
    if RISE <= from_nose {
        return [BASE, 0.0];
    }
    let way = from_nose / RISE;
    let height = BASE + LIFT * (1.0 - way + (TAU * way).sin() / TAU);
    [height, -TAU * LIFT / (RISE * RISE) * (TAU * way).sin()]
}

/// Force of a smooth cam with the radius of curvature ρ = s + s″: c_l w 4/3 δ √(2 ρ δ).
fn smooth_force(degrees: f64, stiffness: f64) -> f64 {
    let [height, bend] = law(degrees.to_radians());
    stiffness * WIDTH * 4.0 / 3.0 * DEPTH * (2.0 * (height + bend) * DEPTH).sqrt()
}

/// Largest difference of neighbours as a part of the mean.
fn largest_change(points: &[(f64, f64)]) -> f64 {
    let mean = points.iter().map(|(_, force)| force).sum::<f64>() / points.len() as f64;
    points.windows(2).map(|pair| (pair[1].1 - pair[0].1).abs()).fold(0.0, f64::max) / mean
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Central differences of the height: their error is of the order of step², about 1e-7 of the lift here.
    #[test]
    fn the_law_bends_as_its_second_derivative_says() {
        let step = 1e-4;
        for degrees in [-170, -115, -60, -10, 10, 33, 60, 90, 119, 125] {
            let angle = f64::from(degrees).to_radians();
            let bend = (law(angle + step)[0] - 2.0 * law(angle)[0] + law(angle - step)[0]) / (step * step);
            assert!((bend - law(angle)[1]).abs() < 1e-5 * LIFT + 1e-8, "{degrees}: {bend}, {}", law(angle)[1]);
        }
    }
}
