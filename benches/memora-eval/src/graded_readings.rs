//! `claims ROWS.jsonl --vaults FOLDER`: manually graded claims of public vaults, as in `tests/exam/readings`.
//!
//! Counts the graded claims that are extracted and listed today, by grade, and the share of statements labelled as
//! wanting a claim that have one. A graded claim that is extracted differently today is not counted as read.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result};
use memora_claim::{Claim, Statement, split_statements};
use memora_extract::{ClaimExtractor, worth};
use memora_vault::{Note, NotePath, PathContext};
use serde::{Deserialize, Serialize};

use crate::repo_rows::repo_folder;
use crate::{ratio, read_json_lines};

#[derive(Deserialize)]
struct ReadingRow {
    repo: String,
    path: String,
    start: usize,
    end: usize,
    claim: Option<String>,
    label: Option<ReadingGrade>,
    wanted: Option<bool>,
}

/// The grade that a reader gave to a claim.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "snake_case")]
enum ReadingGrade {
    Right,
    Vague,
    Wrong,
    Junk,
}

/// Counts and shares, for one vault or for all.
#[derive(Debug, Default, Serialize)]
pub(crate) struct ReadingFigures {
    /// Graded claims.
    graded: usize,
    /// Number of them that are still extracted as they were graded.
    read: usize,
    /// Number of those that are listed as claims, by grade.
    claimed: BTreeMap<ReadingGrade, usize>,
    /// The share of listed claims that is right.
    right: f64,
    /// The share of listed claims that is wrong.
    wrong: f64,
    /// The share of listed claims that is junk.
    junk: f64,
    /// Statements that should have a claim.
    wanted: usize,
    /// The share of them that has a listed claim.
    found: f64,
    /// Statements that should have no claim.
    unwanted: usize,
    /// The share of them that has a listed claim all the same.
    unwanted_claimed: f64,
    #[serde(skip)]
    counts: [usize; 2],
}

/// The figures of all vaults together and of each vault.
#[derive(Debug, Default, Serialize)]
pub(crate) struct ReadingReport {
    all: ReadingFigures,
    by_vault: BTreeMap<String, ReadingFigures>,
}

pub(crate) fn measure(labels: &Path, vaults: &Path) -> Result<ReadingReport> {
    let mut report = ReadingReport::default();
    for row in read_json_lines::<ReadingRow>(labels)? {
        let read = find_statement(&row, vaults)?;
        for figures in [report.by_vault.entry(row.repo.clone()).or_default(), &mut report.all] {
            count_row(&row, read.as_ref(), figures);
        }
    }
    for figures in report.by_vault.values_mut().chain([&mut report.all]) {
        figures.compute_shares();
    }
    Ok(report)
}

/// Returns the features of each graded claim by name, one JSON line each, for `training/worth.py`.
pub(crate) fn export_traits(labels: &Path, vaults: &Path) -> Result<String> {
    let mut out = String::new();
    for row in read_json_lines::<ReadingRow>(labels)? {
        let (Some((statement, read)), Some(label)) = (find_statement(&row, vaults)?, row.label) else { continue };
        let Some(claim) = read.iter().find(|claim| Some(claim.id.to_string()) == row.claim) else { continue };
        let values: BTreeMap<&str, f32> = worth::compute_features(&statement, claim).into_iter().collect();
        let line = serde_json::json!({
            "repo": row.repo, "label": label, "wanted": row.wanted,
            "extractor": claim.extractor.as_str(), "traits": values,
        });
        out.push_str(&line.to_string());
        out.push('\n');
    }
    Ok(out)
}

/// Finds the statement of a row, with its candidate claims.
fn find_statement(row: &ReadingRow, vaults: &Path) -> Result<Option<(Statement, Vec<Claim>)>> {
    let file = repo_folder(vaults, &row.repo).join(&row.path);
    let text = std::fs::read_to_string(&file).with_context(|| format!("reads {}", file.display()))?;
    let (note, _) = Note::parse(NotePath::new(row.path.clone()).context("a path")?, text, PathContext::default());
    let here = |statement: &Statement| statement.span.start() == row.start && statement.span.end() == row.end;
    let statement = split_statements(&note).into_iter().find(here);
    Ok(statement.map(|statement| {
        let read = ClaimExtractor::default().extract_candidates(&note, &statement);
        (statement, read)
    }))
}

fn count_row(row: &ReadingRow, found: Option<&(Statement, Vec<Claim>)>, figures: &mut ReadingFigures) {
    let read = found.map(|(_, read)| read.as_slice()).unwrap_or_default();
    if let Some(label) = row.label {
        figures.graded += 1;
        let graded = read.iter().find(|claim| Some(claim.id.to_string()) == row.claim);
        figures.read += usize::from(graded.is_some());
        if graded.is_some_and(|claim| claim.listed) {
            *figures.claimed.entry(label).or_default() += 1;
        }
    }
    if let Some(wanted) = row.wanted {
        let has = read.iter().any(|claim| claim.listed);
        let [found, other] = &mut figures.counts;
        let (count, held) = if wanted { (&mut figures.wanted, found) } else { (&mut figures.unwanted, other) };
        *count += 1;
        *held += usize::from(has);
    }
}

impl ReadingFigures {
    fn compute_shares(&mut self) {
        let claimed = self.claimed.values().sum();
        let of = |grade: ReadingGrade| ratio(self.claimed.get(&grade).copied().unwrap_or_default(), claimed);
        (self.right, self.wrong, self.junk) =
            (of(ReadingGrade::Right), of(ReadingGrade::Wrong), of(ReadingGrade::Junk));
        let [found, other] = self.counts;
        self.found = ratio(found, self.wanted);
        self.unwanted_claimed = ratio(other, self.unwanted);
    }
}
