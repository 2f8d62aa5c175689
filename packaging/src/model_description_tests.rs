//! Rules of FMI 2.0 that validators enforce, read from the written text.

use std::collections::BTreeMap;

use polycontact::configuration::OrientationInput;
use quick_xml::Reader;
use quick_xml::events::Event;

use super::*;
use crate::contact_pair::ContactPair;
use crate::test_support::default_configuration;

/// An element with its place in the tree.
struct Element {
    /// Names from the root, separated by `/`.
    path: String,
    attributes: BTreeMap<String, String>,
}

fn elements(xml: &str) -> Vec<Element> {
    let mut reader = Reader::from_str(xml);
    let mut path: Vec<String> = Vec::new();
    let mut elements = Vec::new();
    loop {
        let event = reader.read_event().unwrap();
        if let Event::Start(element) | Event::Empty(element) = &event {
            path.push(element.name().as_ref().to_string());
            let attributes = element.attributes().map(|attribute| {
                let attribute = attribute.unwrap();
                let value = attribute.normalized_value(quick_xml::XmlVersion::Explicit1_0).unwrap();
                (attribute.key.as_ref().to_string(), value.into_owned())
            });
            elements.push(Element { path: path.join("/"), attributes: attributes.collect() });
        }
        match event {
            Event::Empty(_) | Event::End(_) => drop(path.pop()),
            Event::Eof => return elements,
            _ => {}
        }
    }
}

fn default_pair() -> ContactPair {
    ContactPair::read(&default_configuration()).unwrap()
}

const VARIABLE: &str = "fmiModelDescription/ModelVariables/ScalarVariable";

/// Each variable with the element of its type.
fn variables(elements: &[Element]) -> Vec<(&Element, &Element)> {
    let pairs = elements.iter().zip(&elements[1..]);
    pairs.filter(|(variable, _)| variable.path == VARIABLE).collect()
}

#[test]
fn children_come_in_the_order_of_the_schema() {
    let elements = elements(&model_description(&default_pair()));
    let children = elements.iter().filter(|element| element.path.matches('/').count() == 1);
    let names: Vec<&str> = children.map(|element| element.path.split_once('/').unwrap().1).collect();
    let expected = [
        "ModelExchange",
        "CoSimulation",
        "UnitDefinitions",
        "TypeDefinitions",
        "LogCategories",
        "DefaultExperiment",
        "ModelVariables",
        "ModelStructure",
    ];
    assert_eq!(names, expected);
    let root = &elements[0].attributes;
    assert_eq!((root["fmiVersion"].as_str(), root["modelName"].as_str()), ("2.0", "SphereOnPlate"));
    assert!(root.keys().all(|name| !name.starts_with("xmlns")));
}

#[test]
fn start_initial_and_variability_follow_the_standard() {
    for orientation in [OrientationInput::Matrix, OrientationInput::Quaternion, OrientationInput::Cardan] {
        let mut pair = default_pair();
        pair.configuration.orientation = orientation;
        let elements = elements(&model_description(&pair));
        let variables = variables(&elements);
        assert!(50 < variables.len());
        let mut references = Vec::new();
        for (variable, kind) in variables {
            let of = |name: &str| variable.attributes.get(name).map(String::as_str);
            let name = of("name").unwrap();
            let has_start = kind.attributes.contains_key("start");
            let (initial, expects_start) = match of("causality").unwrap() {
                "input" => (None, true),
                "parameter" => (Some("exact"), true),
                "output" | "calculatedParameter" => (Some("calculated"), false),
                other => panic!("{name}: causality {other}"),
            };
            assert_eq!((of("initial"), has_start), (initial, expects_start), "{name}");
            let base = kind.path.rsplit('/').next().unwrap();
            let is_continuous = of("variability") == Some("continuous");
            assert_eq!(is_continuous, base == "Real" && matches!(of("causality"), Some("input" | "output")), "{name}");
            assert_eq!(kind.attributes.contains_key("unit"), base == "Real", "{name}");
            assert!(!of("description").unwrap().is_empty(), "{name}");
            // Integers and enumerations share their references.
            let base = if base == "Enumeration" { "Integer" } else { base };
            references.push((base.to_owned(), of("valueReference").unwrap().to_owned()));
        }
        let count = references.len();
        references.sort();
        references.dedup();
        assert_eq!(references.len(), count);
    }
}

#[test]
fn structured_arrays_are_consecutive_and_row_major() {
    let elements = elements(&model_description(&default_pair()));
    let names: Vec<&str> =
        variables(&elements).iter().map(|(variable, _)| variable.attributes["name"].as_str()).collect();
    let first = names.iter().position(|name| *name == "relativeOrientation[1,1]").unwrap();
    let expected: Vec<String> = (0..9).map(|k| format!("relativeOrientation[{},{}]", k / 3 + 1, k % 3 + 1)).collect();
    assert_eq!(&names[first..first + 9], &expected);
    let first = names.iter().position(|name| *name == "torqueOnEAtF[1]").unwrap();
    assert_eq!(&names[first..first + 3], ["torqueOnEAtF[1]", "torqueOnEAtF[2]", "torqueOnEAtF[3]"]);
}

#[test]
fn the_structure_lists_all_unknowns_in_order_with_explicit_dependencies() {
    let elements = elements(&model_description(&default_pair()));
    let indices_of = |causalities: &[&str]| -> Vec<usize> {
        let variables = variables(&elements);
        let of = (1..).zip(&variables).filter(|(_, (v, _))| causalities.contains(&v.attributes["causality"].as_str()));
        of.map(|(index, _)| index).collect()
    };
    let unknowns = |list: &str| -> Vec<(usize, Vec<usize>)> {
        let path = format!("fmiModelDescription/ModelStructure/{list}/Unknown");
        let of = elements.iter().filter(|element| element.path == path);
        of.map(|unknown| {
            let dependencies = unknown.attributes["dependencies"].split_whitespace();
            (unknown.attributes["index"].parse().unwrap(), dependencies.map(|text| text.parse().unwrap()).collect())
        })
        .collect()
    };
    let inputs = indices_of(&["input"]);
    let known = indices_of(&["input", "parameter"]);
    let (outputs, initial) = (unknowns("Outputs"), unknowns("InitialUnknowns"));
    assert_eq!(outputs.iter().map(|(index, _)| *index).collect::<Vec<_>>(), indices_of(&["output"]));
    assert_eq!(
        initial.iter().map(|(index, _)| *index).collect::<Vec<_>>(),
        indices_of(&["output", "calculatedParameter"])
    );
    assert!(outputs.iter().all(|(_, dependencies)| dependencies.iter().all(|index| inputs.contains(index))));
    assert!(initial.iter().all(|(_, dependencies)| dependencies.iter().all(|index| known.contains(index))));
    // After a step both need all 18 inputs, since the pose may have been advanced; without one, the contact
    // area needs the pose only.
    let variables = variables(&elements);
    let inputs_of = |unknowns: &[(usize, Vec<usize>)], name: &str| {
        let index = variables.iter().position(|(variable, _)| variable.attributes["name"] == name).unwrap() + 1;
        let (_, dependencies) = unknowns.iter().find(|(unknown, _)| *unknown == index).unwrap();
        dependencies.iter().filter(|dependency| inputs.contains(dependency)).count()
    };
    assert_eq!((inputs_of(&outputs, "forceOnE[1]"), inputs_of(&outputs, "contactArea")), (18, 18));
    assert_eq!((inputs_of(&initial, "forceOnE[1]"), inputs_of(&initial, "contactArea")), (18, 12));
}

#[test]
fn names_and_texts_are_escaped() {
    let mut pair = default_pair();
    pair.configuration.description = "a < b & \"c\" ü".to_owned();
    let elements = elements(&model_description(&pair));
    assert_eq!(elements[0].attributes["description"], "a < b & \"c\" ü");
}
