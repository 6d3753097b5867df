//! Chance that is the same for the same seed (SplitMix64).

pub(crate) struct Random(u64);

impl Random {
    /// The chance of one purpose, so that another purpose more or less does not change it.
    pub(crate) fn of(seed: u64, purpose: &str) -> Self {
        let mixed = purpose
            .bytes()
            .fold(seed ^ 0x9E37_79B9_7F4A_7C15, |state, byte| (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3));
        Self(mixed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; 0 where that is 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let drawn = self.next() % (bound.max(1) as u64);
        usize::try_from(drawn).unwrap_or_default()
    }

    pub(crate) fn choose<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        of.get(self.below(of.len()))
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}
