//! Numbers among German words: `1.000`, `3,5`, `einundzwanzig`, `zwei Millionen Euro`, `14 Uhr 30`.
//!
//! A number means the same however it is written; units are those of the English rules, by their German names.

use super::super::numbers::{CLOCK, ONE, clock, in_millionths, is_time_unit, measured};
use super::super::tokens::Number;
use super::super::units;
use super::tokens::{Kind, Token};

/// German names of units.
const UNITS: &[(&str, &str)] = &[
    ("sekunde sekunden sek", "s"),
    ("minute minuten min", "min"),
    ("stunde stunden std", "h"),
    ("tag tage tagen tages", "d"),
    ("woche wochen", "week"),
    ("monat monate monaten", "month"),
    ("jahr jahre jahren", "year"),
    ("prozent", "%"),
    ("kilometer kilometern", "km"),
    ("meter metern", "m"),
    ("zentimeter zentimetern", "cm"),
    ("millimeter millimetern", "mm"),
    ("gramm", "g"),
    ("kilo kilogramm", "kg"),
    ("liter litern", "l"),
    ("euro euros", "eur"),
    ("dollar dollars", "usd"),
    ("franken", "chf"),
];

const SCALES: &[(&str, i128)] = &[
    ("tausend", 1_000),
    ("tsd", 1_000),
    ("million", 1_000_000),
    ("millionen", 1_000_000),
    ("mio", 1_000_000),
    ("milliarde", 1_000_000_000),
    ("milliarden", 1_000_000_000),
    ("mrd", 1_000_000_000),
    ("dutzend", 12),
];

const ORDINALS: &str = "erst zweit dritt viert fünft sechst siebt acht neunt zehnt elft zwölft";

/// The one spelling of a unit; a word of English is none.
pub(super) fn unit(word: &str) -> Option<&'static str> {
    let german = UNITS.iter().find(|(forms, _)| super::words::is_in(forms, word)).map(|(_, unit)| *unit);
    german.or_else(|| units::unit(word).filter(|_| word.chars().count() < 4 && word != "in"))
}

/// Reads numbers in digits and words, their scales and units, and times of day.
pub(super) fn numbers(tokens: Vec<Token>) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut rest = tokens.into_iter().peekable();
    while let Some(mut token) = rest.next() {
        let next = |lower: &str, rest: &mut std::iter::Peekable<std::vec::IntoIter<Token>>| {
            rest.peek().is_some_and(|t| t.lower == lower)
        };
        // Of an abbreviation the full stop ends nothing: `2 Mio. Euro`, `3 Std.`
        if token.is_mark('.') && found.last().is_some_and(|t| t.lower == "mio" || t.lower == "mrd" || t.lower == "tsd")
        {
            continue;
        }
        let clock = clock_time(&token.raw);
        if let Some(minutes) = clock.filter(|_| token.raw.contains(':') || next("uhr", &mut rest)) {
            if next("uhr", &mut rest) {
                append(&mut token, rest.next());
            }
            token.kind = Kind::Number(Number { value: minutes * ONE, unit: Some(CLOCK) });
            found.push(token);
            continue;
        }
        // `sechs Wochen lang`
        if token.lower == "lang" && found.last().is_some_and(is_span) {
            continue;
        }
        let Some(mut value) = value(&token.raw).or_else(|| word_value(&token.lower).map(|v| v * ONE / 10)) else {
            read_one(&mut token, &mut found, &mut rest);
            if let Some(ordinal) = ordinal(&token.lower) {
                token.lower = ordinal;
                token.kind = Kind::Word;
            }
            found.push(token);
            continue;
        };
        if next("uhr", &mut rest) && value % ONE == 0 && (0..=24 * ONE).contains(&value) {
            append(&mut token, rest.next());
            let minutes = rest.peek().and_then(|t| t.raw.parse::<i128>().ok()).filter(|m| (0..60).contains(m));
            if minutes.is_some() {
                append(&mut token, rest.next());
            }
            let value = (value / ONE % 24 * 60 + minutes.unwrap_or(0)) * ONE;
            token.kind = Kind::Number(Number { value, unit: Some(CLOCK) });
            found.push(token);
            continue;
        }
        while let Some(scale) = rest.peek().and_then(|t| SCALES.iter().find(|(name, _)| *name == t.lower)) {
            let Some(scaled) = value.checked_mul(scale.1) else { break };
            value = scaled;
            append(&mut token, rest.next());
            rest.next_if(|t| t.is_mark('.'));
        }
        token.kind = Kind::Number(Number { value, unit: None });
        if let Some(sign) = found.pop_if(|t| matches!(t.kind, Kind::Mark('€' | '$' | '£'))) {
            token.raw = format!("{}{}", sign.raw, token.raw);
            token.kind = Kind::Number(measured(value, &sign.lower));
        } else if let Some(unit) = rest.peek().and_then(|t| unit(&t.lower)) {
            append(&mut token, rest.next());
            token.kind = Kind::Number(measured(value, unit));
        }
        found.push(token);
    }
    shared_units(&mut found);
    hours(&mut found);
    found
}

/// `um fünf`, `gegen drei`: o'clock, where no noun follows.
fn hours(tokens: &mut [Token]) {
    for at in 1..tokens.len() {
        let leads = super::words::is_in("um gegen", &tokens[at - 1].lower);
        let Kind::Number(Number { value, unit: None }) = tokens[at].kind else { continue };
        let counts = tokens.get(at + 1).is_some_and(|t| {
            matches!(t.kind, Kind::Noun | Kind::Number(_))
                || ["e", "en", "er", "es"].iter().any(|end| t.lower.ends_with(end))
        });
        let is_hour = value % ONE == 0 && (ONE..=24 * ONE).contains(&value);
        if leads && is_hour && !counts {
            tokens[at].kind = Kind::Number(Number { value: value % (24 * ONE) * 60, unit: Some(CLOCK) });
        }
    }
}

/// Whether a number tells how long.
fn is_span(token: &Token) -> bool {
    let name = token.lower.split_ascii_whitespace().next_back().and_then(unit);
    matches!(token.kind, Kind::Number(_)) && name.is_some_and(is_time_unit)
}

/// `von 85 auf 96 Euro` is of Euro both times.
fn shared_units(tokens: &mut [Token]) {
    for at in 1..tokens.len().saturating_sub(2) {
        let leads = |at: usize, words: &str| tokens.get(at).is_some_and(|t| super::words::is_in(words, &t.lower));
        let is_pair = leads(at - 1, "von zwischen") && leads(at + 1, "auf bis und");
        let (Kind::Number(Number { value, unit: None }), Kind::Number(Number { unit: Some(_), .. })) =
            (tokens[at].kind, tokens[at + 2].kind)
        else {
            continue;
        };
        if let (Kind::Number(Number { unit: Some(CLOCK), .. }), true) = (tokens[at + 2].kind, is_pair) {
            tokens[at].kind = Kind::Number(Number { value: value * 60, unit: Some(CLOCK) });
            continue;
        }
        let second = tokens[at + 2].raw.clone();
        let name = second.split_ascii_whitespace().next_back().and_then(|word| unit(&super::tokens::folded(word)));
        let sign = ['€', '$', '£'].into_iter().find(|sign| second.contains(*sign)).map(String::from);
        if let Some(unit) = name.map(str::to_owned).or(sign).filter(|_| is_pair) {
            tokens[at].kind = Kind::Number(measured(value, &unit));
        }
    }
}

/// `eine Woche`, `ein Euro`: one of it. Not `die Woche`.
fn read_one(token: &mut Token, found: &mut Vec<Token>, rest: &mut std::iter::Peekable<std::vec::IntoIter<Token>>) {
    let is_one = matches!(token.lower.as_str(), "ein" | "eine" | "einen" | "einem" | "einer");
    if let Some(unit) = rest.peek().and_then(|t| unit(&t.lower)).filter(|_| is_one) {
        append(token, rest.next());
        token.kind = Kind::Number(measured(ONE, unit));
    } else if let Some(unit) = (token.lower == "halbe").then(|| rest.peek().and_then(|t| unit(&t.lower))).flatten() {
        // `eine halbe Stunde`
        if found.pop_if(|t| matches!(t.lower.as_str(), "eine" | "einer")).is_some() {
            append(token, rest.next());
            token.kind = Kind::Number(measured(ONE / 2, unit));
        }
    }
}

fn append(token: &mut Token, next: Option<Token>) {
    if let Some(next) = next {
        token.raw = format!("{} {}", token.raw, next.raw);
        token.lower = format!("{} {}", token.lower, next.lower);
    }
}

/// The value of digits in millionths: `1.000`, `3,5`, `1.234,50`. `None` for a date, a version or a time.
fn value(word: &str) -> Option<i128> {
    let (negative, digits) = word.strip_prefix('-').map_or((false, word), |rest| (true, rest));
    let (whole, part) = digits.split_once(',').unwrap_or((digits, ""));
    let is_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let groups: Vec<&str> = whole.split(['.', '\'']).collect();
    let grouped = groups.len() == 1
        || (groups.iter().skip(1).all(|group| group.len() == 3)
            && groups.first().is_some_and(|g| (1..4).contains(&g.len())));
    let plain = groups.concat();
    if !grouped || plain.is_empty() || plain.len() > 18 || !is_digits(&plain) || !is_digits(part) {
        return None;
    }
    in_millionths(negative, &plain, part)
}

/// The minutes since midnight of `14:30` and `14.30`.
fn clock_time(word: &str) -> Option<i128> {
    let (hours, minutes) = word.split_once([':', '.'])?;
    clock(hours, minutes)
}

/// The number that a word is, in tenths: `zwölf`, `einundzwanzig`, `zweihundertfünfzig`, `anderthalb`.
fn word_value(word: &str) -> Option<i128> {
    match word {
        "eins" => return Some(10),
        "null" => return Some(0),
        "anderthalb" | "eineinhalb" => return Some(15),
        // Articles, and what follows is counted by them.
        "ein" | "hundert" | "tausend" => {
            return (word != "ein").then(|| if word == "hundert" { 1_000 } else { 10_000 });
        }
        _ => {}
    }
    if let Some(whole) = word.strip_suffix("einhalb").and_then(below_thousand) {
        return Some(whole * 10 + 5);
    }
    let (thousands, rest) = word.split_once("tausend").map_or((0, Some(word)), |(front, rest)| {
        let front = if front.is_empty() { Some(1) } else { below_thousand(front) };
        (front.unwrap_or(-1), Some(rest).filter(|rest| !rest.is_empty()))
    });
    let low = rest.map_or(Some(0), |rest| below_thousand(rest.strip_prefix("und").unwrap_or(rest)))?;
    (thousands >= 0).then_some((thousands * 1000 + low) * 10)
}

fn below_thousand(word: &str) -> Option<i128> {
    let (hundreds, rest) = word.split_once("hundert").map_or((Some(0), Some(word)), |(front, rest)| {
        let front = if front.is_empty() { Some(1) } else { below_twenty(front) };
        (front, Some(rest).filter(|rest| !rest.is_empty()))
    });
    let low = rest.map_or(Some(0), |rest| below_hundred(rest.strip_prefix("und").unwrap_or(rest)))?;
    hundreds.map(|hundreds| hundreds * 100 + low)
}

fn below_hundred(word: &str) -> Option<i128> {
    const TENS: &[(&str, i128)] = &[
        ("zwanzig", 20),
        ("dreissig", 30),
        ("vierzig", 40),
        ("fünfzig", 50),
        ("sechzig", 60),
        ("siebzig", 70),
        ("achtzig", 80),
        ("neunzig", 90),
    ];
    if let Some((name, tens)) = TENS.iter().find(|(name, _)| word.ends_with(name)) {
        let front = word.strip_suffix(name)?;
        return if front.is_empty() {
            Some(*tens)
        } else {
            below_twenty(front.strip_suffix("und")?).map(|one| tens + one)
        };
    }
    below_twenty(word)
}

fn below_twenty(word: &str) -> Option<i128> {
    const NAMES: &str = "ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn \
                         achtzehn neunzehn";
    let found = NAMES.split_ascii_whitespace().position(|name| name == word).map(|at| at + 1);
    found.or((word == "zwo").then_some(2)).and_then(|value| i128::try_from(value).ok())
}

/// `dritte` is `3.`, spelled as the two tokens that it is read from.
fn ordinal(word: &str) -> Option<String> {
    let place = ["e", "en", "er", "es", "em"].iter().find_map(|end| {
        let stem = word.strip_suffix(end)?;
        ORDINALS.split_ascii_whitespace().position(|ordinal| ordinal == stem)
    })?;
    Some(format!("{} .", place + 1))
}
