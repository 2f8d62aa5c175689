//! The table of variables: names and meanings of the interface, rules of the standard.

use std::collections::BTreeSet;

use polycontact::configuration::{Configuration, OrientationInput};
use polycontact::fmu::{
    Causality, Initial, Kind, UNITS, Value, Variability, Variable, VariableTable, contact_variables,
};

fn tables() -> [VariableTable; 3] {
    [OrientationInput::Matrix, OrientationInput::Quaternion, OrientationInput::Cardan]
        .map(|orientation| contact_variables(&Configuration { orientation, ..Configuration::default() }))
}

fn names_of(table: &VariableTable, is_chosen: impl Fn(&Variable) -> bool) -> Vec<&str> {
    table.variables().iter().filter(|variable| is_chosen(variable)).map(|variable| variable.name.as_str()).collect()
}

fn vectors(names: &[&str]) -> Vec<String> {
    names.iter().flat_map(|name| (1..=3).map(move |i| format!("{name}[{i}]"))).collect()
}

#[test]
fn the_inputs_are_those_of_the_interface() {
    let matrix = (1..=3).flat_map(|i| (1..=3).map(move |j| format!("relativeOrientation[{i},{j}]"))).collect();
    let quaternion = (1..=4).map(|i| format!("relativeQuaternion[{i}]")).collect();
    let orientations: [Vec<String>; 3] = [matrix, quaternion, vectors(&["relativeAngles"])];
    for (table, orientation) in tables().iter().zip(orientations) {
        let expected =
            [vectors(&["relativePosition"]), orientation, vectors(&["relativeVelocity", "relativeAngularVelocity"])];
        assert_eq!(names_of(table, |v| v.causality == Causality::Input), expected.concat());
    }
}

#[test]
fn the_outputs_are_those_of_the_interface() {
    let [table, ..] = tables();
    let mut expected: BTreeSet<String> = vectors(&[
        "forceOnE",
        "torqueOnE",
        "forceOnF",
        "torqueOnF",
        "torqueOnEAtF",
        "contactPosition",
        "contactNormal",
        "nearestPointOnE",
        "nearestPointOnF",
        "exchange.acceleration",
        "exchange.angularAcceleration",
    ])
    .into_iter()
    .collect();
    for name in ["stiffness", "damping"] {
        expected.extend((1..=6).flat_map(|i| (1..=6).map(move |j| format!("{name}[{i},{j}]"))));
    }
    let scalars = "enclosed borderInContact defectInContact beyondLayer beyondHalfThickness inContact patchCount \
                   elementCount polygonCount lineCount \
                   boundingVolumeTests triangleTests contactArea meanPenetration maxPenetration normalVelocity.min \
                   normalVelocity.mean normalVelocity.max tangentialVelocity.min tangentialVelocity.mean \
                   tangentialVelocity.max normalStress.mean normalStress.max tangentialStress.mean \
                   tangentialStress.max elasticEnergy dissipatedPower evaluationTime.total \
                   evaluationTime.collisionDetection evaluationTime.intersectionPolygons \
                   evaluationTime.contactElements evaluationTime.contactForce gap inContactReal enclosedReal \
                   borderInContactReal exchangeError exchange.effectiveMass exchange.delay \
                   sticking stickingReal frictionUtilisation slipDistance frictionWork";
    expected.extend(scalars.split_whitespace().map(str::to_owned));
    let found: BTreeSet<String> =
        names_of(&table, |v| v.causality == Causality::Output).into_iter().map(str::to_owned).collect();
    assert_eq!(found, expected);
}

#[test]
fn the_parameters_are_those_of_the_interface() {
    let [table, ..] = tables();
    let fixed = "surfaceE.file surfaceE.scale surfaceE.reversed surfaceE.smoothAngle surfaceE.sag surfaceF.file \
                 surfaceF.scale surfaceF.reversed surfaceF.smoothAngle surfaceF.sag method \
                 elements frictionModel measureTime threads stiffnessOutput recordFile \
                 recordLimit";
    let tunable = "surfaceE.youngsModulus surfaceE.poissonsRatio surfaceE.layerThickness surfaceF.youngsModulus \
                   surfaceF.poissonsRatio surfaceF.layerThickness arealDamping dampingTransitionDepth \
                   frictionCoefficient frictionRegularizationVelocity staticFrictionCoefficient stribeckVelocity \
                   viscousFriction tangentialStiffness tangentialDamping stepOutput extrapolationSteps bodyE.mass \
                   bodyE.momentsOfInertia[1] bodyE.momentsOfInertia[2] bodyE.momentsOfInertia[3] \
                   bodyE.centreOfMass[1] bodyE.centreOfMass[2] bodyE.centreOfMass[3] bodyF.mass \
                   bodyF.momentsOfInertia[1] bodyF.momentsOfInertia[2] bodyF.momentsOfInertia[3] \
                   bodyF.centreOfMass[1] bodyF.centreOfMass[2] bodyF.centreOfMass[3]";
    let calculated = "combinedLayerStiffness penetrationRatio surfaceE.triangles surfaceF.triangles";
    for (expected, causality, variability) in [
        (fixed, Causality::Parameter, Some(Variability::Fixed)),
        (tunable, Causality::Parameter, Some(Variability::Tunable)),
        (calculated, Causality::CalculatedParameter, None),
    ] {
        let is_chosen = |v: &Variable| v.causality == causality && variability.is_none_or(|it| it == v.variability);
        let expected: BTreeSet<&str> = expected.split_whitespace().collect();
        assert_eq!(names_of(&table, is_chosen).into_iter().collect::<BTreeSet<_>>(), expected);
    }
}

#[test]
fn enumeration_values_are_those_of_the_interface() {
    let found: Vec<String> = contact_variables(&Configuration::default())
        .enumerations()
        .iter()
        .map(|enumeration| {
            let items: Vec<String> =
                enumeration.items.iter().map(|item| format!("{} {}", item.name, item.value)).collect();
            items.join(", ")
        })
        .collect();
    let expected = [
        "auto 1, collisionOnly 2, twoPass 3, masterE 4, masterF 5",
        "potential 1, centroid 2",
        "bristle 1, regularized 2",
        "hold 1, extrapolate 2, mean 3, energy 4",
    ];
    assert_eq!(found, expected);
}

/// Rules of FMI 2.0 on attributes, which validators enforce.
#[test]
fn attributes_obey_the_standard() {
    for table in tables() {
        let names: BTreeSet<&str> = names_of(&table, |_| true).into_iter().collect();
        assert_eq!(names.len(), table.variables().len(), "names are unique");
        for (position, variable) in table.variables().iter().enumerate() {
            let name = &variable.name;
            assert_eq!(variable.value_reference as usize, position);
            assert_eq!(table.get(variable.value_reference).map(|v| &v.name), Some(name));
            assert!(!variable.description.is_empty(), "{name}");
            // Parameters and inputs have a start value, calculated ones have none.
            assert_eq!(variable.start.is_none(), variable.is_calculated(), "{name}");
            let initial = match variable.causality {
                Causality::Input => None,
                Causality::Parameter => Some(Initial::Exact),
                Causality::CalculatedParameter | Causality::Output | Causality::Local => Some(Initial::Calculated),
            };
            assert_eq!(variable.initial(), initial, "{name}");
            let is_parameter = matches!(variable.causality, Causality::Parameter | Causality::CalculatedParameter);
            let is_constant = matches!(variable.variability, Variability::Fixed | Variability::Tunable);
            assert_eq!(is_parameter, is_constant, "{name}");
            if let Kind::Real { unit, .. } = variable.kind {
                assert!(UNITS.iter().any(|known| known.name == unit), "{name}: {unit}");
                assert!(variable.description.ends_with(&format!("[{unit}]")), "{name}: {}", variable.description);
            } else {
                assert_ne!(variable.variability, Variability::Continuous, "{name}");
            }
            if let Kind::Enumeration(enumeration) = variable.kind {
                let values: Vec<i32> = enumeration.items.iter().map(|item| item.value).collect();
                assert_eq!(values, (1..=values.len() as i32).collect::<Vec<_>>(), "{name}");
                assert!(matches!(&variable.start, Some(Value::Integer(start)) if values.contains(start)), "{name}");
            }
        }
    }
}

#[test]
fn dependencies_are_inputs_and_at_initialization_parameters_too() {
    for table in tables() {
        let variables = table.variables();
        for variable in variables {
            let name = &variable.name;
            for known in [&variable.dependencies, &variable.initial_dependencies] {
                assert!(known.is_sorted_by(|a, b| a < b), "{name}: ascending, each once");
            }
            assert!(variable.dependencies.iter().all(|i| variables[*i].causality == Causality::Input), "{name}");
            assert!(variable.initial_dependencies.iter().all(|i| !variables[*i].is_calculated()), "{name}");
            assert_eq!(variable.initial_dependencies.is_empty(), !variable.is_calculated(), "{name}");
        }
        let inputs_of = |name: &str| table.find(name).unwrap().dependencies.len();
        let input_count = names_of(&table, |v| v.causality == Causality::Input).len();
        assert_eq!((inputs_of("forceOnE[1]"), inputs_of("contactArea")), (input_count, input_count));
        let initial_inputs_of = |name: &str| {
            let known = &table.find(name).unwrap().initial_dependencies;
            known.iter().filter(|i| variables[**i].causality == Causality::Input).count()
        };
        // Without a step there is nothing to extrapolate: a pose has an area, whatever its velocity.
        assert_eq!(
            (initial_inputs_of("forceOnE[1]"), initial_inputs_of("contactArea")),
            (input_count, input_count - 6)
        );
        assert_eq!(inputs_of("combinedLayerStiffness"), 0);
    }
}

/// kg, m, s and rad of each unit, from its definition.
#[test]
fn units_have_their_base_units() {
    let exponents = |name: &str| {
        let unit = UNITS.iter().find(|unit| unit.name == name).unwrap();
        [unit.kg, unit.m, unit.s, unit.rad]
    };
    let newton = [1, 1, -2, 0];
    assert_eq!(exponents("N"), newton);
    let times = |mut unit: [i32; 4], m: i32, s: i32| {
        unit[1] += m;
        unit[2] += s;
        unit
    };
    for (name, m, s) in [("N.m", 1, 0), ("J", 1, 0), ("W", 1, -1), ("Pa", -2, 0), ("N/m3", -3, 0), ("N.s/m3", -3, 1)] {
        assert_eq!(exponents(name), times(newton, m, s), "{name}");
    }
    assert_eq!((exponents("rad/s"), exponents("m/s"), exponents("m2")), ([0, 0, -1, 1], [0, 1, -1, 0], [0, 2, 0, 0]));
    assert_eq!(
        (exponents("1"), exponents("rad"), exponents("s"), exponents("m")),
        ([0; 4], [0, 0, 0, 1], [0, 0, 1, 0], [0, 1, 0, 0])
    );
}
