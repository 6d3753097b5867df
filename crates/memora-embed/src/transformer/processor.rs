//! What the processor can do at once: [`Multiplier`], and [`run`], which compiles a computation for the processors that there are.
//!
//! `pulp` finds out whether there is AVX2, once; no `unsafe` is ours. Elsewhere the same loops are compiled for what every processor of
//! that kind has, which on ARM is NEON. Invariant: **a computation that is run here is `#[inline(always)]` down to its loops**: what is
//! called instead would be compiled without the processor's features.

use pulp::bytemuck::Pod;

/// How many products of integers are made at once.
pub(super) const LANES: usize = 16;

/// A computation that [`run`] compiles for each kind of processor.
pub(super) trait Computation {
    type Output;

    fn compute<M: Multiplier>(self, multiplier: M) -> Self::Output;
}

/// Multiplies 16 pairs of integers at once and adds the products up, in sums of 32 bits.
pub(super) trait Multiplier: Copy {
    /// 16 numbers as the processor takes them. They are put there through a slice of numbers: converting each would copy it.
    type Lane: Pod;

    type Sums: Copy;

    fn zero(self) -> Self::Sums;

    /// Adds the products to the sums. They wrap around where a product of whole rows does not fit into 32 bits.
    fn add_products(self, sums: Self::Sums, one: Self::Lane, other: Self::Lane) -> Self::Sums;

    /// The totals of four sums.
    fn totals(self, sums: [Self::Sums; 4]) -> [i32; 4];
}

/// Runs a computation by the best instructions that this processor has.
pub(super) fn run<C: Computation>(computation: C) -> C::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = pulp::x86::V3::try_new() {
        struct OnAvx2<C>(C, pulp::x86::V3);

        impl<C: Computation> pulp::NullaryFnOnce for OnAvx2<C> {
            type Output = C::Output;

            #[inline(always)]
            fn call(self) -> C::Output {
                self.0.compute(self.1)
            }
        }

        return avx2.vectorize(OnAvx2(computation, avx2));
    }
    computation.compute(Portable)
}

/// By loops alone.
#[derive(Clone, Copy)]
pub(super) struct Portable;

impl Multiplier for Portable {
    type Lane = [i16; LANES];
    type Sums = [i32; LANES / 2];

    #[inline(always)]
    fn zero(self) -> Self::Sums {
        [0; LANES / 2]
    }

    #[inline(always)]
    fn add_products(self, mut sums: Self::Sums, one: Self::Lane, other: Self::Lane) -> Self::Sums {
        let (ones, _) = one.as_chunks::<2>();
        let (others, _) = other.as_chunks::<2>();
        for ((sum, [a, b]), [c, d]) in sums.iter_mut().zip(ones).zip(others) {
            let products = i32::from(*a) * i32::from(*c) + i32::from(*b) * i32::from(*d);
            *sum = sum.wrapping_add(products);
        }
        sums
    }

    #[inline(always)]
    fn totals(self, sums: [Self::Sums; 4]) -> [i32; 4] {
        let mut totals = [0i32; 4];
        for (total, sums) in totals.iter_mut().zip(sums) {
            for sum in sums {
                *total = total.wrapping_add(sum);
            }
        }
        totals
    }
}

#[cfg(target_arch = "x86_64")]
impl Multiplier for pulp::x86::V3 {
    type Lane = core::arch::x86_64::__m256i;
    type Sums = core::arch::x86_64::__m256i;

    #[inline(always)]
    fn zero(self) -> Self::Sums {
        self.avx._mm256_setzero_si256()
    }

    #[inline(always)]
    fn add_products(self, sums: Self::Sums, one: Self::Lane, other: Self::Lane) -> Self::Sums {
        self.avx2._mm256_add_epi32(sums, self.avx2._mm256_madd_epi16(one, other))
    }

    #[inline(always)]
    fn totals(self, [one, two, three, four]: [Self::Sums; 4]) -> [i32; 4] {
        let avx2 = self.avx2;
        // Each half holds a half of each total.
        let halves = avx2._mm256_hadd_epi32(avx2._mm256_hadd_epi32(one, two), avx2._mm256_hadd_epi32(three, four));
        let (low, high) = (self.avx._mm256_castsi256_si128(halves), avx2._mm256_extracti128_si256::<1>(halves));
        pulp::bytemuck::cast(self.sse2._mm_add_epi32(low, high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Products([i16; LANES], [i16; LANES]);

    impl Computation for Products {
        type Output = [i32; 4];

        #[inline(always)]
        fn compute<M: Multiplier>(self, multiplier: M) -> [i32; 4] {
            let lane = pulp::bytemuck::cast::<_, M::Lane>;
            let sums = multiplier.add_products(multiplier.zero(), lane(self.0), lane(self.1));
            let twice = multiplier.add_products(sums, lane(self.0), lane(self.1));
            multiplier.totals([sums, multiplier.zero(), twice, sums])
        }
    }

    #[test]
    fn every_processor_makes_the_same_products() {
        let one: [i16; LANES] = std::array::from_fn(|at| i16::try_from(at * 2047).unwrap_or_default() - 16_000);
        let other: [i16; LANES] = std::array::from_fn(|at| i16::try_from(at * 17).unwrap_or_default() - 128);
        let total: i32 = one.iter().zip(&other).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum();
        let expected = [total, 0, 2 * total, total];
        assert_eq!(run(Products(one, other)), expected);
        assert_eq!(Products(one, other).compute(Portable), expected);
    }
}
