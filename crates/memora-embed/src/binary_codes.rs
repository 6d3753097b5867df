//! Vectors in one bit a dimension: [`BinaryCodes`] of many vectors, and their Hamming distances to another.
//!
//! The Hamming distance of two vectors' signs is about proportional to the angle between them. That is enough to select
//! candidates among a million, at 1/32 of the memory. If the query's values are known in full, each difference can be
//! weighted by the value there (`weights_at`): that ranks far better, at twice the time. Invariant: **counts
//! are exact**, so that they are the same on every machine and in every order.

/// The signs of codes of one length, one after the other.
#[derive(Clone, Debug, Default)]
pub struct BinaryCodes {
    dimensions: usize,
    words: Vec<u64>,
}

impl BinaryCodes {
    /// Takes the signs of consecutive codes, each of `dimensions` values; an incomplete code at the end is
    /// ignored.
    pub fn from_codes(codes: &[i8], dimensions: usize) -> Self {
        let mut signs = Self { dimensions, words: Vec::new() };
        if let Some(count) = codes.len().checked_div(dimensions) {
            signs.words.reserve_exact(count * signs.words_per_code());
            codes.chunks_exact(dimensions).for_each(|code| signs.push(code));
        }
        signs
    }

    /// Returns the number of words per code.
    fn words_per_code(&self) -> usize {
        self.dimensions.div_ceil(64)
    }

    /// Appends the signs of a code.
    pub fn push(&mut self, code: &[i8]) {
        let words = self.words_per_code();
        self.words.extend(sign_bits(code).chain(std::iter::repeat(0)).take(words));
    }

    /// Replaces the code at an index; does nothing if it is out of range.
    pub fn replace(&mut self, place: usize, code: &[i8]) {
        let width = self.words_per_code();
        let own = self.words.get_mut(place * width..).unwrap_or_default();
        own.iter_mut().take(width).zip(sign_bits(code)).for_each(|(own, word)| *own = word);
    }

    /// Removes the code at an index and moves the last one there; does nothing if it is out of range.
    pub fn swap_remove(&mut self, place: usize) {
        let width = self.words_per_code();
        let Some(last) = self.words.len().checked_sub(width).filter(|last| place * width <= *last) else { return };
        self.words.copy_within(last.., place * width);
        self.words.truncate(last);
    }

    /// Returns for each code, in order, the number of dimensions whose sign differs from that of `code`.
    pub fn hamming_distances(&self, code: &[i8]) -> Vec<u16> {
        let asked: Vec<u64> = sign_bits(code).collect();
        // Where the width is known, the compiler unrolls the loop: 3 to 5 ns each, without any processor's own
        // instructions (x86-64, 256 dimensions).
        match self.words_per_code() {
            4 => count_all_differing::<4>(&asked, &self.words),
            6 => count_all_differing::<6>(&asked, &self.words),
            12 => count_all_differing::<12>(&asked, &self.words),
            0 => Vec::new(),
            width => self.words.chunks_exact(width).map(|own| count_differing(&asked, own)).collect(),
        }
    }

    /// Returns for the codes at `places` the total weight of the values of `code` at differing signs, each at most
    /// three; the maximum for an index out of range.
    pub fn weighted_distances_at(&self, code: &[i8], places: &[usize]) -> Vec<u16> {
        let (one, two) = weight_bits(code);
        let asked: Vec<u64> = sign_bits(code).collect();
        match self.words_per_code() {
            4 => weigh_all_differing::<4>([&asked, &one, &two], &self.words, places),
            6 => weigh_all_differing::<6>([&asked, &one, &two], &self.words, places),
            12 => weigh_all_differing::<12>([&asked, &one, &two], &self.words, places),
            width => {
                let own = |place: &usize| self.words.get(place * width..place * width + width);
                places
                    .iter()
                    .map(|place| own(place).map_or(u16::MAX, |own| weigh_differing(&asked, &one, &two, own)))
                    .collect()
            }
        }
    }
}

/// The code values from which a difference weighs one, two and three. A value of a unit vector has a code of 25 on
/// average, for any number of dimensions.
const WEIGHT_THRESHOLDS: [u8; 3] = [8, 25, 42];

/// The bits of each value's weight: the low ones, and the high ones.
fn weight_bits(code: &[i8]) -> (Vec<u64>, Vec<u64>) {
    let weight = |value: &i8| WEIGHT_THRESHOLDS.iter().filter(|from| value.unsigned_abs() >= **from).count() as u64;
    let bits = |bit: u64| {
        let word = |chunk: &[i8]| (0..).zip(chunk).fold(0, |word, (at, value)| word | (weight(value) >> bit & 1) << at);
        code.chunks(64).map(word).collect()
    };
    (bits(0), bits(1))
}

/// A bit for each value, set where it is below zero; the last word is filled up with zeros.
fn sign_bits(code: &[i8]) -> impl Iterator<Item = u64> + '_ {
    code.chunks(64).map(|chunk| (0..).zip(chunk).fold(0, |word, (bit, value)| word | u64::from(*value < 0) << bit))
}

fn count_all_differing<const WIDTH: usize>(asked: &[u64], all: &[u64]) -> Vec<u16> {
    let Some(asked) = asked.first_chunk::<WIDTH>() else { return Vec::new() };
    let (all, _) = all.as_chunks::<WIDTH>();
    let mut counts = vec![0; all.len()];
    for (sum, own) in counts.iter_mut().zip(all) {
        let mut differing = 0;
        for (asked, own) in asked.iter().zip(own) {
            differing += (asked ^ own).count_ones();
        }
        *sum = differing as u16;
    }
    counts
}

fn weigh_all_differing<const WIDTH: usize>([asked, one, two]: [&[u64]; 3], all: &[u64], places: &[usize]) -> Vec<u16> {
    let all = all.as_chunks::<WIDTH>().0;
    let (Some(asked), Some(one), Some(two)) = (asked.first_chunk::<WIDTH>(), one.first_chunk(), two.first_chunk())
    else {
        return vec![u16::MAX; places.len()];
    };
    let (one, two): (&[u64; WIDTH], &[u64; WIDTH]) = (one, two);
    places.iter().map(|place| all.get(*place).map_or(u16::MAX, |own| weigh_differing(asked, one, two, own))).collect()
}

#[inline]
fn weigh_differing(asked: &[u64], one: &[u64], two: &[u64], own: &[u64]) -> u16 {
    let mut weight = 0;
    for (((asked, one), two), own) in asked.iter().zip(one).zip(two).zip(own) {
        let differing = asked ^ own;
        weight += (differing & one).count_ones() + 2 * (differing & two).count_ones();
    }
    weight as u16
}

fn count_differing(asked: &[u64], own: &[u64]) -> u16 {
    asked.iter().zip(own).map(|(asked, own)| (asked ^ own).count_ones() as u16).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn plainly(left: &[i8], right: &[i8]) -> u16 {
        left.iter().zip(right).map(|(left, right)| u16::from((*left < 0) != (*right < 0))).sum()
    }

    /// What the values weigh whose signs differ, one by one.
    fn weighed(asked: &[i8], other: &[i8]) -> u16 {
        let weight =
            |value: i8| WEIGHT_THRESHOLDS.iter().map(|from| u16::from(value.unsigned_abs() >= *from)).sum::<u16>();
        let differs = |(asked, other): &(&i8, &i8)| (**asked < 0) != (**other < 0);
        asked.iter().zip(other).filter(differs).map(|(asked, _)| weight(*asked)).sum()
    }

    #[test]
    fn without_dimensions_there_is_nothing() {
        let mut signs = BinaryCodes::from_codes(&[1, 2, 3], 0);
        signs.push(&[]);
        signs.replace(0, &[]);
        signs.swap_remove(0);
        assert!(signs.hamming_distances(&[]).is_empty());
        assert!(
            BinaryCodes::default().hamming_distances(&[1]).is_empty()
                && BinaryCodes::default().weighted_distances_at(&[1], &[]).is_empty()
        );
    }

    proptest! {
        #[test]
        fn what_differs_is_counted_for_any_width(
            dimensions in prop::sample::select(vec![1_usize, 63, 64, 65, 256, 300, 384, 768]),
            seed in any::<u64>(),
            count in 1_usize..6,
        ) {
            let mut state = seed | 1;
            let mut code = || -> Vec<i8> {
                (0..dimensions).map(|_| {
                    state ^= state << 13;
                    state ^= state >> 7;
                    state ^= state << 17;
                    (state >> 20) as i8
                }).collect()
            };
            let asked = code();
            let mut codes: Vec<Vec<i8>> = (0..count).map(|_| code()).collect();
            let mut signs = BinaryCodes::from_codes(&codes.concat(), dimensions);
            let expect = |codes: &[Vec<i8>]| codes.iter().map(|code| plainly(&asked, code)).collect::<Vec<_>>();
            prop_assert_eq!(signs.hamming_distances(&asked), expect(&codes));
            codes.push(code());
            signs.push(codes.last().map(Vec::as_slice).unwrap_or_default());
            codes[0] = code();
            signs.replace(0, &codes[0]);
            codes.swap_remove(count / 2);
            signs.swap_remove(count / 2);
            signs.swap_remove(99);
            prop_assert_eq!(signs.hamming_distances(&asked), expect(&codes));
            let places = [count - 1, 0, 99];
            let at = signs.weighted_distances_at(&asked, &places);
            prop_assert_eq!(at, [weighed(&asked, &codes[count - 1]), weighed(&asked, &codes[0]), u16::MAX]);
        }
    }
}
