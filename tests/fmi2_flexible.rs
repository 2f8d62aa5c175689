//! Flexible bodies through the C interface: a ball hits the end of a rod, with both as free bodies in the host.

use crate::fmi2_support::ball_on_rod::{
    Flight, MIDDLE, SPEED, STEP, STEPS, bodies, fmu, fmu_with, pair, stored_energy,
};
use crate::fmi2_support::{Fmu, Instance, api, fmi2OK, write_obj};
use polycontact::contact::RelativeMotion;
use polycontact::flexible::{BodyModel, FlexiblePair, FlexibleParameters, RawFlexibleParameters, Workspace};
use polycontact::math::{Pose, Vector};
use polycontact::shapes;

/// Values of `stepOutput`.
const HOLD: i32 = 1;
const EXTRAPOLATE: i32 = 2;
const MEAN: i32 = 3;

/// Radius of the ball in m.
const BALL_RADIUS: f64 = 0.015;

/// Part of the start energy: what an undamped impact may lose or gain.
const ENERGY_TOLERANCE: f64 = 1e-3;

/// The whole impact; returns the flight after it.
fn impact(instance: &Instance) -> Flight {
    impact_in_steps(instance, 1)
}

/// The same with `refinement` times as many steps.
fn impact_in_steps(instance: &Instance, refinement: u32) -> Flight {
    let mut flight = Flight::start();
    let step = STEP / f64::from(refinement);
    (0..STEPS * refinement).for_each(|i| flight.step_with(instance, i, step));
    flight
}

/// Ratio of the relative speeds after and before.
fn restitution(flight: &Flight) -> f64 {
    flight.velocity().z / SPEED
}

#[test]
fn the_rebound_is_that_of_the_library_alone_bit_by_bit() {
    let fmu = fmu();
    let instance = fmu.initialized();
    let pair = pair();
    // The example states these two; both are the defaults.
    let parameters = FlexibleParameters::new(&RawFlexibleParameters::default()).unwrap();
    let (mut state, mut workspace) = (pair.initial_state(), Workspace::default());
    let (mut ours, mut expected) = (Flight::start(), Flight::start());
    let start_energy = ours.kinetic_energy();
    let (mut largest_force, mut energy_error) = (0.0_f64, 0.0_f64);
    for i in 0..STEPS {
        let along = |time: f64| Ok(expected.motion(time));
        let outcome = pair.advance(&parameters, &along, STEP, &mut state, &mut workspace).unwrap();
        ours.step_with(&instance, i, STEP);
        expected.advance(outcome.mean.on_e.force.z, STEP);
        assert_eq!(ours, expected, "step {i}");
        assert_eq!(instance.real("elasticEnergy").to_bits(), {
            let end = outcome.end;
            (end.strain_energy[0] + end.strain_energy[1] + end.penalty_energy).to_bits()
        });
        assert_eq!(instance.integer("iterationCount"), outcome.iterations as i32);
        largest_force = largest_force.max(-instance.real("forceOnE[3]"));
        let energy = ours.kinetic_energy() + stored_energy(&instance);
        energy_error = energy_error.max((energy / start_energy - 1.0).abs());
        // No frame turns: action is reaction.
        assert_eq!(instance.vector("forceOnE"), -instance.vector("forceOnF"));
    }
    println!("largest force {largest_force} N, e = {}, energy error {energy_error:e}", restitution(&ours));
    assert_eq!(instance.boolean("inContact"), 0);
    assert_eq!(instance.boolean("borderInContact"), 0);
    assert!(energy_error < ENERGY_TOLERANCE, "{energy_error}");
    // The balance of the contact alone: work of the motion against energy stored.
    assert!(instance.real("energyBalance").abs() < ENERGY_TOLERANCE * start_energy);
    assert_eq!(instance.real("dissipatedEnergy"), 0.0);
    // Published: 0.64 by finite elements. The example is a coarse mesh: 2 % of the impulse, which is proportional to
    // 1 + e.
    assert!((restitution(&ours) - 0.64).abs() < 0.02 * 1.64, "{}", restitution(&ours));
    assert_eq!(instance.messages(), []);
    // For the importers, whose rebound must be that of the library alone.
    if let Some(folder) = std::env::var_os("POLYCONTACT_FMUS") {
        let path = std::path::Path::new(&folder).join("ball-on-rod-rebound.txt");
        std::fs::write(path, format!("{:?}\n", expected.velocity().z)).unwrap();
    }
}

#[test]
fn the_host_learns_the_bodies() {
    let fmu = fmu();
    let instance = fmu.initialized();
    for (letter, body) in ["E", "F"].iter().zip(bodies()) {
        let (model, integer) = (body.model(), |name: &str| instance.integer(&format!("surface{letter}.{name}")));
        assert_eq!(instance.real(&format!("surface{letter}.mass")), model.mass);
        assert_eq!(integer("triangles"), model.contact_faces.len() as i32);
        assert_eq!(integer("contactNodes"), model.contact_nodes.len() as i32);
        assert_eq!(integer("modes"), model.angular_frequencies.len() as i32);
        assert_eq!(integer("lowFrequencyModes"), model.low_frequency_modes as i32);
    }
}

/// Asking changes nothing: neither twice, nor for other poses, before the step that counts.
#[test]
fn questions_between_steps_do_not_change_the_run() {
    let fmu = fmu();
    let (asked, plain) = (fmu.initialized(), fmu.initialized());
    let (mut asked_flight, mut plain_flight) = (Flight::start(), Flight::start());
    for i in 0..MIDDLE {
        plain_flight.step_with(&plain, i, STEP);
        asked_flight.set_inputs(&asked);
        if i % 7 == 0 {
            let here = asked.all_bits();
            assert_eq!(asked.all_bits(), here);
            for depth in [1e-6, 3e-6, -1e-3] {
                let position = asked_flight.position - depth * Vector::z();
                assert_eq!(asked.set_vector("relativePosition", position), fmi2OK);
                assert_ne!(asked.all_bits(), here);
            }
            asked_flight.set_inputs(&asked);
            assert_eq!(asked.all_bits(), here, "back at the same inputs");
        }
        asked_flight.step_with(&asked, i, STEP);
        assert_eq!(asked.all_bits(), plain.all_bits(), "step {i}");
    }
    assert!(plain.boolean("inContact") != 0);
}

fn save(instance: &Instance) -> usize {
    let mut state = 0;
    assert_eq!(api::get_fmu_state(instance.handle, &mut state), fmi2OK);
    state
}

/// The rest of the impact, as bits of every variable after each step.
fn go_on(instance: &Instance, mut flight: Flight) -> Vec<Vec<u64>> {
    let step = |i| {
        flight.step_with(instance, i, STEP);
        instance.all_bits()
    };
    (MIDDLE..MIDDLE + 40).map(step).collect()
}

#[test]
fn a_state_of_the_middle_of_an_impact_gives_the_same_bits_for_every_step_output() {
    let fmu = fmu();
    for step_output in [HOLD, EXTRAPOLATE, MEAN] {
        let instance = fmu.initialized();
        assert_eq!(instance.set_integer("stepOutput", step_output), fmi2OK);
        assert_eq!(instance.set_real("extrapolationSteps", 1.5), fmi2OK);
        let mut flight = Flight::start();
        (0..MIDDLE).for_each(|i| flight.step_with(&instance, i, STEP));
        assert_ne!(instance.boolean("inContact"), 0);
        let state = save(&instance);
        let at_save = instance.all_bits();
        let first = go_on(&instance, flight);
        assert_eq!(api::set_fmu_state(instance.handle, state), fmi2OK);
        assert_eq!(instance.all_bits(), at_save);
        assert_eq!(go_on(&instance, flight), first);

        let (status, size) = api::serialized_fmu_state_size(instance.handle, state);
        let mut bytes = vec![0; size];
        assert_eq!((status, api::serialize_fmu_state(instance.handle, state, &mut bytes)), (fmi2OK, fmi2OK));
        // One instance that has read nothing yet, and one that is elsewhere.
        let (fresh, other) = (fmu.instantiate(), fmu.initialized());
        let mut elsewhere = Flight::start();
        (0..MIDDLE / 2).for_each(|i| elsewhere.step_with(&other, i, STEP));
        for stranger in [fresh, other] {
            let (status, copy) = api::deserialize_fmu_state(stranger.handle, &bytes);
            assert_eq!(status, fmi2OK);
            assert_eq!(api::set_fmu_state(stranger.handle, copy), fmi2OK);
            assert_eq!(stranger.all_bits(), at_save);
            assert_eq!(go_on(&stranger, flight), first);
        }
    }
}

#[test]
fn a_reset_instance_starts_afresh() {
    let fmu = fmu();
    let instance = fmu.initialized();
    let first = impact(&instance);
    let bits = instance.all_bits();
    assert_eq!(api::reset(instance.handle), fmi2OK);
    instance.initialize();
    assert_eq!(instance.real("elasticEnergy"), 0.0);
    assert_eq!(instance.real("largestModalAmplitude"), 0.0);
    assert_eq!(impact(&instance), first);
    assert_eq!(instance.all_bits(), bits);
}

/// Every step output converges to the same rebound; the mean has the smallest error.
#[test]
fn step_outputs_agree_to_first_order_in_the_step() {
    let fmu = fmu();
    let run = |step_output: i32, extrapolation_steps: f64, refinement: u32| {
        let instance = fmu.initialized();
        assert_eq!(instance.set_integer("stepOutput", step_output), fmi2OK);
        assert_eq!(instance.set_real("extrapolationSteps", extrapolation_steps), fmi2OK);
        restitution(&impact_in_steps(&instance, refinement))
    };
    let reference = run(MEAN, 1.0, 4);
    for (name, step_output, extrapolation_steps) in [
        ("hold", HOLD, 1.0),
        ("extrapolate 0.5", EXTRAPOLATE, 0.5),
        ("extrapolate 1", EXTRAPOLATE, 1.0),
        ("extrapolate 1.5", EXTRAPOLATE, 1.5),
        ("mean", MEAN, 1.0),
    ] {
        let [coarse, fine] =
            [1, 2].map(|refinement| (run(step_output, extrapolation_steps, refinement) - reference).abs());
        println!("{name}: error of e {coarse:.2e} at 1 µs, {fine:.2e} at 0.5 µs");
        // The force lags or leads by a part of a step of the contact's 200: of the order of 1 % in e.
        assert!(coarse < 0.03, "{name}: {coarse}");
        // Half the step, half the error, with a margin for the second order; below 1e-4 the reference itself errs.
        assert!(fine < 0.6 * coarse.max(1e-4), "{name}: {coarse} {fine}");
        if step_output == MEAN {
            assert!(coarse < 1e-3, "{coarse}");
        }
    }
}

/// Work along a motion within the step is exact but for the internal step. A held motion works only in its jumps at
/// communication points, which count with the force before the jump: of first order in the step.
#[test]
fn the_energy_account_closes_with_every_step_output() {
    let fmu = fmu();
    let start = Flight::start().kinetic_energy();
    for (name, step_output, tolerance) in
        [("hold", HOLD, 0.05), ("extrapolate", EXTRAPOLATE, 1e-3), ("mean", MEAN, 1e-3)]
    {
        let [coarse, fine] = [1, 2].map(|refinement| {
            let instance = fmu.initialized();
            assert_eq!(instance.set_integer("stepOutput", step_output), fmi2OK);
            impact_in_steps(&instance, refinement);
            assert!(instance.real("contactWork") > 0.0);
            instance.real("energyBalance") / start
        });
        println!("{name}: balance {coarse:e} of the start energy at 1 µs, {fine:e} at 0.5 µs");
        assert!(coarse.abs() < tolerance, "{name}: {coarse}");
        assert!(fine.abs() < 0.6 * coarse.abs().max(1e-4), "{name}: {coarse} {fine}");
    }
}

/// The submodel `damped` keeps the impulse of the quasi-static one: its high-frequency modes are stiff.
#[test]
fn submodels_are_chosen_by_configuration_and_by_parameter() {
    let by_configuration = impact(&fmu_with("submodel = \"damped\"").initialized());
    let fmu = fmu();
    let instance = fmu.instantiate();
    assert_eq!(instance.set_integer("flexible.submodel", 2), fmi2OK);
    instance.initialize();
    assert_eq!(impact(&instance), by_configuration);
    let quasi_static = impact(&fmu.initialized());
    let difference = restitution(&by_configuration) - restitution(&quasi_static);
    println!("damped - quasi-static: {difference:+.4} in e");
    assert!(difference != 0.0 && difference.abs() < 0.02, "{difference}");
}

/// A rigid mesh against a flexible body, with the scale of its file.
#[test]
fn the_other_body_may_be_rigid() {
    let ball = shapes::icosphere(BALL_RADIUS, 4);
    let mut in_millimetres = ball.clone();
    in_millimetres.vertices.iter_mut().for_each(|vertex| *vertex *= 1e3);
    let example = fmu();
    let folder = Fmu::empty_folder();
    std::fs::copy(example.folder.join("rod.npz"), folder.join("rod.npz")).unwrap();
    write_obj(&folder.join("ball.obj"), &in_millimetres);
    let configuration = "name = \"RigidBall\"\n[surface-e]\nflexible = \"rod.npz\"\n\
                         [surface-f]\nmesh = \"ball.obj\"\nscale = 0.001\n";
    let fmu = Fmu::in_folder(folder, configuration);
    let instance = fmu.initialized();
    assert_eq!(instance.integer("surfaceF.triangles"), ball.faces.len() as i32);
    assert!(instance.table.find("surfaceF.modes").is_none());

    let [rod, _] = bodies();
    let top = rod.model().contact_nodes.iter().map(|node| node.z).fold(f64::MIN, f64::max);
    let lowest = ball.vertices.iter().map(|vertex| vertex.z).fold(f64::MAX, f64::min);
    let position = Vector::new(0.0, 0.0, top - lowest - 5e-6);
    assert_eq!(instance.set_vector("relativePosition", position), fmi2OK);
    let pair = FlexiblePair::new(BodyModel::Flexible(rod), BodyModel::Rigid(ball)).unwrap();
    let parameters = FlexibleParameters::new(&RawFlexibleParameters::default()).unwrap();
    let motion = RelativeMotion::at_rest(Pose::translation(position.x, position.y, position.z));
    let outcome = pair.evaluate(&parameters, &motion, &pair.initial_state(), &mut Workspace::default()).unwrap();
    // Scaling the file rounds each vertex once more, 1e-18 m against penetrations of 1e-7 m.
    let force = instance.real("forceOnE[3]");
    assert!(force < -1.0);
    assert!((force / outcome.wrenches.on_e.force.z - 1.0).abs() < 1e-6, "{force} {}", outcome.wrenches.on_e.force.z);
    assert_eq!(instance.real("surfaceF.elasticEnergy"), 0.0);
    assert_eq!(instance.step(0.0, STEP), fmi2OK, "{:?}", instance.messages());
}
