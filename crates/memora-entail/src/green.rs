//! What keeps a sentence from being proven although its words are the note's: signs and digits that are not, and a place that
//! takes back what stands there.
//!
//! The one rule to know: **in doubt nothing is proven**; it stays a paraphrase, which the reader compares.

use crate::lists::{NEGATIONS, RETRACTIONS};
use crate::premise::Premise;
use crate::text::Text;
use memora_nlp::token::{Token, TokenKind};

/// A longer text is not aligned, in tokens: it is the notes' own, or not proven.
pub(crate) const TOKENS_MAX: usize = 400;

/// Whether the digits and signs of a sentence are those of the premises: `-5` is not `5`, `3.10` not `3.1`, `007` not `7`, and
/// `O-` not `O`.
pub(crate) fn has_their_signs(sentence: &Text, premises: &[&Premise]) -> bool {
    let theirs: Vec<String> = premises.iter().flat_map(|p| p.texts()).flat_map(signed).collect();
    let own: Vec<String> = signed(sentence).collect();
    let plain =
        |word: &str| word.trim_matches(|c| "-!".contains(c)).trim_start_matches('0').trim_end_matches('0').to_owned();
    let is_other = |word: &String| {
        !theirs.contains(word)
            && theirs.iter().any(|their| plain(their).trim_end_matches('.') == plain(word).trim_end_matches('.'))
    };
    !own.iter().any(is_other) && has_their_case(sentence, premises)
}

/// Whether units and short names are written as in the premises: `5 Mb` is not `5 MB`, and `US` not `us`.
fn has_their_case(sentence: &Text, premises: &[&Premise]) -> bool {
    let written = |text: &Text, t: &Token| text.source.get(t.range.clone()).unwrap_or_default().to_owned();
    let is_marked = |word: &str| word.chars().skip(1).any(char::is_uppercase);
    sentence.tokens.iter().enumerate().filter(|(_, token)| token.kind == TokenKind::Word).all(|(at, token)| {
        let own = written(sentence, token);
        let measures =
            at.checked_sub(1).and_then(|i| sentence.tokens.get(i)).is_some_and(|t| t.kind == TokenKind::Numeral);
        let mut theirs = premises.iter().flat_map(|p| p.texts()).flat_map(|text| {
            text.tokens.iter().filter(|t| t.lower == token.lower).map(|t| written(text, t)).collect::<Vec<_>>()
        });
        let Some(first) = theirs.next() else { return true };
        let is_asked = is_marked(&own) || measures && (is_marked(&first) || own.chars().count() == 1);
        !is_asked || first == own || theirs.any(|their| their == own)
    })
}

/// Numerals and words with the signs that are glued to them.
fn signed(text: &Text) -> impl Iterator<Item = String> + '_ {
    let tokens = &text.tokens;
    let sign = |at: usize| tokens.get(at).filter(|t| matches!(t.kind, TokenKind::Mark('-' | '−' | '!' | '–')));
    (0..tokens.len()).filter_map(move |at| {
        let token = tokens.get(at).filter(|t| !matches!(t.kind, TokenKind::Mark(_)))?;
        // A dash behind a word parts two.
        let free = |before: usize| tokens.get(before).is_none_or(|t| !t.glued);
        let front =
            at.checked_sub(1).filter(|before| token.glued && sign(*before).is_some() && free(*before)).is_some();
        let behind = sign(at + 1).is_some_and(|mark| mark.glued)
            && tokens.get(at + 2).is_none_or(|next| !next.glued || next.is_segment_end());
        let is_dash = behind && sign(at + 1).is_some_and(|mark| mark.is_mark('!'));
        let mut word = token.lower.clone();
        if front {
            word.insert(0, '-');
        }
        if behind && !is_dash {
            word.push('-');
        }
        Some(word)
    })
}

/// Whether a premise has a date that may be read in two ways: `03/04/2024`.
pub(crate) fn has_open_date(premises: &[&Premise]) -> bool {
    let number = |token: &Token, most: usize| token.kind == TokenKind::Numeral && token.lower.len() <= most;
    let is_open = |run: &[Token]| match run {
        [a, one, b, two, year] => {
            number(a, 2) && one.is_mark('/') && number(b, 2) && two.is_mark('/') && number(year, 4)
        }
        _ => false,
    };
    premises.iter().any(|premise| premise.words.tokens.windows(5).any(is_open))
}

/// Whether a heading, a parent item or a title takes back what stands under it.
pub(crate) fn is_taken_back(premises: &[&Premise]) -> bool {
    let takes_back = |premise: &Premise, text: &Text| {
        text.tokens.iter().enumerate().any(|(at, token)| {
            RETRACTIONS.contains(token.lower.as_str())
                || NEGATIONS.contains(token.lower.as_str()) && !is_in_name(text, at) && !begins_alike(premise, text, at)
        })
    };
    premises.iter().any(|premise| premise.context.iter().any(|text| takes_back(premise, text)))
}

/// Whether a word denies nothing, since it is a part of a name: "Ashita no Joe".
fn is_in_name(text: &Text, at: usize) -> bool {
    let is_capital = |at: Option<usize>| at.and_then(|at| text.tokens.get(at)).is_some_and(|token| token.capital);
    let is_particle = text.tokens.get(at).is_some_and(|token| text.slice(&token.range) == "no");
    is_particle && is_capital(at.checked_sub(1)) && is_capital(at.checked_add(1))
}

/// Whether the words themselves begin as the text does, up to its negation: a note may be named by its first words.
fn begins_alike(premise: &Premise, text: &Text, at: usize) -> bool {
    let [words, title] =
        [&premise.words, text].map(|text| text.tokens.iter().take(at + 1).map(|token| token.lower.as_str()));
    at > 0 && words.eq(title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_takes_back_what_it_denies_and_no_name_does() {
        for (title, words, expected) in [
            ("Ashita no Joe", "Over 20 million copies sold", false),
            ("There is no Santa", "He lives at the North Pole", true),
            ("What we do not do", "Use tabs", true),
            ("No Joe", "He won", true),
            ("Myths", "He won", true),
            ("drift does not use pino 9 for w0p3", "drift does not use pino 9 for logging", false),
            ("drift does not use", "drift uses pino", true),
            ("not", "not", true),
        ] {
            let premise = Premise::new(words).with_context(&[title]);
            assert_eq!(is_taken_back(&[&premise]), expected, "{title}");
        }
    }
}
