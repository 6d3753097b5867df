//! Which words of a question were found, where nothing answers it.

use std::collections::HashSet;

use memora_retrieve::{LexicalHit, Query};
use memora_store::StoredStatement;
use memora_vault::NotePath;

use super::candidates::Candidate;
use crate::report::SearchedWords;
use crate::state::sources::clearest_source;

/// Splits the words of a question into those that its visible hits contain and the others.
pub(super) fn match_query_words<'h>(query: &Query, hits: impl Iterator<Item = &'h LexicalHit>) -> SearchedWords {
    partition_query_words(query, &hits.flat_map(|hit| &hit.matched).map(|found| found.term.clone()).collect())
}

/// Returns the note of a candidate's clearest place, and the words of the question that it contains.
pub(super) fn matched_terms((candidate, statement): &(Candidate, StoredStatement)) -> Option<(NotePath, Vec<String>)> {
    let note = clearest_source(statement)?.row.note.clone();
    Some((note, candidate.hit.matched.iter().map(|found| found.term.clone()).collect()))
}

/// Splits the words of a question into those that were found and the others.
pub(super) fn partition_query_words(query: &Query, found: &HashSet<String>) -> SearchedWords {
    let words = query.terms().filter(|word| word.chars().nth(1).is_some()).map(str::to_owned);
    let (known, unknown) = words.partition(|word| found.contains(word));
    SearchedWords { known, unknown }
}
