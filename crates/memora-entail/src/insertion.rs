//! Clauses between two commas: `Anna, who leads drift, moved` says that Anna moved and that Anna leads drift.
//!
//! The one rule to know: **what stands between the commas is one clause or one name for what stands in front**, with no comma
//! of its own and nothing in it that limits; where a list may be meant, nothing is passed over.

use memora_nlp::DependencyParser;

use crate::atom::{Atom, AtomKind};
use crate::lists::FUNCTION;
use crate::passage::Passage;
use memora_nlp::stem::is_past;

/// How long it may be, in atoms.
const LENGTH_MAX: usize = 14;
/// Words that limit nothing in what is passed over whole.
const PLAIN: [&str; 9] = ["after", "around", "before", "down", "off", "out", "over", "to", "up"];
/// How long the subject in front may be.
const SUBJECT_MAX: usize = 4;

fn is_relative(atom: &Atom) -> bool {
    atom.is("who") || atom.is("which") || atom.is("whose")
}

/// Where what opens at a comma closes, behind its second comma, if it may be passed over.
pub(crate) fn insertion(note: &Passage, at: usize) -> Option<usize> {
    let end = (at + 1..note.atoms.len())
        .take(LENGTH_MAX)
        .find(|i| note.is_end(*i) || note.their(*i).is_some_and(|a| a.is_break(',')))?;
    let inner = note.atoms.get(at + 1..end)?;
    let closed = note.their(end).is_some_and(|atom| atom.is_break(','));
    let next = note.their(end + 1)?;
    let joins = ["and", "or", "but", "nor", "not"].iter().any(|word| next.is(word)) || note.is_end(end + 1);
    let limits = inner.iter().any(|atom| atom.is_guard() && !PLAIN.iter().any(|word| atom.is(word)));
    let (first, second) = (inner.first()?, inner.get(1)?);
    let is_verb = |atom: &Atom| atom.kind == AtomKind::Word && (is_past(&atom.lower) || atom.is_copula());
    let clause = (first.is("who") || first.is("which"))
        && (is_verb(second) || DependencyParser::embedded().may_be_verb(&second.lower))
        || first.is("whose") && inner.iter().skip(2).any(is_verb);
    let names = first.is_article() || first.is("my") || first.is("our") || first.is("your");
    let apposition = names && inner.len() <= 5 && !inner.iter().any(is_verb) && !inner.iter().any(|a| a.is("and"));
    (closed && !joins && !limits && (clause || apposition)).then_some(end + 1)
}

/// Whether a `who` or `whose` tells of all that stands in front of it in its sentence: a short subject without a part.
pub(crate) fn tells_of_start(note: &Passage, at: usize) -> bool {
    if !note.their(at).is_some_and(is_relative)
        || !at.checked_sub(1).and_then(|i| note.their(i)).is_some_and(|a| a.is_break(','))
    {
        return false;
    }
    let start = (0..at).rev().find(|i| note.is_end(*i)).map_or(0, |i| i + 1);
    let front = note.atoms.get(start..at - 1).unwrap_or_default();
    let plain = |atom: &Atom| {
        atom.kind == AtomKind::Word
            && (atom.is_article() || atom.is("your") || !FUNCTION.contains(atom.lower.as_str()))
            && !is_past(&atom.lower)
    };
    !front.is_empty() && front.len() <= SUBJECT_MAX && front.iter().all(plain)
}
