//! What a note says will be under a condition: `if the landlord rebuilds the quay, the office will have to move`.
//!
//! The one rule to know: **a sentence that has one of the two clauses outright, and nothing of the other, says more than the note.** Only of
//! what *will* be is a condition certain to be one: `if I remember correctly`, `if anything`, `if in doubt, ask` deny nothing of what follows.

use std::ops::Range;

use crate::clause::Turned;
use crate::lists::{NEGATIONS, UNSETTLED_WORDS};
use crate::premise::Premise;
use crate::reason::ReasonKind;
use crate::text::Text;
use memora_nlp::token::Token;

/// Fewer words with content may be said of anything.
const WORDS_MIN: usize = 2;

/// A condition and what depends on it, as tokens of a premise.
struct Conditional {
    opened: usize,
    condition: Range<usize>,
    main: Range<usize>,
}

/// Finds what a sentence says outright and a premise has under a condition, where no other premise says it.
pub(crate) fn conditional(sentence: &Text, premises: &[&Premise]) -> Option<Turned> {
    if sentence.tokens.iter().any(settles_nothing) {
        return None;
    }
    let own: Vec<usize> = (0..sentence.tokens.len()).filter(|at| sentence.tokens[*at].is_content()).collect();
    if own.len() < WORDS_MIN {
        return None;
    }
    let has = |tokens: &[&Token], own: usize| tokens.iter().any(|t| t.stem == sentence.tokens[own].stem);
    premises.iter().enumerate().find_map(|(number, premise)| {
        let tokens = &premise.words.tokens;
        conditionals(tokens).into_iter().find_map(|Conditional { opened, condition, main }| {
            let clause = |range: &Range<usize>| -> Vec<&Token> {
                tokens.get(range.clone()).into_iter().flatten().filter(|t| t.is_content()).collect()
            };
            let count = |range: &Range<usize>| {
                let clause = clause(range);
                own.iter().filter(|own| has(&clause, **own)).count()
            };
            let (in_condition, in_main) = (count(&condition), count(&main));
            let is_one_clause = in_main == own.len() && in_condition == 0
                || in_condition >= WORDS_MIN && in_condition + 1 >= own.len() && in_main <= 1;
            // What stands outside of the two, or in another premise, may say it, too.
            let around = tokens.get(..opened)?.iter().chain(tokens.get(main.end..)?);
            let others = premises.iter().enumerate().filter(|(other, _)| *other != number);
            let rest: Vec<&Token> = around.chain(others.flat_map(|(_, other)| &other.words.tokens)).collect();
            let is_said_elsewhere = own.iter().all(|own| has(&rest, *own));
            (is_one_clause && !is_said_elsewhere).then(|| Turned {
                kind: ReasonKind::Negation,
                tokens: own.first().copied().unwrap_or_default()..own.last().map_or(0, |last| last + 1),
                found: premise.words.words(&(opened..condition.end)).to_owned(),
            })
        })
    })
}

/// Whether a sentence with this word leaves open, or denies, what it says.
fn settles_nothing(token: &Token) -> bool {
    UNSETTLED_WORDS.contains(token.lower.as_str())
        || NEGATIONS.contains(token.lower.as_str())
        || matches!(token.lower.as_str(), "if" | "unless" | "whether" | "when" | "depends" | "case" | "provided")
}

/// The conditions in front of what will be.
fn conditionals(tokens: &[Token]) -> Vec<Conditional> {
    let opens = |at: usize| at == 0 || tokens.get(at - 1).is_some_and(Token::is_segment_end);
    let ends = |token: &Token| {
        token.is_segment_end()
            || token.is_mark(',')
            || matches!(token.lower.as_str(), "but" | "because" | "since" | "which" | "who" | "though" | "although")
    };
    let is_future = |token: &Token| matches!(token.lower.as_str(), "will" | "shall" | "'ll" | "’ll");
    let found = (0..tokens.len()).filter_map(|opened| {
        let token = tokens.get(opened)?;
        if !opens(opened) || !matches!(token.lower.as_str(), "if" | "unless") {
            return None;
        }
        let comma = (opened..tokens.len()).find(|at| tokens.get(*at).is_some_and(|t| t.is_mark(',')))?;
        let end = (comma + 1..tokens.len()).find(|at| tokens.get(*at).is_some_and(ends)).unwrap_or(tokens.len());
        let (condition, main) = (opened + 1..comma, comma + 1..end);
        let is_about_reader = tokens.get(condition.clone())?.first().is_some_and(|t| t.lower == "you");
        let content = tokens.get(condition.clone())?.iter().filter(|t| t.is_content()).count();
        let is_one = !is_about_reader && content >= WORDS_MIN && tokens.get(main.clone())?.iter().any(is_future);
        is_one.then_some(Conditional { opened, condition, main })
    });
    found.collect()
}
