//! `cargo xtask package`: two meshes and a TOML file become an FMU, or the TOML file of a rigid body does.

pub mod archive;
mod body_documentation;
mod check;
mod documentation;
pub mod library;
mod licenses;
#[cfg(test)]
mod package_tests;

use std::fs;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};

use crate::Verb;
use crate::arguments::{Arguments, OptionSpec};
use crate::fmu_model::FmuModel;
use crate::model_description::model_description;
use crate::picture::picture;
use crate::project::{root, shown, target};
use archive::Entries;
use library::{PLATFORMS, Platform};

/// The verb.
pub const VERB: Verb = Verb {
    name: "package",
    summary: "builds the library and bundles it with two meshes into an FMU",
    usage: "
Usage: cargo xtask package [CONFIG.toml] [-o FILE.fmu] [--binary PLATFORM=FILE]…

  CONFIG.toml              the contact pair (default: resources/contact.toml, a sphere on a plate), or
                           with a section [body] a free rigid body
  -o FILE.fmu              where the FMU goes (default: target/fmu/<name>.fmu)
  --binary PLATFORM=FILE   also bundle a library that was built elsewhere; PLATFORM is linux64,
                           linux32, win64, win32, darwin64, aarch64-linux, aarch64-windows or
                           aarch64-darwin. For this machine's platform it replaces the build.

The same inputs give the same bytes. The archive is opened again and checked before it gets
its name.",
    run,
};

/// Options that `system` has too.
pub const OPTIONS: &[OptionSpec] =
    &[OptionSpec { name: "-o", takes_value: true }, OptionSpec { name: "--binary", takes_value: true }];

/// The default contact pair.
pub fn default_configuration() -> PathBuf {
    root().join("resources/contact.toml")
}

fn run(words: &[String]) -> Result<(), String> {
    let arguments = Arguments::parse(words, OPTIONS)?;
    if 1 < arguments.free.len() {
        return Err(format!(
            "one configuration file at a time, but got {}; run the command once for each",
            arguments.free.join(", ")
        ));
    }
    let configuration = arguments.free.first().map_or_else(default_configuration, PathBuf::from);
    let handed_in = arguments.values("--binary").map(parse_binary).collect::<Result<Vec<_>, _>>()?;
    package(&configuration, arguments.value("-o").map(Path::new), &handed_in).map(|_| ())
}

/// A value of `--binary`.
pub type HandedIn = (&'static Platform, PathBuf);

/// Takes a value of `--binary` apart.
pub fn parse_binary(value: &str) -> Result<HandedIn, String> {
    let known = || PLATFORMS.iter().map(|platform| platform.name).collect::<Vec<_>>().join(", ");
    let (name, file) = value
        .split_once('=')
        .filter(|(_, file)| !file.is_empty())
        .ok_or_else(|| format!("`--binary {value}` must read PLATFORM=FILE, with PLATFORM one of {}", known()))?;
    let platform = library::find_platform(name)
        .ok_or_else(|| format!("`--binary` does not know the platform `{name}`; it is one of {}", known()))?;
    Ok((platform, PathBuf::from(file)))
}

/// Packages a configuration and returns the path of the FMU; shows progress and a summary.
pub fn package(configuration: &Path, output: Option<&Path>, handed_in: &[HandedIn]) -> Result<PathBuf, String> {
    // What the user can get wrong is looked at before the build, which takes minutes.
    let model = FmuModel::read(configuration)?;
    model.print_warnings();
    let path = match output {
        Some(path) => path.to_path_buf(),
        None => default_path(&model),
    };
    prepare_place(&path)?;
    finish(configuration, &model, &path, &libraries(handed_in)?)?;
    Ok(path)
}

/// Packages a configuration with libraries at hand to where [`package`] would; for several FMUs of one build.
pub fn package_with(configuration: &Path, libraries: &[PlatformLibrary]) -> Result<PathBuf, String> {
    let model = FmuModel::read(configuration)?;
    model.print_warnings();
    let path = default_path(&model);
    prepare_place(&path)?;
    finish(configuration, &model, &path, libraries)?;
    Ok(path)
}

/// Where an FMU goes unless the user says otherwise.
fn default_path(model: &FmuModel) -> PathBuf {
    target().join("fmu").join(format!("{}.fmu", model.facts().name))
}

fn finish(configuration: &Path, model: &FmuModel, path: &Path, libraries: &[PlatformLibrary]) -> Result<(), String> {
    eprintln!("Packaging {}", shown(configuration));
    let zip = entries(model, libraries)?.to_zip()?;
    write_checked(path, &zip, check::check)?;
    print_summary(path, model, libraries, zip.len());
    Ok(())
}

/// A library with its platform.
pub type PlatformLibrary = (&'static Platform, Vec<u8>);

/// The libraries that were handed in, and one built here unless one of them is for this machine.
pub fn libraries(handed_in: &[HandedIn]) -> Result<Vec<PlatformLibrary>, String> {
    let mut libraries: Vec<PlatformLibrary> = Vec::new();
    for (platform, path) in handed_in {
        if libraries.iter().any(|(known, _)| known.name == platform.name) {
            return Err(format!("`--binary` names {} twice", platform.name));
        }
        libraries.push((*platform, library::read(path, platform)?));
    }
    let host = library::host_platform();
    let has_host = host.as_ref().is_ok_and(|host| libraries.iter().any(|(platform, _)| platform.name == host.name));
    match host {
        Err(_) if !libraries.is_empty() => {}
        _ if has_host => {}
        host => {
            let host = host?;
            eprintln!("Building the library for {}", host.name);
            libraries.push((host, library::read(&library::build()?, host)?));
        }
    }
    libraries.sort_by_key(|(platform, _)| platform.name);
    Ok(libraries)
}

/// A checked FMU.
pub fn fmu(model: &FmuModel, libraries: &[PlatformLibrary]) -> Result<Vec<u8>, String> {
    let zip = entries(model, libraries)?.to_zip()?;
    archive::read_zip(std::io::Cursor::new(&zip)).and_then(|files| check::check(&files)).map_err(contradiction)?;
    Ok(zip)
}

fn contradiction(error: String) -> String {
    format!("the archive contradicts itself, please report this: {error}")
}

/// Unpacks an FMU into a folder of its own and returns the library of a contact pair for this machine.
pub fn unpack(fmu: &Path, folder: &Path) -> Result<PathBuf, String> {
    let unreadable = |error: std::io::Error| format!("cannot unpack `{}`: {error}", fmu.display());
    let files = archive::read_zip(BufReader::new(fs::File::open(fmu).map_err(unreadable)?))?;
    for (name, content) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap_or(folder))
            .and_then(|()| fs::write(&path, content))
            .map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
    }
    let host = library::host_platform()?;
    Ok(folder.join("binaries").join(host.name).join(format!(
        "{}.{}",
        polycontact::fmu::MODEL_IDENTIFIER,
        host.extension
    )))
}

/// The files of the FMU, in the order of the archive.
fn entries(model: &FmuModel, libraries: &[PlatformLibrary]) -> Result<Entries, String> {
    let facts = model.facts();
    let identifier = facts.model_identifier;
    let mut entries = Entries::default();
    entries.push("modelDescription.xml", model_description(facts));
    if let FmuModel::Contact(pair) = model {
        entries.push("model.png", picture(&pair.surface_e.shape, &pair.surface_f.shape));
    }
    for (platform, bytes) in libraries {
        entries.push(format!("binaries/{}/{identifier}.{}", platform.name, platform.extension), bytes.as_slice());
    }
    for (name, content) in model.resources() {
        entries.push(format!("resources/{name}"), content);
    }
    let page = match model {
        FmuModel::Contact(pair) => documentation::page(pair),
        FmuModel::FreeBody(body) => body_documentation::page(body),
    };
    entries.push("documentation/index.html", page);
    for (name, text) in licenses::license_files()? {
        entries.push(format!("documentation/licenses/{name}"), text);
    }
    Ok(entries)
}

/// Makes the folder of the FMU.
pub fn prepare_place(path: &Path) -> Result<(), String> {
    if path.is_dir() {
        return Err(format!("cannot write `{}`: it is a folder; name a file with `-o`", path.display()));
    }
    let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) else { return Ok(()) };
    fs::create_dir_all(folder).map_err(|error| format!("cannot make the folder `{}`: {error}", folder.display()))
}

/// Writes the archive beside its place, opens it again, checks it, and then gives it its name: a
/// failure leaves an earlier file as it was.
pub fn write_checked(
    path: &Path,
    zip: &[u8],
    check: impl FnOnce(&archive::Files) -> Result<(), String>,
) -> Result<(), String> {
    let unwritable =
        |error: std::io::Error| format!("cannot write `{}`: {error}; choose another place with `-o`", path.display());
    let draft = PathBuf::from(format!("{}.{}.draft", path.display(), std::process::id()));
    fs::File::create(&draft).and_then(|mut file| file.write_all(zip)).map_err(unwritable)?;
    let checked = fs::File::open(&draft)
        .map_err(unwritable)
        .and_then(|file| archive::read_zip(BufReader::new(file)))
        .and_then(|files| check(&files))
        .map_err(contradiction)
        .and_then(|()| fs::rename(&draft, path).map_err(unwritable));
    if checked.is_err() {
        let _ = fs::remove_file(&draft);
    }
    checked
}

fn print_summary(path: &Path, model: &FmuModel, libraries: &[PlatformLibrary], size: usize) {
    let platforms: Vec<&str> = libraries.iter().map(|(platform, _)| platform.name).collect();
    let facts = model.facts();
    println!("{}", shown(path));
    let mut lines = vec![("model", facts.name.to_owned())];
    lines.extend(model.summary());
    lines.extend([
        ("variables", facts.variables.variables().len().to_string()),
        ("platforms", platforms.join(", ")),
        ("size", format!("{:.0} KiB", size as f64 / 1024.0)),
    ]);
    for (name, value) in lines {
        println!("  {name:<10} {value}");
    }
}
