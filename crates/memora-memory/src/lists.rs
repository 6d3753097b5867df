//! The word lists of `data/`, read once: what the gates of memory go by.

use std::collections::HashMap;
use std::sync::LazyLock;

use memora_nlp::lexicon::StaticWordSet;
use memora_nlp::stem::stem;
use memora_nlp::word_lists::{read_assignments, word_set};

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
