//! The sources of a statement: which to try first, and what they say of its time.

use memora_claim::time::{DateContext, Period, find_period};
use memora_claim::{Claim, Phase, Validity};
use memora_store::{NoteRecord, StoredSource, StoredStatement};
use memora_vault::{Band, PartialDate};

/// The place of a statement to try first.
pub(crate) fn clearest_source(statement: &StoredStatement) -> Option<&StoredSource> {
    statement.sources.iter().min_by_key(|source| source_rank(source))
}

/// The sort key of a place: own words before captured text, then the most public band.
pub(crate) fn source_rank(source: &StoredSource) -> (bool, Band) {
    (source.note.captured, source.row.band)
}

/// The places of a statement in the user's own words; all its places where there is only captured text.
pub(crate) fn own_sources(statement: &StoredStatement) -> impl Iterator<Item = &StoredSource> {
    let owned = statement.sources.iter().any(|source| !source.note.captured);
    statement.sources.iter().filter(move |source| !(owned && source.note.captured))
}

/// The validity of a claim, as read at one of its places.
pub(crate) fn claim_validity(claim: &Claim, statement: &StoredStatement, source: &StoredSource) -> Validity {
    // "Yesterday" counts from the day on which the place was written.
    let anchor = if claim.holds.is_unspecified() { None } else { anchor_date(source) };
    let holds = claim.holds.resolve(anchor);
    // Where the words name no time, the daily note does: it dates the beginning, or the end that they report.
    let dates = own_sources(statement).filter_map(|s| daily_date(&s.note));
    let day = dates.min().filter(|_| claim.holds.is_unspecified());
    let ended = claim.phase == Phase::Ended;
    Validity { from: holds.from.or(day.filter(|_| !ended)), until: holds.until.or(day.filter(|_| ended)) }
}

/// The date of a daily note, from which on its lines hold; the `created` date of a project does not count.
pub(crate) fn daily_date(note: &NoteRecord) -> Option<PartialDate> {
    let dated_by_name = PartialDate::parse(note.title.get(..10).unwrap_or(&note.title));
    note.date.filter(|date| Some(*date) == dated_by_name)
}

/// Returns the days of a place: by its own note alone, and read as the number of a week.
pub(crate) fn candidate_periods(source: &StoredSource) -> (Option<Period>, Option<Period>) {
    let of = |weekly: bool| {
        find_period(&DateContext {
            path: source.row.note.as_str(),
            outline: &source.note.outline,
            headings: &source.row.headings,
            date: source.note.date,
            weekly,
        })
    };
    let as_month = of(false);
    // Only a name like `2024-06` is ambiguous.
    let may_be_week = source.row.note.stem().bytes().take_while(u8::is_ascii_digit).count() == 4;
    (as_month, if may_be_week { of(true) } else { as_month })
}

/// Returns the day on which a place was written, if known: "yesterday" is relative to it.
pub(crate) fn written_day(source: &StoredSource) -> Option<PartialDate> {
    day_or_date(candidate_periods(source).0, source)
}

/// Returns the date from which times in the words of a place count: the nearest date heading's or the name's, as far as they say
/// it, otherwise the note's.
pub(crate) fn anchor_date(source: &StoredSource) -> Option<PartialDate> {
    let days = candidate_periods(source).0;
    let is_within = |date: &PartialDate| {
        let (first, last) = date.first_and_last_day();
        days.is_none_or(|days| days.from() <= last && first <= days.until())
    };
    let day = days.filter(|days| days.is_day()).map(Period::from);
    day.or(source.note.date.filter(is_within)).or_else(|| days.and_then(whole_date)).or(source.note.date)
}

/// The month or the year that a period is.
fn whole_date(days: Period) -> Option<PartialDate> {
    let (from, month) = (days.from(), days.from().month()?);
    let wholes = [PartialDate::from_year_month(from.year(), month), PartialDate::from_year(from.year())];
    wholes.into_iter().flatten().find(|whole| whole.first_and_last_day() == (from, days.until()))
}

/// The day on which a place was written: that of its own note's days, if it is one, otherwise the note's date.
pub(crate) fn day_or_date(days: Option<Period>, source: &StoredSource) -> Option<PartialDate> {
    days.filter(|period| period.is_day()).map(Period::from).or(source.note.date)
}
