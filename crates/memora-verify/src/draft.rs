//! Splits a draft into the sentences to be judged.
//!
//! Invariant: **every block that holds text is judged**: headings, table rows, footnotes, code, HTML, alt
//! text and link titles too. A citation belongs to the sentence that contains or precedes it: between a full stop and
//! the next sentence it still belongs to the sentence before. A table row is one sentence, and so is its header.
//! Code holds no citations, so code is always uncited.

mod blocks;
mod boundaries;
mod exact;
mod judged;
mod sentences;

use self::blocks::parse_blocks;
use self::exact::{ExactQuotation, find_exact_quotations};
use self::sentences::split_block;
use crate::comparison::normalize_spacing;

pub(crate) use self::blocks::markdown_options;
pub(crate) use self::exact::{CitedWords, LookUp};
pub use self::judged::{BlockKind, DraftCitation, DraftSentence};

/// Splits a draft into sentences, in order of their blocks.
#[must_use]
pub fn split_sentences(draft: &str) -> Vec<DraftSentence> {
    split_around_quotations(draft, &mut |_| None)
}

/// Splits a draft into sentences, in order of their blocks. A statement that it has word for word, cited where it ends, is one
/// sentence; `look_up` tells the words that a marker cites.
pub(crate) fn split_around_quotations(draft: &str, look_up: &mut LookUp<'_>) -> Vec<DraftSentence> {
    let blocks = parse_blocks(draft);
    let exact = find_exact_quotations(draft, &blocks, look_up);
    let quoted: Vec<_> = exact.iter().map(|exact| exact.range.clone()).collect();
    let mut left: &[ExactQuotation] = &exact;
    let mut sentences = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        let first = sentences.len();
        sentences.extend(split_block(draft, block, index, &quoted));
        // A statement of several blocks belongs to the first of them.
        let extent = block.flow.source_range(&(0..block.flow.text().len()));
        let here = left.partition_point(|quoted| quoted.range.start < extent.end);
        let (own, rest) = left.split_at(if block.kind == BlockKind::Definition { 0 } else { here });
        sentences.extend(own.iter().map(|quoted| quoted.to_sentence(draft, Some(block), index)));
        left = rest;
        if let Some(found) = sentences.get_mut(first..).filter(|_| !own.is_empty()) {
            found.sort_by_key(|sentence| sentence.range.start);
        }
    }
    sentences.extend(left.iter().map(|quoted| quoted.to_sentence(draft, None, blocks.len())));
    sentences
}

/// Returns the readable text of markdown: without markup, blocks joined by a space.
#[must_use]
pub fn plain_text(markdown: &str) -> String {
    let texts: Vec<String> = parse_blocks(markdown).iter().map(|block| normalize_spacing(block.flow.text())).collect();
    texts.join(" ")
}

#[cfg(test)]
mod tests;
