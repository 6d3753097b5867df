//! What a note names to set it aside: `in new files rather than in old ones`.
//!
//! The one rule to know: **a sentence that has all words of what the note sets aside, and sets nothing aside itself, says what the
//! note denies.** Of what stands behind `rather than` and `instead of`, all until the clause ends counts.

use crate::clause::Turned;
use crate::lists::NEGATIONS;
use crate::premise::Premise;
use crate::reason::ReasonKind;
use crate::text::Text;
use memora_nlp::token::{Token, TokenKind};

/// Fewer words with content may be said of anything.
const WORDS_MIN: usize = 2;

/// Finds what a sentence says and a premise sets aside.
pub(crate) fn set_aside(sentence: &Text, premises: &[&Premise]) -> Option<Turned> {
    if has_contrast(&sentence.tokens) {
        return None;
    }
    premises.iter().find_map(|premise| {
        let tokens = &premise.words.tokens;
        (0..tokens.len()).find_map(|at| {
            let start = at + contrast_at(tokens, at)?;
            let end = (start..tokens.len()).find(|i| ends(&tokens[*i])).unwrap_or(tokens.len());
            let aside: Vec<&Token> = tokens.get(start..end)?.iter().filter(|t| t.is_content()).collect();
            let own = |token: &&Token| sentence.tokens.iter().position(|other| other.stem == token.stem);
            let places: Option<Vec<usize>> = aside.iter().map(own).collect();
            let places = places.filter(|places| places.len() >= WORDS_MIN)?;
            // What is preferred stands in front; a sentence that has it, too, may speak of both.
            let front = tokens.get(..at)?.iter().rev().take_while(|t| !t.is_segment_end()).find(|t| t.is_content())?;
            if sentence.tokens.iter().any(|other| other.stem == front.stem) {
                return None;
            }
            // What the note speaks of elsewhere, too, it may say there.
            let again = tokens.get(..at)?.iter().chain(tokens.get(end..)?);
            if again.filter(|t| t.is_content()).any(|t| aside.iter().any(|aside| aside.stem == t.stem)) {
                return None;
            }
            let (first, last) = (*places.iter().min()?, *places.iter().max()?);
            let found = premise.words.words(&(at..end)).to_owned();
            Some(Turned { kind: ReasonKind::Negation, tokens: first..last + 1, found })
        })
    })
}

/// How many tokens the words have at a place by which something is set aside.
fn contrast_at(tokens: &[Token], at: usize) -> Option<usize> {
    let is = |i: usize, word: &str| tokens.get(i).is_some_and(|t| t.lower == word);
    let phrases = [("rather", "than", 2), ("instead", "of", 2), ("as", "opposed", 3)];
    phrases.iter().find(|(first, second, _)| is(at, first) && is(at + 1, second)).map(|(_, _, length)| *length)
}

fn has_contrast(tokens: &[Token]) -> bool {
    let sets_aside = |t: &Token| {
        NEGATIONS.contains(t.lower.as_str())
            || matches!(
                t.lower.as_str(),
                "rather" | "instead" | "than" | "opposed" | "over" | "avoid" | "without" | "but"
            )
    };
    tokens.iter().any(sets_aside)
}

fn ends(token: &Token) -> bool {
    token.is_segment_end()
        || matches!(token.kind, TokenKind::Mark(',' | ':' | '(' | ')' | '-'))
        || matches!(token.lower.as_str(), "but" | "because" | "since" | "as" | "so" | "which" | "who" | "when")
}
