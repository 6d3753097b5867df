//! A language model's judgement on changes: it says of a newer statement what it does to an older one.
//!
//! How pairs are sent is in [`pair_judge`](super::pair_judge). Invariant: **a model ends nothing.** Its verdict orders the list and
//! may leave a pair out of it; whether the older one ended is for the user to say, and no verdict is stored.

use memora_claim::ClaimId;
use memora_redact::{ClearClaim, DoorView, Prompt, WireClaim};
use serde::Deserialize;

use super::pair_judge::{ClaimPair, PairVerdict, PairVerdicts};
use crate::read::answer::drafted::AskError;
use crate::read::lifecycle::{ChangesRequest, LifecycleReports};
use crate::read::llm::model_questions::ModelQuestions;
use crate::read::llm::send::Asking;
use crate::read::search::SearchError;
use crate::report::{ChangeJudgement, ChangePair, ChangesJudgementReport, ChangesReport, Freshness};

impl ModelQuestions<'_> {
    /// Lists newer statements beside older ones, as `list_changes` does, and asks a model about each pair. Those that it finds changed
    /// come first, then those that it did not judge; the others are listed with `all` alone.
    ///
    /// The report passes the door `door`, the prompts the model's own, `sees`.
    ///
    /// # Errors
    /// [`AskError`]. A failing model is not an error: the report then says what was not judged.
    pub(crate) fn judge_changed_pairs(
        &self,
        all: bool,
        request: &ChangesRequest,
        door: DoorView,
        sees: DoorView,
        asking: &Asking<'_>,
        freshness: Freshness,
    ) -> Result<ChangesReport, AskError> {
        let due = self.changes_to_judge(request, sees, freshness)?;
        let said = self.judge_pairs::<Overtaking>(&due, sees, asking)?;
        let session = self.memora.session_for(door)?;
        let report = LifecycleReports::new(&session).list_changes(request, freshness)?;
        Ok(report_judged_changes(report, all, asking.model.name(), &said))
    }

    /// The pairs that a door may see, by their claims.
    fn changes_to_judge(
        &self,
        request: &ChangesRequest,
        sees: DoorView,
        freshness: Freshness,
    ) -> Result<Vec<ClaimPair>, SearchError> {
        let session = self.memora.session_for(sees)?;
        let report = LifecycleReports::new(&session).list_changes(request, freshness)?;
        let each = |pair: &ChangePair| pair.older.iter().filter_map(|older| claim_pair(older, &pair.newer)).collect();
        Ok(report.pairs.iter().flat_map(|pair| -> Vec<ClaimPair> { each(pair) }).collect())
    }
}

/// A pair by its claims, the older first.
fn claim_pair(older: &WireClaim, newer: &WireClaim) -> Option<ClaimPair> {
    Some([ClaimId::parse(older.id()).ok()?, ClaimId::parse(newer.id()).ok()?])
}

/// The report with the model's verdicts, and without the pairs that it took out, unless all are to be listed.
fn report_judged_changes(
    report: ChangesReport,
    all: bool,
    model: &str,
    said: &PairVerdicts<Overtaking>,
) -> ChangesReport {
    let mut by = ChangesJudgementReport {
        model: model.to_owned(),
        calls: said.calls,
        changed: 0,
        same: 0,
        both_hold: 0,
        not_judged: 0,
        failure: said.failure.clone(),
    };
    let mut pairs = Vec::new();
    for mut pair in report.pairs {
        for older in &pair.older {
            let word = claim_pair(older, &pair.newer).and_then(|two| said.verdict_on(two));
            let (word, count) = match word.map(|word| word.verdict) {
                Some(Verdict::Changed) => (ChangeJudgement::Changed, &mut by.changed),
                Some(Verdict::Same) => (ChangeJudgement::Same, &mut by.same),
                Some(Verdict::BothHold) => (ChangeJudgement::BothHold, &mut by.both_hold),
                None => (ChangeJudgement::NotJudged, &mut by.not_judged),
            };
            *count += 1;
            pair.judged.push(word);
        }
        pairs.extend(if all { Some(pair) } else { without_taken_out(pair) });
    }
    pairs.sort_by_key(|pair| !pair.judged.contains(&ChangeJudgement::Changed));
    ChangesReport { pairs, judged: Some(by), ..report }
}

/// A pair without the older statements that the model took out, if any is left.
fn without_taken_out(mut pair: ChangePair) -> Option<ChangePair> {
    // What is ended by words comes first.
    if pair.judged.first().is_some_and(|word| word.is_taken_out()) {
        pair.ended_by = None;
    }
    let kept = pair.older.into_iter().zip(pair.judged).filter(|(_, word)| !word.is_taken_out());
    (pair.older, pair.judged) = kept.unzip();
    (!pair.older.is_empty()).then_some(pair)
}

/// What a newer statement does to an older one.
#[derive(Clone, Copy, Deserialize)]
struct Overtaking {
    verdict: Verdict,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Verdict {
    Changed,
    Same,
    BothHold,
}

impl PairVerdict for Overtaking {
    fn prompt(pairs: &[[ClearClaim<'_>; 2]]) -> Prompt {
        Prompt::overtake(pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::llm::sentence_judge::VerdictReply;

    #[track_caller]
    fn check(reply: &str, expect: Option<Verdict>) {
        let read = VerdictReply::<Overtaking>::parse(reply);
        assert_eq!(read.verdict_for(0).map(|said| said.verdict), expect, "{reply}");
    }

    #[test]
    fn a_word_that_was_not_asked_for_is_no_judgement() {
        check("{\"verdicts\": [{\"n\": 1, \"verdict\": \"changed\"}]}", Some(Verdict::Changed));
        check("{\"verdicts\": [{\"n\": 1, \"verdict\": \"same\"}]}", Some(Verdict::Same));
        check("{\"verdicts\": [{\"n\": 1, \"verdict\": \"both_hold\"}]}", Some(Verdict::BothHold));
        check("{\"verdicts\": [{\"n\": 1, \"verdict\": \"not_judged\"}]}", None);
        check("{\"verdicts\": [{\"n\": 1, \"verdict\": \"Changed!\"}]}", None);
        check("{\"verdicts\": [{\"n\": 1, \"verdict\": true}]}", None);
        check("{\"verdicts\": [{\"n\": 1, \"verdict\": \"same\", \"verdict\": \"changed\"}]}", None);
    }
}
