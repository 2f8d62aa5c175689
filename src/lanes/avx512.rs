//! Eight numbers in a register of 512 bits.

use super::{Kernel, Lanes, Mask, Registers, SUMS, Sums};
use pulp::x86::V4;
use std::arch::x86_64::{__m256d, __m512d, __m512i, _CMP_LT_OQ};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A kernel with the proof that the processor has AVX-512.
pub struct OnAvx512<K> {
    pub token: V4,
    pub kernel: K,
}

impl<K: Kernel> pulp::NullaryFnOnce for OnAvx512<K> {
    type Output = K::Output;

    #[inline(always)]
    fn call(self) -> K::Output {
        self.kernel.run(self.token)
    }
}

/// Eight numbers.
#[derive(Clone, Copy)]
pub struct Vector {
    token: V4,
    values: __m512d,
}

/// A bit for each of eight lanes.
#[derive(Clone, Copy)]
pub struct Bits {
    token: V4,
    bits: u8,
}

impl Registers for V4 {
    const LANES: usize = 8;
    type Vector = Vector;
    type Mask = Bits;

    #[inline(always)]
    fn splat(self, value: f64) -> Vector {
        Vector { token: self, values: self.avx512f._mm512_set1_pd(value) }
    }

    #[inline(always)]
    fn vector(self, at: impl Fn(usize) -> f64) -> Vector {
        let values = self.avx512f._mm512_setr_pd(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7));
        Vector { token: self, values }
    }

    #[inline(always)]
    fn columns<'a>(self, row: impl Fn(usize) -> &'a [f64; 4]) -> [Vector; 4] {
        // Lanes k and k + 4 share a register: each half is transposed on its own.
        let pairs = [
            eight(self, row(0), row(4)),
            eight(self, row(1), row(5)),
            eight(self, row(2), row(6)),
            eight(self, row(3), row(7)),
        ];
        let [a, b, c, d] = transposed_halves(self, pairs);
        [vector(self, a), vector(self, b), vector(self, c), vector(self, d)]
    }

    #[inline(always)]
    fn rows(self, columns: [Vector; 4], mut take: impl FnMut(usize, [f64; 4])) {
        let [a, b, c, d] = columns;
        let pairs = transposed_halves(self, [a.values, b.values, c.values, d.values]);
        for (lane, pair) in pairs.into_iter().enumerate() {
            take(lane, pulp::cast(self.avx512f._mm512_castpd512_pd256(pair)));
            take(lane + SUMS, pulp::cast(self.avx512f._mm512_extractf64x4_pd::<1>(pair)));
        }
    }

    #[inline(always)]
    fn first(self, count: usize) -> Bits {
        Bits { token: self, bits: ((1u32 << count.min(8)) - 1) as u8 }
    }
}

#[inline(always)]
fn vector(token: V4, values: __m512d) -> Vector {
    Vector { token, values }
}

#[inline(always)]
fn four(token: V4, [a, b, c, d]: &[f64; 4]) -> __m256d {
    token.avx._mm256_setr_pd(*a, *b, *c, *d)
}

#[inline(always)]
fn eight(token: V4, low: &[f64; 4], high: &[f64; 4]) -> __m512d {
    let low = token.avx512f._mm512_castpd256_pd512(four(token, low));
    token.avx512f._mm512_insertf64x4::<1>(low, four(token, high))
}

/// Transposes four rows of four in both halves.
#[inline(always)]
fn transposed_halves(token: V4, [a, b, c, d]: [__m512d; 4]) -> [__m512d; 4] {
    let avx = token.avx512f;
    let (ab_even, ab_odd) = (avx._mm512_unpacklo_pd(a, b), avx._mm512_unpackhi_pd(a, b));
    let (cd_even, cd_odd) = (avx._mm512_unpacklo_pd(c, d), avx._mm512_unpackhi_pd(c, d));
    // Indices from 8 on are of the second operand.
    let first: __m512i = avx._mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
    let second: __m512i = avx._mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    [
        avx._mm512_permutex2var_pd(ab_even, first, cd_even),
        avx._mm512_permutex2var_pd(ab_odd, first, cd_odd),
        avx._mm512_permutex2var_pd(ab_even, second, cd_even),
        avx._mm512_permutex2var_pd(ab_odd, second, cd_odd),
    ]
}

macro_rules! operator {
    ($operator:ident, $method:ident, $instruction:ident) => {
        impl $operator for Vector {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Vector { values: self.token.avx512f.$instruction(self.values, other.values), ..self }
            }
        }
    };
}
operator!(Add, add, _mm512_add_pd);
operator!(Sub, sub, _mm512_sub_pd);
operator!(Mul, mul, _mm512_mul_pd);
operator!(Div, div, _mm512_div_pd);

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
        let signs = self.token.avx512f._mm512_set1_pd(-0.0);
        Vector { values: self.token.avx512dq._mm512_xor_pd(self.values, signs), ..self }
    }
}

impl Lanes for Vector {
    type Mask = Bits;
    type Array = [f64; 8];

    #[inline(always)]
    fn sqrt(self) -> Self {
        Vector { values: self.token.avx512f._mm512_sqrt_pd(self.values), ..self }
    }

    #[inline(always)]
    fn magnitude(self) -> Self {
        Vector { values: self.token.avx512f._mm512_abs_pd(self.values), ..self }
    }

    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        Vector { values: self.token.avx512f._mm512_min_pd(self.values, other.values), ..self }
    }

    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        Vector { values: self.token.avx512f._mm512_max_pd(self.values, other.values), ..self }
    }

    #[inline(always)]
    fn less(self, other: Self) -> Bits {
        let bits = self.token.avx512f._mm512_cmp_pd_mask::<_CMP_LT_OQ>(self.values, other.values);
        Bits { token: self.token, bits }
    }

    #[inline(always)]
    fn array(self) -> [f64; 8] {
        pulp::cast(self.values)
    }

    #[inline(always)]
    fn add_to(self, sums: &mut Sums) {
        let (avx, avx512f) = (self.token.avx, self.token.avx512f);
        let (low, high) =
            (avx512f._mm512_castpd512_pd256(self.values), avx512f._mm512_extractf64x4_pd::<1>(self.values));
        *sums = pulp::cast(avx._mm256_add_pd(avx._mm256_add_pd(four(self.token, sums), low), high));
    }
}

impl Mask<Vector> for Bits {
    #[inline(always)]
    fn choose(self, if_set: Vector, if_not: Vector) -> Vector {
        let values = self.token.avx512f._mm512_mask_blend_pd(self.bits, if_not.values, if_set.values);
        Vector { values, ..if_set }
    }

    #[inline(always)]
    fn keep(self, value: Vector) -> Vector {
        Vector { values: self.token.avx512f._mm512_maskz_mov_pd(self.bits, value.values), ..value }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Bits { bits: self.bits & other.bits, ..self }
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Bits { bits: self.bits | other.bits, ..self }
    }

    #[inline(always)]
    fn but_not(self, other: Self) -> Self {
        Bits { bits: self.bits & !other.bits, ..self }
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        u32::from(self.bits)
    }
}
