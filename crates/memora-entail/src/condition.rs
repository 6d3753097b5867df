//! What a note says under a condition: `if the landlord rebuilds the quay, the office will have to move`.
//!
//! The one rule to know: **a sentence that has one of the two clauses outright, and nothing of the other, says more than the note.** What
//! the reader may do (`if you are on a Mac, …`) is an instruction, and is left alone.

use crate::clause::Turned;
use crate::lists::{NEGATIONS, UNSETTLED_WORDS};
use crate::premise::Premise;
use crate::reason::ReasonKind;
use crate::text::Text;
use memora_nlp::token::Token;

/// Fewer words with content may be said of anything.
const WORDS_MIN: usize = 2;

/// Finds what a sentence says outright and the only premise that has it under a condition.
pub(crate) fn conditional(sentence: &Text, premises: &[&Premise]) -> Option<Turned> {
    let settles_nothing = |t: &Token| {
        UNSETTLED_WORDS.contains(t.lower.as_str())
            || NEGATIONS.contains(t.lower.as_str())
            || matches!(t.lower.as_str(), "if" | "unless" | "whether" | "when" | "depends" | "case" | "provided")
    };
    let [premise] = premises else { return None };
    if sentence.tokens.iter().any(settles_nothing) {
        return None;
    }
    let own: Vec<usize> = (0..sentence.tokens.len()).filter(|at| sentence.tokens[*at].is_content()).collect();
    let tokens = &premise.words.tokens;
    let opens = |at: usize| at == 0 || tokens.get(at - 1).is_some_and(Token::is_segment_end);
    (0..tokens.len()).find_map(|at| {
        let is_condition = opens(at) && matches!(tokens[at].lower.as_str(), "if" | "unless");
        if !is_condition || tokens.get(at + 1).is_none_or(|t| matches!(t.lower.as_str(), "you" | "one" | "your")) {
            return None;
        }
        let comma = (at..tokens.len()).find(|i| tokens[*i].is_mark(','))?;
        let end = (comma + 1..tokens.len()).find(|i| tokens[*i].is_segment_end()).unwrap_or(tokens.len());
        let clauses = [tokens.get(at + 1..comma)?, tokens.get(comma + 1..end)?];
        let has =
            |clause: &[Token], own: usize| clause.iter().any(|t| t.is_content() && t.stem == sentence.tokens[own].stem);
        let [in_condition, in_main] = clauses.map(|clause| own.iter().filter(|own| has(clause, **own)).count());
        let is_one_clause = own.len() >= WORDS_MIN
            && (in_main == own.len() && in_condition == 0
                || in_condition >= WORDS_MIN && in_condition + 1 >= own.len());
        // What stands outside of the condition may say it, too.
        let rest = tokens.get(..at)?.iter().chain(tokens.get(end..)?);
        let is_said_elsewhere = own.iter().all(|own| rest.clone().any(|t| t.stem == sentence.tokens[*own].stem));
        (is_one_clause && !is_said_elsewhere).then(|| Turned {
            kind: ReasonKind::Negation,
            tokens: own.first().copied().unwrap_or_default()..own.last().map_or(0, |last| last + 1),
            found: premise.words.words(&(at..comma)).to_owned(),
        })
    })
}
