//! Reading for one door: every place is re-read here right before it is shown.

use std::collections::BTreeMap;

use elsa::FrozenMap;
use memora_claim::{ClaimId, Rechecked, Source, SourceChange, StatementId};
use memora_redact::{DoorView, Viewer};
use memora_store::{Journal, NoteRecord, ReadError, Snapshot, StoredSource, StoredStatement};
use memora_vault::{Band, NotePath, PathContext, Span, Vault};

use crate::state::caches::SessionCaches;
use crate::state::note_cache::{NoteCache, read_several};
use crate::state::open::Memora;
use crate::state::sources::source_rank;

/// A reading session for the view of a door: a snapshot of the store, and the notes re-read so far.
///
/// The stages read in it, a type each, made over it; what a stage keeps lies in [`SessionCaches`].
///
/// A session is short. A note that it re-read counts as fresh for as long as it lives.
pub struct Session<'m> {
    pub(crate) memora: &'m Memora,
    pub(crate) snapshot: Snapshot,
    pub(crate) door: DoorView,
    pub(crate) journal: Journal,
    pub(crate) notes: NoteCache<'m>,
    /// Whether notes are unchanged since they were indexed, cached.
    as_indexed: FrozenMap<NotePath, Box<bool>>,
    /// What the stages keep of this session.
    pub(crate) caches: SessionCaches,
}

/// Why the words of a statement could not be found again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecheckError {
    /// The note no longer says it, or not in that way.
    Changed(SourceChange),
    /// The note is gone.
    MissingNote,
    /// It is there, in a band that this door may not see.
    Guarded,
}

impl Memora {
    /// Starts a reading session for the view of a door.
    ///
    /// # Errors
    /// [`ReadError`], when the store can't be read.
    pub(crate) fn session_for(&self, door: DoorView) -> Result<Session<'_>, ReadError> {
        Ok(Session {
            memora: self,
            snapshot: self.store.snapshot()?,
            journal: self.store.journal()?,
            door,
            notes: NoteCache::new(&self.vault, &self.parsed),
            as_indexed: FrozenMap::new(),
            caches: SessionCaches::default(),
        })
    }
}

impl Session<'_> {
    /// Re-reads a statement's places, the clearest first, and returns the first that is valid and visible at the door.
    ///
    /// Only sources of a band the door shows are even looked at.
    pub(crate) fn recheck_any(
        &self,
        statement: &StoredStatement,
    ) -> Result<(Rechecked<'_>, StoredSource), RecheckError> {
        let mut sources: Vec<&StoredSource> =
            statement.sources.iter().filter(|source| self.door.may_show(source.row.band)).collect();
        sources.sort_by_key(|source| source_rank(source));
        let mut lost = RecheckError::MissingNote;
        for source in sources {
            match self.recheck(&source.row) {
                Ok(place) => return Ok((place, source.clone())),
                Err(RecheckError::MissingNote) => {}
                Err(other) => lost = other,
            }
        }
        Err(lost)
    }

    /// Re-reads one place: in its note, or in the note it was renamed to.
    pub(crate) fn recheck(&self, source: &Source) -> Result<Rechecked<'_>, RecheckError> {
        let mut lost = RecheckError::MissingNote;
        let renamed = self.journal.renamed_to(&source.note).ok().flatten();
        for path in std::iter::once(&source.note).chain(&renamed) {
            let Some(fresh) = self.notes.read_note(path) else { continue };
            if !self.door.may_show(fresh.note().band()) {
                // A note that is guarded as a whole is not searched at all.
                lost = RecheckError::Guarded;
                continue;
            }
            match source.recheck_within_band(fresh, self.door.strictest_band()) {
                Ok(place) if self.door.may_show(place.band()) => return Ok(place),
                Ok(_) => lost = RecheckError::Guarded,
                Err(change) => lost = RecheckError::Changed(change),
            }
        }
        Err(lost)
    }

    /// A statement as this door may see it; `None` when it may not. The id of a piece that it was once cut into leads to it.
    pub(crate) fn statement(&self, id: StatementId) -> Result<Option<StoredStatement>, ReadError> {
        let as_seen = |found: StoredStatement| found.retain_sources(|source| self.door.may_show(source.row.band));
        if let Some(found) = self.snapshot.statement(id)?.and_then(as_seen) {
            return Ok(Some(found));
        }
        Ok(self.snapshot.statements_formerly(id, self.door.strictest_band())?.into_iter().find_map(as_seen))
    }

    /// The id that a claim has now: another one where it was a piece of a statement.
    pub(crate) fn current_id(&self, id: ClaimId) -> Result<ClaimId, ReadError> {
        let now = self.statement(id.statement())?.map(|statement| statement.id);
        Ok(now.filter(|now| *now != id.statement()).map_or(id, ClaimId::from))
    }

    /// The statement at a place as its note is now, under its current id, with its source there.
    pub(crate) fn statement_at(
        &self,
        path: &NotePath,
        span: Span,
    ) -> Result<Option<(StoredStatement, StoredSource)>, ReadError> {
        let Some(fresh) = self.notes.read_note(path) else { return Ok(None) };
        let Some(now) = fresh.statements().iter().find(|s| s.span == span) else { return Ok(None) };
        let Some(statement) = self.statement(now.id)? else { return Ok(None) };
        let source = statement.sources.iter().find(|source| source.row.note == *path).cloned();
        Ok(source.map(|source| (statement, source)))
    }

    /// Whether index data about a note may be used at this door: at a cloud door only while the note is, byte for byte
    /// and by the rules of its place, what was indexed. A local door may see slightly outdated data.
    pub(crate) fn may_use_index(&self, path: &NotePath) -> Result<bool, ReadError> {
        if self.door.is_local() {
            return Ok(true);
        }
        if let Some(known) = self.as_indexed.get(path) {
            return Ok(*known);
        }
        let strictest = self.door.strictest_band();
        let same = self.snapshot.note(path)?.is_some_and(|note| is_unchanged(&self.memora.vault, &note, strictest));
        Ok(*self.as_indexed.insert(path.clone(), Box::new(same)))
    }

    /// Looks at notes that [`Self::may_use_index`] will be asked about, several at a time.
    pub(crate) fn prefetch_unchanged<'n>(&self, notes: impl Iterator<Item = &'n NoteRecord>) {
        if self.door.is_local() {
            return;
        }
        let due: BTreeMap<&NotePath, &NoteRecord> =
            notes.filter(|note| self.as_indexed.get(&note.path).is_none()).map(|note| (&note.path, note)).collect();
        let due: Vec<&NoteRecord> = due.into_values().collect();
        let (vault, strictest) = (&self.memora.vault, self.door.strictest_band());
        let looked_at = read_several(&due, |note| (note.path.clone(), is_unchanged(vault, note, strictest)));
        for (path, same) in looked_at {
            self.as_indexed.insert(path, Box::new(same));
        }
    }

    /// Whether the note is, byte for byte, what was indexed: if not, what the index says of its context may be guarded
    /// by now.
    pub(crate) fn is_as_indexed(&self, source: &StoredSource) -> bool {
        self.notes.read_note(&source.row.note).is_some_and(|fresh| fresh.note().file_fingerprint() == source.note.hash)
    }
}

/// Whether a note up to a band is what was indexed. It is not parsed: its band follows from its bytes, as when it was indexed, and
/// from its place, as it is now.
fn is_unchanged(vault: &Vault, note: &NoteRecord, strictest: Band) -> bool {
    let is_same = |(text, context): (String, PathContext)| {
        context.band <= strictest && blake3::hash(text.as_bytes()).as_bytes() == note.hash.as_bytes()
    };
    note.band <= strictest && vault.read_note_in_place(&note.path).is_ok_and(is_same)
}
