//! OFF, the Object File Format of Geomview, as text.
//!
//! ```text
//! OFF                        or COFF, NOFF, …: what follows the coordinates is ignored
//! vertices faces edges
//! x y z                      a line per vertex
//! 3 i j k                    a line per face, corners counted from 0; a colour may follow
//! ```

use super::error::{MeshError, Place};
use super::polygons::Polygons;
use super::raw_mesh::RawMesh;
use super::text_lines::{TextLines, number, quoted, words};

/// Reads the vertices and polygons.
pub(super) fn read(file: &str, bytes: &[u8], scale: f64) -> Result<RawMesh, MeshError> {
    let mut lines = Lines { file, lines: TextLines::new(bytes), last: 0 };
    let (line, header) = lines.next("the word `OFF`")?;
    let mut header_words = words(header);
    let keyword = header_words.next().unwrap_or_default();
    if !is_keyword(keyword) {
        let problem = format!("{} where `OFF` should stand; export the file again", quoted(keyword));
        return Err(lines.syntax(line, problem));
    }
    // The counts may follow in the same line.
    let rest: Vec<&[u8]> = header_words.collect();
    if rest.first().is_some_and(|word| word.eq_ignore_ascii_case(b"binary")) {
        return Err(lines.syntax(line, "it is binary; export it as text".into()));
    }
    let (line, counts) = match rest.is_empty() {
        true => {
            let (line, counts) = lines.next("the numbers of vertices and faces")?;
            (line, words(counts).collect())
        }
        false => (line, rest),
    };
    let count = |k: usize| -> Result<u64, MeshError> {
        let text = counts.get(k).and_then(|word| std::str::from_utf8(word).ok());
        let count = text.and_then(|text| text.parse().ok());
        count.ok_or_else(|| lines.syntax(line, "the numbers of vertices and faces should stand here".into()))
    };
    let (vertices, faces) = (count(0)?, count(1)?);

    let mut polygons = Polygons::new(file, scale);
    for _ in 0..vertices {
        let (line, text) = lines.next("the last vertex")?;
        let mut coordinates = words(text);
        let mut point = [0.0; 3];
        for value in &mut point {
            let word = coordinates.next().unwrap_or_default();
            *value = lines.number(line, word)?;
            polygons.raw.resolution.note(word);
        }
        polygons.push_vertex(point, Place::line(line))?;
    }
    let mut indices = Vec::new();
    for _ in 0..faces {
        let (line, text) = lines.next("the last face")?;
        let mut values = words(text);
        let corners = lines.number(line, values.next().unwrap_or_default())?;
        indices.clear();
        for word in values {
            if corners <= indices.len() as f64 {
                break;
            }
            indices.push(lines.number(line, word)?);
        }
        if corners != indices.len() as f64 {
            let problem = format!("a face of {corners} corners has {}; export the file again", indices.len());
            return Err(lines.syntax(line, problem));
        }
        polygons.push_polygon(&indices, Place::line(line))?;
    }
    polygons.finish()
}

/// Letters before `OFF` announce texture, colour and normals after the coordinates; `4` and `n` other dimensions.
fn is_keyword(word: &[u8]) -> bool {
    let text = String::from_utf8_lossy(word);
    ["OFF", "COFF", "NOFF", "CNOFF", "STOFF", "STCOFF", "STNOFF", "STCNOFF"].contains(&text.as_ref())
}

/// Lines that are neither empty nor comments.
struct Lines<'a> {
    file: &'a str,
    lines: TextLines<'a>,
    last: usize,
}

impl<'a> Lines<'a> {
    fn next(&mut self, expected: &str) -> Result<(usize, &'a [u8]), MeshError> {
        for (number, line) in self.lines.by_ref() {
            self.last = number;
            let end = line.iter().position(|&byte| byte == b'#').unwrap_or(line.len());
            if words(&line[..end]).next().is_some() {
                return Ok((number, &line[..end]));
            }
        }
        let detail = format!("it ends at line {}, before {expected}", self.last);
        Err(MeshError::Truncated { file: self.file.into(), detail })
    }

    fn number(&self, line: usize, word: &[u8]) -> Result<f64, MeshError> {
        number(word).ok_or_else(|| {
            self.syntax(line, format!("{} where a number should stand; export the file again", quoted(word)))
        })
    }

    fn syntax(&self, line: usize, problem: String) -> MeshError {
        MeshError::Syntax { file: self.file.into(), place: Place::line(line), problem }
    }
}
