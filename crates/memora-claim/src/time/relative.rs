//! Times relative to the day the note was written: `yesterday`, `last Friday`, `two weeks ago`.

use memora_nlp::language::Language;
use memora_nlp::lexicon::{DAY_WORDS, STEPS};
use memora_nlp::unit::{CalendarPeriod, find_unit_in};

use super::TimeRule;
use super::parser::{TimeMatch, TimeParser, TimePreposition};
use super::tense::TenseBias;
use super::time_expr::{OccurrenceChoice, Recurrence, TimeExpr, TimeUnit};
use super::tokens::{is_ordinary_word, month_number, season_months, weekday_number};
use crate::lists::{
    AHEAD_FOLLOWERS, DURATION_CUES, ESTIMATE_WORDS, SUBJECT_PRONOUNS, WEEKDAY_DETERMINERS, WEEKDAY_PREPOSITIONS,
    WEEKEND_PREPOSITIONS,
};

impl TimeParser<'_> {
    pub(super) fn parse_relative(&self, at: usize, lead: &TimePreposition) -> Option<TimeMatch> {
        self.parse_day_name(at)
            .or_else(|| self.parse_stretch(at))
            .or_else(|| self.parse_period(at))
            .or_else(|| self.parse_ago(at))
            .or_else(|| self.parse_ahead(at, lead))
            .or_else(|| self.parse_weekday(at, lead))
            .or_else(|| self.parse_weekend(at, lead))
    }

    /// `yesterday`, `this morning`, `last night`, `the day before yesterday`.
    fn parse_day_name(&self, at: usize) -> Option<TimeMatch> {
        let of_day = |at: usize| self.tokens.is_space_separated(at) && is_day_part(self.tokens.word(at));
        let found = |by, used| {
            Some(TimeMatch { when: TimeExpr::from_offset(TimeUnit::Day, by, by)?, rule: TimeRule::DayName, used })
        };
        let word = self.tokens.word(at);
        if let Some(by) = DAY_WORDS.get_in(Language::English, word) {
            return found(i32::from(by), 1 + usize::from(of_day(at + 1)));
        }
        match word {
            "this" if of_day(at + 1) => found(0, 2),
            "last" if of_day(at + 1) => found(-1, 2),
            "day" if self.tokens.is_space_separated(at + 1) && self.tokens.is_space_separated(at + 2) => {
                match (self.tokens.word(at + 1), self.tokens.word(at + 2)) {
                    ("before", "yesterday") => found(-2, 3),
                    ("after", "tomorrow") => found(2, 3),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// `last week`, `this month`, `next Friday`, `last summer`, `last March`, `the week before last`.
    pub(super) fn parse_period(&self, at: usize) -> Option<TimeMatch> {
        if !self.tokens.is_space_separated(at + 1) {
            return None;
        }
        let name = self.tokens.word(at);
        if self.tokens.word(at + 1) == "before"
            && self.tokens.word(at + 2) == "last"
            && self.tokens.is_space_separated(at + 2)
        {
            return parse_before_last(name);
        }
        let step = parse_step(name)?;
        if step > 0 && self.is_narrated(at) {
            return None;
        }
        // `this past weekend`, `this coming Friday`.
        let twice = if step == 0 { self::parse_step(self.tokens.word(at + 1)).filter(|step| *step != 0) } else { None };
        let (step, used) = twice.map_or((step, 1), |step| (step, 2));
        let name = self.tokens.word(at + used);
        let at = at + used;
        if !self.tokens.is_space_separated(at) {
            return None;
        }
        let used = used + 1;
        let side = match step {
            -1 => OccurrenceChoice::Before(1),
            0 => OccurrenceChoice::Same(0),
            _ => OccurrenceChoice::After(1),
        };
        let capital = !is_ordinary_word(name) || self.tokens.is_capitalized(at);
        let (when, rule) = if let Some(unit) = calendar_unit(name) {
            let when = match (unit, step) {
                (TimeUnit::Week, -1) => TimeExpr::from_offset(TimeUnit::Day, -7, -1),
                (TimeUnit::Week, 1) => TimeExpr::from_offset(TimeUnit::Day, 1, 7),
                (TimeUnit::Day, _) => None,
                _ => TimeExpr::from_offset(unit, step, step),
            };
            (when?, TimeRule::Period)
        } else if name == "weekend" {
            (TimeExpr::from_recurrence(Recurrence::Weekend, side)?, TimeRule::Weekend)
        } else if let Some(day) = weekday_number(name).filter(|_| capital) {
            (TimeExpr::from_recurrence(Recurrence::Weekday(day), side)?, TimeRule::Weekday)
        } else if let Some((first, last)) = season_months(name) {
            (TimeExpr::from_recurrence(Recurrence::Months(first, last), side)?, TimeRule::Season)
        } else {
            let month = month_number(name).filter(|_| capital)?;
            (TimeExpr::from_recurrence(Recurrence::Months(month, month), side)?, TimeRule::Month)
        };
        Some(TimeMatch { when, rule, used })
    }

    /// Whether `the next year` is in a past sentence, and so counts from the narrated event, not from the note.
    fn is_narrated(&self, at: usize) -> bool {
        self.tokens.word_before(at, 1) == "the" && self.find_tense(at) == Some(TenseBias::Past)
    }

    /// `the last three months`, `the past week`, `the next few days`.
    pub(super) fn parse_stretch(&self, at: usize) -> Option<TimeMatch> {
        let step = match self.tokens.word(at) {
            "last" => -1,
            // `past a quarter` is not a stretch.
            "past" if self.tokens.word(at + 1) != "a" => -1,
            "next" | "coming" => 1,
            _ => return None,
        };
        if !self.tokens.is_space_separated(at + 1) || (step > 0 && self.is_narrated(at)) {
            return None;
        }
        let ((_, most), used) = match self.parse_count(at + 1) {
            Some(count) => count,
            // `in the last year`, `the past week`: up to now. `last year` alone is the calendar year.
            None if self.tokens.word_before(at, 1) == "the" || self.tokens.word(at) == "past" => ((1, 1), 0),
            None => return None,
        };
        let unit_at = at + 1 + used;
        let name = self.tokens.word(unit_at);
        let unit = calendar_unit(name.strip_suffix('s').unwrap_or(name))
            .filter(|_| self.tokens.is_space_separated(unit_at))?;
        // `the next week` is `next week`.
        if used == 0 && step > 0 {
            return None;
        }
        let (unit, by) = match unit {
            TimeUnit::Day => (TimeUnit::Day, most),
            TimeUnit::Week => (TimeUnit::Day, most.checked_mul(7)?),
            TimeUnit::Month => (TimeUnit::Month, most),
            TimeUnit::Quarter => (TimeUnit::Month, most.checked_mul(3)?),
            TimeUnit::Year => (TimeUnit::Month, most.checked_mul(12)?),
        };
        let when = if step < 0 { TimeExpr::from_offset(unit, -by, 0) } else { TimeExpr::from_offset(unit, 0, by) };
        Some(TimeMatch { when: when?, rule: TimeRule::Stretch, used: used + 2 })
    }

    /// `three days ago`, `a couple of weeks ago`, `two Fridays ago`.
    fn parse_ago(&self, at: usize) -> Option<TimeMatch> {
        let (count, used) = self.parse_count(at)?;
        let unit_at = at + used;
        // `a year or so ago`
        let or_so = self.tokens.word(unit_at + 1) == "or" && matches!(self.tokens.word(unit_at + 2), "so" | "two");
        let (count, or_so) = match (or_so, self.tokens.word(unit_at + 2)) {
            (true, "two") => ((count.0, count.1.max(2)), 2),
            (true, _) => (count, 2),
            _ => (count, 0),
        };
        let end = unit_at + 1 + or_so;
        let away = match self.tokens.word(end) {
            "ago" => true,
            // `two weeks back`, but not `two weeks back home`.
            "back" => !self.tokens.is_space_separated(end + 1) || SUBJECT_PRONOUNS.contains(self.tokens.word(end + 1)),
            // `it has been two years since`
            "since" => self.tokens.word_before(at, 1) == "been" || self.tokens.word_before(at, 2) == "been",
            _ => false,
        };
        if !away || !self.tokens.is_space_separated(unit_at) || !self.tokens.is_space_separated(end) {
            return None;
        }
        let when = self.offset_by_count(unit_at, count, -1)?;
        let since = usize::from(self.tokens.word(end) == "since");
        Some(TimeMatch { when, rule: TimeRule::Ago, used: used + 2 + or_so - since })
    }

    /// `in three days` about the future, `two weeks from now`.
    fn parse_ahead(&self, at: usize, lead: &TimePreposition) -> Option<TimeMatch> {
        let (count, used) = self.parse_count(at)?;
        let unit_at = at + used;
        let end = unit_at + 1;
        if !self.tokens.is_space_separated(unit_at) {
            return None;
        }
        if self.tokens.word(end) == "from"
            && self.tokens.word(end + 1) == "now"
            && self.tokens.is_space_separated(end + 1)
        {
            return Some(TimeMatch {
                when: self.offset_by_count(unit_at, count, 1)?,
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
        let when = self.offset_by_count(unit_at, count, 1)?;
        Some(TimeMatch { when, rule: TimeRule::Ahead, used: used + 1 })
    }

    /// Builds an offset of some units from the note's date, backwards if `way` is -1. Weeks are vague by half a week.
    pub(super) fn offset_by_count(&self, unit_at: usize, (least, most): (i32, i32), way: i32) -> Option<TimeExpr> {
        let name = self.tokens.word(unit_at);
        let name = name.strip_suffix('s').unwrap_or(name);
        let one = u8::try_from(least).ok().filter(|_| least == most);
        let side = |nth| if way < 0 { OccurrenceChoice::Before(nth) } else { OccurrenceChoice::After(nth) };
        if name == "weekend" {
            return TimeExpr::from_recurrence(Recurrence::Weekend, side(one?));
        }
        if let Some(day) = weekday_number(name).filter(|_| name.len() > 5) {
            return TimeExpr::from_recurrence(Recurrence::Weekday(day), side(one?));
        }
        let (unit, each, around) = match name {
            "night" => (TimeUnit::Day, 1, 0),
            "fortnight" => (TimeUnit::Day, 14, 3),
            "decade" => (TimeUnit::Year, 10, 0),
            _ => match calendar_unit(name)? {
                TimeUnit::Week => (TimeUnit::Day, 7, 3),
                TimeUnit::Quarter => (TimeUnit::Month, 3, 1),
                unit => (unit, 1, 0),
            },
        };
        let (near, far) = (least.checked_mul(each)? - around, most.checked_mul(each)? + around);
        if way < 0 { TimeExpr::from_offset(unit, -far, -near) } else { TimeExpr::from_offset(unit, near, far) }
    }

    /// Parses a count (least and most) and its tokens: `3`, `three`, `a`, `a couple of`, `a few`.
    pub(super) fn parse_count(&self, at: usize) -> Option<((i32, i32), usize)> {
        let word = self.tokens.word(at);
        let next = self.tokens.word(at + 1);
        let a = usize::from(word == "a" && self.tokens.is_space_separated(at + 1));
        match if a == 1 { next } else { word } {
            "couple" => {
                let of =
                    usize::from(self.tokens.word(at + a + 1) == "of" && self.tokens.is_space_separated(at + a + 1));
                Some(((2, 2), a + 1 + of))
            }
            "few" => Some(((2, 4), a + 1)),
            "some" if a == 0 => Some(((2, 4), 1)),
            "several" if a == 0 => Some(((3, 6), 1)),
            _ => {
                let (count, used) = self.tokens.count_at(at)?;
                let or = at + used;
                // `1.5 years`, `3-5 years` and `10,000 years` are not five or zero.
                if !self.tokens.is_standalone(at, or) {
                    return None;
                }
                // `two or three weeks`
                let other = self.tokens.count_at(or + 1).filter(|(other, _)| *other > count);
                let joined = self.tokens.word(or) == "or"
                    && self.tokens.is_space_separated(or)
                    && self.tokens.is_space_separated(or + 1);
                match other.filter(|_| joined) {
                    Some((other, more)) => Some(((count, other), used + 1 + more)),
                    None => Some(((count, count), used)),
                }
            }
        }
    }

    /// `on Friday`, `Friday night`, `Friday last week`.
    fn parse_weekday(&self, at: usize, lead: &TimePreposition) -> Option<TimeMatch> {
        let word = self.tokens.word(at);
        let day = weekday_number(word).filter(|_| !is_ordinary_word(word) || self.tokens.is_capitalized(at))?;
        let part = usize::from(self.tokens.is_space_separated(at + 1) && is_day_part(self.tokens.word(at + 1)));
        let rule = TimeRule::Weekday;
        if let Some((by, more)) = self.parse_year_offset(at + 1 + part, "week") {
            let when = TimeExpr::from_recurrence(Recurrence::Weekday(day), OccurrenceChoice::Same(by))?;
            return Some(TimeMatch { when, rule, used: 1 + part + more });
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
        Some(TimeMatch { when, rule, used: 1 + part })
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
    fn parse_weekend(&self, at: usize, lead: &TimePreposition) -> Option<TimeMatch> {
        let led = WEEKEND_PREPOSITIONS.contains(lead.word);
        if self.tokens.word(at) != "weekend" || self.tokens.word_before(at, 1) != "the" || !led {
            return None;
        }
        let when = TimeExpr::from_recurrence(Recurrence::Weekend, self.find_tense_bias(at, lead).choice_for_days())?;
        Some(TimeMatch { when, rule: TimeRule::Weekend, used: 1 })
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
        let (count, used) = match self.parse_count(counted) {
            Some(count) => count,
            None if past => ((1, 1), 0),
            None => return None,
        };
        let unit_at = counted + used;
        let now = self.tokens.word(unit_at + 1) == "now" && self.tokens.is_space_separated(unit_at + 1);
        if !self.tokens.is_space_separated(unit_at) || !(past || now || self.has_present_perfect(at)) {
            return None;
        }
        let when = self.offset_by_count(unit_at, count, -1)?;
        Some((when, from - at, unit_at + 1 + usize::from(now) - from))
    }
}

fn is_day_part(word: &str) -> bool {
    matches!(word, "morning" | "afternoon" | "evening" | "night")
}

fn parse_step(word: &str) -> Option<i32> {
    match word {
        "past" => Some(-1),
        "coming" => Some(1),
        _ => STEPS.get_in(Language::English, word).map(i32::from),
    }
}

pub(super) fn calendar_unit(name: &str) -> Option<TimeUnit> {
    if name == "quarter" {
        return Some(TimeUnit::Quarter);
    }
    // A lone letter is not a unit, and `tag` not a day: words of other languages do not count in an English sentence.
    let unit = find_unit_in(Language::English, name).filter(|_| name.len() > 1 && !name.ends_with('s'))?;
    Some(match unit.calendar_period()? {
        CalendarPeriod::Day => TimeUnit::Day,
        CalendarPeriod::Week => TimeUnit::Week,
        CalendarPeriod::Month => TimeUnit::Month,
        CalendarPeriod::Year => TimeUnit::Year,
    })
}

fn parse_before_last(name: &str) -> Option<TimeMatch> {
    let (when, rule) = match calendar_unit(name) {
        Some(TimeUnit::Day) => return None,
        Some(TimeUnit::Week) => (TimeExpr::from_offset(TimeUnit::Day, -14, -8), TimeRule::Period),
        Some(unit) => (TimeExpr::from_offset(unit, -2, -2), TimeRule::Period),
        None if name == "weekend" => {
            (TimeExpr::from_recurrence(Recurrence::Weekend, OccurrenceChoice::Before(2)), TimeRule::Weekend)
        }
        None => (
            TimeExpr::from_recurrence(Recurrence::Weekday(weekday_number(name)?), OccurrenceChoice::Before(2)),
            TimeRule::Weekday,
        ),
    };
    Some(TimeMatch { when: when?, rule, used: 3 })
}
