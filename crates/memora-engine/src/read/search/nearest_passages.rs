//! The passages that are nearest to a question by what they mean: an exact scan over those of a door.

use std::collections::BTreeSet;
use std::ops::Range;

use memora_embed::{Transformer, cosine_to_code};
use memora_nlp::language_detection::is_english;
use memora_store::PassageVectors;
use memora_vault::{Fingerprint, NotePath};

/// A passage that was found.
pub(crate) struct FoundPassage<'i> {
    pub(crate) note: &'i NotePath,
    /// The hash of the file that it is of.
    pub(crate) hash: Fingerprint,
    pub(crate) range: Range<usize>,
    pub(crate) cosine: f32,
}

/// The passages nearest to a question, the nearest first, of the notes in `among` if given; none for a question in another language than
/// English, which the transformer was trained on: there words find more.
pub(crate) fn rank_passages<'i>(
    vectors: &'i PassageVectors,
    question: &str,
    among: Option<&BTreeSet<NotePath>>,
) -> Vec<FoundPassage<'i>> {
    let network = Transformer::embedded();
    if !Transformer::can_read(question) || !is_english(question) {
        return Vec::new();
    }
    let asked = network.encode_query(question);
    let codes = vectors.codes.chunks_exact(network.dimensions());
    let mut found: Vec<FoundPassage<'i>> = vectors
        .places
        .iter()
        .zip(codes)
        .filter_map(|((note, range), code)| {
            let (note, hash) = vectors.notes.get(*note)?;
            among.is_none_or(|among| among.contains(note)).then(|| FoundPassage {
                note,
                hash: *hash,
                range: range.clone(),
                cosine: cosine_to_code(&asked.mean, code),
            })
        })
        .collect();
    found.sort_by(|a, b| {
        b.cosine.total_cmp(&a.cosine).then_with(|| (a.note, a.range.start).cmp(&(b.note, b.range.start)))
    });
    found
}
