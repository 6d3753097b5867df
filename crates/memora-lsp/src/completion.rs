//! Completion behind `[claim:`: the statements that come nearest to the sentence so far.

use std::ops::Range;

use lsp_types::{CompletionItem, CompletionItemKind, CompletionList, CompletionTextEdit, Documentation, TextEdit};
use memora_engine::report::{WireClaim, WirePlace};
use memora_engine::{Door, SearchOptions, Session};
use memora_service::ReadContext;

use crate::claims::statement;
use crate::documents::Buffer;
use crate::error::EditorError;
use crate::places;
use crate::position::floor_boundary;
use crate::request::{EditorRequest, Response, items_of};

/// How many statements are offered.
const OFFERED_MAX: usize = 8;

/// How far a marker is looked for before the cursor, and how much of a sentence is searched for, in bytes.
const TYPED_MAX: usize = 120;
const SENTENCE_MAX: usize = 300;

/// What begins a citation.
const MARKER: &str = "[claim:";

/// A cursor where a citation may be completed.
pub(crate) struct Complete {
    pub(crate) buffer: Buffer,
    pub(crate) at: usize,
}

impl EditorRequest for Complete {
    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response, EditorError> {
        let text = &self.buffer.text;
        let Some(begun) = find_marker(text, self.at) else { return Ok(Response::nothing()) };
        let typed = text.get(begun..self.at).unwrap_or_default();
        let words = format!("{} {typed}", sentence_before(text, begun.saturating_sub(MARKER.len())));
        let session = reading.session()?;
        let found = find_statements(&words, OFFERED_MAX, &self.buffer, &session, reading)?;
        let range = begun..self.at;
        let items = found.iter().enumerate().filter_map(|(at, claim)| self.offer(at, claim, &range, typed)).collect();
        Response::new(&CompletionList { is_incomplete: true, items }, items_of(&found))
    }
}

impl Complete {
    fn offer<D>(
        &self,
        at: usize,
        claim: &WireClaim<D>,
        typed_range: &Range<usize>,
        typed: &str,
    ) -> Option<CompletionItem> {
        let place = claim.place()?;
        let is_closed = self.buffer.text.get(self.at..).is_some_and(|rest| rest.starts_with(']'));
        let close = if is_closed { "" } else { "]" };
        let edit = TextEdit {
            range: self.buffer.lines.range(&self.buffer.text, typed_range),
            new_text: format!("{}{close}", statement(claim.id())),
        };
        Some(CompletionItem {
            label: places::one_line(&place.quote, 80),
            kind: Some(CompletionItemKind::REFERENCE),
            detail: Some(places::name(place)),
            documentation: Some(Documentation::String(document(claim, place))),
            sort_text: Some(format!("{at:02}")),
            // Whatever was typed is of the search, and nothing for the editor to filter by.
            filter_text: Some(typed.to_owned()).filter(|typed| !typed.is_empty()),
            text_edit: Some(CompletionTextEdit::Edit(edit)),
            ..CompletionItem::default()
        })
    }
}

fn document<D>(claim: &WireClaim<D>, place: &WirePlace<D>) -> String {
    format!("{}\n{}", places::one_line(&claim.context().join(" › "), 300), places::one_line(&place.quote, 600))
}

/// Finds the statements that come nearest to words, none of the document's own.
pub(crate) fn find_statements<D: Door>(
    words: &str,
    limit: usize,
    own: &Buffer,
    session: &Session<'_, D>,
    reading: &ReadContext<'_, D>,
) -> Result<Vec<WireClaim<D>>, EditorError> {
    if words.trim().is_empty() {
        return Ok(Vec::new());
    }
    let options = SearchOptions {
        // Some may be other readings of the same words, or stand in the document itself.
        limit: limit.saturating_mul(3),
        hits_only: true,
        without_likeness: true,
        is_statement: true,
        ..SearchOptions::default()
    };
    let report = session.search().report_claims(words, &options, reading.freshness())?;
    let own = own.note_path(reading.memora().vault().root());
    let mut found: Vec<WireClaim<D>> = Vec::new();
    for claim in report.hits.into_iter().map(|hit| hit.claim) {
        let is_own = claim.place().is_none_or(|place| own.as_ref().is_some_and(|own| own.as_str() == place.path));
        let is_known = found.iter().any(|known| statement(known.id()) == statement(claim.id()));
        if !is_own && !is_known && found.len() < limit {
            found.push(claim);
        }
    }
    Ok(found)
}

/// Where the citation that the cursor stands in begins, behind its colon.
fn find_marker(text: &str, at: usize) -> Option<usize> {
    let from = floor_boundary(text, at.saturating_sub(TYPED_MAX));
    let before = text.get(from..at)?;
    let begun = before.to_ascii_lowercase().rfind(MARKER)? + MARKER.len();
    let typed = before.get(begun..)?;
    (!typed.contains([']', '\n', '\r'])).then_some(from + begun)
}

/// The sentence that stands before an offset: of a paragraph the last, without citations.
fn sentence_before(text: &str, at: usize) -> String {
    let from = floor_boundary(text, at.saturating_sub(SENTENCE_MAX));
    let before = text.get(from..at).unwrap_or_default();
    let paragraph = before.rsplit("\n\n").next().unwrap_or_default();
    let paragraph = paragraph.rsplit("\r\n\r\n").next().unwrap_or_default();
    let bare = without_citations(paragraph);
    let ended = bare.trim_end().trim_end_matches(['.', '!', '?', '…', '。']);
    let begun = [". ", "! ", "? ", ".\n", "。"].iter().filter_map(|end| Some(ended.rfind(end)? + end.len())).max();
    ended.get(begun.unwrap_or(0)..).unwrap_or_default().trim().to_owned()
}

/// A text without what stands in markers.
pub(crate) fn without_citations(text: &str) -> String {
    let mut bare = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(MARKER) {
        bare.push_str(before);
        rest = behind.split_once(']').map_or("", |(_, rest)| rest);
    }
    bare.push_str(rest);
    bare
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_marker_that_the_cursor_stands_in_is_found() {
        let at = |text: &str| find_marker(text, text.len());
        assert_eq!(at("é [claim:"), Some("é [claim:".len()));
        assert_eq!(at("A [Claim:drift ru"), Some("A [claim:".len()));
        for text in ["", "claim:", "[claim:abc]", "[claim:abc] and", "[claim:\nx"] {
            assert_eq!(at(text), None, "{text}");
        }
        assert_eq!(find_marker(&"é".repeat(200), 399), None, "in the middle of a character there is none");
    }

    #[test]
    fn the_sentence_so_far_is_the_last_one() {
        for (text, expect) in [
            ("One is. Two was [claim:", "Two was"),
            ("One is. Two was. [claim:", "Two was"),
            ("Old.\n\nOne [claim:abc] two [claim:", "One  two"),
            ("[claim:", ""),
        ] {
            assert_eq!(sentence_before(text, text.len() - MARKER.len()), expect, "{text}");
        }
    }
}
