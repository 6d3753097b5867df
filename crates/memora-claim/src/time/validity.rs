//! Derives the validity of a statement from the times in its text.

use std::ops::Range;

use memora_vault::PartialDate;

use super::mention::{TimeMention, TimeRole};
use super::parser::find_times;
use super::time_expr::TimeExpr;

/// The validity of a claim as its words express it, possibly relative to the day on which the note was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ValidityExpr {
    /// Start of the validity, or time of the event.
    pub from: Option<TimeExpr>,
    /// End of the validity.
    pub until: Option<TimeExpr>,
}

impl ValidityExpr {
    /// Whether the words give no time at all, so that the note's date may be used instead.
    #[must_use]
    pub const fn is_unspecified(&self) -> bool {
        self.from.is_none() && self.until.is_none()
    }

    /// Prefers the future for ambiguous times, see [`TimeExpr::prefer_future`].
    #[must_use]
    pub fn prefer_future(self) -> Self {
        Self { from: self.from.map(TimeExpr::prefer_future), until: self.until.map(TimeExpr::prefer_future) }
    }

    /// Resolves both ends for a note written on this day.
    #[must_use]
    pub fn resolve(self, written: Option<PartialDate>) -> Validity {
        resolve_validity((self.from, self.until), written)
    }
}

/// The resolved validity of a claim; `None` means unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Validity {
    /// First day, month or year it holds.
    pub from: Option<PartialDate>,
    /// Last day, month or year it holds.
    pub until: Option<PartialDate>,
}

/// Returns the start and the end of a statement's validity, as far as its words say.
///
/// See [`find_clause_validity`] for the rules; the whole text counts as one clause.
#[must_use]
pub fn find_validity(text: &str) -> (Option<TimeExpr>, Option<TimeExpr>) {
    find_clause_validity(&find_times(text), 0..text.len())
}

/// Returns the validity of the clause at `within` (bytes of the text that `times` were read from).
///
/// 1. Only times within the clause count, except those that are merely [mentioned](TimeRole::Mentioned).
/// 2. The first `since`, otherwise the first plain time (`At`: the date of an event or of an observed state),
///    gives the start.
/// 3. The first `until` gives the end.
/// 4. Without these, `before` a time gives the end and `after` a time the start.
/// 5. Words that name a time but give neither (`by Friday`) yield [`TimeExpr::UNKNOWN`], which never resolves: so
///    the note's date is not used instead.
#[must_use]
pub fn find_clause_validity(times: &[TimeMention], within: Range<usize>) -> (Option<TimeExpr>, Option<TimeExpr>) {
    let inside = |time: &&TimeMention| {
        within.start <= time.words.start && time.words.end <= within.end && time.role != TimeRole::Mentioned
    };
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

/// Resolves the result of [`find_validity`] for a note written at `anchor`: from the first start to the last end.
///
/// Unresolvable ends stay unknown; so do both ends if the end would precede the start.
#[must_use]
pub fn resolve_validity((from, until): (Option<TimeExpr>, Option<TimeExpr>), anchor: Option<PartialDate>) -> Validity {
    let from = from.and_then(|when| when.resolve(anchor)).map(|(first, _)| first);
    let until = until.and_then(|when| when.resolve(anchor)).map(|(_, last)| last);
    match (from, until) {
        (Some(first), Some(last)) if last.first_and_last_day().1 < first.first_and_last_day().0 => Validity::default(),
        _ => Validity { from, until },
    }
}
