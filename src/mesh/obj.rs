//! Wavefront OBJ: polygons of all objects and groups become one set of triangles.
//!
//! The text is read once, statement by statement, and every word that counts is checked: lines of points, line
//! continuation, faces of two corners, texture indices and colours are told from what belongs to the surface.

use std::borrow::Cow;

use super::error::{MeshError, Place};
use super::file_normals::FileNormals;
use super::limits::{MAX_FACES, MAX_VERTICES, POLYGON_BUDGET, PointDefect, scaled_point};
use super::polygon::PolygonCutter;
use super::raw_mesh::{MAX_NAMES, PartNames, RawMesh, RawPart};
use super::read::MeshFormat;
use super::resolution::Resolution;
use super::text_lines::{TextLines, number, quoted, shortened, words};
use crate::math::Vector;

/// Reads the vertices and polygons; everything else in the file is ignored.
pub(super) fn read(file: &str, bytes: &[u8], scale: f64) -> Result<RawMesh, MeshError> {
    let Content { vertices, corners: all_corners, corner_counts, resolution, parts } =
        read_content(file, bytes, scale)?;
    if corner_counts.is_empty() {
        return Err(MeshError::NoFaces { file: file.into(), dropped: 0 });
    }
    let mut raw = RawMesh {
        faces_in_file: corner_counts.len(),
        vertices_in_file: vertices.len(),
        resolution,
        parts,
        ..RawMesh::default()
    };
    raw.vertices.reserve(vertices.len());
    raw.faces.reserve(corner_counts.len());
    raw.face_numbers.reserve(corner_counts.len());
    // Vertices in the order in which faces name them; others are left out.
    let mut places = vec![UNUSED; vertices.len()];
    let mut cutter = PolygonCutter::new(POLYGON_BUDGET);
    let mut corners: Vec<Vector> = Vec::new();
    let mut indices: Vec<u32> = Vec::new();
    let mut rest = all_corners.as_slice();
    for (polygon, count) in corner_counts.into_iter().enumerate() {
        let (named, tail) = rest.split_at(count as usize);
        rest = tail;
        indices.clear();
        for &vertex in named {
            let place = &mut places[vertex as usize];
            if *place == UNUSED {
                *place = raw.vertices.len() as u32;
                raw.vertices.push(vertices[vertex as usize]);
            }
            indices.push(*place);
        }
        corners.clear();
        corners.extend(indices.iter().map(|&index| raw.vertices[index as usize]));
        let emit = |triangle: [usize; 3]| {
            raw.faces.push(triangle.map(|corner| indices[corner]));
            raw.face_numbers.push(polygon as u32);
        };
        cutter.cut(&corners, emit).map_err(|_| {
            let face = polygon + 1;
            let place = Place { face: Some(face), line: line_of_face(bytes, face), vertex: None };
            MeshError::PolygonsTooIntricate { file: file.into(), place }
        })?;
    }
    Ok(raw)
}

/// A vertex that no face has named yet; there are never so many.
const UNUSED: u32 = u32::MAX;

/// Normals that faces state at their corners, as in `f 1//1 2//2 3//3`; what is not a normal is left out.
///
/// For files that [`read`] accepts.
pub(super) fn normals(bytes: &[u8], scale: f64) -> FileNormals {
    let (mut vertices, mut normals, mut corners) = (Vec::new(), Vec::new(), Vec::new());
    let mut polygon = 0;
    for statement in Statements::new(bytes) {
        let mut words = words(&statement.text);
        let keyword = words.next();
        let mut vector = || -> Option<Vector> {
            let mut coordinate = || words.next().and_then(number);
            Some(Vector::new(coordinate()?, coordinate()?, coordinate()?))
        };
        match keyword {
            Some(b"v") => vertices.push(vector().unwrap_or_default() * scale),
            Some(b"vn") => normals.push(vector().unwrap_or_default()),
            Some(b"f") => {
                for word in words {
                    let mut indices = word.split(|&byte| byte == b'/');
                    let place = indices.next().and_then(|index| indexed(index, &vertices));
                    let normal = indices.nth(1).and_then(|index| indexed(index, &normals));
                    corners.extend(place.zip(normal).map(|(place, normal)| (polygon, place, normal)));
                }
                polygon += 1;
            }
            _ => {}
        }
    }
    FileNormals::new(corners.into_iter())
}

/// The item of an index that counts from 1, or backwards from -1.
fn indexed(index: &[u8], items: &[Vector]) -> Option<Vector> {
    let index: i64 = std::str::from_utf8(index).ok()?.parse().ok()?;
    let position = if index < 0 { items.len() as i64 + index } else { index - 1 };
    items.get(usize::try_from(position).ok()?).copied()
}

/// The line at which a face starts; faces are counted from 1.
pub(super) fn line_of_face(bytes: &[u8], face: usize) -> Option<usize> {
    let is_face = |statement: &Statement| words(&statement.text).next() == Some(b"f");
    Statements::new(bytes).filter(is_face).nth(face.checked_sub(1)?).map(|statement| statement.line)
}

/// One statement: comments removed, continued lines joined.
struct Statement<'a> {
    line: usize,
    text: Cow<'a, [u8]>,
}

struct Statements<'a> {
    lines: TextLines<'a>,
}

impl<'a> Statements<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Statements { lines: TextLines::new(bytes) }
    }
}

impl<'a> Iterator for Statements<'a> {
    type Item = Statement<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let (line, first) = self.lines.next()?;
        let mut text = Cow::Borrowed(without_comment(first));
        while text.ends_with(b"\\") {
            let joined = text.to_mut();
            joined.pop();
            joined.push(b' ');
            if let Some((_, following)) = self.lines.next() {
                joined.extend_from_slice(without_comment(following));
            }
        }
        Some(Statement { line, text })
    }
}

/// A comment starts at a `#` that begins a word: `1.#QNAN` is a bad number, not a comment.
fn without_comment(line: &[u8]) -> &[u8] {
    // Most lines have none, which this finds out many bytes at a time.
    if !line.contains(&b'#') {
        return line;
    }
    let starts_word = |at: usize| at == 0 || line[at - 1].is_ascii_whitespace();
    match line.iter().enumerate().find(|&(at, &byte)| byte == b'#' && starts_word(at)) {
        Some((at, _)) => &line[..at],
        None => line,
    }
}

/// What a file says about its surface.
#[derive(Default)]
struct Content {
    /// In m.
    vertices: Vec<Vector>,
    /// Vertices of all faces, one after the other.
    corners: Vec<u32>,
    /// Corners of each face.
    corner_counts: Vec<u32>,
    resolution: Resolution,
    parts: Vec<RawPart>,
}

/// Reads `v` and `f`, and the names of parts; everything is checked.
fn read_content(file: &str, bytes: &[u8], scale: f64) -> Result<Content, MeshError> {
    let mut content = Content::default();
    let (mut objects, mut groups) = (PartNames::default(), PartNames::default());
    let mut triangles = 0;
    let mut largest_index = 0;
    let mut known = 0usize;
    let mut unknown = 0usize;
    for statement in Statements::new(bytes) {
        let place = Place::line(statement.line);
        let mut words = words(&statement.text);
        match words.next() {
            Some(b"v") => {
                known += 1;
                if MAX_VERTICES <= content.vertices.len() {
                    return Err(MeshError::TooManyVertices { file: file.into(), place });
                }
                let point = vertex(words, scale, &mut content.resolution).map_err(|defect| defect.at(file, place))?;
                content.vertices.push(point);
            }
            Some(b"f") => {
                known += 1;
                let Content { vertices, corners, corner_counts, .. } = &mut content;
                let (count, largest) =
                    add_corners(corners, words, vertices.len()).map_err(|defect| defect.at(file, place))?;
                corner_counts.push(count);
                triangles += count as usize - 2;
                largest_index = largest.max(largest_index);
                if MAX_FACES < triangles {
                    return Err(MeshError::TooManyFaces { file: file.into(), place });
                }
            }
            Some(b"o") => {
                known += 1;
                let name: Vec<&[u8]> = words.collect();
                objects.begin(
                    vec![shortened(&name.join(&b' '))],
                    content.corner_counts.len() as u32,
                    &mut content.parts,
                );
            }
            Some(b"g") => {
                known += 1;
                groups.begin(
                    words.take(MAX_NAMES).map(shortened).collect(),
                    content.corner_counts.len() as u32,
                    &mut content.parts,
                );
            }
            Some(word) if OTHER_STATEMENTS.contains(&word) => known += 1,
            Some(_) => unknown += 1,
            None => {}
        }
    }
    objects.end(content.corner_counts.len() as u32, &mut content.parts);
    groups.end(content.corner_counts.len() as u32, &mut content.parts);
    if known == 0 && unknown != 0 {
        return Err(MeshError::ForeignContent {
            file: file.into(),
            expected: MeshFormat::Obj,
            found: "no OBJ statement",
            advice: "export the mesh as OBJ or STL",
        });
    }
    if content.vertices.len() < largest_index {
        return Err(index_beyond_vertices(file, bytes, content.vertices.len()));
    }
    Ok(content)
}

/// Statements that an OBJ file may begin with; enough to tell it from other text.
const OTHER_STATEMENTS: [&[u8]; 11] =
    [b"vn", b"vt", b"vp", b"s", b"l", b"p", b"mtllib", b"usemtl", b"cstype", b"deg", b"surf"];

enum Defect {
    Syntax(String),
    NotFinite(String),
    TooLarge(Vector),
    Index { index: String, vertices: usize },
}

impl Defect {
    fn at(self, file: &str, place: Place) -> MeshError {
        let file = file.to_string();
        match self {
            Defect::Syntax(problem) => MeshError::Syntax { file, place, problem },
            Defect::NotFinite(text) => MeshError::NotFinite { file, place, text },
            Defect::TooLarge(coordinates) => MeshError::CoordinateTooLarge { file, place, coordinates },
            Defect::Index { index, vertices } => MeshError::IndexOutOfRange { file, place, index, vertices },
        }
    }
}

/// Three coordinates; a fourth value is a weight to divide by, more are colours.
fn vertex<'a>(
    words: impl Iterator<Item = &'a [u8]>,
    scale: f64,
    resolution: &mut Resolution,
) -> Result<Vector, Defect> {
    let mut values = [0.0; 4];
    let mut written: [&[u8]; 4] = [b""; 4];
    let mut count = 0;
    for word in words {
        if count < 4 {
            values[count] = number(word).ok_or_else(|| {
                Defect::Syntax(format!("{} is not a number; write coordinates like -1.5 or 2e-3", quoted(word)))
            })?;
            written[count] = word;
        }
        if count < 3 {
            resolution.note(word);
        }
        count += 1;
    }
    if count < 3 {
        return Err(Defect::Syntax(format!("a vertex has {count} of 3 coordinates; the file may be incomplete")));
    }
    if count == 4 {
        let weight = values[3];
        values.iter_mut().for_each(|value| *value /= weight);
    }
    scaled_point([values[0], values[1], values[2]], scale).map_err(|defect| match defect {
        PointDefect::NotFinite => Defect::NotFinite(shortened(&written[..if count == 4 { 4 } else { 3 }].join(&b' '))),
        PointDefect::TooLarge(coordinates) => Defect::TooLarge(coordinates),
    })
}

/// Corners as `i`, `i/t`, `i//n` or `i/t/n`; only `i` counts. Returns the number of corners and the
/// largest index, counted from 1.
fn add_corners<'a>(
    corners: &mut Vec<u32>,
    words: impl Iterator<Item = &'a [u8]>,
    vertices: usize,
) -> Result<(u32, usize), Defect> {
    let mut count = 0;
    let mut largest = 0;
    for word in words {
        let digits = word.split(|&byte| byte == b'/').next().unwrap_or(word);
        let index = parse_index(digits).ok_or_else(|| {
            Defect::Syntax(format!("{} is not a corner of a face; write i, i/t, i//n or i/t/n", quoted(word)))
        })?;
        let out_of_range = || Defect::Index { index: shortened(digits), vertices };
        let absolute = if index < 0 { vertices as i64 + 1 + index } else { index };
        if absolute <= 0 || MAX_VERTICES as i64 <= absolute {
            return Err(out_of_range());
        }
        corners.push(absolute as u32 - 1);
        largest = largest.max(absolute as usize);
        count += 1;
    }
    if count < 3 {
        return Err(Defect::Syntax(format!(
            "a face has {count} corner(s), but needs 3; the file may be incomplete, export it again"
        )));
    }
    Ok((count, largest))
}

/// A decimal integer; one that does not fit is as large as can be.
fn parse_index(digits: &[u8]) -> Option<i64> {
    let (sign, digits) = match digits {
        [b'-', rest @ ..] => (-1, rest),
        [b'+', rest @ ..] => (1, rest),
        _ => (1, digits),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let saturated = digits.iter().fold(0i64, |value, digit| (10 * value + i64::from(digit - b'0')).min(1 << 50));
    Some(sign * saturated)
}

/// Finds the first face that refers to a vertex beyond the last one of the file.
fn index_beyond_vertices(file: &str, bytes: &[u8], vertices: usize) -> MeshError {
    for statement in Statements::new(bytes) {
        let mut words = words(&statement.text);
        if words.next() != Some(b"f") {
            continue;
        }
        for word in words {
            let digits = word.split(|&byte| byte == b'/').next().unwrap_or(word);
            if parse_index(digits).is_some_and(|index| (vertices as i64) < index) {
                let index = shortened(digits);
                return Defect::Index { index, vertices }.at(file, Place::line(statement.line));
            }
        }
    }
    unreachable!("a larger index was seen before")
}
