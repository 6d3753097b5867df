//! The word lists of `data/`, read once: what the gates of memory go by.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use memora_nlp::stem::stem;
use memora_nlp::word_lists::{read_assignments, word_set};
use memora_nlp::{list, word_sets};
use strum::EnumString;

use crate::Domain;

word_sets! {
    /// Words that answer or greet and say nothing else.
    pub(crate) FILLERS: en;
    /// Words that may stand in front of the verb of an order.
    pub(crate) ORDER_LEADS: en;
    /// Verbs of orders to act.
    pub(crate) ORDER_VERBS: en;
    /// Commands, tools and credentials that an order to act names.
    pub(crate) ORDER_MEANS: en;
    /// What a way of answering begins with: "in French", "briefly".
    pub(crate) ANSWER_FORMS: en;
    /// What is run before something else goes on.
    pub(crate) CHECKS: en;
    /// Words in front of the verb of a rule, or of a request to keep to one.
    pub(crate) RULE_LEADS: en;
    /// Words of what takes a safeguard away, hides something, or is for another than the user.
    pub(crate) RISK_WORDS: en;
    /// Verbs of orders that are of the user's own work, in a rule of how that is done.
    pub(crate) WORK_WORDS: en;
    /// Verbs of how a text is written.
    pub(crate) RULE_VERBS: en;
    /// Verbs of what may be forbidden to an assistant at little risk: acts upon a repository, and ways of writing.
    pub(crate) RESTRAINED_VERBS: en;
    /// What the form of a text is made of.
    pub(crate) STYLE_NOUNS: en;
    /// What protects somebody, and may not be taken away.
    pub(crate) SAFEGUARDS: en;
    /// Words of what reaches out: money, accounts, whoever asks.
    pub(crate) OUTWARD_WORDS: en;
    /// Words for a reader that acts, and for the reader of these words.
    pub(crate) ADDRESSEES: en de es fr;
    /// Words for what nobody else may know.
    pub(crate) SECRETS: en de es;
    /// Verbs of handing out, in their forms.
    pub(crate) DISCLOSING_VERBS: en de es;
    /// Nouns for what other instructions are.
    pub(crate) INSTRUCTION_NOUNS: en;
    /// Verbs that lift other instructions.
    pub(crate) LIFTING_VERBS: en;
    /// What may stand in front of a request to remember.
    pub(crate) REQUEST_LEADS: en de es fr;
    /// What introduces a statement and says nothing of it; a comma or a colon follows, or a request.
    pub(crate) DISCOURSE_OPENINGS: en de;
    /// Words that may follow a request to remember what was said before.
    pub(crate) REQUEST_TAILS: en de es fr;
    /// Words that point to what was said before.
    pub(crate) POINTING_WORDS: en de es fr;
    /// Words by which a group speaks of itself.
    pub(crate) GROUP_WORDS: en de es fr;
    /// Nouns for the work at hand.
    pub(crate) PROJECT_NOUNS: en de es fr;
    /// Determiners that point to what is at hand.
    pub(crate) PROJECT_DETERMINERS: en de es fr;
    /// Adverbs for the place at hand.
    pub(crate) PLACE_WORDS: en de es fr;
    /// Phrases by which something is asked for now alone.
    pub(crate) PASSING_PHRASES: en;
    /// Words for what went wrong.
    pub(crate) FAULT_WORDS: en de es fr;
    /// Questions that ask to do something.
    pub(crate) POLITE_QUESTIONS: en;
    /// Words that begin another request in the same sentence.
    pub(crate) REQUEST_TURNS: en;
    /// Words that begin a clause or a phrase on which the rest of the sentence depends.
    pub(crate) SUBORDINATORS: en de fr es;
    /// Words that introduce a clause as what is said.
    pub(crate) COMPLEMENTIZERS: en de es fr;
    /// Words after which "remember" asks, recalls or orders, and gives nothing to remember.
    pub(crate) NOT_REMEMBERED: en;
    /// Words by which a statement is about its writer.
    pub(crate) SELF_WORDS: en de es fr;
    /// Verbs of what was said or done together, in the past tense.
    pub(crate) RECALLED_VERBS: en;
}

/// Words of a domain of life, by their stems.
pub(crate) static DOMAIN_WORDS: LazyLock<HashMap<String, Domain>> = LazyLock::new(|| {
    let words = read_assignments(&[list!(en, domain_words), list!(de, domain_words)]);
    words.filter_map(|(word, domain)| Some((stem(word), domain.parse().ok()?))).collect()
});

/// Stems of verbs of going wrong.
pub(crate) static FAULT_VERBS: LazyLock<HashSet<String>> = LazyLock::new(|| stems(&[list!(en, fault_verbs)]));
/// Stems of verbs that, denied, say that something went wrong.
pub(crate) static WORKING_VERBS: LazyLock<HashSet<String>> = LazyLock::new(|| stems(&[list!(en, working_verbs)]));
/// Phrases that ask to remember, the longest first.
pub(crate) static REQUEST_OPENINGS: LazyLock<Vec<RequestOpening>> = LazyLock::new(|| {
    let read = |lists: &'static [&'static str], is_english| {
        let lines = read_assignments(lists);
        lines.filter_map(move |(phrase, form)| Some(RequestOpening { phrase, form: form.parse().ok()?, is_english }))
    };
    let english = read(&[list!(en, request_openings)], true);
    let others = read(&[list!(de, request_openings), list!(es, request_openings), list!(fr, request_openings)], false);
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
