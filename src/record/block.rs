//! Blocks of deflated bytes with a length and a checksum, and little readers and writers of their content.

use std::io::{Read, Write};

use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use thiserror::Error;

/// Mark and version, with which every file begins.
pub const PREAMBLE: [u8; 12] = *b"PCRECORD\x01\x00\x00\x00";

/// Bytes of it that are the mark.
pub const MARK_LENGTH: usize = 8;

/// A content larger than this many times its deflated size, plus [`LEAST_CONTENT`], is none of ours: deflate stays
/// below 1032.
const MOST_INFLATION: u64 = 1100;

/// In bytes.
const LEAST_CONTENT: u64 = 1 << 16;

/// Why bytes are no recording.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RecordError {
    /// The mark is missing.
    #[error("it is no recording: it does not begin with `PCRECORD`; name a file that an FMU wrote as its recordFile")]
    Foreign,
    /// From another library.
    #[error("it has version {0} of the format, but this program reads version 1; use the program of that release")]
    Version(u32),
    /// Not what was written.
    #[error("{0} is damaged: the file was cut or changed; record it again")]
    Damaged(&'static str),
}

/// What follows mark and version.
pub(super) fn without_preamble(bytes: &[u8]) -> Result<&[u8], RecordError> {
    let (mark, version) = PREAMBLE.split_at(MARK_LENGTH);
    let rest = bytes.strip_prefix(mark).ok_or(RecordError::Foreign)?;
    let (found, rest) = rest.split_first_chunk().ok_or(RecordError::Damaged("the header"))?;
    if found[..] != *version {
        return Err(RecordError::Version(u32::from_le_bytes(*found)));
    }
    Ok(rest)
}

/// Appends a block with this content.
pub fn push_block(bytes: &mut Vec<u8>, content: &[u8]) {
    let mut deflater = DeflateEncoder::new(Vec::new(), Compression::fast());
    let deflated = deflater.write_all(content).and_then(|()| deflater.finish()).expect("memory takes every byte");
    bytes.extend((deflated.len() as u32).to_le_bytes());
    bytes.extend(checksum(content).to_le_bytes());
    bytes.extend(deflated);
}

/// The content of the block at the front, and what follows it; none where there is no whole block.
pub fn take_block(bytes: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    let (sum, rest) = rest.split_first_chunk()?;
    let (deflated, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    let most = LEAST_CONTENT + MOST_INFLATION * deflated.len() as u64;
    let mut content = Vec::new();
    DeflateDecoder::new(deflated).take(most).read_to_end(&mut content).ok()?;
    (checksum(&content) == u32::from_le_bytes(*sum)).then_some((content, rest))
}

fn checksum(content: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(content);
    crc.sum()
}

/// Appends a text with its length.
pub(super) fn push_text(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text.as_bytes());
}

/// Takes values from the front; none where they run out.
pub(super) struct Reader<'b>(pub(super) &'b [u8]);

impl<'b> Reader<'b> {
    pub(super) fn bytes(&mut self, count: usize) -> Option<&'b [u8]> {
        let (bytes, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(bytes)
    }

    pub(super) fn chunk<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (chunk, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*chunk)
    }

    pub(super) fn count(&mut self) -> Option<usize> {
        self.chunk().map(|bytes| u32::from_le_bytes(bytes) as usize)
    }

    pub(super) fn single(&mut self) -> Option<f32> {
        self.chunk().map(f32::from_le_bytes)
    }

    pub(super) fn text(&mut self) -> Option<String> {
        let length = self.count()?;
        String::from_utf8(self.bytes(length)?.to_vec()).ok()
    }

    /// As many items as a count in front says; each has at least a byte, so that a wrong count ends with the bytes.
    pub(super) fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.count()?;
        (0..count).map(|_| item(self)).collect()
    }
}
