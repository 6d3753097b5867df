//! The word lists of `data/`, read once: what the rules of entailment go by.
//!
//! Words of a language as such (numerals, months, units, function words) are those of [`memora_nlp::lexicon`]. Deliberately
//! not here: what an entry is used for.

use std::collections::HashSet;
use std::sync::LazyLock;

pub(crate) use memora_nlp::lexicon::{
    ABBREVIATIONS, ARTICLES, COPULAS, FUNCTION, GERMAN_FUNCTION as GERMAN, MONTHS, NEGATIONS, NUMERALS, ORDINALS,
    StaticWordSet, WEEKDAY_HABITS, WEEKDAYS,
};
use memora_nlp::stem::stem;
pub(crate) use memora_nlp::unit::find_unit;
use memora_nlp::word_lists::{read_assignments, symmetric_pairs, word_set};

/// Words by their stems, for verbs in any of their forms.
pub(crate) type Stems = LazyLock<HashSet<String>>;

/// Unordered pairs of words, each in both orders.
pub(crate) type Pairs = LazyLock<HashSet<(&'static str, &'static str)>>;

macro_rules! texts {
    ($($path:literal),+) => { &[$(include_str!(concat!("../data/", $path, ".txt"))),+] };
}

fn stem_set(lists: &[&'static str]) -> HashSet<String> {
    word_set(lists).into_iter().map(stem).collect()
}

/// Words by which a negation beside them may belong elsewhere, or be said otherwise.
pub(crate) static CONTRASTS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/contrasts", "de/contrasts")));
/// Words that nothing may leave out and still follow: hedges, conditions, plans, quantifiers.
pub(crate) static GUARDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/guards")));
/// Capitalised words that name nothing of the notes in particular.
pub(crate) static GENERIC_NAMES: StaticWordSet = LazyLock::new(|| word_set(texts!("en/generic_names")));
/// Words for people and animals that a diary may be about.
pub(crate) static PEOPLE: StaticWordSet = LazyLock::new(|| word_set(texts!("en/people")));
/// Nouns for a text, as named beside its author: *the essay*.
pub(crate) static TEXT_NOUNS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/text_nouns")));
/// Nouns for the notes themselves: *your diary says*.
pub(crate) static NOTE_NOUNS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/note_nouns")));
/// Verbs by which notes state something: *your notes confirm that*.
pub(crate) static STATING_VERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/stating_verbs")));
/// Heading words under which nothing is simply asserted: *myths*.
pub(crate) static RETRACTIONS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/retractions")));
/// Words inside a clause that only colour it.
pub(crate) static COLOURING_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/colouring_words")));
/// Words and stems that may deny.
pub(crate) static DENIAL_STEMS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/denial_stems")));
/// Words that only stand for another one.
pub(crate) static STANDING_PRONOUNS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/standing_pronouns")));
/// Words that open a phrase which may stand in front or behind.
pub(crate) static MOVABLE_LEADS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/movable_leads")));
/// Words that limit or turn what stands near them, so that no polarity is certain.
pub(crate) static UNCERTAIN_POLARITY: StaticWordSet = LazyLock::new(|| word_set(texts!("en/uncertain_polarity")));
/// Verbs that deny the verb they govern: *fail*, *refuse*.
pub(crate) static DENYING_VERBS: Stems = LazyLock::new(|| stem_set(texts!("en/denying_verbs")));
/// Verbs under which what is said is said outright.
pub(crate) static REPORTING_VERBS: Stems = LazyLock::new(|| stem_set(texts!("en/reporting_verbs")));
/// Abbreviations in front of a name or in one: *Gen.*, *Inc.*
pub(crate) static TITLES: StaticWordSet = LazyLock::new(|| word_set(texts!("en/titles")));
/// Symmetric verbs: *met*, *married*.
pub(crate) static SYMMETRIC: StaticWordSet = LazyLock::new(|| word_set(texts!("en/symmetric")));
/// Words by which a sentence reckons: a sum, a difference, an average.
pub(crate) static RECKONING: StaticWordSet = LazyLock::new(|| word_set(texts!("en/reckoning")));
/// Opposites, by their stems.
pub(crate) static OPPOSITES: LazyLock<HashSet<(String, String)>> = LazyLock::new(|| {
    let listed = symmetric_pairs(texts!("en/opposites"));
    listed.into_iter().map(|(a, b)| (stem(a), stem(b))).collect()
});
/// Verbs that say one thing from two sides, by their stems: *buy*, *sell*.
pub(crate) static CONVERSES: LazyLock<HashSet<(String, String)>> = LazyLock::new(|| {
    let listed = symmetric_pairs(texts!("en/converses"));
    listed.into_iter().map(|(a, b)| (stem(a), stem(b))).collect()
});
/// Verbs by which their object, or the subject of their passive, is over: *cancel*, *sell*.
pub(crate) static ENDING_VERBS: Stems = LazyLock::new(|| stem_set(texts!("en/ending_verbs")));
/// Verbs by which something has another value from now on: *rename*, *move*.
pub(crate) static RENEWING_VERBS: Stems = LazyLock::new(|| stem_set(texts!("en/renewing_verbs")));
/// Words of a statement that settles nothing: a wish, a condition, others' words.
pub(crate) static UNSETTLED_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/unsettled_words")));
/// Verbs, in the present, behind which a value of a state stands: *takes* nine minutes.
pub(crate) static MEASURING_VERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/measuring_verbs")));
/// Words by which a value is said to be new: *now*, *nowadays*.
pub(crate) static RENEWING_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/renewing_words")));
/// Words of a change that name nothing: *now*, *since*.
pub(crate) static PASSING_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/passing_words")));
/// Quantifiers and degrees that say more, each with one that says less.
pub(crate) static STRONGER: LazyLock<HashSet<(&'static str, &'static str)>> =
    LazyLock::new(|| read_assignments(texts!("en/quantifiers")).collect());
/// Two names of one thing: `mother=mum`, `uk=britain`.
pub(crate) static SAME_NAMES: Pairs = LazyLock::new(|| symmetric_pairs(texts!("en/roles", "en/name_pairs")));
/// Pronouns that may refer into another clause.
pub(crate) static CLAUSE_ANAPHORS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/clause_anaphors")));
/// Auxiliaries that say no more than tense and voice: forms of *be*, *have* and *do*.
pub(crate) static PLAIN_AUXILIARIES: StaticWordSet = LazyLock::new(|| word_set(texts!("en/plain_auxiliaries")));
/// Words behind *not* by which something else is denied than what follows: *not only*.
pub(crate) static CORRECTED_NEGATIONS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/corrected_negations")));
/// Auxiliaries of the past.
pub(crate) static PAST_AUXILIARIES: StaticWordSet = LazyLock::new(|| word_set(texts!("en/past_auxiliaries")));
/// Auxiliaries of the present, or of what is to come.
pub(crate) static PRESENT_AUXILIARIES: StaticWordSet = LazyLock::new(|| word_set(texts!("en/present_auxiliaries")));
/// Forms of *do* that a negation takes.
pub(crate) static DO_FORMS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/do_forms")));
/// Words that only negate, or say that it is still so or not yet.
pub(crate) static SILENT_NEGATIONS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/silent_negations")));
/// Words without content that tell apart what is denied.
pub(crate) static DENIAL_LIMITS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/denial_limits")));
/// Words that name the notes themselves: *your notes*.
pub(crate) static NOTE_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/note_words")));
/// Words in front of what only the context says.
pub(crate) static LEADS_TO_CONTEXT: StaticWordSet = LazyLock::new(|| word_set(texts!("en/leads_to_context")));
/// Conjunctions between two clauses.
pub(crate) static CLAUSE_CONJUNCTIONS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/clause_conjunctions")));
/// Modal verbs, marginal ones included.
pub(crate) static MODAL_VERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/modal_verbs")));
/// Words without content of a bracket that only names: "(also known as …)".
pub(crate) static BRACKET_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/bracket_words")));
/// Auxiliaries with a tense of their own.
pub(crate) static FINITE_HELPERS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/finite_helpers")));
/// Relative pronouns.
pub(crate) static RELATIVE_PRONOUNS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/relative_pronouns")));
/// Words with which what stands behind an agent tells when, or where to.
pub(crate) static AGENT_ADJUNCTS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/agent_adjuncts")));
/// Forms of *be* in a passive.
pub(crate) static PASSIVE_AUXILIARIES: StaticWordSet = LazyLock::new(|| word_set(texts!("en/passive_auxiliaries")));
/// Prepositions of a frame in front of a sentence: "for Anna, …".
pub(crate) static FRAME_PREPOSITIONS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/frame_prepositions")));
/// Verbs by which a sentence says who said it.
pub(crate) static ATTRIBUTION_VERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/attribution_verbs")));
/// Words of a subject that is the notes themselves.
pub(crate) static NOTE_SUBJECTS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/note_subjects")));
/// Endings of ordinary words.
pub(crate) static ORDINARY_ENDINGS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/ordinary_endings")));
