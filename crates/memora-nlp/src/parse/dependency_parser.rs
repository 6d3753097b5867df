//! The parser's entry point: [`DependencyParser`], from words to a tree.
//!
//! Invariant: **a reader is immutable**, so that all threads share one, and its output for a sentence depends on the
//! sentence alone. Not here: the algorithms for tags and heads.

use std::sync::LazyLock;

use crate::parse::model::{ParserLoadError, ParserModel};
use crate::parse::recent_parses::{RecentParses, TaggedParse};
use crate::parse::tagset::{Label, Upos, Xpos};
use crate::parse::tree::{DependencyTree, TreeToken};
use crate::parse::word_features::WordFeatures;
use crate::parse::{tagger, transition_parser};

/// The maximum number of tokens of a sentence that are parsed.
pub const TOKENS_MAX: usize = 256;

static MODEL: &[u8] = include_bytes!("../../assets/memora-en-parse.bin");

static EMBEDDED: LazyLock<DependencyParser> =
    LazyLock::new(|| DependencyParser::load(MODEL).expect("the model in the program was tested to be whole"));

/// A tagger and dependency parser: a model's tables in memory.
pub struct DependencyParser {
    model: ParserModel,
    recent: RecentParses,
}

impl std::fmt::Debug for DependencyParser {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader").finish_non_exhaustive()
    }
}

impl DependencyParser {
    /// Returns the parser with the embedded model, which is loaded on first use.
    #[must_use]
    pub fn embedded() -> &'static Self {
        &EMBEDDED
    }

    /// Loads a model from the bytes of its file.
    ///
    /// # Errors
    ///
    /// If the bytes are not a model, or a damaged one.
    pub fn load(bytes: &[u8]) -> Result<Self, ParserLoadError> {
        Ok(Self { model: ParserModel::load(bytes)?, recent: RecentParses::new() })
    }

    /// Tags and parses one tokenized sentence.
    ///
    /// Tokens beyond [`TOKENS_MAX`] are ignored and not in the tree.
    #[must_use]
    pub fn parse<'t>(&self, words: &[&'t str]) -> DependencyTree<'t> {
        self.parse_with_tags(words, &[])
    }

    /// Tags and parses a sentence with some tags given by token index: later tags and the tree take them into account.
    ///
    /// A pair of tags that the model does not have is ignored.
    #[must_use]
    pub fn parse_with_tags<'t>(&self, words: &[&'t str], given: &[(usize, Upos, Xpos)]) -> DependencyTree<'t> {
        let words = words.get(..TOKENS_MAX).unwrap_or(words);
        let mut lowered = String::new();
        let mut lowered_ends = Vec::with_capacity(words.len());
        for word in words {
            push_lower(&mut lowered, word);
            lowered_ends.push(lowered.len());
        }
        let number = |upos, xpos| self.model.tags.iter().position(|tag| *tag == (upos, xpos));
        let given: Vec<(usize, u8)> =
            given.iter().filter_map(|(i, upos, xpos)| Some((*i, u8::try_from(number(*upos, *xpos)?).ok()?))).collect();
        let known = self.recent.get_or_parse(words, &given, || {
            let starts = std::iter::once(&0).chain(&lowered_ends);
            let lower = starts.zip(&lowered_ends).map(|(start, end)| lowered.get(*start..*end).unwrap_or(""));
            let seen: Vec<_> =
                words.iter().zip(lower).map(|(word, low)| WordFeatures::new(word, low, &self.model.lexicon)).collect();
            let tags = tagger::tag_words(&self.model, &seen, &given);
            let parse = transition_parser::parse(&self.model, &seen, &tags);
            TaggedParse { tags, parse }
        });
        let TaggedParse { tags, parse } = known.as_ref();
        let tokens = (0..words.len()).map(|i| {
            let tag = tags.get(i).and_then(|tag| self.model.tags.get(usize::from(*tag)));
            let (upos, xpos) = tag.copied().unwrap_or((Upos::X, Xpos::Fw));
            let label = parse.labels.get(i).and_then(|label| self.model.labels.get(usize::from(*label)));
            TreeToken {
                word: words[i],
                lowered_end: lowered_ends[i],
                upos,
                xpos,
                label: label.copied().unwrap_or(Label::Dep),
                agreed: parse.agreed.get(i).copied().unwrap_or(false),
                head: parse.heads.get(i).copied().unwrap_or(u16::MAX),
                margin: parse.margins.get(i).copied().unwrap_or(0.0),
                children_end: 0,
            }
        });
        DependencyTree::new(tokens.collect(), lowered)
    }
}

impl DependencyParser {
    /// Whether a lower-case word may be a verb, as it is or without its inflection.
    #[must_use]
    pub fn may_be_verb(&self, word: &str) -> bool {
        const VERB: u32 = 2;
        let parts = self.model.lexicon.parts_of_speech(word.as_bytes());
        (parts | parts >> 4) & VERB != 0
    }

    /// Whether the dictionary contains a lower-case word, as it is or without its inflection.
    #[must_use]
    pub fn is_word(&self, word: &str) -> bool {
        let parts = self.model.lexicon.parts_of_speech(word.as_bytes());
        (parts | parts >> 4) & 0xF != 0
    }
}

/// Appends `word` in lower case, without an allocation if it is ASCII, as most words are.
fn push_lower(lowered: &mut String, word: &str) {
    if word.is_ascii() {
        let start = lowered.len();
        lowered.push_str(word);
        if let Some(tail) = lowered.get_mut(start..) {
            tail.make_ascii_lowercase();
        }
    } else {
        lowered.push_str(&word.to_lowercase());
    }
}
