//! The seal: proof that a file is, byte for byte, what Memora wrote.

use crate::MemoryId;
use crate::document::Document;
use crate::names::LETTERS;

/// The key of this machine, which no agent has.
#[derive(Clone)]
pub struct SealKey([u8; 32]);

impl SealKey {
    /// Takes a key as it was read.
    #[must_use]
    pub fn new(key: [u8; 32]) -> Self {
        Self(key)
    }

    /// Prints a document under its seal, in place of any that it has.
    #[must_use]
    pub fn seal(&self, document: &Document) -> String {
        let mut sealed = document.clone();
        sealed.remove("seal");
        let seal = self.sign(&sealed.print());
        sealed.set_plain("seal", &seal);
        sealed.print()
    }

    /// Returns whether the text is what [`SealKey::seal`] printed under this key.
    #[must_use]
    pub fn is_sealed(&self, text: &str) -> bool {
        Document::parse(text).is_some_and(|document| document.text("seal").is_some() && self.seal(&document) == text)
    }

    /// Signs a file of an export, with its path and its band: only this key makes the same mark of the same.
    #[must_use]
    pub fn mark_export(&self, path: &str, band: &str, file: &str) -> String {
        // No seal is over this, and a path has no line end.
        self.sign(&format!("memora export\n{band}\n{path}\n{file}"))
    }

    /// Signs the words of a memory, as its user confirmed them or is asked about them: 26 letters and digits, other ones for
    /// each purpose.
    #[must_use]
    pub fn sign_words(&self, purpose: &str, id: &MemoryId, words: &str) -> String {
        // No document begins like this, so it is the seal of none.
        self.sign(&format!("{purpose} {id}\n{words}"))
    }

    fn sign(&self, text: &str) -> String {
        let hash = blake3::keyed_hash(&self.0, text.as_bytes());
        let (mut bits, mut held, mut seal) = (0_u32, 0, String::new());
        for byte in hash.as_bytes().iter().take(17) {
            (bits, held) = ((bits << 8) | u32::from(*byte), held + 8);
            while held >= 5 && seal.len() < 26 {
                held -= 5;
                let letter = LETTERS.get((bits >> held) as usize & 31).copied().unwrap_or(b'0');
                seal.push(char::from(letter));
            }
        }
        seal
    }
}

/// Never prints the key.
impl std::fmt::Debug for SealKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SealKey")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_holds_for_this_file_at_this_place() {
        let key = SealKey::new([7; 32]);
        let mark = key.mark_export("a.md", "public", "words");
        assert_eq!(mark, key.mark_export("a.md", "public", "words"));
        for other in [
            SealKey::new([8; 32]).mark_export("a.md", "public", "words"),
            key.mark_export("b.md", "public", "words"),
            key.mark_export("a.md", "private", "words"),
            key.mark_export("a.md", "public", "words."),
        ] {
            assert_ne!(mark, other);
        }
    }

    #[test]
    fn a_seal_holds_for_these_bytes_and_this_key_alone() {
        let key = SealKey::new([7; 32]);
        let document = Document::parse("---\nmemora: memory\nid: mem-1\n---\nAnna likes rye.\n").expect("a document");
        let sealed = key.seal(&document);
        assert!(key.is_sealed(&sealed), "{sealed}");
        assert_eq!(sealed.lines().find_map(|line| line.strip_prefix("seal: ")).map(str::len), Some(26));
        assert!(!SealKey::new([8; 32]).is_sealed(&sealed));
        assert!(!key.is_sealed(&document.print()));
        for (at, _) in sealed.char_indices() {
            let mut broken = sealed.clone();
            broken.insert(at, 'x');
            assert!(!key.is_sealed(&broken), "{broken}");
        }
        assert!(!key.is_sealed(&format!("{sealed} ")));
        // Sealing again changes nothing.
        assert_eq!(key.seal(&Document::parse(&sealed).expect("a document")), sealed);
    }
}
