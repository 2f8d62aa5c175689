//! Nodes and surface triangles as lines of numbers.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::error::{Located, Problem};

/// Characters of a line that messages show.
const EXCERPT: usize = 60;

/// Nodes in the order of the matrices.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeList {
    /// In the unit of the file.
    pub positions: Vec<[f64; 3]>,
    /// Place of each numbered node; empty where nodes have no numbers, and are then counted from 1.
    pub numbers: BTreeMap<u64, u32>,
}

/// Reads one node per line, `number x y z` or `x y z`, separated by blanks, tabs or commas; `#` starts a comment.
/// The order of the lines is the order of the matrices' rows.
pub fn read_nodes(bytes: &[u8]) -> Result<NodeList, Located> {
    let mut nodes = NodeList { positions: Vec::new(), numbers: BTreeMap::new() };
    let mut columns = None;
    for (line, text) in table_lines(bytes) {
        let words = words(&text);
        let expected = match columns.get_or_insert(words.len()) {
            4 => "a node: number, x, y, z, as in the lines before",
            3 => "a node: x, y, z, as in the lines before",
            _ => "a node: `number x y z` or `x y z`",
        };
        let unexpected = || Problem::Unexpected { found: excerpt(&text), expected }.at(line);
        if ![3, 4].contains(&words.len()) || Some(words.len()) != columns {
            return Err(unexpected());
        }
        let coordinates = &words[words.len() - 3..];
        let mut position = [0.0; 3];
        for (target, word) in position.iter_mut().zip(coordinates) {
            *target = finite_number(word).map_err(|problem| problem.at(line))?;
        }
        if words.len() == 4 {
            let number: u64 = words[0].parse().map_err(|_| unexpected())?;
            if nodes.numbers.insert(number, nodes.positions.len() as u32).is_some() {
                return Err(Problem::DuplicateNode { number }.at(line));
            }
        }
        nodes.positions.push(position);
    }
    if nodes.positions.is_empty() {
        return Err(Problem::Empty { what: "nodes" }.at(0));
    }
    Ok(nodes)
}

/// Reads triangles on nodes, counter-clockwise seen from outside: lines of three node numbers, or the `f` lines of an
/// OBJ file whose vertices are the nodes. Without numbers in the node file, and in OBJ files, nodes are counted from 1
/// in its order.
pub fn read_surface(bytes: &[u8], numbers: &BTreeMap<u64, u32>, nodes: usize) -> Result<Vec<[u32; 3]>, Located> {
    let mut surface = Vec::new();
    for (line, text) in table_lines(bytes) {
        let mut words = words(&text);
        let is_obj = matches!(words[0], "f" | "v" | "vn" | "vt" | "g" | "o" | "s" | "usemtl" | "mtllib");
        if is_obj && words[0] != "f" {
            continue;
        }
        if is_obj {
            words.remove(0);
        }
        let unexpected =
            || Problem::Unexpected { found: excerpt(&text), expected: "a triangle: three node numbers" }.at(line);
        if words.len() != 3 {
            return Err(unexpected());
        }
        let mut face = [0; 3];
        for (target, word) in face.iter_mut().zip(words) {
            let word = if is_obj { word.split('/').next().unwrap_or_default() } else { word };
            let index: i128 = word.parse().map_err(|_| unexpected())?;
            let place = match u64::try_from(index) {
                Ok(number) if !is_obj && !numbers.is_empty() => numbers.get(&number).copied(),
                Ok(number @ 1..) if number <= nodes as u64 => Some((number - 1) as u32),
                _ => None,
            };
            *target = place.ok_or_else(|| {
                let [first, last] = if is_obj || numbers.is_empty() {
                    [1, nodes]
                } else {
                    [numbers.keys().next(), numbers.keys().last()]
                        .map(|number| number.map_or(0, |number| *number as usize))
                };
                Problem::OutOfRange { index, what: "nodes", first, last }.at(line)
            })?;
        }
        if face[0] == face[1] || face[1] == face[2] || face[2] == face[0] {
            return Err(unexpected());
        }
        surface.push(face);
    }
    if surface.is_empty() {
        return Err(Problem::Empty { what: "triangles" }.at(0));
    }
    Ok(surface)
}

/// Lines with their numbers from 1; bytes that are no text become replacement characters, which no number has.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, Cow<'_, str>)> {
    bytes.split(|byte| *byte == b'\n').enumerate().map(|(index, line)| (index + 1, String::from_utf8_lossy(line)))
}

/// The number; the error shows the word.
pub(super) fn finite_number(word: &str) -> Result<f64, Problem> {
    // Fortran programs write 1.0D+05.
    let number = word.replace(['d', 'D'], "e").parse::<f64>();
    match number {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(Problem::NotFinite { found: excerpt(word) }),
    }
}

/// The beginning of a line, for messages.
pub(super) fn excerpt(line: &str) -> String {
    line.trim().chars().take(EXCERPT).collect()
}

fn table_lines(bytes: &[u8]) -> impl Iterator<Item = (usize, String)> {
    let bare = |text: Cow<'_, str>| text.split('#').next().unwrap_or_default().trim().to_owned();
    let is_given = |text: &str| text.contains(|letter: char| letter != ',' && !letter.is_whitespace());
    lines(bytes).map(move |(line, text)| (line, bare(text))).filter(move |(_, text)| is_given(text))
}

fn words(line: &str) -> Vec<&str> {
    line.split(|letter: char| letter == ',' || letter.is_whitespace()).filter(|word| !word.is_empty()).collect()
}
