//! Resolution of "it", "she" and "he", where that is safe.

use memora_nlp::{Label, Upos};

use super::parsed_sentence::ParsedSentence;
use super::reading::ReadingContext;
use crate::clause::VerbClause;

impl ParsedSentence<'_> {
    /// Whether a pronoun as the subject of a clause refers to the subject of the note, heading or item.
    ///
    /// Only the first clause of a dependent statement may refer to the context, and only if no noun is before the
    /// pronoun, which might be the antecedent. "she" and "he" need a name. "they", "this" and "that" are too ambiguous
    /// and are left as they are.
    pub(super) fn refers_to_context(self, subject: usize, clause: &VerbClause, place: ReadingContext<'_>) -> bool {
        let tree = self.tree;
        if !place.lends || !place.first || tree.upos(subject) != Upos::Pron || !tree.children(subject).is_empty() {
            return false;
        }
        let noun_before = (0..subject).any(|i| matches!(tree.upos(i), Upos::Noun | Upos::Propn));
        if noun_before || !self.grammar().is_main_clause(clause.verb) || tree.label(clause.verb) == Label::Ccomp {
            return false;
        }
        match tree.lower(subject) {
            // A day is nothing that "it" may refer to.
            "it" => place.name.is_none_or(|name| !name.starts_with(|c: char| c.is_ascii_digit())),
            "she" | "he" => place.name.is_some_and(is_person_name),
            _ => false,
        }
    }
}

/// Whether a name is two or three capitalized words, and so probably a person's full name.
fn is_person_name(name: &str) -> bool {
    let words: Vec<&str> = name.split_whitespace().collect();
    (2..=3).contains(&words.len())
        && words.iter().all(|w| {
            w.starts_with(char::is_uppercase) && w.chars().skip(1).all(|c| c.is_lowercase() || c == '-' || c == '\'')
        })
}
