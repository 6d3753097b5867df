//! Reads the dates of a text by their forms, counted from a day.

use std::ops::{Deref, Range};

use memora_claim::time::{DateForm, DateForms, DatePolicy, Period, TimeExpr, TimeRule};
use memora_nlp::time::{DateParts, TextRun, TextRuns, parse_digits, parse_year};
use memora_vault::PartialDate;

use crate::lists::YEAR_LEADS;
use crate::normalize::{fold_word, is_unspaced_script};

/// The days that an expression in a question denotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DateRange {
    /// The first day, complete.
    pub from: PartialDate,
    /// The last day, complete.
    pub until: PartialDate,
    /// The byte range of the expression in the question.
    pub text: Range<usize>,
}

/// The days of an expression, and its number of words.
pub(super) type DateMatch = Option<(Period, usize)>;

pub(super) struct DateReader<'t> {
    /// Folded words.
    forms: DateForms<'t>,
    /// The day to count from, complete.
    pub(super) today: Option<PartialDate>,
    /// Whether the text is a question rather than a statement.
    pub(super) asked: bool,
}

impl<'t> Deref for DateReader<'t> {
    type Target = DateForms<'t>;

    fn deref(&self) -> &Self::Target {
        &self.forms
    }
}

impl<'t> DateReader<'t> {
    pub(super) fn new(text: &'t str, words: Vec<TextRun>, today: Option<PartialDate>, asked: bool) -> Self {
        let forms = DateForms::new(TextRuns::new(text, words), DatePolicy::Question);
        Self { forms, today: today.filter(|today| today.day().is_some()), asked }
    }

    pub(super) fn collect_dates(&self) -> Vec<DateRange> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < self.len() {
            let Some((days, used)) = self.parse_expression(at) else {
                at += 1;
                continue;
            };
            if let Some(text) = self.range(at, at + used) {
                found.push(DateRange { from: days.from(), until: days.until(), text });
            }
            at += used.max(1);
        }
        found
    }

    pub(super) fn parse_expression(&self, at: usize) -> DateMatch {
        if self.word(at).is_empty() {
            return None;
        }
        if self.asked
            && let Some(found) = self.parse_range(at).or_else(|| self.parse_after_preposition(at))
        {
            return Some(found);
        }
        let word = self.word(at);
        if is_bound(word) || YEAR_LEADS.contains(word) {
            let plain = |start| self.parse_plain(start).map(|found| (found, start));
            let has_article = is_bound(word) && self.is_article(at + 1);
            let behind_article = || if has_article { plain(at + 2) } else { None };
            let year = self.parse_year_at(at + 1).map(|found| (found, at + 1));
            let ((days, used), begins) = year.or_else(|| plain(at + 1)).or_else(behind_article)?;
            return Some((bounded_by(word, days)?, begins - at + used));
        }
        self.parse_plain(at)
    }

    /// Parses a time that needs no preposition.
    pub(super) fn parse_plain(&self, at: usize) -> DateMatch {
        // What a week is said to begin with names all of it, in a statement, too.
        let week = || self.parse_week_of(at, |at| self.parse_absolute(at));
        let stretch = || {
            let form = self.parse_stretch(at)?;
            Some((self.days_around_today(at, form)?, form.used))
        };
        let told = || week().and_then(|form| self.days_of(form)).or_else(stretch);
        let named = if self.asked { self.parse_bare_time(at) } else { told() };
        named.or_else(|| self.days_of(self.parse_absolute(at)?)).or_else(|| self.days_of(self.parse_relative(at)?))
    }

    /// Returns the days of a form, counted from today.
    pub(super) fn days_of(&self, form: DateForm) -> DateMatch {
        let (from, until) = form.when.resolve(self.today)?;
        Some((Period::from_dates(from, until)?, form.used))
    }

    /// Parses a bare year; only after a preposition, and not as the start of a longer date.
    pub(super) fn parse_year_at(&self, at: usize) -> DateMatch {
        if self.parse_absolute(at).is_some() {
            return None;
        }
        let skipped = usize::from(matches!(self.word(at), "jahr" | "jahre" | "year"));
        let parts = DateParts { year: Some(parse_year(self.word(at + skipped))?), ..DateParts::default() };
        self.days_of(DateForm::from_parts(parts, skipped + 1)?)
    }

    /// Parses a date with its year: `2024-03-12`, `14 March 2025`, `March 2025`, `2025年4月12日`.
    pub(super) fn parse_absolute(&self, at: usize) -> Option<DateForm> {
        let written = || {
            let (parts, used) = self.parse_date_parts(at, false)?;
            (parts.year.is_some() && parts.month.is_some()).then(|| DateForm::from_parts(parts, used)).flatten()
        };
        self.parse_figures(at).or_else(|| self.parse_japanese(at)).or_else(written)
    }

    /// `2025年4月12日`, `2025年4月`, `2025年`.
    pub(super) fn parse_japanese(&self, at: usize) -> Option<DateForm> {
        let number = |at: usize, sign: char| {
            let number = parse_digits(self.word(at), 1, 2).filter(|_| self.word(at + 1).starts_with(sign))?;
            i8::try_from(number).ok()
        };
        let year = parse_year(self.word(at)).filter(|_| self.word(at + 1).starts_with('年'))?;
        let month = number(at + 2, '月');
        let day = number(at + 4, '日').filter(|_| month.is_some());
        let used = 2 + 2 * usize::from(month.is_some()) + 2 * usize::from(day.is_some());
        DateForm::from_parts(DateParts { year: Some(year), month, day, ordinal: false }, used)
    }

    /// Parses a day, a week, a month or a year that counts from today.
    pub(super) fn parse_relative(&self, at: usize) -> Option<DateForm> {
        let japanese = || {
            let (_, form) = JAPANESE_DAYS.iter().find(|(word, _)| *word == self.word(at))?;
            Some(DateForm { when: TimeExpr::parse(form)?, rule: TimeRule::DayName, used: 1 })
        };
        // A bare month may be a name or a verb.
        let plain = |form: &DateForm| self.asked || form.rule != TimeRule::Month;
        let stepped = || self.parse_step(at).filter(plain);
        self.parse_day_name(at).or_else(japanese).or_else(|| self.parse_ago(at)).or_else(stepped)
    }
}

/// Words that count from today, with their meaning as [`TimeExpr`] writes it.
const JAPANESE_DAYS: [(&str, &str); 9] = [
    ("今日", "@0d"),
    ("昨日", "@-1d"),
    ("昨天", "@-1d"),
    ("明日", "@+1d"),
    ("明天", "@+1d"),
    ("先週", "@-1w"),
    ("先月", "@-1m"),
    ("去年", "@-1y"),
    ("今年", "@0y"),
];

/// Whether a preposition asks for the days before or after a time.
fn is_bound(preposition: &str) -> bool {
    matches!(preposition, "since" | "seit" | "ab" | "after" | "nach" | "before" | "vor")
}

/// Returns the days that a preposition asks for: those from a time on, after it, before it, until it, or its own.
pub(super) fn bounded_by(preposition: &str, days: Period) -> Option<Period> {
    let beside = |day: PartialDate, by: &str| Some(TimeExpr::parse(by)?.resolve(Some(day))?.0);
    let (first, last) = (PartialDate::from_year(1)?, PartialDate::from_year(9999)?);
    match preposition {
        "since" | "seit" | "ab" => Period::from_dates(days.from(), last),
        "after" | "nach" => Period::from_dates(beside(days.until(), "@+1d")?, last),
        "before" | "vor" => Period::from_dates(first, beside(days.from(), "@-1d")?),
        "until" | "till" | "bis" => Period::from_dates(first, days.until()),
        _ => Some(days),
    }
}

/// Splits between letters and digits only where an unspaced script begins or ends: `14th` is one word, `4月` two.
pub(super) fn split_words(text: &str) -> Vec<TextRun> {
    let mut words: Vec<TextRun> = Vec::new();
    let mut dense = None;
    for (at, c) in text.char_indices() {
        if !c.is_alphanumeric() && !crate::normalize::is_mark(c) {
            dense = None;
            continue;
        }
        let end = at + c.len_utf8();
        match words.last_mut() {
            Some(word) if dense == Some(is_unspaced_script(c)) => word.at.end = end,
            _ => words.push(TextRun { at: at..end, text: String::new(), capital: c.is_uppercase() }),
        }
        dense = Some(is_unspaced_script(c));
    }
    for word in &mut words {
        let raw = text.get(word.at.clone()).unwrap_or_default();
        if raw.chars().next().is_some_and(is_unspaced_script) {
            // `先週の` is `先週` with a particle: cut at the first hiragana.
            let end = raw.find(|c| matches!(c, '\u{3041}'..='\u{309f}')).unwrap_or(raw.len());
            let end = match raw.chars().next() {
                Some(sign @ ('年' | '月' | '日')) => sign.len_utf8(),
                _ => end,
            };
            word.at.end = word.at.start + end.max(raw.chars().next().map_or(0, char::len_utf8));
            word.text = text.get(word.at.clone()).unwrap_or_default().to_owned();
        } else if raw.len() <= 16 {
            word.text = fold_word(raw);
        }
    }
    words
}
