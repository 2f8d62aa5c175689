//! What the memory of bristles costs: a step with it beside an evaluation without.

use std::hint::black_box;

use polycontact::contact::{
    BristleMemory, ContactParameters, FrictionModel, RawLayer, RawParameters, RelativeMotion, Workspace, evaluate,
};
use polycontact::lanes::Width;
use polycontact::math::{Pose, Rotation, Vector};

use crate::sampling::{Call, alternate};
use crate::scenes::{BOX, Body, RADIUS};

/// Depth of the ball in m.
const DEPTH: f64 = 1e-3;

/// How far the ball is from the middle of the plate at most, in m.
const REACH: f64 = 0.05;

/// Prints the table.
pub fn print(seconds: f64, registers: Width) {
    println!("\n## Bristles\n");
    println!(
        "Sphere of 5120 faces on a box, 1 mm deep, in steps: with bristles, memory and all, and regularised. Low times in µs.\n"
    );
    println!("| motion | with bristles | regularised | ratio |");
    println!("|---|---|---|---|");
    let sphere = Body::sphere(4);
    let plate = Body::new("box", polycontact::shapes::cuboid(Vector::from(BOX)));
    let parameters = [FrictionModel::Bristle, FrictionModel::Regularized].map(|friction_model| {
        let raw = RawParameters { friction_model, layer_e: RawLayer::RIGID, ..Default::default() };
        ContactParameters::new(&raw).expect("valid parameters")
    });
    for (name, way) in [("sticks, 1 nm per step", 1e-9), ("slips, 10 µm per step", 1e-5)] {
        let motion = |step: usize| {
            let along = REACH * (way / REACH * step as f64).sin();
            let place = Vector::new(along, 0.03, 0.5 * BOX[2] + RADIUS - DEPTH);
            let pose = Pose::from_parts(place.into(), Rotation::identity());
            RelativeMotion::new(pose, Vector::new(1e-2, 2e-3, 0.0), Vector::new(0.01, 0.02, 0.1))
                .expect("finite numbers")
        };
        let (e, f) = (&plate.surface, &sphere.surface);
        let mut calls = parameters.each_ref().map(|parameters| -> Call {
            let (mut memory, mut workspace) = (BristleMemory::default(), Workspace::default());
            (workspace.registers, workspace.without_energy) = (registers, true);
            Box::new(move |step| {
                let motion = memory.recall(&motion(step)).expect("finite numbers");
                let outcome = black_box(evaluate(e, f, parameters, &motion, &mut workspace));
                if parameters.bristles().is_some() {
                    memory = memory.advanced(motion.pose_ef(), &outcome.grip);
                }
            })
        });
        let [with, without] = &alternate(&mut calls, seconds)[..] else { return };
        println!("| {name} | {:.1} | {:.1} | {:.2} |", with.low(), without.low(), with.low() / without.low());
    }
}
