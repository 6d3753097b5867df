//! How stale sentences may be reworded: drafted by a model out of what superseded their grounds, and verified.
//!
//! The one rule to know: **a wording is shown only if all of it holds**, with its citations, against notes that were read again
//! after the model had answered. It is a proposal, and stands in no note but a review.

use std::collections::{BTreeMap, BTreeSet};

use memora_answer::is_guarded_now;
use memora_claim::ClaimId;
use memora_redact::{Door, Prompt};
use memora_store::ReadError;
use memora_verify::{Evidence, ReportStatus, check_draft};

use super::Kind;
use crate::Memora;
use crate::draft::{OfferedEvidence, AskError, ModelCall};
use crate::evidence::NoteEvidence;
use crate::send::{SendError, PromptSender};
use crate::wire::{ChallengeReport, Freshness, ProposedWording};

/// How many wordings are asked for at most, one a request.
const CALLS_MAX: usize = 20;

/// How much of a reply is read, in characters: it is a sentence.
const DRAFT_CHARS_MAX: usize = 4_096;

/// A stale sentence, and what holds instead of what it rests on.
struct RewordingTask {
    stale: ClaimId,
    now: Vec<ClaimId>,
}

/// Wordings for stale sentences, each verified.
#[derive(Debug)]
pub struct ProposedRewordings {
    by: String,
    /// By the sentence: the wording, and the claims that it was drafted from.
    wordings: BTreeMap<String, (String, BTreeSet<String>)>,
    replies: usize,
    failure: Option<String>,
}

impl ProposedRewordings {
    /// For how many sentences the model replied nothing that holds.
    #[must_use]
    pub fn rejected_count(&self) -> usize {
        self.replies - self.wordings.len()
    }

    /// What the model failed with, if it did; then no more was asked.
    #[must_use]
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Puts each wording to its question, if that still shows all that the wording was drafted from.
    pub fn attach_to_report<D: Door>(&self, report: &mut ChallengeReport<D>) {
        for item in report.items.iter_mut().filter(|item| item.kind == Kind::Stale) {
            let shown: BTreeSet<String> = item.claims.iter().map(|claim| claim.id().to_owned()).collect();
            let wording = item.claims.first().and_then(|stale| self.wordings.get(stale.id()));
            if let Some((text, _)) = wording.filter(|(_, from)| from.is_subset(&shown)) {
                item.proposed = Some(ProposedWording { text: text.clone(), by: self.by.clone() });
            }
        }
    }
}

impl Memora {
    /// Has a model propose wordings for the stale sentences of a review with as many items as `limit`, one a request. It is
    /// offered what the door `sees` shows and nothing else.
    ///
    /// # Errors
    /// [`AskError`]. That the model fails is none.
    pub fn propose_rewordings<M: Door>(&self, limit: usize, sees: &M, asking: &ModelCall<'_, M>) -> Result<ProposedRewordings, AskError> {
        let by = asking.model.name().to_owned();
        let mut proposals = ProposedRewordings { by, wordings: BTreeMap::new(), replies: 0, failure: None };
        for due in self.find_rewording_tasks(limit, sees)?.iter().take(CALLS_MAX) {
            let Some(prompt) = self.build_rewording_prompt(due, sees)? else { continue };
            let ModelCall { model, leaves, stop, .. } = *asking;
            let draft: String = match (PromptSender { memora: self, model, leaves, stop }).send_for_judgement(&prompt)? {
                Ok(reply) => reply.text().chars().take(DRAFT_CHARS_MAX).collect(),
                Err(failure) => {
                    proposals.failure = Some(failure);
                    break;
                }
            };
            proposals.replies += 1;
            if let Some(wording) = self.verify_rewording(&draft, due, sees)? {
                let from = due.now.iter().map(ToString::to_string).collect();
                proposals.wordings.insert(due.stale.to_string(), (wording, from));
            }
        }
        if !self.has_current_rules() {
            return Err(SendError::RulesChanged.into());
        }
        Ok(proposals)
    }

    /// The stale sentences of a review whose grounds were superseded, with what holds instead.
    fn find_rewording_tasks<M: Door>(&self, limit: usize, sees: &M) -> Result<Vec<RewordingTask>, ReadError> {
        let session = self.session(sees.clone())?;
        let freshness = Freshness { fresh: true, pending: 0 };
        let review = session.challenge(limit, freshness)?.items;
        let asked: BTreeSet<&str> = review
            .iter()
            .filter(|item| item.kind == Kind::Stale)
            .filter_map(|item| Some(item.claims.first()?.id()))
            .collect();
        let stale = session.stale(usize::MAX, freshness)?.stale;
        let due = stale.iter().filter(|one| asked.contains(one.claim.id())).filter_map(|one| {
            let now = one.because.iter().flat_map(|ground| &ground.now);
            let now: BTreeSet<ClaimId> = now.filter_map(|claim| ClaimId::parse(claim.id()).ok()).collect();
            Some(RewordingTask { stale: ClaimId::parse(one.claim.id()).ok()?, now: now.into_iter().collect() })
        });
        Ok(due.filter(|due| !due.now.is_empty()).collect())
    }

    /// The prompt about a sentence, if it and all that holds instead stand and may be seen now.
    fn build_rewording_prompt<M: Door>(&self, due: &RewordingTask, sees: &M) -> Result<Option<Prompt<M>>, ReadError> {
        let session = self.session(sees.clone())?;
        let Some(stale) = session.authorize_current(due.stale)? else { return Ok(None) };
        let mut now = Vec::new();
        for id in &due.now {
            match session.authorize_current(*id)? {
                Some(claim) => now.push(claim),
                None => return Ok(None),
            }
        }
        Ok(Some(Prompt::reword(&stale, &now)))
    }

    /// A draft as one sentence with its citations, if all of it holds.
    fn verify_rewording<M: Door>(&self, draft: &str, due: &RewordingTask, sees: &M) -> Result<Option<String>, ReadError> {
        let session = self.session(sees.clone())?;
        let notes = NoteEvidence::new(&session);
        let withheld = due.now.iter().any(|id| is_guarded_now(&notes.resolve_id(id)));
        let answer = check_draft(draft, &OfferedEvidence { notes: &notes, offered: &due.now }).into_verified();
        notes.into_shown_claims()?;
        let holds = |status| matches!(status, ReportStatus::Verified | ReportStatus::Supported);
        Ok(answer
            .ok()
            .filter(|answer| {
                !withheld && holds(answer.status()) && answer.sentences().len() == 1 && sees.may_show(answer.band())
            })
            .map(|answer| answer.text().trim().to_owned()))
    }
}
