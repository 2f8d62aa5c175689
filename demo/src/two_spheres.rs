//! The dissertation's two spheres (§5.2): force over depth, next to Hertz and the elastic foundation.

use std::f64::consts::PI;
use std::path::Path;

use nalgebra::{UnitQuaternion, Vector3};
use polycontact_plot::{Line, Panel};

use crate::contact_fmu::ContactFmu;
use crate::motion::Motion;
use crate::{SCHEMES, write};

/// Radii in m, Young's moduli in Pa and Poisson's ratios of both spheres.
const RADII: [f64; 2] = [0.2, 0.1];
const MODULI: [f64; 2] = [105e9, 210e9];
const RATIOS: [f64; 2] = [0.25, 0.3];

/// Depths: from, to in m, and how many.
const FROM: f64 = -0.1e-3;
const TO: f64 = 1.0e-3;
const DEPTHS: usize = 220;

/// Distance of the grid points in m: 30 mm over 19 cells.
const GRID: f64 = 0.030 / 19.0;

/// What the mesh does not explain, as a part of the force: slopes up to 0.115 at the border of the contact, whose
/// squares the paraboloid of the theory neglects.
const SLOPE_ERROR: f64 = 0.01;

/// Runs the sweep with both element schemes and writes `spheres.svg`.
pub fn demo(fmu: &Path, folder: &Path) -> Result<(), String> {
    let radius = 1.0 / RADII.iter().map(|radius| 1.0 / radius).sum::<f64>();
    let compliance: f64 = (0..2).map(|i| (1.0 - RATIOS[i] * RATIOS[i]) / MODULI[i]).sum();
    let hertz = move |depth: f64| 4.0 / 3.0 / compliance * radius.sqrt() * depth.max(0.0).powf(1.5);
    let (mut forces, mut areas) = (Vec::new(), Vec::new());
    let mut stiffness = 0.0;
    println!("Two spheres are pressed together by 1 mm");
    for (scheme, name) in SCHEMES {
        let mut fmu = ContactFmu::load(fmu, name)?;
        fmu.set_choice("elements", scheme)?;
        fmu.start(&Motion::world(), &pressed(FROM), 1.0)?;
        stiffness = fmu.real("combinedLayerStiffness")?;
        let (mut force, mut area) = (Vec::new(), Vec::new());
        for depth in depths() {
            let contact = fmu.evaluate(&Motion::world(), &pressed(depth))?;
            force.push((1e3 * depth, 1e-3 * contact.on_f.force.z));
            area.push((1e3 * depth, 1e6 * contact.area));
        }
        let last = 1e3 * force[DEPTHS - 1].1;
        let theory = foundation(stiffness, radius, TO);
        let expected = 1.0 - mesh_error(radius, TO);
        println!(
            "  {name:<9} {:.1} kN at 1 mm: {:.4} of the foundation's {:.1} kN; {expected:.4} expected for this mesh",
            1e-3 * last,
            last / theory,
            1e-3 * theory
        );
        if name == "potential" && SLOPE_ERROR < (last / theory - expected).abs() {
            return Err(format!("the force is {:.4} of the formula's, {expected:.4} expected", last / theory));
        }
        forces.push(Line { name, points: force });
        areas.push(Line { name, points: area });
    }
    println!("  Hertz     {:.1} kN at 1 mm, c_l = {stiffness:.4e} N/m³", 1e-3 * hertz(TO));
    let curve = |name, y: &dyn Fn(f64) -> f64| Line { name, points: depths().map(|d| (1e3 * d, y(d))).collect() };
    forces.push(curve("π c_l R d²", &|depth| 1e-3 * foundation(stiffness, radius, depth)));
    forces.push(curve("Hertz", &|depth| 1e-3 * hertz(depth)));
    areas.push(curve("2 π R d", &|depth| 1e6 * 2.0 * PI * radius * depth.max(0.0)));
    areas.push(curve("Hertz", &|depth| 1e6 * PI * radius * depth.max(0.0)));
    let x_label = "depth / mm";
    let panels = [
        Panel { title: "Force", x_label, y_label: "force / kN", lines: forces },
        Panel { title: "Contact area", x_label, y_label: "area / mm²", lines: areas },
    ];
    write(folder, "spheres.svg", &polycontact_plot::to_svg(&panels))
}

fn depths() -> impl Iterator<Item = f64> {
    (0..DEPTHS).map(|i| FROM + (TO - FROM) * i as f64 / (DEPTHS - 1) as f64)
}

/// The second cap upside down on the first.
fn pressed(depth: f64) -> Motion {
    Motion::at_rest(Vector3::new(0.0, 0.0, -depth), UnitQuaternion::from_axis_angle(&Vector3::x_axis(), PI))
}

/// F = π c_l R d² (5.11).
fn foundation(stiffness: f64, radius: f64, depth: f64) -> f64 {
    PI * stiffness * radius * depth.max(0.0).powi(2)
}

/// Part of the force that the mesh loses: flat faces lie h² / (6 R) below the paraboloids on average, and the mean
/// depth is d / 2.
fn mesh_error(radius: f64, depth: f64) -> f64 {
    GRID * GRID / (3.0 * radius * depth)
}
