//! The results of `memora_verify` and `memora_capture`.

use std::fmt;

use memora_engine::report::{
    CaptureStatus, CitationOutcome, CitationReport, ElsewhereReport, EvidenceReport, Freshness, ReportStatus,
    SentenceReport, SentenceVerdict, Strictness, VerifyReport, WireClaim, Wording,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::note_text::note_text;
use super::passage::write_freshness;
use super::{AgentClaim, write_next};
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
    /// What is wrong with the others, in their order.
    pub problems: Vec<ProblemSentence>,
    /// Pass it on as `from` for more problems; `null` where there are no more.
    pub next: Option<usize>,
    /// Sentences beside the words that were given as evidence for them, and stand in what they cite.
    pub quoted_evidence: Vec<QuotedEvidence>,
    /// Which sentences count as right.
    #[serde(skip)]
    pub(crate) least: Strictness,
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
    /// A model reads the words they cite as saying this, and no number, date or name disagrees.
    pub entailed: usize,
    /// No fact of them disagrees with the words they cite; the wording is not proven.
    pub paraphrased: usize,
    /// Those of them of which every word that says something stands in what they cite.
    pub close: usize,
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

/// Words that were given as evidence, with the sentences that they are for.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct QuotedEvidence {
    /// The sentences; none where the words stand in nothing that a sentence with that claim cites.
    pub sentences: Vec<String>,
    /// The words, as given.
    pub words: String,
    /// The claim, as given.
    pub claim: String,
}

impl QuotedEvidence {
    /// Returns what was given as evidence, each with the sentences that it stands for.
    pub(crate) fn collect<D>(report: &VerifyReport<D>) -> Vec<Self> {
        let text = |at: &usize| report.sentences.get(*at).map(|sentence| truncate_text(&sentence.text, 200));
        let read = |given: &EvidenceReport| Self {
            sentences: given.sentences.iter().take(3).filter_map(text).collect(),
            words: note_text(&given.words, 300),
            claim: given.claim.clone(),
        };
        report.evidence.iter().map(read).collect()
    }
}

impl fmt::Display for QuotedEvidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { sentences, words, claim } = self;
        if sentences.is_empty() {
            let words = if words.is_empty() { "no words" } else { words };
            return write!(f, "not three words in a row of what a sentence with [claim:{claim}] cites: {words}");
        }
        write!(f, "the note's words \"{words}\" stand for: {}", sentences.join(" "))
    }
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
    /// `close` or `loose` of a paraphrased one.
    pub wording: Option<Wording>,
    /// Words of it that only another line of a cited note has, with the line.
    pub elsewhere: Vec<String>,
    /// The words of the notes that it cites, to be compared with, where they do not prove it.
    pub notes: Vec<String>,
    /// Its citations that do not stand.
    pub citations: Vec<FailedCitation>,
    /// The line of the notes that comes nearest to it, where it must not be said: to be cited instead if it says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instead: Option<String>,
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
            counts.close += usize::from(sentence.wording == Some(Wording::Close));
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
            wording: sentence.wording,
            elsewhere: sentence.elsewhere.iter().take(5).map(describe_elsewhere).collect(),
            citations,
            instead: None,
        })
    }
}

/// Where a fact of a sentence stands that its cited words lack.
fn describe_elsewhere(fact: &ElsewhereReport) -> String {
    let ElsewhereReport { words, note, line } = fact;
    let words = note_text(words, 100);
    let note = note_text(note, 200);
    match line {
        None => format!("{words} stands in {note}"),
        Some(line) => format!("{words} stands in {note}:{line}"),
    }
}

impl VerdictCounts {
    /// How many sentences there are that assert something.
    fn asserting(&self) -> usize {
        let proven = self.quoted + self.verified + self.entailed;
        proven + self.paraphrased + self.contradicted + self.unsupported + self.rejected + self.uncited
    }

    /// How many of them are kept.
    fn kept(&self, least: Strictness) -> usize {
        let own = match least {
            Strictness::Loose => self.paraphrased,
            Strictness::Close => self.close,
            Strictness::Proven => 0,
        };
        self.quoted + self.verified + self.entailed + own
    }
}

impl ProblemSentence {
    /// Whether its reader has to compare it with what it cites.
    fn is_open(&self) -> bool {
        self.wording.is_some()
    }

    /// Whether it must not be said: that its wording is its own is a fault only where all must be proven.
    pub(crate) fn is_wrong(&self, least: Strictness) -> bool {
        let is_kept = match self.verdict {
            SentenceVerdict::Paraphrased => match least {
                Strictness::Loose => true,
                Strictness::Close => self.wording == Some(Wording::Close),
                Strictness::Proven => false,
            },
            verdict => verdict.is_proven(),
        };
        !is_kept || !self.citations.is_empty()
    }
}

/// What is wrong, a sentence a line; of what is not, how many.
impl fmt::Display for VerifyResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_verdict(f, &self.sentences, &self.problems, self.least)?;
        self.quoted_evidence.iter().try_for_each(|evidence| write!(f, "\n{evidence}"))?;
        write_next(f, self.next)?;
        write_freshness(f, self.freshness)
    }
}

/// Whether a note was made, and what it was refused for.
impl<D> fmt::Display for CaptureResult<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.path {
            Some(path) => {
                write!(f, "captured as {path}, as the client's word: it bears nothing out, and answers leave it out")?;
            }
            None => {
                f.write_str("refused, nothing was written: ")?;
                write_verdict(f, &self.sentences, &self.problems, Strictness::Loose)?;
            }
        }
        write_freshness(f, self.freshness)
    }
}

fn write_verdict(
    f: &mut fmt::Formatter<'_>,
    counts: &VerdictCounts,
    problems: &[ProblemSentence],
    least: Strictness,
) -> fmt::Result {
    match (counts.asserting(), counts.kept(least)) {
        (0, _) => f.write_str("it asserts nothing that could be verified: put [claim:ID] behind each sentence")?,
        (1, 1) => f.write_str("the sentence stands")?,
        (all, kept) if all == kept => write!(f, "all {all} sentences stand")?,
        (all, kept) => write!(f, "{kept} of {all} sentences stand")?,
    }
    let own = [
        (counts.quoted + counts.verified + counts.entailed, "proven"),
        (counts.close, "close (each word of it stands in what it cites)"),
        (counts.paraphrased - counts.close, "loose (no number, date or name disagrees)"),
    ];
    let named: Vec<String> =
        own.iter().filter(|(count, _)| *count > 0).map(|(count, how)| format!("{count} {how}")).collect();
    if counts.paraphrased > 0 {
        write!(f, ": {}", named.join(", "))?;
    }
    if counts.kept(least) < counts.asserting() {
        f.write_str("; mend or leave out:")?;
    }
    problems.iter().filter(|problem| problem.is_wrong(least)).try_for_each(|problem| write!(f, "\n{problem}"))?;
    let mut open = problems.iter().filter(|problem| !problem.is_wrong(least) && problem.is_open()).peekable();
    if open.peek().is_some() {
        f.write_str(
            "\nread these beside what they cite: who does what, when, whether it is done, under what condition:",
        )?;
    }
    open.try_for_each(|problem| write!(f, "\n{problem}"))
}

impl fmt::Display for ProblemSentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.wording {
            Some(wording) => write!(f, "{wording}: {}", self.sentence)?,
            None => write!(f, "{}: {}", self.verdict, self.sentence)?,
        }
        self.reasons.iter().chain(&self.elsewhere).try_for_each(|reason| write!(f, "\n  {reason}"))?;
        for citation in &self.citations {
            write!(f, "\n  {} {}", citation.marker, citation.explanation)?;
        }
        self.notes.iter().try_for_each(|words| write!(f, "\n  it cites: {words}"))?;
        self.instead.iter().try_for_each(|line| write!(f, "\n  nearest: {line}"))
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
