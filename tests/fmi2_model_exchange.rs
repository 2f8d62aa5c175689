//! Model Exchange through the C interface: the gap as event indicator, states of the free body.

use crate::fmi2_support::{Fmu, Instance, SPHERE_ON_PLATE, api, fmi2Error, fmi2OK};
use polycontact::math::{Rotation, Vector};

const BODY: &str = r#"
name = "Body"
wrenches = 1
[body]
mass = 2.0
moments-of-inertia = [0.02, 0.03, 0.04]
products-of-inertia = [0.001, -0.002, 0.003]
centre-of-mass = [0.01, -0.02, 0.03]
initial-velocity = [0.1, 0.2, 0.3]
initial-angular-velocity = [3.0, -2.0, 5.0]
"#;

/// A pose in contact, off every symmetry, that slides and turns.
fn move_into_contact(instance: &Instance) {
    let rotation = Rotation::from_euler_angles(0.02, -0.03, 0.4);
    let matrix = rotation.matrix();
    if instance.table.find("relativeOrientation[1,1]").is_some() {
        for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (i, j))) {
            assert_eq!(instance.set_real(&format!("relativeOrientation[{},{}]", i + 1, j + 1), matrix[(i, j)]), fmi2OK);
        }
    } else if instance.table.find("relativeQuaternion[1]").is_some() {
        let q = nalgebra::UnitQuaternion::from_rotation_matrix(&rotation);
        for (i, part) in [q.w, q.i, q.j, q.k].into_iter().enumerate() {
            assert_eq!(instance.set_real(&format!("relativeQuaternion[{}]", i + 1), part), fmi2OK);
        }
    } else {
        assert_eq!(instance.set_vector("relativeAngles", Vector::new(0.02, -0.03, 0.4)), fmi2OK);
    }
    assert_eq!(instance.set_vector("relativePosition", Vector::new(0.011, 0.023, -0.0971)), fmi2OK);
    assert_eq!(instance.set_vector("relativeVelocity", Vector::new(0.05, -0.02, 0.1)), fmi2OK);
    assert_eq!(instance.set_vector("relativeAngularVelocity", Vector::new(0.1, 0.2, -0.3)), fmi2OK);
}

#[test]
fn the_gap_is_the_event_indicator_and_an_output() {
    let instance = Fmu::sphere_on_plate(SPHERE_ON_PLATE).in_continuous_time_mode();
    for (height, expected) in [(-0.15, 0.05), (-0.1001, 1e-4), (-0.099, -1e-3)] {
        assert_eq!(instance.set_vector("relativePosition", Vector::new(0.0, 0.0, height)), fmi2OK);
        let (status, indicators) = api::get_event_indicators(instance.handle, 1);
        assert_eq!(status, fmi2OK);
        // A vertex of the icosphere is its lowest point.
        assert!((indicators[0] - expected).abs() < 1e-6, "{height}: {indicators:?}");
        assert_eq!(instance.real("gap"), indicators[0]);
        let (on_e, on_f) = (instance.vector("nearestPointOnE"), instance.vector("nearestPointOnF"));
        let between = Vector::new(0.0, 0.0, height) + on_f - on_e;
        assert!((between.norm() - expected.abs()).abs() < 1e-6, "{between}");
        assert_eq!(instance.real("inContactReal"), f64::from(instance.boolean("inContact")));
        assert_eq!(instance.real("inContactReal"), if expected < 0.0 { 1.0 } else { 0.0 });
    }
    assert_eq!(api::get_event_indicators(instance.handle, 2).0, fmi2Error);
    assert!(instance.only_message().contains("2 event indicators"));
    assert_eq!(api::completed_integrator_step(instance.handle), (fmi2OK, 0, 0));
    assert_eq!(api::enter_event_mode(instance.handle), fmi2OK);
    let (status, info) = api::new_discrete_states(instance.handle);
    assert_eq!((status, info.newDiscreteStatesNeeded, info.nextEventTimeDefined), (fmi2OK, 0, 0));
}

/// A touch is foreseen from the velocity of the nearest points, so that no solver steps over a thin body.
#[test]
fn a_touch_is_announced_where_a_step_could_miss_it() {
    let instance = Fmu::sphere_on_plate(SPHERE_ON_PLATE).in_continuous_time_mode();
    let handle = instance.handle;
    let announced = || {
        assert_eq!(api::enter_event_mode(handle), fmi2OK);
        let (status, info) = api::new_discrete_states(handle);
        assert_eq!(status, fmi2OK);
        assert_eq!(api::enter_continuous_time_mode(handle), fmi2OK);
        (info.nextEventTimeDefined == 1).then_some(info.nextEventTime)
    };
    assert_eq!(api::set_time(handle, 2.0), fmi2OK);
    // 0.1 m apart, first at rest, then opening, then closing with 10 m/s: 10 ms, and the depth of 0.01 mm.
    assert_eq!(instance.set_vector("relativePosition", Vector::new(0.0, 0.0, -0.2)), fmi2OK);
    assert_eq!(announced(), None);
    assert_eq!(instance.set_vector("relativeVelocity", Vector::new(0.0, 0.0, -10.0)), fmi2OK);
    assert_eq!(announced(), None);
    assert_eq!(instance.set_vector("relativeVelocity", Vector::new(0.0, 0.0, 10.0)), fmi2OK);
    // A step of 0.5 ms may be followed by one of 5 ms: no danger; one of 2 ms by one of 20 ms.
    assert_eq!(api::set_time(handle, 2.0005), fmi2OK);
    assert_eq!(api::completed_integrator_step(handle), (fmi2OK, 0, 0));
    assert_eq!(api::set_time(handle, 2.0025), fmi2OK);
    assert_eq!(api::completed_integrator_step(handle), (fmi2OK, 1, 0));
    let time = announced().expect("a touch ahead");
    assert!((time - 2.0125).abs() < 2e-5, "{time}");
    // It is announced now: no reason for another event.
    assert_eq!(api::set_time(handle, 2.0045), fmi2OK);
    assert_eq!(api::completed_integrator_step(handle), (fmi2OK, 0, 0));
    // Deep inside there is nothing to foresee.
    assert_eq!(instance.set_vector("relativePosition", Vector::new(0.0, 0.0, -0.099)), fmi2OK);
    assert_eq!(announced(), None);
}

/// Both kinds answer with the same bits at the same inputs.
#[test]
fn both_kinds_have_the_same_outputs() {
    for kind in ["matrix", "quaternion", "cardan"] {
        let fmu = Fmu::sphere_on_plate(&format!("orientation = \"{kind}\"\n{SPHERE_ON_PLATE}"));
        let (exchange, steps) = (fmu.in_continuous_time_mode(), fmu.initialized());
        move_into_contact(&exchange);
        move_into_contact(&steps);
        assert_eq!(exchange.all_bits(), steps.all_bits());
    }
}

#[test]
fn a_state_of_one_kind_is_refused_by_the_other() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let (exchange, steps) = (fmu.in_continuous_time_mode(), fmu.initialized());
    let mut saved = 0;
    assert_eq!(api::get_fmu_state(exchange.handle, &mut saved), fmi2OK);
    assert_eq!(api::set_fmu_state(steps.handle, saved), fmi2Error);
    assert!(steps.only_message().contains("one of Model Exchange"));
    assert_eq!(api::enter_event_mode(exchange.handle), fmi2OK);
    assert_eq!(api::set_fmu_state(exchange.handle, saved), fmi2OK);
    assert_eq!(api::completed_integrator_step(exchange.handle).0, fmi2OK);
}

/// Runge-Kutta by a host: energy and angular momentum of a body without forces, and the norm of its quaternion.
#[test]
fn a_torque_free_body_keeps_energy_momentum_and_norm() {
    let toml = BODY.replace("[body]", "[body]\ngravity = [0.0, 0.0, 0.0]");
    let instance = Fmu::free_body(&toml).in_continuous_time_mode();
    let handle = instance.handle;
    let (_, mut x) = api::get_continuous_states(handle, 13);
    assert_eq!(api::get_nominals(handle, 13), (fmi2OK, [[1.0; 10].as_slice(), &[0.04; 3]].concat()));
    // An error that the equations must lead away: 1 % of the norm.
    x[3..7].iter_mut().for_each(|part| *part *= 1.01);
    let rates = |x: &[f64]| {
        assert_eq!(api::set_continuous_states(handle, x), fmi2OK);
        let (status, rates) = api::get_derivatives(handle, 13);
        assert_eq!(status, fmi2OK);
        rates
    };
    let spin = |x: &[f64]| {
        rates(x);
        let momentum = Vector::new(x[10], x[11], x[12]);
        0.5 * momentum.dot(&instance.vector("relativeAngularVelocity"))
    };
    let (energy, momentum) = (spin(&x), x[10..].to_vec());
    let step = 1e-3;
    for n in 0..1000 {
        assert_eq!(api::set_time(handle, f64::from(n) * step), fmi2OK);
        let along = |x: &[f64], k: &[f64], h: f64| x.iter().zip(k).map(|(x, k)| x + h * k).collect::<Vec<f64>>();
        let k1 = rates(&x);
        let k2 = rates(&along(&x, &k1, 0.5 * step));
        let k3 = rates(&along(&x, &k2, 0.5 * step));
        let k4 = rates(&along(&x, &k3, step));
        for i in 0..13 {
            x[i] += step / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        }
        assert_eq!(api::completed_integrator_step(handle).0, fmi2OK);
    }
    assert_eq!(x[10..], momentum[..], "to the last bit: its derivative is zero");
    // 6 rad/s in steps of 1 ms: the rule is off by (6e-3)^5 / 120 per step at most.
    assert!((spin(&x) / energy - 1.0).abs() < 1e-9, "{} {energy}", spin(&x));
    let norm = x[3..7].iter().map(|part| part * part).sum::<f64>();
    // 2 % of the square fall by e^-10 within the second.
    assert!((norm - 1.0).abs() < 2e-6, "{norm}");
}

/// A quaternion that is no orientation is taken over its norm, as an orientation of a pair is, and that is said once.
#[test]
fn a_norm_that_is_not_1_is_told_of() {
    let instance = Fmu::free_body(BODY).in_continuous_time_mode();
    let (_, good) = api::get_continuous_states(instance.handle, 13);
    instance.take_messages();
    let rotation_at = |factor: f64| {
        let mut states = good.clone();
        states[3..7].iter_mut().for_each(|part| *part *= factor);
        assert_eq!(api::set_continuous_states(instance.handle, &states), fmi2OK);
        let entries = (0..9).map(|k| instance.real(&format!("relativeOrientation[{},{}]", k / 3 + 1, k % 3 + 1)));
        entries.collect::<Vec<f64>>()
    };
    let expected = rotation_at(1.0);
    rotation_at(1.0002);
    assert!(instance.take_messages().is_empty());
    for factor in [1.001, 0.5, 2.0, 1e-2] {
        let off = rotation_at(factor).iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(off < 1e-15, "{factor}: {off}");
    }
    assert!(instance.only_message().contains("norm 1.001e0 instead of 1"));
}

#[test]
fn states_that_are_none_are_refused_and_change_nothing() {
    let instance = Fmu::free_body(BODY).in_continuous_time_mode();
    let (_, good) = api::get_continuous_states(instance.handle, 13);
    let refused = |states: &[f64]| {
        assert_eq!(api::set_continuous_states(instance.handle, states), fmi2Error);
        instance.only_message()
    };
    let mut bad = good.clone();
    bad[12] = f64::NAN;
    assert!(refused(&bad).contains("state 13 of 13 is NaN"));
    bad = good.clone();
    bad[3..7].fill(0.0);
    assert!(refused(&bad).contains("norm"));
    assert!(refused(&good[..12]).contains("12 continuous states"));
    assert_eq!(api::get_continuous_states(instance.handle, 13), (fmi2OK, good));
    assert_eq!(api::set_time(instance.handle, f64::INFINITY), fmi2Error);
    assert!(instance.only_message().contains("finite"));
    assert_eq!(instance.set_real("state.position[1]", 1.0), fmi2Error);
    assert!(instance.only_message().contains("fmi2SetContinuousStates"));
}
