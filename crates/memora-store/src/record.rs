//! What is put into the store and what comes out of it: plain values.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use memora_claim::{Claim, ClaimId, SourceRow, StatementId, StatementKind};
use memora_vault::{Band, FileStat, Fingerprint, NotePath, PartialDate};

use crate::PassageKey;

/// What is kept of a note besides its statements.
#[derive(Clone, PartialEq, Eq)]
pub struct NoteRecord {
    /// Where it lies.
    pub path: NotePath,
    /// What the file system said when it was read.
    pub stat: FileStat,
    /// blake3 of the whole file.
    pub hash: Fingerprint,
    /// Its name, as Obsidian shows it.
    pub title: String,
    /// What it calls itself when a statement takes its subject from it.
    pub subject: String,
    /// The date it bears.
    pub date: Option<PartialDate>,
    /// The band of the whole note.
    pub band: Band,
    /// Whether a machine wrote it down (`memora: captured`).
    pub captured: bool,
    /// Other names it gives itself.
    pub aliases: Vec<String>,
    /// Tags without `#`, nested ones with their slashes.
    pub tags: Vec<String>,
    /// Properties by name, a list's values one by one.
    pub properties: Vec<(String, String)>,
    /// Every heading, in order; shared by the note's sources.
    pub outline: Arc<[String]>,
}

/// A statement at one of its places, as the extractor found it.
#[derive(Clone, PartialEq)]
pub struct StatementRecord {
    /// Its form here.
    pub kind: StatementKind,
    /// Its words: no markup, white space folded.
    pub words: String,
    /// The place. Its outline is not read: the note's counts.
    pub source: SourceRow,
    /// Its place in the order of the note's statements; distinct within the note.
    pub ordinal: u32,
    /// Its readings here.
    pub claims: Vec<Claim>,
    /// The block id that links can lead to.
    pub block_id: Option<String>,
    /// Line of its first byte, from 1.
    pub line: u32,
    /// The statement in front of it, as context; must stand in the same note, and is dropped if it does not.
    pub before: Option<StatementId>,
    /// Who says it, in a conversation.
    pub speaker: Option<String>,
    /// The piece of the note it is cut from: the same number for the sentences of one paragraph, item, row.
    pub block: u32,
    /// The piece that one belongs to: an item's parent item.
    pub within: Option<u32>,
    /// The links in its bytes, in order.
    pub links: Vec<LinkRecord>,
    /// The claims that it cites here, in order.
    pub cites: Vec<ClaimId>,
}

/// A link to a note, as it is written.
#[derive(Clone, PartialEq, Eq)]
pub struct LinkRecord {
    /// The note it names: nothing behind `#` or `|`.
    pub target: String,
    /// The words it shows.
    pub shown: String,
    /// Whether those words stand for the note, so that they may be a name of it.
    pub names: bool,
}

/// How a statement was read: form, words, claims.
#[derive(Clone, PartialEq)]
pub struct Extraction {
    /// The statement's form.
    pub kind: StatementKind,
    /// Its words: no markup, white space folded.
    pub words: String,
    /// Its claims, in the extractor's order.
    pub claims: Vec<Claim>,
}

/// A statement as the store has it.
#[derive(Clone, PartialEq)]
pub struct StoredStatement {
    /// Its name.
    pub id: StatementId,
    /// How it was read at its first source that no machine captured, else at its first source.
    pub wording: Arc<Extraction>,
    /// Its places, ordered by note path, start and ordinal; never empty.
    pub sources: Vec<StoredSource>,
}

impl StoredStatement {
    /// Makes a statement of its sources; `None` without any.
    pub(crate) fn from_sources(id: StatementId, mut sources: Vec<StoredSource>) -> Option<Self> {
        sources.sort_by(|a, b| (&a.row.note, a.row.start, a.ordinal).cmp(&(&b.row.note, b.row.start, b.ordinal)));
        let first = sources.iter().find(|s| !s.note.captured).or_else(|| sources.first())?;
        let wording = Arc::clone(&first.wording);
        Some(Self { id, wording, sources })
    }

    /// The statement as seen through some of its sources only, wording included; `None` when none is left.
    ///
    /// A door that may not see a source must not see what that source alone gave to the reading either, such as a secret
    /// daily note's date. So take the statement through this before looking at anything in it.
    #[must_use]
    pub fn retain_sources(self, may_see: impl FnMut(&StoredSource) -> bool) -> Option<Self> {
        let mut sources = self.sources;
        let mut may_see = may_see;
        sources.retain(|source| may_see(source));
        Self::from_sources(self.id, sources)
    }
}

/// A place where a stored statement stands.
#[derive(Clone, PartialEq)]
pub struct StoredSource {
    /// The place itself.
    pub row: SourceRow,
    /// The note, shared by the sources loaded together.
    pub note: Arc<NoteRecord>,
    /// How the statement was read here.
    pub wording: Arc<Extraction>,
    /// Its place in the order of the note's statements.
    pub ordinal: u32,
    /// Line of its first byte, from 1.
    pub line: u32,
    /// The block id that links can lead to.
    pub block_id: Option<String>,
    /// The ordinal of the statement in front of it, under the same headings.
    pub before: Option<u32>,
    /// Who says it, in a conversation.
    pub speaker: Option<String>,
    /// The claims that it cites here, in order: it derives from those.
    pub cites: Vec<ClaimId>,
}

/// A statement near a source, in the same note.
#[derive(Clone, PartialEq, Eq)]
pub struct Neighbour {
    /// Its name.
    pub statement: StatementId,
    /// Its words.
    pub words: String,
    /// The band of its place there.
    pub band: Band,
}

/// What a note gained and lost when it was put.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NoteChange {
    /// Statements that stand in it now and did not before, in order of id.
    pub added: Vec<StatementId>,
    /// Statements that stood in it before and do not now, in order of id.
    pub removed: Vec<StatementId>,
}

/// What a batch did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitSummary {
    /// The store's sequence number now.
    pub sequence: u64,
    /// Claims that the index has now and did not have before the batch.
    pub claims_added: usize,
    /// Claims that the index had before the batch and has no longer.
    pub claims_removed: usize,
    /// Passages that a note had before the batch and has no longer; another note may have them.
    pub passages_gone: BTreeSet<PassageKey>,
}

/// What happened to statements since some sequence number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatementChanges {
    /// Statements that are new, or whose wording, context or band changed; in order of id.
    pub changed: Vec<StatementId>,
    /// Statements whose last source went; in order of id.
    pub deleted: Vec<StatementId>,
}

/// How much the index holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexTotals {
    /// Notes.
    pub notes: usize,
    /// Notes that a machine captured.
    pub notes_captured: usize,
    /// Notes by band: public, private, secret.
    pub notes_by_band: [usize; 3],
    /// Statements, each counted once.
    pub statements: usize,
    /// Listed claims, each id counted once.
    pub claims: usize,
    /// Places where statements stand.
    pub sources: usize,
    /// Sources by band: public, private, secret.
    pub sources_by_band: [usize; 3],
    /// Problems in notes.
    pub problems: usize,
    /// Files that were not read.
    pub skipped: usize,
}

/// Says how much it holds, never what.
impl fmt::Debug for NoteRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NoteRecord({:?}, {} bytes, {})", self.path, self.stat.size, self.band)
    }
}

impl fmt::Debug for StatementRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let source = &self.source;
        write!(f, "StatementRecord({} at {}..{}, {})", source.statement, source.start, source.end, source.band)
    }
}

impl fmt::Debug for LinkRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LinkRecord({} bytes)", self.target.len())
    }
}

impl fmt::Debug for Extraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Wording({:?}, {} bytes, {} claims)", self.kind, self.words.len(), self.claims.len())
    }
}

impl fmt::Debug for StoredStatement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoredStatement({}, {:?}, {:?})", self.id, self.wording, self.sources)
    }
}

impl fmt::Debug for StoredSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoredSource({:?} at {}..{}, {})", self.row.note, self.row.start, self.row.end, self.row.band)
    }
}

impl fmt::Debug for Neighbour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Neighbour({}, {})", self.statement, self.band)
    }
}
