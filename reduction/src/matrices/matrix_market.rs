//! Matrix Market files, `coordinate real symmetric` or `coordinate real general`.

use super::error::{Located, Problem};
use super::text_tables::{excerpt, finite_number, lines};
use crate::finite_element_model::SymmetricMatrix;

/// Largest difference between mirrored entries, relative to the geometric mean of the two diagonal entries: sums of
/// element contributions in another order differ in the last digits, and text may have seven.
const SYMMETRY: f64 = 1e-6;

/// Shortest line of an entry: two indices, a value, two blanks and a line end.
const SHORTEST_ENTRY: usize = 6;

/// Reads a matrix. An entry that is given twice is an error; mirrored entries of a general matrix are averaged.
pub fn read_matrix_market(bytes: &[u8]) -> Result<SymmetricMatrix, Located> {
    let mut lines = lines(bytes);
    let header = lines.next().map(|(_, line)| line).unwrap_or_default();
    let words: Vec<String> = header.split_ascii_whitespace().map(str::to_ascii_lowercase).collect();
    let is_general = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["%%matrixmarket", "matrix", "coordinate", "real" | "integer", "symmetric"] => false,
        ["%%matrixmarket", "matrix", "coordinate", "real" | "integer", "general"] => true,
        _ => return Err(Problem::Header { found: excerpt(&header) }.at(1)),
    };
    let mut rest = lines.filter(|(_, line)| !line.trim_start().starts_with('%') && !line.trim().is_empty());
    let expected = "the size line: rows, columns, entries";
    let (line, sizes) = rest.next().ok_or(Problem::Truncated { found: 0, announced: 1, what: "size lines" }.at(1))?;
    let [rows, columns, announced] = fields::<3>(&sizes)
        .and_then(|fields| {
            let [rows, columns, entries] = fields.map(|field| field.parse::<usize>().ok());
            Some([rows?, columns?, entries?])
        })
        .ok_or_else(|| Problem::Unexpected { found: excerpt(&sizes), expected }.at(line))?;
    if rows != columns {
        return Err(Problem::NotSquare { rows, columns }.at(line));
    }
    let possible = bytes.len() / SHORTEST_ENTRY + 1;
    // A hostile size line must not reserve memory.
    if possible < announced || possible < rows / 3 {
        return Err(Problem::Announced { announced: announced.max(rows), possible }.at(line));
    }
    let mut entries = Vec::with_capacity(announced);
    for (line, text) in rest {
        if entries.len() == announced {
            return Err(Problem::TooMany { announced }.at(line));
        }
        let unexpected = || Problem::Unexpected { found: excerpt(&text), expected: "an entry: row, column, value" };
        let [row, column, value] = fields::<3>(&text).ok_or_else(|| unexpected().at(line))?;
        let index = |word: &str, what: &'static str| -> Result<usize, Located> {
            let index: i128 = word.parse().map_err(|_| unexpected().at(line))?;
            match usize::try_from(index) {
                Ok(index @ 1..) if index <= rows => Ok(index - 1),
                _ => Err(Problem::OutOfRange { index, what, first: 1, last: rows }.at(line)),
            }
        };
        let (row, column) = (index(row, "rows")?, index(column, "columns")?);
        let value = finite_number(value).map_err(|problem| problem.at(line))?;
        // Upper entries are told apart from lower ones by the flag; a symmetric file may hold either triangle.
        entries.push(Entry { column: row.min(column), row: row.max(column), is_upper: row < column, value, line });
    }
    if entries.len() < announced {
        return Err(Problem::Truncated { found: entries.len(), announced, what: "entries" }.at(0));
    }
    entries.sort_by_key(|entry| (entry.column, entry.row, entry.is_upper));
    assembled(rows, &entries, is_general)
}

struct Entry {
    column: usize,
    row: usize,
    is_upper: bool,
    value: f64,
    line: usize,
}

fn assembled(size: usize, entries: &[Entry], is_general: bool) -> Result<SymmetricMatrix, Located> {
    let mut diagonal = vec![0.0; size];
    entries.iter().filter(|entry| entry.row == entry.column).for_each(|entry| diagonal[entry.row] = entry.value.abs());
    let mut matrix = SymmetricMatrix { column_starts: vec![0; size + 1], ..Default::default() };
    for group in entries.chunk_by(|a, b| (a.row, a.column) == (b.row, b.column)) {
        let Entry { row, column, .. } = group[0];
        let last = &group[group.len() - 1];
        let mut value = group[0].value;
        let is_mirrored = is_general && group.len() == 2 && group[0].is_upper != group[1].is_upper;
        if 1 < group.len() && !is_mirrored {
            return Err(Problem::Duplicate { row: row + 1, column: column + 1 }.at(last.line));
        }
        if is_general && row != column {
            // Sorted: the lower entry comes first where there are two.
            let [below, above] = match (is_mirrored, group[0].is_upper) {
                (true, _) => [group[0].value, group[1].value],
                (false, false) => [value, 0.0],
                (false, true) => [0.0, value],
            };
            let difference = (below - above).abs();
            if SYMMETRY * diagonal[row].sqrt() * diagonal[column].sqrt() < difference {
                let (row, column) = (row + 1, column + 1);
                return Err(
                    Problem::NotSymmetric { row, column, value: below, mirrored: above, difference }.at(last.line)
                );
            }
            value = 0.5 * below + 0.5 * above;
        }
        matrix.rows.push(row);
        matrix.values.push(value);
        matrix.column_starts[column + 1] += 1;
    }
    for column in 0..size {
        matrix.column_starts[column + 1] += matrix.column_starts[column];
    }
    Ok(matrix)
}

fn fields<const N: usize>(line: &str) -> Option<[&str; N]> {
    line.split_ascii_whitespace().collect::<Vec<_>>().try_into().ok()
}
