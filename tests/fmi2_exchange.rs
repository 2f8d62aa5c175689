//! Hosts of several bodies exchange with contact FMUs at communication points: energy and motion with
//! `stepOutput = energy`, without a word about masses.
//!
//! `cargo test --test fmi2 fmi2_exchange:: -- --nocapture` prints the table of all scenes.

use crate::fmi2_support::{api, fmi2OK};
use crate::hosts::{Body, GRAVITY, MASTERS, Master, SMOOTH, System, ball, ball_of_water, pair, plate};
use polycontact::free_body::{MarkerMotion, RawBody};
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::shapes;

/// A scene: the system, and the energy to which errors are related, in J.
type Scene = (&'static str, Box<dyn Fn() -> (System, f64)>);

fn scenes() -> Vec<Scene> {
    let ball_and_plate = pair(&ball(0.1), &plate(), SMOOTH);
    let size = Vector::new(0.2, 0.15, 0.1);
    let box_and_plate = pair(&shapes::cuboid(size), &plate(), SMOOTH);
    let plate_and_box = pair(&plate(), &shapes::cuboid(size), SMOOTH);
    let two_balls = pair(&ball(0.1), &ball(0.06), SMOOTH);
    let tumbling = move || {
        let mass = 2700.0 * size.x * size.y * size.z;
        let square = size.component_mul(&size);
        let moments = mass / 12.0 * (Vector::repeat(square.sum()) - square);
        let raw = RawBody {
            mass,
            moments_of_inertia: moments,
            gravity: Vector::new(0.0, 0.0, -GRAVITY),
            ..RawBody::default()
        };
        let motion = MarkerMotion {
            position: Vector::new(0.0, 0.0, 0.2),
            rotation: Rotation::from_euler_angles(0.5, 0.3, 0.2),
            velocity: Vector::new(0.3, 0.0, -0.5),
            angular_velocity: Vector::new(1.0, 2.0, 0.5),
        };
        let body = Body::free(raw, motion);
        let kinetic = 0.5 * mass * (0.5 * 0.5 + 2.0 * GRAVITY * 0.1);
        (body, kinetic)
    };
    // A rod of 0.3 m with a ball of 0.1 m at its end; the plate stands beside it.
    let mut at_end = ball(0.1);
    at_end.vertices.iter_mut().for_each(|vertex| vertex.z -= 0.3);
    let upright = Pose::from_parts(
        Vector::new(0.1, 0.0, -0.3).into(),
        Rotation::from_euler_angles(0.0, -0.5 * std::f64::consts::PI, 0.0),
    );
    let stop = shapes::moved(&plate(), &upright);
    let pendulum_and_stop = pair(&at_end, &stop, SMOOTH);
    let wall = |sign: f64| {
        let turn = Rotation::from_euler_angles(0.0, sign * 0.5 * std::f64::consts::PI, 0.0);
        shapes::moved(&plate(), &Pose::from_parts(Vector::new(-0.11 * sign, 0.0, 0.0).into(), turn))
    };
    let (ball_and_left, ball_and_right) = (pair(&ball(0.1), &wall(1.0), SMOOTH), pair(&ball(0.1), &wall(-1.0), SMOOTH));
    let rough = pair(&ball(0.1), &plate(), "friction-model = \"regularized\"");
    let rough_box = pair(&shapes::cuboid(size), &plate(), "friction-model = \"regularized\"");
    let gripping = pair(&ball(0.1), &plate(), "friction-model = \"bristle\"");
    let gripping_box = pair(&shapes::cuboid(size), &plate(), "friction-model = \"bristle\"");
    let fall = |height: f64| ball_of_water(0.1, GRAVITY, Vector::new(0.0, 0.0, 0.1 + height), Vector::zeros());
    let of_fall = 4.19 * GRAVITY * 0.01;
    vec![
        (
            "drop",
            Box::new(move || {
                let contact = (ball_and_plate.initialized(), 0, 1);
                (System::new(vec![fall(0.01), Body::Fixed], vec![contact]), of_fall)
            }),
        ),
        (
            "tumbling box",
            Box::new(move || {
                let (body, energy) = tumbling();
                (System::new(vec![body, Body::Fixed], vec![(box_and_plate.initialized(), 0, 1)]), energy)
            }),
        ),
        (
            "tumbling box F",
            Box::new(move || {
                let (body, energy) = tumbling();
                (System::new(vec![Body::Fixed, body], vec![(plate_and_box.initialized(), 0, 1)]), energy)
            }),
        ),
        (
            "two balls",
            Box::new(move || {
                let a = ball_of_water(0.1, 0.0, Vector::zeros(), Vector::new(0.2, 0.0, 0.0));
                let b = ball_of_water(0.06, 0.0, Vector::new(0.17, 0.03, 0.0), Vector::new(-0.3, 0.0, 0.0));
                (System::new(vec![a, b], vec![(two_balls.initialized(), 0, 1)]), 0.1)
            }),
        ),
        (
            "pendulum",
            Box::new(move || {
                let body = Body::Hinged { inertia: 4.19 * 0.1, mass_times_arm: 4.19 * 0.3, angle: 0.4, rate: 0.0 };
                let energy = 4.19 * 0.3 * GRAVITY * (1.0 - 0.4f64.cos());
                (System::new(vec![body, Body::Fixed], vec![(pendulum_and_stop.initialized(), 0, 1)]), energy)
            }),
        ),
        (
            "two walls",
            Box::new(move || {
                let body = ball_of_water(0.1, 0.0, Vector::zeros(), Vector::new(0.4, 0.05, 0.0));
                let contacts = vec![(ball_and_left.initialized(), 0, 1), (ball_and_right.initialized(), 0, 1)];
                (System::new(vec![body, Body::Fixed], contacts), 0.5 * 4.19 * 0.16)
            }),
        ),
        (
            "rough ball",
            Box::new(move || {
                let (place, velocity) = (Vector::new(-0.3, 0.0, 0.11), Vector::new(0.5, 0.0, 0.0));
                let body = ball_of_water(0.1, GRAVITY, place, velocity);
                (System::new(vec![body, Body::Fixed], vec![(rough.initialized(), 0, 1)]), of_fall)
            }),
        ),
        (
            "rough box",
            Box::new(move || {
                let (body, energy) = tumbling();
                (System::new(vec![body, Body::Fixed], vec![(rough_box.initialized(), 0, 1)]), energy)
            }),
        ),
        (
            "rough ball with bristles",
            Box::new(move || {
                let (place, velocity) = (Vector::new(-0.3, 0.0, 0.11), Vector::new(0.5, 0.0, 0.0));
                let body = ball_of_water(0.1, GRAVITY, place, velocity);
                (System::new(vec![body, Body::Fixed], vec![(gripping.initialized(), 0, 1)]), of_fall)
            }),
        ),
        (
            "rough box with bristles",
            Box::new(move || {
                let (body, energy) = tumbling();
                (System::new(vec![body, Body::Fixed], vec![(gripping_box.initialized(), 0, 1)]), energy)
            }),
        ),
    ]
}

/// Errors of the energy, as a part of that of the impact, after some touches with steps of a part of the contact time.
fn energy_error(make: &dyn Fn() -> (System, f64), master: Master, step: f64, touches: u32) -> [f64; 2] {
    let (mut system, scale) = make();
    let before = system.energy();
    system.until_apart(master, step, touches, 2.0);
    let ledger: f64 = system.contacts.iter().map(|contact| contact.0.real("exchangeError")).sum();
    [(system.energy() - before) / scale, ledger / scale]
}

const PARTS: [f64; 4] = [0.02, 0.1, 0.2, 0.5];

/// In the order of [`PARTS`]: what a first touch may be off. Masses are nowhere stated, and bodies turn, hang on joints
/// and touch at corners.
const ALLOWED: [f64; 4] = [0.0005, 0.001, 0.01, 0.05];

/// What friction and damping may take too much or too little of, likewise, with corners that slip and stick.
const ALLOWED_ROUGH: [f64; 3] = [0.002, 0.015, 0.1];

#[test]
fn smooth_impacts_keep_their_energy_in_every_master() {
    println!("error of the energy in % (and what the FMU says of it), steps of {PARTS:?} of the contact time");
    for (name, make) in scenes() {
        let is_smooth = !name.starts_with("rough");
        let contact_time = make().0.until_apart(Master::Sequential, 1e-4, 1, 1.0);
        // With friction and damping: what they take at a hundredth of the contact time.
        let [taken, _] = energy_error(&*make, Master::ReadsBefore, 0.01 * contact_time, 1);
        println!("{name}: contact time {:.1} ms, takes {:+.3} %", 1e3 * contact_time, 100.0 * taken);
        for master in MASTERS {
            let errors = PARTS.map(|part| energy_error(&*make, master, part * contact_time, 1));
            let text = errors.map(|[error, told]| format!("{:+8.3} ({:+7.3})", 100.0 * error, 100.0 * told));
            println!("  {:12} {}", format!("{master:?}"), text.join(" "));
            for (([error, told], allowed), part) in errors.into_iter().zip(ALLOWED).zip(PARTS) {
                if is_smooth {
                    assert!(error.abs() < allowed, "{name} {master:?} {part}: {error}");
                    assert!((error - told).abs() < 0.25 * error.abs() + 0.03, "{name} {master:?} {part}: {told}");
                }
            }
            if !is_smooth {
                for ((error, allowed), part) in errors.iter().zip(ALLOWED_ROUGH).zip(PARTS) {
                    assert!((error[0] - taken).abs() < allowed, "{name} {master:?} {part}: {error:?} {taken}");
                }
                assert!(errors.iter().all(|error| error[0] < 0.0), "{name} {master:?}: {errors:?}");
            }
        }
    }
}

/// A box that has fallen by a tenth of a millimetre lies still, its contact resolved by the step or not; on a slope it
/// creeps as friction without memory does, and with bristles stays, at nine tenths of the limit: 0.3 g is 2.94 m/s². It lies
/// a hundred times shallower than the depth over which damping fades in.
#[test]
fn what_lies_still_stays() {
    let size = Vector::new(0.2, 0.15, 0.1);
    let mass = 2700.0 * size.x * size.y * size.z;
    let square = size.component_mul(&size);
    for (friction, slope) in [("regularized", 0.0), ("bristle", 0.0), ("regularized", 2.0), ("bristle", 2.6)] {
        let text = format!("areal-damping = 1e6\nfriction-model = \"{friction}\"\n");
        let fmu = pair(&shapes::cuboid(size), &plate(), &text);
        for master in MASTERS {
            for step in [2e-4, 5e-4, 1e-3] {
                let raw = RawBody {
                    mass,
                    moments_of_inertia: mass / 12.0 * (Vector::repeat(square.sum()) - square),
                    gravity: Vector::new(slope, 0.0, -GRAVITY),
                    ..RawBody::default()
                };
                let motion = MarkerMotion {
                    position: Vector::new(0.0, 0.0, 0.0501),
                    rotation: Rotation::identity(),
                    velocity: Vector::zeros(),
                    angular_velocity: Vector::zeros(),
                };
                let contacts = vec![(fmu.initialized(), 0, 1)];
                let mut system = System::new(vec![Body::free(raw, motion), Body::Fixed], contacts);
                while system.time < 0.5 {
                    system.step(master, step);
                }
                let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
                while system.time < 0.6 {
                    system.step(master, step);
                    let height = system.bodies[0].motion().position.z;
                    (low, high) = (low.min(height), high.max(height));
                }
                let depth = system.contacts[0].0.real("maxPenetration");
                let creep = system.bodies[0].motion().velocity.x;
                let trembling = (high - low) / depth;
                println!(
                    "{friction} {slope} {master:?} {step}: trembles by {trembling:.1e} of {depth:.2e} m, creeps {creep:.1e} m/s"
                );
                assert!(0.0 < depth && depth < 1e-6, "{depth}");
                assert!(trembling < 1e-6, "{friction} {slope} {master:?} {step}: {trembling}");
                let most = if friction == "bristle" || slope == 0.0 { 1e-8 } else { 1e-3 };
                assert!(creep.abs() < most, "{friction} {slope} {master:?} {step}: {creep}");
            }
        }
    }
}

/// A hundred bounces without damping, a tenth of the contact time. The facets of the ball make the motion chaotic: a little
/// rounding gives another one. So there are nine runs, with steps that hardly differ. Hardly any bounce is off by more than
/// 0.01 %; where the ball comes to roll on its facets for a while, what the exchange takes may be some per cent.
#[test]
fn a_hundred_bounces_keep_the_energy() {
    let (_, make) = scenes().swap_remove(0);
    for master in MASTERS {
        let mut errors: Vec<f64> = (0..9)
            .map(|run| {
                let (mut system, scale) = make();
                let before = system.energy();
                system.until_apart(master, 9e-4 * (1.0 + 4e-5 * f64::from(run)), 100, 100.0);
                (system.energy() - before) / scale
            })
            .collect();
        errors.sort_by(f64::total_cmp);
        println!("{master:?}: {:+.3} … {:+.3} %", 100.0 * errors[0], 100.0 * errors[8]);
        assert!(errors[4].abs() < 1e-3 && -0.05 < errors[0] && errors[8] < 0.02, "{master:?}: {errors:?}");
    }
}

/// Steps that are taken back and made again change nothing, in the middle of an impact too; nor do restored bytes.
#[test]
fn steps_that_are_repeated_give_the_same_bits() {
    let (_, make) = scenes().swap_remove(1);
    for master in MASTERS {
        let trace = |repeats: bool| {
            let (mut system, _) = make();
            let mut bits = Vec::new();
            for step in 0..140 {
                // Steps of changing size.
                let size = if step % 3 == 0 { 0.7e-3 } else { 1e-3 };
                let handle = system.contacts[0].0.handle;
                let bodies = system.bodies.clone();
                let wrenches = system.wrenches.clone();
                let (time, mut state) = (system.time, 0);
                assert_eq!(api::get_fmu_state(handle, &mut state), fmi2OK);
                system.step(master, size);
                if repeats {
                    let (_, length) = api::serialized_fmu_state_size(handle, state);
                    let mut bytes = vec![0; length];
                    assert_eq!(api::serialize_fmu_state(handle, state, &mut bytes), fmi2OK);
                    assert_eq!(api::free_fmu_state(handle, &mut state), fmi2OK);
                    state = api::deserialize_fmu_state(handle, &bytes).1;
                    assert_eq!(api::set_fmu_state(handle, state), fmi2OK);
                    (system.bodies, system.wrenches, system.time) = (bodies, wrenches, time);
                    system.step(master, size);
                }
                assert_eq!(api::free_fmu_state(handle, &mut state), fmi2OK);
                bits.push(system.contacts[0].0.all_bits());
            }
            assert!(0.0 < system.largest_force, "there was an impact");
            bits
        };
        assert_eq!(trace(false), trace(true), "{master:?}");
    }
}

/// What a user states of the bodies is right from the first touch on, and a wrong statement is noticed.
#[test]
fn stated_masses_count_from_the_first_touch_on() {
    let (_, make) = scenes().swap_remove(0);
    let mass = 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-3;
    for (master, factor, allowed) in
        [(Master::ReadsBefore, 1.0, 0.005), (Master::Parallel, 1.0, 0.02), (Master::ReadsBefore, 0.8, 0.1)]
    {
        let stated = || {
            let (system, scale) = make();
            let contact = &system.contacts[0].0;
            assert_eq!(contact.set_real("bodyE.mass", factor * mass), fmi2OK);
            assert_eq!(contact.set_vector("bodyE.momentsOfInertia", Vector::repeat(0.4e-2 * factor * mass)), fmi2OK);
            assert_eq!(contact.set_real("bodyF.mass", 1e9), fmi2OK);
            assert_eq!(contact.set_vector("bodyF.momentsOfInertia", Vector::repeat(1e9)), fmi2OK);
            (system, scale)
        };
        let [error, _] = energy_error(&stated, master, 4.6e-3, 1);
        println!("{master:?}, mass times {factor}: {:+.3} % at half the contact time", 100.0 * error);
        assert!(error.abs() < allowed, "{master:?} {factor}: {error}");
    }
}

/// Before the first step and in initialization mode the outputs are the plain evaluation.
#[test]
fn before_the_first_step_the_outputs_belong_to_the_inputs() {
    let fmu = pair(&ball(0.1), &plate(), "");
    let (by_energy, by_hold) = (fmu.initialized(), fmu.initialized());
    assert_eq!(by_hold.set_integer("stepOutput", 1), fmi2OK);
    for instance in [&by_energy, &by_hold] {
        assert_eq!(instance.set_vector("relativePosition", Vector::new(0.0, 0.0, -0.099)), fmi2OK);
        assert_eq!(instance.set_vector("relativeVelocity", Vector::new(0.1, 0.0, 0.2)), fmi2OK);
    }
    let forces = [&by_energy, &by_hold].map(|instance| instance.vector("forceOnE"));
    assert!(forces[0].z > 0.0 && forces[0] == forces[1], "{forces:?}");
}

/// Steps with another `stepOutput` are not seen by the exchange: afterwards it begins anew.
#[test]
fn an_exchange_begins_anew_after_other_steps() {
    let fmu = pair(&ball(0.1), &plate(), "");
    let run = |has_exchanged_before: bool| {
        let instance = fmu.initialized();
        let step = |number: u32| {
            let height = 0.0995 - 1e-4 * f64::from(number);
            assert_eq!(instance.set_vector("relativePosition", Vector::new(0.0, 0.0, -height)), fmi2OK);
            assert_eq!(instance.step(1e-3 * f64::from(number), 1e-3), fmi2OK);
        };
        assert_eq!(instance.set_integer("stepOutput", if has_exchanged_before { 4 } else { 1 }), fmi2OK);
        (0..3).for_each(step);
        assert_eq!(instance.set_integer("stepOutput", 1), fmi2OK);
        (3..5).for_each(step);
        assert_eq!(instance.set_integer("stepOutput", 4), fmi2OK);
        (5..8).for_each(step);
        instance.all_bits()
    };
    assert_eq!(run(true), run(false));
}

/// Poses that are set, also one after the other without velocities: each has the force that belongs to it.
#[test]
fn poses_that_are_set_have_their_force() {
    let fmu = pair(&ball(0.1), &plate(), "friction-coefficient = 0\n");
    let (by_energy, by_hold) = (fmu.initialized(), fmu.initialized());
    assert_eq!(by_hold.set_integer("stepOutput", 1), fmi2OK);
    for number in 0..20 {
        let depth = [1.5e-3, 1.5e-3, 1.5e-3, 3e-3, 2e-3, 2e-3, -1e-3, 2.5e-3][number as usize % 8];
        let forces = [&by_energy, &by_hold].map(|instance| {
            assert_eq!(instance.set_vector("relativePosition", Vector::new(0.0, 0.0, depth - 0.1)), fmi2OK);
            assert_eq!(instance.step(1e-3 * f64::from(number), 1e-3), fmi2OK);
            instance.vector("forceOnE")
        });
        assert!((forces[0] - forces[1]).norm() <= 1e-9 * forces[1].norm(), "{number}: {forces:?}");
        assert_eq!(0.0 < forces[1].z, 0.0 < depth, "{number}: {depth} {forces:?}");
    }
}

/// It has no stiffness to find a wrench with.
#[test]
fn the_published_scheme_takes_means_and_says_so() {
    let fmu = pair(&plate(), &ball(0.1), "elements = \"centroid\"\nfriction-model = \"regularized\"");
    let run = |step_output: Option<i32>| {
        let instance = fmu.initialized();
        if let Some(step_output) = step_output {
            assert_eq!(instance.set_integer("stepOutput", step_output), fmi2OK);
        }
        let mut forces = Vec::new();
        for number in 0..4 {
            let height = 0.097 - 1e-4 * f64::from(number);
            assert_eq!(instance.set_vector("relativePosition", Vector::new(0.0, 0.0, height)), fmi2OK);
            assert_eq!(instance.set_vector("relativeVelocity", Vector::new(0.0, 0.0, -0.1)), fmi2OK);
            assert_eq!(instance.step(1e-3 * f64::from(number), 1e-3), fmi2OK);
            forces.push(instance.vector("forceOnF"));
        }
        let told = instance.messages().iter().filter(|message| message.text.contains("acts as 3 (mean)")).count();
        (forces, told)
    };
    let ((forces, told), (means, silent)) = (run(None), run(Some(3)));
    assert!(forces[0].z > 0.0 && forces == means, "{forces:?} {means:?}");
    assert_eq!((told, silent), (1, 0));
}

/// Without forces there is nothing to exchange: counts and polygons belong to the inputs.
#[test]
fn a_pair_that_only_looks_answers_for_its_inputs() {
    let fmu = pair(&plate(), &ball(0.1), "method = \"collision-only\"");
    let instance = fmu.initialized();
    assert_eq!(instance.set_vector("relativePosition", Vector::new(0.0, 0.0, 0.097)), fmi2OK);
    assert_eq!(instance.set_vector("relativeVelocity", Vector::new(0.0, 0.0, 10.0)), fmi2OK);
    assert_eq!(instance.step(0.0, 1e-2), fmi2OK);
    assert_eq!(instance.boolean("inContact"), 1);
}
