//! `edits FILE.jsonl`: which edits of numbers are proposed as a change of what holds.
//!
//! Old and new text are parsed as notes, so that the number of a list item is markup, and their statements compared as they
//! are when a note is put.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use memora_claim::number_change::pair_number_changes;
use memora_claim::{Statement, split_statements};
use memora_vault::{Note, NotePath, PathContext};
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
struct Row {
    path: String,
    old: String,
    new: String,
    label: String,
}

/// Counts for one label.
#[derive(Default, Serialize)]
struct Counts {
    edits: usize,
    proposed: usize,
}

#[derive(Serialize)]
pub(crate) struct Figures {
    edits: usize,
    labels: BTreeMap<String, Counts>,
    /// Proposed and labelled `supersedes`.
    proposed_rightly: usize,
    /// Proposed and labelled otherwise.
    proposed_wrongly: usize,
    /// Labelled `supersedes` and not proposed.
    missed: usize,
    /// `proposed_rightly` of all that is proposed.
    precision: f64,
    /// `proposed_rightly` of all that is labelled `supersedes`.
    recall: f64,
    /// What was proposed wrongly or missed, by its line from 1.
    failures: Vec<(usize, String)>,
}

pub(crate) fn measure(file: &Path) -> Result<Figures> {
    let rows: Vec<Row> = crate::rows(file)?;
    let mut labels: BTreeMap<String, Counts> = BTreeMap::new();
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
    Ok(Figures {
        edits: rows.len(),
        proposed_rightly,
        proposed_wrongly: proposed - proposed_rightly,
        missed: true_edits - proposed_rightly,
        precision: crate::share(proposed_rightly, proposed),
        recall: crate::share(proposed_rightly, true_edits),
        labels,
        failures,
    })
}

fn is_proposed(row: &Row) -> bool {
    let (old, new) = (cut(&row.path, &row.old), cut(&row.path, &row.new));
    let gone: Vec<&Statement> = old.iter().filter(|a| new.iter().all(|b| a.id != b.id)).collect();
    let come: Vec<&Statement> = new.iter().filter(|a| old.iter().all(|b| a.id != b.id)).collect();
    let words = |list: &[&Statement]| list.iter().map(|statement| statement.words.clone()).collect::<Vec<_>>();
    !pair_number_changes(&words(&gone), &words(&come)).is_empty()
}

fn cut(path: &str, text: &str) -> Vec<Statement> {
    let Ok(path) = NotePath::new(path.trim()) else { return Vec::new() };
    split_statements(&Note::parse(path, text.to_owned(), PathContext::default()).0)
}
