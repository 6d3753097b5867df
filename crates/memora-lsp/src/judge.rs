//! What is wrong in a document: its sentences that cite, judged against the notes as they are.
//!
//! Invariant: **the editor's text is judged, not the file's, and every verdict was made of words re-read in that request.** A note
//! without a citation is not even read.

use std::ops::Range;
use std::str::FromStr as _;
use std::sync::LazyLock;

use lsp_types::{CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, NumberOrString, Uri};
use memora_engine::report::{
    CitationOutcome, CitationReport, ReasonReport, SentenceReport, SentenceVerdict, Strictness, VerifyReport, WireClaim,
};
use memora_engine::{Door, Memora, Session, VerifyInput};
use memora_service::ReadContext;
use serde_json::Value;

use crate::claims::{explain, statement, superseding};
use crate::documents::{Buffer, TEXT_MAX};
use crate::error::EditorError;
use crate::options::View;
use crate::places;
use crate::request::{EditorRequest, EgressItem, Response, items_of};

/// The name of this program, on each diagnostic.
const SOURCE: &str = "memora";

/// The most passages that stand beside one diagnostic.
const RELATED_MAX: usize = 4;

/// The longest words of a note beside one, in characters.
const QUOTE_MAX: usize = 300;

/// A text to be judged.
pub(crate) struct Judge {
    pub(crate) buffer: Buffer,
    pub(crate) view: View,
    /// What was published of it last: if that is so still, nothing is sent.
    pub(crate) published: Option<Value>,
    /// Whether it can be judged later, when the notes are indexed.
    pub(crate) may_wait: bool,
}

/// The answer where a text is to be judged later: what the index does not have yet would be called unknown.
pub(crate) const LATER: Value = Value::Bool(false);

impl EditorRequest for Judge {
    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response, EditorError> {
        let (diagnostics, pieces) = match may_cite(&self.buffer.text, &self.view) {
            true => self.judge(reading)?,
            false => (Vec::new(), Vec::new()),
        };
        if self.may_wait && !reading.freshness().fresh && !diagnostics.is_empty() {
            return Ok(Response { value: LATER, pieces: Vec::new() });
        }
        let response = Response::new(&diagnostics, pieces)?;
        let is_known = match &self.published {
            Some(before) => response.value == *before,
            None => diagnostics.is_empty(),
        };
        Ok(if is_known { Response::nothing() } else { response })
    }
}

impl Judge {
    fn judge<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<(Vec<Diagnostic>, Vec<EgressItem>), EditorError> {
        let session = reading.session()?;
        let report = verify(&session, &self.buffer.text, &self.buffer, reading)?;
        let mut writer = DiagnosticWriter {
            buffer: &self.buffer,
            view: &self.view,
            memora: reading.memora(),
            session: &session,
            report: &report,
            diagnostics: Vec::new(),
            pieces: Vec::new(),
        };
        for sentence in report.sentences.iter().filter(|sentence| is_judged(sentence, &self.view)) {
            writer.add_sentence(sentence)?;
        }
        let DiagnosticWriter { diagnostics, pieces, .. } = writer;
        Ok((diagnostics, pieces))
    }
}

/// Verifies a text as a part of a document.
pub(crate) fn verify<D: Door>(
    session: &Session<'_, D>,
    text: &str,
    of: &Buffer,
    reading: &ReadContext<'_, D>,
) -> Result<VerifyReport<D>, EditorError> {
    let strictness = if reading.memora().config().strict { Strictness::Proven } else { Strictness::Loose };
    let input = VerifyInput::from_text(text).with_strictness(strictness);
    let input = match &of.path {
        Some(path) if may_know(session, of, reading)? => input.within_file(path, reading.memora().vault()),
        _ => input,
    };
    Ok(session.verifier().verify_text(&input, reading.freshness())?)
}

/// Whether the door may know that there is such a note. Otherwise a link to itself would tell.
fn may_know<D: Door>(session: &Session<'_, D>, of: &Buffer, reading: &ReadContext<'_, D>) -> Result<bool, EditorError> {
    match of.note_path(reading.memora().vault().root()) {
        Some(path) => Ok(session.catalog().read_page(&path)?.is_some()),
        None => Ok(false),
    }
}

/// Whether a text may have a sentence that is judged: a quick look, which errs on the side of yes.
pub(crate) fn may_cite(text: &str, view: &View) -> bool {
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if text.len() > TEXT_MAX {
        return false;
    }
    view.uncited
        || has_word(text, b"claim")
        || has_word(text, b"cite")
        || view.links && has(&["[[", "](", "\"", "“", "„", "«", "「", ">"])
}

fn has_word(text: &str, word: &[u8]) -> bool {
    text.as_bytes().windows(word.len()).any(|bytes| bytes.eq_ignore_ascii_case(word))
}

/// Whether a sentence is judged: it cites by a marker or a footnote; by a link or a quotation, if the editor asked for that. Links are
/// everywhere in notes, and most of them only mention.
pub(crate) fn is_judged(sentence: &SentenceReport, view: &View) -> bool {
    match sentence.citations.is_empty() {
        true => view.uncited && sentence.verdict == SentenceVerdict::Uncited,
        false => view.links || sentence.citations.iter().any(is_marker),
    }
}

/// Whether a citation is written as one, and is neither a link nor a quotation.
fn is_marker(citation: &CitationReport) -> bool {
    let marker = citation.marker.trim_start();
    let is_named = marker.get(..6).is_some_and(|name| name.eq_ignore_ascii_case("claim:"));
    let is_marked = marker.get(..7).is_some_and(|name| name.eq_ignore_ascii_case("[claim:"));
    citation.verdict == CitationOutcome::Malformed
        || is_named
        || is_marked
        || marker.starts_with("[^")
        || is_bare_id(marker)
}

/// Whether it is an id in a list: `[claim:a; b]`.
fn is_bare_id(marker: &str) -> bool {
    memora_engine::ClaimId::parse(marker).is_ok() || marker.starts_with('~')
}

/// The claims of a report that a sentence cites.
pub(crate) fn cited_claims<'r, D>(
    sentence: &'r SentenceReport,
    report: &'r VerifyReport<D>,
) -> impl Iterator<Item = &'r WireClaim<D>> {
    let cited: Vec<&str> =
        sentence.citations.iter().filter_map(|cited| Some(statement(cited.claim.as_deref()?))).collect();
    report.claims.iter().filter(move |claim| cited.contains(&statement(claim.id())))
}

/// Writes down what is wrong.
struct DiagnosticWriter<'a, D: Door> {
    buffer: &'a Buffer,
    view: &'a View,
    memora: &'a Memora,
    session: &'a Session<'a, D>,
    report: &'a VerifyReport<D>,
    diagnostics: Vec<Diagnostic>,
    pieces: Vec<EgressItem>,
}

impl<D: Door> DiagnosticWriter<'_, D> {
    /// Adds one for each citation that fails, and one for each reason.
    fn add_sentence(&mut self, sentence: &SentenceReport) -> Result<(), EditorError> {
        for citation in &sentence.citations {
            if !self.is_being_written(citation) {
                self.add_citation(citation)?;
            }
        }
        match sentence.verdict {
            SentenceVerdict::Contradicted | SentenceVerdict::Unsupported => {
                sentence.reasons.iter().for_each(|reason| self.add_reason(reason, sentence));
                if sentence.reasons.is_empty() {
                    self.add_verdict(sentence, DiagnosticSeverity::ERROR);
                }
            }
            SentenceVerdict::Paraphrased if self.memora.config().strict => {
                self.add_verdict(sentence, DiagnosticSeverity::WARNING);
            }
            SentenceVerdict::Uncited if self.view.uncited => {
                self.add_verdict(sentence, DiagnosticSeverity::INFORMATION);
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether the user is writing a citation that cannot be read yet.
    fn is_being_written(&self, citation: &CitationReport) -> bool {
        let at = self.buffer.typed_at;
        citation.verdict == CitationOutcome::Malformed
            && at.is_some_and(|at| citation.start <= at && at <= citation.end.saturating_add(1))
    }

    fn add_citation(&mut self, citation: &CitationReport) -> Result<(), EditorError> {
        let Some(severity) = severity(citation.verdict) else { return Ok(()) };
        let message = format!("{}: {}", citation.verdict, citation.explanation);
        let code = citation.verdict.to_string();
        let written = self.write(citation.start..citation.end, severity, code, "verdicts-on-a-citation", message);
        let why = match citation.verdict {
            CitationOutcome::Superseded => explain(self.session, citation.claim.as_deref())?,
            _ => None,
        };
        self.add(written, why.iter().flat_map(superseding).cloned().collect());
        Ok(())
    }

    fn add_reason(&mut self, reason: &ReasonReport, sentence: &SentenceReport) {
        let words = reason.start.zip(reason.end).map(|(start, end)| start..end);
        let range = words.unwrap_or(sentence.start..sentence.end);
        let message = format!("{}: {}", sentence.verdict.as_str(), reason.explanation);
        let code = sentence.verdict.as_str().to_owned();
        let written = self.write(range, DiagnosticSeverity::ERROR, code, "verdicts-on-a-sentence", message);
        self.add(written, cited_claims(sentence, self.report).cloned().collect());
    }

    fn add_verdict(&mut self, sentence: &SentenceReport, severity: DiagnosticSeverity) {
        let verdict = sentence.verdict;
        let message = format!("{}: {}", verdict.as_str(), verdict.explanation());
        let range = sentence.start..sentence.end;
        let written = self.write(range, severity, verdict.as_str().to_owned(), "verdicts-on-a-sentence", message);
        self.add(written, cited_claims(sentence, self.report).cloned().collect());
    }

    fn write(
        &self,
        range: Range<usize>,
        severity: DiagnosticSeverity,
        code: String,
        section: &str,
        message: String,
    ) -> Diagnostic {
        Diagnostic {
            range: self.buffer.lines.range(&self.buffer.text, &range),
            severity: Some(severity),
            code: Some(NumberOrString::String(code)),
            code_description: describe(section),
            source: Some(SOURCE.to_owned()),
            message: places::one_line(&message, 1_000),
            ..Diagnostic::default()
        }
    }

    /// Adds a diagnostic with its passages: beside it, or in its words for an editor that shows nothing beside.
    fn add(&mut self, mut written: Diagnostic, passages: Vec<WireClaim<D>>) {
        let root = self.memora.vault().root();
        let shown = passages.iter().filter_map(WireClaim::place).take(RELATED_MAX);
        if self.view.shows_related {
            let related = shown.filter_map(|place| {
                let location = places::location(root, place, self.view.units)?;
                Some(DiagnosticRelatedInformation { location, message: places::one_line(&place.quote, QUOTE_MAX) })
            });
            let related: Vec<_> = related.collect();
            written.related_information = Some(related).filter(|related| !related.is_empty());
        } else {
            for place in shown.take(1) {
                let quote = places::one_line(&place.quote, QUOTE_MAX);
                written.message.push_str(&format!("; the note ({}): {quote}", places::name(place)));
            }
        }
        self.pieces.extend(items_of(&passages));
        self.diagnostics.push(written);
    }
}

/// How bad a citation is; `None` where it stands as it should.
fn severity(verdict: CitationOutcome) -> Option<DiagnosticSeverity> {
    match verdict {
        CitationOutcome::Verified => None,
        CitationOutcome::Moved => Some(DiagnosticSeverity::INFORMATION),
        CitationOutcome::Superseded
        | CitationOutcome::Captured
        | CitationOutcome::Ambiguous
        | CitationOutcome::Itself
        | CitationOutcome::NotOffered
        | CitationOutcome::Redacted => Some(DiagnosticSeverity::WARNING),
        CitationOutcome::Changed
        | CitationOutcome::Malformed
        | CitationOutcome::MissingNote
        | CitationOutcome::UnknownId
        | CitationOutcome::UnknownPlace
        | CitationOutcome::Withdrawn => Some(DiagnosticSeverity::ERROR),
    }
}

/// Where a verdict is explained.
pub(crate) fn describe(section: &str) -> Option<CodeDescription> {
    static BASE: LazyLock<String> =
        LazyLock::new(|| format!("{}/blob/main/docs/citations.md", env!("CARGO_PKG_REPOSITORY")));
    let href = Uri::from_str(&format!("{}#{section}", *BASE)).ok()?;
    Some(CodeDescription { href })
}
