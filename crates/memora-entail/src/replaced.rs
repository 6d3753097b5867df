//! Another value in the same words: `the hosting company has 650 employees now`, beside `The hosting company has 480 employees`.
//!
//! The one rule to know: **all that the older statement says stands in the newer one, but for one number; all that the newer one says
//! stands in the older, but for a number and the words by which it is new; and both say it of a state, behind a verb in the present.** A
//! number in front of the verb says which thing is meant ("chapter 4 is done now"), a name or a day may be one of several, and what happened
//! may have happened twice. Where the newer one names what it sets aside ("NetSuite instead of Xero"), a name or a day will do.

use std::collections::HashSet;
use std::ops::Range;

use memora_nlp::token::{Token, TokenKind, tokenize};

use crate::lists::{MEASURING_VERBS, MONTHS, PASSING_WORDS, RENEWING_WORDS, WEEKDAY_HABITS, WEEKDAYS, find_unit};
use crate::premise::Premise;
use crate::text::{Text, denies};

/// The longest value, in tokens: `March 14, 2026`, `Orla van Fenn`.
const VALUE_MAX: usize = 4;

/// How much is told of it, in tokens, with what follows.
const TOLD_MAX: usize = 6;

/// How many words say what the value is of, at least.
const FRAME_MIN: usize = 2;

/// What a value is: only those of one kind take each other's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ValueKind {
    Number,
    Day,
    Name,
}

/// Whether two statements say the same of a state, but for one number: one of them may be out of date.
#[must_use]
pub fn differ_in_one_value(one: &Premise, other: &Premise) -> bool {
    compare_values(one, other, Compared::State).is_some()
}

/// Whether two statements say the same but for one number, of whatever: one of them may be wrong, or of another thing.
#[must_use]
pub fn differ_in_one_number(one: &Premise, other: &Premise) -> bool {
    compare_values(one, other, Compared::Number).is_some()
}

/// The value that a newer statement of a state gives in place of an older one's, in the same words, with what follows it. It is not called
/// new: that both speak of one thing, at two times, is for the caller to know.
#[must_use]
pub fn changed_value(newer: &Premise, older: &Premise) -> Option<String> {
    let value = compare_values(newer, older, Compared::State)?;
    Some(newer.words.words(&with_what_follows(&newer.words, value)?).to_owned())
}

/// Whether a text gives a number of a state: without one, no pair of it can differ in its value.
#[must_use]
pub fn states_a_number(text: &str) -> bool {
    let tokens = tokenize(text);
    tokens.iter().any(|token| MEASURING_VERBS.contains(token.lower.as_str()))
        && tokens
            .iter()
            .any(|token| token.kind == TokenKind::Numeral || token.lower.contains(|c: char| c.is_ascii_digit()))
}

/// The tokens of the value that a newer statement gives in place of an older one's.
pub(crate) fn replaced_value(newer: &Premise, older: &Premise) -> Option<Range<usize>> {
    with_what_follows(&newer.words, compare_values(newer, older, Compared::NewState)?)
}

/// A value with the rest of its part of the sentence: `650 employees now`.
fn with_what_follows(text: &Text, value: Range<usize>) -> Option<Range<usize>> {
    let segment = text.segments().into_iter().find(|segment| segment.contains(&value.start))?;
    Some(value.start..segment.end.min(value.start + TOLD_MAX).max(value.end))
}

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compared {
    /// A number of a state that the newer one calls new, or whatever it sets aside by name.
    NewState,
    /// A number of a state, or whatever it sets aside by name.
    State,
    /// Any number.
    Number,
}

fn compare_values(newer: &Premise, older: &Premise, compared: Compared) -> Option<Range<usize>> {
    let (new, old) = (&newer.words, &older.words);
    let aside = aside_of(new, old);
    let is_aside = |at: usize| aside.as_ref().is_some_and(|(tokens, _)| tokens.contains(&at));
    let is_new = aside.is_some() || new.tokens.iter().any(|token| RENEWING_WORDS.contains(token.lower.as_str()));
    let rest = new.tokens.iter().enumerate().filter(|(at, _)| !is_aside(*at)).map(|(_, token)| token);
    if compared == Compared::NewState && !is_new || denies(rest) || denies(&old.tokens) {
        return None;
    }
    // Why, or by what event: `since the reform`, `because of the new contract`.
    let reason = new.tokens.iter().position(|token| matches!(token.lower.as_str(), "since" | "because" | "due"));
    let reason = reason.map_or(0..0, |from| {
        let end = new.tokens.iter().skip(from).position(|token| token.is_mark(',') || token.is_segment_end());
        from..end.map_or(new.tokens.len(), |end| from + end)
    });
    let in_new = |at: &usize| new.tokens.get(*at).is_some_and(says) && !is_aside(*at) && !reason.contains(at);
    let in_old = |at: &usize| old.tokens.get(*at).is_some_and(says);
    let stem = |text: &'_ Text, at: usize| text.tokens.get(at).map_or(String::new(), |token| token.stem.clone());
    let kept: HashSet<String> = (0..new.tokens.len()).filter(in_new).map(|at| stem(new, at)).collect();
    let known: HashSet<String> = (0..old.tokens.len()).filter(in_old).map(|at| stem(old, at)).collect();
    let gone: Vec<usize> = (0..old.tokens.len()).filter(in_old).filter(|at| !kept.contains(&stem(old, *at))).collect();
    let come: Vec<usize> = (0..new.tokens.len()).filter(in_new).filter(|at| !known.contains(&stem(new, *at))).collect();
    let (gone, come) = (run_of(&gone)?, run_of(&come)?);
    let is_meant = aside.as_ref().is_none_or(|(_, value)| value.iter().any(|at| gone.contains(at)));
    let frame = known.intersection(&kept).count();
    let (one, other) = (kind_of(old, &gone)?, kind_of(new, &come)?);
    let is_state = one == ValueKind::Number
        && (compared == Compared::Number || is_measured(old, gone.start) && is_measured(new, come.start));
    (frame >= FRAME_MIN && is_meant && one == other && (is_state || aside.is_some())).then_some(come)
}

/// Whether a value stands behind a verb of a state in the present, at most a phrase away: `is on port 9090`.
fn is_measured(text: &Text, value: usize) -> bool {
    let from = value.saturating_sub(VALUE_MAX);
    let before = text.tokens.get(from..value).unwrap_or_default();
    before.iter().any(|token| MEASURING_VERBS.contains(token.lower.as_str()))
}

/// What is set aside by name, as tokens of the newer statement and of the value in the older one: `not 18`, `instead of Xero`.
fn aside_of(new: &Text, old: &Text) -> Option<(Range<usize>, Vec<usize>)> {
    let lower = |at: usize| new.tokens.get(at).map_or("", |token| token.lower.as_str());
    (0..new.tokens.len()).find_map(|at| {
        let from = match (lower(at), lower(at + 1)) {
            ("instead", "of") | ("rather", "than") => at + 2,
            ("not", _) => at + 1,
            _ => return None,
        };
        let behind = new.tokens.iter().enumerate().skip(from).take_while(|(_, token)| says(token) || token.glued);
        let behind: Vec<&Token> = behind.take(VALUE_MAX).map(|(_, token)| token).collect();
        let value: Vec<usize> = (0..old.tokens.len())
            .filter(|i| old.tokens.get(*i).is_some_and(|token| behind.iter().any(|said| said.stem == token.stem)))
            .collect();
        (!behind.is_empty() && !value.is_empty()).then(|| (at..from + behind.len(), value))
    })
}

/// Whether a token says something of the world, and not that it is new.
fn says(token: &Token) -> bool {
    let is_word = token.is_content() || token.kind == TokenKind::Numeral;
    is_word && !PASSING_WORDS.contains(token.lower.as_str()) && !RENEWING_WORDS.contains(token.lower.as_str())
}

/// One value: tokens that stand together.
fn run_of(tokens: &[usize]) -> Option<Range<usize>> {
    let (first, last) = (*tokens.first()?, *tokens.last()?);
    (last - first < VALUE_MAX && last - first < tokens.len() * 2).then_some(first..last + 1)
}

fn kind_of(text: &Text, value: &Range<usize>) -> Option<ValueKind> {
    let tokens = text.tokens.get(value.clone())?;
    let is_day =
        |token: &Token| WEEKDAYS.contains(token.lower.as_str()) || WEEKDAY_HABITS.contains(token.lower.as_str());
    if tokens.iter().any(is_day) || text.dates.iter().any(|date| value.contains(&date.tokens.start)) {
        return tokens
            .iter()
            .all(|token| {
                is_day(token)
                    || !says(token)
                    || token.kind == TokenKind::Numeral
                    || MONTHS.contains(token.lower.as_str())
            })
            .then_some(ValueKind::Day);
    }
    // A number, alone or with its unit.
    let is_number = |at: usize| {
        let is_digits = |token: &Token| token.lower.contains(|c: char| c.is_ascii_digit());
        text.is_fact.get(at) == Some(&true) || text.tokens.get(at).is_some_and(is_digits)
    };
    let is_unit =
        |at: usize| text.tokens.get(at).is_some_and(|token| find_unit(&token.lower).is_some() || !says(token));
    if value.clone().any(is_number) {
        return value.clone().all(|at| is_number(at) || is_unit(at)).then_some(ValueKind::Number);
    }
    let is_name = |token: &Token| token.capital;
    tokens.iter().filter(|token| says(token)).all(is_name).then_some(ValueKind::Name)
}

#[cfg(test)]
mod tests {
    use super::replaced_value;
    use crate::premise::Premise;

    fn check(newer: &str, older: &str) -> Option<String> {
        let (new, old) = (Premise::new(newer), Premise::new(older));
        replaced_value(&new, &old).map(|tokens| new.words.words(&tokens).to_owned())
    }

    #[test]
    fn a_value_that_is_called_new_takes_the_place_of_one_in_the_same_words() {
        for (newer, older, value) in [
            (
                "The hosting company has 650 employees now.",
                "The hosting company has 480 employees.",
                "650 employees now",
            ),
            (
                "There are 31 magisters in the city since the reform.",
                "There are 26 magisters in the city.",
                "31 magisters in the city since",
            ),
            ("The performance improvement is 14x, not 6x.", "The performance improvement is 6x.", "14x, not 6x"),
            (
                "The integration tests take 9 minutes now, not 18.",
                "The integration tests take 18 minutes.",
                "9 minutes now, not 18",
            ),
            ("The API is on port 9090 now.", "The API is on port 8080.", "9090 now"),
        ] {
            assert_eq!(check(newer, older).as_deref(), Some(value), "{newer}");
        }
    }

    #[test]
    fn what_is_not_called_new_or_is_of_something_else_takes_no_place() {
        for (newer, older) in [
            ("The hosting company has 650 employees.", "The hosting company has 480 employees."),
            ("The design company has 650 employees now.", "The hosting company has 480 employees."),
            ("In version 2.0 the limit is 200 items now.", "In version 1.2 the limit is 100 items."),
            ("The new chapter has 31 pages.", "The second chapter has 20 pages."),
            ("The hosting company has 650 employees now.", "The hosting company has few employees."),
            ("Invoice 119 to the school is now paid.", "Invoice 112 to the school is paid."),
            ("Chapter 4 of the thesis is done now.", "Chapter 3 of the thesis is done."),
            ("My daughter Lotte learns the violin now.", "My daughter Ida learns the violin."),
            ("The Munich office has 40 desks now.", "The Berlin office has 40 desks."),
            ("There are 4 new parking spots at the office.", "There are 12 parking spots at the office."),
            ("Rent of the new flat is 1100 euros now.", "Rent of the flat in Bremen is 900 euros."),
            ("Saw 30 cranes at the lake since dawn.", "Saw 12 cranes at the lake."),
            ("I now take vitamin D on Fridays.", "I take vitamin D on Mondays."),
            ("Tom is now a member of the works council.", "Lena is a member of the works council."),
        ] {
            assert_eq!(check(newer, older), None, "{newer}");
        }
    }
}
