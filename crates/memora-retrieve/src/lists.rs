//! The word lists of `data/`, read once: what questions and their dates are read by.
//!
//! Words of a language as such (articles, modals, months, numerals) are those of [`memora_nlp::lexicon`]. Not here: what
//! an entry is used for.

use std::sync::LazyLock;

pub(crate) use memora_nlp::lexicon::StaticWordSet;
use memora_nlp::word_lists::word_set;
use memora_nlp::{list, word_sets};

word_sets! {
    /// Prepositions that make no period of a bare word.
    pub(crate) BARE_PREPOSITIONS: en de;
    /// Words that answer "how many" and are no numerals.
    pub(crate) COUNT_WORDS: en de;
    /// Prepositions in front of a date.
    pub(crate) DATE_PREPOSITIONS: en de;
    /// Verbs of questions that ask for a description: "who is Anna".
    pub(crate) DESCRIBING_VERBS: en de;
    /// German stop words in a German question only: elsewhere they are content, "die" and "war" among them.
    pub(crate) GERMAN_ONLY_STOP_WORDS: de;
    /// Words before the question word.
    pub(crate) LEAD_IN_WORDS: en de;
    /// Verbs of little meaning, which evidence may lack; folded.
    pub(crate) LIGHT_VERBS: en de;
    /// Words for keeping notes: beside a date they ask for any note of that date. Folded.
    pub(crate) NOTE_TAKING_WORDS: en de;
    /// Endings of German numerals.
    pub(crate) NUMERAL_ENDINGS: de;
    /// Words that ask for anything in a period, if there is no other term: "what kept me busy last week". Folded.
    pub(crate) OPEN_TOPIC_WORDS: en de;
    /// Pronouns for the owner of the notes, folded.
    pub(crate) OWNER_PRONOUNS: en de other;
    /// Words between a preposition and its period.
    pub(crate) PERIOD_LEADS: en de;
    /// Pronouns for people.
    pub(crate) PERSON_WORDS: en de;
    /// Function words and verbs of German questions, folded.
    pub(crate) QUESTION_FUNCTION_WORDS: de;
    /// German question words, folded.
    pub(crate) QUESTION_WORDS: de;
    /// Words between the ends of a range.
    pub(crate) RANGE_LINKS: en de;
    /// Prepositions in front of a range.
    pub(crate) RANGE_OPENINGS: en de;
    /// Prepositions that open or close a range.
    pub(crate) RANGE_PREPOSITIONS: en de;
    /// Clitics that are not a part of the word before them, without their apostrophe.
    pub(crate) SPLIT_CLITICS: en;
    /// Words that answer "when" and "how long".
    pub(crate) TIME_WORDS: en de;
    /// Words before "of 2022" that ask for the year itself.
    pub(crate) WHOLE_WORDS: en;
    /// Forms of *which*, in both languages.
    pub(crate) WHICH_FORMS: en de;
    /// Forms of *who*, in both languages.
    pub(crate) WHO_FORMS: en de;
    /// Words in front of a bare year.
    pub(crate) YEAR_LEADS: en de;
}

/// Words in which a character of [`CJK_FUNCTION_WORDS`] is not a function word, longest first.
pub(crate) static CJK_CONTENT_WORDS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| longest_first(&[list!(other, cjk_content_words)]));
/// Function words of Chinese and Japanese, longest first. Kana, which is mostly grammatical, counts only after or before
/// other characters.
pub(crate) static CJK_FUNCTION_WORDS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| longest_first(&[list!(other, cjk_function_words)]));
/// English function words, question words and politeness, folded.
pub(crate) static ENGLISH_STOP_WORDS: StaticWordSet = LazyLock::new(|| word_set(&[list!(en, stop_words)]));
/// German stop words that mean nothing in English; folded.
pub(crate) static GERMAN_STOP_WORDS: StaticWordSet = LazyLock::new(|| word_set(&[list!(de, stop_words)]));

fn longest_first(lists: &[&'static str]) -> Vec<&'static str> {
    let mut words: Vec<&str> = word_set(lists).into_iter().collect();
    words.sort_by_key(|word| (std::cmp::Reverse(word.len()), *word));
    words
}
