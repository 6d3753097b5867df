//! Notes that Memora or another machine wrote, by their `memora` property.

use memora_vault::{Note, PropertyValue};

/// Whether the `memora` property says this word.
fn has_memora_property(note: &Note, word: &str) -> bool {
    matches!(note.unguarded_property("memora"), Some(PropertyValue::Text(text)) if text == word)
}

/// Whether the note is captured: written by a machine.
pub(crate) fn is_captured(note: &Note) -> bool {
    has_memora_property(note, "captured")
}

/// Whether Memora wrote the note, for review.
pub(crate) fn is_review(note: &Note) -> bool {
    has_memora_property(note, "review")
}
