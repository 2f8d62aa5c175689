//! The library of the FMUs, built by Cargo, and the kit with its licences.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use polycontact_packaging::library_kit::{FILE_NAME, LibraryKit};
use polycontact_packaging::package::library::{self, Platform};
use serde_json::Value;

use crate::licenses::license_files;
use crate::project::{cargo, output, root, shown, target};

/// How a library is built on a machine of another kind.
struct CrossBuild {
    platform: &'static str,
    linker: &'static str,
    /// Debian's package with the linker.
    package: &'static str,
}

impl CrossBuild {
    fn triple(&self) -> &'static str {
        triple(self.platform)
    }

    /// Whether the toolchain has the standard library of the platform.
    fn has_std(&self) -> bool {
        let folder = output(Command::new("rustc").args(["--print", "target-libdir", "--target", self.triple()]));
        folder.is_ok_and(|folder| Path::new(folder.trim()).is_dir())
    }

    /// The compiler that can build for the platform, if there is one.
    fn toolchain(&self) -> Option<Toolchain> {
        match () {
            () if self.has_std() => Some(Toolchain::Own),
            () if has_standard_library_sources() => Some(Toolchain::System),
            () => None,
        }
    }

    fn has_linker(&self) -> bool {
        Command::new(self.linker).arg("--version").output().is_ok()
    }
}

/// Which Cargo builds a library.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Toolchain {
    /// The one that runs this program; it has the standard library of the platform.
    Own,
    /// That of the system, which builds the standard library from its sources.
    System,
}

/// Where Debian's compiler is; the one of rustup comes before it in PATH.
const SYSTEM_CARGO: &str = "/usr/bin/cargo";
const SYSTEM_RUSTC: &str = "/usr/bin/rustc";

/// Debian's packages of a compiler that is new enough, with the sources of the standard library.
pub const SYSTEM_PACKAGES: [&str; 3] = ["rustc-web", "cargo-web", "rust-web-src"];

/// Whether the system's compiler can build the standard library for other platforms.
fn has_standard_library_sources() -> bool {
    let root = output(Command::new(SYSTEM_RUSTC).args(["--print", "sysroot"]));
    root.is_ok_and(|root| Path::new(root.trim()).join("lib/rustlib/src/rust/library/std").is_dir())
        && Path::new(SYSTEM_CARGO).is_file()
}

const CROSS_BUILDS: [CrossBuild; 3] = [
    CrossBuild { platform: "win64", linker: "x86_64-w64-mingw32-gcc", package: "gcc-mingw-w64-x86-64" },
    CrossBuild { platform: "aarch64-linux", linker: "aarch64-linux-gnu-gcc", package: "gcc-aarch64-linux-gnu" },
    CrossBuild { platform: "linux64", linker: "x86_64-linux-gnu-gcc", package: "gcc-x86-64-linux-gnu" },
];

/// Rust's names of the platforms that libraries are built for, here or elsewhere.
const TRIPLES: [(&str, &str); 8] = [
    ("linux64", "x86_64-unknown-linux-gnu"),
    ("linux32", "i686-unknown-linux-gnu"),
    ("win64", "x86_64-pc-windows-gnu"),
    ("win32", "i686-pc-windows-gnu"),
    ("darwin64", "x86_64-apple-darwin"),
    ("aarch64-linux", "aarch64-unknown-linux-gnu"),
    ("aarch64-windows", "aarch64-pc-windows-gnullvm"),
    ("aarch64-darwin", "aarch64-apple-darwin"),
];

/// Rust's name of a platform; empty where it has none.
pub fn triple(platform: &str) -> &'static str {
    TRIPLES.iter().find(|(name, _)| *name == platform).map_or("", |(_, triple)| triple)
}

/// The kit for this machine, built if need be; it is also left beside the programs of the workspace.
pub fn kit() -> Result<LibraryKit, String> {
    kit_for(&[library::host_platform()?], &[]).and_then(left_beside_programs)
}

/// A kit; one with a library for this machine is also left beside the programs of the workspace.
pub fn left_beside_programs(kit: LibraryKit) -> Result<LibraryKit, String> {
    let host = library::host_platform()?.name;
    if !kit.libraries.iter().any(|(platform, _)| platform.name == host) {
        return Ok(kit);
    }
    // Also where they are not built yet.
    for profile in ["debug", "release"] {
        let folder = target().join(profile);
        fs::create_dir_all(&folder).map_err(|error| format!("cannot make `{}`: {error}", folder.display()))?;
        write_kit_file(&folder.join(FILE_NAME), &kit)?;
    }
    Ok(kit)
}

/// The kit for some platforms, built if need be; it has the licences of others too, whose libraries are handed in.
pub fn kit_for(platforms: &[&'static Platform], others: &[&'static Platform]) -> Result<LibraryKit, String> {
    let host = library::host_platform()?;
    let is_used = |name: &str| platforms.iter().chain(others).any(|platform| platform.name == name);
    let triples: Vec<&str> = TRIPLES.into_iter().filter(|(name, _)| is_used(name)).map(|(_, triple)| triple).collect();
    let mut kit = LibraryKit { libraries: Vec::new(), licenses: license_files(&triples)? };
    for platform in platforms {
        eprintln!("Building the library for {}", platform.name);
        let cross = if platform.name == host.name { None } else { Some(cross_build(platform)?) };
        kit.insert((platform, library::read(&build(platform, cross)?, platform)?));
    }
    Ok(kit)
}

/// Writes a kit as the file that the program looks for.
pub fn write_kit(path: &Path, kit: &LibraryKit) -> Result<(), String> {
    write_kit_file(path, kit)?;
    println!("{}", shown(path));
    Ok(())
}

/// The same without a word, and only where something changes.
pub fn write_kit_file(path: &Path, kit: &LibraryKit) -> Result<(), String> {
    let zip = kit.to_zip()?;
    if fs::read(path).ok().as_ref() == Some(&zip) {
        return Ok(());
    }
    // Others may be reading the one before.
    let draft = path.with_extension(format!("{}.draft", std::process::id()));
    fs::write(&draft, &zip)
        .and_then(|()| fs::rename(&draft, path))
        .map_err(|error| format!("cannot write `{}`: {error}", path.display()))
}

/// What a platform needs to be built for here, with the standard library fetched where it is missing; the error says
/// what to install.
fn cross_build(platform: &Platform) -> Result<(&'static CrossBuild, Toolchain), String> {
    let name = platform.name;
    let cross = CROSS_BUILDS.iter().find(|cross| cross.platform == name).ok_or_else(|| {
        format!("{name} cannot be cross-built here; build on such a machine and use `--binary {name}=FILE`")
    })?;
    let (CrossBuild { linker, package, .. }, triple) = (cross, cross.triple());
    if !cross.has_linker() {
        return Err(format!(
            "a library for {name} needs the linker `{linker}`; install it (Debian and Ubuntu: `apt-get install {package}`)"
        ));
    }
    if let Some(toolchain) = cross.toolchain() {
        return Ok((cross, toolchain));
    }
    eprintln!("Fetching Rust's standard library for {name}");
    output(Command::new("rustup").args(["target", "add", triple])).map_err(|error| {
        format!(
            "Rust's standard library for {triple} is missing; `rustup target add {triple}` brings it, and where there is \
             no rustup, `apt-get install {}` brings a compiler that builds it\n{error}",
            SYSTEM_PACKAGES.join(" ")
        )
    })?;
    Ok((cross, Toolchain::Own))
}

/// Whether a library for this platform can be built here without installing anything.
pub fn can_build(name: &str) -> bool {
    CROSS_BUILDS.iter().any(|cross| cross.platform == name && cross.has_linker() && cross.toolchain().is_some())
}

/// Builds the library in release mode, with Cargo's progress shown, and returns its path.
///
/// It has a target folder of its own, since its paths are written differently: a library should
/// not tell where the registry of the one who built it lies, and the same toolchain gives the same
/// bytes in every folder.
fn build(platform: &Platform, cross: Option<(&CrossBuild, Toolchain)>) -> Result<PathBuf, String> {
    let from_sources = cross.is_some_and(|(_, toolchain)| toolchain == Toolchain::System);
    let mut command = if from_sources { system_cargo() } else { cargo() };
    command
        .args(["build", "--release", "--package", "polycontact", "--lib"])
        .args(["--message-format", "json-render-diagnostics", "--config", "profile.release.strip=\"symbols\""])
        .arg("--target-dir")
        .arg(target().join("package"))
        .env_remove("RUSTFLAGS")
        .env("CARGO_ENCODED_RUSTFLAGS", rust_flags())
        .stderr(Stdio::inherit());
    if let Some((cross, _)) = cross {
        let (triple, linker) = (cross.triple(), cross.linker);
        let variable = format!("CARGO_TARGET_{}_LINKER", triple.to_uppercase().replace('-', "_"));
        command.args(["--target", triple]).env(variable, linker);
    }
    let output = command.output().map_err(|error| format!("cannot start cargo: {error}"))?;
    if !output.status.success() {
        return Err("the library could not be built; Cargo's messages are above".into());
    }
    let extension = platform.extension;
    let messages = String::from_utf8_lossy(&output.stdout);
    let artifacts = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let libraries = artifacts
        .filter(|message| message["reason"] == "compiler-artifact" && message["target"]["name"] == "polycontact");
    let files = libraries.flat_map(|message| message["filenames"].as_array().cloned().unwrap_or_default());
    let mut paths = files.filter_map(|file| file.as_str().map(PathBuf::from));
    paths
        .find(|path| path.extension().is_some_and(|found| found == extension))
        .ok_or_else(|| format!("Cargo built no .{extension} library; is `crate-type` in Cargo.toml still `cdylib`?"))
}

/// Cargo of the system, which builds the standard library too: that is not a stable feature of Cargo yet.
fn system_cargo() -> Command {
    let mut command = Command::new(SYSTEM_CARGO);
    command
        .current_dir(root())
        .arg("-Zbuild-std=std,panic_unwind")
        .env("RUSTC", SYSTEM_RUSTC)
        .env("RUSTC_BOOTSTRAP", "1")
        .env_remove("RUSTUP_TOOLCHAIN");
    command
}

fn rust_flags() -> String {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let mut flags: Vec<String> =
        std::env::var("RUSTFLAGS").unwrap_or_default().split_whitespace().map(String::from).collect();
    flags.extend(home.map(|home| format!("--remap-path-prefix={}=cargo", home.display())));
    flags.join("\x1f")
}
