//! Input and output records of the store: plain values.

use std::fmt;
use std::sync::Arc;

use memora_claim::{Claim, ClaimId, Source, StatementId, StatementKind};
use memora_vault::{Band, FileStat, Fingerprint, NotePath, PartialDate};

/// A note, without its statements.
#[derive(Clone, PartialEq, Eq)]
pub struct NoteRecord {
    /// Its path.
    pub path: NotePath,
    /// The file's metadata when it was read.
    pub stat: FileStat,
    /// blake3 of the whole file.
    pub hash: Fingerprint,
    /// Its title, as Obsidian shows it.
    pub title: String,
    /// Its name as a borrowed subject.
    pub subject: String,
    /// Its date.
    pub date: Option<PartialDate>,
    /// The band of the whole note.
    pub band: Band,
    /// Whether a machine wrote it: what was captured, memories, transcripts.
    pub captured: bool,
    /// Its aliases.
    pub aliases: Vec<String>,
    /// Tags without `#`, nested ones with their slashes.
    pub tags: Vec<String>,
    /// Properties by name, with list values one by one.
    pub properties: Vec<(String, String)>,
    /// Every heading, in order; shared by the note's sources.
    pub outline: Arc<[String]>,
}

/// A statement at one of its places, as extracted.
#[derive(Clone, PartialEq)]
pub struct StatementRecord {
    /// Its kind here.
    pub kind: StatementKind,
    /// Its words: no markup, white space folded.
    pub words: String,
    /// The place. Its outline is ignored: the note's is used.
    pub source: Source,
    /// Its position among the note's statements; unique within the note.
    pub ordinal: u32,
    /// Its readings here.
    pub claims: Vec<Claim>,
    /// The block id for links to it.
    pub block_id: Option<String>,
    /// Line of its first byte, from 1.
    pub line: u32,
    /// The statement before it, as context; must be in the same note, and is dropped otherwise.
    pub before: Option<StatementId>,
    /// Its speaker, in a conversation.
    pub speaker: Option<String>,
    /// The block that contains it: the same number for the sentences of one paragraph, item or row.
    pub block: u32,
    /// The parent of that block: an item's parent item.
    pub within: Option<u32>,
    /// The links in its bytes, in order.
    pub links: Vec<LinkRecord>,
    /// The claims that it cites here, in order.
    pub cites: Vec<ClaimId>,
    /// Ids of the pieces that it was once cut into, which lead to it.
    pub former: Vec<StatementId>,
}

/// A link to a note, as written.
#[derive(Clone, PartialEq, Eq)]
pub struct LinkRecord {
    /// The linked note: without the part behind `#` or `|`.
    pub target: String,
    /// The text of the link.
    pub shown: String,
    /// Whether that text denotes the note, so that it may be a name of it.
    pub names: bool,
}

/// The extraction of a statement: kind, words, claims.
#[derive(Clone, PartialEq)]
pub struct Extraction {
    /// The statement's kind.
    pub kind: StatementKind,
    /// Its words: no markup, white space folded.
    pub words: String,
    /// Its claims, in the extractor's order.
    pub claims: Vec<Claim>,
}

/// A statement as stored.
#[derive(Clone, PartialEq)]
pub struct StoredStatement {
    /// The id of the statement.
    pub id: StatementId,
    /// The wording at its first source outside captured notes, otherwise at its first source.
    pub wording: Arc<Extraction>,
    /// Its sources, by note path, start and ordinal; never empty.
    pub sources: Vec<StoredSource>,
}

impl StoredStatement {
    /// Creates a statement from its sources; `None` without any.
    pub(crate) fn from_sources(id: StatementId, mut sources: Vec<StoredSource>) -> Option<Self> {
        sources.sort_by(|a, b| (&a.row.note, a.row.start, a.ordinal).cmp(&(&b.row.note, b.row.start, b.ordinal)));
        let first = sources.iter().find(|s| !s.note.captured).or_else(|| sources.first())?;
        let wording = Arc::clone(&first.wording);
        Some(Self { id, wording, sources })
    }

    /// Restricts the statement to some of its sources, wording included; `None` if none is left.
    ///
    /// A door that may not see a source must not see its influence on the reading either, such as a secret daily note's
    /// date. So call this before using anything in the statement.
    #[must_use]
    pub fn retain_sources(self, may_see: impl FnMut(&StoredSource) -> bool) -> Option<Self> {
        let mut sources = self.sources;
        let mut may_see = may_see;
        sources.retain(|source| may_see(source));
        Self::from_sources(self.id, sources)
    }
}

/// A source of a stored statement.
#[derive(Clone, PartialEq)]
pub struct StoredSource {
    /// The place itself.
    pub row: Source,
    /// The note, shared by the sources loaded together.
    pub note: Arc<NoteRecord>,
    /// The wording of the statement here.
    pub wording: Arc<Extraction>,
    /// Its position among the note's statements.
    pub ordinal: u32,
    /// Line of its first byte, from 1.
    pub line: u32,
    /// The block id for links to it.
    pub block_id: Option<String>,
    /// The ordinal of the statement before it, under the same headings.
    pub before: Option<u32>,
    /// Its speaker, in a conversation.
    pub speaker: Option<String>,
    /// The claims that it cites here, in order: its premises.
    pub cites: Vec<ClaimId>,
}

/// A statement near a source, in the same note.
#[derive(Clone, PartialEq, Eq)]
pub struct Neighbour {
    /// The id of the statement.
    pub statement: StatementId,
    /// Its words.
    pub words: String,
    /// The band of its place there.
    pub band: Band,
}

/// The statements that a note gained and lost by a write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NoteChange {
    /// Statements that are new in it, by id.
    pub added: Vec<StatementId>,
    /// Statements that are no longer in it, by id.
    pub removed: Vec<StatementId>,
}

/// Changes of statements since a sequence number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatementChanges {
    /// Statements that are new, or whose wording, context or band changed; by id.
    pub changed: Vec<StatementId>,
    /// Statements whose last source was removed; by id.
    pub deleted: Vec<StatementId>,
}

/// That a statement stands in text of a band, of the user's or of machines'.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StatementPlace {
    /// The statement.
    pub statement: StatementId,
    /// The band.
    pub band: Band,
    /// Whether machines wrote the note.
    pub captured: bool,
}

/// Totals of the index.
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

/// Prints sizes, never the text.
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
