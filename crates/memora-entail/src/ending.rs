//! What may be left out at the end of a clause of a note: why something happened.
//!
//! The one rule to know: **what happened, happened whatever the reason**: only an outright past clause without
//! negation, hedge, condition or plan loses its end, and only up to the end of its sentence, where nothing limits it.

use crate::atom::{Atom, AtomKind};
use crate::passage::Passage;
use memora_nlp::stem::is_past;

/// Words with which a reason or a concession begins.
const REASONS: [&str; 3] = ["because", "although", "though"];
/// Words that limit what stands in front of them.
const LIMITS: [&str; 14] = [
    "if",
    "unless",
    "except",
    "only",
    "provided",
    "until",
    "till",
    "but",
    "otherwise",
    "instead",
    "maybe",
    "perhaps",
    "probably",
    "not",
];

/// Whether all that stands from an atom on to the end of its sentence may be left out.
pub(crate) fn may_leave_out(note: &Passage, at: usize) -> bool {
    let start = (0..at).rev().find(|i| note.is_end(*i)).map_or(0, |i| i + 1);
    let end = (at..note.atoms.len()).find(|i| note.is_end(*i)).unwrap_or(note.atoms.len());
    let (Some(front), Some(rest)) = (note.atoms.get(start..at), note.atoms.get(at..end)) else { return false };
    let happened = |atom: &Atom| atom.kind == AtomKind::Word && is_past(&atom.lower);
    let limits = |atom: &Atom| {
        LIMITS.iter().any(|word| atom.is(word)) || matches!(atom.kind, AtomKind::Sign | AtomKind::Break('?'))
    };
    if front.len() < 2
        || front.iter().any(|atom| atom.is_guard() && !atom.is("to"))
        || !front.iter().any(happened)
        || rest.iter().any(limits)
    {
        return false;
    }
    let Some(first) = rest.first() else { return false };
    // `so big that` goes with what it says.
    REASONS.iter().any(|word| first.is(word)) && !rest.iter().take(4).skip(2).any(|atom| atom.is("that"))
}
