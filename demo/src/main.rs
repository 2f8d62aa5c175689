//! Scenes with packaged FMUs, driven through their C interface as any host would.
//!
//! `cargo xtask demo` packages the FMUs, provides libclang for the build, and runs this program.

mod ball_on_rod;
mod bodies;
mod bubbles;
mod bubbles_report;
mod cam_follower;
mod contact_fmu;
mod drop_report;
mod drop_test;
mod motion;
mod runge_kutta;
mod two_spheres;
mod wheel_on_ground;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Values of the enumeration `elements`, with their names.
const SCHEMES: [(i32, &str); 2] = [(1, "potential"), (2, "centroid")];

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    // Messages of the FMU arrive here by the host's logger.
    log::set_logger(&Messages).map(|()| log::set_max_level(log::LevelFilter::Warn)).expect("set once");
    match demo(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("demo: {message}");
            ExitCode::FAILURE
        }
    }
}

fn demo(arguments: &[PathBuf]) -> Result<(), String> {
    let [scene, folder, fmus @ ..] = arguments else {
        return Err("usage: polycontact-demo SCENE FOLDER FILE.fmu…; `cargo xtask demo` calls it so".to_owned());
    };
    match (scene.to_str().unwrap_or_default(), fmus) {
        ("drop", [fmu]) => drop_report::demo(fmu, folder),
        ("wheel", [fmu]) => wheel_on_ground::demo(fmu, folder),
        ("spheres", [fmu]) => two_spheres::demo(fmu, folder),
        ("cam", [fmu]) => cam_follower::demo(fmu, folder),
        ("rod", [fmu]) => ball_on_rod::demo(fmu, folder),
        ("bubbles", [funnel, pair]) => bubbles_report::demo(funnel, pair, folder),
        (name, fmus) => Err(format!("no scene `{name}` with {} FMUs", fmus.len())),
    }
}

/// Writes a file into the folder of the demo and names it.
fn write(folder: &Path, name: &str, content: &str) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| format!("cannot make `{}`: {error}", folder.display()))?;
    let path = folder.join(name);
    fs::write(&path, content).map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
    println!("{}", path.display());
    Ok(())
}

struct Messages;

impl log::Log for Messages {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        metadata.level() <= log::Level::Warn
    }

    fn log(&self, record: &log::Record<'_>) {
        if self.enabled(record.metadata()) {
            eprintln!("{}: {}", record.level().as_str().to_lowercase(), record.args());
        }
    }

    fn flush(&self) {}
}
