//! Names for what may not be named.

use std::fmt;

use memora_vault::NotePath;

/// Makes the opaque names under which guarded claims leave.
///
/// A claim's id and fingerprint are hashes of its content, and a guessed salary could be confirmed with them. A handle
/// is a keyed hash of where the claim stands (which note, the how-manieth guarded statement of it), so it says nothing
/// about the words, and nothing at all to whoever lacks the key. The key lies in the user's configuration folder.
#[derive(Clone)]
pub struct Handles {
    key: [u8; 32],
}

impl Handles {
    /// Takes the user's key.
    #[must_use]
    pub fn new(key: [u8; 32]) -> Self {
        Self { key }
    }

    /// The handle of the `ordinal`-th statement of a note: `~` and twelve letters.
    #[must_use]
    pub fn handle_for_claim(&self, note: &NotePath, ordinal: u32) -> String {
        format!("~{}", self.keyed_hash_letters::<12>("claim", note, ordinal))
    }

    /// A name for a subject that occurs nowhere outside guarded text.
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

/// Never the key.
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
