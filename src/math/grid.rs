//! The common grid of coordinates on which orientation tests are exact.

use super::Vector;

/// Number of bits of a coordinate on the grid, sign apart. The difference of two coordinates then
/// has at most 51 bits and is exact in double precision, and the determinants of
/// `contact::detect` fit into two 128-bit integers.
const COORDINATE_BITS: i32 = 50;

/// All coordinates of an evaluation are rounded to multiples of one power of two, about
/// 10⁻¹⁵ of the size of the scene: finer than the rounding of the motion that comes in.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    spacing: f64,
    inverse_spacing: f64,
    /// Adding this large number and taking it away again rounds to the grid.
    shift: f64,
}

impl Grid {
    /// A grid for coordinates whose magnitude is below `reach`, in metres.
    pub fn new(reach: f64) -> Self {
        // Meshes from files stay far within; for others, no size leads to an exponent out of range.
        let reach = reach.clamp(1e-200, 1e200);
        // The exponent field of a double: floor(log2) exactly, for every normal number.
        let exponent = ((reach.to_bits() >> 52) as i32) - 1023;
        let spacing = power_of_two(exponent + 1 - COORDINATE_BITS);
        Grid {
            spacing,
            inverse_spacing: 1.0 / spacing,
            // Sums with 1.5 · 2⁵² spacings stay within one binade, whose last bit is one spacing.
            shift: 1.5 * power_of_two(52) * spacing,
        }
    }

    /// Distance of neighbouring grid points in metres.
    #[cfg(test)]
    pub fn spacing(&self) -> f64 {
        self.spacing
    }

    /// Boxes are widened by this many metres: a vertex in E and the box that was built around it in
    /// its own frame differ by half a spacing of snapping and a few roundings, each far below one.
    #[inline]
    pub fn box_margin(&self) -> f64 {
        4.0 * self.spacing
    }

    /// The largest coordinate on the grid, in metres; beyond every point of the scene.
    #[inline]
    pub fn reach(&self) -> f64 {
        power_of_two(COORDINATE_BITS) * self.spacing
    }

    /// The nearest grid point.
    #[inline]
    pub fn snap(&self, point: Vector) -> Vector {
        point.map(|x| self.snap_coordinate(x))
    }

    /// The nearest coordinate on the grid; larger numbers never have a smaller one.
    #[inline]
    pub fn snap_coordinate(&self, x: f64) -> f64 {
        (x + self.shift) - self.shift
    }

    /// The difference of two grid coordinates in spacings: an exact integer.
    #[inline]
    pub fn in_spacings(&self, difference: f64) -> i128 {
        i128::from((difference * self.inverse_spacing) as i64)
    }
}

fn power_of_two(exponent: i32) -> f64 {
    debug_assert!((-1022..=1023).contains(&exponent));
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snapping_rounds_to_multiples_of_the_spacing() {
        for reach in [1e-20, 0.3, 1.0, 1.5, 1e10] {
            let grid = Grid::new(reach);
            assert!(reach < grid.spacing() * power_of_two(COORDINATE_BITS));
            for fraction in [0.0, 1.0, -1.0, 0.123456789, -0.999, 1e-18] {
                let x = reach * fraction;
                let snapped = grid.snap(Vector::repeat(x)).x;
                assert!((snapped - x).abs() <= 0.5 * grid.spacing());
                assert_eq!(snapped / grid.spacing(), (snapped / grid.spacing()).round());
            }
        }
    }
}
