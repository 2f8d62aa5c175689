//! Numbers and words from the bytes of an MSH file, text or binary.

use super::error::{MshError, Place};

/// How much of an unexpected word a message shows, in characters.
const SHOWN_CHARACTERS: usize = 24;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Text,
    LittleEndian,
    BigEndian,
}

pub(super) struct Scanner<'a> {
    bytes: &'a [u8],
    position: usize,
    pub encoding: Encoding,
    /// For messages; without the dollar sign.
    pub section: String,
}

impl<'a> Scanner<'a> {
    pub fn new(bytes: &'a [u8]) -> Scanner<'a> {
        Scanner { bytes, position: 0, encoding: Encoding::Text, section: "MeshFormat".into() }
    }

    /// Where the next read starts; in text the next word.
    pub fn place(&self) -> Place {
        match self.encoding {
            Encoding::Text => {
                let end = self.bytes.len() - self.bytes[self.position..].trim_ascii_start().len();
                Place::Line(1 + self.bytes[..end].iter().filter(|byte| **byte == b'\n').count())
            }
            _ => Place::Byte(self.position),
        }
    }

    /// Unread bytes: an upper limit for the number of things that can still come.
    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.position
    }

    /// The next word of text, whatever the encoding of numbers; `None` at the end.
    pub fn word(&mut self) -> Option<&'a [u8]> {
        let rest = &self.bytes[self.position..];
        let start = rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let length = rest[start..].iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len() - start);
        self.position += start + length;
        Some(&rest[start..start + length])
    }

    /// The rest of the line of text, without its end.
    pub fn rest_of_line(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.position..];
        let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        self.position += (length + 1).min(rest.len());
        &rest[..length]
    }

    /// A number that is text even in binary files.
    pub fn text_number<T: std::str::FromStr>(&mut self, expected: &'static str) -> Result<T, MshError> {
        let start = self.position;
        let Some(word) = self.word() else {
            return Err(self.truncated(expected));
        };
        match std::str::from_utf8(word).ok().and_then(|word| word.parse().ok()) {
            Some(number) => Ok(number),
            None => {
                self.position = start;
                Err(self.unexpected(word, expected))
            }
        }
    }

    /// An `int` of the format.
    pub fn int(&mut self, expected: &'static str) -> Result<i32, MshError> {
        match self.encoding {
            Encoding::Text => self.text_number(expected),
            Encoding::LittleEndian => Ok(i32::from_le_bytes(self.take(expected)?)),
            Encoding::BigEndian => Ok(i32::from_be_bytes(self.take(expected)?)),
        }
    }

    /// A `size_t` of the format.
    pub fn size(&mut self, expected: &'static str) -> Result<u64, MshError> {
        match self.encoding {
            Encoding::Text => self.text_number(expected),
            Encoding::LittleEndian => Ok(u64::from_le_bytes(self.take(expected)?)),
            Encoding::BigEndian => Ok(u64::from_be_bytes(self.take(expected)?)),
        }
    }

    /// A `double` of the format.
    pub fn double(&mut self, expected: &'static str) -> Result<f64, MshError> {
        match self.encoding {
            Encoding::Text => self.text_number(expected),
            Encoding::LittleEndian => Ok(f64::from_le_bytes(self.take(expected)?)),
            Encoding::BigEndian => Ok(f64::from_be_bytes(self.take(expected)?)),
        }
    }

    /// Steps over the end of line before binary data.
    pub fn skip_line_end(&mut self) {
        let rest = &self.bytes[self.position..];
        if rest.starts_with(b"\r\n") {
            self.position += 2;
        } else if rest.starts_with(b"\n") {
            self.position += 1;
        }
    }

    /// Steps over everything up to and including this word; false where it does not come.
    pub fn skip_past(&mut self, word: &[u8]) -> bool {
        match self.bytes[self.position..].windows(word.len()).position(|window| window == word) {
            Some(offset) => {
                self.position += offset + word.len();
                true
            }
            None => false,
        }
    }

    pub fn truncated(&self, expected: &'static str) -> MshError {
        let place = match self.encoding {
            Encoding::Text => self.place(),
            _ => Place::Byte(self.bytes.len()),
        };
        MshError::Truncated { place, section: self.section.clone(), expected }
    }

    pub fn unexpected(&self, found: &[u8], expected: &'static str) -> MshError {
        let found = String::from_utf8_lossy(found).chars().take(SHOWN_CHARACTERS).collect();
        MshError::Unexpected { place: self.place(), section: self.section.clone(), found, expected }
    }

    pub fn take<const N: usize>(&mut self, expected: &'static str) -> Result<[u8; N], MshError> {
        let slice = self.bytes[self.position..].first_chunk::<N>();
        let taken = *slice.ok_or_else(|| self.truncated(expected))?;
        self.position += N;
        Ok(taken)
    }
}
