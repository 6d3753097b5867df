//! The forms of dates that count from the day of a text: `yesterday`, `last Friday`, `two weeks ago`.

use memora_nlp::language::Language;
use memora_nlp::lexicon::{CALENDAR_HOMOGRAPHS, DAY_WORDS, STEPS};
use memora_nlp::time::{is_ordinary_word, month_number, parse_day, parse_year, season_months, weekday_number};
use memora_nlp::unit::{CalendarPeriod, find_unit, find_unit_in};

use super::forms::{DateForm, DateForms};
use super::mention::TimeRule;
use super::time_expr::{OccurrenceChoice, Recurrence, TimeExpr, TimeUnit};
use crate::lists::SUBJECT_PRONOUNS;

/// A number of units, at least and at most.
type Count = (i32, i32);

impl DateForms<'_> {
    /// Recognizes `yesterday`, `this morning`, `last night`, `the day before yesterday`.
    #[must_use]
    pub fn parse_day_name(&self, at: usize) -> Option<DateForm> {
        let of_day = |at: usize| self.is_space_separated(at) && is_day_part(self.word(at));
        let found = |by, used| DateForm::new(TimeExpr::from_offset(TimeUnit::Day, by, by), TimeRule::DayName, used);
        if let Some(by) = self.listed(&DAY_WORDS, at) {
            return found(i32::from(by), 1 + usize::from(of_day(at + 1)));
        }
        match self.word(at) {
            "this" if of_day(at + 1) => found(0, 2),
            "last" if of_day(at + 1) => found(-1, 2),
            "day" if self.is_space_separated(at + 1) && self.is_space_separated(at + 2) => {
                match (self.word(at + 1), self.word(at + 2)) {
                    ("before", "yesterday") => found(-2, 3),
                    ("after", "tomorrow") => found(2, 3),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Recognizes `last week`, `this month`, `next Friday`, `last summer`, `last March`, `the week before last`.
    #[must_use]
    pub fn parse_step(&self, at: usize) -> Option<DateForm> {
        if !self.is_space_separated(at + 1) {
            return None;
        }
        if self.word(at + 1) == "before" && self.word(at + 2) == "last" && self.is_space_separated(at + 2) {
            return self.parse_before_last(at);
        }
        let step = self.step_at(at)?;
        // `this past weekend`, `this coming Friday`.
        let twice = self.step_at(at + 1).filter(|twice| step == 0 && *twice != 0);
        let (step, name) = twice.map_or((step, at + 1), |step| (step, at + 2));
        if !self.is_space_separated(name) {
            return None;
        }
        let side = match step {
            -1 => OccurrenceChoice::Before(1),
            0 => OccurrenceChoice::Same(0),
            _ => OccurrenceChoice::After(1),
        };
        let used = name + 1 - at;
        if let Some(unit) = self.unit_at(name) {
            // A question's `this past week` goes up to now, as `the past week`.
            if twice.is_some() && self.is_question() {
                return None;
            }
            let when = match (unit, step) {
                (TimeUnit::Week, -1) if !self.is_question() => TimeExpr::from_offset(TimeUnit::Day, -7, -1),
                (TimeUnit::Week, 1) if !self.is_question() => TimeExpr::from_offset(TimeUnit::Day, 1, 7),
                (TimeUnit::Day, _) => None,
                _ => TimeExpr::from_offset(unit, step, step),
            };
            return DateForm::new(when, TimeRule::Period, used);
        }
        let (what, rule) = self.recurrence_at(name)?;
        // `last May 5` is a day; `the next may be` is none.
        let next = self.word(name + 1);
        let is_verb = step > 0 && CALENDAR_HOMOGRAPHS.contains(self.word(name)) && !self.is_capitalized(name);
        let is_month = !(is_verb || parse_day(next).is_some() || parse_year(next).is_some());
        (rule != TimeRule::Month || is_month)
            .then(|| DateForm::new(TimeExpr::from_recurrence(what, side), rule, used))?
    }

    /// Recognizes a weekday, a weekend, a season or a month: the last one that is over.
    #[must_use]
    pub fn parse_previous(&self, at: usize) -> Option<DateForm> {
        let (what, rule) = self.recurrence_at(at)?;
        DateForm::new(TimeExpr::from_recurrence(what, OccurrenceChoice::Before(1)), rule, 1)
    }

    /// Returns what recurs every week or year by the name at a token: a weekend, a weekday, a season, a month.
    fn recurrence_at(&self, at: usize) -> Option<(Recurrence, TimeRule)> {
        let name = self.word(at);
        if name == "weekend" || self.is_asked_word(at, &["wochenende"]) {
            return Some((Recurrence::Weekend, TimeRule::Weekend));
        }
        if let Some(day) = self.weekday_at(at) {
            return Some((Recurrence::Weekday(day), TimeRule::Weekday));
        }
        if let Some((first, last)) = season_months(name) {
            return Some((Recurrence::Months(first, last), TimeRule::Season));
        }
        let fits = self.is_question() || !is_ordinary_word(name) || self.is_capitalized(at);
        let month = month_number(name).filter(|_| fits)?;
        Some((Recurrence::Months(month, month), TimeRule::Month))
    }

    /// Returns the weekday that a token names; a name that may be another word needs its capital.
    pub(super) fn weekday_at(&self, at: usize) -> Option<i8> {
        let name = self.word(at);
        let other_word = if self.is_question() { CALENDAR_HOMOGRAPHS.contains(name) } else { is_ordinary_word(name) };
        weekday_number(name).filter(|_| !other_word || self.is_capitalized(at))
    }

    /// `the week before last`.
    fn parse_before_last(&self, at: usize) -> Option<DateForm> {
        let before = |what| TimeExpr::from_recurrence(what, OccurrenceChoice::Before(2));
        let (when, rule) = match self.unit_at(at) {
            Some(TimeUnit::Day) => return None,
            Some(TimeUnit::Week) if !self.is_question() => {
                (TimeExpr::from_offset(TimeUnit::Day, -14, -8), TimeRule::Period)
            }
            Some(unit) => (TimeExpr::from_offset(unit, -2, -2), TimeRule::Period),
            None if self.word(at) == "weekend" => (before(Recurrence::Weekend), TimeRule::Weekend),
            None => (before(Recurrence::Weekday(weekday_number(self.word(at))?)), TimeRule::Weekday),
        };
        DateForm::new(when, rule, 3)
    }

    /// Recognizes the days up to now or from now on: `last three months`, `past week`, `next few days`.
    #[must_use]
    pub fn parse_stretch(&self, at: usize) -> Option<DateForm> {
        let step = match self.word(at) {
            // `past a quarter` is not a stretch.
            "past" if self.word(at + 1) != "a" => -1,
            "last" => -1,
            "next" | "coming" => 1,
            "previous" | "letzten" | "vergangenen" if self.is_question() => -1,
            _ => return None,
        };
        if !self.is_space_separated(at + 1) {
            return None;
        }
        // `in the last year`, `the past week`: up to now. `last year` alone is the calendar year.
        let the = self.word_before(at, 1) == "the" && !self.is_question();
        let alone = || (step < 0 && (the || self.word(at) == "past")).then_some(((1, 1), 0));
        let ((_, most), used) = self.parse_count(at + 1).or_else(alone)?;
        let unit_at = at + 1 + used;
        let (unit, each) = match self.counted_unit_at(unit_at).filter(|_| self.is_space_separated(unit_at))? {
            TimeUnit::Week => (TimeUnit::Day, 7),
            TimeUnit::Quarter => (TimeUnit::Month, 3),
            TimeUnit::Year => (TimeUnit::Month, 12),
            unit => (unit, 1),
        };
        let by = most.checked_mul(each * step)?;
        DateForm::new(TimeExpr::from_offset(unit, by.min(0), by.max(0)), TimeRule::Stretch, used + 2)
    }

    /// Recognizes `three days ago`, `a couple of weeks ago`, `two Fridays ago`, `vor zwei Wochen`.
    #[must_use]
    pub fn parse_ago(&self, at: usize) -> Option<DateForm> {
        if self.is_asked_word(at, &["vor"]) {
            let (count, used) = self.parse_count(at + 1)?;
            return DateForm::new(self.offset_by_count(at + 1 + used, count, -1), TimeRule::Ago, used + 2);
        }
        let (count, used) = self.parse_count(at)?;
        let unit_at = at + used;
        // `a year or so ago`
        let or_so = self.word(unit_at + 1) == "or" && matches!(self.word(unit_at + 2), "so" | "two");
        let (count, or_so) = match (or_so, self.word(unit_at + 2)) {
            (true, "two") => ((count.0, count.1.max(2)), 2),
            (true, _) => (count, 2),
            _ => (count, 0),
        };
        let end = unit_at + 1 + or_so;
        let away = match self.word(end) {
            "ago" => true,
            // `two weeks back`, but not `two weeks back home`.
            "back" => !self.is_space_separated(end + 1) || SUBJECT_PRONOUNS.contains(self.word(end + 1)),
            // `it has been two years since`
            "since" => self.word_before(at, 1) == "been" || self.word_before(at, 2) == "been",
            _ => false,
        };
        if !away || !self.is_space_separated(unit_at) || !self.is_space_separated(end) {
            return None;
        }
        let since = usize::from(self.word(end) == "since");
        DateForm::new(self.offset_by_count(unit_at, count, -1), TimeRule::Ago, used + 2 + or_so - since)
    }

    /// Builds an offset of some units from the day of the text, backwards if `way` is -1. In a note, weeks are vague by
    /// half a week; in a question, a year ago is the month of that year.
    pub(super) fn offset_by_count(&self, unit_at: usize, (least, most): Count, way: i32) -> Option<TimeExpr> {
        let name = self.word(unit_at);
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
            _ => match self.counted_unit_at(unit_at)? {
                TimeUnit::Year if self.is_question() && most == 1 => (TimeUnit::Month, 12, 0),
                TimeUnit::Week if !self.is_question() => (TimeUnit::Day, 7, 3),
                TimeUnit::Quarter => (TimeUnit::Month, 3, 1),
                unit => (unit, 1, 0),
            },
        };
        let (near, far) = (least.checked_mul(each)? - around, most.checked_mul(each)? + around);
        if way < 0 { TimeExpr::from_offset(unit, -far, -near) } else { TimeExpr::from_offset(unit, near, far) }
    }

    /// Parses a count (least and most) and its tokens: `3`, `three`, `a`, `a couple of`, `a few`.
    pub(super) fn parse_count(&self, at: usize) -> Option<(Count, usize)> {
        let a = usize::from(self.word(at) == "a" && self.is_space_separated(at + 1));
        match self.word(at + a) {
            "couple" => {
                let of = usize::from(self.word(at + a + 1) == "of" && self.is_space_separated(at + a + 1));
                Some(((2, 2), a + 1 + of))
            }
            "few" => Some(((2, 4), a + 1)),
            "some" if a == 0 => Some(((2, 4), 1)),
            "several" if a == 0 => Some(((3, 6), 1)),
            _ => {
                let (count, used) = self.count_at(at)?;
                let or = at + used;
                // `1.5 years`, `3-5 years` and `10,000 years` are not five or zero.
                if !self.is_standalone(at, or) {
                    return None;
                }
                // `two or three weeks`
                let other = self.count_at(or + 1).filter(|(other, _)| *other > count);
                let joined = self.word(or) == "or" && self.is_space_separated(or) && self.is_space_separated(or + 1);
                match other.filter(|_| joined) {
                    Some((other, more)) => Some(((count, other), used + 1 + more)),
                    None => Some(((count, count), used)),
                }
            }
        }
    }

    fn step_at(&self, at: usize) -> Option<i32> {
        match self.word(at) {
            "past" => Some(-1),
            "coming" => Some(1),
            _ => self.listed(&STEPS, at).map(i32::from),
        }
    }

    /// Returns the unit of a count, in either number: `weeks`, `Wochen`.
    fn counted_unit_at(&self, at: usize) -> Option<TimeUnit> {
        let name = self.word(at);
        self.calendar_unit(name.strip_suffix('s').unwrap_or(name))
    }

    /// Returns the unit that a token names, in the singular.
    pub(super) fn unit_at(&self, at: usize) -> Option<TimeUnit> {
        let name = self.word(at);
        let plural = name.ends_with('s')
            || matches!(name, "tage" | "tagen" | "wochen" | "monate" | "monaten" | "jahre" | "jahren");
        if plural { None } else { self.calendar_unit(name) }
    }

    fn calendar_unit(&self, name: &str) -> Option<TimeUnit> {
        if name == "quarter" || self.is_question() && name == "quartal" {
            return Some(TimeUnit::Quarter);
        }
        // A lone letter is not a unit, and `tag` not a day: words of other languages do not count in an English sentence.
        let unit = if self.is_question() { find_unit(name) } else { find_unit_in(Language::English, name) };
        Some(match unit.filter(|_| name.len() > 1 && !name.ends_with('s'))?.calendar_period()? {
            CalendarPeriod::Day => TimeUnit::Day,
            CalendarPeriod::Week => TimeUnit::Week,
            CalendarPeriod::Month => TimeUnit::Month,
            CalendarPeriod::Year => TimeUnit::Year,
        })
    }
}

pub(super) fn is_day_part(word: &str) -> bool {
    matches!(word, "morning" | "afternoon" | "evening" | "night")
}
