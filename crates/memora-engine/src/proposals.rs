//! What language models proposed for the passages of notes, as it goes into the index.
//!
//! A passage is known by a hash of exactly what a model is sent of it ([`Prompt::extract`]), so that what stands around it
//! counts as much as its words. The one rule to know: **what was proposed is grounded anew whenever a note is read.** Nothing
//! of it goes into the index because it was kept, and an index made again equals one grown step by step, without a call.

use std::collections::{HashMap, HashSet};

use memora_claim::{Claim, ParsedNote, TextBlock, StatementId, StatementKind};
use memora_extract::{ClaimExtractor, Proposal, Proposer, ProposalReply, is_equivalent_claim};
use memora_redact::{ClearExcerpt, Door, LocalDoor, Prompt, ExcerptAccess, authorize_excerpts};
use memora_store::{KeptProposals, PassageKey, Proposals, ProposedBy, ReadError, Snapshot};
use memora_vault::{NotePath, SkipReason};

use crate::Memora;
use crate::prepare::is_review;

/// The passages of a note that a language model is asked about, sorted for a door, in their order.
///
/// Those of sentences: what has a form (a row, a field, a task) is read by it.
pub(crate) fn model_passages<'n, D: Door>(fresh: &'n ParsedNote, door: &D) -> Vec<(PassageKey, ClearExcerpt<'n, D>)> {
    if is_review(fresh.note()) {
        return Vec::new();
    }
    let clear = authorize_excerpts(fresh, door).into_iter().filter_map(|excerpt| match excerpt {
        ExcerptAccess::Clear(excerpt) => Some(excerpt),
        ExcerptAccess::Secret(_) => None,
    });
    let read = clear.filter(|excerpt| has_sentences(&excerpt.passage()));
    read.map(|excerpt| (passage_key(&Prompt::extract(&excerpt)), excerpt)).collect()
}

fn has_sentences(passage: &TextBlock<'_>) -> bool {
    passage.statements().iter().any(|s| matches!(s.kind, StatementKind::Sentence | StatementKind::Item))
}

/// A passage's name: a hash of the message about it, and of how guarded it is: that the same words were read where they are
/// guarded must not show where they are not.
///
/// The index keeps it: when it is made in another way, `READER_VERSION` is to be raised.
fn passage_key<D: Door>(prompt: &Prompt<D>) -> PassageKey {
    let message = format!("{}\n{}", prompt.band().as_str(), prompt.user());
    blake3::derive_key("memora 2026 passage", message.as_bytes())
}

/// The passages that a note has.
pub(crate) fn passage_keys(fresh: &ParsedNote) -> Vec<PassageKey> {
    model_passages(fresh, &LocalDoor).into_iter().map(|(key, _)| key).collect()
}

/// What was proposed for some passages: by each model its own, in the order of their names.
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

/// A claim that models read, and which.
pub(crate) struct ModelClaim {
    pub(crate) claim: Claim,
    pub(crate) by: Vec<ProposedBy>,
}

impl ProposalsByPassage {
    /// Reads what there is of them.
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

    /// The claims that what was proposed gives a note, as far as a door shows it, by statement in the order of their ids.
    /// What several models read is one claim, worded as by the first of them.
    pub(crate) fn ground_claims<D: Door>(
        &self,
        fresh: &ParsedNote,
        extract: ClaimExtractor<'_>,
        door: &D,
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

/// What is kept of proposals before a sync, and what follows from it when the sync is done.
///
/// It is made before the vault is walked: what is kept meanwhile for a passage that the walk does not see is none of its
/// business.
pub(crate) struct ProposalSurvey {
    kept: Vec<KeptProposals>,
}

impl ProposalSurvey {
    fn unindexed(&self) -> impl Iterator<Item = &KeptProposals> {
        self.kept.iter().filter(|row| !row.taken)
    }
}

impl Memora {
    /// Looks what is kept of proposals, and which notes have passages that the index has not taken it in for.
    pub(crate) fn survey_proposals(&mut self, snapshot: &Snapshot) -> Result<ProposalSurvey, ReadError> {
        let survey = ProposalSurvey { kept: self.store.proposals()?.list_all()? };
        let not_taken: HashSet<PassageKey> = survey.unindexed().map(|row| row.passage).collect();
        self.again.clear();
        if !not_taken.is_empty() {
            let of_notes = snapshot.passages()?.into_iter();
            let due = of_notes.filter(|(_, keys)| keys.iter().any(|key| not_taken.contains(key)));
            self.again.extend(due.map(|(path, _)| path));
        }
        Ok(survey)
    }

    /// Notes that the index has taken in what was proposed, and forgets what was proposed for passages that are gone: those
    /// that notes just lost, and those that no note has.
    ///
    /// A note that cannot be read keeps the passages that it had when it was read last. One that the index never read may
    /// have any, so while it is there only what was lost is forgotten: see [`unknown_places`].
    pub(crate) fn settle_proposals(&mut self, survey: &ProposalSurvey, lost: &HashSet<PassageKey>) -> Result<(), ReadError> {
        self.again.clear();
        if survey.kept.is_empty() {
            return Ok(());
        }
        let snapshot = self.store.snapshot()?;
        let proposals = self.store.proposals()?;
        proposals.mark_taken(survey.unindexed())?;
        let all = never_indexed_places(&snapshot)?.is_empty();
        let here: HashSet<PassageKey> = snapshot.passages()?.into_values().flatten().collect();
        let gone = |row: &&KeptProposals| !here.contains(&row.passage) && (all || lost.contains(&row.passage));
        proposals.forget(survey.kept.iter().filter(gone))?;
        Ok(())
    }

    /// The same after a sync that was bounded, or that looked at some places only: forgets what was proposed for passages that
    /// notes just lost.
    pub(crate) fn forget_lost_proposals(&self, lost: &HashSet<PassageKey>) -> Result<(), ReadError> {
        if lost.is_empty() {
            return Ok(());
        }
        let proposals = self.store.proposals()?;
        if proposals.is_empty()? {
            return Ok(());
        }
        let here: HashSet<PassageKey> = self.store.snapshot()?.passages()?.into_values().flatten().collect();
        let kept = proposals.list_all()?;
        let gone = |row: &&KeptProposals| lost.contains(&row.passage) && !here.contains(&row.passage);
        proposals.forget(kept.iter().filter(gone))?;
        Ok(())
    }
}

/// The files and folders that cannot be read and of which the index never knew what they hold, in order.
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
