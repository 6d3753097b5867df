//! Times relative to the day the note was written: `yesterday`, `last Friday`, `two weeks ago`.

use memora_nlp::time::weekday_number;

use super::counted::is_day_part;
use super::forms::DateForm;
use super::mention::TimeRule;
use super::preposition::TimePreposition;
use super::sentence::TenseBias;
use super::sentence::TimeParser;
use super::time_expr::{OccurrenceChoice, Recurrence, TimeExpr};
use crate::lists::{
    AHEAD_FOLLOWERS, DURATION_CUES, ESTIMATE_WORDS, SUBJECT_PRONOUNS, WEEKDAY_DETERMINERS, WEEKDAY_PREPOSITIONS,
    WEEKEND_PREPOSITIONS,
};

impl TimeParser<'_> {
    pub(super) fn parse_relative(&self, at: usize, lead: &TimePreposition) -> Option<DateForm> {
        self.tokens
            .parse_day_name(at)
            .or_else(|| self.tokens.parse_stretch(at).filter(|_| !self.is_narrated(at)))
            .or_else(|| self.parse_period(at))
            .or_else(|| self.tokens.parse_ago(at))
            .or_else(|| self.parse_ahead(at, lead))
            .or_else(|| self.parse_weekday(at, lead))
            .or_else(|| self.parse_weekend(at, lead))
    }

    /// `last week`, `this month`, `next Friday`, `last summer`, `last March`, `the week before last`.
    pub(super) fn parse_period(&self, at: usize) -> Option<DateForm> {
        self.tokens.parse_step(at).filter(|_| !self.is_narrated(at))
    }

    /// Whether `the next year` is in a past sentence, and so counts from the narrated event, not from the note.
    fn is_narrated(&self, at: usize) -> bool {
        matches!(self.tokens.word(at), "next" | "coming")
            && self.tokens.word_before(at, 1) == "the"
            && self.find_tense(at) == Some(TenseBias::Past)
    }

    /// `in three days` about the future, `two weeks from now`.
    fn parse_ahead(&self, at: usize, lead: &TimePreposition) -> Option<DateForm> {
        let (count, used) = self.tokens.parse_count(at)?;
        let unit_at = at + used;
        let end = unit_at + 1;
        if !self.tokens.is_space_separated(unit_at) {
            return None;
        }
        if self.tokens.word(end) == "from"
            && self.tokens.word(end + 1) == "now"
            && self.tokens.is_space_separated(end + 1)
        {
            return Some(DateForm {
                when: self.tokens.offset_by_count(unit_at, count, 1)?,
                rule: TimeRule::Ahead,
                used: used + 3,
            });
        }
        // `I can do it in three days` and `twice in a week` give a duration.
        let said = (1..=8).any(|by| DURATION_CUES.contains(self.tokens.word_before(lead.at, by)));
        let ends = !self.tokens.is_space_separated(end) || AHEAD_FOLLOWERS.contains(self.tokens.word(end));
        let open = match self.find_tense(lead.at) {
            Some(TenseBias::Past) => false,
            Some(TenseBias::Future) => true,
            _ => ends,
        };
        let led = lead.word == "in" && lead.at + 1 == at;
        (led && open && !said && self.tokens.word(end) != "of").then_some(())?;
        let when = self.tokens.offset_by_count(unit_at, count, 1)?;
        Some(DateForm { when, rule: TimeRule::Ahead, used: used + 1 })
    }

    /// `on Friday`, `Friday night`, `Friday last week`.
    fn parse_weekday(&self, at: usize, lead: &TimePreposition) -> Option<DateForm> {
        let day = self.tokens.weekday_at(at)?;
        let part = usize::from(self.tokens.is_space_separated(at + 1) && is_day_part(self.tokens.word(at + 1)));
        let rule = TimeRule::Weekday;
        if let Some((by, more)) = self.tokens.parse_step_of(at + 1 + part, &["week"]) {
            let when = TimeExpr::from_recurrence(Recurrence::Weekday(day), OccurrenceChoice::Same(by))?;
            return Some(DateForm { when, rule, used: 1 + part + more });
        }
        let determined = (1..=2).any(|by| WEEKDAY_DETERMINERS.contains(self.tokens.word_before(at, by)));
        let led = WEEKDAY_PREPOSITIONS.contains(lead.word) || self.is_bare_weekday(at);
        // `on Friday afternoons`, `on Monday and Thursday mornings`: recurring.
        let recurs = matches!(self.tokens.word(at + 1), "mornings" | "afternoons" | "evenings" | "nights");
        // `from Monday to Friday`, `Monday through Friday`: recurring too.
        let weekly = self
            .match_range_link(at + 1, lead)
            .is_some_and(|link| weekday_number(self.tokens.word(at + 1 + link)).is_some())
            || (lead.at < at && weekday_number(self.tokens.word_before(lead.at, 1)).is_some());
        if recurs || weekly || determined || !(led || part == 1) {
            return None;
        }
        let when =
            TimeExpr::from_recurrence(Recurrence::Weekday(day), self.find_tense_bias(at, lead).choice_for_days())?;
        Some(DateForm { when, rule, used: 1 + part })
    }

    /// `I met her Friday.`, `Friday I met her`, `Friday at 5`: a weekday that needs no preposition.
    fn is_bare_weekday(&self, at: usize) -> bool {
        let (opens, closes) =
            (self.tokens.is_sentence_start(at), at + 1 >= self.tokens.len() || !self.tokens.is_space_separated(at + 1));
        let next = self.tokens.word(at + 1);
        let at_hour = next == "at" && self.tokens.word(at + 2).starts_with(|c: char| c.is_ascii_digit());
        let person = SUBJECT_PRONOUNS.contains(next);
        // `Black Friday.` is a name; a day in a list of days may be one too.
        let before = self.tokens.word_before(at, 1);
        let follows = self.tokens.is_space_separated(at)
            && !self.tokens.is_capitalized(at.saturating_sub(1))
            && !matches!(before, "to" | "through" | "and" | "or");
        let ends = closes && self.tokens.gap_before(at + 1).trim_start().starts_with(['.', '!', '?']);
        let last = at + 1 >= self.tokens.len() && self.tokens.gap_before(at + 1).trim().is_empty();
        (opens && person) || at_hour || (follows && !opens && (ends || last))
    }

    /// `over the weekend`.
    fn parse_weekend(&self, at: usize, lead: &TimePreposition) -> Option<DateForm> {
        let led = WEEKEND_PREPOSITIONS.contains(lead.word);
        if self.tokens.word(at) != "weekend" || self.tokens.word_before(at, 1) != "the" || !led {
            return None;
        }
        let when = TimeExpr::from_recurrence(Recurrence::Weekend, self.find_tense_bias(at, lead).choice_for_days())?;
        Some(DateForm { when, rule: TimeRule::Weekend, used: 1 })
    }

    /// `[have been …] for two years`, `for the past two years`: since then. Starts at `for`.
    pub(super) fn parse_duration_until_now(&self, at: usize) -> Option<(TimeExpr, usize, usize)> {
        let mut from = at + 1;
        if ESTIMATE_WORDS.contains(self.tokens.word(from)) {
            from += 1;
        }
        let past = self.tokens.word(from) == "the" && matches!(self.tokens.word(from + 1), "last" | "past");
        let counted = if past { from + 2 } else { from };
        if !(at + 1..=counted).all(|next| self.tokens.is_space_separated(next)) {
            return None;
        }
        let (count, used) = match self.tokens.parse_count(counted) {
            Some(count) => count,
            None if past => ((1, 1), 0),
            None => return None,
        };
        let unit_at = counted + used;
        let now = self.tokens.word(unit_at + 1) == "now" && self.tokens.is_space_separated(unit_at + 1);
        if !self.tokens.is_space_separated(unit_at) || !(past || now || self.has_present_perfect(at)) {
            return None;
        }
        let when = self.tokens.offset_by_count(unit_at, count, -1)?;
        Some((when, from - at, unit_at + 1 + usize::from(now) - from))
    }
}
