//! Published impacts and a static press with coarse bodies, from the volume mesh on. `cargo xtask validate flexible`
//! does the same with fine bodies. Both keep the reduced bodies below `target/flexible`.

use std::f64::consts::{PI, TAU};

use polycontact::contact::RelativeMotion;
use polycontact::flexible::{
    FlexibleOutcome, FlexiblePair, FlexibleParameters, PairState, RawFlexibleParameters, Solver, Workspace,
};
use polycontact::math::{Pose, Vector};
use polycontact_reduction::validation::{CASES, Case, ImpactResult, Prepared, hertz_force, reduced_body, static_press};
use polycontact_reduction::volume_mesh::impact_bodies::{Fineness, ImpactBody, ROD_LENGTH, ROD_RADIUS};

/// Communication and internal step in s: 400 of them in a contact.
const STEP: f64 = 5.0e-7;

/// Largest relative deviation of the first impulse from the published finite elements. A contact of 0.4 mm radius lies
/// on elements of 0.7 mm: forces come from some ten nodes, and the local compliance is right to some per cent, of which
/// the impulse, ruled by waves and masses, feels a third.
const IMPULSE_TOLERANCE: f64 = 0.02;

/// The same for the velocity of the ball, as a part of its speed. The impulse turns a velocity by 1 + e of it at most:
/// up to 1.5 times its tolerance here.
const VELOCITY_TOLERANCE: f64 = 0.03;

/// Largest deviation of the total energy, as a part of it.
const ENERGY_TOLERANCE: f64 = 1.0e-3;

fn impact(case: &Case) -> ImpactResult {
    let prepared = case.prepare(Fineness::Coarse, STEP).unwrap();
    let result = prepared.run(&RawFlexibleParameters::default()).unwrap();
    let (first, published) = (&result.contacts[0], &case.published);
    let impulse_error = first.impulse / published.impulse - 1.0;
    let velocity_error = (-first.velocities[1] - published.ball_velocity) / case.speed;
    println!(
        "{}: impulse {:.4} N s ({:+.1} %), ball {:.4} m/s ({:+.1} % of its speed), energy error {:.1e}, border {}",
        case.name,
        first.impulse,
        100.0 * impulse_error,
        -first.velocities[1],
        100.0 * velocity_error,
        result.energy_error,
        result.border_in_contact
    );
    assert!(impulse_error.abs() < IMPULSE_TOLERANCE, "{impulse_error}");
    assert!(velocity_error.abs() < VELOCITY_TOLERANCE, "{velocity_error}");
    assert!(result.energy_error < ENERGY_TOLERANCE, "{}", result.energy_error);
    result
}

#[test]
fn ball_on_the_end_of_a_rod() {
    let case = &CASES[0];
    let result = impact(case);
    let [contact] = result.contacts[..] else { panic!("{:?}", result.contacts) };
    assert!(!result.border_in_contact);
    // e = 0.64: a tolerance of the impulse is one of 1 + e.
    let restitution = result.restitution(case.speed);
    assert!((restitution - 0.64).abs() < 1.64 * IMPULSE_TOLERANCE, "{restitution}");
    // 52 % of the kinetic energy are in waves then. It follows the square of the ball's velocity.
    assert!((result.kinetic_energy_left - 0.48).abs() < 0.02, "{}", result.kinetic_energy_left);
    // A Hertz spring between a point mass and the modes of a bar has a contact of 189 µs and a peak of 482 N.
    let duration = contact.end - contact.start;
    println!("e = {restitution:.4}, contact {:.1} µs, peak {:.1} N", 1e6 * duration, contact.peak_force);
    assert!((duration / 189.0e-6 - 1.0).abs() < 0.04, "{duration}");
    assert!((contact.peak_force / 482.0 - 1.0).abs() < 0.04, "{}", contact.peak_force);
}

/// The hollow hugs the ball: nodes at the border of the ball's contact faces come into contact on these meshes, which
/// the flag says; they get no force there, and the tolerances hold nevertheless.
#[test]
fn ball_in_the_hollowed_end_of_a_rod() {
    let case = &CASES[1];
    let result = impact(case);
    let restitution = result.restitution(case.speed);
    println!("e = {restitution:.4}");
    // e = 0.51, with the tolerance of the impulse.
    assert!((restitution - 0.51).abs() < 1.51 * IMPULSE_TOLERANCE, "{restitution}");
}

/// The second contact comes when the beam swings back to a ball that is hardly faster than it: the time of it feels
/// 1 % of the speed of the impact as a tenth of the speed at which the gap closes.
#[test]
fn ball_on_the_side_of_a_beam() {
    let case = &CASES[2];
    let result = impact(case);
    assert!(!result.border_in_contact);
    let published = case.published.second_contact.unwrap();
    let second = result.contacts[1].start;
    println!("second contact {:.2} ms", 1e3 * second);
    assert!((second / published - 1.0).abs() < 0.1, "{second}");
}

#[test]
fn the_reduced_rod_has_the_frequencies_of_theory() {
    let body = reduced_body(ImpactBody::Rod, Fineness::Coarse).unwrap();
    let (model, material) = (body.model(), ImpactBody::Rod.material());
    let wave_speed = (material.youngs_modulus() / material.density()).sqrt();
    let mass = PI * ROD_RADIUS.powi(2) * ROD_LENGTH * material.density();
    // A polygon instead of a circle: 0.1 % of the area.
    assert!((model.mass / mass - 1.0).abs() < 2e-3, "{}", model.mass);

    // Free slender beam: (β L)² = 4.73004², radius of gyration R / 2; 91.0 Hz. Both planes.
    let bending = 4.73004_f64.powi(2) / (TAU * ROD_LENGTH.powi(2)) * wave_speed * 0.5 * ROD_RADIUS;
    for omega in &model.angular_frequencies[..2] {
        println!("bending: {:.2} Hz, theory {bending:.2} Hz", omega / TAU);
        // Elements of 24 mm are somewhat stiff.
        assert!((omega / TAU / bending - 1.0).abs() < 5e-3, "{}", omega / TAU);
    }

    // Free bar: k c / 2 L; the ends move by √(2 / m) in mass-normalised modes, and hardly along z in all others.
    let nodes = model.contact_nodes.len();
    let amplitude = (2.0 / mass).sqrt();
    let along = |mode: &usize| {
        let shape = &model.modes[3 * nodes * mode..3 * nodes * (mode + 1)];
        (shape.iter().skip(2).step_by(3).sum::<f64>() / nodes as f64).abs()
    };
    let longitudinal = (0..model.low_frequency_modes).filter(|mode| along(mode) > 0.5 * amplitude);
    let mut count = 0;
    for (k, mode) in (1..=4).zip(longitudinal) {
        let expected = f64::from(k) * wave_speed / (2.0 * ROD_LENGTH);
        let frequency = model.angular_frequencies[mode] / TAU;
        println!("longitudinal: {frequency:.1} Hz, theory {expected:.1} Hz");
        // Lateral inertia (Rayleigh) takes (ν k π R / L)² / 4 off, at most 4.3e-4.
        assert!((frequency / expected - 1.0).abs() < 1e-3, "{frequency}");
        assert!((along(&mode) / amplitude - 1.0).abs() < 5e-3, "{}", along(&mode));
        count += 1;
    }
    assert_eq!(count, 4);
}

/// The contact radius, 0.27 to 0.47 mm, is shorter than an element: the nodes in contact cover a larger area than the
/// circle, which makes the pair stiffer by some per cent.
#[test]
fn a_static_press_follows_hertz() {
    // With so stiff a penalty only rounding and switching nodes are below the tolerance of the solver.
    let raw = RawFlexibleParameters { penalty_stiffness: 1.0e9, tolerance: 1.0e-5, ..RawFlexibleParameters::default() };
    for depth in [5.0e-6, 10.0e-6, 15.0e-6] {
        let force = static_press(Fineness::Coarse, depth, &raw).unwrap();
        let deviation = force / hertz_force(depth) - 1.0;
        println!("{:.0} µm: {force:.1} N, Hertz {:+.1} %", 1e6 * depth, 100.0 * deviation);
        assert!(deviation.abs() < 0.06, "{depth}: {deviation}");
    }
}

/// Undeformed and at rest where the ball has moved into the rod.
fn pressed(prepared: &Prepared, depth: f64) -> RelativeMotion {
    RelativeMotion::at_rest(Pose::from_parts(
        (prepared.impact.touching - depth * Vector::z()).into(),
        Default::default(),
    ))
}

fn evaluate(
    pair: &FlexiblePair,
    raw: &RawFlexibleParameters,
    motion: &RelativeMotion,
    state: &PairState,
) -> FlexibleOutcome {
    let parameters = FlexibleParameters::new(raw).unwrap();
    pair.evaluate(&parameters, motion, state, &mut Workspace::default()).unwrap()
}

/// A spring of 1/c_P in series with bodies that do not depend on it: every doubling of c_P halves what is left.
#[test]
fn a_stiffer_penalty_converges() {
    let mut prepared = CASES[0].prepare(Fineness::Coarse, STEP).unwrap();
    let pair = prepared.pair();
    let state = pair.initial_state();
    let press = |penalty_stiffness: f64| {
        let raw = RawFlexibleParameters { penalty_stiffness, ..RawFlexibleParameters::default() };
        let outcome = evaluate(&pair, &raw, &pressed(&prepared, 4.0e-6), &state);
        println!(
            "{penalty_stiffness:e} N/m: {:.3} N, {:.2e} m",
            -outcome.wrenches.on_e.force.z, outcome.max_penetration
        );
        [-outcome.wrenches.on_e.force.z, outcome.max_penetration]
    };
    let [[f1, _], [f2, _], [f3, g3], [f4, g4]] = [2.0e8, 4.0e8, 8.0e8, 1.6e9].map(press);
    for [from, between, to] in [[f1, f2, f3], [f2, f3, f4]] {
        let ratio = (to - between) / (between - from);
        assert!((ratio - 0.5).abs() < 0.06, "{ratio}");
    }
    // Penetration ∝ 1/c_P: what is missing is as small as what the force still gains, some per cent.
    assert!((g3 / g4 - 2.0).abs() < 0.04, "{}", g3 / g4);

    // The peak of the impact, which comes after 0.1 ms.
    prepared.impact.duration = 1.5e-4;
    let peaks = [4.0e7, 8.0e7, 1.6e8].map(|penalty_stiffness| {
        let raw = RawFlexibleParameters { penalty_stiffness, ..RawFlexibleParameters::default() };
        let result = prepared.run(&raw).unwrap();
        println!("{penalty_stiffness:e} N/m: peak {:.2} N", result.contacts[0].peak_force);
        result.contacts[0].peak_force
    });
    let ratio = (peaks[2] - peaks[1]) / (peaks[1] - peaks[0]);
    assert!((0.4..0.65).contains(&ratio), "{ratio}");
    assert!((peaks[2] / peaks[1] - 1.0).abs() < 0.01);
}

/// How far both roots may be apart, relative. Newton's iteration ends when the sizes of the contact forces stay; their
/// directions and their places on the faces are those of one iteration earlier, which is about 1e-6 here.
const ROOT_TOLERANCE: f64 = 1.0e-5;

#[test]
fn newton_and_broyden_find_the_same_root() {
    let prepared = CASES[0].prepare(Fineness::Coarse, STEP).unwrap();
    let pair = prepared.pair();
    // At rest, and 30 µs after the ball has begun to move into the rod at the speed of the impact.
    let mut moving = pair.initial_state();
    let flight = |time: f64| Ok(pressed(&prepared, CASES[0].speed * time));
    let parameters = FlexibleParameters::new(&RawFlexibleParameters::default()).unwrap();
    pair.advance(&parameters, &flight, 3.0e-5, &mut moving, &mut Workspace::default()).unwrap();
    let rest = pair.initial_state();
    for (state, depth) in [(&rest, 1.0e-6), (&rest, 4.0e-6), (&rest, 8.0e-6), (&moving, 9.0e-6)] {
        let [newton, broyden] = [Solver::Newton, Solver::Broyden].map(|solver| {
            let raw = RawFlexibleParameters { solver, tolerance: 1.0e-9, iteration_limit: 1000, ..Default::default() };
            evaluate(&pair, &raw, &pressed(&prepared, depth), state)
        });
        println!(
            "{depth:e} m: {} N, {} and {} iterations",
            newton.wrenches.on_e.force.z, newton.iterations, broyden.iterations
        );
        assert!(newton.wrenches.on_e.force.z < -1.0);
        assert_eq!(newton.contact_count, broyden.contact_count);
        let close = |a: f64, b: f64| (a - b).abs() <= ROOT_TOLERANCE * b.abs();
        assert!(
            close(newton.wrenches.on_e.force.z, broyden.wrenches.on_e.force.z),
            "{} {}",
            newton.wrenches.on_e.force,
            broyden.wrenches.on_e.force
        );
        assert!(close(newton.max_penetration, broyden.max_penetration));
        assert!((0..2).all(|body| close(newton.strain_energy[body], broyden.strain_energy[body])));
    }
}
