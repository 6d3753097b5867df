//! Dates among the tokens of a text: `12 March 2024`, `2024-03-12`, `the 22nd`.

use super::lexicon::{MONTHS, WEEKDAYS};
use super::tokens::{Date, Kind, Number, Token};

/// A part of a month or a year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// `Early April`.
    Early,
    /// `Mid-January`.
    Middle,
    /// `Late March`.
    Late,
    /// `The beginning of May`.
    Start,
    /// `The end of May`.
    End,
    /// `Q3 2025`, counted from 1.
    Quarter(u8),
}

impl Part {
    /// Whether a date lies in it that is in the same month or year. Narrow: the middle of a month is not the 10th.
    fn holds(self, date: Date) -> bool {
        let (of, in_early, in_middle, in_late, in_start, in_end) = match (date.month, date.day) {
            (Some(_), Some(day)) => (day, 1..=10, 12..=19, 21..=31, 1..=4, 28..=31),
            (Some(month), None) => (month, 1..=3, 5..=8, 10..=12, 1..=1, 12..=12),
            _ => return false,
        };
        match self {
            Self::Early => in_early.contains(&of),
            Self::Middle => in_middle.contains(&of),
            Self::Late => in_late.contains(&of),
            Self::Start => in_start.contains(&of),
            Self::End => in_end.contains(&of),
            Self::Quarter(_) => false,
        }
    }

    /// Whether a date that says `other` of its month or year says this.
    fn is_said_by(self, other: Self) -> bool {
        self == other || matches!((self, other), (Self::Early, Self::Start) | (Self::Late, Self::End))
    }
}

impl Date {
    /// Whether another date says as much: all that is known of this one is so there.
    pub(crate) fn is_said_by(self, other: Self) -> bool {
        let agrees = |own: Option<u32>, theirs: Option<u32>| own.is_none() || own == theirs;
        let in_part = |part: Part| match (part, other.part, other.month) {
            (_, Some(theirs), _) if self.month == other.month => part.is_said_by(theirs),
            (Part::Quarter(nth), _, Some(month)) => month.div_ceil(3) == u32::from(nth),
            (Part::Quarter(_), ..) => false,
            // A part of a year holds months, one of a month days.
            _ if self.month.is_some() => part.holds(other),
            _ => part.holds(Self { day: None, ..other }),
        };
        agrees(self.year, other.year)
            && agrees(self.month, other.month)
            && agrees(self.day, other.day)
            && (self.weekday.is_none() || self.weekday == other.weekday.or(other.day_of_week()))
            && self.part.is_none_or(in_part)
    }

    /// Monday is 1, Sunday 7.
    pub(super) fn day_of_week(self) -> Option<u32> {
        weekday_of(self.year?, self.month?, self.day?)
    }
}

/// The day of the week: Monday is 1, Sunday 7.
pub(super) fn weekday_of(year: u32, month: u32, day: u32) -> Option<u32> {
    // Sakamoto's: how far the first of each month is shifted, January and February counted to the year before.
    const SHIFTS: [u32; 12] = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];
    let shift = SHIFTS.get(usize::try_from(month.checked_sub(1)?).ok()?)?;
    let year = if month < 3 { year.checked_sub(1)? } else { year };
    let sunday_first = (year + year / 4 + year / 400 + shift + day).checked_sub(year / 100)? % 7;
    Some(if sunday_first == 0 { 7 } else { sunday_first })
}

/// The weekday of this name, in lower case: Monday is 1, Sunday 7.
pub(super) fn weekday(word: &str) -> Option<u32> {
    WEEKDAYS.iter().position(|day| *day == word).and_then(|at| u32::try_from(at + 1).ok())
}

/// Weekdays by their whole names: `Thu` is Thursday, and so is `Sat` where a day may stand.
pub(super) fn weekdays(tokens: &mut [Token]) {
    const LEADS: [&str; 14] =
        ["on", "by", "until", "till", "since", "from", "next", "last", "this", "every", "to", "before", "after", "of"];
    let whole = |token: &Token| {
        let short = token.lower.as_str();
        let is_short =
            matches!(short, "mon" | "tue" | "tues" | "wed" | "thu" | "thur" | "thurs" | "fri" | "sat" | "sun");
        let is_upper = token.raw.starts_with(char::is_uppercase) && token.raw.chars().skip(1).all(char::is_lowercase);
        let named = || WEEKDAYS.iter().copied().find(|day| day.starts_with(short));
        (is_short && is_upper).then(named).flatten()
    };
    for at in 0..tokens.len() {
        let Some(day) = tokens.get(at).and_then(whole) else { continue };
        let beside = |step: usize, at: Option<usize>| {
            let token = at.and_then(|at| tokens.get(at));
            let is_joint = token.is_some_and(|t| matches!(t.kind, Kind::Mark('-' | '–' | '/' | ',' | '.')));
            let next = if step > 0 { at.and_then(|at| at.checked_add(1)) } else { at.and_then(|at| at.checked_sub(1)) };
            let other = if is_joint { next.and_then(|at| tokens.get(at)) } else { token };
            other.is_some_and(|t| {
                whole(t).is_some() || WEEKDAYS.contains(&t.lower.as_str()) || matches!(t.kind, Kind::Number(_))
            })
        };
        let (front, back) = (at.checked_sub(1), at.checked_add(1));
        let is_led = front.and_then(|at| tokens.get(at)).is_some_and(|t| LEADS.contains(&t.lower.as_str()));
        // The sun and a man called Fri.
        let is_free =
            matches!(tokens[at].lower.as_str(), "tue" | "tues" | "thu" | "thur" | "thurs" | "fri" | "wed" | "mon");
        let is_alone =
            is_free && (front.is_none() || tokens.get(at + 1).is_none_or(|t| matches!(t.kind, Kind::Mark(_))));
        if is_led || is_alone || beside(0, front) || beside(1, back) {
            let token = &mut tokens[at];
            token.lower = day.to_owned();
            token.stem = day.to_owned();
            token.kind = Kind::Name;
        }
    }
    // `Mon–Thu` is Monday to Thursday, and not the other way round.
    for at in 1..tokens.len() {
        let is_day = |at: usize| tokens.get(at).is_some_and(|t| weekday(&t.lower).is_some());
        if is_day(at - 1) && is_day(at + 1) && matches!(tokens[at].kind, Kind::Mark('-' | '–')) {
            tokens[at] = Token { lower: "to".into(), stem: "to".into(), kind: Kind::Function, ..tokens[at].clone() };
        }
    }
}

/// Joins what says of a date which part of it is meant: `early April`, `the end of March 2025`, `the last day of November`,
/// `Q3 2025`.
fn parts(tokens: Vec<Token>) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::with_capacity(tokens.len());
    for mut token in tokens {
        if let Kind::Date(mut date) = token.kind
            && let Some(length) = part_before(&found, &mut date)
        {
            let kept = found.len() - length;
            let lead: Vec<String> = found.drain(kept..).map(|t| t.raw).collect();
            token.raw = format!("{} {}", lead.join(" "), token.raw);
            token.kind = Kind::Date(date);
        } else if let Some(year) = found.last_mut()
            && let Kind::Date(Date { year: Some(_), month: None, day: None, part: None, .. }) = year.kind
            && let Some(quarter) = quarter(&token.lower)
        {
            // `2025 Q3`
            if let Kind::Date(date) = &mut year.kind {
                date.part = Some(quarter);
            }
            year.raw = format!("{} {}", year.raw, token.raw);
            continue;
        }
        found.push(token);
    }
    found
}

/// Reads the words in front of a date that say which part of it is meant, and tells how many they are.
fn part_before(front: &[Token], date: &mut Date) -> Option<usize> {
    if date.day.is_some() || date.part.is_some() || (date.month.is_none() && date.year.is_none()) {
        return None;
    }
    let word =
        |back: usize| front.len().checked_sub(back).and_then(|at| front.get(at)).map_or("", |t| t.lower.as_str());
    let joint = usize::from(matches!(word(1), "of" | "-" | "/" | "in"));
    let part = match word(joint + 1) {
        "early" if joint == 0 || word(1) == "-" => Some(Part::Early),
        "mid" if joint == 0 || word(1) == "-" => Some(Part::Middle),
        "late" if joint == 0 || word(1) == "-" => Some(Part::Late),
        "middle" if word(1) == "of" => Some(Part::Middle),
        "end" if word(1) == "of" => Some(Part::End),
        "start" | "beginning" if word(1) == "of" => Some(Part::Start),
        short if date.month.is_none() && joint < 2 => quarter(short),
        _ => None,
    };
    if part.is_some() {
        date.part = part;
        return Some(joint + 1);
    }
    if word(1) != "of" {
        return None;
    }
    if date.month.is_none() && word(2) == "quarter" {
        date.part = match word(3) {
            "1st" => Some(Part::Quarter(1)),
            "2nd" => Some(Part::Quarter(2)),
            "3rd" => Some(Part::Quarter(3)),
            "4th" | "last" => Some(Part::Quarter(4)),
            _ => return None,
        };
        return Some(3);
    }
    if word(2) == "day" && date.month.is_some() {
        date.day = match word(3) {
            "1st" => Some(1),
            "last" => Some(last_day(date.year, date.month?)?),
            _ => return None,
        };
        return Some(3);
    }
    None
}

/// How many days a month has; unknown for a February of no year.
fn last_day(year: Option<u32>, month: u32) -> Option<u32> {
    match month {
        2 => year.map(|year| if (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 { 29 } else { 28 }),
        4 | 6 | 9 | 11 => Some(30),
        _ => Some(31),
    }
}

fn quarter(word: &str) -> Option<Part> {
    match word {
        "q1" => Some(Part::Quarter(1)),
        "q2" => Some(Part::Quarter(2)),
        "q3" => Some(Part::Quarter(3)),
        "q4" => Some(Part::Quarter(4)),
        _ => None,
    }
}

/// Joins the parts of dates.
pub(super) fn dates(tokens: Vec<Token>) -> Vec<Token> {
    let has_dates =
        tokens.iter().any(|t| t.raw.starts_with(|c: char| c.is_ascii_digit()) || MONTHS.contains(&t.lower.as_str()));
    let joined = joined(tokens);
    if has_dates { parts(joined) } else { joined }
}

fn joined(tokens: Vec<Token>) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut rest = tokens.into_iter().peekable();
    while let Some(mut token) = rest.next() {
        if let Some(date) = written_date(&token.raw) {
            token.kind = Kind::Date(date);
            found.push(token);
            continue;
        }
        let Some(month) = month_of(&token, found.last(), rest.peek()) else {
            if let Some(year) = year_of(&token) {
                // `the year 2024`
                if let Some(word) = found.pop_if(|t| t.lower == "year") {
                    token.raw = format!("{} {}", word.raw, token.raw);
                }
                token.kind = Kind::Date(Date { year: Some(year), ..Date::default() });
            } else if token.raw.starts_with(|c: char| c.is_ascii_digit())
                && let Some(day) = day_alone(&token, found.last(), &mut rest.clone())
            {
                token.kind = Kind::Date(Date { day: Some(day), ..Date::default() });
            }
            found.push(token);
            continue;
        };
        let mut date = Date { month: Some(month), ..Date::default() };
        let of = found.last().is_some_and(|t| t.lower == "of");
        let before = found.iter().rev().nth(usize::from(of));
        if let Some(day) = before.and_then(day_of) {
            date.day = Some(day);
            let parts = 1 + usize::from(of);
            let kept = found.len() - parts;
            let lead: Vec<String> = found.drain(kept..).map(|t| t.raw).collect();
            token.raw = format!("{} {}", lead.join(" "), token.raw);
        } else if let Some(day) = rest.peek().and_then(day_of) {
            date.day = Some(day);
            token.raw = format!("{} {}", token.raw, rest.next().map(|t| t.raw).unwrap_or_default());
        }
        let mut ahead = rest.clone();
        let comma = ahead.next_if(|t| t.kind == Kind::Mark(',')).is_some();
        if let Some(year) = ahead.next().as_ref().and_then(year_of) {
            date.year = Some(year);
            if comma {
                rest.next();
            }
            token.raw = format!("{} {year}", token.raw);
            rest.next();
        }
        token.kind = Kind::Date(date);
        found.push(token);
    }
    found
}

fn month_of(token: &Token, before: Option<&Token>, after: Option<&Token>) -> Option<u32> {
    if !matches!(token.kind, Kind::Word | Kind::Name) {
        return None;
    }
    let beside =
        before.is_some_and(|t| day_of(t).is_some()) || after.is_some_and(|t| day_of(t).or(year_of(t)).is_some());
    let upper = token.raw.starts_with(char::is_uppercase);
    let whole = MONTHS.iter().position(|month| *month == token.lower);
    let short = || {
        let word = token.lower.trim_end_matches('.');
        let length = word.len() == 3 || word == "sept";
        (length && beside && upper).then(|| MONTHS.iter().position(|month| month.starts_with(word))).flatten()
    };
    let ambiguous = matches!(token.lower.as_str(), "may" | "march");
    let led = before.is_some_and(|t| {
        let leads = [
            "in", "on", "of", "since", "until", "till", "by", "to", "from", "before", "after", "during", "late",
            "early", "mid", "last", "next", "this", "and", "or", "for", "through", "between",
        ];
        leads.contains(&t.lower.as_str()) || matches!(t.kind, Kind::Mark('-' | '–'))
    });
    let certain = beside || (upper && (led || !ambiguous));
    let index = whole.filter(|_| certain).or_else(short)?;
    u32::try_from(index + 1).ok()
}

fn day_of(token: &Token) -> Option<u32> {
    let digits = token.lower.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let ending = token.lower.get(digits.len()..).unwrap_or_default();
    let plain = matches!(token.kind, Kind::Number(Number { unit: None, .. })) || token.is_content();
    let day: u32 = (plain && ["", "st", "nd", "rd", "th"].contains(&ending)).then(|| digits.parse().ok()).flatten()?;
    (1..=31).contains(&day).then_some(day)
}

/// The day of `on the 22nd`; `the 2nd compressor` and `the 2nd of May` are none.
fn day_alone(token: &Token, before: Option<&Token>, after: &mut impl Iterator<Item = Token>) -> Option<u32> {
    let is_led = before.is_some_and(|t| ["the", "on"].contains(&t.lower.as_str()));
    let (next, second) = (after.next(), after.next());
    let ends = next.as_ref().is_none_or(|t| matches!(t.kind, Kind::Function | Kind::Mark(_)));
    let has_month = next.is_some_and(|t| t.lower == "of") && second.is_some_and(|t| MONTHS.contains(&t.lower.as_str()));
    let written = token.raw.as_str();
    let is_ordinal = written.starts_with(|c: char| c.is_ascii_digit()) && written.ends_with(char::is_alphabetic);
    if is_led && ends && is_ordinal && !has_month { day_of(token) } else { None }
}

fn year_of(token: &Token) -> Option<u32> {
    let is_bare = matches!(token.kind, Kind::Number(Number { unit: None, .. }));
    year(&token.raw).filter(|_| is_bare)
}

/// The year that four digits are.
pub(super) fn year(digits: &str) -> Option<u32> {
    digits.parse().ok().filter(|year| digits.len() == 4 && (1000..=2999).contains(year))
}

/// `2024-03-12`, `2024-03`, `12.03.2024`, and `12/03/2024` where only one reading is a date.
pub(super) fn written_date(raw: &str) -> Option<Date> {
    let sign = ['-', '.', '/'].into_iter().find(|&sign| raw.contains(sign))?;
    let parts: Vec<u32> = raw.split(sign).map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let date = |year, month, day| {
        let fits = (1000..=2999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
        fits.then_some(Date { year: Some(year), month: Some(month), day: Some(day), ..Date::default() })
    };
    match (parts.as_slice(), sign) {
        (&[year, month, day], '-' | '/' | '.') if year > 999 => date(year, month, day),
        (&[year, month], '-') if (1..=12).contains(&month) => {
            Some(Date { year: Some(year), month: Some(month), ..Date::default() })
        }
        (&[month, year], '/') if (1..=12).contains(&month) && (1000..=2999).contains(&year) => {
            Some(Date { year: Some(year), month: Some(month), ..Date::default() })
        }
        (&[day, month, year], '.') => date(year, month, day),
        (&[a, b, year], '/') if a > 12 => date(year, b, a),
        (&[a, b, year], '/') if b > 12 => date(year, a, b),
        _ => None,
    }
}
