//! Dates written in words, complete or partial: `12 March 2024`, `March 12`, `March`, `2024`; alone and as a range.

use memora_nlp::language::Language;
use memora_nlp::lexicon::MONTHS;
use memora_nlp::time::{parse_day, parse_digits, parse_year};

use super::forms::{DateForm, fill_missing_parts};
use super::preposition::TimePreposition;
use super::sentence::TimeParser;
use crate::lists::{
    CLAUSE_STARTS, DAY_PREPOSITIONS, MEASURE_WORDS, NON_MONTH_PREPOSITIONS, NON_PLURALS, NON_YEAR_PREPOSITIONS,
    NUMBER_UNITS, NUMBERED_WORDS,
};

impl TimeParser<'_> {
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
    pub(super) fn parse_written(&self, at: usize, lead: &TimePreposition) -> Option<DateForm> {
        let (parts, used) = self.tokens.parse_date_parts(at, true)?;
        let form = DateForm::from_parts(parts, used)?;
        let end = at + used;
        if parts.year.is_none() && self.has_year_reference(end) {
            return None;
        }
        if parts.year.is_none()
            && parts.month.is_some()
            && let Some(step) = self.tokens.parse_year_step(end)
        {
            return Some(form.in_year(step));
        }
        let led = lead.is_some();
        let accepted = match (parts.year, parts.month, parts.day) {
            (Some(_), Some(_), _) => true,
            // `May 5 people come?` is a question; any other month with a number is a date.
            (None, Some(month), Some(_)) => month != 5 || parts.ordinal || led || !self.tokens.is_sentence_start(at),
            // `found by Mai`: a foreign month after an English word alone is not a month.
            (None, Some(_), None) => {
                let english = MONTHS.get_in(Language::English, self.tokens.word(at)).is_some();
                led && english && !NON_MONTH_PREPOSITIONS.contains(lead.word)
            }
            (Some(year), None, None) => self.is_year(at, year, lead),
            (None, None, Some(_)) => {
                let dated = DAY_PREPOSITIONS.contains(lead.word);
                parts.ordinal && dated && self.tokens.word_before(at, 1) == "the" && self.has_clause_after(end)
            }
            (_, None, _) => false,
        };
        accepted.then(|| form.choose(self.find_tense_bias(at, lead).choice_for_months()))
    }

    /// Parses a range of two dates, each of which may lack parts of the other. Returns both, with the number of tokens
    /// of each including its link.
    pub(super) fn parse_written_range(&self, at: usize, lead: &TimePreposition) -> Option<(DateForm, DateForm)> {
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
            let measured = self.is_numbered(at) || !self.is_not_quantity(start + more, lead);
            if !asked || counted || from >= until || measured {
                return None;
            }
        }
        let (from, until) = fill_missing_parts(first, last)?;
        if from.year.is_none() && from.day.is_none() && !dash && !lead.is_some() {
            return None;
        }
        let side = self.find_tense_bias(at, lead).choice_for_months();
        let first = DateForm::from_parts(from, used)?.choose(side);
        let last = DateForm::from_parts(until, link + more)?.choose(side);
        if !first.when.is_relative() && first.when.resolve(None)?.0 > last.when.resolve(None)?.1 {
            return None;
        }
        Some((first, last))
    }

    /// Whether the number at token `at` is a year, by its preposition or its position.
    fn is_year(&self, at: usize, year: i16, lead: &TimePreposition) -> bool {
        if lead.is_some() {
            let asks = !NON_YEAR_PREPOSITIONS.contains(lead.word);
            // `a total of`, `increased by`.
            let measured = MEASURE_WORDS.contains(self.tokens.word_before(lead.at, 1)) || self.is_numbered(lead.at);
            return asks && !measured && self.is_not_quantity(at + 1, lead) && self.is_plausible_year(at, year, lead);
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
            if next == "to" && lead.word == "from" && parse_digits(self.tokens.word(end + 1), 1, 9).is_some() {
                return parse_year(self.tokens.word(end + 1)).is_some();
            }
            let number = next.bytes().any(|b| b.is_ascii_digit());
            return !(number || NUMBER_UNITS.contains(next));
        }
        !self.tokens.gap_before(end).starts_with(['%', '°', '$', '€', '£'])
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
