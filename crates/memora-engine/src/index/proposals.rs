//! Claims proposed by language models for the passages of notes, on their way into the index.
//!
//! A passage is identified by a hash of exactly what a model is sent of it ([`Prompt::extract`]), so that its context
//! counts as much as its words. Invariant: **proposals are grounded again whenever a note is read.** No proposal
//! is indexed just because it is stored, and a rebuilt index equals one grown step by step, without a call.

use std::collections::{HashMap, HashSet};

use memora_claim::{Claim, ParsedNote, StatementId, StatementKind, TextBlock};
use memora_extract::{ClaimExtractor, Proposal, ProposalReply, Proposer, is_equivalent_claim};
use memora_redact::{ClearExcerpt, DoorView, ExcerptAccess, LocalDoor, Prompt, Viewer, authorize_excerpts};
use memora_store::{KeptProposals, PassageKey, Proposals, ProposedBy, ReadError, Snapshot};
use memora_vault::{NotePath, SkipReason};

use crate::index::indexer::Indexer;
use crate::state::note_kind::is_review;

/// The passages of a note that a language model is asked about, sorted for a door, in their order.
///
/// Only passages with sentences: structured text (a row, a field, a task) is read by rules.
pub(crate) fn model_passages<'n>(fresh: &'n ParsedNote, door: DoorView) -> Vec<(PassageKey, ClearExcerpt<'n>)> {
    if is_review(fresh.note()) {
        return Vec::new();
    }
    let clear = authorize_excerpts(fresh, &door).into_iter().filter_map(|excerpt| match excerpt {
        ExcerptAccess::Clear(excerpt) => Some(excerpt),
        ExcerptAccess::Secret(_) => None,
    });
    let read = clear.filter(|excerpt| has_sentences(&excerpt.passage()));
    read.map(|excerpt| (passage_key(&Prompt::extract(&excerpt)), excerpt)).collect()
}

fn has_sentences(passage: &TextBlock<'_>) -> bool {
    passage.statements().iter().any(|s| matches!(s.kind, StatementKind::Sentence | StatementKind::Item))
}

/// A passage's key: a hash of the prompt about it, and of its band: it must not show in public text that the same
/// words were read where they are guarded.
///
/// The index stores it, so this file is part of `READER_VERSION`.
fn passage_key(prompt: &Prompt) -> PassageKey {
    let message = format!("{}\n{}", prompt.band().as_str(), prompt.user());
    blake3::derive_key("memora 2026 passage", message.as_bytes())
}

/// The passages that a note has.
pub(crate) fn passage_keys(fresh: &ParsedNote) -> Vec<PassageKey> {
    model_passages(fresh, LocalDoor.view()).into_iter().map(|(key, _)| key).collect()
}

/// The proposals for some passages: those of each model, in the order of their names.
#[derive(Default)]
pub(crate) struct ProposalsByPassage(HashMap<PassageKey, Vec<ModelProposals>>);

/// What one model proposed for one passage.
struct ModelProposals {
    by: ProposedBy,
    proposals: Vec<Proposal>,
}

impl Proposer for ModelProposals {
    fn proposals(&self, _: &TextBlock<'_>) -> Vec<Proposal> {
        self.proposals.clone()
    }
}

/// A claim that models read, and which models.
pub(crate) struct ModelClaim {
    pub(crate) claim: Claim,
    pub(crate) by: Vec<ProposedBy>,
}

impl ProposalsByPassage {
    /// Loads the proposals for some passages.
    pub(crate) fn load(proposals: &Proposals, keys: impl Iterator<Item = PassageKey>) -> Result<Self, ReadError> {
        let mut kept = HashMap::new();
        for key in keys {
            let replies = proposals.for_passage(&key)?.into_iter();
            let read = replies.filter_map(|(by, reply)| Some((by, ProposalReply::parse(&reply).ok()?.proposals)));
            let all: Vec<ModelProposals> = read
                .filter(|(_, proposals)| !proposals.is_empty())
                .map(|(by, proposals)| ModelProposals { by, proposals })
                .collect();
            if !all.is_empty() {
                kept.insert(key, all);
            }
        }
        Ok(Self(kept))
    }

    /// Grounds the proposals in a note, as far as a door shows it: claims by statement, in the order of their ids.
    /// What several models read is one claim, worded as by the first of them.
    pub(crate) fn ground_claims(
        &self,
        fresh: &ParsedNote,
        extract: ClaimExtractor<'_>,
        door: DoorView,
    ) -> HashMap<StatementId, Vec<ModelClaim>> {
        let mut found: HashMap<_, Vec<ModelClaim>> = HashMap::new();
        if self.0.is_empty() {
            return found;
        }
        for (key, excerpt) in model_passages(fresh, door) {
            for model in self.0.get(&key).into_iter().flatten() {
                let by = &model.by;
                for claim in extract.ground_from(&excerpt.passage(), model).claims {
                    let of_statement = found.entry(claim.id.statement()).or_default();
                    match of_statement.iter_mut().find(|read| is_equivalent_claim(&read.claim, &claim, fresh.note())) {
                        Some(read) if read.by.contains(by) => {}
                        Some(read) => read.by.push(by.clone()),
                        None => of_statement.push(ModelClaim { claim, by: vec![by.clone()] }),
                    }
                }
            }
        }
        for claims in found.values_mut() {
            claims.sort_by_key(|read| read.claim.id);
        }
        found
    }
}

/// The stored proposals before a sync, to be settled when the sync is done.
///
/// It is made before the vault is walked, so that proposals stored meanwhile, for passages that the walk does not
/// see, are left alone.
pub(crate) struct ProposalSurvey {
    kept: Vec<KeptProposals>,
}

impl ProposalSurvey {
    fn unindexed(&self) -> impl Iterator<Item = &KeptProposals> {
        self.kept.iter().filter(|row| !row.taken)
    }
}

impl Indexer<'_> {
    /// Reads the stored proposals, and finds the notes with passages whose proposals are not indexed yet.
    pub(crate) fn survey_proposals(&mut self, snapshot: &Snapshot) -> Result<ProposalSurvey, ReadError> {
        let survey = ProposalSurvey { kept: self.memora.store.proposals()?.list_all()? };
        let not_taken: HashSet<PassageKey> = survey.unindexed().map(|row| row.passage).collect();
        self.memora.notes_to_reread.clear();
        if !not_taken.is_empty() {
            let of_notes = snapshot.passages()?.into_iter();
            let due = of_notes.filter(|(_, keys)| keys.iter().any(|key| not_taken.contains(key)));
            self.memora.notes_to_reread.extend(due.map(|(path, _)| path));
        }
        Ok(survey)
    }

    /// Marks the proposals as indexed, and deletes those for passages that are gone: those
    /// that notes just lost, and those that no note has.
    ///
    /// A note that cannot be read keeps the passages that it had when it was read last. One that the index never read may
    /// have any, so while it is there only lost passages are deleted: see `catalog/unknown_folders.rs`. Nothing is deleted while the
    /// index lacks some of the `notes` of the vault: another process has emptied it since, and may be filling it.
    pub(crate) fn settle_proposals(
        &mut self,
        survey: &ProposalSurvey,
        lost: &HashSet<PassageKey>,
        notes: usize,
    ) -> Result<(), ReadError> {
        self.memora.notes_to_reread.clear();
        if survey.kept.is_empty() {
            return Ok(());
        }
        let snapshot = self.memora.store.snapshot()?;
        if !has_notes(&snapshot, notes)? {
            return Ok(());
        }
        let proposals = self.memora.store.proposals()?;
        proposals.mark_taken(survey.unindexed())?;
        let all = never_indexed_places(&snapshot)?.is_empty();
        let here: HashSet<PassageKey> = snapshot.passages()?.into_values().flatten().collect();
        let gone = |row: &&KeptProposals| !here.contains(&row.passage) && (all || lost.contains(&row.passage));
        proposals.forget(survey.kept.iter().filter(gone))?;
        Ok(())
    }

    /// The same after a bounded or partial sync: deletes the proposals for passages that
    /// notes just lost.
    pub(crate) fn forget_lost_proposals(&self, lost: &HashSet<PassageKey>, notes: usize) -> Result<(), ReadError> {
        if lost.is_empty() {
            return Ok(());
        }
        let proposals = self.memora.store.proposals()?;
        if proposals.is_empty()? {
            return Ok(());
        }
        let snapshot = self.memora.store.snapshot()?;
        if !has_notes(&snapshot, notes)? {
            return Ok(());
        }
        let here: HashSet<PassageKey> = snapshot.passages()?.into_values().flatten().collect();
        let kept = proposals.list_all()?;
        let gone = |row: &&KeptProposals| lost.contains(&row.passage) && !here.contains(&row.passage);
        proposals.forget(kept.iter().filter(gone))?;
        Ok(())
    }
}

/// Whether the index has so many notes, with those that it could not read.
fn has_notes(snapshot: &Snapshot, notes: usize) -> Result<bool, ReadError> {
    Ok(snapshot.counts().notes()? + snapshot.skipped_files()?.len() >= notes)
}

/// The files and folders that cannot be read and whose content was never indexed, in order.
pub(crate) fn never_indexed_places(snapshot: &Snapshot) -> Result<Vec<String>, ReadError> {
    let known = snapshot.passages()?;
    let skipped = snapshot.skipped_files()?.into_iter();
    let unreadable = skipped.filter(|(_, reason)| reason == SkipReason::Unreadable.code()).map(|(path, _)| path);
    Ok(unreadable.filter(|place| !known.keys().any(|path| is_at_or_below(path, place))).collect())
}

/// Whether a note is a file, or lies below a folder, of this name.
pub(crate) fn is_at_or_below(path: &NotePath, place: &str) -> bool {
    place == "." || path.as_str().strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
