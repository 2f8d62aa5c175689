//! `polycontact reduce`: a flexible body from a finite-element model.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use polycontact_packaging::with_ending;
use polycontact_reduction::body_file::{BodyError, BodyFile};
use polycontact_reduction::craig_bampton::{Progress, reduce};
use polycontact_reduction::reduced_body::ReducedBody;
use polycontact_reduction::volume_mesh::impact_bodies::{Fineness, ImpactBody};
use polycontact_reduction::volume_mesh::msh::write_msh;

/// What `reduce` is told.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// Where the body comes from and how it is reduced
    #[arg(value_name = "BODY.toml", required_unless_present = "sample", conflicts_with = "sample")]
    body: Option<PathBuf>,
    /// The archive, which ends in .npz, or the mesh of a sample, which ends in .msh; without it named as BODY.toml or
    /// as the sample
    #[arg(short, long = "output", value_name = "FILE")]
    output: Option<PathBuf>,
    /// Instead writes the mesh of a body to try this with, with its contact zone as physical group `contact`
    #[arg(long, value_name = "NAME", value_parser = sample_names())]
    sample: Option<String>,
}

fn sample_names() -> Vec<&'static str> {
    ImpactBody::ALL.iter().map(|body| body.name()).collect()
}

/// Counts within a stage are shown this often.
const BETWEEN_COUNTS: Duration = Duration::from_secs(2);

/// Reduces the body, or writes the sample.
pub fn run(arguments: &Arguments) -> Result<(), String> {
    let file = |default: PathBuf, ending: &str| match &arguments.output {
        None => Ok(default),
        Some(path) => with_ending(path, ending).map_err(|error| format!("`-o {}`: {error}", path.display())),
    };
    match (&arguments.body, &arguments.sample) {
        (Some(body), _) => {
            let archive = file(body.with_extension("npz"), "npz")?;
            write_reduced(body, &archive).map_err(|error| error.to_string())
        }
        (None, sample) => {
            let body = ImpactBody::ALL.into_iter().find(|body| sample.as_deref() == Some(body.name()));
            let body = body.ok_or("the body file is missing; see `polycontact reduce --help`")?;
            write_sample(body, &file(PathBuf::from(format!("{}.msh", body.name())), "msh")?)
        }
    }
}

/// The coarse mesh: a few thousand elements, reduced in less than a minute.
fn write_sample(body: ImpactBody, path: &Path) -> Result<(), String> {
    let mesh = body.mesh(Fineness::Coarse);
    std::fs::write(path, write_msh(&mesh)).map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
    println!("{}: {} elements, {} nodes", path.display(), mesh.elements.len(), mesh.node_positions.len());
    Ok(())
}

fn write_reduced(body: &Path, archive: &Path) -> Result<(), BodyError> {
    let start = Instant::now();
    let file = BodyFile::read(body)?;
    let (model, elements) = file.model()?;
    let shown = |message: &str| eprintln!("[{:6.1} s] {message}", start.elapsed().as_secs_f64());
    let mut last_count = Instant::now();
    let reduced = reduce(&model, &file.settings, &mut |progress| match progress {
        Progress::Stage(stage) => {
            shown(&stage);
            last_count = Instant::now();
        }
        Progress::Done { what, done, of } => {
            if BETWEEN_COUNTS <= last_count.elapsed() {
                shown(&format!("  {done} of {of} {what}"));
                last_count = Instant::now();
            }
        }
    })?;
    let bytes = reduced.write_archive(archive)?;
    print_table(&reduced, elements, archive, bytes, start.elapsed());
    Ok(())
}

fn print_table(body: &ReducedBody, elements: Option<usize>, archive: &Path, bytes: u64, time: Duration) {
    let summary = &body.summary;
    let hertz = |index: usize| body.angular_frequencies.get(index).map_or(0.0, |f| f / (2.0 * std::f64::consts::PI));
    let modes = body.modes.len();
    let row = |name: &str, value: String| println!("{name:24} {value}");
    row("archive", archive.display().to_string());
    row("size", format!("{:.2} MB", bytes as f64 / 1e6));
    row("degrees of freedom", summary.degrees_of_freedom.to_string());
    row("elements", elements.map_or("unknown, from matrices".to_owned(), |elements| elements.to_string()));
    row("contact nodes", format!("{} ({} faces)", body.contact_nodes.len(), body.contact_faces.len()));
    if 0 < summary.selected_nodes_left_out {
        row("", format!("{} selected nodes left out: on no contact face", summary.selected_nodes_left_out));
    }
    row(
        "modes",
        format!("{modes} = {} inner + {} static - 6 rigid", summary.fixed_interface_modes, summary.static_shapes),
    );
    row("frequencies", format!("{:.6e} to {:.6e} Hz", hertz(0), hertz(modes.saturating_sub(1))));
    let low = body.low_frequency_modes;
    let highest_low = if 0 < low { format!(", up to {:.6e} Hz", hertz(low - 1)) } else { String::new() };
    row("low-frequency modes", format!("{low}{highest_low}"));
    row("mass", format!("{:.9e} kg", body.mass));
    row("centre of mass", format!("{} m", numbers(&body.centre_of_mass)));
    for (index, name) in ["inertia", "", ""].iter().enumerate() {
        row(name, format!("{} kg m2", numbers(&body.inertia[index])));
    }
    row("rigid motions", format!("below {:.1e} Hz by rounding", summary.rigid_noise / (2.0 * std::f64::consts::PI)));
    row("time", format!("{:.1} s", time.as_secs_f64()));
    row(
        "memory",
        peak_memory().map_or("unknown on this system".to_owned(), |megabytes| format!("{megabytes} MB at most")),
    );
}

fn numbers(values: &[f64; 3]) -> String {
    values.map(|value| format!("{value:+.6e}")).join(" ")
}

/// Linux tells the largest size that the process had.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_ascii_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes / 1000)
}
