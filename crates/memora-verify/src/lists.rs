//! The word lists of `data/`, read once: what verification goes by beside the rules of entailment.

use std::sync::LazyLock;

use memora_nlp::lexicon::StaticWordSet;
use memora_nlp::word_lists::word_set;

macro_rules! texts {
    ($($path:literal),+) => { &[$(include_str!(concat!("../data/", $path, ".txt"))),+] };
}

/// Words that point to a place and say nothing about the world.
pub(crate) static POINTER_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/pointer_words")));
/// Words that introduce a quotation, and add nothing to it.
pub(crate) static REPORTING_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/reporting_words")));
/// Words of a title that would reverse the meaning of a quotation.
pub(crate) static NEGATING_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/negating_words")));
/// Words that name a column and say nothing about its content.
pub(crate) static COLUMN_WORDS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/column_words", "de/column_words")));
/// Words that negate their neighbours.
pub(crate) static NEGATION_WORDS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/negation_words", "de/negation_words")));
/// Words that begin a question.
pub(crate) static QUESTION_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/question_words")));
/// Words for parts of a text.
pub(crate) static GENERIC_HEADING_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/generic_heading_words")));
/// Complete sentences that state that nothing was found, compared word by word: anything more would be an assertion.
pub(crate) static NOTHING_FOUND: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/nothing_found", "de/nothing_found", "other/nothing_found")));
/// Beginnings of sentences that state that nothing was found.
pub(crate) static NOTHING_FOUND_OPENINGS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/nothing_found_openings")));
/// The only words that may follow such a beginning. None of them asserts anything, with or without it.
pub(crate) static NOTHING_FOUND_FILLERS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/nothing_found_fillers")));
/// Pronouns of the third person.
pub(crate) static PRONOUNS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/pronouns")));
/// What may precede a sentence that says that nothing was found.
pub(crate) static APOLOGY_PREFIXES: StaticWordSet = LazyLock::new(|| word_set(texts!("en/apology_prefixes")));
