//! From the times in a text to when its statement holds.

use std::ops::Range;

use memora_vault::PartialDate;

use super::{Role, Time, When, times};
use crate::Validity;

/// When the statement in these words holds: its start and its end, as far as the words say.
///
/// See [`validity_of`] for the rules; the whole text counts as one clause.
#[must_use]
pub fn validity(text: &str) -> (Option<When>, Option<When>) {
    validity_of(&times(text), 0..text.len())
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
pub fn validity_of(times: &[Time], within: Range<usize>) -> (Option<When>, Option<When>) {
    let inside =
        |time: &&Time| within.start <= time.words.start && time.words.end <= within.end && time.role != Role::Mentioned;
    let first = |role: Role| times.iter().filter(inside).find(|time| time.role == role).map(|time| time.when);
    let from = first(Role::Since).or_else(|| first(Role::At));
    let until = first(Role::Until);
    if from.is_some() || until.is_some() {
        return (from, until);
    }
    match (first(Role::After), first(Role::Before)) {
        (None, None) => (times.iter().any(|time| inside(&time)).then_some(When::UNKNOWN), None),
        found => found,
    }
}

/// What [`validity`] found, for a note written at `anchor`: from the first of the start until the last of the end.
///
/// What cannot be resolved stays unknown, and so do both ends where the end would come before the start.
#[must_use]
pub fn resolved((from, until): (Option<When>, Option<When>), anchor: Option<PartialDate>) -> Validity {
    let from = from.and_then(|when| when.resolve(anchor)).map(|(first, _)| first);
    let until = until.and_then(|when| when.resolve(anchor)).map(|(_, last)| last);
    match (from, until) {
        (Some(first), Some(last)) if last.bounds().1 < first.bounds().0 => Validity::default(),
        _ => Validity { from, until },
    }
}
