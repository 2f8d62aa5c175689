//! ASCII STL.
//!
//! ```text
//! solid NAME
//!   facet normal nx ny nz
//!     outer loop
//!       vertex x y z          three of them
//!     endloop
//!   endfacet
//! endsolid NAME
//! ```
//!
//! Keywords in any case, line breaks anywhere except in the two lines with a name, any number of solids.

use super::error::{MeshError, Place};
use super::raw_mesh::RawMesh;
use super::stl::Facets;
use super::text_lines::{TextWords, number, quoted, shortened, words};

/// Reads all solids of the file.
pub(super) fn read(file: &str, bytes: &[u8], scale: f64) -> Result<RawMesh, MeshError> {
    // A facet has at least 60 characters, so this reserves no more than a few times the file.
    let mut facets = Facets::new(file, scale, (bytes.len() / 128).min(super::limits::MAX_FACES));
    let mut reader = Reader { file, words: TextWords::new(bytes) };
    let mut inside_solid = false;
    while let Some((line, word)) = reader.words.next() {
        if word.eq_ignore_ascii_case(b"solid") && !inside_solid {
            inside_solid = true;
            let name: Vec<&[u8]> = words(reader.words.rest_of_line()).collect();
            facets.begin_solid(shortened(&name.join(&b' ')));
        } else if word.eq_ignore_ascii_case(b"endsolid") && inside_solid {
            inside_solid = false;
            reader.words.skip_line();
        } else if word.eq_ignore_ascii_case(b"facet") && inside_solid {
            reader.facet(&mut facets)?;
        } else {
            let expected = if inside_solid { "`facet` or `endsolid`" } else { "`solid`" };
            return Err(reader.syntax(line, format!("{} where {expected} should stand", quoted(word))));
        }
    }
    if inside_solid {
        return Err(reader.truncated("`endsolid`"));
    }
    Ok(facets.finish())
}

/// The line at which a facet starts; facets are counted from 1.
pub(super) fn line_of_facet(bytes: &[u8], facet: usize) -> Option<usize> {
    let mut words = TextWords::new(bytes);
    let mut found = 0;
    while let Some((line, word)) = words.next() {
        if word.eq_ignore_ascii_case(b"solid") || word.eq_ignore_ascii_case(b"endsolid") {
            words.skip_line();
        } else if word.eq_ignore_ascii_case(b"facet") {
            found += 1;
            if found == facet {
                return Some(line);
            }
        }
    }
    None
}

struct Reader<'a> {
    file: &'a str,
    words: TextWords<'a>,
}

impl<'a> Reader<'a> {
    /// The rest of a facet after the word `facet`.
    fn facet(&mut self, facets: &mut Facets) -> Result<(), MeshError> {
        self.keyword("normal")?;
        let mut normal = [0.0; 3];
        for value in &mut normal {
            // The normal is a hint only; nonsense in its place is as good as none.
            *value = number(self.word("the normal of a facet")?.1).unwrap_or(0.0);
        }
        self.keyword("outer")?;
        self.keyword("loop")?;
        let mut corners = [[0.0; 3]; 3];
        let mut lines = [0; 3];
        for (corner, corner_line) in corners.iter_mut().zip(&mut lines) {
            *corner_line = self.keyword("vertex")?;
            for value in corner {
                let (line, word) = self.word("a coordinate")?;
                facets.note(word);
                *value = number(word).ok_or_else(|| {
                    self.syntax(line, format!("{} is not a number; write coordinates like -1.5 or 2e-3", quoted(word)))
                })?;
            }
        }
        self.keyword("endloop")?;
        self.keyword("endfacet")?;
        facets.push(normal, corners, |k| Place::line(lines[k]))
    }

    /// Takes the next word, which must be `expected`; returns its line.
    fn keyword(&mut self, expected: &str) -> Result<usize, MeshError> {
        let (line, word) = self.word(expected)?;
        if word.eq_ignore_ascii_case(expected.as_bytes()) {
            return Ok(line);
        }
        let advice = match expected {
            "endloop" | "vertex" => "; a facet has exactly three vertices",
            _ => "",
        };
        Err(self.syntax(line, format!("{} where `{}` should stand{advice}", quoted(word), expected)))
    }

    fn word(&mut self, expected: &str) -> Result<(usize, &'a [u8]), MeshError> {
        self.words.next().ok_or_else(|| self.truncated(expected))
    }

    fn syntax(&self, line: usize, problem: String) -> MeshError {
        let problem = format!("{problem}; export the file again");
        MeshError::Syntax { file: self.file.into(), place: Place::line(line), problem }
    }

    fn truncated(&self, expected: &str) -> MeshError {
        let detail = format!("it ends at line {}, before {expected}", self.words.line);
        MeshError::Truncated { file: self.file.into(), detail }
    }
}
