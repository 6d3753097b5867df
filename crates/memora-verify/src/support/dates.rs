//! Dates among the tokens of a text: `12 March 2024`, `2024-03-12`, `the 22nd`.

use super::lexicon::MONTHS;
use super::tokens::{Date, Kind, Number, Token};

/// Joins the parts of dates.
pub(super) fn dates(tokens: Vec<Token>) -> Vec<Token> {
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
        fits.then_some(Date { year: Some(year), month: Some(month), day: Some(day) })
    };
    match (parts.as_slice(), sign) {
        (&[year, month, day], '-' | '/' | '.') if year > 999 => date(year, month, day),
        (&[year, month], '-') if (1..=12).contains(&month) => {
            Some(Date { year: Some(year), month: Some(month), day: None })
        }
        (&[day, month, year], '.') => date(year, month, day),
        (&[a, b, year], '/') if a > 12 => date(year, b, a),
        (&[a, b, year], '/') if b > 12 => date(year, a, b),
        _ => None,
    }
}
