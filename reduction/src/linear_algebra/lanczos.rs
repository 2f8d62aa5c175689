//! Block Lanczos iteration with full reorthogonalisation, for `(K + σM)⁻¹ M` in the scalar product of M.

use faer::{Mat, MatRef};

use super::{Columns, Factorization, FactorizationError, add_product, product, symmetric_eigen, transposed_product};
use crate::finite_element_model::SymmetricMatrix;

/// Vectors per step: several solutions share one pass through the factor, and eigenvalues of a multiplicity
/// up to this (7 on a ball, low down) appear together.
const BLOCK: usize = 8;

/// A new direction that keeps less than this part of its length is made of rounding, and is drawn anew.
const DEPENDENT: f64 = 1e-11;

/// The growing basis and the operator as it acts on it.
pub(super) struct Lanczos<'a> {
    mass: &'a SymmetricMatrix,
    factor: &'a Factorization<'a>,
    /// M-orthonormal; the last block has not been multiplied yet.
    basis: Columns,
    /// `basisᵀ M (K + σM)⁻¹ M basis` without the last block; the upper triangle counts.
    projected: Mat<f64>,
    /// What the last product has outside the span of the blocks before.
    remainder: Mat<f64>,
    random: Random,
}

/// Approximate eigenpairs within the basis, largest eigenvalue first.
pub(super) struct RitzPairs {
    /// Of the operator: `1 / (ω² + σ)`.
    pub values: Vec<f64>,
    /// Residual of each in the norm of M, relative to its value.
    pub residuals: Vec<f64>,
    /// Coordinates in the basis, one column each.
    pub coordinates: Mat<f64>,
}

impl<'a> Lanczos<'a> {
    /// Starts with vectors that depend on the size alone.
    pub(super) fn start(mass: &'a SymmetricMatrix, factor: &'a Factorization<'a>) -> Result<Self, FactorizationError> {
        let size = mass.size();
        let mut lanczos = Lanczos {
            mass,
            factor,
            basis: Columns::zeros(size, 0),
            projected: Mat::new(),
            remainder: Mat::new(),
            random: Random(0x9E37_79B9_7F4A_7C15),
        };
        let mut block = Columns::zeros(size, BLOCK.min(size));
        lanczos.random.fill(block.values_mut());
        // One application takes the rough part out of the random vectors.
        let mut block = product(mass, block.matrix());
        factor.solve(block.matrix_mut())?;
        for _ in 0..2 {
            lanczos.orthonormalize(&mut block);
        }
        lanczos.basis = block;
        Ok(lanczos)
    }

    /// Vectors that have been multiplied.
    pub(super) fn steps(&self) -> usize {
        self.projected.ncols()
    }

    /// Applies the operator to the last block and appends what is new. False where the basis spans everything.
    pub(super) fn extend(&mut self) -> Result<bool, FactorizationError> {
        let (first, used) = (self.steps(), self.basis.count());
        if used + (used - first) > self.basis.rows() {
            return Ok(false);
        }
        let mut block = product(self.mass, self.basis.block(first..used));
        self.factor.solve(block.matrix_mut())?;
        let overlap = self.remove_basis(&mut block);
        self.projected.resize_with(used, used, |_, _| 0.0);
        self.projected.get_mut(.., first..used).copy_from(overlap.as_ref());
        let first_part = self.orthonormalize(&mut block);
        // Columns that were nearly parallel have lost digits of their distance from the basis.
        self.remove_basis(&mut block);
        let second_part = self.orthonormalize(&mut block);
        self.remainder = super::multiply(second_part.as_ref(), first_part.as_ref());
        self.basis.append(&block);
        Ok(true)
    }

    /// Eigenpairs of the operator as far as the basis knows them.
    pub(super) fn ritz_pairs(&self) -> Option<RitzPairs> {
        let steps = self.steps();
        let (ascending, vectors) = symmetric_eigen(self.projected.as_ref().transpose())?;
        let last = vectors.get(steps - self.remainder.ncols()..steps, ..);
        let outside = super::multiply(self.remainder.as_ref(), last);
        let order = || (0..steps).rev();
        Some(RitzPairs {
            values: order().map(|index| ascending[index]).collect(),
            residuals: order().map(|index| outside.col(index).norm_l2() / ascending[index].abs()).collect(),
            coordinates: Mat::from_fn(steps, steps, |row, column| vectors[(row, steps - 1 - column)]),
        })
    }

    /// Vectors from coordinates in the basis.
    pub(super) fn vectors(&self, coordinates: MatRef<'_, f64>) -> Columns {
        let mut vectors = Columns::zeros(self.basis.rows(), coordinates.ncols());
        add_product(vectors.matrix_mut(), 1.0, self.basis.block(0..self.steps()), coordinates);
        vectors
    }

    /// Subtracts the part within the basis, twice, since once leaves rounding; returns the coordinates of that part.
    fn remove_basis(&self, block: &mut Columns) -> Mat<f64> {
        let mut total = Mat::zeros(self.basis.count(), block.count());
        if self.basis.count() == 0 {
            return total;
        }
        for _ in 0..2 {
            let mass_block = product(self.mass, block.matrix());
            let overlap = transposed_product(self.basis.matrix(), mass_block.matrix());
            add_product(block.matrix_mut(), -1.0, self.basis.matrix(), overlap.as_ref());
            total += overlap;
        }
        total
    }

    /// Makes a block M-orthonormal; returns R of `block = result · R`. Columns that depend on others are replaced by
    /// random ones outside the basis, with a row of zeros in R.
    fn orthonormalize(&mut self, block: &mut Columns) -> Mat<f64> {
        let count = block.count();
        let mut mass_block = product(self.mass, block.matrix());
        let mut triangle = Mat::<f64>::zeros(count, count);
        for column in 0..count {
            let before = dot(block.column(column), mass_block.column(column)).max(0.0).sqrt();
            for earlier in 0..column {
                let overlap = dot(block.column(earlier), mass_block.column(column));
                triangle[(earlier, column)] = overlap;
                subtract(block, column, earlier, overlap);
                subtract(&mut mass_block, column, earlier, overlap);
            }
            let length = dot(block.column(column), mass_block.column(column)).max(0.0).sqrt();
            // Written so that a length that is not a number counts as dependent too.
            if DEPENDENT * before < length {
                triangle[(column, column)] = length;
                scale(block.column_mut(column), 1.0 / length);
                scale(mass_block.column_mut(column), 1.0 / length);
            } else {
                self.replace(block, &mut mass_block, column);
            }
        }
        triangle
    }

    /// A random unit vector outside the basis and the columns before.
    fn replace(&mut self, block: &mut Columns, mass_block: &mut Columns, column: usize) {
        let mut fresh = Columns::zeros(block.rows(), 1);
        self.random.fill(fresh.values_mut());
        for _ in 0..2 {
            self.remove_basis(&mut fresh);
            let mass_fresh = product(self.mass, fresh.matrix());
            for earlier in 0..column {
                let overlap = dot(block.column(earlier), mass_fresh.column(0));
                for (value, other) in fresh.column_mut(0).iter_mut().zip(block.column(earlier)) {
                    *value -= overlap * other;
                }
            }
        }
        let mass_fresh = product(self.mass, fresh.matrix());
        let length = dot(fresh.column(0), mass_fresh.column(0)).max(f64::MIN_POSITIVE).sqrt();
        for (target, source) in [(block, &fresh), (mass_block, &mass_fresh)] {
            target.column_mut(column).copy_from_slice(source.column(0));
            scale(target.column_mut(column), 1.0 / length);
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn scale(vector: &mut [f64], factor: f64) {
    vector.iter_mut().for_each(|value| *value *= factor);
}

fn subtract(columns: &mut Columns, column: usize, earlier: usize, factor: f64) {
    let (target, source) = columns.later_and_earlier(column, earlier);
    target.iter_mut().zip(source).for_each(|(target, source)| *target -= factor * source);
}

/// Steele, Lea and Flood's SplitMix64: start vectors must be the same in every run.
struct Random(u64);

impl Random {
    fn fill(&mut self, values: &mut [f64]) {
        for value in values {
            self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut mixed = self.0;
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            mixed ^= mixed >> 31;
            *value = (mixed >> 11) as f64 / (1u64 << 52) as f64 - 1.0;
        }
    }
}
