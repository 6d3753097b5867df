//! A sentence's days in the terms of the notes: the Tuesday of a note that has the 13th, the months of its third quarter.

use super::super::dates::{Part, weekday};
use super::super::ground::Ground;
use super::super::tokens::{Date, Kind, Token};

/// The words of a sentence, each weekday that the notes don't name as the date that it has to be, and three months as the
/// quarter that they name.
pub(in super::super) fn in_their_days(mut words: Vec<Token>, grounds: &[&Ground]) -> Vec<Token> {
    quarters(&mut words, grounds);
    for at in (0..words.len()).rev() {
        let Some(day) = words.get(at).filter(|t| t.kind == Kind::Name).and_then(|t| weekday(&t.lower)) else {
            continue;
        };
        let comma = usize::from(words.get(at + 1).is_some_and(|t| t.kind == Kind::Mark(',')));
        let date =
            words.get(at + 1 + comma).and_then(|t| if let Kind::Date(date) = t.kind { Some(date) } else { None });
        let is_named = grounds.iter().any(|ground| ground.names(&words[at]));
        if let Some(date) = date.filter(|date| date.day.is_some()) {
            let whole = Date { weekday: Some(day), ..date };
            if !is_named || says(grounds, whole) {
                let raws: Vec<String> = words.drain(at..=at + comma).map(|t| t.raw).collect();
                if let Some(token) = words.get_mut(at) {
                    token.raw = format!("{} {}", raws.join(" "), token.raw);
                    token.kind = Kind::Date(whole);
                }
            }
        } else if !is_named {
            let whole = Date { weekday: Some(day), ..Date::default() };
            if says(grounds, whole)
                && let Some(token) = words.get_mut(at)
            {
                token.kind = Kind::Date(whole);
            }
        }
    }
    words
}

fn says(grounds: &[&Ground], date: Date) -> bool {
    grounds.iter().any(|ground| ground.all().any(|t| matches!(t.kind, Kind::Date(other) if date.is_said_by(other))))
}

/// `Between July and September 2025` as the third quarter, where the notes name it so.
fn quarters(words: &mut Vec<Token>, grounds: &[&Ground]) {
    let month = |token: &Token| match token.kind {
        Kind::Date(Date { year, month: Some(month), day: None, part: None, weekday: None }) => Some((year, month)),
        _ => None,
    };
    let mut at = 0;
    while at + 3 < words.len() {
        let found = match words.get(at..at + 4) {
            Some([lead, from, link, until]) => {
                let is_range = matches!(
                    (lead.lower.as_str(), link.lower.as_str()),
                    ("between", "and") | ("from", "to" | "until" | "through")
                );
                month(from).zip(month(until)).filter(|_| is_range)
            }
            _ => None,
        };
        if let Some(((from_year, from), (Some(year), until))) = found
            && from % 3 == 1
            && until == from + 2
            && from_year.is_none_or(|other| other == year)
            && let Ok(nth) = u8::try_from(from.div_ceil(3))
        {
            let date = Date { year: Some(year), part: Some(Part::Quarter(nth)), ..Date::default() };
            let is_theirs =
                |t: &Token| matches!(t.kind, Kind::Date(other) if other.part == date.part && date.is_said_by(other));
            if grounds.iter().any(|ground| ground.all().any(is_theirs)) {
                let raws: Vec<String> = words.drain(at + 1..at + 3).map(|t| t.raw).collect();
                if let Some(token) = words.get_mut(at + 1) {
                    token.raw = format!("{} {}", raws.join(" "), token.raw);
                    token.kind = Kind::Date(date);
                }
            }
        }
        at += 1;
    }
}
