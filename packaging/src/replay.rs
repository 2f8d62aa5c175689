//! `polycontact replay`: a recorded run as one HTML page, as a time series for ParaView, and as a table.

mod page;
mod poses;
mod series;
mod table;
mod thinning;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use polycontact::configuration::Configuration;
use polycontact::fmu::MotionRecorder;
use polycontact::record::{EXTENSION, Recording};

pub use page::MOST_BYTES;

/// How often progress is shown, in s.
const PROGRESS_SECONDS: u64 = 2;

/// A recording and where it comes from.
pub struct Replay {
    /// With at least one frame.
    pub recording: Recording,
    /// For people.
    pub explanation: String,
}

impl Replay {
    /// Reads a recording, or a table of motions (`.csv`) with the configuration of the pair; the error is a message for
    /// people.
    pub fn read(file: &Path, configuration: Option<&Path>) -> Result<Replay, String> {
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
        let (started, mut shown) = (Instant::now(), 0);
        let mut frames = Vec::with_capacity(moments.len());
        for (time, motion) in &moments {
            let frame = recorder.frame(*time, motion).map_err(|error| format!("at {time} s: {error}"))?;
            frames.push(frame);
            let seconds = started.elapsed().as_secs();
            if PROGRESS_SECONDS * (shown + 1) <= seconds {
                shown = seconds / PROGRESS_SECONDS;
                eprintln!("  {} of {} motions", frames.len(), moments.len());
            }
        }
        let velocities = if has_velocities { "" } else { "; velocities are differences of the poses" };
        let explanation = format!("{} motions from {}{velocities}", moments.len(), name_of(file));
        let recording = Recording { header: recorder.header(), frames, damaged_bytes: 0 };
        Ok(Replay { recording, explanation })
    }

    /// The page, and lines about it for people.
    pub fn page(&self) -> (String, Vec<String>) {
        let page = page::page(&self.recording, &self.explanation);
        let frames = self.recording.frames.len();
        let mut lines = vec![self.explanation.clone()];
        if page.plotted < frames || page.shown < frames {
            lines.push(format!(
                "thinned out: {} times in the scene, {} in the plots; the largest force is among them",
                page.shown, page.plotted
            ));
        }
        lines.extend(page.simplified.iter().map(|name| format!("{name} is drawn with less detail")));
        (page.html, lines)
    }

    /// A line of names, then a line per frame; numbers keep all their digits.
    pub fn csv(&self) -> String {
        table::csv(&self.recording)
    }

    /// Hands out the files of a time series for ParaView with their names; returns how many times it has.
    pub fn series(&self, write: &mut dyn FnMut(&str, &str) -> Result<(), String>) -> Result<usize, String> {
        series::files(&self.recording, write)
    }

    /// The name of the page beside a recording.
    pub fn page_name(file: &Path) -> PathBuf {
        PathBuf::from(name_of(file)).with_extension("html")
    }
}

fn name_of(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod browser_tests;
#[cfg(test)]
mod replay_tests;
