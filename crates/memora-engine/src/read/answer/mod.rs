//! Answers: sentences from claims or from a model, a verdict for each, and the verified part.
//!
//! Without a model an answer is made by [`extractive`]: the claims' own words, each sentence with its citation. A model's
//! draft is text from outside, and parsed ([`drafted`], in [`repair_loop`]). Both are judged by the same check, so an
//! answer never rests on its author.

pub(crate) mod drafted;
mod extractive;
mod finding;
pub(crate) mod model_reply;
pub(crate) mod repair_loop;
#[cfg(test)]
mod repair_loop_tests;

pub use finding::FindRequest;

use std::collections::HashMap;
use std::ops::Range;

use memora_claim::ClaimId;
use memora_claim::conflict::ClaimStatus;
use memora_redact::{Viewer, WireClaim, round_to_thousandth};
use memora_verify::{CheckedSentence, CitationMarker, FactElsewhere, ModelFinding, SentenceVerdict, check_sentences};

use crate::read::answer::extractive::extractive_sentences;
use crate::read::lifecycle::LifecycleReports;
use crate::read::search::answer_selection::{QuestionForm, WINDOW, choose_hits, is_informative};
use crate::read::search::{ClaimSearch, FoundClaim, SearchError, SearchOptions};
use crate::read::verify::note_evidence::NoteEvidence;
use crate::report::{
    AnswerStatus, AskReport, CitationReport, ElsewhereReport, EntailedBy, Freshness, Passage, ReasonCode, ReasonReport,
    SentenceReport, VerdictBasis,
};
use crate::state::session::Session;

/// How many bytes the passages that come nearest have, as they are written.
const PASSAGE_BYTES: usize = 2_950;

/// The answering of questions, for one session.
pub struct Answerer<'s> {
    session: &'s Session<'s>,
}

impl<'s> Answerer<'s> {
    pub(crate) fn new(session: &'s Session<'s>) -> Self {
        Self { session }
    }

    /// Answers a question with the notes' own words, verified sentence by sentence.
    ///
    /// The least bad claim alone is not evidence. The best answer comes first; only claims that add to it follow.
    pub(crate) fn answer_question(
        &self,
        question: &str,
        options: &SearchOptions,
        freshness: Freshness,
    ) -> Result<AskReport, SearchError> {
        let wider = SearchOptions { limit: options.limit.saturating_mul(4).max(WINDOW), ..options.clone() };
        let found = ClaimSearch::new(self.session).find_claims(question, &wider)?;
        let redacted = found.redacted.into_iter().map(WireClaim::from).collect();
        let said = |hit: &FoundClaim<'_>| !hit.claim.claim().is_withdrawn();
        let hits: Vec<_> = found.hits.into_iter().filter(said).collect();
        let nearest = match found.no_topic {
            true => Vec::new(),
            false => self.nearest_passages(question, options)?,
        };
        // A question about the present gets current claims; superseded ones only where nothing else is known.
        let current = |hit: &FoundClaim<'_>| hit.claim.status() == ClaimStatus::Current;
        let asks_now = options.as_of.is_none() && !found.dated && hits.iter().take(WINDOW).any(current);
        let hits: Vec<_> = hits.into_iter().filter(|hit| !asks_now || current(hit)).collect();
        // Hits of a time-only question were chosen by date, and are listed in order of time.
        let limit = options.time_only_limit.filter(|_| found.no_topic).unwrap_or(options.limit);
        let mut chosen: Vec<_> = match found.no_topic {
            true => hits.into_iter().filter(|hit| is_informative(&hit.claim)).take(limit).collect(),
            false => choose_hits(hits, QuestionForm::from_question(question), limit),
        };
        if !found.dated {
            LifecycleReports::new(self.session).put_newer_first(&mut chosen)?;
        }
        let Some(best) = chosen.iter().max_by(|a, b| a.rank.total_cmp(&b.rank)).map(|hit| hit.strength) else {
            let nothing = AskReport::without_answer(AnswerStatus::NoEvidence, redacted, freshness);
            return Ok(AskReport { looked_for: found.looked_for, nearest, ..nothing });
        };
        let mut kept = ClaimSearch::new(self.session).with_preceding_context(chosen, limit)?;
        if found.dated {
            found.of_time.sort_by_day(&mut kept);
        }
        let evidence = NoteEvidence::at_any_time(self.session).within_time(&found.of_time);
        let outcome = check_sentences(extractive_sentences(&kept), &evidence).into_verified();
        let mut shown = evidence.into_shown_claims()?;
        Ok(match outcome {
            // The answer's band is the join of what it was drawn from; every passage was sorted for this door, so this
            // holds by construction, and is looked at all the same.
            Ok(answer) if self.session.door.may_show(answer.band()) => {
                let claims = collect_cited(answer.sentences(), &mut shown);
                AskReport {
                    contested: LifecycleReports::new(self.session).contest_claims(&claims, &nearest)?,
                    status: answer.status().into(),
                    relevance: Some(best),
                    answer: answer.text().to_owned(),
                    days: if found.dated { found.of_time.days_of_claims(&claims) } else { Vec::new() },
                    claims,
                    sentences: answer.sentences().iter().map(sentence_report).collect(),
                    redacted,
                    drafted: None,
                    looked_for: None,
                    nearest,
                    freshness,
                }
            }
            _ => AskReport::without_answer(AnswerStatus::Unverified, redacted, freshness),
        })
    }

    /// The passages that come nearest, as somebody who only looks for them is told.
    pub(crate) fn nearest_passages(
        &self,
        question: &str,
        options: &SearchOptions,
    ) -> Result<Vec<Passage>, SearchError> {
        let (wordings, options) = (vec![question.to_owned()], SearchOptions { hits_only: true, ..options.clone() });
        Ok(self.look_for(&FindRequest { wordings, options, bytes: PASSAGE_BYTES })?.0.passages)
    }
}

impl AskReport {
    pub(crate) fn without_answer(status: AnswerStatus, redacted: Vec<WireClaim>, freshness: Freshness) -> Self {
        Self {
            status,
            relevance: None,
            answer: String::new(),
            sentences: Vec::new(),
            claims: Vec::new(),
            days: Vec::new(),
            contested: Vec::new(),
            redacted,
            drafted: None,
            looked_for: None,
            nearest: Vec::new(),
            freshness,
        }
    }
}

/// Collects the cited claims whose citation is valid, in the order of their first citation.
pub(crate) fn collect_cited(sentences: &[CheckedSentence], shown: &mut HashMap<ClaimId, WireClaim>) -> Vec<WireClaim> {
    let citations = sentences.iter().flat_map(CheckedSentence::citations);
    citations
        .filter(|citation| citation.verdict().is_valid())
        .filter_map(|citation| match citation.marker() {
            CitationMarker::Id(id) => shown.remove(id),
            CitationMarker::Handle(_)
            | CitationMarker::Link(_)
            | CitationMarker::Quote(_)
            | CitationMarker::Malformed => None,
        })
        .collect()
}

pub(crate) fn sentence_report(checked: &CheckedSentence) -> SentenceReport {
    sentence_report_citing(checked, Vec::new())
}

/// The report of a sentence; `claims` gives one claim for each citation. A marker names its claim itself.
pub(crate) fn sentence_report_citing(checked: &CheckedSentence, claims: Vec<Option<String>>) -> SentenceReport {
    let mut claims = claims.into_iter();
    let citations = checked.citations().iter().map(|citation| {
        let found = claims.next().flatten();
        CitationReport {
            start: citation.range().start,
            end: citation.range().end,
            marker: citation.text().to_owned(),
            claim: match citation.marker() {
                CitationMarker::Id(id) => Some(id.to_string()),
                CitationMarker::Handle(handle) => Some(format!("~{handle}")),
                CitationMarker::Link(_) | CitationMarker::Quote(_) => found,
                CitationMarker::Malformed => None,
            },
            verdict: citation.verdict().into(),
            explanation: citation.verdict().explanation(),
            places: Some(citation.place_count()).filter(|places| *places > 0),
        }
    });
    let mut reasons: Vec<ReasonReport> = checked
        .reasons()
        .iter()
        .map(|reason| ReasonReport {
            kind: reason.fact().kind().into(),
            words: reason.fact().words().to_owned(),
            start: reason.range().map(|range| range.start),
            end: reason.range().map(|range| range.end),
            instead: reason.fact().found().map(str::to_owned),
            explanation: reason.fact().explanation(),
        })
        .collect();
    if let Some(ModelFinding::NotSaid { words, range }) = checked.model_finding() {
        reasons.push(model_reason(words, range.as_ref()));
    }
    SentenceReport {
        start: checked.range().start,
        end: checked.range().end,
        text: checked.text().to_owned(),
        verdict: checked.verdict(),
        basis: verdict_basis(checked),
        evidence: checked.evidence().map(str::to_owned),
        entailed_by: entailed_by(checked),
        citations: citations.collect(),
        score: checked.score().map(round_to_thousandth),
        reasons,
        wording: checked.wording(),
        elsewhere: checked.elsewhere().iter().map(elsewhere_report).collect(),
        judged: None,
    }
}

fn elsewhere_report(fact: &FactElsewhere) -> ElsewhereReport {
    ElsewhereReport { words: fact.words.clone(), note: fact.note.as_str().to_owned(), line: fact.line }
}

/// The model that a sentence is entailed by.
fn entailed_by(checked: &CheckedSentence) -> Option<EntailedBy> {
    let Some(ModelFinding::Entailed { model, .. }) = checked.model_finding() else { return None };
    Some(EntailedBy { model: model.clone() })
}

/// What a verdict rests on.
fn verdict_basis(checked: &CheckedSentence) -> Option<VerdictBasis> {
    match checked.verdict() {
        SentenceVerdict::Quoted => Some(VerdictBasis::Text),
        SentenceVerdict::Verified => Some(VerdictBasis::Rules),
        SentenceVerdict::Entailed => Some(VerdictBasis::Model),
        SentenceVerdict::Unsupported if checked.model_finding().is_some() => Some(VerdictBasis::Model),
        SentenceVerdict::Paraphrased | SentenceVerdict::Contradicted | SentenceVerdict::Unsupported => {
            Some(VerdictBasis::Facts)
        }
        SentenceVerdict::Rejected | SentenceVerdict::Uncited | SentenceVerdict::Exempt => None,
    }
}

/// The reason for a sentence that a model rejected.
fn model_reason(words: &str, range: Option<&Range<usize>>) -> ReasonReport {
    let explanation = match words {
        "" => "the model finds that what it cites does not say it".to_owned(),
        words => format!("not in what it cites, by the model: {words}"),
    };
    ReasonReport {
        kind: ReasonCode::Judged,
        words: words.to_owned(),
        start: range.map(|range| range.start),
        end: range.map(|range| range.end),
        instead: None,
        explanation,
    }
}
