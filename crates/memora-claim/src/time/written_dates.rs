//! Dates written in words, complete or partial: `12 March 2024`, `March 12`, `March`, `2024`; alone and as a range.

use memora_nlp::language::Language;
use memora_nlp::lexicon::MONTHS;
use memora_nlp::time::DateParts;
use memora_vault::PartialDate;

use super::parser::{TimeMatch, TimeParser, TimePreposition};
use super::time_expr::{OccurrenceChoice, Recurrence, TimeExpr};
use super::tokens::{parse_day, parse_year};
use super::{TimeRole, TimeRule};
use crate::lists::{
    CLAUSE_STARTS, DAY_PREPOSITIONS, MEASURE_WORDS, NON_MONTH_PREPOSITIONS, NON_PLURALS, NON_YEAR_PREPOSITIONS,
    NUMBER_UNITS, NUMBERED_WORDS,
};

/// Builds the time from parts of a date; without a year, `side` selects the occurrence.
fn build_time_expr(parts: DateParts, side: OccurrenceChoice) -> Option<(TimeExpr, TimeRule)> {
    let absolute = |date: PartialDate| TimeExpr::from_dates(date, date);
    Some(match (parts.year, parts.month, parts.day) {
        (Some(y), Some(m), Some(d)) => (absolute(PartialDate::from_ymd(y, m, d)?)?, TimeRule::Written),
        (Some(y), Some(m), None) => (absolute(PartialDate::from_year_month(y, m)?)?, TimeRule::Written),
        (Some(y), None, None) => (absolute(PartialDate::from_year(y)?)?, TimeRule::Year),
        (None, Some(m), Some(d)) => (TimeExpr::from_recurrence(Recurrence::MonthDay(m, d), side)?, TimeRule::Written),
        (None, Some(m), None) => (TimeExpr::from_recurrence(Recurrence::Months(m, m), side)?, TimeRule::Month),
        (None, None, Some(d)) => (TimeExpr::from_recurrence(Recurrence::DayOfMonth(d), side)?, TimeRule::DayOfMonth),
        _ => return None,
    })
}

/// Completes both ends of a range with parts that only the other has: `12–14 March 2024`, `March to May 2024`.
fn fill_missing_parts(mut from: DateParts, mut until: DateParts) -> Option<(DateParts, DateParts)> {
    if from.day.is_some() && from.month.is_none() {
        from.month = until.month;
    }
    if until.day.is_some() && until.month.is_none() {
        until.month = from.month;
    }
    let wraps = i16::from((until.month, until.day) < (from.month, from.day));
    if let (Some(year), None, Some(_)) = (until.year, from.year, from.month) {
        from.year = year.checked_sub(wraps);
    }
    if let (Some(year), None, Some(_)) = (from.year, until.year, until.month) {
        until.year = year.checked_add(wraps);
    }
    let dated = |parts: DateParts| parts.year.is_some() || parts.month.is_some();
    (dated(from) && dated(until) && from.year.is_some() == until.year.is_some()).then_some((from, until))
}

impl TimeParser<'_> {
    /// `last year`, `this year`, `next year` after a month: the offset in years.
    pub(super) fn parse_year_offset(&self, at: usize, unit: &str) -> Option<(i8, usize)> {
        let of = usize::from(matches!(self.tokens.word(at), "of" | "in") && self.tokens.is_space_separated(at));
        let at = at + of;
        let by = match self.tokens.word(at) {
            "last" => -1,
            "this" => 0,
            "next" => 1,
            _ => return None,
        };
        (self.tokens.is_space_separated(at)
            && self.tokens.is_space_separated(at + 1)
            && self.tokens.word(at + 1) == unit)
            .then_some((by, of + 2))
    }

    /// Whether `of that year`, `of the same year` follows: a year named in another sentence.
    fn has_year_reference(&self, at: usize) -> bool {
        let that = match self.tokens.word(at + 1) {
            "that" => at + 2,
            "the" if matches!(self.tokens.word(at + 2), "same" | "following" | "previous") => at + 3,
            _ => return false,
        };
        matches!(self.tokens.word(at), "of" | "in" | "from")
            && self.tokens.is_space_separated(at)
            && self.tokens.word(that) == "year"
    }

    /// Parses a date written in words, if its context confirms that it is one.
    pub(super) fn parse_written(&self, at: usize, lead: &TimePreposition) -> Option<TimeMatch> {
        let (pieces, used) = self.tokens.parse_date_parts(at, true)?;
        let end = at + used;
        let led = lead.is_some();
        if pieces.year.is_none() && self.has_year_reference(end) {
            return None;
        }
        let accepted = match (pieces.year, pieces.month, pieces.day) {
            (Some(_), Some(_), _) => true,
            (None, Some(month), Some(_)) => {
                if let Some((by, more)) = self.parse_year_offset(end, "year") {
                    let (when, rule) = build_time_expr(pieces, OccurrenceChoice::Same(by))?;
                    return Some(TimeMatch { when, rule, used: used + more });
                }
                // `May 5 people come?` is a question; any other month with a number is a date.
                month != 5 || pieces.ordinal || led || !self.tokens.is_sentence_start(at)
            }
            (None, Some(_), None) => {
                if let Some((by, more)) = self.parse_year_offset(end, "year") {
                    let (when, rule) = build_time_expr(pieces, OccurrenceChoice::Same(by))?;
                    return Some(TimeMatch { when, rule, used: used + more });
                }
                // `found by Mai`: a foreign month after an English word alone is not a month.
                let english = MONTHS.get_in(Language::English, self.tokens.word(at)).is_some();
                led && english && !NON_MONTH_PREPOSITIONS.contains(lead.word)
            }
            (Some(year), None, None) => self.is_year(at, year, lead),
            (None, None, Some(_)) => {
                let dated = DAY_PREPOSITIONS.contains(lead.word);
                pieces.ordinal && dated && self.tokens.word_before(at, 1) == "the" && self.has_clause_after(end)
            }
            (_, None, _) => false,
        };
        if !accepted {
            return None;
        }
        let (when, rule) = build_time_expr(pieces, self.find_tense_bias(at, lead).choice_for_months())?;
        Some(TimeMatch { when, rule, used })
    }

    /// Parses a range of two dates, each of which may lack parts of the other. Returns both, with the number of tokens
    /// of each including its link.
    pub(super) fn parse_written_range(&self, at: usize, lead: &TimePreposition) -> Option<(TimeMatch, TimeMatch)> {
        let (first, used) = self.tokens.parse_date_parts(at, true)?;
        let link = self.match_range_link(at + used, lead)?;
        let start = at + used + link;
        let (mut last, mut more) = self.tokens.parse_date_parts(start, true)?;
        if first.month.is_some()
            && (last.month, last.year) == (None, None)
            && let Some((year, used)) = self.tokens.parse_trailing_year(start + more)
        {
            // `March 12–14, 2024`
            last.year = Some(year);
            more += used;
        }
        let dash = link == 0;
        let bare = (first.month, first.day) == (None, None) && (last.month, last.day) == (None, None);
        if bare {
            let (from, until) = (first.year?, last.year?);
            let asked = matches!(lead.word, "from" | "between") || dash;
            let counted = from % 100 == 0 && until % 100 == 0 && lead.word != "between";
            if !asked || counted || from >= until || self.is_numbered(at) || !self.is_not_quantity(start + more, lead) {
                return None;
            }
        }
        let (from, until) = fill_missing_parts(first, last)?;
        let open = from.year.is_none();
        if open && from.day.is_none() && !dash && !lead.is_some() {
            return None;
        }
        let side = self.find_tense_bias(at, lead).choice_for_months();
        let (first, rule) = build_time_expr(from, side)?;
        let (last, other) = build_time_expr(until, side)?;
        if !first.is_relative() && first.resolve(None)?.0 > last.resolve(None)?.1 {
            return None;
        }
        Some((TimeMatch { when: first, rule, used }, TimeMatch { when: last, rule: other, used: link + more }))
    }

    /// Whether the number at token `at` is a year, by its preposition or its position.
    fn is_year(&self, at: usize, year: i16, lead: &TimePreposition) -> bool {
        if lead.is_some() {
            let asks = !NON_YEAR_PREPOSITIONS.contains(lead.word);
            return asks
                && self.is_not_quantity(at + 1, lead)
                && !self.is_measured(lead.at)
                && self.is_plausible_year(at, year, lead);
        }
        let (before, after) = (self.tokens.gap_before(at), self.tokens.gap_before(at + 1));
        let in_brackets = before.ends_with('(') && after.starts_with(')');
        // A line of a chronicle: `2019: moved to Berlin`.
        let heads = at == 0 && before.trim().is_empty() && (after.starts_with(": ") || after.starts_with(" – "));
        in_brackets || heads || (self.tokens.word_before(at, 1) == "year" && self.tokens.is_space_separated(at))
    }

    /// `in 2019 sales rose` opens a sentence with a year; `in 2048 steps` within one is a count.
    fn is_plausible_year(&self, at: usize, year: i16, lead: &TimePreposition) -> bool {
        let counts = self.tokens.is_space_separated(at + 1)
            && !self.tokens.is_capitalized(at + 1)
            && is_plural(self.tokens.word(at + 1));
        !counts
            || (lead.word == "in"
                && self.tokens.is_sentence_start(lead.at)
                && self.tokens.is_capitalized(lead.at)
                && year % 100 != 0)
    }

    /// Whether the text after token `end - 1` does not make it a quantity.
    fn is_not_quantity(&self, end: usize, lead: &TimePreposition) -> bool {
        let next = self.tokens.word(end);
        if self.tokens.is_space_separated(end) {
            if next == "to"
                && lead.word == "from"
                && super::tokens::parse_digits(self.tokens.word(end + 1), 1, 9).is_some()
            {
                return parse_year(self.tokens.word(end + 1)).is_some();
            }
            let number = next.bytes().any(|b| b.is_ascii_digit());
            return !(number || NUMBER_UNITS.contains(next));
        }
        !self.tokens.gap_before(end).starts_with(['%', '°', '$', '€', '£'])
    }

    /// Whether the word before token `at` introduces a quantity: `a total of`, `increased by`.
    fn is_measured(&self, at: usize) -> bool {
        let before = self.tokens.word_before(at, 1);
        MEASURE_WORDS.contains(before) || self.is_numbered(at)
    }

    /// Whether the word before token `at` introduces a label number: `page`, `room`, `port`.
    pub(super) fn is_numbered(&self, at: usize) -> bool {
        let before = self.tokens.word_before(at, 1);
        NUMBERED_WORDS.contains(before.strip_suffix('s').unwrap_or(before))
    }

    /// Whether a clause continues after a day: `on the 15th we met`, but not `on the 15th floor`.
    fn has_clause_after(&self, at: usize) -> bool {
        let another = self.tokens.word(at) == "and" && parse_day(self.tokens.word(at + 1)).is_some();
        !self.tokens.is_space_separated(at)
            || (CLAUSE_STARTS.contains(self.tokens.word(at)) && !another)
            || self.tokens.is_capitalized(at)
    }
}

fn is_plural(word: &str) -> bool {
    word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") && !NON_PLURALS.contains(word)
}

impl TimePreposition {
    /// Whether there is a preposition.
    pub(super) fn is_some(&self) -> bool {
        !self.word.is_empty()
    }

    /// Returns the absent preposition.
    pub(super) fn none(at: usize) -> Self {
        Self { role: TimeRole::At, word: "", at }
    }
}
