//! Notes that Memora or another machine wrote, by their `memora` property, or by a head that stands where none should.

use memora_vault::{Note, PropertyValue};

/// Whether the `memora` property says this word.
fn has_memora_property(note: &Note, word: &str) -> bool {
    matches!(note.unguarded_property("memora"), Some(PropertyValue::Text(text)) if text == word)
}

/// Whether any head of the note calls it this.
fn is_called(note: &Note, word: &str) -> bool {
    has_memora_property(note, word) || note.machine_words().iter().any(|called| called == word)
}

/// Whether a machine wrote the note: captured, or an agent's memory. Any `memora` property but that of a review says so,
/// with any value, and so does any head elsewhere, so that no mistake makes a machine's words the user's.
pub(crate) fn is_captured(note: &Note) -> bool {
    let is_machines = note.property("memora").is_some() || !note.machine_words().is_empty();
    is_machines && !has_memora_property(note, "review")
}

/// Whether the note is a file of agents' memory, of whose properties none claims anything.
pub(crate) fn is_memory(note: &Note) -> bool {
    ["memory", "log", "scratchpad", "session"].iter().any(|word| is_called(note, word))
}

/// Whether Memora wrote the note, for review. What the front matter calls something else is not made one by its text.
pub(crate) fn is_review(note: &Note) -> bool {
    match note.property("memora") {
        Some(_) => has_memora_property(note, "review"),
        None => is_called(note, "review"),
    }
}
