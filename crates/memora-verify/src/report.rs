//! Verdicts, and the proof that can be made of them.

use std::fmt;
use std::ops::Range;

use memora_entail::Reason;
use memora_vault::Band;
use schemars::JsonSchema;
use serde::Serialize;
use strum::{Display, IntoStaticStr};

use crate::check::{is_generic_heading, states_nothing_found};
use crate::citation::CitationMarker;
use crate::draft::BlockKind;
use crate::evidence::{CitationVerdict, CitedPassage};
use crate::fold::is_cjk;
use crate::words::{has_words, mentions_name};

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
    /// A model that reads says that the words it cites say it, and no fact disagrees.
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
    /// The word for it, as in output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// One line for people.
    #[must_use]
    pub fn explanation(self) -> &'static str {
        match self {
            Self::Quoted => "these are the cited words themselves",
            Self::Verified => "the cited words were re-read and say this",
            Self::Entailed => "a model reads the cited words as saying this, and no fact disagrees",
            Self::Paraphrased => "no fact disagrees with the cited words; compare the wording yourself",
            Self::Contradicted => "the cited words say otherwise",
            Self::Unsupported => "something in this is not in the cited words",
            Self::Rejected => "no citation of this sentence can be relied on",
            Self::Uncited => "nothing is cited for this",
            Self::Exempt => "nothing is asserted here",
        }
    }

    /// Whether words that were re-read say it: in its own words, by rules, or according to a model.
    #[must_use]
    pub fn is_proven(self) -> bool {
        matches!(self, Self::Quoted | Self::Verified | Self::Entailed)
    }

    /// Whether it stays in an answer: proven, or paraphrased and marked so.
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
    /// The word for it, as in output.
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
    /// Its bytes in the draft.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Its words, as written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it names.
    #[must_use]
    pub fn marker(&self) -> &CitationMarker {
        &self.marker
    }

    /// What was found.
    #[must_use]
    pub fn verdict(&self) -> CitationVerdict {
        self.verdict
    }

    /// The words it names and their place, where they stand; of several, the first.
    #[must_use]
    pub fn passage(&self) -> Option<&CitedPassage> {
        self.passages.first()
    }

    /// All that it names, where it stands: of a claim one passage, of a link or a quotation those that its sentence was
    /// judged by.
    #[must_use]
    pub fn passages(&self) -> &[CitedPassage] {
        &self.passages
    }

    /// In how many places of the notes the quoted words stand that it cites; 0 for any other citation.
    #[must_use]
    pub fn place_count(&self) -> usize {
        self.places
    }
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
    pub(crate) reasons: Vec<Reason>,
    pub(crate) citations: Vec<CheckedCitation>,
    pub(crate) model: Option<ModelFinding>,
    /// Words of its passages that it is said to rest on, looked up.
    pub(crate) evidence: Option<String>,
}

impl CheckedSentence {
    /// Whether these words stand in a passage of it, letter by letter but for white space, and are enough of them: a word or
    /// two stand everywhere.
    fn has_passage_words(&self, words: &str) -> bool {
        let folded = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_enough = words.split_whitespace().count() > 2 || words.chars().filter(|c| is_cjk(*c)).count() > 5;
        let words = folded(words);
        let stands = |passage: &CitedPassage| mentions_name(passage.words(), &words) && folded(passage.words()).contains(&words);
        is_enough && self.citations.iter().flat_map(|citation| &citation.passages).any(stands)
    }

    /// Its bytes in the draft, its citations and markup included.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Its words: no markup, no citations.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Those of its words that were judged: all, but for links that only refer and for what introduces a quotation.
    #[must_use]
    pub fn judged_text(&self) -> &str {
        self.said.as_deref().unwrap_or(&self.text)
    }

    /// What it stands in.
    #[must_use]
    pub fn kind(&self) -> BlockKind {
        self.kind
    }

    /// Which block of the draft it stands in, counted from 0.
    #[must_use]
    pub fn block(&self) -> usize {
        self.block
    }

    /// What was found.
    #[must_use]
    pub fn verdict(&self) -> SentenceVerdict {
        self.verdict
    }

    /// How much of it the passages say, from 0 to 1, where it was judged by any. The verdict does not follow from it.
    #[must_use]
    pub fn score(&self) -> Option<f32> {
        self.score
    }

    /// Why it is unsupported, for the user's own eyes. Empty otherwise.
    #[must_use]
    pub fn reasons(&self) -> &[Reason] {
        &self.reasons
    }

    /// Its citations, in order.
    #[must_use]
    pub fn citations(&self) -> &[CheckedCitation] {
        &self.citations
    }

    /// The words of the notes that whoever wrote it, or a model that read it, says that it rests on, looked up.
    #[must_use]
    pub fn evidence(&self) -> Option<&str> {
        match &self.model {
            Some(ModelFinding::Entailed { evidence: Some(evidence), .. }) => Some(evidence),
            _ => self.evidence.as_deref(),
        }
    }

    /// What a model found, where it changed the verdict.
    #[must_use]
    pub fn model_finding(&self) -> Option<&ModelFinding> {
        self.model.as_ref()
    }
}

/// What a model that reads found for a sentence, where that changed its verdict.
#[derive(Clone, PartialEq)]
pub enum ModelFinding {
    /// The cited words say it. It is entailed.
    Entailed {
        /// The name of the model.
        model: String,
        /// How probable that is to it, from 0 to 1, of a model that says so.
        probability: Option<f32>,
        /// The words of the notes that it relies on, looked up, of a model that names some.
        evidence: Option<String>,
    },
    /// They don't say it: the words of the sentence that it named, perhaps none. It is unsupported.
    NotSaid {
        /// The words of the sentence.
        words: String,
    },
}

/// Says which, never the words.
impl fmt::Debug for ModelFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Entailed { .. } => "Entailed",
            Self::NotSaid { .. } => "NotSaid",
        })
    }
}

/// Says what was found, never the words.
impl fmt::Debug for CheckedSentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CheckedSentence({:?}, {}, {} citations)", self.range, self.verdict, self.citations.len())
    }
}

/// The verdicts of a text. Made by [`crate::check`].
#[derive(Clone, Debug)]
pub struct VerificationReport {
    pub(crate) sentences: Vec<CheckedSentence>,
    /// Whether what is paraphrased counts as not kept.
    strict: bool,
}

impl VerificationReport {
    pub(crate) fn new(sentences: Vec<CheckedSentence>) -> Self {
        Self { sentences, strict: false }
    }

    /// Every sentence, in order of the blocks.
    #[must_use]
    pub fn sentences(&self) -> &[CheckedSentence] {
        &self.sentences
    }

    /// Takes a sentence down to unsupported, because a model found its passages not to say it. `words` are those of its words
    /// that it named, perhaps none. Does nothing to a sentence that is not kept.
    pub fn mark_unsupported(&mut self, sentence: usize, words: &str) {
        if let Some(sentence) = self.sentences.get_mut(sentence).filter(|sentence| sentence.verdict.is_kept()) {
            sentence.verdict = SentenceVerdict::Unsupported;
            sentence.model = Some(ModelFinding::NotSaid { words: words.to_owned() });
        }
    }

    /// Takes a paraphrased sentence for entailed, because a language model found the `evidence` of its passages to say it. Does nothing
    /// where the evidence does not stand in a passage of the sentence, nor to any other verdict: a model lifts wording, and no
    /// fact that disagrees.
    pub fn mark_entailed(&mut self, sentence: usize, evidence: &str, model: &str) {
        let Some(sentence) = self.sentences.get_mut(sentence) else { return };
        if sentence.verdict == SentenceVerdict::Paraphrased && sentence.has_passage_words(evidence) {
            sentence.verdict = SentenceVerdict::Entailed;
            let (model, evidence) = (model.to_owned(), Some(evidence.to_owned()));
            sentence.model = Some(ModelFinding::Entailed { model, probability: None, evidence });
        }
    }

    /// Notes the words of the notes that the sentences at these bytes are said to rest on, by whoever wrote them; of a sentence
    /// whose passages do not have them, nothing. Changes no verdict.
    pub fn attach_evidence(&mut self, range: &Range<usize>, evidence: &str) {
        let inside = |sentence: &&mut CheckedSentence| range.contains(&sentence.range.start);
        for sentence in self.sentences.iter_mut().filter(inside) {
            if sentence.has_passage_words(evidence) {
                sentence.evidence = Some(evidence.split_whitespace().collect::<Vec<_>>().join(" "));
            }
        }
    }

    /// Has what is only paraphrased dropped, for a reader who wants what is proven and nothing else: it counts as not kept.
    #[must_use]
    pub fn into_strict(mut self) -> Self {
        self.strict = true;
        self
    }

    /// Whether what is paraphrased is dropped.
    #[must_use]
    pub fn is_strict(&self) -> bool {
        self.strict
    }

    /// Whether a sentence of this report stays in an answer.
    #[must_use]
    pub fn is_kept(&self, sentence: &CheckedSentence) -> bool {
        sentence.verdict.is_proven() || !self.strict && sentence.verdict.is_kept()
    }

    /// The verdict on the whole.
    ///
    /// A citation that fails keeps the whole from being verified, even beside one that stands: never claim more than
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

    /// Keeps what is proven, what is paraphrased unless the report is [strict](Report::strictly), and the exempt headings and
    /// questions around it.
    ///
    /// # Errors
    /// The report itself, when nothing is kept.
    // Boxing the report would save a copy on a path that ends in text for a person.
    #[allow(clippy::result_large_err)]
    pub fn into_verified(self) -> Result<VerifiedAnswer, Self> {
        if !self.sentences.iter().any(|s| self.is_kept(s)) {
            return Err(self);
        }
        let (status, strict) = (self.status(), self.strict);
        let keeps = |s: &CheckedSentence| s.verdict.is_proven() || !strict && s.verdict.is_kept();
        let kept = self
            .sentences
            .into_iter()
            .filter(|s| keeps(s) || (s.verdict == SentenceVerdict::Exempt && is_about_kept(&s.text)));
        let sentences: Vec<CheckedSentence> = kept
            .map(|mut sentence| {
                sentence.citations.retain(|citation| citation.verdict.is_valid());
                sentence
            })
            .collect();
        Ok(VerifiedAnswer { text: rebuild_text(&sentences), sentences, status })
    }
}

/// The verified part of a text.
///
/// Proves: each sentence in it is proven by words that were re-read when it was checked, or paraphrases them without a fact that
/// disagrees and says so (or asserts nothing), each citation in it stands, and [`VerifiedAnswer::band`] is the join of all that it was drawn from. The only maker is
/// [`Report::into_verified`].
///
/// ```compile_fail,E0451
/// use memora_verify::VerifiedAnswer;
/// fn forged() -> VerifiedAnswer {
///     VerifiedAnswer { text: "drift is late".into(), ..unimplemented!() }
/// }
/// ```
/// ```
/// use memora_verify::{Report, VerifiedAnswer};
/// fn honest(report: Report) -> Option<VerifiedAnswer> {
///     report.into_verified().ok()
/// }
/// ```
#[derive(Clone)]
pub struct VerifiedAnswer {
    text: String,
    sentences: Vec<CheckedSentence>,
    status: ReportStatus,
}

impl VerifiedAnswer {
    /// The kept sentences as clean markdown: no markup but bullets, headings and citations, and no link.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The kept sentences, in order, with the citations that stand.
    #[must_use]
    pub fn sentences(&self) -> &[CheckedSentence] {
        &self.sentences
    }

    /// The verdict on the whole text it was taken from.
    #[must_use]
    pub fn status(&self) -> ReportStatus {
        self.status
    }

    /// The join of the bands of all passages it was drawn from.
    #[must_use]
    pub fn band(&self) -> Band {
        let passages = self.sentences.iter().flat_map(|s| &s.citations).flat_map(|c| &c.passages);
        passages.fold(Band::Public, |band, passage| band.join(passage.band()))
    }
}

/// Says how much there is and how secret it is, never the words.
impl fmt::Debug for VerifiedAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VerifiedAnswer({} sentences, {}, {})", self.sentences.len(), self.status, self.band())
    }
}

/// Whether an exempt sentence is one because kept passages say it. That nothing was found is not, beside what was, nor what
/// only names a part of the draft.
fn is_about_kept(text: &str) -> bool {
    has_words(text) && !states_nothing_found(text) && !is_generic_heading(text)
}

/// Writes sentences anew from their words. Markup and link addresses of the draft are not taken over: nobody judged them.
fn rebuild_text(sentences: &[CheckedSentence]) -> String {
    let mut text = String::new();
    let mut last: Option<&CheckedSentence> = None;
    for sentence in sentences {
        let is_same = last.is_some_and(|last| last.block == sentence.block);
        let is_item = |s: &CheckedSentence| matches!(s.kind, BlockKind::Item | BlockKind::Row | BlockKind::TableHead);
        match last {
            Some(_) if is_same => text.push(' '),
            Some(last) if is_item(last) && is_item(sentence) => text.push('\n'),
            Some(_) => text.push_str("\n\n"),
            None => {}
        }
        if !is_same {
            match sentence.kind {
                BlockKind::Heading(level) => {
                    text.push_str(&"#".repeat(usize::from(level)));
                    text.push(' ');
                }
                BlockKind::Item | BlockKind::Row | BlockKind::TableHead => text.push_str("- "),
                BlockKind::Quote => text.push_str("> "),
                BlockKind::Paragraph
                | BlockKind::Footnote
                | BlockKind::Code
                | BlockKind::Html
                | BlockKind::Definition => {}
            }
        }
        escape_markdown(sentence.text.trim_end_matches([' ', '|']), &mut text);
        for citation in &sentence.citations {
            match &citation.marker {
                CitationMarker::Id(id) => text.push_str(&format!(" [claim:{id}]")),
                CitationMarker::Handle(handle) => text.push_str(&format!(" [claim:~{handle}]")),
                CitationMarker::Link(_) | CitationMarker::Quote(_) | CitationMarker::Malformed => {}
            }
        }
        last = Some(sentence);
    }
    text
}

/// Escapes what markdown would take for markup.
fn escape_markdown(words: &str, text: &mut String) {
    for letter in words.chars() {
        if matches!(letter, '\\' | '<' | '[' | ']' | '`' | '*' | '|' | '&') {
            text.push('\\');
        }
        text.push(letter);
    }
}
