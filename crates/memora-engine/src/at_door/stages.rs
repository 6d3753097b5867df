//! The ways from a session at a door to its stages, and the stages' reports, typed.

use memora_claim::ClaimId;
use memora_memory::{Kind, MemoryId, Transcript};
use memora_redact::{Door, LocalDoor};
use memora_store::{Authors, ReadError};
use memora_vault::NotePath;

use crate::at_door::{AtDoor, Memories, Session};
use crate::oversee::audit::PrivacyAudit;
use crate::oversee::doctor::Doctor;
use crate::oversee::review::{ApplyReviewsError, ReviewBuilder, TickOutcome};
use crate::read::answer::{Answerer, FindRequest};
use crate::read::capture::{CaptureError, CaptureRequest, NoteCapture};
use crate::read::catalog::{ClaimCatalog, ListOptions};
use crate::read::entity::{EntityQuery, EntityReports, EntityResolver};
use crate::read::lifecycle::{ChangesRequest, DecisionRequest, Lifecycle, LifecycleReports};
use crate::read::search::{ClaimSearch, SearchError, SearchOptions};
use crate::read::verify::Verifier;
use crate::read::verify::input::VerifyInput;
use crate::remember::{
    self, ConsolidationPlan, ContextBuilder, ContextRequest, ItemChange, MemoryBridges, MemoryError, MemoryFinder,
    MemoryGate, MemoryName, MemoryQuery, MemoryReader, MemorySession, MemorySource, MemoryTransfer, MemoryUpkeep,
    MemoryWriter, SaveRequest, WriteRequest, citing_files,
};
use crate::report::typed::ForDoor;
use crate::report::{
    AskReport, CapturedReport, ChangesReport, ClaimsReport, ConsolidationReport, ContradictionsReport, DecidedReport,
    EntityReport, ExportedMemory, FindReport, ForgetReport, Freshness, MemoryContext, MemoryHit, MemoryList,
    MemoryRead, MemoryResults, NoteList, NotePage, NoteReading, NoteSource, ReviewReport, SaveReport, SearchReport,
    StaleMemory, StaleReport, UndoReport, VerifyReport, WhyReport, WireClaim, WriteReport,
};
use crate::state::decisions_file::DecideError;
use crate::state::open::Memora;
use crate::state::session;

impl Memora {
    /// Starts a reading session for a door.
    ///
    /// # Errors
    /// [`ReadError`], when the store can't be read.
    pub fn session<D: Door>(&self, door: D) -> Result<Session<'_, D>, ReadError> {
        Ok(AtDoor { stage: self.session_for(door.view())?, door })
    }
}

/// The ways from one stage to others at the same door.
macro_rules! stages {
    ($from:ty { $(
        $(#[$doc:meta])*
        $name:ident($($arg:ident: $takes:ty)?) -> $stage:ident by $make:expr;
    )* }) => {
        impl<D: Door> AtDoor<$from, D> {
            $(
                $(#[$doc])*
                #[inline]
                pub fn $name(&self $(, $arg: $takes)?) -> AtDoor<$stage<'_>, D> {
                    self.at($make(&self.stage $(, $arg)?))
                }
            )*
        }
    };
}

stages! { session::Session<'_> {
    /// Search: ranks claims, and lists what was found.
    search() -> ClaimSearch by ClaimSearch::new;
    /// Answers: the notes' own words, verified sentence by sentence.
    answerer() -> Answerer by Answerer::new;
    /// Verification: checks texts against the notes.
    verifier() -> Verifier by Verifier::new;
    /// The lifecycle's reports: what contradicts, what is stale, and what the user decides.
    lifecycle_reports() -> LifecycleReports by LifecycleReports::new;
    /// Entities: what names refer to, by the notes of some authors.
    entities_of(authors: Authors) -> EntityResolver by EntityResolver::new;
    /// The reports about entities, by the notes of some authors: claims, timelines, and what occurs with them.
    entity_reports(authors: Authors) -> EntityReports by EntityReports::new;
    /// The review: items that need the user's attention.
    review() -> ReviewBuilder by ReviewBuilder::new;
    /// The catalog: lists and explains claims, notes and edits.
    catalog() -> ClaimCatalog by ClaimCatalog::new;
    /// Capture: text as new notes.
    captures() -> NoteCapture by NoteCapture::new;
    /// The doctor: the status of the index and the embedders, and what is wrong.
    doctor() -> Doctor by Doctor::new;
    /// The privacy audit: what is guarded, and what left.
    audit() -> PrivacyAudit by PrivacyAudit::new;
}}

stages! { remember::Memories<'_> {
    /// Writing: what is saved, changed, logged and noted, through the gates.
    gate() -> MemoryGate by remember::Memories::gate;
    /// Reading: items, logs and pages as they stand.
    reader() -> MemoryReader by remember::Memories::reader;
    /// Searching memories.
    finder() -> MemoryFinder by remember::Memories::finder;
    /// What a session begins with.
    context() -> ContextBuilder by remember::Memories::context;
    /// Upkeep: forgetting, digests, consolidation and its undoing.
    upkeep() -> MemoryUpkeep by remember::Memories::upkeep;
    /// Import and export.
    transfer() -> MemoryTransfer by remember::Memories::transfer;
    /// Other programs' memory servers.
    bridges() -> MemoryBridges by remember::Memories::bridges;
}}

impl<D: Door> AtDoor<session::Session<'_>, D> {
    /// Entities: what names refer to, by the user's notes.
    #[inline]
    pub fn entities(&self) -> AtDoor<EntityResolver<'_>, D> {
        self.at(EntityResolver::new(&self.stage, Authors::User))
    }

    /// Memories: what agents and the user saved, for one writer.
    ///
    /// # Errors
    /// [`MemoryError`], when the folder or the key cannot be used.
    #[inline]
    pub fn memories<'a>(
        &'a self,
        of: &'a MemorySession,
        writer: &'a MemoryWriter,
    ) -> Result<Memories<'a, D>, MemoryError> {
        Ok(self.at(remember::Memories::new(&self.stage, of, writer)?))
    }

    /// Whether any memory that this door may see cites a claim.
    pub fn cites_in_memory(&self) -> Result<bool, ReadError> {
        Ok(!citing_files(&self.stage)?.is_empty())
    }

    /// Returns a number that stays as it is for as long as neither the index nor the user's decisions change: what was gathered with
    /// it may be looked up again, and re-read.
    #[must_use]
    pub fn state_mark(&self) -> u64 {
        Lifecycle::new(&self.stage).state_mark()
    }
}

impl<S, D: Door> AtDoor<S, D> {
    /// Another stage at the same door.
    #[inline]
    fn at<T>(&self, stage: T) -> AtDoor<T, D> {
        AtDoor { stage, door: self.door.clone() }
    }
}

/// The methods of a stage whose reports are typed for the door.
macro_rules! typed {
    ($stage:ty { $(
        $(#[$doc:meta])*
        $name:ident($($arg:ident: $takes:ty),*) -> $report:ty;
    )* }) => {
        impl<D: Door> AtDoor<$stage, D> {
            $(
                $(#[$doc])*
                #[inline]
                pub fn $name(&self $(, $arg: $takes)*) -> $report {
                    self.stage.$name($($arg),*).for_door(&self.door)
                }
            )*
        }
    };
}

typed! { ClaimSearch<'_> {
    /// Searches, for output.
    report_claims(query: &str, options: &SearchOptions, freshness: Freshness) -> Result<SearchReport<D>, SearchError>;
}}

typed! { Answerer<'_> {
    /// Answers a question with the notes' own words, verified sentence by sentence.
    ///
    /// The least bad claim alone is not evidence. The best answer comes first; only claims that add to it follow.
    answer_question(question: &str, options: &SearchOptions, freshness: Freshness) -> Result<AskReport<D>, SearchError>;

    /// Finds the passages that come nearest to a question, to be read.
    find_passages(asked: &FindRequest, freshness: Freshness) -> Result<FindReport<D>, SearchError>;
}}

typed! { Verifier<'_> {
    /// Verifies a text from any source.
    ///
    /// # Errors
    /// [`SearchError`], when the store or an index can't be read.
    verify_text(submitted: &VerifyInput, freshness: Freshness) -> Result<VerifyReport<D>, SearchError>;
}}

typed! { LifecycleReports<'_> {
    /// Lists contradictions: open ones first, and with `all` also superseded ones; up to `limit`.
    list_contradictions(all: bool, limit: usize, freshness: Freshness) -> Result<ContradictionsReport<D>, ReadError>;

    /// Lists newer statements, those of the newest note first, each with the older ones that come nearest.
    ///
    /// # Errors
    /// [`SearchError`], when the store or an index can't be read.
    list_changes(request: &ChangesRequest, freshness: Freshness) -> Result<ChangesReport<D>, SearchError>;

    /// Lists stale sentences, most dependents first; up to `limit`.
    list_stale(limit: usize, freshness: Freshness) -> Result<StaleReport<D>, ReadError>;

    /// Returns the claims that an open contradiction sets against any reading of a claim's statement, as far as the door may
    /// see them.
    open_rivals(id: ClaimId) -> Result<Vec<WireClaim<D>>, ReadError>;

    /// Records the user's decision about a claim that this door may see.
    ///
    /// A decision about a claim that this door may not know of fails like one about an unknown claim.
    ///
    /// # Errors
    /// [`DecideError`]; nothing was decided then.
    decide_claim(deciding: &DecisionRequest) -> Result<DecidedReport<D>, DecideError>;
}}

typed! { EntityReports<'_> {
    /// Reports the claims about the entity that a name refers to: first claims about it, then other claims and
    /// statements that mention it, up to the limit in total, and its co-occurring entities.
    report_entity(query: &EntityQuery<'_>, freshness: Freshness) -> Result<EntityReport<D>, SearchError>;
}}

typed! { ReviewBuilder<'_> {
    /// Collects the review items, and returns the first `limit` in their total order.
    report_items(limit: usize, freshness: Freshness) -> Result<ReviewReport<D>, ReadError>;

    /// Collects the review as [`AtDoor::report_items`], at the local door with the questions about what agents
    /// remember.
    report_with_memories(limit: usize, freshness: Freshness) -> Result<ReviewReport<D>, MemoryError>;
}}

typed! { ClaimCatalog<'_> {
    /// Lists claims by note and place; guarded ones of public notes redacted.
    list_claims(options: &ListOptions, freshness: Freshness) -> Result<ClaimsReport<D>, ReadError>;

    /// Explains a claim: its readings, its places, its edges, the decisions about it, its former place.
    explain_claim(id: &ClaimId) -> Result<WhyReport<D>, ReadError>;

    /// A note as this door may see it; `None` where there is none that this door may know of.
    read_page(path: &NotePath) -> Result<Option<NotePage<D>>, ReadError>;

    /// A note byte for byte; `None` where there is none that this door may know of, or anything in it is withheld from it.
    read_source(path: &NotePath) -> Result<Option<NoteSource<D>>, ReadError>;

    /// The statements of a note as this door may see it, with their ids; `None` where there is none that this door may know of.
    read_statements(path: &NotePath) -> Result<Option<NoteReading<D>>, ReadError>;

    /// Lists notes by path that this door may see and whose path or title contains `having`, from the `offset`th of the
    /// index on, as many as `limit`.
    list_notes(having: &str, offset: usize, limit: usize) -> Result<NoteList<D>, ReadError>;
}}

typed! { NoteCapture<'_> {
    /// Writes a text as a note, if every citation in it is valid and every cited sentence is supported.
    ///
    /// Sentences without a citation are accepted and counted. The note's band is the join of the bands of its cited
    /// claims, and at least the band of its folder. At a cloud door the file name has a timestamp, so that a name clash
    /// does not reveal an existing note.
    ///
    /// # Errors
    /// [`CaptureError`]; nothing was written then.
    capture_text(capturing: &CaptureRequest, freshness: Freshness) -> Result<CapturedReport<D>, CaptureError>;
}}

typed! { MemoryGate<'_> {
    /// Saves an item, if it passes the gates.
    ///
    /// # Errors
    /// [`MemoryError`]; nothing was written then.
    save(saving: &SaveRequest) -> Result<SaveReport<D>, MemoryError>;

    /// Writes to a log, a scratchpad, a note, or items.
    write(writing: &WriteRequest) -> Result<WriteReport<D>, MemoryError>;

    /// Changes an item of Memora's; beside one that a person edited, a new one that supersedes it.
    update(id: &MemoryId, change: &ItemChange) -> Result<WriteReport<D>, MemoryError>;

    /// Writes the note of a session, or writes it anew: a session has one, known by the program's own id of it.
    save_session(session: &str, transcript: &Transcript) -> Result<WriteReport<D>, MemoryError>;

    /// Writes a checkpoint into the day's log: what was asked, changed, decided and left open so far.
    save_checkpoint(transcript: &Transcript) -> Result<WriteReport<D>, MemoryError>;

    /// Writes a program's own summary of what it is about to forget into the day's log, as it is.
    save_summary(summary: &str, messages: usize) -> Result<WriteReport<D>, MemoryError>;
}}

typed! { MemoryUpkeep<'_> {
    /// Moves an item to the archive.
    forget(id: &MemoryId, reason: Option<&str>) -> Result<ForgetReport<D>, MemoryError>;

    /// Moves an item back from the archive.
    restore(id: &MemoryId) -> Result<ForgetReport<D>, MemoryError>;

    /// Reports a plan.
    report_plan(plan: &ConsolidationPlan) -> ConsolidationReport<D>;
}}

typed! { MemoryFinder<'_> {
    /// Searches memories; the best come first. Those that are evidence for the query count as recalled: what only resembles
    /// it is shown, but nothing says that it was of use.
    search(asked: &MemoryQuery, freshness: Freshness) -> Result<MemoryResults<D>, MemoryError>;

    /// Finds the hits of a query, best first. Nothing is counted as recalled.
    find_hits(asked: &MemoryQuery) -> Result<Vec<MemoryHit<D>>, MemoryError>;
}}

typed! { MemoryReader<'_> {
    /// Reads what search names: items, entries of logs, and notes of sessions or of reference. What has no room is cut: of
    /// several texts each has the same room, and what a short one leaves goes to the others. One that alone is named is read
    /// from `offset` on.
    read_named(names: &[MemoryName], offset: usize) -> Result<MemoryRead<D>, MemoryError>;

    /// Reads a file, from a byte on.
    read_source(source: MemorySource, name: Option<&str>, offset: usize) -> Result<MemoryRead<D>, MemoryError>;

    /// Lists items of the writer's scopes, or of all, newest first.
    list(kind: Option<Kind>, all: bool, archived: bool, limit: usize) -> Result<MemoryList<D>, MemoryError>;

    /// Lists items that rest on claims which no longer hold, newest first, up to `limit`; whether there are more.
    list_stale(limit: usize) -> Result<(Vec<StaleMemory<D>>, bool), MemoryError>;
}}

typed! { ContextBuilder<'_> {
    /// Lays out what a session begins with. Two calls without a change between them give equal bytes.
    lay_out_context(asked: &ContextRequest) -> Result<MemoryContext<D>, MemoryError>;
}}

/// What only the user does.
impl AtDoor<ReviewBuilder<'_>, LocalDoor> {
    /// Applies all ticks in reviews of the vault that were not applied yet; `at` is the current time.
    ///
    /// # Errors
    /// [`ApplyReviewsError`]; decisions applied until then are kept.
    pub fn apply_reviews(&self, at: &str) -> Result<TickOutcome, ApplyReviewsError> {
        self.stage.ticks().apply_reviews(at)
    }

    /// Applies one choice of a review, as [`to_tick`](crate::report::ReviewChoice::to_tick) encodes it.
    ///
    /// # Errors
    /// [`ApplyReviewsError`]; nothing was decided then.
    pub fn apply_choice(&self, choice: &str, at: &str) -> Result<TickOutcome, ApplyReviewsError> {
        self.stage.ticks().apply_choice(choice, at)
    }
}

impl<D: Door> AtDoor<LifecycleReports<'_>, D> {
    /// When the user said that a claim no longer holds, in UTC.
    pub fn ended_at(&self, id: ClaimId) -> Option<String> {
        self.stage.ended_at(id)
    }

    /// Claims as they stand now, of those that this door may see: the clearest place of each, re-read a moment ago.
    pub fn find_claims(&self, ids: &[ClaimId]) -> Result<Vec<WireClaim<D>>, ReadError> {
        let found: Vec<Option<WireClaim>> =
            ids.iter().map(|id| self.stage.load_wire_claim(*id)).collect::<Result<_, _>>()?;
        Ok(found.into_iter().flatten().collect::<Vec<_>>().for_door(&self.door))
    }

    /// A report of a decision, with the claims that it is about as they are now.
    pub fn with_decided_claims(&self, report: DecidedReport<D>) -> Result<DecidedReport<D>, ReadError> {
        let claims = self.stage.decided_claims(&report.decision)?.for_door(&self.door);
        Ok(DecidedReport { claims, ..report })
    }
}

impl<D: Door> AtDoor<ClaimCatalog<'_>, D> {
    /// Where a statement stood last, of which a note no longer has the words: the note, and the offset of its first byte then.
    pub fn former_place(&self, id: &ClaimId) -> Result<Option<(String, usize)>, ReadError> {
        self.stage.former_place(id)
    }
}

impl AtDoor<ClaimCatalog<'_>, LocalDoor> {
    /// The other notes in which guarded statements of a note stand less guarded, by path. For the user alone.
    pub fn laxer_notes(&self, path: &NotePath) -> Result<Vec<String>, ReadError> {
        self.stage.laxer_notes(path)
    }
}

impl<D: Door> AtDoor<MemoryTransfer<'_>, D> {
    /// Hands out every file of the memory folder that this door may see whole, by path. Returns the paths of those that are no
    /// words.
    ///
    /// # Errors
    /// [`MemoryError`], and those of `take`.
    pub fn export<E: From<MemoryError>>(
        &self,
        take: &mut dyn FnMut(&ExportedMemory<D>) -> Result<(), E>,
    ) -> Result<Vec<String>, E> {
        self.stage.export(&mut |exported| take(&exported.for_door(&self.door)))
    }
}

/// What only the user does.
impl AtDoor<MemoryGate<'_>, LocalDoor> {
    /// Confirms an item as it stands: it counts as the user's word from then on. `at` is the time, as in
    /// `MemoryDecision::at`. `None` if there is no item of that id outside the archive.
    ///
    /// # Errors
    /// [`MemoryError`]; nothing was decided then.
    pub fn keep(&self, id: &MemoryId, at: &str) -> Result<Option<DecidedReport<LocalDoor>>, MemoryError> {
        self.stage.keep(id, at).for_door(&self.door)
    }
}

/// What only the user does.
impl AtDoor<MemoryUpkeep<'_>, LocalDoor> {
    /// Does what a plan proposes, under one record with which it can be undone. A plan that archives too much of a scope is
    /// refused as a whole unless it is `forced`.
    ///
    /// # Errors
    /// [`MemoryError`]; what was done until then stands in the record.
    pub fn apply_consolidation(
        &self,
        plan: ConsolidationPlan,
        forced: bool,
    ) -> Result<ConsolidationReport<LocalDoor>, MemoryError> {
        self.stage.apply_consolidation(plan, forced).for_door(&self.door)
    }

    /// Saves the facts of a plan, under a record with which that can be undone, and reports the other steps as proposed.
    pub fn save_facts(&self, plan: ConsolidationPlan) -> Result<ConsolidationReport<LocalDoor>, MemoryError> {
        self.stage.save_facts(plan).for_door(&self.door)
    }

    /// Undoes a pass, the last that was not undone if none is named: what it archived comes back, what it made goes. `None`
    /// if there is no such pass.
    pub fn undo_consolidation(&self, pass: Option<&str>) -> Result<Option<UndoReport>, MemoryError> {
        self.stage.undo_consolidation(pass)
    }
}
