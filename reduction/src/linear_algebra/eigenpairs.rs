//! The lowest eigenpairs of `K φ = ω² M φ`, none missed.

use faer::{Mat, MatRef};
use thiserror::Error;

use super::lanczos::{Lanczos, RitzPairs};
use super::{
    Columns, Factorization, FactorizationError, SymbolicFactorization, combination, multiply, product, symmetric_eigen,
};
use crate::finite_element_model::SymmetricMatrix;

/// Largest residual of `(K + σM)⁻¹ M φ = φ / (ω² + σ)` in the norm of M, relative to the eigenvalue. The eigenvalue
/// itself is then good to the square of it; shapes are far better than finite elements are.
const RESIDUAL: f64 = 1e-9;

/// Slack of the final check by explicit products, which see the rounding of the solution too.
const CHECKED_RESIDUAL: f64 = 1e-6;

/// Below so many unknowns, or where a large part of all pairs is wanted, a dense method is faster.
const DENSE_SIZE: usize = 240;

/// Relative distance within which an eigenvalue may lie on either side of a bound by rounding.
const BOUND_SLACK: f64 = 1e-6;

/// Further pairs that are computed when a number is wanted, to find a gap in which to count.
const PAIRS_FOR_A_GAP: usize = 4;

/// Which eigenpairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wanted {
    /// All with ω² up to this, in rad²/s².
    Below(f64),
    /// So many lowest ones.
    Count(usize),
}

/// Eigenvalues ω², ascending, and M-orthonormal eigenvectors.
#[derive(Clone, Debug)]
pub struct Eigenpairs {
    /// ω² in rad²/s².
    pub values: Vec<f64>,
    /// One column each.
    pub vectors: Columns,
}

/// Why no eigenpairs were found.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum EigenError {
    /// A factorisation failed.
    #[error(transparent)]
    Factorization(#[from] FactorizationError),
    /// More pairs than a reduced model should have.
    #[error("{count} eigenfrequencies lie in the wanted range, more than {limit}")]
    TooMany {
        /// How many there are.
        count: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// The iteration spanned its limit without an answer.
    #[error("after {steps} Lanczos vectors only {converged} of {wanted} eigenpairs are converged")]
    NotConverged {
        /// Vectors of the basis.
        steps: usize,
        /// Pairs that are good.
        converged: usize,
        /// Pairs that are wanted.
        wanted: usize,
    },
    /// A found pair does not fulfil its equation.
    #[error("eigenpair {index} has the relative residual {residual:.1e}")]
    Residual {
        /// Counted from 0.
        index: usize,
        /// In the norm of M.
        residual: f64,
    },
}

/// Finds them by shift-invert Lanczos around `-shift`, and counts by the inertia of `K - ω² M` that none is missed.
/// `factor` is that of `K + shift · M`. `progress` is told converged and wanted pairs.
#[allow(clippy::too_many_arguments)]
pub fn lowest_eigenpairs(
    stiffness: &SymmetricMatrix,
    mass: &SymmetricMatrix,
    symbolic: &SymbolicFactorization,
    factor: &Factorization<'_>,
    shift: f64,
    wanted: Wanted,
    limit: usize,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Eigenpairs, EigenError> {
    let size = stiffness.size();
    let count_below = |value: f64| symbolic.count_negative_eigenvalues(&combination(stiffness, -value, mass));
    let mut count = match wanted {
        Wanted::Below(bound) => count_below(bound)?,
        Wanted::Count(count) => count.min(size),
    };
    if limit < count {
        return Err(EigenError::TooMany { count, limit });
    }
    if count == 0 {
        return Ok(Eigenpairs { values: Vec::new(), vectors: Columns::zeros(size, 0) });
    }
    if size <= DENSE_SIZE || size < 3 * count {
        return dense_eigenpairs(stiffness, mass, count);
    }
    let extra = if matches!(wanted, Wanted::Count(_)) { PAIRS_FOR_A_GAP } else { 0 };
    let mut lanczos = Lanczos::start(mass, factor)?;
    let mut ritz = iterate(&mut lanczos, count + extra, progress)?;
    if let Wanted::Count(_) = wanted {
        loop {
            let (inside, bound) = widest_gap(&ritz.values, shift, count, count + extra);
            let truly = count_below(bound)?;
            if truly <= inside {
                break;
            }
            ritz = iterate(&mut lanczos, truly + extra, progress)?;
        }
    } else if let Wanted::Below(bound) = wanted {
        // A pair on the bound itself may be counted on either side of it.
        while 0 < count && bound * (1.0 + BOUND_SLACK) < 1.0 / ritz.values[count - 1] - shift {
            count -= 1;
        }
    }
    let values: Vec<f64> = ritz.values[..count].iter().map(|value| 1.0 / value - shift).collect();
    let vectors = lanczos.vectors(ritz.coordinates.get(.., ..count));
    drop(lanczos);
    check_residuals(mass, factor, shift, &values, &vectors)?;
    Ok(Eigenpairs { values, vectors })
}

/// Extends the basis until the first pairs have all converged.
fn iterate(
    lanczos: &mut Lanczos<'_>,
    wanted: usize,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<RitzPairs, EigenError> {
    let mut next_look = wanted + wanted / 4;
    let mut converged = 0;
    loop {
        let grown = lanczos.extend()?;
        let steps = lanczos.steps();
        if grown && steps < next_look {
            progress(converged.min(wanted), wanted);
            continue;
        }
        let not_converged = EigenError::NotConverged { steps, converged, wanted };
        let ritz = lanczos.ritz_pairs().ok_or(not_converged.clone())?;
        converged = ritz.residuals.iter().take_while(|residual| **residual <= RESIDUAL).count();
        progress(converged.min(wanted), wanted);
        if wanted <= converged {
            return Ok(ritz);
        }
        if !grown {
            return Err(not_converged);
        }
        next_look = steps + (wanted / 5).max(1);
    }
}

/// The widest relative gap after `least` to `most` pairs: how many lie below it, and a bound within it.
fn widest_gap(operator_values: &[f64], shift: f64, least: usize, most: usize) -> (usize, f64) {
    let value = |index: usize| 1.0 / operator_values[index] - shift;
    let width = |inside: usize| value(inside) / value(inside - 1).abs().max(f64::MIN_POSITIVE);
    let inside = (least..most).max_by(|a, b| width(*a).total_cmp(&width(*b))).unwrap_or(least);
    (inside, 0.5 * (value(inside - 1) + value(inside)))
}

fn check_residuals(
    mass: &SymmetricMatrix,
    factor: &Factorization<'_>,
    shift: f64,
    values: &[f64],
    vectors: &Columns,
) -> Result<(), EigenError> {
    const BATCH: usize = 32;
    for start in (0..values.len()).step_by(BATCH) {
        let batch = start..values.len().min(start + BATCH);
        let mut applied = product(mass, vectors.block(batch.clone()));
        factor.solve(applied.matrix_mut())?;
        for (offset, index) in batch.enumerate() {
            let expected = 1.0 / (values[index] + shift);
            for (applied, component) in applied.column_mut(offset).iter_mut().zip(vectors.column(index)) {
                *applied = *applied / expected - component;
            }
        }
        let mass_applied = product(mass, applied.matrix());
        for offset in 0..applied.count() {
            let pairs = applied.column(offset).iter().zip(mass_applied.column(offset));
            let residual = pairs.map(|(a, b)| a * b).sum::<f64>().max(0.0).sqrt();
            if residual.is_nan() || CHECKED_RESIDUAL < residual {
                return Err(EigenError::Residual { index: start + offset, residual });
            }
        }
    }
    Ok(())
}

/// All at once by `M = L Lᵀ` and the symmetric eigenproblem of `L⁻¹ K L⁻ᵀ`.
fn dense_eigenpairs(
    stiffness: &SymmetricMatrix,
    mass: &SymmetricMatrix,
    count: usize,
) -> Result<Eigenpairs, EigenError> {
    let size = stiffness.size();
    let (values, vectors) = generalized_eigen(dense(stiffness).as_ref(), dense(mass).as_ref())
        .ok_or(EigenError::NotConverged { steps: size, converged: 0, wanted: count })?;
    let mut columns = Columns::zeros(size, count);
    columns.matrix_mut().copy_from(vectors.get(.., ..count));
    Ok(Eigenpairs { values: values[..count].to_vec(), vectors: columns })
}

/// Eigenvalues, ascending, and M-orthonormal eigenvectors of `K φ = λ M φ`; none where M is not positive definite.
fn generalized_eigen(stiffness: MatRef<'_, f64>, mass: MatRef<'_, f64>) -> Option<(Vec<f64>, Mat<f64>)> {
    let factor = mass.llt(faer::Side::Lower).ok()?;
    let lower = factor.L();
    let mut half = stiffness.to_owned();
    lower.solve_lower_triangular_in_place(&mut half);
    let mut whole = half.transpose().to_owned();
    lower.solve_lower_triangular_in_place(&mut whole);
    let (values, vectors) = symmetric_eigen(whole.as_ref())?;
    let mut shapes = multiply(Mat::<f64>::identity(values.len(), values.len()).as_ref(), vectors.as_ref());
    lower.transpose().solve_upper_triangular_in_place(&mut shapes);
    Some((values, shapes))
}

fn dense(matrix: &SymmetricMatrix) -> Mat<f64> {
    let mut result = Mat::zeros(matrix.size(), matrix.size());
    for column in 0..matrix.size() {
        for entry in matrix.column_starts[column]..matrix.column_starts[column + 1] {
            result[(matrix.rows[entry], column)] = matrix.values[entry];
            result[(column, matrix.rows[entry])] = matrix.values[entry];
        }
    }
    result
}
