//! `cargo xtask wheel`: the Python package, with the libraries that FMUs are made with.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use polycontact_packaging::library_kit::FILE_NAME;

use crate::Verb;
use crate::arguments::{Arguments, OptionSpec};
use crate::library::kit;
use crate::project::{cargo, root, run as run_program, shown, target};
use crate::python::{program, python, venv};

pub const VERB: Verb = Verb {
    name: "wheel",
    summary: "builds the Python package: `pip install` gives the program `polycontact` and the module",
    usage: "
Usage: cargo xtask wheel [--quick]

Writes target/wheels/polycontact-VERSION-cp311-abi3-PLATFORM.whl, for Python 3.11 and newer.

  --quick   with the profile of the tests: built in a minute where those are built, and slower

Needs Python 3 with its `venv` module; maturin is installed below target/python.",
    run,
};

const OPTIONS: &[OptionSpec] = &[OptionSpec { name: "--quick", takes_value: false }];

fn run(words: &[String]) -> Result<(), String> {
    let arguments = Arguments::parse(words, OPTIONS)?;
    if let Some(word) = arguments.free.first() {
        return Err(format!("`{word}` is not expected; see `cargo xtask wheel --help`"));
    }
    println!("{}", shown(&build(arguments.has("--quick"))?));
    Ok(())
}

/// Builds the wheel and returns its path.
pub fn build(is_quick: bool) -> Result<PathBuf, String> {
    let maturin = program(&venv("maturin", Path::new("xtask/python/maturin.txt"))?, "maturin");
    let place = root().join("python/polycontact").join(FILE_NAME);
    let unwritable = |error: std::io::Error| format!("cannot write `{}`: {error}", place.display());
    fs::write(&place, kit()?.to_zip()?).map_err(unwritable)?;
    let folder = target().join("wheels");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| format!("cannot empty `{}`: {error}", folder.display()))?;
    }
    // The Cargo that runs this program, and its folders.
    let mut command = Command::new(maturin);
    command
        .args(["build", "--quiet", "--profile", if is_quick { "dev" } else { "release" }])
        // The libraries that it is linked with are those of the C library; a release checks that.
        .args(["--auditwheel", "skip", "--manifest-path"])
        .arg(root().join("python/Cargo.toml"))
        .arg("--out")
        .arg(&folder)
        .env("CARGO", cargo().get_program())
        .env("CARGO_TARGET_DIR", target());
    run_program(&mut command)?;
    let wheels = fs::read_dir(&folder).map_err(|error| format!("`{}`: {error}", folder.display()))?;
    let mut wheels = wheels.filter_map(|entry| Some(entry.ok()?.path()));
    wheels.find(|path| path.extension().is_some_and(|end| end == "whl")).ok_or("maturin built no wheel".to_owned())
}

/// Puts a wheel into a Python environment, which has what it needs.
pub fn install(wheel: &Path, environment: &Path) -> Result<(), String> {
    let options = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--force-reinstall"];
    run_program(Command::new(python(environment)).args(options).arg(wheel))
}
