//! The lexical indexes, derived from the store: one for each band of the user's text, and one for each of what machines wrote.
//!
//! A door gets the indexes of the bands it may see and no others, so that no word, count or length of the rest can
//! affect what it shows. So it is with machines' text, which changes nothing in what the user's own notes answer.

use std::cell::Cell;
use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use memora_claim::{Claim, Extractor, StatementId};
use memora_embed::EmbedError;
use memora_redact::{DoorView, Viewer};
use memora_retrieve::{
    IndexChange, IndexOpenOutcome, IndexPosition, LexicalError, LexicalIndex, StatementDoc, TantivyIndex,
};
use memora_store::{
    Authors, ReadError, Snapshot, StatementChanges, StatementPlace, StoredSource, StoredStatement, WriteError,
};
use memora_vault::{Band, Hint, NotePath};

use crate::state::config::private_file::private_file_options;
use crate::state::sources::{candidate_periods, day_or_date, own_sources};

/// Statements loaded at once.
pub(crate) const CHUNK: usize = 512;

/// The most changes that an index which none of them concerns does not write down: every new process looks through them.
const SKIPPED_MAX: usize = 128;

pub(crate) const BANDS: [Band; 3] = [Band::Public, Band::Private, Band::Secret];

/// The part of a vault's text that an index has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct IndexPart {
    band: Band,
    /// Whether machines wrote it.
    captured: bool,
}

impl IndexPart {
    fn all() -> impl Iterator<Item = Self> {
        [false, true].into_iter().flat_map(|captured| BANDS.map(|band| Self { band, captured }))
    }

    /// The name of its folder.
    fn name(self) -> String {
        if self.captured { format!("captured-{}", self.band.as_str()) } else { self.band.as_str().to_owned() }
    }

    fn has(self, source: &StoredSource) -> bool {
        source.row.band == self.band && source.note.captured == self.captured
    }
}

/// The lexical indexes.
pub(crate) struct LexicalIndexes {
    parts: Vec<(IndexPart, TantivyIndex)>,
    /// Those that could not be read and were emptied.
    pub(crate) rebuilt: usize,
}

/// Why the derived indexes could not be brought up to date.
#[derive(Debug, thiserror::Error)]
pub enum DeriveError {
    /// The lexical index.
    #[error(transparent)]
    Lexical(#[from] LexicalError),
    /// The store.
    #[error(transparent)]
    Store(#[from] ReadError),
    /// Vectors could not be kept.
    #[error(transparent)]
    Vectors(#[from] WriteError),
    /// Vectors could not be made.
    #[error(transparent)]
    Embed(#[from] EmbedError),
}

impl Hint for DeriveError {
    fn hint(&self) -> &'static str {
        match self {
            Self::Lexical(error) => error.hint(),
            Self::Store(error) => error.hint(),
            Self::Vectors(error) => error.hint(),
            Self::Embed(_) => "memora embedder says which embedder is used and whether it works",
        }
    }
}

impl LexicalIndexes {
    /// Opens the indexes, or makes them.
    ///
    /// One process at a time: to another, an index under construction looks damaged, and would
    /// be set aside while it is being built.
    pub(crate) fn open(dir: &Path) -> Result<Self, LexicalError> {
        let lock = private_file_options().write(true).create(true).truncate(false).open(dir.join("lexical.lock"))?;
        // Where files cannot be locked, the index is opened without a lock.
        drop(lock.lock());
        let (mut parts, mut rebuilt) = (Vec::new(), 0);
        for part in IndexPart::all() {
            let (index, outcome) = TantivyIndex::open(&dir.join("lexical").join(part.name()), &part.name())?;
            rebuilt += usize::from(matches!(outcome, IndexOpenOutcome::Damaged | IndexOpenOutcome::OtherFormat));
            parts.push((part, index));
        }
        Ok(Self { parts, rebuilt })
    }

    /// The indexes of some authors' text in the bands that a door shows.
    pub(crate) fn visible_to(&self, door: DoorView, authors: Authors) -> Vec<&TantivyIndex> {
        let is_visible = |part: &IndexPart| door.may_show(part.band) && authors.include(part.captured);
        self.parts.iter().filter(|(part, _)| is_visible(part)).map(|(_, index)| index).collect()
    }

    pub(crate) fn all_mut(&mut self) -> impl Iterator<Item = &mut TantivyIndex> {
        self.parts.iter_mut().map(|(_, index)| index)
    }

    /// Whether every file of every index is sound.
    pub(crate) fn are_sound(&self) -> Result<bool, LexicalError> {
        for (_, index) in &self.parts {
            if !index.has_valid_checksums()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The last commit that every index on disk has followed: the log of changes is still needed from there on.
    pub(crate) fn written_sequence(&self, snapshot: &Snapshot) -> u64 {
        let store = store_number(snapshot);
        let written = self.parts.iter().map(|(_, index)| index.written_position());
        // One of no store, or another, will be made anew.
        written.filter(|at| at.store == store).map(|at| at.sequence).min().unwrap_or(u64::MAX)
    }

    /// Picks up the writes of other processes, and brings each index to the snapshot's sequence.
    ///
    /// Returns `false` when another process is writing an index: then the index is used as it is.
    ///
    /// With `thorough`, what was deleted is gone from the disk afterwards in every index. Otherwise that is done at once
    /// where text is or became guarded, and for public text with the next thorough run, since it rewrites files.
    pub(crate) fn catch_up(&mut self, snapshot: &Snapshot, thorough: bool) -> Result<bool, DeriveError> {
        let to = IndexPosition { store: store_number(snapshot), sequence: snapshot.sequence() };
        let mut all = true;
        let mut changes = None;
        for (part, index) in &mut self.parts {
            index.refresh()?;
            if index.position() == to && !thorough {
                continue;
            }
            let caught_up = if index.position() == to {
                Ok(RemovedText::Nothing)
            } else {
                update_index(*part, index, snapshot, to, &mut changes)
            };
            let is_purged = |removed| thorough || part.band != Band::Public || matches!(removed, RemovedText::Guarded);
            match caught_up.and_then(|removed| if is_purged(removed) { Ok(index.purge_deleted()?) } else { Ok(()) }) {
                Err(DeriveError::Lexical(LexicalError::LockBusy)) => all = false,
                other => other?,
            }
        }
        Ok(all)
    }
}

/// Text that was removed from an index and may still be in its files.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RemovedText {
    Nothing,
    /// Words that are gone, or were replaced.
    Words,
    /// Words that moved elsewhere, or beside which guarded text changed: they may have become guarded.
    Guarded,
}

/// The changes since a commit, and where the statements that changed stand now: read once for all indexes that are there.
struct PlacedChanges {
    since: u64,
    changes: StatementChanges,
    places: HashSet<StatementPlace>,
}

impl PlacedChanges {
    /// Reads them; `None` if the log does not have them.
    fn read(snapshot: &Snapshot, since: u64) -> Result<Option<Self>, ReadError> {
        let Some(changes) = snapshot.changes_since(since)? else { return Ok(None) };
        let mut places = HashSet::new();
        for ids in changes.changed.chunks(CHUNK) {
            places.extend(snapshot.statement_places(ids)?);
        }
        Ok(Some(Self { since, changes, places }))
    }

    fn count(&self) -> usize {
        self.changes.changed.len() + self.changes.deleted.len()
    }

    /// The changed statements that are in a part, and the others.
    fn split_for(&self, part: IndexPart) -> (Vec<StatementId>, Vec<StatementId>) {
        let IndexPart { band, captured } = part;
        let is_there = |id: &StatementId| self.places.contains(&StatementPlace { statement: *id, band, captured });
        self.changes.changed.iter().partition(|id| is_there(id))
    }
}

/// Brings an index to a position. One that no change concerns is left as it is, unless a new process would have many changes to look
/// through.
fn update_index(
    part: IndexPart,
    index: &mut TantivyIndex,
    snapshot: &Snapshot,
    to: IndexPosition,
    changes: &mut Option<PlacedChanges>,
) -> Result<RemovedText, DeriveError> {
    let at = index.position();
    if at.store != to.store || at.sequence > to.sequence {
        return rebuild_index(part, index, snapshot, to);
    }
    if changes.as_ref().is_none_or(|read| read.since != at.sequence) {
        *changes = PlacedChanges::read(snapshot, at.sequence)?;
    }
    let Some(known) = changes else { return rebuild_index(part, index, snapshot, to) };
    let (here, elsewhere) = known.split_for(part);
    let (moved, gone) = (index.find_known(&elsewhere)?, index.find_known(&known.changes.deleted)?);
    let is_concerned = !(here.is_empty() && moved.is_empty() && gone.is_empty());
    if !is_concerned && index.skipped_changes() + known.count() <= SKIPPED_MAX {
        index.skip_to(to, known.count());
        return Ok(RemovedText::Nothing);
    }
    let is_guarded = !moved.is_empty() || known.places.iter().any(|place| place.band > part.band);
    put_statements(part, index, snapshot, to, &[moved, gone].concat(), &here)?;
    Ok(match (is_concerned, is_guarded) {
        (false, _) => RemovedText::Nothing,
        (true, false) => RemovedText::Words,
        (true, true) => RemovedText::Guarded,
    })
}

/// Makes an index anew. One that has nothing to hold, and never had, is not written: most vaults have no machines' text, and many
/// nothing guarded.
fn rebuild_index(
    part: IndexPart,
    index: &mut TantivyIndex,
    snapshot: &Snapshot,
    to: IndexPosition,
) -> Result<RemovedText, DeriveError> {
    let is_new = index.written_position() == IndexPosition::default() && index.is_empty();
    if !is_new {
        index.clear()?;
    }
    let ids = match part.captured {
        true => snapshot.captured_statement_ids(part.band)?,
        false => snapshot.statement_ids_in_band(part.band)?,
    };
    if is_new && ids.is_empty() {
        index.skip_to(to, 0);
        return Ok(RemovedText::Nothing);
    }
    put_statements(part, index, snapshot, to, &[], &ids)?;
    Ok(RemovedText::Words)
}

/// Takes statements out of an index and puts others into it.
fn put_statements(
    part: IndexPart,
    index: &mut TantivyIndex,
    snapshot: &Snapshot,
    to: IndexPosition,
    gone: &[StatementId],
    here: &[StatementId],
) -> Result<(), DeriveError> {
    // Documents are loaded as the index takes them in, so that a large vault is never in memory as a whole.
    let failed = Cell::new(None);
    let put = |ids: &[StatementId]| match load_docs(snapshot, ids, part.band, |source| part.has(source)) {
        Ok(docs) => docs,
        Err(error) => {
            failed.set(Some(error));
            Vec::new()
        }
    };
    let gone = gone.iter().copied().map(IndexChange::Delete);
    let here = here.chunks(CHUNK).flat_map(put);
    let here = here.map(|(id, doc)| doc.map_or(IndexChange::Delete(id), |doc| IndexChange::Put(Box::new(doc))));
    index.apply_changes(to, gone.chain(here))?;
    if let Some(error) = failed.take() {
        // Half of it is in: begin again next time.
        index.clear()?;
        return Err(error.into());
    }
    Ok(())
}

fn store_number(snapshot: &Snapshot) -> u128 {
    u128::from_str_radix(snapshot.uuid(), 16).unwrap_or_default()
}

/// Each statement with its document by those of its places that count, all of one band; `None` where none does.
pub(crate) fn load_docs(
    snapshot: &Snapshot,
    ids: &[StatementId],
    band: Band,
    counts: impl Fn(&StoredSource) -> bool,
) -> Result<Vec<(StatementId, Option<StatementDoc>)>, ReadError> {
    let mut docs = Vec::with_capacity(ids.len());
    for statement in snapshot.statements(ids)? {
        let id = statement.id;
        let seen = statement.retain_sources(&counts);
        docs.push((id, seen.map(|seen| build_doc(snapshot, &seen, band)).transpose()?));
    }
    Ok(docs)
}

fn build_doc(snapshot: &Snapshot, statement: &StoredStatement, band: Band) -> Result<StatementDoc, ReadError> {
    let claims = &statement.wording.claims;
    let words = statement.wording.words.as_str();
    // Captured text never gives context to the user's own words.
    let own = || own_sources(statement);
    let place = own().next();
    let title = place.map(|source| source.note.title.clone()).unwrap_or_default();
    let headings = place.map(|source| source.row.headings.clone()).unwrap_or_default();
    let mut aliases: Vec<String> = Vec::new();
    let mut tags: Vec<String> = Vec::new();
    for source in own() {
        aliases.extend(source.note.aliases.iter().cloned());
        tags.extend(source.note.tags.iter().cloned());
        // A statement that stands in several notes is found under each of their titles.
        if source.note.title != title {
            aliases.push(source.note.title.clone());
        }
    }
    let around = place.map(|source| snapshot.neighbours(source, band)).transpose()?.unwrap_or_default();
    let speakers = own().filter_map(|source| source.speaker.clone());
    let subjects = claims.iter().filter(|claim| !has_extracted_subject(claim, words)).filter_map(|c| c.subject.clone());
    // Which of the two applies depends on neighbouring notes, so it is decided when the row is read.
    let periods: Vec<_> = own().map(candidate_periods).collect();
    let days = own().zip(&periods).filter_map(|(source, (as_month, _))| day_or_date(*as_month, source));
    let mut context = headings;
    context.extend(place.and_then(|source| source.row.parent.clone()));
    Ok(StatementDoc {
        statement: statement.id,
        words: statement.wording.words.clone(),
        subject: join_distinct(speakers.chain(subjects)),
        object: join_distinct(claims.iter().flat_map(claim_terms)),
        title,
        headings: context,
        aliases,
        tags,
        around: around.in_order().map(|near| near.words.as_str()).collect::<Vec<_>>().join(" . "),
        date: days.min(),
        periods: periods
            .iter()
            .flat_map(|both| [both.0, both.1])
            .flatten()
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect(),
        notes: statement.sources.iter().map(|source: &StoredSource| note_number(&source.row.note)).collect(),
    })
}

fn join_distinct(words: impl Iterator<Item = String>) -> String {
    let mut kept: Vec<String> = Vec::new();
    for word in words {
        if !kept.contains(&word) {
            kept.push(word);
        }
    }
    kept.join(" ; ")
}

/// Predicate and object, unless the statement's words have them already, as for sentences and clauses.
fn claim_terms(claim: &Claim) -> Vec<String> {
    match claim.extractor {
        Extractor::Clause | Extractor::Fragment | Extractor::Model | Extractor::Sentence => Vec::new(),
        _ => vec![claim.predicate.clone(), claim.object.clone()],
    }
}

/// Whether a claim's subject was read out of the statement's own words.
fn has_extracted_subject(claim: &Claim, words: &str) -> bool {
    let clause = matches!(claim.extractor, Extractor::Clause | Extractor::Fragment | Extractor::Model);
    clause && claim.subject.as_deref().is_some_and(|subject| words.contains(subject))
}

/// A note's number in the lexical indexes: stable, and the same on every machine.
pub(crate) fn note_number(path: &NotePath) -> u64 {
    let hash = blake3::hash(path.as_str().as_bytes());
    let mut number = [0; 8];
    number.copy_from_slice(&hash.as_bytes()[..8]);
    u64::from_le_bytes(number)
}
