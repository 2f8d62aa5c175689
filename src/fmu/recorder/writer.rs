//! The thread that writes: chunks at the end of the file, every second frame dropped when it becomes too long.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::record::{
    FRAMES_PER_CHUNK, Frame, Header, PREAMBLE, chunk_from_bytes, chunk_to_bytes, push_block, take_block, thin,
};

/// After this time without a frame, those in memory are written: what a crash can cost.
const PATIENCE: Duration = Duration::from_secs(1);

/// Part of the limit that the shapes of the bodies may take.
const HEADER_PART: u64 = 2;

/// What both threads know.
pub(super) struct Shared {
    frames_per_kept: AtomicU32,
    waiting_bytes: AtomicUsize,
    failure: Mutex<Option<String>>,
}

impl Default for Shared {
    fn default() -> Self {
        Shared { frames_per_kept: AtomicU32::new(1), waiting_bytes: AtomicUsize::new(0), failure: Mutex::default() }
    }
}

impl Shared {
    /// Of how many frames one is kept.
    pub(super) fn frames_per_kept(&self) -> u32 {
        self.frames_per_kept.load(Ordering::Relaxed)
    }

    /// Of frames that are on their way.
    pub(super) fn waiting_bytes(&self) -> usize {
        self.waiting_bytes.load(Ordering::Relaxed)
    }

    /// Counts a frame that is sent.
    pub(super) fn wait(&self, frame: &Frame) {
        self.waiting_bytes.fetch_add(frame.bytes(), Ordering::Relaxed);
    }

    /// Why nothing is written any more; told once.
    pub(super) fn failure(&self) -> Option<String> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A file that grows by chunks.
pub(super) struct Writer {
    file: File,
    header: Header,
    /// Most bytes.
    limit: u64,
    /// Written chunks.
    chunks: Vec<Chunk>,
    /// Bytes of the file, and of its header.
    end: u64,
    header_end: u64,
    /// Frames that are not written yet.
    pending: Vec<Frame>,
    /// The frame with the largest force of those that came since, and how many communication points they stand for.
    held: Option<Frame>,
    seen: u32,
}

/// A frame that is the strongest of so many communication points.
pub(super) struct Strongest {
    pub(super) frame: Frame,
    pub(super) of: u32,
}

struct Chunk {
    start: u64,
    first_time: f64,
    last_time: f64,
}

impl Writer {
    pub(super) fn new(file: File, header: Header, limit: u64) -> Writer {
        Writer {
            file,
            header,
            limit,
            chunks: Vec::new(),
            end: 0,
            header_end: 0,
            pending: Vec::new(),
            held: None,
            seen: 0,
        }
    }

    /// Writes until the other side is gone or something fails.
    pub(super) fn run(mut self, frames: &Receiver<Strongest>, shared: &Shared) {
        if let Err(error) = self.write_all(frames, shared) {
            *shared.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error.to_string());
        }
    }

    fn write_all(&mut self, frames: &Receiver<Strongest>, shared: &Shared) -> io::Result<()> {
        self.write_header()?;
        loop {
            match frames.recv_timeout(PATIENCE) {
                Ok(strongest) => {
                    shared.waiting_bytes.fetch_sub(strongest.frame.bytes(), Ordering::Relaxed);
                    self.add(strongest, shared)?;
                }
                Err(RecvTimeoutError::Timeout) => self.write_pending(shared)?,
                Err(RecvTimeoutError::Disconnected) => {
                    self.pending.extend(self.held.take());
                    self.write_pending(shared)?;
                    return self.file.sync_data();
                }
            }
        }
    }

    fn write_header(&mut self) -> io::Result<()> {
        let mut bytes = PREAMBLE.to_vec();
        push_block(&mut bytes, &self.header.to_bytes());
        if self.limit / HEADER_PART < bytes.len() as u64 {
            // Bodies that are too large are left out: motion, wrench and patches say more.
            self.header.bodies.clear();
            bytes.truncate(PREAMBLE.len());
            push_block(&mut bytes, &self.header.to_bytes());
        }
        self.file.write_all(&bytes)?;
        (self.end, self.header_end) = (bytes.len() as u64, bytes.len() as u64);
        Ok(())
    }

    /// Frames that were sent before the other side knew of a thinning are thinned here.
    fn add(&mut self, Strongest { frame, of }: Strongest, shared: &Shared) -> io::Result<()> {
        self.forget_from(frame.time())?;
        self.seen = self.seen.saturating_add(of);
        self.held = Some(match self.held.take() {
            Some(held) => self.header.stronger(held, frame),
            None => frame,
        });
        if self.seen < shared.frames_per_kept() {
            return Ok(());
        }
        self.seen = 0;
        self.pending.extend(self.held.take());
        if self.pending.len() < FRAMES_PER_CHUNK { Ok(()) } else { self.write_pending(shared) }
    }

    /// Frames from this time on are gone: a host that goes back in time repeats them.
    fn forget_from(&mut self, time: f64) -> io::Result<()> {
        if self.held.take_if(|held| time <= held.time()).is_some() {
            self.seen = 0;
        }
        self.pending.retain(|frame| frame.time() < time);
        while let Some(chunk) = self.chunks.pop_if(|chunk| time <= chunk.last_time) {
            if chunk.first_time < time {
                let mut frames = self.read_chunk(chunk.start, self.end)?;
                frames.retain(|frame| frame.time() < time);
                self.pending.splice(0..0, frames);
            }
            self.file.set_len(chunk.start)?;
            self.end = chunk.start;
        }
        Ok(())
    }

    fn write_pending(&mut self, shared: &Shared) -> io::Result<()> {
        loop {
            let (Some(first), Some(last)) = (self.pending.first(), self.pending.last()) else { return Ok(()) };
            let chunk = Chunk { start: self.end, first_time: first.time(), last_time: last.time() };
            let mut bytes = Vec::new();
            push_block(&mut bytes, &chunk_to_bytes(&self.pending, self.header.columns.len()));
            if self.end + bytes.len() as u64 <= self.limit {
                self.file.seek(SeekFrom::Start(self.end))?;
                self.file.write_all(&bytes)?;
                self.end += bytes.len() as u64;
                self.chunks.push(chunk);
                self.pending.clear();
                return Ok(());
            }
            if self.chunks.is_empty() && self.pending.len() == 1 {
                return Err(io::Error::other("one moment alone is larger than `recordLimit`; raise it"));
            }
            self.thin(shared)?;
        }
    }

    /// Drops every second frame, here and from now on.
    fn thin(&mut self, shared: &Shared) -> io::Result<()> {
        let kept_of = shared.frames_per_kept.load(Ordering::Relaxed);
        shared.frames_per_kept.store(kept_of.saturating_mul(2), Ordering::Relaxed);
        let starts: Vec<u64> = self.chunks.iter().map(|chunk| chunk.start).chain([self.end]).collect();
        let (mut bytes, mut chunks, mut kept) = (Vec::new(), Vec::new(), Vec::new());
        for (index, ends) in starts.windows(2).enumerate() {
            kept.extend(thin(self.read_chunk(ends[0], ends[1])?, &self.header));
            let is_last = index + 2 == starts.len();
            if FRAMES_PER_CHUNK <= kept.len() || is_last {
                let start = self.header_end + bytes.len() as u64;
                let (first, last): (&Frame, &Frame) = (&kept[0], &kept[kept.len() - 1]);
                chunks.push(Chunk { start, first_time: first.time(), last_time: last.time() });
                push_block(&mut bytes, &chunk_to_bytes(&kept, self.header.columns.len()));
                kept.clear();
            }
        }
        self.file.set_len(self.header_end)?;
        self.file.seek(SeekFrom::Start(self.header_end))?;
        self.file.write_all(&bytes)?;
        (self.chunks, self.end) = (chunks, self.header_end + bytes.len() as u64);
        self.pending = thin(std::mem::take(&mut self.pending), &self.header);
        Ok(())
    }

    fn read_chunk(&mut self, start: u64, end: u64) -> io::Result<Vec<Frame>> {
        let mut bytes = vec![0; usize::try_from(end - start).map_err(io::Error::other)?];
        self.file.seek(SeekFrom::Start(start))?;
        self.file.read_exact(&mut bytes)?;
        let content = take_block(&bytes).map(|(content, _)| content);
        let frames = content.and_then(|content| chunk_from_bytes(&content, self.header.columns.len()));
        frames.ok_or_else(|| io::Error::other("it was changed by others while it was written"))
    }
}

#[cfg(test)]
#[path = "writer_tests.rs"]
mod tests;
