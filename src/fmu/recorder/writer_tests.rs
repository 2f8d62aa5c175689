//! The file while it grows, is thinned out, and goes back in time.

use std::fs;
use std::path::PathBuf;
use std::sync::mpsc::channel;

use super::*;
use crate::record::{Column, Patches, Recording};

/// A file that goes with it.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        Place(std::env::temp_dir().join(format!("polycontact {} {name}.pcr", std::process::id())))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Numbers that do not compress: a generator of Lehmer's kind, by the time.
fn frame(time: f64, force: f64) -> Frame {
    let mut state = time.to_bits() | 1;
    let mut random = || {
        state = state.wrapping_mul(0xda94_2042_e4dd_58b5);
        state as f64
    };
    let numbers = [time, force, 0.0, 0.0].into_iter().chain((0..16).map(|_| random())).collect();
    Frame { numbers, patches: Patches::default() }
}

fn write(place: &Place, limit: u64, frames: impl Iterator<Item = Frame>) -> (Result<Recording, String>, u32) {
    let names = ["time".to_owned(), "forceOnE[1]".to_owned()].into_iter().chain((0..18).map(|k| k.to_string()));
    let columns = names.map(|name| Column { name, unit: "1".to_owned() }).collect();
    let header = Header { columns, ..Header::default() };
    let mut options = fs::OpenOptions::new();
    let file = options.read(true).write(true).create(true).truncate(true).open(&place.0).unwrap();
    let writer = Writer::new(file, header, limit);
    let (shared, (sender, receiver)) = (Shared::default(), channel());
    frames.for_each(|frame| {
        shared.wait(&frame);
        sender.send(Strongest { frame, of: 1 }).unwrap();
    });
    drop(sender);
    writer.run(&receiver, &shared);
    assert!(receiver.try_iter().next().is_some() || shared.waiting_bytes() == 0);
    let bytes = fs::read(&place.0).unwrap();
    assert!(bytes.len() as u64 <= limit, "{} bytes", bytes.len());
    let recording = Recording::from_bytes(&bytes).map_err(|error| error.to_string());
    (shared.failure().map_or(recording, Err), shared.frames_per_kept())
}

#[test]
fn a_short_recording_has_every_frame() {
    let place = Place::new("short");
    let (recording, kept_of) = write(&place, 1 << 20, (0..200).map(|k| frame(f64::from(k), 1.0)));
    let recording = recording.unwrap();
    assert_eq!((recording.frames.len(), recording.damaged_bytes, kept_of), (200, 0, 1));
    assert!((0..).zip(&recording.frames).all(|(k, got)| *got == frame(f64::from(k), 1.0)));
}

/// All frames come at once here, so that the writer alone thins them.
#[test]
fn a_long_recording_covers_the_whole_run_and_keeps_the_largest_force() {
    let place = Place::new("long");
    let force = |k: u32| if k == 7777 { 1e6 } else { f64::from(k % 10) };
    let (recording, kept_of) = write(&place, 200_000, (0..20_000).map(|k| frame(f64::from(k), force(k))));
    let recording = recording.unwrap();
    // 150 bytes each would be 3 MB.
    assert!(16 <= kept_of, "{kept_of}");
    let times: Vec<f64> = recording.frames.iter().map(Frame::time).collect();
    assert!(times.is_sorted_by(|a, b| a < b) && times[0] < 200.0 && 19_900.0 < times[times.len() - 1]);
    let gap = times.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max);
    assert!(gap <= 4.0 * f64::from(kept_of), "{gap}");
    assert!(recording.frames.iter().any(|frame| frame.numbers[1] == 1e6));
    assert!(100 < recording.frames.len());
}

#[test]
fn going_back_in_time_replaces_what_was_recorded() {
    let place = Place::new("back");
    for back_to in [0, 30, 63, 64, 100, 199] {
        let first = (0..200).map(|k| frame(f64::from(k), 1.0));
        let again = (back_to..250).map(|k| frame(f64::from(k), 2.0));
        let recording = write(&place, 1 << 20, first.chain(again)).0.unwrap();
        let expected: Vec<Frame> = (0..250).map(|k| frame(f64::from(k), if k < back_to { 1.0 } else { 2.0 })).collect();
        assert!(recording.frames == expected, "back to {back_to}");
    }
}

#[test]
fn a_limit_below_one_frame_is_told() {
    let place = Place::new("tiny");
    let error = write(&place, 250, (0..5).map(|k| frame(f64::from(k), 1.0))).0.unwrap_err();
    assert!(error.contains("larger than `recordLimit`"), "{error}");
}
