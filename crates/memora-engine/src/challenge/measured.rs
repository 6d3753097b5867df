//! How often, on which weekday, how many of five: what a sentence says with a definite value, and of what named thing.
//!
//! The one rule to know: **a sentence that says it in more than one way says nothing here.** Two values of one kind in one
//! sentence are compared with none, and what may be, was, or would be is no value.

use std::collections::BTreeSet;

/// A definite value, of a kind in which two that differ cannot both be so.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Measured {
    /// So many minutes lie between one time and the next.
    Every(u32),
    /// On this day of the week, by its first three letters.
    Weekday(String),
    /// So many tenths of a point of so many: "4/5".
    Score(u32, u32),
}

impl Measured {
    /// Whether both measure the same of a thing, and differ.
    pub(super) fn differs(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Every(a), Self::Every(b)) => a != b,
            (Self::Weekday(a), Self::Weekday(b)) => a != b,
            (Self::Score(a, of_a), Self::Score(b, of_b)) => of_a == of_b && a != b,
            _ => false,
        }
    }
}

const WEEKDAYS: &[&str] = &["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// What makes a sentence say that something may be, was, or would be.
const NOT_SAID: &[&str] = &[
    "if", "might", "may", "perhaps", "maybe", "could", "would", "should", "planning", "plan", "want", "wish", "was",
    "were", "had", "did", "most", "people", "you", "your", "someone", "everyone", "ago", "try",
];

/// The values that a sentence says of what it is about; one of each kind at most.
pub(super) fn measured(sentence: &str) -> Vec<Measured> {
    let lower = sentence.to_lowercase();
    let raw: Vec<&str> = lower.split_whitespace().collect();
    let words: Vec<&str> = raw.iter().map(|word| bare(word)).collect();
    // "Used to meet once a year, but now every month": what comes behind counts, and what stands instead does not.
    let at = |wanted: &[&str]| words.iter().position(|word| wanted.contains(word));
    let former = words.windows(2).any(|two| two == ["used", "to"]);
    let from = if former { at(&["but", "now"]).unwrap_or(words.len()) } else { 0 };
    let to = words.windows(2).position(|two| matches!(two, ["instead", "of"] | ["rather", "than"]));
    let to = to.unwrap_or(words.len()).max(from);
    let said = words.get(from..to).unwrap_or_default();
    if sentence.contains('?') || said.iter().any(|word| NOT_SAID.contains(word)) {
        return Vec::new();
    }
    let mut found: Vec<Measured> = Vec::new();
    for start in 0..said.len() {
        // "From weekly to once a month": it is no longer weekly.
        if start.checked_sub(1).and_then(|before| said.get(before)) == Some(&"from") {
            continue;
        }
        let rest = said.get(start..).unwrap_or_default();
        let ends = raw.get(from + start).is_some_and(|word| word.ends_with(['.', ',', ';', '!', ')']))
            || rest.len() == 1
            || former && rest.len() == 1;
        found.extend(value_at(rest, ends));
    }
    let alone = |one: &Measured| {
        let kind = std::mem::discriminant(one);
        found.iter().all(|other| other == one || std::mem::discriminant(other) != kind)
    };
    let mut out: Vec<Measured> = Vec::new();
    for one in found.iter().filter(|one| alone(one)) {
        if !out.contains(one) {
            out.push(one.clone());
        }
    }
    out
}

/// The value that begins with the first of these words, of which `ends` says whether it ends a clause.
fn value_at(words: &[&str], ends: bool) -> Option<Measured> {
    const ALWAYS: &[&str] = &["a", "an", "every", "per", "each"];
    let every = |times: u32, units: u32, unit: u32| (times > 0).then(|| Measured::Every(unit * units / times));
    match words {
        [score, ..] if score.contains('/') => score_of(score),
        ["every" | "each", day, ..] if weekday(day).is_some() => weekday(day).map(Measured::Weekday),
        ["every" | "each", "second" | "other", day, ..] if weekday(day).is_some() => {
            weekday(day).map(Measured::Weekday)
        }
        ["on", days, ..] if days.ends_with('s') => weekday(days).map(Measured::Weekday),
        ["once", always, rest @ ..] if ALWAYS.contains(always) => {
            every_of(rest).and_then(|(n, unit)| every(1, n, unit))
        }
        ["twice", always, rest @ ..] if ALWAYS.contains(always) => {
            every_of(rest).and_then(|(n, unit)| every(2, n, unit))
        }
        // "three times a week", "an episode a week"
        [times, _, always @ ("a" | "an" | "per" | "each"), one, ..] => {
            number(times).zip(minutes(one)).filter(|_| ALWAYS.contains(always)).and_then(|(n, unit)| every(n, 1, unit))
        }
        ["every", rest @ ..] => every_of(rest).and_then(|(n, unit)| every(1, n, unit)),
        ["daily", ..] if ends => Some(Measured::Every(1440)),
        ["weekly", ..] if ends => Some(Measured::Every(7 * 1440)),
        ["monthly", ..] if ends => Some(Measured::Every(30 * 1440)),
        ["yearly", ..] if ends => Some(Measured::Every(365 * 1440)),
        _ => None,
    }
}

/// "two hours", "other day", "week".
fn every_of(words: &[&str]) -> Option<(u32, u32)> {
    match words {
        [unit, ..] if minutes(unit).is_some() => minutes(unit).map(|unit| (1, unit)),
        [count, unit, ..] => number(count).zip(minutes(unit)),
        _ => None,
    }
}

fn minutes(unit: &str) -> Option<u32> {
    Some(match unit.strip_suffix('s').unwrap_or(unit) {
        "minute" => 1,
        "hour" => 60,
        "day" => 1440,
        "week" => 7 * 1440,
        "month" => 30 * 1440,
        "year" => 365 * 1440,
        _ => return None,
    })
}

fn number(word: &str) -> Option<u32> {
    const NAMES: &[&str] = &["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    match word {
        "a" | "an" => Some(1),
        "other" | "second" => Some(2),
        _ => {
            let named = NAMES.iter().position(|name| *name == word).and_then(|at| u32::try_from(at + 1).ok());
            named.or_else(|| word.parse().ok()).filter(|n| (1..=1000).contains(n))
        }
    }
}

fn weekday(word: &str) -> Option<String> {
    let day = word.strip_suffix('s').unwrap_or(word);
    WEEKDAYS.contains(&day).then(|| day.chars().take(3).collect())
}

fn score_of(word: &str) -> Option<Measured> {
    let (points, of) = word.split_once('/')?;
    let of: u32 = of.parse().ok().filter(|of| matches!(of, 5 | 10))?;
    let (whole, part) = points.split_once('.').unwrap_or((points, "0"));
    let part: u32 = part.parse().ok().filter(|part| *part < 10)?;
    let points = whole.parse::<u32>().ok()?.checked_mul(10)? + part;
    (points <= of * 10).then_some(Measured::Score(points, of))
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

/// The proper names in a sentence, folded, with the title of its note where a pronoun or the title's initials stand for it.
pub(super) fn names(sentence: &str, title: &str) -> BTreeSet<String> {
    const PRONOUNS: &[&str] = &["these", "this", "it", "they", "we", "the", "we'll", "it's"];
    let mut found: BTreeSet<String> = BTreeSet::new();
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let folded_title = title.to_lowercase();
    let mut run: Vec<&str> = Vec::new();
    let mut begins = 0;
    for (at, word) in words.iter().chain([&""]).enumerate() {
        let plain = bare(word);
        let capital = plain.starts_with(char::is_uppercase);
        let links = !run.is_empty() && matches!(plain, "of" | "the") && at < words.len();
        if capital {
            if run.is_empty() {
                begins = at;
            }
            run.push(plain);
        } else if !links {
            add_name(&mut found, &run, begins, &folded_title);
            run.clear();
            continue;
        } else {
            run.push(plain);
        }
        if !word.ends_with(plain) {
            add_name(&mut found, &run, begins, &folded_title);
            run.clear();
        }
    }
    let initials: String = title.split_whitespace().filter_map(|word| word.chars().next()).collect();
    let first = words.first().map(|word| bare(word).to_lowercase()).unwrap_or_default();
    let stands_for_title = PRONOUNS.contains(&first.as_str())
        || initials.chars().count() > 2 && words.iter().any(|word| bare(word) == initials);
    if stands_for_title {
        found.insert(folded_title);
    }
    found
}

fn add_name(found: &mut BTreeSet<String>, run: &[&str], begins: usize, title: &str) {
    let kept = run.len() - run.iter().rev().take_while(|word| matches!(**word, "of" | "the")).count();
    let name = run.get(..kept).unwrap_or_default().join(" ").to_lowercase();
    let single = kept < 2;
    // The first word of a sentence has a capital anyhow.
    let plain = single && begins == 0 && !title.contains(&name);
    let empty =
        name.chars().count() < 3 || name.starts_with("i'") || name.starts_with("i’") || weekday(&name).is_some();
    if !plain && !empty {
        found.insert(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(a: &str, b: &str, differ: bool) {
        let (a, b) = (measured(a), measured(b));
        assert_eq!(a.iter().any(|a| b.iter().any(|b| a.differs(b))), differ, "{a:?} and {b:?}");
    }

    #[test]
    fn values_of_one_kind_differ() {
        check("Anki is software that I use daily.", "I open Anki about twice a month.", true);
        check("These calls take place every Wednesday.", "The circle gets together on Thursdays", true);
        check("which I have set up to sync every 20 minutes.", "my plugin commits once every two hours", true);
        check("Night Train (1/5)", "Night Train is a 4/5 for me", true);
        check("We'll drop an episode a week, weaving.", "It has gone from weekly to one episode a month.", true);
        check(
            "Hack has meetings once a year.",
            "Hack used to meet at the AGM, but there is now a meeting every month.",
            true,
        );
        check("held every Monday.", "calls take place every second Tuesday instead of on Mondays.", true);
    }

    #[test]
    fn what_may_both_be_is_no_difference() {
        check("We meet every week.", "We meet weekly.", false);
        check("We meet once a week.", "If more come, we might meet twice a week.", false);
        check("We meet daily.", "We were there once a month.", false);
        check("A daily dividend.", "It is revalued every six months.", false);
        check("It runs every hour and every day.", "It runs every week.", false);
        check("Dune (4/5)", "Dune 8/10", false);
        check("On Monday we met.", "On Tuesday we met.", false);
    }

    #[test]
    fn names_are_proper_or_the_notes_own() {
        let of = |sentence: &str, title: &str| names(sentence, title).into_iter().collect::<Vec<_>>();
        assert_eq!(of("Fellowship of the Link gets together", "Rhythm"), ["fellowship of the link"]);
        assert_eq!(of("These calls take place", "Fellowship of the Link"), ["fellowship of the link"]);
        assert_eq!(of("FJB calls are held", "Free Jerry's Brain"), ["free jerry's brain"]);
        assert_eq!(of("Meetings are held", "Notes"), [] as [&str; 0]);
    }
}
