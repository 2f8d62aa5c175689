//! `SystemStructure.ssd`, by the schema of SSP 1.0.

use std::io;

use polycontact::configuration::BODY_VECTORS;
use polycontact::fmu::{Causality, Kind, UNITS, Value, Variable};
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, Event};

use crate::fmu_model::FmuFacts;
use crate::model_description::real;

/// Name of the structure in an archive.
pub const FILE_NAME: &str = "SystemStructure.ssd";

/// Name of the parameter set in the archive.
const PARAMETER_SET: &str = "start";

type Xml = Writer<Vec<u8>>;

/// Two FMUs that make a loop.
pub struct System<'s> {
    pub name: &'s str,
    pub contact: &'s FmuFacts<'s>,
    pub body: &'s FmuFacts<'s>,
    /// Communication step in s.
    pub step_size: f64,
}

/// Component and connector where it starts, component and connector where it ends.
pub type Connection = (&'static str, String, &'static str, String);

impl System<'_> {
    /// Path of an FMU in the archive.
    pub fn source(fmu: &FmuFacts<'_>) -> String {
        format!("resources/{}.fmu", fmu.name)
    }

    /// The FMU of a component.
    pub fn facts_of(&self, component: &str) -> &FmuFacts<'_> {
        if component == "contact" { self.contact } else { self.body }
    }

    /// The outputs of the body have the names of the contact's inputs; the wrench on F is the first one of the body.
    pub fn connections(&self) -> Vec<Connection> {
        let motion =
            outputs(self.body).map(|variable| ("body", variable.name.clone(), "contact", variable.name.clone()));
        let wrench = [("forceOnF", "force"), ("torqueOnF", "torque")].into_iter().flat_map(|(from, to)| {
            (1..=3).map(move |i| ("contact", format!("{from}[{i}]"), "body", format!("{to}[1,{i}]")))
        });
        motion.chain(wrench).collect()
    }
}

fn outputs<'f>(fmu: &'f FmuFacts<'_>) -> impl Iterator<Item = &'f Variable> {
    fmu.variables.variables().iter().filter(|variable| variable.causality == Causality::Output)
}

/// The structure as XML; without a date, so that the same system gives the same bytes.
pub fn system_structure(system: &System<'_>) -> String {
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 2);
    write(&mut xml, system).expect("memory takes everything");
    let mut text = String::from_utf8(xml.into_inner()).expect("written as UTF-8");
    text.push('\n');
    text
}

fn write(xml: &mut Xml, system: &System<'_>) -> io::Result<()> {
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    xml.create_element("ssd:SystemStructureDescription")
        .with_attributes([
            ("xmlns:ssc", "http://ssp-standard.org/SSP1/SystemStructureCommon"),
            ("xmlns:ssd", "http://ssp-standard.org/SSP1/SystemStructureDescription"),
            ("xmlns:ssv", "http://ssp-standard.org/SSP1/SystemStructureParameterValues"),
            ("xmlns:oms", "https://raw.githubusercontent.com/OpenModelica/OMSimulator/master/schema/oms.xsd"),
            ("xmlns:osp", "http://opensimulationplatform.com/SSP/OSPAnnotations"),
            ("version", "1.0"),
            ("name", system.name),
            ("generationTool", concat!("polycontact ", env!("CARGO_PKG_VERSION"))),
        ])
        .write_inner_content(|xml| {
            xml.create_element("ssd:System").with_attribute(("name", system.name)).write_inner_content(|xml| {
                xml.create_element("ssd:Elements").write_inner_content(|xml| {
                    write_component(xml, "contact", system.contact, &[])?;
                    write_component(xml, "body", system.body, &start_parameters(system.body))
                })?;
                write_connections(xml, &system.connections())?;
                write_master(xml, system)
            })?;
            write_units(xml)?;
            write_experiment(xml, system)
        })?;
    Ok(())
}

/// Where the body starts: what a user changes first.
fn start_parameters<'f>(body: &'f FmuFacts<'_>) -> Vec<&'f Variable> {
    let keys = BODY_VECTORS.iter().filter(|vector| vector.key.starts_with("initial-"));
    let count = 3 * keys.count();
    let parameters = body.variables.variables().iter().filter(|variable| variable.name.starts_with("initial"));
    let parameters: Vec<&Variable> = parameters.collect();
    debug_assert_eq!(parameters.len(), count);
    parameters
}

fn write_component(xml: &mut Xml, name: &str, fmu: &FmuFacts<'_>, parameters: &[&Variable]) -> io::Result<()> {
    let source = System::source(fmu);
    xml.create_element("ssd:Component")
        .with_attributes([
            ("name", name),
            ("description", fmu.description),
            ("type", "application/x-fmu-sharedlibrary"),
            ("source", &source),
            ("implementation", "CoSimulation"),
        ])
        .write_inner_content(|xml| {
            xml.create_element("ssd:Connectors").write_inner_content(|xml| {
                for variable in fmu.variables.variables() {
                    let kind = match variable.causality {
                        Causality::Input => "input",
                        Causality::Output => "output",
                        _ if parameters.iter().any(|parameter| parameter.name == variable.name) => "parameter",
                        _ => continue,
                    };
                    write_connector(xml, variable, kind)?;
                }
                Ok(())
            })?;
            if parameters.is_empty() { Ok(()) } else { write_parameters(xml, parameters) }
        })?;
    Ok(())
}

fn write_connector(xml: &mut Xml, variable: &Variable, kind: &str) -> io::Result<()> {
    let (element, unit) = match variable.kind {
        Kind::Real { unit, .. } => ("ssc:Real", Some(("unit", unit))),
        Kind::Integer => ("ssc:Integer", None),
        Kind::Boolean => ("ssc:Boolean", None),
        // No input or output has one of these types, and masters do not pass them on.
        Kind::String | Kind::Enumeration(_) => return Ok(()),
    };
    xml.create_element("ssd:Connector")
        .with_attributes([("name", variable.name.as_str()), ("kind", kind)])
        .write_inner_content(|xml| {
            xml.create_element(element).with_attributes(unit).write_empty()?;
            Ok(())
        })?;
    Ok(())
}

fn write_parameters(xml: &mut Xml, parameters: &[&Variable]) -> io::Result<()> {
    let write_set = |xml: &mut Xml| -> io::Result<()> {
        xml.create_element("ssv:ParameterSet")
            .with_attributes([("version", "1.0"), ("name", PARAMETER_SET)])
            .write_inner_content(|xml| {
                xml.create_element("ssv:Parameters").write_inner_content(|xml| {
                    for parameter in parameters {
                        let Some(Value::Real(start)) = parameter.start else { continue };
                        let start = real(start);
                        xml.create_element("ssv:Parameter")
                            .with_attribute(("name", parameter.name.as_str()))
                            .write_inner_content(|xml| {
                                xml.create_element("ssv:Real")
                                    .with_attribute(("value", start.as_str()))
                                    .write_empty()?;
                                Ok(())
                            })?;
                    }
                    Ok(())
                })?;
                Ok(())
            })?;
        Ok(())
    };
    xml.create_element("ssd:ParameterBindings").write_inner_content(|xml| {
        xml.create_element("ssd:ParameterBinding").write_inner_content(|xml| {
            xml.create_element("ssd:ParameterValues").write_inner_content(write_set)?;
            Ok(())
        })?;
        Ok(())
    })?;
    Ok(())
}

fn write_connections(xml: &mut Xml, connections: &[Connection]) -> io::Result<()> {
    xml.create_element("ssd:Connections").write_inner_content(|xml| {
        for (from, from_name, to, to_name) in connections {
            xml.create_element("ssd:Connection")
                .with_attributes([
                    ("startElement", *from),
                    ("startConnector", from_name.as_str()),
                    ("endElement", *to),
                    ("endConnector", to_name.as_str()),
                ])
                .write_empty()?;
        }
        Ok(())
    })?;
    Ok(())
}

fn write_units(xml: &mut Xml) -> io::Result<()> {
    xml.create_element("ssd:Units").write_inner_content(|xml| {
        for unit in &UNITS {
            let exponents = [("kg", unit.kg), ("m", unit.m), ("s", unit.s), ("rad", unit.rad)];
            let mut exponents: Vec<(&str, String)> =
                exponents.iter().filter(|(_, e)| *e != 0).map(|(base, e)| (*base, e.to_string())).collect();
            if unit.factor != 1.0 {
                exponents.push(("factor", unit.factor.to_string()));
            }
            xml.create_element("ssc:Unit").with_attribute(("name", unit.name)).write_inner_content(|xml| {
                let exponents = exponents.iter().map(|(base, exponent)| (*base, exponent.as_str()));
                xml.create_element("ssc:BaseUnit").with_attributes(exponents).write_empty()?;
                Ok(())
            })?;
        }
        Ok(())
    })?;
    Ok(())
}

/// SSP 1.0 has no place for the master algorithm. OMSimulator loads no system without this annotation, and takes its
/// communication step from it: a decimal number by its schema, without an exponent.
fn write_master(xml: &mut Xml, system: &System<'_>) -> io::Result<()> {
    let step = system.step_size.to_string();
    // The master with a fixed step has no use for the tolerances, but they must be there: OMSimulator's own.
    let attributes = [
        ("description", "oms-ma"),
        ("stepSize", step.as_str()),
        ("absoluteTolerance", "0.0001"),
        ("relativeTolerance", "0.0001"),
    ];
    write_annotation(xml, "org.openmodelica", |xml| {
        xml.create_element("oms:Annotations").write_inner_content(|xml| {
            xml.create_element("oms:SimulationInformation").write_inner_content(|xml| {
                xml.create_element("oms:FixedStepMaster").with_attributes(attributes).write_empty()?;
                Ok(())
            })?;
            Ok(())
        })?;
        Ok(())
    })
}

/// SSP 1.0 has no place for the communication step; the annotation is the one that libcosim reads.
fn write_experiment(xml: &mut Xml, system: &System<'_>) -> io::Result<()> {
    let stop_time = real(system.contact.stop_time);
    xml.create_element("ssd:DefaultExperiment")
        .with_attributes([("startTime", "0.0"), ("stopTime", stop_time.as_str())])
        .write_inner_content(|xml| {
            write_annotation(xml, "com.opensimulationplatform", |xml| {
                xml.create_element("osp:Algorithm").write_inner_content(|xml| {
                    let step = real(system.step_size);
                    xml.create_element("osp:FixedStepAlgorithm")
                        .with_attribute(("baseStepSize", step.as_str()))
                        .write_empty()?;
                    Ok(())
                })?;
                Ok(())
            })
        })?;
    Ok(())
}

/// What only the tools of one vendor read.
fn write_annotation(xml: &mut Xml, vendor: &str, content: impl FnOnce(&mut Xml) -> io::Result<()>) -> io::Result<()> {
    xml.create_element("ssd:Annotations").write_inner_content(|xml| {
        xml.create_element("ssc:Annotation").with_attribute(("type", vendor)).write_inner_content(content)?;
        Ok(())
    })?;
    Ok(())
}
