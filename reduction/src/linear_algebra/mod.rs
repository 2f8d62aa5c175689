//! Sparse and dense linear algebra of the reduction; the numerical kernels are those of `faer`.

mod columns;
mod eigenpairs;
mod factorization;
mod lanczos;
mod sparse;

pub use columns::{Columns, add_product, multiply, transposed_product};
pub use eigenpairs::{EigenError, Eigenpairs, Wanted, lowest_eigenpairs};
pub use factorization::{Factorization, FactorizationError, SymbolicFactorization};
pub use sparse::{MatrixBuilder, combination, product, product_with_magnitudes};

use faer::Par;

/// Threads that one operation uses. Fixed, so that sums are split alike on every machine.
const THREADS: usize = 2;

/// How `faer` may spread its work.
fn parallelism() -> Par {
    Par::rayon(THREADS)
}

/// The eigenvalues of a symmetric matrix, ascending, with orthonormal eigenvectors as columns.
pub fn symmetric_eigen(matrix: faer::MatRef<'_, f64>) -> Option<(Vec<f64>, faer::Mat<f64>)> {
    let decomposition = matrix.self_adjoint_eigen(faer::Side::Upper).ok()?;
    let values: Vec<f64> = decomposition.S().column_vector().iter().copied().collect();
    values.iter().all(|value| value.is_finite()).then(|| (values, decomposition.U().to_owned()))
}
