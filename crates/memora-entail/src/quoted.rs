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
                own.strip_prefix(words(&title.tokens).as_slice()).is_some_and(|rest| rest == run && !run.is_empty())
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

/// The words and signs that say something, in lower case, each with whether it is a sign.
fn words(tokens: &[Token]) -> Vec<(&str, bool)> {
    let says = |t: &&Token| {
        !matches!(
            t.kind,
            TokenKind::Mark(
                '.' | ','
                    | ';'
                    | ':'
                    | '!'
                    | '?'
                    | '"'
                    | '\''
                    | '*'
                    | '_'
                    | '-'
                    | '\n'
                    | '|'
                    | '…'
                    | '。'
                    | '、'
                    | '！'
                    | '？'
            )
        )
    };
    tokens.iter().filter(says).map(|t| (t.lower.as_str(), matches!(t.kind, TokenKind::Mark(_)))).collect()
}
