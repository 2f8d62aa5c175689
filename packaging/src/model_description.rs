//! `modelDescription.xml` from the table of variables.

use std::io;

use polycontact::fmu::{
    CO_SIMULATION_FLAGS, Causality, Kind, LOG_CATEGORIES, MODEL_EXCHANGE_FLAGS, UNITS, Unit, Value, Variable,
    VariableTable,
};
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, Event};

use crate::fmu_model::FmuFacts;

/// Relative tolerance that solvers start with: far below the accuracy of a layer model, and cheap.
const TOLERANCE: &str = "1e-6";

type Xml = Writer<Vec<u8>>;

/// The description of an FMU.
///
/// The root has no `xmlns:xsi` and the variables no annotations: one importer refuses them. There
/// is no date, so that the same model gives the same bytes.
pub fn model_description<'m>(fmu: impl Into<FmuFacts<'m>>) -> String {
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 2);
    write(&mut xml, &fmu.into()).expect("memory takes everything");
    let mut text = String::from_utf8(xml.into_inner()).expect("written as UTF-8");
    text.push('\n');
    text
}

fn write(xml: &mut Xml, fmu: &FmuFacts<'_>) -> io::Result<()> {
    let variables = fmu.variables.variables();
    let event_indicators = fmu.capabilities.event_indicators.to_string();
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    xml.create_element("fmiModelDescription")
        .with_attributes([
            ("fmiVersion", "2.0"),
            ("modelName", fmu.name),
            ("guid", fmu.guid),
            ("description", fmu.description),
            ("version", env!("CARGO_PKG_VERSION")),
            ("license", env!("CARGO_PKG_LICENSE")),
            ("generationTool", concat!("polycontact ", env!("CARGO_PKG_VERSION"))),
            ("variableNamingConvention", "structured"),
        ])
        .with_attributes(
            fmu.capabilities.model_exchange.then_some(("numberOfEventIndicators", event_indicators.as_str())),
        )
        .write_inner_content(|xml| {
            if fmu.capabilities.model_exchange {
                write_model_exchange(xml, fmu)?;
            }
            write_co_simulation(xml, fmu)?;
            write_units(xml)?;
            write_types(xml, &fmu.variables)?;
            write_log_categories(xml)?;
            let (step_size, stop_time) = (real(fmu.step_size), fmu.stop_time.to_string());
            xml.create_element("DefaultExperiment")
                .with_attributes([("startTime", "0"), ("stopTime", &stop_time), ("tolerance", TOLERANCE)])
                .with_attribute(("stepSize", step_size.as_str()))
                .write_empty()?;
            xml.create_element("ModelVariables")
                .write_inner_content(|xml| variables.iter().try_for_each(|variable| write_variable(xml, variable)))?;
            write_structure(xml, variables)
        })?;
    Ok(())
}

fn write_model_exchange(xml: &mut Xml, fmu: &FmuFacts<'_>) -> io::Result<()> {
    xml.create_element("ModelExchange")
        .with_attribute(("modelIdentifier", fmu.model_identifier))
        .with_attributes(MODEL_EXCHANGE_FLAGS.map(|(name, value)| (name, flag(value))))
        .with_attribute(("providesDirectionalDerivative", flag(fmu.capabilities.directional_derivatives)))
        .write_empty()?;
    Ok(())
}

fn write_co_simulation(xml: &mut Xml, fmu: &FmuFacts<'_>) -> io::Result<()> {
    let order = fmu.capabilities.output_derivative_order.to_string();
    xml.create_element("CoSimulation")
        .with_attribute(("modelIdentifier", fmu.model_identifier))
        .with_attributes(CO_SIMULATION_FLAGS.map(|(name, value)| (name, flag(value))))
        .with_attribute(("providesDirectionalDerivative", flag(fmu.capabilities.directional_derivatives)))
        .with_attribute(("maxOutputDerivativeOrder", order.as_str()))
        .write_empty()?;
    Ok(())
}

fn flag(value: bool) -> &'static str {
    if value { "true" } else { "false" }
}

fn write_units(xml: &mut Xml) -> io::Result<()> {
    xml.create_element("UnitDefinitions").write_inner_content(|xml| {
        for Unit { name, kg, m, s, rad, factor } in &UNITS {
            let exponents = [("kg", kg), ("m", m), ("s", s), ("rad", rad)];
            let mut exponents: Vec<(&str, String)> =
                exponents.iter().filter(|(_, e)| **e != 0).map(|(base, e)| (*base, e.to_string())).collect();
            if *factor != 1.0 {
                exponents.push(("factor", factor.to_string()));
            }
            xml.create_element("Unit").with_attribute(("name", *name)).write_inner_content(|xml| {
                let exponents = exponents.iter().map(|(base, exponent)| (*base, exponent.as_str()));
                xml.create_element("BaseUnit").with_attributes(exponents).write_empty()?;
                Ok(())
            })?;
        }
        Ok(())
    })?;
    Ok(())
}

fn write_types(xml: &mut Xml, table: &VariableTable) -> io::Result<()> {
    // The schema wants at least one type in the list.
    if table.enumerations().is_empty() {
        return Ok(());
    }
    xml.create_element("TypeDefinitions").write_inner_content(|xml| {
        for enumeration in table.enumerations() {
            xml.create_element("SimpleType")
                .with_attributes([("name", enumeration.name), ("description", enumeration.description)])
                .write_inner_content(|xml| {
                    xml.create_element("Enumeration").write_inner_content(|xml| {
                        for item in enumeration.items {
                            let value = item.value.to_string();
                            xml.create_element("Item")
                                .with_attributes([
                                    ("name", item.name),
                                    ("value", value.as_str()),
                                    ("description", item.description),
                                ])
                                .write_empty()?;
                        }
                        Ok(())
                    })?;
                    Ok(())
                })?;
        }
        Ok(())
    })?;
    Ok(())
}

fn write_log_categories(xml: &mut Xml) -> io::Result<()> {
    xml.create_element("LogCategories").write_inner_content(|xml| {
        for (category, description) in &LOG_CATEGORIES {
            xml.create_element("Category")
                .with_attributes([("name", category.name()), ("description", *description)])
                .write_empty()?;
        }
        Ok(())
    })?;
    Ok(())
}

fn write_variable(xml: &mut Xml, variable: &Variable) -> io::Result<()> {
    let reference = variable.value_reference.to_string();
    let mut attributes = vec![
        ("name", variable.name.as_str()),
        ("valueReference", reference.as_str()),
        ("description", variable.description.as_str()),
        ("causality", variable.causality.name()),
        ("variability", variable.variability.name()),
    ];
    attributes.extend(variable.initial().map(|initial| ("initial", initial.name())));
    xml.create_element("ScalarVariable").with_attributes(attributes).write_inner_content(|xml| {
        let start = variable.start.as_ref().map(start_text);
        let mut attributes: Vec<(&str, String)> = Vec::new();
        match variable.kind {
            Kind::Real { unit, range } => {
                attributes.push(("unit", unit.to_owned()));
                attributes.extend(variable.derivative_of.map(|state| ("derivative", (state + 1).to_string())));
                // Only for what is set; the range of a calculated number is its own affair.
                let min = range.min().filter(|_| start.is_some());
                attributes.extend(min.map(|min| ("min", real(min))));
            }
            Kind::Enumeration(enumeration) => attributes.push(("declaredType", enumeration.name.to_owned())),
            Kind::Integer | Kind::Boolean | Kind::String => {}
        }
        attributes.extend(start.map(|start| ("start", start)));
        xml.create_element(variable.kind.name())
            .with_attributes(attributes.iter().map(|(name, value)| (*name, value.as_str())))
            .write_empty()?;
        Ok(())
    })?;
    Ok(())
}

/// `dependencies` is always there: without it, masters assume a dependency on every input.
fn write_structure(xml: &mut Xml, variables: &[Variable]) -> io::Result<()> {
    let write_unknowns = |xml: &mut Xml, element: &str, unknowns: &[(usize, &Vec<usize>)]| -> io::Result<()> {
        xml.create_element(element).write_inner_content(|xml| {
            for (position, known) in unknowns {
                let known: Vec<String> = known.iter().map(|position| (position + 1).to_string()).collect();
                let (index, known) = ((position + 1).to_string(), known.join(" "));
                xml.create_element("Unknown")
                    .with_attributes([("index", index.as_str()), ("dependencies", known.as_str())])
                    .write_empty()?;
            }
            Ok(())
        })?;
        Ok(())
    };
    let all = || variables.iter().enumerate();
    let outputs = all().filter(|(_, variable)| variable.causality == Causality::Output);
    let derivatives = all().filter(|(_, variable)| variable.derivative_of.is_some());
    let initial = all().filter(|(_, variable)| variable.is_calculated());
    let outputs: Vec<_> = outputs.map(|(position, variable)| (position, &variable.dependencies)).collect();
    let derivatives: Vec<_> = derivatives.map(|(position, variable)| (position, &variable.dependencies)).collect();
    let initial: Vec<_> = initial.map(|(position, variable)| (position, &variable.initial_dependencies)).collect();
    xml.create_element("ModelStructure").write_inner_content(|xml| {
        write_unknowns(xml, "Outputs", &outputs)?;
        // The schema wants at least one in the list.
        if !derivatives.is_empty() {
            write_unknowns(xml, "Derivatives", &derivatives)?;
        }
        write_unknowns(xml, "InitialUnknowns", &initial)
    })?;
    Ok(())
}

/// A start value as XML and documentation show it.
pub fn start_text(start: &Value) -> String {
    match start {
        Value::Real(value) => real(*value),
        Value::Integer(value) => value.to_string(),
        Value::Boolean(value) => value.to_string(),
        Value::String(value) => value.to_string_lossy().into_owned(),
    }
}

/// The shortest decimal that reads as the same bits.
pub fn real(value: f64) -> String {
    format!("{value:?}")
}

#[cfg(test)]
#[path = "model_description_tests.rs"]
mod tests;
