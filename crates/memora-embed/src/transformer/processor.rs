//! What the processor can do at once: [`Multiplier`], and [`run`], which compiles a computation for the processors that there are.
//!
//! `pulp` finds out whether there is AVX-512 or AVX2, once; no `unsafe` is ours. Elsewhere the same loops are compiled for what every processor of
//! that kind has, which on ARM is NEON. Invariant: **a computation that is run here is `#[inline(always)]` down to its loops**: what is
//! called instead would be compiled without the processor's features.

use pulp::bytemuck::Pod;

/// What a row's numbers are a multiple of, so that any processor takes them whole.
pub(super) const LANES_MAX: usize = 32;

/// A computation that [`run`] compiles for each kind of processor.
pub(super) trait Computation {
    type Output;

    fn compute<M: Multiplier>(self, multiplier: M) -> Self::Output;
}

/// Multiplies some pairs of integers at once and adds the products up, in sums of 32 bits.
pub(super) trait Multiplier: Copy {
    /// How many products of integers are made at once.
    const LANES: usize = size_of::<Self::Lane>() / size_of::<i16>();

    /// So many numbers as the processor takes them. They are put there through a slice of numbers: converting each would copy it.
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
    {
        if let Some(avx512) = pulp::x86::V4::try_new() {
            return avx512.vectorize(On(computation, avx512));
        }
        if let Some(avx2) = pulp::x86::V3::try_new() {
            return avx2.vectorize(On(computation, avx2));
        }
    }
    computation.compute(Portable)
}

/// A computation and what it is compiled for.
#[cfg(target_arch = "x86_64")]
struct On<C, M>(C, M);

#[cfg(target_arch = "x86_64")]
impl<C: Computation, M: Multiplier> pulp::NullaryFnOnce for On<C, M> {
    type Output = C::Output;

    #[inline(always)]
    fn call(self) -> C::Output {
        self.0.compute(self.1)
    }
}

/// By loops alone.
#[derive(Clone, Copy)]
pub(super) struct Portable;

impl Multiplier for Portable {
    type Lane = [i16; 16];
    type Sums = [i32; 8];

    #[inline(always)]
    fn zero(self) -> Self::Sums {
        [0; 8]
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

#[cfg(target_arch = "x86_64")]
impl Multiplier for pulp::x86::V4 {
    type Lane = core::arch::x86_64::__m512i;
    type Sums = core::arch::x86_64::__m512i;

    #[inline(always)]
    fn zero(self) -> Self::Sums {
        self.avx512f._mm512_setzero_si512()
    }

    #[inline(always)]
    fn add_products(self, sums: Self::Sums, one: Self::Lane, other: Self::Lane) -> Self::Sums {
        self.avx512f._mm512_add_epi32(sums, self.avx512bw._mm512_madd_epi16(one, other))
    }

    #[inline(always)]
    fn totals(self, [one, two, three, four]: [Self::Sums; 4]) -> [i32; 4] {
        let avx2: pulp::x86::V3 = *self;
        avx2.totals([halve(self, one), halve(self, two), halve(self, three), halve(self, four)])
    }
}

/// Both halves of some sums, added. No closure: that would be compiled without the processor's features.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn halve(avx512: pulp::x86::V4, sums: core::arch::x86_64::__m512i) -> core::arch::x86_64::__m256i {
    let low = avx512.avx512f._mm512_castsi512_si256(sums);
    avx512.avx2._mm256_add_epi32(low, avx512.avx512f._mm512_extracti64x4_epi64::<1>(sums))
}

#[cfg(test)]
mod tests {
    use pulp::bytemuck::Zeroable as _;

    use super::*;

    const LANES: usize = LANES_MAX;

    struct Products([i16; LANES], [i16; LANES]);

    impl Computation for Products {
        type Output = [i32; 4];

        #[inline(always)]
        fn compute<M: Multiplier>(self, multiplier: M) -> [i32; 4] {
            let lanes = |numbers: &[i16; LANES]| -> Vec<M::Lane> {
                let lanes = numbers.chunks_exact(M::LANES).map(|numbers| {
                    let mut lane = [M::Lane::zeroed()];
                    pulp::bytemuck::cast_slice_mut::<_, i16>(&mut lane).copy_from_slice(numbers);
                    lane[0]
                });
                lanes.collect()
            };
            let (ones, others) = (lanes(&self.0), lanes(&self.1));
            let add = |sums| {
                ones.iter().zip(&others).fold(sums, |sums, (one, other)| multiplier.add_products(sums, *one, *other))
            };
            let sums = add(multiplier.zero());
            multiplier.totals([sums, multiplier.zero(), add(sums), sums])
        }
    }

    #[test]
    fn every_processor_makes_the_same_products() {
        let one: [i16; LANES] = std::array::from_fn(|at| i16::try_from(at * 2047).unwrap_or_default() - 16_000);
        let other: [i16; LANES] = std::array::from_fn(|at| i16::try_from(at * 17).unwrap_or_default() - 128);
        let total: i32 = one.iter().zip(&other).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum();
        let expected = [total, 0, 2 * total, total];
        assert_eq!(run(Products(one, other)), expected);
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = pulp::x86::V3::try_new() {
            assert_eq!(avx2.vectorize(On(Products(one, other), avx2)), expected);
        }
        assert_eq!(Products(one, other).compute(Portable), expected);
    }
}
