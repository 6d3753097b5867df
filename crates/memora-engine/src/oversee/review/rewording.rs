//! Rewordings of stale sentences: drafted by a model from the superseding claims, and verified.
//!
//! Invariant: **a rewording is shown only if it is verified as a whole**, with its citations, against notes that were
//! re-read after the model had answered. It is a proposal, and is written to no note but a review.

use std::collections::{BTreeMap, BTreeSet};

use memora_claim::ClaimId;
use memora_redact::{Door, DoorView, Prompt, Viewer};
use memora_store::ReadError;
use memora_verify::{Evidence, ReportStatus, check_draft};

use crate::oversee::review::builder::ReviewBuilder;
use crate::read::answer::drafted::{AskError, OfferedEvidence};
use crate::read::answer::repair_loop::is_guarded_now;
use crate::read::authorize::ClaimAuthorizer;
use crate::read::lifecycle::{Lifecycle, LifecycleReports};
use crate::read::llm::model_questions::ModelQuestions;
use crate::read::llm::send::{Asking, PromptSender, SendError};
use crate::read::verify::note_evidence::NoteEvidence;
use crate::report::{Freshness, ProposedWording, ReviewKind as Kind, ReviewReport};

/// The maximum number of rewordings requested, one per request.
const CALLS_MAX: usize = 20;

/// The maximum number of characters read from a reply: it is one sentence.
const DRAFT_CHARS_MAX: usize = 4_096;

/// A stale sentence, and the claims that supersede its support.
struct RewordingTask {
    stale: ClaimId,
    now: Vec<ClaimId>,
}

/// Verified rewordings of stale sentences.
#[derive(Debug)]
pub struct ProposedRewordings {
    by: String,
    /// By sentence: the rewording, and the claims it was drafted from.
    wordings: BTreeMap<String, (String, BTreeSet<String>)>,
    replies: usize,
    failure: Option<String>,
}

impl ProposedRewordings {
    /// Returns the number of sentences for which no reply was verified.
    #[must_use]
    pub fn rejected_count(&self) -> usize {
        self.replies - self.wordings.len()
    }

    /// Returns the model's failure, if there was one; the run stopped there.
    #[must_use]
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Attaches each rewording to its item, if the item still shows all claims that the rewording was drafted from.
    pub fn attach_to_report<D: Door>(&self, report: &mut ReviewReport<D>) {
        for item in report.items.iter_mut().filter(|item| item.kind == Kind::Stale) {
            let shown: BTreeSet<String> = item.claims.iter().map(|claim| claim.id().to_owned()).collect();
            let wording = item.claims.first().and_then(|stale| self.wordings.get(stale.id()));
            if let Some((text, _)) = wording.filter(|(_, from)| from.is_subset(&shown)) {
                item.proposed = Some(ProposedWording { text: text.clone(), by: self.by.clone() });
            }
        }
    }
}

impl ModelQuestions<'_> {
    /// Asks a model to reword the stale sentences of a review with `limit` items, one per request. The model is offered
    /// only what the door `sees` shows.
    ///
    /// # Errors
    /// [`AskError`]. A failure of the model is not an error.
    pub(crate) fn draft_rewordings(
        &self,
        limit: usize,
        sees: DoorView,
        asking: &Asking<'_>,
    ) -> Result<ProposedRewordings, AskError> {
        let by = asking.model.name().to_owned();
        let mut proposals = ProposedRewordings { by, wordings: BTreeMap::new(), replies: 0, failure: None };
        for due in self.find_rewording_tasks(limit, sees)?.iter().take(CALLS_MAX) {
            let Some(prompt) = self.build_rewording_prompt(due, sees)? else { continue };
            let Asking { model, leaves, stop, .. } = *asking;
            let draft: String =
                match (PromptSender { memora: self.memora, model, leaves, stop }).send_for_judgement(&prompt)? {
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
        if !self.memora.has_current_rules() {
            return Err(SendError::RulesChanged.into());
        }
        Ok(proposals)
    }

    /// Returns the stale sentences of a review whose support was superseded, with the superseding claims.
    fn find_rewording_tasks(&self, limit: usize, sees: DoorView) -> Result<Vec<RewordingTask>, ReadError> {
        let session = self.memora.session_for(sees)?;
        let freshness = Freshness { fresh: true, pending: 0 };
        let review = ReviewBuilder::new(&session).report_items(limit, freshness)?.items;
        let asked: BTreeSet<&str> = review
            .iter()
            .filter(|item| item.kind == Kind::Stale)
            .filter_map(|item| Some(item.claims.first()?.id()))
            .collect();
        let stale = LifecycleReports::new(&session).list_stale(usize::MAX, freshness)?.stale;
        let due = stale.iter().filter(|one| asked.contains(one.claim.id())).filter_map(|one| {
            let now = one.because.iter().flat_map(|ground| &ground.now);
            let now: BTreeSet<ClaimId> = now.filter_map(|claim| ClaimId::parse(claim.id()).ok()).collect();
            Some(RewordingTask { stale: ClaimId::parse(one.claim.id()).ok()?, now: now.into_iter().collect() })
        });
        Ok(due.filter(|due| !due.now.is_empty()).collect())
    }

    /// Builds the prompt about a sentence, if it and all superseding claims can be re-read and are visible now.
    fn build_rewording_prompt(&self, due: &RewordingTask, sees: DoorView) -> Result<Option<Prompt>, ReadError> {
        let session = self.memora.session_for(sees)?;
        let Some(stale) = ClaimAuthorizer::new(&session, Lifecycle::new(&session)).authorize_current(due.stale)? else {
            return Ok(None);
        };
        let mut now = Vec::new();
        for id in &due.now {
            match ClaimAuthorizer::new(&session, Lifecycle::new(&session)).authorize_current(*id)? {
                Some(claim) => now.push(claim),
                None => return Ok(None),
            }
        }
        Ok(Some(Prompt::reword(&stale, &now)))
    }

    /// Returns a draft as one sentence with its citations, if it is verified as a whole.
    fn verify_rewording(&self, draft: &str, due: &RewordingTask, sees: DoorView) -> Result<Option<String>, ReadError> {
        let session = self.memora.session_for(sees)?;
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
