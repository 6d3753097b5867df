//! Code actions: what would mend a sentence, as edits that the editor makes when its user says so.
//!
//! A citation that is offered in another's place, or for a sentence without one, was tried: it proves the sentence. What the notes say now
//! instead of something older is offered where it proves the sentence, too, or where a diagnostic then tells what has to change with it.

use std::collections::HashMap;
use std::ops::Range;

use lsp_types::{
    CodeAction, CodeActionKind, DocumentChanges, OneOf, OptionalVersionedTextDocumentIdentifier, TextDocumentEdit,
    TextEdit, Uri, WorkspaceEdit,
};
use memora_engine::report::{
    CitationOutcome, CitationReport, ReasonCode, ReasonReport, SentenceReport, SentenceVerdict, VerifyReport,
    WireClaim, sanitize_for_model,
};
use memora_engine::{Door, Session};
use memora_service::ReadContext;

use crate::claims::{explain, statement, superseding};
use crate::completion::{find_statements, without_citations};
use crate::documents::Buffer;
use crate::edits::{Edit, insert_citation, leave_out, paragraph, replace_citation};
use crate::error::EditorError;
use crate::judge::{cited_claims, verify};
use crate::options::View;
use crate::places;
use crate::request::{EditorRequest, EgressItem, Response, items_of};

/// How many sentences of a selection are mended.
const SENTENCES_MAX: usize = 3;

/// How many statements are tried as a citation.
const TRIED_MAX: usize = 3;

/// A part of a document that the user wants mended.
pub(crate) struct FindFixes {
    pub(crate) uri: Uri,
    pub(crate) version: i32,
    pub(crate) buffer: Buffer,
    pub(crate) view: View,
    pub(crate) range: Range<usize>,
    /// Whether the user asked, and the editor does not only look whether there is anything.
    pub(crate) is_asked: bool,
}

impl EditorRequest for FindFixes {
    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response, EditorError> {
        let session = reading.session()?;
        let report = verify(&session, &self.buffer.text, &self.buffer, reading)?;
        let touches = |sentence: &&SentenceReport| {
            sentence.start <= self.range.end && self.range.start <= sentence.end && !sentence.text.trim().is_empty()
        };
        let mut finder = FixFinder {
            asked: self,
            session: &session,
            reading,
            report: &report,
            actions: Vec::new(),
            pieces: Vec::new(),
        };
        for sentence in report.sentences.iter().filter(touches).take(SENTENCES_MAX) {
            finder.mend(sentence)?;
        }
        let FixFinder { actions, pieces, .. } = finder;
        Response::new(&actions, pieces)
    }
}

struct FixFinder<'a, D: Door> {
    asked: &'a FindFixes,
    session: &'a Session<'a, D>,
    reading: &'a ReadContext<'a, D>,
    report: &'a VerifyReport<D>,
    actions: Vec<CodeAction>,
    pieces: Vec<EgressItem>,
}

impl<D: Door> FixFinder<'_, D> {
    fn mend(&mut self, sentence: &SentenceReport) -> Result<(), EditorError> {
        if sentence.verdict == SentenceVerdict::Uncited {
            return if self.asked.is_asked { self.offer_citations(sentence, None) } else { Ok(()) };
        }
        let is_wrong = !sentence.verdict.is_kept() && sentence.verdict != SentenceVerdict::Exempt;
        self.offer_words(sentence);
        for citation in sentence.citations.iter().filter(|citation| !citation.verdict.stands()) {
            self.replace(sentence, citation)?;
        }
        if is_wrong || sentence.verdict == SentenceVerdict::Paraphrased {
            let cited: Vec<WireClaim<D>> = cited_claims(sentence, self.report).take(1).cloned().collect();
            cited.iter().for_each(|claim| self.offer_own_words(sentence, claim));
        }
        if is_wrong {
            let out = leave_out(&self.asked.buffer.text, &(sentence.start..sentence.end));
            self.offer("Leave the sentence out".to_owned(), out, false);
        }
        Ok(())
    }

    /// Writes what the note has in the place of a value that disagrees. What stands the other way round, or is denied, is more than the words
    /// that are marked: there the note's own words are offered.
    fn offer_words(&mut self, sentence: &SentenceReport) {
        let is_value = |reason: &&ReasonReport| {
            use ReasonCode::{Date, Name, Number, Time, Unit};
            matches!(reason.kind, Number | Unit | Date | Time | Name)
        };
        let mendable = sentence.reasons.iter().filter(is_value).filter_map(|reason| {
            let instead = places::one_line(reason.instead.as_deref()?, usize::MAX);
            Some((Edit { range: reason.start?..reason.end?, with: instead }, reason))
        });
        let mendable: Vec<_> = mendable.collect();
        let is_only = mendable.len() == 1;
        for (edit, reason) in mendable {
            self.offer(format!("Write “{}” for “{}”", edit.with, reason.words), Some(edit), is_only);
        }
        self.pieces.extend(items_of(cited_claims(sentence, self.report)));
    }

    /// Cites something that holds in the place of a citation that does not stand.
    fn replace(&mut self, sentence: &SentenceReport, citation: &CitationReport) -> Result<(), EditorError> {
        let range = citation.start..citation.end;
        let why = match citation.verdict {
            CitationOutcome::Superseded => explain(self.session, citation.claim.as_deref())?,
            _ => None,
        };
        let newer: Vec<WireClaim<D>> = why.iter().flat_map(superseding).take(TRIED_MAX).cloned().collect();
        if newer.is_empty() {
            return self.offer_citations(sentence, Some(citation));
        }
        for claim in &newer {
            let old = citation.claim.as_deref().map(statement);
            let edit = replace_citation(&self.asked.buffer.text, &range, old, statement(claim.id()));
            // Where it would say something else in other words, nothing would tell: then only the note's own words are offered.
            let told = edit.as_ref().map(|edit| self.judge_with(edit, statement(claim.id()))).transpose()?.flatten();
            if told.is_some_and(|verdict| verdict.is_proven() || !verdict.is_kept()) {
                self.offer(format!("Cite what holds now: {}", describe(claim)), edit, false);
            }
            self.offer_own_words(sentence, claim);
        }
        Ok(())
    }

    /// Offers those of the nearest statements that prove the sentence: another that it is only about would lend it a citation.
    fn offer_citations(
        &mut self,
        sentence: &SentenceReport,
        failed: Option<&CitationReport>,
    ) -> Result<(), EditorError> {
        let (text, words) = (&self.asked.buffer.text, without_citations(&sentence.text));
        for claim in find_statements(&words, TRIED_MAX, &self.asked.buffer, self.session, self.reading)? {
            let id = statement(claim.id());
            let edit = match failed {
                Some(failed) => {
                    let old = failed.claim.as_deref().map(statement);
                    replace_citation(text, &(failed.start..failed.end), old, id)
                }
                None => insert_citation(text, &(sentence.start..sentence.end), id),
            };
            let Some(edit) = edit else { continue };
            if self.judge_with(&edit, id)?.is_some_and(SentenceVerdict::is_proven) {
                let title = if failed.is_some() { "Cite instead" } else { "Cite" };
                self.pieces.extend(items_of([&claim]));
                self.offer(format!("{title}: {}", describe(&claim)), Some(edit), false);
            }
        }
        Ok(())
    }

    /// The verdict on the sentence that cites a claim with an edit, in its paragraph.
    fn judge_with(&self, edit: &Edit, id: &str) -> Result<Option<SentenceVerdict>, EditorError> {
        let edited = edit.apply(&self.asked.buffer.text);
        let part = paragraph(&edited, &(edit.range.start..edit.range.start + edit.with.len()));
        let text = edited.get(part).unwrap_or_default();
        let report = verify(self.session, text, &self.asked.buffer, self.reading)?;
        let cites = |sentence: &&SentenceReport| {
            sentence.citations.iter().any(|cited| cited.claim.as_deref().map(statement) == Some(id))
        };
        Ok(report.sentences.iter().find(cites).map(|sentence| sentence.verdict))
    }

    /// Says it in the note's own words.
    fn offer_own_words(&mut self, sentence: &SentenceReport, claim: &WireClaim<D>) {
        let Some(place) = claim.place() else { return };
        let quote = place.quote.trim();
        // A row of a table or several lines are no sentence; and what is hidden in a note is not carried into another.
        if quote.contains(['\n', '|']) || quote.is_empty() || sanitize_for_model(quote) != quote {
            return;
        }
        let with = format!("{quote} [claim:{}]", statement(claim.id()));
        let edit = Edit { range: sentence.start..sentence.end, with };
        if self.asked.buffer.text.get(edit.range.clone()) == Some(&edit.with) {
            return;
        }
        self.pieces.extend(items_of([claim]));
        self.offer(format!("Use the note's own words: {}", describe(claim)), Some(edit), false);
    }

    fn offer(&mut self, title: String, edit: Option<Edit>, is_preferred: bool) {
        let Some(edit) = edit else { return };
        let edit = Some(self.workspace_edit(edit));
        if self.actions.iter().any(|known| known.edit == edit) {
            return;
        }
        self.actions.push(CodeAction {
            title: places::one_line(&title, 160),
            kind: Some(CodeActionKind::QUICKFIX),
            edit,
            is_preferred: is_preferred.then_some(true),
            ..CodeAction::default()
        });
    }

    fn workspace_edit(&self, edit: Edit) -> WorkspaceEdit {
        let FindFixes { uri, version, buffer, view, .. } = self.asked;
        let edit = TextEdit { range: buffer.lines.range(&buffer.text, &edit.range), new_text: edit.with };
        if !view.takes_versions {
            #[expect(clippy::mutable_key_type, reason = "the protocol's own type; what changes in it is not compared")]
            let changes = HashMap::from([(uri.clone(), vec![edit])]);
            return WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() };
        }
        let text_document = OptionalVersionedTextDocumentIdentifier { uri: uri.clone(), version: Some(*version) };
        let edits = vec![TextDocumentEdit { text_document, edits: vec![OneOf::Left(edit)] }];
        WorkspaceEdit { document_changes: Some(DocumentChanges::Edits(edits)), ..WorkspaceEdit::default() }
    }
}

/// Its words, shortened, and where they stand.
fn describe<D>(claim: &WireClaim<D>) -> String {
    let Some(place) = claim.place() else { return String::new() };
    format!("“{}” ({})", places::one_line(&place.quote, 80), places::name(place))
}
