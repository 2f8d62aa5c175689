//! Figure of `examples/latch`: slopes that meet, and slopes that hold, with the force on the hook.

use std::f64::consts::PI;

use polycontact::configuration::Configuration;
use polycontact::contact::{ContactSurface, RelativeMotion};
use polycontact::math::{Pose, Rotation, Vector};

use super::drawing::{COLOR_E, COLOR_F, Drawing, INK, PALE_E, PALE_F, Pixel};
use super::{end_of, evaluated};
use crate::example_meshes::hook;
use crate::project::root;

/// How far the hooks are pushed into each other in m, and where their slopes touch.
const WAY: f64 = 2e-5;
const PANELS: [(&str, [f64; 2], f64); 2] =
    [("pushed in by 0.02 mm", [0.03775, 0.0045], -WAY), ("pulled out by 0.02 mm", [0.03325, 0.0055], WAY)];

/// Pixels per m and per N, and size of a panel.
const SCALE: f64 = 22_000.0;
const ARROW: f64 = 0.12;
const WIDTH: f64 = 340.0;
const HEIGHT: f64 = 220.0;
/// What is in the middle of a panel, in m.
const MIDDLE: [f64; 2] = [0.0185, 0.0034];

/// The figure.
pub fn latch() -> String {
    let configuration = Configuration::read(&root().join("examples/latch/contact.toml")).expect("the example is good");
    let mut raw = configuration.parameters;
    raw.friction_coefficient = 0.0;
    let surface = ContactSurface::new(hook());
    let mut drawing = Drawing::new(2.0 * WIDTH, HEIGHT);
    for (index, (title, [x, y], way)) in PANELS.into_iter().enumerate() {
        let left = WIDTH * index as f64;
        let pixel = |place: &Vector| -> Pixel {
            [left + 0.5 * WIDTH + SCALE * (place.x - MIDDLE[0]), 0.5 * HEIGHT - SCALE * (place.y - MIDDLE[1])]
        };
        let pose = Pose::from_parts(Vector::new(x + way, y, 0.0).into(), Rotation::new(Vector::z() * PI));
        let outcome = evaluated(&surface, &surface, &raw, &RelativeMotion::at_rest(pose));
        drawing.begin_window([left, 0.0], [WIDTH - 10.0, HEIGHT]);
        let outline = end_of(&hook());
        for (color, pale, pose) in [(COLOR_E, PALE_E, Pose::identity()), (COLOR_F, PALE_F, pose)] {
            let pixels: Vec<Pixel> =
                outline.iter().map(|vertex| pixel(&pose.transform_point(&(*vertex).into()).coords)).collect();
            drawing.polygon(&pixels, pale, &format!("stroke=\"{color}\" stroke-width=\"1.5\""));
        }
        let (place, force) = (pixel(&outcome.contact_position_e), outcome.wrenches.on_e.force);
        drawing.arrow(place, [place[0] + ARROW * force.x, place[1] - ARROW * force.y], INK, 2.0);
        drawing.title([left + 8.0, 18.0], title);
        drawing.text([left + 8.0, 36.0], "start", INK, &format!("{:.0} N on the lower hook", force.norm()));
        drawing.end_window();
    }
    drawing.finish()
}
