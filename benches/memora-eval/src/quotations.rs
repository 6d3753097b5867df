//! `quotations VAULT`: every statement of a vault, written as `text [claim:id]`.
//!
//! Each is one sentence, and its own words, whatever the statement is: a row of a table, a task, a label, lines of code. It is
//! written twice: in its words without markup, and as it stands in the file.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use memora_claim::{Statement, split_statements};
use memora_engine::report::{CitationOutcome, Freshness, SentenceVerdict, VerifyReport};
use memora_engine::{LocalDoor, Session, VerifyInput};
use memora_vault::{Note, PlaceRules, Vault};
use serde::Serialize;

use crate::indexed_vault::{IndexedVault, SearchSetup};
use crate::ratio;

/// How the statements of one form of writing were judged.
#[derive(Debug, Default, Serialize)]
pub(crate) struct QuotationCounts {
    statements: usize,
    /// One sentence, and quoted.
    exact: usize,
    exact_share: f64,
    /// More sentences than one, or none.
    split: usize,
    /// One sentence with another verdict, by verdict.
    other: BTreeMap<&'static str, usize>,
}

/// The figures over all statements; those that were judged otherwise come first.
#[derive(Debug, Default, Serialize)]
pub(crate) struct QuotationFigures {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failures: Vec<String>,
    /// Statements that can be cited.
    statements: usize,
    /// Statements that cannot, by the verdict on their citation: they were superseded, or a machine wrote them.
    not_citable: BTreeMap<&'static str, usize>,
    words: QuotationCounts,
    as_written: QuotationCounts,
    /// Both forms of both.
    exact_share: f64,
    by_kind: BTreeMap<&'static str, usize>,
}

impl QuotationCounts {
    fn add(&mut self, report: &VerifyReport<LocalDoor>) -> bool {
        self.statements += 1;
        match report.sentences.as_slice() {
            [one] if one.verdict == SentenceVerdict::Quoted => {
                self.exact += 1;
                return true;
            }
            [one] => *self.other.entry(one.verdict.as_str()).or_default() += 1,
            _ => self.split += 1,
        }
        false
    }
}

pub(crate) fn measure(vault: &Path, failures: bool) -> Result<QuotationFigures> {
    let opened = IndexedVault::new(vault, &SearchSetup::default())?;
    let session = opened.memora.session(LocalDoor)?;
    let mut figures = QuotationFigures::default();
    for note in read_notes(vault)? {
        for statement in split_statements(&note) {
            judge_statement(&session, &note, &statement, failures, &mut figures)?;
        }
    }
    let exact = figures.words.exact + figures.as_written.exact;
    figures.exact_share = ratio(exact, figures.words.statements + figures.as_written.statements);
    for counts in [&mut figures.words, &mut figures.as_written] {
        counts.exact_share = ratio(counts.exact, counts.statements);
    }
    Ok(figures)
}

fn judge_statement(
    session: &Session<'_, LocalDoor>,
    note: &Note,
    statement: &Statement,
    failures: bool,
    figures: &mut QuotationFigures,
) -> Result<()> {
    let fresh = Freshness { fresh: true, pending: 0 };
    let verify = |text: &str| session.verifier().verify_text(&VerifyInput::from_text(text.to_owned()), fresh);
    // A bare citation says whether it can be cited at all.
    let cited = verify(&format!("x [claim:{}]", statement.id))?;
    let outcome = cited.sentences.first().and_then(|sentence| sentence.citations.first()).map(|one| one.verdict);
    if !matches!(outcome, Some(CitationOutcome::Verified | CitationOutcome::Moved)) {
        let why = outcome.map_or("none", CitationOutcome::as_str);
        *figures.not_citable.entry(why).or_default() += 1;
        return Ok(());
    }
    figures.statements += 1;
    *figures.by_kind.entry(statement.kind.as_str()).or_default() += 1;
    let quote = note.slice(statement.span).to_owned();
    for (form, as_written) in [(&statement.words, false), (&quote, true)] {
        let report = verify(&format!("{form} [claim:{}]", statement.id))?;
        let counts = if as_written { &mut figures.as_written } else { &mut figures.words };
        if !counts.add(&report) && failures {
            let verdicts: Vec<&str> = report.sentences.iter().map(|sentence| sentence.verdict.as_str()).collect();
            let kind = statement.kind.as_str();
            figures.failures.push(format!("{kind} {}: {form} [claim:{}]", verdicts.join(" "), statement.id));
        }
    }
    Ok(())
}

fn read_notes(folder: &Path) -> Result<Vec<Note>> {
    let vault = Vault::open(folder, &PlaceRules::default()).with_context(|| folder.display().to_string())?;
    let read = |found: memora_vault::FoundNote| {
        let text = vault.read_note(&found.path).ok()?;
        Some(Note::parse(found.path, text, found.place).0)
    };
    Ok(vault.walk().notes.into_iter().filter_map(read).collect())
}
