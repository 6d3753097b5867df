//! What a list in short style gives to which of its items: `Exam 5 June, party 3 June`, `Router in the kitchen, printer in the
//! hall`.
//!
//! The one rule to know: **a clause of the sentence takes its words from one item.** A list is one where each item has a noun
//! of its own in front and no verb; what is full sentences is left to trees.

use std::collections::BTreeSet;

use memora_english::Upos;

use super::ground::Quote;
use super::lexicon::BE;
use super::stem::is_past;
use super::tokens::{Kind, Token, is_same};
use super::{Reason, ReasonKind, reason};

/// The word that a clause of the sentence takes from another item than the rest of it.
pub(super) fn crossed(own: &[Token], quotes: &[Quote<'_>]) -> Option<Reason> {
    let lists: Vec<Vec<Vec<&Token>>> = quotes.iter().filter_map(items).collect();
    let is_end = |t: &Token| {
        matches!(t.kind, Kind::Mark(',' | ';' | '.')) || ["and", "but", "while", "whereas"].contains(&t.lower.as_str())
    };
    own.split(is_end).flat_map(|clause| lists.iter().filter_map(|items| crossing(clause, items))).next()
}

/// The first word of a clause that only another item has than one before it.
fn crossing(clause: &[Token], items: &[Vec<&Token>]) -> Option<Reason> {
    let having = |word: &Token| -> BTreeSet<usize> {
        (0..items.len()).filter(|at| items[*at].iter().any(|t| is_same(t, word))).collect()
    };
    let mut held: Option<BTreeSet<usize>> = None;
    for word in clause.iter().filter(|t| t.says()) {
        let there = having(word);
        if there.is_empty() {
            continue;
        }
        let both = held.map_or_else(|| there.clone(), |held| &held & &there);
        if both.is_empty() {
            return Some(reason(ReasonKind::Roles, &word.raw));
        }
        held = Some(both);
    }
    None
}

/// The items of a quote, each by what it says; none if it is no list.
fn items<'t>(quote: &Quote<'t>) -> Option<Vec<Vec<&'t Token>>> {
    let parts = |t: &Token| matches!(t.kind, Kind::Mark(',' | ';' | '.')) || t.lower == "and";
    // A row of a table is one item.
    if quote.is_row() || !quote.tokens.iter().any(parts) {
        return None;
    }
    let reading = quote.reading();
    let is_verb = |at: usize| reading.is_verb(at) || BE.contains(&quote.tokens[at].lower.as_str());
    let is_noun = |at: usize| reading.is_tagged(at, &[Upos::Noun, Upos::Propn]) || quote.tokens[at].kind == Kind::Name;
    let is_end = |at: &usize| parts(&quote.tokens[*at]);
    let places: Vec<usize> = (0..quote.tokens.len()).collect();
    let mut found: Vec<Vec<&Token>> = Vec::new();
    for (number, part) in places.split(is_end).enumerate() {
        let said: Vec<usize> = part.iter().copied().filter(|at| quote.tokens[*at].says()).collect();
        let Some(first) = said.first() else { continue };
        // `Saw Ana in June, Ben in July`: the verb in front is everybody's.
        let is_shared = |at: &usize| number == 0 && is_verb(*at) && at == first;
        let words: Vec<usize> = said.iter().copied().filter(|at| !is_shared(at)).collect();
        let is_item = words.len() > 1
            && is_noun(words[0])
            && !is_past(&quote.tokens[words[0]].lower)
            && !words.iter().any(|at| is_verb(*at));
        if !is_item {
            return None;
        }
        found.push(words.into_iter().map(|at| &quote.tokens[at]).collect());
    }
    (found.len() > 1).then_some(found)
}

#[cfg(test)]
mod tests {
    use crate::support::tests::judged;

    #[test]
    fn a_clause_takes_its_words_from_one_item() {
        judged(&[
            ("Exam 5 June, party 3 June.", "The exam is on 5 June.", "supported"),
            ("Exam 5 June, party 3 June.", "The exam is on 3 June.", "roles"),
            ("Router in kitchen, printer in hall.", "The printer is in the hall.", "supported"),
            ("Router in kitchen, printer in hall.", "The printer is in the kitchen.", "roles"),
            (
                "Router in kitchen, printer in hall.",
                "The printer is in the hall and the router in the kitchen.",
                "supported",
            ),
            ("Party: garden, exam: school.", "The exam is in the garden.", "roles"),
            ("House 120 m2, built 1985.", "The house was built in 1985.", "supported"),
        ]);
    }
}
