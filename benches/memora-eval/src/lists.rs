//! The word lists of `data/`, read once: what sentences are made and compared by.

use std::sync::LazyLock;

use memora_nlp::word_sets;

word_sets! {
    /// Determiners in front of a noun.
    pub(crate) DETERMINERS: en;
    /// Auxiliaries, modals and negations of a predicate.
    pub(crate) AUXILIARIES: en;
    /// Negations of a predicate.
    pub(crate) PREDICATE_NEGATIONS: en;
    /// Auxiliaries that stand beside another one, and modals.
    pub(crate) HELPING_VERBS: en;
    /// Negations and quantifiers that may scope over the first phrase.
    pub(crate) SCOPE_WORDS: en;
    /// Prepositions with a certain attachment.
    pub(crate) MOVABLE_PREPOSITIONS: en;
    /// Conjunctions of a clause that may stand at either end.
    pub(crate) MOVABLE_CONJUNCTIONS: en;
    /// Verbs that take an object but do not act on it, so that they have no passive.
    pub(crate) STATIVE_VERBS: en;
    /// Words beside which a passive may say something else.
    pub(crate) PASSIVE_BARRIERS: en;
    /// Nouns that may stand for another noun.
    pub(crate) VAGUE_NOUNS: en;
    /// Words beside which another number may be true as well.
    pub(crate) BOUND_WORDS: en;
    /// Words beside which an opposite may be true as well.
    pub(crate) OPPOSITE_BARRIERS: en;
    /// Negations and conditions under which a stronger quantifier weakens the claim.
    pub(crate) WEAKENING_CONTEXTS: en;
    /// Words in front of a quantifier that is part of a phrase.
    pub(crate) QUANTIFIER_LEADS: en;
    /// Words beside which *only* may say nothing new.
    pub(crate) FOCUS_WORDS: en;
    /// Keys whose value is a person, an organization or a place.
    pub(crate) ENTITY_KEYS: en;
    /// Words by which a sentence is taken for German.
    pub(crate) GERMAN_WORDS: en;
    /// Words by which a sentence is taken for English.
    pub(crate) ENGLISH_WORDS: en;
    /// Words whose meaning depends on the context.
    pub(crate) CONTEXT_DEPENDENT: en;
    /// Keys that read as a noun: "the *budget* of X is".
    pub(crate) NOUN_KEYS: en;
    /// Pronouns that a task leaves open.
    pub(crate) UNRESOLVED_PRONOUNS: en;
    /// Verbs of several syllables that double their last letter.
    pub(crate) DOUBLED_CONSONANT: en;
    /// Verbs with one form for everything, or other irregular forms that are not in the table.
    pub(crate) ODD_VERBS: en;
    /// Endings of a third person whose base lacks *es*.
    pub(crate) HISSING_ENDINGS_OF_THIRD_PERSON: en;
    /// Endings of a base that takes *es*.
    pub(crate) HISSING_ENDINGS: en;
    /// Pronouns that would refer to the other sentence.
    pub(crate) BORROWED_PRONOUNS: en;
    /// Pronouns that would refer to the sentence in front.
    pub(crate) LEADING_PRONOUNS: en;
    /// Words that may scope over a second sentence.
    pub(crate) SCOPING_WORDS: en;
    /// Words of negation.
    pub(crate) NEGATION_CUES: en;
    /// Words beside which a negation is no plain denial.
    pub(crate) UNSURE_CUES: en;
    /// Auxiliaries that take *not* behind them.
    pub(crate) STRONG_AUXILIARIES: en;
    /// Words whose meaning depends on a negation.
    pub(crate) NEGATION_BOUND: en;
    /// Conjunctions of what happens before.
    pub(crate) SEQUENCE_CONJUNCTIONS: en;
    /// Verbs of what is not done yet.
    pub(crate) WANTING_VERBS: en;
    /// Verbs of what is believed.
    pub(crate) BELIEVING_VERBS: en;
    /// Where an app runs.
    pub(crate) DEVICES: en;
    /// Recurring days.
    pub(crate) RECURRING_DAYS: en;
    /// Words by which a limit at the front does more than limit.
    pub(crate) LIMIT_BARRIERS: en;
    /// Pronouns of a limit that cannot be dropped.
    pub(crate) OPEN_PRONOUNS: en;
}

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
