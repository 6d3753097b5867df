//! What asserts nothing: headings that only name a part of a text, questions, and sentences that say that nothing was
//! found.

use crate::comparison::normalized_words;

pub(crate) fn is_question(text: &str) -> bool {
    text.trim_end_matches(['*', '"', '”', ')']).ends_with(['?', '？'])
}

/// Whether a heading consists only of words for parts of a text: "Summary", "1. Open questions". Any other heading may
/// assert something: "Drift is late".
pub(crate) fn is_generic_heading(heading: &str) -> bool {
    let behind = heading.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')'));
    let is_numbered = heading.strip_suffix(behind).is_some_and(|number| number.ends_with(['.', ')']));
    let words = normalized_words(if is_numbered { behind } else { heading });
    !words.is_empty() && words.iter().all(|word| GENERIC_HEADING_WORDS.contains(&word.as_str()))
}

/// Words for parts of a text.
const GENERIC_HEADING_WORDS: &[&str] = &[
    "abstract",
    "agenda",
    "and",
    "answer",
    "answers",
    "appendix",
    "background",
    "bibliography",
    "citations",
    "conclusion",
    "conclusions",
    "contents",
    "context",
    "daily",
    "details",
    "discussion",
    "draft",
    "evidence",
    "faq",
    "findings",
    "footnotes",
    "further",
    "introduction",
    "key",
    "links",
    "minutes",
    "monthly",
    "next",
    "notes",
    "of",
    "open",
    "outline",
    "overview",
    "points",
    "question",
    "questions",
    "reading",
    "references",
    "report",
    "results",
    "review",
    "sources",
    "steps",
    "summary",
    "table",
    "the",
    "tl;dr",
    "weekly",
    "yearly",
];

pub(crate) fn states_nothing_found(text: &str) -> bool {
    let words = normalized_words(text);
    let said = words.join(" ");
    let said =
        APOLOGY_PREFIXES.iter().rev().find_map(|lead| said.strip_prefix(lead)?.strip_prefix(' ')).unwrap_or(&said);
    let begins = |begin: &str| said.strip_prefix(begin).filter(|rest| rest.is_empty() || rest.starts_with(' '));
    NOTHING_FOUND.contains(&said)
        || NOTHING_FOUND_OPENINGS
            .iter()
            .filter_map(|begin| begins(begin))
            .any(|rest| rest.split_whitespace().all(|w| NOTHING_FOUND_FILLERS.contains(&w)))
}

/// Complete sentences that state that nothing was found, compared word by word: anything more would be an assertion.
const NOTHING_FOUND: &[&str] = &[
    "i found nothing",
    "i found nothing about this",
    "i found nothing about that",
    "i found nothing about it",
    "i found nothing in your notes",
    "i found nothing about this in your notes",
    "i found nothing in the notes",
    "i found no evidence",
    "i found no evidence in your notes",
    "i found no evidence for this",
    "no evidence",
    "no evidence found",
    "nothing found",
    "nothing was found",
    "not in your notes",
    "not in the notes",
    "your notes do not say",
    "your notes don't say",
    "your notes say nothing about this",
    "the notes do not say",
    "the notes don't say",
    "the notes say nothing about this",
    "this is not in your notes",
    "i don't know",
    "i do not know",
    "i could not find anything",
    "i couldn't find anything",
    "i could not find this in your notes",
    "here is what i found",
    "here is what your notes say",
    "your notes say",
    "ich habe nichts gefunden",
    "nichts gefunden",
    "見つかりませんでした",
];

/// Beginnings of English sentences that state that nothing was found; what may precede them; and the only words that
/// may follow. None of those asserts anything about the world, with or without the beginning.
const NOTHING_FOUND_OPENINGS: &[&str] = &[
    "i cannot find",
    "i can't find",
    "i could not find",
    "i couldn't find",
    "i did not find",
    "i didn't find",
    "i was unable to find",
    "i am unable to find",
    "i found no",
    "i found nothing",
    "i have found nothing",
    "we could not find",
    "we found nothing",
    "there is no",
    "there is nothing",
    "there was no",
    "there was nothing",
    "your notes do not say",
    "your notes don't say",
    "your notes do not mention",
    "your notes don't mention",
    "your notes do not contain",
    "your notes don't contain",
    "your notes do not answer",
    "your notes don't answer",
    "your notes say nothing",
    "your notes contain no",
    "your notes contain nothing",
    "the notes do not say",
    "the notes don't say",
    "the notes do not mention",
    "the notes don't mention",
    "the notes do not contain",
    "the notes don't contain",
    "the notes do not answer",
    "the notes don't answer",
    "the notes say nothing",
    "the notes contain no",
    "the notes contain nothing",
    "the notes provided do not contain",
    "the notes provided do not say",
    "the notes provided do not answer",
    "no answer was found",
    "no evidence was found",
    "no information was found",
    "nothing was found",
];

const APOLOGY_PREFIXES: &[&str] =
    &["unfortunately", "sorry", "i'm sorry", "i am sorry", "i'm sorry but", "i am sorry but", "sorry but"];

const NOTHING_FOUND_FILLERS: &[&str] = &[
    "a",
    "about",
    "an",
    "answer",
    "any",
    "anything",
    "evidence",
    "for",
    "in",
    "information",
    "it",
    "mention",
    "my",
    "notes",
    "of",
    "on",
    "provided",
    "question",
    "relevant",
    "that",
    "the",
    "this",
    "to",
    "topic",
    "your",
];
