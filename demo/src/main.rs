//! Drops a sphere on a plate; the contact force comes from the packaged FMU.
//!
//! `cargo xtask demo` packages the FMU, provides libclang for the build, and runs this program.

mod body;
mod contact_fmu;
mod drop_test;
mod plot;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use drop_test::{STEP_APART, STEP_NEAR, STOP_TIME, Sample, Summary};
use plot::{Line, Panel};

/// Largest accepted deviation of the energy balance; more means that something is broken.
const ENERGY_TOLERANCE: f64 = 0.001;

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [fmu, folder] = arguments.as_slice() else {
        eprintln!("Usage: polycontact-demo FILE.fmu FOLDER; `cargo xtask demo` calls it so");
        return ExitCode::FAILURE;
    };
    // Messages of the FMU arrive here by the host's logger.
    log::set_logger(&Messages).map(|()| log::set_max_level(log::LevelFilter::Warn)).expect("set once");
    match demo(fmu, folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("demo: {message}");
            ExitCode::FAILURE
        }
    }
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

fn demo(fmu: &Path, folder: &Path) -> Result<(), String> {
    let clock = Instant::now();
    let samples = drop_test::run(fmu)?;
    let wall_time = clock.elapsed().as_secs_f64();
    let summary = Summary::new(&samples)?;
    print(&samples, &summary, wall_time);
    fs::create_dir_all(folder).map_err(|error| format!("cannot make `{}`: {error}", folder.display()))?;
    for (name, content) in
        [("drop.csv", drop_test::to_csv(&samples)), ("drop.svg", plot::to_svg(&panels(&samples, &summary)))]
    {
        let path = folder.join(name);
        fs::write(&path, content).map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
        println!("{}", path.display());
    }
    if ENERGY_TOLERANCE < summary.energy_error {
        return Err(format!(
            "the energy balance is off by {:.2} %, more than {:.1} %; the FMU or the demo is broken",
            100.0 * summary.energy_error,
            100.0 * ENERGY_TOLERANCE
        ));
    }
    Ok(())
}

fn print(samples: &[Sample], summary: &Summary, wall_time: f64) {
    let (first, last) = (&samples[0], &samples[samples.len() - 1]);
    let (begin, end) = summary.first_contact;
    let energies = |sample: &Sample| {
        format!(
            "{:.3} J = {:.3} kinetic + {:.3} potential + {:.3} elastic + {:.3} dissipated",
            sample.total_energy(),
            sample.body.kinetic_energy(),
            sample.body.potential_energy(),
            sample.contact.elastic_energy,
            sample.dissipated
        )
    };
    println!("A sphere of {:.0} kg falls {:.0} mm on a plate", body::MASS, 1e3 * first.body.height());
    for (name, value) in [
        ("peak force", format!("{:.0} N at {:.4} s", summary.peak_force.0, summary.peak_force.1)),
        ("penetration", format!("{:.2} mm at most", 1e3 * summary.peak_penetration)),
        ("contact time", format!("{:.2} ms, from {begin:.4} s to {end:.4} s", 1e3 * (end - begin))),
        (
            "rebound",
            format!("{:.1} mm high, {:.1} % of the speed", 1e3 * summary.rebound_height, 100.0 * summary.restitution),
        ),
        ("energy at start", energies(first)),
        ("energy at end", energies(last)),
        ("energy balance", format!("off by {:.3} % at most", 100.0 * summary.energy_error)),
        (
            "steps",
            format!(
                "{} of {:.0} µs apart and {:.0} µs near, {STOP_TIME} s in {wall_time:.2} s",
                samples.len() - 1,
                1e6 * STEP_APART,
                1e6 * STEP_NEAR
            ),
        ),
        (
            "time per step",
            format!("{:.1} µs in contact, {:.1} µs apart", 1e6 * summary.wall_times.0, 1e6 * summary.wall_times.1),
        ),
    ] {
        println!("  {name:<16} {value}");
    }
}

fn panels(samples: &[Sample], summary: &Summary) -> Vec<Panel> {
    let line = |name, x: &dyn Fn(&Sample) -> f64, y: &dyn Fn(&Sample) -> f64, of: &[Sample]| Line {
        name,
        points: of.iter().map(|sample| (x(sample), y(sample))).collect(),
    };
    let time = |sample: &Sample| sample.time;
    let (begin, end) = summary.first_contact;
    let margin = 0.15 * (end - begin);
    let near = |sample: &Sample| begin - margin <= sample.time && sample.time <= end + margin;
    let first_contact: Vec<Sample> = samples.iter().copied().filter(near).collect();
    let since = |sample: &Sample| 1e3 * (sample.time - begin);
    vec![
        Panel {
            title: "Height of the lowest point",
            x_label: "time / s",
            y_label: "height / mm",
            lines: vec![line("", &time, &|sample| 1e3 * sample.body.height(), samples)],
        },
        Panel {
            title: "Force in the first contact",
            x_label: "time since contact / ms",
            y_label: "force / N",
            lines: vec![
                line("normal", &since, &|sample| sample.contact.force.z, &first_contact),
                line("friction", &since, &|sample| sample.contact.force.xy().norm(), &first_contact),
            ],
        },
        Panel {
            title: "Slip and roll: speed along x and speed of the surface by rotation",
            x_label: "time / s",
            y_label: "speed / (m/s)",
            lines: vec![
                line("centre", &time, &|sample| sample.body.velocity.x, samples),
                line("rotation", &time, &|sample| body::RADIUS * sample.body.angular_velocity.y, samples),
            ],
        },
        Panel {
            title: "Energy",
            x_label: "time / s",
            y_label: "energy / J",
            lines: vec![
                line("kinetic", &time, &|sample| sample.body.kinetic_energy(), samples),
                line("potential", &time, &|sample| sample.body.potential_energy(), samples),
                line("elastic", &time, &|sample| sample.contact.elastic_energy, samples),
                line("dissipated", &time, &|sample| sample.dissipated, samples),
                line("total", &time, &Sample::total_energy, samples),
            ],
        },
    ]
}
