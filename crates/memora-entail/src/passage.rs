//! The side of the note in an alignment: where its clauses begin and end, and what of it may be left out.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use memora_nlp::WordSenses;

use crate::atom::{Atom, AtomKind, atoms};
use crate::lists::{COLOURING_WORDS, FUNCTION, PEOPLE};
use crate::premise::Premise;
use crate::text::Text;
use memora_nlp::stem::is_past;

/// No passage worth aligning is longer, in atoms.
const ATOMS_MAX: usize = 600;
/// How many atoms of a label name something.
const LABEL_MAX: usize = 12;

/// A premise's words as atoms, with what its context says.
pub(crate) struct Passage {
    pub(crate) atoms: Vec<Atom>,
    /// The keys of what the context says.
    pub(crate) context: Arc<HashSet<String>>,
    /// Whether the context names a person that a clause without a subject may be about.
    pub(crate) about_somebody: bool,
}

impl Passage {
    /// The atoms of a premise, if they are not too many.
    pub(crate) fn of(premise: &Premise) -> Option<Self> {
        let atoms_of = atoms(&premise.words, premise.by_owner);
        let around = premise.context.iter().chain(&premise.aliases);
        let context: HashSet<String> = around.flat_map(|text| atoms(text, false)).map(|atom| atom.key).collect();
        let context = Arc::new(context);
        let about_somebody = !premise.by_owner || premise.context.iter().any(names_somebody);
        (atoms_of.len() <= ATOMS_MAX).then_some(Self { atoms: atoms_of, context, about_somebody })
    }

    /// How many words with content, numbers and dates of a sentence the passage and its context lack.
    pub(crate) fn lacks(&self, own: &[Atom]) -> usize {
        let stands = |atom: &Atom| {
            let in_words =
                self.atoms.iter().any(|their| their.is_same(atom) || (their.key == atom.key && !atom.key.is_empty()));
            in_words || self.context.contains(&atom.key)
        };
        let says = |atom: &&Atom| match atom.kind {
            AtomKind::Word => !FUNCTION.contains(atom.lower.as_str()),
            AtomKind::Number(_) | AtomKind::Date(_) | AtomKind::Clock(_) => true,
            _ => false,
        };
        own.iter().filter(says).filter(|atom| !stands(atom)).count()
    }

    /// The same passage with other atoms.
    pub(crate) fn with_atoms(&self, atoms: Vec<Atom>) -> Self {
        Self { atoms, context: self.context.clone(), about_somebody: self.about_somebody }
    }

    /// The words of some tokens, as they stand.
    pub(crate) fn words(&self, tokens: &Range<usize>, premise: &Premise) -> String {
        let bytes = |at: usize| premise.words.tokens.get(at).map_or(0..0, |t| t.range.clone());
        let range = bytes(tokens.start).start..bytes(tokens.end.saturating_sub(1)).end;
        premise.words.slice(&range).trim().to_owned()
    }

    /// The words of the sentence or line around an atom.
    pub(crate) fn clause_around(&self, at: usize, premise: &Premise) -> String {
        let start = (0..at).rev().find(|i| self.is_end(*i)).map_or(0, |i| i + 1);
        let end = (at..self.atoms.len()).find(|i| self.is_end(*i)).unwrap_or(self.atoms.len());
        let tokens = |i: usize| self.atoms.get(i).map_or(0..0, |atom| atom.tokens.clone());
        self.words(&(tokens(start).start..tokens(end.saturating_sub(1)).end), premise)
    }

    pub(crate) fn their(&self, at: usize) -> Option<&Atom> {
        self.atoms.get(at)
    }

    /// Whether an atom ends a sentence or a line of the note.
    pub(crate) fn is_end(&self, at: usize) -> bool {
        self.their(at).is_none_or(|atom| matches!(atom.kind, AtomKind::Break('.' | '!' | ';' | '\n' | '|' | '?' | '…')))
    }

    /// The label of the line that an atom stands in: what stands in front of its first colon.
    pub(crate) fn label(&self, at: usize) -> &[Atom] {
        let start = (0..at)
            .rev()
            .find(|i| self.their(*i).is_some_and(|a| a.is_break('\n') || a.is_break('|')))
            .map_or(0, |i| i + 1);
        let line = self.atoms.get(start..at).unwrap_or_default();
        let colon = line.iter().position(|atom| atom.is_break(':')).unwrap_or(0);
        line.get(..colon.min(LABEL_MAX)).unwrap_or_default()
    }

    /// Whether the rest of a sentence of the note may be left out from an atom on.
    pub(crate) fn may_stop(&self, at: usize) -> bool {
        let asks = (at..self.atoms.len())
            .find(|i| self.is_end(*i))
            .is_some_and(|i| self.their(i).is_some_and(|a| a.is_break('?')));
        if asks {
            return false;
        }
        let Some(atom) = self.their(at).filter(|_| !self.is_end(at)) else { return true };
        // What follows a comma, a dash or a bracket may take back what stands in front: `, in theory`.
        let parts = atom.is("and");
        let rest = (at + 1..self.atoms.len()).take_while(|i| !self.is_end(*i)).filter_map(|i| self.their(i));
        let mut next = rest.skip_while(|atom| matches!(atom.kind, AtomKind::Break(_)) || atom.is("and")).peekable();
        // `A and, when B, C` says A; `A, but B` and `A, not B` may say less.
        let inserted = atom.is("and") && self.their(at + 1).is_some_and(|atom| atom.is_break(','));
        if inserted {
            return true;
        }
        if !parts || next.peek().is_some_and(|first| first.is_guard()) {
            return false;
        }
        // A short rest with a hedge is about what stands in front: `, I think`.
        let part: Vec<&Atom> = next.take_while(|atom| !atom.is_break(',')).collect();
        part.len() > 4 || !part.iter().any(|atom| atom.is_guard() && !atom.is("to"))
    }

    /// Where a bracket that opens at an atom ends, if it holds a date and nothing else: words in brackets limit (`(hopefully)`,
    /// `(in mice)`, `(moved to Monday)`) in more ways than can be listed.
    pub(crate) fn closed(&self, at: usize) -> Option<usize> {
        let end = (at + 1..self.atoms.len()).find(|i| self.their(*i).is_some_and(|a| a.is_break(')')))?;
        matches!(self.atoms.get(at + 1..end)?, [Atom { kind: AtomKind::Date(_), .. }]).then_some(end + 1)
    }

    /// Whether a clause of the note leaves out its *is*: none stands close in front or behind.
    pub(crate) fn lacks_verb(&self, at: usize) -> bool {
        let front = (0..at).rev().take(6).take_while(|i| !self.is_end(*i));
        let behind = (at..self.atoms.len()).take(6).take_while(|i| !self.is_end(*i));
        !front.chain(behind).any(|i| self.their(i).is_some_and(Atom::is_copula))
    }

    /// Whether a clause without a subject is about the owner: a sentence of its own, first in its line or behind another one
    /// about the owner.
    pub(crate) fn is_by_owner(&self, at: usize) -> bool {
        let start_of = |at: usize| (0..at).rev().find(|i| self.is_end(*i)).map_or(0, |i| i + 1);
        let start = start_of(at);
        let led = self.atoms.get(start..at).unwrap_or_default();
        if self.about_somebody
            || !led.iter().all(|atom| atom.is("but") || atom.is("and") || may_skip(atom))
            || !self.label(at).is_empty()
        {
            return false;
        }
        let Some(before) = start.checked_sub(1) else { return true };
        let lines = self.their(before).is_some_and(|atom| atom.is_break('\n') || atom.is_break('|'));
        let previous = (start_of(before)..before).find_map(|i| self.their(i).filter(|atom| !may_skip(atom)));
        lines
            || previous.is_some_and(|atom| {
                atom.is("you") || (atom.kind == AtomKind::Word && is_past(&atom.lower) && !atom.is_copula())
            })
    }
}

/// Whether a text names a person: a name, as far as can be told, or a word for people.
fn names_somebody(text: &Text) -> bool {
    let is_person = |at: usize| {
        let token = text.tokens.get(at);
        token.is_some_and(|t| {
            let unknown = t.capital
                && t.is_content()
                && text.is_fact.get(at) != Some(&true)
                && !WordSenses::look_up(&t.lower).is_known();
            PEOPLE.contains(t.lower.as_str()) || unknown
        })
    };
    (0..text.tokens.len()).any(is_person)
}

/// Whether an atom of the note may be passed over inside a clause: marks between words, words that only colour.
pub(crate) fn may_skip(their: &Atom) -> bool {
    matches!(their.kind, AtomKind::Break(',' | '-' | ':')) || COLOURING_WORDS.iter().any(|word| their.is(word))
}
