//! Open information extraction: the tuples of each sentence, for a scorer.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Context;
use memora_extract::openie::extract_from_tokens;

/// A line for each tuple of each sentence: the sentence as given, confidence, predicate, arguments; tab separated.
///
/// The sentences are one a line, their tokens parted by spaces.
pub(crate) fn measure(sentences: &Path) -> anyhow::Result<String> {
    let text = fs::read_to_string(sentences).with_context(|| format!("reading {}", sentences.display()))?;
    let mut out = String::new();
    let mut count: u16 = 0;
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        for tuple in extract_from_tokens(&words) {
            // Distinct confidences, so that the curve has a point for each tuple.
            count = (count + 1) % 1000;
            let confidence = tuple.confidence + f32::from(count) * 1e-6;
            writeln!(out, "{line}\t{confidence:.6}\t{}\t{}", tuple.predicate, tuple.arguments.join("\t"))?;
        }
    }
    Ok(out)
}
