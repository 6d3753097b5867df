//! Sentences whose source is struck out or commented out after indexing, in a copy of the vault.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result};
use memora_engine::report::VerifyReport;
use memora_engine::{LocalDoor, SyncBound};
use memora_vault::{Note, NotePath, PathContext, Zone};

use super::citation_placement::append_citations;
use super::facts::{Fact, FactCorpus};
use super::generate::{MutationRow, shuffle_facts};
use super::judge::verify_text;
use crate::indexed_vault::{IndexedVault, SearchSetup};

/// A way to retract a source: prefix, suffix, the resulting zone, and the names of the kind before and after
/// the index is synchronized.
type Retraction = (&'static str, &'static str, Zone, [&'static str; 2]);

const RETRACTIONS: &[Retraction] = &[
    ("~~", "~~", Zone::Struck, ["struck out", "struck out and indexed"]),
    ("%%", "%%", Zone::Comment, ["commented out", "commented out and indexed"]),
    ("<!-- ", " -->", Zone::Comment, ["commented in HTML", "commented in HTML and indexed"]),
];

/// Verifies every such sentence, and returns it with its report.
pub(crate) fn verify_retracted(
    vault: &Path,
    world: &FactCorpus,
    seed: u64,
    limit: usize,
) -> Result<Vec<(MutationRow, VerifyReport<LocalDoor>)>> {
    let mut judged = Vec::new();
    for way in RETRACTIONS {
        let copy = tempfile::tempdir()?;
        copy_folder(vault, copy.path())?;
        let mut opened = IndexedVault::new(copy.path(), &SearchSetup::default())?;
        let taken = retract_sources(copy.path(), world, seed, limit, way)?;
        for kind in way.3 {
            let session = opened.memora.session(LocalDoor)?;
            for fact in &taken {
                let text = append_citations(&fact.words, &[&fact.id]);
                let report = verify_text(&session, &text)?;
                judged.push((
                    MutationRow { kind, is_true: false, text, from: fact.words.clone(), carrier: None },
                    report,
                ));
            }
            drop(session);
            opened.memora.sync(SyncBound::All, &AtomicBool::new(false), &mut |_| {})?;
        }
    }
    Ok(judged)
}

/// Edits one statement per note, and returns the facts whose retraction took effect.
fn retract_sources<'w>(
    root: &Path,
    world: &'w FactCorpus,
    seed: u64,
    limit: usize,
    way: &Retraction,
) -> Result<Vec<&'w Fact>> {
    let (before, behind, zone, [kind, _]) = way;
    let mut taken: Vec<&Fact> = Vec::new();
    for at in shuffle_facts(world, seed, kind) {
        let fact = &world.facts[at];
        if taken.len() == limit / 2 || fact.sentence().is_none() || taken.iter().any(|other| other.note == fact.note) {
            continue;
        }
        let file = root.join(&fact.note);
        let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let source = text.get(fact.span.clone()).unwrap_or_default();
        let marked = format!("{before}{source}{behind}");
        let edited = super::editable_sentence::splice_text(&text, &[(fact.span.clone(), &marked)]);
        let (note, _) = Note::parse(NotePath::new(fact.note.as_str())?, edited.clone(), PathContext::default());
        let inside = fact.span.start + before.len() + source.len() / 2;
        if note.zone_at(inside) == *zone {
            fs::write(&file, edited)?;
            taken.push(fact);
        }
    }
    Ok(taken)
}

/// Copies a folder with all its contents.
fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else if entry.file_type()?.is_file() {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
