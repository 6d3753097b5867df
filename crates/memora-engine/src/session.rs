//! Reading for one door: every place that is shown is re-read here, a moment before.

use std::cell::{Cell, OnceCell};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::thread;

use elsa::FrozenMap;
use memora_claim::held::Status;
use memora_claim::{
    Change, Claim, ClaimId, Decisions, FreshNote, Modality, NameKey, Phase, Rechecked, Source, SourceRow, StatementId,
    Validity,
};
use memora_redact::{ClearClaim, Door, RedactedClaim, Shown, Sorted, sort};
use memora_store::{Edit, Journal, NoteRecord, ReadError, Snapshot, StoredSource, StoredStatement};
use memora_vault::{Band, Note, NotePath, ReadNoteError, Vault};

use crate::Memora;
use crate::entity::{Called, Entity, Meant, Names};
use crate::standing::{About, Fate, GaveWay, Group};

/// One question's worth of reading, for the door `D`: a snapshot of the store, and the notes re-read so far.
///
/// A session is short. What it re-read counts as fresh for as long as it lives.
pub struct Session<'m, D: Door> {
    pub(crate) memora: &'m Memora,
    pub(crate) snapshot: Snapshot,
    pub(crate) door: D,
    journal: Journal,
    notes: FrozenMap<NotePath, Box<Result<FreshNote, ReadNoteError>>>,
    /// Titles and aliases of notes that were public when indexed, in lower case, with the notes; read when first needed.
    clear_names: OnceCell<HashMap<String, Vec<NotePath>>>,
    /// What the notes that this door may see call themselves; read when first needed.
    pub(crate) names: OnceCell<Arc<Names>>,
    /// What the user decided; read when first needed.
    pub(crate) decided: OnceCell<Decisions>,
    /// Claims of one thing that were held against each other so far.
    pub(crate) groups: FrozenMap<(Entity, About), Box<Group>>,
    /// How things are called, as far as anybody asked.
    pub(crate) called: FrozenMap<Entity, Box<Called>>,
    /// Every name that things may have, as far as anybody asked.
    pub(crate) perhaps_called: FrozenMap<Entity, Box<[NameKey]>>,
    /// Whom names mean in notes, as far as anybody asked.
    pub(crate) meant: FrozenMap<(NameKey, NotePath), Box<Meant>>,
    /// What became of cited claims, as far as anybody asked.
    pub(crate) fates: FrozenMap<ClaimId, Box<Fate>>,
    /// What statements rest on that no longer holds, as far as anybody asked.
    pub(crate) gave_way: FrozenMap<StatementId, Vec<GaveWay>>,
    /// What derives from what; read when first needed.
    pub(crate) dependents: OnceCell<HashMap<StatementId, BTreeSet<StatementId>>>,
    /// Folders with notes that are numbered by weeks, as far as this door may see; read when first needed.
    pub(crate) weekly: OnceCell<BTreeSet<String>>,
    /// Whether nothing may rest on what only watching can know.
    pub(crate) by_vault_alone: Cell<bool>,
    /// Whether notes are what was indexed, as far as anybody asked.
    as_indexed: FrozenMap<NotePath, Box<bool>>,
}

/// How many threads read notes at most: more wait for the disk and for each other.
const READERS_MAX: usize = 8;

/// Why the words of a statement could not be found again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lost {
    /// The note is there and does not say it any more, or not in that way.
    Changed(Change),
    /// The note is gone.
    MissingNote,
    /// It stands, in a band that this door may not see.
    Guarded,
}

impl Memora {
    /// Begins to read for a door.
    ///
    /// # Errors
    /// [`ReadError`], when the store can't be read.
    pub fn session<D: Door>(&self, door: D) -> Result<Session<'_, D>, ReadError> {
        Ok(Session {
            memora: self,
            snapshot: self.store.snapshot()?,
            journal: self.store.journal()?,
            door,
            notes: FrozenMap::new(),
            clear_names: OnceCell::new(),
            names: OnceCell::new(),
            decided: OnceCell::new(),
            groups: FrozenMap::new(),
            called: FrozenMap::new(),
            perhaps_called: FrozenMap::new(),
            meant: FrozenMap::new(),
            fates: FrozenMap::new(),
            gave_way: FrozenMap::new(),
            dependents: OnceCell::new(),
            weekly: OnceCell::new(),
            by_vault_alone: Cell::new(false),
            as_indexed: FrozenMap::new(),
        })
    }
}

impl<'m, D: Door> Session<'m, D> {
    /// The door.
    #[must_use]
    pub fn door(&self) -> &D {
        &self.door
    }

    /// The note as it is on disk, read once in this session; nothing when it can't be read.
    pub(crate) fn fresh(&self, path: &NotePath) -> Option<&FreshNote> {
        let read = match self.notes.get(path) {
            Some(read) => read,
            None => self.notes.insert(path.clone(), Box::new(read(&self.memora.vault, path))),
        };
        read.as_ref().ok()
    }

    /// Reads notes that will be looked at, several at a time.
    pub(crate) fn read_ahead<'p>(&self, paths: impl Iterator<Item = &'p NotePath>) {
        let due: BTreeSet<&NotePath> = paths.filter(|path| self.notes.get(path).is_none()).collect();
        let due: Vec<&NotePath> = due.into_iter().collect();
        let threads = thread::available_parallelism().map_or(1, usize::from).min(READERS_MAX);
        let vault = &self.memora.vault;
        let read = |path: &&NotePath| {
            let read = read(vault, path);
            // Cut here as well, where it does not wait for others.
            if let Ok(fresh) = &read {
                let _: &[_] = fresh.statements();
            }
            ((*path).clone(), read)
        };
        let read: Vec<_> = thread::scope(|scope| {
            let parts = due.chunks(due.len().div_ceil(threads).max(1));
            let parts: Vec<_> =
                parts.map(|part| scope.spawn(move || part.iter().map(read).collect::<Vec<_>>())).collect();
            // What panics there is read again here, where it is looked at.
            parts.into_iter().filter_map(|part| part.join().ok()).flatten().collect()
        });
        for (path, read) in read {
            self.notes.insert(path, Box::new(read));
        }
    }

    /// Re-reads a statement's places, the clearest first, and gives the first that stands and that the door may see.
    ///
    /// Only sources of a band the door shows are even looked at.
    pub(crate) fn stands(&self, statement: &StoredStatement) -> Result<(Rechecked<'_>, StoredSource), Lost> {
        let mut sources: Vec<&StoredSource> =
            statement.sources.iter().filter(|source| self.door.shows(source.row.band)).collect();
        sources.sort_by_key(|source| murkiness(source));
        let mut lost = Lost::MissingNote;
        for source in sources {
            match self.recheck(&source.row) {
                Ok(place) => return Ok((place, source.clone())),
                Err(Lost::MissingNote) => {}
                Err(other) => lost = other,
            }
        }
        Err(lost)
    }

    /// Re-reads one place: in its note, or in the one that was renamed to.
    pub(crate) fn recheck(&self, row: &SourceRow) -> Result<Rechecked<'_>, Lost> {
        let source = Source::from_row(row.clone());
        let mut lost = Lost::MissingNote;
        let renamed = self.journal.renamed_to(&row.note).ok().flatten();
        for path in std::iter::once(&row.note).chain(&renamed) {
            let Some(fresh) = self.fresh(path) else { continue };
            if !self.door.shows(fresh.note().band()) {
                // Whatever it says: a note that is guarded as a whole is not looked into.
                lost = Lost::Guarded;
                continue;
            }
            match source.recheck_up_to(fresh, self.door.strictest()) {
                Ok(place) if self.door.shows(place.band()) => return Ok(place),
                Ok(_) => lost = Lost::Guarded,
                Err(change) => lost = Lost::Changed(change),
            }
        }
        Err(lost)
    }

    /// A statement as this door may see it; nothing when it may not.
    pub(crate) fn statement(&self, id: StatementId) -> Result<Option<StoredStatement>, ReadError> {
        Ok(self.snapshot.statement(id)?.and_then(|s| s.seen_through(|source| self.door.shows(source.row.band))))
    }

    /// The statement that stands at a re-read place under the id it has now, with its source there.
    pub(crate) fn now_at(&self, place: &Rechecked<'_>) -> Result<Option<(StoredStatement, StoredSource)>, ReadError> {
        let path = place.note().path();
        let Some(fresh) = self.fresh(path) else { return Ok(None) };
        let Some(now) = fresh.statements().iter().find(|s| s.span == place.span()) else { return Ok(None) };
        let Some(statement) = self.statement(now.id)? else { return Ok(None) };
        let source = statement.sources.iter().find(|source| source.row.note == *path).cloned();
        Ok(source.map(|source| (statement, source)))
    }

    /// Where a statement stood once, as far as the journal keeps it and this door may see it.
    pub(crate) fn former(&self, id: StatementId) -> Result<Vec<SourceRow>, ReadError> {
        let former = self.journal.former(id)?;
        Ok(former.into_iter().filter(|f| self.door.shows(f.band)).filter_map(|f| f.place).collect())
    }

    /// Whether the journal knows that a statement was there, in a band that this door shows.
    pub(crate) fn was_there(&self, id: StatementId) -> Result<bool, ReadError> {
        Ok(self.journal.former(id)?.iter().any(|former| self.door.shows(former.band)))
    }

    /// Numbers that were edited in place, as the journal saw it.
    pub(crate) fn edits_seen(&self, limit: usize) -> Result<Vec<Edit>, ReadError> {
        self.journal.edits(limit)
    }

    /// When a statement was first indexed, in seconds since 1970.
    pub(crate) fn first_seen(&self, id: &memora_claim::ClaimId) -> Result<Option<i64>, ReadError> {
        self.journal.first_seen(id.statement())
    }

    /// Sorts one claim of a statement that was re-read.
    pub(crate) fn sorted<'n>(
        &self,
        claim: &Claim,
        statement: &StoredStatement,
        source: &StoredSource,
        place: Rechecked<'n>,
    ) -> Result<Sorted<'n, D>, ReadError> {
        let standing = self.standing(claim, statement, source)?;
        let Validity { from: valid_from, until: valid_until } = standing.holds;
        let mut claim = claim.clone();
        if source.note.captured {
            // What a machine wrote down is nobody's own word.
            claim.modality = Modality::Reported;
        }
        let shown = Shown {
            captured: source.note.captured,
            valid_from,
            valid_until,
            sources: own_sources(statement).count(),
            status: standing.status,
            claim,
        };
        Ok(sort(shown, place, &self.door))
    }

    /// A claim of a statement, if that stands now and this door may see it.
    ///
    /// At a cloud door its note must be what was indexed: ranks, dates and reasons rest on the context as it was then.
    pub(crate) fn clear(
        &self,
        claim: &Claim,
        statement: &StoredStatement,
    ) -> Result<Option<ClearClaim<'_, D>>, ReadError> {
        let Ok((place, source)) = self.stands(statement) else { return Ok(None) };
        if !self.door.is_local() && !self.is_as_indexed(&source) {
            return Ok(None);
        }
        Ok(match self.sorted(claim, statement, &source, place)? {
            Sorted::Clear(claim) => Some(claim),
            Sorted::Secret(_) => None,
        })
    }

    /// A claim as it stands now, if this door may see it.
    pub(crate) fn clear_now(&self, id: ClaimId) -> Result<Option<ClearClaim<'_, D>>, ReadError> {
        let Some(statement) = self.statement(id.statement())? else { return Ok(None) };
        match statement.wording.claims.iter().find(|claim| claim.id == id) {
            Some(claim) => self.clear(claim, &statement),
            None => Ok(None),
        }
    }

    /// The guarded claims of a note that a cloud door may know by their subject alone, redacted, in order.
    ///
    /// A note's title stays when it is a name that public text has: the title or an alias of a public note.
    pub(crate) fn redacted_of(&self, path: &NotePath) -> Result<Vec<RedactedClaim>, ReadError> {
        let sources = self.snapshot.sources_of_note(path)?;
        let names = match self.clear_names.get() {
            Some(names) => names,
            None => {
                let names = self.read_clear_names()?;
                self.clear_names.get_or_init(|| names)
            }
        };
        let mut found = Vec::new();
        let guarded = sources.iter().filter(|source| !self.door.shows(source.row.band));
        for (ordinal, source) in (0..).zip(guarded) {
            let Some(fresh) = self.fresh(path) else { continue };
            let Ok(place) = Source::from_row(source.row.clone()).recheck(fresh) else { continue };
            let Some(claim) = source.wording.claims.first() else { continue };
            let shown = Shown {
                claim: claim.clone(),
                captured: source.note.captured,
                valid_from: None,
                valid_until: None,
                sources: 1,
                status: Status::Current,
            };
            if let Sorted::Secret(secret) = sort(shown, place, &self.door) {
                let known = |name: &str| {
                    let named = names.get(&name.to_lowercase()).into_iter().flatten();
                    named.into_iter().any(|path| self.is_named(path, name))
                };
                found.push(secret.redact(&self.memora.handles, ordinal, known));
            }
        }
        Ok(found)
    }

    /// Titles and aliases of public notes, in lower case.
    fn read_clear_names(&self) -> Result<HashMap<String, Vec<NotePath>>, ReadError> {
        let mut names: HashMap<String, Vec<NotePath>> = HashMap::new();
        for note in self.snapshot.notes()?.into_iter().filter(|note| note.band == Band::Public) {
            for name in note.aliases.iter().chain([&note.title]) {
                names.entry(name.to_lowercase()).or_default().push(note.path.clone());
            }
        }
        Ok(names)
    }

    /// Whether a note is public now and goes by this name, by its title or an alias in the open.
    pub(crate) fn is_named(&self, path: &NotePath, name: &str) -> bool {
        let same = |other: &str| other.to_lowercase() == name.to_lowercase();
        self.fresh(path).map(FreshNote::note).is_some_and(|note| {
            let aliases = note.aliases().iter().filter(|alias| alias.band == Band::Public);
            note.band() == Band::Public && (same(note.title()) || aliases.map(|alias| &alias.text).any(|a| same(a)))
        })
    }

    /// Whether what the index says of a note may count at this door: at a cloud door only while the note is, byte for byte
    /// and by the rules of its place, what was indexed. The user's own eyes may see what was there a moment ago.
    pub(crate) fn may_count(&self, path: &NotePath) -> Result<bool, ReadError> {
        if self.door.is_local() {
            return Ok(true);
        }
        if let Some(known) = self.as_indexed.get(path) {
            return Ok(*known);
        }
        // Not parsed: a note's band follows from its bytes, as when it was indexed, and from its place, as it is now.
        let vault = &self.memora.vault;
        let shown = |note: &NoteRecord| self.door.shows(note.band.join(vault.place(path).band));
        let same = match self.snapshot.note(path)?.filter(shown) {
            Some(note) => {
                vault.read(path).is_ok_and(|text| blake3::hash(text.as_bytes()).as_bytes() == note.hash.as_bytes())
            }
            None => false,
        };
        Ok(*self.as_indexed.insert(path.clone(), Box::new(same)))
    }

    /// Whether the note is, byte for byte, what was indexed: if not, what the index says of its context may be guarded
    /// by now.
    pub(crate) fn is_as_indexed(&self, source: &StoredSource) -> bool {
        self.fresh(&source.row.note).is_some_and(|fresh| fresh.note().file_fingerprint() == source.note.hash)
    }
}

/// Reads and parses a note as it is on disk.
pub(crate) fn read(vault: &Vault, path: &NotePath) -> Result<FreshNote, ReadNoteError> {
    vault.read(path).map(|text| FreshNote::new(Note::parse(path.clone(), text, vault.place(path)).0))
}

/// Of a statement's places the one to look at first.
pub(crate) fn clearest(statement: &StoredStatement) -> Option<&StoredSource> {
    statement.sources.iter().min_by_key(|source| murkiness(source))
}

/// What speaks against looking at a place first.
fn murkiness(source: &StoredSource) -> (bool, Band) {
    (source.note.captured, source.row.band)
}

/// The places where a statement stands in a person's own words; all of them where a machine alone wrote it down.
pub(crate) fn own_sources(statement: &StoredStatement) -> impl Iterator<Item = &StoredSource> {
    let owned = statement.sources.iter().any(|source| !source.note.captured);
    statement.sources.iter().filter(move |source| !(owned && source.note.captured))
}

/// When a claim holds, as it stands at one of its places.
pub(crate) fn validity(claim: &Claim, statement: &StoredStatement, source: &StoredSource) -> Validity {
    // "Yesterday" counts from the day on which the note was written.
    let holds = claim.holds.at(source.note.date);
    // Where the words name no time, the daily note does: of the beginning, or of the end that they tell of.
    let dates = own_sources(statement).filter_map(|s| daily_date(&s.note));
    let day = dates.min().filter(|_| claim.holds.is_open());
    let ended = claim.phase == Phase::Ended;
    Validity { from: holds.from.or(day.filter(|_| !ended)), until: holds.until.or(day.filter(|_| ended)) }
}

/// The date of a daily note, from which its lines hold; a project's `created` says nothing of the kind.
pub(crate) fn daily_date(note: &NoteRecord) -> Option<memora_vault::PartialDate> {
    let dated_by_name = memora_vault::PartialDate::parse(note.title.get(..10).unwrap_or(&note.title));
    note.date.filter(|date| Some(*date) == dated_by_name)
}
