//! Parses ranges: `between March and May 2021`, `from 3 to 9 May 2021`, `vom 3. bis 9. Mai`.
//!
//! Invariant: **each end completes the other**: with a year, or a month and a year. If neither names a
//! year, the range is the most recent one that has begun.

use memora_claim::time::{DateForm, Period, fill_missing_parts};
use memora_nlp::time::DateParts;
use memora_vault::PartialDate;

use super::reader::{DateMatch, DateReader};
use crate::lists::{RANGE_LINKS, RANGE_OPENINGS};

/// An end of a range.
#[derive(Clone, Copy)]
enum RangeEnd {
    /// Known by itself.
    Known(Period),
    /// Without a year, or a month.
    Open(DateParts),
}

impl RangeEnd {
    /// Returns its parts, as far as they are known; of several days, those of the day that `outer` selects.
    fn parts(self, outer: impl Fn(Period) -> PartialDate) -> DateParts {
        match self {
            Self::Open(parts) => parts,
            Self::Known(days) => {
                let day = outer(days);
                DateParts { year: Some(day.year()), month: day.month(), day: day.day(), ordinal: false }
            }
        }
    }

    fn is_day_alone(self) -> bool {
        matches!(self, Self::Open(DateParts { month: None, .. }))
    }
}

impl DateReader<'_> {
    /// Parses a range at a word, including its preposition, if there is one.
    pub(super) fn parse_range(&self, at: usize) -> DateMatch {
        let opens = RANGE_OPENINGS.contains(self.word(at));
        let start = at + usize::from(opens) + usize::from(opens && self.is_article(at + 1));
        let (first, used) = self.parse_range_end(start)?;
        let between = matches!(self.word(at), "between" | "zwischen");
        let second_at = start + used + self.count_range_link(start + used, between)?;
        let (mut second, mut more) = self.parse_range_end(second_at)?;
        if let RangeEnd::Open(DateParts { month: None, day, .. }) = second {
            // `March 3-9, 2021`
            let year = self.parse_trailing_year(second_at + more).filter(|_| !first.is_day_alone());
            second = RangeEnd::Open(DateParts { day, year: year.map(|(year, _)| year), ..DateParts::default() });
            more += year.map_or(0, |(_, used)| used);
        }
        Some((self.resolve_range(first, second)?, second_at + more - at))
    }

    pub(super) fn is_article(&self, at: usize) -> bool {
        matches!(self.word(at), "the" | "der" | "dem" | "den" | "zum")
    }

    /// Returns the number of words between the ends of a range: a link or a dash, and an article.
    fn count_range_link(&self, at: usize, between: bool) -> Option<usize> {
        let word = self.word(at);
        let joined = if between { matches!(word, "and" | "und") } else { RANGE_LINKS.contains(word) };
        let dashed = !between && matches!(self.gap_before(at).trim(), "-" | "–" | "—") && at < self.len();
        let used = usize::from(joined);
        (joined || dashed).then(|| used + usize::from(self.is_article(at + used)))
    }

    fn parse_range_end(&self, at: usize) -> Option<(RangeEnd, usize)> {
        let absolute = self.parse_absolute(at).and_then(|form| self.days_of(form));
        let named = || self.parse_bare_time(at).filter(|_| self.parse_yearless_date(at).is_none());
        let relative = || self.days_of(self.parse_relative(at)?);
        if let Some((days, used)) = absolute.or_else(named).or_else(relative) {
            return Some((RangeEnd::Known(days), used));
        }
        let (parts, used) = self.parse_date_parts(at, false)?;
        match parts.year {
            Some(_) => {
                self.days_of(DateForm::from_parts(parts, used)?).map(|(days, used)| (RangeEnd::Known(days), used))
            }
            None => Some((RangeEnd::Open(parts), used)),
        }
    }

    /// Returns the days between two ends, each completed by the other.
    fn resolve_range(&self, first: RangeEnd, second: RangeEnd) -> Option<Period> {
        let (from, until) = (first.parts(Period::from), second.parts(Period::until));
        // `March to 9`, `the 12th to 3 May`
        let is_long = matches!(first, RangeEnd::Known(days) if !days.is_day());
        let ordered = until.day.is_none_or(|last| from.day.is_some_and(|first| first < last));
        let ordered = ordered && !(is_long && second.is_day_alone());
        if (first.is_day_alone() || second.is_day_alone()) && !ordered {
            return None;
        }
        let (mut from, mut until) = fill_missing_parts(from, until)?;
        if until.year.is_none() {
            until.year = Some(DateForm::from_parts(until, 0)?.when.resolve(self.today)?.0.year());
            (from, until) = fill_missing_parts(from, until)?;
        }
        let days = |end, parts| match end {
            RangeEnd::Known(days) => Some(days),
            RangeEnd::Open(_) => self.days_of(DateForm::from_parts(parts, 0)?).map(|(days, _)| days),
        };
        Period::from_dates(days(first, from)?.from(), days(second, until)?.until())
    }
}
