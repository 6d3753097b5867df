//! Whether a note says the same of the same, and the other way round: `did not sign` beside `signed`.
//!
//! The one rule to know: **two clauses are about one thing only if they have one verb, nothing that they name differs, and
//! the one that denies names nothing that the other lacks**; and only one clause of all premises has that verb.

use std::ops::Range;

use memora_nlp::{LexicalRelation, WordSenses};

use crate::lists::{DENIAL_LIMITS, DENIAL_STEMS, PEOPLE, SAME_NAMES, SILENT_NEGATIONS, STANDING_PRONOUNS};
use crate::premise::Premise;
use crate::said::{Polarity, Said, Tense, said};
use crate::text::Text;
use memora_nlp::token::{Token, TokenKind};

/// A clause that the note has the other way round.
pub(crate) struct Opposed {
    pub(crate) tokens: Range<usize>,
    pub(crate) found: String,
}

/// How many words a sentence shares at least with a premise to be read beside it.
const SHARED_MIN: usize = 2;

/// Finds the first clause of a sentence that premises have the other way round.
pub(crate) fn find_negation_flip(sentence: &Text, premises: &[&Premise]) -> Option<Opposed> {
    if !(may_deny(sentence) || premises.iter().any(|premise| may_deny(&premise.words))) || sentence.source.contains('?')
    {
        return None;
    }
    let content = || sentence.tokens.iter().filter(|t| t.is_content() || t.capital);
    let near = |premise: &&&Premise| content().filter(|t| premise.stems.contains(&t.stem)).count() >= SHARED_MIN;
    let theirs: Vec<(&Premise, &Said)> = premises
        .iter()
        .filter(near)
        .flat_map(|premise| premise.said().iter().map(move |said| (*premise, said)))
        .collect();
    if theirs.is_empty() {
        return None;
    }
    let all = said(sentence);
    let known = || all.iter().filter(|own| own.polarity != Polarity::Unknown);
    known().find_map(|own| {
        let mut alike = theirs.iter().filter(|(premise, their)| is_same_verb(own, sentence, their, premise));
        let (premise, their) = alike.next()?;
        let turned = alike.next().is_none() && their.polarity != Polarity::Unknown && their.polarity != own.polarity;
        let restricts = own.polarity == Polarity::No && own.restricts;
        let pair = Pair { own, sentence, their, premise };
        (turned && !restricts && pair.is_one()).then(|| {
            let place = own.sign.unwrap_or(own.verb);
            Opposed { tokens: place..place + 1, found: premise.words.words(&their.range).to_owned() }
        })
    })
}

/// Whether a text has any word that may deny.
fn may_deny(text: &Text) -> bool {
    text.tokens.iter().any(|t| DENIAL_STEMS.contains(t.stem.as_str()) || DENIAL_STEMS.contains(t.lower.as_str()))
}

fn is_be(lower: &str) -> bool {
    matches!(lower, "be" | "is" | "are" | "was" | "were" | "been" | "am" | "'s")
}

fn is_have(lower: &str) -> bool {
    matches!(lower, "have" | "has" | "had" | "having" | "got" | "get" | "gets")
}

fn is_same_verb(own: &Said, sentence: &Text, their: &Said, premise: &Premise) -> bool {
    let (Some(one), Some(two)) = (sentence.tokens.get(own.verb), premise.words.tokens.get(their.verb)) else {
        return false;
    };
    if is_be(&one.lower) || is_be(&two.lower) || is_have(&one.lower) || is_have(&two.lower) {
        return is_be(&one.lower) == is_be(&two.lower)
            && is_have(&one.lower) == is_have(&two.lower)
            && shares(&own.object, sentence, &their.object, premise);
    }
    is_same(one, two)
}

fn shares(own: &[usize], sentence: &Text, their: &[usize], premise: &Premise) -> bool {
    let token = |at: &usize| sentence.tokens.get(*at);
    let other = |at: &usize| premise.words.tokens.get(*at);
    own.iter().filter_map(token).any(|one| their.iter().filter_map(other).any(|two| is_named_alike(one, two)))
}

/// Whether two words name the same.
fn is_named_alike(one: &Token, two: &Token) -> bool {
    one.stem == two.stem || SAME_NAMES.contains(&(one.lower.as_str(), two.lower.as_str()))
}

/// Whether two words may say the same.
fn is_same(one: &Token, two: &Token) -> bool {
    one.stem == two.stem
        || SAME_NAMES.contains(&(one.lower.as_str(), two.lower.as_str()))
        || (one.is_content()
            && two.is_content()
            && one.kind == TokenKind::Word
            && WordSenses::look_up(&one.lower).relation_to(&WordSenses::look_up(&two.lower))
                == Some(LexicalRelation::Synonym))
}

/// Whether a word only stands for another one.
fn is_pronoun(token: &Token) -> bool {
    STANDING_PRONOUNS.contains(token.lower.as_str())
}

struct Pair<'p> {
    own: &'p Said,
    sentence: &'p Text,
    their: &'p Said,
    premise: &'p Premise,
}

impl Pair<'_> {
    /// Whether both speak of one thing.
    fn is_one(&self) -> bool {
        let (own, their) = (self.own, self.their);
        let tenses = own.tense == their.tense || own.tense == Tense::Unknown || their.tense == Tense::Unknown;
        let subject = self.agree(&own.subject, &their.subject, true);
        let object = self.agree(&own.object, &their.object, false);
        let (Some(subject), Some(object)) = (subject, object) else { return false };
        let others = shares(&own.others, self.sentence, &their.others, self.premise);
        let verbs = self.sentence.tokens.get(own.verb).zip(self.premise.words.tokens.get(their.verb));
        let needed = if subject > 0 && verbs.is_some_and(|(one, two)| one.stem == two.stem) { 1 } else { 2 };
        tenses
            && own.modal.is_some() == their.modal.is_some()
            && subject + object + usize::from(others) >= needed
            && self.is_denied_all()
    }

    /// How many of the named on both sides are the same; none if they differ.
    fn agree(&self, own: &[usize], their: &[usize], subject: bool) -> Option<usize> {
        let mine: Vec<&Token> = own.iter().filter_map(|at| self.sentence.tokens.get(*at)).collect();
        let other: Vec<&Token> = their.iter().filter_map(|at| self.premise.words.tokens.get(*at)).collect();
        let named = |tokens: &[&Token]| tokens.iter().any(|t| !is_pronoun(t));
        if !named(&mine) || !named(&other) {
            // *You* are no one whom a note names, and the other way round.
            let you = |tokens: &[&Token]| tokens.iter().any(|t| matches!(t.lower.as_str(), "you" | "i" | "we"));
            let person =
                |tokens: &[&Token]| tokens.iter().any(|t| t.capital && !t.initial || PEOPLE.contains(t.lower.as_str()));
            let differ = subject && ((you(&mine) && person(&other)) || (you(&other) && person(&mine)));
            let owner = |tokens: &[&Token]| tokens.iter().any(|t| matches!(t.lower.as_str(), "you" | "your"));
            let speaks = subject && owner(&mine) && (other.is_empty() || you(&other)) && self.premise.by_owner;
            return (!differ).then_some(usize::from(speaks));
        }
        let same = mine.iter().filter(|one| other.iter().any(|two| is_named_alike(one, two))).count();
        (same > 0).then_some(same)
    }

    /// Whether the clause that says it names all that the one that denies it does.
    fn is_denied_all(&self) -> bool {
        let (own, their) = (self.own, self.their);
        let content = |text: &Text, range: &Range<usize>, verb: usize| -> Vec<Token> {
            range
                .clone()
                .filter(|at| *at != verb)
                .filter_map(|at| text.tokens.get(at))
                .filter(|t| {
                    t.kind == TokenKind::Numeral
                        || DENIAL_LIMITS.contains(t.lower.as_str())
                        || (t.is_content() && !SILENT_NEGATIONS.contains(t.lower.as_str()))
                })
                .cloned()
                .collect()
        };
        let mine = content(self.sentence, &own.range, own.verb);
        let other = content(&self.premise.words, &their.range, their.verb);
        let (denies, says) = if own.polarity == Polarity::No { (&mine, &other) } else { (&other, &mine) };
        let context = |token: &Token| {
            own.polarity == Polarity::No
                && self.premise.context.iter().flat_map(|text| &text.tokens).any(|other| other.stem == token.stem)
        };
        let missing =
            denies.iter().filter(|one| !context(one) && !says.iter().any(|two| is_named_alike(one, two))).count();
        missing == 0
    }
}
