//! `polycontact system`: a contact FMU and a free body, connected to a loop in an SSP archive.

mod structure;

use std::path::{Path, PathBuf};

use polycontact::configuration::OrientationInput;

use crate::Surroundings;
use crate::contact_pair::ContactPair;
use crate::files::{ending_in, shown};
use crate::fmu_model::FmuModel;
use crate::free_body::FreeBody;
use crate::package::archive::{Entries, Files};
use crate::package::{HandedIn, fmu, kit, prepare_place, write_checked};
use structure::{FILE_NAME, System, system_structure};

/// What `system` is told.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// A contact pair with orientation = "matrix"; its surface E is fixed in space
    #[arg(value_name = "CONTACT.toml")]
    contact: PathBuf,
    /// The free rigid body with surface F; its marker is the frame of mesh F
    #[arg(value_name = "BODY.toml")]
    body: PathBuf,
    /// Where the archive goes; its name without .ssp is the name of the system. Without it the name of the contact
    #[arg(short, long = "output", value_name = "FILE.ssp", value_parser = ending_in("ssp"))]
    output: Option<PathBuf>,
    /// Also bundle a library that was built elsewhere, as for `package`
    #[arg(long = "binary", value_name = "PLATFORM=FILE", value_parser = crate::package::parse_binary)]
    handed_in: Vec<HandedIn>,
}

/// Makes the system that the arguments name.
pub fn run(arguments: &Arguments, surroundings: &Surroundings<'_>) -> Result<(), String> {
    let Arguments { contact, body, output, handed_in } = arguments;
    system(contact, body, output.as_deref(), handed_in, surroundings).map(|_| ())
}

/// Communication step in s that the structure proposes; a contact of elastic metal needs a shorter one, which its
/// description says.
fn step_size(contact: &FmuModel) -> f64 {
    contact.facts().step_size
}

/// Packages both FMUs and their connections and returns the path of the archive; shows progress and a summary.
pub fn system(
    contact: &Path,
    body: &Path,
    output: Option<&Path>,
    handed_in: &[HandedIn],
    surroundings: &Surroundings<'_>,
) -> Result<PathBuf, String> {
    // What the user can get wrong is looked at before the kit, which developers have to build.
    let (contact, body) = read(contact, body)?;
    contact.print_warnings();
    let path = match output {
        Some(path) => path.to_path_buf(),
        None => surroundings.outputs.join(format!("{}.ssp", contact.facts().name)),
    };
    let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    prepare_place(&path)?;
    let kit = kit(handed_in, surroundings)?;
    let system = System { name: &name, contact: &contact.facts(), body: &body.facts(), step_size: step_size(&contact) };
    let mut entries = Entries::default();
    entries.push(FILE_NAME, system_structure(&system));
    for model in [&contact, &body] {
        entries.push(System::source(&model.facts()), fmu(model, &kit)?);
    }
    let zip = entries.to_zip()?;
    write_checked(&path, &zip, |files| check(files, &system))?;
    println!("{}", shown(&path));
    for (title, text) in [
        ("system", name.clone()),
        ("contact", System::source(&contact.facts())),
        ("body", System::source(&body.facts())),
        ("wires", system.connections().len().to_string()),
        ("size", format!("{:.0} KiB", zip.len() as f64 / 1024.0)),
    ] {
        println!("  {title:<8} {text}");
    }
    Ok(path)
}

/// A contact and a body that fit together.
fn read(contact: &Path, body: &Path) -> Result<(FmuModel, FmuModel), String> {
    let pair = ContactPair::read(contact)?;
    if pair.configuration.orientation != OrientationInput::Matrix {
        return Err(format!(
            "`{}` takes orientations as a quaternion or as angles, but a free body gives a matrix; set orientation = \
             \"matrix\"",
            contact.display()
        ));
    }
    let body = FreeBody::read(body)?;
    if pair.configuration.name == body.configuration.name {
        return Err(format!("contact and body are both called `{}`; rename one", body.configuration.name));
    }
    Ok((FmuModel::Contact(Box::new(pair)), FmuModel::FreeBody(Box::new(body))))
}

/// The archive has what its structure refers to.
fn check(files: &Files, system: &System<'_>) -> Result<(), String> {
    for path in [FILE_NAME.to_owned(), System::source(system.contact), System::source(system.body)] {
        if !files.contains_key(&path) {
            return Err(format!("the archive lacks `{path}`"));
        }
    }
    for (from, from_name, to, to_name) in system.connections() {
        for (component, name) in [(from, &from_name), (to, &to_name)] {
            if system.facts_of(component).variables.find(name).is_none() {
                return Err(format!("a connection names `{component}.{name}`, which does not exist"));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{parsed, root};

    #[test]
    fn pairs_that_do_not_fit_are_refused_before_the_build() {
        let folder = root().join("examples/landing-sphere");
        let (contact, body) = (folder.join("contact.toml"), folder.join("free-body.toml"));
        assert!(parsed::<Arguments>("one.toml").unwrap_err().contains("<BODY.toml>"));
        let quaternion = root().join("tests/importers/sphere_by_quaternion.toml");
        assert!(read(&quaternion, &body).err().unwrap().contains("orientation = \"matrix\""));
        assert!(read(&contact, &contact).err().unwrap().contains("unknown key"));
        assert!(read(&body, &body).err().unwrap().contains("unknown key"));
    }

    #[test]
    fn every_input_is_connected_once() {
        let folder = root().join("examples/landing-sphere");
        let (contact, body) = read(&folder.join("contact.toml"), &folder.join("free-body.toml")).unwrap();
        let system = System { name: "x", contact: &contact.facts(), body: &body.facts(), step_size: 1e-4 };
        let mut ends: Vec<String> =
            system.connections().into_iter().map(|(_, _, to, name)| format!("{to}.{name}")).collect();
        let mut inputs: Vec<String> = Vec::new();
        for component in ["contact", "body"] {
            let variables = system.facts_of(component).variables.variables();
            let of = variables.iter().filter(|variable| variable.causality == polycontact::fmu::Causality::Input);
            inputs.extend(of.map(|variable| format!("{component}.{}", variable.name)));
        }
        ends.sort();
        inputs.sort();
        assert_eq!(ends, inputs);
    }
}
