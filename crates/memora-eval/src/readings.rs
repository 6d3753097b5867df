//! `claims ROWS.jsonl --vaults FOLDER`: readings of public vaults that people graded, by reference, as in `tests/exam/readings`.
//!
//! Of the graded readings those are counted that are claimed today, by grade; of the statements that a careful reader would
//! want a claim of, the share that has one. A reading that is read otherwise today has no grade and is counted as gone.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result};
use memora_claim::{Claim, Statement, split_statements};
use memora_extract::{ClaimExtractor, worth};
use memora_vault::{Note, NotePath, PathContext};
use serde::{Deserialize, Serialize};

use crate::by_reference::folder_of;
use crate::{rows, share};

#[derive(Deserialize)]
struct Row {
    repo: String,
    path: String,
    start: usize,
    end: usize,
    claim: Option<String>,
    label: Option<Grade>,
    wanted: Option<bool>,
}

/// What a reader said of a reading.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "snake_case")]
enum Grade {
    Right,
    Vague,
    Wrong,
    Junk,
}

/// What is measured, of a vault or of all.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Figures {
    /// Graded readings.
    graded: usize,
    /// Of them, those that are read as they were graded.
    read: usize,
    /// Of those, claimed, by grade.
    claimed: BTreeMap<Grade, usize>,
    /// The share of the claimed that is right.
    right: f64,
    /// The share that is wrong.
    wrong: f64,
    /// The share that is junk.
    junk: f64,
    /// Statements that should have a claim.
    wanted: usize,
    /// The share of them that has one.
    found: f64,
    /// Statements that should have none.
    unwanted: usize,
    /// The share of them that has one all the same.
    unwanted_claimed: f64,
    #[serde(skip)]
    counts: [usize; 2],
}

/// The figures of all vaults together and of each.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Report {
    all: Figures,
    by_vault: BTreeMap<String, Figures>,
}

pub(crate) fn measure(labels: &Path, vaults: &Path) -> Result<Report> {
    let mut report = Report::default();
    for row in rows::<Row>(labels)? {
        let read = found(&row, vaults)?;
        for figures in [report.by_vault.entry(row.repo.clone()).or_default(), &mut report.all] {
            count(&row, read.as_ref(), figures);
        }
    }
    for figures in report.by_vault.values_mut().chain([&mut report.all]) {
        figures.finish();
    }
    Ok(report)
}

/// The traits of each graded claim by name, a line of JSON each, for `training/worth.py`.
pub(crate) fn traits(labels: &Path, vaults: &Path) -> Result<String> {
    let mut out = String::new();
    for row in rows::<Row>(labels)? {
        let (Some((statement, read)), Some(label)) = (found(&row, vaults)?, row.label) else { continue };
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

/// The statement of a row, with what may be claimed of it.
fn found(row: &Row, vaults: &Path) -> Result<Option<(Statement, Vec<Claim>)>> {
    let file = folder_of(vaults, &row.repo).join(&row.path);
    let text = std::fs::read_to_string(&file).with_context(|| format!("reads {}", file.display()))?;
    let (note, _) = Note::parse(NotePath::new(row.path.clone()).context("a path")?, text, PathContext::default());
    let here = |statement: &Statement| statement.span.start() == row.start && statement.span.end() == row.end;
    let statement = split_statements(&note).into_iter().find(here);
    Ok(statement.map(|statement| {
        let read = ClaimExtractor::default().extract_candidates(&note, &statement);
        (statement, read)
    }))
}

fn count(row: &Row, found: Option<&(Statement, Vec<Claim>)>, figures: &mut Figures) {
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

impl Figures {
    fn finish(&mut self) {
        let claimed = self.claimed.values().sum();
        let of = |grade: Grade| share(self.claimed.get(&grade).copied().unwrap_or_default(), claimed);
        (self.right, self.wrong, self.junk) = (of(Grade::Right), of(Grade::Wrong), of(Grade::Junk));
        let [found, other] = self.counts;
        self.found = share(found, self.wanted);
        self.unwanted_claimed = share(other, self.unwanted);
    }
}
