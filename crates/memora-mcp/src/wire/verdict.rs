//! The results of `memora_verify` and `memora_capture`.

use memora_engine::report::{
    CaptureStatus, CitationOutcome, CitationReport, Freshness, ReportStatus, SentenceReport, SentenceVerdict, WireClaim,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::AgentClaim;
use super::note_text::note_text;
use crate::budget::truncate_text;

/// What `memora_verify` found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct VerifyResult {
    /// `verified`: every sentence is proven by the notes; `supported`: some only paraphrase them; `partial`; `unverified`;
    /// `no_evidence`: nothing is asserted.
    pub status: ReportStatus,
    /// The text without what does not stand.
    pub clean_text: String,
    /// Sentences by verdict.
    pub sentences: VerdictCounts,
    /// The model on this machine that found the entailed ones so; `null` where none read.
    pub read_by: Option<String>,
    /// What is wrong with the others, in their order.
    pub problems: Vec<ProblemSentence>,
    /// What follows from all this, and what to call next.
    pub next: &'static str,
    /// Pass it on as `cursor` for more problems; `null` where there are no more.
    pub cursor: Option<String>,
    /// Whether the index has everything that is in the vault.
    #[serde(flatten)]
    pub freshness: Freshness,
}

/// What `memora_capture` did.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "CaptureResult")]
#[serde(bound = "")]
pub struct CaptureResult<D> {
    /// `captured`; or `refused`, and then nothing was written.
    pub status: CaptureStatus,
    /// The new note, relative to the vault; `null` where there is none.
    pub path: Option<String>,
    /// Its sentences, counted by verdict.
    pub sentences: VerdictCounts,
    /// The sentences that it was refused for.
    pub problems: Vec<ProblemSentence>,
    /// The claims that it cites and that stand.
    pub claims: Vec<AgentClaim<D>>,
    /// What follows from all this, and what to call next.
    pub next: &'static str,
    /// Whether the index has everything that is in the vault.
    #[serde(flatten)]
    pub freshness: Freshness,
}

/// Sentences counted by verdict.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
pub struct VerdictCounts {
    /// They are the source's own words.
    pub quoted: usize,
    /// They follow from the words they cite by rules that keep every fact.
    pub verified: usize,
    /// A model reads the words they cite as saying this, and no fact disagrees.
    pub entailed: usize,
    /// No fact of them disagrees with the words they cite; the wording is not proven.
    pub paraphrased: usize,
    /// A fact of them disagrees with the words they cite.
    pub contradicted: usize,
    /// Something in them is in nothing that they cite.
    pub unsupported: usize,
    /// No citation of theirs stands.
    pub rejected: usize,
    /// They have none.
    pub uncited: usize,
    /// They assert nothing.
    pub exempt: usize,
}

/// A sentence in words of its own, with the words of the notes to compare it with.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ComparedSentence {
    /// Its words.
    pub sentence: String,
    /// `paraphrased`: no fact of it disagrees, and the wording is not proven; or `entailed`, by a model.
    pub verdict: SentenceVerdict,
    /// The model that finds it entailed; `null` where none does.
    pub entailed_by: Option<String>,
    /// The words of the notes that it cites.
    pub notes: Vec<String>,
}

/// A sentence that is not proven, or has a citation that does not stand.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProblemSentence {
    /// Its words.
    pub sentence: String,
    /// `quoted`, `verified`, `entailed`, `paraphrased`, `contradicted`, `unsupported`, `rejected`, `uncited` or `exempt`.
    pub verdict: SentenceVerdict,
    /// Why, a clause each.
    pub reasons: Vec<String>,
    /// The words of the notes that it cites, to be compared with, where they do not prove it.
    pub notes: Vec<String>,
    /// Its citations that do not stand.
    pub citations: Vec<FailedCitation>,
}

/// A citation that does not stand.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FailedCitation {
    /// As written.
    pub marker: String,
    /// `changed`, `missing_note`, `unknown_id`, `withdrawn`, `superseded`, `redacted`, `malformed`, `unknown_place`,
    /// `ambiguous`, `itself` or `captured`.
    pub verdict: CitationOutcome,
    /// The verdict in a sentence.
    pub explanation: &'static str,
}

impl VerdictCounts {
    pub(crate) fn count_sentences(sentences: &[SentenceReport]) -> Self {
        let mut counts = Self::default();
        for sentence in sentences {
            *match sentence.verdict {
                SentenceVerdict::Verified => &mut counts.verified,
                SentenceVerdict::Quoted => &mut counts.quoted,
                SentenceVerdict::Entailed => &mut counts.entailed,
                SentenceVerdict::Paraphrased => &mut counts.paraphrased,
                SentenceVerdict::Contradicted => &mut counts.contradicted,
                SentenceVerdict::Unsupported => &mut counts.unsupported,
                SentenceVerdict::Rejected => &mut counts.rejected,
                SentenceVerdict::Uncited => &mut counts.uncited,
                SentenceVerdict::Exempt => &mut counts.exempt,
            } += 1;
        }
        counts
    }
}

impl ComparedSentence {
    /// Returns the sentence if it is paraphrased or entailed; `claims` are those that its text cites.
    pub(crate) fn from_paraphrase<D>(sentence: &SentenceReport, claims: &[WireClaim<D>]) -> Option<Self> {
        matches!(sentence.verdict, SentenceVerdict::Paraphrased | SentenceVerdict::Entailed).then(|| Self {
            sentence: truncate_text(&sentence.text, 300),
            verdict: sentence.verdict,
            entailed_by: sentence.entailed_by.as_ref().map(|by| truncate_text(&by.model, 100)),
            notes: cited_quotes(sentence, claims),
        })
    }
}

/// Returns the words of the notes that a sentence cites.
fn cited_quotes<D>(sentence: &SentenceReport, claims: &[WireClaim<D>]) -> Vec<String> {
    let statement = |id: &str| id.split('.').next().map(str::to_owned);
    let is_cited = |claim: &&WireClaim<D>| {
        let mut cited = sentence.citations.iter().filter_map(|citation| citation.claim.as_deref());
        cited.any(|id| statement(id) == statement(claim.id()))
    };
    let places = claims.iter().filter(is_cited).filter_map(WireClaim::place);
    places.take(3).map(|place| note_text(&place.quote, 300)).collect()
}

impl ProblemSentence {
    /// Returns the sentence's problems, if it has any; `claims` are those that its text cites.
    pub(crate) fn from_problem<D>(sentence: &SentenceReport, claims: &[WireClaim<D>]) -> Option<Self> {
        let fails = |citation: &&CitationReport| !citation.verdict.stands();
        let citations: Vec<FailedCitation> =
            sentence.citations.iter().filter(fails).take(5).map(FailedCitation::from_report).collect();
        if citations.is_empty() && (sentence.verdict.is_proven() || sentence.verdict == SentenceVerdict::Exempt) {
            return None;
        }
        let compared = matches!(
            sentence.verdict,
            SentenceVerdict::Paraphrased | SentenceVerdict::Contradicted | SentenceVerdict::Unsupported
        );
        Some(Self {
            notes: if compared { cited_quotes(sentence, claims) } else { Vec::new() },
            sentence: truncate_text(&sentence.text, 300),
            verdict: sentence.verdict,
            reasons: sentence.reasons.iter().take(5).map(|reason| note_text(&reason.explanation, 300)).collect(),
            citations,
        })
    }
}

impl FailedCitation {
    fn from_report(citation: &CitationReport) -> Self {
        Self {
            marker: truncate_text(&citation.marker, 200),
            verdict: citation.verdict,
            explanation: citation.explanation,
        }
    }
}
