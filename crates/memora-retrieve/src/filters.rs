//! Notes and dates that a hit must have, answered from a segment's columns.

use std::collections::HashSet;

use tantivy::columnar::Column;
use tantivy::{DocId, SegmentReader};

use crate::index::{day, unpack_days};
use crate::lexical::{Filter, LexicalError};

/// First and last day, counted.
type Days = (u32, u32);

/// Stretches of days in two columns: of the places, and those that words name.
struct Dated {
    placed: Column<u64>,
    named: Option<Column<u64>>,
    ranges: Vec<Days>,
}

/// A filter as a segment's columns can answer it.
pub(crate) struct Filters<'f> {
    notes: Option<(Column<u64>, &'f HashSet<u64>)>,
    dated: Vec<Dated>,
}

impl<'f> Filters<'f> {
    pub(crate) fn open(segment: &SegmentReader, filter: &'f Filter) -> Result<Self, LexicalError> {
        let column = |name| segment.fast_fields().u64(name);
        let notes = match &filter.notes {
            Some(notes) => Some((column("note")?, notes)),
            None => None,
        };
        let asked =
            filter.dates.iter().map(|ranges| ranges.iter().map(|range| (day(range.from), day(range.until))).collect());
        let within = filter.within.iter().map(|within| vec![(day(within.from()), day(within.until()))]);
        let mut dated = Vec::new();
        for ranges in asked.chain(within) {
            let named = if filter.placed { None } else { Some(column("named")?) };
            dated.push(Dated { placed: column("days")?, named, ranges });
        }
        Ok(Self { notes, dated })
    }

    pub(crate) fn pass(&self, doc: DocId) -> bool {
        let in_notes = |(column, notes): &(Column<u64>, &HashSet<u64>)| {
            column.values_for_doc(doc).any(|note| notes.contains(&note))
        };
        self.notes.as_ref().is_none_or(in_notes) && self.dated.iter().all(|dated| dated.has(doc))
    }
}

impl Dated {
    fn has(&self, doc: DocId) -> bool {
        let any = |column: &Column<u64>, fits: &dyn Fn(Days, Days) -> bool| {
            column.values_for_doc(doc).any(|value| {
                let days = unpack_days(value);
                self.ranges.iter().any(|range| fits(days, *range))
            })
        };
        let mostly = |(from, until): Days, (first, last): Days| {
            let shared = (until.min(last) + 1).saturating_sub(from.max(first));
            u64::from(shared) * 2 > u64::from(until - from) + 1
        };
        let wholly = |(from, until): Days, (first, last): Days| first <= from && until <= last;
        any(&self.placed, &mostly) || self.named.as_ref().is_some_and(|column| any(column, &wholly))
    }
}
