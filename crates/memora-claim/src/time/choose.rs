//! From the times in a text to when its statement holds.

use std::ops::Range;

use memora_vault::PartialDate;

use super::{TimeRole, TimeMention, TimeExpr, find_times};
use crate::Validity;

/// When the statement in these words holds: its start and its end, as far as the words say.
///
/// See [`validity_of`] for the rules; the whole text counts as one clause.
#[must_use]
pub fn find_validity(text: &str) -> (Option<TimeExpr>, Option<TimeExpr>) {
    find_clause_validity(&find_times(text), 0..text.len())
}

/// When the clause at `within` (bytes of the text that `times` were read from) holds.
///
/// 1. Counted are the times whose words lie in the clause and that are not only [mentioned](Role::Mentioned).
/// 2. The first `since`, else the first plain time (`At`: the date of an event, or of a state that was seen then),
///    gives the start.
/// 3. The first `until` gives the end.
/// 4. Without these, what is so before a time holds until it, and what is so after a time from it.
/// 5. Words that name a time and still say neither (`by Friday`) give [`When::UNKNOWN`], which resolves to nothing: so
///    that nobody takes the day the note was written for it.
#[must_use]
pub fn find_clause_validity(times: &[TimeMention], within: Range<usize>) -> (Option<TimeExpr>, Option<TimeExpr>) {
    let inside =
        |time: &&TimeMention| within.start <= time.words.start && time.words.end <= within.end && time.role != TimeRole::Mentioned;
    let first = |role: TimeRole| times.iter().filter(inside).find(|time| time.role == role).map(|time| time.when);
    let from = first(TimeRole::Since).or_else(|| first(TimeRole::At));
    let until = first(TimeRole::Until);
    if from.is_some() || until.is_some() {
        return (from, until);
    }
    match (first(TimeRole::After), first(TimeRole::Before)) {
        (None, None) => (times.iter().any(|time| inside(&time)).then_some(TimeExpr::UNKNOWN), None),
        found => found,
    }
}

/// What [`validity`] found, for a note written at `anchor`: from the first of the start until the last of the end.
///
/// What cannot be resolved stays unknown, and so do both ends where the end would come before the start.
#[must_use]
pub fn resolve_validity((from, until): (Option<TimeExpr>, Option<TimeExpr>), anchor: Option<PartialDate>) -> Validity {
    let from = from.and_then(|when| when.resolve(anchor)).map(|(first, _)| first);
    let until = until.and_then(|when| when.resolve(anchor)).map(|(_, last)| last);
    match (from, until) {
        (Some(first), Some(last)) if last.first_and_last_day().1 < first.first_and_last_day().0 => Validity::default(),
        _ => Validity { from, until },
    }
}
