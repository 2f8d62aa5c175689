//! `polycontact replay`: a recorded run as one HTML page, as a time series for ParaView, and as a table.

mod page;
mod poses;
mod series;
mod table;
mod thinning;

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use polycontact::configuration::Configuration;
use polycontact::fmu::MotionRecorder;
use polycontact::record::{EXTENSION, Recording};

use crate::Surroundings;
use crate::files::{ending_in, shown, write};

/// How often progress is shown, in s.
const PROGRESS_SECONDS: u64 = 2;

/// What `replay` is told.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// A recording of an FMU (its parameter recordFile), or a table of motions
    #[arg(value_name = "RUN.pcr or MOTIONS.csv")]
    file: PathBuf,
    /// The contact pair that moves, for a table of motions. Its columns are called as the FMU's inputs are: time,
    /// relativePosition[1] to [3], and an orientation as matrix, quaternion or angles; velocities that are not there are
    /// differences of the poses
    #[arg(long, value_name = "CONFIG.toml")]
    pair: Option<PathBuf>,
    /// Where the page goes; without it the name of the recording with .html
    #[arg(short, long = "output", value_name = "FILE.html", value_parser = ending_in("html"))]
    output: Option<PathBuf>,
    /// Also write all numbers of all times as a table
    #[arg(long, value_name = "FILE.csv", value_parser = ending_in("csv"))]
    csv: Option<PathBuf>,
    /// Also write a time series for ParaView: replay.pvd with both bodies, the patches and the force at each time
    #[arg(long, value_name = "FOLDER")]
    vtk: Option<PathBuf>,
}

/// Writes the page and what else is asked for.
pub fn run(arguments: &Arguments, surroundings: &Surroundings<'_>) -> Result<(), String> {
    let is_read = |file: &PathBuf| file.exists() && file.canonicalize().ok() == arguments.file.canonicalize().ok();
    if let Some(file) = arguments.csv.as_ref().filter(|file| is_read(file)) {
        return Err(format!("`--csv {}` is the table that is read; name another file", file.display()));
    }
    let replay = Replay::read(&arguments.file, arguments.pair.as_deref())?;
    let path = match &arguments.output {
        Some(file) => file.clone(),
        None => surroundings.outputs.join(name_of(&arguments.file)).with_extension("html"),
    };
    let page = page::page(&replay.recording, &replay.explanation);
    write(&path, page.html.as_bytes())?;
    println!("{}", shown(&path));
    replay.about(&page).iter().for_each(|line| println!("  {line}"));
    println!("  {} KiB; open it in a browser", page.html.len().div_ceil(1024));
    if let Some(file) = &arguments.csv {
        write(file, table::csv(&replay.recording).as_bytes())?;
        println!("{}", shown(file));
    }
    if let Some(folder) = &arguments.vtk {
        let (started, seconds) = (Instant::now(), Cell::new(0));
        let count = series::write_files(&replay.recording, &mut |name, text| {
            progress(started, &seconds, || format!("writing {name}"));
            write(&folder.join(name), text.as_bytes())
        })?;
        println!("{}\n  {count} times; open it in ParaView", shown(&folder.join(series::COLLECTION)));
    }
    Ok(())
}

/// Shows from time to time how far a long work is; `shown` is when that was, in s.
fn progress(started: Instant, shown: &Cell<u64>, text: impl FnOnce() -> String) {
    let seconds = started.elapsed().as_secs();
    if shown.get() + PROGRESS_SECONDS <= seconds {
        shown.set(seconds);
        eprintln!("  {}", text());
    }
}

/// A recording and where it comes from.
struct Replay {
    /// With at least one frame.
    recording: Recording,
    /// For people.
    explanation: String,
}

impl Replay {
    /// Reads a recording, or a table of motions (`.csv`) with the configuration of the pair; the error is a message for
    /// people.
    fn read(file: &Path, configuration: Option<&Path>) -> Result<Replay, String> {
        let is_table = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"));
        let replay = match (is_table, configuration) {
            (false, None) => Replay::of_recording(file),
            (true, Some(configuration)) => Replay::of_motions(file, configuration),
            (true, None) => Err(format!(
                "`{}` is a table of motions: name the contact pair that moves too, with `--pair contact.toml`",
                file.display()
            )),
            (false, Some(_)) => Err(format!(
                "`{}` is no table (.csv): a recording (.{EXTENSION}) has its pair inside, leave `--pair` out",
                file.display()
            )),
        }?;
        if replay.recording.frames.is_empty() {
            return Err(format!("`{}` has no frames: the run ended before its first step", file.display()));
        }
        Ok(replay)
    }

    fn of_recording(file: &Path) -> Result<Replay, String> {
        let bytes = fs::read(file).map_err(|error| format!("cannot read `{}`: {error}", file.display()))?;
        let recording = Recording::from_bytes(&bytes).map_err(|error| format!("`{}`: {error}", file.display()))?;
        if 0 < recording.damaged_bytes {
            eprintln!(
                "warning: the last {} bytes of `{}` are not whole: the simulation was stopped, or is still running",
                recording.damaged_bytes,
                file.display()
            );
        }
        let count = recording.frames.len();
        let explanation = format!("{count} communication points from {}", name_of(file));
        Ok(Replay { recording, explanation })
    }

    fn of_motions(file: &Path, configuration: &Path) -> Result<Replay, String> {
        let text = fs::read_to_string(file).map_err(|error| format!("cannot read `{}`: {error}", file.display()))?;
        let (moments, has_velocities) =
            table::motions(&text).map_err(|error| format!("`{}`: {error}", file.display()))?;
        let pair = Configuration::read(configuration).map_err(|error| error.to_string())?;
        let folder = configuration.parent().unwrap_or(Path::new(""));
        let mut recorder = MotionRecorder::new(&pair, folder)?;
        let (started, seconds) = (Instant::now(), Cell::new(0));
        let mut frames = Vec::with_capacity(moments.len());
        for (time, motion) in &moments {
            let frame = recorder.frame(*time, motion).map_err(|error| format!("at {time} s: {error}"))?;
            frames.push(frame);
            progress(started, &seconds, || format!("{} of {} motions", frames.len(), moments.len()));
        }
        let velocities = if has_velocities { "" } else { "; velocities are differences of the poses" };
        let explanation = format!("{} motions from {}{velocities}", moments.len(), name_of(file));
        let recording = Recording { header: recorder.header(), frames, damaged_bytes: 0 };
        Ok(Replay { recording, explanation })
    }

    /// Lines for people.
    fn about(&self, page: &page::Page) -> Vec<String> {
        let frames = self.recording.frames.len();
        let mut lines = vec![self.explanation.clone()];
        if page.plotted < frames || page.shown < frames {
            lines.push(format!(
                "thinned out: {} times in the scene, {} in the plots; the largest force is among them",
                page.shown, page.plotted
            ));
        }
        lines.extend(page.simplified.iter().map(|name| format!("{name} is drawn with less detail")));
        lines
    }
}

fn name_of(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod browser_tests;
#[cfg(test)]
mod replay_tests;
