//! STL, binary and ASCII.
//!
//! Written here rather than taken from a crate: the reader has to tell binary files that begin with
//! `solid` from text, accept several solids in one file, and name the facet or line of a defect.
//! The order of the corners decides which way a facet faces; stated normals are only compared with it.

use super::error::{MeshError, Place};
use super::limits::{MAX_FACES, PointDefect, scaled_point};
use super::raw_mesh::{PartNames, RawMesh};
use super::resolution::Resolution;
use super::stl_text;
use crate::math::Vector;

/// Free text before the number of facets.
const HEADER_BYTES: usize = 80;
/// Header and number of facets.
const PREAMBLE_BYTES: usize = HEADER_BYTES + 4;
/// Normal, three corners, attribute.
const FACET_BYTES: usize = 50;

/// Reads either kind.
pub(super) fn read(file: &str, bytes: &[u8], scale: f64) -> Result<RawMesh, MeshError> {
    if is_text(bytes) { stl_text::read(file, bytes, scale) } else { read_binary(file, bytes, scale) }
}

/// The line at which a facet starts, in a text file; facets are counted from 1.
pub(super) fn line_of_face(bytes: &[u8], face: usize) -> Option<usize> {
    if is_text(bytes) { stl_text::line_of_facet(bytes, face) } else { None }
}

/// Whether the file is ASCII STL rather than binary.
///
/// Text begins with `solid`, but so do the headers of some binary files. A size that fits the
/// announced number of facets to the byte decides for binary, and so do zero bytes.
pub(super) fn is_text(bytes: &[u8]) -> bool {
    const SNIFFED: usize = 4096;
    let start = &bytes[..bytes.len().min(SNIFFED)];
    let trimmed = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start).trim_ascii_start();
    let begins_with_solid = trimmed.get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"));
    begins_with_solid && !has_binary_size(bytes) && !start.contains(&0)
}

/// Whether the size fits the number of facets at bytes 80 to 83.
pub(super) fn has_binary_size(bytes: &[u8]) -> bool {
    announced_facets(bytes).is_some_and(|facets| size_with(facets) == bytes.len() as u64)
}

fn announced_facets(bytes: &[u8]) -> Option<u32> {
    let field = bytes.get(HEADER_BYTES..PREAMBLE_BYTES)?;
    Some(u32::from_le_bytes(field.try_into().ok()?))
}

fn size_with(facets: u32) -> u64 {
    PREAMBLE_BYTES as u64 + FACET_BYTES as u64 * u64::from(facets)
}

fn read_binary(file: &str, bytes: &[u8], scale: f64) -> Result<RawMesh, MeshError> {
    let size = bytes.len() as u64;
    let Some(declared) = announced_facets(bytes) else {
        let detail = format!("it has {size} bytes, but the header of a binary STL file alone has {PREAMBLE_BYTES}");
        return Err(MeshError::Truncated { file: file.into(), detail });
    };
    let expected = size_with(declared);
    if size < expected {
        let detail = format!("{declared} facets are announced, which makes {expected} bytes, but it has {size}");
        return Err(MeshError::Truncated { file: file.into(), detail });
    }
    if expected < size {
        return Err(MeshError::FacetCountMismatch { file: file.into(), declared, expected, bytes: size });
    }
    if MAX_FACES < declared as usize {
        return Err(MeshError::TooManyFaces { file: file.into(), place: Place::face(MAX_FACES + 1) });
    }
    let mut facets = Facets::new(file, scale, declared as usize);
    facets.raw.resolution = Resolution::Single;
    for (index, facet) in bytes[PREAMBLE_BYTES..].chunks_exact(FACET_BYTES).enumerate() {
        let point = |at: usize| {
            [0, 4, 8].map(|k| {
                let float = [0, 1, 2, 3].map(|byte| facet[at + k + byte]);
                f64::from(f32::from_le_bytes(float))
            })
        };
        facets.push(point(0), [point(12), point(24), point(36)], |_| Place::face(index + 1))?;
    }
    Ok(facets.finish())
}

/// Collects facets.
pub(super) struct Facets<'a> {
    file: &'a str,
    scale: f64,
    raw: RawMesh,
    solids: PartNames,
}

impl<'a> Facets<'a> {
    pub(super) fn new(file: &'a str, scale: f64, expected: usize) -> Self {
        let raw = RawMesh {
            vertices: Vec::with_capacity(3 * expected),
            faces: Vec::with_capacity(expected),
            face_numbers: Vec::with_capacity(expected),
            ..RawMesh::default()
        };
        Facets { file, scale, raw, solids: PartNames::default() }
    }

    /// Adds a facet; `place` tells where its corner 0, 1 or 2 stands in the file.
    pub(super) fn push(
        &mut self,
        normal: [f64; 3],
        corners: [[f64; 3]; 3],
        place: impl Fn(usize) -> Place,
    ) -> Result<(), MeshError> {
        let number = self.raw.faces.len();
        if MAX_FACES <= number {
            return Err(MeshError::TooManyFaces { file: self.file.into(), place: place(0) });
        }
        for (k, corner) in corners.into_iter().enumerate() {
            let vertex = scaled_point(corner, self.scale).map_err(|defect| match defect {
                PointDefect::NotFinite => MeshError::NotFinite {
                    file: self.file.into(),
                    place: place(k),
                    text: corner.map(|x| x.to_string()).join(" "),
                },
                PointDefect::TooLarge(coordinates) => {
                    MeshError::CoordinateTooLarge { file: self.file.into(), place: place(k), coordinates }
                }
            })?;
            self.raw.vertices.push(vertex);
        }
        let [a, b, c] = [0, 1, 2].map(|k| self.raw.vertices[3 * number + k]);
        // Normals that are missing (zero, NaN) contradict nothing.
        if (b - a).cross(&(c - a)).dot(&Vector::from(normal)) < 0.0 {
            self.raw.contradicting_normals += 1;
        }
        let first = 3 * number as u32;
        self.raw.faces.push([first, first + 1, first + 2]);
        self.raw.face_numbers.push(number as u32);
        Ok(())
    }

    /// Takes notice of a coordinate as the text states it.
    pub(super) fn note(&mut self, word: &[u8]) {
        self.raw.resolution.note(word);
    }

    /// Facets from here on belong to a solid of this name.
    pub(super) fn begin_solid(&mut self, name: String) {
        self.solids.begin(vec![name], self.raw.faces.len() as u32, &mut self.raw.parts);
    }

    pub(super) fn finish(mut self) -> RawMesh {
        self.solids.end(self.raw.faces.len() as u32, &mut self.raw.parts);
        self.raw.faces_in_file = self.raw.faces.len();
        self.raw.vertices_in_file = self.raw.vertices.len();
        self.raw
    }
}
