//! What inputs, parameters and steps mean: the FMU against direct evaluations of the force element.

use std::ffi::CString;

use crate::fmi2_support::{Fmu, Instance, SPHERE_ON_PLATE, WITHOUT_MEMORY, api, fmi2Error, fmi2OK};
use polycontact::contact::{
    ContactParameters, ContactSurface, Outcome, RawParameters, RelativeMotion, Workspace, evaluate,
};
use polycontact::fmu::Kind;
use polycontact::math::{Matrix, Pose, Rotation, Vector};
use polycontact::mesh::VertexIndex;
use polycontact::shapes;

const HOLD: i32 = 1;
const EXTRAPOLATE: i32 = 2;
const MEAN: i32 = 3;

/// The sphere 1 mm deep in the plate, tilted and moving in every direction.
fn motion() -> (Vector, Rotation, Vector, Vector) {
    (
        Vector::new(0.003, -0.002, -0.099),
        Rotation::from_euler_angles(0.02, -0.03, 0.4),
        Vector::new(0.1, -0.2, 0.3),
        Vector::new(0.5, -0.4, 0.8),
    )
}

fn row_major(matrix: &Matrix) -> Vec<f64> {
    matrix.transpose().iter().copied().collect()
}

fn orientation_references(instance: &Instance) -> Vec<u32> {
    (1..=3)
        .flat_map(|i| (1..=3).map(move |j| format!("relativeOrientation[{i},{j}]")))
        .map(|name| instance.reference(&name))
        .collect()
}

fn set_orientation(instance: &Instance, matrix: &Matrix) {
    let status = api::set_real(instance.handle, &orientation_references(instance), 9, &row_major(matrix));
    assert_eq!(status, fmi2OK);
}

fn set_motion(instance: &Instance, (r, a, v, w): (Vector, Rotation, Vector, Vector)) {
    set_orientation(instance, a.matrix());
    assert_eq!(instance.set_vector("relativePosition", r), fmi2OK);
    assert_eq!(instance.set_vector("relativeVelocity", v), fmi2OK);
    assert_eq!(instance.set_vector("relativeAngularVelocity", w), fmi2OK);
}

fn evaluated(
    surfaces: &[ContactSurface; 2],
    raw: &RawParameters,
    (r, a, v, w): (Vector, Rotation, Vector, Vector),
) -> Outcome {
    let motion = RelativeMotion::new(Pose::from_parts(r.into(), a), v, w).unwrap();
    let parameters = ContactParameters::new(raw).unwrap();
    evaluate(&surfaces[0], &surfaces[1], &parameters, &motion, &mut Workspace::default())
}

fn assert_outputs(instance: &Instance, expected: &Outcome) {
    assert_eq!(instance.vector("forceOnE"), expected.wrenches.on_e.force);
    assert_eq!(instance.vector("torqueOnE"), expected.wrenches.on_e.torque);
    assert_eq!(instance.vector("forceOnF"), expected.wrenches.on_f.force);
    assert_eq!(instance.vector("torqueOnF"), expected.wrenches.on_f.torque);
    assert_eq!(instance.vector("torqueOnEAtF"), expected.wrenches.torque_on_e_at_f);
    assert_eq!(instance.boolean("enclosed"), expected.enclosed.into());
    assert_eq!(instance.boolean("borderInContact"), expected.border_in_contact.into());
    assert_eq!(instance.boolean("inContact"), expected.in_contact.into());
    for (name, count) in [
        ("patchCount", expected.patch_count),
        ("elementCount", expected.element_count),
        ("polygonCount", expected.polygon_count),
        ("lineCount", expected.line_count),
        ("boundingVolumeTests", expected.bounding_volume_tests),
        ("triangleTests", expected.triangle_tests),
    ] {
        assert_eq!(instance.integer(name), count as i32, "{name}");
    }
    for (name, value) in [
        ("contactArea", expected.contact_area),
        ("meanPenetration", expected.mean_penetration),
        ("maxPenetration", expected.max_penetration),
        ("normalVelocity.min", expected.normal_velocity.min),
        ("normalVelocity.mean", expected.normal_velocity.mean),
        ("normalVelocity.max", expected.normal_velocity.max),
        ("tangentialVelocity.min", expected.tangential_velocity.min),
        ("tangentialVelocity.mean", expected.tangential_velocity.mean),
        ("tangentialVelocity.max", expected.tangential_velocity.max),
        ("normalStress.mean", expected.normal_stress.mean),
        ("normalStress.max", expected.normal_stress.max),
        ("tangentialStress.mean", expected.tangential_stress.mean),
        ("tangentialStress.max", expected.tangential_stress.max),
        ("elasticEnergy", expected.elastic_energy),
        ("dissipatedPower", expected.dissipated_power),
        ("evaluationTime.total", 0.0),
        ("evaluationTime.collisionDetection", 0.0),
        ("evaluationTime.intersectionPolygons", 0.0),
        ("evaluationTime.contactElements", 0.0),
        ("evaluationTime.contactForce", 0.0),
    ] {
        assert_eq!(instance.real(name), value, "{name}");
    }
    assert_eq!(instance.vector("contactPosition"), expected.contact_position_e);
    assert_eq!(instance.vector("contactNormal"), expected.contact_normal_e);
}

/// Every output, bit for bit: in initialization mode, after a step, and between steps.
#[test]
fn outputs_are_the_force_element_at_the_inputs_last_set() {
    let fmu = Fmu::sphere_on_plate(&format!("{SPHERE_ON_PLATE}{WITHOUT_MEMORY}"));
    let surfaces = fmu.surfaces();
    let expected = evaluated(&surfaces, &RawParameters::default(), motion());
    assert!(expected.in_contact && expected.friction_is_at_work());
    let instance = fmu.instantiate();
    assert_eq!(instance.set_integer("stepOutput", HOLD), fmi2OK);
    assert_eq!(api::enter_initialization_mode(instance.handle), fmi2OK);
    set_motion(&instance, motion());
    assert_outputs(&instance, &expected);
    assert_eq!(api::exit_initialization_mode(instance.handle), fmi2OK);
    assert_outputs(&instance, &expected);
    assert_eq!(instance.step(0.0, 1e-3), fmi2OK);
    assert_outputs(&instance, &expected);
    let mut deeper = motion();
    deeper.0.z += 0.5e-3;
    set_motion(&instance, deeper);
    assert_outputs(&instance, &evaluated(&surfaces, &RawParameters::default(), deeper));
    set_motion(&instance, motion());
    assert_outputs(&instance, &expected);
    assert_eq!(instance.messages(), []);
}

trait FrictionIsAtWork {
    fn friction_is_at_work(&self) -> bool;
}

impl FrictionIsAtWork for Outcome {
    fn friction_is_at_work(&self) -> bool {
        0.0 < self.tangential_stress.max
    }
}

#[test]
fn extrapolation_evaluates_at_the_pose_advanced_by_the_given_number_of_steps() {
    let fmu = Fmu::sphere_on_plate(&format!("{SPHERE_ON_PLATE}{WITHOUT_MEMORY}"));
    let surfaces = fmu.surfaces();
    let instance = fmu.initialized();
    let (r, a, v, w) = motion();
    let (acceleration, angular) = (Vector::new(3.0, 1.0, -9.81), Vector::new(0.0, 0.0, 20.0));
    set_motion(&instance, (r, a, v, w));
    assert_eq!(instance.set_integer("stepOutput", EXTRAPOLATE), fmi2OK);
    assert_eq!(instance.set_real("extrapolationSteps", 1.5), fmi2OK);
    for accelerated in [false, true] {
        let (dv, dw) = if accelerated { (acceleration, angular) } else { (Vector::zeros(), Vector::zeros()) };
        if accelerated {
            let references =
                [instance.vector_references("relativeVelocity"), instance.vector_references("relativeAngularVelocity")]
                    .concat();
            let values = [dv.as_slice(), dw.as_slice()].concat();
            assert_eq!(api::set_real_input_derivatives(instance.handle, &references, &[1; 6], &values), fmi2OK);
        }
        let step = 1e-3;
        assert_eq!(instance.step(0.0, step), fmi2OK);
        let t = 1.5 * step;
        let turn = Rotation::new(w * t + dw * (0.5 * t * t));
        let advanced = (r + v * t + dv * (0.5 * t * t), turn * a, v + dv * t, w + dw * t);
        let expected = evaluated(&surfaces, &RawParameters::default(), advanced);
        // 1e-9: the pose is rounded in another order, and 1 ulp of 0.1 m is 1e-14 of a depth of 1 mm.
        let force = instance.vector("forceOnE");
        assert!(
            (force - expected.wrenches.on_e.force).norm() < 1e-9 * force.norm(),
            "{force} {}",
            expected.wrenches.on_e.force
        );
        assert!((instance.real("maxPenetration") - expected.max_penetration).abs() < 1e-12);
        assert!((instance.real("normalVelocity.max") - expected.normal_velocity.max).abs() < 1e-9);
    }
    // Setting an input brings the outputs back to the inputs.
    set_motion(&instance, (r, a, v, w));
    assert_outputs(&instance, &evaluated(&surfaces, &RawParameters::default(), (r, a, v, w)));
}

#[test]
fn the_mean_wrench_times_the_step_is_the_impulse_over_the_step() {
    let fmu = Fmu::sphere_on_plate(&format!("{SPHERE_ON_PLATE}{WITHOUT_MEMORY}"));
    let surfaces = fmu.surfaces();
    let instance = fmu.initialized();
    // From 0.2 mm above the plate, so that the contact begins within the step.
    let (r, a, v, w) = (Vector::new(0.003, -0.002, -0.1002), motion().1, Vector::new(0.1, -0.2, 1.0), motion().3);
    set_motion(&instance, (r, a, v, w));
    assert_eq!(instance.set_integer("stepOutput", MEAN), fmi2OK);
    let step = 1e-3;
    assert_eq!(instance.step(0.0, step), fmi2OK);
    let at = |t: f64| evaluated(&surfaces, &RawParameters::default(), (r + v * t, Rotation::new(w * t) * a, v, w));
    let count = 4000;
    let (mut force, mut torque, mut force_f) = (Vector::zeros(), Vector::zeros(), Vector::zeros());
    for i in 0..count {
        let outcome = at(step * (f64::from(i) + 0.5) / f64::from(count));
        force += outcome.wrenches.on_e.force / f64::from(count);
        torque += outcome.wrenches.on_e.torque / f64::from(count);
        force_f += outcome.wrenches.on_f.force / f64::from(count);
    }
    // 21 sub-steps of half the damping depth; a kink costs at most 1/(4 · 21²) = 0.06 % of the peak's share.
    let tolerance = 1e-3;
    assert!(
        (instance.vector("forceOnE") - force).norm() < tolerance * force.norm(),
        "{}",
        instance.vector("forceOnE") - force
    );
    assert!((instance.vector("torqueOnE") - torque).norm() < tolerance * torque.norm());
    assert!((instance.vector("forceOnF") - force_f).norm() < tolerance * force_f.norm());
    // The other outputs belong to the end of the step.
    assert!((instance.real("maxPenetration") - at(step).max_penetration).abs() < 1e-12);
    assert_eq!(instance.integer("elementCount"), at(step).element_count as i32);
    // At rest the mean is the value itself.
    set_motion(&instance, (motion().0, a, Vector::zeros(), Vector::zeros()));
    assert_eq!(instance.step(step, step), fmi2OK);
    assert_outputs(
        &instance,
        &evaluated(&surfaces, &RawParameters::default(), (motion().0, a, Vector::zeros(), Vector::zeros())),
    );
}

#[test]
fn matrix_quaternion_and_cardan_angles_give_the_same_forces() {
    let (alpha, beta, gamma) = (0.02, -0.03, 0.4);
    let rotation = Rotation::from_axis_angle(&Vector::x_axis(), alpha)
        * Rotation::from_axis_angle(&Vector::y_axis(), beta)
        * Rotation::from_axis_angle(&Vector::z_axis(), gamma);
    let (r, _, v, w) = motion();
    let mut forces = Vec::new();
    for kind in ["matrix", "quaternion", "cardan"] {
        let fmu = Fmu::sphere_on_plate(&format!("orientation = \"{kind}\"\n{SPHERE_ON_PLATE}"));
        let instance = fmu.initialized();
        let q = nalgebra::UnitQuaternion::from_rotation_matrix(&rotation);
        let (names, numbers): (Vec<String>, Vec<f64>) = match kind {
            "matrix" => (
                (1..=3).flat_map(|i| (1..=3).map(move |j| format!("relativeOrientation[{i},{j}]"))).collect(),
                row_major(rotation.matrix()),
            ),
            "quaternion" => ((1..=4).map(|i| format!("relativeQuaternion[{i}]")).collect(), vec![q.w, q.i, q.j, q.k]),
            _ => ((1..=3).map(|i| format!("relativeAngles[{i}]")).collect(), vec![alpha, beta, gamma]),
        };
        let references: Vec<u32> = names.iter().map(|name| instance.reference(name)).collect();
        assert_eq!(api::set_real(instance.handle, &references, references.len(), &numbers), fmi2OK);
        assert_eq!(instance.set_vector("relativePosition", r), fmi2OK);
        assert_eq!(instance.set_vector("relativeVelocity", v), fmi2OK);
        assert_eq!(instance.set_vector("relativeAngularVelocity", w), fmi2OK);
        assert_eq!(instance.step(0.0, 1e-3), fmi2OK);
        forces.push(instance.vector("forceOnE"));
    }
    assert!(1.0 < forces[0].norm());
    for force in &forces {
        // Rotations that differ by 1 ulp move the contact by 1e-17 m of 1e-3 m.
        assert!((force - forces[0]).norm() < 1e-10 * force.norm(), "{forces:?}");
    }
}

#[test]
fn a_slightly_wrong_rotation_is_projected_with_one_warning() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let instance = fmu.initialized();
    assert_eq!(instance.set_integer("stepOutput", HOLD), fmi2OK);
    let (r, a, v, w) = motion();
    set_motion(&instance, (r, a, v, w));
    let exact = instance.vector("forceOnE");
    let stretch = Matrix::new(1.0003, 1e-4, 0.0, 1e-4, 0.9998, 2e-5, 0.0, 2e-5, 1.0001);
    for _ in 0..3 {
        set_orientation(&instance, &(a.matrix() * stretch));
        assert_eq!(instance.step(0.0, 1e-3), fmi2OK);
        let force = instance.vector("forceOnE");
        assert!((force - exact).norm() < 1e-9 * exact.norm());
        instance.set_vector("relativePosition", r);
    }
    let warnings: Vec<_> = instance.take_messages().into_iter().filter(|m| m.text.contains("rotation")).collect();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert_eq!(warnings[0].category, "logStatusWarning");
}

/// The layer is 10 mm thick.
#[test]
fn a_depth_beyond_the_layer_is_told_once_and_a_start_there_in_other_words() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let step_at = |instance: &Instance, height: f64, time: f64| {
        instance.set_real("relativePosition[3]", height);
        assert_eq!(instance.step(time, 1e-3), fmi2OK);
        instance.boolean("beyondLayer") != 0
    };
    let instance = fmu.initialized();
    assert!(!step_at(&instance, -0.095, 0.0));
    assert_eq!(instance.take_messages(), []);
    assert!(step_at(&instance, -0.08, 1e-3));
    assert!(instance.only_message().contains("`beyondLayer`"));
    assert!(step_at(&instance, -0.07, 2e-3));
    assert_eq!(instance.take_messages(), []);
    let started_inside = fmu.initialized();
    assert!(step_at(&started_inside, -0.05, 0.0));
    assert!(started_inside.only_message().contains("starts in contact"));
}

/// A loose sheet on the upper side of the plate.
#[test]
fn a_defect_in_the_contact_is_told() {
    let (sphere, plate) = (shapes::icosphere(0.1, 2), shapes::cuboid(Vector::new(0.5, 0.5, 0.1)));
    let fmu = Fmu::new(SPHERE_ON_PLATE, &[("sphere.obj", &sphere), ("plate.obj", &plate)]);
    let mut text = std::fs::read_to_string(fmu.folder.join("plate.obj")).unwrap();
    // Two corners of a face on the upper side, and a new one far above them.
    let is_up = |face: &&[VertexIndex; 3]| face.iter().all(|corner| 0.0 < plate.vertices[corner.index()].z);
    let [a, b, _] = plate.faces.iter().find(is_up).unwrap();
    text += &format!("v 0.2 0.2 0.3\nf {} {} {}\n", a.0 + 1, b.0 + 1, plate.vertices.len() + 1);
    let path = std::env::temp_dir().join(format!("polycontact-sheet-{}.obj", std::process::id()));
    std::fs::write(&path, text).unwrap();
    let instance = fmu.instantiate();
    instance.set_string("surfaceF.file", &CString::new(path.to_str().unwrap()).unwrap());
    api::setup_experiment(instance.handle, 0.0, None);
    assert_eq!(api::enter_initialization_mode(instance.handle), fmi2OK);
    api::exit_initialization_mode(instance.handle);
    let messages = instance.take_messages();
    assert!(messages.iter().any(|message| message.text.contains("could not be repaired")), "{messages:?}");
    instance.set_real("relativePosition[3]", -0.145);
    assert_eq!(instance.step(0.0, 1e-3), fmi2OK);
    // The middle of the upper side belongs to both of its faces.
    assert_ne!(instance.boolean("defectInContact"), 0);
    assert!(instance.take_messages().iter().any(|message| message.text.contains("`defectInContact`")));
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn a_matrix_that_is_no_rotation_is_refused_and_printed_and_outputs_stay() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let instance = fmu.initialized();
    assert_eq!(instance.set_integer("stepOutput", HOLD), fmi2OK);
    set_motion(&instance, motion());
    let good = instance.vector("forceOnE");
    for bad in [Matrix::identity() * 1.01, Matrix::from_diagonal(&Vector::new(1.0, -1.0, 1.0)), Matrix::zeros()] {
        set_orientation(&instance, &bad);
        let (status, values) = api::get_real(instance.handle, &instance.vector_references("forceOnE"), 3);
        assert_eq!(status, fmi2Error);
        assert_eq!(values, good.as_slice());
        let message = instance.only_message();
        assert!(
            message.contains(&format!("{:?}", bad[(1, 1)])) && message.contains("relativeOrientation"),
            "{message}"
        );
    }
    // The refusal of a getter is no failed step: correct inputs go on.
    set_motion(&instance, motion());
    assert_eq!(instance.step(0.0, 1e-3), fmi2OK);
    assert_eq!(instance.vector("forceOnE"), good);
}

#[test]
fn numbers_that_are_not_finite_are_refused_and_the_whole_call_changes_nothing() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let instance = fmu.initialized();
    set_motion(&instance, motion());
    let before = instance.all_bits();
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for name in ["relativePosition", "relativeVelocity", "relativeAngularVelocity"] {
            assert_eq!(instance.set_vector(name, Vector::new(1.0, bad, 2.0)), fmi2Error);
            assert!(instance.only_message().contains(&format!("`{name}[2]` is {bad}")));
        }
        assert_eq!(instance.set_real("arealDamping", bad), fmi2Error);
        assert_eq!(instance.set_real("extrapolationSteps", bad), fmi2Error);
        let reference = instance.reference("relativeVelocity[1]");
        assert_eq!(api::set_real_input_derivatives(instance.handle, &[reference], &[1], &[bad]), fmi2Error);
        instance.take_messages();
    }
    assert_eq!(instance.all_bits(), before);
}

/// Two parameters that are only right together can be set one after the other.
#[test]
fn rules_between_parameters_are_checked_when_they_are_used() {
    let fmu = Fmu::sphere_on_plate(&format!("{SPHERE_ON_PLATE}{WITHOUT_MEMORY}"));
    let surfaces = fmu.surfaces();
    let instance = fmu.initialized();
    set_motion(&instance, motion());
    let good = instance.vector("forceOnE");
    assert_eq!(instance.set_real("surfaceE.youngsModulus", 0.0), fmi2OK);
    let (status, values) = api::get_real(instance.handle, &instance.vector_references("forceOnE"), 3);
    assert_eq!((status, values.as_slice()), (fmi2Error, good.as_slice()));
    assert!(instance.only_message().contains("`surfaceE.youngsModulus` and `surfaceF.youngsModulus` are both 0"));
    assert_eq!(instance.set_real("surfaceF.youngsModulus", 2e6), fmi2OK);
    let mut raw = RawParameters::default();
    (raw.layer_e.youngs_modulus, raw.layer_f.youngs_modulus) = (0.0, 2e6);
    assert_outputs(&instance, &evaluated(&surfaces, &raw, motion()));
    assert_eq!(instance.set_real("frictionRegularizationVelocity", 0.0), fmi2OK);
    assert_eq!(instance.step(0.0, 1e-3), fmi2Error);
    assert!(instance.only_message().contains("`frictionRegularizationVelocity` is 0, but must be"));
}

/// VALIDATION: wheel and ground of the dissertation, c_l = 5.762e8 N/m³ and λ = 0.896.
#[test]
fn calculated_parameters_combine_the_layers() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let instance = fmu.instantiate();
    for (name, value) in [
        ("surfaceE.youngsModulus", 3e6),
        ("surfaceE.poissonsRatio", 0.4),
        ("surfaceE.layerThickness", 0.01),
        ("surfaceF.youngsModulus", 5e6),
        ("surfaceF.poissonsRatio", 0.2),
        ("surfaceF.layerThickness", 0.001),
    ] {
        assert_eq!(instance.set_real(name, value), fmi2OK);
    }
    assert_eq!(api::enter_initialization_mode(instance.handle), fmi2OK);
    // Four printed digits.
    assert!((instance.real("combinedLayerStiffness") / 5.762e8 - 1.0).abs() < 1e-4);
    assert!((instance.real("penetrationRatio") - 0.896).abs() < 5e-4);
    assert_eq!((instance.integer("surfaceE.triangles"), instance.integer("surfaceF.triangles")), (320, 12));
}

/// Without damping and friction the force is the gradient of the energy: dW/dt = F·v along the motion.
#[test]
fn the_output_derivative_of_the_energy_is_the_power_of_the_force() {
    let head = "[contact]\nareal-damping = 0\nfriction-coefficient = 0\n";
    let fmu = Fmu::sphere_on_plate(&format!("{SPHERE_ON_PLATE}\n{head}"));
    let instance = fmu.initialized();
    let (r, _, v, _) = motion();
    set_motion(&instance, (r, Rotation::identity(), v, Vector::zeros()));
    let power = instance.vector("forceOnE").dot(&v);
    for step_output in [HOLD, EXTRAPOLATE, MEAN] {
        assert_eq!(instance.set_integer("stepOutput", step_output), fmi2OK);
        assert_eq!(instance.set_real("extrapolationSteps", 0.0), fmi2OK);
        assert_eq!(instance.step(0.0, 1e-4), fmi2OK);
        let reference = [instance.reference("elasticEnergy")];
        let (status, values) = api::get_real_output_derivatives(instance.handle, &reference, &[1]);
        assert_eq!(status, fmi2OK);
        let expected = if step_output == MEAN {
            // At the end of the step.
            set_motion(&instance, (r + v * 1e-4, Rotation::identity(), v, Vector::zeros()));
            instance.vector("forceOnE").dot(&v)
        } else {
            power
        };
        // 1e-6: the second order of a difference over 1e-7 s · 0.3 m/s against a depth of 1 mm is 1e-9.
        assert!((values[0] / expected - 1.0).abs() < 1e-6, "{} {expected}", values[0]);
    }
    let force = [instance.reference("forceOnE[3]")];
    assert_eq!(api::get_real_output_derivatives(instance.handle, &force, &[2]).0, fmi2Error);
    let input = [instance.reference("relativePosition[1]")];
    assert_eq!(api::get_real_output_derivatives(instance.handle, &input, &[1]).0, fmi2Error);
}

#[test]
fn input_derivatives_are_first_derivatives_of_inputs() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let instance = fmu.initialized();
    let set = |name: &str, order| {
        api::set_real_input_derivatives(instance.handle, &[instance.reference(name)], &[order], &[1.0])
    };
    assert_eq!(set("relativeVelocity[1]", 1), fmi2OK);
    assert_eq!(set("relativePosition[1]", 1), fmi2OK);
    for (name, order) in
        [("relativeVelocity[1]", 2), ("relativeVelocity[1]", 0), ("forceOnE[1]", 1), ("arealDamping", 1)]
    {
        assert_eq!(set(name, order), fmi2Error);
        assert!(instance.only_message().contains(name));
    }
}

#[test]
fn times_are_checked_and_the_stop_time_ends_the_run() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let instance = fmu.instantiate();
    assert_eq!(api::setup_experiment(instance.handle, f64::NAN, None), fmi2Error);
    assert_eq!(api::setup_experiment(instance.handle, 1.0, Some(0.5)), fmi2Error);
    assert_eq!(api::setup_experiment(instance.handle, 1.0, Some(1.3)), fmi2OK);
    assert_eq!(api::enter_initialization_mode(instance.handle), fmi2OK);
    assert_eq!(api::exit_initialization_mode(instance.handle), fmi2OK);
    instance.take_messages();
    for bad in [0.0, -0.1, f64::NAN, f64::INFINITY] {
        assert_eq!(instance.step(1.0, bad), fmi2Error);
        assert!(instance.only_message().contains("communicationStepSize"));
    }
    assert_eq!(instance.step(f64::NAN, 0.1), fmi2Error);
    instance.take_messages();
    // 1.0 + 0.1 + 0.1 + 0.1 is a little more than 1.3.
    let mut time = 1.0;
    for _ in 0..3 {
        assert_eq!(instance.step(time, 0.1), fmi2OK);
        time += 0.1;
    }
    assert_eq!(instance.messages(), []);
    assert_eq!(instance.step(time, 0.1), fmi2Error);
    assert!(instance.only_message().contains("stopTime 1.3"));
    // A host with its own idea of time is warned once and followed.
    assert_eq!(instance.step(0.0, 0.1), fmi2OK);
    assert_eq!(instance.step(0.7, 0.1), fmi2OK);
    assert!(instance.only_message().contains("the last step ended at"));
    assert_eq!(api::get_real_status(instance.handle, 2).1, 0.7 + 0.1);
}

/// What the description says of dependencies without a step is true: other inputs do not change an output.
#[test]
fn outputs_change_with_their_declared_inputs_only() {
    for (method, elements) in [("auto", "potential"), ("two-pass", "potential"), ("master-e", "centroid")] {
        velocity_dependencies_are_as_declared(method, elements);
    }
}

fn velocity_dependencies_are_as_declared(method: &str, elements: &str) {
    let contact = format!("{WITHOUT_MEMORY}method = \"{method}\"\nelements = \"{elements}\"");
    let fmu = Fmu::sphere_on_plate(&format!("{SPHERE_ON_PLATE}\n{contact}"));
    let instance = fmu.initialized();
    // 10 mm deep: the centroids of these coarse faces must reach into the plate.
    let (r, a) = (Vector::new(0.003, -0.002, -0.09), motion().1);
    let value = |name: &str, kind: &Kind| match kind {
        Kind::Real { .. } => instance.real(name).to_bits(),
        Kind::Boolean => instance.boolean(name) as u64,
        _ => instance.integer(name) as u64,
    };
    let outputs: Vec<_> = instance.table.variables().iter().filter(|v| v.causality.name() == "output").collect();
    let is_velocity = |position: &usize| instance.table.variables()[*position].name.contains("Velocity");
    let mut changed = vec![false; outputs.len()];
    let mut first: Option<Vec<u64>> = None;
    // Closing, opening fast enough to lift off, sliding, spinning.
    for (v, w) in [
        (Vector::zeros(), Vector::zeros()),
        (Vector::new(0.0, 0.0, 0.5), Vector::zeros()),
        (Vector::new(0.0, 0.0, -50.0), Vector::zeros()),
        (Vector::new(2.0, -1.0, 0.0), Vector::new(1.0, 2.0, 3.0)),
    ] {
        set_motion(&instance, (r, a, v, w));
        let now: Vec<u64> = outputs.iter().map(|output| value(&output.name, &output.kind)).collect();
        if let Some(first) = &first {
            for ((changed, before), now) in changed.iter_mut().zip(first).zip(&now) {
                *changed |= before != now;
            }
        }
        first.get_or_insert(now);
    }
    for (output, changed) in outputs.iter().zip(changed) {
        let declared = output.initial_dependencies.iter().any(is_velocity);
        // Times are no function of the inputs; here they are not measured.
        let is_time = output.name.starts_with("evaluationTime");
        // Zero, since they are not asked for.
        let is_matrix = output.name.starts_with("stiffness[") || output.name.starts_with("damping[");
        assert!(declared == changed || is_time || is_matrix, "{}: declared {declared}, found {changed}", output.name);
    }
}

#[test]
fn times_are_measured_on_request_only() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let instance = fmu.instantiate();
    assert_eq!(instance.set_boolean("measureTime", 1), fmi2OK);
    instance.initialize();
    set_motion(&instance, motion());
    let total = instance.real("evaluationTime.total");
    // More than no time, less than a slow machine needs for 320 faces.
    assert!(0.0 < total && total < 1.0, "{total}");
    assert_eq!(instance.set_boolean("measureTime", 0), fmi2Error);
}

#[test]
fn a_body_inside_the_other_is_reported_once() {
    let (small, large) = (shapes::icosphere(0.1, 1), shapes::cuboid(Vector::new(2.0, 2.0, 2.0)));
    let fmu = Fmu::new(SPHERE_ON_PLATE, &[("sphere.obj", &small), ("plate.obj", &large)]);
    let instance = fmu.initialized();
    let (low, high) = large.vertices.iter().fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(v.z), h.max(v.z)));
    assert_eq!(instance.set_vector("relativePosition", Vector::new(0.0, 0.0, -0.5 * (low + high))), fmi2OK);
    assert_eq!(instance.boolean("enclosed"), 1);
    assert_eq!(instance.step(0.0, 1e-3), fmi2OK);
    assert_eq!(instance.step(1e-3, 1e-3), fmi2OK);
    assert!(instance.only_message().contains("`enclosed`"));
    assert_eq!(instance.vector("forceOnE"), Vector::zeros());
}

#[test]
fn strings_are_returned_as_they_were_set() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let instance = fmu.instantiate();
    let references = ["surfaceE.file", "surfaceF.file"].map(|name| instance.reference(name));
    assert_eq!(api::set_string(instance.handle, &references, &[Some(c"a\xff b.obj"), Some(c"")]), fmi2OK);
    assert_eq!(api::enter_initialization_mode(instance.handle), fmi2OK);
    let (status, texts) = api::get_string(instance.handle, &references, 2);
    assert_eq!(status, fmi2OK);
    assert_eq!(texts, [Some(c"a\xff b.obj".to_owned()), Some(c"".to_owned())]);
    assert_eq!(api::exit_initialization_mode(instance.handle), fmi2Error);
    instance.take_messages();
}

/// What was asked for before must not show: new inputs are outputs at those inputs.
#[test]
fn output_derivatives_do_not_depend_on_what_was_asked_before() {
    let fmu = Fmu::sphere_on_plate(&format!("{SPHERE_ON_PLATE}\n[contact]\nstep-output = \"extrapolate\""));
    let derivative = |asks_first: bool| {
        let instance = fmu.initialized();
        let (_, a, _, w) = motion();
        let closing = Vector::new(0.0, 0.0, 0.2);
        set_motion(&instance, (Vector::new(0.0, 0.0, -0.095), a, closing, w));
        assert_eq!(api::do_step(instance.handle, 0.0, 1e-3), fmi2OK);
        set_motion(&instance, (Vector::new(0.0, 0.0, -0.094), a, closing, w));
        if asks_first {
            instance.vector("forceOnE");
        }
        let force = [instance.reference("forceOnE[3]")];
        let (status, values) = api::get_real_output_derivatives(instance.handle, &force, &[1]);
        assert_eq!(status, fmi2OK);
        values[0].to_bits()
    };
    assert_eq!(derivative(false), derivative(true));
}

/// A diverging master gets an error, and keeps the last good outputs.
#[test]
fn outputs_beyond_the_range_of_numbers_are_refused() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let instance = fmu.initialized();
    let (_, a, _, w) = motion();
    let pose = Vector::new(0.0, 0.0, -0.095);
    set_motion(&instance, (pose, a, Vector::zeros(), w));
    let good = instance.vector("forceOnE");
    assert!(good.iter().all(|x| x.is_finite()) && 0.0 < good.norm());
    assert_eq!(instance.set_vector("relativeVelocity", Vector::new(1e160, 0.0, 1e160)), fmi2OK);
    let force = instance.vector_references("forceOnE");
    let (status, values) = api::get_real(instance.handle, &force, 3);
    assert_eq!(status, fmi2Error);
    assert_eq!(values, good.as_slice());
}
