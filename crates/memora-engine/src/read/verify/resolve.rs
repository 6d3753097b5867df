//! Resolves citations by link or by quotation; each place is re-read.
//!
//! Invariant: **what this door may not see does not exist.** A link to a guarded note, to a guarded heading or to no
//! note at all gives the same result at a restricted door, so that a guarded name cannot be found by guessing.

use std::collections::{BTreeSet, HashMap, HashSet};

use memora_claim::{ParsedNote, SourceChange, Statement, StatementId, anchor_span};
use memora_redact::Viewer;
use memora_retrieve::{Query, SearchFilter, search_all};
use memora_store::{Authors, ReadError};
use memora_vault::{Note, NotePath, SegmentKind, TaskState};
use memora_verify::{CitationFailure, CitedLink, CitedPassage, CitedQuote, PlaceResolution};

use crate::read::entity::{Entity, EntityResolution, EntityResolver};
use crate::read::lifecycle::Lifecycle;
use crate::read::search::SearchError;
use crate::read::verify::Verifier;
use crate::read::verify::note_evidence::{cited_passage, status_failure};
use crate::read::verify::quote_match::QuotedWords;
use crate::state::note_kind::{is_captured, is_review};

/// Maximum number of statements that a link cites: the first.
const STATEMENTS_MAX: usize = 2_000;
/// Maximum number of hits for quoted words, and of notes that are read for them.
const HITS_MAX: usize = 64;
const NOTES_MAX: usize = 24;
/// Maximum number of places of quoted words.
const PLACES_MAX: usize = 8;

/// The target of a link's `#…` in a note.
enum AnchorTarget {
    /// These segments: a section's, or a block's.
    Segments(HashSet<usize>),
    Missing,
    Ambiguous,
}

impl<'s> Verifier<'s> {
    /// Resolves a link that is written in the note `within`, or outside the vault.
    pub(crate) fn resolve_cited_link(
        &self,
        link: &CitedLink,
        within: Option<&NotePath>,
    ) -> Result<PlaceResolution, ReadError> {
        let path = if link.target.is_empty() {
            within.cloned()
        } else {
            match EntityResolver::new(self.session, Authors::All).resolve_link(within, &link.target)? {
                EntityResolution::One(Entity::Note(path)) => Some(path),
                EntityResolution::Ambiguous(_) => return Ok(PlaceResolution::Failed(CitationFailure::Ambiguous)),
                EntityResolution::One(Entity::Name(_)) | EntityResolution::Unknown => None,
            }
        };
        let Some(path) = path else { return Ok(self.place_not_found()) };
        if Some(&path) == within {
            return Ok(PlaceResolution::Failed(CitationFailure::SelfCitation));
        }
        let Some(fresh) = self.visible_note(&path) else { return Ok(self.place_not_found()) };
        if is_captured(fresh.note()) {
            return Ok(PlaceResolution::Failed(CitationFailure::Captured));
        }
        let part = link.anchor.as_ref().map(|anchor| self.resolve_anchor(fresh.note(), anchor));
        match part {
            None => self.collect_passages(fresh, |_| true),
            Some(AnchorTarget::Segments(segments)) => {
                self.collect_passages(fresh, |s| !s.plain.is_empty() && segments.contains(&s.part))
            }
            Some(AnchorTarget::Ambiguous) => Ok(PlaceResolution::Failed(CitationFailure::Ambiguous)),
            Some(AnchorTarget::Missing) => Ok(self.place_not_found()),
        }
    }

    /// Finds quoted words: in the named note, if there is one, else wherever the index has them. The note `within`
    /// is left out.
    pub(crate) fn resolve_quotation(
        &self,
        quote: &CitedQuote,
        within: Option<&NotePath>,
    ) -> Result<PlaceResolution, SearchError> {
        let Some(wording) = QuotedWords::from_quote(&quote.words) else { return Ok(self.place_not_found()) };
        let named = match &quote.note {
            Some(name) => self.resolve_title(name)?,
            None => Vec::new(),
        };
        let is_named = !named.is_empty();
        let notes = if is_named { named } else { self.find_notes_with(&wording)? };
        let mut found: Vec<(Vec<StatementId>, Vec<CitedPassage>)> = Vec::new();
        let mut over = None;
        for path in notes.iter().filter(|path| Some(*path) != within) {
            let Some(fresh) = self.visible_note(path) else { continue };
            if is_captured(fresh.note()) {
                over = over.or(Some(CitationFailure::Captured));
                continue;
            }
            for run in wording.find_runs(fresh, |statement| self.session.door.may_show(statement.band)) {
                let ids: Vec<StatementId> = run.iter().map(|statement| statement.id).collect();
                let passages: Vec<CitedPassage> = run.iter().filter_map(|s| self.recheck_passage(fresh, s)).collect();
                // The same statement in another note is not another place.
                let is_new = !found.iter().any(|(other, _)| *other == ids);
                if is_new && passages.len() == run.len() && found.len() < PLACES_MAX {
                    match self.end_failure_in(path, &ids)? {
                        None => found.push((ids, passages)),
                        failure => over = over.or(failure),
                    }
                }
            }
        }
        if !found.is_empty() {
            return Ok(PlaceResolution::Resolved(found.into_iter().map(|(_, passages)| passages).collect()));
        }
        let gone = is_named && self.session.door.is_local();
        let over = over.or(gone.then_some(CitationFailure::Changed(SourceChange::Gone)));
        Ok(over.map_or_else(|| self.place_not_found(), PlaceResolution::Failed))
    }

    /// The notes that a document's title refers to, by name or path; empty if there are none.
    fn resolve_title(&self, name: &str) -> Result<Vec<NotePath>, ReadError> {
        Ok(match EntityResolver::new(self.session, Authors::All).resolve_link(None, name)? {
            EntityResolution::One(Entity::Note(path)) => vec![path],
            EntityResolution::Ambiguous(paths) => paths,
            EntityResolution::One(Entity::Name(_)) | EntityResolution::Unknown => Vec::new(),
        })
    }

    /// Finds the notes that may contain some words, by the index, the likeliest first; captured notes are left out.
    fn find_notes_with(&self, wording: &QuotedWords) -> Result<Vec<NotePath>, SearchError> {
        let query = Query::new(&format!("\"{}\"", wording.index_query()));
        let indexes = self.session.memora.indexes.visible_to(self.session.door, Authors::User);
        let hits = search_all(&indexes, &query, &SearchFilter::default(), HITS_MAX)?;
        let ids: Vec<StatementId> = hits.iter().map(|hit| hit.statement).collect();
        let stored = self.session.snapshot.statements(&ids)?;
        let mut seen = BTreeSet::new();
        let mut notes = Vec::new();
        for id in &ids {
            let sources = stored.iter().filter(|statement| statement.id == *id).flat_map(|s| &s.sources);
            for source in sources.filter(|source| self.session.door.may_show(source.row.band) && !source.note.captured)
            {
                if notes.len() < NOTES_MAX && seen.insert(source.row.note.clone()) {
                    notes.push(source.row.note.clone());
                }
            }
        }
        Ok(notes)
    }

    /// The result for a place that does not exist, or that this door may not see.
    fn place_not_found(&self) -> PlaceResolution {
        PlaceResolution::Failed(if self.session.door.is_local() {
            CitationFailure::UnknownPlace
        } else {
            CitationFailure::Redacted
        })
    }

    /// A note as it is now, if this door may see it and it is not a review that Memora wrote.
    fn visible_note(&self, path: &NotePath) -> Option<&'s ParsedNote> {
        let fresh = self.session.notes.read_note(path)?;
        (self.session.door.may_show(fresh.note().band()) && !is_review(fresh.note())).then_some(fresh)
    }

    /// Resolves `#…`, as far as this door may see: a block by its id, or a section by its heading or by the headings
    /// that lead to it.
    fn resolve_anchor(&self, note: &Note, anchor: &str) -> AnchorTarget {
        if let Some(id) = anchor.strip_prefix('^') {
            let named = note.block_ids().iter().filter(|(other, _)| other.eq_ignore_ascii_case(id.trim()));
            let blocks: HashSet<usize> = named.map(|(_, segment)| *segment).collect();
            return match blocks.iter().next() {
                None => AnchorTarget::Missing,
                Some(_) if blocks.len() > 1 => AnchorTarget::Ambiguous,
                Some(block) => AnchorTarget::Segments(block_with_children(note, *block)),
            };
        }
        let wanted: Vec<String> = anchor.split('#').map(heading_key).filter(|key| !key.is_empty()).collect();
        let is_meant = |at: &usize| {
            let shown = note
                .headings()
                .get(*at)
                .is_some_and(|h| self.session.door.may_show(note.band_of_range(h.range.clone())));
            let path = note.heading_path(*at);
            let above: Vec<String> = path.iter().map(|h| heading_key(&note.headings()[*h].text)).collect();
            shown && !wanted.is_empty() && matches_heading_path(&above, &wanted)
        };
        let mut meant = (0..note.headings().len()).filter(is_meant);
        match (meant.next(), meant.next()) {
            (None, _) => AnchorTarget::Missing,
            (Some(_), Some(_)) => AnchorTarget::Ambiguous,
            (Some(heading), None) => {
                let below = |at: usize| note.heading_path(at).contains(&heading);
                let within = note.segments().iter().enumerate().filter(|(_, s)| s.heading.is_some_and(below));
                AnchorTarget::Segments(within.map(|(at, _)| at).collect())
            }
        }
    }

    /// Collects the visible statements of a note that are neither taken back nor superseded; by block, each
    /// re-read.
    fn collect_passages(
        &self,
        fresh: &ParsedNote,
        wanted: impl Fn(&Statement) -> bool,
    ) -> Result<PlaceResolution, ReadError> {
        let wanted = fresh.statements().iter().filter(|s| wanted(s));
        let shown = wanted.filter_map(|s| Some((s, self.recheck_passage(fresh, s)?)));
        let mut parts: Vec<((bool, usize, usize), Vec<CitedPassage>)> = Vec::new();
        let (mut over, mut left_out) = (None, 0);
        // A statement may stand in the note thousands of times, and each time it would bring all its places.
        let mut failures: HashMap<StatementId, Option<CitationFailure>> = HashMap::new();
        // The limit counts visible statements only, so that hidden ones do not show by the room they take.
        for (statement, passage) in shown.take(STATEMENTS_MAX) {
            let failure = match failures.get(&statement.id) {
                Some(known) => *known,
                None => self.end_failure_in(fresh.note().path(), &[statement.id])?,
            };
            failures.insert(statement.id, failure);
            if let Some(failure) = failure {
                over = over.or(Some(failure));
                // The statements on either side of it are not neighbours.
                left_out += 1;
                continue;
            }
            let block = (statement.plain.is_empty(), statement.part, left_out);
            match parts.last_mut() {
                Some((last, passages)) if *last == block => passages.push(passage),
                _ => parts.push((block, vec![passage])),
            }
        }
        Ok(match over {
            _ if !parts.is_empty() => {
                PlaceResolution::Resolved(parts.into_iter().map(|(_, passages)| passages).collect())
            }
            Some(failure) => PlaceResolution::Failed(failure),
            None => self.place_not_found(),
        })
    }

    /// Why one of some statements of a note no longer counts, if so; statements that are not indexed yet are skipped.
    fn end_failure_in(&self, note: &NotePath, ids: &[StatementId]) -> Result<Option<CitationFailure>, ReadError> {
        for id in ids {
            let Some(statement) = self.session.statement(*id)? else { continue };
            let Some(source) = statement.sources.iter().find(|source| source.row.note == *note) else { continue };
            if let Some(failure) = status_failure(Lifecycle::new(self.session).statement_status(&statement, source)?) {
                return Ok(Some(failure));
            }
        }
        Ok(None)
    }

    fn recheck_passage(&self, fresh: &ParsedNote, statement: &Statement) -> Option<CitedPassage> {
        if is_taken_back(fresh.note(), statement) || !self.session.door.may_show(statement.band) {
            return None;
        }
        let place =
            anchor_span(fresh, statement.span).recheck_within_band(fresh, self.session.door.strictest_band()).ok()?;
        self.session.door.may_show(place.band()).then(|| cited_passage(self.session, &place))
    }
}

/// Whether a statement is a cancelled task, or stands under a heading such as "Rejected".
fn is_taken_back(note: &Note, statement: &Statement) -> bool {
    let segment = note.segments().get(statement.part).filter(|_| !statement.plain.is_empty());
    let cancelled = segment.is_some_and(|segment| segment.kind == SegmentKind::Task(TaskState::Cancelled));
    statement.rejected || cancelled
}

/// A segment, and those of the list items below it.
fn block_with_children(note: &Note, block: usize) -> HashSet<usize> {
    let mut within = HashSet::from([block]);
    for (at, segment) in note.segments().iter().enumerate() {
        if segment.parent.is_some_and(|parent| within.contains(&parent)) {
            within.insert(at);
        }
    }
    within
}

/// A heading as links name it: without regard to case, white space and characters that a link cannot hold.
fn heading_key(text: &str) -> String {
    let kept = |c: char| if matches!(c, '#' | '|' | '^' | ':' | '[' | ']' | '%' | '\\') { ' ' } else { c };
    let plain: String = text.chars().map(kept).collect();
    plain.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a path of headings, outermost first, ends with the last wanted one and has the others above it in order.
fn matches_heading_path(above: &[String], wanted: &[String]) -> bool {
    let (Some((last, above)), Some((wanted_last, wanted))) = (above.split_last(), wanted.split_last()) else {
        return false;
    };
    let mut rest = above.iter();
    last == wanted_last && wanted.iter().all(|heading| rest.any(|other| other == heading))
}
