//! `mutations VAULT`: true paraphrases of a vault's sentences, and false variants that differ from them in one thing.
//!
//! Tests the checker by its contract (`docs/citations.md`), independently of its implementation. **A wrong label is
//! worse than a missing sentence**: only certain variants are written, doubtful ones are left out. A sentence is
//! accepted if its whole text, markers included, is `verified` or `quoted`. The same seed gives the same sentences.

mod citation_placement;
mod date_forms;
mod editable_sentence;
mod fact_forms;
mod facts;
mod generate;
mod grammar;
mod judge;
mod number_forms;
mod paraphrases;
mod random;
mod retracted;
mod substitutions;
mod synonyms;
#[cfg(test)]
mod tests;
mod transitive;
mod verb_forms;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use memora_engine::report::{ClaimState, VerifyReport};
use memora_engine::{ClaimId, LocalDoor};
use memora_vault::{Note, PlaceRules, Vault};
use serde::Serialize;

use crate::indexed_vault::{IndexedVault, SearchSetup};
use crate::ratio;
use facts::FactCorpus;
use generate::MutationRow;
use judge::{is_accepted, verify_text};

/// What is written, and what is printed of it.
#[derive(clap::Args)]
pub(crate) struct MutationOptions {
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
pub(crate) struct MutationCounts {
    sentences: usize,
    accepted: usize,
    rejected: usize,
    accepted_share: f64,
}

/// Counts and shares over all sentences; misjudged sentences come first.
#[derive(Debug, Default, Serialize)]
pub(crate) struct MutationFigures {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failures: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rows: Vec<String>,
    seed: u64,
    /// Statements that the sentences were derived from.
    facts: usize,
    sentences: usize,
    true_sentences: usize,
    true_rejected: usize,
    true_rejected_share: f64,
    false_sentences: usize,
    false_accepted: usize,
    false_accepted_share: f64,
    true_by_kind: BTreeMap<&'static str, MutationCounts>,
    false_by_kind: BTreeMap<&'static str, MutationCounts>,
}

pub(crate) fn measure(vault: &Path, options: &MutationOptions) -> Result<MutationFigures> {
    let mut world = FactCorpus::from_notes(read_notes(vault)?);
    let opened = IndexedVault::new(vault, &SearchSetup::default())?;
    let session = opened.memora.session(LocalDoor)?;
    // Citing a superseded claim always fails, so such facts are left out.
    world.retain_facts(|fact| {
        Ok(session.catalog().explain_claim(&ClaimId::parse(&fact.id)?)?.status == ClaimState::Current)
    })?;
    let mut figures = MutationFigures { seed: options.seed, facts: world.facts.len(), ..MutationFigures::default() };
    for row in generate::generate_rows(&world, options.seed, options.limit) {
        // A carrier that already fails on its own cannot show whether the hidden part was noticed.
        if let Some(carrier) = &row.carrier
            && !is_accepted(&verify_text(&session, carrier)?)
        {
            continue;
        }
        figures.count_row(&row, &verify_text(&session, &row.text)?, options);
    }
    for (row, report) in retracted::verify_retracted(vault, &world, options.seed, options.limit)? {
        figures.count_row(&row, &report, options);
    }
    for counts in figures.true_by_kind.values_mut().chain(figures.false_by_kind.values_mut()) {
        counts.accepted_share = ratio(counts.accepted, counts.sentences);
    }
    figures.true_rejected_share = ratio(figures.true_rejected, figures.true_sentences);
    figures.false_accepted_share = ratio(figures.false_accepted, figures.false_sentences);
    Ok(figures)
}

/// Reads every note of a vault from disk.
fn read_notes(root: &Path) -> Result<Vec<Note>> {
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

impl MutationFigures {
    fn count_row(&mut self, row: &MutationRow, report: &VerifyReport<LocalDoor>, options: &MutationOptions) {
        let accepted = is_accepted(report);
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
            self.rows.push(row.describe());
        }
        if wrong && options.failures {
            let reasons = report.sentences.iter().flat_map(|sentence| &sentence.reasons);
            let why: Vec<String> = reasons.map(|reason| format!("{} {}", reason.kind, reason.words)).collect();
            let what = if accepted { "accepted" } else { "rejected" };
            self.failures.push(format!("{what} {} ({})", row.describe(), why.join("; ")));
        }
    }
}
