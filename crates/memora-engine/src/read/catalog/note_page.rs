//! Whole notes, for MCP resources and for the page: each re-read a moment ago, and sorted for the door.

use std::collections::{BTreeSet, HashSet};

use memora_claim::ParsedNote;
use memora_redact::{Viewer, authorize_page, authorize_source, sanitize_for_model};
use memora_store::{Authors, NoteNames, ReadError};
use memora_vault::{Band, NotePath};

use crate::read::catalog::ClaimCatalog;
use crate::read::entity::EntityResolver;
use crate::read::guard_reasons::guard_reasons;
use crate::read::lifecycle::LifecycleReports;
use crate::read::search::ClaimSearch;
use crate::report::{NoteList, NotePage, NoteReading, NoteSource, Passage, PassageLine};
use crate::state::note_kind::{is_captured, is_review};

/// Notes read in one batch.
const AT_ONCE: usize = 64;

/// How many guarded statements of a note are looked for in others.
const LAXER_MAX: usize = 2000;

impl ClaimCatalog<'_> {
    /// A note as this door may see it; `None` where there is none that this door may know of.
    pub(crate) fn read_page(&self, path: &NotePath) -> Result<Option<NotePage>, ReadError> {
        let page = self.read_known(path)?.and_then(|fresh| authorize_page(fresh, &self.session.door));
        Ok(page.map(|page| NotePage::from_clear_page(&page, is_captured(page.note()))))
    }

    /// A note byte for byte; `None` where there is none that this door may know of, or anything in it is withheld from it.
    pub(crate) fn read_source(&self, path: &NotePath) -> Result<Option<NoteSource>, ReadError> {
        let Some(fresh) = self.read_known(path)? else { return Ok(None) };
        let Some(source) = authorize_source(fresh, &self.session.door) else { return Ok(None) };
        // Reasons quote what guards, and are for the user alone.
        let local = self.session.door.is_local();
        let reasons = if local { guard_reasons(&self.session.memora.vault, fresh) } else { Vec::new() };
        Ok(Some(NoteSource::from_clear_source(&source, is_captured(source.fresh().note()), reasons)))
    }

    /// The other notes in which guarded statements of a note stand less guarded, by path.
    pub(crate) fn laxer_notes(&self, path: &NotePath) -> Result<Vec<String>, ReadError> {
        let (mut found, mut seen) = (BTreeSet::new(), HashSet::new());
        for source in self.session.snapshot.sources_of_note(path)? {
            let (id, band) = (source.row.statement, source.row.band);
            if band == Band::Public || !seen.insert(id) || seen.len() > LAXER_MAX {
                continue;
            }
            let places = self.session.statement(id)?.map(|statement| statement.sources).unwrap_or_default();
            let laxer = places.iter().filter(|other| other.row.note != *path && other.row.band < band);
            found.extend(laxer.map(|other| other.row.note.as_str().to_owned()));
        }
        Ok(found.into_iter().collect())
    }

    /// Re-reads a note that the index knows and that this door may know of.
    fn read_known(&self, path: &NotePath) -> Result<Option<&ParsedNote>, ReadError> {
        let known = self.session.snapshot.note(path)?.is_some_and(|note| self.session.door.may_show(note.band));
        Ok(known.then(|| self.session.notes.read_note(path)).flatten().filter(|fresh| self.may_list(fresh.note())))
    }

    /// The statements of a note as this door may see it, with their ids; `None` where there is none that this door may know of.
    pub(crate) fn read_statements(&self, path: &NotePath) -> Result<Option<NoteReading>, ReadError> {
        let Some(page) = self.read_page(path)? else { return Ok(None) };
        let Some(fresh) = self.session.notes.read_note(path) else { return Ok(None) };
        let mut passages = ClaimSearch::new(self.session).passages_of_note(fresh);
        let apart = self.statements_apart(path, &passages)?;
        if !apart.is_empty() {
            passages.insert(0, Passage::new(fresh.note(), vec![fresh.note().title()], apart));
        }
        Ok(Some(NoteReading {
            path: page.path().to_owned(),
            passages,
            is_whole: page.is_whole(),
            is_captured: page.is_captured(),
        }))
    }

    /// The statements that stand in no passage: properties, and what stands beside guarded ones in a paragraph.
    fn statements_apart(&self, path: &NotePath, passages: &[Passage]) -> Result<Vec<PassageLine>, ReadError> {
        let mut seen: HashSet<String> =
            passages.iter().flat_map(|passage| &passage.lines).map(|line| line.claim.clone()).collect();
        let mut apart = Vec::new();
        for source in self.session.snapshot.sources_of_note(path)? {
            let id = source.row.statement;
            if !self.session.door.may_show(source.row.band) || !seen.insert(id.to_string()) {
                continue;
            }
            let Some(claim) = LifecycleReports::new(self.session).load_wire_claim(id.into())? else { continue };
            let Some(place) = claim.place().filter(|place| place.path == path.as_str()) else { continue };
            let text = sanitize_for_model(&place.quote);
            let (line, claim, band) = (place.line, id.to_string(), claim.band());
            apart.push(PassageLine { line, depth: 0, columns: None, text, claim, hit: false, band });
        }
        Ok(apart)
    }

    /// Lists notes by path that this door may see and whose path or title contains `having`, from the `offset`th of the
    /// index on, as many as `limit`.
    pub(crate) fn list_notes(&self, having: &str, offset: usize, limit: usize) -> Result<NoteList, ReadError> {
        let having = having.to_lowercase();
        let has = |text: &str| having.is_empty() || text.to_lowercase().contains(&having);
        let known = EntityResolver::new(self.session, Authors::User).name_table()?.notes().iter();
        let known: Vec<&NoteNames> = known.filter(|note| has(note.path.as_str()) || has(&note.title)).collect();
        let mut list = NoteList::empty();
        let mut at = offset;
        for part in known.get(offset..).unwrap_or_default().chunks(AT_ONCE) {
            self.session.notes.prefetch_notes(part.iter().map(|note| &note.path));
            for note in part {
                // A note that became guarded is skipped, even if the index lists it.
                let fresh = self.session.notes.read_note(&note.path).map(|fresh| fresh.note());
                if let Some(fresh) = fresh.filter(|note| self.may_list(note)) {
                    if list.len() == limit {
                        return Ok(list.with_next_offset(at));
                    }
                    list.push(fresh);
                }
                at += 1;
            }
        }
        Ok(list)
    }

    /// Whether the door may know of a note that was just read. Memora's review notes repeat what they review, so only
    /// a local door is shown them.
    fn may_list(&self, note: &memora_vault::Note) -> bool {
        self.session.door.may_show(note.band()) && (self.session.door.is_local() || !is_review(note))
    }
}
