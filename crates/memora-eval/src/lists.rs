//! The word lists of `data/`, read once: what sentences are made and compared by.

use std::sync::LazyLock;

use memora_nlp::lexicon::StaticWordSet;
use memora_nlp::word_lists::word_set;

macro_rules! texts {
    ($($path:literal),+) => { &[$(include_str!(concat!("../data/", $path, ".txt"))),+] };
}

/// Determiners in front of a noun.
pub(crate) static DETERMINERS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/determiners")));
/// Auxiliaries, modals and negations of a predicate.
pub(crate) static AUXILIARIES: StaticWordSet = LazyLock::new(|| word_set(texts!("en/auxiliaries")));
/// Negations of a predicate.
pub(crate) static PREDICATE_NEGATIONS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/predicate_negations")));
/// Auxiliaries that stand beside another one, and modals.
pub(crate) static HELPING_VERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/helping_verbs")));
/// Negations and quantifiers that may scope over the first phrase.
pub(crate) static SCOPE_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/scope_words")));
/// Prepositions with a certain attachment.
pub(crate) static MOVABLE_PREPOSITIONS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/movable_prepositions")));
/// Conjunctions of a clause that may stand at either end.
pub(crate) static MOVABLE_CONJUNCTIONS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/movable_conjunctions")));
/// Verbs that take an object but do not act on it, so that they have no passive.
pub(crate) static STATIVE_VERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/stative_verbs")));
/// Words beside which a passive may say something else.
pub(crate) static PASSIVE_BARRIERS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/passive_barriers")));
/// Nouns that may stand for another noun.
pub(crate) static VAGUE_NOUNS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/vague_nouns")));
/// Words beside which another number may be true as well.
pub(crate) static BOUND_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/bound_words")));
/// Words beside which an opposite may be true as well.
pub(crate) static OPPOSITE_BARRIERS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/opposite_barriers")));
/// Negations and conditions under which a stronger quantifier weakens the claim.
pub(crate) static WEAKENING_CONTEXTS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/weakening_contexts")));
/// Words in front of a quantifier that is part of a phrase.
pub(crate) static QUANTIFIER_LEADS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/quantifier_leads")));
/// Words beside which *only* may say nothing new.
pub(crate) static FOCUS_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/focus_words")));
/// Keys whose value is a person, an organization or a place.
pub(crate) static ENTITY_KEYS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/entity_keys")));
/// Words by which a sentence is taken for German.
pub(crate) static GERMAN_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/german_words")));
/// Words by which a sentence is taken for English.
pub(crate) static ENGLISH_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/english_words")));
/// Words whose meaning depends on the context.
pub(crate) static CONTEXT_DEPENDENT: StaticWordSet = LazyLock::new(|| word_set(texts!("en/context_dependent")));
/// Keys that read as a noun: "the *budget* of X is".
pub(crate) static NOUN_KEYS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/noun_keys")));
/// Pronouns that a task leaves open.
pub(crate) static UNRESOLVED_PRONOUNS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/unresolved_pronouns")));
/// Verbs of several syllables that double their last letter.
pub(crate) static DOUBLED_CONSONANT: StaticWordSet = LazyLock::new(|| word_set(texts!("en/doubled_consonant")));
/// Verbs with one form for everything, or other irregular forms that are not in the table.
pub(crate) static ODD_VERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/odd_verbs")));
/// Endings of a third person whose base lacks *es*.
pub(crate) static HISSING_ENDINGS_OF_THIRD_PERSON: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/hissing_endings_of_third_person")));
/// Endings of a base that takes *es*.
pub(crate) static HISSING_ENDINGS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/hissing_endings")));
/// Pronouns that would refer to the other sentence.
pub(crate) static BORROWED_PRONOUNS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/borrowed_pronouns")));
/// Pronouns that would refer to the sentence in front.
pub(crate) static LEADING_PRONOUNS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/leading_pronouns")));
/// Words that may scope over a second sentence.
pub(crate) static SCOPING_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/scoping_words")));
/// Words of negation.
pub(crate) static NEGATION_CUES: StaticWordSet = LazyLock::new(|| word_set(texts!("en/negation_cues")));
/// Words beside which a negation is no plain denial.
pub(crate) static UNSURE_CUES: StaticWordSet = LazyLock::new(|| word_set(texts!("en/unsure_cues")));
/// Auxiliaries that take *not* behind them.
pub(crate) static STRONG_AUXILIARIES: StaticWordSet = LazyLock::new(|| word_set(texts!("en/strong_auxiliaries")));
/// Words whose meaning depends on a negation.
pub(crate) static NEGATION_BOUND: StaticWordSet = LazyLock::new(|| word_set(texts!("en/negation_bound")));
/// Conjunctions of what happens before.
pub(crate) static SEQUENCE_CONJUNCTIONS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/sequence_conjunctions")));
/// Verbs of what is not done yet.
pub(crate) static WANTING_VERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/wanting_verbs")));
/// Verbs of what is believed.
pub(crate) static BELIEVING_VERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/believing_verbs")));
/// Where an app runs.
pub(crate) static DEVICES: StaticWordSet = LazyLock::new(|| word_set(texts!("en/devices")));
/// Recurring days.
pub(crate) static RECURRING_DAYS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/recurring_days")));
/// Words by which a limit at the front does more than limit.
pub(crate) static LIMIT_BARRIERS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/limit_barriers")));
/// Pronouns of a limit that cannot be dropped.
pub(crate) static OPEN_PRONOUNS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/open_pronouns")));

/// Lines of words, in an order that means something.
type WordRows = LazyLock<Vec<Vec<&'static str>>>;

fn word_rows(text: &'static str) -> Vec<Vec<&'static str>> {
    text.lines().map(|line| line.split(' ').collect()).collect()
}

static NUMBER_WORDS: WordRows = LazyLock::new(|| word_rows(include_str!("../data/number_words.txt")));
/// Groups of units of one dimension.
pub(crate) static UNITS: WordRows = LazyLock::new(|| word_rows(include_str!("../data/units.txt")));
/// The numbers from zero to twenty, each at its value.
pub(crate) static SMALL_NUMBERS: LazyLock<&'static [&'static str]> =
    LazyLock::new(|| NUMBER_WORDS.first().map_or(&[], Vec::as_slice));
/// Twenty, thirty and so on.
pub(crate) static TENS: LazyLock<&'static [&'static str]> =
    LazyLock::new(|| NUMBER_WORDS.get(1).map_or(&[], Vec::as_slice));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_its_word_and_every_unit_its_group() {
        assert_eq!((SMALL_NUMBERS.len(), SMALL_NUMBERS[12], TENS.len(), TENS[7]), (21, "twelve", 8, "ninety"));
        let mut units: Vec<&str> = UNITS.iter().flatten().copied().collect();
        assert!(UNITS.iter().all(|group| group.len() > 1) && !units.contains(&""));
        let count = units.len();
        units.sort_unstable();
        units.dedup();
        // "miles" is in the British group and in the American.
        assert_eq!(units.len(), count - 1);
    }
}
