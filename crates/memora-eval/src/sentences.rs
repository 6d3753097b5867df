//! `sentences FILE --vault FOLDER`: whether sentences are taken for what their citations say, through the engine.
//!
//! A row has a sentence, the places it cites (a note and words that stand there once) and whether a careful reader would
//! say that those words say it. Printed at the one shipped setting: how many false ones are accepted and how many true
//! ones rejected, by kind.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use memora_engine::wire::Freshness;
use memora_engine::{LocalDoor, Session};
use serde::{Deserialize, Serialize};

use crate::opened::{Opened, Ways};
use crate::{rows, share};

#[derive(Deserialize)]
struct Row {
    id: String,
    #[serde(alias = "cite")]
    cites: Cites,
    sentence: String,
    good: bool,
    kind: String,
}

/// One place, or several.
#[derive(Deserialize)]
#[serde(untagged)]
enum Cites {
    One(Cite),
    Several(Vec<Cite>),
}

#[derive(Deserialize)]
struct Cite {
    note: String,
    contains: String,
}

/// How it went.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Figures {
    sentences: usize,
    false_accepted: f64,
    true_rejected: f64,
    /// By kind: how many there are, and how many were judged wrongly.
    false_by_kind: BTreeMap<String, [usize; 2]>,
    true_by_kind: BTreeMap<String, [usize; 2]>,
    /// Rows that cite a place that nothing can be cited at, or what is superseded by now; they are not counted.
    uncitable: Vec<String>,
    superseded: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failures: Vec<String>,
}

pub(crate) fn measure(file: &Path, vault: &Path, failures: bool) -> Result<Figures> {
    let rows: Vec<Row> = rows(file)?;
    let opened = Opened::new(vault, &Ways::default())?;
    let session = opened.memora.session(LocalDoor)?;
    let places = places(&session)?;
    let mut figures = Figures::default();
    for row in &rows {
        let cites = match &row.cites {
            Cites::One(cite) => std::slice::from_ref(cite),
            Cites::Several(cites) => cites,
        };
        let ids: Option<Vec<&str>> = cites
            .iter()
            .map(|cite| id_at(vault, &places, cite).transpose())
            .map(|id| id.transpose())
            .collect::<Result<_>>()?;
        let Some(ids) = ids else {
            figures.uncitable.push(row.id.clone());
            continue;
        };
        let markers: String = ids.iter().map(|id| format!(" [claim:{id}]")).collect();
        let text = format!("{}{markers}", row.sentence.trim());
        let report = session.verify(&memora_engine::Submitted::text(text), Freshness { fresh: true, pending: 0 })?;
        if report.sentences.iter().flat_map(|s| &s.citations).any(|citation| citation.verdict == "superseded") {
            figures.superseded.push(row.id.clone());
            continue;
        }
        let kept = matches!(report.status, "verified" | "quoted");
        let by_kind = if row.good { &mut figures.true_by_kind } else { &mut figures.false_by_kind };
        let counts = by_kind.entry(row.kind.clone()).or_default();
        counts[0] += 1;
        counts[1] += usize::from(kept != row.good);
        figures.sentences += 1;
        if failures && kept != row.good {
            let why: Vec<String> = report
                .sentences
                .iter()
                .flat_map(|sentence| &sentence.reasons)
                .map(|reason| format!("{} {}", reason.kind, reason.words))
                .collect();
            let what = if kept { "accepted" } else { "rejected" };
            let quotes: Vec<&str> =
                report.claims.iter().filter_map(|claim| claim.place()).map(|place| place.quote.as_str()).collect();
            figures.failures.push(format!(
                "{} {} {what}: {} <- {} ({})",
                row.id,
                row.kind,
                row.sentence,
                quotes.join(" | "),
                why.join("; ")
            ));
        }
    }
    let wrong = |by: &BTreeMap<String, [usize; 2]>| {
        let sum = |at: usize| by.values().map(|counts| counts[at]).sum::<usize>();
        share(sum(1), sum(0))
    };
    figures.false_accepted = wrong(&figures.false_by_kind);
    figures.true_rejected = wrong(&figures.true_by_kind);
    Ok(figures)
}

/// A statement's id with a place of it: note, first byte, end.
type Placed = (String, String, usize, usize);

fn places(session: &Session<'_, LocalDoor>) -> Result<Vec<Placed>> {
    let mut found = Vec::new();
    for claim in session.export(true)? {
        let id = claim.claim.split('.').next().unwrap_or_default().to_owned();
        for source in &claim.sources {
            if let (Some(start), Some(end)) = (source.start, source.end) {
                found.push((id.clone(), source.path.clone(), start, end));
            }
        }
    }
    Ok(found)
}

/// The statement that a place cites: the shortest that holds its words, else one that shares bytes with them.
fn id_at<'p>(vault: &Path, places: &'p [Placed], cite: &Cite) -> Result<Option<&'p str>> {
    let text = std::fs::read_to_string(vault.join(&cite.note)).with_context(|| format!("cannot read {}", cite.note))?;
    let start = text.find(&cite.contains);
    ensure!(start.is_some(), "{} does not say {:?}", cite.note, cite.contains);
    let start = start.unwrap_or_default();
    let end = start + cite.contains.len();
    let here = places.iter().filter(|(_, path, from, to)| *path == cite.note && *from < end && start < *to);
    let best = here.max_by_key(|(_, _, from, to)| (to.min(&end) - from.max(&start), usize::MAX - (to - from)));
    Ok(best.map(|(id, ..)| id.as_str()))
}
