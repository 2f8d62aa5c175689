//! Bristles through the C interface: a memory that steps advance and nothing else, states in Model Exchange, derivatives.

use crate::fmi2_support::{Fmu, Instance, SPHERE_ON_PLATE, WITHOUT_MEMORY, api, fmi2Error, fmi2OK};
use polycontact::contact::{ContactParameters, RawParameters};
use polycontact::math::Vector;

const STEP: f64 = 1e-3;

/// Bristles slip at about 2e-4 m here: 1 mm deep.
const DEPTH: f64 = 1e-3;

fn place(instance: &Instance, x: f64, velocity: f64) {
    assert_eq!(instance.set_vector("relativePosition", Vector::new(x, 0.0, DEPTH - 0.1)), fmi2OK);
    assert_eq!(instance.set_vector("relativeVelocity", Vector::new(velocity, 0.0, 0.0)), fmi2OK);
}

fn is_sticking(instance: &Instance) -> bool {
    instance.boolean("sticking") == 1
}

fn step(instance: &Instance, number: u32) {
    assert_eq!(instance.step(f64::from(number) * STEP, STEP), fmi2OK, "{:?}", instance.messages());
}

/// Bristles are the default. Outputs belong to the inputs here.
fn fmu() -> Fmu {
    Fmu::sphere_on_plate(&format!("{SPHERE_ON_PLATE}\n[contact]\nstep-output = \"hold\"\n"))
}

#[test]
fn only_a_pair_with_bristles_has_a_memory() {
    assert_eq!(fmu().initialized().integer("frictionModel"), 1);
    let without = Fmu::sphere_on_plate(&format!("{SPHERE_ON_PLATE}{WITHOUT_MEMORY}"));
    let instance = without.initialized();
    assert_eq!(instance.integer("frictionModel"), 2);
    assert!(instance.table.find("state.deflection[1]").is_none());
    let other = without.instantiate();
    assert_eq!(other.set_integer("frictionModel", 1), fmi2OK);
    assert_eq!(api::setup_experiment(other.handle, 0.0, None), fmi2OK);
    assert_eq!(api::enter_initialization_mode(other.handle), fmi2OK);
    assert_eq!(api::exit_initialization_mode(other.handle), fmi2Error);
    assert!(other.messages().iter().any(|message| message.text.contains("friction-model")));
}

/// c_t from the layers, and everything elastic below the limit: the force is a function of the place.
#[test]
fn bristles_hold_and_come_back() {
    let instance = fmu().initialized();
    place(&instance, 0.0, 0.0);
    step(&instance, 0);
    assert!(is_sticking(&instance));
    assert_eq!(instance.real("forceOnE[1]"), 0.0);
    let mut forces = Vec::new();
    for number in 1..40 {
        let way = [1e-6, 1.7e-5, -8e-6, 0.0][number as usize % 4];
        place(&instance, way, 0.0);
        // Looking elsewhere does not move the memory.
        let here = instance.all_bits();
        place(&instance, way + 1e-3, 0.0);
        assert!(!is_sticking(&instance));
        place(&instance, way, 0.0);
        assert_eq!(instance.all_bits(), here);
        step(&instance, number);
        assert!(is_sticking(&instance));
        assert_eq!(instance.real("stickingReal"), 1.0);
        forces.push(instance.vector("forceOnE"));
    }
    for (force, earlier) in forces.iter().skip(4).zip(&forces) {
        assert_eq!(force, earlier);
    }
    assert_eq!(forces[2].x, 0.0);
    // F pushes E along its own way; most of the contact sticks, and feels c_t A z.
    let parameters = ContactParameters::new(&RawParameters {
        friction_model: polycontact::contact::FrictionModel::Bristle,
        ..RawParameters::default()
    })
    .unwrap();
    let expected = parameters.bristles().unwrap().stiffness * instance.real("contactArea") * 1e-6;
    let found = forces[3].x;
    assert!((found / expected - 1.0).abs() < 0.02, "{found} {expected}");
    assert_eq!(instance.real("slipDistance"), 0.0);
}

/// The same way in steps of different sizes, and the same bits after a state was restored.
#[test]
fn slip_does_not_depend_on_the_communication_step() {
    let fmu = fmu();
    let mut ends = Vec::new();
    for steps in [50, 100, 400] {
        let instance = fmu.initialized();
        for number in 0..=steps {
            place(&instance, 1e-3 * f64::from(number) / f64::from(steps), 0.0);
            step(&instance, number);
        }
        assert!(!is_sticking(&instance));
        // These facets have peaks of pressure, where bristles still hold a little.
        assert!((instance.real("frictionUtilisation") - 1.0).abs() < 0.02);
        let (force, work) = (instance.vector("forceOnE"), instance.real("frictionWork"));
        assert!((force.x / (0.3 * force.z) - 1.0).abs() < 0.02, "{force}");
        // Back by a part of the reach: elastic.
        place(&instance, 0.98e-3, 0.0);
        ends.push([force.x, work, instance.real("slipDistance"), instance.real("forceOnE[1]")]);
    }
    // The memory is the same. While it slips, a longer step deflects bristles farther before they are let go, which those
    // at the peaks of pressure feel.
    for end in &ends[1..] {
        for ((number, first), tolerance) in end.iter().zip(&ends[0]).zip([0.02, 0.02, 1e-9, 1e-9]) {
            assert!((number / first - 1.0).abs() < tolerance, "{ends:?}");
        }
    }
}

/// In Model Exchange the deflection is integrated by the host; nothing is kept elsewhere.
#[test]
fn states_of_model_exchange_end_where_co_simulation_does() {
    let instance = fmu().in_continuous_time_mode();
    let (speed, step_size) = (0.1, 2e-5);
    let mut states = [0.0; 9];
    place(&instance, 0.0, speed);
    // Sticking: the deflection follows the velocity.
    let (status, rates) = api::get_derivatives(instance.handle, 9);
    assert_eq!(status, fmi2OK);
    assert!((rates[0] - speed).abs() < 1e-12 && rates[1..6].iter().all(|rate| rate.abs() < 1e-9), "{rates:?}");
    // The dampers of the bristles: d_t A v².
    let damped = 1e5 * instance.real("contactArea") * speed * speed;
    assert!(0.5 * damped < rates[8] && rates[8] <= damped, "{rates:?} {damped}");
    let mut way = 0.0;
    while way < 1e-3 {
        place(&instance, way, speed);
        assert_eq!(api::set_continuous_states(instance.handle, &states), fmi2OK);
        let (status, rates) = api::get_derivatives(instance.handle, 9);
        assert_eq!(status, fmi2OK);
        assert_eq!(api::completed_integrator_step(instance.handle).0, fmi2OK);
        states.iter_mut().zip(&rates).for_each(|(state, rate)| *state += rate * step_size);
        way += speed * step_size;
    }
    assert_eq!(api::set_continuous_states(instance.handle, &states), fmi2OK);
    assert_eq!(api::get_continuous_states(instance.handle, 9).1, states);
    let force = instance.vector("forceOnE");
    assert!((force.x / (0.3 * force.z) - 1.0).abs() < 0.02, "{force}");
    assert!(!is_sticking(&instance));
    // μ F along the slip.
    let power = instance.real("dissipatedPower");
    assert!((power / (force.x * speed) - 1.0).abs() < 0.02, "{power}");
    // Let go in the air.
    assert_eq!(instance.set_vector("relativePosition", Vector::new(0.0, 0.0, -0.2)), fmi2OK);
    let rates = api::get_derivatives(instance.handle, 9).1;
    assert!((rates[0] + states[0] / 1e-3).abs() < 1e-9 * rates[0].abs(), "{rates:?}");
}

/// Against differences of the outputs: by pose, where bristles follow it, and by velocity.
#[test]
fn derivatives_include_bristles() {
    let instance = fmu().initialized();
    let outputs: Vec<String> = ["forceOnE", "torqueOnE", "forceOnF", "torqueOnF"]
        .iter()
        .flat_map(|name| (1..=3).map(move |i| format!("{name}[{i}]")))
        .collect();
    let unknowns: Vec<u32> = outputs.iter().map(|name| instance.reference(name)).collect();
    for way in [3e-5, 1e-4, 2e-3] {
        place(&instance, 0.0, 0.0);
        step(&instance, 0);
        place(&instance, way, 0.02);
        let all = |instance: &Instance| api::get_real(instance.handle, &unknowns, unknowns.len()).1;
        for (name, size) in
            [("relativePosition[1]", 1e-8), ("relativePosition[2]", 1e-8), ("relativeVelocity[2]", 1e-6)]
        {
            let known = instance.reference(name);
            let (status, found) = api::get_directional_derivative(instance.handle, &unknowns, &[known], &[1.0]);
            assert_eq!(status, fmi2OK);
            let value = instance.real(name);
            assert_eq!(instance.set_real(name, value + size), fmi2OK);
            let after = all(&instance);
            assert_eq!(instance.set_real(name, value - size), fmi2OK);
            let before = all(&instance);
            assert_eq!(instance.set_real(name, value), fmi2OK);
            let expected: Vec<f64> = after.iter().zip(&before).map(|(a, b)| (a - b) / (2.0 * size)).collect();
            let scale = expected.iter().fold(0.0, |largest: f64, number| largest.max(number.abs()));
            for ((found, expected), output) in found.iter().zip(&expected).zip(&outputs) {
                assert!(
                    (found - expected).abs() < 0.02 * scale,
                    "{way} {output} by {name}: {found} {expected} {scale}"
                );
            }
        }
    }
}

/// With `stepOutput` = energy bristles remember too: what was read before the step is what the step returns, and a state
/// brings everything back.
#[test]
fn bristles_remember_in_an_exchange_of_energy() {
    let fmu = fmu();
    let run = |is_restored: bool, reads: bool| {
        let instance = fmu.initialized();
        assert_eq!(instance.set_integer("stepOutput", 4), fmi2OK);
        for number in 0..8 {
            place(&instance, 2e-4 * f64::from(number), 0.2);
            if reads {
                assert!(instance.real("forceOnE[3]") != 0.0);
            }
            let mut state = 0;
            assert_eq!(api::get_fmu_state(instance.handle, &mut state), fmi2OK);
            step(&instance, number);
            if is_restored {
                assert_eq!(api::set_fmu_state(instance.handle, state), fmi2OK);
                step(&instance, number);
            }
            assert_eq!(api::free_fmu_state(instance.handle, &mut state), fmi2OK);
        }
        assert!(0.0 < instance.real("slipDistance") && 0.0 < instance.real("frictionWork"));
        instance.all_bits()
    };
    for reads in [false, true] {
        assert_eq!(run(false, reads), run(true, reads), "{reads}");
    }
}
