//! What is fuzzed: one function for each kind of foreign text. Each may panic only where an invariant does not hold.
//!
//! `fuzz/fuzz_targets` calls them from cargo-fuzz, and `tests/hard/fuzzing.rs` with mutated texts of `fuzz/corpus` in each
//! run of the tests.

use memora_claim::{ClaimId, Decisions, ParsedNote, anchor_span};
use memora_extract::{ClaimExtractor, ProposalReply};
use memora_vault::{Hint as _, LinkIndex, Note, NotePath, PathContext};

/// A note: parsed, split, anchored, re-read, claims drawn from it. Every source holds in the note that it was made from.
pub fn notes(text: &str) {
    let Ok(path) = NotePath::new("Folder/Note.md") else { return };
    let (note, _) = Note::parse(path, text.to_owned(), PathContext::default());
    let fresh = ParsedNote::new(note);
    let extractor = ClaimExtractor::default();
    for statement in fresh.statements().iter().take(64) {
        let source = anchor_span(&fresh, statement.span);
        let found = source.recheck(&fresh);
        assert!(found.is_ok(), "a statement does not hold in its own note: {statement:?}, {:?}", found.err());
        assert!(statement.band >= fresh.note().band_of_range(statement.span.range()), "{statement:?}");
        let _ = extractor.extract_claims(fresh.note(), statement);
    }
}

/// Front matter, above a public line.
pub fn front_matter(text: &str) {
    notes(&format!("---\n{text}\n---\n\nAnna works at Tidewell.\n"));
}

/// Citations in a text: their bytes lie in it, in order.
pub fn citations(text: &str) {
    let _ = ClaimId::parse(ClaimId::strip_citation(text));
    for sentence in memora_verify::split_sentences(text) {
        let _ = sentence.text.len();
    }
}

/// A draft, as a person or a model writes it.
pub fn drafts(text: &str) {
    let _ = memora_verify::plain_text(text);
    let _ = memora_verify::strip_addresses(text);
    citations(text);
}

/// A model's reply with proposals of claims.
pub fn model_replies(text: &str) {
    let _ = ProposalReply::parse(text);
}

/// The user's `config.toml`, as each command reads it.
pub fn config(text: &str) {
    let Ok(folder) = tempfile::tempdir() else { return };
    if std::fs::write(folder.path().join("config.toml"), text).is_err() {
        return;
    }
    let path = || Some(folder.path().to_owned());
    match memora_engine::Config::load(path(), path(), jiff::civil::date(2025, 12, 31)) {
        Ok(config) => drop(config.misread_bands().len()),
        Err(error) => assert!(!error.hint().is_empty(), "no hint: {error}"),
    }
}

/// The log of decisions: unreadable lines are listed, and the others are kept.
pub fn decisions(text: &str) {
    let read = Decisions::parse(text);
    assert!(read.all_by_time().len() + read.unreadable_lines().len() <= text.lines().count());
}

/// Targets of links, each line one, against notes of the same names.
pub fn links(text: &str) {
    let paths: Vec<NotePath> = text.lines().take(64).filter_map(|line| NotePath::new(line).ok()).collect();
    let none: &[String] = &[];
    let index = LinkIndex::new(paths.iter().map(|path| (path, none)));
    for (from, target) in paths.iter().zip(text.lines()) {
        let _ = index.resolve(from, target);
    }
}
