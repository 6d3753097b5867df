//! The word lists of `data/`, read once: what the rules of extraction go by.
//!
//! Words of a language as such (articles, modals, months, numerals) are those of [`memora_nlp::lexicon`]. Not here: what
//! an entry is used for.

use std::sync::LazyLock;

pub(crate) use memora_nlp::lexicon::{
    ARTICLES, BE_FORMS, CONDITION_MARKERS, HEARSAY_ADVERBS, HEDGES, MODALS, POSSESSIVES, REPORTING_VERBS,
    SUBJECT_PRONOUNS, StaticWordSet,
};
use memora_nlp::word_lists::{extended_set, word_set};

macro_rules! texts {
    ($($path:literal),+) => { &[$(include_str!(concat!("../data/", $path, ".txt"))),+] };
}

/// Pronouns in front of an exception that is denied: "all but Tom".
pub(crate) static ALL_BUT_PRONOUNS: StaticWordSet =
    LazyLock::new(|| extended_set(&[&EXCEPTION_PRONOUNS], texts!("en/all_but_pronouns")));
/// Words by which a verb in an alternative is a possibility.
pub(crate) static ALTERNATIVE_AUXILIARIES: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/alternative_auxiliaries")));
/// Auxiliaries by which a verb without a subject is no request.
pub(crate) static ASSERTING_AUXILIARIES: StaticWordSet = LazyLock::new(|| word_set(texts!("en/asserting_auxiliaries")));
/// Labels that name an attribute, never a term: the text behind them is its value.
pub(crate) static ATTRIBUTE_LABELS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/attribute_labels")));
/// Forms of *be*, *have* and *do* that are no irregular past of a full verb.
pub(crate) static AUXILIARY_FORMS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/auxiliary_forms")));
/// Pronouns that point back to another clause.
pub(crate) static BACKWARD_PRONOUNS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/backward_pronouns")));
/// Adjectives whose clause is a belief.
pub(crate) static BELIEF_ADJECTIVES: StaticWordSet = LazyLock::new(|| word_set(texts!("en/belief_adjectives")));
/// Conjunctions and question words by which a clause is not asserted.
pub(crate) static CIRCUMSTANCE_CONJUNCTIONS: StaticWordSet =
    LazyLock::new(|| extended_set(&[&OPEN_CONJUNCTIONS], texts!("en/circumstance_conjunctions")));
/// Prepositions and conjunctions of circumstance behind a verb.
pub(crate) static CIRCUMSTANCE_PREPOSITIONS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/circumstance_prepositions")));
/// Words at the front of a piece that may begin an independent clause.
pub(crate) static CLAUSE_CONJUNCTIONS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/clause_conjunctions")));
/// Words that introduce a clause.
pub(crate) static CLAUSE_INTRODUCERS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/clause_introducers")));
/// Words that negate a verb, with their clitics.
pub(crate) static CLAUSE_NEGATIONS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/clause_negations")));
/// Tags that web clippers and highlight importers give to the notes they create.
pub(crate) static CLIPPING_TAGS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/clipping_tags")));
/// Words for times of day.
pub(crate) static CLOCK_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/clock_words")));
/// Auxiliaries of the hypothetical, with their clitics.
pub(crate) static CONDITIONAL_AUXILIARIES: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/conditional_auxiliaries")));
/// Openings of a condition, under any label.
pub(crate) static CONDITION_OPENERS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/condition_openers")));
/// Words that open a condition or an indirect question.
pub(crate) static CONDITION_WORDS: StaticWordSet =
    LazyLock::new(|| extended_set(&[&CONDITION_MARKERS], texts!("en/condition_words")));
/// Adverbs that only connect sentences.
pub(crate) static CONNECTIVE_ADVERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/connective_adverbs")));
/// Words behind a comma that depend on those before it.
pub(crate) static CONTINUATION_OPENINGS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/continuation_openings")));
/// Words at the beginning of a sentence that continues the one before.
pub(crate) static CONTINUING_OPENINGS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/continuing_openings")));
/// Forms of *be*, with their clitics.
pub(crate) static COPULA_FORMS: StaticWordSet = LazyLock::new(|| extended_set(&[&BE_FORMS], texts!("en/copula_forms")));
/// Words in front of a date that govern it.
pub(crate) static DATE_PREPOSITIONS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/date_prepositions")));
/// Words that deny a proposal.
pub(crate) static DENIALS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/denials")));
/// Verbs by which something considered was given up.
pub(crate) static DISMISSING_VERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/dismissing_verbs")));
/// Counts in front of a unit of time.
pub(crate) static DURATION_COUNTS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/duration_counts")));
/// Pronouns that name no subject.
pub(crate) static EMPTY_SUBJECTS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/empty_subjects")));
/// Verbs in the third person with a pronoun as object: "lets you".
pub(crate) static ENABLING_FORMS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/enabling_forms")));
/// Verbs that end their object.
pub(crate) static ENDING_VERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/ending_verbs")));
/// Pronouns in front of an exception: "all but one".
pub(crate) static EXCEPTION_PRONOUNS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/exception_pronouns")));
/// Prepositions of the place where something exists: "there is A in B".
pub(crate) static EXISTENCE_PREPOSITIONS: StaticWordSet =
    LazyLock::new(|| extended_set(&[&STATE_PREPOSITIONS], texts!("en/existence_prepositions")));
/// Verbs of an end: a time beside them is when something ends. In base forms.
pub(crate) static EXPIRY_VERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/expiry_verbs")));
/// Pronouns and determiners of the first person.
pub(crate) static FIRST_PERSON_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/first_person_words")));
/// Words of frequency.
pub(crate) static FREQUENCY_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/frequency_words")));
/// Verbs of a change from one thing to another.
pub(crate) static FROM_TO_VERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/from_to_verbs")));
/// Words that open a condition in front of its clause.
pub(crate) static FRONTED_CONDITIONS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/fronted_conditions")));
/// Words that open an asserted clause in front of another.
pub(crate) static FRONTED_REASONS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/fronted_reasons")));
/// Words that open a time or a purpose in front of its clause.
pub(crate) static FRONTED_TIMES: StaticWordSet = LazyLock::new(|| word_set(texts!("en/fronted_times")));
/// Words and adverbs, with their comma, in front of a fronted clause: "but if".
pub(crate) static FRONT_FILLERS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/front_fillers")));
/// Verbs and auxiliaries of the future, with their clitics.
pub(crate) static FUTURE_VERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/future_verbs")));
/// Forms of *have* as auxiliaries, with their clitics.
pub(crate) static HAVE_AUXILIARIES: StaticWordSet = LazyLock::new(|| word_set(texts!("en/have_auxiliaries")));
/// Labels of what others say, or of fiction.
pub(crate) static HEARSAY_LABELS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/hearsay_labels")));
/// Words by which the writer does not vouch for a statement.
pub(crate) static HEARSAY_WORDS: StaticWordSet =
    LazyLock::new(|| extended_set(&[&HEARSAY_ADVERBS], texts!("en/hearsay_words")));
/// Auxiliaries of a hypothetical sentence.
pub(crate) static HYPOTHETICAL_AUXILIARIES: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/hypothetical_auxiliaries")));
/// Labels that say what to do with the rest.
pub(crate) static INSTRUCTING_LABELS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/instructing_labels")));
/// Verbs at the beginning of instructions.
pub(crate) static INSTRUCTION_VERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/instruction_verbs")));
/// Verbs of intention before another verb: "wants to learn". In base forms.
pub(crate) static INTENTION_VERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/intention_verbs")));
/// Words at the front of a sentence that is inverted and no question.
pub(crate) static INVERTED_OPENINGS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/inverted_openings")));
/// Adverbs that only join a clause to the one before.
pub(crate) static JOINING_ADVERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/joining_adverbs")));
/// Determiners in front of the name of a relation or a class.
pub(crate) static LEADING_DETERMINERS: StaticWordSet =
    LazyLock::new(|| extended_set(&[&ARTICLES, &POSSESSIVES], texts!("en/leading_determiners")));
/// Prepositions of the place where something is left, or of the way in which it ends.
pub(crate) static LEAVING_PREPOSITIONS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/leaving_prepositions")));
/// Prepositions allowed in a short line that is tried again with a verb.
pub(crate) static LINE_PREPOSITIONS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/line_prepositions")));
/// Auxiliaries by which the text of a link is a clause and no name.
pub(crate) static LINKED_AUXILIARIES: StaticWordSet = LazyLock::new(|| word_set(texts!("en/linked_auxiliaries")));
/// Words in the names of diaries and logs.
pub(crate) static LOG_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/log_words")));
/// Words of habit, possibility and intention, by which a predicate has no definite tense.
pub(crate) static LOOSE_TENSE_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/loose_tense_words")));
/// Units and signs behind a number.
pub(crate) static MEASURE_UNITS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/measure_units")));
/// Determiners behind a plural noun that is likely a verb.
pub(crate) static MISTAGGED_DETERMINERS: StaticWordSet =
    LazyLock::new(|| extended_set(&[&ARTICLES], texts!("en/mistagged_determiners")));
/// Nouns unknown to the parser, which tags them as prepositions and numbers: "the desktop app that".
pub(crate) static MISTAGGED_NOUNS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/mistagged_nouns")));
/// Determiners of a bare name at the front of a line.
pub(crate) static NAME_DETERMINERS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/name_determiners")));
/// Verbs that may follow a marked name.
pub(crate) static NAMING_VERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/naming_verbs")));
/// Pronouns that negate their clause.
pub(crate) static NEGATIVE_PRONOUNS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/negative_pronouns")));
/// Words of wishing, doubt and untruth, by which a statement is not asserted.
pub(crate) static NON_ASSERTING_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/non_asserting_words")));
/// Words between a subject and its verb that make it less than a fact.
pub(crate) static NON_FACT_VERBS: StaticWordSet =
    LazyLock::new(|| extended_set(&[&MODALS], texts!("en/non_fact_verbs")));
/// Words behind an article that say nothing about the kind of a thing: `a bit`.
pub(crate) static NON_KIND_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/non_kind_words")));
/// Determiners in front of a noun.
pub(crate) static NOUN_DETERMINERS: StaticWordSet =
    LazyLock::new(|| extended_set(&[&ARTICLES, &POSSESSIVES], texts!("en/noun_determiners")));
/// Words behind a word that is likely a noun.
pub(crate) static NOUN_FOLLOWERS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/noun_followers")));
/// Numerals that are nouns: `a third`, `a dozen`.
pub(crate) static NOUN_NUMERALS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/noun_numerals")));
/// Prepositions and conjunctions attached to nouns more often than to verbs: "notes from Monday".
pub(crate) static NOUN_PREPOSITIONS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/noun_prepositions")));
/// Determiners of an object, behind a word that is likely a verb.
pub(crate) static OBJECT_DETERMINERS: StaticWordSet =
    LazyLock::new(|| extended_set(&[&ARTICLES], texts!("en/object_determiners")));
/// Pronouns of an object, behind a word that is likely a verb.
pub(crate) static OBJECT_PRONOUNS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/object_pronouns")));
/// Question words at the front of an object that names nothing.
pub(crate) static OBJECT_QUESTION_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/object_question_words")));
/// Adverbs at the front of a clause that its other clauses do not share.
pub(crate) static OPENING_ADVERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/opening_adverbs")));
/// Words by which a clause begins behind an opening time.
pub(crate) static OPENING_SUBJECTS: StaticWordSet =
    LazyLock::new(|| extended_set(&[&SUBJECT_PRONOUNS], texts!("en/opening_subjects")));
/// Conjunctions in front of a clause that makes no claim.
pub(crate) static OPEN_CONJUNCTIONS: StaticWordSet =
    LazyLock::new(|| extended_set(&[&PLAIN_CONJUNCTIONS], texts!("en/open_conjunctions")));
/// Words whose clause is denied, wished for, or uncertain.
pub(crate) static OPEN_HEADS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/open_heads")));
/// Labels of what is assumed or proposed.
pub(crate) static OPEN_LABELS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/open_labels")));
/// Pronouns that are another subject in front of a verb.
pub(crate) static OTHER_SUBJECTS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/other_subjects")));
/// Auxiliaries of the past.
pub(crate) static PAST_AUXILIARIES: StaticWordSet = LazyLock::new(|| word_set(texts!("en/past_auxiliaries")));
/// Words at the front of a piece that make it a part of another one.
pub(crate) static PIECE_OPENINGS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/piece_openings")));
/// Conjunctions of time and condition, under any label.
pub(crate) static PLAIN_CONJUNCTIONS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/plain_conjunctions")));
/// Words in a predicate that place it in the future.
pub(crate) static PLAN_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/plan_words")));
/// Beginnings of lines that point elsewhere, greet, or list tags.
pub(crate) static POINTER_OPENINGS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/pointer_openings")));
/// Personal pronouns that stand for a subject.
pub(crate) static POINTING_SUBJECTS: StaticWordSet =
    LazyLock::new(|| extended_set(&[&SUBJECT_PRONOUNS], texts!("en/pointing_subjects")));
/// Words of a predicate besides its verb: auxiliaries, and adverbs that do not affect the relation.
pub(crate) static PREDICATE_FILLERS: StaticWordSet =
    LazyLock::new(|| extended_set(&[&ARTICLES, &MODALS], texts!("en/predicate_fillers")));
/// Prepositions that belong to a predicate.
pub(crate) static PREDICATE_PREPOSITIONS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/predicate_prepositions")));
/// Auxiliaries of the present and the future.
pub(crate) static PRESENT_AUXILIARIES: StaticWordSet = LazyLock::new(|| word_set(texts!("en/present_auxiliaries")));
/// Prepositions at the front of a phrase that may be an estimate or a bound.
pub(crate) static QUANTITY_PREPOSITIONS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/quantity_prepositions")));
/// Labels of questions.
pub(crate) static QUESTION_LABELS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/question_labels")));
/// Units behind a slash: `€/month`.
pub(crate) static RATE_UNITS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/rate_units")));
/// Words at the beginning of a subject that is one of several or was named before.
pub(crate) static REFERRING_DETERMINERS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/referring_determiners")));
/// Pronouns that refer to something named elsewhere.
pub(crate) static REFERRING_PRONOUNS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/referring_pronouns")));
/// Subjects that refer to something else.
pub(crate) static REFERRING_SUBJECTS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/referring_subjects")));
/// Predicates of things that were moved, as opposed to people who moved.
pub(crate) static RELOCATION_PASSIVES: StaticWordSet = LazyLock::new(|| word_set(texts!("en/relocation_passives")));
/// Predicates of relocation, if they have a relation.
pub(crate) static RELOCATION_PREDICATES: StaticWordSet = LazyLock::new(|| word_set(texts!("en/relocation_predicates")));
/// Words that two wordings of one claim may differ in.
pub(crate) static REPEATED_FILLERS: StaticWordSet =
    LazyLock::new(|| extended_set(&[&ARTICLES], texts!("en/repeated_fillers")));
/// Verbs of replacement with a preposition: "replaced A with B".
pub(crate) static REPLACING_VERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/replacing_verbs")));
/// Conjunctions that end the scope of a negation or a hedge.
pub(crate) static SCOPE_CONJUNCTIONS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/scope_conjunctions")));
/// Pronouns and determiners of the second person.
pub(crate) static SECOND_PERSON_WORDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/second_person_words")));
/// Words at the front of a sentence that join it to the one before.
pub(crate) static SENTENCE_CONJUNCTIONS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/sentence_conjunctions")));
/// Adverbs that may stand between a subject and its verb.
pub(crate) static SKIPPABLE_ADVERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/skippable_adverbs")));
/// Fillers at the beginning of a sentence, with their comma.
pub(crate) static SPOKEN_FILLERS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/spoken_fillers")));
/// Adverbs in front of a state: "heating still broken".
pub(crate) static STATE_ADVERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/state_adverbs")));
/// Adverbs behind a state: "heating broken again".
pub(crate) static STATE_ENDINGS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/state_endings")));
/// Prepositions of a place, in a fragment that states where something is.
pub(crate) static STATE_PREPOSITIONS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/state_prepositions")));
/// Words that open a subordinate clause.
pub(crate) static SUBORDINATE_OPENINGS: StaticWordSet =
    LazyLock::new(|| extended_set(&[&PLAIN_CONJUNCTIONS], texts!("en/subordinate_openings")));
/// Forms of *have*, *do*, *want* and *plan*: the verb of a predicate that has no other.
pub(crate) static SUPPORT_VERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/support_verbs")));
/// Words of headings above lists, examples and tasks.
pub(crate) static TASK_HEADINGS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/task_headings")));
/// Verbs of thinking and wishing.
pub(crate) static THINKING_VERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/thinking_verbs")));
/// Pronouns for the listener of what was said: "she told me".
pub(crate) static TOLD_PRONOUNS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/told_pronouns")));
/// Reporting verbs, as they follow the reported clause: "…, he said".
pub(crate) static TRAILING_REPORTING_VERBS: StaticWordSet =
    LazyLock::new(|| word_set(texts!("en/trailing_reporting_verbs")));
/// Articles, auxiliaries and prepositions, which are not compared as content.
pub(crate) static UNCOMPARED_WORDS: StaticWordSet =
    LazyLock::new(|| extended_set(&[&ARTICLES], texts!("en/uncompared_words")));
/// Labels of what is not true.
pub(crate) static UNTRUE_LABELS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/untrue_labels")));
/// Words by which *used to* is a state: "is used to", "get used to".
pub(crate) static USED_TO_AUXILIARIES: StaticWordSet =
    LazyLock::new(|| extended_set(&[&BE_FORMS], texts!("en/used_to_auxiliaries")));
/// Seasons and coming periods, as whole values.
pub(crate) static VAGUE_DATES: StaticWordSet = LazyLock::new(|| word_set(texts!("en/vague_dates")));
/// Words at the beginning of a value that is no definition.
pub(crate) static VALUE_OPENINGS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/value_openings")));
/// Adverbs directly in front of a verb.
pub(crate) static VERB_ADVERBS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/verb_adverbs")));
/// Conjunctions between two verbs of one subject.
pub(crate) static VERB_CONJUNCTIONS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/verb_conjunctions")));
/// Particles that belong to a verb.
pub(crate) static VERB_PARTICLES: StaticWordSet = LazyLock::new(|| word_set(texts!("en/verb_particles")));
/// Auxiliaries of the future, with their clitics.
pub(crate) static WILL_AUXILIARIES: StaticWordSet = LazyLock::new(|| word_set(texts!("en/will_auxiliaries")));
/// Words in *-ly* that are not adverbs.
pub(crate) static WORDS_IN_LY: StaticWordSet = LazyLock::new(|| word_set(texts!("en/words_in_ly")));
