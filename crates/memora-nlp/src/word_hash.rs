//! The hash of words in lists: [`WordHash`].
//!
//! Each word of a text is looked up in dozens of lists that are part of the program. Nobody chooses their entries, so they
//! need no key against collisions, which the standard library's hash has and which makes it several times slower.
//! Invariant: **nothing stored depends on it**.

use std::hash::{BuildHasherDefault, Hasher};

/// Builds [`WordHasher`]s.
pub(crate) type WordHash = BuildHasherDefault<WordHasher>;

/// Mixes eight bytes at a time by a multiplication.
#[derive(Clone, Copy, Debug, Default)]
pub struct WordHasher(u64);

impl WordHasher {
    #[inline]
    fn mix(&mut self, part: u64) {
        self.0 = (self.0.rotate_left(5) ^ part).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

impl Hasher for WordHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let (parts, rest) = bytes.as_chunks::<8>();
        for part in parts {
            self.mix(u64::from_le_bytes(*part));
        }
        let mut last = [0; 8];
        if let Some(last) = last.get_mut(..rest.len()) {
            last.copy_from_slice(rest);
        }
        self.mix(u64::from_le_bytes(last) ^ (bytes.len() as u64) << 56);
    }

    /// What ends a string adds nothing: its length is in the hash.
    #[inline]
    fn write_u8(&mut self, byte: u8) {
        if byte != 0xFF {
            self.mix(byte.into());
        }
    }

    #[inline]
    fn finish(&self) -> u64 {
        // A table looks at the lowest and at the highest bits.
        (self.0 ^ self.0 >> 32).wrapping_mul(0xBF58_476D_1CE4_E5B9)
    }
}
