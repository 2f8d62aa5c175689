//! Damages files in ways that hosts, disks and people do; the same seed gives the same damage.

const WORDS: [&[u8]; 28] = [
    b"nan",
    b"-inf",
    b"1e308",
    b"1e-320",
    b"-0",
    b"0",
    b"-1",
    b"4294967297",
    b"99999999999999999999",
    b"\nf ",
    b"\nv ",
    b"\\\n",
    b"#",
    b"\r",
    b"\0",
    b"//",
    b"\xFF",
    b"solid",
    b"endsolid",
    b"facet",
    b"vertex",
    b"\nf 1 2 3 4 5 6 7 8\n",
    b"\nend_header\n",
    b"property list uchar int vertex_indices\n",
    b"\n[contact]\n",
    b"mesh = ",
    b"= [1, 2]",
    b"\"",
];

/// Flips a bit, changes a digit, cuts, repeats, inserts, or splices in a part of another file.
pub fn mutate(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    if bytes.is_empty() {
        return;
    }
    let at = random.below(bytes.len());
    let end = at + random.below((bytes.len() - at).min(64) + 1);
    match random.below(9) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 | 2 => {
            let digits: Vec<usize> = (0..bytes.len()).filter(|&k| bytes[k].is_ascii_digit()).collect();
            if !digits.is_empty() {
                bytes[digits[random.below(digits.len())]] = b'0' + random.below(10) as u8;
            }
        }
        3 => bytes.truncate(at),
        4 => drop(bytes.drain(at..end)),
        5 => {
            let chunk = bytes[at..end].to_vec();
            bytes.splice(at..at, chunk);
        }
        6 => {
            let word = WORDS[random.below(WORDS.len())];
            bytes.splice(at..at, word.iter().copied());
        }
        7 => {
            let from = random.below(other.len());
            let to = from + random.below(other.len() - from + 1);
            bytes.splice(at..end, other[from..to].iter().copied());
        }
        _ => bytes[at] = random.below(256) as u8,
    }
}

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    /// A number from 0 on below the bound.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ z >> 31) % bound as u64) as usize
    }
}
