//! Wavefront OBJ: polygons of all objects and groups become one set of triangles.
//!
//! `tobj` reads the vertices and polygons, but it guesses where a file is unusual: it takes a line
//! of three points for a triangle, does not know line continuation, drops faces of two corners,
//! counts texture indices, and its errors have no line numbers. So the text is first reduced to
//! plain `v x y z` and `f i j k …` statements, every word of which has been checked.

use std::borrow::Cow;

use super::error::{MeshError, Place};
use super::limits::{MAX_FACES, MAX_VERTICES, POLYGON_BUDGET, PointDefect, scaled_point};
use super::polygon::PolygonCutter;
use super::raw_mesh::{MAX_NAMES, PartNames, RawMesh, RawPart};
use super::read::MeshFormat;
use super::resolution::Resolution;
use super::text_lines::{TextLines, number, quoted, shortened, words};
use crate::math::Vector;

/// Reads the vertices and polygons; everything else in the file is ignored.
pub(super) fn read(file: &str, bytes: &[u8], scale: f64) -> Result<RawMesh, MeshError> {
    let plain = plain_statements(file, bytes, scale)?;
    if plain.faces == 0 {
        return Err(MeshError::NoFaces { file: file.into(), dropped: 0 });
    }
    let options =
        tobj::LoadOptions { single_index: false, triangulate: false, ignore_points: true, ignore_lines: true };
    let no_materials = |_: &std::path::Path| Err(tobj::LoadError::OpenFileFailed);
    let (models, _) =
        tobj::load_obj_buf(&mut plain.text.as_slice(), &options, no_materials).map_err(|error| MeshError::Syntax {
            file: file.into(),
            place: Place { face: None, line: None, vertex: None },
            problem: error.to_string(),
        })?;

    let mut raw = RawMesh {
        faces_in_file: plain.faces,
        vertices_in_file: plain.vertices,
        resolution: plain.resolution,
        parts: plain.parts,
        ..RawMesh::default()
    };
    raw.vertices.reserve(plain.vertices);
    raw.faces.reserve(plain.faces);
    raw.face_numbers.reserve(plain.faces);
    let mut cutter = PolygonCutter::new(POLYGON_BUDGET);
    let mut corners: Vec<Vector> = Vec::new();
    let mut polygon = 0;
    for model in models {
        let mesh = model.mesh;
        let first_vertex = raw.vertices.len() as u32;
        for point in mesh.positions.chunks_exact(3) {
            // Cannot fail: `plain_statements` has checked the same numbers.
            raw.vertices.push(scaled_point([point[0], point[1], point[2]], scale).unwrap_or_default());
        }
        // `tobj` leaves the numbers of corners out where all polygons are triangles.
        let all_triangles = mesh.face_arities.is_empty();
        let count = if all_triangles { mesh.indices.len() / 3 } else { mesh.face_arities.len() };
        let mut rest = mesh.indices.as_slice();
        for face in 0..count {
            let arity = if all_triangles { 3 } else { mesh.face_arities[face] as usize };
            let (indices, tail) = rest.split_at(arity);
            rest = tail;
            corners.clear();
            corners.extend(indices.iter().map(|&index| raw.vertices[(first_vertex + index) as usize]));
            let emit = |triangle: [usize; 3]| {
                raw.faces.push(triangle.map(|corner| first_vertex + indices[corner]));
                raw.face_numbers.push(polygon);
            };
            cutter.cut(&corners, emit).map_err(|_| {
                let face = polygon as usize + 1;
                let place = Place { face: Some(face), line: line_of_face(bytes, face), vertex: None };
                MeshError::PolygonsTooIntricate { file: file.into(), place }
            })?;
            polygon += 1;
        }
    }
    Ok(raw)
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

struct PlainText {
    text: Vec<u8>,
    vertices: usize,
    faces: usize,
    resolution: Resolution,
    parts: Vec<RawPart>,
}

/// Keeps `v` with three coordinates and `f` with positive vertex indices; checks both.
fn plain_statements(file: &str, bytes: &[u8], scale: f64) -> Result<PlainText, MeshError> {
    let mut plain = PlainText {
        text: Vec::with_capacity(bytes.len()),
        vertices: 0,
        faces: 0,
        resolution: Resolution::default(),
        parts: Vec::new(),
    };
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
                plain.vertices += 1;
                if MAX_VERTICES < plain.vertices {
                    return Err(MeshError::TooManyVertices { file: file.into(), place });
                }
                let PlainText { text, resolution, .. } = &mut plain;
                add_vertex(text, words, scale, resolution).map_err(|defect| defect.at(file, place))?;
            }
            Some(b"f") => {
                known += 1;
                plain.faces += 1;
                let (corners, largest) =
                    add_face(&mut plain.text, words, plain.vertices).map_err(|defect| defect.at(file, place))?;
                triangles += corners - 2;
                largest_index = largest.max(largest_index);
                if MAX_FACES < triangles {
                    return Err(MeshError::TooManyFaces { file: file.into(), place });
                }
            }
            Some(b"o") => {
                known += 1;
                let name: Vec<&[u8]> = words.collect();
                objects.begin(vec![shortened(&name.join(&b' '))], plain.faces as u32, &mut plain.parts);
            }
            Some(b"g") => {
                known += 1;
                groups.begin(words.take(MAX_NAMES).map(shortened).collect(), plain.faces as u32, &mut plain.parts);
            }
            Some(word) if OTHER_STATEMENTS.contains(&word) => known += 1,
            Some(_) => unknown += 1,
            None => {}
        }
    }
    objects.end(plain.faces as u32, &mut plain.parts);
    groups.end(plain.faces as u32, &mut plain.parts);
    if known == 0 && unknown != 0 {
        return Err(MeshError::ForeignContent {
            file: file.into(),
            expected: MeshFormat::Obj,
            found: "no OBJ statement",
            advice: "export the mesh as OBJ or STL",
        });
    }
    if plain.vertices < largest_index {
        return Err(index_beyond_vertices(file, bytes, plain.vertices));
    }
    Ok(plain)
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
fn add_vertex<'a>(
    text: &mut Vec<u8>,
    words: impl Iterator<Item = &'a [u8]>,
    scale: f64,
    resolution: &mut Resolution,
) -> Result<(), Defect> {
    let mut values = [0.0; 4];
    let mut count = 0;
    text.push(b'v');
    let line_start = text.len();
    let mut coordinates_end = line_start;
    for word in words {
        if count < 4 {
            values[count] = number(word).ok_or_else(|| {
                Defect::Syntax(format!("{} is not a number; write coordinates like -1.5 or 2e-3", quoted(word)))
            })?;
            text.push(b' ');
            text.extend_from_slice(word);
        }
        if count < 3 {
            resolution.note(word);
        }
        count += 1;
        if count == 3 {
            coordinates_end = text.len();
        }
    }
    if count < 3 {
        return Err(Defect::Syntax(format!("a vertex has {count} of 3 coordinates; the file may be incomplete")));
    }
    if count == 4 {
        let weight = values[3];
        values.iter_mut().for_each(|value| *value /= weight);
    } else {
        // Colours follow; `tobj` must not see the first of them.
        text.truncate(coordinates_end);
    }
    let point = [values[0], values[1], values[2]];
    scaled_point(point, scale).map_err(|defect| match defect {
        PointDefect::NotFinite => Defect::NotFinite(shortened(&text[line_start + 1..])),
        PointDefect::TooLarge(coordinates) => Defect::TooLarge(coordinates),
    })?;
    text.push(b'\n');
    Ok(())
}

/// Corners as `i`, `i/t`, `i//n` or `i/t/n`; only `i` counts. Returns the number of corners and the
/// largest index.
fn add_face<'a>(
    text: &mut Vec<u8>,
    words: impl Iterator<Item = &'a [u8]>,
    vertices: usize,
) -> Result<(usize, usize), Defect> {
    let mut corners = 0;
    let mut largest = 0;
    text.push(b'f');
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
        text.push(b' ');
        push_decimal(text, absolute as usize);
        largest = largest.max(absolute as usize);
        corners += 1;
    }
    if corners < 3 {
        return Err(Defect::Syntax(format!(
            "a face has {corners} corner(s), but needs 3; the file may be incomplete, export it again"
        )));
    }
    text.push(b'\n');
    Ok((corners, largest))
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

fn push_decimal(text: &mut Vec<u8>, mut value: usize) {
    let start = text.len();
    loop {
        text.push(b'0' + (value % 10) as u8);
        value /= 10;
        if value == 0 {
            break;
        }
    }
    text[start..].reverse();
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
