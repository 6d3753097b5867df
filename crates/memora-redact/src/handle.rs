//! Opaque names for guarded claims and subjects.

use std::fmt;

use memora_vault::NotePath;

/// Creates the opaque names under which guarded claims leave the process.
///
/// A claim's id and fingerprint are hashes of its content, and a guessed salary could be confirmed with them. A
/// handle is a keyed hash of the claim's position (its note, and its index among the guarded statements): it reveals
/// nothing about the text, and nothing at all without the key. The key is kept in the user's configuration folder.
#[derive(Clone)]
pub struct Handles {
    key: [u8; 32],
}

impl Handles {
    /// Creates a generator with the user's key.
    #[must_use]
    pub fn new(key: [u8; 32]) -> Self {
        Self { key }
    }

    /// Returns the handle of the `ordinal`-th statement of a note: `~` and twelve letters or digits.
    #[must_use]
    pub fn handle_for_claim(&self, note: &NotePath, ordinal: u32) -> String {
        format!("~{}", self.keyed_hash_letters::<12>("claim", note, ordinal))
    }

    /// Returns a name for a subject that occurs only in guarded text.
    pub(crate) fn alias_for_subject(&self, note: &NotePath, ordinal: u32) -> String {
        format!("subject-{}", self.keyed_hash_letters::<6>("subject", note, ordinal))
    }

    fn keyed_hash_letters<const N: usize>(&self, what: &str, note: &NotePath, ordinal: u32) -> String {
        const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        hasher.update(what.as_bytes()).update(&[0]).update(note.as_str().as_bytes()).update(&ordinal.to_le_bytes());
        let hash = hasher.finalize();
        hash.as_bytes().iter().take(N).map(|byte| char::from(ALPHABET[usize::from(byte & 31)])).collect()
    }
}

/// Never prints the key.
impl fmt::Debug for Handles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Handles(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_differ_by_place_and_key_and_are_stable() {
        let note = |path: &str| NotePath::new(path).expect("a good path");
        let keys = Handles::new([7; 32]);
        let one = keys.handle_for_claim(&note("a.md"), 0);
        assert_eq!(one, keys.handle_for_claim(&note("a.md"), 0));
        assert_ne!(one, keys.handle_for_claim(&note("a.md"), 1));
        assert_ne!(one, keys.handle_for_claim(&note("b.md"), 0));
        assert_ne!(one, Handles::new([8; 32]).handle_for_claim(&note("a.md"), 0));
        assert_eq!(one.len(), 13);
    }
}
