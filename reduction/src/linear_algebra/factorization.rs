//! Sparse Cholesky factorisation: `faer`'s supernodal one, with a fill-reducing order of the unknowns.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::perm::PermRef;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::supernodal::SupernodalLdltRef;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Side};
use thiserror::Error;

use super::parallelism;
use crate::finite_element_model::SymmetricMatrix;

/// Why a matrix has no factorisation.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum FactorizationError {
    /// A pivot that is not positive, or not a number.
    #[error("the matrix is not positive definite at row {row}, counted from 0")]
    NotPositiveDefinite {
        /// Where elimination failed.
        row: usize,
    },
    /// A pivot of zero, so that signs cannot be counted.
    #[error("the matrix is singular")]
    Singular,
    /// The factor does not fit.
    #[error("not enough memory for the factor of a matrix with {size} rows")]
    OutOfMemory {
        /// Rows of the matrix.
        size: usize,
    },
}

/// Which entries the factors of all matrices of one pattern have.
#[derive(Debug)]
pub struct SymbolicFactorization {
    symbolic: SymbolicCholesky<usize>,
}

/// A positive definite matrix, ready for solving.
#[derive(Debug)]
pub struct Factorization<'s> {
    symbolic: &'s SymbolicFactorization,
    values: Vec<f64>,
}

impl SymbolicFactorization {
    /// Eliminates in the given order (`order[k]` is the row that comes at place k), or in that of approximate
    /// minimum degree.
    pub fn new(pattern: &SymmetricMatrix, order: Option<&[usize]>) -> Result<Self, FactorizationError> {
        let size = pattern.size();
        let mut place_of = vec![0; size];
        let ordering = match order {
            None => SymmetricOrdering::Amd,
            Some(order) => {
                for (place, &row) in order.iter().enumerate() {
                    place_of[row] = place;
                }
                SymmetricOrdering::Custom(PermRef::new_checked(order, &place_of, size))
            }
        };
        let parameters = CholeskySymbolicParams {
            // One kind of factor for matrices of any size.
            supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SUPERNODAL,
            ..Default::default()
        };
        let symbolic = factorize_symbolic_cholesky(symbolic_view(pattern), Side::Lower, ordering, parameters)
            .map_err(|_| FactorizationError::OutOfMemory { size })?;
        Ok(SymbolicFactorization { symbolic })
    }

    /// Entries of a factor.
    pub fn factor_entries(&self) -> usize {
        self.symbolic.len_val()
    }

    /// `L Lᵀ` of a matrix with the analysed pattern.
    pub fn factorize(&self, matrix: &SymmetricMatrix) -> Result<Factorization<'_>, FactorizationError> {
        let out_of_memory = FactorizationError::OutOfMemory { size: matrix.size() };
        let mut values = self.room_for_factor(out_of_memory)?;
        let scratch = self.symbolic.factorize_numeric_llt_scratch::<f64>(parallelism(), Default::default());
        let mut memory = MemBuffer::try_new(scratch).map_err(|_| out_of_memory)?;
        let result = self.symbolic.factorize_numeric_llt(
            &mut values,
            view(matrix),
            Side::Lower,
            Default::default(),
            parallelism(),
            MemStack::new(&mut memory),
            Default::default(),
        );
        match result {
            Ok(_) => Ok(Factorization { symbolic: self, values }),
            Err(faer::linalg::cholesky::llt::factor::LltError::NonPositivePivot { index }) => {
                Err(FactorizationError::NotPositiveDefinite { row: self.row_at(index) })
            }
        }
    }

    /// How many eigenvalues are negative, by the signs of the pivots of `L D Lᵀ` (Sylvester's law of inertia).
    pub fn count_negative_eigenvalues(&self, matrix: &SymmetricMatrix) -> Result<usize, FactorizationError> {
        let out_of_memory = FactorizationError::OutOfMemory { size: matrix.size() };
        let mut values = self.room_for_factor(out_of_memory)?;
        let scratch = self.symbolic.factorize_numeric_ldlt_scratch::<f64>(parallelism(), Default::default());
        let mut memory = MemBuffer::try_new(scratch).map_err(|_| out_of_memory)?;
        self.symbolic
            .factorize_numeric_ldlt(
                &mut values,
                view(matrix),
                Side::Lower,
                Default::default(),
                parallelism(),
                MemStack::new(&mut memory),
                Default::default(),
            )
            .map_err(|_| FactorizationError::Singular)?;
        let SymbolicCholeskyRaw::Supernodal(supernodal) = self.symbolic.raw() else {
            unreachable!("the supernodal factorisation is always chosen");
        };
        let factor = SupernodalLdltRef::new(supernodal, &values);
        let mut negative = 0;
        for supernode in 0..supernodal.n_supernodes() {
            let block = factor.supernode(supernode).val();
            for pivot in (0..block.ncols()).map(|index| block[(index, index)]) {
                if !pivot.is_finite() || pivot == 0.0 {
                    return Err(FactorizationError::Singular);
                }
                negative += usize::from(pivot < 0.0);
            }
        }
        Ok(negative)
    }

    fn room_for_factor(&self, out_of_memory: FactorizationError) -> Result<Vec<f64>, FactorizationError> {
        let mut values = Vec::new();
        values.try_reserve_exact(self.symbolic.len_val()).map_err(|_| out_of_memory)?;
        values.resize(self.symbolic.len_val(), 0.0);
        Ok(values)
    }

    fn row_at(&self, place: usize) -> usize {
        self.symbolic.perm().and_then(|order| order.arrays().0.get(place).copied()).unwrap_or(place)
    }
}

impl Factorization<'_> {
    /// Replaces right-hand sides by solutions.
    pub fn solve(&self, right_sides: MatMut<'_, f64>) -> Result<(), FactorizationError> {
        let symbolic = &self.symbolic.symbolic;
        let scratch = symbolic.solve_in_place_scratch::<f64>(right_sides.ncols(), parallelism());
        let mut memory =
            MemBuffer::try_new(scratch).map_err(|_| FactorizationError::OutOfMemory { size: right_sides.nrows() })?;
        let factor = LltRef::new(symbolic, &self.values);
        factor.solve_in_place_with_conj(Conj::No, right_sides, parallelism(), MemStack::new(&mut memory));
        Ok(())
    }
}

fn symbolic_view(matrix: &SymmetricMatrix) -> SymbolicSparseColMatRef<'_, usize> {
    SymbolicSparseColMatRef::new_checked(matrix.size(), matrix.size(), &matrix.column_starts, None, &matrix.rows)
}

fn view(matrix: &SymmetricMatrix) -> SparseColMatRef<'_, usize, f64> {
    SparseColMatRef::new(symbolic_view(matrix), &matrix.values)
}
