//! The library of the FMUs, built by Cargo, and the kit with its licences.

use std::fs;
use std::path::PathBuf;
use std::process::Stdio;

use polycontact_packaging::library_kit::{FILE_NAME, LibraryKit};
use polycontact_packaging::package::library;
use serde_json::Value;

use crate::licenses::license_files;
use crate::project::{cargo, target};

/// The kit for this machine, built if need be; it is also left beside the programs of the workspace.
pub fn kit() -> Result<LibraryKit, String> {
    let host = library::host_platform()?;
    eprintln!("Building the library for {}", host.name);
    let libraries = vec![(host, library::read(&build()?, host)?)];
    let kit = LibraryKit { libraries, licenses: license_files()? };
    let zip = kit.to_zip()?;
    for profile in ["debug", "release"] {
        let path = target().join(profile).join(FILE_NAME);
        if path.parent().is_some_and(|folder| folder.is_dir()) && fs::read(&path).ok().as_ref() != Some(&zip) {
            // Others may be reading the one before.
            let draft = path.with_extension(format!("{}.draft", std::process::id()));
            fs::write(&draft, &zip)
                .and_then(|()| fs::rename(&draft, &path))
                .map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
        }
    }
    Ok(kit)
}

/// A kit without libraries, for those that are handed in.
pub fn empty_kit() -> Result<LibraryKit, String> {
    Ok(LibraryKit { libraries: Vec::new(), licenses: license_files()? })
}

/// Builds the library in release mode, with Cargo's progress shown, and returns its path.
///
/// It has a target folder of its own, since its paths are written differently: a library should
/// not tell where the registry of the one who built it lies, and the same toolchain gives the same
/// bytes in every folder.
fn build() -> Result<PathBuf, String> {
    let mut command = cargo();
    command
        .args(["build", "--release", "--package", "polycontact", "--lib"])
        .args(["--message-format", "json-render-diagnostics", "--config", "profile.release.strip=\"symbols\""])
        .arg("--target-dir")
        .arg(target().join("package"))
        .env_remove("RUSTFLAGS")
        .env("CARGO_ENCODED_RUSTFLAGS", rust_flags())
        .stderr(Stdio::inherit());
    let output = command.output().map_err(|error| format!("cannot start cargo: {error}"))?;
    if !output.status.success() {
        return Err("the library could not be built; Cargo's messages are above".into());
    }
    let extension = std::env::consts::DLL_EXTENSION;
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

fn rust_flags() -> String {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let mut flags: Vec<String> =
        std::env::var("RUSTFLAGS").unwrap_or_default().split_whitespace().map(String::from).collect();
    flags.extend(home.map(|home| format!("--remap-path-prefix={}=cargo", home.display())));
    flags.join("\x1f")
}
