//! What was done to something, by whomever: `Nomvula took the kids to the rink` as `The kids were taken to the rink`.
//!
//! The one rule to know: **only what the tree of the note surely says was done to it becomes the subject**, and all that
//! stands behind it stays. With *by* the sentence is turned instead ([`crate::readings`]).

use crate::align::follows;
use crate::atom::{Atom, AtomKind};
use crate::passage::Passage;
use crate::premise::Premise;
use crate::readings::active;
use memora_nlp::stem::is_past;

/// Whether a passive sentence follows from an active clause of a note.
pub(crate) fn was_done(own: &[Atom], note: &Passage, premise: &Premise) -> bool {
    let be = |atom: &Atom| atom.is("was") || atom.is("were");
    let passive =
        own.windows(2).any(|two| matches!(two, [help, verb] if be(help) && is_past(&verb.lower) && !verb.is_copula()));
    if !passive {
        return false;
    }
    premise.said().iter().any(|said| {
        let Some(object) = &said.done_to else { return false };
        let verb = note.atoms.iter().position(|atom| atom.tokens.start == said.verb);
        let Some(verb) = verb.filter(|at| !is_limited(note, *at)) else { return false };
        let inside = |atom: &&Atom| object.contains(&atom.tokens.start);
        let known = own.iter().any(|atom| note.atoms.get(verb).is_some_and(|their| their.key == atom.key));
        let Some(their) = note.atoms.get(verb).filter(|_| known) else { return false };
        let help =
            Atom { kind: AtomKind::Word, key: "was".to_owned(), lower: "was".to_owned(), tokens: their.tokens.clone() };
        let front = note.atoms.iter().filter(inside).cloned().chain([help, their.clone()]);
        let behind = note.atoms.iter().filter(|atom| atom.tokens.start >= object.end).cloned();
        follows(own, &note.with_atoms(front.chain(behind).collect()))
    })
}

/// Whether a sentence follows from a passive clause of a note with its agent, told the other way: `Raúl upgraded staging` of
/// `Staging was upgraded by Raúl`.
pub(crate) fn did(own: &[Atom], note: &Passage) -> bool {
    let ends: Vec<usize> = (0..=note.atoms.len()).filter(|at| note.is_end(*at)).collect();
    let mut start = 0;
    for end in ends {
        let clause = note.atoms.get(start..end).unwrap_or_default();
        start = end + 1;
        let turned = active(clause).filter(|_| !clause.iter().any(|atom| atom.is_guard() && !atom.is("to")));
        if turned.is_some_and(|atoms| follows(own, &note.with_atoms(atoms))) {
            return true;
        }
    }
    false
}

/// Whether anything in front of an atom in its sentence limits what is said.
fn is_limited(note: &Passage, at: usize) -> bool {
    (0..at)
        .rev()
        .take_while(|i| !note.is_end(*i))
        .any(|i| note.their(i).is_some_and(|atom| atom.is_guard() || atom.is_break(':')))
}
