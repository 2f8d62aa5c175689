//! Recordings of simulations (`.pcr`): what an FMU writes while it runs, and what a replay reads.
//!
//! A file is a mark, a version, a header, and chunks of frames. Every block is deflated and has a checksum, so that a
//! file which ends in the middle of a chunk, since its process died, is good up to there.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | the mark `PCRECORD` |
//! | 4 | version of the format |
//! | block | [`Header`]: names, parameters and the shapes of the bodies |
//! | blocks | chunks of [`Frame`]s, in the order of time |
//!
//! A block is its length in bytes, the CRC-32 of its content, both with 4 bytes, and its deflated content. All numbers
//! are little-endian. The numbers of a chunk are stored column by column, each as the difference of its bits from those
//! of the frame before (exclusive or), by planes of bytes: numbers that hardly change are mostly zeros then.
//! Nothing in here knows FMI or opens a file.
#![forbid(unsafe_code)]

mod block;
mod chunk;
mod header;
mod patches;

pub use block::{MARK_LENGTH, PREAMBLE, RecordError, push_block, take_block};
pub use chunk::{Frame, chunk_from_bytes, chunk_to_bytes};
pub(crate) use header::squared_force;
pub use header::{Column, Header, RecordedBody};
pub use patches::{PatchPoint, Patches, area_vector};

/// The usual ending of the name of a recording.
pub const EXTENSION: &str = "pcr";

/// The first column of every recording.
pub const TIME: &str = "time";

/// Names of the columns that hold the motion of M_f relative to M_e, to which the outputs beside them belong.
pub const MOTION: [&str; 13] = [
    "relativePosition[1]",
    "relativePosition[2]",
    "relativePosition[3]",
    "relativeQuaternion[1]",
    "relativeQuaternion[2]",
    "relativeQuaternion[3]",
    "relativeQuaternion[4]",
    "relativeVelocity[1]",
    "relativeVelocity[2]",
    "relativeVelocity[3]",
    "relativeAngularVelocity[1]",
    "relativeAngularVelocity[2]",
    "relativeAngularVelocity[3]",
];

/// Units of [`MOTION`].
pub const MOTION_UNITS: [&str; 13] =
    ["m", "m", "m", "1", "1", "1", "1", "m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s"];

/// The first of the three columns by which frames are compared when some must go.
pub const FORCE: &str = "forceOnE[1]";

/// A recording in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// What the columns are, and what moves.
    pub header: Header,
    /// In the order of time.
    pub frames: Vec<Frame>,
    /// Bytes at the end that are no whole chunk: the writer was stopped, or the file was cut.
    pub damaged_bytes: usize,
}

impl Recording {
    /// Reads a whole file. Chunks are read up to the first that is not whole.
    pub fn from_bytes(bytes: &[u8]) -> Result<Recording, RecordError> {
        let rest = block::without_preamble(bytes)?;
        let (content, mut rest) = take_block(rest).ok_or(RecordError::Damaged("the header"))?;
        let header = Header::from_bytes(&content).ok_or(RecordError::Damaged("the header"))?;
        let mut frames = Vec::new();
        while let Some((content, after)) = take_block(rest) {
            let Some(chunk) = chunk_from_bytes(&content, header.columns.len()) else { break };
            frames.extend(chunk);
            rest = after;
        }
        Ok(Recording { header, frames, damaged_bytes: rest.len() })
    }

    /// The bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = PREAMBLE.to_vec();
        push_block(&mut bytes, &self.header.to_bytes());
        for frames in self.frames.chunks(FRAMES_PER_CHUNK) {
            push_block(&mut bytes, &chunk_to_bytes(frames, self.header.columns.len()));
        }
        bytes
    }
}

/// Frames that are deflated together: enough to find what repeats, few enough to lose.
pub const FRAMES_PER_CHUNK: usize = 64;

/// Leaves every second frame: of two neighbours the one with the larger force, so that short impacts stay.
pub fn thin(frames: Vec<Frame>, header: &Header) -> Vec<Frame> {
    let mut kept: Vec<Frame> = Vec::with_capacity(frames.len().div_ceil(2));
    let mut frames = frames.into_iter();
    while let Some(first) = frames.next() {
        kept.push(match frames.next() {
            Some(second) => header.stronger(first, second),
            None => first,
        });
    }
    kept
}

#[cfg(test)]
mod record_tests;
