//! Words in quotation marks: they stand in the note as they are, or they are no quotation.

use std::ops::Range;

use crate::premise::Premise;
use crate::text::Text;
use memora_nlp::token::{Token, TokenKind};

/// The quotations of a sentence, three words or more, that no premise has, by their tokens.
pub(crate) fn missing_quotations(sentence: &Text, premises: &[&Premise]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Option<usize> = None;
    for (at, token) in sentence.tokens.iter().enumerate() {
        if !token.is_mark('"') {
            continue;
        }
        match open.take() {
            None => open = Some(at + 1),
            Some(start) => {
                let run = words(sentence.tokens.get(start..at).unwrap_or_default());
                if run.len() >= 3 && !premises.iter().any(|premise| has_run(premise, &run)) {
                    found.push(start..at);
                }
            }
        }
    }
    found
}

fn words(tokens: &[Token]) -> Vec<&str> {
    tokens.iter().filter(|t| !matches!(t.kind, TokenKind::Mark(_))).map(|t| t.lower.as_str()).collect()
}

fn has_run(premise: &Premise, run: &[&str]) -> bool {
    premise.texts().any(|text| words(&text.tokens).windows(run.len()).any(|window| window == run))
}
