//! Notes and dates that a hit must have, answered from a segment's columns.

use std::collections::HashSet;

use tantivy::columnar::Column;
use tantivy::{DocId, SegmentReader};

use crate::index::day;
use crate::lexical::{Filter, LexicalError};

/// First and last day.
type Days = (u32, u32);

/// A filter as a segment's columns can answer it.
pub(crate) struct Filters<'f> {
    notes: Option<(Column<u64>, &'f HashSet<u64>)>,
    days: Option<(Column<u64>, Vec<Days>)>,
}

impl<'f> Filters<'f> {
    pub(crate) fn open(segment: &SegmentReader, filter: &'f Filter) -> Result<Self, LexicalError> {
        let column = |name| segment.fast_fields().u64(name);
        let notes = match &filter.notes {
            Some(notes) => Some((column("note")?, notes)),
            None => None,
        };
        let days = match &filter.dates {
            Some(ranges) => {
                Some((column("days")?, ranges.iter().map(|range| (day(range.from), day(range.until))).collect()))
            }
            None => None,
        };
        Ok(Self { notes, days })
    }

    pub(crate) fn pass(&self, doc: DocId) -> bool {
        let in_notes = |(column, notes): &(Column<u64>, &HashSet<u64>)| {
            column.values_for_doc(doc).any(|note| notes.contains(&note))
        };
        let in_days = |(column, ranges): &(Column<u64>, Vec<Days>)| {
            column.values_for_doc(doc).any(|value| {
                let (from, until) = (value >> 32, value & u64::from(u32::MAX));
                ranges.iter().any(|&(first, last)| u64::from(first) <= from && until <= u64::from(last))
            })
        };
        self.notes.as_ref().is_none_or(in_notes) && self.days.as_ref().is_none_or(in_days)
    }
}
