//! Answers drafted by a model: draft, verify, and retry with the valid claims, up to a bound.
//!
//! Invariant: **a draft is never trusted.** It is text from anywhere; only the sentences that
//! [`check_draft`](memora_verify::check_draft) keeps are used, against notes that were re-read after the model had
//! answered. The loop knows neither models nor notes: a [`DraftBackend`] does, and the loop asks at most [`DRAFTS_MAX`]
//! times in any case.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

use memora_claim::{ClaimId, StatementId};
use memora_redact::Prompt;
use memora_verify::{
    CheckedSentence, CitationFailure, CitationMarker, CitationResolution, ReportStatus, VerificationReport,
    VerifiedAnswer,
};

use super::model_reply::Draft;

/// The maximum number of drafts per answer: one, and two retries.
pub(crate) const DRAFTS_MAX: usize = 3;

/// Access to the notes and the model, for one question.
pub(crate) trait DraftBackend {
    /// An error of either side.
    type Error;

    /// Re-reads the claims, and builds the prompt of those that are valid; `None` if none is, or if a draft is to be
    /// corrected and one of its claims may not be seen any more.
    ///
    /// # Errors
    /// If the notes cannot be read.
    fn build_prompt(&mut self, want: &DraftRequest<'_>) -> Result<Option<OfferedPrompt>, Self::Error>;

    /// Sends a prompt, and returns the reply.
    ///
    /// # Errors
    /// If there is no reply.
    fn send_prompt(&mut self, prompt: &Prompt) -> Result<String, Self::Error>;

    /// Returns whether an error ends the answer, even if a draft was verified before: the user has to know of it.
    fn is_fatal(&self, error: &Self::Error) -> bool;

    /// Re-reads the notes and judges a draft that was made from these claims.
    ///
    /// # Errors
    /// When the notes cannot be read.
    fn check_draft(&mut self, draft: &str, offered: &[ClaimId]) -> Result<CheckedDraft, Self::Error>;
}

/// A request to the model.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DraftRequest<'a> {
    /// An answer from all claims found.
    Answer,
    /// A new answer from these claims of the previous prompt.
    Retry(&'a [ClaimId]),
    /// Corrections of some sentences of a draft, from all claims that it was made from.
    Correct(&'a [ClaimId], &'a [FaultySentence]),
}

/// A sentence of a draft that failed verification.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct FaultySentence {
    /// Its bytes in the draft.
    pub(crate) range: Range<usize>,
    /// Its words.
    pub(crate) sentence: String,
    /// The fault.
    pub(crate) wrong: String,
}

/// Prints the range, never the words.
impl fmt::Debug for FaultySentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Faulty({:?})", self.range)
    }
}

/// A prompt, and the claims that it offers.
#[derive(Clone, Debug)]
pub(crate) struct OfferedPrompt {
    /// The prompt.
    pub(crate) prompt: Prompt,
    /// The claims that may be cited.
    pub(crate) claims: Vec<ClaimId>,
}

/// A draft with its verdicts, against the current notes.
#[derive(Clone, Debug)]
pub(crate) struct CheckedDraft {
    /// The verdicts.
    pub(crate) report: VerificationReport,
    /// Whether a claim that the draft was made from may not be seen any more: then no part of the draft may.
    pub(crate) withheld: bool,
}

/// The result of drafting.
#[derive(Debug)]
pub(crate) struct DraftingResult {
    /// The verified answer, or the reason for its absence.
    pub(crate) outcome: DraftOutcome,
    /// The number of drafts.
    pub(crate) drafts: usize,
    /// The sentences and citations removed from the last draft.
    pub(crate) removed: RemovedCounts,
}

/// The outcome of drafting.
#[derive(Debug)]
pub(crate) enum DraftOutcome {
    /// The verified part of a draft; its status says whether that is the whole draft.
    Answer(VerifiedAnswer),
    /// The model replied that it found nothing in the offered claims.
    NothingFound,
    /// No sentence of any draft was verified.
    NothingHolds,
    /// A claim that the drafts were made from became guarded meanwhile.
    Withheld,
    /// None of the claims is valid any more, so that the model was not asked.
    NothingToOffer,
    /// The model's replies were empty.
    EmptyReplies,
}

/// The number of removed sentences and citations of a draft, by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RemovedCounts {
    /// Sentences with a fact that the cited words contradict.
    pub(crate) contradicted: usize,
    /// Sentences with a fact that none of the cited words has.
    pub(crate) unsupported: usize,
    /// Paraphrased sentences that are not kept.
    pub(crate) paraphrased: usize,
    /// Sentences of which every citation fails, or one is redacted.
    pub(crate) rejected: usize,
    /// Sentences without a citation.
    pub(crate) uncited: usize,
    /// Invalid citations, in any sentence.
    pub(crate) citations: usize,
}

impl RemovedCounts {
    fn count_removed(report: &VerificationReport) -> Self {
        use memora_verify::SentenceVerdict::{Contradicted, Paraphrased, Rejected, Uncited, Unsupported};
        let sentences = report.sentences();
        let count = |verdict| sentences.iter().filter(|sentence| sentence.verdict() == verdict).count();
        let citations = sentences.iter().flat_map(|sentence| sentence.citations());
        Self {
            contradicted: count(Contradicted),
            unsupported: count(Unsupported),
            paraphrased: sentences.iter().filter(|s| s.verdict() == Paraphrased && !report.is_kept(s)).count(),
            rejected: count(Rejected),
            uncited: count(Uncited),
            citations: citations.filter(|citation| !citation.verdict().is_valid()).count(),
        }
    }
}

/// The draft with the most verified sentences.
struct BestDraft {
    draft: Draft,
    claims: Vec<ClaimId>,
    kept: usize,
}

/// Drafts and verifies an answer.
///
/// 1. A fully verified draft is the answer, at once. So is a model's statement that it found nothing; an empty reply is
///    not.
/// 2. Else the model is asked again, with the claims that the draft validly cited, or, if none, with all valid
///    claims: for corrections of the unsupported sentences, each with its fault, or, if only citations
///    failed, for a whole new answer.
/// 3. After [`DRAFTS_MAX`] drafts the one with most verified sentences is judged anew: its verified part is the answer.
///
/// # Errors
/// The backend's error, unless it is not fatal ([`DraftBackend::is_fatal`]) and a draft was verified before.
pub(crate) fn draft_answer<K: DraftBackend>(desk: &mut K) -> Result<DraftingResult, K::Error> {
    let mut among: Option<Vec<ClaimId>> = None;
    // All claims that the current draft was made from, over all prompts.
    let mut made_of: Vec<ClaimId> = Vec::new();
    let mut faulty: Option<(Draft, Vec<FaultySentence>)> = None;
    let mut best: Option<BestDraft> = None;
    let (mut drafts, mut removed, mut silent) = (0, RemovedCounts::default(), true);
    let without = |outcome, drafts, removed| Ok(DraftingResult { outcome, drafts, removed });
    while drafts < DRAFTS_MAX {
        let want = match (&among, &faulty) {
            (None, _) => DraftRequest::Answer,
            (Some(among), None) => DraftRequest::Retry(among),
            (Some(_), Some((_, faulty))) => DraftRequest::Correct(&made_of, faulty),
        };
        let Some(OfferedPrompt { prompt, claims }) = desk.build_prompt(&want)? else {
            if drafts == 0 {
                return without(DraftOutcome::NothingToOffer, drafts, removed);
            }
            break;
        };
        drafts += 1;
        if faulty.is_none() {
            made_of.clear();
        }
        made_of.extend(claims.iter().filter(|id| !made_of.contains(id)).copied().collect::<Vec<_>>());
        let text = match desk.send_prompt(&prompt) {
            Ok(text) => text,
            Err(error) if best.is_none() || desk.is_fatal(&error) => return Err(error),
            // A verified draft is worth more than the error.
            Err(_) => break,
        };
        let draft = match &faulty {
            Some((former, faulty)) => {
                let ranges: Vec<Range<usize>> = faulty.iter().map(|faulty| faulty.range.clone()).collect();
                former.apply_corrections(&text, &ranges).unwrap_or_else(|| Draft::from_reply(&text))
            }
            None => Draft::from_reply(&text),
        };
        // The model corrected nothing.
        let gave_up = faulty.as_ref().is_some_and(|(former, _)| *former == draft);
        let CheckedDraft { mut report, withheld } = desk.check_draft(draft.text(), &made_of)?;
        if withheld {
            return without(DraftOutcome::Withheld, drafts, removed);
        }
        draft.attach_evidence(&mut report);
        removed = RemovedCounts::count_removed(&report);
        let said_something = draft.text().chars().any(char::is_alphanumeric);
        silent &= !said_something;
        match report.status() {
            ReportStatus::Verified | ReportStatus::Supported => return without(to_outcome(report), drafts, removed),
            ReportStatus::NoEvidence if !said_something => {}
            ReportStatus::NoEvidence if best.is_none() && faulty.is_none() => {
                return without(DraftOutcome::NothingFound, drafts, removed);
            }
            // The model gave up after a better draft.
            ReportStatus::NoEvidence => break,
            ReportStatus::Partial | ReportStatus::Unverified => {}
        }
        let kept = report.sentences().iter().filter(|sentence| report.is_kept(sentence)).count();
        among = Some(select_cited_claims(&report, &made_of));
        let not_said = collect_faulty(&report);
        faulty = (!not_said.is_empty()).then(|| (draft.clone(), not_said));
        if kept > 0 && best.as_ref().is_none_or(|best| best.kept < kept) {
            best = Some(BestDraft { draft, claims: made_of.clone(), kept });
        }
        if gave_up {
            break;
        }
    }
    let Some(best) = best else {
        return without(if silent { DraftOutcome::EmptyReplies } else { DraftOutcome::NothingHolds }, drafts, removed);
    };
    // Verdicts from before the last request may be out of date.
    let CheckedDraft { mut report, withheld } = desk.check_draft(best.draft.text(), &best.claims)?;
    if withheld {
        return without(DraftOutcome::Withheld, drafts, removed);
    }
    best.draft.attach_evidence(&mut report);
    removed = RemovedCounts::count_removed(&report);
    without(to_outcome(report), drafts, removed)
}

/// Returns the sentences that the notes do not support although their citations are valid.
fn collect_faulty(report: &VerificationReport) -> Vec<FaultySentence> {
    use memora_verify::SentenceVerdict::{Contradicted, Unsupported};
    let wrong = |sentence: &&CheckedSentence| matches!(sentence.verdict(), Contradicted | Unsupported);
    let faulty = |sentence: &CheckedSentence| FaultySentence {
        range: sentence.range(),
        sentence: sentence.text().to_owned(),
        wrong: sentence
            .reasons()
            .first()
            .map_or_else(|| sentence.verdict().explanation().to_owned(), |reason| reason.fact().explanation()),
    };
    report.sentences().iter().filter(wrong).map(faulty).collect()
}

/// Returns the statements that a sentence validly cites.
fn cited_statements(sentence: &CheckedSentence) -> impl Iterator<Item = StatementId> {
    let stand = sentence.citations().iter().filter(|citation| citation.verdict().is_valid());
    stand.filter_map(|citation| match citation.marker() {
        CitationMarker::Id(id) => Some(id.statement()),
        CitationMarker::Handle(_) | CitationMarker::Link(_) | CitationMarker::Quote(_) | CitationMarker::Malformed => {
            None
        }
    })
}

fn to_outcome(report: VerificationReport) -> DraftOutcome {
    report.into_verified().map_or(DraftOutcome::NothingHolds, DraftOutcome::Answer)
}

/// Returns the offered claims that the draft validly cites; all, if it cites none.
fn select_cited_claims(report: &VerificationReport, offered: &[ClaimId]) -> Vec<ClaimId> {
    let stand: BTreeSet<_> = report.sentences().iter().flat_map(cited_statements).collect();
    let cited: Vec<ClaimId> = offered.iter().filter(|id| stand.contains(&id.statement())).copied().collect();
    if cited.is_empty() { offered.to_vec() } else { cited }
}

/// Rejects a citation of a claim that was not offered to the model, even if it is valid.
#[must_use]
pub(crate) fn reject_unoffered(id: &ClaimId, offered: &[ClaimId], finding: CitationResolution) -> CitationResolution {
    let was = offered.iter().any(|offered| offered.statement() == id.statement());
    match finding {
        CitationResolution::Resolved(_) if !was => CitationResolution::Failed(CitationFailure::NotOffered),
        finding => finding,
    }
}

/// Returns whether an offered claim may not be seen any more, by a new look-up.
#[must_use]
pub(crate) fn is_guarded_now(finding: &CitationResolution) -> bool {
    matches!(finding, CitationResolution::Failed(CitationFailure::UnknownId | CitationFailure::Redacted))
}
