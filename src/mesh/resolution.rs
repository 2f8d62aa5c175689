//! How finely a file states its coordinates, and what follows for merging vertices.

use crate::math::{Aabb, Vector};

/// Two copies of a vertex are at most so many spacings apart: each coordinate is rounded to either side, which makes
/// √3 in space, rounded up.
const MERGE_SPACINGS: f64 = 2.0;

/// The default is at most this part of the mesh, which may be small and far from the origin.
const LARGEST_PART: f64 = 1e-3;

/// Fewer significant digits than this say nothing: `0.5` may be exact.
const FEWEST_DIGITS: u32 = 6;

/// Up to so many digits a number may be one of single precision, whose shortest text has nine.
const DIGITS_OF_SINGLE: u32 = 9;

/// Bits that are left of a number in double precision after the few dozen operations that place a vertex; 52 are
/// written.
const COMPUTED_BITS: i32 = 48;

/// Number type behind the coordinates of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Resolution {
    /// Binary numbers of 32 bits.
    Single,
    /// Binary numbers of 64 bits.
    #[default]
    Double,
    /// Text with at most so many significant digits.
    Digits(u32),
}

impl Resolution {
    /// Takes notice of a number in a text file.
    pub(super) fn note(&mut self, word: &[u8]) {
        let digits = significant_digits(word);
        match self {
            Resolution::Digits(most) => *most = digits.max(*most),
            other => *other = Resolution::Digits(digits),
        }
    }

    /// Distance of neighbouring numbers at a magnitude, or of computed ones where the file is finer.
    fn spacing(self, magnitude: f64) -> f64 {
        let binary = |bits: i32| magnitude.log2().floor().exp2() * f64::from(-bits).exp2();
        match self {
            _ if magnitude == 0.0 => 0.0,
            Resolution::Single => binary(23),
            Resolution::Double => binary(COMPUTED_BITS),
            Resolution::Digits(digits) if digits < FEWEST_DIGITS => binary(23),
            Resolution::Digits(digits) => {
                let decimal = 10f64.powi(magnitude.log10().floor() as i32 + 1 - digits.min(18) as i32);
                decimal.max(binary(if digits <= DIGITS_OF_SINGLE { 23 } else { COMPUTED_BITS }))
            }
        }
    }

    /// Distance below which vertices are one, in m: what rounding in the file may have torn apart.
    pub(super) fn merge_distance(self, vertices: &[Vector]) -> f64 {
        let size = Aabb::of(vertices.iter()).size().max();
        (MERGE_SPACINGS * self.spacing(largest_coordinate(vertices))).min(LARGEST_PART * size)
    }
}

/// Largest magnitude of a coordinate.
pub(super) fn largest_coordinate(vertices: &[Vector]) -> f64 {
    vertices.iter().fold(0.0, |largest, vertex| vertex.amax().max(largest))
}

/// Digits from the first that is not zero up to the exponent.
fn significant_digits(word: &[u8]) -> u32 {
    let mantissa = word.split(|&byte| byte == b'e' || byte == b'E').next().unwrap_or(word);
    let digits = mantissa.iter().filter(|byte| byte.is_ascii_digit());
    digits.skip_while(|&&digit| digit == b'0').count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_count_from_the_first_that_is_not_zero() {
        for (word, digits) in
            [("0.000", 0), ("-0.0120", 3), ("100", 3), ("1.000000e+00", 7), ("6.123233995736766e-17", 16), ("nan", 0)]
        {
            assert_eq!(significant_digits(word.as_bytes()), digits, "{word}");
        }
    }

    #[test]
    fn spacing_is_that_of_the_number_type() {
        assert_eq!(Resolution::Single.spacing(1.5), f64::from(f32::EPSILON));
        assert_eq!(Resolution::Double.spacing(5.0), 4.0 * 16.0 * f64::EPSILON);
        let close = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-12;
        assert!(close(Resolution::Digits(6).spacing(123.0), 1e-3));
        // Nine digits may be single precision, which is coarser at this magnitude.
        assert_eq!(Resolution::Digits(9).spacing(123.0), Resolution::Single.spacing(123.0));
        assert_eq!(Resolution::Digits(1).spacing(1.0), Resolution::Single.spacing(1.0));
        assert!(close(Resolution::Digits(12).spacing(1.0), 1e-11));
        assert_eq!(Resolution::Digits(17).spacing(1.0), 16.0 * f64::EPSILON);
        assert_eq!(Resolution::Digits(6).spacing(0.0), 0.0);
    }
}
