//! Contradictions planted into public vaults: which are found, which decoys are mistaken for one, and which pairs are
//! reported among the owners' own notes.
//!
//! All rows of a vault are planted at once into a copy of it, since each is about another statement. A row is found if
//! its planted note is reported together with another one: as two contradicting claims, open or superseded, or as a
//! review item. A change is found in the same way, or if its note's claim ended the original.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use memora_engine::LocalDoor;
use memora_engine::report::{Freshness, WireClaim};
use serde::{Deserialize, Serialize};

use crate::indexed_vault::{IndexedVault, SearchSetup};
use crate::read_json_lines;
use crate::repo_rows::{group_by_repo, repo_folder};

/// A planted note, with its kind and topic.
#[derive(Deserialize)]
struct ContradictionRow {
    repo: String,
    kind: String,
    about: String,
    planted: PlantedNote,
}

#[derive(Deserialize)]
struct PlantedNote {
    path: String,
    text: String,
}

/// Counts over all rows.
#[derive(Debug, Default, Serialize)]
pub(crate) struct ContradictionFigures {
    contradictions: usize,
    contradictions_found: usize,
    changes: usize,
    changes_found: usize,
    decoys: usize,
    decoys_reported: usize,
    /// Pairs reported among the owners' notes alone.
    of_owners: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failures: Vec<String>,
}

/// Two claims that are reported as a pair.
struct ReportedPair {
    ids: [String; 2],
    paths: [String; 2],
    places: [String; 2],
}

pub(crate) fn measure(vaults: &Path, planted: &Path, failures: bool) -> Result<ContradictionFigures> {
    let mut figures = ContradictionFigures::default();
    for (repo, rows) in group_by_repo(read_json_lines::<ContradictionRow>(planted)?, |row| &row.repo) {
        let copy = tempfile::tempdir()?;
        copy_vault(&repo_folder(vaults, &repo), copy.path())
            .with_context(|| format!("cannot copy the vault of {repo}"))?;
        for row in &rows {
            let path = copy.path().join(&row.planted.path);
            std::fs::create_dir_all(path.parent().unwrap_or(copy.path()))?;
            std::fs::write(path, &row.planted.text)?;
        }
        let reported = collect_reported(copy.path())?;
        for row in &rows {
            let found = reported.iter().find(|pair| pair.paths.contains(&row.planted.path));
            let hit = usize::from(found.is_some());
            let (all, those, right) = match row.kind.as_str() {
                "contradiction" => (&mut figures.contradictions, &mut figures.contradictions_found, found.is_some()),
                "change" => (&mut figures.changes, &mut figures.changes_found, found.is_some()),
                _ => (&mut figures.decoys, &mut figures.decoys_reported, found.is_none()),
            };
            *all += 1;
            *those += hit;
            if failures && !right {
                let beside = found.map(|pair| format!(" <- {}", pair.places.join(" and "))).unwrap_or_default();
                figures.failures.push(format!("{} {repo} {}{beside}", row.kind, row.about));
            }
        }
        let is_planted = |pair: &&ReportedPair| rows.iter().any(|row| pair.paths.contains(&row.planted.path));
        for pair in reported.iter().filter(|pair| !is_planted(pair)) {
            figures.of_owners += 1;
            if failures {
                figures.failures.push(format!(
                    "of the owner {repo} {}: {}",
                    pair.ids.join(" "),
                    pair.places.join(" and ")
                ));
            }
        }
    }
    Ok(figures)
}

/// Collects all reported pairs of a vault: contradictions, and review items about two claims.
fn collect_reported(vault: &Path) -> Result<Vec<ReportedPair>> {
    let opened = IndexedVault::new(vault, &SearchSetup::default())?;
    let session = opened.memora.session(LocalDoor)?;
    let fresh = Freshness { fresh: true, pending: 0 };
    let pairs = session.lifecycle_reports().list_contradictions(true, usize::MAX, fresh)?.contradictions;
    let mut found: Vec<ReportedPair> = pairs.iter().map(|pair| pair_from_claims(&pair.older, &pair.newer)).collect();
    let mut seen: BTreeSet<[String; 2]> = found.iter().map(|pair| pair.ids.clone()).collect();
    for item in session.review().report_items(usize::MAX, fresh)?.items {
        if let [older, newer] = item.claims.as_slice() {
            let pair = pair_from_claims(older, newer);
            if seen.insert(pair.ids.clone()) {
                found.push(pair);
            }
        }
    }
    Ok(found)
}

fn pair_from_claims(older: &WireClaim<LocalDoor>, newer: &WireClaim<LocalDoor>) -> ReportedPair {
    let of = |claim: &WireClaim<LocalDoor>| {
        let place = claim.place();
        let path = place.map(|place| place.path.clone()).unwrap_or_default();
        let line = place.and_then(|place| place.line).unwrap_or_default();
        let quote = place.map(|place| place.quote.clone()).unwrap_or_default();
        (claim.id().to_owned(), path.clone(), format!("{path}:{line} {quote:?}"))
    };
    let (older, newer) = (of(older), of(newer));
    ReportedPair { ids: [older.0, newer.0], paths: [older.1, newer.1], places: [older.2, newer.2] }
}

/// Copies the notes and settings of a folder, without `.git`.
pub(crate) fn copy_vault(from: &Path, to: &Path) -> Result<()> {
    let mut folders: Vec<(PathBuf, PathBuf)> = vec![(from.to_owned(), to.to_owned())];
    while let Some((from, to)) = folders.pop() {
        std::fs::create_dir_all(&to)?;
        for entry in std::fs::read_dir(&from)? {
            let entry = entry?;
            let (kind, name) = (entry.file_type()?, entry.file_name());
            if kind.is_dir() && name != ".git" {
                folders.push((entry.path(), to.join(name)));
            } else if kind.is_file() {
                std::fs::copy(entry.path(), to.join(name))?;
            }
        }
    }
    Ok(())
}
