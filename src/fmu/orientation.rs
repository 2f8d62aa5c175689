//! Orientations as hosts send them: nine, four or three numbers become a rotation.

use nalgebra::Quaternion;

use crate::configuration::OrientationInput;
use crate::math::{Matrix, Rotation, Vector};

/// Largest entry of AᵀA − I that is projected; beyond it the matrix is no rotation at all.
///
/// Interpolation between two rotations an angle θ apart shrinks by up to θ²/8 in AᵀA: 1e-3
/// admits about 5° between two communication points.
pub(crate) const LARGEST_DEVIATION: f64 = 1.0e-3;

/// Up to here in AᵀA − I nobody is told: the rounding of a few thousand products of rotations.
const ROUNDING: f64 = 1.0e-12;

/// Up to here a matrix is taken as it is, bit by bit: the rounding of a rotation that was computed at once. Beyond, it is
/// projected; the step of wrenches in between is rounding, too.
const EXACT: f64 = 2.0e-15;

/// A rotation and how far the numbers were from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Orientation {
    pub(crate) rotation: Rotation,
    /// Largest entry of AᵀA − I where the numbers had to be corrected, otherwise 0.
    pub(crate) corrected_by: f64,
}

/// A_EF from the numbers of the chosen input; they are finite.
///
/// An error says why the numbers are no rotation and prints them.
pub(crate) fn orientation(input: OrientationInput, numbers: &[f64]) -> Result<Orientation, String> {
    match input {
        OrientationInput::Matrix => from_matrix(&Matrix::from_row_slice(numbers)),
        OrientationInput::Quaternion => from_quaternion([numbers[0], numbers[1], numbers[2], numbers[3]]),
        OrientationInput::Cardan => Ok(Orientation { rotation: from_angles(numbers), corrected_by: 0.0 }),
    }
}

/// The same without what was corrected, for callers that read motions as the FMU does; the error is a message for people.
pub fn rotation(input: OrientationInput, numbers: &[f64]) -> Result<Rotation, String> {
    let count = match input {
        OrientationInput::Matrix => 9,
        OrientationInput::Quaternion => 4,
        OrientationInput::Cardan => 3,
    };
    if numbers.len() != count || !numbers.iter().all(|number| number.is_finite()) {
        return Err(format!("an orientation of this kind has {count} finite numbers, not {numbers:?}"));
    }
    orientation(input, numbers).map(|turned| turned.rotation)
}

/// How the rotation turns with one of the numbers: the rotation vector per unit of it, resolved in M_e.
///
/// Numbers that leave the rotations are projected: only what turns counts.
pub(crate) fn turn_per_number(input: OrientationInput, numbers: &[f64], rotation: &Rotation, index: usize) -> Vector {
    match input {
        OrientationInput::Matrix => {
            // A change D of the matrix turns by the axis of the skew part of A^T D, resolved in M_f.
            let mut change = Matrix::zeros();
            change[(index / 3, index % 3)] = 1.0;
            let turned = rotation.matrix().transpose() * change;
            let axis = Vector::new(
                turned[(2, 1)] - turned[(1, 2)],
                turned[(0, 2)] - turned[(2, 0)],
                turned[(1, 0)] - turned[(0, 1)],
            );
            rotation * (0.5 * axis)
        }
        OrientationInput::Quaternion => {
            // Twice the vector part of dq q* over the squared norm.
            let q = Quaternion::new(numbers[0], numbers[1], numbers[2], numbers[3]);
            let mut change = [0.0; 4];
            change[index] = 1.0;
            let change = Quaternion::new(change[0], change[1], change[2], change[3]);
            (change * q.conjugate()).vector() * (2.0 / q.norm_squared())
        }
        OrientationInput::Cardan => {
            // About x, then the turned y, then the z of the body.
            let about_x = Rotation::from_axis_angle(&Vector::x_axis(), numbers[0]);
            match index {
                0 => Vector::x(),
                1 => about_x * Vector::y(),
                _ => rotation * Vector::z(),
            }
        }
    }
}

fn from_matrix(matrix: &Matrix) -> Result<Orientation, String> {
    let deviation = (matrix.transpose() * matrix - Matrix::identity()).amax();
    let refuse = |why: String| {
        let rows: Vec<String> =
            (0..3).map(|i| format!("[{:?}, {:?}, {:?}]", matrix[(i, 0)], matrix[(i, 1)], matrix[(i, 2)])).collect();
        Err(format!("`relativeOrientation` is no rotation: {why}; it is [{}]", rows.join(", ")))
    };
    // NaN comes from an overflow.
    if deviation.is_nan() || LARGEST_DEVIATION < deviation {
        return refuse(format!("an entry of A^T A - I is {deviation:e}, at most {LARGEST_DEVIATION:e} is corrected"));
    }
    if matrix.determinant() < 0.0 {
        return refuse("its determinant is negative, so it is a reflection".to_owned());
    }
    if deviation <= EXACT {
        return Ok(Orientation { rotation: Rotation::from_matrix_unchecked(*matrix), corrected_by: 0.0 });
    }
    let corrected_by = if deviation <= ROUNDING { 0.0 } else { deviation };
    Ok(Orientation { rotation: nearest_rotation(matrix), corrected_by })
}

/// The orthogonal factor of the polar decomposition, by Newton's iteration X ← (X + X⁻ᵀ)/2.
///
/// A singular value 1 + δ becomes 1 + δ²/2: from 1e-3 three rounds reach rounding, one more is kept in reserve.
fn nearest_rotation(matrix: &Matrix) -> Rotation {
    let mut x = *matrix;
    for _ in 0..4 {
        let [a, b, c] = [x.column(0).into_owned(), x.column(1).into_owned(), x.column(2).into_owned()];
        // X⁻ᵀ has the columns b×c, c×a, a×b over the determinant.
        let inverse_transposed = Matrix::from_columns(&[b.cross(&c), c.cross(&a), a.cross(&b)]) / a.dot(&b.cross(&c));
        x = (x + inverse_transposed) * 0.5;
    }
    Rotation::from_matrix_unchecked(x)
}

/// |q|² scales the homogeneous form of the matrix, so AᵀA − I has the entries |q|⁴ − 1.
fn from_quaternion(q: [f64; 4]) -> Result<Orientation, String> {
    let squared_norm: f64 = q.iter().map(|part| part * part).sum();
    let deviation = (squared_norm * squared_norm - 1.0).abs();
    if deviation.is_nan() || LARGEST_DEVIATION < deviation {
        return Err(format!(
            "`relativeQuaternion` is no rotation: its norm is {:?} instead of 1 (|q|^4 - 1 is {deviation:e}, at most \
             {LARGEST_DEVIATION:e} is corrected); it is {q:?}",
            squared_norm.sqrt()
        ));
    }
    // Dividing by |q|² is the normalisation; where |q|² is 1 in floating point it changes nothing.
    let [w, x, y, z] = q;
    let s = 2.0 / squared_norm;
    let matrix = Matrix::new(
        1.0 - s * (y * y + z * z),
        s * (x * y - w * z),
        s * (x * z + w * y),
        s * (x * y + w * z),
        1.0 - s * (x * x + z * z),
        s * (y * z - w * x),
        s * (x * z - w * y),
        s * (y * z + w * x),
        1.0 - s * (x * x + y * y),
    );
    let corrected_by = if deviation <= ROUNDING { 0.0 } else { deviation };
    Ok(Orientation { rotation: Rotation::from_matrix_unchecked(matrix), corrected_by })
}

/// A_x(α) A_y(β) A_z(γ).
fn from_angles(angles: &[f64]) -> Rotation {
    Rotation::from_axis_angle(&Vector::x_axis(), angles[0])
        * Rotation::from_axis_angle(&Vector::y_axis(), angles[1])
        * Rotation::from_axis_angle(&Vector::z_axis(), angles[2])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some_rotation() -> Rotation {
        Rotation::from_euler_angles(0.3, -1.1, 2.0)
    }

    fn row_major(matrix: &Matrix) -> Vec<f64> {
        matrix.transpose().iter().copied().collect()
    }

    #[test]
    fn an_exact_rotation_keeps_its_bits() {
        let quarter_turn = Matrix::new(0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0);
        let found = orientation(OrientationInput::Matrix, &row_major(&quarter_turn)).unwrap();
        assert_eq!((*found.rotation.matrix(), found.corrected_by), (quarter_turn, 0.0));
    }

    /// The polar factor of R·P, P symmetric and positive definite, is R: the decomposition is unique.
    #[test]
    fn a_stretched_rotation_is_projected_onto_its_polar_factor() {
        let rotation = some_rotation();
        let stretch = Matrix::new(1.0002, 1e-4, -5e-5, 1e-4, 0.9998, 2e-5, -5e-5, 2e-5, 1.0001);
        let found = orientation(OrientationInput::Matrix, &row_major(&(rotation.matrix() * stretch))).unwrap();
        // 1e-15: a few roundings of numbers below 1.
        assert!((found.rotation.matrix() - rotation.matrix()).amax() < 1e-15);
        assert!(1e-5 < found.corrected_by && found.corrected_by < LARGEST_DEVIATION);
    }

    /// What is projected goes over into what is not told of without a step: with the deviation the rotation changes by no
    /// more than that times the size of its entries.
    #[test]
    fn small_deviations_are_projected_too() {
        let rotation = some_rotation();
        for deviation in [1e-14, 0.9e-12, 1.1e-12, 1e-10] {
            let stretch = Matrix::from_diagonal(&Vector::new(1.0 + 0.5 * deviation, 1.0, 1.0 - 0.25 * deviation));
            let found = orientation(OrientationInput::Matrix, &row_major(&(rotation.matrix() * stretch))).unwrap();
            assert!((found.rotation.matrix() - rotation.matrix()).amax() < 1e-15, "{deviation}");
            assert_eq!(found.corrected_by == 0.0, deviation < 1e-12);
        }
    }

    #[test]
    fn reflections_and_large_deviations_are_refused_with_the_matrix() {
        let reflection = Matrix::from_diagonal(&Vector::new(1.0, 1.0, -1.0));
        let message = orientation(OrientationInput::Matrix, &row_major(&reflection)).unwrap_err();
        assert!(message.contains("reflection") && message.contains("[0.0, 0.0, -1.0]"), "{message}");
        // A = (1 + d) I has AᵀA − I = (2 d + d²) I: just beyond and just within the limit.
        let scaled = |factor: f64| orientation(OrientationInput::Matrix, &row_major(&(Matrix::identity() * factor)));
        assert!(scaled(1.000_501).unwrap_err().contains("1.000501"));
        assert!(scaled(1.000_499).is_ok());
        assert!(orientation(OrientationInput::Matrix, &[1e200; 9]).is_err());
        assert!(orientation(OrientationInput::Matrix, &[0.0; 9]).is_err());
    }

    #[test]
    fn matrix_quaternion_and_angles_of_one_rotation_agree() {
        let (a, b, c) = (0.4, -0.7, 1.9);
        // A_x A_y A_z multiplied out.
        let ((sa, ca), (sb, cb), (sc, cc)) = (f64::sin_cos(a), f64::sin_cos(b), f64::sin_cos(c));
        let expected = Matrix::new(
            cb * cc,
            -cb * sc,
            sb,
            ca * sc + sa * sb * cc,
            ca * cc - sa * sb * sc,
            -sa * cb,
            sa * sc - ca * sb * cc,
            sa * cc + ca * sb * sc,
            ca * cb,
        );
        let by_angles = orientation(OrientationInput::Cardan, &[a, b, c]).unwrap().rotation;
        assert!((by_angles.matrix() - expected).amax() < 1e-15);
        let q = nalgebra::UnitQuaternion::from_rotation_matrix(&by_angles);
        let by_quaternion = orientation(OrientationInput::Quaternion, &[q.w, q.i, q.j, q.k]).unwrap().rotation;
        assert!((by_quaternion.matrix() - expected).amax() < 1e-15);
    }

    /// Central differences of the rotation, in each of the three forms and by each number.
    #[test]
    fn turns_per_number_are_those_of_differences() {
        let rotation = some_rotation();
        let q = nalgebra::UnitQuaternion::from_rotation_matrix(&rotation);
        let cases = [
            (OrientationInput::Matrix, row_major(rotation.matrix())),
            (OrientationInput::Quaternion, vec![q.w, q.i, q.j, q.k]),
            (OrientationInput::Cardan, vec![0.4, -0.7, 1.9]),
        ];
        for (input, numbers) in cases {
            let at = orientation(input, &numbers).unwrap().rotation;
            for index in 0..numbers.len() {
                let step = 1e-6;
                let moved = |change: f64| {
                    let mut moved = numbers.clone();
                    moved[index] += change;
                    orientation(input, &moved).unwrap().rotation
                };
                let change = (moved(step).matrix() - moved(-step).matrix()) * at.matrix().transpose() / (2.0 * step);
                let found = Vector::new(change[(2, 1)], change[(0, 2)], change[(1, 0)]);
                let expected = turn_per_number(input, &numbers, &at, index);
                // 1e-9: rounding of 1e-16 over the step, and the square of the step.
                assert!((found - expected).norm() < 1e-9, "{input:?} {index}: {found} {expected}");
            }
        }
    }

    #[test]
    fn quaternions_are_normalised_within_the_limit_only() {
        assert_eq!(orientation(OrientationInput::Quaternion, &[0.5; 4]).unwrap().corrected_by, 0.0);
        let slightly_long = orientation(OrientationInput::Quaternion, &[1.0002, 0.0, 0.0, 0.0]).unwrap();
        assert_eq!(slightly_long.rotation, Rotation::identity());
        assert!((slightly_long.corrected_by - 8.0e-4).abs() < 1e-6);
        assert!(orientation(OrientationInput::Quaternion, &[1.001, 0.0, 0.0, 0.0]).unwrap_err().contains("1.001"));
        assert!(orientation(OrientationInput::Quaternion, &[0.0; 4]).is_err());
    }
}
