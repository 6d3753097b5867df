//! A sentence that follows once a single fact of it is changed: then the note has that fact the other way.
//!
//! The one rule to know: **the note contradicts what would follow without one negation, with the opposite word, or with
//! another number, date or name**; everything else of the sentence is aligned by the rules of [`crate::align`], so it is
//! certain which fact of the note the sentence speaks of.

use std::ops::Range;

use memora_nlp::WordSenses;

use crate::align::AlignmentTarget;
use crate::atom::{Atom, AtomKind};
use crate::lists::{DO_FORMS, NEGATIONS, OPPOSITES, STRONGER};
use crate::reason::ReasonKind;

/// How many changes of one kind are tried.
const TRIES_MAX: usize = 12;
/// A shorter sentence may be like a note by chance, in atoms.
const SENTENCE_MIN: usize = 3;

/// A fact that the note has the other way.
pub(crate) struct Turn {
    pub(crate) kind: ReasonKind,
    /// Its tokens in the sentence.
    pub(crate) tokens: Range<usize>,
    /// What the note has.
    pub(crate) found: String,
}

/// Finds the one fact by which a sentence misses what a note says. `missing` are the tokens of facts that no premise has.
pub(crate) fn turn(own: &[Atom], target: &AlignmentTarget<'_>, missing: &[Range<usize>]) -> Option<Turn> {
    if own.len() < SENTENCE_MIN {
        return None;
    }
    let replaced = || missing.iter().find_map(|tokens| replaced(own, target, tokens));
    if missing.is_empty() {
        without_own(own, target)
            .or_else(|| without_theirs(own, target))
            .or_else(|| opposite(own, target))
            .or_else(|| stronger(own, target))
    } else {
        replaced()
    }
}

fn negates(atom: &Atom) -> bool {
    atom.kind == AtomKind::Word && NEGATIONS.contains(atom.lower.as_str())
}

/// Atoms without those at some places.
fn without(atoms: &[Atom], places: Range<usize>) -> Vec<Atom> {
    atoms.iter().enumerate().filter(|(at, _)| !places.contains(at)).map(|(_, atom)| atom.clone()).collect()
}

/// A negation with the *do* in front of it.
fn negation(atoms: &[Atom], at: usize) -> Range<usize> {
    let helped = at.checked_sub(1).and_then(|before| atoms.get(before));
    at - usize::from(helped.is_some_and(|atom| DO_FORMS.iter().any(|word| atom.is(word))))..at + 1
}

/// `A is not B`, where the note says that A is B.
fn without_own(own: &[Atom], target: &AlignmentTarget<'_>) -> Option<Turn> {
    for at in (0..own.len()).filter(|at| own.get(*at).is_some_and(negates)).take(TRIES_MAX) {
        let changed = [without(own, at..at + 1), without(own, negation(own, at))];
        if changed.iter().any(|changed| target.entails(changed)) {
            let found = clause(own, at, target);
            return own.get(at).map(|atom| Turn { kind: ReasonKind::Negation, tokens: atom.tokens.clone(), found });
        }
    }
    None
}

/// `A is B`, where the note says that A is not B.
fn without_theirs(own: &[Atom], target: &AlignmentTarget<'_>) -> Option<Turn> {
    let note = target.note;
    for at in (0..note.atoms.len()).filter(|at| note.their(*at).is_some_and(negates)).take(TRIES_MAX) {
        for places in [at..at + 1, negation(&note.atoms, at)] {
            let mut atoms = without(&note.atoms, places.start..at);
            let place = atoms.get_mut(places.start)?;
            place.kind = AtomKind::Turned;
            if target.entails_as(own, &note.with_atoms(atoms)) {
                let next = note.their(at + 1)?;
                let place = own.iter().find(|atom| atom.key == next.key).or(own.first())?;
                let found = note.clause_around(at, &target.premise.words);
                return Some(Turn { kind: ReasonKind::Negation, tokens: place.tokens.clone(), found });
            }
        }
    }
    None
}

/// `Rents fell`, where the note says that they rose.
fn opposite(own: &[Atom], target: &AlignmentTarget<'_>) -> Option<Turn> {
    let pairs = own.iter().enumerate().filter(|(_, atom)| atom.kind == AtomKind::Word).flat_map(|(at, atom)| {
        let opposes =
            |their: &&Atom| their.kind == AtomKind::Word && OPPOSITES.contains(&(atom.key.clone(), their.key.clone()));
        target.note.atoms.iter().filter(opposes).map(move |their| (at, their))
    });
    find_exchange(own, target, pairs.take(TRIES_MAX), ReasonKind::Direction)
}

/// `All of them`, where the note says that most are.
fn stronger(own: &[Atom], target: &AlignmentTarget<'_>) -> Option<Turn> {
    let pairs = own.iter().enumerate().filter(|(_, atom)| atom.kind == AtomKind::Word).flat_map(|(at, atom)| {
        let says_less = |their: &&Atom| STRONGER.contains(&(atom.lower.as_str(), their.lower.as_str()));
        target.note.atoms.iter().filter(says_less).map(move |their| (at, their))
    });
    find_exchange(own, target, pairs.take(TRIES_MAX), ReasonKind::Quantifier)
}

/// The number, date or name that stands in the place of one that no premise has.
fn replaced(own: &[Atom], target: &AlignmentTarget<'_>, tokens: &Range<usize>) -> Option<Turn> {
    let at = own.iter().position(|atom| atom.tokens.start == tokens.start)?;
    let atom = own.get(at)?;
    let is_used = |their: &Atom| own.iter().any(|mine| mine.key == their.key);
    let is_name = |their: &Atom| {
        let token = target.premise.words.tokens.get(their.tokens.start);
        token.is_some_and(|t| t.capital && (!t.initial || !WordSenses::look_up(&t.lower).is_known())) && !is_used(their)
    };
    let fits = |their: &&Atom| match (&atom.kind, &their.kind) {
        (AtomKind::Number(_), AtomKind::Number(_)) => atom.key == their.key,
        (AtomKind::Date(one), AtomKind::Date(two)) => one.granularity() == two.granularity(),
        (AtomKind::Clock(_), AtomKind::Clock(_)) => true,
        (AtomKind::Word, AtomKind::Word) => is_name(their),
        _ => false,
    };
    let pairs = target.note.atoms.iter().filter(fits).map(|their| (at, their));
    let kind = match atom.kind {
        AtomKind::Date(_) => ReasonKind::Date,
        AtomKind::Clock(_) => ReasonKind::Time,
        AtomKind::Word => ReasonKind::Name,
        _ => ReasonKind::Number,
    };
    find_exchange(own, target, pairs.take(TRIES_MAX), kind)
}

/// The first exchange of an atom for one of the note after which the sentence follows.
fn find_exchange<'t>(
    own: &[Atom],
    target: &AlignmentTarget<'_>,
    mut pairs: impl Iterator<Item = (usize, &'t Atom)>,
    kind: ReasonKind,
) -> Option<Turn> {
    let (at, their) = pairs.find(|(at, their)| {
        let mut changed = own.to_vec();
        changed.get_mut(*at).is_some_and(|place| {
            *place = Atom { tokens: place.tokens.clone(), ..(*their).clone() };
            true
        }) && target.entails(&changed)
    })?;
    Some(Turn {
        kind,
        tokens: own.get(at)?.tokens.clone(),
        found: target.premise.words.words(&their.tokens).to_owned(),
    })
}

/// The clause of the note that says what the sentence denies: the one with the word behind the negation.
fn clause(own: &[Atom], negation: usize, target: &AlignmentTarget<'_>) -> String {
    let next = own.get(negation + 1);
    let at = next.and_then(|next| target.note.atoms.iter().position(|atom| atom.key == next.key)).unwrap_or(0);
    target.note.clause_around(at, &target.premise.words)
}
