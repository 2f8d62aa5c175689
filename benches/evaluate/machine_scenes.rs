//! Parts of machines as CAD kernels triangulate them: needles, fans, ends in one plane; F is named first.

use std::f64::consts::PI;
use std::rc::Rc;

use polycontact::math::{Pose, Rotation, Vector};
use polycontact::mesh::TriangleMesh;
use polycontact::shapes::{
    Cut, bored_block, bush, filleted_bar, gripper_finger, involute_gear, latch_hook, moved, refined, regular_prism,
};

use crate::scenes::{Body, Scene};

/// The name of a scene, and what makes it.
pub type MachineScene = (&'static str, fn() -> Scene);

/// Names of all scenes, and how they are made.
pub const MACHINE_SCENES: [MachineScene; 10] = [
    ("gear 30 in gear 20, 0.05 mm", || gears(0.0)),
    ("gear 30 in gear 20, flush, 0.05 mm", flush_gears),
    ("gear 30 by gear 20, 0.1 mm clear", || gears(2.0 * MODULE + 1e-4)),
    ("gear in gear of 20000 faces, 0.05 mm", fine_gears),
    ("peg in hole, 0.02 mm", peg_in_hole),
    ("pin in bush, 0.02 mm", pin_in_bush),
    ("hook on catch, 0.15 mm", hook_on_catch),
    ("bar in finger, 0.1 mm", || bar_by_finger(1e-4)),
    ("bar by finger, 0.1 mm clear", || bar_by_finger(-1e-4)),
    ("finger on finger, 0.1 mm", finger_on_finger),
];

/// The gears: module in m, pressure angle in rad, and the depth of a flank in the other, in m.
const MODULE: f64 = 0.002;
const PRESSURE_ANGLE: f64 = 0.349;
const FLANK_DEPTH: f64 = 5e-5;

/// Pin and peg: clearance all around and depth, in m.
const CLEARANCE: f64 = 5e-5;
const WALL_DEPTH: f64 = 2e-5;

/// Fingers: length, thickness, grooves, their depth, and width, in m.
const FINGER: (f64, f64, usize, f64, f64) = (0.045, 0.014, 20, 8e-4, 0.019);

fn turned(angle: f64) -> Rotation {
    Rotation::from_axis_angle(&Vector::z_axis(), angle)
}

/// A scene without its name.
fn scene(overlap: f64, e: Rc<Body>, f: Rc<Body>, position: Vector, rotation: Rotation) -> Scene {
    Scene { name: String::new(), overlap, e, f, position, rotation, is_plane: false }
}

/// Two gears of a module and a width in mesh: where the flanks of one side overlap, the others are clear. A little aside
/// and askew. `apart` is how much farther apart than in mesh they are; all in m.
fn gears_of(
    teeth: [usize; 2],
    [module, width]: [f64; 2],
    apart: f64,
    mesh_of: impl Fn(usize) -> TriangleMesh,
) -> Scene {
    let [pitch_e, pitch_f] = teeth.map(|teeth| 0.5 * module * teeth as f64);
    // Both rolled by some angle, so that no tooth is in the middle; then F is turned until its flanks are pressed.
    let roll = 0.05;
    let pressed = FLANK_DEPTH / (pitch_f * PRESSURE_ANGLE.cos());
    let askew = Rotation::from_scaled_axis(Vector::new(3e-4, 2e-4, 0.0));
    let half_a_tooth = PI / teeth[1] as f64;
    let rolled = moved(&mesh_of(teeth[0]), &Pose::from_parts(Vector::zeros().into(), turned(roll)));
    let name = |letter: char, mesh: &TriangleMesh| format!("gear-{letter}-{}", mesh.faces.len());
    let other = mesh_of(teeth[1]);
    scene(
        if 0.0 < apart { -1e-4 } else { FLANK_DEPTH },
        Body::new(name('e', &rolled), rolled),
        Body::new(name('f', &other), other),
        Vector::new(pitch_e + pitch_f + apart, 1e-5, 0.062 * width),
        askew * turned(half_a_tooth - roll * pitch_e / pitch_f + pressed),
    )
}

/// With their ends in the same two planes, as in a model of a plane mechanism.
fn flush_gears() -> Scene {
    let scene = gears(0.0);
    let rotation = turned(scene.rotation.euler_angles().2);
    Scene { position: Vector::new(scene.position.x, scene.position.y, 0.0), rotation, is_plane: true, ..scene }
}

fn gears(apart: f64) -> Scene {
    let width = 0.01;
    gears_of([20, 30], [MODULE, width], apart, |teeth| {
        involute_gear(teeth, MODULE, PRESSURE_ANGLE, width, 11, 0.38 * MODULE)
    })
}

fn fine_gears() -> Scene {
    let (module, width) = (0.01, 0.05);
    gears_of([24, 24], [module, width], 0.0, |teeth| {
        refined(&involute_gear(teeth, module, PRESSURE_ANGLE, width, 23, 0.38 * module), Cut::EdgeMiddles)
    })
}

/// A pin or peg F, pressed to one side in a hole E; a little askew.
fn in_hole(e: Rc<Body>, f: Rc<Body>) -> Scene {
    let position = Vector::new(0.8, 0.6, 0.0) * (CLEARANCE + WALL_DEPTH) + Vector::z() * 1.3e-3;
    scene(WALL_DEPTH, e, f, position, Rotation::from_scaled_axis(Vector::new(2e-4, 1e-4, 0.1)))
}

fn pin_in_bush() -> Scene {
    let (radius, sides) = (0.02, 512);
    let inner = radius + CLEARANCE;
    let e = Body::new("bush", bush(inner, 2.0 * inner, 0.04, sides));
    in_hole(e, Body::new("pin", regular_prism(radius, 0.06, sides)))
}

fn peg_in_hole() -> Scene {
    let radius = 0.005;
    let e = Body::new("hole", bored_block(Vector::new(0.03, 0.03, 0.03), radius + CLEARANCE, 128));
    in_hole(e, Body::new("peg", regular_prism(radius, 0.04, 110)))
}

/// The nose of a hook slides over that of an equal one, which is upside down.
fn hook_on_catch() -> Scene {
    let hook = latch_hook(0.02, 0.002, 0.0015, 0.006);
    let upside_down = Rotation::from_axis_angle(&Vector::x_axis(), PI);
    let catch = moved(&hook, &Pose::from_parts(Vector::zeros().into(), upside_down));
    let askew = Rotation::from_scaled_axis(Vector::new(2e-3, 1e-3, 3e-3));
    // Noses are 3.5 mm high.
    scene(1.5e-4, Body::new("catch", catch), Body::new("hook", hook), Vector::new(3e-4, -0.00685, 2e-4), askew)
}

fn finger() -> TriangleMesh {
    let (length, thickness, grooves, depth, width) = FINGER;
    gripper_finger(length, thickness, grooves, depth, width)
}

/// A bar F with rounded edges, which a finger E presses with its grooves.
fn bar_by_finger(overlap: f64) -> Scene {
    let bar = filleted_bar(0.02, 0.02, 0.03, 0.004, 12);
    let askew = Rotation::from_scaled_axis(Vector::new(1e-3, 2e-3, 3e-3));
    let position = Vector::new(-0.01 + overlap, 0.5 * FINGER.0 + 4e-4, 1e-3);
    scene(overlap, Body::new("finger", finger()), Body::new("bar", bar), position, askew)
}

/// Two fingers face to face, half a groove apart.
fn finger_on_finger() -> Scene {
    let pitch = FINGER.0 / (FINGER.2 as f64 + 1.0);
    let askew = Rotation::from_scaled_axis(Vector::new(1e-3, 2e-3, 3e-3));
    let position = Vector::new(1e-4, FINGER.0 + 0.5 * pitch, 1e-3);
    scene(1e-4, Body::new("finger", finger()), Body::new("finger-f", finger()), position, askew * turned(PI))
}
