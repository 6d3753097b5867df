//! `timeline VAULTS ROWS`: whether `entity NAME --timeline` shows every dated statement about a name, in order, and none of
//! others'; rows as in `tests/exam/timeline`.

use std::path::Path;

use anyhow::{Context as _, Result};
use memora_engine::LocalDoor;
use memora_engine::report::{ClaimDays, Freshness, WireClaim};
use serde::{Deserialize, Serialize};

use crate::by_reference::{by_repo, folder_of};
use crate::opened::{Opened, Ways};
use crate::{rows, share};

/// As many statements as a timeline may have.
const LIMIT: usize = 500;

#[derive(Deserialize)]
struct Row {
    repo: String,
    name: String,
    statements: Vec<Dated>,
    #[serde(default)]
    others: Vec<Spot>,
    #[serde(default)]
    either: Vec<Spot>,
}

#[derive(Deserialize)]
struct Dated {
    #[serde(flatten)]
    spot: Spot,
    date: String,
    #[serde(default)]
    also: Vec<String>,
}

#[derive(Deserialize)]
struct Spot {
    path: String,
    start: usize,
    end: usize,
}

impl Spot {
    fn holds(&self, claim: &WireClaim<LocalDoor>) -> bool {
        claim.place().is_some_and(|place| {
            let (start, end) = (place.start.unwrap_or_default(), place.end.unwrap_or_default());
            place.path == self.path && start < self.end && self.start < end
        })
    }
}

/// A claim of a timeline, with the days of its place.
type Shown = (WireClaim<LocalDoor>, Option<ClaimDays>);

/// How it went.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Figures {
    names: usize,
    /// Dated statements about them.
    wanted: usize,
    /// Of them, shown.
    shown: usize,
    /// Of those, with a date that is right.
    dated_right: usize,
    /// Places shown.
    places: usize,
    /// Of them, of others.
    of_others: usize,
    /// Of them, neither marked as about the name nor as either.
    unmarked: usize,
    /// Timelines that are not in order of time.
    out_of_order: usize,
    share_shown: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failures: Vec<String>,
}

pub(crate) fn measure(vaults: &Path, labels: &Path, failures: bool) -> Result<Figures> {
    let mut figures = Figures::default();
    for (repo, rows) in by_repo(rows::<Row>(labels)?, |row| &row.repo) {
        let folder = folder_of(vaults, &repo);
        let opened = Opened::new(&folder, &Ways::default()).with_context(|| format!("cannot open {repo}"))?;
        let session = opened.memora.session(LocalDoor)?;
        for row in &rows {
            let fresh = Freshness { fresh: true, pending: 0 };
            let report = session.entity_reports().report_entity(&row.name, LIMIT, true, true, fresh)?;
            let shown: Vec<Shown> = report.timeline.into_iter().zip(report.timeline_days).collect();
            figures.count(row, &shown);
            if failures {
                figures.tell(row, &shown);
            }
        }
    }
    figures.share_shown = share(figures.shown, figures.wanted);
    Ok(figures)
}

impl Figures {
    fn count(&mut self, row: &Row, shown: &[Shown]) {
        self.names += 1;
        self.wanted += row.statements.len();
        for wanted in &row.statements {
            let mut here = shown.iter().filter(|(claim, _)| wanted.spot.holds(claim)).peekable();
            self.shown += usize::from(here.peek().is_some());
            let right = |(claim, days): &Shown| {
                let dates = || std::iter::once(&wanted.date).chain(&wanted.also);
                let placed = days.as_ref().map(|days| days.from.as_str());
                let said = [claim.valid_from(), claim.valid_until(), placed];
                said.into_iter().flatten().any(|day| dates().any(|date| agree(day, date)))
            };
            self.dated_right += usize::from(here.any(right));
        }
        self.places += shown.len();
        let of_other = |(claim, _): &&Shown| row.others.iter().any(|spot| spot.holds(claim));
        let marked = |(claim, _): &&Shown| {
            row.statements.iter().map(|wanted| &wanted.spot).chain(&row.either).any(|spot| spot.holds(claim))
        };
        self.of_others += shown.iter().filter(of_other).count();
        self.unmarked += shown.iter().filter(|one| !marked(one) && !of_other(one)).count();
        let day = |(claim, days): &'_ Shown| {
            let said = claim.valid_from().or(claim.valid_until()).map(str::to_owned);
            said.or_else(|| days.as_ref().map(|days| days.from.clone()))
        };
        let days: Vec<String> = shown.iter().filter_map(day).collect();
        self.out_of_order += usize::from(!days.is_sorted());
    }

    fn tell(&mut self, row: &Row, shown: &[Shown]) {
        for wanted in &row.statements {
            if !shown.iter().any(|(claim, _)| wanted.spot.holds(claim)) {
                let Spot { path, start, end } = &wanted.spot;
                self.failures.push(format!("missed {} {path}:{start}..{end} {}", row.name, wanted.date));
            }
        }
        for (claim, _) in shown {
            let place = claim.place().map(|place| (place.path.as_str(), place.start.unwrap_or_default()));
            if row.others.iter().any(|spot| spot.holds(claim)) {
                self.failures.push(format!("of another {} {place:?}", row.name));
            }
        }
    }
}

/// Whether a day and a date of a row name the same time: one may say less, as `2024-06` of `2024-06-17`, or a week.
fn agree(day: &str, date: &str) -> bool {
    match date.split_once("-W") {
        Some((year, week)) => week_of(day).is_some_and(|of| of == (year.to_owned(), week.to_owned())),
        None => day.starts_with(date) || date.starts_with(day),
    }
}

/// The ISO year and week of a day, with two digits.
fn week_of(day: &str) -> Option<(String, String)> {
    let day: jiff::civil::Date = day.parse().ok()?;
    let week = day.iso_week_date();
    Some((week.year().to_string(), format!("{:02}", week.week())))
}
