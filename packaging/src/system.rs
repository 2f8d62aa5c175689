//! `cargo xtask system`: a contact FMU and a free body, connected to a loop in an SSP archive.

mod structure;

use std::path::{Path, PathBuf};

use polycontact::configuration::OrientationInput;

use crate::Verb;
use crate::arguments::Arguments;
use crate::contact_pair::ContactPair;
use crate::fmu_model::FmuModel;
use crate::free_body::FreeBody;
use crate::package::archive::{Entries, Files};
use crate::package::{self, HandedIn, fmu, libraries, parse_binary, prepare_place, write_checked};
use crate::project::{root, shown, target};
use structure::{FILE_NAME, System, system_structure};

/// The verb.
pub const VERB: Verb = Verb {
    name: "system",
    summary: "couples a contact with a free rigid body in an SSP archive: a ball that lands and rests",
    usage: "
Usage: cargo xtask system [CONTACT.toml BODY.toml] [-o FILE.ssp] [--binary PLATFORM=FILE]…

  CONTACT.toml             a contact pair with orientation = \"matrix\"; its surface E is fixed in space
  BODY.toml                the free rigid body with surface F; its marker is the frame of mesh F
                           (default: both from examples/landing-sphere)
  -o FILE.ssp              where the archive goes (default: target/ssp/LandingSphere.ssp, or the name
                           of the contact); its name without .ssp is the name of the system
  --binary PLATFORM=FILE   as for `cargo xtask package`

The archive has SystemStructure.ssd and both FMUs in resources/: the motion of the body goes to the
contact, the wrench on F back to the body. The same inputs give the same bytes.",
    run,
};

/// Communication step in s that the structure proposes; a contact of elastic metal needs a shorter one, which its
/// description says.
fn step_size(contact: &FmuModel) -> f64 {
    contact.facts().step_size
}

fn run(words: &[String]) -> Result<(), String> {
    let arguments = Arguments::parse(words, package::OPTIONS)?;
    let (contact, body, default_name) = match &arguments.free[..] {
        [] => {
            let folder = root().join("examples/landing-sphere");
            (folder.join("contact.toml"), folder.join("free-body.toml"), Some("LandingSphere"))
        }
        [contact, body] => (PathBuf::from(contact), PathBuf::from(body), None),
        _ => return Err("either no configuration or two: the contact's and the body's".to_owned()),
    };
    let handed_in = arguments.values("--binary").map(parse_binary).collect::<Result<Vec<_>, _>>()?;
    system(&contact, &body, default_name, arguments.value("-o").map(Path::new), &handed_in).map(|_| ())
}

/// Packages both FMUs and their connections and returns the path of the archive; shows progress and a summary.
pub fn system(
    contact: &Path,
    body: &Path,
    default_name: Option<&str>,
    output: Option<&Path>,
    handed_in: &[HandedIn],
) -> Result<PathBuf, String> {
    // What the user can get wrong is looked at before the build, which takes minutes.
    let (contact, body) = read(contact, body)?;
    contact.print_warnings();
    let path = match output {
        Some(path) => path.to_path_buf(),
        None => target().join("ssp").join(format!("{}.ssp", default_name.unwrap_or(contact.facts().name))),
    };
    let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    prepare_place(&path)?;
    let libraries = libraries(handed_in)?;
    let system = System { name: &name, contact: &contact.facts(), body: &body.facts(), step_size: step_size(&contact) };
    let mut entries = Entries::default();
    entries.push(FILE_NAME, system_structure(&system));
    for model in [&contact, &body] {
        entries.push(System::source(&model.facts()), fmu(model, &libraries)?);
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

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(String::from).collect()
    }

    #[test]
    fn pairs_that_do_not_fit_are_refused_before_the_build() {
        let folder = root().join("examples/landing-sphere");
        let (contact, body) = (folder.join("contact.toml"), folder.join("free-body.toml"));
        assert!(run(&words("one.toml")).unwrap_err().contains("either no configuration or two"));
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
