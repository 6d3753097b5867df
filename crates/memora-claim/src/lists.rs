//! The word lists of `data/`, read once: what the rules for claims and their times go by.
//!
//! Words of a language as such (articles, modals, months, numerals) are those of [`memora_nlp::lexicon`]. Not here: what
//! an entry is used for.

pub(crate) use memora_nlp::lexicon::{ARTICLES, SUBJECT_PRONOUNS};
use memora_nlp::word_sets;

word_sets! {
    /// Words that may follow a time ahead: `in three days we …`.
    pub(crate) AHEAD_FOLLOWERS: en + SUBJECT_PRONOUNS;
    /// Words by which a clause goes on behind a day.
    pub(crate) CLAUSE_STARTS: en;
    /// Words that may stand beside a date: `at`, `pm`.
    pub(crate) CLOCK_FILLERS: en;
    /// Words between a preposition and its date.
    pub(crate) DATE_FILLERS: en;
    /// Prepositions of a day of the month.
    pub(crate) DAY_PREPOSITIONS: en;
    /// Prepositions by which the end of a period is one of the note's own period.
    pub(crate) DEADLINE_PREPOSITIONS: en;
    /// Further determiners, which begin a description rather than a name.
    pub(crate) DESCRIBING_DETERMINERS: en de other;
    /// Words by which `in three days` is a duration.
    pub(crate) DURATION_CUES: en;
    /// Words before an estimated duration.
    pub(crate) ESTIMATE_WORDS: en;
    /// Verbs after which a name with a year is a place or a person, not a publication.
    pub(crate) EVENT_VERBS: en;
    /// Pronouns of the first person, which refer to the vault's owner.
    pub(crate) FIRST_PERSON_PRONOUNS: en de other;
    /// Determiners of other languages, in lower case only: with a capital they are usually part of a name.
    pub(crate) FOREIGN_DETERMINERS: de other;
    /// Words about the future.
    pub(crate) FUTURE_WORDS: en;
    /// Forms of *have*, as tokens without an apostrophe.
    pub(crate) HAVE_TOKENS: en;
    /// Words before a date in a heading.
    pub(crate) HEADING_LEAD_WORDS: en de other;
    /// Texts of links that do not name the target.
    pub(crate) LINK_WORDS: en de other;
    /// Words before a number that is no year, but a measure.
    pub(crate) MEASURE_WORDS: en;
    /// Determiners that are not part of a name, in upper or lower case.
    pub(crate) NAME_DETERMINERS: en + ARTICLES;
    /// Prepositions that do not make the name of a month a time.
    pub(crate) NON_MONTH_PREPOSITIONS: en;
    /// Words in *-s* that are no plurals.
    pub(crate) NON_PLURALS: en;
    /// Labels that are not speaker names.
    pub(crate) NON_SPEAKER_LABELS: en;
    /// Prepositions that do not make a number a year.
    pub(crate) NON_YEAR_PREPOSITIONS: en;
    /// Words for things that are numbered, without the plural *s*.
    pub(crate) NUMBERED_WORDS: en;
    /// Words before a number that make it a label: the third step is not three steps.
    pub(crate) NUMBER_LABELS: en;
    /// Words behind a number that is no year.
    pub(crate) NUMBER_UNITS: en;
    /// Participles that differ from the past form.
    pub(crate) PARTICIPLES: en;
    /// Irregular past forms, and auxiliaries of the past.
    pub(crate) PAST_WORDS: en;
    /// Adverbs between `have` and its participle.
    pub(crate) PERFECT_ADVERBS: en;
    /// Verbs of postponing, which may precede `until`: a postponed event does not end on that day.
    pub(crate) POSTPONING_VERBS: en;
    /// Present forms of *be*, as tokens without an apostrophe.
    pub(crate) PRESENT_BE_TOKENS: en;
    /// Pronouns, which name nothing.
    pub(crate) PRONOUNS: en de other;
    /// Words before a number that do not change its meaning.
    pub(crate) QUANTITY_FILLERS: en + ARTICLES;
    /// Prepositions by which a bare half or quarter is a period.
    pub(crate) QUARTER_PREPOSITIONS: en;
    /// Words between the ends of a range.
    pub(crate) RANGE_LINKS: en;
    /// Verbs of rescheduling.
    pub(crate) RESCHEDULING_VERBS: en + POSTPONING_VERBS;
    /// Words that reverse a statement to which they are added.
    pub(crate) REVERSING_WORDS: en de;
    /// Words before a value that say which one or how many, not what it is.
    pub(crate) VALUE_DETERMINERS: en;
    /// Words that do not tell values apart.
    pub(crate) VALUE_FILLERS: en + ARTICLES;
    /// Determiners before a weekday.
    pub(crate) WEEKDAY_DETERMINERS: en + ARTICLES;
    /// Prepositions of a weekday.
    pub(crate) WEEKDAY_PREPOSITIONS: en + DAY_PREPOSITIONS;
    /// Prepositions of a weekend.
    pub(crate) WEEKEND_PREPOSITIONS: en;
    /// Words between a numbered week and its year.
    pub(crate) WEEK_LINKS: en de;
    /// Words for numbered weeks.
    pub(crate) WEEK_WORDS: en de other;
    /// Words that may accompany a year: `2021 in review`.
    pub(crate) YEAR_NOTE_WORDS: en de;
}
