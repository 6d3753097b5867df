//! Dates among German words: `12.4.2024`, `3. Mai`, `Mai 2024`, `Mo`, `im Jahr 2019`.

use super::super::dates::{written_date, year};
use super::super::numbers::ONE;
use super::super::tokens::{Date, Number};
use super::tokens::{Kind, Token};

const MONTHS: [&str; 12] = [
    "januar",
    "februar",
    "märz",
    "april",
    "mai",
    "juni",
    "juli",
    "august",
    "september",
    "oktober",
    "november",
    "dezember",
];

const DAYS: [&str; 7] = ["montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag"];

/// Joins the parts of dates.
pub(super) fn dates(tokens: Vec<Token>) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut rest = tokens.as_slice();
    let mut goes_on = false;
    while let [token, ..] = rest {
        let (kind, length) = date_at(rest, found.last()).unwrap_or((token.kind, 1));
        let parts = rest.get(..length).unwrap_or_default();
        let join = |part: fn(&Token) -> &str| parts.iter().map(part).collect::<Vec<_>>().join(" ");
        if matches!(kind, Kind::Date(Date { month: None, .. })) {
            found.pop_if(|t| matches!(t.lower.as_str(), "jahr" | "jahre"));
        }
        if length > 1 || kind != token.kind {
            let (raw, lower) = (join(|t| &t.raw), join(|t| &t.lower));
            found.push(Token { raw, lower, kind, initial: token.initial });
        } else {
            found.push(Token { initial: token.initial && !goes_on, ..token.clone() });
        }
        // The full stop of `3.` ends no sentence.
        goes_on = length > 1;
        rest = rest.get(length..).unwrap_or_default();
    }
    found
}

/// What date stands at the beginning, and in how many tokens.
fn date_at(tokens: &[Token], before: Option<&Token>) -> Option<(Kind, usize)> {
    let token = tokens.first()?;
    let follows = |at: usize, mark: char| tokens.get(at).is_some_and(|t| t.is_mark(mark));
    if let Some(date) = written(&token.raw) {
        return Some((Kind::Date(date), 1));
    }
    if let Some(day) = weekday(token, tokens.get(1)) {
        let short = token.lower.chars().count() < 4 && follows(1, '.');
        return Some((Kind::Weekday(day), 1 + usize::from(short)));
    }
    // `am ersten Mai`
    let ordinal = token.lower.strip_suffix(" .").and_then(|day| day.parse().ok()).filter(|_| token.kind == Kind::Word);
    if let Some((day, (month, length))) = ordinal.zip(month_at(tokens.get(1..).unwrap_or_default(), true)) {
        let (year, more) = year_behind(tokens, 1 + length);
        return Some((
            Kind::Date(Date { year, month: Some(month), day: Some(day), ..Date::default() }),
            1 + length + more,
        ));
    }
    // `3. Mai 2024`, `3. 5. 2024`, `12.4.`
    if let Some(day) = day_of(token).filter(|_| follows(1, '.')) {
        if let Some((month, length)) = month_at(tokens.get(2..).unwrap_or_default(), true) {
            let (year, more) = year_behind(tokens, 2 + length);
            return Some((
                Kind::Date(Date { year, month: Some(month), day: Some(day), ..Date::default() }),
                2 + length + more,
            ));
        }
        // `die 3. Etage`; `im Raum 3. Danach` cannot be told from it, and is read so in both texts.
        if tokens.get(2).is_some_and(|t| t.kind == Kind::Noun) && before.is_some() {
            return Some((Kind::Word, 2));
        }
    }
    if let Some((day, month)) = short_date(&token.raw).filter(|_| follows(1, '.') || before.is_some_and(leads_to_day)) {
        let dot = usize::from(follows(1, '.'));
        let (year, more) = year_behind(tokens, 1 + dot);
        return Some((
            Kind::Date(Date { year, month: Some(month), day: Some(day), ..Date::default() }),
            1 + dot + more,
        ));
    }
    if let Some((month, length)) = month_at(tokens, false) {
        let (year, more) = year_behind(tokens, length);
        return Some((Kind::Date(Date { year, month: Some(month), ..Date::default() }), length + more));
    }
    year_of(token).map(|year| (Kind::Date(Date { year: Some(year), ..Date::default() }), 1))
}

/// The month at the beginning; a short name only beside a day.
fn month_at(tokens: &[Token], beside: bool) -> Option<(u32, usize)> {
    let token = tokens.first().filter(|t| t.kind == Kind::Noun)?;
    let word = match token.lower.as_str() {
        "jänner" => "januar",
        "feber" => "februar",
        "maerz" => "märz",
        other => other,
    };
    let whole = MONTHS.iter().position(|month| *month == word);
    let is_short = beside && (word.chars().count() == 3 || word == "sept");
    let index = whole.or_else(|| MONTHS.iter().position(|month| is_short && month.starts_with(word)))?;
    let dot = whole.is_none() && tokens.get(1).is_some_and(|t| t.is_mark('.'));
    Some((u32::try_from(index + 1).ok()?, 1 + usize::from(dot)))
}

fn year_behind(tokens: &[Token], at: usize) -> (Option<u32>, usize) {
    let year = tokens.get(at).and_then(year_of);
    (year, usize::from(year.is_some()))
}

fn year_of(token: &Token) -> Option<u32> {
    let is_bare = matches!(token.kind, Kind::Number(Number { unit: None, .. }));
    year(&token.raw).filter(|_| is_bare)
}

fn day_of(token: &Token) -> Option<u32> {
    let Kind::Number(Number { value, unit: None }) = token.kind else { return None };
    let is_digits = token.raw.bytes().all(|b| b.is_ascii_digit());
    u32::try_from(value / ONE).ok().filter(|day| is_digits && (1..=31).contains(day))
}

/// `12.4.2024`, `12.04.24`, `2024-04-12`.
fn written(raw: &str) -> Option<Date> {
    let parts: Vec<&str> = raw.split('.').collect();
    match parts.as_slice() {
        [day, month, year] if year.len() == 2 => written_date(&format!("{day}.{month}.20{year}")),
        _ => written_date(raw),
    }
}

/// The day and the month of `12.4`.
fn short_date(raw: &str) -> Option<(u32, u32)> {
    let (day, month) = raw.split_once('.')?;
    let (day, month): (u32, u32) = (day.parse().ok()?, month.parse().ok()?);
    ((1..=31).contains(&day) && (1..=12).contains(&month)).then_some((day, month))
}

fn leads_to_day(token: &Token) -> bool {
    matches!(token.lower.as_str(), "am" | "vom" | "zum" | "bis" | "ab" | "seit" | "den" | "dem")
        || matches!(token.kind, Kind::Weekday(_))
}

fn weekday(token: &Token, next: Option<&Token>) -> Option<usize> {
    if token.kind != Kind::Noun {
        return None;
    }
    let word = if token.lower == "sonnabend" { "samstag" } else { token.lower.as_str() };
    let short = || {
        let marked = next
            .is_some_and(|t| matches!(t.kind, Kind::Mark('.' | ',')) || t.kind != Kind::Word && t.kind != Kind::Noun);
        let is_short = marked && word.chars().count() == 2;
        DAYS.iter().position(|day| is_short && day.starts_with(word))
    };
    DAYS.iter().position(|day| *day == word).or_else(short)
}
