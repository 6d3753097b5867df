//! How much of what a sentence says is anywhere in the premises, by its words.

use memora_nlp::WordSenses;

use crate::premise::Premise;
use crate::text::Text;
use memora_nlp::token::Token;

/// How many words with content a sentence has, and how many of them stand in premises.
pub(crate) struct Coverage {
    total: usize,
    found: usize,
    /// Numbers, dates and times: those that are nowhere are reasons of their own.
    facts: usize,
    /// How many of the words that do not stand there are akin in meaning to one that does; looked up only where few stand there.
    related: usize,
}

/// How many words a sentence has at least of which almost none stands in the premises, to speak of something else.
const ELSEWHERE_MIN: usize = 2;
/// The share of its words, below which it does.
const ELSEWHERE_SHARE: f32 = 0.3;
/// What a word is worth that is only akin to one of the premises.
const RELATED: f32 = 0.5;

impl Coverage {
    /// The share of the words that stand in premises.
    pub(crate) fn share(&self) -> f32 {
        let found = (self.found + self.facts) as f32 + RELATED * self.related as f32;
        let total = (self.total + self.facts) as f32;
        if total == 0.0 { 1.0 } else { found / total }
    }

    /// Whether the sentence speaks of something else: of several words almost none stands there, nor any akin to them; of a few
    /// none at all.
    pub(crate) fn is_elsewhere(&self) -> bool {
        let none = self.found + self.related + self.facts == 0;
        self.total > 0 && none || self.total >= ELSEWHERE_MIN && self.share() < ELSEWHERE_SHARE
    }
}

/// Looks every word with content up.
pub(crate) fn coverage(sentence: &Text, premises: &[&Premise]) -> Coverage {
    let words = sentence.tokens.iter().enumerate();
    let own: Vec<&Token> =
        words.filter(|(at, t)| t.is_content() && sentence.is_fact.get(*at) != Some(&true)).map(|(_, t)| t).collect();
    let theirs: Vec<&Token> = premises
        .iter()
        .flat_map(|premise| premise.texts())
        .flat_map(|text| &text.tokens)
        .filter(|t| t.is_content())
        .collect();
    let stands = |token: &Token| {
        premises.iter().any(|premise| premise.stems.contains(&token.stem))
            || theirs.iter().any(|other| begins_alike(token, other))
    };
    let missing: Vec<&Token> = own.iter().filter(|token| !stands(token)).copied().collect();
    let found = own.len() - missing.len();
    let facts = sentence.quantities.iter().filter(|q| !q.weak).count() + sentence.dates.len() + sentence.clocks.len();
    let related = if found * 3 < own.len() { related(&missing, premises) } else { 0 };
    Coverage { total: own.len(), found, facts, related }
}

/// Whether two long words have a beginning in common, or one is part of the other.
fn begins_alike(own: &Token, other: &Token) -> bool {
    if own.lower.len() < 6 || other.lower.len() < 5 {
        return false;
    }
    let common = own.lower.bytes().zip(other.lower.bytes()).take_while(|(a, b)| a == b).count();
    common >= 5 || own.lower.contains(&other.lower) || other.lower.contains(&own.lower)
}

/// How many words are akin in meaning to some word of the premises.
fn related(own: &[&Token], premises: &[&Premise]) -> usize {
    let akin = |token: &&&Token| {
        let meaning = WordSenses::look_up(&token.lower);
        premises.iter().flat_map(|premise| premise.meanings()).any(|other| meaning.relation_to(other).is_some())
    };
    own.iter().filter(akin).count()
}
