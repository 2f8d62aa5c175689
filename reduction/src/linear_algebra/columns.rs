//! A set of long vectors, one after the other in memory.

use std::ops::Range;

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatMut, MatRef};

use super::parallelism;

/// Vectors of equal length, as the columns of a matrix.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    rows: usize,
    values: Vec<f64>,
}

impl Columns {
    /// So many columns of zeros.
    pub fn zeros(rows: usize, count: usize) -> Self {
        Columns { rows, values: vec![0.0; rows * count] }
    }

    /// Length of a column.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn count(&self) -> usize {
        self.values.len().checked_div(self.rows).unwrap_or(0)
    }

    /// One column.
    pub fn column(&self, index: usize) -> &[f64] {
        &self.values[index * self.rows..][..self.rows]
    }

    /// One column, to be changed.
    pub fn column_mut(&mut self, index: usize) -> &mut [f64] {
        &mut self.values[index * self.rows..][..self.rows]
    }

    /// Two columns, the first of which is changed and comes later.
    pub fn later_and_earlier(&mut self, later: usize, earlier: usize) -> (&mut [f64], &[f64]) {
        let (head, tail) = self.values.split_at_mut(later * self.rows);
        (&mut tail[..self.rows], &head[earlier * self.rows..][..self.rows])
    }

    /// Appends the columns of another set.
    pub fn append(&mut self, other: &Columns) {
        self.values.reserve_exact(other.values.len());
        self.values.extend_from_slice(&other.values);
    }

    /// All columns one after the other.
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// As a matrix.
    pub fn matrix(&self) -> MatRef<'_, f64> {
        self.block(0..self.count())
    }

    /// Some columns as a matrix.
    pub fn block(&self, columns: Range<usize>) -> MatRef<'_, f64> {
        let count = columns.len();
        MatRef::from_column_major_slice(
            &self.values[columns.start * self.rows..][..count * self.rows],
            self.rows,
            count,
        )
    }

    /// As a matrix, to be changed.
    pub fn matrix_mut(&mut self) -> MatMut<'_, f64> {
        let (rows, count) = (self.rows, self.count());
        MatMut::from_column_major_slice_mut(&mut self.values, rows, count)
    }
}

/// `target += factor · left · right`.
pub fn add_product(target: MatMut<'_, f64>, factor: f64, left: MatRef<'_, f64>, right: MatRef<'_, f64>) {
    matmul(target, Accum::Add, left, right, factor, parallelism());
}

/// `left · right`.
pub fn multiply(left: MatRef<'_, f64>, right: MatRef<'_, f64>) -> Mat<f64> {
    let mut result = Mat::zeros(left.nrows(), right.ncols());
    matmul(result.as_mut(), Accum::Replace, left, right, 1.0, parallelism());
    result
}

/// `leftᵀ · right`.
pub fn transposed_product(left: MatRef<'_, f64>, right: MatRef<'_, f64>) -> Mat<f64> {
    multiply(left.transpose(), right)
}
