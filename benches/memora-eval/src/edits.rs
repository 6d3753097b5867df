//! `edits FILE.jsonl`: which number edits are proposed as changes of a fact.
//!
//! Old and new text are parsed as notes, so that the number of a list item is markup. Their statements are compared
//! as they are when a note is written.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use memora_claim::number_change::pair_number_changes;
use memora_claim::{Statement, split_statements};
use memora_vault::{Note, NotePath, PathContext};
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
struct EditRow {
    path: String,
    old: String,
    new: String,
    label: String,
}

/// Counts for one label.
#[derive(Default, Serialize)]
struct EditCounts {
    edits: usize,
    proposed: usize,
}

#[derive(Serialize)]
pub(crate) struct EditFigures {
    edits: usize,
    labels: BTreeMap<String, EditCounts>,
    /// Proposed and labelled `supersedes`.
    proposed_rightly: usize,
    /// Proposed and labelled otherwise.
    proposed_wrongly: usize,
    /// Labelled `supersedes` and not proposed.
    missed: usize,
    /// `proposed_rightly` as a share of all proposed edits.
    precision: f64,
    /// `proposed_rightly` as a share of all edits labelled `supersedes`.
    recall: f64,
    /// Edits that were wrongly proposed or missed, by 1-based line number.
    failures: Vec<(usize, String)>,
}

pub(crate) fn measure(file: &Path) -> Result<EditFigures> {
    let rows: Vec<EditRow> = crate::read_json_lines(file)?;
    let mut labels: BTreeMap<String, EditCounts> = BTreeMap::new();
    let mut failures = Vec::new();
    for (line, row) in (1..).zip(&rows) {
        let proposed = is_proposed(row);
        let counts = labels.entry(row.label.clone()).or_default();
        counts.edits += 1;
        counts.proposed += usize::from(proposed);
        match (row.label == "supersedes", proposed) {
            (true, false) => failures.push((line, "missed".to_owned())),
            (false, true) => failures.push((line, "proposed".to_owned())),
            _ => {}
        }
    }
    let count = |label: &str| labels.get(label).map_or((0, 0), |counts| (counts.edits, counts.proposed));
    let (true_edits, proposed_rightly) = count("supersedes");
    let proposed: usize = labels.values().map(|counts| counts.proposed).sum();
    Ok(EditFigures {
        edits: rows.len(),
        proposed_rightly,
        proposed_wrongly: proposed - proposed_rightly,
        missed: true_edits - proposed_rightly,
        precision: crate::ratio(proposed_rightly, proposed),
        recall: crate::ratio(proposed_rightly, true_edits),
        labels,
        failures,
    })
}

fn is_proposed(row: &EditRow) -> bool {
    let (old, new) = (parse_statements(&row.path, &row.old), parse_statements(&row.path, &row.new));
    let gone: Vec<&Statement> = old.iter().filter(|a| new.iter().all(|b| a.id != b.id)).collect();
    let come: Vec<&Statement> = new.iter().filter(|a| old.iter().all(|b| a.id != b.id)).collect();
    let words = |list: &[&Statement]| list.iter().map(|statement| statement.words.clone()).collect::<Vec<_>>();
    !pair_number_changes(&words(&gone), &words(&come)).is_empty()
}

fn parse_statements(path: &str, text: &str) -> Vec<Statement> {
    let Ok(path) = NotePath::new(path.trim()) else { return Vec::new() };
    split_statements(&Note::parse(path, text.to_owned(), PathContext::default()).0)
}
