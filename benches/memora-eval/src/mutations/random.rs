//! A pseudo-random generator with a fixed seed (SplitMix64).

pub(crate) struct SeededRandom(u64);

impl SeededRandom {
    /// Creates a generator for one purpose, so that the draws of other purposes do not affect it.
    pub(crate) fn for_purpose(seed: u64, purpose: &str) -> Self {
        let mixed = purpose
            .bytes()
            .fold(seed ^ 0x9E37_79B9_7F4A_7C15, |state, byte| (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3));
        Self(mixed)
    }

    fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Draws a number below `bound`; 0 if `bound` is 0.
    pub(crate) fn draw_below(&mut self, bound: usize) -> usize {
        let drawn = self.next_u64() % (bound.max(1) as u64);
        usize::try_from(drawn).unwrap_or_default()
    }

    pub(crate) fn choose<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        of.get(self.draw_below(of.len()))
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.draw_below(at + 1));
        }
    }
}
