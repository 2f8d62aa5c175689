//! One number: the plain case.

use super::{Lanes, Mask, Registers, Sums};

/// Registers of one number.
#[derive(Clone, Copy, Debug)]
pub struct Single;

impl Registers for Single {
    const LANES: usize = 1;
    type Vector = f64;
    type Mask = bool;

    #[inline(always)]
    fn splat(self, value: f64) -> f64 {
        value
    }

    #[inline(always)]
    fn vector(self, of_lane: impl Fn(usize) -> f64) -> f64 {
        of_lane(0)
    }

    #[inline(always)]
    fn columns<'a>(self, row: impl Fn(usize) -> &'a [f64; 4]) -> [f64; 4] {
        *row(0)
    }

    #[inline(always)]
    fn rows(self, columns: [f64; 4], mut take: impl FnMut(usize, [f64; 4])) {
        take(0, columns);
    }

    #[inline(always)]
    fn first(self, count: usize) -> bool {
        0 < count
    }
}

impl Lanes for f64 {
    type Mask = bool;
    type Array = [f64; 1];

    #[inline(always)]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }

    #[inline(always)]
    fn magnitude(self) -> Self {
        self.abs()
    }

    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        if self < other { self } else { other }
    }

    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        if other < self { self } else { other }
    }

    #[inline(always)]
    fn less(self, other: Self) -> bool {
        self < other
    }

    #[inline(always)]
    fn array(self) -> [f64; 1] {
        [self]
    }

    #[inline(always)]
    fn add_to(self, sums: &mut Sums) {
        sums[0] += self;
    }
}

impl Mask<f64> for bool {
    #[inline(always)]
    fn choose(self, if_set: f64, if_not: f64) -> f64 {
        if self { if_set } else { if_not }
    }

    #[inline(always)]
    fn keep(self, value: f64) -> f64 {
        if self { value } else { 0.0 }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self && other
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self || other
    }

    #[inline(always)]
    fn but_not(self, other: Self) -> Self {
        self && !other
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        u32::from(self)
    }
}
