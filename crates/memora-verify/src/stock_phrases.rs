//! What asserts nothing: headings that only name a part of a text, questions, and sentences that say that nothing was
//! found.

use crate::comparison::normalized_words;
use crate::lists::{
    APOLOGY_PREFIXES, GENERIC_HEADING_WORDS, NOTHING_FOUND, NOTHING_FOUND_FILLERS, NOTHING_FOUND_OPENINGS,
};

pub(crate) fn is_question(text: &str) -> bool {
    text.trim_end_matches(['*', '"', '”', ')']).ends_with(['?', '？'])
}

/// Whether a heading consists only of words for parts of a text: "Summary", "1. Open questions". Any other heading may
/// assert something: "Drift is late".
pub(crate) fn is_generic_heading(heading: &str) -> bool {
    let behind = heading.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')'));
    let is_numbered = heading.strip_suffix(behind).is_some_and(|number| number.ends_with(['.', ')']));
    let words = normalized_words(if is_numbered { behind } else { heading });
    !words.is_empty() && words.iter().all(|word| GENERIC_HEADING_WORDS.contains(word.as_str()))
}

pub(crate) fn states_nothing_found(text: &str) -> bool {
    let words = normalized_words(text);
    let said = words.join(" ");
    let behind = |lead: &&'static str| said.strip_prefix(*lead)?.strip_prefix(' ');
    // The longest of them.
    let said = APOLOGY_PREFIXES.iter().filter_map(behind).min_by_key(|rest| rest.len()).unwrap_or(&said);
    let begins = |begin: &str| said.strip_prefix(begin).filter(|rest| rest.is_empty() || rest.starts_with(' '));
    NOTHING_FOUND.contains(said)
        || NOTHING_FOUND_OPENINGS
            .iter()
            .filter_map(|begin| begins(begin))
            .any(|rest| rest.split_whitespace().all(|w| NOTHING_FOUND_FILLERS.contains(w)))
}
