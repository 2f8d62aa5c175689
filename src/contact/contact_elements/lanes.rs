//! Four numbers at a time, in whatever vector registers the processor has.
//!
//! Kernels are written once, over [`Lanes`], and compiled twice: for AVX2, which is looked for when the library runs,
//! and for what every processor has. Both take the same steps on four lanes, with operations that IEEE 754 rounds
//! exactly and without fused ones, so they give the same bits.
//!
//! Everything that touches [`Lanes`] must be `#[inline(always)]`: what is not inlined into the kernel is compiled
//! without its registers.

use std::ops::{Add, Div, Mul, Neg, Sub};

use wide::f64x4;

/// How many numbers a vector has.
pub const LANES: usize = 4;

/// Four numbers. Operations act on each of them.
pub trait Lanes:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + Mul<f64, Output = Self>
    + Add<f64, Output = Self>
{
    /// The root.
    fn sqrt(self) -> Self;
    /// The smaller one; the second where they cannot be compared.
    fn smaller(self, other: Self) -> Self;
    /// The larger one; the second where they cannot be compared.
    fn larger(self, other: Self) -> Self;
    /// A mask: all bits set where it is less, else none.
    fn less(self, other: Self) -> Self;
    /// Where the bits of `self`, a mask, are set the first, else the second.
    fn choose(self, if_set: Self, if_not: Self) -> Self;
    /// Sign bits as an integer, first lane first.
    fn bits(self) -> u32;
    /// Bits that are set in both.
    fn and(self, other: Self) -> Self;
    /// Bits that are set in one of them.
    fn or(self, other: Self) -> Self;
    /// The numbers.
    fn array(self) -> [f64; LANES];
    /// Four vectors with the first numbers of all, the second numbers, and so on.
    fn transposed(rows: [Self; LANES]) -> [Self; LANES];

    /// Without its sign.
    #[inline(always)]
    fn magnitude(self) -> Self {
        self.larger(-self)
    }

    /// The sum of all four, in a fixed order.
    #[inline(always)]
    fn sum(self) -> f64 {
        let [a, b, c, d] = self.array();
        (a + b) + (c + d)
    }
}

/// Makes vectors.
pub trait Registers: Copy {
    /// What it makes.
    type Vector: Lanes;
    /// The same number four times.
    fn splat(self, value: f64) -> Self::Vector;
    /// Four numbers.
    fn vector(self, values: [f64; LANES]) -> Self::Vector;
}

/// A computation in vector registers.
pub trait Kernel {
    /// What comes out.
    type Output;
    /// Runs it; `#[inline(always)]`.
    fn run<R: Registers>(self, registers: R) -> Self::Output;
}

/// Runs a kernel in the widest registers at hand.
#[inline]
pub fn run<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = pulp::x86::V3::try_new() {
        return token.vectorize(avx2::OnAvx2 { token, kernel });
    }
    kernel.run(Portable)
}

/// Registers of two numbers each, which every 64-bit processor has.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Registers for Portable {
    type Vector = f64x4;

    #[inline(always)]
    fn splat(self, value: f64) -> f64x4 {
        f64x4::splat(value)
    }

    #[inline(always)]
    fn vector(self, values: [f64; LANES]) -> f64x4 {
        f64x4::from(values)
    }
}

impl Lanes for f64x4 {
    #[inline(always)]
    fn sqrt(self) -> Self {
        f64x4::sqrt(self)
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
    fn choose(self, if_set: Self, if_not: Self) -> Self {
        self.select(if_set, if_not)
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        self.to_bitmask()
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
    fn array(self) -> [f64; LANES] {
        self.to_array()
    }

    #[inline(always)]
    fn transposed(rows: [Self; LANES]) -> [Self; LANES] {
        f64x4::transpose(rows)
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{Kernel, LANES, Lanes, Registers};
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

    /// Four numbers in a register of 256 bits.
    #[derive(Clone, Copy)]
    pub struct Vector {
        token: V3,
        values: __m256d,
    }

    impl Registers for V3 {
        type Vector = Vector;

        #[inline(always)]
        fn splat(self, value: f64) -> Vector {
            Vector { token: self, values: self.avx._mm256_set1_pd(value) }
        }

        #[inline(always)]
        fn vector(self, [a, b, c, d]: [f64; LANES]) -> Vector {
            Vector { token: self, values: self.avx._mm256_setr_pd(a, b, c, d) }
        }
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
        #[inline(always)]
        fn sqrt(self) -> Self {
            Vector { values: self.token.avx._mm256_sqrt_pd(self.values), ..self }
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
        fn choose(self, if_set: Self, if_not: Self) -> Self {
            Vector { values: self.token.avx._mm256_blendv_pd(if_not.values, if_set.values, self.values), ..self }
        }

        #[inline(always)]
        fn bits(self) -> u32 {
            self.token.avx._mm256_movemask_pd(self.values) as u32
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
        fn array(self) -> [f64; LANES] {
            pulp::cast(self.values)
        }

        #[inline(always)]
        fn transposed([a, b, c, d]: [Self; LANES]) -> [Self; LANES] {
            let avx = a.token.avx;
            let (ab_even, ab_odd) =
                (avx._mm256_unpacklo_pd(a.values, b.values), avx._mm256_unpackhi_pd(a.values, b.values));
            let (cd_even, cd_odd) =
                (avx._mm256_unpacklo_pd(c.values, d.values), avx._mm256_unpackhi_pd(c.values, d.values));
            let vector = |values| Vector { values, ..a };
            [
                vector(avx._mm256_permute2f128_pd::<0x20>(ab_even, cd_even)),
                vector(avx._mm256_permute2f128_pd::<0x20>(ab_odd, cd_odd)),
                vector(avx._mm256_permute2f128_pd::<0x31>(ab_even, cd_even)),
                vector(avx._mm256_permute2f128_pd::<0x31>(ab_odd, cd_odd)),
            ]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Everything([f64; 4], [f64; 4]);

    impl Kernel for Everything {
        type Output = Vec<[u64; 4]>;

        #[inline(always)]
        fn run<R: Registers>(self, registers: R) -> Self::Output {
            let (a, b) = (registers.vector(self.0), registers.vector(self.1));
            let mask = a.less(b);
            let [p, q, r, s] = Lanes::transposed([a, b, a + b, a * b]);
            [
                p,
                q,
                r,
                s,
                a + b,
                a - b,
                a * b,
                a / b,
                -a,
                a * 3.0,
                a + 0.1,
                registers.splat(0.3),
                a.magnitude().sqrt(),
                a.smaller(b),
                a.larger(b),
                mask,
                mask.choose(a, b),
                mask.and(a),
                mask.or(b.less(a)),
                registers.splat(a.sum()),
                registers.splat(f64::from(mask.bits())),
            ]
            .map(|lanes| lanes.array().map(f64::to_bits))
            .into()
        }
    }

    #[test]
    fn all_registers_give_the_same_bits() {
        let numbers = [1.0, -2.5, 1e300, 3e-310, 0.1, -0.7, f64::INFINITY, f64::MAX, 7.0 / 3.0, -1e-8];
        for (k, &a) in numbers.iter().enumerate() {
            for &b in &numbers {
                let (a, b) = ([a, b, numbers[(k + 3) % 10], 1.0], [b, a, 2.0, numbers[(k + 7) % 10]]);
                assert_eq!(run(Everything(a, b)), Everything(a, b).run(Portable));
            }
        }
    }
}
