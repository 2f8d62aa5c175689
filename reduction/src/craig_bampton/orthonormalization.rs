//! Friberg's orthonormalisation: combinations of the shapes with mass = identity and stiffness = diag(ω²), without
//! the rigid motions.

use faer::{Mat, MatRef};

use super::rigid_motion::MOTIONS;
use crate::error::ReductionError;
use crate::linear_algebra::{multiply, symmetric_eigen, transposed_product};

/// Part of a rigid motion that may lie outside the span of the shapes; its square is the difference of numbers near 1.
const RIGID_MOTION_LEFT: f64 = 1e-5;

/// ω² of the first elastic mode must exceed by this factor what the rigid motions have by rounding.
const SEPARATION: f64 = 100.0;

/// ω² below this part of the largest one is rounding of the eigenvalue solver.
const EIGENVALUE_ROUNDING: f64 = 1e-14;

/// Combinations of shapes.
pub(super) struct Decoupled {
    /// Rad/s, ascending.
    pub angular_frequencies: Vec<f64>,
    /// Coordinates in the shapes, one column per combination.
    pub coordinates: Mat<f64>,
}

/// Solves the reduced eigenproblem outside the rigid motions. `rigid` holds the products `shapesᵀ M r` with six
/// M-orthonormal rigid motions; `noise` is the ω² that these have by rounding.
pub(super) fn decouple(
    stiffness: MatRef<'_, f64>,
    mass: MatRef<'_, f64>,
    rigid: MatRef<'_, f64>,
    noise: f64,
) -> Result<Decoupled, ReductionError> {
    let size = mass.nrows();
    let dependent = ReductionError::DependentShapes { shapes: size };
    // 1: shapes of unit mass, so that the factorisation does not see their units.
    let scale: Vec<f64> = (0..size).map(|index| 1.0 / mass[(index, index)].sqrt()).collect();
    let scaled = |matrix: MatRef<'_, f64>| {
        let symmetric = |row: usize, column: usize| 0.5 * (matrix[(row, column)] + matrix[(column, row)]);
        Mat::from_fn(size, size, |row, column| scale[row] * symmetric(row, column) * scale[column])
    };
    let factor = scaled(mass).llt(faer::Side::Lower).map_err(|_| dependent.clone())?;
    let lower = factor.L();
    // 2: coordinates in which mass is the identity.
    let mut half = scaled(stiffness);
    lower.solve_lower_triangular_in_place(&mut half);
    let mut whole = half.transpose().to_owned();
    lower.solve_lower_triangular_in_place(&mut whole);
    let mut rigid_coordinates = Mat::from_fn(size, rigid.ncols(), |row, column| scale[row] * rigid[(row, column)]);
    lower.solve_lower_triangular_in_place(&mut rigid_coordinates);
    for (motion, name) in MOTIONS.iter().enumerate() {
        let square_left = 1.0 - rigid_coordinates.col(motion).squared_norm_l2();
        if square_left.is_nan() || RIGID_MOTION_LEFT * RIGID_MOTION_LEFT < square_left {
            let left = square_left.sqrt();
            return Err(ReductionError::RigidMotionMissing { motion: name.to_string(), left });
        }
    }
    // 3: what is orthogonal to the rigid motions.
    let all = rigid_coordinates.qr().compute_Q();
    let elastic = all.get(.., rigid.ncols()..);
    let projected = transposed_product(elastic, multiply(whole.as_ref(), elastic).as_ref());
    let (values, vectors) = symmetric_eigen(projected.as_ref()).ok_or(dependent)?;
    let threshold = (SEPARATION * noise).max(EIGENVALUE_ROUNDING * values.last().copied().unwrap_or(0.0));
    if let Some(lowest) = values.first().filter(|lowest| **lowest <= threshold) {
        let frequency = lowest.max(0.0).sqrt() / (2.0 * std::f64::consts::PI);
        return Err(ReductionError::Mechanism { frequency });
    }
    // 4: back to coordinates in the shapes.
    let mut coordinates = multiply(elastic, vectors.as_ref());
    lower.transpose().solve_upper_triangular_in_place(&mut coordinates);
    for column in 0..coordinates.ncols() {
        (0..size).for_each(|row| coordinates[(row, column)] *= scale[row]);
    }
    Ok(Decoupled { angular_frequencies: values.iter().map(|value| value.sqrt()).collect(), coordinates })
}
