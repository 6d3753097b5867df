//! `dates FILE.jsonl`: derives the date of an event from a sentence and the date of its note.
//!
//! A row is right if the middle of the answer lies inside the gold interval, widened by a day on either side. Answers
//! are the chosen time expression, resolved against the note's date, or else the note's date. Two strategies are
//! measured:
//!
//! 1. `by_words` uses only the evidence: the first expression in the past, else the first that can be resolved.
//!    Deadlines and expressions such as "before" or "after" a time are never chosen.
//! 2. `by_question` also uses the question: the sentence of the evidence that shares most of its words (the
//!    earliest of equals) gives its first expression; without one, the first strategy applies. This is fair only for
//!    a system that knows the question.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result};
use memora_claim::time::{TimeMention, TimeRole, TimeRule, find_times};
use memora_vault::PartialDate;
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
struct DatesRow {
    qid: String,
    question: String,
    evidence: String,
    note_date: String,
    gold_start: String,
    gold_end: String,
}

/// Number of rows, and how many of them are right.
#[derive(Default, Serialize)]
struct RuleCounts {
    count: usize,
    right: usize,
}

/// Results of one strategy.
#[derive(Default, Serialize)]
struct ChoiceFigures {
    rows: usize,
    right: usize,
    /// right / rows
    accuracy: f64,
    /// Rows answered from a time expression, by the rule that read it.
    by_rule: BTreeMap<&'static str, RuleCounts>,
    /// Rows without an expression, answered with the note's date.
    fallback: RuleCounts,
    /// The wrong rows: id, rule or `fallback`, first and last date of the answer.
    wrong: Vec<(String, &'static str, String, String)>,
}

#[derive(Serialize)]
pub(crate) struct DatesFigures {
    rows: usize,
    /// Lines that cannot be parsed as rows, or have invalid dates.
    unusable: usize,
    /// The accuracy of `by_words`.
    accuracy: f64,
    /// The accuracy of answering every row with the note's date.
    note_date_alone: f64,
    by_words: ChoiceFigures,
    by_question: ChoiceFigures,
}

/// The chosen first and last date, with the rule that read them.
struct DateAnswer {
    rule: Option<TimeRule>,
    dates: (PartialDate, PartialDate),
}

pub(crate) fn measure(file: &Path) -> Result<DatesFigures> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let (mut by_words, mut by_question) = (ChoiceFigures::default(), ChoiceFigures::default());
    let (mut unusable, mut note_right) = (0, 0);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let Some((row, note, gold)) = parse_row(line) else {
            unusable += 1;
            continue;
        };
        note_right += usize::from(has_middle_within((note, note), gold) == Some(true));
        let found = find_times(&row.evidence);
        let whole = 0..row.evidence.len();
        let words = choose_time(&found, &whole, note);
        by_words.add_answer(&row.qid, words, note, gold);
        let asked = find_asked_sentence(&row.evidence, &row.question)
            .and_then(|sentence| choose_time(&found, &sentence, note))
            .or_else(|| choose_time(&found, &whole, note));
        by_question.add_answer(&row.qid, asked, note, gold);
    }
    by_words.compute_accuracy();
    by_question.compute_accuracy();
    Ok(DatesFigures {
        rows: by_words.rows,
        unusable,
        accuracy: by_words.accuracy,
        note_date_alone: crate::ratio(note_right, by_words.rows),
        by_words,
        by_question,
    })
}

type AnswerDates = (PartialDate, PartialDate);

fn parse_row(line: &str) -> Option<(DatesRow, PartialDate, AnswerDates)> {
    let row: DatesRow = serde_json::from_str(line).ok()?;
    let whole = |text: &str| PartialDate::parse(text).filter(|date| date.day().is_some());
    let note = whole(&row.note_date)?;
    let gold = (whole(&row.gold_start)?, whole(&row.gold_end)?);
    Some((row, note, gold))
}

/// Chooses the first time in `within` that is in the past, else the first that can be resolved.
fn choose_time(found: &[TimeMention], within: &Range<usize>, note: PartialDate) -> Option<DateAnswer> {
    let mut ahead = None;
    for (nth, time) in found.iter().enumerate() {
        let inside = within.start <= time.words.start && time.words.end <= within.end;
        if !inside || !matches!(time.role, TimeRole::At | TimeRole::Since) {
            continue;
        }
        let Some(mut dates) = time.when.resolve(Some(note)) else { continue };
        // `from 12 to 14 March`: the event lasts until the other end.
        if let (TimeRole::Since, Some(next)) = (time.role, found.get(nth + 1))
            && next.role == TimeRole::Until
            && let Some((_, last)) = next.when.resolve(Some(note))
        {
            dates.1 = last;
        }
        let answer = DateAnswer { rule: Some(time.rule), dates };
        if dates.0.first_and_last_day().0 < note && dates.1.first_and_last_day().0 <= note {
            return Some(answer);
        }
        ahead = ahead.or(Some(answer));
    }
    ahead
}

/// Finds the sentence of `evidence` that shares most words with the question.
fn find_asked_sentence(evidence: &str, question: &str) -> Option<Range<usize>> {
    let asked: BTreeSet<String> = content_stems(question).collect();
    let mut best = None;
    for sentence in sentence_ranges(evidence) {
        let Some(text) = evidence.get(sentence.clone()) else { continue };
        let shared = content_stems(text).collect::<BTreeSet<_>>().intersection(&asked).count();
        if shared > best.as_ref().map_or(0, |(most, _)| *most) {
            best = Some((shared, sentence));
        }
    }
    best.map(|(_, sentence)| sentence)
}

/// Returns the content words without common endings.
fn content_stems(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 3).map(|word| {
        let word = word.to_lowercase();
        let stem = ["ing", "ed", "es", "s"].iter().find_map(|end| word.strip_suffix(end)).filter(|stem| stem.len() > 2);
        stem.unwrap_or(&word).to_owned()
    })
}

/// Splits after `.`, `!` and `?` if white space follows.
fn sentence_ranges(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        if c.is_whitespace() && matches!(before, '.' | '!' | '?') {
            found.push(start..at);
            start = at;
        }
        before = c;
    }
    found.push(start..text.len());
    found
}

/// Whether the middle of `answer` lies in `gold`, widened by a day on either side; `None` for dates without a day.
fn has_middle_within(answer: AnswerDates, gold: AnswerDates) -> Option<bool> {
    let (first, last) = (day_number(answer.0.first_and_last_day().0)?, day_number(answer.1.first_and_last_day().1)?);
    let (from, until) = (day_number(gold.0)?, day_number(gold.1)?);
    // Both sides are doubled to keep half days exact.
    let middle = first + last;
    Some(2 * (from - 1) <= middle && middle <= 2 * (until + 1))
}

/// Returns the number of days since a fixed day, in the civil calendar.
fn day_number(date: PartialDate) -> Option<i64> {
    let (year, month, day) = (i64::from(date.year()), i64::from(date.month()?), i64::from(date.day()?));
    // The year starts on 1 March, so that the leap day is its last day.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leaps = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    Some(year * 365 + leaps + (month * 153 + 2) / 5 + day)
}

impl ChoiceFigures {
    fn add_answer(&mut self, qid: &str, answer: Option<DateAnswer>, note: PartialDate, gold: AnswerDates) {
        let answer = answer.unwrap_or(DateAnswer { rule: None, dates: (note, note) });
        let right = has_middle_within(answer.dates, gold) == Some(true);
        let counts = match answer.rule {
            Some(rule) => self.by_rule.entry(rule.into()).or_default(),
            None => &mut self.fallback,
        };
        counts.count += 1;
        counts.right += usize::from(right);
        self.rows += 1;
        self.right += usize::from(right);
        if !right {
            let rule = answer.rule.map_or("fallback", Into::into);
            self.wrong.push((qid.to_owned(), rule, answer.dates.0.to_string(), answer.dates.1.to_string()));
        }
    }

    fn compute_accuracy(&mut self) {
        self.accuracy = crate::ratio(self.right, self.rows);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> PartialDate {
        PartialDate::parse(text).expect("a date")
    }

    #[test]
    fn days_are_counted_across_leap_years_and_months() {
        let between = |a: &str, b: &str| day_number(date(b)).expect("a day") - day_number(date(a)).expect("a day");
        assert_eq!(between("2024-02-28", "2024-03-01"), 2);
        assert_eq!(between("2023-02-28", "2023-03-01"), 1);
        assert_eq!(between("2023-12-31", "2024-01-01"), 1);
        assert_eq!(between("1900-01-01", "2000-01-01"), 36524);
    }

    #[test]
    fn the_middle_may_be_a_day_off() {
        let gold = (date("2024-05-06"), date("2024-05-07"));
        let right = |first: &str, last: &str| has_middle_within((date(first), date(last)), gold);
        assert_eq!(right("2024-05-05", "2024-05-05"), Some(true));
        assert_eq!(right("2024-05-08", "2024-05-08"), Some(true));
        assert_eq!(right("2024-05-04", "2024-05-05"), Some(false));
        assert_eq!(right("2024", "2024"), Some(false));
    }

    #[test]
    fn what_points_back_is_chosen_first() {
        let check = |text: &str, expect: Option<&str>| {
            let found = find_times(text);
            let answer = choose_time(&found, &(0..text.len()), date("2024-05-08"));
            assert_eq!(answer.map(|answer| answer.dates.0.to_string()).as_deref(), expect, "{text}");
        };
        check("We fly tomorrow, I packed yesterday.", Some("2024-05-07"));
        check("We fly tomorrow.", Some("2024-05-09"));
        check("Hand it in by Friday.", None);
        check("Nothing to see.", None);
    }

    #[test]
    fn the_question_picks_the_sentence() {
        let text = "I sold the boat last week. Tomorrow we paint the fence.";
        let sentence = find_asked_sentence(text, "When will they paint the fence?").expect("one shares words");
        assert_eq!(text.get(sentence), Some(" Tomorrow we paint the fence."));
    }
}
