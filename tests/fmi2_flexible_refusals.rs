//! What an FMU with flexible bodies refuses, and what it says then.

use crate::fmi2_support::ball_on_rod::{Flight, MIDDLE, STEP, bodies, fmu, fmu_with, pair};
use crate::fmi2_support::{Instance, Log, api, callbacks, fmi2Discard, fmi2Error, fmi2OK};
use polycontact::math::Vector;
use sha2::{Digest, Sha256};

/// Initialization that must fail; returns its message.
fn failed_initialization(instance: &Instance) -> String {
    assert_eq!(api::setup_experiment(instance.handle, 0.0, None), fmi2OK);
    assert_eq!(api::enter_initialization_mode(instance.handle), fmi2OK);
    assert_eq!(api::exit_initialization_mode(instance.handle), fmi2Error);
    instance.only_message()
}

fn assert_says(message: &str, words: &[&str]) {
    for word in words {
        assert!(message.contains(word), "no `{word}` in: {message}");
    }
}

/// It integrates its modes itself, so that a solver has nothing to integrate.
#[test]
fn model_exchange_is_refused_with_one_message() {
    let (fmu, log) = (fmu(), Log::default());
    let (guid, location, functions) = (&fmu.guid, fmu.location(), callbacks(&log));
    let handle = api::instantiate(Some(c"flexible"), 0, Some(guid), Some(&location), Some(&functions), false);
    assert_eq!(handle, 0);
    let messages = log.messages.lock().unwrap().clone();
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert_says(&messages[0].text, &["flexible bodies", "co-simulation only"]);
}

#[test]
fn parameters_out_of_range_are_refused_with_their_name() {
    let fmu = fmu();
    let instance = fmu.initialized();
    for (name, values) in [
        ("flexible.penaltyStiffness", [0.0, f64::NAN]),
        ("flexible.passWeight", [-0.1, 1.1]),
        ("flexible.tolerance", [0.0, f64::INFINITY]),
        ("flexible.internalStep", [0.0, -1e-7]),
        ("flexible.maximalPenetration", [-1e-9, f64::NAN]),
        ("extrapolationSteps", [-0.5, f64::NAN]),
    ] {
        for value in values {
            let before = instance.real(name);
            assert_eq!(instance.set_real(name, value), fmi2Error, "{name} = {value}");
            assert_says(&instance.only_message(), &[name, &value.to_string()]);
            assert_eq!(instance.real(name), before);
        }
    }
    // Fixed after the initialization.
    for name in ["flexible.dampedPeriod", "flexible.transitionDamping"] {
        assert_eq!(instance.set_real(name, 1.2345e-6), fmi2Error);
        assert_says(&instance.only_message(), &[name, "fixed"]);
    }
    for name in ["flexible.submodel", "flexible.solver"] {
        let other = if instance.integer(name) == 1 { 2 } else { 1 };
        assert_eq!(instance.set_integer(name, other), fmi2Error);
        assert_says(&instance.only_message(), &[name, "fixed"]);
    }
    // Ranges that only an evaluation knows.
    for (name, value) in [("flexible.tolerance", 0.5), ("flexible.tolerance", 1e-15)] {
        let instance = fmu.instantiate();
        assert_eq!(instance.set_real(name, value), fmi2OK);
        assert_says(&failed_initialization(&instance), &[name, "between 1e-13 and 0.1"]);
    }
    for limit in [0, -5] {
        let instance = fmu.instantiate();
        assert_eq!(instance.set_integer("flexible.iterationLimit", limit), fmi2OK);
        assert_says(&failed_initialization(&instance), &["flexible.iterationLimit", "1 or above"]);
    }
}

#[test]
fn missing_and_damaged_archives_are_named() {
    for (damage, words) in [
        (None, &["surfaceF.file", "ball.npz", "No such file"][..]),
        (Some(0), &["surfaceF.file", "ball.npz", "is not a NumPy archive"][..]),
        (Some(1000), &["surfaceF.file", "ball.npz", "is not a NumPy archive"][..]),
    ] {
        let fmu = fmu();
        let path = fmu.folder.join("ball.npz");
        let instance = fmu.instantiate();
        match damage {
            None => std::fs::remove_file(&path).unwrap(),
            Some(length) => {
                let bytes = std::fs::read(&path).unwrap();
                std::fs::write(&path, &bytes[..length]).unwrap();
            }
        }
        assert_says(&failed_initialization(&instance), words);
    }
    // A byte of an array that is not what was packed.
    let fmu = fmu();
    let path = fmu.folder.join("rod.npz");
    let instance = fmu.instantiate();
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] = !bytes[middle];
    std::fs::write(&path, &bytes).unwrap();
    assert_says(&failed_initialization(&instance), &["surfaceE.file", "rod.npz", "the array `modes`"]);
    // A file of another kind by the parameter.
    let fmu = fmu_with("");
    let instance = fmu.instantiate();
    assert_eq!(instance.set_string("surfaceE.file", c"contact.toml"), fmi2OK);
    assert_says(&failed_initialization(&instance), &["surfaceE.file", "contact.toml", "is not a NumPy archive"]);
}

/// A pose that is not credible is no contact force: neither when asked, nor in a step.
#[test]
fn a_start_that_is_too_deep_is_refused() {
    let fmu = fmu();
    let instance = fmu.initialized();
    let position = Flight::start().position;
    let limit = 1e-4;
    assert_eq!(instance.set_real("flexible.maximalPenetration", limit), fmi2OK);
    let too_deep = position - 1.5 * limit * Vector::z();
    let words = ["contact node", "deep in the other body", "maximal-penetration"];
    assert_eq!(instance.set_vector("relativePosition", too_deep), fmi2OK);
    // The elastic bodies yield; without them every node lies as deep as the pose says.
    assert_eq!(instance.set_real("flexible.penaltyStiffness", 1e3), fmi2OK);
    assert_eq!(api::get_real(instance.handle, &[instance.reference("forceOnE[3]")], 1).0, fmi2Error);
    assert_says(&instance.only_message(), &words);
    // The host can still go elsewhere.
    assert_eq!(instance.set_vector("relativePosition", position), fmi2OK);
    assert_eq!(instance.real("forceOnE[3]"), 0.0);
    assert_eq!(instance.set_vector("relativePosition", too_deep), fmi2OK);
    assert_eq!(instance.step(0.0, STEP), fmi2Discard);
    assert_says(&instance.only_message(), &words);
    // A discarded step changes nothing: the run goes on.
    assert_eq!(instance.set_vector("relativePosition", position), fmi2OK);
    assert_eq!(instance.step(0.0, STEP), fmi2OK);
}

/// Deeper than contacts are looked for there is no force, but a flag and one warning.
#[test]
fn bodies_that_have_tunnelled_are_reported() {
    let fmu = fmu();
    let position = Flight::start().position;
    for (depth, has_tunnelled) in [(-1e-3, false), (0.6e-3, true), (5e-3, true), (0.02, true)] {
        let instance = fmu.initialized();
        assert_eq!(instance.set_vector("relativePosition", position - depth * Vector::z()), fmi2OK);
        assert_eq!(instance.step(0.0, STEP), fmi2OK);
        assert_eq!(instance.real("forceOnE[3]"), 0.0);
        assert_eq!(instance.boolean("enclosed"), i32::from(has_tunnelled), "{depth}");
        if has_tunnelled {
            assert_says(&instance.only_message(), &["behind the contact faces", "tunnelled", "`enclosed`"]);
        }
    }
}

/// A step that does not converge is discarded: nothing has changed, and the run goes on.
#[test]
fn an_equilibrium_that_is_not_found_discards_the_step() {
    let fmu = fmu();
    let instance = fmu.initialized();
    let mut flight = Flight::start();
    (0..MIDDLE).for_each(|i| flight.step_with(&instance, i, STEP));
    let mut state = 0;
    assert_eq!(api::get_fmu_state(instance.handle, &mut state), fmi2OK);
    assert_eq!(instance.set_integer("flexible.iterationLimit", 1), fmi2OK);
    // Far from the warm start: one iteration is not enough.
    flight.position.z -= 1e-6;
    flight.set_inputs(&instance);
    assert_eq!(instance.step(f64::from(MIDDLE) * STEP, STEP), fmi2Discard);
    assert_says(&instance.only_message(), &["no equilibrium", "after 1 iterations", "iteration-limit", "contacts"]);
    assert_eq!(instance.set_integer("flexible.iterationLimit", 50), fmi2OK);
    assert_eq!(instance.step(f64::from(MIDDLE) * STEP, STEP), fmi2OK);
    let force = instance.real("forceOnE[3]");
    // As if the discarded step had never been.
    assert_eq!(api::set_fmu_state(instance.handle, state), fmi2OK);
    flight.set_inputs(&instance);
    assert_eq!(instance.step(f64::from(MIDDLE) * STEP, STEP), fmi2OK);
    assert_eq!(instance.real("forceOnE[3]"), force);
}

#[test]
fn steps_with_too_many_internal_steps_are_refused() {
    let fmu = fmu();
    let instance = fmu.initialized();
    Flight::start().set_inputs(&instance);
    assert_eq!(instance.set_vector("relativeVelocity", Vector::zeros()), fmi2OK);
    assert_eq!(instance.set_real("flexible.internalStep", 1e-300), fmi2OK);
    assert_eq!(instance.step(0.0, STEP), fmi2Error);
    assert_says(&instance.only_message(), &["1e-6 s", "1e-300 s", "10000000 internal steps"]);
}

#[test]
fn output_derivatives_are_refused() {
    let fmu = fmu();
    let instance = fmu.initialized();
    let reference = instance.reference("forceOnE[3]");
    assert_eq!(api::get_real_output_derivatives(instance.handle, &[reference], &[1]).0, fmi2Error);
    assert_says(&instance.only_message(), &["output derivatives are not available", "flexible"]);
    assert_eq!(instance.real("forceOnE[3]"), 0.0);
}

fn saved_bytes(instance: &Instance) -> Vec<u8> {
    let mut state = 0;
    assert_eq!(api::get_fmu_state(instance.handle, &mut state), fmi2OK);
    let mut bytes = vec![0; api::serialized_fmu_state_size(instance.handle, state).1];
    assert_eq!(api::serialize_fmu_state(instance.handle, state, &mut bytes), fmi2OK);
    bytes
}

/// Restores bytes that are well formed; returns why they were refused.
fn refused_state(instance: &Instance, bytes: &[u8]) -> String {
    let (status, state) = api::deserialize_fmu_state(instance.handle, bytes);
    assert_eq!(status, fmi2OK, "{:?}", instance.messages());
    assert_eq!(api::set_fmu_state(instance.handle, state), fmi2Error);
    instance.only_message()
}

/// A state in the middle of an impact with an archive that is not that of the package.
#[test]
fn a_state_with_other_archives_is_refused() {
    let fmu = fmu();
    let extra = fmu.folder.join("extra.npz");
    let with_extra = || {
        let instance = fmu.instantiate();
        assert_eq!(instance.set_string("surfaceF.file", c"extra.npz"), fmi2OK);
        instance
    };
    std::fs::copy(fmu.folder.join("ball.npz"), &extra).unwrap();
    let instance = with_extra();
    instance.initialize();
    let mut flight = Flight::start();
    (0..MIDDLE).for_each(|i| flight.step_with(&instance, i, STEP));
    let bytes = saved_bytes(&instance);
    std::fs::copy(fmu.folder.join("rod.npz"), &extra).unwrap();
    assert_says(&refused_state(&with_extra(), &bytes), &["the files of the bodies are not those"]);
    std::fs::remove_file(&extra).unwrap();
    assert_says(&refused_state(&with_extra(), &bytes), &["surfaceF.file", "extra.npz", "No such file"]);
}

/// Bytes with a good checksum but a memory of another length, or with a number that is none.
#[test]
fn a_state_with_a_wrong_memory_is_refused() {
    let fmu = fmu();
    let instance = fmu.initialized();
    let mut flight = Flight::start();
    (0..MIDDLE).for_each(|i| flight.step_with(&instance, i, STEP));
    let before = instance.all_bits();
    let bytes = saved_bytes(&instance);
    let length = pair().initial_state().as_numbers().len();
    let [rod, ball] = bodies();
    assert!(length > 2 * (rod.mode_count() + ball.mode_count()));
    // The list of the memory begins with its length, which no other list has.
    let mark = (length as u64).to_le_bytes();
    let places: Vec<usize> = (0..bytes.len() - 8).filter(|&i| bytes[i..i + 8] == mark).collect();
    let [place] = places[..] else { panic!("the length of the memory is at {places:?}") };
    let with_checksum = |mut content: Vec<u8>| {
        let checksum = Sha256::digest(&content);
        content.extend(checksum);
        content
    };
    let content = &bytes[..bytes.len() - 32];
    assert_eq!(with_checksum(content.to_vec()), bytes);
    let mut shorter = content.to_vec();
    shorter[place..place + 8].copy_from_slice(&(length as u64 - 1).to_le_bytes());
    shorter.drain(place + 8..place + 16);
    let words = [length.to_string(), (length - 1).to_string()];
    assert_says(&refused_state(&instance, &with_checksum(shorter)), &[&words[0], &words[1]]);
    let mut not_a_number = content.to_vec();
    not_a_number[place + 8..place + 16].copy_from_slice(&f64::NAN.to_bits().to_le_bytes());
    assert_says(&refused_state(&instance, &with_checksum(not_a_number)), &["number 0 of the state is not finite"]);
    // The instance is where it was.
    assert_eq!(instance.all_bits(), before);
    flight.step_with(&instance, MIDDLE, STEP);
}

/// Nodes at the border of the contact faces get no force: the host is told once.
#[test]
fn a_contact_zone_that_is_too_small_is_a_warning() {
    let fmu = fmu();
    let instance = fmu.initialized();
    // The edge of the rod's contact faces, 5 µm deep, without a motion.
    let [rod, _] = bodies();
    let radius = rod.model().contact_nodes.iter().map(|node| node.xy().norm()).fold(0.0, f64::max);
    let position = Flight::start().position + Vector::new(radius, 0.0, -5e-6);
    assert_eq!(instance.set_vector("relativePosition", position), fmi2OK);
    assert_eq!(instance.step(0.0, STEP), fmi2OK);
    assert_ne!(instance.boolean("borderInContact"), 0);
    assert_says(&instance.only_message(), &["borderInContact", "larger contact zone"]);
    assert_eq!(instance.step(STEP, STEP), fmi2OK);
    assert_eq!(instance.messages(), []);
}
