//! How often: a `yearly` limit is no `monthly` one, and `every year` is not `every month`.
//!
//! The one rule to know: **the sentence says one frequency, the words that it cites say one other, and most of what the sentence says
//! stands there.** Where either says several, or counts (`every two weeks`), nothing is compared.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::clause::Turned;
use crate::premise::Premise;
use crate::reason::ReasonKind;
use crate::text::Text;
use memora_nlp::token::{Token, TokenKind};

/// Finds the frequency of a sentence that the premises give otherwise.
pub(crate) fn other_frequency(sentence: &Text, premises: &[&Premise]) -> Option<Turned> {
    let (own, tokens) = only_frequency(&sentence.tokens)?;
    let [premise] = premises else { return None };
    let (their, place) = only_frequency(&premise.words.tokens)?;
    let context = premise.context.iter().chain(&premise.aliases).flat_map(|text| &text.tokens);
    let is_said_around = context.clone().any(|token| named_frequency(token) == Some(own) || token.lower == own);
    (their != own && !is_said_around && speaks_of(sentence, &tokens, premise)).then(|| Turned {
        kind: ReasonKind::Number,
        tokens,
        found: premise.words.words(&place).to_owned(),
    })
}

/// The one frequency of a text, by its unit of time, and where it stands; `None` if there is none, several, or one that counts.
fn only_frequency(tokens: &[Token]) -> Option<(&'static str, Range<usize>)> {
    let mut found: BTreeMap<&'static str, Range<usize>> = BTreeMap::new();
    for (at, token) in tokens.iter().enumerate() {
        if let Some(unit) = named_frequency(token) {
            found.insert(unit, at..at + 1);
        }
        if matches!(token.lower.as_str(), "every" | "each") {
            let next = tokens.get(at + 1)?;
            if next.kind == TokenKind::Numeral || matches!(next.lower.as_str(), "other" | "second" | "few" | "couple") {
                return None;
            }
            found.extend(unit_of_time(&next.lower).map(|unit| (unit, at..at + 2)));
        }
    }
    let first = found.pop_first()?;
    found.is_empty().then_some(first)
}

fn named_frequency(token: &Token) -> Option<&'static str> {
    Some(match token.lower.as_str() {
        "hourly" => "hour",
        "daily" => "day",
        "weekly" => "week",
        "monthly" => "month",
        "quarterly" => "quarter",
        "yearly" | "annual" | "annually" => "year",
        _ => return None,
    })
}

fn unit_of_time(word: &str) -> Option<&'static str> {
    ["minute", "hour", "day", "week", "month", "quarter", "year"].into_iter().find(|unit| *unit == word)
}

/// Whether at least two, and two thirds of the words with content of a sentence, without its frequency, stand in a premise.
fn speaks_of(sentence: &Text, frequency: &Range<usize>, premise: &Premise) -> bool {
    let rest = sentence.tokens.iter().enumerate().filter(|(at, token)| token.is_content() && !frequency.contains(at));
    let (mut said, mut all) = (0, 0);
    for (_, token) in rest {
        all += 1;
        said += usize::from(premise.words.tokens.iter().any(|other| other.stem == token.stem));
    }
    said >= 2 && said * 3 >= all * 2
}

#[cfg(test)]
mod tests {
    use crate::premise::Premise;
    use crate::{Verdict, judge};

    #[test]
    fn another_frequency_of_the_same_disagrees() {
        for (sentence, note) in [
            (
                "Both Active and Sold listings count toward your yearly limit.",
                "Both Active and Sold listings count toward your monthly limit.",
            ),
            ("The limits of the shop are adjusted every year.", "The limits of the shop are adjusted every month."),
            ("The board meets weekly in the library.", "Our board meets in the library every month."),
        ] {
            assert_eq!(judge(sentence, &[&Premise::new(note)]).verdict(), Verdict::Contradicted, "{sentence}");
        }
    }

    #[test]
    fn the_same_frequency_in_other_words_and_several_do_not() {
        for (sentence, note) in [
            ("The board meets monthly in the library.", "Our board meets in the library every month."),
            ("The board meets every day in the library.", "The board meets every two weeks in the library."),
            ("The daily notes of the club are read.", "The notes of the club are read weekly, the daily ones too."),
            ("The report comes every year.", "A monthly fee is due."),
        ] {
            assert_ne!(judge(sentence, &[&Premise::new(note)]).verdict(), Verdict::Contradicted, "{sentence}");
        }
    }
}
