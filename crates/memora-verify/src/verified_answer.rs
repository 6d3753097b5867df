//! The verified part of a text: [`VerifiedAnswer`].

use std::fmt;

use memora_vault::Band;

use crate::citation::CitationMarker;
use crate::comparison::has_words;
use crate::draft::BlockKind;
use crate::report::{CheckedSentence, ReportStatus, SentenceVerdict, VerificationReport};
use crate::stock_phrases::{is_generic_heading, states_nothing_found};

/// The verified part of a text.
///
/// Proves: each sentence in it is proven by words re-read during the check, or is a paraphrase without a contradicted
/// fact (or exempt), each citation is valid, and [`VerifiedAnswer::band`] joins all sources. The only constructor is
/// [`VerificationReport::into_verified`].
///
/// ```compile_fail,E0451
/// use memora_verify::VerifiedAnswer;
/// fn forged() -> VerifiedAnswer {
///     VerifiedAnswer { text: "drift is late".into(), ..unimplemented!() }
/// }
/// ```
/// ```
/// use memora_verify::{VerificationReport, VerifiedAnswer};
/// fn honest(report: VerificationReport) -> Option<VerifiedAnswer> {
///     report.into_verified().ok()
/// }
/// ```
#[derive(Clone)]
pub struct VerifiedAnswer {
    text: String,
    sentences: Vec<CheckedSentence>,
    status: ReportStatus,
}

impl VerificationReport {
    /// Keeps proven sentences, paraphrased ones unless the report is [stricter](VerificationReport::with_strictness), and exempt headings
    /// and questions around them.
    ///
    /// # Errors
    /// Returns the report itself if nothing is kept.
    // Boxing the report would save a copy on a path that ends in text for a person.
    #[allow(clippy::result_large_err)]
    pub fn into_verified(self) -> Result<VerifiedAnswer, Self> {
        if !self.sentences.iter().any(|s| self.is_kept(s)) {
            return Err(self);
        }
        let (status, strictness) = (self.status(), self.strictness());
        let keeps = |s: &CheckedSentence| s.is_kept(strictness);
        let kept = self
            .sentences
            .into_iter()
            .filter(|s| keeps(s) || (s.verdict == SentenceVerdict::Exempt && is_about_kept(&s.text)));
        let mut sentences: Vec<CheckedSentence> = kept
            .map(|mut sentence| {
                sentence.citations.retain(|citation| citation.verdict.is_valid());
                sentence
            })
            .collect();
        Ok(VerifiedAnswer { text: rebuild_text(&mut sentences), sentences, status })
    }
}

impl VerifiedAnswer {
    /// Returns the kept sentences as clean markdown: no markup but bullets, headings and citations, and no link.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the kept sentences, in order, with their valid citations. All ranges are bytes of [`VerifiedAnswer::text`].
    #[must_use]
    pub fn sentences(&self) -> &[CheckedSentence] {
        &self.sentences
    }

    /// Returns the verdict on the whole text that it was taken from.
    #[must_use]
    pub fn status(&self) -> ReportStatus {
        self.status
    }

    /// Returns the join of the bands of all passages that it was taken from.
    #[must_use]
    pub fn band(&self) -> Band {
        let passages = self.sentences.iter().flat_map(|s| &s.citations).flat_map(|c| &c.passages);
        passages.fold(Band::Public, |band, passage| band.join(passage.band()))
    }
}

/// Prints size and band, never the words.
impl fmt::Debug for VerifiedAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VerifiedAnswer({} sentences, {}, {})", self.sentences.len(), self.status, self.band())
    }
}

/// Whether an exempt sentence is covered by kept passages. "Nothing was found" is not, beside kept sentences, nor is
/// a heading that only names a part of the draft.
fn is_about_kept(text: &str) -> bool {
    has_words(text) && !states_nothing_found(text) && !is_generic_heading(text)
}

/// Rebuilds the text from the words of its sentences, and moves the ranges of sentences and citations to it; kept
/// sentences have no reasons. Markup and link addresses of the draft are dropped: unjudged.
fn rebuild_text(sentences: &mut [CheckedSentence]) -> String {
    let mut text = String::new();
    let mut last: Option<(usize, BlockKind)> = None;
    for sentence in sentences {
        let is_same = last.is_some_and(|(block, _)| block == sentence.block);
        let is_item = |kind| matches!(kind, BlockKind::Item | BlockKind::Row | BlockKind::TableHead);
        match last {
            Some(_) if is_same => text.push(' '),
            Some((_, kind)) if is_item(kind) && is_item(sentence.kind) => text.push('\n'),
            Some(_) => text.push_str("\n\n"),
            None => {}
        }
        let start = text.len();
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
        for citation in &mut sentence.citations {
            let written = match &citation.marker {
                CitationMarker::Id(id) => format!("[claim:{id}]"),
                CitationMarker::Handle(handle) => format!("[claim:~{handle}]"),
                CitationMarker::Link(_) | CitationMarker::Quote(_) | CitationMarker::Malformed => String::new(),
            };
            if !written.is_empty() {
                text.push(' ');
            }
            citation.range = text.len()..text.len() + written.len();
            text.push_str(&written);
            citation.text = written;
        }
        sentence.range = start..text.len();
        last = Some((sentence.block, sentence.kind));
    }
    text
}

/// Escapes characters that markdown would parse as markup.
fn escape_markdown(words: &str, text: &mut String) {
    for letter in words.chars() {
        if matches!(letter, '\\' | '<' | '[' | ']' | '`' | '*' | '|' | '&') {
            text.push('\\');
        }
        text.push(letter);
    }
}
