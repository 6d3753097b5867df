//! The word lists of `data/`, read once: what verification goes by beside the rules of entailment.

use memora_nlp::word_sets;

word_sets! {
    /// Words that point to a place and say nothing about the world.
    pub(crate) POINTER_WORDS: en;
    /// Words that introduce a quotation, and add nothing to it.
    pub(crate) REPORTING_WORDS: en;
    /// Words of a title that would reverse the meaning of a quotation.
    pub(crate) NEGATING_WORDS: en;
    /// Words that name a column and say nothing about its content.
    pub(crate) COLUMN_WORDS: en de;
    /// Words that negate their neighbours.
    pub(crate) NEGATION_WORDS: en de;
    /// Words that begin a question.
    pub(crate) QUESTION_WORDS: en;
    /// Words for parts of a text.
    pub(crate) GENERIC_HEADING_WORDS: en;
    /// Complete sentences that state that nothing was found, compared word by word: anything more would be an assertion.
    pub(crate) NOTHING_FOUND: en de other;
    /// Beginnings of sentences that state that nothing was found.
    pub(crate) NOTHING_FOUND_OPENINGS: en;
    /// The only words that may follow such a beginning. None of them asserts anything, with or without it.
    pub(crate) NOTHING_FOUND_FILLERS: en;
    /// Pronouns of the third person.
    pub(crate) PRONOUNS: en;
    /// What may precede a sentence that says that nothing was found.
    pub(crate) APOLOGY_PREFIXES: en;
}
