//! Signs of parse errors: a verb inside a noun phrase, a subject that does not begin like a name.

use memora_nlp::{Label, Upos, Xpos};

use super::parsed_sentence::ParsedSentence;
use crate::lists::{CLAUSE_INTRODUCERS, QUANTITY_PREPOSITIONS, SUBJECT_PRONOUNS};

impl ParsedSentence<'_> {
    /// Whether a noun phrase contains a clause that no word in it introduces, so that the parse must be wrong.
    pub(super) fn has_unlicensed_clause(self, words: &[usize]) -> bool {
        let tree = self.tree;
        let grammar = self.grammar();
        let introduces = |i: usize| {
            matches!(tree.xpos(i), Xpos::Wdt | Xpos::Wp | Xpos::WpPoss | Xpos::Wrb)
                || CLAUSE_INTRODUCERS.contains(tree.lower(i))
        };
        let finite = |i: usize| {
            matches!(tree.xpos(i), Xpos::Vbz | Xpos::Vbd | Xpos::Md)
                && !matches!(tree.label(i), Label::Amod | Label::Compound)
        };
        words.iter().enumerate().any(|(at, i)| {
            let before = words.get(..at).unwrap_or_default();
            let joined = before.last().is_some_and(|last| tree.upos(*last) == Upos::Cconj);
            let pronoun = SUBJECT_PRONOUNS.contains(tree.lower(*i));
            // "the apartment we booked": a relative clause without its pronoun.
            let relative = tree.label(*i) == Label::AclRelcl && grammar.resolve_subject(*i).is_some_and(|s| s < *i);
            if joined && (pronoun || finite(*i)) && !before.iter().any(|b| finite(*b)) {
                return true;
            }
            finite(*i) && !relative && !before.iter().any(|b| introduces(*b))
        })
    }

    /// Whether a subject does not begin like a name: with a preposition, a conjunction, a verb.
    pub(super) fn is_invalid_name(self, words: &[usize]) -> bool {
        let tree = self.tree;
        let Some(first) = words.first().copied() else { return false };
        if tree.upos(first) == Upos::Punct && !matches!(tree.word(first), "\"" | "“" | "'") {
            return true;
        }
        let verb =
            tree.upos(first) == Upos::Verb && !matches!(tree.xpos(first), Xpos::Vbg | Xpos::Vbn) && words.len() > 1;
        let past = first == 0
            && words.len() > 1
            && tree.upos(first) != Upos::Verb
            && crate::lemma::is_irregular_form(tree.lower(first))
            && tree.lower(first) != "people";
        (matches!(tree.upos(first), Upos::Sconj | Upos::Cconj) || tree.xpos(first) == Xpos::Wrb) && words.len() > 1
            || tree.upos(first) == Upos::Adp && !QUANTITY_PREPOSITIONS.contains(tree.lower(first))
            || verb
            || past
    }

    /// Whether a phrase contains a separator sign.
    pub(super) fn crosses_separator(self, words: &[usize]) -> bool {
        words.iter().any(|i| matches!(self.tree.word(*i), ";" | "→" | "—" | "|" | "=>" | "->"))
    }
}
