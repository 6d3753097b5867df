//! What is judged: a draft, and what was to be captured.

use memora_engine::wire::{Citation, Freshness, Sentence};
use schemars::JsonSchema;
use serde::Serialize;

use super::AgentClaim;
use crate::budget::cut;

/// What `memora_verify` found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct VerifyResult {
    /// `verified`: every sentence holds; `quoted`: and all in the notes' own words; `partial`; `unverified`; `no_evidence`:
    /// nothing is asserted.
    pub status: &'static str,
    /// The text without what does not stand.
    pub clean_text: String,
    /// Sentences by verdict.
    pub sentences: Verdicts,
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
    pub status: &'static str,
    /// The new note, relative to the vault; `null` where there is none.
    pub path: Option<String>,
    /// Its sentences, counted by verdict.
    pub sentences: Verdicts,
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
pub struct Verdicts {
    /// What they cite was re-read and says so.
    pub verified: usize,
    /// They are the source's own words.
    pub quoted: usize,
    /// Their citations stand and do not say this.
    pub unsupported: usize,
    /// No citation of theirs stands.
    pub rejected: usize,
    /// They have none.
    pub uncited: usize,
    /// They assert nothing.
    pub exempt: usize,
}

/// A sentence that does not hold, or has a citation that does not stand.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProblemSentence {
    /// Its words.
    pub sentence: String,
    /// `verified`, `quoted`, `unsupported`, `rejected`, `uncited` or `exempt`.
    pub verdict: &'static str,
    /// Why, a clause each.
    pub reasons: Vec<String>,
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
    pub verdict: &'static str,
    /// The verdict in a sentence.
    pub explanation: &'static str,
}

impl Verdicts {
    pub(crate) fn of(sentences: &[Sentence]) -> Self {
        let mut counts = Self::default();
        for sentence in sentences {
            *match sentence.verdict {
                "verified" => &mut counts.verified,
                "quoted" => &mut counts.quoted,
                "unsupported" => &mut counts.unsupported,
                "rejected" => &mut counts.rejected,
                "uncited" => &mut counts.uncited,
                _ => &mut counts.exempt,
            } += 1;
        }
        counts
    }
}

impl ProblemSentence {
    /// What is wrong with a sentence, if anything is.
    pub(crate) fn of(sentence: &Sentence) -> Option<Self> {
        let fails = |citation: &&Citation| !matches!(citation.verdict, "verified" | "moved");
        let citations: Vec<FailedCitation> =
            sentence.citations.iter().filter(fails).take(5).map(FailedCitation::of).collect();
        if citations.is_empty() && matches!(sentence.verdict, "verified" | "quoted" | "exempt") {
            return None;
        }
        Some(Self {
            sentence: cut(&sentence.text, 300),
            verdict: sentence.verdict,
            reasons: sentence.reasons.iter().take(5).map(|reason| cut(&reason.explanation, 300)).collect(),
            citations,
        })
    }
}

impl FailedCitation {
    fn of(citation: &Citation) -> Self {
        Self { marker: cut(&citation.marker, 200), verdict: citation.verdict, explanation: citation.explanation }
    }
}
