//! Sentences that are proven piece by piece: two clauses, each by a statement of its own; what the notes are said to say.
//!
//! Invariant: **a piece stands by itself.** It has a subject of its own and no pronoun that another piece may give another
//! meaning; each piece is judged as a sentence.

use crate::lists::{CLAUSE_ANAPHORS, NOTE_NOUNS, STATING_VERBS};
use crate::text::Text;
use memora_nlp::DependencyParser;
use memora_nlp::stem::is_past;

/// Separators between two clauses that are asserted independently.
const SEPARATORS: [&str; 4] = [", and ", ", while ", ", but ", "; "];
/// A sentence with more of them is judged whole only.
const SEPARATORS_MAX: usize = 3;
/// The fewest words of a clause.
const WORDS_MIN: usize = 3;

/// Returns the ways to read a sentence as two clauses that stand by themselves.
pub(crate) fn split_clauses(sentence: &str) -> Vec<[&str; 2]> {
    let places: Vec<(usize, &str)> = SEPARATORS.iter().flat_map(|mark| sentence.match_indices(mark)).collect();
    if places.len() > SEPARATORS_MAX {
        return Vec::new();
    }
    let cut = |(at, mark): (usize, &str)| {
        let (front, behind) = (sentence.get(..at)?, sentence.get(at + mark.len()..)?);
        (stands_alone(behind) && front.split_whitespace().count() >= WORDS_MIN).then_some([front, behind])
    };
    places.into_iter().filter_map(cut).collect()
}

/// Whether a clause has a subject of its own, and no pronoun.
fn stands_alone(clause: &str) -> bool {
    let words: Vec<String> = clause
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let is_verb = |word: &String| is_past(word) || DependencyParser::embedded().may_be_verb(word);
    words.len() >= WORDS_MIN
        && !words.first().is_some_and(is_verb)
        && !words.iter().any(|word| CLAUSE_ANAPHORS.contains(word.as_str()))
}

/// What a sentence says the notes say: `Your notes say that X`, `According to your notes, X`, `As noted, X`.
pub(crate) fn strip_reporting_clause(sentence: &Text) -> Option<Text> {
    let lower = |at: usize| sentence.tokens.get(at).map_or("", |t| t.lower.as_str());
    let names = |at: usize| {
        let noun = lower(at + 1);
        matches!(lower(at), "your" | "my") && NOTE_NOUNS.contains(noun)
            || lower(at) == "the" && matches!(noun, "note" | "notes")
    };
    let start = match () {
        () if lower(0) == "according" && lower(1) == "to" && names(2) => 4 + usize::from(lower(4) == ","),
        () if lower(0) == "in" && names(1) && lower(3) == "," => 4,
        () if lower(0) == "as" && lower(1) == "noted" && lower(2) == "," => 3,
        () if names(0) && STATING_VERBS.contains(lower(2)) && lower(3) == "that" => 4,
        () => return None,
    };
    let rest = sentence.source.get(sentence.tokens.get(start)?.range.start..)?;
    Some(Text::read(rest))
}
