//! `sentences FILE [--vault FOLDER]`: whether sentences are taken for what they rest on.
//!
//! A row has a sentence, what it rests on and whether a careful reader would say that this says it. It rests on places of a
//! vault (a note and words that stand there once), and goes through the engine, or on words that the row brings along with
//! their context. Printed at the one shipped setting: how many false ones are accepted and how many true ones rejected, by
//! kind.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use memora_engine::wire::Freshness;
use memora_engine::{ExportOptions, LocalDoor, Session};
use memora_verify::{Ground, Support, judge};
use serde::{Deserialize, Serialize};

use crate::opened::{Opened, Ways};
use crate::{rows, share};

#[derive(Deserialize)]
struct Row {
    id: String,
    #[serde(alias = "cite", alias = "said")]
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
    Words(Vec<Words>),
}

/// Words of a note, with the texts around them: title, headings, date.
#[derive(Deserialize)]
struct Words {
    words: String,
    context: Vec<String>,
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

pub(crate) fn measure(file: &Path, vault: Option<&Path>, failures: bool) -> Result<Figures> {
    let rows: Vec<Row> = rows(file)?;
    let opened = vault.map(|vault| Opened::new(vault, &Ways::default())).transpose()?;
    let session = opened.as_ref().map(|opened| opened.memora.session(LocalDoor)).transpose()?;
    let cited = vault.zip(session.as_ref()).map(|(vault, session)| Cited::new(vault, session)).transpose()?;
    let mut figures = Figures::default();
    for row in &rows {
        let found = match &row.cites {
            Cites::Words(words) => Found::of(&row.sentence, words),
            Cites::One(cite) => vault_of(cited.as_ref())?.judged(&row.sentence, std::slice::from_ref(cite))?,
            Cites::Several(cites) => vault_of(cited.as_ref())?.judged(&row.sentence, cites)?,
        };
        match found {
            Found::Uncitable => figures.uncitable.push(row.id.clone()),
            Found::Superseded => figures.superseded.push(row.id.clone()),
            Found::Judged { kept, why, quotes } => {
                let by_kind = if row.good { &mut figures.true_by_kind } else { &mut figures.false_by_kind };
                let counts = by_kind.entry(row.kind.clone()).or_default();
                counts[0] += 1;
                counts[1] += usize::from(kept != row.good);
                figures.sentences += 1;
                if failures && kept != row.good {
                    let what = if kept { "accepted" } else { "rejected" };
                    let Row { id, kind, sentence, .. } = row;
                    figures.failures.push(format!(
                        "{id} {kind} {what}: {sentence} <- {} ({})",
                        quotes.join(" | "),
                        why.join("; ")
                    ));
                }
            }
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

fn vault_of<'c, 's>(cited: Option<&'c Cited<'s>>) -> Result<&'c Cited<'s>> {
    cited.context("the sentences cite places of a vault; name it with --vault")
}

/// What became of a sentence.
enum Found {
    /// A place that it cites cannot be cited.
    Uncitable,
    /// What it cites is superseded by now.
    Superseded,
    /// It was kept or not, and why not, by what these words say.
    Judged { kept: bool, why: Vec<String>, quotes: Vec<String> },
}

impl Found {
    /// A sentence judged by words that are in no vault.
    fn of(sentence: &str, words: &[Words]) -> Self {
        let grounds: Vec<Ground> = words.iter().map(|said| Ground::read(&said.words, &said.context, &[])).collect();
        let judgement = judge(sentence, &grounds.iter().collect::<Vec<_>>());
        Self::Judged {
            kept: judgement.support != Support::Unsupported,
            why: judgement.reasons.iter().map(|reason| format!("{} {}", reason.kind.as_str(), reason.words)).collect(),
            quotes: words.iter().map(|said| said.words.clone()).collect(),
        }
    }
}

/// A vault, and which statement stands where.
struct Cited<'s> {
    vault: &'s Path,
    session: &'s Session<'s, LocalDoor>,
    places: Vec<Placed>,
}

impl<'s> Cited<'s> {
    fn new(vault: &'s Path, session: &'s Session<'s, LocalDoor>) -> Result<Self> {
        Ok(Self { vault, session, places: places(session)? })
    }

    fn judged(&self, sentence: &str, cites: &[Cite]) -> Result<Found> {
        let ids = cites.iter().map(|cite| id_at(self.vault, &self.places, cite).transpose());
        let Some(ids) = ids.map(Option::transpose).collect::<Result<Option<Vec<&str>>>>()? else {
            return Ok(Found::Uncitable);
        };
        let markers: String = ids.iter().map(|id| format!(" [claim:{id}]")).collect();
        let text = format!("{}{markers}", sentence.trim());
        let report =
            self.session.verify(&memora_engine::Submitted::text(text), Freshness { fresh: true, pending: 0 })?;
        if report.sentences.iter().flat_map(|s| &s.citations).any(|citation| citation.verdict == "superseded") {
            return Ok(Found::Superseded);
        }
        let reasons = report.sentences.iter().flat_map(|sentence| &sentence.reasons);
        let places = report.claims.iter().filter_map(|claim| claim.place());
        Ok(Found::Judged {
            kept: matches!(report.status, "verified" | "quoted"),
            why: reasons.map(|reason| format!("{} {}", reason.kind, reason.words)).collect(),
            quotes: places.map(|place| place.quote.clone()).collect(),
        })
    }
}

/// A statement's id with a place of it: note, first byte, end.
type Placed = (String, String, usize, usize);

fn places(session: &Session<'_, LocalDoor>) -> Result<Vec<Placed>> {
    let mut found = Vec::new();
    for claim in session.export(ExportOptions { canonical: true, statements: true })? {
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
