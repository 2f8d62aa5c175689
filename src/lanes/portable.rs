//! Four numbers in two registers of two, which every 64-bit processor has.

use super::{Lanes, Mask, Registers, Sums};
use wide::f64x4;

/// Registers that need no proof.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Registers for Portable {
    const LANES: usize = 4;
    type Vector = f64x4;
    type Mask = f64x4;

    #[inline(always)]
    fn splat(self, value: f64) -> f64x4 {
        f64x4::splat(value)
    }

    #[inline(always)]
    fn vector(self, of_lane: impl Fn(usize) -> f64) -> f64x4 {
        f64x4::from([of_lane(0), of_lane(1), of_lane(2), of_lane(3)])
    }

    #[inline(always)]
    fn columns<'a>(self, row: impl Fn(usize) -> &'a [f64; 4]) -> [f64x4; 4] {
        f64x4::transpose([f64x4::from(*row(0)), f64x4::from(*row(1)), f64x4::from(*row(2)), f64x4::from(*row(3))])
    }

    #[inline(always)]
    fn rows(self, columns: [f64x4; 4], mut take: impl FnMut(usize, [f64; 4])) {
        for (lane, row) in f64x4::transpose(columns).into_iter().enumerate() {
            take(lane, row.to_array());
        }
    }

    #[inline(always)]
    fn first(self, count: usize) -> f64x4 {
        f64x4::from([0.0, 1.0, 2.0, 3.0]).simd_lt(f64x4::splat(count as f64))
    }
}

impl Lanes for f64x4 {
    type Mask = f64x4;
    type Array = [f64; 4];

    #[inline(always)]
    fn sqrt(self) -> Self {
        f64x4::sqrt(self)
    }

    #[inline(always)]
    fn magnitude(self) -> Self {
        self.abs()
    }

    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        self.fast_min(other)
    }

    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        self.fast_max(other)
    }

    #[inline(always)]
    fn less(self, other: Self) -> Self {
        self.simd_lt(other)
    }

    #[inline(always)]
    fn array(self) -> [f64; 4] {
        self.to_array()
    }

    #[inline(always)]
    fn add_to(self, sums: &mut Sums) {
        *sums = (f64x4::from(*sums) + self).to_array();
    }
}

/// All bits of a lane set, or none.
impl Mask<f64x4> for f64x4 {
    #[inline(always)]
    fn choose(self, if_set: f64x4, if_not: f64x4) -> f64x4 {
        self.select(if_set, if_not)
    }

    #[inline(always)]
    fn keep(self, value: f64x4) -> f64x4 {
        self & value
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self & other
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self | other
    }

    #[inline(always)]
    fn but_not(self, other: Self) -> Self {
        self & !other
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        self.to_bitmask()
    }
}
