//! Answers that a model drafts: draft, verify, ask again with what stood, within a bound.
//!
//! The one rule to know: **a draft is never believed.** It is a text from anywhere; what comes of it is what [`check`] keeps
//! of it, against notes that were read again after the model had answered. The loop knows neither models nor notes: a
//! [`Desk`] does, and whatever it is told, the loop asks at most [`DRAFTS_MAX`] times.
//!
//! [`check`]: memora_verify::check

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

use memora_claim::{ClaimId, StatementId};
use memora_redact::{Door, Prompt};
use memora_verify::{CheckedSentence, CitationFailure, CitationResolution, CitationMarker, VerificationReport, ReportStatus, VerifiedAnswer};

use crate::reply::Draft;

/// How often a model is asked for one answer: once, and at most twice again.
pub const DRAFTS_MAX: usize = 3;

/// Who knows the notes and the model, for one question.
pub trait DraftBackend<D: Door> {
    /// What can go wrong on either side.
    type Error;

    /// Reads the claims again, and makes the prompt of those that stand; nothing if none does, or where a draft is to be sent
    /// back and something that it was made of may not be seen any more.
    ///
    /// # Errors
    /// When the notes cannot be read.
    fn build_prompt(&mut self, want: &DraftRequest<'_>) -> Result<Option<OfferedPrompt<D>>, Self::Error>;

    /// Sends a prompt, and returns the reply.
    ///
    /// # Errors
    /// When there is none.
    fn send_prompt(&mut self, prompt: &Prompt<D>) -> Result<String, Self::Error>;

    /// Whether there is no answer after an error, whatever was verified before: the user has to know of it.
    fn is_fatal(&self, error: &Self::Error) -> bool;

    /// Reads the notes again and judges a draft that was made of these claims.
    ///
    /// # Errors
    /// When the notes cannot be read.
    fn check_draft(&mut self, draft: &str, offered: &[ClaimId]) -> Result<CheckedDraft, Self::Error>;
}

/// What a model is asked for.
#[derive(Clone, Copy, Debug)]
pub enum DraftRequest<'a> {
    /// An answer, out of all that was found.
    Answer,
    /// An answer anew, out of these claims of the prompt before.
    Retry(&'a [ClaimId]),
    /// Some sentences of a draft anew, out of all the claims that it was made of.
    Correct(&'a [ClaimId], &'a [FaultySentence]),
}

/// A sentence of a draft that did not hold.
#[derive(Clone, PartialEq, Eq)]
pub struct FaultySentence {
    /// Its bytes in the draft.
    pub range: Range<usize>,
    /// Its words.
    pub sentence: String,
    /// What is wrong with it.
    pub wrong: String,
}

/// Says where, never the words.
impl fmt::Debug for FaultySentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Faulty({:?})", self.range)
    }
}

/// A prompt, and the claims that it offers.
#[derive(Clone, Debug)]
pub struct OfferedPrompt<D: Door> {
    /// What is sent.
    pub prompt: Prompt<D>,
    /// What may be cited.
    pub claims: Vec<ClaimId>,
}

/// A draft with its verdicts, by the notes as they are now.
#[derive(Clone, Debug)]
pub struct CheckedDraft {
    /// The verdicts.
    pub report: VerificationReport,
    /// Whether something that the draft was made of may not be seen any more: then nothing of it may.
    pub withheld: bool,
}

/// What came of the drafts.
#[derive(Debug)]
pub struct DraftingResult {
    /// What holds, if anything does.
    pub outcome: DraftOutcome,
    /// How often the model was asked.
    pub drafts: usize,
    /// What was taken out of the draft that the answer is left of.
    pub removed: RemovedCounts,
}

/// How it ended.
#[derive(Debug)]
pub enum DraftOutcome {
    /// The part of a draft that was verified; its status says whether that is all of it.
    Answer(VerifiedAnswer),
    /// The model found nothing in what it was given, and said so.
    NothingFound,
    /// No sentence of any draft holds.
    NothingHolds,
    /// Something that the drafts were made of became guarded meanwhile.
    Withheld,
    /// None of the claims stands any more, so that nobody was asked.
    NothingToOffer,
    /// The model said nothing, each time.
    EmptyReplies,
}

/// How many sentences and citations of a draft did not hold, by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RemovedCounts {
    /// Sentences of which a fact disagrees with the cited words.
    pub contradicted: usize,
    /// Sentences of which something is in nothing that they cite.
    pub unsupported: usize,
    /// Sentences in words of their own, where those are not wanted.
    pub paraphrased: usize,
    /// Sentences whose every citation fails, or one of whose is redacted.
    pub rejected: usize,
    /// Sentences without a citation.
    pub uncited: usize,
    /// Citations that do not stand, wherever.
    pub citations: usize,
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
            paraphrased: if report.is_strict() { count(Paraphrased) } else { 0 },
            rejected: count(Rejected),
            uncited: count(Uncited),
            citations: citations.filter(|citation| !citation.verdict().is_valid()).count(),
        }
    }
}

/// The draft that came farthest.
struct BestDraft {
    draft: Draft,
    claims: Vec<ClaimId>,
    kept: usize,
}

/// Has an answer drafted and verified.
///
/// 1. A draft of which everything holds is the answer, at once. So is a model's word that it found nothing; that it
///    says nothing is none.
/// 2. Else it is asked again, with those claims alone that it cited and that stand; if it cited none, with all that stand: for
///    the sentences anew that the notes do not bear out, each with what is wrong with it, or, where what is wrong is the
///    citations, for the whole answer.
/// 3. After [`DRAFTS_MAX`] drafts the one of which most sentences hold is judged again, and what holds of it is the answer.
///
/// # Errors
/// What the desk says, unless something was verified before and it [does not end all](Desk::ends_all): that is the answer then.
pub fn draft_answer<D: Door, K: DraftBackend<D>>(desk: &mut K) -> Result<DraftingResult, K::Error> {
    let mut among: Option<Vec<ClaimId>> = None;
    // All that the draft at hand was made of, whichever prompt offered it.
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
            // What was verified before is worth more than to know why there is no more of it.
            Err(_) => break,
        };
        let draft = match &faulty {
            Some((former, faulty)) => {
                let ranges: Vec<Range<usize>> = faulty.iter().map(|faulty| faulty.range.clone()).collect();
                former.apply_corrections(&text, &ranges).unwrap_or_else(|| Draft::from_reply(&text))
            }
            None => Draft::from_reply(&text),
        };
        // It can put nothing right.
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
            // It gave up, where it had something before.
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
    // What was judged before the model was asked again may have changed since.
    let CheckedDraft { mut report, withheld } = desk.check_draft(best.draft.text(), &best.claims)?;
    if withheld {
        return without(DraftOutcome::Withheld, drafts, removed);
    }
    best.draft.attach_evidence(&mut report);
    removed = RemovedCounts::count_removed(&report);
    without(to_outcome(report), drafts, removed)
}

/// Has an answer drafted once, and takes it if everything in it holds.
///
/// # Errors
/// What the desk says.
pub fn draft_answer_strict<D: Door, K: DraftBackend<D>>(desk: &mut K) -> Result<DraftingResult, K::Error> {
    let Some(OfferedPrompt { prompt, claims }) = desk.build_prompt(&DraftRequest::Answer)? else {
        return Ok(DraftingResult { outcome: DraftOutcome::NothingToOffer, drafts: 0, removed: RemovedCounts::default() });
    };
    let draft = Draft::from_reply(&desk.send_prompt(&prompt)?);
    let CheckedDraft { mut report, withheld } = desk.check_draft(draft.text(), &claims)?;
    if withheld {
        return Ok(DraftingResult { outcome: DraftOutcome::Withheld, drafts: 1, removed: RemovedCounts::default() });
    }
    draft.attach_evidence(&mut report);
    let removed = RemovedCounts::count_removed(&report);
    let outcome = match report.status() {
        ReportStatus::Verified | ReportStatus::Supported => to_outcome(report),
        ReportStatus::NoEvidence => DraftOutcome::NothingFound,
        ReportStatus::Partial | ReportStatus::Unverified => DraftOutcome::NothingHolds,
    };
    Ok(DraftingResult { outcome, drafts: 1, removed })
}

/// The sentences that the notes do not bear out though their citations stand.
fn collect_faulty(report: &VerificationReport) -> Vec<FaultySentence> {
    use memora_verify::SentenceVerdict::{Contradicted, Unsupported};
    let wrong = |sentence: &&CheckedSentence| matches!(sentence.verdict(), Contradicted | Unsupported);
    let faulty = |sentence: &CheckedSentence| FaultySentence {
        range: sentence.range(),
        sentence: sentence.text().to_owned(),
        wrong: sentence
            .reasons()
            .first()
            .map_or_else(|| sentence.verdict().explanation().to_owned(), |reason| reason.explanation()),
    };
    report.sentences().iter().filter(wrong).map(faulty).collect()
}

/// The statements that a sentence cites and that stand.
fn cited_statements(sentence: &CheckedSentence) -> impl Iterator<Item = StatementId> {
    let stand = sentence.citations().iter().filter(|citation| citation.verdict().is_valid());
    stand.filter_map(|citation| match citation.marker() {
        CitationMarker::Id(id) => Some(id.statement()),
        CitationMarker::Handle(_) | CitationMarker::Link(_) | CitationMarker::Quote(_) | CitationMarker::Malformed => None,
    })
}

fn to_outcome(report: VerificationReport) -> DraftOutcome {
    report.into_verified().map_or(DraftOutcome::NothingHolds, DraftOutcome::Answer)
}

/// Of the claims that were offered those that the draft cites and that stand; if it cites none such, all.
fn select_cited_claims(report: &VerificationReport, offered: &[ClaimId]) -> Vec<ClaimId> {
    let stand: BTreeSet<_> = report.sentences().iter().flat_map(cited_statements).collect();
    let cited: Vec<ClaimId> = offered.iter().filter(|id| stand.contains(&id.statement())).copied().collect();
    if cited.is_empty() { offered.to_vec() } else { cited }
}

/// What becomes of a citation of a claim that the model was not given: that it stands counts for nothing.
#[must_use]
pub fn reject_unoffered(id: &ClaimId, offered: &[ClaimId], finding: CitationResolution) -> CitationResolution {
    let was = offered.iter().any(|offered| offered.statement() == id.statement());
    match finding {
        CitationResolution::Resolved(_) if !was => CitationResolution::Failed(CitationFailure::NotOffered),
        finding => finding,
    }
}

/// Whether a claim that was offered may not be seen any more, by what looking it up again says.
#[must_use]
pub fn is_guarded_now(finding: &CitationResolution) -> bool {
    matches!(finding, CitationResolution::Failed(CitationFailure::UnknownId | CitationFailure::Redacted))
}
