//! `polycontact package`: two meshes and a TOML file become an FMU, or the TOML file of a rigid body does.

pub mod archive;
mod body_documentation;
mod check;
mod documentation;
pub mod library;
#[cfg(test)]
pub mod package_tests;

use std::fs;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};

use crate::Surroundings;
use crate::contact_pair::ContactPair;
use crate::files::{ending_in, require_configuration, shown, with_ending};
use crate::fmu_model::FmuModel;
use crate::library_kit::{LibraryKit, PlatformLibrary};
use crate::model_description::model_description;
use crate::picture::picture;
use archive::Entries;
use library::{PLATFORMS, Platform};

/// What `package` is told.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Arguments {
    /// The contact pair, or with a section `[body]` a free rigid body
    #[arg(value_name = "CONFIG.toml", default_value = "contact.toml")]
    pub configuration: PathBuf,
    /// Where the FMU goes; without it NAME.fmu
    #[arg(short, long = "output", value_name = "FILE.fmu", value_parser = ending_in("fmu"))]
    pub output: Option<PathBuf>,
    /// Also bundle a library that was built elsewhere, or instead of the one that is at hand; PLATFORM is linux64,
    /// linux32, win64, win32, darwin64, aarch64-linux, aarch64-windows or aarch64-darwin
    #[arg(long = "binary", value_name = "PLATFORM=FILE", value_parser = parse_binary)]
    pub handed_in: Vec<HandedIn>,
    /// The platforms that the FMU shall run on, such as linux64,win64; without it all that are at hand
    #[arg(long, value_name = "PLATFORM,...", value_delimiter = ',', value_parser = parse_platform)]
    pub platforms: Vec<&'static Platform>,
}

/// Packages what the arguments name.
pub fn run(arguments: &Arguments, surroundings: &Surroundings<'_>) -> Result<(), String> {
    let Arguments { configuration, output, handed_in, platforms } = arguments;
    let kit = || kit(handed_in, surroundings).and_then(|kit| kit.reduced_to(platforms));
    let surroundings = Surroundings { outputs: surroundings.outputs.clone(), kit: &kit };
    package(configuration, output.as_deref(), &surroundings).map(|_| ())
}

/// A library that was built elsewhere.
#[derive(Clone, Debug)]
pub struct HandedIn {
    /// Where it runs.
    pub platform: &'static Platform,
    /// Its file.
    pub file: PathBuf,
}

/// Takes a value of `--binary` apart.
pub(crate) fn parse_binary(value: &str) -> Result<HandedIn, String> {
    let (name, file) = value
        .split_once('=')
        .filter(|(_, file)| !file.is_empty())
        .ok_or_else(|| format!("it must read PLATFORM=FILE, with PLATFORM one of {}", known_platforms()))?;
    Ok(HandedIn { platform: parse_platform(name)?, file: PathBuf::from(file) })
}

/// The platform of a name.
fn parse_platform(name: &str) -> Result<&'static Platform, String> {
    library::find_platform(name)
        .ok_or_else(|| format!("there is no platform `{name}`; it is one of {}", known_platforms()))
}

fn known_platforms() -> String {
    PLATFORMS.iter().map(|platform| platform.name).collect::<Vec<_>>().join(", ")
}

/// Packages a configuration and returns the path of the FMU; shows progress and a summary.
pub fn package(
    configuration: &Path,
    output: Option<&Path>,
    surroundings: &Surroundings<'_>,
) -> Result<PathBuf, String> {
    // What the user can get wrong is looked at before the kit, which developers have to build.
    require_configuration(configuration)?;
    let model = FmuModel::read(configuration)?;
    model.print_warnings();
    let path = match output {
        Some(path) => path.to_path_buf(),
        None => surroundings.outputs.join(format!("{}.fmu", model.facts().name)),
    };
    prepare_place(&path)?;
    let kit = (surroundings.kit)()?;
    eprintln!("Packaging {}", shown(configuration));
    let zip = entries(&model, &kit)?.to_zip()?;
    write_checked(&path, &zip, check::check)?;
    print_summary(&path, &model, &kit.libraries, zip.len());
    Ok(path)
}

/// Makes the FMU of a pair, without a word.
pub fn write_pair(pair: ContactPair, path: &Path, kit: &LibraryKit) -> Result<(), String> {
    let path = &with_ending(path, "fmu")?;
    prepare_place(path)?;
    let zip = entries(&FmuModel::Contact(Box::new(pair)), kit)?.to_zip()?;
    write_checked(path, &zip, check::check)
}

/// The kit at hand with the libraries that were handed in.
pub fn kit(handed_in: &[HandedIn], surroundings: &Surroundings<'_>) -> Result<LibraryKit, String> {
    let mut libraries: Vec<PlatformLibrary> = Vec::new();
    for HandedIn { platform, file } in handed_in {
        if libraries.iter().any(|(known, _)| known.name == platform.name) {
            return Err(format!("`--binary` names {} twice", platform.name));
        }
        libraries.push((platform, library::read(file, platform)?));
    }
    let mut kit = (surroundings.kit)()?;
    libraries.into_iter().for_each(|library| kit.insert(library));
    Ok(kit)
}

/// A checked FMU.
pub(crate) fn fmu(model: &FmuModel, kit: &LibraryKit) -> Result<Vec<u8>, String> {
    let zip = entries(model, kit)?.to_zip()?;
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
fn entries(model: &FmuModel, kit: &LibraryKit) -> Result<Entries, String> {
    let facts = model.facts();
    let identifier = facts.model_identifier;
    let mut entries = Entries::default();
    entries.push("modelDescription.xml", model_description(facts));
    if let FmuModel::Contact(pair) = model {
        entries.push("model.png", picture(&pair.surface_e.shape, &pair.surface_f.shape));
    }
    for (platform, bytes) in &kit.libraries {
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
    for (name, text) in &kit.licenses {
        entries.push(format!("documentation/licenses/{name}"), text.as_slice());
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
