//! `staleness BEFORE AFTER FATES.jsonl`: each listed span is anchored in the earlier vault and rechecked in the later
//! vault.
//!
//! Accepting a span whose fate is `edited` or `gone` is always wrong. Rejected spans whose statement occurs in another
//! note are also counted as `elsewhere`.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use memora_claim::{NoteContent, ParsedNote, SourceChange, StatementId, anchor_span, detect_renames};
use memora_vault::{Note, NotePath, PlaceRules, Vault};
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
struct SpanFate {
    note: String,
    start: usize,
    end: usize,
    text: String,
    status: String,
}

/// Counts for one fate.
#[derive(Default, Serialize)]
struct FateCounts {
    spans: usize,
    /// Found at the same offset.
    verified: usize,
    /// Found elsewhere in the note, or in the note it was renamed to.
    moved: usize,
    rejected: usize,
    /// Rejected spans whose statement occurs in another note.
    elsewhere: usize,
    /// (verified + moved) / spans
    accepted: f64,
    /// Rejected spans by kind of change.
    rejected_as: BTreeMap<&'static str, usize>,
}

#[derive(Serialize)]
pub(crate) struct StalenessFigures {
    notes_before: usize,
    notes_after: usize,
    renames: usize,
    /// Lines of the fates file whose text is not found at the given bytes.
    unusable: usize,
    fates: BTreeMap<String, FateCounts>,
    /// Accepted spans of `same`, `shifted` and `renamed` together, as a share.
    kept_accepted: f64,
    /// Accepted spans of `edited` and `gone` together.
    lost_accepted: usize,
    /// The first spans judged against their label: note, first byte, verdict.
    misjudged: Vec<(String, usize, String)>,
}

/// Reads and parses every note of a vault.
fn read_notes(root: &Path) -> Result<HashMap<NotePath, ParsedNote>> {
    let vault = Vault::open(root, &PlaceRules::default()).with_context(|| format!("cannot open {}", root.display()))?;
    let mut notes = HashMap::new();
    for found in vault.walk().notes {
        if let Ok(text) = vault.read_note(&found.path) {
            let (note, _) = Note::parse(found.path.clone(), text, found.place);
            notes.insert(found.path, ParsedNote::new(note));
        }
    }
    Ok(notes)
}

fn note_content(path: &NotePath, note: &ParsedNote) -> NoteContent {
    NoteContent::from_statements(path, note.note().file_fingerprint(), note.statements())
}

pub(crate) fn measure(before: &Path, after: &Path, fates: &Path) -> Result<StalenessFigures> {
    let before = read_notes(before)?;
    let after = read_notes(after)?;
    let mut vanished: Vec<_> = before.iter().filter(|(path, _)| !after.contains_key(path)).collect();
    vanished.sort_by_key(|(path, _)| *path);
    let mut appeared: Vec<_> = after.iter().filter(|(path, _)| !before.contains_key(path)).collect();
    appeared.sort_by_key(|(path, _)| *path);
    let list = |notes: &[(&NotePath, &ParsedNote)]| notes.iter().map(|(p, n)| note_content(p, n)).collect::<Vec<_>>();
    let mut renames: HashMap<NotePath, Vec<NotePath>> = HashMap::new();
    for (from, to) in detect_renames(&list(&vanished), &list(&appeared)) {
        renames.entry(from).or_default().push(to);
    }
    let everywhere: HashSet<StatementId> = after.values().flat_map(|n| n.statements().iter().map(|s| s.id)).collect();

    let text = fs::read_to_string(fates).with_context(|| format!("cannot read {}", fates.display()))?;
    let mut figures = StalenessFigures {
        notes_before: before.len(),
        notes_after: after.len(),
        renames: renames.len(),
        unusable: 0,
        fates: BTreeMap::new(),
        kept_accepted: 0.0,
        lost_accepted: 0,
        misjudged: Vec::new(),
    };
    for line in text.lines() {
        // The first line names the two compared dates.
        let Ok(fate) = serde_json::from_str::<SpanFate>(line) else { continue };
        let Some((path, old)) = NotePath::new(fate.note.as_str()).ok().and_then(|p| before.get_key_value(&p)) else {
            figures.unusable += 1;
            continue;
        };
        let span = old.note().span(fate.start..fate.end).filter(|span| old.note().slice(*span) == fate.text);
        let Some(span) = span else {
            figures.unusable += 1;
            continue;
        };
        let source = anchor_span(old, span);
        let mut now: Vec<_> = after.get(path).into_iter().collect();
        if now.is_empty() {
            now.extend(renames.get(path).into_iter().flatten().filter_map(|to| after.get(to)));
        }
        let mut verdict = Err(None);
        for note in now {
            if verdict.is_err() {
                verdict = source.recheck(note).map(|place| place.has_moved()).map_err(Some);
            }
        }
        let counts = figures.fates.entry(fate.status.clone()).or_default();
        counts.spans += 1;
        match verdict {
            Ok(false) => counts.verified += 1,
            Ok(true) => counts.moved += 1,
            Err(change) => {
                counts.rejected += 1;
                *counts.rejected_as.entry(change.map_or("missing note", SourceChange::as_str)).or_default() += 1;
                counts.elsewhere += usize::from(everywhere.contains(&source.statement));
            }
        }
        let kept = matches!(fate.status.as_str(), "same" | "shifted" | "renamed");
        let lost = matches!(fate.status.as_str(), "edited" | "gone");
        if (kept && verdict.is_err()) || (lost && verdict.is_ok()) {
            let said = match verdict {
                Ok(_) => "accepted",
                Err(change) => change.map_or("missing note", SourceChange::as_str),
            };
            figures.misjudged.push((fate.note.clone(), fate.start, format!("{}: {said}", fate.status)));
        }
    }
    let (mut kept, mut kept_accepted) = (0, 0);
    for (fate, counts) in &mut figures.fates {
        let accepted = counts.verified + counts.moved;
        counts.accepted = crate::ratio(accepted, counts.spans);
        if matches!(fate.as_str(), "same" | "shifted" | "renamed") {
            (kept, kept_accepted) = (kept + counts.spans, kept_accepted + accepted);
        } else if matches!(fate.as_str(), "edited" | "gone") {
            figures.lost_accepted += accepted;
        }
    }
    figures.kept_accepted = crate::ratio(kept_accepted, kept);
    figures.misjudged.truncate(60);
    Ok(figures)
}
