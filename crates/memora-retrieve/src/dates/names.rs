//! Names and numbers of years, months, weeks and days.

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};

pub(super) fn year(text: &str) -> Option<i16> {
    let digits = text.len() == 4 && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten().filter(|year| (1500..=2200).contains(year))
}

pub(super) fn number(text: &str) -> Option<i8> {
    (text.len() <= 2).then(|| text.parse().ok()).flatten()
}

/// `14`, `14th`, `1st`.
pub(super) fn ordinal(text: &str) -> Option<i8> {
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|end| text.strip_suffix(end)).unwrap_or(text);
    number(digits)
}

pub(super) fn month(name: &str) -> Option<i8> {
    Some(match name {
        "january" | "jan" | "januar" | "janner" => 1,
        "february" | "feb" | "februar" => 2,
        "march" | "mar" | "marz" | "maerz" => 3,
        "april" | "apr" => 4,
        "may" | "mai" => 5,
        "june" | "jun" | "juni" => 6,
        "july" | "jul" | "juli" => 7,
        "august" | "aug" => 8,
        "september" | "sep" | "sept" => 9,
        "october" | "oct" | "oktober" | "okt" => 10,
        "november" | "nov" => 11,
        "december" | "dec" | "dezember" | "dez" => 12,
        _ => return None,
    })
}

pub(super) fn weekday(name: &str) -> Option<Weekday> {
    Some(match name {
        "monday" | "montag" => Weekday::Monday,
        "tuesday" | "dienstag" => Weekday::Tuesday,
        "wednesday" | "mittwoch" => Weekday::Wednesday,
        "thursday" | "donnerstag" => Weekday::Thursday,
        "friday" | "freitag" => Weekday::Friday,
        "saturday" | "samstag" | "sonnabend" => Weekday::Saturday,
        "sunday" | "sonntag" => Weekday::Sunday,
        _ => return None,
    })
}

pub(super) fn whole_year(year: i16) -> Option<(Date, Date)> {
    Some((Date::new(year, 1, 1).ok()?, Date::new(year, 12, 31).ok()?))
}

pub(super) fn whole_month(year: i16, month: i8) -> Option<(Date, Date)> {
    let first = Date::new(year, month, 1).ok()?;
    Some((first, first.last_of_month()))
}

pub(super) fn months(today: Date, step: i32) -> Option<(Date, Date)> {
    let day = today.first_of_month().checked_add(step.months()).ok()?;
    Some((day, day.last_of_month()))
}

/// Monday to Sunday.
pub(super) fn week(today: Date, step: i32) -> Option<(Date, Date)> {
    let monday =
        today.checked_sub(today.weekday().to_monday_zero_offset().days()).ok()?.checked_add(step.weeks()).ok()?;
    Some((monday, monday.checked_add(6.days()).ok()?))
}

/// First and last month of a season in the northern hemisphere; winter ends in the next year.
pub(super) fn season(name: &str) -> Option<(i8, i8)> {
    Some(match name {
        "spring" | "fruhling" | "fruhjahr" => (3, 5),
        "summer" | "sommer" => (6, 8),
        "autumn" | "fall" | "herbst" => (9, 11),
        "winter" => (12, 2),
        _ => return None,
    })
}

/// A number in digits, or a small one in words; `a week` is one.
pub(super) fn count(word: &str) -> Option<i32> {
    Some(match word {
        "a" | "an" | "one" | "ein" | "eine" | "einem" | "einer" => 1,
        "two" | "couple" | "zwei" => 2,
        "three" | "few" | "drei" => 3,
        "four" | "vier" => 4,
        "five" | "funf" => 5,
        "six" | "sechs" => 6,
        "seven" | "sieben" => 7,
        "eight" | "acht" => 8,
        "nine" | "neun" => 9,
        "ten" | "zehn" => 10,
        "twelve" | "zwolf" => 12,
        _ => return word.parse().ok().filter(|count| word.len() <= 4 && (1..10_000).contains(count)),
    })
}

/// What is counted, in the singular.
pub(super) fn unit(word: &str) -> Option<&'static str> {
    Some(match word {
        "day" | "days" | "tag" | "tage" | "tagen" => "day",
        "week" | "weeks" | "woche" | "wochen" => "week",
        "month" | "months" | "monat" | "monate" | "monaten" => "month",
        "year" | "years" | "jahr" | "jahre" | "jahren" => "year",
        _ => return None,
    })
}

/// From the first of one month to the last of another, which lies in the next year if it is smaller.
pub(super) fn span_of_months(year: i16, first: i8, last: i8) -> Option<(Date, Date)> {
    let end = if last < first { year.checked_add(1)? } else { year };
    Some((Date::new(year, first, 1).ok()?, Date::new(end, last, 1).ok()?.last_of_month()))
}
