//! Whether a sentence is the source's own words: whole sentences or lines of a premise, none of their words left out.

use crate::premise::Premise;
use crate::text::Text;
use memora_nlp::token::{Token, TokenKind};

/// Whether the words of a sentence are one or several whole sentences of a premise, perhaps with its title in front.
pub(crate) fn is_quoted(sentence: &Text, premises: &[&Premise]) -> bool {
    let own = words(&sentence.tokens);
    if own.is_empty() {
        return false;
    }
    let asks = sentence.source.contains(['?', '？']);
    premises.iter().any(|premise| {
        let segments = premise.words.sentences();
        let text = |from: usize, to: usize| {
            let (from, to) = (segments.get(from).map_or(0, |s| s.start), segments.get(to).map_or(0, |s| s.end));
            words(premise.words.tokens.get(from..to).unwrap_or_default())
        };
        let question = |to: usize| {
            let end = segments.get(to).map_or(0, |s| s.end);
            premise.words.tokens.get(end).is_some_and(|t| matches!(t.kind, TokenKind::Mark('?' | '？')))
        };
        let titled = |run: &[(&str, bool)]| {
            premise.context.iter().any(|title| {
                own.strip_prefix(words(&title.tokens).as_slice()).is_some_and(|rest| {
                    let rest =
                        rest.strip_prefix(&[(":", true)]).or_else(|| rest.strip_prefix(&[(",", true)])).unwrap_or(rest);
                    rest == run && !run.is_empty()
                })
            })
        };
        (0..segments.len()).any(|from| {
            (from..segments.len()).take(8).any(|to| {
                let run = text(from, to);
                asks == question(to) && (run == own || titled(&run))
            })
        })
    })
}

/// The words and signs that say something, each with whether it is a sign. Commas, colons and quotation marks count, since they
/// tell who speaks and which ones are meant; a comma in front of *and*, emphasis and the ends of sentences do not.
fn words(tokens: &[Token]) -> Vec<(&str, bool)> {
    let glued = |at: usize, mark: char| tokens.get(at).is_some_and(|t| t.glued && t.is_mark(mark));
    let says = |at: usize, token: &Token| match token.kind {
        TokenKind::Mark(',' | ':' | ';') => tokens
            .get(at + 1)
            .is_some_and(|next| !next.is_mark('\n') && !matches!(next.lower.as_str(), "and" | "or" | "but")),
        TokenKind::Mark('!') => glued(at + 1, '='),
        TokenKind::Mark('*' | '.') => glued(at + 1, '.') || token.is_mark('.') && is_extension(tokens, at),
        TokenKind::Mark('-') => !token.glued && tokens.get(at + 1).is_some_and(|next| next.glued),
        TokenKind::Mark('?' | '\'' | '_' | '\n' | '|' | '…' | '。' | '、' | '！' | '？') => false,
        _ => true,
    };
    let said = tokens.iter().enumerate().filter(|(at, token)| says(*at, token));
    let mut found: Vec<(&str, bool)> =
        said.map(|(_, t)| (t.lower.as_str(), matches!(t.kind, TokenKind::Mark(_)))).collect();
    while found.last().is_some_and(|(mark, sign)| *sign && matches!(*mark, "," | ":" | ";")) {
        found.pop();
    }
    found
}

/// Whether a full stop begins a word: `.env`.
fn is_extension(tokens: &[Token], at: usize) -> bool {
    let free = tokens.get(at).is_some_and(|stop| !stop.glued);
    free && tokens.get(at + 1).is_some_and(|next| next.glued && next.kind == TokenKind::Word)
}
