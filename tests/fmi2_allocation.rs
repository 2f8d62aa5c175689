//! No step allocates once it is warm: a real-time host must not wait for memory.

use crate::counting::allocations;
use crate::fmi2_support::ball_on_rod::{self, Flight, STEP, STEPS};
use crate::fmi2_support::{Fmu, SPHERE_ON_PLATE, WITHOUT_MEMORY, api, fmi2OK};

#[test]
fn a_warm_step_does_not_allocate_with_any_step_output() {
    steps_do_not_allocate(SPHERE_ON_PLATE, &[1, 2, 3]);
    steps_do_not_allocate(&format!("{SPHERE_ON_PLATE}{WITHOUT_MEMORY}"), &[1, 2, 3, 4]);
}

fn steps_do_not_allocate(configuration: &str, step_outputs: &[i32]) {
    let fmu = Fmu::sphere_on_plate(configuration);
    let instance = fmu.initialized();
    let inputs = ["relativePosition", "relativeVelocity"].map(|name| instance.vector_references(name)).concat();
    let mut step_count = 0;
    let mut run = |steps: u32| {
        for i in 0..steps {
            let t = 1e-3 * f64::from(i);
            // Through contacts of every depth, and out of contact.
            let values = [0.0, 0.0, -0.1 + 3e-3 * (20.0 * t).sin(), 0.1, 0.0, 0.06 * (20.0 * t).cos()];
            assert_eq!(api::set_real(instance.handle, &inputs, 6, &values), fmi2OK);
            assert_eq!(instance.step(1e-3 * f64::from(step_count), 1e-3), fmi2OK);
            step_count += 1;
        }
    };
    for &step_output in step_outputs {
        assert_eq!(instance.set_integer("stepOutput", step_output), fmi2OK);
        run(400);
        assert_eq!(allocations(|| run(400)), 0, "stepOutput {step_output}");
    }
    assert!(instance.vector("forceOnE").z.is_finite());
}

#[test]
fn a_warm_step_of_a_body_does_not_allocate() {
    let fmu = Fmu::free_body("[body]\nmass = 2.0\nmoments-of-inertia = [0.02, 0.05, 0.06]\n");
    let instance = fmu.initialized();
    let inputs = [instance.reference("force[1,1]"), instance.reference("torque[1,2]")];
    let run = |steps: std::ops::Range<u32>| {
        for i in steps {
            let t = 1e-3 * f64::from(i);
            assert_eq!(api::set_real(instance.handle, &inputs, 2, &[t, 0.1 * t.cos()]), fmi2OK);
            assert_eq!(instance.step(t, 1e-3), fmi2OK);
        }
    };
    run(0..10);
    assert_eq!(allocations(|| run(10..1000)), 0);
}

#[test]
fn a_warm_step_of_flexible_bodies_does_not_allocate_with_any_step_output() {
    let fmu = ball_on_rod::fmu();
    let instance = fmu.initialized();
    let inputs = ["relativePosition", "relativeVelocity"].map(|name| instance.vector_references(name)).concat();
    // The motion of a whole impact, computed before: reading outputs into new vectors allocates in the host.
    let mut flight = Flight::start();
    let mut impact = Vec::new();
    for i in 0..STEPS {
        impact.push([flight.position.as_slice(), flight.velocity().as_slice()].concat());
        flight.step_with(&instance, i, STEP);
    }
    let run = |steps: std::ops::Range<u32>| {
        for i in steps {
            assert_eq!(api::set_real(instance.handle, &inputs, 6, &impact[i as usize]), fmi2OK);
            assert_eq!(instance.step(STEP * f64::from(i), STEP), fmi2OK);
        }
    };
    for (step_output, extrapolation_steps) in [(1, 1.0), (2, 0.5), (2, 1.5), (3, 1.0)] {
        let start = || {
            assert_eq!(api::reset(instance.handle), fmi2OK);
            instance.initialize();
            assert_eq!(instance.set_integer("stepOutput", step_output), fmi2OK);
            assert_eq!(instance.set_real("extrapolationSteps", extrapolation_steps), fmi2OK);
            // The first step after a reset takes memory for the modes.
            run(0..1);
        };
        start();
        run(1..STEPS);
        start();
        assert_eq!(allocations(|| run(1..STEPS)), 0, "stepOutput {step_output}");
    }
}
