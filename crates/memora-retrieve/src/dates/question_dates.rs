//! Dates allowed only in questions: months, seasons, weekdays and periods without a year, counted from today.
//!
//! Invariant: **a question about the past means the last time.** A month or a season without a year is the most recent
//! one that has begun; with `last` the most recent one that is over.

use std::ops::Range;

use jiff::ToSpan;
use jiff::civil::{Date, ISOWeekDate, Weekday};

use memora_nlp::unit::CalendarPeriod;

use super::calendar::{
    month_number, months_span, parse_ordinal, parse_period_unit, parse_short_number, parse_step, parse_weekday,
    parse_year, season_months, week_at_offset, year_span,
};
use super::{DateExpressionParser, DateMatch};
use crate::lists::{
    BARE_PREPOSITIONS, DATE_PREPOSITIONS, PERIOD_LEADS, PREVIOUS_WORDS, RANGE_PREPOSITIONS, WEEK_LINKS, WHOLE_WORDS,
};

/// The first and the last day.
type DateSpan = (Date, Date);

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

/// The year that a word before a month, a season or a week selects.
#[derive(Clone, Copy, PartialEq, Eq)]
enum YearChoice {
    /// The most recent that is over.
    Last,
    /// The one of this year.
    This,
    /// The most recent that has begun.
    Begun,
}

impl DateExpressionParser<'_> {
    /// Parses a time after a preposition: `in January`, `on Tuesday`, `until May`, `from 2021`.
    pub(super) fn parse_after_preposition(&self, at: usize, plain: &dyn Fn(usize) -> DateMatch) -> DateMatch {
        let the = usize::from(PERIOD_LEADS.contains(self.word_at(at + 1)));
        let of = usize::from(the == 1 && self.word_at(at + 2) == "of");
        let start = at + 1 + the + of;
        match self.word_at(at) {
            word if DATE_PREPOSITIONS.contains(word) => {
                let month = month_number(self.word_at(start)).filter(|_| self.parse_absolute(start).is_none());
                let days = match month {
                    Some(month) if parse_ordinal(self.word_at(start + 1)).is_none() => {
                        self.most_recent_months(month, month, YearChoice::Begun)
                    }
                    _ => None,
                };
                let is_range = RANGE_PREPOSITIONS.contains(self.word_at(at));
                if let Some((from, until)) = days {
                    // "In March last year", "im März dieses Jahres".
                    let (from, until, more) = match self.parse_year_step(start + 1) {
                        Some((year, more)) => {
                            let (from, until) = months_span(year, from.month(), until.month())?;
                            (from, until, more)
                        }
                        None => (from, until, 0),
                    };
                    let days = match self.word_at(at) {
                        "since" | "seit" | "ab" => (from, Date::MAX),
                        "after" | "nach" => (until.tomorrow().ok()?, Date::MAX),
                        "before" => (Date::new(1, 1, 1).ok()?, from.yesterday().ok()?),
                        _ => (from, until),
                    };
                    return Some((days, start - at + 1 + more));
                }
                if is_range {
                    return None;
                }
                if let Some(((first, last), used)) = self.parse_season(start) {
                    return Some(((first, last), start - at + used));
                }
                if matches!(self.word_at(at), "on" | "am") {
                    if let Some(weekday) = parse_weekday(self.word_at(start), self.is_capitalized(start))
                        .filter(|_| plain(start).is_none() && !self.has_date_at(start + 1))
                    {
                        let day = self.today?.nth_weekday(-1, weekday).ok()?;
                        return Some(((day, day), start - at + 1));
                    }
                    let day = parse_ordinal(self.word_at(start))
                        .filter(|_| parse_short_number(self.word_at(start)).is_none() && the == 1);
                    if let Some(day) = day.filter(|_| plain(start).is_none()) {
                        return Some((self.most_recent_day(day)?, start - at + 1));
                    }
                }
                if matches!(self.word_at(at), "on" | "am" | "at" | "over")
                    && matches!(self.word_at(start), "weekend" | "wochenende")
                {
                    return Some((self.weekend_before(self.today?, 0)?, start - at + 1));
                }
                let bare = BARE_PREPOSITIONS.contains(self.word_at(at)) && self.asks_for_year(at);
                let days =
                    parse_year(self.word_at(start)).filter(|_| bare && plain(start).is_none()).and_then(year_span)?;
                Some((days, start - at + 1))
            }
            "until" | "till" | "bis" => {
                let (days, used) = plain(start).or_else(|| Some((year_span(parse_year(self.word_at(start))?)?, 1)))?;
                Some(((Date::new(1, 1, 1).ok()?, days.1), start - at + used))
            }
            "vor" => {
                // "Vor zwei Wochen".
                let (counted, used) = self.parse_count_at(at + 1)?;
                let unit = parse_period_unit(self.word_at(at + 1 + used))?;
                Some((self.period_ago(counted, unit)?, used + 2))
            }
            _ => None,
        }
    }

    /// Whether there is a date at a word: `on Friday 1 July 2005` is that day, and not last Friday.
    fn has_date_at(&self, at: usize) -> bool {
        self.parse_absolute(at).is_some() || self.parse_yearless_date(at).is_some()
    }

    /// Parses a time that needs no preposition.
    pub(super) fn parse_bare_time(&self, at: usize) -> DateMatch {
        let skipped = usize::from(matches!(self.word_at(at), "the" | "der" | "die" | "das"));
        let found = self
            .parse_counted(at)
            .or_else(|| self.parse_named_period(at + skipped).map(|(days, used)| (days, used + skipped)));
        found.or_else(|| self.parse_stepped(at)).or_else(|| {
            let (from, used) = self.resolve_yearless_date(at)?;
            Some(((from, from), used))
        })
    }

    /// Parses `two weeks ago`, `a year ago today`, `the past three days`, `the day before yesterday`.
    fn parse_counted(&self, at: usize) -> DateMatch {
        let today = self.today?;
        let day = |back: i32| today.checked_sub(i64::from(back).days()).ok().map(|day| (day, day));
        let the = usize::from(self.word_at(at) == "the");
        if (self.word_at(at + the), self.word_at(at + the + 1)) == ("day", "before")
            && self.word_at(at + the + 2) == "yesterday"
        {
            return Some((day(2)?, the + 3));
        }
        let start = at + usize::from(self.word_at(at) == "a" && matches!(self.word_at(at + 1), "few" | "couple"));
        if let Some((counted, used)) = self.parse_count_at(start) {
            let of = usize::from(self.word_at(start + used) == "of");
            let unit_at = start + used + of;
            if let Some(unit) = parse_period_unit(self.word_at(unit_at)).filter(|_| self.word_at(unit_at + 1) == "ago")
            {
                let on_the_day = self.word_at(unit_at + 2) == "today";
                let days = if on_the_day { self.day_ago(counted, unit)? } else { self.period_ago(counted, unit)? };
                return Some((days, unit_at + 2 + usize::from(on_the_day) - at));
            }
        }
        let leads = PREVIOUS_WORDS.contains(self.word_at(at + the));
        if !leads {
            return None;
        }
        if let Some((counted, used)) = self.parse_count_at(at + the + 1)
            && let Some(unit) = parse_period_unit(self.word_at(at + the + 1 + used))
        {
            return Some(((self.day_ago(counted, unit)?.0, today), the + 2 + used));
        }
        let unit = parse_period_unit(self.word_at(at + the + 1)).filter(|_| self.word_at(at + the) == "past")?;
        Some(((self.day_ago(1, unit)?.0, today), the + 2))
    }

    /// Whether a preposition before a year asks for what is of that time, rather than for a thing that has it for a name: "the tax
    /// return for 2022", "the flood of 2013", but "all of 2022" and "photos from 2022".
    fn asks_for_year(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map_or("", |before| self.word_at(before));
        match self.word_at(at) {
            "for" => false,
            "of" => WHOLE_WORDS.contains(before),
            _ => true,
        }
    }

    /// Parses quarters, halves, seasons, weeks and parts of years that are named in full.
    fn parse_named_period(&self, at: usize) -> DateMatch {
        let (word, next) = (self.word_at(at), self.word_at(at + 1));
        let of = |at: usize| usize::from(matches!(self.word_at(at), "of" | "in" | "des"));
        let year_at = |at: usize| Some((parse_year(self.word_at(at + of(at)))?, of(at) + 1));
        // `Q3 2021`, `2021-Q3`, `H1 2021`.
        let part = |word: &str| match word.strip_prefix('q').and_then(parse_short_number) {
            Some(quarter @ 1..=4) => Some((quarter * 3 - 2, quarter * 3)),
            _ => match word {
                "h1" => Some((1, 6)),
                "h2" => Some((7, 12)),
                _ => None,
            },
        };
        if let Some((year, (first, last))) = parse_year(word).zip(part(next)) {
            return Some((months_span(year, first, last)?, 2));
        }
        if let Some((first, last)) = part(word) {
            return match year_at(at + 1) {
                Some((year, used)) => Some((months_span(year, first, last)?, 1 + used)),
                None => Some((self.most_recent_months(first, last, YearChoice::Begun)?, 1)),
            };
        }
        let nth = match word {
            "first" | "erste" | "ersten" | "erstes" | "1st" => 1,
            "second" | "zweite" | "zweiten" | "zweites" | "2nd" => 2,
            "third" | "dritte" | "dritten" | "drittes" | "3rd" => 3,
            "fourth" | "vierte" | "vierten" | "viertes" | "4th" => 4,
            _ => 0,
        };
        let months = match next {
            "quarter" | "quartal" if nth > 0 => Some(3),
            "half" | "halfte" | "halbjahr" if (1..=2).contains(&nth) => Some(6),
            _ => None,
        };
        if let Some(months) = months {
            let (first, last) = (nth * months - months + 1, nth * months);
            return match year_at(at + 2) {
                Some((year, used)) => Some((months_span(year, first, last)?, 2 + used)),
                None => Some((self.most_recent_months(first, last, YearChoice::Begun)?, 2)),
            };
        }
        // `summer of 2019`, `winter 2019/20`.
        if let Some((first, last)) = season_months(word) {
            if let Some((year, used)) = year_at(at + 1) {
                let split = self.gap_before(at + 1 + used) == "/" && matches!(self.word_at(at + 1 + used).len(), 2 | 4);
                return Some((months_span(year, first, last)?, 1 + used + usize::from(split)));
            }
            let (year, used) = self.parse_year_step(at + 1)?;
            return Some((months_span(year, first, last)?, 1 + used));
        }
        self.parse_week(at).or_else(|| self.parse_third(at)).or_else(|| self.parse_possessive_year(at))
    }

    /// Parses `week 14 of 2022`, `2022-W14`, `KW 14 2022`, and what [`Self::parse_week_of`] does.
    fn parse_week(&self, at: usize) -> DateMatch {
        let numbered = |at: usize| {
            let word = self.word_at(at);
            let together = word.strip_prefix("kw").or_else(|| word.strip_prefix('w')).and_then(parse_short_number);
            let apart =
                || matches!(word, "week" | "kw" | "woche").then(|| parse_short_number(self.word_at(at + 1))).flatten();
            together.map(|week| (week, 1)).or_else(|| Some((apart()?, 2)))
        };
        let iso = |year: i16, week: i8| {
            let monday = ISOWeekDate::new(year, week, Weekday::Monday).ok()?.date();
            Some((monday, monday.checked_add(6.days()).ok()?))
        };
        if let Some(year) = parse_year(self.word_at(at)) {
            let (week, used) = numbered(at + 1)?;
            return Some((iso(year, week)?, 1 + used));
        }
        if let Some((week, used)) = numbered(at) {
            let of = usize::from(matches!(self.word_at(at + used), "of" | "in"));
            if let Some(year) = parse_year(self.word_at(at + used + of)) {
                return Some((iso(year, week)?, used + of + 1));
            }
            let year = self.today?.year();
            let this = iso(year, week).filter(|days| Some(days.0) <= self.today);
            return Some((this.or_else(|| iso(year - 1, week))?, used));
        }
        self.parse_week_of(at)
    }

    /// Parses `the week of 5 March 2021`, `week starting 2021-03-01`, `the weekend of …`, `Woche des 11. Mai 2026`.
    pub(super) fn parse_week_of(&self, at: usize) -> DateMatch {
        let is_weekend = matches!(self.word_at(at), "weekend" | "wochenende");
        if !is_weekend && !matches!(self.word_at(at), "week" | "woche") {
            return None;
        }
        if !WEEK_LINKS.contains(self.word_at(at + 1)) {
            return None;
        }
        let on = usize::from(matches!(self.word_at(at + 2), "on" | "with" | "am"));
        let the = usize::from(matches!(self.word_at(at + 2 + on), "the" | "dem"));
        let start = at + 2 + on + the;
        let day = |(days, used): (DateSpan, usize)| (days.0 == days.1).then_some((days.0, used));
        let yearless = || if self.asked { self.resolve_yearless_date(start) } else { None };
        let (day, used) = self.parse_absolute(start).and_then(day).or_else(yearless)?;
        let days = if is_weekend { self.weekend_before(day, 1)? } else { week_at_offset(day, 0)? };
        Some((days, 2 + on + the + used))
    }

    /// Parses `1990s`, `1990's` as a decade.
    fn parse_decade(&self, at: usize) -> DateMatch {
        let word = self.word_at(at);
        let marked = self.word_at(at + 1) == "s" && matches!(self.gap_before(at + 1), "'" | "’");
        let (year, used) = match word.strip_suffix('s') {
            Some(year) => (year, 1),
            None if marked => (word, 2),
            None => return None,
        };
        let year = parse_year(year).filter(|year| year % 10 == 0)?;
        Some(((year_span(year)?.0, year_span(year.checked_add(9)?)?.1), used))
    }

    /// Parses `2022's trip`: a year that has something.
    fn parse_possessive_year(&self, at: usize) -> DateMatch {
        let marked = self.word_at(at + 1) == "s" && matches!(self.gap_before(at + 1), "'" | "’");
        // "The 2000's music" is that of a decade.
        let before = at.checked_sub(1).map_or("", |before| self.word_at(before));
        let is_decade = |year: &i16| year % 10 == 0 && matches!(before, "the" | "early" | "mid" | "late");
        let year = parse_year(self.word_at(at)).filter(|year| marked && !is_decade(year))?;
        (self.gap_before(at + 2) == " ").then_some((year_span(year)?, 2))
    }

    /// Parses `early 2021`, `mid March 2021`, `the end of 2021`: a third of it.
    fn parse_third(&self, at: usize) -> DateMatch {
        let (nth, used) = match (self.word_at(at), self.word_at(at + 1)) {
            ("early" | "anfang", _) => (0, 1),
            ("mid" | "mitte", _) => (1, 1),
            ("late" | "ende", _) => (2, 1),
            ("beginning" | "start", "of") => (0, 2),
            ("middle", "of") => (1, 2),
            ("end", "of") => (2, 2),
            _ => return None,
        };
        if let Some((decade, more)) = self.parse_decade(at + used) {
            // Three years early, three in the middle, four late.
            let first = decade.0.year().checked_add(i16::from(nth) * 3)?;
            let last = if nth == 2 { decade.1.year() } else { first.checked_add(2)? };
            return Some(((year_span(first)?.0, year_span(last)?.1), used + more));
        }
        if let Some(year) = parse_year(self.word_at(at + used)).filter(|_| self.parse_absolute(at + used).is_none()) {
            return Some((months_span(year, nth * 4 + 1, nth * 4 + 4)?, used + 1));
        }
        let (month, more) = match self.parse_absolute(at + used) {
            Some((days, more)) => (days, more),
            None => {
                let month = month_number(self.word_at(at + used))?;
                (self.most_recent_months(month, month, YearChoice::Begun)?, 1)
            }
        };
        let whole = month.0.first_of_month() == month.0 && month.1 == month.0.last_of_month();
        let first = month.0.checked_add((i64::from(nth) * 10).days()).ok()?;
        let last = if nth == 2 { month.1 } else { first.checked_add(9.days()).ok()? };
        whole.then_some(((first, last), used + more))
    }

    /// Parses `last January`, `this summer`, `last weekend`, `this morning`, `last night`.
    fn parse_stepped(&self, at: usize) -> DateMatch {
        let today = self.today?;
        let step = match parse_step(self.word_at(at))? {
            -1 => YearChoice::Last,
            0 => YearChoice::This,
            _ => return None,
        };
        let name = self.word_at(at + 1);
        if let Some((first, last)) = month_number(name).map(|month| (month, month)).or_else(|| season_months(name)) {
            // "Last May 5" is a day.
            let is_day = month_number(name).is_some()
                && (parse_ordinal(self.word_at(at + 2)).is_some() || parse_year(self.word_at(at + 2)).is_some());
            return if is_day { None } else { Some((self.most_recent_months(first, last, step)?, 2)) };
        }
        let days = match (name, step) {
            ("weekend" | "wochenende", YearChoice::Last) => self.weekend_before(today, 0)?,
            ("weekend" | "wochenende", _) => self.weekend_before(today, 1)?,
            ("quarter" | "quartal", _) => {
                let first = (today.month() - 1) / 3 * 3 + 1;
                let first = Date::new(today.year(), first, 1).ok()?;
                let back = if step == YearChoice::Last { 3 } else { 0 };
                let first = first.checked_sub(back.months()).ok()?;
                (first, first.checked_add(2.months()).ok()?.last_of_month())
            }
            ("morning" | "afternoon" | "evening", YearChoice::This) => (today, today),
            ("night", YearChoice::Last) => {
                let day = today.yesterday().ok()?;
                (day, day)
            }
            // This week's, from Monday to Sunday.
            (name, YearChoice::This) => {
                let days = i64::from(parse_weekday(name, self.is_capitalized(at + 1))?.to_monday_zero_offset());
                let day = week_at_offset(today, 0)?.0.checked_add(days.days()).ok()?;
                (day, day)
            }
            _ => return None,
        };
        Some((days, 2))
    }

    /// Resolves `5 June`, `June 5th`, `the 5th of June` to the most recent one; with `last year` to that of that year.
    pub(super) fn resolve_yearless_date(&self, at: usize) -> Option<(Date, usize)> {
        let (month, day, used) = self.parse_yearless_date(at)?;
        let today = self.today?;
        if let Some((year, more)) = self.parse_year_step(at + used) {
            return Some((Date::new(year, month, day).ok()?, used + more));
        }
        // 29 February occurs at least once in eight years.
        let day = (0..8)
            .filter_map(|back| Date::new(today.year().checked_sub(back)?, month, day).ok())
            .find(|day| *day <= today)?;
        Some((day, used))
    }

    /// Parses a month with a day that is not followed by a year.
    pub(super) fn parse_yearless_date(&self, at: usize) -> Option<(i8, i8, usize)> {
        let the = usize::from(self.word_at(at) == "the");
        let (parts, used) = self.words.parse_date_parts(at + the, false).filter(|(parts, _)| parts.year.is_none())?;
        let (month, day) = (parts.month?, parts.day?);
        // `in July, 5 of them`.
        if self.gap_before(at + the + used - 1).contains(',') {
            return None;
        }
        Date::new(2000, month, day).ok()?;
        Some((month, day, used + the))
    }

    /// Parses a season without a year, after a preposition.
    fn parse_season(&self, at: usize) -> DateMatch {
        let (first, last) = season_months(self.word_at(at)).filter(|_| self.parse_named_period(at).is_none())?;
        Some((self.most_recent_months(first, last, YearChoice::Begun)?, 1))
    }

    /// Parses `last year`, `this year`, `letzten Jahres`.
    fn parse_year_step(&self, at: usize) -> Option<(i16, usize)> {
        let of = usize::from(matches!(self.word_at(at), "of" | "im"));
        let step = parse_step(self.word_at(at + of)).filter(|step| *step < 1)?;
        let is_year = matches!(self.word_at(at + of + 1), "year" | "jahres" | "jahr");
        is_year.then_some((self.today?.year().checked_add(i16::from(step))?, of + 2))
    }

    /// Returns the most recent occurrence of months that recur every year.
    fn most_recent_months(&self, first: i8, last: i8, step: YearChoice) -> Option<DateSpan> {
        let today = self.today?;
        let year = today.year();
        if step == YearChoice::This {
            return months_span(year, first, last);
        }
        let fits = |days: &DateSpan| if step == YearChoice::Last { days.1 < today } else { days.0 <= today };
        (0..3).filter_map(|back| months_span(year.checked_sub(back)?, first, last)).find(fits)
    }

    fn most_recent_day(&self, day: i8) -> Option<DateSpan> {
        let first = self.today?.first_of_month();
        let mut days = (0_i64..12).filter_map(|back| {
            let month = first.checked_sub(back.months()).ok()?;
            Date::new(month.year(), month.month(), day).ok()
        });
        days.find(|day| Some(*day) <= self.today).map(|day| (day, day))
    }

    /// Returns the Saturday and Sunday before a day; with `ahead` those of its week.
    fn weekend_before(&self, day: Date, ahead: i32) -> Option<DateSpan> {
        let (_, sunday) = week_at_offset(day, ahead - 1)?;
        Some((sunday.yesterday().ok()?, sunday))
    }

    /// Resolves `two weeks ago` to the day, week, month or year; a year ago is the month of that year.
    fn period_ago(&self, counted: i32, unit: CalendarPeriod) -> Option<DateSpan> {
        let today = self.today?;
        if (counted, unit) == (1, CalendarPeriod::Year) {
            let month = today.first_of_month().checked_sub(1.years()).ok()?;
            return Some((month, month.last_of_month()));
        }
        self.period_before(counted, unit, today)
    }

    fn day_ago(&self, counted: i32, unit: CalendarPeriod) -> Option<DateSpan> {
        let counted = i64::from(counted);
        let span = match unit {
            CalendarPeriod::Day => counted.days(),
            CalendarPeriod::Week => counted.weeks(),
            CalendarPeriod::Month => counted.months(),
            CalendarPeriod::Year => counted.years(),
        };
        self.today?.checked_sub(span).ok().map(|day| (day, day))
    }
}
