//! `cargo xtask test`: formatting, lints, documentation, Rust tests, and packaged FMUs in real importers.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use polycontact_packaging::system::system;

use crate::Verb;
use crate::arguments::{Arguments, OptionSpec};
use crate::emulated::GUESTS;
use crate::fuzzing;
use crate::library::kit;
use crate::package::surroundings;
use crate::pages;
use crate::project::{cargo, output, program, root, run, target};
use crate::python::{libclang_variables, program as program_of, python, venv};
use crate::steps::{Steps, cargo_test};
use crate::{browser, debian, wheel};

pub const VERB: Verb = Verb {
    name: "test",
    summary: "runs everything: formatting, lints, Rust tests, and packaged FMUs in real importers",
    usage: "
Usage: cargo xtask test [--poses N] [--only WORD]

  --poses N     random poses per property test, instead of the number each test chooses
  --only WORD   only the steps whose names contain WORD, such as `pages` or `FMPy`; they use what an
                earlier run has packaged and installed

Needs Python 3.11 or newer with its `venv` module, a C compiler, and on the first run the package
indices of Rust and Python; the importers are installed below `target/python`. Importers run beside the
Rust tests, and what they print is shown when they end. Ecos needs the library `libtbb12`, the page of
`polycontact view` needs Chromium: both are installed with apt-get where they are missing and the user
may do so. Without Chromium its step is skipped, unless the variable CI is set; so are the parts of build123d
and gmsh where these cannot be installed. The FMUs for Windows and ARM run in Wine and QEMU when they
are asked for with `--only Windows` and `--only ARM`, which install an emulator and a cross compiler where they may.

All tests are run, also after some were red; which these are is said in a list at the end.",
    run: test,
};

/// Names of the FMUs and their configurations; none is the default pair.
const EXAMPLES: [(&str, Option<&str>); 13] = [
    ("SphereOnPlate", None),
    ("SphereByMatrix", Some("tests/importers/sphere_by_matrix.toml")),
    ("SphereByQuaternion", Some("tests/importers/sphere_by_quaternion.toml")),
    ("SphereByCardan", Some("tests/importers/sphere_by_cardan.toml")),
    ("Ball", Some("examples/landing-sphere/free-body.toml")),
    ("WheelOnGround", Some("examples/wheel-on-ground/contact.toml")),
    ("TwoSpheres", Some("examples/two-spheres/contact.toml")),
    ("CamFollower", Some("examples/cam-follower/contact.toml")),
    ("Gears", Some("examples/gears/contact.toml")),
    ("Latch", Some("examples/latch/contact.toml")),
    ("BubbleInFunnel", Some("examples/bouncing-bubbles/bubble-funnel.toml")),
    ("TwoBubbles", Some("examples/bouncing-bubbles/bubble-bubble.toml")),
    ("BallOnRod", Some("examples/ball-on-rod/contact.toml")),
];

/// The system of the example.
const SYSTEM: &str = "LandingSphere.ssp";

/// Name of the folder with the FMUs: importers must cope with spaces and umlauts, and so must we.
const FMU_FOLDER: &str = "Prüf FMUs";

/// Each importer has an environment of its own, `tests/importers/requirements-<name>.txt`, and its tests.
type Importer = (&'static str, &'static [&'static str]);

const FMPY: Importer = (
    "fmpy",
    &[
        "test_fmpy_simulation.py",
        "test_fmpy_state.py",
        "test_fmpy_refusals.py",
        "test_fmpy_library.py",
        "test_fmpy_free_body.py",
        "test_fmpy_model_exchange.py",
        "test_fmpy_flexible.py",
        "test_fmpy_examples.py",
    ],
);
const FMUTOOL: Importer = ("fmutool", &["test_fmutool.py"]);
const LIBCOSIM: Importer = ("libcosim", &["test_libcosim.py", "test_libcosim_system.py", "test_libcosim_flexible.py"]);
const ECOS: Importer = ("ecos", &["test_ecos.py", "test_ecos_system.py"]);
/// Makes parts and meshes, packages them and drives them with FMPy.
const MESHERS: Importer = ("meshers", &["test_meshers.py"]);

/// The crates in two parts, by the features that they turn on in crates of others: so `polycontact` is compiled once,
/// for this program as for the tests. See `packaging/Cargo.toml`.
pub const CRATES: [&[&str]; 2] = [
    &[
        "--package=polycontact",
        "--package=polycontact-packaging",
        "--package=polycontact-reduction",
        "--package=polycontact-cli",
        "--package=xtask",
    ],
    &["--package=polycontact-demo"],
];

fn test(words: &[String]) -> Result<(), String> {
    let Request { poses, only } = parse(words)?;
    let steps = Steps::start(only);
    match take(&steps, poses) {
        Err(error) if !steps.is_over() => Err(error),
        // Where it ended early, the list of what is red says why.
        _ => steps.end(),
    }
}

/// Takes all steps that are asked for; an error ends them early.
fn take(steps: &Steps, poses: Option<u32>) -> Result<(), String> {
    let fmus = target().join(FMU_FOLDER);
    steps.require("formatting", || run(cargo().args(["fmt", "--all", "--check"])))?;
    let mut environment = vec![("POLYCONTACT_FMUS", fmus.clone().into_os_string())];
    environment.extend(poses.map(|poses| ("POLYCONTACT_POSES", OsString::from(poses.to_string()))));
    // Needed by all steps that build.
    environment.extend(libclang_variables().map_err(|error| format!("libclang for the `fmi` crate: {error}"))?);
    let cargo_with = |words: &[&str]| {
        let mut command = cargo();
        command.args(words).envs(environment.iter().map(|(name, value)| (name, value)));
        command
    };
    steps.require("lints", || {
        let options = ["--quiet", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"];
        run(cargo_with(&["clippy"]).args(options))
    })?;
    steps.require("documentation", || {
        run(cargo_with(&["doc", "--quiet", "--no-deps", "--workspace"]).env("RUSTDOCFLAGS", "-D warnings"))
    })?;
    // With the benchmarks' recording of pieces, which is tested too and changes no result.
    let test_crates = |options: &[&str]| {
        let all_options = [&["test", "--quiet", "--all-features", "--no-fail-fast"], options].concat();
        all_of(CRATES.iter().map(|crates| cargo_test(cargo_with(&all_options).args(*crates))))
    };
    // Compilers and Rust tests on one side, the link of the library and single-threaded importers on the other.
    let (prepared, wait_for_fmus) = mpsc::channel();
    let (tested, wait_for_tests) = mpsc::channel();
    let (fmus, environment) = (fmus.as_path(), &environment);
    let rust_side = move || {
        steps.require("compilation of the Rust tests", || test_crates(&["--no-run"]))?;
        wait_for(&wait_for_fmus, "Rust tests")?;
        steps.check("Rust tests, with the FMUs in the `fmi` crate", || test_crates(&[]));
        tell(&tested);
        steps.check("FMUs in fmpy", || drive(FMPY, fmus));
        steps.check("Python package", wheel::test);
        steps.check("page of `polycontact view` in Chromium", || {
            let Some(browser) = browser::provide()? else { return Ok(()) };
            let options = ["--quiet", "--all-features", "--lib", "browser", "--", "--ignored"];
            run(cargo_with(&["test"]).args(CRATES[0]).args(options).env("CHROMIUM", browser))
        });
        steps.check("commands in the pages", || pages::check(environment));
        Ok(())
    };
    let importer_side = move || {
        steps.require("packaging of the example FMUs", || package_examples(fmus))?;
        // Before the other side goes on: it needs the one of FMPy, and must not make it at the same time.
        steps.require("environments of fmpy and libcosim", || {
            [FMPY, LIBCOSIM].into_iter().try_for_each(|(importer, _)| importer_environment(importer).map(drop))
        })?;
        tell(&prepared);
        steps.check("Modelica package", || {
            let environment = venv("modelica", Path::new("tests/modelica/requirements.txt"))?;
            pytest(&environment, "tests/modelica", &[], fmus)
        });
        steps.check("pages as a book", book);
        for importer in [FMUTOOL, ECOS] {
            steps.check(&format!("FMUs in {}", importer.0), || drive(importer, fmus));
        }
        // Here the machine would only wait for the Rust tests.
        if fuzzing::is_possible() {
            steps.check("fuzzing of all readers", fuzzing::fuzz_all);
        }
        // The Rust tests leave the rebound that FMPy and libcosim have to find, and the program `polycontact`.
        wait_for(&wait_for_tests, "FMUs in libcosim")?;
        steps.check("parts of build123d and gmsh in fmpy", || match importer_environment(MESHERS.0) {
            Ok(_) => drive(MESHERS, fmus),
            Err(error) if env::var_os("CI").is_none() => {
                println!("skipped, since build123d and gmsh cannot be installed: {error}");
                Ok(())
            }
            Err(error) => Err(error),
        });
        steps.check("release workflow", || {
            let environment = venv("workflows", Path::new("tests/workflows/requirements.txt"))?;
            let mut check = Command::new(program_of(&environment, "check-jsonschema"));
            check.args(["--builtin-schema", "vendor.github-workflows", ".github/workflows/release.yml"]);
            show(check.current_dir(root()))
        });
        for guest in &GUESTS {
            // What they need is large, and a second library takes minutes to build: they are for who asks for them.
            steps.check(&format!("FMU for {}", guest.name), || match &steps.only {
                Some(_) => guest.compare(),
                None => {
                    println!("Skipped: run it with `cargo xtask test --only \"{}\"`", guest.name);
                    Ok(())
                }
            });
        }
        steps.check("FMUs in libcosim", || drive(LIBCOSIM, fmus));
        Ok(())
    };
    side_by_side(rust_side, importer_side)
}

/// Builds the pages as a book, without a warning.
fn book() -> Result<(), String> {
    let environment = venv("book", Path::new("xtask/python/book.txt"))?;
    let mut command = Command::new(program_of(&environment, "mkdocs"));
    show(command.args(["build", "--quiet", "--strict", "--site-dir"]).arg(target().join("book")).current_dir(root()))
}

/// Does two things at once; the error has what went wrong on both sides.
fn side_by_side(
    first: impl FnOnce() -> Result<(), String>,
    second: impl FnOnce() -> Result<(), String> + Send,
) -> Result<(), String> {
    let (first, second) = thread::scope(|scope| {
        let second = scope.spawn(second);
        (first(), second.join().expect("a step does not panic"))
    });
    all_of([first, second])
}

/// The errors of all.
fn all_of(results: impl IntoIterator<Item = Result<(), String>>) -> Result<(), String> {
    let errors: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    if errors.is_empty() { Ok(()) } else { Err(errors.join("\n")) }
}

/// Lets the other side go on.
fn tell(other: &Sender<()>) {
    // It may have ended with an error, which it reports.
    let _ = other.send(());
}

/// Waits for the other side; when that fails, its sender is gone.
fn wait_for(other: &Receiver<()>, name: &str) -> Result<(), String> {
    other.recv().map_err(|_| format!("{name}: not run, since another step failed"))
}

/// What is asked for.
#[derive(Debug, Default, PartialEq)]
pub struct Request {
    /// Poses per property test, where given.
    poses: Option<u32>,
    /// What the names of the steps contain, where given.
    only: Option<String>,
}

/// Takes the arguments apart.
pub fn parse(words: &[String]) -> Result<Request, String> {
    let options = ["--poses", "--only"].map(|name| OptionSpec { name, takes_value: true });
    let arguments = Arguments::parse(words, &options)?;
    if let Some(word) = arguments.free.first() {
        return Err(format!("unexpected argument `{word}`; see `cargo xtask test --help`"));
    }
    let poses = arguments.value("--poses").map(|text| match text.parse() {
        Ok(poses) if 0 < poses => Ok(poses),
        _ => Err(format!("`--poses {text}`: a whole number from 1 on is needed")),
    });
    Ok(Request { poses: poses.transpose()?, only: arguments.value("--only").map(str::to_owned) })
}

/// Fills the folder with the FMUs of [`EXAMPLES`] and the system, by the commands that users have.
fn package_examples(fmus: &Path) -> Result<(), String> {
    if fmus.exists() {
        fs::remove_dir_all(fmus).map_err(|error| format!("cannot empty `{}`: {error}", fmus.display()))?;
    }
    fs::create_dir_all(fmus).map_err(|error| format!("cannot create `{}`: {error}", fmus.display()))?;
    let xtask = this_program()?;
    for (name, configuration) in EXAMPLES {
        let file = fmus.join(format!("{name}.fmu"));
        show(Command::new(&xtask).arg("package").args(configuration).arg("-o").arg(&file).current_dir(root()))?;
    }
    let [contact, body] =
        ["contact.toml", "free-body.toml"].map(|name| root().join("examples/landing-sphere").join(name));
    system(&contact, &body, Some(&fmus.join(SYSTEM)), &[], &surroundings(&kit)).map(drop)
}

fn this_program() -> Result<PathBuf, String> {
    env::current_exe().map_err(|error| format!("this program does not know its path: {error}"))
}

/// Runs a program and shows what it prints in one piece, since others print at the same time.
fn show(command: &mut Command) -> Result<(), String> {
    print!("{}", output(command)?);
    Ok(())
}

/// The Python environment of an importer, with the library that it needs.
pub fn importer_environment(importer: &str) -> Result<PathBuf, String> {
    let environment = venv(importer, &PathBuf::from(format!("tests/importers/requirements-{importer}.txt")))?;
    if importer == "ecos" {
        provide_tbb(&python(&environment))?;
    }
    Ok(environment)
}

/// Runs the tests of one importer in its environment.
fn drive((importer, files): Importer, fmus: &Path) -> Result<(), String> {
    pytest(&importer_environment(importer)?, "tests/importers", files, fmus)
}

/// Runs files of tests in a folder, all without names, in a Python environment.
fn pytest(environment: &Path, folder: &str, files: &[&str], fmus: &Path) -> Result<(), String> {
    // Without -B and the cache provider, pytest would write into the source folder.
    show(
        Command::new(python(environment))
            .args(["-B", "-m", "pytest", "--quiet", "-p", "no:cacheprovider", "--tb=short"])
            .args(files)
            .env("POLYCONTACT_FMUS", fmus)
            .env("POLYCONTACT_PROGRAM", program("polycontact"))
            .current_dir(root().join(folder))
            .stdin(Stdio::null()),
    )
}

/// Ecos is linked with oneTBB, which its Python package does not bring along.
fn provide_tbb(python: &Path) -> Result<(), String> {
    let load = || output(Command::new(python).args(["-c", "import ctypes; ctypes.CDLL('libtbb.so.12')"]));
    if load().is_ok() {
        return Ok(());
    }
    debian::install("libtbb12").and_then(|()| load()).map(drop).map_err(|error| {
        format!("Ecos needs libtbb.so.12; install oneTBB (Debian and Ubuntu: `apt-get install libtbb12`) and run again\n{error}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn poses(line: &str) -> Result<Option<u32>, String> {
        parse(&line.split_whitespace().map(String::from).collect::<Vec<_>>()).map(|request| request.poses)
    }

    #[test]
    fn poses_are_a_positive_number() {
        assert_eq!(poses(""), Ok(None));
        assert_eq!(poses("--poses 20"), Ok(Some(20)));
        assert!(poses("--poses 0").unwrap_err().contains("--poses 0"));
        assert!(poses("--poses many").unwrap_err().contains("many"));
        assert!(poses("all").unwrap_err().contains("`all`"));
    }

    #[test]
    fn every_importer_has_its_files() {
        let folder = root().join("tests/importers");
        for (importer, files) in [FMPY, FMUTOOL, LIBCOSIM, ECOS, MESHERS] {
            assert!(folder.join(format!("requirements-{importer}.txt")).exists(), "{importer}");
            assert!(files.iter().all(|file| folder.join(file).exists()), "{importer}");
        }
        assert!(
            EXAMPLES
                .iter()
                .filter_map(|(_, configuration)| *configuration)
                .all(|configuration| root().join(configuration).exists())
        );
    }

    /// No example is left out: each folder has a page, and its configurations are packaged and run.
    #[test]
    fn every_example_is_packaged_and_has_a_page() {
        let system = ["examples/landing-sphere/contact.toml"];
        let bodies = ["rod.toml", "ball.toml"];
        let mut found = 0;
        for folder in fs::read_dir(root().join("examples")).unwrap().map(|entry| entry.unwrap().path()) {
            if !folder.is_dir() {
                continue;
            }
            assert!(folder.join("README.md").exists(), "{}", folder.display());
            for file in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
                let name = file.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
                let is_body = bodies.iter().any(|body| name.ends_with(body) && !name.ends_with("free-body.toml"));
                if name.ends_with(".toml") && !is_body && !system.contains(&name.as_str()) {
                    found += 1;
                    assert!(EXAMPLES.iter().any(|(_, packaged)| *packaged == Some(name.as_str())), "{name}");
                }
            }
        }
        assert!(6 < found, "{found}");
    }
}
