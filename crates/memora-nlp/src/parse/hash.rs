//! The two hash functions the model was trained with: for words and for features.
//!
//! Invariant: **they are part of the model file format**, which stores hashes and no words. Any changed bit invalidates
//! every table.

/// An incremental hash of a string.
#[derive(Clone, Copy)]
pub(crate) struct TextHasher(u64);

impl TextHasher {
    pub(crate) const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    pub(crate) fn finish(self) -> u32 {
        (self.0 ^ (self.0 >> 32)) as u32
    }
}

/// Returns the hash of a string's bytes.
pub(crate) fn text_key(bytes: &[u8]) -> u32 {
    let mut text = TextHasher::new();
    text.push(bytes);
    text.finish()
}

/// Returns the key of the feature with template number `template` and three values.
#[inline(always)]
pub(crate) fn feature_key(template: u32, a: u32, b: u32, c: u32) -> u32 {
    const STEP: u64 = 0x517C_C1B7_2722_0A95;
    let mut hash = (u64::from(template) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    for value in [a, b, c] {
        hash = (hash.rotate_left(5) ^ u64::from(value)).wrapping_mul(STEP);
    }
    hash ^= hash >> 29;
    (hash.wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 32) as u32
}
