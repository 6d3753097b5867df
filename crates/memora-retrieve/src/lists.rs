//! The word lists of `data/`, read once: what questions and their dates are read by.
//!
//! Words of a language as such (articles, modals, months, numerals) are those of [`memora_nlp::lexicon`]. Not here: what
//! an entry is used for.

use std::sync::LazyLock;

pub(crate) use memora_nlp::lexicon::{ORDINAL_SUFFIXES, StaticWordSet};
use memora_nlp::word_lists::word_set;

macro_rules! texts {
    ($($path:literal),+) => { &[$(include_str!(concat!("../data/", $path, ".txt"))),+] };
}

/// Prepositions that make no period of a bare word.
pub(crate) static BARE_PREPOSITIONS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/bare_prepositions", "de/bare_prepositions")));
/// Words in which a character of [`CJK_FUNCTION_WORDS`] is not a function word, longest first.
pub(crate) static CJK_CONTENT_WORDS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| longest_first(texts!("other/cjk_content_words")));
/// Function words of Chinese and Japanese, longest first. Kana, which is mostly grammatical, counts only after or before
/// other characters.
pub(crate) static CJK_FUNCTION_WORDS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| longest_first(texts!("other/cjk_function_words")));
/// Words that answer "how many" and are no numerals.
pub(crate) static COUNT_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/count_words", "de/count_words")));
/// Prepositions in front of a date.
pub(crate) static DATE_PREPOSITIONS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/date_prepositions", "de/date_prepositions")));
/// Verbs of questions that ask for a description: "who is Anna".
pub(crate) static DESCRIBING_VERBS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/describing_verbs", "de/describing_verbs")));
/// English function words, question words and politeness, folded.
pub(crate) static ENGLISH_STOP_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/stop_words")));
/// German stop words in a German question only: elsewhere they are content, "die" and "war" among them.
pub(crate) static GERMAN_ONLY_STOP_WORDS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("de/german_only_stop_words")));
/// German stop words that mean nothing in English; folded.
pub(crate) static GERMAN_STOP_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("de/stop_words")));
/// Words before the question word.
pub(crate) static LEAD_IN_WORDS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/lead_in_words", "de/lead_in_words")));
/// Verbs of little meaning, which evidence may lack; folded.
pub(crate) static LIGHT_VERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/light_verbs", "de/light_verbs")));
/// Words for keeping notes: beside a date they ask for any note of that date. Folded.
pub(crate) static NOTE_TAKING_WORDS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/note_taking_words", "de/note_taking_words")));
/// Endings of German numerals.
pub(crate) static NUMERAL_ENDINGS: StaticWordSet = LazyLock::new(|| word_set(texts!("de/numeral_endings")));
/// Words that ask for anything in a period, if there is no other term: "what kept me busy last week". Folded.
pub(crate) static OPEN_TOPIC_WORDS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/open_topic_words", "de/open_topic_words")));
/// Pronouns for the owner of the notes, folded.
pub(crate) static OWNER_PRONOUNS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/owner_pronouns", "de/owner_pronouns", "other/owner_pronouns")));
/// Words between a preposition and its period.
pub(crate) static PERIOD_LEADS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/period_leads", "de/period_leads")));
/// Pronouns for people.
pub(crate) static PERSON_WORDS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/person_words", "de/person_words")));
/// Words for the previous period.
pub(crate) static PREVIOUS_WORDS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/previous_words", "de/previous_words")));
/// Function words and verbs of German questions, folded.
pub(crate) static QUESTION_FUNCTION_WORDS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("de/question_function_words")));
/// German question words, folded.
pub(crate) static QUESTION_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("de/question_words")));
/// Words between the ends of a range.
pub(crate) static RANGE_LINKS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/range_links", "de/range_links")));
/// Prepositions in front of a range.
pub(crate) static RANGE_OPENINGS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/range_openings", "de/range_openings")));
/// Prepositions that open or close a range.
pub(crate) static RANGE_PREPOSITIONS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/range_prepositions", "de/range_prepositions")));
/// Clitics that are not a part of the word before them, without their apostrophe.
pub(crate) static SPLIT_CLITICS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/split_clitics")));
/// Words that answer "when" and "how long".
pub(crate) static TIME_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/time_words", "de/time_words")));
/// Words between a week and the day that it begins with.
pub(crate) static WEEK_LINKS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/week_links", "de/week_links")));
/// Words before "of 2022" that ask for the year itself.
pub(crate) static WHOLE_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/whole_words")));
/// Forms of *which*, in both languages.
pub(crate) static WHICH_FORMS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/which_forms", "de/which_forms")));
/// Forms of *who*, in both languages.
pub(crate) static WHO_FORMS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/who_forms", "de/who_forms")));
/// Words in front of a bare year.
pub(crate) static YEAR_LEADS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/year_leads", "de/year_leads")));

fn longest_first(lists: &[&'static str]) -> Vec<&'static str> {
    let mut words: Vec<&str> = word_set(lists).into_iter().collect();
    words.sort_by_key(|word| (std::cmp::Reverse(word.len()), *word));
    words
}
