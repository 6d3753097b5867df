//! At the cursor: what a citation rests on, where that stands, and what rests on it.

use std::ops::Range;

use lsp_types::{Hover as LspHover, HoverContents, Location, MarkupContent, MarkupKind};
use memora_engine::report::{
    CitationReport, ClaimStatus, EdgeDirection, EdgeLabel, PassageLine, SentenceReport, WhyReport, WireClaim,
};
use memora_engine::{Door, NotePath, Session};
use memora_service::ReadContext;

use crate::claims::{explain, statement, superseding};
use crate::documents::Buffer;
use crate::error::EditorError;
use crate::judge::{may_cite, verify};
use crate::options::View;
use crate::places;
use crate::request::{EditorRequest, EgressItem, Response, items_of};

/// How many places of a claim a hover shows.
const PLACES_MAX: usize = 3;

/// How many statements stand before and behind the one that is cited.
const AROUND: usize = 2;

/// The longest line of a hover, in characters.
const LINE_MAX: usize = 600;

/// An offset in a document.
pub(crate) struct Cursor {
    pub(crate) buffer: Buffer,
    pub(crate) view: View,
    pub(crate) at: usize,
}

/// A citation at the cursor, with its sentence.
struct CitationAt {
    sentence: SentenceReport,
    citation: CitationReport,
}

impl CitationAt {
    fn range(&self) -> Range<usize> {
        self.citation.start..self.citation.end
    }
}

impl Cursor {
    /// The citation at the cursor: of several, the shortest. Links and quotations cite here, whether or not they are judged.
    fn find_citation<D: Door>(
        &self,
        session: &Session<'_, D>,
        reading: &ReadContext<'_, D>,
    ) -> Result<Option<CitationAt>, EditorError> {
        if !may_cite(&self.buffer.text, &View { links: true, ..self.view }) {
            return Ok(None);
        }
        let report = verify(session, &self.buffer.text, &self.buffer, reading)?;
        let touches = |start: usize, end: usize| start <= self.at && self.at <= end;
        let sentences = report.sentences.into_iter().filter(|sentence| touches(sentence.start, sentence.end));
        let cited = sentences.flat_map(|sentence| {
            let citations = sentence.citations.clone();
            citations.into_iter().map(move |citation| CitationAt { sentence: sentence.clone(), citation })
        });
        let at_cursor = cited.filter(|found| touches(found.citation.start, found.citation.end));
        Ok(at_cursor.min_by_key(|found| found.citation.end.saturating_sub(found.citation.start)))
    }

    /// What the index knows of the claim that is cited at the cursor; else of the statement that stands there, in a note that is
    /// open as it lies in the vault.
    fn explain<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Option<WhyReport<D>>, EditorError> {
        let session = reading.session()?;
        let cited = self.find_citation(&session, reading)?.and_then(|found| found.citation.claim);
        let id = match cited {
            Some(id) => Some(id),
            None => self.own_statement(&session, reading)?,
        };
        explain(&session, id.as_deref())
    }

    fn own_statement<D: Door>(
        &self,
        session: &Session<'_, D>,
        reading: &ReadContext<'_, D>,
    ) -> Result<Option<String>, EditorError> {
        let Some(path) = self.buffer.note_path(reading.memora().vault().root()) else { return Ok(None) };
        let source = session.catalog().read_source(&path)?;
        let Some(source) = source.filter(|source| source.text() == &*self.buffer.text) else { return Ok(None) };
        let found = source.statements().iter().find(|line| line.start <= self.at && self.at <= line.end);
        Ok(found.map(|line| line.claim.clone()))
    }
}

/// What is shown of a citation when the pointer rests on it.
pub(crate) struct Hover(pub(crate) Cursor);

impl EditorRequest for Hover {
    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response, EditorError> {
        let session = reading.session()?;
        let Some(found) = self.0.find_citation(&session, reading)? else { return Ok(Response::nothing()) };
        // That the cited words stand says nothing of the sentence.
        let said = match found.citation.verdict.stands() {
            true => format!("{}; the citation: {}", found.sentence.verdict, found.citation.explanation),
            false => format!("{}: {}", found.citation.verdict, found.citation.explanation),
        };
        let mut lines = vec![said];
        lines.extend(found.sentence.reasons.iter().map(|reason| reason.explanation.clone()));
        let mut pieces = Vec::new();
        if let Some(why) = explain(&session, found.citation.claim.as_deref())? {
            let mut seen = Vec::new();
            for claim in &why.claims {
                let place = claim.place().map(|place| (&place.path, &place.line, &place.quote));
                if place.is_none() || seen.contains(&place) || seen.len() == PLACES_MAX {
                    continue;
                }
                seen.push(place);
                lines.push(String::new());
                pieces.extend(show_place(claim, &session, &mut lines)?);
            }
            lines.extend(superseding(&why).map(|newer| format!("now: {}", quote_with_place(newer))));
            pieces.extend(items_of(superseding(&why)));
        }
        let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::PlainText, value: lines.join("\n") });
        let range = Some(self.0.buffer.lines.range(&self.0.buffer.text, &found.range()));
        Response::new(&LspHover { contents, range }, pieces)
    }
}

/// Its words and its place.
fn quote_with_place<D>(claim: &WireClaim<D>) -> String {
    let place = claim.place();
    let quote = place.map(|place| places::one_line(&place.quote, LINE_MAX)).unwrap_or_default();
    format!("{quote} ({})", place.map(places::name).unwrap_or_default())
}

/// Adds a place with the lines around it, and its receipt.
fn show_place<D: Door>(
    claim: &WireClaim<D>,
    session: &Session<'_, D>,
    lines: &mut Vec<String>,
) -> Result<Vec<EgressItem>, EditorError> {
    let mut pieces = items_of([claim]);
    let Some(place) = claim.place() else { return Ok(pieces) };
    lines.push(places::one_line(&claim.context().join(" › "), LINE_MAX));
    let around = read_around(claim, &place.path, session)?;
    if around.is_empty() {
        lines.push(format!("> {}", places::one_line(&place.quote, LINE_MAX)));
    }
    for line in &around {
        let mark = if line.hit { '>' } else { ' ' };
        lines.push(format!("{mark} {}", places::one_line(&line.text, LINE_MAX)));
        pieces.push((Some(line.claim.clone()), line.band));
    }
    lines.push(receipt(claim));
    Ok(pieces)
}

/// The statements around a claim's, under the same headings; its own is the hit.
fn read_around<D: Door>(
    claim: &WireClaim<D>,
    path: &str,
    session: &Session<'_, D>,
) -> Result<Vec<PassageLine>, EditorError> {
    let Ok(path) = NotePath::new(path) else { return Ok(Vec::new()) };
    let Some(read) = session.catalog().read_statements(&path)? else { return Ok(Vec::new()) };
    let is_own = |line: &PassageLine| statement(&line.claim) == statement(claim.id());
    let found = read.passages.into_iter().find_map(|passage| {
        let at = passage.lines.iter().position(is_own)?;
        Some((at, passage.lines))
    });
    let Some((at, mut lines)) = found else { return Ok(Vec::new()) };
    for line in &mut lines {
        line.hit = is_own(line);
    }
    lines.truncate(at.saturating_add(AROUND + 1));
    Ok(lines.split_off(at.saturating_sub(AROUND)))
}

/// Where it was re-read, and what it is.
fn receipt<D>(claim: &WireClaim<D>) -> String {
    let Some(place) = claim.place() else { return String::new() };
    let mut parts = vec![places::name(place)];
    parts.extend(place.start.zip(place.end).map(|(start, end)| format!("bytes {start}–{end}")));
    parts.extend(place.hash.as_deref().and_then(|hash| hash.get(..8)).map(|hash| format!("blake3 {hash}…")));
    parts.extend(place.moved.then(|| "moved since it was indexed".to_owned()));
    parts.extend(claim.status().filter(|status| *status != ClaimStatus::Current).map(|status| status.to_string()));
    parts.extend(claim.valid_from().map(|day| format!("from {day}")));
    parts.extend(claim.valid_until().map(|day| format!("until {day}")));
    parts.extend(claim.is_captured().then(|| "written by a machine".to_owned()));
    parts.push(claim.band().to_string());
    parts.join(" · ")
}

/// Where the cited words stand.
pub(crate) struct Define(pub(crate) Cursor);

impl EditorRequest for Define {
    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response, EditorError> {
        let session = reading.session()?;
        let cited = self.0.find_citation(&session, reading)?.and_then(|found| found.citation.claim);
        let Some(why) = explain(&session, cited.as_deref())? else { return Ok(Response::nothing()) };
        locate(&self.0, reading, why.claims.iter())
    }
}

/// Which sentences of the notes rest on what is cited, or on the statement at the cursor.
pub(crate) struct Refer(pub(crate) Cursor);

impl EditorRequest for Refer {
    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response, EditorError> {
        let Some(why) = self.0.explain(reading)? else { return Ok(Response::nothing()) };
        let resting =
            why.edges.iter().filter(|edge| edge.kind == EdgeLabel::Derives && edge.direction == EdgeDirection::From);
        locate(&self.0, reading, resting.map(|edge| &edge.other))
    }
}

fn locate<'c, D: Door>(
    cursor: &Cursor,
    reading: &ReadContext<'_, D>,
    claims: impl Iterator<Item = &'c WireClaim<D>> + Clone,
) -> Result<Response, EditorError> {
    let found: Vec<Location> = places::locations(reading.memora().vault().root(), claims.clone(), cursor.view.units);
    Response::new(&found, items_of(claims))
}
