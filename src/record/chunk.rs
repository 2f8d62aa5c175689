//! Frames as bytes: numbers column by column, then patches.

use super::block::Reader;
use super::patches::Patches;

/// One moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// One per column.
    pub numbers: Vec<f64>,
    /// The contact.
    pub patches: Patches,
}

impl Frame {
    /// In memory.
    pub(crate) fn bytes(&self) -> usize {
        let (counts, corners) = self.patches.words();
        size_of_val(&self.numbers[..]) + size_of_val(counts) + size_of_val(corners)
    }

    /// In s: the first number.
    pub fn time(&self) -> f64 {
        self.numbers[0]
    }
}

const NUMBER_BYTES: usize = 8;

/// The content of a block; every frame has one number per column.
pub fn chunk_to_bytes(frames: &[Frame], columns: usize) -> Vec<u8> {
    let count = frames.len();
    let mut bytes = (count as u32).to_le_bytes().to_vec();
    let start = bytes.len();
    bytes.resize(start + columns * count * NUMBER_BYTES, 0);
    for column in 0..columns {
        let mut before = 0;
        let plane_start = start + column * count * NUMBER_BYTES;
        for (index, frame) in frames.iter().enumerate() {
            let bits = frame.numbers[column].to_bits();
            for (plane, byte) in (bits ^ before).to_be_bytes().into_iter().enumerate() {
                bytes[plane_start + plane * count + index] = byte;
            }
            before = bits;
        }
    }
    frames.iter().for_each(|frame| frame.patches.push(&mut bytes));
    bytes
}

/// The frames of a block; none where it does not have this many columns.
pub fn chunk_from_bytes(bytes: &[u8], columns: usize) -> Option<Vec<Frame>> {
    let mut reader = Reader(bytes);
    let count = reader.count()?;
    let planes = reader.bytes(columns.checked_mul(count)?.checked_mul(NUMBER_BYTES)?)?;
    if count == 0 {
        return reader.0.is_empty().then(Vec::new);
    }
    let mut numbers = vec![Vec::with_capacity(columns); count];
    for column in planes.chunks(count * NUMBER_BYTES) {
        let mut bits = 0;
        for (index, numbers) in numbers.iter_mut().enumerate() {
            bits ^= u64::from_be_bytes(std::array::from_fn(|plane| column[plane * count + index]));
            numbers.push(f64::from_bits(bits));
        }
    }
    let frames = numbers.into_iter().map(|numbers| Some(Frame { numbers, patches: Patches::take(&mut reader)? }));
    let frames = frames.collect::<Option<Vec<Frame>>>()?;
    reader.0.is_empty().then_some(frames)
}
