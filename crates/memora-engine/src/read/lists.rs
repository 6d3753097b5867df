//! The word lists of `data/`, read once: what reviews, answers and the life of claims go by.

use std::collections::HashSet;
use std::sync::LazyLock;

use memora_nlp::lexicon::StaticWordSet;
use memora_nlp::stem::stem;
use memora_nlp::word_lists::word_set;

macro_rules! texts {
    ($($path:literal),+) => { &[$(include_str!(concat!("../../data/", $path, ".txt"))),+] };
}

/// Days that come every year, by their names.
pub(crate) static ANNUAL_DAYS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/annual_days", "de/annual_days")));
/// Verbs that announce how the text continues, and not a plan.
pub(crate) static DISCOURSE_VERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/discourse_verbs")));
/// Words of a short-lived plan, or of an uncertain one.
pub(crate) static TRANSIENT_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/transient_words")));
/// First words of a sentence that depends on the one before it.
pub(crate) static CONTEXT_WORDS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/context_words", "de/context_words")));
/// Nouns for tasks, in questions.
pub(crate) static TASK_NOUNS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/task_nouns", "de/task_nouns")));
/// First-person pronouns, which mean the owner.
pub(crate) static FIRST_PERSON_WORDS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/first_person_words", "de/first_person_words")));
/// First-person pronouns of one speaker.
pub(crate) static SINGULAR_FIRST_PERSON: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/singular_first_person", "de/singular_first_person")));
/// Words that mark a hypothetical or future event.
pub(crate) static HYPOTHETICAL_WORDS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/hypothetical_words", "de/hypothetical_words")));
/// Irregular past tenses, as diaries have them.
pub(crate) static PAST_FORMS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/past_forms", "de/past_forms")));
/// Words that end in *ed* and are no past tense.
pub(crate) static NOT_PAST: StaticWordSet = LazyLock::new(|| word_set(texts!("en/not_past")));
/// Determiners of unnamed things; "my" and "our" are not among them, since they identify one thing of the writer's.
pub(crate) static INDEFINITE_WORDS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/indefinite_words", "de/indefinite_words", "other/indefinite_words")));
/// Subjects that are no one in particular.
pub(crate) static GENERIC_PERSONS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/generic_persons")));
/// Verbs of leaving that end a state.
pub(crate) static LEAVING_VERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/leaving_verbs")));
/// Predicates that, in the past, leave what they name: "moved off", "quit".
pub(crate) static LEAVING_PHRASES: StaticWordSet = LazyLock::new(|| word_set(texts!("en/leaving_phrases")));
/// Predicates of states that end when their object is left.
pub(crate) static LEAVABLE_VERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/leavable_verbs")));
/// Predicates of a change to another time, place or value.
pub(crate) static MOVING_PHRASES: StaticWordSet = LazyLock::new(|| word_set(texts!("en/moving_phrases")));
/// Verbs that end what the verb behind them says.
pub(crate) static STOPPING_VERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/stopping_verbs")));
/// Verbs of what somebody wants.
pub(crate) static WISHING_VERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/wishing_verbs")));
/// Stems of words that begin a phrase which means the same at the beginning of a sentence and at its end: "in Docker".
pub(crate) static FRONTING_STEMS: LazyLock<HashSet<String>> =
    LazyLock::new(|| word_set(texts!("en/fronting_words")).into_iter().map(stem).collect());
/// Phrases by which a denial says that something was so before.
pub(crate) static ENDING_PHRASES: StaticWordSet = LazyLock::new(|| word_set(texts!("en/ending_phrases")));
/// Phrases by which a statement says that something is so from now on.
pub(crate) static CHANGE_PHRASES: StaticWordSet = LazyLock::new(|| word_set(texts!("en/change_phrases")));
/// Nouns for a state of having or belonging, which ends when it is given up.
pub(crate) static STATE_NOUNS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/state_nouns")));
/// Nouns of which somebody may have several: "my sister is …".
pub(crate) static SEVERAL_NOUNS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/several_nouns")));
/// Adjectives that leave one thing of a kind.
pub(crate) static SINGLE_ADJECTIVES: StaticWordSet = LazyLock::new(|| word_set(texts!("en/single_adjectives")));
/// Words that begin a condition, a place or a part.
pub(crate) static LIMITING_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/limiting_words")));
/// Words and phrases that deny, end or limit what a sentence says, though no negation is in it: "hardly", "used to".
pub(crate) static LIMITING_PHRASES: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/limiting_phrases", "de/limiting_phrases", "other/limiting_phrases")));
/// Words that join two things, each of which is said.
pub(crate) static JOINING_WORDS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/joining_words", "de/joining_words")));
/// Days that come again: "on Mondays" limits, where "on Monday" tells when.
pub(crate) static RECURRING_DAYS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/recurring_days")));
/// Words that begin a reason or a time, and limit nothing.
pub(crate) static REASON_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/reason_words")));
