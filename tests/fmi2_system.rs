//! Contact FMU and free body in a loop with default settings, with a tilted and spinning ball: every wrench and pose in its frame.

use crate::fmi2_support::{Fmu, api, fmi2OK};
use polycontact::math::{Matrix, Rotation, Vector};
use polycontact::shapes;

/// The faces of the plate carry the pressure and there is no friction: all contact forces are vertical.
const CONTACT: &str = r#"
name = "BallOnGround"
[surface-e]
mesh = "plate.obj"
youngs-modulus = 0.0
[surface-f]
mesh = "ball.obj"
youngs-modulus = 3.0e5
layer-thickness = 0.03
[contact]
method = "master-e"
areal-damping = 2.0e5
friction-coefficient = 0.0
"#;

/// Tilted, turning about all axes, 10 mm above the ground.
const BODY: &str = r#"
name = "Ball"
[body]
mass = 4.19
moments-of-inertia = [0.01676, 0.01676, 0.01676]
initial-position = [0.02, -0.03, 0.11]
initial-angles = [0.3, 0.5, 0.7]
initial-velocity = [0.01, 0.02, 0.0]
initial-angular-velocity = [3.0, -2.0, 5.0]
"#;

const STEP: f64 = 1e-4;
const STEPS: u32 = 5000;
const RADIUS: f64 = 0.1;
const WEIGHT: f64 = 4.19 * 9.81;

/// What a turn by half a step, 3e-4 rad about an axis that turns itself, leaves in second order.
const SECOND_ORDER: f64 = 1e-7;

/// What coupling may push the ball sideways within 0.5 s, in m: the marker in which a force is resolved is that in the
/// middle of the step in which the body holds it, up to second order: (6 rad/s · 0.1 ms)² of g gives less than this. An error of first order, or a wrong frame, is a thousand times more.
const SIDEWAYS: f64 = 1e-6;

#[test]
fn a_spinning_ball_lands_without_sideways_force_or_vertical_torque() {
    let mut plate = shapes::cuboid(Vector::new(0.5, 0.5, 0.1));
    plate.vertices.iter_mut().for_each(|vertex| vertex.z -= 0.05);
    let ball = shapes::icosphere(RADIUS, 3);
    let contact_fmu = Fmu::new(CONTACT, &[("plate.obj", &plate), ("ball.obj", &ball)]);
    let body_fmu = Fmu::free_body(BODY);
    let (contact, body) = (contact_fmu.initialized(), body_fmu.initialized());

    // The connections of the system: outputs of the body to inputs of the same names, the wrench on F back.
    let motion: Vec<(u32, u32)> = body
        .table
        .variables()
        .iter()
        .filter(|variable| variable.name.starts_with("relative"))
        .map(|variable| (variable.value_reference, contact.reference(&variable.name)))
        .collect();
    assert_eq!(motion.len(), 18);
    let wrench: Vec<(u32, u32)> = [("forceOnF", "force"), ("torqueOnF", "torque")]
        .into_iter()
        .flat_map(|(from, to)| (1..=3).map(move |i| (format!("{from}[{i}]"), format!("{to}[1,{i}]"))))
        .map(|(from, to)| (contact.reference(&from), body.reference(&to)))
        .collect();
    let pass_on = |from: &crate::fmi2_support::Instance, to: &crate::fmi2_support::Instance, wires: &[(u32, u32)]| {
        let (outputs, inputs): (Vec<u32>, Vec<u32>) = wires.iter().copied().unzip();
        let (status, values) = api::get_real(from.handle, &outputs, outputs.len());
        assert_eq!(status, fmi2OK);
        assert_eq!(api::set_real(to.handle, &inputs, inputs.len(), &values), fmi2OK);
    };

    // A parallel master: both step, then values are exchanged.
    pass_on(&body, &contact, &motion);
    let mut largest_torque: f64 = 0.0;
    for i in 0..STEPS {
        let time = STEP * f64::from(i);
        assert_eq!(contact.step(time, STEP), fmi2OK, "{:?}", contact.messages());
        assert_eq!(body.step(time, STEP), fmi2OK, "{:?}", body.messages());
        largest_torque = largest_torque.max(contact.vector("torqueOnF").norm());
        // The wrench first: after new inputs the contact would evaluate at them.
        pass_on(&contact, &body, &wrench);
        pass_on(&body, &contact, &motion);
    }
    let time = STEP * f64::from(STEPS);
    let position = body.vector("relativePosition");
    let spin = body.vector("relativeAngularVelocity");
    let rotation = Matrix::from_fn(|i, j| body.real(&format!("relativeOrientation[{},{}]", i + 1, j + 1)));
    // The wrench for the step that comes, resolved in the marker as it lies in the middle of it.
    let force = Rotation::new(spin * (0.5 * STEP)) * rotation * contact.vector("forceOnF");
    // Half a percent: the ball still rocks on its faces.
    assert!((force.z / WEIGHT - 1.0).abs() < 5e-3, "{force:?}");
    assert!(force.x.hypot(force.y) < SECOND_ORDER * WEIGHT, "{force:?}");
    assert!((position.x - 0.02 - 0.01 * time).abs() < SIDEWAYS, "{position:?}");
    assert!((position.y + 0.03 - 0.02 * time).abs() < SIDEWAYS, "{position:?}");
    // Faces give torques about horizontal axes, never about the vertical one.
    assert!(1e-4 < largest_torque, "{largest_torque}");
    assert!((spin.z - 5.0).abs() < 1e-6, "{spin:?}");
    assert!(1e-6 < (spin.x - 3.0).abs(), "{spin:?}");
    // π c_l δ² (R − δ/3) = m g at 3.13 mm; the faces of the ball lie up to 0.46 mm inside the sphere.
    let depth = RADIUS - position.z;
    assert!(3.0e-3 < depth && depth < 3.7e-3, "{depth}");
}
