//! The word lists of `data/`, read once: what reviews, answers and the life of claims go by.

use std::collections::HashSet;
use std::sync::LazyLock;

use memora_nlp::stem::stem;
use memora_nlp::word_lists::word_set;
use memora_nlp::{list, word_sets};

word_sets! {
    /// Days that come every year, by their names.
    pub(crate) ANNUAL_DAYS: en de;
    /// Verbs that announce how the text continues, and not a plan.
    pub(crate) DISCOURSE_VERBS: en;
    /// Words of a short-lived plan, or of an uncertain one.
    pub(crate) TRANSIENT_WORDS: en;
    /// First words of a sentence that depends on the one before it.
    pub(crate) CONTEXT_WORDS: en de;
    /// Nouns for tasks, in questions.
    pub(crate) TASK_NOUNS: en de;
    /// First-person pronouns, which mean the owner.
    pub(crate) FIRST_PERSON_WORDS: en de;
    /// First-person pronouns of one speaker.
    pub(crate) SINGULAR_FIRST_PERSON: en de;
    /// Words that mark a hypothetical or future event.
    pub(crate) HYPOTHETICAL_WORDS: en de;
    /// Irregular past tenses, as diaries have them.
    pub(crate) PAST_FORMS: en de;
    /// Words that end in *ed* and are no past tense.
    pub(crate) NOT_PAST: en;
    /// Determiners of unnamed things; "my" and "our" are not among them, since they identify one thing of the writer's.
    pub(crate) INDEFINITE_WORDS: en de other;
    /// Subjects that are no one in particular.
    pub(crate) GENERIC_PERSONS: en;
    /// Verbs of leaving that end a state.
    pub(crate) LEAVING_VERBS: en;
    /// Predicates that, in the past, leave what they name: "moved off", "quit".
    pub(crate) LEAVING_PHRASES: en;
    /// Predicates of states that end when their object is left.
    pub(crate) LEAVABLE_VERBS: en;
    /// Predicates of a change to another time, place or value.
    pub(crate) MOVING_PHRASES: en;
    /// Verbs that end what the verb behind them says.
    pub(crate) STOPPING_VERBS: en;
    /// Verbs of what somebody wants.
    pub(crate) WISHING_VERBS: en;
    /// Phrases by which a denial says that something was so before.
    pub(crate) ENDING_PHRASES: en;
    /// Phrases by which a statement says that something is so from now on.
    pub(crate) CHANGE_PHRASES: en;
    /// Nouns for a state of having or belonging, which ends when it is given up.
    pub(crate) STATE_NOUNS: en;
    /// Nouns of which somebody may have several: "my sister is …".
    pub(crate) SEVERAL_NOUNS: en;
    /// Adjectives that leave one thing of a kind.
    pub(crate) SINGLE_ADJECTIVES: en;
    /// Words that begin a condition, a place or a part.
    pub(crate) LIMITING_WORDS: en;
    /// Words and phrases that deny, end or limit what a sentence says, though no negation is in it: "hardly", "used to".
    pub(crate) LIMITING_PHRASES: en de other;
    /// Words that join two things, each of which is said.
    pub(crate) JOINING_WORDS: en de;
    /// Days that come again: "on Mondays" limits, where "on Monday" tells when.
    pub(crate) RECURRING_DAYS: en;
    /// Words that begin a reason or a time, and limit nothing.
    pub(crate) REASON_WORDS: en;
}

/// Stems of words that begin a phrase which means the same at the beginning of a sentence and at its end: "in Docker".
pub(crate) static FRONTING_STEMS: LazyLock<HashSet<String>> =
    LazyLock::new(|| word_set(&[list!(en, fronting_words)]).into_iter().map(stem).collect());
