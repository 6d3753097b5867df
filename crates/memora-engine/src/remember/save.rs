//! Saving an item, through the gates.

use std::marker::PhantomData;

use jiff::civil::DateTime;
use memora_claim::Claim;
use memora_memory::{
    Domain, HeldFor, ImportKey, Item, Kind, MemoryId, Origin, Refusal, Scope, check_content, clean_line, clean_text,
    gist, is_transient, reads_as_instruction, slug_agent, speaks_of_project,
};
use memora_redact::{Viewer, strip_citation_markers};
use memora_vault::{Band, Note, NotePath, find_credentials};

use super::held::Standing;
use super::naming::NewName;
use crate::read::capture::judge_citations;
use crate::read::lifecycle::succession::SaidText;
use crate::remember::error::MemoryError;
use crate::remember::items::FoundItem;
use crate::remember::owners::MemoryGate;
use crate::remember::session::random_id;
use crate::report::{ConsolidationAct, ConsolidationStep, RelatedMemory, SaveReport, SaveStatus};
use crate::state::note_kind::is_memory;

/// The longest name, tag or reason that is kept, in characters.
const NAME_CHARS_MAX: usize = 120;
/// The most tags of an item.
const TAGS_MAX: usize = 8;
/// The length of a gist, in characters.
const GIST_CHARS_MAX: usize = 160;
/// How sure a writer must be.
const CONFIDENCE_MIN: f64 = 0.6;

/// A request to save an item.
#[derive(Clone, Default)]
pub struct SaveRequest {
    /// Its words.
    pub content: String,
    /// What it is about.
    pub kind: Kind,
    /// The person or thing that it concerns.
    pub entity: Option<String>,
    /// Its domain of life.
    pub domain: Option<Domain>,
    /// Its tags.
    pub tags: Vec<String>,
    /// Whether it is the output of a tool.
    pub tool_output: bool,
    /// How sure the writer is, 0 to 1; 0.8 by default.
    pub confidence: Option<f64>,
    /// How guarded it is at least.
    pub privacy: Band,
    /// The id of an item that it supersedes.
    pub supersedes: Option<MemoryId>,
    /// What it concerns, rather than what its kind and its words say.
    pub scope: Option<Scope>,
    /// Whether it is held until the user confirms it, even if the user said it.
    pub must_be_confirmed: bool,
}

impl SaveRequest {
    fn confidence(&self) -> f64 {
        self.confidence.unwrap_or(0.8).clamp(0.0, 1.0)
    }
}

/// What an imported item has of its own.
#[derive(Clone)]
pub(crate) struct ImportedItem {
    /// The program.
    pub(super) by: String,
    /// Whose word it counts as.
    pub(super) origin: Origin,
    /// When it was made, in local time.
    pub(super) created: DateTime,
    /// Where it came from.
    pub(super) key: ImportKey,
}

/// What becomes an item: an entry of a log, a fact from the note of a session, or memories that are worded as one.
#[derive(Clone)]
pub(crate) struct PromotedEntry {
    /// Its place, as in a link.
    pub(super) place: String,
    /// Its writer.
    pub(super) by: String,
    /// How guarded its file is.
    pub(super) band: Band,
}

/// Where the words of an item come from.
pub(crate) enum ItemSource<'i> {
    /// The writer says them now.
    Writer,
    /// A file of memory, which an agent wrote.
    Log(&'i PromotedEntry),
    /// Another program's memory.
    Import(&'i ImportedItem),
}

/// What a request to save comes to, before anything is written.
pub(crate) enum Judged {
    /// Nothing is to be written.
    Answered(Box<SaveReport>),
    Admitted(Box<AdmittedItem>),
}

/// An item that passed the gates.
pub(crate) struct AdmittedItem {
    pub(super) item: Item,
    path: NotePath,
    band: Band,
    /// The ids of memories that it ends.
    pub(super) superseded: Vec<String>,
    /// The ids of those that it would end, if its origin were not lower, or it were not held.
    beneath: Vec<String>,
    /// The ids of memories that say otherwise, and stand.
    differing: Vec<String>,
    /// How it stands to what else there is. What it ends or stands against is related, too.
    standing: Standing,
    /// What it claims.
    claims: Vec<Claim>,
}

impl AdmittedItem {
    /// Its name, as in a link.
    pub(super) fn stem(&self) -> &str {
        self.path.stem()
    }

    /// Its text, with its claims.
    pub(super) fn said(&self) -> SaidText<'_> {
        SaidText { text: &self.item.text, claims: &self.claims }
    }

    /// The step of a pass that makes it of something.
    pub(super) fn step_of(&self, act: ConsolidationAct, id: &MemoryId, path: &str, band: Band) -> ConsolidationStep {
        ConsolidationStep::new(act, id, path, gist(&strip_citation_markers(&self.item.text), GIST_CHARS_MAX), band)
    }
}

impl MemoryGate<'_> {
    /// Saves an item, if it passes the gates.
    ///
    /// # Errors
    /// [`MemoryError`]; nothing was written then.
    pub(crate) fn save(&self, saving: &SaveRequest) -> Result<SaveReport, MemoryError> {
        if self.writer.agent.is_some() && self.of.saves_left() == 0 {
            return Ok(self.refused(Refusal::RateLimited));
        }
        loop {
            let admitted = match self.judge(saving, &ItemSource::Writer)? {
                Judged::Answered(report) => {
                    let repeated = report.id.as_deref().filter(|_| report.status == SaveStatus::Duplicate);
                    self.reader().record_recalls(repeated.into_iter())?;
                    return Ok(*report);
                }
                Judged::Admitted(admitted) => admitted,
            };
            // Where four random letters met, another id will not.
            if self.create_item(&admitted)? {
                return self.report_saved(*admitted);
            }
        }
    }

    /// Saves an item of another program's, if it passes the same gates; says only what it would do, where it is tried.
    pub(crate) fn save_imported(
        &self,
        saving: &SaveRequest,
        imported: &ImportedItem,
        tries: bool,
    ) -> Result<SaveReport, MemoryError> {
        loop {
            match self.judge(saving, &ItemSource::Import(imported))? {
                Judged::Answered(report) => return Ok(*report),
                Judged::Admitted(admitted) if tries || self.create_item(&admitted)? => {
                    return self.report_saved(*admitted);
                }
                Judged::Admitted(_) => {}
            }
        }
    }

    /// Takes a request through the gates. Nothing is written.
    pub(crate) fn judge(&self, saving: &SaveRequest, source: &ItemSource<'_>) -> Result<Judged, MemoryError> {
        let refused = |refusal| Ok(Judged::Answered(Box::new(self.refused(refusal))));
        let text = clean_text(&saving.content);
        if let Err(refusal) = self.check_words(saving, source, &text) {
            return refused(refusal);
        }
        let Some(cited) = judge_citations(self.session, &text)? else { return refused(Refusal::Citation) };
        let old = saving.supersedes.as_ref().map_or(Ok(None), |id| self.find_item(id))?;
        if saving.supersedes.is_some() && old.is_none() {
            return Ok(Judged::Answered(Box::new(SaveReport { status: SaveStatus::Unknown, ..self.refused_report() })));
        }
        let item = self.draft_item(saving, source, text, cited)?;
        let scope = self.scope_of(saving, item.entity.as_deref());
        let folder = format!("{}/{}", scope.folder(), item.kind.folder());
        let NewName { path, privacy, .. } = self.name_file(&folder, &item.text, &item.id, &item.to_document())?;
        let item = Item { privacy: item.privacy.join(privacy), ..item };
        let Some(note) = self.read_as_meant(&path, &item) else { return refused(Refusal::Unreadable) };
        let band = note.band();
        let claims = self.claims().read_claims(note);
        // That something is something may be of this moment, too.
        let says_a_relation = |claim: &Claim| claim.relation.as_ref().is_some_and(|relation| relation != "is_a");
        if is_transient(&item.text) && !claims.iter().any(says_a_relation) {
            return refused(Refusal::Transient);
        }
        let standing = match item.origin {
            Origin::ToolOutput => Standing::default(),
            _ => self.hold(&item.text, &claims, item.held.is_some())?,
        };
        if let Some(report) = self.say_already_there(&standing, old.as_ref(), item.origin)? {
            return Ok(Judged::Answered(Box::new(report)));
        }
        Ok(Judged::Admitted(Box::new(self.admit(item, path, band, claims, old, standing))))
    }

    /// Checks what needs nothing but the words, and how sure their writer is.
    fn check_words(&self, saving: &SaveRequest, source: &ItemSource<'_>, text: &str) -> Result<(), Refusal> {
        let is_users = self.writer.agent.is_none() && matches!(source, ItemSource::Writer);
        check_content(text, is_users)?;
        if saving.entity.iter().chain(&saving.tags).any(|name| !find_credentials(name).is_empty()) {
            return Err(Refusal::Credential);
        }
        if saving.confidence() < CONFIDENCE_MIN { Err(Refusal::Unsure) } else { Ok(()) }
    }

    /// The item that a request makes of some words, which cite what is this guarded.
    fn draft_item(
        &self,
        saving: &SaveRequest,
        source: &ItemSource<'_>,
        text: String,
        cited: Band,
    ) -> Result<Item, MemoryError> {
        let (by, created, band) = match source {
            ItemSource::Writer => (self.by(), self.writer.at, self.writer_band()),
            ItemSource::Log(entry) => (slug_agent(&entry.by), self.writer.at, entry.band),
            ItemSource::Import(imported) => (imported.by.clone(), imported.created, self.writer_band()),
        };
        let origin = self.origin_of_request(saving, source);
        let is_unconfirmed = origin < Origin::UserInstruction && reads_as_instruction(saving.kind, &text);
        let held = (saving.must_be_confirmed || is_unconfirmed).then_some(HeldFor::Instruction);
        let short =
            |text: &str| clean_line(text).replace(['[', ']', '|', '#'], "").chars().take(NAME_CHARS_MAX).collect();
        Ok(Item {
            id: random_id()?,
            kind: saving.kind,
            entity: saving.entity.as_deref().map(short).filter(|name: &String| !name.is_empty()),
            origin,
            confidence: saving.confidence(),
            domain: saving.domain,
            tags: saving.tags.iter().take(TAGS_MAX).map(|tag| short(tag.trim_start_matches('#'))).collect(),
            by,
            created,
            from: if let ItemSource::Log(entry) = source { Some(entry.place.clone()) } else { None },
            imported: if let ItemSource::Import(imported) = source { Some(imported.key.clone()) } else { None },
            supersedes: Vec::new(),
            privacy: [band, cited].into_iter().fold(saving.privacy, Band::join),
            held,
            archived: None,
            text,
        })
    }

    /// Whose word a request is. What is promoted was written by an agent, whoever promotes it.
    fn origin_of_request(&self, saving: &SaveRequest, source: &ItemSource<'_>) -> Origin {
        match source {
            ItemSource::Import(imported) => imported.origin,
            _ if saving.tool_output => Origin::ToolOutput,
            ItemSource::Writer if self.writer.agent.is_none() => Origin::UserInstruction,
            ItemSource::Writer | ItemSource::Log(_) => Origin::AgentAnalysis,
        }
    }

    /// Admits an item. It ends the memories that it replaces, repeats with more right, or cannot hold beside, if its origin
    /// allows; what is not the user's own word and stands against their notes is held.
    fn admit(
        &self,
        item: Item,
        path: NotePath,
        band: Band,
        claims: Vec<Claim>,
        replaced: Option<FoundItem>,
        mut standing: Standing,
    ) -> AdmittedItem {
        let is_against = item.origin < Origin::UserInstruction && !standing.against.is_empty();
        let held = item.held.or(is_against.then_some(HeldFor::Conflict));
        let mut older: Vec<FoundItem> = replaced.into_iter().chain(std::mem::take(&mut standing.rivals)).collect();
        if older.is_empty() {
            older.extend(standing.duplicate.take());
        }
        older.sort_by(|one, other| one.path.cmp(&other.path));
        older.dedup_by(|one, other| one.path == other.path);
        let supersedes = older.iter().map(|older| older.path.stem().to_owned()).collect();
        // An agent's word does not end the user's, and what is held ends nothing.
        let is_ended = |older: &FoundItem| held.is_none() && item.origin >= self.protected_origin(older);
        let (superseded, beneath): (Vec<FoundItem>, Vec<FoundItem>) = older.into_iter().partition(is_ended);
        let differing = std::mem::take(&mut standing.differing);
        // Whoever reads an id reads its words, too.
        let told = [&superseded, &beneath, &differing].into_iter().flatten();
        let told = told.filter(|found| self.session.door.may_show(found.band)).map(tell_related);
        standing.related.splice(0..0, told.collect::<Vec<_>>());
        let [superseded, beneath, differing] = [superseded, beneath, differing].map(|items| ids_of(&items));
        let item = Item { held, supersedes, ..item };
        AdmittedItem { item, path, band, superseded, beneath, differing, standing, claims }
    }

    /// The answer for what the user's notes or a memory say already; `None` for what is new.
    fn say_already_there(
        &self,
        standing: &Standing,
        replaced: Option<&FoundItem>,
        origin: Origin,
    ) -> Result<Option<SaveReport>, MemoryError> {
        if !standing.known.is_empty() {
            let notes = self.claims().show_claims(&standing.known)?;
            return Ok(Some(SaveReport {
                status: SaveStatus::Known,
                notes,
                next: "Nothing to do: the user's notes say it.",
                ..self.refused_report()
            }));
        }
        let duplicate = standing.duplicate.as_ref().filter(|_| replaced.is_none());
        let Some(there) = duplicate.filter(|there| self.protected_origin(there) >= origin) else {
            return Ok(None);
        };
        Ok(Some(SaveReport {
            status: SaveStatus::Duplicate,
            id: Some(there.item.id.to_string()),
            path: Some(there.path.as_str().to_owned()),
            next: match there.item.held {
                None => "Nothing to do: it is remembered already.",
                Some(_) => "Nothing to do: it waits for the user's word already.",
            },
            ..self.refused_report()
        }))
    }

    /// Writes an item; `false` if there is a file of that name.
    pub(crate) fn create_item(&self, admitted: &AdmittedItem) -> Result<bool, MemoryError> {
        let lock = self.folder.lock()?;
        if !self.folder.create(&admitted.path, &admitted.item.to_document(), &lock)? {
            return Ok(false);
        }
        drop(lock);
        self.of.note_item_written(&admitted.path, &admitted.item);
        // What it ends here is taken back elsewhere.
        for id in admitted.superseded.iter().filter_map(|id| MemoryId::parse(id)) {
            self.bridges().queue_forget(&id);
        }
        self.bridges().queue_save(&admitted.item, admitted.band);
        if self.writer.agent.is_some() || admitted.item.from.is_some() {
            self.of.count_save();
        }
        Ok(true)
    }

    pub(crate) fn report_saved(&self, admitted: AdmittedItem) -> Result<SaveReport, MemoryError> {
        let AdmittedItem { item, path, band, superseded, beneath, differing, standing, .. } = admitted;
        let Standing { against, otherwise, related, related_notes, is_near, .. } = standing;
        let is_beneath = !beneath.is_empty();
        let conflicts: Vec<String> = beneath.into_iter().chain(differing).collect();
        let is_agents_own = self.writer.agent.is_some() && superseded.is_empty();
        let status = match item.held {
            Some(HeldFor::Instruction) => SaveStatus::Held,
            Some(HeldFor::Conflict) => SaveStatus::Conflict,
            None => SaveStatus::Saved,
        };
        let next = match status {
            SaveStatus::Held => {
                "It reads as an instruction: tell the user that `memora keep ID` confirms it; until then it is kept as data."
            }
            SaveStatus::Conflict => "The user's notes say otherwise: ask the user, and do not act on it.",
            _ if is_beneath => "The older one is the user's own word: it stands, and this one stands beside it.",
            _ if !conflicts.is_empty() => {
                "A memory says otherwise, and both stand: forget that which holds no longer, or ask the user."
            }
            _ if !against.is_empty() => "The notes say otherwise: one of the two is out of date.",
            _ if !otherwise.is_empty() => {
                "A note says the same with another number: if it is of the same thing, ask the user which holds."
            }
            _ if is_agents_own && (is_near || !related_notes.is_empty()) => {
                "If this says the same as a related memory, memory_forget this one; if it corrects one, memory_forget that one, or \
                 change its words with old and content. If a note says otherwise, ask the user."
            }
            _ if is_agents_own && !related.is_empty() => {
                "Nothing to do, unless this corrects or repeats a related memory: then memory_forget one."
            }
            _ => "Nothing to do.",
        };
        Ok(SaveReport {
            status,
            id: Some(item.id.to_string()),
            path: Some(path.as_str().to_owned()),
            band: Some(band),
            origin: Some(item.origin),
            superseded,
            conflicts,
            related,
            related_notes: self.claims().show_claims(&related_notes)?,
            notes: self.claims().show_claims(if against.is_empty() { &otherwise } else { &against })?,
            readable_back: self.session.door.may_show(band),
            next,
            ..self.refused_report()
        })
    }

    /// The note that an item will be; `None` if it would not be read as one, as guarded as it is meant to be.
    fn read_as_meant(&self, path: &NotePath, item: &Item) -> Option<Note> {
        let (note, problems) = self.folder.parse(path, &item.to_document());
        let as_meant = is_memory(&note) && note.band() >= item.privacy && note.headings().is_empty();
        (as_meant && problems.is_empty()).then_some(note)
    }

    /// Where an item belongs: what tells of the agent to it, what tells of the user to all, and the rest to the project, as does
    /// what says how things are done in it.
    fn scope_of(&self, saving: &SaveRequest, entity: Option<&str>) -> Scope {
        let agent = self.writer.agent.as_deref().filter(|_| entity == Some("self"));
        match (&saving.scope, agent, saving.kind) {
            (Some(scope), ..) => scope.clone(),
            (None, Some(agent), _) => Scope::Agent(slug_agent(agent)),
            (None, None, Kind::Profile | Kind::Behavior) if !speaks_of_project(&saving.content) => Scope::Shared,
            (None, None, _) => self.project_scope(),
        }
    }

    fn refused(&self, refusal: Refusal) -> SaveReport {
        SaveReport { reason: Some(refusal), next: refusal.next(), ..self.refused_report() }
    }

    fn refused_report(&self) -> SaveReport {
        SaveReport {
            status: SaveStatus::Refused,
            id: None,
            path: None,
            band: None,
            origin: None,
            superseded: Vec::new(),
            notes: Vec::new(),
            conflicts: Vec::new(),
            related: Vec::new(),
            related_notes: Vec::new(),
            reason: None,
            saves_left: self.writer.agent.as_ref().map(|_| self.of.saves_left()),
            readable_back: true,
            next: "There is no memory of that id: memory_search shows ids.",
            door: PhantomData,
        }
    }
}

fn tell_related(found: &FoundItem) -> RelatedMemory {
    RelatedMemory { id: found.item.id.to_string(), gist: found.item.gist(), band: found.band }
}

fn ids_of(items: &[FoundItem]) -> Vec<String> {
    items.iter().map(|found| found.item.id.to_string()).collect()
}
