//! The dissertation's wheel on ground (§5.1): pressed down in 500 steps of 0.04 mm.

use std::f64::consts::FRAC_PI_2;
use std::path::Path;

use nalgebra::{UnitQuaternion, Vector3};
use polycontact_plot::{Line, Panel};

use crate::contact_fmu::ContactFmu;
use crate::motion::Motion;
use crate::{SCHEMES, write};

/// Radius of the wheel in m.
const RADIUS: f64 = 0.2855;
/// Half the width of the tread and of the wheel in m, and the radius at its sides: the shoulders are straight.
const HALF_TREAD: f64 = 0.07;
const HALF_WIDTH: f64 = 0.1005;
const SIDE_RADIUS: f64 = 0.25;

/// Depths: number and distance in m.
const STEPS: usize = 500;
const STEP: f64 = 0.04e-3;

/// Combined layer stiffness in N/m³ and ratio of the penetrations that the dissertation gives, with three digits.
const PUBLISHED_STIFFNESS: f64 = 5.76e8;
const PUBLISHED_RATIO: f64 = 0.896;
const PUBLISHED_PRECISION: f64 = 0.001;

/// Runs the sweep with both element schemes and writes `wheel.svg`.
pub fn demo(fmu: &Path, folder: &Path) -> Result<(), String> {
    let (mut forces, mut areas) = (Vec::new(), Vec::new());
    let mut stiffness = 0.0;
    println!("A wheel is pressed 20 mm into the ground");
    for (scheme, name) in SCHEMES {
        let mut fmu = ContactFmu::load(fmu, name)?;
        fmu.set_choice("elements", scheme)?;
        fmu.start(&pressed(-STEP), &Motion::world(), 1.0)?;
        stiffness = fmu.real("combinedLayerStiffness")?;
        let ratio = fmu.real("penetrationRatio")?;
        if PUBLISHED_PRECISION < (stiffness / PUBLISHED_STIFFNESS - 1.0).abs().max((ratio - PUBLISHED_RATIO).abs()) {
            return Err(format!("c_l = {stiffness:.4e} N/m³ and λ = {ratio:.4} are not those of the dissertation"));
        }
        let (mut force, mut area) = (Vec::new(), Vec::new());
        for step in 1..=STEPS {
            let depth = STEP * step as f64;
            let contact = fmu.evaluate(&pressed(depth), &Motion::world())?;
            force.push((1e3 * depth, 1e-3 * contact.on_e.force.z));
            area.push((1e3 * depth, 1e4 * contact.area));
        }
        let falls = force.windows(2).filter(|pair| pair[1].1 <= pair[0].1 && 0.0 < pair[1].1).count();
        let silent = force.iter().filter(|(_, force)| *force == 0.0).count();
        let smooth = 1e-3 * stiffness * smooth_volume(STEP * STEPS as f64);
        let last = force[STEPS - 1].1;
        println!(
            "  {name:<9} c_l = {stiffness:.4e} N/m³, λ = {ratio:.4}, {last:.1} kN at 20 mm ({:+.2} % of a smooth wheel), \
             no force at the first {silent} depths, {falls} of {STEPS} steps do not rise",
            100.0 * (last / smooth - 1.0)
        );
        if 0 < falls {
            return Err(format!("{name}: the force must rise with the depth, but it does not at {falls} depths"));
        }
        forces.push(Line { name, points: force });
        areas.push(Line { name, points: area });
    }
    let depths = (0..=STEPS).map(|step| STEP * step as f64);
    let smooth = depths.map(|depth| (1e3 * depth, 1e-3 * stiffness * smooth_volume(depth))).collect();
    forces.push(Line { name: "smooth wheel", points: smooth });
    let x_label = "depth / mm";
    let panels = [
        Panel { title: "Force on the wheel", x_label, y_label: "force / kN", lines: forces },
        Panel { title: "Contact area", x_label, y_label: "area / cm²", lines: areas },
    ];
    write(folder, "wheel.svg", &polycontact_plot::to_svg(&panels))
}

/// The wheel upright with its lowest edge at a depth below the ground.
fn pressed(depth: f64) -> Motion {
    let upright = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), FRAC_PI_2);
    Motion::at_rest(Vector3::new(0.0, 0.0, RADIUS - depth), upright)
}

/// Volume of a round wheel below the ground: circular segments along the axis, by the midpoint rule.
fn smooth_volume(depth: f64) -> f64 {
    // The shoulders lie deep in few of the slices; a thousand are good for five digits.
    const SLICES: usize = 1000;
    let slice = 2.0 * HALF_WIDTH / SLICES as f64;
    let volume = |index: usize| {
        let z = ((index as f64 + 0.5) * slice - HALF_WIDTH).abs();
        let way = ((z - HALF_TREAD) / (HALF_WIDTH - HALF_TREAD)).max(0.0);
        let radius = RADIUS + way * (SIDE_RADIUS - RADIUS);
        let height = RADIUS - depth;
        if radius <= height {
            return 0.0;
        }
        radius * radius * (height / radius).acos() - height * (radius * radius - height * height).sqrt()
    };
    (0..SLICES).map(volume).sum::<f64>() * slice
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Flat shoulders never touch at small depths: the tread is a cylinder, V = w 4/3 d √(2 R d) for small d / R.
    #[test]
    fn the_smooth_volume_is_that_of_a_cylinder_at_small_depths() {
        let depth: f64 = 1e-5;
        let cylinder = 2.0 * HALF_TREAD * 4.0 / 3.0 * depth * (2.0 * RADIUS * depth).sqrt();
        // One slice more or less at each shoulder.
        assert!((smooth_volume(depth) / cylinder - 1.0).abs() < 2.0 / 1000.0);
    }
}
