//! Directional derivatives through the C interface, against differences that a host could take itself.

use crate::fmi2_support::{Fmu, Instance, SPHERE_ON_PLATE, WITHOUT_MEMORY, api, fmi2Error, fmi2OK};
use polycontact::fmu::{Causality, Interface, Kind, Variability, Variable};
use polycontact::math::{Rotation, Vector};
use polycontact::shapes::{comb, cuboid, gear, l_profile, torus};

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

/// Steps of the differences: of the pose in m and in entries of the orientation, of velocities in m/s and rad/s, of
/// parameters as a part of them, of the states of bristles in m, rad and J. Differences of one and two steps are extrapolated.
const POSE_STEP: f64 = 1e-6;
const VELOCITY_STEP: f64 = 1e-4;
const PARAMETER_STEP: f64 = 1e-4;
const STATE_STEP: f64 = 1e-7;

/// Where differences of one and two steps are farther apart than this part of the largest derivative, there is a kink in
/// between, such as a corner that just touches, and nothing can be compared.
const KINK: f64 = 1e-5;

/// Not more than this part of the derivatives may be left out for kinks.
const MOST_KINKS: f64 = 0.1;

/// Of the largest derivative of a quantity by an input or parameter of the same kind: what is by formula, without friction.
const EXACT: f64 = 1e-4;

/// Likewise with friction, whose quadrature depends on where walls between pieces are: how these move is left out. The
/// largest of the pairs below is 6e-3.
const FRICTION: f64 = 2e-2;

/// Likewise where both sides are differences: of nearest points, of stiffness and damping.
const DIFFERENCES: f64 = 2e-2;

/// Rounding of an output over the step of a difference: sums over hundreds of pieces.
const ROUNDING: f64 = 1e-11;

/// The mean slip speed does not depend on damping, but the points that it is summed up at do: a part of the speed, over the
/// parameter.
const SLIP_POINTS: f64 = 1e-5;

/// Outputs that friction has no part in.
const WITHOUT_FRICTION: [&str; 8] = [
    "contactArea",
    "meanPenetration",
    "maxPenetration",
    "normalVelocity",
    "normalStress",
    "elasticEnergy",
    "gap",
    "combinedLayerStiffness",
];

/// Reals that are chosen, with their names.
fn reals(instance: &Instance, is_chosen: impl Fn(&Variable) -> bool) -> Vec<(u32, String)> {
    let variables = instance.table.variables().iter().filter(|v| matches!(v.kind, Kind::Real { .. }) && is_chosen(v));
    variables.map(|variable| (variable.value_reference, variable.name.clone())).collect()
}

fn directional(instance: &Instance, unknown: u32, known: u32) -> f64 {
    let (status, values) = api::get_directional_derivative(instance.handle, &[unknown], &[known], &[1.0]);
    assert_eq!(status, fmi2OK, "{:?}", instance.messages());
    values[0]
}

/// Sets an input, a parameter, or a continuous state.
fn set(instance: &Instance, known: u32, value: f64) {
    let states: Vec<u32> = instance.table.states().map(|state| state as u32).collect();
    let Some(place) = states.iter().position(|state| *state == known) else {
        assert_eq!(api::set_real(instance.handle, &[known], 1, &[value]), fmi2OK, "{:?}", instance.messages());
        return;
    };
    let mut numbers = api::get_continuous_states(instance.handle, states.len()).1;
    numbers[place] = value;
    set_states(instance, &numbers);
}

/// In event mode, where parameters may change too.
fn set_states(instance: &Instance, numbers: &[f64]) {
    assert_eq!(api::enter_continuous_time_mode(instance.handle), fmi2OK);
    assert_eq!(api::set_continuous_states(instance.handle, numbers), fmi2OK, "{:?}", instance.messages());
    assert_eq!(api::enter_event_mode(instance.handle), fmi2OK);
}

/// Central differences through the C interface: extrapolated, and how far the one of two steps is from that of one.
fn differences(instance: &Instance, known: u32, unknowns: &[u32], step: f64) -> Vec<[f64; 2]> {
    let value = api::get_real(instance.handle, &[known], 1).1[0];
    let at = |value: f64| {
        set(instance, known, value);
        let (status, values) = api::get_real(instance.handle, unknowns, unknowns.len());
        assert_eq!(status, fmi2OK);
        values
    };
    let difference = |steps: f64| -> Vec<f64> {
        let (low, high) = (value - steps * step, value + steps * step);
        at(low).iter().zip(at(high)).map(|(before, after)| (after - before) / (high - low)).collect()
    };
    let (fine, coarse) = (difference(1.0), difference(2.0));
    at(value);
    fine.iter().zip(&coarse).map(|(fine, coarse)| [(4.0 * fine - coarse) / 3.0, fine - coarse]).collect()
}

/// The kind of a variable: its name without indices and parts.
fn kind(name: &str) -> &str {
    name.split(['[', '.']).next().unwrap_or(name)
}

/// Wrenches on both bodies are off by the same friction.
fn quantity(name: &str) -> &str {
    ["force", "torque"]
        .into_iter()
        .find(|wrench| name.starts_with(wrench))
        .unwrap_or(name.split('[').next().unwrap_or(name))
}

fn step(instance: &Instance, known: u32, name: &str) -> f64 {
    match kind(name) {
        "relativePosition" | "relativeOrientation" | "relativeQuaternion" | "relativeAngles" => POSE_STEP,
        "relativeVelocity" | "relativeAngularVelocity" => VELOCITY_STEP,
        "state" => STATE_STEP,
        _ => PARAMETER_STEP * api::get_real(instance.handle, &[known], 1).1[0].abs(),
    }
}

/// All pairs of known and unknown.
fn compare(pair: &str, has_inner_edges: bool, instance: &Instance) {
    let is_other = |name: &str| name.starts_with("evaluationTime") || name.starts_with("state");
    let unknowns = reals(instance, |v| v.is_calculated() && !is_other(&v.name));
    let references: Vec<u32> = unknowns.iter().map(|(reference, _)| *reference).collect();
    let has_states = api::get_continuous_states(instance.handle, instance.table.states().count()).0 == fmi2OK;
    instance.take_messages();
    let knowns = reals(instance, |v| {
        let is_tunable = v.causality == Causality::Parameter && v.variability == Variability::Tunable;
        // Nothing depends on what has been lost so far.
        let is_state = has_states && (v.name.starts_with("state.deflection") || v.name == "state.bristleEnergy");
        v.causality == Causality::Input || is_tunable || is_state
    });
    // No difference where a parameter is 0, which has one side only; and what is tunable for steps has no part here.
    let is_zero = |known: u32| api::get_real(instance.handle, &[known], 1).1[0] == 0.0;
    let is_parameter = |name: &str| !name.starts_with("relative") && !name.starts_with("state");
    let knowns: Vec<_> = knowns.into_iter().filter(|(known, name)| !is_parameter(name) || !is_zero(*known)).collect();
    let all: Vec<Vec<[f64; 2]>> = knowns
        .iter()
        .map(|(known, name)| differences(instance, *known, &references, step(instance, *known, name)))
        .collect();
    let (mut compared, mut left_out) = (0, 0);
    for ((known, name), of_known) in knowns.iter().zip(&all) {
        let value = api::get_real(instance.handle, &[*known], 1).1[0];
        let of_kind: Vec<&Vec<[f64; 2]>> =
            knowns.iter().zip(&all).filter(|((_, other), _)| kind(other) == kind(name)).map(|(_, of)| of).collect();
        for (index, (unknown, output)) in unknowns.iter().enumerate() {
            let largest = |place: usize| {
                let alike = (0..unknowns.len()).filter(|other| quantity(&unknowns[*other].1) == quantity(output));
                let all = alike.flat_map(|alike| of_kind.iter().map(move |of| of[alike][place].abs()));
                all.fold(0.0, f64::max)
            };
            let found = directional(instance, *unknown, *known);
            // Next to inner edges the energy itself is off; its derivative is the work of the springs, see below.
            if output == "elasticEnergy" && has_inner_edges && kind(name).starts_with("relative") {
                continue;
            }
            // Of the point that attains it, which is a corner of a piece that may move.
            if output == "tangentialVelocity.min" && kind(name) != "relativeVelocity" {
                continue;
            }
            let scale = largest(0);
            let at_value = api::get_real(instance.handle, &[*unknown], 1).1[0];
            let step = step(instance, *known, name);
            let mut rounding = ROUNDING * at_value.abs().max(1e-3) / step;
            if output == "tangentialVelocity.mean" && is_parameter(name) {
                rounding += SLIP_POINTS * at_value / value.abs();
            }
            if KINK * scale + rounding < largest(1) {
                left_out += 1;
                continue;
            }
            compared += 1;
            let is_by_differences =
                ["nearestPoint", "stiffness", "damping"].into_iter().any(|start| output.starts_with(start));
            let tolerance = match WITHOUT_FRICTION.contains(&kind(output)) {
                _ if is_by_differences => DIFFERENCES,
                true => EXACT,
                false => FRICTION,
            };
            let [expected, _] = of_known[index];
            assert!(
                (found - expected).abs() <= tolerance * scale + rounding,
                "{pair}: {output} by {name} = {value}: {found:e}, {expected:e}, of {scale:e}"
            );
        }
    }
    println!("{pair}: {compared} compared, {left_out} left out");
    assert!(
        (left_out as f64) <= MOST_KINKS * (compared + left_out) as f64,
        "{pair}: {left_out} of {compared} left out"
    );
}

/// Slides and turns, off every symmetry; `depth` into contact along z, by what the FMU says of the gap.
fn move_into_contact(instance: &Instance, position: Vector, angles: [f64; 3], depth: f64) {
    let rotation = Rotation::from_euler_angles(angles[0], angles[1], angles[2]);
    if instance.table.find("relativeOrientation[1,1]").is_some() {
        for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (i, j))) {
            let name = format!("relativeOrientation[{},{}]", i + 1, j + 1);
            assert_eq!(instance.set_real(&name, rotation.matrix()[(i, j)]), fmi2OK);
        }
    } else if instance.table.find("relativeQuaternion[1]").is_some() {
        let q = nalgebra::UnitQuaternion::from_rotation_matrix(&rotation);
        for (i, part) in [q.w, q.i, q.j, q.k].into_iter().enumerate() {
            assert_eq!(instance.set_real(&format!("relativeQuaternion[{}]", i + 1), part), fmi2OK);
        }
    } else {
        assert_eq!(instance.set_vector("relativeAngles", Vector::from(angles)), fmi2OK);
    }
    assert_eq!(instance.set_vector("relativeVelocity", Vector::new(0.05, -0.02, 0.1)), fmi2OK);
    assert_eq!(instance.set_vector("relativeAngularVelocity", Vector::new(0.1, 0.2, -0.3)), fmi2OK);
    // F comes from below until it is as deep; halved steps find the place.
    let (mut at, mut way) = (position, 0.2);
    for _ in 0..40 {
        assert_eq!(instance.set_vector("relativePosition", at + Vector::new(0.0, 0.0, way)), fmi2OK);
        if -depth < instance.real("gap") {
            at.z += way;
        }
        way *= 0.5;
    }
    assert_eq!(instance.set_vector("relativePosition", at), fmi2OK);
    assert!((instance.real("gap") + depth).abs() < 1e-6, "{}", instance.real("gap"));
    instance.take_messages();
}

/// Both kinds, where parameters may change too.
fn instances(fmu: &Fmu) -> [Instance; 2] {
    let exchange = fmu.in_continuous_time_mode();
    assert_eq!(api::enter_event_mode(exchange.handle), fmi2OK);
    [exchange, fmu.initialized()]
}

#[test]
fn derivatives_of_a_sphere_on_a_plate_in_each_form_of_the_orientation() {
    for form in ["matrix", "quaternion", "cardan"] {
        let fmu = Fmu::sphere_on_plate(&format!("orientation = \"{form}\"\n{SPHERE_ON_PLATE}{WITHOUT_MEMORY}"));
        for instance in instances(&fmu) {
            move_into_contact(&instance, Vector::new(0.011, 0.023, -0.2), [0.02, -0.03, 0.4], 3e-3);
            compare(form, false, &instance);
        }
    }
}

/// Both bodies are soft, so that their shares change with the layers; edges, inner edges, thin teeth.
#[test]
fn derivatives_of_edged_pairs() {
    let head = |damping: &str, friction: &str| {
        format!(
            "name = \"Edged\"\n[surface-e]\nmesh = \"e.obj\"\nyoungs-modulus = 1.0e7\nlayer-thickness = 0.02\n\
             [surface-f]\nmesh = \"f.obj\"\nyoungs-modulus = 3.0e7\npoissons-ratio = 0.4\n\
             [contact]\nfriction-model = \"regularized\"\nareal-damping = {damping}\nfriction-coefficient = {friction}\n\
             damping-transition-depth = 5e-4\nfriction-regularization-velocity = 0.02\n"
        )
    };
    let pairs = [
        ("comb and gear", comb(3, 0.03, 0.05, 0.03, 0.1), gear(12, 0.08, 0.1, 0.04)),
        ("angle and comb", l_profile(0.2, 0.06, 0.2), comb(4, 0.02, 0.05, 0.03, 0.1)),
        ("torus and gear", torus(0.1, 0.04, 24, 12), gear(12, 0.08, 0.1, 0.04)),
    ];
    for (name, e, f) in &pairs {
        for (damping, friction) in [("0.0", "0.0"), ("1.0e4", "0.0"), ("1.0e4", "0.3")] {
            let fmu = Fmu::new(&head(damping, friction), &[("e.obj", e), ("f.obj", f)]);
            let [exchange, _] = instances(&fmu);
            move_into_contact(&exchange, Vector::new(0.071, 0.023, -0.3), [0.2, -0.3, 0.4], 2e-3);
            compare(&format!("{name}, {damping}, {friction}"), true, &exchange);
            let energy = exchange.reference("elasticEnergy");
            let of_energy = exchange.vector_references("relativePosition").map(|r| directional(&exchange, energy, r));
            if (damping, friction) == ("0.0", "0.0") {
                let (found, expected) = (Vector::from(of_energy), exchange.vector("forceOnE"));
                assert!((found - expected).norm() <= 1e-9 * expected.norm(), "{name}: {found} {expected}");
            }
        }
    }
}

/// Bristles that stick, slip from the rim inwards, and slip all over: their deflection is a state.
#[test]
fn derivatives_of_edged_pairs_with_bristles() {
    let head = "name = \"Edged\"\n[surface-e]\nmesh = \"e.obj\"\nyoungs-modulus = 1.0e7\nlayer-thickness = 0.02\n\
                [surface-f]\nmesh = \"f.obj\"\nyoungs-modulus = 3.0e7\npoissons-ratio = 0.4\n\
                [contact]\nareal-damping = 1.0e4\nfriction-coefficient = 0.3\ndamping-transition-depth = 5e-4\n";
    let pairs = [
        ("box and gear", cuboid(Vector::new(0.2, 0.1, 0.1)), gear(12, 0.08, 0.1, 0.04)),
        ("angle and comb", l_profile(0.2, 0.06, 0.2), comb(4, 0.02, 0.05, 0.03, 0.1)),
        ("comb and gear", comb(3, 0.03, 0.05, 0.03, 0.1), gear(12, 0.08, 0.1, 0.04)),
    ];
    for (name, e, f) in &pairs {
        let fmu = Fmu::new(head, &[("e.obj", e), ("f.obj", f)]);
        for (what, size, turn) in [("stick", 2e-5, 0.0), ("slip at the rim", 2e-4, 2e-4), ("slip", 2e-3, 1e-3)] {
            let [exchange, _] = instances(&fmu);
            move_into_contact(&exchange, Vector::new(0.071, 0.023, -0.3), [0.2, -0.3, 0.4], 2e-3);
            let deflection = [size, -0.4 * size, 0.3 * size, 0.5 * turn, -turn, 0.7 * turn, 0.0, 0.0, 0.0];
            set_states(&exchange, &deflection);
            compare(&format!("{name}, {what}"), true, &exchange);
        }
    }
}

/// Apart there is a gap with a derivative, and nothing else.
#[test]
fn derivatives_apart() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    for instance in instances(&fmu) {
        assert_eq!(instance.set_vector("relativePosition", Vector::new(0.011, 0.023, -0.12)), fmi2OK);
        assert_eq!(instance.set_vector("relativeVelocity", Vector::new(0.05, -0.02, 0.1)), fmi2OK);
        compare("apart", false, &instance);
        let by = |known: &str| directional(&instance, instance.reference("gap"), instance.reference(known));
        // The nearest point of the plate is below the lowest vertex of the sphere.
        assert!(by("relativePosition[1]").abs() < 1e-15 && (by("relativePosition[3]") + 1.0).abs() < 1e-15);
        assert_eq!(by("relativeVelocity[3]"), 0.0);
        assert_eq!(directional(&instance, instance.reference("forceOnE[3]"), instance.reference("arealDamping")), 0.0);
    }
}

/// Without damping and friction all forces are proportional to c_l, and c_l to the modulus of the only layer.
#[test]
fn a_force_is_proportional_to_the_modulus_of_its_only_layer() {
    let instance = &instances(&Fmu::sphere_on_plate(SPHERE_ON_PLATE))[0];
    for name in ["arealDamping", "frictionCoefficient"] {
        assert_eq!(instance.set_real(name, 0.0), fmi2OK);
    }
    move_into_contact(instance, Vector::new(0.011, 0.023, -0.2), [0.02, -0.03, 0.4], 3e-3);
    let modulus = instance.real("surfaceE.youngsModulus");
    let (ratio, thickness) = (instance.real("surfaceE.poissonsRatio"), instance.real("surfaceE.layerThickness"));
    for output in ["forceOnE[3]", "torqueOnF[1]", "elasticEnergy", "normalStress.max", "combinedLayerStiffness"] {
        let value = instance.real(output);
        let by = |known: &str| directional(instance, instance.reference(output), instance.reference(known));
        let close = |found: f64, expected: f64| (found - expected).abs() <= 1e-12 * expected.abs();
        assert!(close(by("surfaceE.youngsModulus"), value / modulus), "{output}");
        assert!(close(by("surfaceE.layerThickness"), -value / thickness), "{output}");
        // (1 − ν) / ((1 + ν)(1 − 2ν)), logarithmically.
        let by_ratio = 2.0 / (1.0 - 2.0 * ratio) - 1.0 / (1.0 - ratio) - 1.0 / (1.0 + ratio);
        assert!(close(by("surfaceE.poissonsRatio"), value * by_ratio), "{output}");
        assert_eq!(
            (by("surfaceF.poissonsRatio"), by("surfaceF.layerThickness")),
            (0.0, 0.0),
            "a rigid body has no layer"
        );
        assert_eq!(by("dampingTransitionDepth"), 0.0, "nothing is damped");
    }
    // From nothing on, by a difference to one side: a dashpot d_l ∫ v_n dA below the transition depth, Coulomb's μ p above
    // the regularisation velocity.
    let by = |output: &str, known: &str| directional(instance, instance.reference(output), instance.reference(known));
    assert!(0.0 < by("dissipatedPower", "arealDamping") && 0.0 < by("tangentialStress.mean", "frictionCoefficient"));
    let (found, expected) = (by("tangentialStress.mean", "frictionCoefficient"), instance.real("normalStress.mean"));
    assert!((found / expected - 1.0).abs() < 1e-9, "{found} {expected}");
    let (status, _) = api::get_directional_derivative(
        instance.handle,
        &[instance.reference("forceOnE[3]")],
        &[instance.reference("surfaceF.youngsModulus")],
        &[1.0],
    );
    assert_eq!(status, fmi2Error);
    assert!(instance.only_message().contains("a modulus of 0 is a rigid body"));
}

#[test]
fn what_has_no_derivative_is_refused() {
    let instance = Fmu::sphere_on_plate(SPHERE_ON_PLATE).in_continuous_time_mode();
    move_into_contact(&instance, Vector::new(0.011, 0.023, -0.2), [0.02, -0.03, 0.4], 3e-3);
    let refused = |unknown: &str, known: &str, seed: f64| {
        let (unknown, known) = (instance.reference(unknown), instance.reference(known));
        let (status, values) = api::get_directional_derivative(instance.handle, &[unknown], &[known], &[seed]);
        assert_eq!(status, fmi2Error);
        assert!(values[0].is_nan(), "the host's memory is untouched");
        instance.only_message()
    };
    assert!(refused("forceOnE[1]", "surfaceE.scale", 1.0).contains("`surfaceE.scale`"));
    assert!(refused("forceOnE[1]", "forceOnE[2]", 1.0).contains("`forceOnE[2]`"));
    assert!(refused("relativePosition[1]", "relativePosition[2]", 1.0).contains("`relativePosition[1]`"));
    assert!(refused("forceOnE[1]", "relativePosition[1]", f64::NAN).contains("seed"));
    assert!(refused("patchCount", "relativePosition[1]", 1.0).contains("of type Integer"));
    // Seeds add up.
    let force = instance.reference("forceOnE[3]");
    let knowns = [instance.reference("relativePosition[1]"), instance.reference("relativePosition[3]")];
    let (status, sum) = api::get_directional_derivative(instance.handle, &[force], &knowns, &[2.0, -0.5]);
    assert_eq!(status, fmi2OK);
    let parts = knowns.map(|known| directional(&instance, force, known));
    assert!((sum[0] - (2.0 * parts[0] - 0.5 * parts[1])).abs() <= 1e-12 * sum[0].abs());
}

/// The published scheme has steps instead of derivatives: finite answers, by differences.
#[test]
fn the_published_scheme_answers_with_differences() {
    let fmu = Fmu::sphere_on_plate(&format!("{SPHERE_ON_PLATE}[contact]\nelements = \"centroid\"\n"));
    let [instance, _] = instances(&fmu);
    move_into_contact(&instance, Vector::new(0.011, 0.023, -0.2), [0.02, -0.03, 0.4], 3e-3);
    let by = |output: &str, known: &str| directional(&instance, instance.reference(output), instance.reference(known));
    let (value, modulus) = (instance.real("combinedLayerStiffness"), instance.real("surfaceE.youngsModulus"));
    assert!((by("combinedLayerStiffness", "surfaceE.youngsModulus") / (value / modulus) - 1.0).abs() < 1e-12);
    assert!(by("forceOnE[3]", "relativePosition[3]").is_finite());
    assert!(0.0 < by("forceOnE[3]", "surfaceE.youngsModulus"));
}

/// Both matrices are derivatives of the wrench on F along the axes of M_f; without the parameter they are 0.
#[test]
fn stiffness_and_damping_are_outputs_on_request() {
    let fmu = Fmu::sphere_on_plate(&format!("{SPHERE_ON_PLATE}{WITHOUT_MEMORY}"));
    let silent = fmu.initialized();
    move_into_contact(&silent, Vector::new(0.011, 0.023, -0.2), [0.02, -0.03, 0.4], 3e-3);
    assert_eq!(silent.real("stiffness[3,3]"), 0.0);
    for interface in Interface::ALL {
        let instance = fmu.instantiate_for(interface);
        assert_eq!(instance.set_boolean("stiffnessOutput", 1), fmi2OK);
        instance.initialize();
        let angles = [0.02, -0.03, 0.4];
        move_into_contact(&instance, Vector::new(0.011, 0.023, -0.2), angles, 3e-3);
        let rotation = Rotation::from_euler_angles(angles[0], angles[1], angles[2]);
        for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (i, j))) {
            let output = instance.reference(&format!("forceOnF[{}]", i + 1));
            // A motion along axis j of M_f.
            let seeds = rotation.matrix().column(j).iter().copied().collect::<Vec<_>>();
            for (matrix, input) in [("stiffness", "relativePosition"), ("damping", "relativeVelocity")] {
                let knowns = instance.vector_references(input);
                let (status, values) = api::get_directional_derivative(instance.handle, &[output], &knowns, &seeds);
                assert_eq!(status, fmi2OK);
                let found = instance.real(&format!("{matrix}[{},{}]", i + 1, j + 1));
                let size = instance.real(&format!("{matrix}[3,3]"));
                assert!(0.0 < size && (found + values[0]).abs() <= 1e-9 * size, "{matrix} {i} {j}: {found} {values:?}");
            }
        }
    }
}

/// The derivatives of the body's states and outputs, by states and inputs.
#[test]
fn the_body_has_directional_derivatives_too() {
    let instance = Fmu::free_body(BODY).in_continuous_time_mode();
    let states: Vec<(u32, String)> =
        instance.table.states().map(|i| (i as u32, instance.table.variables()[i].name.clone())).collect();
    assert_eq!(states.len(), 13);
    let (status, mut start) = api::get_continuous_states(instance.handle, 13);
    assert_eq!(status, fmi2OK);
    // As a solver leaves it: the norm is a little off.
    start[3..7].iter_mut().for_each(|part| *part *= 1.003);
    assert_eq!(api::set_continuous_states(instance.handle, &start), fmi2OK);
    assert_eq!(instance.set_real("force[1,1]", 3.0), fmi2OK);
    assert_eq!(instance.set_real("torque[1,2]", -0.7), fmi2OK);
    let unknowns: Vec<u32> = reals(&instance, |v| v.is_calculated() && v.variability == Variability::Continuous)
        .into_iter()
        .map(|(reference, _)| reference)
        .filter(|reference| !states.iter().any(|(state, _)| state == reference))
        .collect();
    let read = || api::get_real(instance.handle, &unknowns, unknowns.len()).1;
    let check = |known: u32, name: &str, difference: &dyn Fn(f64) -> Vec<f64>| {
        let (fine, coarse) = (difference(1e-3), difference(2e-3));
        for (i, unknown) in unknowns.iter().enumerate() {
            let expected = (4.0 * fine[i] - coarse[i]) / 3.0;
            let found = directional(&instance, *unknown, known);
            let unknown = &instance.table.variables()[*unknown as usize].name;
            // The fourth power of the step times fifth derivatives, which are some hundreds at 6 rad/s.
            assert!(
                (found - expected).abs() < 1e-9 * expected.abs().max(1.0),
                "{unknown} by {name}: {found} {expected}"
            );
        }
    };
    for (k, (known, name)) in states.iter().enumerate() {
        check(*known, name, &|step| {
            let at = |change: f64| {
                let mut moved = start.clone();
                moved[k] += change;
                assert_eq!(api::set_continuous_states(instance.handle, &moved), fmi2OK);
                read()
            };
            let (before, after) = (at(-step), at(step));
            assert_eq!(api::set_continuous_states(instance.handle, &start), fmi2OK);
            before.iter().zip(after).map(|(before, after)| (after - before) / (2.0 * step)).collect()
        });
    }
    for (known, name) in reals(&instance, |v| v.causality == Causality::Input) {
        check(known, &name, &|step| differences(&instance, known, &unknowns, step).iter().map(|of| of[0]).collect());
    }
}
