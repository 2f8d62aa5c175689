//! The `guid`: a hash of the description and the resources, so that neither can change unnoticed.

use std::fmt::Write;
use std::path::Path;

use sha2::{Digest, Sha256};
use thiserror::Error;

use super::models::contact::variables::contact_variables;
use super::models::free_body::variables::free_body_variables;
use super::values::Value;
use super::variables::{Kind, VariableTable};
use crate::configuration::{Configuration, ConfigurationError, FILE_NAME, FREE_BODY_FILE_NAME, FreeBodyConfiguration};

/// Why the resources have no guid.
#[derive(Debug, Error)]
pub enum GuidError {
    /// `contact.toml` or `free-body.toml` is missing or wrong.
    #[error(transparent)]
    Configuration(#[from] ConfigurationError),
    /// A file cannot be read.
    #[error("cannot read `{file}`: {source}")]
    Unreadable {
        /// The file.
        file: String,
        /// What the system says.
        source: std::io::Error,
    },
}

/// The guid of an FMU: `configuration` gives the description, `resources` are the files behind it
/// as (name, content), in this order: `contact.toml`, mesh of E, mesh of F.
///
/// Names are those in the configuration, so that a renamed file changes the guid too.
pub fn guid(configuration: &Configuration, resources: [(&str, &[u8]); 3]) -> String {
    hashed(&description(&configuration.name, &configuration.description, &contact_variables(configuration)), &resources)
}

/// The guid of the FMU of a body; `text` is its `free-body.toml`.
pub fn free_body_guid(configuration: &FreeBodyConfiguration, text: &[u8]) -> String {
    let variables = free_body_variables(configuration);
    let description = description(&configuration.name, &configuration.description, &variables);
    hashed(&description, &[(FREE_BODY_FILE_NAME, text)])
}

/// Reads the resources of the FMU of a body: its configuration and its guid.
pub fn free_body_guid_of_folder(folder: &Path) -> Result<(FreeBodyConfiguration, String), GuidError> {
    let path = folder.join(FREE_BODY_FILE_NAME);
    let configuration = FreeBodyConfiguration::read(&path)?;
    let guid = free_body_guid(&configuration, &read(&path)?);
    Ok((configuration, guid))
}

fn hashed(description: &str, resources: &[(&str, &[u8])]) -> String {
    let mut hash = Sha256::new();
    hash.update(description);
    for (name, content) in resources {
        for part in [name.as_bytes(), content] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
    }
    let digest = hash.finalize();
    let hex: String = digest[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{{{}-{}-{}-{}-{}}}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

/// Reads the resources of an FMU: its configuration and its guid.
pub fn guid_of_folder(folder: &Path) -> Result<(Configuration, String), GuidError> {
    let configuration_path = folder.join(FILE_NAME);
    let configuration = Configuration::read(&configuration_path)?;
    let text = read(&configuration_path)?;
    let mesh_e = read(&configuration.file_path_e(folder))?;
    let mesh_f = read(&configuration.file_path_f(folder))?;
    let resources =
        [(FILE_NAME, &text[..]), (&configuration.surface_e.file, &mesh_e), (&configuration.surface_f.file, &mesh_f)];
    let guid = guid(&configuration, resources);
    Ok((configuration, guid))
}

fn read(path: &Path) -> Result<Vec<u8>, GuidError> {
    std::fs::read(path).map_err(|source| GuidError::Unreadable { file: path.display().to_string(), source })
}

/// Everything of the description that a host relies on, one line per variable.
fn description(name: &str, description: &str, variables: &VariableTable) -> String {
    let mut text = format!("polycontact 1\n{name}\n{description}\n");
    describe(variables, &mut text);
    text
}

fn describe(table: &VariableTable, text: &mut String) {
    for variable in table.variables() {
        let start = match &variable.start {
            None => String::new(),
            // Bits, since decimals could be written in more than one way.
            Some(Value::Real(start)) => format!("{:016x}", start.to_bits()),
            Some(Value::Integer(start)) => start.to_string(),
            Some(Value::Boolean(start)) => start.to_string(),
            Some(Value::String(start)) => start.to_string_lossy().into_owned(),
        };
        let unit_or_type = match variable.kind {
            Kind::Real { unit, .. } => unit,
            Kind::Enumeration(enumeration) => enumeration.name,
            _ => "",
        };
        writeln!(
            text,
            "{} {} {} {unit_or_type} {} {} {start} {:?} {:?} {}",
            variable.value_reference,
            variable.name,
            variable.kind.name(),
            variable.causality.name(),
            variable.variability.name(),
            variable.dependencies,
            variable.initial_dependencies,
            variable.description
        )
        .expect("a String takes everything");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guid_follows_every_resource_and_the_description() {
        let configuration = Configuration::default();
        let files: [(&str, &[u8]); 3] = [("contact.toml", b"a"), ("e.obj", b"b"), ("f.obj", b"c")];
        let original = guid(&configuration, files);
        assert_eq!(original, guid(&configuration, files));
        assert_eq!(original.len(), 38);
        for changed in 0..3 {
            let mut other = files;
            other[changed].1 = b"d";
            assert_ne!(original, guid(&configuration, other));
            let mut other = files;
            other[changed].0 = "g.obj";
            assert_ne!(original, guid(&configuration, other));
        }
        // Moving a byte from one file to the next is a change too.
        assert_ne!(original, guid(&configuration, [("contact.toml", b"ab"), ("e.obj", b""), ("f.obj", b"c")]));
        let mut other = configuration;
        other.parameters.friction_coefficient = 0.31;
        assert_ne!(original, guid(&other, files));
    }
}
