//! One array in NumPy's `.npy` format.
//!
//! Only what an archive of ours can hold is read: numbers and texts, little endian, versions 1 to 3 of the format.
//! A general reader would bring a parser for Python literals, whose recursion hostile bytes can exhaust.

/// Type of the elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Float,
    Signed,
    Unsigned,
    /// Text of four-byte characters.
    Unicode,
    /// Text of bytes.
    Bytes,
}

/// An array as it is in the file; the data has exactly as many bytes as the shape says.
#[derive(Debug)]
pub(super) struct Npy<'a> {
    kind: Kind,
    /// Bytes per element.
    size: usize,
    pub(super) shape: Vec<usize>,
    is_fortran: bool,
    data: &'a [u8],
}

/// More axes than any array of ours: bounds the work on a hostile header.
const MOST_AXES: usize = 8;

impl<'a> Npy<'a> {
    /// Reads header and data; the message continues "the array `…`".
    pub(super) fn parse(bytes: &'a [u8]) -> Result<Self, String> {
        let rest = bytes.strip_prefix(b"\x93NUMPY").ok_or("does not begin as a NumPy array")?;
        let (&[major, _minor], rest) = rest.split_first_chunk::<2>().ok_or("ends within its header")?;
        let (length, rest) = match major {
            1 => {
                let (length, rest) = rest.split_first_chunk::<2>().ok_or("ends within its header")?;
                (u16::from_le_bytes(*length) as usize, rest)
            }
            2 | 3 => {
                let (length, rest) = rest.split_first_chunk::<4>().ok_or("ends within its header")?;
                (u32::from_le_bytes(*length) as usize, rest)
            }
            _ => return Err(format!("has version {major} of the NumPy format, but 1 to 3 are known")),
        };
        if rest.len() < length {
            return Err("ends within its header".to_owned());
        }
        let (header, data) = rest.split_at(length);
        let header = std::str::from_utf8(header).map_err(|_| "has a header that is no text")?;
        let (descriptor, is_fortran, shape) = parse_header(header).ok_or_else(|| {
            format!("has a header that cannot be understood: `{}`", header.trim().chars().take(80).collect::<String>())
        })?;
        let (kind, size) = parse_descriptor(descriptor)?;
        let count = shape.iter().try_fold(size, |product, &n| product.checked_mul(n));
        if count != Some(data.len()) {
            return Err(format!("has {} bytes of data, which is not what the shape {shape:?} needs", data.len()));
        }
        Ok(Npy { kind, size, shape, is_fortran, data })
    }

    /// The numbers in C order; integers count as numbers too.
    pub(super) fn numbers(&self) -> Result<Vec<f64>, String> {
        if matches!(self.kind, Kind::Unicode | Kind::Bytes) {
            return Err("holds text, but must hold numbers".to_owned());
        }
        Ok(self.in_c_order(|bytes| match self.kind {
            Kind::Float if self.size == 4 => f64::from(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
            Kind::Float => f64::from_bits(little_endian(bytes)),
            Kind::Signed => sign_extended(bytes) as f64,
            _ => little_endian(bytes) as f64,
        }))
    }

    /// The integers in C order; negative ones are none.
    pub(super) fn indices(&self) -> Result<Vec<Option<u64>>, String> {
        match self.kind {
            Kind::Signed => Ok(self.in_c_order(|bytes| u64::try_from(sign_extended(bytes)).ok())),
            Kind::Unsigned => Ok(self.in_c_order(|bytes| Some(little_endian(bytes)))),
            _ => Err("must hold integers".to_owned()),
        }
    }

    /// The text of a single string.
    pub(super) fn text(&self) -> Result<String, String> {
        match (self.kind, self.shape.as_slice()) {
            (Kind::Unicode, []) => {
                let characters = self.data.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]]));
                Ok(characters.take_while(|&c| c != 0).map(|c| char::from_u32(c).unwrap_or('\u{fffd}')).collect())
            }
            (Kind::Bytes, []) => {
                let end = self.data.iter().position(|&byte| byte == 0).unwrap_or(self.data.len());
                Ok(String::from_utf8_lossy(&self.data[..end]).into_owned())
            }
            _ => Err("must hold one text".to_owned()),
        }
    }

    fn in_c_order<T>(&self, element: impl Fn(&[u8]) -> T) -> Vec<T> {
        let count = self.data.len() / self.size;
        let at = |index: usize| element(&self.data[index * self.size..(index + 1) * self.size]);
        if !self.is_fortran {
            return (0..count).map(at).collect();
        }
        let mut index = vec![0; self.shape.len()];
        let mut elements = Vec::with_capacity(count);
        for _ in 0..count {
            // Fortran order: the first index runs fastest.
            let place = index.iter().zip(&self.shape).rev().fold(0, |place, (&i, &n)| place * n + i);
            elements.push(at(place));
            for axis in (0..index.len()).rev() {
                index[axis] += 1;
                if index[axis] < self.shape[axis] {
                    break;
                }
                index[axis] = 0;
            }
        }
        elements
    }
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

fn sign_extended(bytes: &[u8]) -> i64 {
    let unused = 64 - 8 * bytes.len() as u32;
    (little_endian(bytes) << unused) as i64 >> unused
}

/// Type and bytes per element of a descriptor such as `<f8`.
fn parse_descriptor(descriptor: &str) -> Result<(Kind, usize), String> {
    let problem = || {
        format!("has elements of type `{descriptor}`, but must hold little-endian f4, f8, integers or text (U or S)")
    };
    let unordered = descriptor.strip_prefix(['<', '|', '=']).ok_or_else(problem)?;
    let mut characters = unordered.chars();
    let letter = characters.next().ok_or_else(problem)?;
    let size: usize = characters.as_str().parse().map_err(|_| problem())?;
    match (letter, size) {
        ('f', 4 | 8) => Ok((Kind::Float, size)),
        ('i', 1 | 2 | 4 | 8) => Ok((Kind::Signed, size)),
        ('u', 1 | 2 | 4 | 8) => Ok((Kind::Unsigned, size)),
        ('U', 1..=1024) => Ok((Kind::Unicode, 4 * size)),
        ('S', 1..=4096) => Ok((Kind::Bytes, size)),
        _ => Err(problem()),
    }
}

/// Descriptor, order and shape of a header: a Python dictionary with these three keys in any order.
fn parse_header(header: &str) -> Option<(&str, bool, Vec<usize>)> {
    let (mut descriptor, mut is_fortran, mut shape) = (None, None, None);
    let mut rest = header.trim().strip_prefix('{')?.strip_suffix('}')?.trim_start();
    while !rest.is_empty() {
        let (key, after) = quoted(rest)?;
        let value = after.trim_start().strip_prefix(':')?.trim_start();
        rest = match key {
            "descr" => {
                let (text, after) = quoted(value)?;
                descriptor = Some(text);
                after
            }
            "fortran_order" => {
                let (value, after) = match value.strip_prefix("True") {
                    Some(after) => (true, after),
                    None => (false, value.strip_prefix("False")?),
                };
                is_fortran = Some(value);
                after
            }
            "shape" => {
                let (inside, after) = value.strip_prefix('(')?.split_once(')')?;
                let numbers = inside.split(',').map(str::trim).filter(|number| !number.is_empty());
                let numbers: Vec<usize> =
                    numbers.take(MOST_AXES + 1).map(|n| n.trim_end_matches('L').parse().ok()).collect::<Option<_>>()?;
                shape = (numbers.len() <= MOST_AXES).then_some(numbers);
                after
            }
            _ => return None,
        };
        rest = rest.trim_start();
        rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
    }
    Some((descriptor?, is_fortran?, shape?))
}

/// The text in quotes at the beginning, and what follows.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    text[1..].split_once(quote)
}
