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

use faer::diag::Diag;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{ComputeEigenvectors, SelfAdjointEvdParams, self_adjoint_evd, self_adjoint_evd_scratch};
use faer::{Auto, Mat, MatRef, Par};

/// Threads that one operation uses. Fixed, so that sums are split alike on every machine.
const THREADS: usize = 2;

/// How `faer` may spread its work.
fn parallelism() -> Par {
    Par::rayon(THREADS)
}

/// The eigenvalues of a symmetric matrix, ascending, with orthonormal eigenvectors as columns; the lower triangle
/// counts.
pub fn symmetric_eigen(matrix: MatRef<'_, f64>) -> Option<(Vec<f64>, Mat<f64>)> {
    let size = matrix.nrows();
    let mut parameters = <SelfAdjointEvdParams as Auto<f64>>::auto();
    // The QR algorithm throughout: the divide-and-conquer of faer 0.24 leaves residuals of 1e-5 for matrices of some
    // hundred rows with clustered eigenvalues.
    parameters.recursion_threshold = usize::MAX;
    let scratch = self_adjoint_evd_scratch::<f64>(size, ComputeEigenvectors::Yes, parallelism(), parameters.into());
    let mut memory = MemBuffer::try_new(scratch).ok()?;
    let mut values = Diag::<f64>::zeros(size);
    let mut vectors = Mat::<f64>::zeros(size, size);
    let stack = MemStack::new(&mut memory);
    self_adjoint_evd(matrix, values.as_mut(), Some(vectors.as_mut()), parallelism(), stack, parameters.into()).ok()?;
    let values: Vec<f64> = values.column_vector().iter().copied().collect();
    values.iter().all(|value| value.is_finite()).then_some((values, vectors))
}
