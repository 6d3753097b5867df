//! A sentence of the notes with the days that it means in the place of the words for them: `[2025-03-19] the new boiler was put
//! in` for `Yesterday the new boiler was put in`, in a note of 20 March.
//!
//! What a time expression means is read by [`memora_claim::time`]. The one rule to know: **what may be two days is none.** Where
//! the tense has to say on which side of the note's day a time lies, and doesn't, the words stay words. A sentence keeps its own
//! words as well: this is only a second reading of it.
//!
//! Deliberately not here: lengths of time (`for two years`, `the last three months`), what comes back (`every Monday`), and what
//! stands in quotation marks: somebody else's yesterday.

mod anchor;
mod choose;
mod counted;
mod differ;
mod own;

use std::ops::Range;

use memora_claim::time::{Role, times};
use memora_vault::PartialDate;

pub(super) use anchor::Anchor;
pub(super) use differ::differences;
pub(super) use own::in_their_days;

use super::dates::Part;
use super::tokens::{Date, Kind, Token, tokens, visible};
use counted::{Counted, What, Word};

/// A sentence with its days resolved.
pub(super) struct Dated {
    /// Which of the sentences it is.
    pub(super) of: usize,
    pub(super) tokens: Vec<Token>,
    /// What was resolved in it, in order.
    pub(super) days: Vec<Day>,
}

impl Dated {
    /// The tokens of the days.
    pub(super) fn resolved(&self) -> impl Iterator<Item = &Token> {
        self.days.iter().filter_map(|day| self.tokens.get(day.at))
    }
}

/// A resolved expression.
#[derive(Clone, Copy, Debug)]
pub(super) struct Day {
    /// Where it stands among the tokens.
    pub(super) at: usize,
    pub(super) date: Date,
    /// How it stands to what is said there.
    pub(super) role: Role,
}

/// An expression in a text, with what it means.
struct Meant {
    words: Range<usize>,
    date: Date,
    role: Role,
}

/// Reads a sentence of a note, the so-manyeth of some; `None` if nothing in it is counted from another day.
pub(super) fn dated(of: usize, sentence: &str, anchor: &Anchor) -> Option<Dated> {
    let text = with_digits(&visible(sentence));
    let meant = meant(&text, anchor);
    if meant.is_empty() || text.contains(STAND_IN_END) {
        return None;
    }
    let mut with_stand_ins = String::with_capacity(text.len() + meant.len() * 4);
    let mut from = 0;
    for (nth, one) in meant.iter().enumerate() {
        with_stand_ins.push_str(text.get(from..one.words.start)?);
        with_stand_ins.push_str(&stand_in(nth));
        from = one.words.end;
    }
    with_stand_ins.push_str(text.get(from..)?);
    let mut tokens = tokens(&with_stand_ins);
    let mut days = Vec::with_capacity(meant.len());
    for (nth, one) in meant.iter().enumerate() {
        let name = stand_in(nth);
        let at = tokens.iter().position(|token| token.raw == name)?;
        let raw = text.get(one.words.clone())?.to_owned();
        let lower = raw.to_lowercase();
        tokens[at] = Token { raw, stem: lower.clone(), lower, kind: Kind::Date(one.date) };
        days.push(Day { at, date: one.date, role: one.role });
    }
    lead_in(&mut tokens, &mut days);
    Some(Dated { of, tokens, days })
}

/// Puts `on` before a day that a sentence begins with: the reader of sentences takes a bare one for their subject.
fn lead_in(tokens: &mut Vec<Token>, days: &mut [Day]) {
    if days.first().is_some_and(|day| day.at == 0 && day.role == Role::At) {
        let lead = |word: &str| Token { raw: word.into(), lower: word.into(), stem: word.into(), kind: Kind::Function };
        tokens.insert(0, lead("on"));
        days.iter_mut().for_each(|day| day.at += 1);
    }
}

/// What a text holds in the place of an expression while it is cut: one word, that is no date and no number.
fn stand_in(nth: usize) -> String {
    format!("{}{STAND_IN_END}", 3000 + nth % 7000)
}

const STAND_IN_END: &str = "-77-77";

/// `On the first` as `on the 1st`, where it is a day.
fn with_digits(text: &str) -> String {
    let mut found = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((front, back)) = rest.split_once("the first") {
        let lead = front.trim_end().rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default().to_lowercase();
        let is_led = matches!(lead.as_str(), "on" | "by" | "from" | "until" | "till" | "since");
        let ends =
            back.trim_start().chars().next().is_none_or(|c| matches!(c, '.' | ',' | ';' | '!' | '?' | ')' | ':'));
        found.push_str(front);
        found.push_str(if is_led && ends { "the 1st" } else { "the first" });
        rest = back;
    }
    found.push_str(rest);
    found
}

/// The expressions of a text that mean a day, month or year by another day, in order.
fn meant(text: &str, anchor: &Anchor) -> Vec<Meant> {
    let words = counted::words(text);
    let read = times(text);
    let counted = counted::counted(text, &words, &read);
    let mut all: Vec<(Range<usize>, Expression<'_>)> = read
        .iter()
        .filter(|time| !counted.iter().any(|other| overlap(&other.words, &time.words)))
        .map(|time| (time.words.clone(), Expression::Time(time)))
        .chain(counted.iter().map(|counted| (counted.words.clone(), Expression::Counted(counted))))
        .collect();
    all.sort_by_key(|(words, _)| words.start);
    let mut before: Option<PartialDate> = None;
    let mut found = Vec::new();
    for (range, expression) in all {
        if let Expression::Counted(Counted { what: What::Feast(month, day), role, .. }) = expression {
            let date = Date { month: Some(*month), day: Some(*day), ..Date::default() };
            found.push(Meant { words: range, date, role: *role });
            continue;
        }
        let (bounds, role) = match expression {
            Expression::Time(time) => (choose::resolved(text, &words, time, anchor), time.role),
            Expression::Counted(counted) => (counted.resolve(before, anchor), counted.role),
        };
        let Some((first, last)) = bounds else { continue };
        if first == last && first.day().is_some() {
            before = Some(first);
        }
        let is_written = matches!(expression, Expression::Time(time) if !time.when.is_relative());
        if is_written || is_quoted(text, range.start) {
            continue;
        }
        let range = without_part_of_day(text, range);
        let own = tokens(text.get(range.clone()).unwrap_or_default());
        let part = own.iter().find_map(|token| if let Kind::Date(date) = token.kind { date.part } else { None });
        let part = part.or_else(|| quarter(first, last));
        found.push(Meant { words: range, date: Date { part, ..common(first, last) }, role });
    }
    found
}

enum Expression<'t> {
    Time(&'t memora_claim::time::Time),
    Counted(&'t Counted),
}

fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// Whether it stands behind an opening quotation mark that is not closed before it.
fn is_quoted(text: &str, at: usize) -> bool {
    let front = text.get(..at).unwrap_or_default();
    let count = |marks: &[char]| front.chars().filter(|c| marks.contains(c)).count();
    count(&['"']) % 2 == 1 || count(&['“', '„', '«']) > count(&['”', '»'])
}

/// `Tomorrow morning` without the morning, which is no part of a date.
fn without_part_of_day(text: &str, range: Range<usize>) -> Range<usize> {
    let words = text.get(range.clone()).unwrap_or_default();
    let is_part = |word: &str| matches!(word.to_lowercase().as_str(), "morning" | "afternoon" | "evening" | "night");
    match words.rsplit_once(' ') {
        Some((front, last)) if is_part(last) => range.start..range.start + front.trim_end().len(),
        _ => range,
    }
}

/// What the first and the last of a time have in common.
fn common(first: PartialDate, last: PartialDate) -> Date {
    let year = (first.year() == last.year()).then_some(first.year());
    let month = first.month().filter(|_| year.is_some() && first.month() == last.month());
    let day = first.day().filter(|_| month.is_some() && first.day() == last.day());
    let number = |part: Option<i8>| part.and_then(|part| u32::try_from(part).ok());
    Date {
        year: year.and_then(|year| u32::try_from(year).ok()),
        month: number(month),
        day: number(day),
        ..Date::default()
    }
}

/// The quarter that two months begin and end.
fn quarter(first: PartialDate, last: PartialDate) -> Option<Part> {
    let (from, until) = (first.month()?, last.month()?);
    let is_whole = first.year() == last.year() && first.day().is_none() && last.day().is_none();
    let nth = u8::try_from((from - 1) / 3 + 1).ok()?;
    (is_whole && from % 3 == 1 && until == from + 2).then_some(Part::Quarter(nth))
}

/// The words of a text that stand before a place, in its clause, the nearest first.
fn clause_before<'w>(text: &'w str, words: &'w [Word], at: usize) -> impl Iterator<Item = &'w str> {
    let end = words.partition_point(|word| word.at.end <= at);
    let mut next = at;
    words.get(..end).unwrap_or_default().iter().rev().map_while(move |word| {
        let gap = text.get(word.at.end..next).unwrap_or_default();
        next = word.at.start;
        (!parts(gap)).then_some(word.lower.as_str())
    })
}

/// The words of a text that stand behind a place, in its clause.
fn clause_behind<'w>(text: &'w str, words: &'w [Word], at: usize) -> impl Iterator<Item = &'w str> {
    let start = words.partition_point(|word| word.at.start < at);
    let mut from = at;
    words.get(start..).unwrap_or_default().iter().map_while(move |word| {
        let gap = text.get(from..word.at.start).unwrap_or_default();
        from = word.at.end;
        (!parts(gap)).then_some(word.lower.as_str())
    })
}

/// Whether one clause ends between two words.
fn parts(gap: &str) -> bool {
    gap.contains([',', ';', ':', '.', '!', '?', '(', ')', '–', '—', '"', '“', '”', '|', '→'])
}

#[cfg(test)]
mod tests;
