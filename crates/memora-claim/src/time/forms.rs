//! The forms of dates in notes and questions, recognized here and nowhere else (verdicts have a reader of their own, `memora_nlp::time`): figures, quarters, seasons, decades, weeks, parts of a time.
//!
//! Invariant: **a form without a year is open.** It yields the last occurrence that has begun, as a question means it;
//! a note chooses another by [`TimeExpr::choose`], from the tense of its sentence.

use std::ops::Deref;

use memora_nlp::language::Language;
use memora_nlp::lexicon::{ORDINALS, STEPS};
use memora_nlp::time::{DateParts, TextRuns, parse_day, parse_digits, parse_year, season_months};
use memora_nlp::word_lists::Lexicon;
use memora_vault::PartialDate;

use super::mention::TimeRule;
use super::period::Period;
use super::time_expr::{OccurrenceChoice, Recurrence, TimeExpr, TimeUnit};
use crate::lists::WEEK_WORDS;

/// How a text means its dates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatePolicy {
    /// A note, read in English: `last week` is the seven days before it, `two weeks ago` any day of about then.
    Note,
    /// A question, in any language: weeks are those of the calendar, names need no capital.
    Question,
}

/// A time that was recognized at some token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DateForm {
    /// Its meaning.
    pub when: TimeExpr,
    /// The rule that read it.
    pub rule: TimeRule,
    /// The number of its tokens.
    pub used: usize,
}

/// A text whose dates are recognized.
#[derive(Clone, Debug)]
pub struct DateForms<'t> {
    runs: TextRuns<'t>,
    policy: DatePolicy,
}

impl<'t> Deref for DateForms<'t> {
    type Target = TextRuns<'t>;

    fn deref(&self) -> &Self::Target {
        &self.runs
    }
}

impl DateForm {
    /// A time of `used` tokens, if there is one.
    pub(super) fn new(when: Option<TimeExpr>, rule: TimeRule, used: usize) -> Option<Self> {
        Some(Self { when: when?, rule, used })
    }

    /// Builds a time of recurring months, or of those of a year; they end in the next year if the last is smaller.
    pub(super) fn from_months((first, last): (i8, i8), year: Option<i16>, rule: TimeRule, used: usize) -> Option<Self> {
        let when = match year {
            Some(year) => TimeExpr::from_dates(
                PartialDate::from_year_month(year, first)?,
                PartialDate::from_year_month(year.checked_add(i16::from(last < first))?, last)?,
            ),
            None => TimeExpr::from_recurrence(Recurrence::Months(first, last), OccurrenceChoice::AtMost),
        };
        Self::new(when, rule, used)
    }

    /// Builds a time from parts of a date.
    #[must_use]
    pub fn from_parts(parts: DateParts, used: usize) -> Option<Self> {
        let open = |what| TimeExpr::from_recurrence(what, OccurrenceChoice::AtMost);
        let (when, rule) = match (parts.year, parts.month, parts.day) {
            (Some(y), Some(m), Some(d)) => (TimeExpr::from_date(PartialDate::from_ymd(y, m, d)?), TimeRule::Written),
            (Some(y), Some(m), None) => (TimeExpr::from_date(PartialDate::from_year_month(y, m)?), TimeRule::Written),
            (Some(y), None, None) => (TimeExpr::from_date(PartialDate::from_year(y)?), TimeRule::Year),
            (None, Some(m), Some(d)) => (open(Recurrence::MonthDay(m, d)), TimeRule::Written),
            (None, Some(m), None) => (open(Recurrence::Months(m, m)), TimeRule::Month),
            (None, None, Some(d)) => (open(Recurrence::DayOfMonth(d)), TimeRule::DayOfMonth),
            _ => return None,
        };
        Self::new(when, rule, used)
    }

    /// The same in the year that `more` tokens behind it select: `March` followed by `last year`.
    #[must_use]
    pub fn in_year(self, (by, more): (i8, usize)) -> Self {
        Self { used: self.used + more, ..self.choose(OccurrenceChoice::Same(by)) }
    }

    /// Chooses another occurrence than the last, if it is open.
    pub(super) fn choose(self, side: OccurrenceChoice) -> Self {
        Self { when: self.when.choose(side), ..self }
    }
}

impl<'t> DateForms<'t> {
    /// Creates the forms of a text that was split into runs.
    #[must_use]
    pub fn new(runs: TextRuns<'t>, policy: DatePolicy) -> Self {
        Self { runs, policy }
    }

    /// Whether a question is read.
    pub(super) fn is_question(&self) -> bool {
        self.policy == DatePolicy::Question
    }

    /// Returns the value of the word at a token: of English in a note, of any language in a question.
    pub(super) fn listed<T: Copy>(&self, lexicon: &Lexicon<T>, at: usize) -> Option<T> {
        let word = self.word(at);
        if self.is_question() { lexicon.get_folded(word) } else { lexicon.get_in(Language::English, word) }
    }

    /// Whether the token is one of some words that count in questions only, as German ones do.
    pub(super) fn is_asked_word(&self, at: usize, words: &[&str]) -> bool {
        self.is_question() && words.contains(&self.word(at))
    }

    /// Whether a year at a token belongs to what is before it.
    fn may_be_year_of(&self, at: usize) -> bool {
        self.is_question() || self.may_continue_date(at)
    }

    /// Returns the number of `of` tokens, 0 or 1, between a time and its year.
    fn count_of(&self, at: usize) -> usize {
        let of = matches!(self.word(at), "of" | "in") && (self.is_question() || self.is_space_separated(at));
        usize::from(of || self.is_asked_word(at, &["des", "im"]))
    }

    /// Recognizes a date in figures: `2024-03-12`, `2024-03`, `2024-W12`, `2024-Q3`, `12.03.2024`, `25/03/2024`.
    #[must_use]
    pub fn parse_figures(&self, at: usize) -> Option<DateForm> {
        self.parse_iso(at).or_else(|| self.parse_numeric(at))
    }

    /// `2024-03-12`, `2024/03/12`, `2024-03`, `2024-W12`, `2024-Q3`.
    fn parse_iso(&self, at: usize) -> Option<DateForm> {
        let sign = self.gap_before(at + 1);
        if !matches!(sign, "-" | "/") {
            return None;
        }
        let year = i16::try_from(parse_digits(self.word(at), 4, 4)?).ok()?;
        let second = self.word(at + 1);
        if let Some(week) = second.strip_prefix('w').filter(|_| sign == "-") {
            let week = Period::from_iso_week(year, parse_small(week)?)?;
            return DateForm::new(TimeExpr::from_dates(week.from(), week.until()), TimeRule::Iso, 2);
        }
        if let Some((months, _)) = parse_year_part(second).filter(|_| second.starts_with('q')) {
            return DateForm::from_months(months, Some(year), TimeRule::Iso, 2);
        }
        let month = parse_small(second)?;
        if self.gap_before(at + 2) == sign && at + 2 < self.len() {
            let third = self.word(at + 2);
            // `2024-03-12T09:30` is one run of letters and digits after the last separator.
            let (day, time) = third.split_once('t').map_or((third, false), |(day, _)| (day, true));
            let date = PartialDate::from_ymd(year, month, parse_small(day)?)?;
            // Hours, minutes, seconds and their zone are consumed as well.
            let signs = |at: usize| matches!(self.gap_before(at), ":" | "-" | "+");
            let more = (3..8).take_while(|by| time && signs(at + by)).count();
            return DateForm::new(TimeExpr::from_date(date), TimeRule::Iso, 3 + more);
        }
        parse_year(self.word(at)).filter(|_| sign == "-" && second.len() == 2)?;
        DateForm::new(TimeExpr::from_date(PartialDate::from_year_month(year, month)?), TimeRule::Iso, 2)
    }

    /// `12.03.2024` with the day first; `25/03/2024`, `03/25/2024` and `25-03-2024` where only one order is a date.
    fn parse_numeric(&self, at: usize) -> Option<DateForm> {
        let [sign, other] = [at + 1, at + 2].map(|at| self.gap_before(at).trim_end_matches(' '));
        if sign != other {
            return None;
        }
        let (first, second) = (parse_small(self.word(at))?, parse_small(self.word(at + 1))?);
        let year = parse_year(self.word(at + 2))?;
        let date = match sign {
            "." => PartialDate::from_ymd(year, second, first)?,
            "/" | "-" if first == second || first > 12 => PartialDate::from_ymd(year, second, first)?,
            "/" | "-" if second > 12 => PartialDate::from_ymd(year, first, second)?,
            // March or April: a time, but not a date.
            "/" | "-" if first > 0 && second > 0 => {
                return DateForm::new(Some(TimeExpr::UNKNOWN), TimeRule::Numeric, 3);
            }
            _ => return None,
        };
        DateForm::new(TimeExpr::from_date(date), TimeRule::Numeric, 3)
    }

    /// Recognizes quarters, halves and seasons: `Q3 2024`, `2024 Q3`, `third quarter of 2024`, `H1 2024`, `winter 2019/20`,
    /// `Q3 last year`; open without a year.
    #[must_use]
    pub fn parse_months(&self, at: usize) -> Option<DateForm> {
        if let Some(year) = parse_year(self.word(at)).filter(|_| self.is_question() || self.is_space_separated(at + 1))
        {
            let (months, rule) = parse_year_part(self.word(at + 1))?;
            return DateForm::from_months(months, Some(year), rule, 2);
        }
        let (months, rule, used) = self.parse_months_name(at)?;
        let behind = at + used;
        let of = self.count_of(behind);
        let linked = self.may_be_year_of(behind + of) || self.gap_before(behind) == "/" && rule != TimeRule::Season;
        if let Some(year) = parse_year(self.word(behind + of)).filter(|_| linked) {
            let end = behind + of + 1;
            let split =
                rule == TimeRule::Season && self.gap_before(end) == "/" && matches!(self.word(end).len(), 2 | 4);
            return DateForm::from_months(months, Some(year), rule, end + usize::from(split) - at);
        }
        let open = DateForm::from_months(months, None, rule, used)?;
        Some(self.parse_year_step(behind).map_or(open, |step| open.in_year(step)))
    }

    /// Recognizes the months of `q3`, `second half`, `summer`, without a year.
    fn parse_months_name(&self, at: usize) -> Option<((i8, i8), TimeRule, usize)> {
        let word = self.word(at);
        if let Some((months, rule)) = parse_year_part(word) {
            return Some((months, rule, 1));
        }
        if let Some(months) = season_months(word) {
            return Some((months, TimeRule::Season, 1));
        }
        let (size, rule) = match self.word(at + 1) {
            "quarter" => (3, TimeRule::Quarter),
            "half" => (6, TimeRule::HalfYear),
            "quartal" if self.is_question() => (3, TimeRule::Quarter),
            "halfte" | "halbjahr" if self.is_question() => (6, TimeRule::HalfYear),
            _ => return None,
        };
        let spelled = || self.listed(&ORDINALS, at).or_else(|| ORDINALS.get_folded(word.strip_suffix('s')?));
        let nth = match parse_day(word) {
            Some((nth, true)) => nth,
            _ => spelled()? as i8,
        };
        if !self.is_space_separated(at + 1) || !(1..=12 / size).contains(&nth) {
            return None;
        }
        Some(((nth * size - size + 1, nth * size), rule, 2))
    }

    /// `the 1990s`, `the 1990's`, `mid 2000’s`. Without a word in front, `2010's trip` is the year's.
    pub(super) fn parse_decade(&self, at: usize) -> Option<DateForm> {
        let word = self.word(at);
        let (year, used) = match word.strip_suffix('s') {
            Some(year) => (year, 1),
            None => {
                let led = matches!(self.word_before(at, 1), "the" | "early" | "mid" | "late" | "of");
                let marked = self.word(at + 1) == "s" && matches!(self.gap_before(at + 1), "'" | "’");
                (word, if led && marked { 2 } else { return None })
            }
        };
        let first = parse_year(year).filter(|year| year % 10 == 0)?;
        let last = PartialDate::from_year(first.checked_add(9)?)?;
        DateForm::new(TimeExpr::from_dates(PartialDate::from_year(first)?, last), TimeRule::Decade, used)
    }

    /// Recognizes a numbered week, of `year` if its words give none: `week 14 of 2022`, `2022 W14`, `KW 14`.
    #[must_use]
    pub fn parse_week_number(&self, at: usize, year: Option<i16>) -> Option<DateForm> {
        let before = parse_year(self.word(at)).filter(|_| self.may_be_year_of(at + 1));
        let start = at + usize::from(before.is_some());
        let (week, used) =
            parse_numbered_week(self, start).filter(|(_, used)| *used == 1 || self.is_space_separated(start + 1))?;
        let of = self.count_of(start + used);
        let next = start + used + of;
        let behind = || parse_year(self.word(next)).filter(|_| self.may_be_year_of(next));
        let (year, end) = match before.is_none().then(behind).flatten() {
            Some(year) => (year, next + 1),
            None => (before.or(year)?, start + used),
        };
        let week = Period::from_iso_week(year, week)?;
        DateForm::new(TimeExpr::from_dates(week.from(), week.until()), TimeRule::Period, end - at)
    }

    /// Recognizes the week, or the weekend, of a day that `inner` finds: `the week of 11 May 2026`, `Woche ab dem 11. Mai`.
    #[must_use]
    pub fn parse_week_of(&self, at: usize, inner: impl Fn(usize) -> Option<DateForm>) -> Option<DateForm> {
        let is_weekend = self.word(at) == "weekend" || self.is_asked_word(at, &["wochenende"]);
        if !is_weekend && self.word(at) != "week" && !self.is_asked_word(at, &["woche"]) {
            return None;
        }
        let is_link = matches!(self.word(at + 1), "of" | "from" | "starting" | "beginning" | "commencing");
        if !(is_link || self.is_asked_word(at + 1, &["ab", "des", "vom", "von"])) || !self.is_space_separated(at + 1) {
            return None;
        }
        let is_link =
            |at: &usize| matches!(self.word(*at), "on" | "the") || self.is_asked_word(*at, &["with", "am", "dem"]);
        let start = at + 2 + (at + 2..at + 4).take_while(is_link).count();
        let day = inner(start)?;
        let (first, _) = day.when.resolve(None).filter(|(first, last)| first == last && first.day().is_some())?;
        let week = match is_weekend {
            true => TimeExpr::from_recurrence(Recurrence::Weekend, OccurrenceChoice::Same(0)),
            false => TimeExpr::from_offset(TimeUnit::Week, 0, 0),
        };
        let (first, last) = week?.resolve(Some(first))?;
        DateForm::new(TimeExpr::from_dates(first, last), TimeRule::Period, start + day.used - at)
    }

    /// Recognizes a third of a time that `inner` finds: `early 2022`, `mid-2023`, `the end of March 2024`.
    #[must_use]
    pub fn parse_part(&self, at: usize, inner: impl Fn(usize) -> Option<DateForm>) -> Option<DateForm> {
        let (third, used) = self.parse_third(at)?;
        let start = at + used + usize::from(self.word(at + used) == "the" && self.is_space_separated(at + used + 1));
        let season = |form: &DateForm| form.rule == TimeRule::Season && !form.when.is_relative();
        let whole =
            self.parse_decade(start).or_else(|| self.parse_months(start).filter(season)).or_else(|| inner(start))?;
        let when = match whole.when.resolve(None) {
            Some((first, last)) => take_third(first, last, third)?,
            None => whole.when,
        };
        DateForm::new(Some(when), TimeRule::Part, start - at + whole.used)
    }

    /// Returns the third of a time that is named before it, 0 early, 1 middle, 2 late, and the number of its tokens.
    pub(super) fn parse_third(&self, at: usize) -> Option<(i8, usize)> {
        let linked = |at: usize| self.is_space_separated(at) || self.gap_before(at) == "-";
        let of = || self.word(at + 1) == "of" && self.is_space_separated(at + 1) && self.is_space_separated(at + 2);
        match self.word(at) {
            "early" | "earlier" if linked(at + 1) => Some((0, 1)),
            "mid" if linked(at + 1) => Some((1, 1)),
            "late" if linked(at + 1) => Some((2, 1)),
            "beginning" | "start" if of() => Some((0, 2)),
            "middle" if of() => Some((1, 2)),
            "end" if of() => Some((2, 2)),
            "anfang" if self.is_question() => Some((0, 1)),
            "mitte" if self.is_question() => Some((1, 1)),
            "ende" if self.is_question() => Some((2, 1)),
            _ => None,
        }
    }

    /// Recognizes `last year`, `of this year` behind a month: the offset in years, and the number of tokens.
    #[must_use]
    pub fn parse_year_step(&self, at: usize) -> Option<(i8, usize)> {
        self.parse_step_of(at, &["year", "jahr", "jahres"])
    }

    /// Recognizes `last week`, `of next year` behind something within it.
    pub(super) fn parse_step_of(&self, at: usize, units: &[&str]) -> Option<(i8, usize)> {
        let of = self.count_of(at);
        let by = self.listed(&STEPS, at + of)?;
        let spaced = self.is_space_separated(at + of) && self.is_space_separated(at + of + 1);
        (spaced && units.contains(&self.word(at + of + 1))).then_some((by, of + 2))
    }
}

/// Completes both ends of a range with parts that only the other has: `12–14 March 2024`, `March to May 2024`.
#[must_use]
pub fn fill_missing_parts(mut from: DateParts, mut until: DateParts) -> Option<(DateParts, DateParts)> {
    if from.day.is_some() && from.month.is_none() {
        from.month = until.month;
    }
    if until.day.is_some() && until.month.is_none() {
        until.month = from.month;
    }
    let wraps = i16::from((until.month, until.day.or(from.day)) < (from.month, from.day));
    if let (Some(year), None, Some(_)) = (until.year, from.year, from.month) {
        from.year = year.checked_sub(wraps);
    }
    if let (Some(year), None, Some(_)) = (from.year, until.year, until.month) {
        until.year = year.checked_add(wraps);
    }
    let dated = |parts: DateParts| parts.year.is_some() || parts.month.is_some();
    (dated(from) && dated(until) && from.year.is_some() == until.year.is_some()).then_some((from, until))
}

/// Parses the number of a week, with its number of tokens: `w14`, `KW 14`, `week 14`.
pub(super) fn parse_numbered_week(runs: &TextRuns<'_>, at: usize) -> Option<(i8, usize)> {
    let word = runs.word(at);
    let weeks = |word: &str| parse_small(word).filter(|week| (1..=53).contains(week));
    let together = word.strip_prefix("kw").or_else(|| word.strip_prefix('w')).and_then(weeks);
    together.map(|week| (week, 1)).or_else(|| Some((WEEK_WORDS.contains(word).then(|| weeks(runs.word(at + 1)))??, 2)))
}

/// Takes a third of a year, a month or a decade; other times are kept whole.
fn take_third(first: PartialDate, last: PartialDate, third: i8) -> Option<TimeExpr> {
    let (year, month) = (first.year(), first.month());
    if first != last {
        let years = i16::from(third) * 3;
        let decade = month.is_none() && last.year().checked_sub(year) == Some(9);
        if !decade {
            return TimeExpr::from_dates(first, last);
        }
        // Four years late, three before.
        let end = if third == 2 { 9 } else { years + 2 };
        return TimeExpr::from_dates(
            PartialDate::from_year(year.checked_add(years)?)?,
            PartialDate::from_year(year.checked_add(end)?)?,
        );
    }
    match (month, first.day()) {
        (None, _) => TimeExpr::from_dates(
            PartialDate::from_year_month(year, third * 4 + 1)?,
            PartialDate::from_year_month(year, third * 4 + 4)?,
        ),
        (Some(month), None) => {
            let end = first.first_and_last_day().1.day().filter(|_| third == 2).unwrap_or(third * 10 + 10);
            TimeExpr::from_dates(
                PartialDate::from_ymd(year, month, third * 10 + 1)?,
                PartialDate::from_ymd(year, month, end)?,
            )
        }
        _ => TimeExpr::from_dates(first, last),
    }
}

/// Parses a number of one or two digits.
pub(super) fn parse_small(word: &str) -> Option<i8> {
    i8::try_from(parse_digits(word, 1, 2)?).ok()
}

/// `q3`, `h1`.
pub(super) fn parse_year_part(word: &str) -> Option<((i8, i8), TimeRule)> {
    let (size, rule) = if word.starts_with('q') { (3, TimeRule::Quarter) } else { (6, TimeRule::HalfYear) };
    let nth = word.strip_prefix(['q', 'h']).and_then(|nth| parse_digits(nth, 1, 1))?;
    let nth = i8::try_from(nth).ok().filter(|nth| (1..=12 / size).contains(nth))?;
    Some(((nth * size - size + 1, nth * size), rule))
}
