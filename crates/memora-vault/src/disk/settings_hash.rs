//! The hash of settings and rules: [`SettingsHasher`].

use crate::Fingerprint;

/// Hashes a list of texts so that different lists never collide by concatenation.
#[derive(Clone, Debug)]
pub(super) struct SettingsHasher(blake3::Hasher);

impl SettingsHasher {
    /// The number is raised when the same settings come to be read differently.
    pub(super) fn new() -> Self {
        let mut hash = Self(blake3::Hasher::new());
        hash.add("vault rules 1");
        hash
    }

    pub(super) fn add(&mut self, text: &str) {
        self.0.update(&(text.len() as u64).to_le_bytes());
        self.0.update(text.as_bytes());
    }

    pub(super) fn finish(&self) -> Fingerprint {
        Fingerprint::from_bytes(*self.0.finalize().as_bytes())
    }
}
