//! `timeline VAULTS ROWS`: whether `entity NAME --timeline` shows every dated statement about a name, in order, and
//! none about other names; rows as in `tests/exam/timeline`.

use std::path::Path;

use anyhow::{Context as _, Result};
use memora_engine::report::{ClaimDays, Freshness, WireClaim};
use memora_engine::{Authors, EntityQuery, LocalDoor};
use serde::{Deserialize, Serialize};

use crate::indexed_vault::{IndexedVault, SearchSetup};
use crate::repo_rows::{group_by_repo, repo_folder};
use crate::{ratio, read_json_lines};

/// The maximum number of statements in a timeline.
const LIMIT: usize = 500;

#[derive(Deserialize)]
struct TimelineRow {
    repo: String,
    name: String,
    statements: Vec<DatedSpot>,
    #[serde(default)]
    others: Vec<TimelineSpot>,
    #[serde(default)]
    either: Vec<TimelineSpot>,
}

#[derive(Deserialize)]
struct DatedSpot {
    #[serde(flatten)]
    spot: TimelineSpot,
    date: String,
    #[serde(default)]
    also: Vec<String>,
}

#[derive(Deserialize)]
struct TimelineSpot {
    path: String,
    start: usize,
    end: usize,
}

impl TimelineSpot {
    fn overlaps_claim(&self, claim: &WireClaim<LocalDoor>) -> bool {
        claim.place().is_some_and(|place| {
            let (start, end) = (place.start.unwrap_or_default(), place.end.unwrap_or_default());
            place.path == self.path && start < self.end && self.start < end
        })
    }
}

/// A claim of a timeline, with the dates of its source.
type TimelineClaim = (WireClaim<LocalDoor>, Option<ClaimDays>);

/// Counts over all timelines.
#[derive(Debug, Default, Serialize)]
pub(crate) struct TimelineFigures {
    names: usize,
    /// Dated statements about the names.
    wanted: usize,
    /// Number of them that are shown.
    shown: usize,
    /// Number of those with a right date.
    dated_right: usize,
    /// Places shown.
    places: usize,
    /// Number of them that are about other names.
    of_others: usize,
    /// Number of them that are labelled neither as about the name nor as either.
    unmarked: usize,
    /// Timelines that are not in chronological order.
    out_of_order: usize,
    share_shown: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failures: Vec<String>,
}

pub(crate) fn measure(vaults: &Path, labels: &Path, failures: bool) -> Result<TimelineFigures> {
    let mut figures = TimelineFigures::default();
    for (repo, rows) in group_by_repo(read_json_lines::<TimelineRow>(labels)?, |row| &row.repo) {
        let folder = repo_folder(vaults, &repo);
        let opened =
            IndexedVault::new(&folder, &SearchSetup::default()).with_context(|| format!("cannot open {repo}"))?;
        let session = opened.memora.session(LocalDoor)?;
        for row in &rows {
            let fresh = Freshness { fresh: true, pending: 0 };
            let query = EntityQuery { name: &row.name, limit: LIMIT, timeline: true };
            let report = session.entity_reports(Authors::All).report_entity(&query, fresh)?;
            let shown: Vec<TimelineClaim> = report.timeline.into_iter().zip(report.timeline_days).collect();
            figures.count_timeline(row, &shown);
            if failures {
                figures.record_failures(row, &shown);
            }
        }
    }
    figures.share_shown = ratio(figures.shown, figures.wanted);
    Ok(figures)
}

impl TimelineFigures {
    fn count_timeline(&mut self, row: &TimelineRow, shown: &[TimelineClaim]) {
        self.names += 1;
        self.wanted += row.statements.len();
        for wanted in &row.statements {
            let mut here = shown.iter().filter(|(claim, _)| wanted.spot.overlaps_claim(claim)).peekable();
            self.shown += usize::from(here.peek().is_some());
            let right = |(claim, days): &TimelineClaim| {
                let dates = || std::iter::once(&wanted.date).chain(&wanted.also);
                let placed = days.as_ref().map(|days| days.from.as_str());
                let said = [claim.valid_from(), claim.valid_until(), placed];
                said.into_iter().flatten().any(|day| dates().any(|date| matches_date(day, date)))
            };
            self.dated_right += usize::from(here.any(right));
        }
        self.places += shown.len();
        let of_other = |(claim, _): &&TimelineClaim| row.others.iter().any(|spot| spot.overlaps_claim(claim));
        let marked = |(claim, _): &&TimelineClaim| {
            row.statements.iter().map(|wanted| &wanted.spot).chain(&row.either).any(|spot| spot.overlaps_claim(claim))
        };
        self.of_others += shown.iter().filter(of_other).count();
        self.unmarked += shown.iter().filter(|one| !marked(one) && !of_other(one)).count();
        let day = |(claim, days): &'_ TimelineClaim| {
            let said = claim.valid_from().or(claim.valid_until()).map(str::to_owned);
            said.or_else(|| days.as_ref().map(|days| days.from.clone()))
        };
        let days: Vec<String> = shown.iter().filter_map(day).collect();
        self.out_of_order += usize::from(!days.is_sorted());
    }

    fn record_failures(&mut self, row: &TimelineRow, shown: &[TimelineClaim]) {
        for wanted in &row.statements {
            if !shown.iter().any(|(claim, _)| wanted.spot.overlaps_claim(claim)) {
                let TimelineSpot { path, start, end } = &wanted.spot;
                self.failures.push(format!("missed {} {path}:{start}..{end} {}", row.name, wanted.date));
            }
        }
        for (claim, _) in shown {
            let place = claim.place().map(|place| (place.path.as_str(), place.start.unwrap_or_default()));
            if row.others.iter().any(|spot| spot.overlaps_claim(claim)) {
                self.failures.push(format!("of another {} {place:?}", row.name));
            }
        }
    }
}

/// Whether a day and a row's date name the same time; either may be less precise (`2024-06` for `2024-06-17`, a week).
fn matches_date(day: &str, date: &str) -> bool {
    match date.split_once("-W") {
        Some((year, week)) => iso_week(day).is_some_and(|of| of == (year.to_owned(), week.to_owned())),
        None => day.starts_with(date) || date.starts_with(day),
    }
}

/// Returns the ISO year and two-digit week of a day.
fn iso_week(day: &str) -> Option<(String, String)> {
    let day: jiff::civil::Date = day.parse().ok()?;
    let week = day.iso_week_date();
    Some((week.year().to_string(), format!("{:02}", week.week())))
}
