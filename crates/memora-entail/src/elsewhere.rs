//! Facts that the cited words lack and their note has in another line: [`find_line`].
//!
//! The one rule to know: **what stands elsewhere in the note is not missing, and proves nothing**: the reader is told the line.

use std::ops::Range;

use crate::lists::NUMERALS;
use crate::name::stands_in;
use crate::premise::Premise;
use crate::quantity::is_same_value;
use crate::reason::{Reason, ReasonKind};
use crate::text::Text;
use memora_nlp::token::{Token, TokenKind};

/// A fact of a sentence that its cited words lack, with the line of their note that has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elsewhere {
    pub(crate) words: String,
    pub(crate) premise: usize,
    pub(crate) line: usize,
}

impl Elsewhere {
    /// The words of the sentence.
    #[must_use]
    pub fn words(&self) -> &str {
        &self.words
    }

    /// The index of the premise whose note has it.
    #[must_use]
    pub fn premise(&self) -> usize {
        self.premise
    }

    /// The line of the note, from 1; 0 of its path, and where the line may not be told.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }
}

/// The first line of a premise's note that has a fact which the premises lack.
pub(crate) fn find_line(missing: &Reason, sentence: &Text, premises: &[&Premise]) -> Option<Elsewhere> {
    let tokens = tokens_within(sentence, &missing.range());
    let notes = premises.iter().enumerate().filter_map(|(at, premise)| Some((at, premise.note.as_deref()?)));
    let line_in = |lines: &[(usize, String)]| match missing.kind() {
        ReasonKind::Name => line_of_name(&tokens, sentence, lines),
        ReasonKind::Number | ReasonKind::Unit => line_of_number(missing, sentence, lines),
        ReasonKind::Date | ReasonKind::Time => line_of_day(missing, sentence, lines),
        _ => None,
    };
    let (premise, line) = notes.into_iter().find_map(|(at, lines)| Some((at, line_in(lines)?)))?;
    Some(Elsewhere { words: missing.words().to_owned(), premise, line })
}

fn tokens_within(sentence: &Text, bytes: &Range<usize>) -> Vec<usize> {
    let within = |token: &Token| bytes.start <= token.range.start && token.range.end <= bytes.end;
    (0..sentence.tokens.len()).filter(|at| sentence.tokens.get(*at).is_some_and(within)).collect()
}

/// How many lines are read for one word: those before that only look as if they had it cost too much.
const READ_MAX: usize = 100;

/// The first line that has something, of the first of those that look as if they had it.
fn find_near(
    lines: &[(usize, String)],
    may_have: impl Fn(&str) -> bool,
    has_it: impl Fn(&str) -> bool,
) -> Option<usize> {
    let mut near = lines.iter().filter(|(_, words)| may_have(words)).take(READ_MAX);
    near.find(|(_, words)| has_it(words)).map(|(line, _)| *line)
}

/// The line that has the first word of a name, if each of its words stands in some line.
fn line_of_name(tokens: &[usize], sentence: &Text, lines: &[(usize, String)]) -> Option<usize> {
    let line_of = |at: usize| {
        let token = sentence.tokens.get(at)?;
        let opens: String = token.lower.chars().take(4).collect();
        let written = sentence.slice(&token.range);
        let is_acronym = (2..=6).contains(&written.chars().count()) && written.chars().all(char::is_uppercase);
        let may_have = |words: &str| {
            words.to_lowercase().contains(&opens)
                || is_acronym && has_initials(words, &token.lower)
                || has_acronym(words)
        };
        let has_it = |words: &str| match token.lower.chars().count() {
            1 => has_letter(&token.lower, &Text::read(words)),
            _ => stands_in(token, sentence, at, &Text::read(words)),
        };
        find_near(lines, may_have, has_it)
    };
    let found: Option<Vec<usize>> = tokens
        .iter()
        .filter(|at| sentence.tokens.get(**at).is_some_and(|token| token.kind == TokenKind::Word))
        .map(|at| line_of(*at))
        .collect();
    found?.first().copied()
}

/// Whether words of a line begin, one behind the other, with the letters of an acronym.
fn has_initials(words: &str, acronym: &str) -> bool {
    let initials: String = words.split(|c: char| !c.is_alphanumeric()).filter_map(|word| word.chars().next()).collect();
    initials.to_lowercase().contains(acronym)
}

/// Whether a line has a short word in capitals, which words of a sentence may spell out.
fn has_acronym(words: &str) -> bool {
    let is_short = |word: &str| (2..=5).contains(&word.chars().count()) && word.chars().all(char::is_uppercase);
    words.split(|c: char| !c.is_alphanumeric()).any(is_short)
}

/// Whether a line has a letter that names something, `Part A`, `A.`, and is no article.
fn has_letter(letter: &str, text: &Text) -> bool {
    let names = |(at, token): (usize, &Token)| {
        let goes_on = text.tokens.get(at + 1).is_some_and(|next| next.kind == TokenKind::Word);
        token.lower == letter && token.capital && (!token.initial || !goes_on)
    };
    text.tokens.iter().enumerate().any(names)
}

fn line_of_number(missing: &Reason, sentence: &Text, lines: &[(usize, String)]) -> Option<usize> {
    let Some(own) = sentence.quantities.iter().find(|quantity| quantity.range == missing.range()) else {
        let version = missing.words().trim_start_matches('v');
        let has_it = |words: &str| words.split(|c: char| !c.is_ascii_digit() && c != '.').any(|word| word == version);
        return lines.iter().find(|(_, words)| has_it(words)).map(|(line, _)| *line);
    };
    // A small number without a unit stands in every note.
    if own.unit.is_none() && own.value.abs() < 10.0 && own.value.fract() == 0.0 {
        return None;
    }
    let has_it = |words: &str| Text::read(words).quantities.iter().any(|other| is_same_value(own, other));
    let first = missing.words().chars().find(char::is_ascii_digit);
    let numbered = |words: &str| match first {
        Some(digit) => words.contains(digit) || names_number(words),
        None => words.contains(|c: char| c.is_ascii_digit()) || names_number(words),
    };
    find_near(lines, numbered, has_it)
}

/// Whether a line may write a number in words.
fn names_number(words: &str) -> bool {
    words.split_whitespace().any(|word| NUMERALS.contains(word.to_lowercase().as_str()))
}

fn line_of_day(missing: &Reason, sentence: &Text, lines: &[(usize, String)]) -> Option<usize> {
    let range = missing.range();
    let day = sentence.dates.iter().find(|date| date.range == range);
    let clock = sentence.clocks.iter().find(|clock| clock.range == range);
    let has_it = |words: &str| {
        let text = Text::read(words);
        day.is_some_and(|day| text.dates.iter().any(|other| day.agrees_with(other)))
            || clock.is_some_and(|clock| text.clocks.iter().any(|other| clock.agrees_with(other)))
    };
    let may_be_dated = |words: &str| words.contains(|c: char| c.is_ascii_digit() || c.is_uppercase());
    find_near(lines, may_be_dated, has_it)
}
