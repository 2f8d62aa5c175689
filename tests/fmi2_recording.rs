//! Recordings through the C interface: what is in the file is what the host got, and nothing else changes.

use std::ffi::{CString, OsString};
use std::path::PathBuf;

use crate::fmi2_support::ball_on_rod;
use crate::fmi2_support::{Fmu, Instance, SPHERE_ON_PLATE, api, fmi2OK};
use polycontact::configuration::Configuration;
use polycontact::contact::RelativeMotion;
use polycontact::fmu::{Causality, Interface, Kind, MotionRecorder, Part};
use polycontact::math::{Pose, Vector};
use polycontact::record::{Recording, area_vector};

const STEP: f64 = 1e-3;

/// A file in the folder of an FMU.
fn place(fmu: &Fmu, name: &str) -> PathBuf {
    fmu.folder.join(name)
}

fn record_to(instance: &Instance, path: &PathBuf) {
    let text = CString::new(OsString::from(path).into_encoded_bytes()).unwrap();
    assert_eq!(instance.set_string("recordFile", &text), fmi2OK);
}

fn read(path: &PathBuf) -> Recording {
    let recording = Recording::from_bytes(&std::fs::read(path).unwrap()).unwrap();
    assert_eq!(recording.damaged_bytes, 0);
    recording
}

/// Into the plate and out of it again, and sideways.
fn move_to(instance: &Instance, time: f64) {
    let (depth, closing) = (4e-3 * (30.0 * time).sin(), 0.12 * (30.0 * time).cos());
    assert_eq!(instance.set_vector("relativePosition", Vector::new(0.2 * time, 0.0, depth - 0.1)), fmi2OK);
    assert_eq!(instance.set_vector("relativeVelocity", Vector::new(0.2, 0.0, closing)), fmi2OK);
}

/// Every output of every evaluation as a number, with its name.
fn outputs(instance: &Instance) -> Vec<(String, f64)> {
    let is_recorded = |causality, part| causality == Causality::Output && part == Part::Main;
    let variables = instance.table.variables().iter().filter(|variable| is_recorded(variable.causality, variable.part));
    variables
        .map(|variable| {
            let value = match variable.kind {
                Kind::Real { .. } => instance.real(&variable.name),
                Kind::Boolean => f64::from(instance.boolean(&variable.name)),
                _ => f64::from(instance.integer(&variable.name)),
            };
            (variable.name.clone(), value)
        })
        .collect()
}

#[test]
fn a_recording_has_what_the_host_got_and_changes_none_of_it() {
    for step_output in 1..=4 {
        let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
        let path = place(&fmu, "run.pcr");
        let (recorded, plain) = (fmu.instantiate(), fmu.instantiate());
        record_to(&recorded, &path);
        let mut expected = Vec::new();
        for instance in [&recorded, &plain] {
            assert_eq!(instance.set_integer("stepOutput", step_output), fmi2OK);
            instance.initialize();
        }
        for k in 0..150 {
            let time = STEP * f64::from(k);
            for instance in [&recorded, &plain] {
                move_to(instance, time);
                assert_eq!(instance.step(time, STEP), fmi2OK);
            }
            let numbers = outputs(&recorded);
            assert_eq!(format!("{numbers:?}"), format!("{:?}", outputs(&plain)));
            expected.push((time, numbers));
        }
        assert_eq!(api::terminate(recorded.handle), fmi2OK);
        let recording = read(&path);
        assert_eq!((recording.header.name.as_str(), recording.frames.len()), ("SphereOnPlate", 150));
        let triangles: Vec<usize> = recording.header.bodies.iter().map(|body| body.faces.len()).collect();
        assert_eq!(triangles, ["E", "F"].map(|letter| plain.integer(&format!("surface{letter}.triangles")) as usize));
        // Frames belong to the inputs, to two steps later (extrapolate, by default), to the end of the step, and with an
        // exchange of energy, which may change its mind about the host, to the inputs.
        let offset = [0.0, plain.real("extrapolationSteps") * STEP, STEP, 0.0][step_output as usize - 1];
        let at = |name: &str| recording.header.position(name).unwrap_or_else(|| panic!("no column `{name}`"));
        for (frame, (time, numbers)) in recording.frames.iter().zip(&expected) {
            assert_eq!(frame.time(), time + offset);
            for (name, value) in numbers {
                assert_eq!(frame.numbers[at(name)].to_bits(), value.to_bits(), "{name}");
            }
            let moved = 0.2 * time + 0.2 * offset;
            assert!((frame.numbers[at("relativePosition[1]")] - moved).abs() < 1e-15);
            assert_eq!(frame.numbers[at("relativeQuaternion[1]")], 1.0);
            assert_eq!(frame.patches.is_empty(), frame.numbers[at("inContact")] == 0.0);
        }
    }
}

/// Friction remembers: bristles that are wound up along the way, slip and let go.
#[test]
fn motions_without_a_host_lead_to_what_the_host_got() {
    let fmu = Fmu::sphere_on_plate(&format!("{SPHERE_ON_PLATE}\n[contact]\nstep-output = \"hold\"\n"));
    let path = place(&fmu, "run.pcr");
    let instance = fmu.instantiate();
    record_to(&instance, &path);
    instance.initialize();
    for k in 0..150 {
        move_to(&instance, STEP * f64::from(k));
        assert_eq!(instance.step(STEP * f64::from(k), STEP), fmi2OK);
    }
    drop(instance);
    let recording = read(&path);
    let at = |name: &str| recording.header.position(name).unwrap();
    let configuration = Configuration::read(&fmu.folder.join("contact.toml")).unwrap();
    let mut recorder = MotionRecorder::new(&configuration, &fmu.folder).unwrap();
    assert_eq!(recorder.header().columns, recording.header.columns);
    let (mut slipping, mut largest) = (0.0, 0.0_f64);
    for (k, frame) in recording.frames.iter().enumerate() {
        let time = STEP * k as f64;
        let (depth, closing) = (4e-3 * (30.0 * time).sin(), 0.12 * (30.0 * time).cos());
        let pose = Pose::translation(0.2 * time, 0.0, depth - 0.1);
        let motion = RelativeMotion::new(pose, Vector::new(0.2, 0.0, closing), Vector::zeros()).unwrap();
        let again = recorder.frame(time, &motion).unwrap();
        for ((column, a), b) in recording.header.columns.iter().zip(&frame.numbers).zip(&again.numbers) {
            // The recording says in which step something was let go, the same way twice.
            assert_eq!(a.to_bits(), b.to_bits(), "{} at {time} s", column.name);
        }
        assert_eq!(frame.patches, again.patches);
        slipping = frame.numbers[at("slipDistance")];
        largest = largest.max(frame.numbers[at("forceOnE[1]")].abs());
    }
    assert!(1e-3 < slipping && 1.0 < largest, "{slipping} m, {largest} N");
    // A pose that lasts is not evaluated again, unless bristles come to rest there.
    let still = RelativeMotion::at_rest(Pose::translation(0.0, 0.0, -0.098));
    let [first, second] = [1.0, 2.0].map(|time| recorder.frame(time, &still).unwrap());
    assert_eq!((first.time(), second.time()), (1.0, 2.0));
    assert_eq!(first.patches, second.patches);
}

/// The pressure over the patches of an undamped contact without friction is the force: these are faces of the rigid plate F, since the
/// depth is measured in the soft E, and their normals point into E as the pressure on it does. Corners are rounded to 1/65535 of the patch: some 1e-5 of it, against pieces of a tenth of it.
#[test]
fn the_pressure_over_the_patches_is_the_force() {
    let fmu = Fmu::sphere_on_plate(&format!(
        "{SPHERE_ON_PLATE}\n[contact]\nfriction-coefficient = 0.0\nareal-damping = 0.0\nstep-output = \"hold\"\n"
    ));
    let path = place(&fmu, "force.pcr");
    let instance = fmu.instantiate();
    record_to(&instance, &path);
    instance.initialize();
    for k in 0..100 {
        move_to(&instance, STEP * f64::from(k));
        assert_eq!(instance.step(STEP * f64::from(k), STEP), fmi2OK);
    }
    drop(instance);
    let recording = read(&path);
    let first = recording.header.position("forceOnE[1]").unwrap();
    let mut in_contact = 0;
    for frame in &recording.frames {
        let force = Vector::from_column_slice(&frame.numbers[first..first + 3]);
        let mut pressed = Vector::zeros();
        for polygon in frame.patches.polygons() {
            for k in 2..polygon.len() {
                let triangle = [polygon[0], polygon[k - 1], polygon[k]];
                let mean = triangle.iter().map(|corner| corner.pressure).sum::<f64>() / 3.0;
                pressed += area_vector(&triangle) * mean;
            }
        }
        assert!((pressed - force).norm() <= 1e-3 * force.norm() + 1e-9, "{pressed} is not {force}");
        in_contact += usize::from(1.0 < force.norm());
    }
    assert!(30 < in_contact, "{in_contact}");
}

#[test]
fn a_file_that_cannot_be_written_is_a_warning_and_no_step_fails() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let instance = fmu.instantiate();
    record_to(&instance, &place(&fmu, "no such folder/run.pcr"));
    assert_eq!(api::setup_experiment(instance.handle, 0.0, None), fmi2OK);
    assert_eq!(api::enter_initialization_mode(instance.handle), fmi2OK);
    api::exit_initialization_mode(instance.handle);
    let message = instance.only_message();
    assert!(message.contains("recordFile") && message.contains("goes on without a recording"), "{message}");
    for k in 0..10 {
        move_to(&instance, STEP * f64::from(k));
        assert_eq!(instance.step(STEP * f64::from(k), STEP), fmi2OK);
    }
    assert_eq!(instance.messages(), []);
}

#[test]
fn a_file_that_is_no_recording_stays_as_it_is() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let path = place(&fmu, "notes.txt");
    std::fs::write(&path, "PCR: my notes").unwrap();
    let instance = fmu.instantiate();
    record_to(&instance, &path);
    assert_eq!(api::setup_experiment(instance.handle, 0.0, None), fmi2OK);
    assert_eq!(api::enter_initialization_mode(instance.handle), fmi2OK);
    api::exit_initialization_mode(instance.handle);
    let message = instance.only_message();
    assert!(message.contains("no recording; name another file"), "{message}");
    assert_eq!(instance.step(0.0, STEP), fmi2OK);
    drop(instance);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "PCR: my notes");
}

#[test]
fn a_second_instance_does_not_write_into_the_file_of_the_first() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let path = place(&fmu, "both.pcr");
    let (first, second) = (fmu.instantiate(), fmu.instantiate());
    record_to(&first, &path);
    record_to(&second, &path);
    first.initialize();
    assert_eq!(api::setup_experiment(second.handle, 0.0, None), fmi2OK);
    assert_eq!(api::enter_initialization_mode(second.handle), fmi2OK);
    api::exit_initialization_mode(second.handle);
    assert!(second.only_message().contains("another instance writes it"));
    for instance in [&first, &second] {
        for k in 0..5 {
            move_to(instance, STEP * f64::from(k));
            assert_eq!(instance.step(STEP * f64::from(k), STEP), fmi2OK);
        }
    }
    drop((second, first));
    assert_eq!(read(&path).frames.len(), 5);
}

#[test]
fn a_recording_stays_below_its_limit_and_keeps_the_largest_force() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let path = place(&fmu, "limited.pcr");
    let instance = fmu.instantiate();
    record_to(&instance, &path);
    assert_eq!(instance.set_real("recordLimit", 0.2), fmi2OK);
    instance.initialize();
    let (mut largest, count) = (0.0, 3000);
    for k in 0..count {
        move_to(&instance, STEP * f64::from(k));
        assert_eq!(instance.step(STEP * f64::from(k), STEP), fmi2OK);
        largest = f64::max(largest, instance.vector("forceOnE").norm());
    }
    assert_eq!(api::terminate(instance.handle), fmi2OK);
    assert!(std::fs::metadata(&path).unwrap().len() <= 200_000);
    let recording = read(&path);
    let first = recording.header.position("forceOnE[1]").unwrap();
    let force = |numbers: &[f64]| Vector::from_column_slice(&numbers[first..first + 3]).norm();
    let recorded = recording.frames.iter().map(|frame| force(&frame.numbers)).fold(0.0, f64::max);
    // Frames that came faster than they were written may be missing: in a swing of 105 steps the force is near its
    // largest for ten.
    assert!(0.9 * largest <= recorded && recorded <= largest, "{recorded} of {largest}");
    assert!(recording.frames.len() < count as usize, "{}", recording.frames.len());
    assert!(2.5 < recording.frames.last().unwrap().time());
}

#[test]
fn steps_that_are_repeated_replace_what_was_recorded() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let path = place(&fmu, "back.pcr");
    let instance = fmu.instantiate();
    record_to(&instance, &path);
    instance.initialize();
    let run = |from: u32, to: u32, swing: f64| {
        for k in from..to {
            move_to(&instance, swing * STEP * f64::from(k));
            assert_eq!(instance.step(STEP * f64::from(k), STEP), fmi2OK);
        }
    };
    run(0, 50, 1.0);
    let mut state = 0;
    assert_eq!(api::get_fmu_state(instance.handle, &mut state), fmi2OK);
    run(50, 200, 1.0);
    assert_eq!(api::set_fmu_state(instance.handle, state), fmi2OK);
    run(50, 90, 0.5);
    assert_eq!(api::free_fmu_state(instance.handle, &mut state), fmi2OK);
    drop(instance);
    let recording = read(&path);
    assert_eq!(recording.frames.len(), 90);
    let place = recording.header.position("relativePosition[1]").unwrap();
    for (k, frame) in recording.frames.iter().enumerate() {
        let time = STEP * k as f64;
        assert_eq!(frame.time(), time);
        assert_eq!(frame.numbers[place], 0.2 * time * if k < 50 { 1.0 } else { 0.5 });
    }
}

#[test]
fn model_exchange_records_completed_steps() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let path = place(&fmu, "exchange.pcr");
    let instance = fmu.instantiate_for(Interface::ModelExchange);
    record_to(&instance, &path);
    instance.initialize();
    move_to(&instance, 0.0);
    assert_eq!(api::new_discrete_states(instance.handle).0, fmi2OK);
    assert_eq!(api::enter_continuous_time_mode(instance.handle), fmi2OK);
    let mut forces = vec![instance.vector("forceOnE")];
    for k in 1..20 {
        let time = STEP * f64::from(k);
        assert_eq!(api::set_time(instance.handle, time), fmi2OK);
        move_to(&instance, time);
        assert_eq!(api::completed_integrator_step(instance.handle).0, fmi2OK);
        forces.push(instance.vector("forceOnE"));
    }
    assert_eq!(api::terminate(instance.handle), fmi2OK);
    let recording = read(&path);
    let first = recording.header.position("forceOnE[1]").unwrap();
    let recorded: Vec<Vector> =
        recording.frames.iter().map(|frame| Vector::from_column_slice(&frame.numbers[first..first + 3])).collect();
    assert_eq!(recorded, forces);
}

#[test]
fn bodies_and_flexible_pairs_record_too() {
    let fmu = Fmu::free_body("name = \"Ball\"\n[body]\nmass = 1.0\nmoments-of-inertia = [0.1, 0.1, 0.1]\n");
    let path = place(&fmu, "body.pcr");
    let instance = fmu.instantiate();
    record_to(&instance, &path);
    instance.initialize();
    assert!((0..20).all(|k| instance.step(STEP * f64::from(k), STEP) == fmi2OK));
    drop(instance);
    let recording = read(&path);
    let place_z = recording.header.position("relativePosition[3]").unwrap();
    assert_eq!((recording.frames.len(), recording.header.bodies.len()), (20, 0));
    assert!(recording.header.position("force[1,3]").is_some());
    assert!(recording.frames[19].numbers[place_z].is_finite());

    let fmu = ball_on_rod::fmu();
    let path = place(&fmu, "flexible.pcr");
    let instance = fmu.instantiate();
    record_to(&instance, &path);
    instance.initialize();
    assert!((0..20).all(|k| instance.step(1e-6 * f64::from(k), 1e-6) == fmi2OK));
    drop(instance);
    let recording = read(&path);
    assert_eq!((recording.frames.len(), recording.header.bodies.len()), (20, 2));
    assert_eq!(recording.frames[0].numbers.len(), recording.header.columns.len());
}
