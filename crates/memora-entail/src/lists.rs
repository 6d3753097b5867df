//! The word lists of `data/`, read once: what the rules of entailment go by.
//!
//! Words of a language as such (numerals, months, units, function words) are those of [`memora_nlp::lexicon`]. Deliberately
//! not here: what an entry is used for.

use std::collections::HashSet;
use std::sync::LazyLock;

pub(crate) use memora_nlp::lexicon::{
    ABBREVIATIONS, ARTICLES, COPULAS, FUNCTION, GERMAN_FUNCTION as GERMAN, MONTHS, NEGATIONS, NUMERALS, ORDINALS,
    WEEKDAY_HABITS, WEEKDAYS,
};
use memora_nlp::stem::stem;
pub(crate) use memora_nlp::unit::find_unit;
use memora_nlp::word_lists::{read_assignments, symmetric_pairs, word_set};
use memora_nlp::{list, word_sets};

/// Words by their stems, for verbs in any of their forms.
pub(crate) type Stems = LazyLock<HashSet<String>>;

/// Unordered pairs of words, each in both orders.
pub(crate) type Pairs = LazyLock<HashSet<(&'static str, &'static str)>>;

fn stem_set(lists: &[&'static str]) -> HashSet<String> {
    word_set(lists).into_iter().map(stem).collect()
}

word_sets! {
    /// Words by which a negation beside them may belong elsewhere, or be said otherwise.
    pub(crate) CONTRASTS: en de;
    /// Words that nothing may leave out and still follow: hedges, conditions, plans, quantifiers.
    pub(crate) GUARDS: en;
    /// Capitalised words that name nothing of the notes in particular.
    pub(crate) GENERIC_NAMES: en;
    /// Words for people and animals that a diary may be about.
    pub(crate) PEOPLE: en;
    /// Nouns for a text, as named beside its author: *the essay*.
    pub(crate) TEXT_NOUNS: en;
    /// Nouns for the notes themselves: *your diary says*.
    pub(crate) NOTE_NOUNS: en;
    /// Verbs by which notes state something: *your notes confirm that*.
    pub(crate) STATING_VERBS: en;
    /// Heading words under which nothing is simply asserted: *myths*.
    pub(crate) RETRACTIONS: en;
    /// Words inside a clause that only colour it.
    pub(crate) COLOURING_WORDS: en;
    /// Words and stems that may deny.
    pub(crate) DENIAL_STEMS: en;
    /// Words that only stand for another one.
    pub(crate) STANDING_PRONOUNS: en;
    /// Words that open a phrase which may stand in front or behind.
    pub(crate) MOVABLE_LEADS: en;
    /// Words that limit or turn what stands near them, so that no polarity is certain.
    pub(crate) UNCERTAIN_POLARITY: en;
    /// Abbreviations in front of a name or in one: *Gen.*, *Inc.*
    pub(crate) TITLES: en;
    /// Symmetric verbs: *met*, *married*.
    pub(crate) SYMMETRIC: en;
    /// Words by which a sentence reckons: a sum, a difference, an average.
    pub(crate) RECKONING: en;
    /// Words of a statement that settles nothing: a wish, a condition, others' words.
    pub(crate) UNSETTLED_WORDS: en;
    /// Verbs, in the present, behind which a value of a state stands: *takes* nine minutes.
    pub(crate) MEASURING_VERBS: en;
    /// Words by which a value is said to be new: *now*, *nowadays*.
    pub(crate) RENEWING_WORDS: en;
    /// Words of a change that name nothing: *now*, *since*.
    pub(crate) PASSING_WORDS: en;
    /// Pronouns that may refer into another clause.
    pub(crate) CLAUSE_ANAPHORS: en;
    /// Auxiliaries that say no more than tense and voice: forms of *be*, *have* and *do*.
    pub(crate) PLAIN_AUXILIARIES: en;
    /// Words behind *not* by which something else is denied than what follows: *not only*.
    pub(crate) CORRECTED_NEGATIONS: en;
    /// Auxiliaries of the past.
    pub(crate) PAST_AUXILIARIES: en;
    /// Auxiliaries of the present, or of what is to come.
    pub(crate) PRESENT_AUXILIARIES: en;
    /// Forms of *do* that a negation takes.
    pub(crate) DO_FORMS: en;
    /// Words that only negate, or say that it is still so or not yet.
    pub(crate) SILENT_NEGATIONS: en;
    /// Words without content that tell apart what is denied.
    pub(crate) DENIAL_LIMITS: en;
    /// Words that name the notes themselves: *your notes*.
    pub(crate) NOTE_WORDS: en;
    /// Words in front of what only the context says.
    pub(crate) LEADS_TO_CONTEXT: en;
    /// Conjunctions between two clauses.
    pub(crate) CLAUSE_CONJUNCTIONS: en;
    /// Modal verbs, marginal ones included.
    pub(crate) MODAL_VERBS: en;
    /// Words without content of a bracket that only names: "(also known as …)".
    pub(crate) BRACKET_WORDS: en;
    /// Auxiliaries with a tense of their own.
    pub(crate) FINITE_HELPERS: en;
    /// Relative pronouns.
    pub(crate) RELATIVE_PRONOUNS: en;
    /// Words with which what stands behind an agent tells when, or where to.
    pub(crate) AGENT_ADJUNCTS: en;
    /// Forms of *be* in a passive.
    pub(crate) PASSIVE_AUXILIARIES: en;
    /// Prepositions of a frame in front of a sentence: "for Anna, …".
    pub(crate) FRAME_PREPOSITIONS: en;
    /// Verbs by which a sentence says who said it.
    pub(crate) ATTRIBUTION_VERBS: en;
    /// Words of a subject that is the notes themselves.
    pub(crate) NOTE_SUBJECTS: en;
    /// Endings of ordinary words.
    pub(crate) ORDINARY_ENDINGS: en;
}

/// Verbs that deny the verb they govern: *fail*, *refuse*.
pub(crate) static DENYING_VERBS: Stems = LazyLock::new(|| stem_set(&[list!(en, denying_verbs)]));
/// Verbs under which what is said is said outright.
pub(crate) static REPORTING_VERBS: Stems = LazyLock::new(|| stem_set(&[list!(en, reporting_verbs)]));
/// Opposites, by their stems.
pub(crate) static OPPOSITES: LazyLock<HashSet<(String, String)>> = LazyLock::new(|| {
    let listed = symmetric_pairs(&[list!(en, opposites)]);
    listed.into_iter().map(|(a, b)| (stem(a), stem(b))).collect()
});
/// Verbs that say one thing from two sides, by their stems: *buy*, *sell*.
pub(crate) static CONVERSES: LazyLock<HashSet<(String, String)>> = LazyLock::new(|| {
    let listed = symmetric_pairs(&[list!(en, converses)]);
    listed.into_iter().map(|(a, b)| (stem(a), stem(b))).collect()
});
/// Verbs by which their object, or the subject of their passive, is over: *cancel*, *sell*.
pub(crate) static ENDING_VERBS: Stems = LazyLock::new(|| stem_set(&[list!(en, ending_verbs)]));
/// Verbs by which something has another value from now on: *rename*, *move*.
pub(crate) static RENEWING_VERBS: Stems = LazyLock::new(|| stem_set(&[list!(en, renewing_verbs)]));
/// Quantifiers and degrees that say more, each with one that says less.
pub(crate) static STRONGER: LazyLock<HashSet<(&'static str, &'static str)>> =
    LazyLock::new(|| read_assignments(&[list!(en, quantifiers)]).collect());
/// Two names of one thing: `mother=mum`, `uk=britain`.
pub(crate) static SAME_NAMES: Pairs = LazyLock::new(|| symmetric_pairs(&[list!(en, roles), list!(en, name_pairs)]));
