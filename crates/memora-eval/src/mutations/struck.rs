//! Sentences whose source is struck out or commented out behind their back, in a copy of the vault.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result};
use memora_engine::report::VerifyReport;
use memora_engine::{LocalDoor, SyncBound};
use memora_vault::{Note, NotePath, PathContext, Zone};

use super::facts::{Fact, World};
use super::places::cited;
use super::rows::{Row, shuffled};
use crate::opened::{Opened, Ways};

/// How a source is taken back: before it, behind it, the zone it is in then, and what that is called before and after
/// the index has heard of it.
type Way = (&'static str, &'static str, Zone, [&'static str; 2]);

const WAYS: &[Way] = &[
    ("~~", "~~", Zone::Struck, ["struck out", "struck out and indexed"]),
    ("%%", "%%", Zone::Comment, ["commented out", "commented out and indexed"]),
    ("<!-- ", " -->", Zone::Comment, ["commented in HTML", "commented in HTML and indexed"]),
];

/// Every such sentence with what became of it.
pub(crate) fn judged(
    vault: &Path,
    world: &World,
    seed: u64,
    limit: usize,
) -> Result<Vec<(Row, VerifyReport<LocalDoor>)>> {
    let mut judged = Vec::new();
    for way in WAYS {
        let copy = tempfile::tempdir()?;
        copied(vault, copy.path())?;
        let mut opened = Opened::new(copy.path(), &Ways::default())?;
        let taken = take_back(copy.path(), world, seed, limit, way)?;
        for kind in way.3 {
            let session = opened.memora.session(LocalDoor)?;
            for fact in &taken {
                let text = cited(&fact.words, &[&fact.id]);
                let report = super::judged(&session, &text)?;
                judged.push((Row { kind, is_true: false, text, from: fact.words.clone(), carrier: None }, report));
            }
            drop(session);
            opened.memora.sync(SyncBound::None, &AtomicBool::new(false), &mut |_| {})?;
        }
    }
    Ok(judged)
}

/// Edits one statement of a note, and returns those that it worked for.
fn take_back<'w>(root: &Path, world: &'w World, seed: u64, limit: usize, way: &Way) -> Result<Vec<&'w Fact>> {
    let (before, behind, zone, [kind, _]) = way;
    let mut taken: Vec<&Fact> = Vec::new();
    for at in shuffled(world, seed, kind) {
        let fact = &world.facts[at];
        if taken.len() == limit / 2 || fact.sentence().is_none() || taken.iter().any(|other| other.note == fact.note) {
            continue;
        }
        let file = root.join(&fact.note);
        let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let source = text.get(fact.span.clone()).unwrap_or_default();
        let marked = format!("{before}{source}{behind}");
        let edited = super::parsed::spliced(&text, &[(fact.span.clone(), &marked)]);
        let (note, _) = Note::parse(NotePath::new(fact.note.as_str())?, edited.clone(), PathContext::default());
        let inside = fact.span.start + before.len() + source.len() / 2;
        if note.zone_at(inside) == *zone {
            fs::write(&file, edited)?;
            taken.push(fact);
        }
    }
    Ok(taken)
}

/// Copies a folder with all that is in it.
fn copied(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copied(&entry.path(), &target)?;
        } else if entry.file_type()?.is_file() {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
