//! `overtaken FILE [--vaults FOLDER]`: which of two statements are found to be ended by the newer one's words of change.
//!
//! The pairs are given: this measures the judge, not the search for candidates. Rows are tab-separated (label, older, newer), or those of
//! `tests/exam/changes`, whose older statement is read from a public vault.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use memora_claim::{ParsedNote, anchor_span};
use memora_entail::{Premise, overtaken};
use memora_vault::{Note, NotePath, PathContext};
use memora_verify::CitedPassage;
use serde::{Deserialize, Serialize};

use crate::read_json_lines;
use crate::repo_rows::repo_folder;

#[derive(Deserialize)]
struct ChangeRow {
    id: String,
    repo: String,
    kind: String,
    original: OldPlace,
    planted: NewNote,
}

#[derive(Deserialize)]
struct OldPlace {
    path: String,
    start: usize,
    end: usize,
}

#[derive(Deserialize)]
struct NewNote {
    path: String,
    text: String,
    sentence: String,
}

/// Counts of one label.
#[derive(Debug, Default, Serialize)]
struct PairCounts {
    pairs: usize,
    ended: usize,
}

#[derive(Debug, Default, Serialize)]
pub(crate) struct OvertakenFigures {
    labels: BTreeMap<String, PairCounts>,
    /// With the words that end the older one, and those that do not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pairs: Vec<String>,
}

pub(crate) fn measure(file: &Path, vaults: Option<&Path>, print: bool) -> Result<OvertakenFigures> {
    let mut figures = OvertakenFigures::default();
    if file.extension().is_some_and(|extension| extension == "tsv") {
        let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        for (number, line) in text.lines().enumerate() {
            let fields: Vec<&str> = line.split('\t').collect();
            let [label, older, newer] = fields.as_slice() else { continue };
            figures.count(
                label,
                &format!("{}", number + 1),
                [older, newer],
                overtaken(&Premise::new(newer), &Premise::new(older)),
            );
        }
        figures.pairs.retain(|_| print);
        return Ok(figures);
    }
    let vaults = vaults.context("the older statements stand in public vaults; name their folder with --vaults")?;
    for row in read_json_lines::<ChangeRow>(file)? {
        let path = repo_folder(vaults, &row.repo).join(&row.original.path);
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let at = row.planted.text.find(&row.planted.sentence).context("the sentence stands in its note")?;
        let older = passage(&row.original.path, text, row.original.start, row.original.end)?;
        let newer = passage(&row.planted.path, row.planted.text, at, at + row.planted.sentence.len())?;
        let (Some(older), Some(newer)) = (older, newer) else {
            figures.labels.entry(format!("{} without a statement", row.kind)).or_default().pairs += 1;
            continue;
        };
        figures.count(&row.kind, &row.id, [older.words(), newer.words()], overtaken(newer.premise(), older.premise()));
    }
    figures.pairs.retain(|_| print);
    Ok(figures)
}

impl OvertakenFigures {
    fn count(&mut self, label: &str, id: &str, [older, newer]: [&str; 2], found: Option<String>) {
        let counts = self.labels.entry(label.to_owned()).or_default();
        counts.pairs += 1;
        counts.ended += usize::from(found.is_some());
        let by = found.map_or_else(|| "stands".to_owned(), |words| format!("ended by {words:?}"));
        self.pairs.push(format!("{label} {id} {by}: {older} <- {newer}"));
    }
}

/// The first statement of a note that overlaps some bytes.
fn passage(path: &str, text: String, start: usize, end: usize) -> Result<Option<CitedPassage>> {
    let (note, _) = Note::parse(NotePath::new(path).context("a path")?, text, PathContext::default());
    let parsed = ParsedNote::new(note);
    let found = parsed.statements().iter().find(|one| one.span.start() < end && start < one.span.end());
    let place = found.and_then(|statement| anchor_span(&parsed, statement.span).recheck(&parsed).ok());
    Ok(place.map(|place| CitedPassage::from_rechecked(&place)))
}
