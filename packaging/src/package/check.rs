//! Checks of a finished archive against its own description.

use std::collections::BTreeMap;

use polycontact::configuration::{Configuration, FILE_NAME, FREE_BODY_FILE_NAME, FreeBodyConfiguration};
use polycontact::fmu::{contact_variables, free_body_guid, free_body_variables, guid};
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::archive::Files;
use super::library::{self, PLATFORMS};

/// What of a description refers to something else.
#[derive(Default)]
struct Description {
    guid: String,
    model_identifier: String,
    variables: usize,
    /// Start values of strings by the variable's name.
    texts: BTreeMap<String, String>,
    units: Vec<String>,
    used_units: Vec<String>,
    types: Vec<String>,
    used_types: Vec<String>,
    /// Indices and dependencies of the model structure.
    indices: Vec<usize>,
}

/// Checks an archive's files; the error says what is inconsistent.
pub fn check(files: &Files) -> Result<(), String> {
    let description = describe(text(files, "modelDescription.xml")?)?;
    check_references(&description)?;

    if files.contains_key(&format!("resources/{FREE_BODY_FILE_NAME}")) {
        check_free_body(files, &description)?;
    } else {
        check_contact(files, &description)?;
    }

    let mut libraries = 0;
    for platform in &PLATFORMS {
        let path = format!("binaries/{}/{}.{}", platform.name, description.model_identifier, platform.extension);
        if let Some(bytes) = files.get(&path) {
            library::check(bytes, platform, &path)?;
            libraries += 1;
        }
    }
    let in_binaries = files.keys().filter(|path| path.starts_with("binaries/")).count();
    if libraries == 0 || libraries != in_binaries {
        return Err(format!("{in_binaries} files in `binaries`, but {libraries} libraries where hosts look for them"));
    }
    check_documentation(files)
}

fn check_contact(files: &Files, description: &Description) -> Result<(), String> {
    let toml = format!("resources/{FILE_NAME}");
    let configuration = Configuration::parse(text(files, &toml)?, &toml).map_err(|error| error.to_string())?;
    let [mesh_e, mesh_f] = [&configuration.surface_e.file, &configuration.surface_f.file];
    let resource = |name: &str| file(files, &format!("resources/{name}"));
    let resources =
        [(FILE_NAME, resource(FILE_NAME)?), (mesh_e.as_str(), resource(mesh_e)?), (mesh_f, resource(mesh_f)?)];
    expect("the guid", &description.guid, &guid(&configuration, resources))?;
    expect("the start of surfaceE.file", &description.texts["surfaceE.file"], mesh_e)?;
    expect("the start of surfaceF.file", &description.texts["surfaceF.file"], mesh_f)?;
    let variables = contact_variables(&configuration).variables().len();
    expect("the number of variables", &description.variables.to_string(), &variables.to_string())?;
    check_picture(file(files, "model.png")?)
}

fn check_free_body(files: &Files, description: &Description) -> Result<(), String> {
    let toml = format!("resources/{FREE_BODY_FILE_NAME}");
    let text = text(files, &toml)?;
    let configuration = FreeBodyConfiguration::parse(text, &toml).map_err(|error| error.to_string())?;
    expect("the guid", &description.guid, &free_body_guid(&configuration, text.as_bytes()))?;
    let variables = free_body_variables(&configuration).variables().len();
    expect("the number of variables", &description.variables.to_string(), &variables.to_string())
}

fn check_references(description: &Description) -> Result<(), String> {
    let undefined = |used: &[String], defined: &[String]| used.iter().find(|name| !defined.contains(name)).cloned();
    if let Some(unit) = undefined(&description.used_units, &description.units) {
        return Err(format!("the description uses the unit `{unit}` without a definition"));
    }
    if let Some(name) = undefined(&description.used_types, &description.types) {
        return Err(format!("the description uses the type `{name}` without a definition"));
    }
    match description.indices.iter().find(|index| !(1..=description.variables).contains(index)) {
        Some(index) => Err(format!("the model structure refers to variable {index} of {}", description.variables)),
        None => Ok(()),
    }
}

fn check_picture(picture: &[u8]) -> Result<(), String> {
    let read = png::Decoder::new(std::io::Cursor::new(picture)).read_info();
    read.map(|_| ()).map_err(|error| format!("`model.png` cannot be read: {error}"))
}

/// What the documentation refers to is there.
fn check_documentation(files: &Files) -> Result<(), String> {
    let page = text(files, "documentation/index.html")?;
    for attribute in ["src=\"", "href=\""] {
        for rest in page.split(attribute).skip(1) {
            let target = rest.split('"').next().unwrap_or("");
            if target.starts_with('#') || target.contains("://") {
                continue;
            }
            let path = match target.strip_prefix("../") {
                Some(path) => path.to_owned(),
                None => format!("documentation/{target}"),
            };
            file(files, &path).map_err(|error| format!("documentation/index.html refers to `{target}`: {error}"))?;
        }
    }
    Ok(())
}

fn describe(xml: &str) -> Result<Description, String> {
    let refused = |error: &dyn std::fmt::Display| format!("modelDescription.xml cannot be read: {error}");
    let mut description = Description::default();
    let mut variable = String::new();
    let mut reader = Reader::from_str(xml);
    loop {
        let event = reader.read_event().map_err(|error| refused(&error))?;
        let (Event::Start(element) | Event::Empty(element)) = &event else {
            if matches!(event, Event::Eof) {
                return Ok(description);
            }
            continue;
        };
        let attributes = attributes(element).map_err(|error| refused(&error))?;
        let get = |name: &str| attributes.get(name).cloned().unwrap_or_default();
        match element.local_name().into_inner() {
            "fmiModelDescription" => description.guid = get("guid"),
            "CoSimulation" => description.model_identifier = get("modelIdentifier"),
            "Unit" => description.units.push(get("name")),
            "SimpleType" => description.types.push(get("name")),
            "ScalarVariable" => {
                description.variables += 1;
                variable = get("name");
            }
            "String" => {
                description.texts.insert(variable.clone(), get("start"));
            }
            "Unknown" => {
                let indices = format!("{} {}", get("index"), get("dependencies"));
                for index in indices.split_whitespace() {
                    description.indices.push(index.parse().map_err(|_| refused(&format!("index `{index}`")))?);
                }
            }
            _ => {}
        }
        description.used_units.extend(attributes.get("unit").cloned());
        description.used_types.extend(attributes.get("declaredType").cloned());
    }
}

fn attributes(element: &BytesStart<'_>) -> Result<BTreeMap<String, String>, String> {
    let mut attributes = BTreeMap::new();
    for attribute in element.attributes() {
        let attribute = attribute.map_err(|error| error.to_string())?;
        let value = attribute.normalized_value(XmlVersion::Explicit1_0).map_err(|error| error.to_string())?;
        attributes.insert(attribute.key.as_ref().to_string(), value.into_owned());
    }
    Ok(attributes)
}

fn file<'a>(files: &'a Files, path: &str) -> Result<&'a [u8], String> {
    files.get(path).map(Vec::as_slice).ok_or_else(|| format!("the archive lacks `{path}`"))
}

fn text<'a>(files: &'a Files, path: &str) -> Result<&'a str, String> {
    std::str::from_utf8(file(files, path)?).map_err(|error| format!("`{path}` is not UTF-8: {error}"))
}

fn expect(what: &str, found: &str, expected: &str) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what} is `{found}`, but `{expected}` was expected")) }
}
