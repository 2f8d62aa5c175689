//! A tilted soft box in a plate: the force on the box by the faces that carry the pressure.

use polycontact::contact::{ContactSurface, Method, RawParameters, RelativeMotion};
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::shapes::{cuboid, moved};

use super::drawing::{COLOR_E, COLOR_F, Drawing, FAINT, INK, PALE_E, PALE_F, Pixel};
use super::evaluated;
use super::section::outline;

/// Side of the box in m, its tilt in rad, and how deep its edge is in the plate in m.
const SIDE: f64 = 0.1;
const TILT: f64 = 0.45;
const DEPTH: f64 = 0.008;

/// Length in pixels of the largest force.
const LONGEST_ARROW: f64 = 120.0;

const METHODS: [(Method, &str, &str); 4] = [
    (Method::MasterE, "masterE: faces of E", COLOR_E),
    (Method::TwoPass, "twoPass: half each", "#8a5a9e"),
    (Method::MasterF, "masterF: faces of F", COLOR_F),
    (Method::Auto, "auto: faces of F", "#3a7d44"),
];

pub fn figure() -> String {
    let tilted = moved(
        &cuboid(Vector::new(SIDE, SIDE, SIDE)),
        &Pose::from_parts(Vector::zeros().into(), Rotation::from_axis_angle(&Vector::y_axis(), TILT)),
    );
    let lowest = tilted.vertices.iter().map(|vertex| vertex.z).fold(0.0, f64::min);
    let plate = cuboid(Vector::new(0.4, 0.4, 0.05));
    let pose = Pose::translation(0.0, 0.0, lowest + DEPTH - 0.025);
    let [e, f] = [&tilted, &plate].map(|mesh| ContactSurface::new(mesh.clone()));
    let outcomes = METHODS.map(|(method, _, _)| {
        let raw = RawParameters { method, ..RawParameters::default() };
        evaluated(&e, &f, &raw, &RelativeMotion::at_rest(pose))
    });
    let largest = outcomes.iter().map(|outcome| outcome.wrenches.on_e.force.norm()).fold(0.0, f64::max);

    let mut drawing = Drawing::new(900.0, 300.0);
    let surface = lowest + DEPTH;
    let to_pixel = |[x, z]: [f64; 2]| -> Pixel { [250.0 + 1600.0 * x, 235.0 - 1600.0 * (z - surface)] };
    let ground = [[-0.14, surface], [0.14, surface], [0.14, surface - 0.03], [-0.14, surface - 0.03]].map(to_pixel);
    drawing.polygon(&ground, PALE_F, "");
    drawing.line(&ground[..2], COLOR_F, 1.6, "");
    let section: Vec<Pixel> = outline(&tilted, 0.0013).into_iter().map(to_pixel).collect();
    drawing.polygon(&section, PALE_E, &format!("fill-opacity=\"0.7\" stroke=\"{COLOR_E}\" stroke-width=\"1.6\""));
    drawing.text(to_pixel([-0.015, 0.02]), "middle", COLOR_E, "E, soft");
    drawing.text(to_pixel([-0.10, surface - 0.018]), "middle", COLOR_F, "F, rigid");
    drawing.title([520.0, 40.0], "Force on the box, 8 mm deep, tilted by 26°");
    for (index, ((_, name, color), outcome)) in METHODS.iter().zip(&outcomes).enumerate() {
        let force = outcome.wrenches.on_e.force;
        let from = [530.0 + 100.0 * index as f64, 200.0];
        let to = [from[0] + LONGEST_ARROW * force.x / largest, from[1] - LONGEST_ARROW * force.z / largest];
        drawing.line(&[from, [from[0], from[1] - LONGEST_ARROW]], FAINT, 0.8, "stroke-dasharray=\"3 4\"");
        drawing.arrow(from, to, color, 2.6);
        let angle = force.x.atan2(force.z).to_degrees();
        let (kind, rest) = name.split_once(": ").unwrap_or((name, ""));
        drawing.text([from[0], 222.0], "middle", color, kind);
        drawing.text([from[0], 240.0], "middle", INK, rest);
        drawing.text([from[0], 258.0], "middle", INK, &format!("{:.0} N", force.norm()));
        drawing.text([from[0], 276.0], "middle", INK, &format!("{:.1}° off", angle.abs()));
    }
    drawing.finish()
}
