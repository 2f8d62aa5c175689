//! Stated limits of the readers: a hostile file costs bounded time and memory.

use crate::math::Vector;

/// Largest file that is read, in bytes.
pub const MAX_FILE_BYTES: u64 = 512 << 20;

/// Most triangles in a file. Half-edge indices (three per triangle) stay far inside 32 bits, and
/// the intermediate data of the readers below about two gigabytes.
pub const MAX_FACES: usize = 5_000_000;

/// Most vertices in a file: as many as the corners of [`MAX_FACES`] separate triangles.
pub const MAX_VERTICES: usize = 3 * MAX_FACES;

/// Largest magnitude of a coordinate, in metres after scaling.
///
/// With [`SMALLEST_COORDINATE`] it keeps products of five coordinates and their rounding errors
/// within the range of double precision, which exact predicates rely on.
pub const LARGEST_COORDINATE: f64 = 1e15;

/// Coordinates below this magnitude, in metres after scaling, are set to zero.
pub const SMALLEST_COORDINATE: f64 = 1e-30;

/// Corner tests that cutting the polygons of one file into triangles may cost: about a second.
pub(super) const POLYGON_BUDGET: u64 = 100_000_000;

/// What is wrong with a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PointDefect {
    NotFinite,
    TooLarge(Vector),
}

/// The point in metres, with coordinates in the stated range.
pub(super) fn scaled_point(point: [f64; 3], scale: f64) -> Result<Vector, PointDefect> {
    if !point.iter().all(|x| x.is_finite()) {
        return Err(PointDefect::NotFinite);
    }
    let scaled = Vector::from(point) * scale;
    if scaled.iter().any(|x| LARGEST_COORDINATE < x.abs()) {
        return Err(PointDefect::TooLarge(scaled));
    }
    // This also turns -0.0 into 0.0, so that equal coordinates have equal bits.
    Ok(scaled.map(|x| if x.abs() < SMALLEST_COORDINATE { 0.0 } else { x }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiny_coordinates_and_minus_zero_become_zero() {
        let point = scaled_point([-0.0, 9e-31, -1e-30], 1.0).unwrap();
        assert_eq!(point.map(f64::to_bits), Vector::new(0.0, 0.0, -1e-30).map(f64::to_bits));
    }

    #[test]
    fn range_is_checked_after_scaling() {
        assert!(scaled_point([1e18, 0.0, 0.0], 1e-3).is_ok());
        assert!(matches!(scaled_point([1e14, 0.0, 0.0], 1e3), Err(PointDefect::TooLarge(_))));
        assert!(matches!(scaled_point([1e300, 0.0, 0.0], 1e300), Err(PointDefect::TooLarge(_))));
        assert_eq!(scaled_point([0.0, f64::NAN, 0.0], 1.0), Err(PointDefect::NotFinite));
    }
}
