//! `cargo xtask wheel`: the Python package, built as a wheel, and its tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use polycontact_packaging::library_kit::FILE_NAME;

use crate::Verb;
use crate::arguments::{Arguments, OptionSpec};
use crate::library::{kit, write_kit_file};
use crate::project::{output, root, run as run_program, shown, target};
use crate::python::{program, python, venv};

pub const VERB: Verb = Verb {
    name: "wheel",
    summary: "builds the Python package as a wheel, with the program and the libraries of FMUs inside",
    usage: "
Usage: cargo xtask wheel [--profile NAME]

  --profile NAME   a profile of Cargo, `release` without it; the tests take `dev`, whose parts they have built

The wheel goes to target/wheels. It is for Python 3.11 and newer (abi3), on machines with the glibc of this one or a newer
one; the release workflow builds those for older systems. Needs Python with `venv`, and its package index on the first run.",
    run,
};

fn run(words: &[String]) -> Result<(), String> {
    let arguments = Arguments::parse(words, &[OptionSpec { name: "--profile", takes_value: true }])?;
    if let Some(word) = arguments.free.first() {
        return Err(format!("unexpected argument `{word}`; see `cargo xtask wheel --help`"));
    }
    println!("{}", shown(&build(arguments.value("--profile").unwrap_or("release"))?));
    Ok(())
}

/// Builds the wheel; the folder has no other one then.
fn build(profile: &str) -> Result<PathBuf, String> {
    let environment = venv("wheel", Path::new("xtask/python/wheel.txt"))?;
    // The Python package carries what FMUs are made with.
    write_kit_file(&root().join("python/polycontact").join(FILE_NAME), &kit()?)?;
    let wheels = target().join("wheels");
    let _ = fs::remove_dir_all(&wheels);
    run_program(
        Command::new(program(&environment, "maturin"))
            .args(["build", "--quiet", "--profile", profile, "--manifest-path", "python/Cargo.toml"])
            // Where the compiler is the system's own, its glibc is the oldest one that the wheel can name.
            .args(["--compatibility", "linux", "--interpreter", "python3", "--out"])
            .arg(&wheels)
            .env("CARGO_TARGET_DIR", target())
            .current_dir(root()),
    )?;
    let found = fs::read_dir(&wheels).map_err(|error| format!("cannot read `{}`: {error}", wheels.display()))?;
    let mut files = found.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    files.next().ok_or_else(|| "maturin built no wheel".to_owned())
}

/// A Python environment with what the examples and tests of the package need, and the package as it was installed last.
pub fn environment() -> Result<PathBuf, String> {
    venv("package", Path::new("python/tests/requirements.txt"))
}

/// Builds the wheel from what the Rust tests have built, installs it, and runs its tests.
pub fn test() -> Result<(), String> {
    let wheel = build("dev")?;
    let environment = environment()?;
    run_program(
        Command::new(python(&environment))
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--force-reinstall"])
            .arg(&wheel),
    )?;
    let printed = output(
        Command::new(python(&environment))
            .args(["-B", "-m", "pytest", "--quiet", "-p", "no:cacheprovider", "--tb=short", "-s"])
            .env("POLYCONTACT_WHEEL", &wheel)
            .current_dir(root().join("python/tests"))
            .stdin(Stdio::null()),
    )?;
    print!("{printed}");
    Ok(())
}
