//! The word lists of `data/`, read once: what the gates of memory go by.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use memora_nlp::lexicon::StaticWordSet;
use memora_nlp::stem::stem;
use memora_nlp::word_lists::{read_assignments, word_set};
use strum::EnumString;

use crate::Domain;

macro_rules! texts {
    ($($path:literal),+) => { &[$(include_str!(concat!("../data/", $path, ".txt"))),+] };
}

/// Words that answer or greet and say nothing else.
pub(crate) static FILLERS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/fillers")));
/// Words that may stand in front of the verb of an order.
pub(crate) static ORDER_LEADS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/order_leads")));
/// Verbs of orders to act.
pub(crate) static ORDER_VERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/order_verbs")));
/// Commands, tools and credentials that an order to act names.
pub(crate) static ORDER_MEANS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/order_means")));
/// Verbs of how a text is written.
pub(crate) static RULE_VERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/rule_verbs")));
/// Verbs of what may be forbidden to an assistant at little risk: acts upon a repository, and ways of writing.
pub(crate) static RESTRAINED_VERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/restrained_verbs")));
/// What the form of a text is made of.
pub(crate) static STYLE_NOUNS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/style_nouns")));
/// What protects somebody, and may not be taken away.
pub(crate) static SAFEGUARDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/safeguards")));
/// Words of what reaches out: money, accounts, whoever asks.
pub(crate) static OUTWARD_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/outward_words")));
/// Words for a reader that acts, and for the reader of these words.
pub(crate) static ADDRESSEES: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/addressees", "de/addressees", "es/addressees", "fr/addressees")));
/// Words for what nobody else may know.
pub(crate) static SECRETS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/secrets", "de/secrets", "es/secrets")));
/// Verbs of handing out, in their forms.
pub(crate) static DISCLOSING_VERBS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/disclosing_verbs", "de/disclosing_verbs", "es/disclosing_verbs")));
/// Nouns for what other instructions are.
pub(crate) static INSTRUCTION_NOUNS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/instruction_nouns")));
/// Verbs that lift other instructions.
pub(crate) static LIFTING_VERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/lifting_verbs")));
/// Words of a domain of life, by their stems.
pub(crate) static DOMAIN_WORDS: LazyLock<HashMap<String, Domain>> = LazyLock::new(|| {
    let words = read_assignments(texts!("en/domain_words", "de/domain_words"));
    words.filter_map(|(word, domain)| Some((stem(word), domain.parse().ok()?))).collect()
});

/// What may stand in front of a request to remember.
pub(crate) static REQUEST_LEADS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/request_leads", "de/request_leads", "es/request_leads", "fr/request_leads")));
/// What introduces a statement and says nothing of it; a comma or a colon follows, or a request.
pub(crate) static DISCOURSE_OPENINGS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/discourse_openings", "de/discourse_openings")));
/// Words that may follow a request to remember what was said before.
pub(crate) static REQUEST_TAILS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/request_tails", "de/request_tails", "es/request_tails", "fr/request_tails")));
/// Words that point to what was said before.
pub(crate) static POINTING_WORDS: StaticWordSet = LazyLock::new(|| {
    word_set(texts!("en/pointing_words", "de/pointing_words", "es/pointing_words", "fr/pointing_words"))
});
/// Words by which a group speaks of itself.
pub(crate) static GROUP_WORDS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/group_words", "de/group_words", "es/group_words", "fr/group_words")));
/// Nouns for the work at hand.
pub(crate) static PROJECT_NOUNS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/project_nouns", "de/project_nouns", "es/project_nouns", "fr/project_nouns")));
/// Determiners that point to what is at hand.
pub(crate) static PROJECT_DETERMINERS: StaticWordSet = LazyLock::new(|| {
    word_set(texts!(
        "en/project_determiners",
        "de/project_determiners",
        "es/project_determiners",
        "fr/project_determiners"
    ))
});
/// Adverbs for the place at hand.
pub(crate) static PLACE_WORDS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/place_words", "de/place_words", "es/place_words", "fr/place_words")));
/// Stems of verbs of going wrong.
pub(crate) static FAULT_VERBS: LazyLock<HashSet<String>> = LazyLock::new(|| stems(texts!("en/fault_verbs")));
/// Phrases by which something is asked for now alone.
pub(crate) static PASSING_PHRASES: StaticWordSet = LazyLock::new(|| word_set(texts!("en/passing_phrases")));
/// Words for what went wrong.
pub(crate) static FAULT_WORDS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/fault_words", "de/fault_words", "es/fault_words", "fr/fault_words")));
/// Stems of verbs that, denied, say that something went wrong.
pub(crate) static WORKING_VERBS: LazyLock<HashSet<String>> = LazyLock::new(|| stems(texts!("en/working_verbs")));
/// Questions that ask to do something.
pub(crate) static POLITE_QUESTIONS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/polite_questions")));
/// Words that begin another request in the same sentence.
pub(crate) static REQUEST_TURNS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/request_turns")));
/// Words that begin a clause or a phrase on which the rest of the sentence depends.
pub(crate) static SUBORDINATORS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/subordinators", "de/subordinators", "fr/subordinators", "es/subordinators")));
/// Words that introduce a clause as what is said.
pub(crate) static COMPLEMENTIZERS: StaticWordSet = LazyLock::new(|| {
    word_set(texts!("en/complementizers", "de/complementizers", "es/complementizers", "fr/complementizers"))
});
/// Words after which "remember" asks, recalls or orders, and gives nothing to remember.
pub(crate) static NOT_REMEMBERED: StaticWordSet = LazyLock::new(|| word_set(texts!("en/not_remembered")));
/// Words by which a statement is about its writer.
pub(crate) static SELF_WORDS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/self_words", "de/self_words", "es/self_words", "fr/self_words")));
/// Verbs of what was said or done together, in the past tense.
pub(crate) static RECALLED_VERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/recalled_verbs")));
/// Phrases that ask to remember, the longest first.
pub(crate) static REQUEST_OPENINGS: LazyLock<Vec<RequestOpening>> = LazyLock::new(|| {
    let read = |lists: &'static [&'static str], is_english| {
        let lines = read_assignments(lists);
        lines.filter_map(move |(phrase, form)| Some(RequestOpening { phrase, form: form.parse().ok()?, is_english }))
    };
    let english = read(texts!("en/request_openings"), true);
    let others = read(texts!("de/request_openings", "es/request_openings", "fr/request_openings"), false);
    let mut openings: Vec<RequestOpening> = english.chain(others).collect();
    openings.sort_by_key(|opening| (std::cmp::Reverse(opening.phrase.len()), opening.phrase));
    openings
});

fn stems(lists: &[&'static str]) -> HashSet<String> {
    word_set(lists).into_iter().map(stem).collect()
}

/// A phrase that asks to remember.
pub(crate) struct RequestOpening {
    pub(crate) phrase: &'static str,
    pub(crate) form: OpeningForm,
    pub(crate) is_english: bool,
}

/// What has to follow a phrase that asks to remember, and what is kept.
#[derive(Clone, Copy, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum OpeningForm {
    /// A statement, which is kept.
    Clause,
    /// The same, where the prompt says nothing else: elsewhere it explains.
    Alone,
    /// A colon, and what is kept.
    Colon,
    /// The same, or a comma.
    Label,
    /// Anything; the whole sentence is kept.
    Keep,
    /// The same after a comma or a colon.
    Marked,
    /// A statement behind "that" or a colon, which is to be forgotten.
    Forget,
}
