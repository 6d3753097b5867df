//! What is judged: a sentence of a draft, with its citations.

use std::ops::Range;

use memora_claim::ClaimId;

use super::boundaries::sentence_boundaries;
use crate::citation::CitationMarker;
use crate::comparison::normalize_spacing;
use crate::letter_map::LetterMap;
use crate::reference_links::UnlinkedSentence;

/// The kind of block that contains a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlockKind {
    /// Running text.
    Paragraph,
    /// A list item.
    Item,
    /// A heading, with its level.
    Heading(u8),
    /// The header of a table.
    TableHead,
    /// A row of a table below its header.
    Row,
    /// Text in a block quote or callout.
    Quote,
    /// A footnote's text.
    Footnote,
    /// A code block.
    Code,
    /// HTML, comments included.
    Html,
    /// The definition of a link: its label and title.
    Definition,
}

/// A citation at its position in the draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftCitation {
    /// Its bytes in the draft.
    pub range: Range<usize>,
    /// Its text, as written.
    pub text: String,
    /// Its target.
    pub marker: CitationMarker,
}

/// A sentence of the draft with the citations that belong to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftSentence {
    /// Its bytes in the draft, including its citations and markup.
    pub range: Range<usize>,
    /// Its words: without markup and citations, white space normalized.
    pub text: String,
    /// The part of its words that is judged, if not all: without links that only refer, or the quoted words alone.
    pub(crate) said: Option<String>,
    /// The kind of its block.
    pub kind: BlockKind,
    /// The index of its block, from 0.
    pub block: usize,
    /// Its citations, in order.
    pub citations: Vec<DraftCitation>,
    /// Its wikilinks, which count as citations if there is no other.
    pub(crate) links: Vec<SentenceLink>,
    /// The footnotes that it refers to: bytes in the draft, and label.
    pub(crate) footnotes: Vec<(Range<usize>, String)>,
    /// The label of the footnote that contains it.
    pub(crate) label: Option<String>,
    /// The bytes of the code block, HTML block or table that contains it.
    pub(crate) whole: Option<Range<usize>>,
    /// Its words with citations and links blanked by spaces, if it has links that may not be part of it.
    pub(crate) bare: Option<UnlinkedSentence>,
    /// Its characters with their bytes in the draft.
    pub(crate) letters: LetterMap,
}

/// A wikilink in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SentenceLink {
    /// The link with its bytes in the draft.
    pub(crate) citation: DraftCitation,
    /// Whether it has a display text of its own, which may say anything.
    pub(crate) piped: bool,
}

impl DraftSentence {
    /// Makes the sentences of a list item from plain words and the claim that they rest on. Nothing in the words is
    /// markup or a citation. The sentences come from no text, so their ranges are empty.
    #[must_use]
    pub fn cite_words(words: &str, claim: ClaimId, block: usize) -> Vec<Self> {
        let citation =
            DraftCitation { range: 0..0, text: format!("[claim:{claim}]"), marker: CitationMarker::Id(claim) };
        let sentence = |range: Range<usize>| Self {
            range: 0..0,
            text: normalize_spacing(words.get(range).unwrap_or_default()),
            said: None,
            kind: BlockKind::Item,
            block,
            citations: vec![citation.clone()],
            links: Vec::new(),
            footnotes: Vec::new(),
            label: None,
            whole: None,
            bare: None,
            letters: LetterMap::default(),
        };
        sentence_boundaries(words).into_iter().map(sentence).collect()
    }
}
