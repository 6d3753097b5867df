//! A language model's judgement on contradictions: it may hide an open pair, and does nothing else.
//!
//! How pairs are sent is in [`pair_judge`](super::pair_judge). Invariant: **a model closes nothing.** A pair that it hides stays open
//! by the rules, is counted as such and can be listed; no claim ends by a judgement, none is stored, and pairs without one
//! are reported as not judged.

use memora_redact::{ClearClaim, DoorView, Prompt};
use memora_store::ReadError;
use serde::Deserialize;

use super::pair_judge::{ClaimPair, PairVerdict, PairVerdicts};
use crate::read::answer::drafted::AskError;
use crate::read::lifecycle::{ContradictionPair, LifecycleReports};
use crate::read::llm::model_questions::ModelQuestions;
use crate::read::llm::send::Asking;
use crate::report::{ContradictionJudgementReport, ContradictionsReport, Freshness, PairJudgement};
use crate::state::session::Session;

impl ModelQuestions<'_> {
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
        let compared = self.judge_pairs::<Comparison>(&self.pairs_to_judge(limit, sees)?, sees, asking)?;
        let session = self.memora.session_for(door)?;
        Ok(report_judged_contradictions(&session, all, limit, asking.model.name(), &compared, freshness)?)
    }

    /// The first open pairs that a door may see.
    fn pairs_to_judge(&self, limit: usize, sees: DoorView) -> Result<Vec<ClaimPair>, ReadError> {
        let session = self.memora.session_for(sees)?;
        let pairs = LifecycleReports::new(&session).contradiction_pairs()?;
        Ok(pairs.iter().filter(|pair| pair.is_open()).map(claim_pair).take(limit).collect())
    }
}

/// A pair by its claims, the older first.
fn claim_pair(pair: &ContradictionPair<'_>) -> ClaimPair {
    [pair.older.claim().id, pair.newer.claim().id]
}

/// The current contradictions, with the model's verdicts.
fn report_judged_contradictions(
    session: &Session<'_>,
    all: bool,
    limit: usize,
    model: &str,
    compared: &PairVerdicts<Comparison>,
    freshness: Freshness,
) -> Result<ContradictionsReport, ReadError> {
    let pairs = LifecycleReports::new(session).contradiction_pairs()?;
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
        // Which claim is older may differ between doors.
        let [older, newer] = claim_pair(pair);
        let said = compared.verdict_on([older, newer]).or_else(|| compared.verdict_on([newer, older]));
        let (word, count) = match said.map(|said| said.both_hold) {
            Some(true) => (PairJudgement::NoContradiction, &mut by.no_contradiction),
            Some(false) => (PairJudgement::Contradiction, &mut by.contradiction),
            None => (PairJudgement::NotJudged, &mut by.not_judged),
        };
        *count += 1;
        if all || word != PairJudgement::NoContradiction {
            listed.push((pair, Some(word)));
        }
    }
    let report = LifecycleReports::new(session).contradictions_report(&pairs, listed, limit, freshness);
    Ok(ContradictionsReport { judged: Some(by), ..report })
}

/// Whether both claims of a pair can hold.
#[derive(Clone, Copy, Deserialize)]
struct Comparison {
    both_hold: bool,
}

impl PairVerdict for Comparison {
    fn prompt(pairs: &[[ClearClaim<'_>; 2]]) -> Prompt {
        Prompt::compare(pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::llm::sentence_judge::VerdictReply;

    #[track_caller]
    fn check(reply: &str, expect: [Option<bool>; 2]) {
        let read = VerdictReply::<Comparison>::parse(reply);
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
