//! Parses the times in a text: a preposition, the time, and the end of a range.

use std::cell::OnceCell;
use std::ops::Range;

use memora_nlp::time::{TextRuns, parse_year, season_months, weekday_number};
use memora_vault::PartialDate;

use super::forms::{DateForm, DateForms, DatePolicy};
use super::mention::{TimeMention, TimeRole, TimeRule};
use super::preposition::{TimePreposition, count_fillers};
use super::sentence::TimeParser;
use super::time_expr::TimeExpr;
use crate::lists::{DEADLINE_PREPOSITIONS, NON_MONTH_PREPOSITIONS, QUARTER_PREPOSITIONS, RANGE_LINKS};

/// Finds the temporal expressions in an English sentence, in order, without overlap.
///
/// A range yields two: `from 2019 to 2022` is `since 2019` and `until 2022`. Ranges are bytes of `text`.
#[must_use]
pub fn find_times(text: &str) -> Vec<TimeMention> {
    let tokens = DateForms::new(TextRuns::from_text(text), DatePolicy::Note);
    let reader = TimeParser { tokens, verbs: OnceCell::new() };
    let mut found = Vec::new();
    let mut at = 0;
    while at < reader.tokens.len() {
        at += reader.parse_expression(at, &mut found).max(1);
    }
    fill_missing_years(text, &mut found);
    found
}

/// Maximum length of a sentence worth reading, in bytes.
const SENTENCE_BYTES_MAX: usize = 500;

/// `They met in June 1944 and married on 2 August`: a past day or month without a year takes the only year named in its
/// sentence, if there is exactly one.
fn fill_missing_years(text: &str, found: &mut [TimeMention]) {
    let year = |time: &TimeMention| {
        let (first, last) = time.when.resolve(None)?;
        (first.year() == last.year()).then_some((time.words.clone(), first.year()))
    };
    let told = found.iter().filter(|time| time.role != TimeRole::Mentioned);
    let named: Vec<(Range<usize>, i16)> = told.filter_map(year).collect();
    // Any leap year has every day; invalid ones are skipped.
    for time in found.iter_mut().filter(|time| time.when.with_year(2000).is_some()) {
        let same_sentence = |other: &Range<usize>| {
            let between = time.words.end.min(other.end)..time.words.start.max(other.start);
            between.len() < SENTENCE_BYTES_MAX
                && text.get(between).is_some_and(|gap| !gap.contains(['!', '?', ';', '\n']) && !gap.contains(". "))
        };
        // The named ones are in order; only those nearby are checked.
        let near = named.partition_point(|(at, _)| at.end + SENTENCE_BYTES_MAX < time.words.start);
        let near = named.iter().skip(near).take_while(|(at, _)| at.start < time.words.end + SENTENCE_BYTES_MAX);
        let mut years: Vec<i16> = near.filter(|(at, _)| same_sentence(at)).map(|(_, year)| *year).collect();
        years.dedup();
        if let [year] = years.as_slice()
            && let Some(when) = time.when.with_year(*year)
        {
            time.when = when;
        }
    }
}

impl TimeParser<'_> {
    /// Parses the expression at token `at` into `found`; returns the number of tokens consumed, 0 for none.
    fn parse_expression(&self, at: usize, found: &mut Vec<TimeMention>) -> usize {
        if self.tokens.word(at) == "for"
            && let Some((when, skipped, used)) = self.parse_duration_until_now(at)
        {
            let form = DateForm { when, rule: TimeRule::Lasting, used };
            found.extend(self.build_mention(at, at + skipped, form, TimeRole::Since));
            return skipped + used;
        }
        if let Some((lead, used)) = TimePreposition::parse(&self.tokens, at) {
            let start = at + used;
            for start in [start, start + count_fillers(&self.tokens, start)] {
                let taken = self.parse_after_preposition(start, &lead, found);
                if taken > 0 {
                    return start - at + taken;
                }
            }
            // `between` needs two times, and `year` may be part of the time.
            return 0;
        }
        self.parse_after_preposition(at, &TimePreposition::none(at), found)
    }

    /// Parses one time, or a range, at token `at` after `lead`.
    fn parse_after_preposition(&self, at: usize, lead: &TimePreposition, found: &mut Vec<TimeMention>) -> usize {
        let plain = self.parse_single_time(at, lead);
        if let Some((first, last)) = self.parse_range(at, plain, lead)
            && self.tokens.is_standalone(at, at + first.used + last.used)
        {
            let middle = at + first.used;
            let linked = self.count_before_range_end(middle, lead).unwrap_or(0);
            let mentioned = self.is_rescheduled(lead);
            let role = |role| if mentioned { TimeRole::Mentioned } else { role };
            let last = DateForm { used: last.used - linked, ..last };
            found.extend(self.build_mention(lead.at, at, first, role(TimeRole::Since)));
            found.extend(self.build_mention(middle, middle + linked, last, role(TimeRole::Until)));
            return first.used + linked + last.used;
        }
        if lead.word == "between" {
            return 0;
        }
        let Some(plain) = plain else { return 0 };
        let end = at + plain.used;
        let every = matches!(self.tokens.word_before(at, 1), "every" | "each" | "most" | "any");
        if every || !self.tokens.is_standalone(at, end) {
            return 0;
        }
        // `from March on`, `from 2019 onwards` give a start, regardless of the other meanings of `from`.
        let on = lead.word == "from"
            && self.tokens.is_space_separated(end)
            && matches!(self.tokens.word(end), "on" | "onward" | "onwards");
        let role = if self.is_mentioned(at, end, lead, plain.rule) { TimeRole::Mentioned } else { lead.role };
        found.extend(self.build_mention(lead.at, at, plain, role));
        plain.used + usize::from(on)
    }

    /// Parses one time without its preposition.
    fn parse_single_time(&self, at: usize, lead: &TimePreposition) -> Option<DateForm> {
        self.parse_figures(at)
            .or_else(|| self.parse_months(at, lead))
            .or_else(|| self.tokens.parse_decade(at))
            .or_else(|| self.parse_week(at, lead))
            .or_else(|| self.parse_part(at, lead))
            .or_else(|| self.parse_written(at, lead))
            .or_else(|| self.parse_relative(at, lead))
    }

    /// A date in figures that is not the number of something: `release 3.4.2024`.
    fn parse_figures(&self, at: usize) -> Option<DateForm> {
        self.tokens.parse_figures(at).filter(|form| form.rule != TimeRule::Numeric || !self.is_numbered(at))
    }

    /// Quarters, halves and seasons. Without a year only `in Q3`: `the first half` alone may be that of a match.
    fn parse_months(&self, at: usize, lead: &TimePreposition) -> Option<DateForm> {
        let form = self.tokens.parse_months(at)?;
        if !form.when.is_open() {
            return Some(form);
        }
        let led = form.used == 1 && form.rule != TimeRule::Season && QUARTER_PREPOSITIONS.contains(lead.word);
        led.then(|| form.choose(self.find_tense_bias(at, lead).choice_for_months()))
    }

    /// `week 12 of 2024`, `the week of 11 May 2026`.
    fn parse_week(&self, at: usize, lead: &TimePreposition) -> Option<DateForm> {
        let named = |at| self.parse_figures(at).or_else(|| self.parse_written(at, lead));
        self.tokens.parse_week_number(at, None).or_else(|| self.tokens.parse_week_of(at, named))
    }

    /// `early 2022`, `the end of last year`, `[by] the end of the month`.
    fn parse_part(&self, at: usize, lead: &TimePreposition) -> Option<DateForm> {
        let (_, used) = self.tokens.parse_third(at)?;
        if let Some(own) = self.parse_own_period(at + used, lead) {
            return DateForm::new(Some(own), TimeRule::Part, used + 2);
        }
        // `of March` and `over June` alone do not name a month; with a part before them they do.
        let asks = lead.is_some() && !NON_MONTH_PREPOSITIONS.contains(lead.word);
        let asked = TimePreposition { word: if asks { lead.word } else { "in" }, ..*lead };
        self.tokens.parse_part(at, |at| self.parse_written(at, &asked).or_else(|| self.parse_period(at)))
    }

    /// `by the end of the month`: the note's own; without `by`, `until` or `since` it may be any month.
    fn parse_own_period(&self, at: usize, lead: &TimePreposition) -> Option<TimeExpr> {
        let the = matches!(self.tokens.word(at), "the" | "this") && self.tokens.is_space_separated(at + 1);
        let unit = self.tokens.unit_at(at + 1).filter(|_| the && DEADLINE_PREPOSITIONS.contains(lead.word));
        TimeExpr::from_offset(unit?, 0, 0)
    }

    /// Parses a range of two times, of which `plain` may be the first.
    fn parse_range(&self, at: usize, plain: Option<DateForm>, lead: &TimePreposition) -> Option<(DateForm, DateForm)> {
        if let Some(both) = self.parse_written_range(at, lead) {
            return Some(both);
        }
        let first = plain.or_else(|| self.parse_range_start(at, lead))?;
        let (last, used) = self.parse_range_end(at + first.used, lead)?;
        // `from Monday to Friday` recurs every week; absolute times need no preposition.
        let weekly = weekday_number(self.tokens.word(at)).is_some();
        let led = matches!(lead.word, "from" | "between");
        let absolute = !first.when.is_relative() && !last.when.is_relative();
        if absolute && first.when.resolve(None)?.0 > last.when.resolve(None)?.1 {
            return None;
        }
        ((led || absolute) && !weekly).then_some((first, DateForm { used, ..last }))
    }

    /// Parses the end of a range whose link is at token `at`, and returns the number of tokens of both.
    fn parse_range_end(&self, at: usize, lead: &TimePreposition) -> Option<(DateForm, usize)> {
        let before = self.count_before_range_end(at, lead)?;
        let last = self.parse_end_time(at + before)?;
        Some((last, before + last.used))
    }

    /// Returns the number of tokens before the end of a range: its link, and a filler such as "the".
    fn count_before_range_end(&self, at: usize, lead: &TimePreposition) -> Option<usize> {
        let link = self.match_range_link(at, lead)?;
        let is_time = self.parse_end_time(at + link).is_some();
        Some(link + if is_time { 0 } else { count_fillers(&self.tokens, at + link) })
    }

    fn parse_end_time(&self, at: usize) -> Option<DateForm> {
        self.parse_single_time(at, &TimePreposition { role: TimeRole::Until, word: "until", at })
    }

    /// Parses the start of a range that is a time only with its end: a bare year (`2017 to spring 2025`), a season
    /// whose year the end gives (`spring to autumn 2021`).
    fn parse_range_start(&self, at: usize, lead: &TimePreposition) -> Option<DateForm> {
        let word = self.tokens.word(at);
        let (year, months) = (parse_year(word).filter(|_| !self.is_numbered(at)), season_months(word));
        if year.is_none() && months.is_none() {
            return None;
        }
        let (last, _) = self.parse_range_end(at + 1, lead)?;
        let (ends, _) = last.when.resolve(None).filter(|_| last.rule != TimeRule::Year)?;
        if let Some(year) = year {
            return DateForm::new(TimeExpr::from_date(PartialDate::from_year(year)?), TimeRule::Year, 1);
        }
        let months = months.filter(|_| last.rule == TimeRule::Season)?;
        let before = i16::from(Some(months.0) > ends.month());
        DateForm::from_months(months, Some(ends.year().checked_sub(before)?), TimeRule::Season, 1)
    }

    /// Returns the number of tokens that link token `at - 1` to the end of a range: `–` none, `to` one.
    pub(super) fn match_range_link(&self, at: usize, lead: &TimePreposition) -> Option<usize> {
        if at == 0 || at >= self.tokens.len() {
            return None;
        }
        let gap = self.tokens.gap_before(at);
        if matches!(gap.trim(), "-" | "–") || gap == "—" {
            return Some(0);
        }
        let word = self.tokens.word(at);
        let links = if lead.word == "between" { word == "and" } else { RANGE_LINKS.contains(word) };
        (links && self.tokens.is_space_separated(at) && self.tokens.may_follow_keyword(at + 1)).then_some(1)
    }

    /// Builds the mention of a time at token `from`, whose phrase begins at `lead`. One that is only mentioned has no tense.
    fn build_mention(&self, lead: usize, from: usize, form: DateForm, role: TimeRole) -> Option<TimeMention> {
        let words: Range<usize> = self.tokens.range(from, from + form.used)?;
        let phrase = self.tokens.range(lead, from + form.used)?;
        let when = if role == TimeRole::Mentioned { form.when.prefer_nearest() } else { form.when };
        Some(TimeMention { words, phrase, when, role, rule: form.rule })
    }
}
