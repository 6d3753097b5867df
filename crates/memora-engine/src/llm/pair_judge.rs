//! A language model's judgement on contradictions: it may hide an open pair, and does nothing else.
//!
//! Only pairs that passed every guard at the model's own door are sent, each claim read again and sorted for that door right
//! before. Invariant: **a model closes nothing.** A pair that it hides stays open by the rules, is counted as such and
//! can be listed; no claim ends by a judgement, none is stored, and pairs without one are reported as not judged.

use std::collections::BTreeMap;

use memora_claim::ClaimId;
use memora_redact::{DoorView, Prompt};
use memora_store::ReadError;
use serde::Deserialize;

use crate::Memora;
use crate::answer::drafted::AskError;
use crate::lifecycle::ContradictionPair;
use crate::llm::send::{Asking, PromptSender, SendError};
use crate::llm::sentence_judge::VerdictReply;
use crate::report::{ContradictionJudgementReport, ContradictionsReport, Freshness, PairJudgement};
use crate::session::Session;

/// Pairs in one request, and requests for one list.
const PAIRS_MAX: usize = 8;
const CALLS_MAX: usize = 25;

/// A pair by its claims, the older first.
#[derive(Clone, Copy)]
struct ClaimPair([ClaimId; 2]);

impl ClaimPair {
    fn from_pair(pair: &ContradictionPair<'_>) -> Self {
        Self([pair.older.claim().id, pair.newer.claim().id])
    }

    /// A key that does not depend on which claim is older, since that may differ between doors.
    fn key(self) -> [ClaimId; 2] {
        let mut key = self.0;
        key.sort_unstable();
        key
    }
}

/// A prompt, and the pairs that it is about, in their order.
struct PairPrompt {
    prompt: Prompt,
    about: Vec<ClaimPair>,
}

/// The verdicts of a run.
#[derive(Default)]
struct PairVerdicts {
    /// For each judged pair, whether both claims can hold.
    both_hold: BTreeMap<[ClaimId; 2], bool>,
    calls: usize,
    failure: Option<String>,
}

impl Memora {
    /// Lists what contradicts, as `list_contradictions` does, and asks a
    /// model about the first `limit` that are open. What it finds no contradiction is listed with `all` alone.
    ///
    /// The report passes the door `door`, the prompts the model's own, `sees`: the user may see pairs that a remote
    /// model is not asked about, and the prompts depend only on what the model may see.
    ///
    /// # Errors
    /// [`AskError`]. A failing model is not an error: the report then says what was not judged.
    pub(crate) fn judge_open_pairs(
        &self,
        all: bool,
        limit: usize,
        door: DoorView,
        sees: DoorView,
        asking: &Asking<'_>,
        freshness: Freshness,
    ) -> Result<ContradictionsReport, AskError> {
        let due = self.pairs_to_judge(limit, sees)?;
        let mut compared = PairVerdicts::default();
        for batch in due.chunks(PAIRS_MAX).take(CALLS_MAX) {
            if let Err(failure) = self.judge_pairs(batch, sees, asking, &mut compared)? {
                compared.failure = Some(failure);
                break;
            }
        }
        // The model may have taken a minute: the notes count as they are now, and other rules end it.
        if !self.has_current_rules() {
            return Err(SendError::RulesChanged.into());
        }
        let session = self.session_for(door)?;
        Ok(report_judged_contradictions(&session, all, limit, asking.model.name(), &compared, freshness)?)
    }

    /// The first open pairs that a door may see.
    fn pairs_to_judge(&self, limit: usize, sees: DoorView) -> Result<Vec<ClaimPair>, ReadError> {
        let session = self.session_for(sees)?;
        let pairs = session.lifecycle_reports().contradiction_pairs()?;
        Ok(pairs.iter().filter(|pair| pair.is_open()).map(ClaimPair::from_pair).take(limit).collect())
    }

    /// Asks about some pairs; a failure of the model is returned as a message.
    fn judge_pairs(
        &self,
        batch: &[ClaimPair],
        sees: DoorView,
        asking: &Asking<'_>,
        compared: &mut PairVerdicts,
    ) -> Result<Result<(), String>, AskError> {
        let Asking { model, leaves, stop, .. } = *asking;
        let Some(PairPrompt { prompt, about }) = self.pairs_prompt(batch, sees)? else { return Ok(Ok(())) };
        compared.calls += 1;
        let reply = match (PromptSender { memora: self, model, leaves, stop }).send_for_judgement(&prompt)? {
            Ok(reply) => reply,
            Err(failure) => return Ok(Err(failure)),
        };
        let reply = VerdictReply::<PairVerdict>::parse(reply.text());
        let said =
            about.into_iter().enumerate().filter_map(|(at, two)| Some((two.key(), reply.verdict_for(at)?.both_hold)));
        compared.both_hold.extend(said);
        Ok(Ok(()))
    }

    /// The prompt about those pairs of which both claims are still valid and visible.
    fn pairs_prompt(&self, batch: &[ClaimPair], sees: DoorView) -> Result<Option<PairPrompt>, ReadError> {
        let session = self.session_for(sees)?;
        let (mut about, mut pairs) = (Vec::new(), Vec::new());
        for two in batch {
            let [one, other] = two.0.map(|id| session.authorizer().authorize_current(id));
            if let (Some(one), Some(other)) = (one?, other?) {
                pairs.push([one, other]);
                about.push(*two);
            }
        }
        Ok((!pairs.is_empty()).then(|| PairPrompt { prompt: Prompt::compare(&pairs), about }))
    }
}

/// The current contradictions, with the model's verdicts.
fn report_judged_contradictions(
    session: &Session<'_>,
    all: bool,
    limit: usize,
    model: &str,
    compared: &PairVerdicts,
    freshness: Freshness,
) -> Result<ContradictionsReport, ReadError> {
    let pairs = session.lifecycle_reports().contradiction_pairs()?;
    let mut by = ContradictionJudgementReport {
        model: model.to_owned(),
        calls: compared.calls,
        contradiction: 0,
        no_contradiction: 0,
        not_judged: 0,
        failure: compared.failure.clone(),
    };
    let mut listed = Vec::new();
    for pair in &pairs {
        if !pair.is_open() {
            listed.extend(all.then_some((pair, None)));
            continue;
        }
        let (word, count) = match compared.both_hold.get(&ClaimPair::from_pair(pair).key()) {
            Some(true) => (PairJudgement::NoContradiction, &mut by.no_contradiction),
            Some(false) => (PairJudgement::Contradiction, &mut by.contradiction),
            None => (PairJudgement::NotJudged, &mut by.not_judged),
        };
        *count += 1;
        if all || word != PairJudgement::NoContradiction {
            listed.push((pair, Some(word)));
        }
    }
    let report = session.lifecycle_reports().contradictions_report(&pairs, listed, limit, freshness);
    Ok(ContradictionsReport { judged: Some(by), ..report })
}

/// What a reply says of a pair.
#[derive(Deserialize)]
struct PairVerdict {
    both_hold: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(reply: &str, expect: [Option<bool>; 2]) {
        let read = VerdictReply::<PairVerdict>::parse(reply);
        assert_eq!([0, 1].map(|at| read.verdict_for(at).map(|verdict| verdict.both_hold)), expect, "{reply}");
    }

    #[test]
    fn what_cannot_be_read_is_no_judgement() {
        for reply in [
            "",
            "Both can hold.",
            "{}",
            "[]",
            "{\"verdicts\": true}",
            "{\"verdicts\": [{\"n\": 1}]}",
            "{\"verdicts\": [{\"n\": 1, \"both_hold\": \"true\"}]}",
            "{\"verdicts\": [{\"n\": 0, \"both_hold\": true}]}",
            "{\"verdicts\": [{\"n\": 3, \"both_hold\": true}]}",
            "{\"verdicts\": [{\"n\": 1, \"both_hold\": true, \"both_hold\": false}]}",
            "{\"verdicts\": [{\"n\": 1, \"n\": 2, \"both_hold\": true}]}",
            "{\"verdicts\": [{\"n\": 1, \"both_hold\": true}, {\"n\": 1, \"both_hold\": true}]}",
            "{\"verdicts\": [{\"n\": 1, \"both_hold\": true}",
        ] {
            check(reply, [None, None]);
        }
    }

    #[test]
    fn each_pair_is_judged_by_its_number() {
        check("{\"verdicts\": [{\"n\": 2, \"both_hold\": true}]}", [None, Some(true)]);
        check(
            "```json\n{\"verdicts\": [{\"n\": 2, \"both_hold\": false}, {\"n\": 1, \"both_hold\": true}]}\n```",
            [Some(true), Some(false)],
        );
    }
}
