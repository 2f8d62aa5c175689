//! Saved states: restored bit by bit, in the same instance, in another one, and in another process.

use crate::fmi2_support::{Fmu, Instance, SPHERE_ON_PLATE, api, fmi2Error, fmi2OK};
use polycontact::math::Vector;
use polycontact::shapes;

const STEP: f64 = 1e-3;

/// One step of a run in which every input moves, through contact and out of it again.
fn advance(instance: &Instance, i: u32) -> Vec<u64> {
    let t = f64::from(i) * STEP;
    let depth = 2e-3 * (40.0 * t).sin();
    assert_eq!(instance.set_vector("relativePosition", Vector::new(t, -0.5 * t, -0.1 + depth)), fmi2OK);
    assert_eq!(instance.set_vector("relativeVelocity", Vector::new(1.0, -0.5, 0.08 * (40.0 * t).cos())), fmi2OK);
    assert_eq!(instance.set_vector("relativeAngularVelocity", Vector::new(0.3 * t, 1.0, -2.0)), fmi2OK);
    assert_eq!(instance.step(t, STEP), fmi2OK, "{:?}", instance.messages());
    let mut bits = instance.all_bits();
    let reference = instance.reference("forceOnE[3]");
    let (status, derivative) = api::get_real_output_derivatives(instance.handle, &[reference], &[1]);
    assert_eq!(status, fmi2OK);
    bits.push(derivative[0].to_bits());
    bits
}

/// Runs to the middle with parameters and derivatives that are not the start values.
fn run_to_the_middle(instance: &Instance, step_output: i32) {
    assert_eq!(instance.set_integer("stepOutput", step_output), fmi2OK);
    assert_eq!(instance.set_real("extrapolationSteps", 1.5), fmi2OK);
    assert_eq!(instance.set_real("frictionCoefficient", 0.2), fmi2OK);
    let references = instance.vector_references("relativeVelocity");
    assert_eq!(api::set_real_input_derivatives(instance.handle, &references, &[1; 3], &[1.0, 2.0, 3.0]), fmi2OK);
    for i in 0..20 {
        advance(instance, i);
    }
}

fn save(instance: &Instance) -> usize {
    let mut state = 0;
    assert_eq!(api::get_fmu_state(instance.handle, &mut state), fmi2OK);
    state
}

fn to_bytes(instance: &Instance, state: usize) -> Vec<u8> {
    let (status, size) = api::serialized_fmu_state_size(instance.handle, state);
    assert_eq!(status, fmi2OK);
    let mut bytes = vec![0; size];
    assert_eq!(api::serialize_fmu_state(instance.handle, state, &mut bytes), fmi2OK);
    bytes
}

fn go_on(instance: &Instance) -> Vec<Vec<u64>> {
    (20..60).map(|i| advance(instance, i)).collect()
}

#[test]
fn a_restored_run_repeats_itself_bit_by_bit_for_every_step_output() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    for step_output in [1, 2, 3] {
        let instance = fmu.initialized();
        run_to_the_middle(&instance, step_output);
        let mut state = save(&instance);
        let at_save = instance.all_bits();
        let first = go_on(&instance);
        assert!(first.iter().any(|bits| *bits != first[0]));
        assert_eq!(api::set_fmu_state(instance.handle, state), fmi2OK);
        assert_eq!(instance.all_bits(), at_save);
        assert_eq!(go_on(&instance), first);

        // Into another instance that has not even been initialized.
        let bytes = to_bytes(&instance, state);
        let other = fmu.instantiate();
        let (status, copy) = api::deserialize_fmu_state(other.handle, &bytes);
        assert_eq!(status, fmi2OK);
        assert_eq!(api::set_fmu_state(other.handle, copy), fmi2OK);
        assert_eq!(other.all_bits(), at_save);
        assert_eq!(go_on(&other), first);

        // The same handle saves again.
        assert_eq!(api::get_fmu_state(instance.handle, &mut state), fmi2OK);
        let later = instance.all_bits();
        assert_eq!(api::reset(instance.handle), fmi2OK);
        assert_eq!(api::set_fmu_state(instance.handle, state), fmi2OK);
        assert_eq!(instance.all_bits(), later);
        assert_eq!(api::free_fmu_state(instance.handle, &mut state), fmi2OK);
        assert_eq!(state, 0);
    }
}

/// Inputs that were set but not yet evaluated are part of the state too.
#[test]
fn a_state_between_set_and_get_is_restored() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let instance = fmu.initialized();
    advance(&instance, 3);
    assert_eq!(instance.set_vector("relativePosition", Vector::new(0.0, 0.0, -0.0985)), fmi2OK);
    let state = save(&instance);
    let expected = instance.all_bits();
    advance(&instance, 30);
    assert_eq!(api::set_fmu_state(instance.handle, state), fmi2OK);
    assert_eq!(instance.all_bits(), expected);
}

#[test]
fn a_state_of_initialization_brings_initialization_back() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let instance = fmu.instantiate();
    assert_eq!(api::enter_initialization_mode(instance.handle), fmi2OK);
    assert_eq!(instance.set_real("surfaceE.scale", 1.01), fmi2OK);
    let state = save(&instance);
    assert_eq!(api::exit_initialization_mode(instance.handle), fmi2OK);
    advance(&instance, 3);
    assert_eq!(api::set_fmu_state(instance.handle, state), fmi2OK);
    assert_eq!(instance.step(0.0, STEP), fmi2Error);
    assert_eq!(instance.set_real("surfaceE.scale", 1.0), fmi2OK);
    assert_eq!(api::exit_initialization_mode(instance.handle), fmi2OK);
    let plain = fmu.initialized();
    assert_eq!(advance(&instance, 3), advance(&plain, 3));
}

/// A warning that was given is not given again, but a state from before brings it back.
#[test]
fn warnings_are_part_of_the_state() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let instance = fmu.initialized();
    let state = save(&instance);
    let slightly_wrong = || {
        assert_eq!(instance.set_real("relativeOrientation[1,1]", 1.0001), fmi2OK);
        instance.vector("forceOnE");
        instance.take_messages().len()
    };
    assert_eq!((slightly_wrong(), slightly_wrong()), (1, 0));
    assert_eq!(api::set_fmu_state(instance.handle, state), fmi2OK);
    assert_eq!((slightly_wrong(), slightly_wrong()), (1, 0));
}

#[test]
fn damaged_and_foreign_bytes_are_refused_with_a_message() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let instance = fmu.initialized();
    let state = save(&instance);
    let bytes = to_bytes(&instance, state);
    let before = instance.all_bits();
    let refused = |bytes: &[u8], why: &str| {
        assert_eq!(api::deserialize_fmu_state(instance.handle, bytes), (fmi2Error, 0));
        let message = instance.only_message();
        assert!(message.contains(why), "{message}");
    };
    for i in (12..bytes.len()).step_by(37) {
        let mut damaged = bytes.clone();
        damaged[i] = !damaged[i];
        refused(&damaged, "checksum");
    }
    refused(&bytes[..bytes.len() - 1], "checksum");
    refused(b"a state of another tool", "no state of this FMU");
    refused(&[0; 8], "no state of this FMU");
    let mut newer = bytes.clone();
    newer[8] = 9;
    refused(&newer, "version 9");
    assert_eq!(api::serialize_fmu_state(instance.handle, state, &mut vec![0; bytes.len() - 1]), fmi2Error);
    assert!(instance.only_message().contains(&bytes.len().to_string()));
    assert_eq!(instance.all_bits(), before);
}

#[test]
fn a_state_of_another_fmu_is_refused() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let other = Fmu::sphere_on_plate(&format!("{SPHERE_ON_PLATE}\n[contact]\nfriction-coefficient = 0.1"));
    let (instance, stranger) = (fmu.initialized(), other.initialized());
    let bytes = to_bytes(&instance, save(&instance));
    let (status, state) = api::deserialize_fmu_state(stranger.handle, &bytes);
    assert_eq!(status, fmi2OK);
    assert_eq!(api::set_fmu_state(stranger.handle, state), fmi2Error);
    assert!(stranger.only_message().contains(fmu.guid.to_str().unwrap()));
    assert_eq!(stranger.real("frictionCoefficient"), 0.1);
}

/// The state was saved with a file that has changed since.
#[test]
fn a_state_with_other_mesh_files_is_refused() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let extra = fmu.folder.join("extra.obj");
    let with_extra = || {
        let instance = fmu.instantiate();
        assert_eq!(instance.set_string("surfaceE.file", c"extra.obj"), fmi2OK);
        instance
    };
    crate::fmi2_support::write_obj(&extra, &shapes::icosphere(0.1, 1));
    let instance = with_extra();
    instance.initialize();
    let bytes = to_bytes(&instance, save(&instance));
    crate::fmi2_support::write_obj(&extra, &shapes::icosphere(0.1, 2));
    let later = with_extra();
    let (_, state) = api::deserialize_fmu_state(later.handle, &bytes);
    assert_eq!(api::set_fmu_state(later.handle, state), fmi2Error);
    assert!(later.only_message().contains("mesh files"));
    std::fs::remove_file(&extra).unwrap();
    let gone = with_extra();
    let (_, state) = api::deserialize_fmu_state(gone.handle, &bytes);
    assert_eq!(api::set_fmu_state(gone.handle, state), fmi2Error);
    assert!(gone.only_message().contains("extra.obj"));
}

#[test]
fn null_and_freed_states_are_refused() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let instance = fmu.initialized();
    let mut state = save(&instance);
    let freed = state;
    assert_eq!(api::free_fmu_state(instance.handle, &mut state), fmi2OK);
    for bad in [0, freed, 77] {
        assert_eq!(api::set_fmu_state(instance.handle, bad), fmi2Error);
        assert_eq!(api::serialized_fmu_state_size(instance.handle, bad).0, fmi2Error);
    }
    assert_eq!(api::free_fmu_state(instance.handle, &mut 77), fmi2Error);
    // Freeing null is allowed by the standard.
    assert_eq!(api::free_fmu_state(instance.handle, &mut 0), fmi2OK);
}

/// Names of the variables by which the parent process tells its child what to do.
const FOLDER: &str = "POLYCONTACT_TEST_FOLDER";

/// The child's half of the next test: without a parent there is nothing to do.
#[test]
fn child_process_goes_on_from_bytes() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let folder = std::path::PathBuf::from(folder);
    let (configuration, guid) = polycontact::fmu::guid_of_folder(&folder).unwrap();
    let fmu = std::mem::ManuallyDrop::new(Fmu {
        table: polycontact::fmu::contact_variables(&configuration),
        guid: std::ffi::CString::new(guid).unwrap(),
        folder: folder.clone(),
    });
    let instance = fmu.instantiate();
    let bytes = std::fs::read(folder.join("state")).unwrap();
    let (status, state) = api::deserialize_fmu_state(instance.handle, &bytes);
    assert_eq!(status, fmi2OK);
    assert_eq!(api::set_fmu_state(instance.handle, state), fmi2OK);
    std::fs::write(folder.join("result"), format!("{:?}", go_on(&instance))).unwrap();
}

#[test]
fn another_process_goes_on_bit_by_bit() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let instance = fmu.initialized();
    run_to_the_middle(&instance, 3);
    std::fs::write(fmu.folder.join("state"), to_bytes(&instance, save(&instance))).unwrap();
    let child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "fmi2_state::child_process_goes_on_from_bytes"])
        .env(FOLDER, &fmu.folder)
        .output()
        .unwrap();
    assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stdout));
    let result = std::fs::read_to_string(fmu.folder.join("result")).unwrap();
    assert_eq!(result, format!("{:?}", go_on(&instance)));
}
