//! `openie`: open information extraction tuples of each sentence, for an external scorer.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Context;
use memora_extract::openie::extract_from_tokens;

/// Returns one tab-separated line per tuple: the sentence as given, confidence, predicate, arguments.
///
/// The input has one sentence per line, with tokens separated by spaces.
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
