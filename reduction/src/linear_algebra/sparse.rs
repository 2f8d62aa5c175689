//! Building, adding and applying symmetric sparse matrices.

use faer::MatRef;

use super::{Columns, THREADS};
use crate::finite_element_model::SymmetricMatrix;

/// Collects entries of the lower triangle in any order; entries at one place are added.
#[derive(Clone, Debug)]
pub struct MatrixBuilder {
    size: usize,
    entries: Vec<(usize, usize, f64)>,
}

impl MatrixBuilder {
    /// For a matrix with so many rows.
    pub fn new(size: usize) -> Self {
        MatrixBuilder { size, entries: Vec::new() }
    }

    /// Adds to the entry at a row and a column, both below the size, `column <= row`.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        debug_assert!(column <= row && row < self.size);
        self.entries.push((column, row, value));
    }

    /// Sorts and adds. Entries at one place are added in the order in which they came.
    pub fn build(mut self) -> SymmetricMatrix {
        self.entries.sort_by_key(|&(column, row, _)| (column, row));
        let mut matrix = SymmetricMatrix { column_starts: vec![0; self.size + 1], ..Default::default() };
        let mut last = None;
        for (column, row, value) in self.entries {
            if last == Some((column, row)) {
                *matrix.values.last_mut().expect("an entry came before") += value;
                continue;
            }
            last = Some((column, row));
            matrix.rows.push(row);
            matrix.values.push(value);
            matrix.column_starts[column + 1] += 1;
        }
        for column in 0..self.size {
            matrix.column_starts[column + 1] += matrix.column_starts[column];
        }
        matrix
    }
}

/// `first + factor · second`, with every place that one of them stores: the pattern does not depend on values.
pub fn combination(first: &SymmetricMatrix, factor: f64, second: &SymmetricMatrix) -> SymmetricMatrix {
    let size = first.size();
    let mut sum = SymmetricMatrix { column_starts: vec![0], ..Default::default() };
    for column in 0..size {
        let [mut a, mut b] = [first.column_starts[column], second.column_starts[column]];
        let [end_a, end_b] = [first.column_starts[column + 1], second.column_starts[column + 1]];
        while a < end_a || b < end_b {
            let row_a = if a < end_a { first.rows[a] } else { usize::MAX };
            let row_b = if b < end_b { second.rows[b] } else { usize::MAX };
            let mut value = 0.0;
            if row_a <= row_b {
                value += first.values[a];
                a += 1;
            }
            if row_b <= row_a {
                value += factor * second.values[b];
                b += 1;
            }
            sum.rows.push(row_a.min(row_b));
            sum.values.push(value);
        }
        sum.column_starts.push(sum.rows.len());
    }
    sum
}

/// The matrix times each column.
pub fn product(matrix: &SymmetricMatrix, columns: MatRef<'_, f64>) -> Columns {
    let count = columns.ncols();
    let mut result = Columns::zeros(matrix.size(), count);
    if count == 0 || matrix.size() == 0 {
        return result;
    }
    let per_thread = count.div_ceil(THREADS);
    std::thread::scope(|scope| {
        for (part, target) in result.values_mut().chunks_mut(per_thread * matrix.size()).enumerate() {
            scope.spawn(move || {
                for (offset, target) in target.chunks_mut(matrix.size()).enumerate() {
                    let column = columns.col(part * per_thread + offset);
                    match column.try_as_col_major() {
                        Some(column) => add_matrix_times(matrix, column.as_slice(), target),
                        None => add_matrix_times(matrix, &column.iter().copied().collect::<Vec<_>>(), target),
                    }
                }
            });
        }
    });
    result
}

/// The matrix of magnitudes times a vector of magnitudes: how large the terms of a product are that may cancel.
pub fn product_with_magnitudes(matrix: &SymmetricMatrix, vector: &[f64]) -> Vec<f64> {
    let mut result = vec![0.0; matrix.size()];
    for column in 0..matrix.size() {
        for entry in matrix.column_starts[column]..matrix.column_starts[column + 1] {
            let (row, value) = (matrix.rows[entry], matrix.values[entry].abs());
            result[row] += value * vector[column].abs();
            if row != column {
                result[column] += value * vector[row].abs();
            }
        }
    }
    result
}

fn add_matrix_times(matrix: &SymmetricMatrix, vector: &[f64], result: &mut [f64]) {
    for column in 0..matrix.size() {
        let range = matrix.column_starts[column]..matrix.column_starts[column + 1];
        let (rows, values) = (&matrix.rows[range.clone()], &matrix.values[range]);
        let here = vector[column];
        let mut sum = 0.0;
        for (&row, &value) in rows.iter().zip(values) {
            if row == column {
                sum += value * here;
            } else {
                result[row] += value * here;
                sum += value * vector[row];
            }
        }
        result[column] += sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> SymmetricMatrix {
        let mut builder = MatrixBuilder::new(3);
        for (row, column, value) in [(2, 1, -1.0), (0, 0, 2.0), (1, 0, 0.5), (1, 1, 3.0), (2, 2, 4.0), (1, 0, 0.5)] {
            builder.add(row, column, value);
        }
        builder.build()
    }

    #[test]
    fn entries_at_one_place_are_added_and_sorted() {
        let matrix = small();
        assert_eq!(matrix.column_starts, [0, 2, 4, 5]);
        assert_eq!(matrix.rows, [0, 1, 1, 2, 2]);
        assert_eq!(matrix.values, [2.0, 1.0, 3.0, -1.0, 4.0]);
    }

    #[test]
    fn the_lower_triangle_acts_as_the_whole_matrix() {
        let mut vectors = Columns::zeros(3, 3);
        for (index, vector) in [[1.0, 2.0, 3.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]].iter().enumerate() {
            vectors.column_mut(index).copy_from_slice(vector);
        }
        let result = product(&small(), vectors.matrix());
        assert_eq!(result.column(0), [4.0, 4.0, 10.0]);
        assert_eq!(result.column(1), [0.0, -1.0, 4.0]);
        assert_eq!(result.column(2), [2.0, 1.0, 0.0]);
    }

    #[test]
    fn a_combination_keeps_every_place() {
        let mut other = MatrixBuilder::new(3);
        other.add(2, 0, 1.0);
        other.add(1, 1, -1.5);
        let sum = combination(&small(), 2.0, &other.build());
        assert_eq!(sum.rows, [0, 1, 2, 1, 2, 2]);
        assert_eq!(sum.values, [2.0, 1.0, 2.0, 0.0, -1.0, 4.0]);
    }
}
