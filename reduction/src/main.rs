//! `reduce BODY.toml -o body.npz`: prepares a flexible body.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use polycontact_reduction::body_file::{BodyError, BodyFile};
use polycontact_reduction::craig_bampton::{Progress, reduce};
use polycontact_reduction::reduced_body::ReducedBody;

const USAGE: &str = "Usage: reduce BODY.toml [-o body.npz]";

/// Counts within a stage are shown this often.
const BETWEEN_COUNTS: Duration = Duration::from_secs(2);

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (body, archive) = match arguments(&words) {
        Ok(paths) => paths,
        Err(message) => {
            eprintln!("reduce: {message}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match run(&body, &archive) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("reduce: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The body file and the archive, which by default gets the name of the body file.
fn arguments(words: &[String]) -> Result<(PathBuf, PathBuf), String> {
    let (mut body, mut archive) = (None, None);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-o" => archive = Some(PathBuf::from(words.next().ok_or("`-o` needs the path of the archive")?)),
            option if option.starts_with('-') => return Err(format!("unknown option `{option}`; known: -o")),
            path if body.is_none() => body = Some(PathBuf::from(path)),
            path => return Err(format!("`{path}` is not expected; one body file at a time")),
        }
    }
    let body = body.ok_or("the body file is missing")?;
    let archive = archive.unwrap_or_else(|| body.with_extension("npz"));
    Ok((body, archive))
}

fn run(body: &Path, archive: &Path) -> Result<(), BodyError> {
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
