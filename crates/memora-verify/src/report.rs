//! Verdicts on citations, sentences and texts.

use std::fmt;
use std::ops::Range;

use memora_claim::ClaimId;
use memora_entail::Reason;
use memora_vault::NotePath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{Display, IntoStaticStr};

use crate::citation::CitationMarker;
use crate::comparison::mentions_name;
use crate::confusables::is_cjk;
use crate::draft::BlockKind;
use crate::evidence::{CitationVerdict, CitedPassage};
use crate::letter_map::LetterMap;

/// What verification found for a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema, IntoStaticStr, Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[schemars(inline, transform = memora_vault::closed_set)]
pub enum SentenceVerdict {
    /// It is the source's own words.
    Quoted,
    /// It follows from the words it cites by rules that keep every fact.
    Verified,
    /// A model that reads says that the words it cites say it, and no number, date or name disagrees.
    Entailed,
    /// Every fact of it agrees with the words it cites; the words are its own, and for the reader to judge.
    Paraphrased,
    /// A fact of it disagrees with the words it cites.
    Contradicted,
    /// Something in it is in nothing that it cites.
    Unsupported,
    /// No citation of it stands, or one is redacted here.
    Rejected,
    /// It has no citation.
    Uncited,
    /// It asserts nothing.
    Exempt,
}

impl From<memora_entail::Verdict> for SentenceVerdict {
    fn from(verdict: memora_entail::Verdict) -> Self {
        match verdict {
            memora_entail::Verdict::Quoted => Self::Quoted,
            memora_entail::Verdict::Verified => Self::Verified,
            memora_entail::Verdict::Paraphrased => Self::Paraphrased,
            memora_entail::Verdict::Unsupported => Self::Unsupported,
            memora_entail::Verdict::Contradicted => Self::Contradicted,
        }
    }
}

impl SentenceVerdict {
    /// Returns the name used in output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Returns a one-line explanation for people.
    #[must_use]
    pub fn explanation(self) -> &'static str {
        match self {
            Self::Quoted => "these are the cited words themselves",
            Self::Verified => "the cited words were re-read and say this",
            Self::Entailed => "a model reads the cited words as saying this, and no number, date or name disagrees",
            Self::Paraphrased => "no number, date or name disagrees with the cited words; compare the wording yourself",
            Self::Contradicted => "the cited words say otherwise",
            Self::Unsupported => "something in this is not in the cited words",
            Self::Rejected => "no citation of this sentence can be relied on",
            Self::Uncited => "nothing is cited for this",
            Self::Exempt => "nothing is asserted here",
        }
    }

    /// Whether re-read words support it: as a quotation, by rules, or according to a model.
    #[must_use]
    pub fn is_proven(self) -> bool {
        matches!(self, Self::Quoted | Self::Verified | Self::Entailed)
    }

    /// Whether it stays in an answer: proven, or paraphrased and marked as such.
    #[must_use]
    pub fn is_kept(self) -> bool {
        self.is_proven() || self == Self::Paraphrased
    }
}

/// What verification found for a whole text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema, IntoStaticStr, Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[schemars(inline, transform = memora_vault::closed_set)]
pub enum ReportStatus {
    /// Every asserting sentence is quoted, verified or entailed, and every citation stands.
    Verified,
    /// The same, but for some that are paraphrased.
    Supported,
    /// Some sentences are kept; something else is not, or a citation fails.
    Partial,
    /// None is.
    Unverified,
    /// Nothing is asserted.
    NoEvidence,
}

impl ReportStatus {
    /// Returns the name used in output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A citation with its verdict.
#[derive(Clone, Debug)]
pub struct CheckedCitation {
    pub(crate) range: Range<usize>,
    pub(crate) text: String,
    pub(crate) marker: CitationMarker,
    pub(crate) verdict: CitationVerdict,
    pub(crate) passages: Vec<CitedPassage>,
    pub(crate) places: usize,
}

impl CheckedCitation {
    /// Returns its bytes in the draft.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Returns its text, as written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns its target.
    #[must_use]
    pub fn marker(&self) -> &CitationMarker {
        &self.marker
    }

    /// Returns the verdict.
    #[must_use]
    pub fn verdict(&self) -> CitationVerdict {
        self.verdict
    }

    /// Returns the passage it cites, if valid; the first of several.
    #[must_use]
    pub fn passage(&self) -> Option<&CitedPassage> {
        self.passages.first()
    }

    /// Returns all passages it cites, if valid: one for a claim, for a link or a quotation those that its sentence was
    /// judged by.
    #[must_use]
    pub fn passages(&self) -> &[CitedPassage] {
        &self.passages
    }

    /// Returns the number of places in the notes that contain the quoted words; 0 for any other citation.
    #[must_use]
    pub fn place_count(&self) -> usize {
        self.places
    }
}

/// A fact that disagrees or is absent, and its place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedReason {
    pub(crate) fact: Reason,
    pub(crate) range: Option<Range<usize>>,
}

impl CheckedReason {
    /// Returns the fact. Its own range is one of the judged words, without markup and citations.
    #[must_use]
    pub fn fact(&self) -> &Reason {
        &self.fact
    }

    /// Returns its bytes in the text, markup between its words included; `None` where the place is uncertain, or in the
    /// header of a table.
    #[must_use]
    pub fn range(&self) -> Option<Range<usize>> {
        self.range.clone()
    }
}

/// How near the wording of a paraphrased sentence is to the words it cites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, JsonSchema, IntoStaticStr, Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[schemars(inline, transform = memora_vault::closed_set)]
pub enum Wording {
    /// No number, date or name of it disagrees; some of its words stand nowhere in what it cites.
    Loose,
    /// Every word of it that says something stands there, in any form, and every number, none of them only reckoned.
    Close,
}

impl Wording {
    /// Returns a one-line explanation for people.
    #[must_use]
    pub fn explanation(self) -> &'static str {
        match self {
            Self::Loose => "no number, date or name disagrees; compare the wording yourself",
            Self::Close => "each meaningful word appears in the cited passage; compare how they are put together",
        }
    }
}

/// Which sentences stay in an answer.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema, IntoStaticStr, Display,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[schemars(inline, transform = memora_vault::closed_set)]
pub enum Strictness {
    /// Every sentence that no fact speaks against.
    #[default]
    Loose,
    /// What is proven, and what is paraphrased [closely](Wording::Close).
    Close,
    /// What is proven.
    Proven,
}

/// A fact of a sentence that the cited words lack and that stands in another line of their note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactElsewhere {
    /// The words of the sentence.
    pub words: String,
    /// The note.
    pub note: NotePath,
    /// Its line, from 1; `None` where it is the note's path that has the words, or guarded text stands before the line.
    pub line: Option<usize>,
}

/// A sentence with its verdict.
#[derive(Clone)]
pub struct CheckedSentence {
    pub(crate) range: Range<usize>,
    pub(crate) text: String,
    pub(crate) said: Option<String>,
    pub(crate) kind: BlockKind,
    pub(crate) block: usize,
    pub(crate) whole: Option<Range<usize>>,
    pub(crate) verdict: SentenceVerdict,
    pub(crate) score: Option<f32>,
    pub(crate) reasons: Vec<CheckedReason>,
    pub(crate) wording: Option<Wording>,
    pub(crate) elsewhere: Vec<FactElsewhere>,
    /// Its characters with their bytes in the text.
    pub(crate) letters: LetterMap,
    pub(crate) citations: Vec<CheckedCitation>,
    pub(crate) model: Option<ModelFinding>,
    /// Words of its passages that it is said to rest on, found there.
    pub(crate) evidence: Option<String>,
}

impl CheckedSentence {
    /// Whether a passage of it contains these words, verbatim except for white space, and they are long enough: one or
    /// two words occur everywhere.
    fn has_passage_words(&self, words: &str) -> bool {
        let folded = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_enough = words.split_whitespace().count() > 2 || words.chars().filter(|c| is_cjk(*c)).count() > 5;
        let words = folded(words);
        let stands =
            |passage: &CitedPassage| mentions_name(passage.words(), &words) && folded(passage.words()).contains(&words);
        is_enough && self.citations.iter().flat_map(|citation| &citation.passages).any(stands)
    }

    /// Returns its bytes in the draft, including its citations and markup.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Returns its words: without markup and citations.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the words that were judged: all, except links that only refer and the introduction of a quotation.
    #[must_use]
    pub fn judged_text(&self) -> &str {
        self.said.as_deref().unwrap_or(&self.text)
    }

    /// Returns the kind of its block.
    #[must_use]
    pub fn kind(&self) -> BlockKind {
        self.kind
    }

    /// Returns the index of its block in the draft, from 0.
    #[must_use]
    pub fn block(&self) -> usize {
        self.block
    }

    /// Returns the verdict.
    #[must_use]
    pub fn verdict(&self) -> SentenceVerdict {
        self.verdict
    }

    /// Returns the share of it that the passages support, from 0 to 1, if judged. The verdict does not depend on it.
    #[must_use]
    pub fn score(&self) -> Option<f32> {
        self.score
    }

    /// Returns why it is unsupported, for the user only. Empty otherwise.
    #[must_use]
    pub fn reasons(&self) -> &[CheckedReason] {
        &self.reasons
    }

    /// Returns how near a paraphrased sentence is to the cited words; `None` with any other verdict.
    #[must_use]
    pub fn wording(&self) -> Option<Wording> {
        self.wording.filter(|_| self.verdict == SentenceVerdict::Paraphrased)
    }

    /// Whether it stays in an answer.
    #[must_use]
    pub fn is_kept(&self, strictness: Strictness) -> bool {
        match strictness {
            Strictness::Loose => self.verdict.is_kept(),
            Strictness::Close => self.verdict.is_proven() || self.wording() == Some(Wording::Close),
            Strictness::Proven => self.verdict.is_proven(),
        }
    }

    /// Returns its facts that only other lines of the cited notes have.
    #[must_use]
    pub fn elsewhere(&self) -> &[FactElsewhere] {
        &self.elsewhere
    }

    /// Returns its citations, in order.
    #[must_use]
    pub fn citations(&self) -> &[CheckedCitation] {
        &self.citations
    }

    /// Returns the words of the notes that its author, or a model, named as its evidence, if they were found there.
    #[must_use]
    pub fn evidence(&self) -> Option<&str> {
        match &self.model {
            Some(ModelFinding::Entailed { evidence, .. }) => Some(evidence),
            _ => self.evidence.as_deref(),
        }
    }

    /// Returns the finding of a model, if it changed the verdict.
    #[must_use]
    pub fn model_finding(&self) -> Option<&ModelFinding> {
        self.model.as_ref()
    }
}

/// The finding of a language model for a sentence, if it changed the verdict.
#[derive(Clone, PartialEq)]
pub enum ModelFinding {
    /// The cited words support the sentence, which is entailed.
    Entailed {
        /// The name of the model.
        model: String,
        /// The words of the notes that the model names as evidence, found there.
        evidence: String,
    },
    /// The cited words do not support the sentence, which is unsupported.
    NotSaid {
        /// The words of the sentence that the model named, perhaps none.
        words: String,
        /// Their bytes in the text, if they are in the sentence once.
        range: Option<Range<usize>>,
    },
}

/// Prints the variant, never the words.
impl fmt::Debug for ModelFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Entailed { .. } => "Entailed",
            Self::NotSaid { .. } => "NotSaid",
        })
    }
}

/// Prints the verdict, never the words.
impl fmt::Debug for CheckedSentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CheckedSentence({:?}, {}, {} citations)", self.range, self.verdict, self.citations.len())
    }
}

/// The verdicts of a text. Created by [`check_draft`](crate::check_draft).
#[derive(Clone, Debug)]
pub struct VerificationReport {
    pub(crate) sentences: Vec<CheckedSentence>,
    strictness: Strictness,
}

impl VerificationReport {
    pub(crate) fn new(sentences: Vec<CheckedSentence>) -> Self {
        Self { sentences, strictness: Strictness::default() }
    }

    /// Returns every sentence, in order of the blocks.
    #[must_use]
    pub fn sentences(&self) -> &[CheckedSentence] {
        &self.sentences
    }

    /// Lowers a sentence to unsupported, because a model found that its passages do not support it. `words` are the
    /// unsupported words that the model named, perhaps none. Does nothing to a sentence that is not kept.
    pub fn mark_unsupported(&mut self, sentence: usize, words: &str) {
        if let Some(sentence) = self.sentences.get_mut(sentence).filter(|sentence| sentence.verdict.is_kept()) {
            sentence.verdict = SentenceVerdict::Unsupported;
            let range = sentence.letters.locate_words(words);
            sentence.model = Some(ModelFinding::NotSaid { words: words.to_owned(), range });
        }
    }

    /// Raises a paraphrased sentence to entailed, because a model found the `evidence` in its passages to support it.
    /// Does nothing if no passage of the sentence contains the evidence, nor to any other verdict: a model can accept
    /// wording, but never overrule a fact.
    pub fn mark_entailed(&mut self, sentence: usize, evidence: &str, model: &str) {
        let Some(sentence) = self.sentences.get_mut(sentence) else { return };
        if sentence.verdict == SentenceVerdict::Paraphrased && sentence.has_passage_words(evidence) {
            sentence.verdict = SentenceVerdict::Entailed;
            let (model, evidence) = (model.to_owned(), evidence.to_owned());
            sentence.model = Some(ModelFinding::Entailed { model, evidence });
        }
    }

    /// Records the words of the notes that the author of the sentences at these bytes named as evidence; ignores them
    /// for a sentence whose passages do not contain them. Changes no verdict.
    pub fn attach_evidence(&mut self, range: &Range<usize>, evidence: &str) {
        let inside = |sentence: &&mut CheckedSentence| range.contains(&sentence.range.start);
        for sentence in self.sentences.iter_mut().filter(inside) {
            if sentence.has_passage_words(evidence) {
                sentence.evidence = Some(evidence.split_whitespace().collect::<Vec<_>>().join(" "));
            }
        }
    }

    /// Records words of the notes that the author of the text gives as evidence for the sentences that cite a claim, and returns
    /// the indices of those sentences for which they stand: letter by letter, at least three of them, in what the sentence cites.
    /// Changes no verdict.
    pub fn attach_claim_evidence(&mut self, claim: &ClaimId, words: &str) -> Vec<usize> {
        let mut found = Vec::new();
        for (at, sentence) in self.sentences.iter_mut().enumerate() {
            let names = |citation: &CheckedCitation| match &citation.marker {
                CitationMarker::Id(id) => id.statement() == claim.statement(),
                _ => false,
            };
            if sentence.citations.iter().any(names) && sentence.has_passage_words(words) {
                sentence.evidence = Some(words.split_whitespace().collect::<Vec<_>>().join(" "));
                found.push(at);
            }
        }
        found
    }

    /// Drops paraphrased sentences, or the loose ones among them, for readers who want more than that no fact speaks against
    /// them: they count as not kept.
    #[must_use]
    pub fn with_strictness(self, strictness: Strictness) -> Self {
        Self { strictness, ..self }
    }

    /// Which sentences it keeps.
    #[must_use]
    pub fn strictness(&self) -> Strictness {
        self.strictness
    }

    /// Whether a sentence of this report stays in an answer.
    #[must_use]
    pub fn is_kept(&self, sentence: &CheckedSentence) -> bool {
        sentence.is_kept(self.strictness)
    }

    /// Returns the verdict on the whole text.
    ///
    /// A failed citation keeps the whole from being verified, even beside a valid one: never claim more than
    /// was checked.
    #[must_use]
    pub fn status(&self) -> ReportStatus {
        let mut asserting = self.sentences.iter().filter(|s| s.verdict != SentenceVerdict::Exempt).peekable();
        let failed = self.sentences.iter().flat_map(|s| &s.citations).any(|c| !c.verdict.is_valid());
        if asserting.peek().is_none() {
            return if failed { ReportStatus::Unverified } else { ReportStatus::NoEvidence };
        }
        let (kept, lost): (Vec<_>, Vec<_>) = asserting.partition(|s| self.is_kept(s));
        match (kept.is_empty(), lost.is_empty()) {
            (true, _) => ReportStatus::Unverified,
            (false, true) if !failed => {
                let proven = kept.iter().all(|s| s.verdict.is_proven());
                if proven { ReportStatus::Verified } else { ReportStatus::Supported }
            }
            _ => ReportStatus::Partial,
        }
    }
}
