//! Several numbers at a time, in whatever vector registers the processor has.
//!
//! Kernels are written once, over [`Lanes`], and compiled for eight lanes (AVX-512) and four (AVX2), both looked for when
//! the library runs, and for what every processor has. All take the same steps in each lane, with operations that
//! IEEE 754 rounds exactly and without fused ones, and add lanes up in the same order, so they give the same bits.
//!
//! Everything that touches [`Lanes`] must be `#[inline(always)]`: what is not inlined into the kernel is compiled
//! without its registers. Closures cannot be marked so: they are for looking things up, and `map` is not for vectors.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;
mod single;
mod vectors;

use std::ops::{Add, Div, Mul, Neg, Sub};

pub use portable::Portable;
pub use single::Single;
pub use vectors::{cross, dot};

/// The most lanes that any registers have. What is looked up for each lane is looked up once, in arrays of this length.
pub const MOST_LANES: usize = 8;

/// How many numbers are added up side by side, whatever the number of lanes; all numbers of lanes are multiples of it.
pub const SUMS: usize = 4;

/// Running sums: of every fourth number.
pub type Sums = [f64; SUMS];

/// The sum of running sums.
#[inline(always)]
pub fn sum([a, b, c, d]: Sums) -> f64 {
    (a + b) + (c + d)
}

/// Some numbers. Operations act on each of them.
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
    /// What a comparison gives.
    type Mask: Mask<Self>;
    /// The numbers in memory.
    type Array: Copy + AsRef<[f64]>;

    /// The root.
    fn sqrt(self) -> Self;
    /// Without its sign.
    fn magnitude(self) -> Self;
    /// The smaller one; the second where they cannot be compared.
    fn smaller(self, other: Self) -> Self;
    /// The larger one; the second where they cannot be compared.
    fn larger(self, other: Self) -> Self;
    /// Where it is less.
    fn less(self, other: Self) -> Self::Mask;
    /// The numbers.
    fn array(self) -> Self::Array;
    /// Adds the numbers to running sums: the first four, then the next.
    fn add_to(self, sums: &mut Sums);
}

/// A choice of lanes.
pub trait Mask<V>: Copy {
    /// Where it is set the first, else the second.
    fn choose(self, if_set: V, if_not: V) -> V;
    /// Where it is set the number, else zero.
    fn keep(self, value: V) -> V;
    /// Set in both.
    fn and(self, other: Self) -> Self;
    /// Set in one of them.
    fn or(self, other: Self) -> Self;
    /// Set here, but not in the other.
    fn but_not(self, other: Self) -> Self;
    /// As an integer, first lane first.
    fn bits(self) -> u32;
}

/// Makes vectors.
pub trait Registers: Copy {
    /// How many numbers a vector has.
    const LANES: usize;
    /// What it makes.
    type Vector: Lanes<Mask = Self::Mask>;
    /// Its masks.
    type Mask: Mask<Self::Vector>;
    /// The same number in all lanes.
    fn splat(self, value: f64) -> Self::Vector;
    /// The number of each lane.
    fn vector(self, of_lane: impl Fn(usize) -> f64) -> Self::Vector;
    /// The first numbers of the rows of all lanes, the second numbers, and so on.
    fn columns<'a>(self, row: impl Fn(usize) -> &'a [f64; 4]) -> [Self::Vector; 4];
    /// The other way round: the row of each lane from its first number, its second, and so on.
    fn rows(self, columns: [Self::Vector; 4], take: impl FnMut(usize, [f64; 4]));
    /// The first lanes, this many.
    fn first(self, count: usize) -> Self::Mask;
}

/// A computation in vector registers.
pub trait Kernel {
    /// What comes out.
    type Output;
    /// Runs it; `#[inline(always)]`.
    fn run<R: Registers>(self, registers: R) -> Self::Output;
}

/// Registers of a width.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Width {
    /// What every 64-bit processor has.
    Portable,
    /// Four numbers.
    Avx2,
    /// Eight numbers.
    #[default]
    Avx512,
}

/// Runs a kernel in the widest registers at hand up to some.
#[inline]
#[cfg_attr(not(target_arch = "x86_64"), expect(unused_variables, reason = "other processors have one width"))]
pub fn run_up_to<K: Kernel>(width: Width, kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    {
        if width == Width::Avx512
            && let Some(token) = pulp::x86::V4::try_new()
        {
            return token.vectorize(avx512::OnAvx512 { token, kernel });
        }
        if width != Width::Portable
            && let Some(token) = pulp::x86::V3::try_new()
        {
            return token.vectorize(avx2::OnAvx2 { token, kernel });
        }
    }
    kernel.run(Portable)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operation on eight pairs of numbers.
    struct Everything([f64; 8], [f64; 8]);

    impl Kernel for Everything {
        type Output = Vec<u64>;

        #[inline(always)]
        fn run<R: Registers>(self, registers: R) -> Self::Output {
            let mut numbers = vec![[0.0; 8]; 24];
            let mut sums = [0.1; SUMS];
            let (mut masks, mut rows) = ([0; 4], [[0.0; 4]; 8]);
            for start in (0..8).step_by(R::LANES) {
                let a = registers.vector(|lane| self.0[start + lane]);
                let b = registers.vector(|lane| self.1[start + lane]);
                let (less, more) = (a.less(b), b.less(a));
                let with_two = registers.first(2usize.saturating_sub(start));
                let table: Vec<[f64; 4]> = (0..R::LANES)
                    .map(|lane| [lane, lane + 10, lane + 20, lane + 30].map(|k| (start + k) as f64))
                    .collect();
                let columns = registers.columns(|lane| &table[lane]);
                registers.rows([a, b, a + b, a * b], |lane, row| rows[start + lane] = row);
                let all = [
                    a + b,
                    a - b,
                    a * b,
                    a / b,
                    -a,
                    a * 3.0,
                    a + 0.1,
                    registers.splat(0.3),
                    a.magnitude(),
                    a.magnitude().sqrt(),
                    a.smaller(b),
                    a.larger(b),
                    less.choose(a, b),
                    less.keep(a),
                    less.or(more).keep(b),
                    less.and(more).keep(b),
                    less.but_not(more).keep(b),
                    with_two.keep(a),
                    columns[0],
                    columns[1],
                    columns[2],
                    columns[3],
                ];
                for (index, vector) in all.into_iter().enumerate() {
                    numbers[index][start..start + R::LANES].copy_from_slice(vector.array().as_ref());
                }
                a.add_to(&mut sums);
                for (of_all, mask) in masks.iter_mut().zip([less, more, less.or(more), with_two]) {
                    *of_all |= mask.bits() << start;
                }
            }
            let numbers =
                numbers.into_iter().flatten().chain(sums).chain([sum(sums)]).chain(rows.into_iter().flatten());
            numbers.map(f64::to_bits).chain(masks.map(u64::from)).collect()
        }
    }

    #[test]
    fn all_registers_give_the_same_bits() {
        let numbers = [1.0, -2.5, 1e300, 3e-310, 0.1, -0.7, f64::INFINITY, f64::MAX, 7.0 / 3.0, -1e-8];
        for k in 0..numbers.len() {
            for l in 0..numbers.len() {
                let of = |shift: usize| std::array::from_fn(|lane| numbers[(shift + lane * lane) % 10]);
                let (a, b) = (of(k), of(l));
                let portable = run_up_to(Width::Portable, Everything(a, b));
                assert_eq!(run_up_to(Width::Avx2, Everything(a, b)), portable);
                assert_eq!(run_up_to(Width::Avx512, Everything(a, b)), portable);
            }
        }
    }
}
