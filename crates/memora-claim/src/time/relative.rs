//! Times counted from the day the note was written: `yesterday`, `last Friday`, `two weeks ago`.

use memora_nlp::language::Language;
use memora_nlp::lexicon::{DAY_WORDS, STEPS};
use memora_nlp::unit::{Period, unit_in};

use super::Rule;
use super::read::{Found, Lead, Reader};
use super::tense::Lean;
use super::tokens::{month, ordinary, season, weekday};
use super::when::{Recurring, Side, Unit, When};

impl Reader<'_> {
    pub(super) fn relative(&self, at: usize, lead: &Lead) -> Option<Found> {
        self.day_name(at)
            .or_else(|| self.stretch(at))
            .or_else(|| self.period(at))
            .or_else(|| self.ago(at))
            .or_else(|| self.ahead(at, lead))
            .or_else(|| self.weekday(at, lead))
            .or_else(|| self.weekend(at, lead))
    }

    /// `yesterday`, `this morning`, `last night`, `the day before yesterday`.
    fn day_name(&self, at: usize) -> Option<Found> {
        let of_day = |at: usize| self.tokens.joined(at) && day_part(self.tokens.word(at));
        let found = |by, used| Some(Found { when: When::offset(Unit::Day, by, by)?, rule: Rule::DayName, used });
        let word = self.tokens.word(at);
        if let Some(by) = DAY_WORDS.get_in(Language::English, word) {
            return found(i32::from(by), 1 + usize::from(of_day(at + 1)));
        }
        match word {
            "this" if of_day(at + 1) => found(0, 2),
            "last" if of_day(at + 1) => found(-1, 2),
            "day" if self.tokens.joined(at + 1) && self.tokens.joined(at + 2) => {
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
    pub(super) fn period(&self, at: usize) -> Option<Found> {
        if !self.tokens.joined(at + 1) {
            return None;
        }
        let name = self.tokens.word(at);
        if self.tokens.word(at + 1) == "before" && self.tokens.word(at + 2) == "last" && self.tokens.joined(at + 2) {
            return before_last(name);
        }
        let step = step(name)?;
        if step > 0 && self.told(at) {
            return None;
        }
        // `this past weekend`, `this coming Friday`.
        let twice = if step == 0 { self::step(self.tokens.word(at + 1)).filter(|step| *step != 0) } else { None };
        let (step, used) = twice.map_or((step, 1), |step| (step, 2));
        let name = self.tokens.word(at + used);
        let at = at + used;
        if !self.tokens.joined(at) {
            return None;
        }
        let used = used + 1;
        let side = match step {
            -1 => Side::Before(1),
            0 => Side::Same(0),
            _ => Side::After(1),
        };
        let capital = !ordinary(name) || self.tokens.capital(at);
        let (when, rule) = if let Some(unit) = unit(name) {
            let when = match (unit, step) {
                (Unit::Week, -1) => When::offset(Unit::Day, -7, -1),
                (Unit::Week, 1) => When::offset(Unit::Day, 1, 7),
                (Unit::Day, _) => None,
                _ => When::offset(unit, step, step),
            };
            (when?, Rule::Period)
        } else if name == "weekend" {
            (When::recurring(Recurring::Weekend, side)?, Rule::Weekend)
        } else if let Some(day) = weekday(name).filter(|_| capital) {
            (When::recurring(Recurring::Weekday(day), side)?, Rule::Weekday)
        } else if let Some((first, last)) = season(name) {
            (When::recurring(Recurring::Months(first, last), side)?, Rule::Season)
        } else {
            let month = month(name).filter(|_| capital)?;
            (When::recurring(Recurring::Months(month, month), side)?, Rule::Month)
        };
        Some(Found { when, rule, used })
    }

    /// `the next year` in a sentence about the past counts from what it tells of, not from the note.
    fn told(&self, at: usize) -> bool {
        self.tokens.back(at, 1) == "the" && self.tense(at) == Some(Lean::Past)
    }

    /// `the last three months`, `the past week`, `the next few days`.
    pub(super) fn stretch(&self, at: usize) -> Option<Found> {
        let step = match self.tokens.word(at) {
            "last" => -1,
            // `past a quarter` goes by one.
            "past" if self.tokens.word(at + 1) != "a" => -1,
            "next" | "coming" => 1,
            _ => return None,
        };
        if !self.tokens.joined(at + 1) || (step > 0 && self.told(at)) {
            return None;
        }
        let ((_, most), used) = match self.count(at + 1) {
            Some(count) => count,
            // `in the last year`, `the past week`: up to now. `last year` alone is that of the calendar.
            None if self.tokens.back(at, 1) == "the" || self.tokens.word(at) == "past" => ((1, 1), 0),
            None => return None,
        };
        let unit_at = at + 1 + used;
        let name = self.tokens.word(unit_at);
        let unit = unit(name.strip_suffix('s').unwrap_or(name)).filter(|_| self.tokens.joined(unit_at))?;
        // `the next week` is `next week`.
        if used == 0 && step > 0 {
            return None;
        }
        let (unit, by) = match unit {
            Unit::Day => (Unit::Day, most),
            Unit::Week => (Unit::Day, most.checked_mul(7)?),
            Unit::Month => (Unit::Month, most),
            Unit::Quarter => (Unit::Month, most.checked_mul(3)?),
            Unit::Year => (Unit::Month, most.checked_mul(12)?),
        };
        let when = if step < 0 { When::offset(unit, -by, 0) } else { When::offset(unit, 0, by) };
        Some(Found { when: when?, rule: Rule::Stretch, used: used + 2 })
    }

    /// `three days ago`, `a couple of weeks ago`, `two Fridays ago`.
    fn ago(&self, at: usize) -> Option<Found> {
        let (count, used) = self.count(at)?;
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
            "back" => {
                !self.tokens.joined(end + 1) || matches!(self.tokens.word(end + 1), "i" | "we" | "he" | "she" | "they")
            }
            // `it has been two years since`
            "since" => self.tokens.back(at, 1) == "been" || self.tokens.back(at, 2) == "been",
            _ => false,
        };
        if !away || !self.tokens.joined(unit_at) || !self.tokens.joined(end) {
            return None;
        }
        let when = self.counted(unit_at, count, -1)?;
        let since = usize::from(self.tokens.word(end) == "since");
        Some(Found { when, rule: Rule::Ago, used: used + 2 + or_so - since })
    }

    /// `in three days` of what is to come, `two weeks from now`.
    fn ahead(&self, at: usize, lead: &Lead) -> Option<Found> {
        let (count, used) = self.count(at)?;
        let unit_at = at + used;
        let end = unit_at + 1;
        if !self.tokens.joined(unit_at) {
            return None;
        }
        if self.tokens.word(end) == "from" && self.tokens.word(end + 1) == "now" && self.tokens.joined(end + 1) {
            return Some(Found { when: self.counted(unit_at, count, 1)?, rule: Rule::Ahead, used: used + 3 });
        }
        // `I can do it in three days` and `twice in a week` say how long.
        let how_long = ["can", "could", "once", "twice", "times", "usually", "takes"];
        let said = (1..=8).any(|by| how_long.contains(&self.tokens.back(lead.at, by)));
        let ends = !self.tokens.joined(end)
            || matches!(self.tokens.word(end), "time" | "we" | "i" | "he" | "she" | "they" | "the" | "and");
        let open = match self.tense(lead.at) {
            Some(Lean::Past) => false,
            Some(Lean::Ahead) => true,
            _ => ends,
        };
        let led = lead.word == "in" && lead.at + 1 == at;
        (led && open && !said && self.tokens.word(end) != "of").then_some(())?;
        let when = self.counted(unit_at, count, 1)?;
        Some(Found { when, rule: Rule::Ahead, used: used + 1 })
    }

    /// So many units from the note's date, backwards for a `way` of -1. Weeks are vague by half a week either way.
    pub(super) fn counted(&self, unit_at: usize, (least, most): (i32, i32), way: i32) -> Option<When> {
        let name = self.tokens.word(unit_at);
        let name = name.strip_suffix('s').unwrap_or(name);
        let one = u8::try_from(least).ok().filter(|_| least == most);
        let side = |nth| if way < 0 { Side::Before(nth) } else { Side::After(nth) };
        if name == "weekend" {
            return When::recurring(Recurring::Weekend, side(one?));
        }
        if let Some(day) = weekday(name).filter(|_| name.len() > 5) {
            return When::recurring(Recurring::Weekday(day), side(one?));
        }
        let (unit, each, around) = match name {
            "night" => (Unit::Day, 1, 0),
            "fortnight" => (Unit::Day, 14, 3),
            "decade" => (Unit::Year, 10, 0),
            _ => match unit(name)? {
                Unit::Week => (Unit::Day, 7, 3),
                Unit::Quarter => (Unit::Month, 3, 1),
                unit => (unit, 1, 0),
            },
        };
        let (near, far) = (least.checked_mul(each)? - around, most.checked_mul(each)? + around);
        if way < 0 { When::offset(unit, -far, -near) } else { When::offset(unit, near, far) }
    }

    /// A count, least and most, and its tokens: `3`, `three`, `a`, `a couple of`, `a few`.
    pub(super) fn count(&self, at: usize) -> Option<((i32, i32), usize)> {
        let word = self.tokens.word(at);
        let next = self.tokens.word(at + 1);
        let a = usize::from(word == "a" && self.tokens.joined(at + 1));
        match if a == 1 { next } else { word } {
            "couple" => {
                let of = usize::from(self.tokens.word(at + a + 1) == "of" && self.tokens.joined(at + a + 1));
                Some(((2, 2), a + 1 + of))
            }
            "few" => Some(((2, 4), a + 1)),
            "some" if a == 0 => Some(((2, 4), 1)),
            "several" if a == 0 => Some(((3, 6), 1)),
            _ => {
                let (count, used) = self.tokens.number(at)?;
                let or = at + used;
                // `1.5 years`, `3-5 years` and `10,000 years` are not five or none.
                if !self.tokens.alone(at, or) {
                    return None;
                }
                // `two or three weeks`
                let other = self.tokens.number(or + 1).filter(|(other, _)| *other > count);
                let joined = self.tokens.word(or) == "or" && self.tokens.joined(or) && self.tokens.joined(or + 1);
                match other.filter(|_| joined) {
                    Some((other, more)) => Some(((count, other), used + 1 + more)),
                    None => Some(((count, count), used)),
                }
            }
        }
    }

    /// `on Friday`, `Friday night`, `Friday last week`.
    fn weekday(&self, at: usize, lead: &Lead) -> Option<Found> {
        let word = self.tokens.word(at);
        let day = weekday(word).filter(|_| !ordinary(word) || self.tokens.capital(at))?;
        let part = usize::from(self.tokens.joined(at + 1) && day_part(self.tokens.word(at + 1)));
        let rule = Rule::Weekday;
        if let Some((by, more)) = self.of_year(at + 1 + part, "week") {
            let when = When::recurring(Recurring::Weekday(day), Side::Same(by))?;
            return Some(Found { when, rule, used: 1 + part + more });
        }
        let determined =
            (1..=2).any(|by| matches!(self.tokens.back(at, by), "the" | "a" | "an" | "my" | "our" | "every" | "each"));
        let led = matches!(lead.word, "on" | "by" | "until" | "till" | "since" | "before" | "after" | "from" | "due")
            || self.bare(at);
        // `on Friday afternoons`, `on Monday and Thursday mornings`: every week.
        let recurs = matches!(self.tokens.word(at + 1), "mornings" | "afternoons" | "evenings" | "nights");
        // `from Monday to Friday`, `Monday through Friday`: likewise.
        let weekly = self.link(at + 1, lead).is_some_and(|link| weekday(self.tokens.word(at + 1 + link)).is_some())
            || (lead.at < at && weekday(self.tokens.back(lead.at, 1)).is_some());
        if recurs || weekly || determined || !(led || part == 1) {
            return None;
        }
        let when = When::recurring(Recurring::Weekday(day), self.lean(at, lead).of_days())?;
        Some(Found { when, rule, used: 1 + part })
    }

    /// `I met her Friday.`, `Friday I met her`, `Friday at 5`: a weekday that needs nothing before it.
    fn bare(&self, at: usize) -> bool {
        let (opens, closes) = (self.tokens.breaks(at), at + 1 >= self.tokens.len() || !self.tokens.joined(at + 1));
        let next = self.tokens.word(at + 1);
        let at_hour = next == "at" && self.tokens.word(at + 2).starts_with(|c: char| c.is_ascii_digit());
        let person = matches!(next, "i" | "we" | "he" | "she" | "they");
        // `Black Friday.` is a name; so may be a day in a list of days.
        let before = self.tokens.back(at, 1);
        let follows = self.tokens.joined(at)
            && !self.tokens.capital(at.saturating_sub(1))
            && !matches!(before, "to" | "through" | "and" | "or");
        let ends = closes && self.tokens.gap(at + 1).trim_start().starts_with(['.', '!', '?']);
        let last = at + 1 >= self.tokens.len() && self.tokens.gap(at + 1).trim().is_empty();
        (opens && person) || at_hour || (follows && !opens && (ends || last))
    }

    /// `over the weekend`.
    fn weekend(&self, at: usize, lead: &Lead) -> Option<Found> {
        let led = matches!(lead.word, "on" | "over" | "at" | "during" | "by" | "since" | "until" | "before" | "after");
        if self.tokens.word(at) != "weekend" || self.tokens.back(at, 1) != "the" || !led {
            return None;
        }
        let when = When::recurring(Recurring::Weekend, self.lean(at, lead).of_days())?;
        Some(Found { when, rule: Rule::Weekend, used: 1 })
    }

    /// `[have been …] for two years`, `for the past two years`: since then. Starts at `for`.
    pub(super) fn lasting(&self, at: usize) -> Option<(When, usize, usize)> {
        let mut from = at + 1;
        if matches!(
            self.tokens.word(from),
            "about" | "around" | "nearly" | "almost" | "over" | "roughly" | "approximately"
        ) {
            from += 1;
        }
        let past = self.tokens.word(from) == "the" && matches!(self.tokens.word(from + 1), "last" | "past");
        let counted = if past { from + 2 } else { from };
        if !(at + 1..=counted).all(|next| self.tokens.joined(next)) {
            return None;
        }
        let (count, used) = match self.count(counted) {
            Some(count) => count,
            None if past => ((1, 1), 0),
            None => return None,
        };
        let unit_at = counted + used;
        let now = self.tokens.word(unit_at + 1) == "now" && self.tokens.joined(unit_at + 1);
        if !self.tokens.joined(unit_at) || !(past || now || self.perfect(at)) {
            return None;
        }
        let when = self.counted(unit_at, count, -1)?;
        Some((when, from - at, unit_at + 1 + usize::from(now) - from))
    }
}

fn day_part(word: &str) -> bool {
    matches!(word, "morning" | "afternoon" | "evening" | "night")
}

fn step(word: &str) -> Option<i32> {
    match word {
        "past" => Some(-1),
        "coming" => Some(1),
        _ => STEPS.get_in(Language::English, word).map(i32::from),
    }
}

pub(super) fn unit(name: &str) -> Option<Unit> {
    if name == "quarter" {
        return Some(Unit::Quarter);
    }
    // A lone letter is none, and `tag` no day: words of other languages count nothing in an English sentence.
    let unit = unit_in(Language::English, name).filter(|_| name.len() > 1 && !name.ends_with('s'))?;
    Some(match unit.period()? {
        Period::Day => Unit::Day,
        Period::Week => Unit::Week,
        Period::Month => Unit::Month,
        Period::Year => Unit::Year,
    })
}

fn before_last(name: &str) -> Option<Found> {
    let (when, rule) = match unit(name) {
        Some(Unit::Day) => return None,
        Some(Unit::Week) => (When::offset(Unit::Day, -14, -8), Rule::Period),
        Some(unit) => (When::offset(unit, -2, -2), Rule::Period),
        None if name == "weekend" => (When::recurring(Recurring::Weekend, Side::Before(2)), Rule::Weekend),
        None => (When::recurring(Recurring::Weekday(weekday(name)?), Side::Before(2)), Rule::Weekday),
    };
    Some(Found { when: when?, rule, used: 3 })
}
