//! Pairs of claims that a language model judges: how they are sent, and how its verdicts are read.
//!
//! Used for [contradictions](super::contradiction_judge) and for [changes](super::change_judge). Only pairs that passed every guard at
//! the model's own door are sent, each claim read again and sorted for that door right before. Invariant: **what is not
//! judged is reported as not judged**: a reply that cannot be read, a failing model or a pair beyond the bound give no verdict.

use std::collections::BTreeMap;

use memora_claim::ClaimId;
use memora_redact::{ClearClaim, DoorView, Prompt};
use memora_store::ReadError;
use serde::de::DeserializeOwned;

use crate::read::answer::drafted::AskError;
use crate::read::authorize::ClaimAuthorizer;
use crate::read::lifecycle::Lifecycle;
use crate::read::llm::model_questions::ModelQuestions;
use crate::read::llm::send::{Asking, PromptSender, SendError};
use crate::read::llm::sentence_judge::VerdictReply;

/// Pairs in one request, and requests for one list.
const PAIRS_MAX: usize = 8;
const CALLS_MAX: usize = 25;

/// A pair by its claims, the older first.
pub(super) type ClaimPair = [ClaimId; 2];

/// What a model says of a pair, and how it is asked.
pub(super) trait PairVerdict: DeserializeOwned + Copy {
    /// The prompt about some pairs, the older claim of each first.
    fn prompt(pairs: &[[ClearClaim<'_>; 2]]) -> Prompt;
}

/// A prompt, and the pairs that it is about, in their order.
struct PairPrompt {
    prompt: Prompt,
    about: Vec<ClaimPair>,
}

/// The verdicts of a run.
pub(super) struct PairVerdicts<V> {
    said: BTreeMap<ClaimPair, V>,
    /// How often the model was asked.
    pub(super) calls: usize,
    /// What it failed with, if it did.
    pub(super) failure: Option<String>,
}

impl<V: Copy> PairVerdicts<V> {
    /// What the model said of a pair, by its claims in the order in which they were sent.
    pub(super) fn verdict_on(&self, pair: ClaimPair) -> Option<V> {
        self.said.get(&pair).copied()
    }
}

impl ModelQuestions<'_> {
    /// Asks a model about pairs, in their order, until it fails. What is sent depends only on what the door `sees` shows.
    ///
    /// # Errors
    /// [`AskError`]. A failing model is not an error.
    pub(super) fn judge_pairs<V: PairVerdict>(
        &self,
        due: &[ClaimPair],
        sees: DoorView,
        asking: &Asking<'_>,
    ) -> Result<PairVerdicts<V>, AskError> {
        let mut verdicts = PairVerdicts { said: BTreeMap::new(), calls: 0, failure: None };
        for batch in due.chunks(PAIRS_MAX).take(CALLS_MAX) {
            if let Err(failure) = self.judge_batch(batch, sees, asking, &mut verdicts)? {
                verdicts.failure = Some(failure);
                break;
            }
        }
        // The model may have taken a minute: other rules end it.
        if !self.memora.has_current_rules() {
            return Err(SendError::RulesChanged.into());
        }
        Ok(verdicts)
    }

    /// Asks about some pairs; a failure of the model is returned as a message.
    fn judge_batch<V: PairVerdict>(
        &self,
        batch: &[ClaimPair],
        sees: DoorView,
        asking: &Asking<'_>,
        verdicts: &mut PairVerdicts<V>,
    ) -> Result<Result<(), String>, AskError> {
        let Asking { model, leaves, stop, .. } = *asking;
        let Some(PairPrompt { prompt, about }) = self.pairs_prompt::<V>(batch, sees)? else { return Ok(Ok(())) };
        verdicts.calls += 1;
        let reply = match (PromptSender { memora: self.memora, model, leaves, stop }).send_for_judgement(&prompt)? {
            Ok(reply) => reply,
            Err(failure) => return Ok(Err(failure)),
        };
        let reply = VerdictReply::<V>::parse(reply.text());
        let said = about.into_iter().enumerate().filter_map(|(at, pair)| Some((pair, *reply.verdict_for(at)?)));
        verdicts.said.extend(said);
        Ok(Ok(()))
    }

    /// The prompt about those pairs of which both claims are still valid and visible.
    fn pairs_prompt<V: PairVerdict>(
        &self,
        batch: &[ClaimPair],
        sees: DoorView,
    ) -> Result<Option<PairPrompt>, ReadError> {
        let session = self.memora.session_for(sees)?;
        let (mut about, mut pairs) = (Vec::new(), Vec::new());
        for pair in batch {
            let [one, other] =
                pair.map(|id| ClaimAuthorizer::new(&session, Lifecycle::new(&session)).authorize_current(id));
            if let (Some(one), Some(other)) = (one?, other?) {
                pairs.push([one, other]);
                about.push(*pair);
            }
        }
        Ok((!pairs.is_empty()).then(|| PairPrompt { prompt: V::prompt(&pairs), about }))
    }
}
