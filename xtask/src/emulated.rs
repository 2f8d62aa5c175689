//! FMUs for other platforms, built here and run in an emulator: they must say what the one for this machine says.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use polycontact::configuration::Configuration;
use polycontact::fmu::{Causality, Kind, MODEL_IDENTIFIER, Part, contact_variables, guid_of_folder};
use polycontact_packaging::package::{self as packaging, archive, library};

use crate::debian;
use crate::library::{SYSTEM_PACKAGES, can_build, kit_for, triple};
use crate::package::surroundings;
use crate::project::{default_configuration, output, root, target};

/// Steps of the run: two swings into the contact and out of it.
const STEPS: usize = 64;

/// Largest difference of an output, as a part of its largest value. The contact itself uses additions, multiplications,
/// divisions and roots, which every platform rounds alike; its normals may use a platform's trigonometry.
const SAME: f64 = 1e-12;

/// A platform whose programs an emulator runs.
pub struct Guest {
    /// For people: platform and emulator.
    pub name: &'static str,
    platform: &'static str,
    /// Debian's packages with compiler and emulator.
    packages: &'static [&'static str],
    compiler: &'static str,
    /// Its last options.
    options: &'static [&'static str],
    /// Programs with their first arguments, the first one that is there counts.
    emulators: &'static [&'static [&'static str]],
    /// How the URI of an absolute path begins.
    scheme: &'static str,
    /// Source and name of a library that the emulator lacks.
    stub: Option<[&'static str; 2]>,
}

/// All of them.
pub const GUESTS: [Guest; 2] = [
    Guest {
        name: "Windows in Wine",
        platform: "win64",
        packages: &["gcc-mingw-w64-x86-64", "wine64", "wine"],
        compiler: "x86_64-w64-mingw32-gcc",
        options: &["-static"],
        emulators: &[&["wine64"], &["wine"], &["/usr/lib/wine/wine64"]],
        scheme: "file:///Z:",
        stub: Some(["bcryptprimitives.c", "bcryptprimitives.dll"]),
    },
    Guest {
        name: "ARM in QEMU",
        platform: "aarch64-linux",
        packages: &["gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross", "qemu-user"],
        compiler: "aarch64-linux-gnu-gcc",
        options: &["-ldl"],
        emulators: &[
            &["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"],
            &["qemu-aarch64-static", "-L", "/usr/aarch64-linux-gnu"],
        ],
        scheme: "file://",
        stub: None,
    },
];

impl Guest {
    /// Packages the default pair for this machine and the guest, runs both libraries in the same host, and compares every
    /// output. Where something is missing and cannot be installed, it says so and is content.
    pub fn compare(&self) -> Result<(), String> {
        let emulator = || self.emulators.iter().find(|words| exists(words[0])).copied();
        let find = || emulator().filter(|_| can_build(self.platform) && exists("cc"));
        let Some(emulator) = find().or_else(|| {
            self.install();
            find()
        }) else {
            println!(
                "Skipped: the FMU for {} needs {}, and Rust's standard library for {triple} (Debian: `apt-get install {}`, \
                 then `rustup target add {triple}` or `apt-get install {}`), which cannot be installed here.",
                self.name,
                self.compiler,
                self.packages.join(" "),
                SYSTEM_PACKAGES.join(" "),
                triple = triple(self.platform)
            );
            return Ok(());
        };
        self.compare_in(emulator)
    }

    /// Installs what it can.
    fn install(&self) {
        let install = |packages: &[&str]| {
            for reason in packages.iter().filter_map(|package| debian::install(package).err()) {
                println!("{reason}");
            }
        };
        install(self.packages);
        // The standard library: from rustup, or else Debian's compiler with its sources.
        if output(Command::new("rustup").args(["target", "add", triple(self.platform)])).is_err() {
            if let Err(reason) = debian::update() {
                println!("{reason}");
            }
            install(&SYSTEM_PACKAGES);
        }
    }

    fn compare_in(&self, emulator: &[&str]) -> Result<(), String> {
        let folder = target().join("emulated").join(self.platform);
        let _ = fs::remove_dir_all(&folder);
        let unwritable = |error: std::io::Error| format!("cannot write below `{}`: {error}", folder.display());
        fs::create_dir_all(&folder).map_err(unwritable)?;
        let here = library::host_platform()?;
        let there = library::find_platform(self.platform).ok_or("FMI does not know the platform")?;
        let fmu = folder.join("SphereOnPlate.fmu");
        packaging::package(&default_configuration(), Some(&fmu), &surroundings(&|| kit_for(&[here, there], &[])))?;
        let bytes = fs::read(&fmu).map_err(|error| format!("cannot read `{}`: {error}", fmu.display()))?;
        for (name, content) in archive::read_zip(std::io::Cursor::new(bytes))? {
            let path = folder.join("fmu").join(name);
            fs::create_dir_all(path.parent().unwrap_or(&folder))
                .and_then(|()| fs::write(&path, content))
                .map_err(unwritable)?;
        }
        for (name, scheme) in [("here.txt", "file://"), ("there.txt", self.scheme)] {
            fs::write(folder.join(name), plan(&folder, scheme)?).map_err(unwritable)?;
        }
        let compile = |compiler: &str, source: &str, options: &[&str], program: &str| {
            // Compilers for ARM would fuse additions and multiplications of the host.
            let mut command = Command::new(compiler);
            command.args(["-O1", "-Wall", "-ffp-contract=off", "-o"]).arg(folder.join(program));
            output(command.arg(root().join("tests/platforms").join(source)).args(options))
        };
        compile("cc", "host.c", &["-ldl"], "here.exe")?;
        compile(self.compiler, "host.c", self.options, "there.exe")?;
        if let Some([source, name]) = self.stub {
            compile(self.compiler, source, &["-shared"], name)?;
        }
        let library = |platform: &library::Platform| {
            PathBuf::from(format!("fmu/binaries/{}/{MODEL_IDENTIFIER}.{}", platform.name, platform.extension))
        };
        let run = |mut command: Command, platform: &library::Platform, plan: &str| {
            command.arg(library(platform)).arg(plan).current_dir(&folder).stdin(Stdio::null());
            output(command.env("WINEDEBUG", "-all").env("WINEPREFIX", folder.join("wine")).env_remove("DISPLAY"))
        };
        let mut emulated = Command::new(emulator[0]);
        emulated.args(&emulator[1..]).arg("there.exe");
        let here = numbers(&run(Command::new(folder.join("here.exe")), here, "here.txt")?)?;
        let there = numbers(&run(emulated, there, "there.txt")?)?;
        self.report(&here, &there)
    }

    /// Compares outputs, a row per step; the first three are the force.
    fn report(&self, here: &[Vec<f64>], there: &[Vec<f64>]) -> Result<(), String> {
        let (mut equal, mut all, mut largest) = (0, 0, 0.0_f64);
        for column in 0..here[0].len() {
            let scale = here.iter().map(|row| row[column].abs()).fold(0.0, f64::max);
            for (a, b) in here.iter().zip(there) {
                let (a, b) = (a[column], *b.get(column).ok_or("the hosts printed different numbers of outputs")?);
                all += 1;
                equal += usize::from(a.to_bits() == b.to_bits());
                if a.to_bits() != b.to_bits() {
                    largest = largest.max(if 0.0 < scale { (a - b).abs() / scale } else { f64::INFINITY });
                }
            }
        }
        let force = here.iter().map(|row| row[..3].iter().map(|x| x * x).sum::<f64>().sqrt()).fold(0.0, f64::max);
        println!(
            "{all} outputs of {STEPS} steps, forces up to {force:.0} N: {equal} equal bit by bit, the rest within {largest:e}"
        );
        if force.is_nan() || force < 1.0 {
            return Err("the bodies did not touch: nothing was compared".to_owned());
        }
        if largest.is_nan() || SAME < largest {
            return Err(format!("{} differs by {largest:e} of an output; up to {SAME:e} is rounding", self.name));
        }
        Ok(())
    }
}

fn exists(program: &str) -> bool {
    Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
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
