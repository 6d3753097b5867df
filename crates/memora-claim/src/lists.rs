//! The word lists of `data/`, read once: what the rules for claims and their times go by.
//!
//! Words of a language as such (articles, modals, months, numerals) are those of [`memora_nlp::lexicon`]. Not here: what
//! an entry is used for.

use std::sync::LazyLock;

pub(crate) use memora_nlp::lexicon::{ARTICLES, SUBJECT_PRONOUNS, StaticWordSet};
use memora_nlp::word_lists::{extended_set, word_set};

macro_rules! texts {
    ($($path:literal),+) => { &[$(include_str!(concat!("../data/", $path, ".txt"))),+] };
}

/// Words that may follow a time ahead: `in three days we …`.
pub(crate) static AHEAD_FOLLOWERS: StaticWordSet =
    LazyLock::new(|| extended_set(&[&SUBJECT_PRONOUNS], texts!("en/ahead_followers")));
/// Words by which a clause goes on behind a day.
pub(crate) static CLAUSE_STARTS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/clause_starts")));
/// Words that may stand beside a date: `at`, `pm`.
pub(crate) static CLOCK_FILLERS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/clock_fillers")));
/// Words between a preposition and its date.
pub(crate) static DATE_FILLERS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/date_fillers")));
/// Prepositions of a day of the month.
pub(crate) static DAY_PREPOSITIONS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/day_prepositions")));
/// Prepositions by which the end of a period is one of the note's own period.
pub(crate) static DEADLINE_PREPOSITIONS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/deadline_prepositions")));
/// Further determiners, which begin a description rather than a name.
pub(crate) static DESCRIBING_DETERMINERS: StaticWordSet = LazyLock::new(|| {
    word_set(texts!("en/describing_determiners", "de/describing_determiners", "other/describing_determiners"))
});
/// Words by which `in three days` is a duration.
pub(crate) static DURATION_CUES: StaticWordSet = LazyLock::new(|| word_set(texts!("en/duration_cues")));
/// Words before an estimated duration.
pub(crate) static ESTIMATE_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/estimate_words")));
/// Verbs after which a name with a year is a place or a person, not a publication.
pub(crate) static EVENT_VERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/event_verbs")));
/// Pronouns of the first person, which refer to the vault's owner.
pub(crate) static FIRST_PERSON_PRONOUNS: StaticWordSet = LazyLock::new(|| {
    word_set(texts!("en/first_person_pronouns", "de/first_person_pronouns", "other/first_person_pronouns"))
});
/// Determiners of other languages, in lower case only: with a capital they are usually part of a name.
pub(crate) static FOREIGN_DETERMINERS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("de/foreign_determiners", "other/foreign_determiners")));
/// Words about the future.
pub(crate) static FUTURE_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/future_words")));
/// Forms of *have*, as tokens without an apostrophe.
pub(crate) static HAVE_TOKENS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/have_tokens")));
/// Words before a date in a heading.
pub(crate) static HEADING_LEAD_WORDS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/heading_lead_words", "de/heading_lead_words", "other/heading_lead_words")));
/// Texts of links that do not name the target.
pub(crate) static LINK_WORDS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/link_words", "de/link_words", "other/link_words")));
/// Words before a number that is no year, but a measure.
pub(crate) static MEASURE_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/measure_words")));
/// Determiners that are not part of a name, in upper or lower case.
pub(crate) static NAME_DETERMINERS: StaticWordSet =
    LazyLock::new(|| extended_set(&[&ARTICLES], texts!("en/name_determiners")));
/// Prepositions that do not make the name of a month a time.
pub(crate) static NON_MONTH_PREPOSITIONS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/non_month_prepositions")));
/// Words in *-s* that are no plurals.
pub(crate) static NON_PLURALS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/non_plurals")));
/// Labels that are not speaker names.
pub(crate) static NON_SPEAKER_LABELS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/non_speaker_labels")));
/// Prepositions that do not make a number a year.
pub(crate) static NON_YEAR_PREPOSITIONS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/non_year_prepositions")));
/// Words for things that are numbered, without the plural *s*.
pub(crate) static NUMBERED_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/numbered_words")));
/// Words before a number that make it a label: the third step is not three steps.
pub(crate) static NUMBER_LABELS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/number_labels")));
/// Words behind a number that is no year.
pub(crate) static NUMBER_UNITS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/number_units")));
/// Participles that differ from the past form.
pub(crate) static PARTICIPLES: StaticWordSet = LazyLock::new(|| word_set(texts!("en/participles")));
/// Irregular past forms, and auxiliaries of the past.
pub(crate) static PAST_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/past_words")));
/// Adverbs between `have` and its participle.
pub(crate) static PERFECT_ADVERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/perfect_adverbs")));
/// Verbs of postponing, which may precede `until`: a postponed event does not end on that day.
pub(crate) static POSTPONING_VERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/postponing_verbs")));
/// Present forms of *be*, as tokens without an apostrophe.
pub(crate) static PRESENT_BE_TOKENS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/present_be_tokens")));
/// Pronouns, which name nothing.
pub(crate) static PRONOUNS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/pronouns", "de/pronouns", "other/pronouns")));
/// Words before a number that do not change its meaning.
pub(crate) static QUANTITY_FILLERS: StaticWordSet =
    LazyLock::new(|| extended_set(&[&ARTICLES], texts!("en/quantity_fillers")));
/// Prepositions by which a bare half or quarter is a period.
pub(crate) static QUARTER_PREPOSITIONS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/quarter_prepositions")));
/// Words between the ends of a range.
pub(crate) static RANGE_LINKS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/range_links")));
/// Verbs of rescheduling.
pub(crate) static RESCHEDULING_VERBS: StaticWordSet =
    LazyLock::new(|| extended_set(&[&POSTPONING_VERBS], texts!("en/rescheduling_verbs")));
/// Words that reverse a statement to which they are added.
pub(crate) static REVERSING_WORDS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/reversing_words", "de/reversing_words")));
/// Words before a value that say which one or how many, not what it is.
pub(crate) static VALUE_DETERMINERS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/value_determiners")));
/// Words that do not tell values apart.
pub(crate) static VALUE_FILLERS: StaticWordSet =
    LazyLock::new(|| extended_set(&[&ARTICLES], texts!("en/value_fillers")));
/// Determiners before a weekday.
pub(crate) static WEEKDAY_DETERMINERS: StaticWordSet =
    LazyLock::new(|| extended_set(&[&ARTICLES], texts!("en/weekday_determiners")));
/// Prepositions of a weekday.
pub(crate) static WEEKDAY_PREPOSITIONS: StaticWordSet =
    LazyLock::new(|| extended_set(&[&DAY_PREPOSITIONS], texts!("en/weekday_prepositions")));
/// Prepositions of a weekend.
pub(crate) static WEEKEND_PREPOSITIONS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/weekend_prepositions")));
/// Words between a numbered week and its year.
pub(crate) static WEEK_LINKS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/week_links", "de/week_links")));
/// Words for numbered weeks.
pub(crate) static WEEK_WORDS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/week_words", "de/week_words", "other/week_words")));
/// Words that may accompany a year: `2021 in review`.
pub(crate) static YEAR_NOTE_WORDS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/year_note_words", "de/year_note_words")));
