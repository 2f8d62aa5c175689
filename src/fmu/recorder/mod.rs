//! Recording of a run: frames go to a thread that writes them, so that no step waits for a disk.
//!
//! A recording never changes a result and never fails a call. Where the file cannot be written there is a warning, and
//! the run goes on without it.

mod motions;
mod recording;
mod writer;

pub use motions::MotionRecorder;
pub(crate) use recording::{RecordSlots, push_record};

use std::ffi::CString;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::{Builder, JoinHandle};

use super::model::Notes;
use super::resource_location::path_from_bytes;
use crate::record::{FORCE, Frame, Header, MARK_LENGTH, PREAMBLE, Patches, squared_force};
use writer::{Shared, Strongest, Writer};

/// Bytes of frames that may wait for the writer: seconds of a fast simulation. Beyond that, frames are left out.
const WAITING_BYTES: usize = 1 << 26;

/// Bytes of `recordLimit` = 1.
const MEGABYTE: f64 = 1.0e6;

/// A file that is being recorded, or one that could not be.
pub(crate) struct Recorder {
    /// `recordFile` as it was when the recording began.
    name: CString,
    /// None once it has failed or ended.
    running: Option<Running>,
}

struct Running {
    sender: Sender<Strongest>,
    thread: JoinHandle<()>,
    shared: Arc<Shared>,
    /// First column of the force, by which frames are compared.
    force: Option<usize>,
    /// The frame with the largest force since the last one that was sent.
    held: Option<Frame>,
    /// Frames since then.
    seen: u32,
    /// Frames for which there was no room.
    left_out: u64,
}

impl Recorder {
    /// Begins a file; where that fails there is a warning.
    fn begin(name: CString, limit: f64, header: Header, notes: &mut Notes) -> Recorder {
        let running = begin(&name, limit, header);
        let running = running.map_err(|reason| {
            notes.warn(format!("`recordFile` {name:?}: {reason}; the run goes on without a recording"));
        });
        Recorder { name, running: running.ok() }
    }

    /// Takes a frame; `patches` are found only where it may be kept.
    fn take(&mut self, numbers: Vec<f64>, patches: impl FnOnce() -> Patches, notes: &mut Notes) {
        let Some(running) = &mut self.running else { return };
        running.take(numbers, patches);
        if let Some(reason) = running.shared.failure() {
            notes.warn(format!("`recordFile` {:?}: {reason}; the run goes on without a recording", self.name));
            self.end(notes);
        }
    }

    /// Writes what is left and closes the file.
    fn end(&mut self, notes: &mut Notes) {
        let Some(Running { sender, thread, shared, held, seen, left_out, .. }) = self.running.take() else { return };
        // Not a step: here it may wait.
        if let Some(frame) = held {
            shared.wait(&frame);
            let _ = sender.send(Strongest { frame, of: seen });
        }
        drop(sender);
        let _ = thread.join();
        if let Some(reason) = shared.failure() {
            notes.warn(format!("`recordFile` {:?}: {reason}; the recording is not whole", self.name));
        }
        if 0 < left_out {
            notes.event(format!(
                "`recordFile` {:?}: {left_out} communication points are not in it, since they came faster than they \
                 could be written",
                self.name
            ));
        }
    }
}

impl Drop for Recorder {
    /// The thread must not outlive the library.
    fn drop(&mut self) {
        self.end(&mut Notes::default());
    }
}

impl Running {
    fn take(&mut self, numbers: Vec<f64>, patches: impl FnOnce() -> Patches) {
        if self.held.as_ref().is_some_and(|held| numbers[0] <= held.time()) {
            // The host went back in time.
            (self.held, self.seen) = (None, 0);
        }
        let force = |numbers: &[f64]| self.force.map_or(0.0, |first| squared_force(numbers, first));
        if self.held.as_ref().is_none_or(|held| force(&held.numbers) < force(&numbers)) {
            self.held = Some(Frame { numbers, patches: patches() });
        }
        self.seen += 1;
        if self.seen < self.shared.frames_per_kept() {
            return;
        }
        let of = std::mem::take(&mut self.seen);
        let Some(frame) = self.held.take() else { return };
        if self.shared.waiting_bytes() < WAITING_BYTES {
            self.shared.wait(&frame);
            // Where the other side is gone, it has left a reason.
            let _ = self.sender.send(Strongest { frame, of });
        } else {
            self.left_out += u64::from(of);
        }
    }
}

fn begin(name: &CString, limit: f64, header: Header) -> Result<Running, String> {
    let path = path_from_bytes(name.as_bytes()).ok_or("it is not UTF-8")?;
    let file = open(&path)?;
    let shared = Arc::new(Shared::default());
    let force = header.position(FORCE);
    let (sender, receiver) = channel();
    let writer = Writer::new(file, header, (limit * MEGABYTE) as u64);
    let of_thread = Arc::clone(&shared);
    let thread = Builder::new()
        .name("recording".to_owned())
        .spawn(move || writer.run(&receiver, &of_thread))
        .map_err(|error| format!("no thread for it: {error}"))?;
    Ok(Running { sender, thread, shared, force, held: None, seen: 0, left_out: 0 })
}

/// Opens a file for this recording alone, and empties it; one that is no recording stays as it is.
fn open(path: &Path) -> Result<File, String> {
    let failed = |error: std::io::Error| {
        let folder = std::env::current_dir().map_or_else(|_| String::new(), |folder| folder.display().to_string());
        match path.is_relative() {
            true => format!("cannot write it below `{folder}`: {error}; give an absolute path"),
            false => format!("cannot write it: {error}"),
        }
    };
    let mut options = OpenOptions::new();
    let file = options.read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            return Err("another instance writes it; give every instance a file of its own".to_owned());
        }
        // Some network drives have no locks: then two instances are the user's business.
        Ok(()) | Err(TryLockError::Error(_)) => {}
    }
    let mut mark = Vec::new();
    (&file).take(MARK_LENGTH as u64).read_to_end(&mut mark).map_err(failed)?;
    if !PREAMBLE.starts_with(&mark) {
        return Err("it is there already and no recording; name another file, or remove it".to_owned());
    }
    file.set_len(0).map_err(failed)?;
    (&file).rewind().map_err(failed)?;
    Ok(file)
}
