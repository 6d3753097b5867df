//! Dates allowed only in questions: months, seasons, weekdays and periods without a year, counted from today.
//!
//! Invariant: **a question about the past means the last time.** A month or a season without a year is the most recent
//! one that has begun; with `last` the most recent one that is over.

use std::ops::Range;

use memora_claim::time::{DateForm, Period, TimeExpr, TimeRule};
use memora_nlp::time::{DateParts, month_number, parse_day, parse_year};
use memora_vault::PartialDate;

use super::reader::{DateMatch, DateReader, bounded_by};
use crate::lists::{BARE_PREPOSITIONS, DATE_PREPOSITIONS, PERIOD_LEADS, RANGE_PREPOSITIONS, WHOLE_WORDS};

/// Finds the byte ranges of closed quotations, marks included.
pub(super) fn find_quoted_ranges(text: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut at = 0;
    while let Some(open) =
        text.get(at..).and_then(|rest| rest.char_indices().find(|(_, c)| closing_marks(*c).is_some()))
    {
        let from = at + open.0;
        let inside = from + open.1.len_utf8();
        let close = closing_marks(open.1).unwrap_or_default();
        let Some((end, c)) = text.get(inside..).and_then(|rest| rest.char_indices().find(|(_, c)| close.contains(c)))
        else {
            at = inside;
            continue;
        };
        at = inside + end + c.len_utf8();
        ranges.push(from..at);
    }
    ranges
}

fn closing_marks(open: char) -> Option<&'static [char]> {
    Some(match open {
        '"' => &['"'],
        '\u{201c}' => &['\u{201d}'],
        '\u{201e}' => &['\u{201c}', '\u{201d}'],
        '\u{ab}' => &['\u{bb}'],
        '\u{300c}' => &['\u{300d}'],
        _ => return None,
    })
}

impl DateReader<'_> {
    /// Parses a time after a preposition: `in January`, `on Tuesday`, `until May`, `from 2021`.
    pub(super) fn parse_after_preposition(&self, at: usize) -> DateMatch {
        let the = usize::from(PERIOD_LEADS.contains(self.word(at + 1)));
        let of = usize::from(the == 1 && self.word(at + 2) == "of");
        let start = at + 1 + the + of;
        let lead = self.word(at);
        let with_lead = |(days, used): (Period, usize)| Some((bounded_by(lead, days)?, start - at + used));
        if matches!(lead, "until" | "till" | "bis") {
            return self.parse_plain(start).or_else(|| self.parse_year_at(start)).and_then(with_lead);
        }
        if !DATE_PREPOSITIONS.contains(lead) {
            return self.days_of(self.parse_ago(at)?).filter(|_| lead == "vor");
        }
        if let Some(month) = self.parse_bare_month(start) {
            return self.days_of(month).and_then(with_lead);
        }
        if RANGE_PREPOSITIONS.contains(lead) {
            return None;
        }
        let form = self.parse_open_season(start).or_else(|| match lead {
            "on" | "am" => self.parse_past_day(start, the == 1),
            "at" | "over" => self.parse_previous(start).filter(|form| form.rule == TimeRule::Weekend),
            _ => None,
        });
        if let Some(form) = form {
            return self.days_of(form).and_then(with_lead);
        }
        let bare = BARE_PREPOSITIONS.contains(lead) && self.asks_for_year(at) && self.parse_plain(start).is_none();
        self.parse_year_at(start).filter(|_| bare && parse_year(self.word(start)).is_some()).and_then(with_lead)
    }

    /// Parses a month without a day or a year: `March`, `March last year`.
    fn parse_bare_month(&self, at: usize) -> Option<DateForm> {
        let month = month_number(self.word(at)).filter(|_| parse_day(self.word(at + 1)).is_none())?;
        let form = DateForm::from_parts(DateParts { month: Some(month), ..DateParts::default() }, 1)?;
        let form = self.parse_year_step(at + 1).map_or(form, |step| form.in_year(step));
        self.parse_absolute(at).is_none().then_some(form)
    }

    fn parse_open_season(&self, at: usize) -> Option<DateForm> {
        self.parse_months(at).filter(|form| form.rule == TimeRule::Season && form.when.is_open())
    }

    /// Parses `Tuesday`, `weekend` and, with an article, `15th`: the last one. `on Friday 1 July 2005` is that day, and not
    /// last Friday.
    fn parse_past_day(&self, at: usize, has_article: bool) -> Option<DateForm> {
        if self.parse_plain(at).is_some() {
            return None;
        }
        if let Some(form) = self.parse_previous(at) {
            let is_dated = self.parse_absolute(at + 1).is_some() || self.parse_yearless_date(at + 1).is_some();
            return Some(form).filter(|form| match form.rule {
                TimeRule::Weekday => !is_dated,
                rule => rule == TimeRule::Weekend,
            });
        }
        let (day, _) = parse_day(self.word(at)).filter(|(_, ordinal)| *ordinal && has_article)?;
        DateForm::from_parts(DateParts { day: Some(day), ..DateParts::default() }, 1)
    }

    /// Whether a preposition before a year asks for what is of that time, rather than for a thing that has it for a name: "the tax
    /// return for 2022", "the flood of 2013", but "all of 2022" and "photos from 2022".
    fn asks_for_year(&self, at: usize) -> bool {
        match self.word(at) {
            "for" => false,
            "of" => WHOLE_WORDS.contains(self.word_before(at, 1)),
            _ => true,
        }
    }

    /// Parses a time that needs no preposition.
    pub(super) fn parse_bare_time(&self, at: usize) -> DateMatch {
        let the = usize::from(matches!(self.word(at), "the" | "der" | "die" | "das"));
        let inner = at + the;
        if let Some(form) = self.parse_stretch(inner) {
            return Some((self.days_around_today(inner, form)?, form.used + the));
        }
        if let Some(ago) = self.parse_ago(at) {
            return self.parse_years_ago_today(at, ago).or_else(|| self.days_of(ago));
        }
        let named = || self.parse_day_name(inner).filter(|form| the == 0 || form.used > 2);
        let named = named().or_else(|| self.parse_named_period(inner));
        let form = named.map(|form| DateForm { used: form.used + the, ..form });
        let form = form.or_else(|| self.parse_step(at)).or_else(|| self.parse_yearless_date(at))?;
        self.days_of(form)
    }

    /// Returns the days of `the past three months`, from the day of that month until today, or of `the next three`.
    pub(super) fn days_around_today(&self, at: usize, form: DateForm) -> Option<Period> {
        let (from, until) = form.when.resolve(self.today)?;
        match self.word(at) {
            "next" | "coming" => Period::from_dates(self.today?, self.same_day(until)?),
            _ => Period::from_dates(self.same_day(from)?, self.today?),
        }
    }

    /// Returns the day of `a year ago today`.
    fn parse_years_ago_today(&self, at: usize, ago: DateForm) -> DateMatch {
        let (from, until) = ago.when.resolve(self.today).filter(|_| self.word(at + ago.used) == "today")?;
        let day = if from == until { self.same_day(from)? } else { return None };
        Some((Period::from_dates(day, day)?, ago.used + 1))
    }

    /// Returns the day of a month or a year that corresponds to today; a day itself.
    fn same_day(&self, date: PartialDate) -> Option<PartialDate> {
        let (month, day) = (date.month().or(self.today?.month())?, date.day().or(self.today?.day())?);
        let last = PartialDate::from_year_month(date.year(), month)?.first_and_last_day().1;
        PartialDate::from_ymd(date.year(), month, day.min(last.day()?))
    }

    /// Parses quarters, halves, seasons, weeks and parts of years.
    fn parse_named_period(&self, at: usize) -> Option<DateForm> {
        let named = self.parse_months(at).filter(|form| form.rule != TimeRule::Season || !form.when.is_open());
        named
            .or_else(|| self.parse_last_week_numbered(at))
            .or_else(|| {
                self.parse_week_of(at, |at| {
                    self.parse_absolute(at).or_else(|| self.resolved(self.parse_yearless_date(at)?))
                })
            })
            .or_else(|| self.parse_part(at, |at| self.parse_divisible(at)))
            .or_else(|| self.parse_possessive_year(at))
    }

    /// Parses a numbered week; without a year, the last that has begun.
    fn parse_last_week_numbered(&self, at: usize) -> Option<DateForm> {
        let year = self.today.map(PartialDate::year);
        let week = self.parse_week_number(at, year)?;
        let has_begun = Some(week.when.resolve(None)?.0) <= self.today;
        if has_begun { Some(week) } else { self.parse_week_number(at, year.map(|year| year - 1)) }
    }

    /// Parses what `early` and `the end of` divide: a year, a month, the last month of a name, `last year`.
    fn parse_divisible(&self, at: usize) -> Option<DateForm> {
        let named = || {
            let (parts, used) = self.parse_date_parts(at, false).filter(|(parts, _)| parts.day.is_none())?;
            self.resolved(DateForm::from_parts(parts, used)?)
        };
        self.parse_absolute(at).or_else(named).or_else(|| self.parse_step(at))
    }

    /// Counts a form from today.
    fn resolved(&self, form: DateForm) -> Option<DateForm> {
        let (from, until) = form.when.resolve(self.today)?;
        Some(DateForm { when: TimeExpr::from_dates(from, until)?, ..form })
    }

    /// Parses `2022's trip`: a year that has something.
    fn parse_possessive_year(&self, at: usize) -> Option<DateForm> {
        let marked = self.word(at + 1) == "s" && matches!(self.gap_before(at + 1), "'" | "’");
        // "The 2000's music" is that of a decade.
        let before = self.word_before(at, 1);
        let is_decade = |year: &i16| year % 10 == 0 && matches!(before, "the" | "early" | "mid" | "late");
        let year = parse_year(self.word(at)).filter(|year| marked && !is_decade(year))?;
        let parts = DateParts { year: Some(year), ..DateParts::default() };
        if self.gap_before(at + 2) == " " { DateForm::from_parts(parts, 2) } else { None }
    }

    /// Parses `5 June`, `June 5th`, `the 5th of June`: the most recent one; with `last year` that of that year.
    pub(super) fn parse_yearless_date(&self, at: usize) -> Option<DateForm> {
        let the = usize::from(self.word(at) == "the");
        let (parts, used) = self.parse_date_parts(at + the, false)?;
        let is_day = parts.year.is_none() && parts.month.is_some() && parts.day.is_some();
        // `in July, 5 of them`.
        if !is_day || self.gap_before(at + the + used - 1).contains(',') {
            return None;
        }
        let form = DateForm::from_parts(parts, used + the)?;
        Some(self.parse_year_step(at + form.used).map_or(form, |step| form.in_year(step)))
    }
}
