//! `mutations VAULT`: true sentences of a vault in other words, and false ones that differ from them in one thing.
//!
//! The examiner of the check: it knows the contract (`docs/citations.md`), and nothing of how it is kept. **A wrong label is
//! worse than a missing sentence**: only what is certain is written, and what is in doubt is left out. A sentence is
//! accepted when the text that it is, marker and all, is `verified` or `quoted`. The same seed gives the same sentences.

mod facts;
mod forms;
mod grammar;
mod numbers;
mod parsed;
mod places;
mod random;
mod roles;
mod rows;
mod struck;
#[cfg(test)]
mod tests;
mod times;
mod truths;
mod verbs;
mod wording;
mod words;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use memora_engine::report::{ClaimState, Freshness, ReportStatus, VerifyReport};
use memora_engine::{ClaimId, LocalDoor, Session, VerifyInput};
use memora_vault::{Note, PlaceRules, Vault};
use serde::Serialize;

use crate::opened::{Opened, Ways};
use crate::share;
use facts::World;
use rows::Row;

/// What is written, and what is printed of it.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Another seed takes other sentences
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Sentences of a kind at most
    #[arg(long, default_value_t = 100)]
    limit: usize,
    /// Print each sentence that is judged wrongly
    #[arg(long)]
    failures: bool,
    /// Print every sentence with its label
    #[arg(long)]
    rows: bool,
}

/// Counts for one kind.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Counts {
    sentences: usize,
    accepted: usize,
    rejected: usize,
    accepted_share: f64,
}

/// How it went; sentences that are judged wrongly stand first.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Figures {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failures: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rows: Vec<String>,
    seed: u64,
    /// Statements that sentences were written from.
    facts: usize,
    sentences: usize,
    true_sentences: usize,
    true_rejected: usize,
    true_rejected_share: f64,
    false_sentences: usize,
    false_accepted: usize,
    false_accepted_share: f64,
    true_by_kind: BTreeMap<&'static str, Counts>,
    false_by_kind: BTreeMap<&'static str, Counts>,
}

pub(crate) fn measure(vault: &Path, options: &Options) -> Result<Figures> {
    let mut world = World::of(notes(vault)?);
    let opened = Opened::new(vault, &Ways::default())?;
    let session = opened.memora.session(LocalDoor)?;
    // A citation of what was superseded fails, whatever is said.
    world
        .keep(|fact| Ok(session.catalog().explain_claim(&ClaimId::parse(&fact.id)?)?.status == ClaimState::Current))?;
    let mut figures = Figures { seed: options.seed, facts: world.facts.len(), ..Figures::default() };
    for row in rows::all(&world, options.seed, options.limit) {
        // Beside a sentence that fails of itself nothing can be seen to be hidden.
        if let Some(carrier) = &row.carrier
            && !accepted(&judged(&session, carrier)?)
        {
            continue;
        }
        figures.count(&row, &judged(&session, &row.text)?, options);
    }
    for (row, report) in struck::judged(vault, &world, options.seed, options.limit)? {
        figures.count(&row, &report, options);
    }
    for counts in figures.true_by_kind.values_mut().chain(figures.false_by_kind.values_mut()) {
        counts.accepted_share = share(counts.accepted, counts.sentences);
    }
    figures.true_rejected_share = share(figures.true_rejected, figures.true_sentences);
    figures.false_accepted_share = share(figures.false_accepted, figures.false_sentences);
    Ok(figures)
}

/// Every note of a vault as it is on disk.
fn notes(root: &Path) -> Result<Vec<Note>> {
    let vault = Vault::open(root, &PlaceRules::default()).with_context(|| format!("cannot open {}", root.display()))?;
    let mut notes: Vec<Note> = Vec::new();
    for found in vault.walk().notes {
        if let Ok(text) = vault.read_note(&found.path) {
            notes.push(Note::parse(found.path, text, found.place).0);
        }
    }
    notes.sort_by(|a, b| a.path().cmp(b.path()));
    Ok(notes)
}

fn judged(session: &Session<'_, LocalDoor>, text: &str) -> Result<VerifyReport<LocalDoor>> {
    Ok(session
        .verifier()
        .verify_text(&VerifyInput::from_text(text.to_owned()), Freshness { fresh: true, pending: 0 })?)
}

fn accepted(report: &VerifyReport<LocalDoor>) -> bool {
    report.status == ReportStatus::Verified
}

impl Figures {
    fn count(&mut self, row: &Row, report: &VerifyReport<LocalDoor>, options: &Options) {
        let accepted = accepted(report);
        let by_kind = if row.is_true { &mut self.true_by_kind } else { &mut self.false_by_kind };
        let counts = by_kind.entry(row.kind).or_default();
        counts.sentences += 1;
        counts.accepted += usize::from(accepted);
        counts.rejected += usize::from(!accepted);
        self.sentences += 1;
        let wrong = accepted != row.is_true;
        if row.is_true {
            self.true_sentences += 1;
            self.true_rejected += usize::from(wrong);
        } else {
            self.false_sentences += 1;
            self.false_accepted += usize::from(wrong);
        }
        if options.rows {
            self.rows.push(row.shown());
        }
        if wrong && options.failures {
            let reasons = report.sentences.iter().flat_map(|sentence| &sentence.reasons);
            let why: Vec<String> = reasons.map(|reason| format!("{} {}", reason.kind, reason.words)).collect();
            let what = if accepted { "accepted" } else { "rejected" };
            self.failures.push(format!("{what} {} ({})", row.shown(), why.join("; ")));
        }
    }
}
