//! Which day an expression means: what [`memora_claim::time`] makes of it, where the words leave no other.
//!
//! That module has to choose for everything it reads, and may be wrong: whoever searches for *in May* is not misled by a year
//! too many. Here a wrong choice would call a false sentence true. So a time that could lie on both sides of the note's day
//! counts only where its clause says on which.

use memora_claim::time::{Role, Rule, Time, When};
use memora_vault::PartialDate;

use super::super::stem::is_past;
use super::anchor::Anchor;
use super::counted::Word;
use super::{clause_before, clause_behind};

/// What was done so lies in the past; what it is about may lie ahead: `booked the dentist on Friday`.
const PLANNING: &[&str] = &[
    "booked",
    "scheduled",
    "rescheduled",
    "planned",
    "arranged",
    "agreed",
    "promised",
    "invited",
    "moved",
    "postponed",
    "shifted",
    "pushed",
    "delayed",
    "set",
    "reserved",
    "announced",
    "asked",
    "extended",
    "changed",
    "decided",
    "fixed",
    "offered",
    "wanted",
    "hoped",
    "expected",
    "needed",
    "supposed",
    "due",
    "ordered",
    "confirmed",
    "signed",
    "registered",
    "got",
    "accepted",
    "switched",
    "prolonged",
    "appointed",
    "swapped",
];

/// Behind these a verb of the past says nothing of when.
const TURNING: &[&str] = &[
    "to", "can", "will", "would", "could", "should", "must", "may", "might", "shall", "is", "are", "am", "that",
    "because", "if", "whether", "who", "which", "for", "when", "while", "as", "but", "ll", "re", "what", "than",
    "where", "about", "of",
];

/// A verb in the present beside a time that lies on neither side says that it is to come.
const PRESENT: &[&str] = &[
    "is", "are", "am", "goes", "go", "comes", "come", "starts", "start", "begins", "begin", "ends", "end", "leaves",
    "leave", "arrives", "arrive", "opens", "open", "closes", "close", "expires", "moves", "move", "rises", "returns",
    "meets", "meet",
];

/// The first and the last day, month or year that an expression means.
pub(super) fn resolved(text: &str, words: &[Word], time: &Time, anchor: &Anchor) -> Option<(PartialDate, PartialDate)> {
    if !time.when.is_relative() {
        return time.when.resolve(None);
    }
    if matches!(time.rule, Rule::Stretch | Rule::Lasting) || is_of_something(text, words, time) {
        return None;
    }
    let form = time.when.to_string();
    if let (Rule::DayOfMonth, Some(month)) = (time.rule, anchor.month()) {
        let digits = form.trim_start_matches("@t").trim_end_matches(|c: char| !c.is_ascii_digit());
        let day = PartialDate::ymd(month.year(), month.month()?, digits.parse().ok()?)?;
        return Some((day, day));
    }
    let date = anchor.date()?;
    if matches!(time.rule, Rule::Ahead | Rule::Ago)
        && let Some(exact) = exactly(time, &form, date)
    {
        return Some(exact);
    }
    let is_recurring = form.contains(['<', '>', '~', '=']);
    let named = text.get(time.words.clone()).unwrap_or_default().to_lowercase();
    let says_side =
        ["last ", "next ", "this ", "past ", "coming ", "two ", "three "].iter().any(|word| named.starts_with(word))
            || [" last ", " next ", " this "].iter().any(|word| named.contains(word));
    if !is_recurring || says_side {
        return time.when.resolve(Some(date));
    }
    let found = side(text, words, time, &form, date)?.resolve(Some(date))?;
    // `On Friday`, written on a Friday, may be any.
    let is_own = time.rule == Rule::Weekday && weekday(found.0).is_some_and(|day| weekday(date) == Some(day));
    (!is_own).then_some(found)
}

/// `The last Friday of the month` and `the next year` do not count from the note's day.
fn is_of_something(text: &str, words: &[Word], time: &Time) -> bool {
    let next = clause_behind(text, words, time.words.end).next();
    let is_ordinal = matches!(time.rule, Rule::Period | Rule::Weekday | Rule::Weekend | Rule::Season | Rule::Month);
    let before = clause_before(text, words, time.words.start).next();
    let named = text.get(time.words.clone()).unwrap_or_default().to_lowercase();
    let steps = named.starts_with("last ") || named.starts_with("next ");
    is_ordinal && (matches!(next, Some("of")) || (steps && matches!(before, Some("the" | "every" | "each"))))
}

/// `In three weeks` is a day of the week that the note was written on, and `in a year` a month.
fn exactly(time: &Time, form: &str, date: PartialDate) -> Option<(PartialDate, PartialDate)> {
    let both = |found: Option<PartialDate>| found.map(|found| (found, found));
    if let Some(years) =
        form.strip_prefix('@').and_then(|form| form.strip_suffix('y')).and_then(|by| by.parse::<i16>().ok())
    {
        return both(PartialDate::ym(date.year().checked_add(years)?, date.month()?));
    }
    let (first, last) = time.when.resolve(Some(date))?;
    let days =
        form.strip_prefix('@')?.split_once("..").filter(|_| time.rule == Rule::Ahead && first.day().is_some())?;
    let number = |part: &str| part.strip_suffix('d')?.parse::<i32>().ok();
    let (near, far) = (number(days.0)?, number(days.1)?);
    // A week is vague by half a week either way, `two or three weeks` by more.
    (far - near == 6 && first != last).then(|| both(moved(date, (near + far) / 2))).flatten()
}

/// So many days away.
pub(super) fn moved(date: PartialDate, by: i32) -> Option<PartialDate> {
    let sign = if by > 0 { "+" } else { "" };
    When::parse(&format!("@{sign}{by}d"))?.resolve(Some(date)).map(|(day, _)| day)
}

/// A time that comes back, on the side that its clause says.
fn side(text: &str, words: &[Word], time: &Time, form: &str, date: PartialDate) -> Option<When> {
    let before: Vec<&str> = clause_before(text, words, time.phrase.start).collect();
    let lead = text.get(time.phrase.start..time.words.start).unwrap_or_default().to_lowercase();
    let begins = ["starting", "beginning", "effective", "as of", "as from"].iter().any(|word| lead.starts_with(word));
    let tense = tense(&before);
    let ahead = ahead(time.when, form);
    if begins || matches!(time.role, Role::Until | Role::Due) {
        return match tense {
            Tense::Told if begins || !form.contains('<') => None,
            Tense::Told => Some(time.when),
            Tense::Planned | Tense::Ahead | Tense::Open => Some(ahead),
            Tense::Mixed => None,
        };
    }
    let behind =
        || clause_behind(text, words, time.words.end).take(5).find(|word| is_told(word) || PRESENT.contains(word));
    match tense {
        Tense::Told => form.contains('<').then_some(time.when),
        Tense::Ahead => (!form.contains('<')).then_some(ahead),
        Tense::Planned | Tense::Mixed => None,
        Tense::Open if time.role == Role::Since => form.contains('<').then_some(time.when),
        Tense::Open if form.contains('<') => (before.is_empty() && behind().is_some_and(is_told)).then_some(time.when),
        Tense::Open => {
            // Nothing in front says on which side; a verb of the past anywhere else may.
            let is_told = |word: &&Word| is_told(&word.lower) && !time.words.contains(&word.at.start);
            let is_next = || ahead.resolve(Some(date)) == time.when.resolve(Some(date));
            let comes = before.is_empty() && behind().is_some();
            (!words.iter().any(|word| is_told(&word)) && (comes || form.contains('>') || is_next())).then_some(ahead)
        }
    }
}

/// What the words in front of a time say of when it was, in its clause.
enum Tense {
    /// It was: `we met Ada`.
    Told,
    /// It will be, or has to be: `it must be handed in`, `the rent goes up`.
    Ahead,
    /// It was said or done then or before, of what will be: `booked the dentist`.
    Planned,
    /// A verb of the past, and behind it what may lie in another time.
    Mixed,
    /// They have no verb.
    Open,
}

/// Reads words, the last first.
fn tense(before: &[&str]) -> Tense {
    if before.iter().any(|word| PLANNING.contains(word)) {
        return Tense::Planned;
    }
    let is_ahead = |word: &&str| PRESENT.contains(word) || AHEAD.contains(word);
    let Some(at) = before.iter().position(|word| is_told(word)) else {
        return if before.iter().any(is_ahead) { Tense::Ahead } else { Tense::Open };
    };
    let (between, front) = before.split_at(at);
    if front.iter().skip(1).take(3).any(is_ahead) {
        return Tense::Ahead;
    }
    if between.iter().any(|word| TURNING.contains(word) || is_ahead(word)) { Tense::Mixed } else { Tense::Told }
}

/// Words of what is still to be.
const AHEAD: &[&str] =
    &["will", "ll", "shall", "must", "should", "need", "needs", "has", "be", "to", "can", "may", "might"];

/// The same, of what is to come.
fn ahead(when: When, form: &str) -> When {
    if form.contains('=') { when } else { when.ahead() }
}

fn is_told(word: &str) -> bool {
    (is_past(word) && word.len() > 2 && !word.ends_with("eed") && word != "used")
        || [
            "sat", "went", "sang", "swam", "hit", "ran", "read", "quit", "drank", "shot", "rang", "hurt", "slept",
            "rode",
        ]
        .contains(&word)
}

/// Monday is 1, Sunday 7.
pub(super) fn weekday(date: PartialDate) -> Option<u32> {
    let (year, month, day) = (date.year(), date.month()?, date.day()?);
    let number = |part: i8| u32::try_from(part).ok();
    super::super::dates::weekday_of(u32::try_from(year).ok()?, number(month)?, number(day)?)
}
