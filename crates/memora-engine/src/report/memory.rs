//! Reports of agents' memory.

use memora_memory::{Domain, Kind, Origin, Refusal};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Band, BridgeState, Freshness, WireClaim};
use crate::report::typed::{door_report, kept_for_doors};

kept_for_doors! {
    BridgedMemories, ContextSection, ForgetStatus, HitReasons, MemoryStatus, RelatedMemory, SaveStatus, SearchOutcome, WriteStatus
}

memora_vault::closed_sets! {
    /// What became of an item to save.
    SaveStatus {
        /// It was saved.
        Saved,
        /// It was saved, and reads as an instruction: a person must confirm it.
        Held,
        /// It was saved, and the user's notes say otherwise: a person must confirm it.
        Conflict,
        /// The user's notes say it already; nothing was written.
        Known,
        /// A memory says it already; nothing was written.
        Duplicate,
        /// Nothing was written.
        Refused,
        /// It was to supersede a memory that there is not; nothing was written.
        Unknown,
    }
    /// What became of a write.
    WriteStatus {
        /// It was written.
        Written,
        /// Nothing was written.
        Refused,
        /// There is no memory of that id.
        Unknown,
        /// The words to change are not there, or not once.
        NotFound,
        /// It was forgotten or superseded; it stays as it is.
        NotCurrent,
        /// A person edited the file, another machine wrote it, or it is the user's own word; it stays as it is.
        NotOwned,
    }
    /// What became of a memory to forget or to restore.
    ForgetStatus {
        /// It lies in the archive.
        Forgotten,
        /// It is back where it was.
        Restored,
        /// There is no memory of that id.
        Unknown,
        /// A person edited the file, or another machine wrote it; it stays where it is.
        NotOwned,
    }
    /// Whether memories were found.
    SearchOutcome {
        /// They were.
        Found,
        /// There are none.
        NothingFound,
        /// There may be some that are not indexed yet.
        NotIndexedYet,
    }
    /// What became of consolidating.
    ConsolidationStatus {
        /// There is nothing to do.
        NothingToDo,
        /// It is proposed; nothing was done.
        Proposed,
        /// It was done.
        Applied,
        /// It would archive more than a quarter of a scope; nothing was done.
        Refused,
    }
    /// A way to consolidate.
    ConsolidationAct {
        /// An entry of a log, recalled in four sessions or more, becomes a memory of its own.
        Promote,
        /// A memory of which another says everything goes to the archive.
        Merge,
        /// A memory that faded and was not recalled goes to the archive.
        Prune,
        /// A fact that a language model found in the note of a session becomes a memory.
        Extract,
        /// Sessions of a week, or weeks of a month, become one note, and go to the archive.
        Digest,
    }
    /// Why a sentence of a language model's was dropped, before the gates of saving.
    DroppedFor {
        /// It cites nothing.
        Uncited,
        /// What it cites was not offered, or does not stand.
        Citation,
        /// A fact of it disagrees with what it cites.
        Contradicted,
        /// Something in it is in nothing that it cites.
        Unsupported,
        /// What it cites does not prove its wording.
        Unproven,
        /// It names no words of the note as its evidence, or words that are not there.
        NotQuoted,
        /// The note asks it, or has it as a task.
        NotAsserted,
        /// A memory says it, so that it was recalled rather than said.
        Recalled,
        /// It says "I", and the user did not.
        Speaker,
        /// The note gave ten already.
        TooMany,
        /// One sentence was asked for.
        NotOneSentence,
        /// It is in the words of a memory that is there.
        SaysNothingNew,
        /// A number, a name, a negation or a word of a memory is lost, or one is new.
        Lost,
        /// It would not replace the memories that it words.
        NotReplacing,
    }
    /// The state of a memory.
    MemoryStatus {
        /// It holds, as far as memory knows.
        Current,
        /// It reads as an instruction, or the notes said otherwise when it was saved, and no person confirmed it.
        Held,
        /// It cites a claim that no longer holds.
        Stale,
        /// The user's notes say otherwise by now.
        Contradicted,
        /// A newer one replaced it.
        Superseded,
        /// It was forgotten.
        Archived,
    }
}

/// A memory that may be about the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct RelatedMemory {
    /// Its id.
    pub id: String,
    /// How it begins.
    pub gist: String,
    /// How guarded it is; for the log of what is sent.
    #[serde(skip)]
    #[schemars(skip)]
    pub band: Band,
}

impl<D> SaveReport<D> {
    /// Returns the ids of the memories and claims whose words are in it, with their bands.
    pub fn shown(&self) -> impl Iterator<Item = (String, Band)> {
        let memories = self.related.iter().map(|near| (near.id.clone(), near.band));
        let claims = self.notes.iter().chain(&self.related_notes).map(|claim| (claim.id().to_owned(), claim.band()));
        memories.chain(claims)
    }
}

door_report! {
    /// What saving an item did.
    #[schemars(bound = "", rename = "SaveReport")]
    SaveReport {
        /// What became of it.
        status: SaveStatus,
        /// Its id; `null` where nothing was written.
        id: Option<String>,
        /// Its file, relative to the vault.
        path: Option<String>,
        /// How guarded it is.
        band: Option<Band>,
        /// Whose word it counts as.
        origin: Option<Origin>,
        /// The ids of memories that it supersedes.
        superseded: Vec<String>,
        /// Claims of the user's notes that say it already, or that cannot hold beside it.
        notes: Vec<WireClaim<D>>,
        /// The ids of memories that cannot hold beside it, and stand.
        conflicts: Vec<String>,
        /// The nearest other memories: whether it says the same, or replaces one, is its writer's to judge.
        related: Vec<RelatedMemory>,
        /// The nearest claims of the user's notes, likewise.
        related_notes: Vec<WireClaim<D>>,
        /// Why it was refused.
        reason: Option<Refusal>,
        /// How many more this session may save; `null` for the user.
        saves_left: Option<usize>,
        /// Whether its writer can read back what was written; true where nothing was.
        readable_back: bool,
        /// What to do next.
        next: &'static str,
    }

    /// What a write did.
    #[schemars(bound = "", rename = "WriteReport")]
    WriteReport {
        /// What became of it.
        status: WriteStatus,
        /// The file, relative to the vault.
        path: Option<String>,
        /// The id of the entry, note or item.
        id: Option<String>,
        /// Why it was refused.
        reason: Option<Refusal>,
        /// The ids of memories that it supersedes.
        superseded: Vec<String>,
        /// The bytes that were written of a text that was too long.
        truncated: Option<usize>,
        /// Whether it went into a next file: the first is full, or a person's.
        continued: bool,
        /// What to do next.
        next: String,
    }
}

impl ForgetStatus {
    /// Why a memory stays that is [`ForgetStatus::NotOwned`], and what its user can do.
    pub const NOT_OWNED_REASON: &'static str =
        "it is from another machine, or you edited it, so it is yours: delete or move its file";
}

door_report! {
    /// What forgetting or restoring did.
    #[schemars(bound = "", rename = "ForgetReport")]
    ForgetReport {
        /// What became of it.
        status: ForgetStatus,
        /// Where it lies now, relative to the vault.
        path: Option<String>,
        /// Other programs' servers that have it still.
        also_in: Vec<String>,
    }

    /// Memories that match a query.
    #[schemars(bound = "", rename = "MemoryResults")]
    MemoryResults {
        /// Whether there are any.
        status: SearchOutcome,
        /// The best first.
        hits: Vec<MemoryHit<D>>,
        /// What other programs' servers say, where they were asked.
        bridged: Vec<BridgedMemories>,
        /// Whether the index has everything that is in the vault.
        #[serde(flatten)]
        freshness: Freshness,
    }

    /// A memory that matches.
    #[schemars(bound = "", rename = "MemoryHit")]
    MemoryHit {
        /// Its id; of a note without one, its path.
        id: String,
        /// Its file, relative to the vault.
        path: String,
        /// How it begins.
        gist: String,
        /// What it is about.
        kind: Kind,
        /// The person or thing that it concerns.
        entity: Option<String>,
        /// Whose word it counts as.
        origin: Origin,
        /// Its writer: an agent, or `user`.
        by: String,
        /// When it was saved, in local time.
        created: String,
        /// How guarded it is.
        band: Band,
        /// Its state.
        status: MemoryStatus,
        /// The id of a newer hit that says otherwise; both stand.
        #[serde(skip_serializing_if = "Option::is_none")]
        differs_from: Option<String>,
        /// Whether it only resembles the query, as something does for any query; it does not count as recalled.
        weak: bool,
        /// What it is ordered by.
        salience: f64,
        /// What that is made of.
        why: HitReasons,
    }
}

/// What the order of a hit is made of.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct HitReasons {
    /// How far its words answer, 0 to 1.
    pub relevance: f64,
    /// How recent it is, 0 to 1.
    pub recency: f64,
    /// How often it was recalled: 1 for never, 1.15 for one session.
    pub frequency: f64,
    /// How far its origin is trusted, 0 to 1.
    pub trust: f64,
}

door_report! {
    /// A memory in full.
    #[schemars(bound = "", rename = "MemoryItem")]
    MemoryItem {
        /// Its id.
        id: String,
        /// Its file, relative to the vault.
        path: String,
        /// How it begins.
        #[serde(skip)]
        gist: String,
        /// Its words.
        text: String,
        /// The byte to go on from, if they are cut: read it alone, from there.
        #[serde(skip_serializing_if = "Option::is_none")]
        next_offset: Option<usize>,
        /// What it is about.
        kind: Kind,
        /// The person or thing that it concerns.
        entity: Option<String>,
        /// Its domain of life.
        domain: Option<Domain>,
        /// Its tags.
        tags: Vec<String>,
        /// Whose word it counts as.
        origin: Origin,
        /// Its writer: an agent, or `user`.
        by: String,
        /// When it was saved, in local time.
        created: String,
        /// How sure its writer was, 0 to 1.
        confidence: f64,
        /// How guarded it is.
        band: Band,
        /// Its state.
        status: MemoryStatus,
        /// The id of the memory that took its place; forget that one, and this one holds again.
        #[serde(skip_serializing_if = "Option::is_none")]
        superseded_by: Option<String>,
        /// Whether it is as Memora wrote it on this machine; a person's edit makes it theirs.
        owned: bool,
    }

    /// An entry of a log, the note of a session, or another file of memory.
    #[schemars(bound = "", rename = "MemoryPassage")]
    MemoryPassage {
        /// Its id; of a file without one, its path.
        id: String,
        /// Its file, relative to the vault.
        path: String,
        /// The line that begins an entry, or the name of the file.
        title: String,
        /// Its words.
        text: String,
        /// The byte to go on from, if they are cut: read it alone, from there.
        #[serde(skip_serializing_if = "Option::is_none")]
        next_offset: Option<usize>,
        /// Its writer: an agent, or `user`.
        by: String,
        /// The day of a log, or when the file was made, in local time.
        created: String,
        /// How guarded it is.
        band: Band,
    }

    /// Memories that were read.
    #[schemars(bound = "", rename = "MemoryRead")]
    MemoryRead {
        /// The items asked for.
        items: Vec<MemoryItem<D>>,
        /// The entries of logs and the notes asked for.
        passages: Vec<MemoryPassage<D>>,
        /// The ids of which nothing was read.
        missing: Vec<String>,
        /// The text asked for; `null` where there is none.
        text: Option<String>,
        /// The byte to go on from; `null` at the end.
        next_offset: Option<usize>,
        /// What the text is of: paths or ids, and their bands.
        #[serde(skip)]
        shown: Vec<(String, Band)>,
    }

    /// What a session begins with.
    #[schemars(bound = "", rename = "MemoryContext")]
    MemoryContext {
        /// One XML element; empty if nothing is remembered.
        text: String,
        /// Its size in bytes.
        bytes: usize,
        /// About how many tokens that is.
        tokens: usize,
        /// The project that it is about.
        project: Option<String>,
        /// Its sections, in order.
        sections: Vec<ContextSection>,
        /// What it is of: paths or ids, and their bands.
        #[serde(skip)]
        shown: Vec<(String, Band)>,
    }
}

/// A section of it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ContextSection {
    /// Its heading.
    pub title: String,
    /// Its size in bytes.
    pub bytes: usize,
    /// The number of items in it.
    pub items: usize,
    /// The number of items that had no room.
    pub omitted: usize,
}

door_report! {
    /// A list of memories.
    #[schemars(bound = "", rename = "MemoryList")]
    MemoryList {
        /// The newest first.
        items: Vec<MemoryItem<D>>,
        /// How many more there are.
        more: usize,
        /// How many of all wait for the user to keep them.
        held: usize,
    }
}

/// Memories counted.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MemoryStats {
    /// The folder, relative to the vault.
    pub folder: String,
    /// All items outside the archive.
    pub items: usize,
    /// By what they are about.
    pub by_kind: Vec<MemoryCount>,
    /// By whose word they are.
    pub by_origin: Vec<MemoryCount>,
    /// By their state.
    pub by_status: Vec<MemoryCount>,
    /// Those that a person edited, or that another machine wrote.
    pub not_owned: usize,
    /// Those that wait for a person.
    pub held: usize,
    /// Those in the archive.
    pub archived: usize,
}

/// A count.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MemoryCount {
    /// Of what.
    pub name: String,
    /// How many.
    pub count: usize,
}

/// What another program's server said to a search.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct BridgedMemories {
    /// The server's name in the user's configuration.
    pub name: String,
    /// Whether it answered.
    pub state: BridgeState,
    /// What it remembers, in its order: not verified, and not in the vault.
    pub hits: Vec<BridgedHit>,
}

/// A text of another program's server.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct BridgedHit {
    /// How it begins.
    pub text: String,
    /// What it counts as: the output of a tool.
    pub origin: Origin,
    /// `held` if it reads as an instruction.
    pub status: MemoryStatus,
}
