//! Notes that Memora or another machine wrote, by their `memora` property.

use memora_vault::{Note, PropertyValue};

/// Whether the `memora` property says this word.
fn has_memora_property(note: &Note, word: &str) -> bool {
    matches!(note.unguarded_property("memora"), Some(PropertyValue::Text(text)) if text == word)
}

/// Whether a machine wrote the note: captured, or an agent's memory. Any `memora` property but that of a review says so,
/// with any value, so that no mistake makes a machine's words the user's.
pub(crate) fn is_captured(note: &Note) -> bool {
    note.property("memora").is_some() && !is_review(note)
}

/// Whether the note is a file of agents' memory, of whose properties none claims anything.
pub(crate) fn is_memory(note: &Note) -> bool {
    ["memory", "log", "scratchpad", "session"].iter().any(|word| has_memora_property(note, word))
}

/// Whether Memora wrote the note, for review.
pub(crate) fn is_review(note: &Note) -> bool {
    has_memora_property(note, "review")
}
