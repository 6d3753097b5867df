//! The side of the note in an alignment: where its clauses begin and end, and what of it may be left out.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use memora_nlp::WordSenses;

use crate::atom::{Atom, AtomKind, atoms};
use crate::lists::{COLOURING_WORDS, PEOPLE};
use crate::text::Text;
use memora_nlp::stem::is_past;

/// No passage worth aligning is longer, in atoms.
const ATOMS_MAX: usize = 600;
/// How many atoms of a label name something.
const LABEL_MAX: usize = 12;

/// A premise's words as atoms, with what its context says.
pub(crate) struct Passage {
    pub(crate) atoms: Vec<Atom>,
    /// For each atom at which a sentence may begin, the atoms of the labels in front of it.
    starts: Vec<Option<Range<usize>>>,
    /// The keys of what the context says.
    pub(crate) context: Arc<HashSet<String>>,
    /// The keys of the words with content, title by title, heading by heading, name by name.
    names: Arc<Vec<HashSet<String>>>,
    /// Whether the context names a person that a clause without a subject may be about.
    pub(crate) about_somebody: bool,
}

impl Passage {
    /// The atoms of the words of a note, if they are not too many.
    pub(crate) fn read(words: &Text, context: &[Text], aliases: &[Text], by_owner: bool) -> Option<Self> {
        let atoms_of = atoms(words, by_owner);
        let around = context.iter().chain(aliases);
        let around: Vec<Vec<Atom>> = around.map(|text| atoms(text, false)).collect();
        let keys =
            |atoms: &Vec<Atom>| atoms.iter().filter(|atom| atom.is_content()).map(|atom| atom.key.clone()).collect();
        let names: Arc<Vec<HashSet<String>>> = Arc::new(around.iter().map(keys).collect());
        let keys_around: Arc<HashSet<String>> = Arc::new(around.into_iter().flatten().map(|atom| atom.key).collect());
        let about_somebody = !by_owner || context.iter().any(names_somebody);
        (atoms_of.len() <= ATOMS_MAX).then(|| {
            let starts = starts(&atoms_of);
            Self { atoms: atoms_of, starts, context: keys_around, names, about_somebody }
        })
    }

    /// How many words with content, numbers and dates of a sentence the passage and its context lack.
    pub(crate) fn lacks(&self, own: &[Atom]) -> usize {
        let stands = |atom: &Atom| {
            let in_words =
                self.atoms.iter().any(|their| their.is_same(atom) || (their.key == atom.key && !atom.key.is_empty()));
            in_words || self.context.contains(&atom.key)
        };
        let says = |atom: &&Atom| match atom.kind {
            AtomKind::Word => atom.is_content(),
            AtomKind::Number(_) | AtomKind::Date(_) | AtomKind::Clock(_) => true,
            _ => false,
        };
        own.iter().filter(says).filter(|atom| !stands(atom)).count()
    }

    /// The same passage with other atoms.
    pub(crate) fn with_atoms(&self, atoms: Vec<Atom>) -> Self {
        let starts = starts(&atoms);
        let (context, names) = (self.context.clone(), self.names.clone());
        Self { atoms, starts, context, names, about_somebody: self.about_somebody }
    }

    /// The words of the sentence or line around an atom.
    pub(crate) fn clause_around(&self, at: usize, text: &Text) -> String {
        let start = self.sentence_start(at);
        let end = (at..self.atoms.len()).find(|i| self.is_end(*i)).unwrap_or(self.atoms.len());
        let tokens = |i: usize| self.atoms.get(i).map_or(0..0, |atom| atom.tokens.clone());
        text.words(&(tokens(start).start..tokens(end.saturating_sub(1)).end)).to_owned()
    }

    pub(crate) fn their(&self, at: usize) -> Option<&Atom> {
        self.atoms.get(at)
    }

    /// Whether an atom ends a sentence or a line of the note.
    pub(crate) fn is_end(&self, at: usize) -> bool {
        self.their(at).is_none_or(is_end)
    }

    /// The labels in front of an atom, if a sentence may begin there.
    pub(crate) fn labels_at_start(&self, at: usize) -> Option<&[Atom]> {
        self.atoms.get(self.starts.get(at)?.clone()?)
    }

    /// Where the sentence or line begins that an atom stands in.
    pub(crate) fn sentence_start(&self, at: usize) -> usize {
        (0..at).rev().find(|i| self.is_end(*i)).map_or(0, |i| i + 1)
    }

    /// Whether some keys are all that one title, heading or name of the context says: *Comparing Bun and Deno* is no name of
    /// Deno.
    pub(crate) fn has_name(&self, keys: &HashSet<&str>) -> bool {
        self.names.iter().any(|name| name.len() == keys.len() && keys.iter().all(|key| name.contains(*key)))
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

    /// Whether a sentence of the note ends at an atom, or has only a reason from there on, and is no question. Else its rest is never
    /// left out, since what follows *and* or a comma may take back what stands in front.
    pub(crate) fn may_stop(&self, at: usize) -> bool {
        let end = (at..self.atoms.len()).find(|i| self.is_end(*i)).unwrap_or(self.atoms.len());
        (at == end || self.is_mere_reason(at, end)) && !self.their(end).is_some_and(|atom| atom.is_break('?'))
    }

    /// Whether the rest of a sentence is a reason, and nothing in the sentence denies or limits: `not … because` denies the reason.
    fn is_mere_reason(&self, at: usize, end: usize) -> bool {
        let limits =
            |i: usize| self.their(i).is_none_or(|atom| (atom.is_guard() && !atom.is("to")) || atom.is_break(','));
        self.their(at).is_some_and(|atom| atom.is("because"))
            && !(self.sentence_start(at)..end).any(|i| i != at && limits(i))
    }

    /// Whether a comma of the note may be told as *and*: in front of a last quality (`fast, automatic.`), of what is not so
    /// (`from water, not from CO2`), or between two clauses with the same verb. A comma may also open an apposition.
    pub(crate) fn joins_at(&self, at: usize) -> bool {
        if !self.their(at).is_some_and(|atom| atom.is_break(',')) {
            return false;
        }
        let start = self.sentence_start(at);
        let end = (at..self.atoms.len()).find(|i| self.is_end(*i)).unwrap_or(self.atoms.len());
        let front = self.atoms.get(start..at).unwrap_or_default();
        let Some(behind) = self.atoms.get(at + 1..end).filter(|rest| !rest.iter().any(|atom| atom.is_break(',')))
        else {
            return false;
        };
        let is_verb = |atom: &Atom| {
            atom.is_copula() || atom.is("has") || atom.is("have") || atom.kind == AtomKind::Word && is_past(&atom.lower)
        };
        let is_quality = front.iter().any(Atom::is_copula) && matches!(behind, [last] if last.kind == AtomKind::Word);
        let is_parallel =
            behind.iter().any(|their| is_verb(their) && front.iter().any(|atom| atom.lower == their.lower));
        is_quality || is_parallel || behind.first().is_some_and(|atom| atom.is("not"))
    }

    /// Whether a range begins at an atom that goes up: `3–5`; `12-3` is a score.
    pub(crate) fn is_rising(&self, at: usize) -> bool {
        match (self.their(at).map(|a| &a.kind), self.their(at + 2).map(|a| &a.kind)) {
            (Some(AtomKind::Number(one)), Some(AtomKind::Number(two))) => one < two,
            (Some(AtomKind::Date(_)), _) => true,
            _ => false,
        }
    }

    /// Where a bracket that opens at an atom ends, if it holds a date and nothing else: words in brackets limit (`(hopefully)`,
    /// `(in mice)`, `(moved to Monday)`) in more ways than can be listed.
    pub(crate) fn closed(&self, at: usize) -> Option<usize> {
        let end = (at + 1..self.atoms.len()).find(|i| self.their(*i).is_some_and(|a| a.is_break(')')))?;
        matches!(self.atoms.get(at + 1..end)?, [Atom { kind: AtomKind::Date(_), .. }]).then_some(end + 1)
    }

    /// Whether a clause of the note leaves out its *is*: it has none, and no other form that may be its verb.
    pub(crate) fn lacks_verb(&self, at: usize) -> bool {
        let front = (0..at).rev().take_while(|i| !self.is_end(*i));
        let behind = (at..self.atoms.len()).take_while(|i| !self.is_end(*i));
        let is_verb = |atom: &Atom| {
            atom.is_copula() || atom.kind == AtomKind::Word && (is_past(&atom.lower) || atom.lower.ends_with("ing"))
        };
        !front.chain(behind).any(|i| self.their(i).is_some_and(is_verb))
    }

    /// Whether a clause without a subject is about the owner: a sentence of its own, first in its line or behind another one
    /// about the owner.
    pub(crate) fn is_by_owner(&self, at: usize) -> bool {
        let start = self.sentence_start(at);
        let led = self.atoms.get(start..at).unwrap_or_default();
        if self.about_somebody
            || !led.iter().all(|atom| atom.is("but") || atom.is("and") || may_skip(atom))
            || !self.label(at).is_empty()
        {
            return false;
        }
        let Some(before) = start.checked_sub(1) else { return true };
        let lines = self.their(before).is_some_and(|atom| atom.is_break('\n') || atom.is_break('|'));
        let previous = (self.sentence_start(before)..before).find_map(|i| self.their(i).filter(|atom| !may_skip(atom)));
        lines
            || previous.is_some_and(|atom| {
                atom.is("you") || (atom.kind == AtomKind::Word && is_past(&atom.lower) && !atom.is_copula())
            })
    }
}

/// Whether an atom ends a sentence or a line.
fn is_end(atom: &Atom) -> bool {
    matches!(atom.kind, AtomKind::Break('.' | '!' | ';' | '\n' | '?'))
}

/// Where a sentence may begin, each with the labels in front of it: behind an end or a colon, unless what stands in front limits it.
///
/// Parts between semicolons hang on what stands in front of them, as do those of a list behind a colon.
fn starts(atoms: &[Atom]) -> Vec<Option<Range<usize>>> {
    let mut found = Vec::with_capacity(atoms.len());
    let (mut begin, mut colon, mut guarded, mut may_begin) = (0, None, false, true);
    for (at, atom) in atoms.iter().enumerate() {
        found.push((may_begin && !guarded).then(|| begin..colon.unwrap_or(begin)));
        may_begin = atom.is_break(':') || is_end(atom);
        if is_end(atom) && !atom.is_break(';') {
            (begin, colon, guarded) = (at + 1, None, false);
        } else {
            colon = colon.or(atom.is_break(':').then_some(at));
            guarded |= atom.is_guard();
        }
    }
    found
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
    matches!(their.kind, AtomKind::Break(',' | '-' | ':')) || their.is_in(&COLOURING_WORDS)
}
