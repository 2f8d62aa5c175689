//! The FMU of a free rigid body against closed forms: free flight, spin, precession, pendulum motion about a marker.

use crate::fmi2_support::{Fmu, Instance, api, fmi2Error, fmi2OK};
use polycontact::fmu::{Causality, Variability};
use polycontact::math::{Matrix, Rotation, Vector};

/// A body without symmetry, without gravity, its marker in the centre of mass.
const ASYMMETRIC: &str = r#"
name = "Asymmetric"
[body]
mass = 2.0
moments-of-inertia = [0.02, 0.05, 0.06]
gravity = [0, 0, 0]
"#;

/// Rounding of some thousand steps with numbers of the size of 1.
const ROUNDING: f64 = 1e-12;

/// Integration error after some tens of radians: less than 1e-11 per radian by the order of the rule.
const INTEGRATION: f64 = 1e-9;

fn fmu(configuration: &str) -> Fmu {
    Fmu::free_body(configuration)
}

fn rotation(instance: &Instance) -> Matrix {
    Matrix::from_fn(|i, j| instance.real(&format!("relativeOrientation[{},{}]", i + 1, j + 1)))
}

fn run(instance: &Instance, from: u32, to: u32, step: f64) {
    for i in from..to {
        assert_eq!(instance.step(f64::from(i) * step, step), fmi2OK, "{:?}", instance.messages());
    }
}

/// Instance whose start values are set in initialization mode, as hosts do.
fn started(fmu: &Fmu, starts: &[(&str, Vector)]) -> Instance {
    let instance = fmu.instantiate();
    assert_eq!(api::setup_experiment(instance.handle, 0.0, None), fmi2OK);
    assert_eq!(api::enter_initialization_mode(instance.handle), fmi2OK);
    for (name, value) in starts {
        assert_eq!(instance.set_vector(name, *value), fmi2OK, "{:?}", instance.messages());
    }
    assert_eq!(api::exit_initialization_mode(instance.handle), fmi2OK, "{:?}", instance.messages());
    instance
}

fn assert_near(found: Vector, expected: Vector, tolerance: f64) {
    let error = (found - expected).amax();
    assert!(error <= tolerance, "{found:?} instead of {expected:?}, off by {error:e}");
}

fn force_of(k: u32) -> [String; 3] {
    [1, 2, 3].map(|i| format!("force[{k},{i}]"))
}

fn set_row(instance: &Instance, names: [String; 3], value: Vector) {
    for (name, number) in names.iter().zip(value.iter()) {
        assert_eq!(instance.set_real(name, *number), fmi2OK);
    }
}

#[test]
fn a_throw_is_a_parabola_whatever_the_steps() {
    let fmu = fmu("[body]\nmass = 3.0\nmoments-of-inertia = [1, 1, 1]\ngravity = [0.5, 0, -9.81]\n");
    let (r, v, g) = (Vector::new(1.0, -2.0, 3.0), Vector::new(4.0, 5.0, 6.0), Vector::new(0.5, 0.0, -9.81));
    for (steps, step) in [(1, 1.0), (10, 0.1), (1000, 1e-3)] {
        let instance = started(&fmu, &[("initialPosition", r), ("initialVelocity", v)]);
        run(&instance, 0, steps, step);
        let t = f64::from(steps) * step;
        assert_near(instance.vector("relativePosition"), r + t * v + 0.5 * t * t * g, ROUNDING);
        assert_near(instance.vector("relativeVelocity"), v + t * g, ROUNDING);
        assert_eq!(rotation(&instance), Matrix::identity());
    }
}

/// x = F t² / 2 m; with a force that grows linearly, F' t³ / 6 m more.
#[test]
fn forces_accelerate_and_their_derivatives_are_used() {
    let fmu = fmu("wrenches = 2\n[body]\nmass = 2.0\nmoments-of-inertia = [1, 1, 1]\ngravity = [0, 0, 0]\n");
    let instance = fmu.initialized();
    set_row(&instance, force_of(1), Vector::new(1.0, 0.0, 0.0));
    set_row(&instance, force_of(2), Vector::new(3.0, 2.0, 0.0));
    let reference = instance.reference("force[2,3]");
    assert_eq!(api::set_real_input_derivatives(instance.handle, &[reference], &[1], &[6.0]), fmi2OK);
    assert_eq!(instance.step(0.0, 0.5), fmi2OK);
    let expected = Vector::new(0.5 * 2.0 * 0.25, 0.5 * 1.0 * 0.25, 6.0 / 6.0 / 2.0 * 0.125);
    assert_near(instance.vector("relativePosition"), expected, ROUNDING);
    // The derivative of the velocity at the end of the step: F + F' t over m.
    let references = instance.vector_references("relativeVelocity");
    let (status, derivative) = api::get_real_output_derivatives(instance.handle, &references, &[1; 3]);
    assert_eq!(status, fmi2OK);
    assert_near(Vector::from_column_slice(&derivative), Vector::new(2.0, 1.0, 1.5), ROUNDING);
}

/// The inputs reach the outputs by steps only, as the description says.
#[test]
fn outputs_do_not_follow_inputs_without_a_step() {
    let instance = fmu(ASYMMETRIC).initialized();
    run(&instance, 0, 3, 1e-2);
    let before = instance.vector("relativePosition");
    set_row(&instance, force_of(1), Vector::new(1e3, 1e3, 1e3));
    assert_eq!(instance.vector("relativePosition"), before);
    for variable in instance.table.variables() {
        let inputs =
            variable.dependencies.iter().filter(|i| instance.table.variables()[**i].causality == Causality::Input);
        let is_derivative = variable.derivative_of.is_some();
        assert_eq!(inputs.count() > 0, is_derivative, "{}", variable.name);
        assert_eq!(variable.is_calculated(), !variable.initial_dependencies.is_empty(), "{}", variable.name);
        if variable.causality == Causality::Parameter {
            assert_eq!(variable.variability, Variability::Fixed);
        }
    }
}

/// Without a torque, energy and angular momentum stay, also through the flips about the middle axis.
#[test]
fn a_spinning_asymmetric_body_keeps_energy_and_angular_momentum() {
    let inertia = Matrix::from_diagonal(&Vector::new(0.02, 0.05, 0.06));
    let spin = Vector::new(0.01, 8.0, -0.02);
    let instance = started(&fmu(ASYMMETRIC), &[("initialAngularVelocity", spin)]);
    let (momentum, energy) = (inertia * spin, 0.5 * spin.dot(&(inertia * spin)));
    let mut least = f64::MAX;
    for i in 0..1000 {
        run(&instance, i, i + 1, 1e-2);
        let (turned, velocity) = (rotation(&instance), instance.vector("relativeAngularVelocity"));
        let inertia_now = turned * inertia * turned.transpose();
        assert_near(inertia_now * velocity, momentum, ROUNDING);
        let energy_now = 0.5 * velocity.dot(&(inertia_now * velocity));
        assert!((energy_now / energy - 1.0).abs() < INTEGRATION, "step {i}: {energy_now} J of {energy} J");
        least = least.min((turned.transpose() * velocity).y);
    }
    // The middle axis is unstable: the body has turned over.
    assert!(least < -7.0, "{least}");
}

/// A symmetric top without torque turns about L with |L| / I_1, and its axis keeps its angle to L.
#[test]
fn a_symmetric_top_precesses_about_its_angular_momentum() {
    let fmu = fmu("[body]\nmass = 1.0\nmoments-of-inertia = [0.03, 0.03, 0.05]\ngravity = [0, 0, 0]\n");
    let spin = Vector::new(1.0, 0.0, 6.0);
    let momentum = Vector::new(0.03 * 1.0, 0.0, 0.05 * 6.0);
    let instance = started(&fmu, &[("initialAngularVelocity", spin)]);
    for i in 0..200 {
        run(&instance, i, i + 1, 5e-3);
        let t = 5e-3 * f64::from(i + 1);
        let precession = Rotation::new(momentum.normalize() * (momentum.norm() / 0.03 * t));
        assert_near(rotation(&instance) * Vector::z(), precession * Vector::z(), INTEGRATION);
    }
}

/// A torque that turns with the body about its own axis: uniform angular acceleration.
#[test]
fn a_torque_about_a_principal_axis_gives_uniform_angular_acceleration() {
    let instance = fmu(ASYMMETRIC).initialized();
    assert_eq!(instance.set_real("torque[1,3]", 0.3), fmi2OK);
    run(&instance, 0, 20, 0.1);
    let (acceleration, t) = (0.3 / 0.06, 2.0);
    assert_near(instance.vector("relativeAngularVelocity"), Vector::new(0.0, 0.0, acceleration * t), 1e-12);
    let expected = Rotation::from_axis_angle(&Vector::z_axis(), 0.5 * acceleration * t * t);
    let error = (rotation(&instance) - expected.matrix()).amax();
    assert!(error < INTEGRATION, "{error:e}");
}

/// The marker is beside the centre of mass: the centre flies on a parabola, the marker circles it; a force at the marker
/// has a moment about the centre.
#[test]
fn a_marker_beside_the_centre_of_mass_circles_it() {
    let fmu = fmu("[body]\nmass = 2.0\nmoments-of-inertia = [0.02, 0.05, 0.06]\ncentre-of-mass = [0.1, 0, 0]\n");
    let spin = 5.0;
    let instance = started(&fmu, &[("initialAngularVelocity", Vector::new(0.0, 0.0, spin))]);
    run(&instance, 0, 100, 1e-2);
    let (t, angle) = (1.0, 5.0_f64);
    // The centre starts at (0.1, 0, 0) with the velocity spin × arm.
    let centre = Vector::new(0.1, spin * 0.1 * t, -0.5 * 9.81 * t * t);
    let arm = 0.1 * Vector::new(angle.cos(), angle.sin(), 0.0);
    assert_near(instance.vector("relativePosition"), centre - arm, INTEGRATION);
    let velocity = Vector::new(0.0, spin * 0.1, -9.81 * t) - Vector::new(0.0, 0.0, spin).cross(&arm);
    assert_near(instance.vector("relativeVelocity"), velocity, INTEGRATION);

    // At rest a force F along y at the marker turns the body with −0.1 F / I_zz.
    let at_rest = fmu.initialized();
    set_row(&at_rest, force_of(1), Vector::new(0.0, 0.6, 0.0));
    let references = at_rest.vector_references("relativeAngularVelocity");
    let (status, derivative) = api::get_real_output_derivatives(at_rest.handle, &references, &[1; 3]);
    assert_eq!(status, fmi2OK);
    assert_near(Vector::from_column_slice(&derivative), Vector::new(0.0, 0.0, -0.1 * 0.6 / 0.06), ROUNDING);
}

/// Derivatives of all outputs are the slopes of the outputs.
#[test]
fn output_derivatives_are_the_slopes_of_the_outputs() {
    let fmu = fmu(
        "[body]\nmass = 2.0\nmoments-of-inertia = [0.02, 0.05, 0.06]\nproducts-of-inertia = [0.002, -0.003, 0.001]\n\
                   centre-of-mass = [0.1, -0.05, 0.02]\ninitial-angles = [0.3, -0.5, 0.7]\n",
    );
    let instance = started(&fmu, &[("initialAngularVelocity", Vector::new(3.0, -2.0, 4.0))]);
    set_row(&instance, force_of(1), Vector::new(5.0, 1.0, 15.0));
    run(&instance, 0, 10, 1e-2);
    let outputs = instance.table.variables().iter().filter(|variable| variable.causality == Causality::Output);
    let references: Vec<u32> = outputs.map(|variable| variable.value_reference).collect();
    let orders = vec![1; references.len()];
    let get = || api::get_real(instance.handle, &references, references.len()).1;
    // The central difference over two steps of 1e-4 s is good to second derivatives of 1e3 times 1e-8.
    let before = get();
    assert_eq!(instance.step(0.1, 1e-4), fmi2OK);
    let (status, slopes) = api::get_real_output_derivatives(instance.handle, &references, &orders);
    assert_eq!(status, fmi2OK);
    assert_eq!(instance.step(0.1001, 1e-4), fmi2OK);
    for ((before, after), slope) in before.iter().zip(get()).zip(slopes) {
        let difference = (after - before) / 2e-4;
        assert!((difference - slope).abs() < 1e-5 * slope.abs().max(1.0), "{difference} instead of {slope}");
    }
}

#[test]
fn start_values_are_outputs_to_the_last_bit() {
    let text = "[body]\nmass = 2.0\nmoments-of-inertia = [0.02, 0.05, 0.06]\ncentre-of-mass = [0.1, 0.7, 0.3]\n\
                initial-position = [0.1, 0.2, 0.3]\ninitial-velocity = [0.4, 0.5, 0.6]\n\
                initial-angular-velocity = [0.7, 0.8, 0.9]\ninitial-angles = [0.5, 0, 0]\n";
    let instance = fmu(text).initialized();
    assert_eq!(instance.vector("relativePosition"), Vector::new(0.1, 0.2, 0.3));
    assert_eq!(instance.vector("relativeVelocity"), Vector::new(0.4, 0.5, 0.6));
    assert_eq!(instance.vector("relativeAngularVelocity"), Vector::new(0.7, 0.8, 0.9));
    let expected = Rotation::from_axis_angle(&Vector::x_axis(), 0.5);
    assert!((rotation(&instance) - expected.matrix()).amax() < 1e-15);
}

/// A run in which the wrench changes, so that a wrong state would show.
fn go_on(instance: &Instance, from: u32, to: u32) -> Vec<Vec<u64>> {
    let one = |i: u32| {
        let t = 1e-3 * f64::from(i);
        set_row(instance, force_of(1), Vector::new(t.sin(), t, 20.0));
        assert_eq!(instance.set_real("torque[1,2]", 0.1 * t.cos()), fmi2OK);
        assert_eq!(instance.step(t, 1e-3), fmi2OK);
        instance.all_bits()
    };
    (from..to).map(one).collect()
}

#[test]
fn a_restored_run_repeats_itself_bit_by_bit() {
    let fmu = fmu(ASYMMETRIC);
    let instance = started(&fmu, &[("initialAngularVelocity", Vector::new(1.0, 20.0, 3.0))]);
    go_on(&instance, 0, 20);
    let mut state = 0;
    assert_eq!(api::get_fmu_state(instance.handle, &mut state), fmi2OK);
    let at_save = instance.all_bits();
    let first = go_on(&instance, 20, 50);
    assert_ne!(first[0], first[1]);
    assert_eq!(api::set_fmu_state(instance.handle, state), fmi2OK);
    assert_eq!(instance.all_bits(), at_save);
    assert_eq!(go_on(&instance, 20, 50), first);

    // By way of bytes into another instance.
    let (_, size) = api::serialized_fmu_state_size(instance.handle, state);
    let mut bytes = vec![0; size];
    assert_eq!(api::serialize_fmu_state(instance.handle, state, &mut bytes), fmi2OK);
    let other = fmu.instantiate();
    let (status, copy) = api::deserialize_fmu_state(other.handle, &bytes);
    assert_eq!(status, fmi2OK);
    assert_eq!(api::set_fmu_state(other.handle, copy), fmi2OK);
    assert_eq!(go_on(&other, 20, 50), first);

    // From the start again.
    assert_eq!(api::reset(instance.handle), fmi2OK);
    instance.take_messages();
    instance.initialize();
    assert_eq!(instance.all_bits(), fmu.initialized().all_bits());
}

#[test]
fn bodies_that_do_not_exist_are_refused() {
    let fmu = fmu(ASYMMETRIC);
    let instance = fmu.instantiate();
    assert_eq!(instance.set_real("mass", 0.0), fmi2Error);
    assert!(instance.only_message().contains("`mass` is 0, but must be a finite number above 0"));
    assert_eq!(instance.set_real("momentsOfInertia[2]", -0.1), fmi2Error);
    assert!(instance.only_message().contains("momentsOfInertia[2]"));
    assert_eq!(instance.set_real("gravity[1]", f64::NAN), fmi2Error);
    assert!(instance.only_message().contains("gravity[1]"));
    // Together impossible: found when initialization ends.
    for (name, value, part) in [
        ("productsOfInertia[3]", 0.06, "all of them must be finite and above 0"),
        ("momentsOfInertia[3]", 0.08, "none can exceed the sum"),
    ] {
        let instance = fmu.instantiate();
        assert_eq!(api::setup_experiment(instance.handle, 0.0, None), fmi2OK);
        assert_eq!(api::enter_initialization_mode(instance.handle), fmi2OK);
        assert_eq!(instance.set_real(name, value), fmi2OK);
        assert_eq!(api::exit_initialization_mode(instance.handle), fmi2Error);
        let message = instance.only_message();
        assert!(message.contains(part), "{message}");
    }
    let instance = fmu.initialized();
    assert_eq!(instance.set_real("mass", 1.0), fmi2Error);
    assert!(instance.only_message().contains("fixed parameter"));
}

#[test]
fn a_spin_beyond_a_step_fails_with_a_message() {
    let instance = started(&fmu(ASYMMETRIC), &[("initialAngularVelocity", Vector::new(0.0, 0.0, 1e6))]);
    assert_eq!(instance.step(0.0, 1e-2), fmi2Error);
    let message = instance.only_message();
    assert!(message.contains("too fast for a step of 1e-2 s"), "{message}");
    let instance = fmu(ASYMMETRIC).initialized();
    set_row(&instance, force_of(1), Vector::new(f64::MAX, 0.0, 0.0));
    assert_eq!(instance.step(0.0, 1e200), fmi2Error);
    assert!(instance.only_message().contains("beyond the range of numbers"));
}

#[test]
fn another_configuration_is_refused_by_its_guid() {
    let fmu = fmu(ASYMMETRIC);
    std::fs::write(fmu.folder.join("free-body.toml"), ASYMMETRIC.replace("2.0", "2.1")).unwrap();
    let log = crate::fmi2_support::Log::default();
    let handle = api::instantiate(
        Some(c"body"),
        polycontact::fmi2::types::FMI2_CO_SIMULATION,
        Some(&fmu.guid),
        Some(&fmu.location()),
        Some(&crate::fmi2_support::callbacks(&log)),
        true,
    );
    assert_eq!(handle, 0);
    assert!(log.messages.lock().unwrap()[0].text.contains("modelDescription.xml and free-body.toml do not belong"));
}
