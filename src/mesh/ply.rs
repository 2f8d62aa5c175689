//! PLY, the Stanford polygon format: text, or binary of either byte order.
//!
//! A header declares elements with properties; the numbers follow in that order. Read are the properties `x`, `y` and
//! `z` of the element `vertex` and the list `vertex_indices` (or `vertex_index`) of the element `face`; everything else
//! is passed over.

use super::error::{MeshError, Place};
use super::polygons::Polygons;
use super::raw_mesh::RawMesh;
use super::resolution::Resolution;
use super::text_lines::{TextWords, number, quoted, shortened, words};
use crate::math::Vector;

/// Reads the vertices and polygons.
pub(super) fn read(file: &str, bytes: &[u8], scale: f64) -> Result<RawMesh, MeshError> {
    let header = Header::parse(file, bytes)?;
    let body = &bytes[header.length..];
    let mut numbers = match header.encoding {
        Encoding::Text => Numbers::Text(TextWords::new(body), header.lines),
        Encoding::Little => Numbers::Binary { rest: body, is_little: true },
        Encoding::Big => Numbers::Binary { rest: body, is_little: false },
    };
    let mut polygons = Polygons::new(file, scale);
    for element in &header.elements {
        element.read(file, &mut numbers, &mut polygons)?;
    }
    polygons.finish()
}

#[derive(Clone, Copy, PartialEq)]
enum Encoding {
    Text,
    Little,
    Big,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    fn named(name: &[u8]) -> Option<Scalar> {
        Some(match name {
            b"char" | b"int8" => Scalar::I8,
            b"uchar" | b"uint8" => Scalar::U8,
            b"short" | b"int16" => Scalar::I16,
            b"ushort" | b"uint16" => Scalar::U16,
            b"int" | b"int32" => Scalar::I32,
            b"uint" | b"uint32" => Scalar::U32,
            b"float" | b"float32" => Scalar::F32,
            b"double" | b"float64" => Scalar::F64,
            _ => return None,
        })
    }

    fn size(self) -> usize {
        match self {
            Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::F64 => 8,
        }
    }

    /// The number in up to eight bytes, the least significant one first.
    fn value(self, bytes: [u8; 8]) -> f64 {
        let bits = u64::from_le_bytes(bytes);
        match self {
            Scalar::I8 => f64::from(bits as i8),
            Scalar::U8 => f64::from(bits as u8),
            Scalar::I16 => f64::from(bits as i16),
            Scalar::U16 => f64::from(bits as u16),
            Scalar::I32 => f64::from(bits as i32),
            Scalar::U32 => f64::from(bits as u32),
            Scalar::F32 => f64::from(f32::from_bits(bits as u32)),
            Scalar::F64 => f64::from_bits(bits),
        }
    }
}

struct Property {
    name: Vec<u8>,
    /// Type of the number of items, for a list.
    count: Option<Scalar>,
    scalar: Scalar,
}

struct Element {
    name: Vec<u8>,
    count: u64,
    properties: Vec<Property>,
}

struct Header {
    encoding: Encoding,
    elements: Vec<Element>,
    /// Bytes and lines up to the end of the line `end_header`.
    length: usize,
    lines: usize,
}

/// Longest header that is read, in bytes.
const HEADER_LIMIT: usize = 1 << 16;

impl Header {
    fn parse(file: &str, bytes: &[u8]) -> Result<Header, MeshError> {
        let mut header = Header { encoding: Encoding::Text, elements: Vec::new(), length: 0, lines: 0 };
        let mut encoding = None;
        let start = &bytes[..bytes.len().min(HEADER_LIMIT)];
        loop {
            let Some(end) = start[header.length..].iter().position(|&byte| byte == b'\n' || byte == b'\r') else {
                let detail = "its header has no line `end_header`".into();
                return Err(MeshError::Truncated { file: file.into(), detail });
            };
            let line = &start[header.length..header.length + end];
            let tail = &start[header.length + end..];
            header.length += end + if tail.starts_with(b"\r\n") { 2 } else { 1 };
            header.lines += 1;
            let syntax = |problem: String| {
                let problem = format!("{problem}; export the file again");
                MeshError::Syntax { file: file.into(), place: Place::line(header.lines), problem }
            };
            let line_words: Vec<&[u8]> = words(line).collect();
            match line_words.as_slice() {
                [b"end_header"] => break,
                [b"ply"] | [b"comment" | b"obj_info", ..] | [] => {}
                [b"format", name, _] => {
                    encoding = Some(match *name {
                        b"ascii" => Encoding::Text,
                        b"binary_little_endian" => Encoding::Little,
                        b"binary_big_endian" => Encoding::Big,
                        _ => return Err(syntax(format!("{} is no format of PLY", quoted(name)))),
                    });
                }
                [b"element", name, count] => {
                    let count = std::str::from_utf8(count).ok().and_then(|text| text.parse().ok());
                    let count = count.ok_or_else(|| syntax("the element has no number of items".into()))?;
                    header.elements.push(Element { name: name.to_vec(), count, properties: Vec::new() });
                }
                [b"property", kind @ .., name] => {
                    let unknown = || syntax(format!("`{}` is no property of PLY", shortened(line)));
                    let (count, scalar) = match kind {
                        [scalar] => (None, *scalar),
                        [b"list", count, scalar] => (Some(Scalar::named(count).ok_or_else(unknown)?), *scalar),
                        _ => return Err(unknown()),
                    };
                    let property =
                        Property { name: name.to_vec(), count, scalar: Scalar::named(scalar).ok_or_else(unknown)? };
                    let element =
                        header.elements.last_mut().ok_or_else(|| syntax("a property before any element".into()))?;
                    element.properties.push(property);
                }
                _ => return Err(syntax(format!("`{}` is no line of a PLY header", shortened(line)))),
            }
        }
        header.encoding = encoding.ok_or_else(|| MeshError::Syntax {
            file: file.into(),
            place: Place::line(1),
            problem: "the header names no format; export the file again".into(),
        })?;
        Ok(header)
    }
}

impl Element {
    fn read(&self, file: &str, numbers: &mut Numbers, polygons: &mut Polygons) -> Result<(), MeshError> {
        // Items without properties have no bytes, whatever their number.
        if self.properties.is_empty() {
            return Ok(());
        }
        let place_of = |name: &str| self.properties.iter().position(|p| p.name == name.as_bytes() && p.count.is_none());
        let coordinates = match (self.name.as_slice(), place_of("x"), place_of("y"), place_of("z")) {
            (b"vertex", Some(x), Some(y), Some(z)) => Some([x, y, z]),
            (b"vertex", ..) => {
                let problem = "its vertices have no properties x, y and z; export the file again".into();
                return Err(MeshError::Syntax { file: file.into(), place: Place::line(1), problem });
            }
            _ => None,
        };
        let normal = match (coordinates, place_of("nx"), place_of("ny"), place_of("nz")) {
            (Some(_), Some(x), Some(y), Some(z)) => Some([x, y, z]),
            _ => None,
        };
        if let Some(places) = coordinates
            && matches!(numbers, Numbers::Binary { .. })
        {
            let is_single = places.iter().any(|&place| self.properties[place].scalar == Scalar::F32);
            polygons.raw.resolution = if is_single { Resolution::Single } else { Resolution::Double };
        }
        let is_indices = |p: &Property| p.count.is_some() && (p.name == b"vertex_indices" || p.name == b"vertex_index");
        let indices_at = (self.name == b"face").then(|| self.properties.iter().position(is_indices)).flatten();
        let mut values = vec![0.0; self.properties.len()];
        let mut items = Vec::new();
        for item in 0..self.count {
            let mut place = Place::face(item as usize + 1);
            for (k, property) in self.properties.iter().enumerate() {
                let count = match property.count {
                    Some(count) => numbers.next(file, count, None)?,
                    None => 1.0,
                };
                if !(count.fract() == 0.0 && 0.0 <= count) {
                    let problem = format!("a list has {count} items; export the file again");
                    return Err(MeshError::Syntax { file: file.into(), place, problem });
                }
                items.clear();
                let noted =
                    coordinates.is_some_and(|places| places.contains(&k)).then_some(&mut polygons.raw.resolution);
                let mut noted = noted;
                let mut left = count;
                while 0.0 < left {
                    items.push(numbers.next(file, property.scalar, noted.as_deref_mut())?);
                    left -= 1.0;
                }
                values[k] = items.first().copied().unwrap_or(0.0);
                if indices_at == Some(k) {
                    if let Numbers::Text(text, lines) = numbers {
                        place.line = Some(*lines + text.line);
                    }
                    polygons.push_polygon(&items, place)?;
                }
            }
            if let Some([x, y, z]) = coordinates {
                let place = match numbers {
                    Numbers::Text(text, lines) => Place::line(*lines + text.line),
                    Numbers::Binary { .. } => Place::vertex(item as usize + 1),
                };
                polygons.push_vertex([values[x], values[y], values[z]], place)?;
                polygons
                    .raw
                    .vertex_normals
                    .extend(normal.map(|places| Vector::from(places.map(|place| values[place]))));
            }
        }
        Ok(())
    }
}

/// The numbers after the header.
enum Numbers<'a> {
    /// Words, and the lines before the first.
    Text(TextWords<'a>, usize),
    Binary {
        rest: &'a [u8],
        is_little: bool,
    },
}

impl Numbers<'_> {
    fn next(&mut self, file: &str, scalar: Scalar, noted: Option<&mut Resolution>) -> Result<f64, MeshError> {
        let truncated = |detail: String| MeshError::Truncated { file: file.into(), detail };
        match self {
            Numbers::Text(text, lines) => {
                let Some((line, word)) = text.next() else {
                    return Err(truncated("it has fewer numbers than its header announces".into()));
                };
                if let Some(resolution) = noted {
                    resolution.note(word);
                }
                number(word).ok_or_else(|| MeshError::Syntax {
                    file: file.into(),
                    place: Place::line(*lines + line),
                    problem: format!("{} is not a number; export the file again", quoted(word)),
                })
            }
            Numbers::Binary { rest, is_little } => {
                let Some((bytes, tail)) = rest.split_at_checked(scalar.size()) else {
                    return Err(truncated("it has fewer bytes than its header announces".into()));
                };
                *rest = tail;
                let mut padded = [0; 8];
                padded[..bytes.len()].copy_from_slice(bytes);
                if !*is_little {
                    padded[..bytes.len()].reverse();
                }
                Ok(scalar.value(padded))
            }
        }
    }
}
