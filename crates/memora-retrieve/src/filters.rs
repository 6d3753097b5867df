//! Filters by note and date, evaluated on a segment's columns.

use std::collections::HashSet;

use tantivy::columnar::Column;
use tantivy::{DocId, SegmentReader};

use crate::document::{day_number, unpack_days};
use crate::lexical::{LexicalError, SearchFilter};

/// First and last day, as day numbers.
type DayRange = (u32, u32);

/// A date filter over two columns: days of the places, and days that the words name.
struct DateFilter {
    placed: Column<u64>,
    named: Option<Column<u64>>,
    ranges: Vec<DayRange>,
}

/// A filter bound to a segment's columns.
pub(crate) struct SegmentFilter<'f> {
    notes: Option<(Column<u64>, &'f HashSet<u64>)>,
    dated: Vec<DateFilter>,
}

impl<'f> SegmentFilter<'f> {
    pub(crate) fn open(segment: &SegmentReader, filter: &'f SearchFilter) -> Result<Self, LexicalError> {
        let column = |name| segment.fast_fields().u64(name);
        let notes = match &filter.notes {
            Some(notes) => Some((column("note")?, &**notes)),
            None => None,
        };
        let asked = filter
            .dates
            .iter()
            .map(|ranges| ranges.iter().map(|range| (day_number(range.from), day_number(range.until))).collect());
        let within = filter.within.iter().map(|within| vec![(day_number(within.from()), day_number(within.until()))]);
        let mut dated = Vec::new();
        for ranges in asked.chain(within) {
            let named = if filter.placed { None } else { Some(column("named")?) };
            dated.push(DateFilter { placed: column("days")?, named, ranges });
        }
        Ok(Self { notes, dated })
    }

    pub(crate) fn matches_doc(&self, doc: DocId) -> bool {
        let in_notes = |(column, notes): &(Column<u64>, &HashSet<u64>)| {
            column.values_for_doc(doc).any(|note| notes.contains(&note))
        };
        self.notes.as_ref().is_none_or(in_notes) && self.dated.iter().all(|dated| dated.matches_dates(doc))
    }
}

impl DateFilter {
    fn matches_dates(&self, doc: DocId) -> bool {
        let any = |column: &Column<u64>, fits: &dyn Fn(DayRange, DayRange) -> bool| {
            column.values_for_doc(doc).any(|value| {
                let days = unpack_days(value);
                self.ranges.iter().any(|range| fits(days, *range))
            })
        };
        let mostly = |(from, until): DayRange, (first, last): DayRange| {
            let shared = (until.min(last) + 1).saturating_sub(from.max(first));
            u64::from(shared) * 2 > u64::from(until - from) + 1
        };
        let wholly = |(from, until): DayRange, (first, last): DayRange| first <= from && until <= last;
        any(&self.placed, &mostly) || self.named.as_ref().is_some_and(|column| any(column, &wholly))
    }
}
