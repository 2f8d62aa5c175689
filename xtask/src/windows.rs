//! The FMU for Windows, built here and run in Wine: it must say what the one for Linux says.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use polycontact::configuration::Configuration;
use polycontact::fmu::{Causality, Kind, Part, contact_variables, guid_of_folder};
use polycontact_packaging::package::{self as packaging, archive, library};

use crate::debian;
use crate::library::{SYSTEM_PACKAGES, can_build, kit_for};
use crate::package::surroundings;
use crate::project::{default_configuration, output, root, target};

/// Steps of the run: two swings into the contact and out of it.
const STEPS: usize = 64;

/// Largest difference of an output, as a part of its largest value. The contact itself uses additions, multiplications,
/// divisions and roots, which every platform rounds alike; its normals may use a platform's trigonometry.
const SAME: f64 = 1e-12;

const PACKAGES: [&str; 3] = ["gcc-mingw-w64-x86-64", "wine64", "wine"];

const COMPILER: &str = "x86_64-w64-mingw32-gcc";

/// Whether everything is there, installed if need be; otherwise it says what is missing.
pub fn is_possible() -> bool {
    let is_there = || can_build("win64") && wine().is_some() && exists("cc");
    if !is_there() {
        for package in PACKAGES {
            if let Err(reason) = debian::install(package) {
                println!("{reason}");
            }
        }
        // The standard library: from rustup, or else Debian's compiler with its sources.
        if output(Command::new("rustup").args(["target", "add", "x86_64-pc-windows-gnu"])).is_err() {
            if let Err(reason) = debian::update() {
                println!("{reason}");
            }
            for package in SYSTEM_PACKAGES {
                if let Err(reason) = debian::install(package) {
                    println!("{reason}");
                }
            }
        }
    }
    let is_there = is_there();
    if !is_there {
        println!(
            "Skipped: the FMU for Windows needs {COMPILER}, Wine and Rust's standard library for x86_64-pc-windows-gnu \
             (Debian: `apt-get install {}`, then `rustup target add x86_64-pc-windows-gnu` or `apt-get install {}`), which cannot \
             be installed here.",
            PACKAGES.join(" "),
            SYSTEM_PACKAGES.join(" ")
        );
    }
    is_there
}

fn exists(program: &str) -> bool {
    Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

fn wine() -> Option<&'static str> {
    ["wine64", "wine", "/usr/lib/wine/wine64"].into_iter().find(|program| exists(program))
}

/// Packages the default pair for both platforms, runs both through the same host, and compares every output.
pub fn compare() -> Result<(), String> {
    let folder = target().join("windows");
    let _ = fs::remove_dir_all(&folder);
    let unwritable = |error: std::io::Error| format!("cannot write below `{}`: {error}", folder.display());
    fs::create_dir_all(&folder).map_err(unwritable)?;
    let platforms = ["linux64", "win64"].map(|name| library::find_platform(name).expect("FMI knows both"));
    let fmu = folder.join("SphereOnPlate.fmu");
    packaging::package(&default_configuration(), Some(&fmu), &surroundings(&|| kit_for(&platforms, &[])))?;
    let bytes = fs::read(&fmu).map_err(|error| format!("cannot read `{}`: {error}", fmu.display()))?;
    for (name, content) in archive::read_zip(std::io::Cursor::new(bytes))? {
        let path = folder.join("fmu").join(name);
        fs::create_dir_all(path.parent().unwrap_or(&folder))
            .and_then(|()| fs::write(&path, content))
            .map_err(unwritable)?;
    }
    let [linux, windows] = [plan(&folder, "file://")?, plan(&folder, "file:///Z:")?];
    for (name, text) in [("linux.txt", &linux), ("windows.txt", &windows)] {
        fs::write(folder.join(name), text).map_err(unwritable)?;
    }
    let sources = root().join("tests/windows");
    let compile = |compiler: &str, file: &str, options: &[&str], program: &str| {
        let source = sources.join(file);
        output(Command::new(compiler).args(["-O1", "-Wall", "-o"]).arg(folder.join(program)).arg(source).args(options))
    };
    compile("cc", "host.c", &["-ldl"], "host")?;
    compile(COMPILER, "host.c", &["-static"], "host.exe")?;
    compile(COMPILER, "bcryptprimitives.c", &["-shared"], "bcryptprimitives.dll")?;
    let library = |platform: &str, extension: &str| {
        PathBuf::from(format!("fmu/binaries/{platform}/{}.{extension}", polycontact::fmu::MODEL_IDENTIFIER))
    };
    let of_linux = output(
        Command::new(folder.join("host"))
            .arg(folder.join(library("linux64", "so")))
            .arg("linux.txt")
            .current_dir(&folder),
    )?;
    let of_windows = output(
        Command::new(wine().ok_or("Wine is gone")?)
            .arg("host.exe")
            .arg(library("win64", "dll"))
            .arg("windows.txt")
            .current_dir(&folder)
            .env("WINEDEBUG", "-all")
            .env("WINEPREFIX", folder.join("wine"))
            .env_remove("DISPLAY")
            .stdin(Stdio::null()),
    )?;
    report(&numbers(&of_linux)?, &numbers(&of_windows)?)
}

/// What the host reads: guid, resources, steps, and value references.
fn plan(folder: &Path, scheme: &str) -> Result<String, String> {
    let resources = folder.join("fmu/resources");
    let (configuration, guid) = guid_of_folder(&resources).map_err(|error| error.to_string())?;
    let resources = resources.canonicalize().map_err(|error| error.to_string())?;
    let references: Vec<String> = references(&configuration)?.iter().map(u32::to_string).collect();
    let uri = format!("{scheme}{}", resources.display().to_string().replace(' ', "%20"));
    Ok(format!("{guid}\n{uri}\n{STEPS}\n{}\n", references.join(" ")))
}

/// Of the position, the velocity, and all real outputs.
fn references(configuration: &Configuration) -> Result<Vec<u32>, String> {
    let table = contact_variables(configuration);
    let mut references = Vec::new();
    for name in ["relativePosition", "relativeVelocity"] {
        for axis in 1..=3 {
            let variable = table.find(&format!("{name}[{axis}]")).ok_or("the FMU has no such input")?;
            references.push(variable.value_reference);
        }
    }
    let is_output = |variable: &&polycontact::fmu::Variable| {
        matches!(variable.kind, Kind::Real { .. })
            && variable.causality == Causality::Output
            && variable.part != Part::Stiffness
    };
    references.extend(table.variables().iter().filter(is_output).map(|variable| variable.value_reference));
    Ok(references)
}

/// A row per step.
fn numbers(text: &str) -> Result<Vec<Vec<f64>>, String> {
    let number = |word: &str| {
        let bits =
            u64::from_str_radix(word, 16).map_err(|_| format!("the host printed `{word}`, which is no number"))?;
        Ok(f64::from_bits(bits))
    };
    let rows = text.lines().map(|line| line.split_whitespace().map(number).collect());
    let rows: Vec<Vec<f64>> = rows.collect::<Result<_, String>>()?;
    if rows.len() == STEPS { Ok(rows) } else { Err(format!("the host made {} steps of {STEPS}", rows.len())) }
}

fn report(linux: &[Vec<f64>], windows: &[Vec<f64>]) -> Result<(), String> {
    let (mut equal, mut all, mut largest) = (0, 0, 0.0_f64);
    for column in 0..linux[0].len() {
        let scale = linux.iter().map(|row| row[column].abs()).fold(0.0, f64::max);
        for (a, b) in linux.iter().zip(windows) {
            let (a, b) = (a[column], *b.get(column).ok_or("the hosts printed different numbers of outputs")?);
            all += 1;
            equal += usize::from(a.to_bits() == b.to_bits());
            if a.to_bits() != b.to_bits() {
                largest = largest.max(if 0.0 < scale { (a - b).abs() / scale } else { f64::INFINITY });
            }
        }
    }
    let force = linux.iter().map(|row| row[..3].iter().map(|x| x * x).sum::<f64>().sqrt()).fold(0.0, f64::max);
    println!(
        "{all} outputs of {STEPS} steps, forces up to {force:.0} N: {equal} equal bit by bit, the rest within {largest:e}"
    );
    if force.is_nan() || force < 1.0 {
        return Err("the bodies did not touch: nothing was compared".to_owned());
    }
    if largest.is_nan() || SAME < largest {
        return Err(format!("Windows and Linux differ by {largest:e} of an output; up to {SAME:e} is rounding"));
    }
    Ok(())
}
