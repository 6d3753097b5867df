//! What language models proposed for the passages of notes, as it goes into the index.
//!
//! A passage is known by a hash of exactly what a model is sent of it ([`Prompt::extract`]), so that what stands around it
//! counts as much as its words. The one rule to know: **what was proposed is grounded anew whenever a note is read.** Nothing
//! of it goes into the index because it was kept, and an index made again equals one grown step by step, without a call.

use std::collections::{HashMap, HashSet};

use memora_claim::{Claim, FreshNote, Passage, StatementKind};
use memora_extract::{Extract, Proposal, Proposer, Reply};
use memora_redact::{ClearExcerpt, Door, LocalDoor, Prompt, SortedExcerpt, sort_excerpts};
use memora_store::{PassageKey, Proposals, ReadError};
use memora_vault::{NotePath, ReadNoteError, SkipReason, Walk};
use rayon::prelude::*;

use crate::Memora;
use crate::prepare::{self, is_review};

/// The passages of a note that a language model is asked about, sorted for a door, in their order.
///
/// Those of sentences: what has a form (a row, a field, a task) is read by it.
pub(crate) fn passages<'n, D: Door>(fresh: &'n FreshNote, door: &D) -> Vec<(PassageKey, ClearExcerpt<'n, D>)> {
    if is_review(fresh.note()) {
        return Vec::new();
    }
    let clear = sort_excerpts(fresh, door).into_iter().filter_map(|excerpt| match excerpt {
        SortedExcerpt::Clear(excerpt) => Some(excerpt),
        SortedExcerpt::Secret(_) => None,
    });
    let read = clear.filter(|excerpt| is_read(&excerpt.passage()));
    read.map(|excerpt| (key(&Prompt::extract(&excerpt)), excerpt)).collect()
}

fn is_read(passage: &Passage<'_>) -> bool {
    passage.statements().iter().any(|s| matches!(s.kind, StatementKind::Sentence | StatementKind::Item))
}

/// A passage's name: a hash of the message about it, and of how guarded it is: that the same words were read where they are
/// guarded must not show where they are not.
fn key<D: Door>(prompt: &Prompt<D>) -> PassageKey {
    let message = format!("{}\n{}", prompt.band().as_str(), prompt.user());
    blake3::derive_key("memora 2026 passage", message.as_bytes())
}

/// The passages that a note has.
pub(crate) fn keys(fresh: &FreshNote) -> Vec<PassageKey> {
    passages(fresh, &LocalDoor).into_iter().map(|(key, _)| key).collect()
}

/// What was proposed for some passages.
#[derive(Default)]
pub(crate) struct Kept(HashMap<PassageKey, Vec<Proposal>>);

impl Kept {
    /// Reads what there is of them.
    pub(crate) fn of(proposals: &Proposals, keys: impl Iterator<Item = PassageKey>) -> Result<Self, ReadError> {
        let mut kept = HashMap::new();
        for key in keys {
            let replies = proposals.of(&key)?;
            let all = replies.iter().filter_map(|reply| Reply::read(reply).ok()).flat_map(|reply| reply.proposals);
            let all: Vec<Proposal> = all.collect();
            if !all.is_empty() {
                kept.insert(key, all);
            }
        }
        Ok(Self(kept))
    }

    /// The claims that what was proposed gives a note, by statement: in the order of their ids.
    pub(crate) fn claims(
        &self,
        fresh: &FreshNote,
        extract: Extract<'_>,
    ) -> HashMap<memora_claim::StatementId, Vec<Claim>> {
        let mut found: HashMap<_, Vec<Claim>> = HashMap::new();
        if self.0.is_empty() {
            return found;
        }
        for (key, excerpt) in passages(fresh, &LocalDoor) {
            for claim in extract.proposed(&excerpt.passage(), &OfPassage(self.0.get(&key))).claims {
                let of_statement = found.entry(claim.id.statement()).or_default();
                if !of_statement.iter().any(|other| other.id == claim.id) {
                    of_statement.push(claim);
                }
            }
        }
        for claims in found.values_mut() {
            claims.sort_by_key(|claim| claim.id);
        }
        found
    }
}

/// What was proposed for one passage.
struct OfPassage<'k>(Option<&'k Vec<Proposal>>);

impl Proposer for OfPassage<'_> {
    fn proposals(&self, _: &Passage<'_>) -> Vec<Proposal> {
        self.0.cloned().unwrap_or_default()
    }
}

/// Every passage of the vault that a model may be asked about, as far as anything was proposed for any.
pub(crate) struct Survey {
    passages: HashSet<PassageKey>,
    /// Whether every note could be looked at.
    whole: bool,
    not_taken: HashSet<PassageKey>,
}

impl Memora {
    /// Looks through all notes for what was proposed: which of them the index has not taken in, and which passages there are.
    /// Nothing where nothing was ever proposed.
    pub(crate) fn survey(&mut self, walk: &Walk) -> Result<Option<Survey>, ReadError> {
        self.again.clear();
        let proposals = self.store.proposals()?;
        if proposals.is_empty()? {
            return Ok(None);
        }
        let not_taken = proposals.not_taken()?;
        let read = walk.notes.par_iter().map(|found| match prepare::read(&self.vault, found) {
            Ok((fresh, _)) => Some((&found.path, keys(&fresh))),
            // What is no note has no passages; what cannot be read just now may have them all the same.
            Err(ReadNoteError::Unreadable(_)) => None,
            Err(_) => Some((&found.path, Vec::new())),
        });
        let read: Vec<Option<(&NotePath, Vec<PassageKey>)>> = read.collect();
        let closed = walk.skipped.iter().any(|skipped| skipped.reason == SkipReason::Unreadable);
        let whole = !closed && read.iter().all(Option::is_some);
        let mut passages = HashSet::new();
        for (path, keys) in read.into_iter().flatten() {
            if keys.iter().any(|key| not_taken.contains(key)) {
                self.again.insert(path.clone());
            }
            passages.extend(keys);
        }
        Ok(Some(Survey { passages, whole, not_taken }))
    }

    /// Notes that the index has taken in what was proposed, and forgets it with the passages that are gone.
    pub(crate) fn settle(&mut self, survey: &Survey) -> Result<(), ReadError> {
        self.again.clear();
        let proposals = self.store.proposals()?;
        proposals.take(&survey.not_taken)?;
        if survey.whole {
            proposals.keep_only(&survey.passages)?;
        }
        Ok(())
    }
}
