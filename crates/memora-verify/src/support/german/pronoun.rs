//! Whom a pronoun of the notes stands for: the subject of the sentence before, where nobody else there can be meant.

use super::cases::Cases;
use super::clause::{Clause, Marker, Sentence};
use super::phrase::Phrase;
use super::tokens::Kind;
use super::words::{HEDGES, NEGATIONS, PRONOUNS, is_in};

/// The sentences that say somebody's name where one of them says *er*, *sie*, *ihm*.
pub(super) fn resolved(sentences: &[Sentence]) -> Vec<Sentence> {
    let pairs = sentences.iter().zip(sentences.iter().skip(1));
    pairs.filter_map(|(before, sentence)| named(before, sentence)).collect()
}

fn named(before: &Sentence, sentence: &Sentence) -> Option<Sentence> {
    let first = sentence.clauses.first().filter(|clause| clause.marker == Marker::Main)?;
    let stands_for = |p: &Phrase| {
        p.lead.is_empty() && p.words().count() == 1 && p.words().all(|w| is_in("er sie ihm ihn", &w.lower))
    };
    let mut pronouns = first.phrases.iter().filter(|p| stands_for(p));
    let pronoun = pronouns.next().filter(|_| pronouns.next().is_none())?;
    let word = pronoun.words().next()?.lower.clone();
    let cases = of_pronoun(&word);
    let name = subject(before, cases)?;
    // `sie` for several is another word than for one.
    if word == "sie" && !name.led && first.said.iter().any(|s| s.is_verb() && s.token.lower.ends_with('n')) {
        return None;
    }
    let mut found = sentence.clone();
    for phrase in found.clauses.iter_mut().flat_map(|clause| &mut clause.phrases) {
        if stands_for(phrase) && phrase.words().all(|w| w.lower == word) {
            *phrase = Phrase { items: name.items.clone(), led: name.led, cases, ..phrase.clone() };
        }
    }
    Some(found)
}

fn of_pronoun(word: &str) -> Cases {
    match word {
        // Her or them, in the nominative or the accusative.
        "sie" => Cases::of_ending("eine"),
        other => Cases::of_pronoun(other),
    }
}

/// The subject in front of a sentence, if a pronoun can mean nothing else in it.
fn subject(before: &Sentence, pronoun: Cases) -> Option<&Phrase> {
    let clause = before.clauses.first().filter(|clause| clause.marker == Marker::Main)?;
    let is_name = |p: &Phrase| {
        let bounds = |p: &Phrase| p.words().any(|w| NEGATIONS.contains(&w.lower) || HEDGES.contains(&w.lower));
        p.lead.is_empty() && !p.is_time() && p.items.len() == 1 && !bounds(p) && p.words().any(|w| w.kind == Kind::Noun)
    };
    let subject = clause.phrases.first().filter(|p| is_name(p) && p.front && p.cases.may_be_subject())?;
    let may_be = |p: &Phrase| {
        let is_pronoun = p.words().all(|w| PRONOUNS.contains(&w.lower));
        let counts = p.words().any(|w| matches!(w.kind, Kind::Number(_)));
        !is_pronoun && !counts && !p.is_time() && p.cases.may_be_called(pronoun)
    };
    let same = |p: &Phrase| p.items == subject.items;
    let others = |clause: &Clause| clause.phrases.iter().any(|p| may_be(p) && !same(p) && is_rival(p));
    let alone = !before.clauses.iter().any(others) && (!pronoun.is_he() || !is_she(subject));
    Some(subject).filter(|s| alone && s.cases.may_be_called(pronoun))
}

/// Whether a name is surely a woman's, by what she is called.
fn is_she(name: &Phrase) -> bool {
    let called = |word: &str| is_in("frau mama mutter oma tante schwester tochter", word);
    name.words().any(|w| called(&w.lower)) || !name.led && name.words().next().is_some_and(|w| w.lower.ends_with('a'))
}

/// Whether a phrase may name somebody whom a pronoun goes on with: not a place or a time behind a preposition.
fn is_rival(phrase: &Phrase) -> bool {
    !is_in("in an auf bei nach zu seit vor um bis ab", &phrase.lead) || !phrase.led && phrase.lead == "bei"
}
