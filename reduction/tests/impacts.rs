//! Published impacts and a static press with coarse bodies, from the volume mesh on; the reduced bodies are kept below
//! `target/flexible`. `cargo xtask validate flexible` does the same with fine bodies.

use std::f64::consts::{PI, TAU};
use std::time::Instant;

use polycontact::contact::RelativeMotion;
use polycontact::flexible::{FlexibleParameters, RawFlexibleParameters, Solver, Workspace};
use polycontact::math::{Pose, Vector};
use polycontact_reduction::validation::{CASES, Case, ImpactResult, hertz_force, reduced_body, static_press};
use polycontact_reduction::volume_mesh::impact_bodies::{Fineness, ImpactBody, ROD_LENGTH, ROD_RADIUS};

/// Communication and internal step in s: 400 of them in a contact.
const STEP: f64 = 5.0e-7;

fn run(case: &Case) -> ImpactResult {
    let start = Instant::now();
    let prepared = case.prepare(Fineness::Coarse, STEP).unwrap();
    let preparation = start.elapsed();
    let result = prepared.run(&RawFlexibleParameters::default()).unwrap();
    println!("{}: bodies {preparation:.1?}, run {:.1?}", case.name, start.elapsed() - preparation);
    let (first, published) = (&result.contacts[0], &case.published);
    println!(
        "  impulse {:.5} N s ({:+.2} %), ball {:.4} m/s ({:+.2} % of the speed), energy error {:.1e}",
        first.impulse,
        100.0 * (first.impulse / published.impulse - 1.0),
        -first.velocities[1],
        100.0 * (-first.velocities[1] - published.ball_velocity) / case.speed,
        result.energy_error
    );
    result
}

fn check(case: &Case, result: &ImpactResult) {
    let (first, published) = (&result.contacts[0], &case.published);
    assert!((first.impulse / published.impulse - 1.0).abs() < 0.02, "impulse {}", first.impulse);
    let velocity_error = (-first.velocities[1] - published.ball_velocity) / case.speed;
    assert!(velocity_error.abs() < 0.025, "velocity {}", first.velocities[1]);
    assert!(result.energy_error < 1e-3, "energy {}", result.energy_error);
    assert!(!result.border_in_contact);
}

#[test]
fn flat_rod() {
    let result = run(&CASES[0]);
    check(&CASES[0], &result);
    assert_eq!(result.contacts.len(), 1);
    println!("e = {}", result.restitution(CASES[0].speed));
}

#[test]
fn hollowed_rod() {
    let result = run(&CASES[1]);
    check(&CASES[1], &result);
    println!("e = {} contacts {}", result.restitution(CASES[1].speed), result.contacts.len());
}

#[test]
fn beam() {
    let result = run(&CASES[2]);
    check(&CASES[2], &result);
    println!("{:?}", result.contacts);
}

#[test]
fn static_press_against_hertz() {
    let raw = RawFlexibleParameters { penalty_stiffness: 1.0e9, ..RawFlexibleParameters::default() };
    for depth in [5.0e-6, 10.0e-6, 15.0e-6] {
        let start = Instant::now();
        let force = static_press(Fineness::Coarse, depth, &raw).unwrap();
        println!("{depth}: {force} {} {:.1?}", force / hertz_force(depth) - 1.0, start.elapsed());
    }
}

#[test]
fn penalty() {
    let mut prepared = CASES[0].prepare(Fineness::Coarse, STEP).unwrap();
    prepared.impact.duration = 1.5e-4;
    for penalty_stiffness in [5.0e6, 1.0e7, 2.0e7, 4.0e7, 8.0e7, 1.6e8] {
        let raw = RawFlexibleParameters { penalty_stiffness, ..RawFlexibleParameters::default() };
        let start = Instant::now();
        let result = prepared.run(&raw).unwrap();
        println!(
            "{penalty_stiffness:e}: peak {} penetration {:e}, product {} {:.1?}",
            result.contacts[0].peak_force,
            result.max_penetration,
            penalty_stiffness * result.max_penetration,
            start.elapsed()
        );
    }
}

#[test]
fn newton_and_broyden() {
    let prepared = CASES[0].prepare(Fineness::Coarse, STEP).unwrap();
    let pair = prepared.pair();
    let state = pair.initial_state();
    for depth in [1e-6, 4e-6, 8e-6] {
        let pose = Pose::from_parts((prepared.impact.touching - depth * Vector::z()).into(), Default::default());
        let motion = RelativeMotion::at_rest(pose);
        let [newton, broyden] = [Solver::Newton, Solver::Broyden].map(|solver| {
            let start = Instant::now();
            let raw = RawFlexibleParameters { solver, tolerance: 1e-9, iteration_limit: 500, ..Default::default() };
            let parameters = FlexibleParameters::new(&raw).unwrap();
            let outcome = pair.evaluate(&parameters, &motion, &state, &mut Workspace::default()).unwrap();
            println!("{solver:?} {} iterations {:.1?}", outcome.iterations, start.elapsed());
            outcome
        });
        println!("{} {}", newton.force_on_e.z, newton.force_on_e.z / broyden.force_on_e.z - 1.0);
    }
}

#[test]
fn frequencies() {
    let body = reduced_body(ImpactBody::Rod, Fineness::Coarse).unwrap();
    let model = body.model();
    let material = ImpactBody::Rod.material();
    let speed = (material.youngs_modulus() / material.density()).sqrt();
    let bending = 4.73004_f64.powi(2) * speed * 0.5 * ROD_RADIUS / (TAU * ROD_LENGTH.powi(2));
    let longitudinal = speed / (2.0 * ROD_LENGTH);
    println!("mass {} {}", model.mass, model.mass / (PI * ROD_RADIUS.powi(2) * ROD_LENGTH * material.density()));
    println!("bending {bending} {}", model.angular_frequencies[0] / TAU);
    let nodes = model.contact_nodes.len();
    for (mode, omega) in model.angular_frequencies.iter().enumerate().take(60) {
        let shape = &model.modes[3 * nodes * mode..3 * nodes * (mode + 1)];
        let mean = (0..nodes).map(|node| shape[3 * node + 2]).sum::<f64>() / nodes as f64;
        if mean.abs() > 0.5 * (2.0 / model.mass).sqrt() {
            println!("{mode} {} {longitudinal} amplitude {}", omega / TAU, mean.abs() / (2.0 / model.mass).sqrt());
        }
    }
}
