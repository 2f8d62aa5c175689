//! Four numbers in a register of 256 bits.

use super::{Kernel, Lanes, Mask, Registers, Sums};
use pulp::x86::V3;
use std::arch::x86_64::{__m256d, _CMP_LT_OQ};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A kernel with the proof that the processor has AVX2.
pub struct OnAvx2<K> {
    pub token: V3,
    pub kernel: K,
}

impl<K: Kernel> pulp::NullaryFnOnce for OnAvx2<K> {
    type Output = K::Output;

    #[inline(always)]
    fn call(self) -> K::Output {
        self.kernel.run(self.token)
    }
}

/// Four numbers; as a mask, all bits of a lane set, or none.
#[derive(Clone, Copy)]
pub struct Vector {
    token: V3,
    values: __m256d,
}

impl Registers for V3 {
    const LANES: usize = 4;
    type Vector = Vector;
    type Mask = Vector;

    #[inline(always)]
    fn splat(self, value: f64) -> Vector {
        Vector { token: self, values: self.avx._mm256_set1_pd(value) }
    }

    #[inline(always)]
    fn vector(self, of_lane: impl Fn(usize) -> f64) -> Vector {
        let values = self.avx._mm256_setr_pd(of_lane(0), of_lane(1), of_lane(2), of_lane(3));
        Vector { token: self, values }
    }

    #[inline(always)]
    fn columns<'a>(self, row: impl Fn(usize) -> &'a [f64; 4]) -> [Vector; 4] {
        let load = |lane: usize| self.vector(|k| row(lane)[k]);
        transposed([load(0), load(1), load(2), load(3)])
    }

    #[inline(always)]
    fn rows(self, columns: [Vector; 4], mut take: impl FnMut(usize, [f64; 4])) {
        for (lane, row) in transposed(columns).into_iter().enumerate() {
            take(lane, row.array());
        }
    }

    #[inline(always)]
    fn first(self, count: usize) -> Vector {
        self.vector(|lane| lane as f64).less(self.splat(count as f64))
    }
}

#[inline(always)]
fn transposed([a, b, c, d]: [Vector; 4]) -> [Vector; 4] {
    let avx = a.token.avx;
    let (ab_even, ab_odd) = (avx._mm256_unpacklo_pd(a.values, b.values), avx._mm256_unpackhi_pd(a.values, b.values));
    let (cd_even, cd_odd) = (avx._mm256_unpacklo_pd(c.values, d.values), avx._mm256_unpackhi_pd(c.values, d.values));
    let vector = |values| Vector { values, ..a };
    [
        vector(avx._mm256_permute2f128_pd::<0x20>(ab_even, cd_even)),
        vector(avx._mm256_permute2f128_pd::<0x20>(ab_odd, cd_odd)),
        vector(avx._mm256_permute2f128_pd::<0x31>(ab_even, cd_even)),
        vector(avx._mm256_permute2f128_pd::<0x31>(ab_odd, cd_odd)),
    ]
}

macro_rules! operator {
    ($operator:ident, $method:ident, $instruction:ident) => {
        impl $operator for Vector {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Vector { values: self.token.avx.$instruction(self.values, other.values), ..self }
            }
        }
    };
}
operator!(Add, add, _mm256_add_pd);
operator!(Sub, sub, _mm256_sub_pd);
operator!(Mul, mul, _mm256_mul_pd);
operator!(Div, div, _mm256_div_pd);

impl Mul<f64> for Vector {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: f64) -> Self {
        self * self.token.splat(factor)
    }
}

impl Add<f64> for Vector {
    type Output = Self;

    #[inline(always)]
    fn add(self, term: f64) -> Self {
        self + self.token.splat(term)
    }
}

impl Neg for Vector {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Vector { values: self.token.avx._mm256_xor_pd(self.values, self.token.avx._mm256_set1_pd(-0.0)), ..self }
    }
}

impl Lanes for Vector {
    type Mask = Vector;
    type Array = [f64; 4];

    #[inline(always)]
    fn sqrt(self) -> Self {
        Vector { values: self.token.avx._mm256_sqrt_pd(self.values), ..self }
    }

    #[inline(always)]
    fn magnitude(self) -> Self {
        Vector { values: self.token.avx._mm256_andnot_pd(self.token.avx._mm256_set1_pd(-0.0), self.values), ..self }
    }

    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        Vector { values: self.token.avx._mm256_min_pd(self.values, other.values), ..self }
    }

    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        Vector { values: self.token.avx._mm256_max_pd(self.values, other.values), ..self }
    }

    #[inline(always)]
    fn less(self, other: Self) -> Self {
        Vector { values: self.token.avx._mm256_cmp_pd::<_CMP_LT_OQ>(self.values, other.values), ..self }
    }

    #[inline(always)]
    fn array(self) -> [f64; 4] {
        pulp::cast(self.values)
    }

    #[inline(always)]
    fn add_to(self, sums: &mut Sums) {
        *sums = (self.token.vector(|lane| sums[lane]) + self).array();
    }
}

impl Mask<Vector> for Vector {
    #[inline(always)]
    fn choose(self, if_set: Self, if_not: Self) -> Self {
        Vector { values: self.token.avx._mm256_blendv_pd(if_not.values, if_set.values, self.values), ..self }
    }

    #[inline(always)]
    fn keep(self, value: Self) -> Self {
        self.and(value)
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Vector { values: self.token.avx._mm256_and_pd(self.values, other.values), ..self }
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Vector { values: self.token.avx._mm256_or_pd(self.values, other.values), ..self }
    }

    #[inline(always)]
    fn but_not(self, other: Self) -> Self {
        Vector { values: self.token.avx._mm256_andnot_pd(other.values, self.values), ..self }
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        self.token.avx._mm256_movemask_pd(self.values) as u32
    }
}
