//! Machine parts as CAD kernels triangulate them, in pairs, on ways that they go in machines.

use std::f64::consts::PI;

use polycontact::contact::ContactSurface;
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::mesh::TriangleMesh;
use polycontact::shapes::{
    bush, chain_link, filleted_angle, filleted_bar, icosphere, involute_gear, latch_hook, moved, regular_prism,
    spherical_socket,
};

/// Two parts, and where F is on its way, from 0 to 1; it is in contact almost everywhere.
pub struct MachinePair {
    pub name: &'static str,
    pub e: ContactSurface,
    pub f: ContactSurface,
    pub pose_at: fn(f64) -> Pose,
}

/// All pairs; sizes in metres.
pub fn machine_pairs() -> Vec<MachinePair> {
    let pair = |name, e: TriangleMesh, f: TriangleMesh, pose_at| MachinePair {
        name,
        e: ContactSurface::new(e),
        f: ContactSurface::new(f),
        pose_at,
    };
    let gear = || involute_gear(TEETH, MODULE, PRESSURE_ANGLE, 0.01, 12, 0.38 * MODULE);
    let link = || chain_link(0.012, 0.005, 0.002, 24, 16);
    let hook = || latch_hook(0.02, 0.002, 0.0015, 0.006);
    // Upside down, its nose towards the other one.
    let catch = moved(&hook(), &Pose::from_parts(Vector::zeros().into(), turned(Vector::x(), PI)));
    vec![
        pair("gear in gear", gear(), gear(), gears),
        pair("peg in hole", bush(0.00505, 0.012, 0.03, 128), regular_prism(0.005, 0.04, 110), peg_in_hole),
        pair("hook past catch", hook(), catch, hook_past_catch),
        pair("link in link", link(), link(), link_in_link),
        pair("ball in race", spherical_socket(0.01, 0.013, 1.2, 8, 32), icosphere(0.0099, 2), ball_in_race),
        pair("bar in angle", filleted_angle(0.03, 0.004, 0.05, 0.001, 12), bar(), bar_in_angle),
        pair("angle on bar", bar(), filleted_angle(0.03, 0.004, 0.05, 0.001, 12), angle_on_bar),
    ]
}

const TEETH: usize = 20;
const MODULE: f64 = 0.002;
const PRESSURE_ANGLE: f64 = 20.0 * PI / 180.0;

fn bar() -> TriangleMesh {
    filleted_bar(0.01, 0.008, 0.04, 0.0015, 8)
}

fn turned(axis: Vector, angle: f64) -> Rotation {
    Rotation::new(axis * angle)
}

/// Both roll on by a tooth and a half, with flanks 30 µm deep in each other, a little askew.
fn gears(s: f64) -> Pose {
    let (pitch_radius, pressed) = (0.5 * MODULE * TEETH as f64, 3e-5);
    let roll = 3.0 * PI / TEETH as f64 * s;
    let e = Pose::from_parts(Vector::zeros().into(), turned(Vector::z(), roll));
    let askew = Rotation::new(Vector::new(3e-4, 2e-4, 0.0));
    let turn = PI / TEETH as f64 - roll + pressed / (pitch_radius * PRESSURE_ANGLE.cos());
    e.inverse()
        * Pose::from_parts(Vector::new(2.0 * pitch_radius, 1e-5, 1e-3).into(), askew * turned(Vector::z(), turn))
}

/// The peg slides in, tilts until both ends touch, and is pressed around the hole.
fn peg_in_hole(s: f64) -> Pose {
    let around = 2.0 * PI * s;
    let aside = (5e-5 + 2e-5 + 1e-5 * (3.0 * around).sin()) * Vector::new(around.cos(), around.sin(), 0.0);
    let tilt = Vector::new((2.0 * around).sin(), around.cos(), 0.0) * 2e-3;
    Pose::from_parts((aside + Vector::z() * (0.004 - 0.006 * s)).into(), Rotation::new(tilt + Vector::z() * 0.2 * s))
}

/// Noses slide over each other, 0.2 mm deep at the top, a little askew.
fn hook_past_catch(s: f64) -> Pose {
    let askew = Rotation::new(Vector::new(2e-3, 1e-3, 3e-3));
    Pose::from_parts(Vector::new(-0.0009 + 0.0018 * s, 0.0068, 2e-4).into(), askew)
}

/// Links across each other, pulled apart, one swinging in the other.
fn link_in_link(s: f64) -> Pose {
    let swing = 1.2 * (s - 0.5);
    let rotation = turned(Vector::y(), swing) * turned(Vector::x(), 0.5 * PI + 0.1 * s);
    // The bends touch where the insides are 5 − 2 mm from their centres; pulled by 0.15 mm more.
    let apart = 0.012 + 2.0 * (0.005 - 0.002) + 1.5e-4 - 0.012;
    let bend = Vector::new(0.006 + apart, 0.0, 0.0);
    Pose::from_parts((bend + rotation * Vector::new(0.006, 0.0, 0.0)).into(), rotation)
}

/// The ball is pressed around the race.
fn ball_in_race(s: f64) -> Pose {
    let (around, up) = (2.0 * PI * s, 0.8 * (5.0 * s).sin());
    let direction = Vector::new(around.cos() * up.sin(), around.sin() * up.sin(), -up.cos());
    Pose::from_parts((direction * 1.5e-4).into(), Rotation::new(Vector::new(0.3, 0.5, 2.0 * s)))
}

/// The bar lies in the inner corner of the angle, tilts there, and its edge goes into the fillet.
fn bar_in_angle(s: f64) -> Pose {
    let rotation = Rotation::new(Vector::new(0.01 * s, -0.01, 0.1 * (9.0 * s).sin()));
    let inside = Vector::new(0.004 + 0.005 - 2e-4, 0.004 + 0.004 - 2e-4, 0.002);
    let shift = Vector::new(3e-4 * (6.0 * s).sin(), 3e-4 * (4.0 * s).cos(), 0.01 * s);
    Pose::from_parts((inside + shift).into(), rotation)
}

/// The rounded outer corner of the angle rolls over the bar and its rounded edge, 0.2 mm deep.
fn angle_on_bar(s: f64) -> Pose {
    let rotation = turned(Vector::z(), 0.25 * PI + 0.6 * (s - 0.5)) * Rotation::new(Vector::new(0.01, 0.02, 0.0));
    // An arc of 1 mm about a right angle ends 0.41 mm before the corner.
    let height = 0.004 - 2e-4 - (2f64.sqrt() - 1.0) * 1e-3;
    Pose::from_parts(Vector::new(0.0055 * s, height - 4e-4 * s * s, 0.003).into(), rotation)
}
