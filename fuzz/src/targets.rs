//! What is fuzzed: one function for each kind of foreign text. Each may panic only where an invariant does not hold.
//!
//! `fuzz/fuzz_targets` calls them from cargo-fuzz, and `tests/hard/fuzzing.rs` with mutated texts of `fuzz/corpus` in each
//! run of the tests.

use std::io::Cursor;
use std::sync::LazyLock;

use memora_claim::{ClaimId, Decisions, ParsedNote, anchor_span};
use memora_engine::{FoundVault, MemoryAccess};
use memora_extract::{ClaimExtractor, ProposalReply};
use memora_mcp::{Audience, ServerSetup, ServerStop};
use memora_vault::{Hint as _, LinkIndex, Note, NotePath, PathContext};
use memora_verify::{
    CitationFailure, CitationResolution, CitedLink, CitedPassage, CitedQuote, Evidence, PlaceResolution, PlaceResolver,
};

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
    let mut end = 0;
    for group in memora_verify::find_citations(text) {
        assert!(text.get(group.range.clone()).is_some() && group.range.start >= end, "{:?}", group.range);
        end = group.range.end;
        assert!(group.items.iter().all(|item| text.get(item.range.clone()).is_some()), "{:?}", group.items);
    }
    for sentence in memora_verify::split_sentences(text) {
        assert!(text.get(sentence.range.clone()).is_some(), "{:?}", sentence.range);
    }
}

/// A draft, as a person or a model writes it, judged by a note of the same text. What is taken out of it is out for good.
pub fn drafts(text: &str) {
    let _ = memora_verify::plain_text(text);
    let _ = memora_verify::strip_addresses(text);
    let Ok(path) = NotePath::new("Folder/Note.md") else { return };
    let fresh = ParsedNote::new(Note::parse(path, text.to_owned(), PathContext::default()).0);
    let notes = OneNote(&fresh);
    let _ = memora_verify::check_draft(text, &notes);
    let check = |text: &str| Ok::<_, ()>(memora_verify::check_text(text, &[], &notes));
    let Ok(kept) = memora_verify::remove_unsupported(text, check) else { return };
    assert_eq!(memora_verify::remove_unsupported(&kept, check).as_ref(), Ok(&kept));
}

/// A vault of one note, in which every citation leads to one of its first statements.
struct OneNote<'n>(&'n ParsedNote);

impl OneNote<'_> {
    fn passage(&self, number: usize) -> Option<CitedPassage> {
        let statements = self.0.statements();
        let statement = statements.get(number % statements.len().clamp(1, 8))?;
        let place = anchor_span(self.0, statement.span);
        Some(CitedPassage::from_rechecked(&place.recheck(self.0).ok()?))
    }

    fn place(&self, number: usize) -> PlaceResolution {
        let missing = PlaceResolution::Failed(CitationFailure::UnknownPlace);
        self.passage(number).map_or(missing, |passage| PlaceResolution::Resolved(vec![vec![passage]]))
    }
}

impl Evidence for OneNote<'_> {
    fn resolve_id(&self, id: &ClaimId) -> CitationResolution {
        let missing = CitationResolution::Failed(CitationFailure::UnknownId);
        self.passage(id.to_string().bytes().map(usize::from).sum()).map_or(missing, CitationResolution::Resolved)
    }

    fn resolve_handle(&self, _: &str) -> CitationResolution {
        CitationResolution::Failed(CitationFailure::Redacted)
    }
}

impl PlaceResolver for OneNote<'_> {
    fn resolve_link(&self, _: &CitedLink) -> PlaceResolution {
        self.place(0)
    }

    fn resolve_quote(&self, _: &CitedQuote) -> PlaceResolution {
        self.place(1)
    }
}

/// Lines that a client of the MCP server sends behind its handshake. No panic of the server's ends a thread in silence.
pub fn mcp_frames(text: &str) {
    static VAULT: LazyLock<Option<tempfile::TempDir>> = LazyLock::new(|| {
        let folder = tempfile::tempdir().ok()?;
        for name in ["vault", "state"] {
            std::fs::create_dir(folder.path().join(name)).ok()?;
        }
        std::fs::write(folder.path().join("vault/Anna.md"), "Anna works at Tidewell since May 2025.\n").ok()?;
        Some(folder)
    });
    let Some(folder) = VAULT.as_ref().map(tempfile::TempDir::path) else { return };
    let today = jiff::civil::date(2025, 12, 31);
    let state = || Some(folder.join("state"));
    let Ok(config) = memora_engine::Config::load(state(), state(), today) else { return };
    let Ok(vault) = FoundVault::find(Some(&folder.join("vault")), config) else { return };
    let setup = ServerSetup {
        vault,
        client: Audience::Cloud,
        allow_capture: false,
        memory: MemoryAccess::Read,
        project: None,
        form: memora_mcp::AnswerForm::Text,
        today: Box::new(move || today),
        stop: ServerStop::default(),
    };
    let hello = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"fuzz","version":"0"}}}"#;
    let ready = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let lines = format!("{hello}\n{ready}\n{text}\n");
    let served = memora_mcp::serve_on(setup, Cursor::new(lines.into_bytes()), Vec::new());
    assert!(served.is_ok(), "{served:?}");
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
