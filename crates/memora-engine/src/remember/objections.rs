//! Whether an item still holds: by the claims that it cites, and by what the user's notes say now.
//!
//! Invariant: **only what the door shows counts.** At a cloud door a citation of what it does not see does not stand, whether it
//! is gone or guarded.

use std::collections::BTreeSet;

use memora_claim::{Claim, ClaimId, ParsedNote, StatementId, StatementKind};
use memora_memory::{HeldFor, MemoryId, Origin};
use memora_redact::{Viewer, WireClaim};
use memora_store::ReadError;
use memora_vault::{Band, Note, NotePath};
use memora_verify::{CitationMarker, find_citations};

use crate::read::lifecycle::{BrokenSupport, Lifecycle, LifecycleReports};
use crate::remember::error::MemoryError;
use crate::remember::items::FoundItem;
use crate::remember::owners::ItemClaims;
use crate::report::{BrokenSupportReport, MemoryStatus};
use crate::state::session::Session;

/// The claims of the user's that are shown against an item.
const SHOWN_MAX: usize = 10;

/// What speaks against an item now, but for what the user kept it despite.
#[derive(Default)]
pub(crate) struct Objections {
    /// Claims that it rests on and that no longer hold.
    pub(super) broken: Vec<BrokenSupport>,
    /// Claims of the user's that cannot hold beside it.
    pub(super) against: Vec<ClaimId>,
}

/// What the user is asked about an item.
pub(crate) struct MemoryQuestion {
    pub(crate) id: MemoryId,
    pub(crate) path: NotePath,
    pub(crate) text: String,
    pub(crate) by: String,
    /// The strictest of the item and of the claims.
    pub(crate) band: Band,
    pub(crate) asks: MemoryDoubt,
    /// Signs the words that are asked about, so that an answer is not taken for others.
    pub(crate) words: String,
}

/// Why the user is asked about it.
pub(crate) enum MemoryDoubt {
    /// The notes say otherwise, by these claims, or did when it was saved.
    Conflict(Vec<WireClaim>),
    /// It rests on claims that no longer hold.
    Stale(Vec<BrokenSupportReport>),
    /// It reads as an instruction that the user did not give.
    Instruction,
}

impl ItemClaims<'_> {
    /// What speaks against an item.
    pub(crate) fn objections(&self, found: &FoundItem) -> Result<Objections, MemoryError> {
        let kept = self.confirmation(&found.item).map(|made| made.despite.as_slice()).unwrap_or_default();
        let kept: BTreeSet<StatementId> = kept.iter().map(ClaimId::statement).collect();
        let lifecycle = Lifecycle::new(self.session);
        let mut broken = lifecycle.broken_citations(&cited_ids(&self.words_with_citations(found)))?;
        broken.retain(|broken| !kept.contains(&broken.claim.statement()));
        let mut against = lifecycle.compare_with_notes(&self.item_claims(found)?)?.against;
        against.retain(|claim| !kept.contains(&claim.statement()));
        Ok(Objections { broken, against })
    }

    /// The claims of an item: of the index, if that has the file as it is, and read anew otherwise.
    pub(crate) fn item_claims(&self, found: &FoundItem) -> Result<Vec<Claim>, MemoryError> {
        let fresh = self.session.notes.read_note(&found.path).map(|fresh| fresh.note().file_fingerprint());
        let indexed = self.session.snapshot.note(&found.path)?.map(|note| note.hash);
        if fresh.is_none() || fresh != indexed {
            return Ok(self.read_claims_of(found));
        }
        let sources = self.session.snapshot.sources_of_note(&found.path)?;
        Ok(sources.iter().flat_map(|source| source.wording.claims.iter().cloned()).collect())
    }

    /// The state of a current item: stale, or contradicted by the notes if it is no word of the user's.
    pub(crate) fn current_status(&self, found: &FoundItem) -> Result<MemoryStatus, MemoryError> {
        let Objections { broken, against } = self.objections(found)?;
        let is_users = self.origin_of(found) == Origin::UserInstruction;
        Ok(match (broken.is_empty(), against.is_empty() || is_users) {
            (false, _) => MemoryStatus::Stale,
            (true, false) => MemoryStatus::Contradicted,
            (true, true) => MemoryStatus::Current,
        })
    }

    pub(crate) fn report_broken(&self, objections: &Objections) -> Result<Vec<BrokenSupportReport>, MemoryError> {
        let lifecycle = LifecycleReports::new(self.session);
        Ok(objections.broken.iter().map(|broken| lifecycle.broken_support_report(broken)).collect::<Result<_, _>>()?)
    }

    /// The questions about items of every scope, newest first: what the notes say otherwise, what is stale, and what reads as an
    /// instruction.
    pub(crate) fn find_questions(&self) -> Result<Vec<MemoryQuestion>, MemoryError> {
        let mut asked = Vec::new();
        for path in self.folder.list("") {
            let Some(found) = self.read_item(&path).filter(|_| !self.is_archived(&path)) else {
                continue;
            };
            if let Some(question) = self.find_question(found)? {
                asked.push(question);
            }
        }
        asked.sort_by(|(one, of), (other, with)| other.cmp(one).then_with(|| of.path.cmp(&with.path)));
        Ok(asked.into_iter().map(|(_, question)| question).collect())
    }

    fn find_question(&self, found: FoundItem) -> Result<Option<(jiff::civil::DateTime, MemoryQuestion)>, MemoryError> {
        if found.item.archived.is_some() || self.find_successor(&found)?.is_some() {
            return Ok(None);
        }
        let objections = self.objections(&found)?;
        let held = found.item.held.filter(|_| self.is_held(&found.item));
        let asks = if !objections.broken.is_empty() {
            MemoryDoubt::Stale(self.report_broken(&objections)?)
        } else if !objections.against.is_empty() || held == Some(HeldFor::Conflict) {
            MemoryDoubt::Conflict(self.show_claims(&objections.against)?)
        } else if held == Some(HeldFor::Instruction) {
            MemoryDoubt::Instruction
        } else {
            return Ok(None);
        };
        let FoundItem { path, item, band, .. } = found;
        let bands = match &asks {
            MemoryDoubt::Conflict(claims) => claims.iter().map(WireClaim::band).collect(),
            MemoryDoubt::Stale(because) => {
                because.iter().flat_map(|ground| ground.was.iter().chain(&ground.now)).map(WireClaim::band).collect()
            }
            MemoryDoubt::Instruction => Vec::new(),
        };
        let band = bands.into_iter().fold(band, Band::join);
        let words = self.folder.key().sign_words("asked", &item.id, &item.text);
        Ok(Some((item.created, MemoryQuestion { id: item.id, path, text: item.text, by: item.by, band, asks, words })))
    }

    /// Signs the words of an item, as they are asked about; `None` if there is no item of that id outside the archive.
    pub(crate) fn sign_question(&self, id: &MemoryId) -> Result<Option<String>, MemoryError> {
        let found = self.find_item(id)?.filter(|found| !self.is_archived(&found.path));
        Ok(found.map(|found| self.folder.key().sign_words("asked", id, &found.item.text)))
    }

    /// The claim of the user's notes that a word of theirs cannot hold beside. An agent's is not told beside one.
    pub(crate) fn find_rival_claim(&self, found: &FoundItem) -> Result<Option<WireClaim>, MemoryError> {
        if self.origin_of(found) < Origin::UserInstruction {
            return Ok(None);
        }
        let against = Lifecycle::new(self.session).compare_with_notes(&self.item_claims(found)?)?.against;
        Ok(self.show_claims(&against)?.into_iter().find(|claim| claim.place().is_some()))
    }
}

/// The files of the memory folder that cite claims, of those that a session's door may see.
pub(crate) fn citing_files(session: &Session<'_>) -> Result<BTreeSet<NotePath>, ReadError> {
    let inside = format!("{}/", session.memora.config.memory.folder);
    let mut paths = BTreeSet::new();
    for (id, _) in session.snapshot.facts().citing_statements(session.door.strictest_band())? {
        let Some(statement) = session.statement(id)? else { continue };
        let places = statement.sources.iter().map(|source| &source.row.note);
        paths.extend(places.filter(|path| path.as_str().starts_with(&inside)).cloned());
    }
    Ok(paths)
}

/// The claims that a text cites.
fn cited_ids(text: &str) -> Vec<ClaimId> {
    let groups = find_citations(text);
    let markers = groups.iter().flat_map(|group| &group.items).map(|item| &item.marker);
    markers.filter_map(|marker| if let CitationMarker::Id(id) = marker { Some(*id) } else { None }).collect()
}

impl ItemClaims<'_> {
    /// The claims of an item, read from its words.
    pub(crate) fn read_item_claims(&self, found: &FoundItem) -> Vec<Claim> {
        self.read_claims(self.folder.parse(&found.path, &found.item.to_document()).0)
    }

    /// The claims of a memory's own words.
    pub(crate) fn read_claims(&self, note: Note) -> Vec<Claim> {
        let fresh = ParsedNote::new(note);
        let extractor = self.session.memora.config.extractor();
        let said = fresh.statements().iter().filter(|said| said.kind != StatementKind::Property);
        said.flat_map(|statement| extractor.extract_claims(fresh.note(), statement)).collect()
    }

    /// The user's claims as this door may see them.
    pub(crate) fn show_claims(&self, ids: &[ClaimId]) -> Result<Vec<WireClaim>, MemoryError> {
        let lifecycle = LifecycleReports::new(self.session);
        let mut shown = Vec::new();
        for id in ids.iter().take(SHOWN_MAX) {
            shown.extend(lifecycle.load_wire_claim(*id)?);
        }
        Ok(shown)
    }
}
