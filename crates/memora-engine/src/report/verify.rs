//! The report of `verify`, and the sentences that `ask` reports, too.

use memora_redact::{Door, DoorView};
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    CitationOutcome, Freshness, ReasonCode, ReportStatus, SentenceJudgement, SentenceVerdict, VerdictBasis, WireClaim,
    Wording,
};
use crate::report::typed::for_door;

/// What `verify` found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "VerifyReport")]
#[serde(bound = "D: Door")]
pub struct VerifyReport<D = DoorView> {
    /// `verified`: all that asserts is quoted, verified or entailed; `supported`: some is paraphrased; `partial`, `unverified`
    /// or `no_evidence`.
    pub status: ReportStatus,
    /// Every sentence of the text.
    pub sentences: Vec<SentenceReport>,
    /// The cited claims that stand, with their places. Of a link or a quotation those that its sentence was judged by.
    pub claims: Vec<WireClaim<D>>,
    /// The words that were given as evidence, in their order.
    pub evidence: Vec<EvidenceReport>,
    /// The language model that judged what the rules keep; `null` where none was asked.
    pub judged: Option<JudgementReport>,
    /// Whether it rests on the vault as it is.
    #[serde(flatten)]
    pub freshness: Freshness,
}

for_door!(VerifyReport { claims } keeping { status, sentences, evidence, judged, freshness });

/// Who judged sentences that the rules keep, and what came of it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct JudgementReport {
    /// The model.
    pub model: String,
    /// How often it was asked.
    pub calls: usize,
    /// Sentences that it found said.
    pub said: usize,
    /// Those of them that were only paraphrased and are `entailed` by it: it named words of the notes that stand there.
    pub raised: usize,
    /// Sentences that it took down to `unsupported`.
    pub lowered: usize,
    /// Sentences that have their verdict by the rules alone: it said nothing of them that could be read, or was not asked.
    pub not_judged: usize,
    /// What it failed with, if it did.
    pub failure: Option<String>,
}

/// A sentence with its verdict.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SentenceReport {
    /// First byte in the text; of content blocks, in their text, joined; of an answer, in the answer.
    pub start: usize,
    /// Offset behind its last byte.
    pub end: usize,
    /// Its words.
    pub text: String,
    /// `quoted`, `verified`, `entailed`, `paraphrased`, `contradicted`, `unsupported`, `rejected`, `uncited` or `exempt`.
    pub verdict: SentenceVerdict,
    /// What the verdict rests on: `text` (quoted), `rules` (verified), `model` (entailed), `facts` (paraphrased: none disagrees;
    /// contradicted, unsupported: one does or is absent); `null` where nothing was compared.
    pub basis: Option<VerdictBasis>,
    /// The words of the notes that it rests on, by the language model that drafted it or found it entailed. They stand there.
    pub evidence: Option<String>,
    /// The language model that finds it entailed; `null` where none does.
    pub entailed_by: Option<EntailedBy>,
    /// Its citations.
    pub citations: Vec<CitationReport>,
    /// How much of it the words it cites say, from 0 to 1, for ranking; the verdict does not follow from it. `null` where
    /// it was not judged by any.
    pub score: Option<f32>,
    /// The facts that disagree or are absent, the most important first.
    pub reasons: Vec<ReasonReport>,
    /// Of a paraphrased sentence: `close`, every word of it that says something stands in what it cites; or `loose`, no number, date or
    /// name of it disagrees. `null` with any other verdict.
    pub wording: Option<Wording>,
    /// Its facts that the cited words lack and another line of their note has.
    pub elsewhere: Vec<ElsewhereReport>,
    /// What a model found: `said`, `not_said` (then it is `unsupported`), or `not_judged`; `null` where it was not to be asked.
    pub judged: Option<SentenceJudgement>,
}

/// A fact of a sentence that the cited words lack and another line of their note has.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ElsewhereReport {
    /// The words of the sentence.
    pub words: String,
    /// The note, by its path in the vault.
    pub note: String,
    /// The line, from 1; `null` where the note's path has the words, or guarded text stands before the line.
    pub line: Option<usize>,
}

/// Words of the notes that were given as evidence for the sentences that cite a claim.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EvidenceReport {
    /// The claim, as given.
    pub claim: String,
    /// The words, as given.
    pub words: String,
    /// The sentences, from 0, for which at least three of them stand letter by letter in what they cite.
    pub sentences: Vec<usize>,
}

/// A language model that finds a sentence entailed by the words it cites.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EntailedBy {
    /// Its name.
    pub model: String,
}

/// A citation with its verdict.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CitationReport {
    /// First byte in the text that was checked; of an answer, in the answer. Of a quotation without a marker, that of its
    /// sentence.
    pub start: usize,
    /// Offset behind its last byte.
    pub end: usize,
    /// As written.
    pub marker: String,
    /// The claim it names, if it could be read; of a link or a quotation that stands, the first that its sentence was judged
    /// by, if the index has it.
    pub claim: Option<String>,
    /// `verified`, `moved`, `changed`, `missing_note`, `unknown_id`, `withdrawn`, `superseded`, `not_offered`, `redacted`,
    /// `malformed`, `unknown_place`, `ambiguous`, `itself` or `captured`.
    pub verdict: CitationOutcome,
    /// The verdict in a sentence.
    pub explanation: &'static str,
    /// In how many places quoted words stand that were found, eight at most; `null` for any other citation.
    pub places: Option<usize>,
}

/// A fact of a sentence that what it cites does not bear out.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ReasonReport {
    /// `number`, `unit`, `date`, `time`, `name`, `quotation`, `negation`, `direction`, `quantifier` or `content`; `judged` where a
    /// model said so.
    pub kind: ReasonCode,
    /// The words of the sentence; empty where they are all of it.
    pub words: String,
    /// First byte of the words in the text that was checked; `null` where they are all of the sentence, or
    /// their place is uncertain.
    pub start: Option<usize>,
    /// Offset behind their last byte; `null` with `start`.
    pub end: Option<usize>,
    /// What the note has in their place; `null` where it has nothing of the kind.
    pub instead: Option<String>,
    /// All of it in a clause.
    pub explanation: String,
}
