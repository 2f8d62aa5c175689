//! Everything that an instance remembers, as one value: saved, restored, written to bytes and read from them.

use std::ffi::CString;

use sha2::{Digest, Sha256};
use thiserror::Error;

use super::model::Notes;
use super::parts::Parts;
use super::state::{Interface, State};
use super::values::Values;

/// Marks our bytes.
const MAGIC: &[u8; 8] = b"PCM-FMU2";

/// Version of the layout below; a change of it makes older bytes unreadable, with a message.
const VERSION: u32 = 4;

const CHECKSUM_LENGTH: usize = 32;

/// The whole memory of an instance, apart from files and buffers.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) state: State,
    pub(crate) values: Values,
    /// First derivative of each real input by time, per real slot.
    pub(crate) input_derivatives: Vec<f64>,
    /// Calculated values that do not belong to the inputs and parameters any more.
    pub(crate) stale: Parts,
    /// The communication point, or the time that the host has set.
    pub(crate) time: f64,
    pub(crate) stop_time: Option<f64>,
    /// Size of the last step, 0 before the first.
    pub(crate) last_step: f64,
    /// Where the outputs are: seconds after the inputs.
    pub(crate) output_offset: f64,
    /// Model Exchange: end of the last step that the host has completed.
    pub(crate) completed_time: f64,
    /// Model Exchange: the next event that was announced; infinity for none.
    pub(crate) event_time: f64,
    pub(crate) notes: Notes,
}

/// A run with what it belongs to.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    pub(crate) guid: String,
    pub(crate) interface: Interface,
    /// Hash of the files that were in place; none before they were read.
    pub(crate) files_digest: Option<[u8; 32]>,
    pub(crate) run: Run,
}

/// Why bytes are not a state.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub(crate) enum StateError {
    #[error("these {0} bytes are no state of this FMU: they do not start with its mark")]
    Foreign(usize),
    #[error("this state has version {0}, but this library reads version {VERSION}; save it again with this library")]
    Version(u32),
    #[error("this state is damaged: its checksum does not match its {0} bytes")]
    Damaged(usize),
}

impl Snapshot {
    /// Bytes with a mark, a version and a checksum; the same on every machine.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        let run = &self.run;
        let writer = &mut bytes;
        write_bytes(writer, self.guid.as_bytes());
        write_bytes(writer, self.files_digest.as_ref().map_or(&[][..], |digest| digest));
        writer.push(self.interface as u8);
        writer.push(run.state as u8);
        writer.push(run.stale.bits());
        writer.push(u8::from(run.stop_time.is_some()));
        writer.extend(run.notes.given.to_le_bytes());
        let [completed, event] = [run.completed_time, run.event_time];
        for number in [run.time, run.stop_time.unwrap_or(0.0), run.last_step, run.output_offset, completed, event] {
            writer.extend(number.to_bits().to_le_bytes());
        }
        let Values { reals, memory, exchange, .. } = &run.values;
        for numbers in [reals, &run.input_derivatives, memory, exchange] {
            write_count(writer, numbers.len());
            numbers.iter().for_each(|number| writer.extend(number.to_bits().to_le_bytes()));
        }
        write_count(writer, run.values.integers.len());
        run.values.integers.iter().for_each(|number| writer.extend(number.to_le_bytes()));
        write_count(writer, run.values.booleans.len());
        writer.extend(run.values.booleans.iter().map(|flag| u8::from(*flag)));
        write_count(writer, run.values.strings.len());
        run.values.strings.iter().for_each(|text| write_bytes(writer, text.as_bytes()));
        let checksum = Sha256::digest(&bytes);
        bytes.extend(checksum);
        bytes
    }

    /// The snapshot that was written; anything else is an error, never a wrong state.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Snapshot, StateError> {
        let length = bytes.len();
        let Some((MAGIC, rest)) = bytes.split_first_chunk() else { return Err(StateError::Foreign(length)) };
        let (version, _) = rest.split_first_chunk().ok_or(StateError::Damaged(length))?;
        let version = u32::from_le_bytes(*version);
        if version != VERSION {
            return Err(StateError::Version(version));
        }
        let (content, checksum) = bytes.split_last_chunk::<CHECKSUM_LENGTH>().ok_or(StateError::Damaged(length))?;
        if Sha256::digest(content)[..] != checksum[..] {
            return Err(StateError::Damaged(length));
        }
        let mut reader = Reader(content.get(MAGIC.len() + 4..).ok_or(StateError::Damaged(length))?);
        let snapshot = reader.snapshot().filter(|_| reader.0.is_empty());
        snapshot.ok_or(StateError::Damaged(length))
    }
}

fn write_count(bytes: &mut Vec<u8>, count: usize) {
    bytes.extend((count as u64).to_le_bytes());
}

fn write_bytes(bytes: &mut Vec<u8>, text: &[u8]) {
    write_count(bytes, text.len());
    bytes.extend(text);
}

/// Takes values from the front; none where they run out.
struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    fn snapshot(&mut self) -> Option<Snapshot> {
        let guid = String::from_utf8(self.bytes()?.to_vec()).ok()?;
        let files_digest = match self.bytes()? {
            [] => None,
            digest => Some(digest.try_into().ok()?),
        };
        let interface = *Interface::ALL.get(usize::from(self.byte()?))?;
        let state = *State::ALL.get(usize::from(self.byte()?)).filter(|state| state.exists_in(interface))?;
        let stale = Parts::from_bits(self.byte()?)?;
        let has_stop_time = self.byte()? != 0;
        let given = u32::from_le_bytes(self.chunk()?);
        let [time, stop_time, last_step] = [self.real()?, self.real()?, self.real()?];
        let [output_offset, completed_time, event_time] = [self.real()?, self.real()?, self.real()?];
        let reals = self.list(Self::real)?;
        let input_derivatives = self.list(Self::real)?;
        let memory = self.list(Self::real)?;
        let exchange = self.list(Self::real)?;
        let integers = self.list(|reader| reader.chunk().map(i32::from_le_bytes))?;
        let booleans = self.list(|reader| reader.byte().map(|byte| byte != 0))?;
        let strings = self.list(|reader| CString::new(reader.bytes()?).ok())?;
        let run = Run {
            state,
            values: Values { reals, integers, booleans, strings, memory, exchange },
            input_derivatives,
            stale,
            time,
            stop_time: has_stop_time.then_some(stop_time),
            last_step,
            output_offset,
            completed_time,
            event_time,
            notes: Notes { messages: Vec::new(), given },
        };
        Some(Snapshot { guid, interface, files_digest, run })
    }

    fn chunk<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (chunk, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*chunk)
    }

    fn byte(&mut self) -> Option<u8> {
        self.chunk().map(|[byte]| byte)
    }

    fn real(&mut self) -> Option<f64> {
        self.chunk().map(|bytes| f64::from_bits(u64::from_le_bytes(bytes)))
    }

    fn bytes(&mut self) -> Option<&'b [u8]> {
        let length = usize::try_from(u64::from_le_bytes(self.chunk()?)).ok()?;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }

    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = u64::from_le_bytes(self.chunk()?);
        // Every item has at least a byte, so that a wrong count ends at the end of the bytes.
        (0..count).map(|_| item(self)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot() -> Snapshot {
        let values = Values {
            reals: vec![1.5, -0.0, f64::MIN_POSITIVE],
            integers: vec![-7, i32::MAX],
            booleans: vec![true, false],
            strings: vec![c"späce %".to_owned(), c"".to_owned()],
            memory: vec![-2.5, 1e-300],
            exchange: vec![-0.0, 7.25, f64::MAX],
        };
        let run = Run {
            state: State::StepComplete,
            values,
            input_derivatives: vec![0.1, 0.0, 3.0],
            stale: Parts::EVERY,
            time: 0.1 + 0.2,
            stop_time: Some(7.0),
            last_step: 1e-3,
            output_offset: 2e-3,
            completed_time: 0.25,
            event_time: f64::INFINITY,
            notes: Notes { messages: Vec::new(), given: 5 },
        };
        Snapshot { guid: "{guid}".to_owned(), interface: Interface::CoSimulation, files_digest: Some([9; 32]), run }
    }

    #[test]
    fn bytes_become_the_same_snapshot() {
        let original = snapshot();
        let bytes = original.to_bytes();
        let read = Snapshot::from_bytes(&bytes).unwrap();
        assert_eq!(format!("{original:?}"), format!("{read:?}"));
        assert_eq!(bytes, read.to_bytes());
    }

    #[test]
    fn every_changed_or_missing_byte_is_noticed() {
        let bytes = snapshot().to_bytes();
        for i in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[i] ^= 0x10;
            assert!(Snapshot::from_bytes(&damaged).is_err(), "byte {i}");
            assert!(Snapshot::from_bytes(&bytes[..i]).is_err(), "{i} bytes");
        }
        assert!(Snapshot::from_bytes(&[bytes, vec![0]].concat()).is_err());
    }

    #[test]
    fn foreign_bytes_and_other_versions_are_told_apart_from_damage() {
        assert_eq!(Snapshot::from_bytes(b"not a state").unwrap_err(), StateError::Foreign(11));
        assert_eq!(Snapshot::from_bytes(b"").unwrap_err(), StateError::Foreign(0));
        let mut bytes = snapshot().to_bytes();
        bytes[8] = 1;
        assert_eq!(Snapshot::from_bytes(&bytes).unwrap_err(), StateError::Version(1));
    }
}
