//! The word lists of `data/`, read once: what the rules of extraction go by.
//!
//! Words of a language as such (articles, modals, months, numerals) are those of [`memora_nlp::lexicon`]. Not here: what
//! an entry is used for.

pub(crate) use memora_nlp::lexicon::{
    ARTICLES, BE_FORMS, CONDITION_MARKERS, HEARSAY_ADVERBS, HEDGES, MODALS, POSSESSIVES, REPORTING_VERBS,
    SUBJECT_PRONOUNS,
};
use memora_nlp::word_sets;

word_sets! {
    /// Pronouns in front of an exception that is denied: "all but Tom".
    pub(crate) ALL_BUT_PRONOUNS: en + EXCEPTION_PRONOUNS;
    /// Words by which a verb in an alternative is a possibility.
    pub(crate) ALTERNATIVE_AUXILIARIES: en;
    /// Auxiliaries by which a verb without a subject is no request.
    pub(crate) ASSERTING_AUXILIARIES: en;
    /// Labels that name an attribute, never a term: the text behind them is its value.
    pub(crate) ATTRIBUTE_LABELS: en;
    /// Forms of *be*, *have* and *do* that are no irregular past of a full verb.
    pub(crate) AUXILIARY_FORMS: en;
    /// Pronouns that point back to another clause.
    pub(crate) BACKWARD_PRONOUNS: en;
    /// Adjectives whose clause is a belief.
    pub(crate) BELIEF_ADJECTIVES: en;
    /// Conjunctions and question words by which a clause is not asserted.
    pub(crate) CIRCUMSTANCE_CONJUNCTIONS: en + OPEN_CONJUNCTIONS;
    /// Prepositions and conjunctions of circumstance behind a verb.
    pub(crate) CIRCUMSTANCE_PREPOSITIONS: en;
    /// Words at the front of a piece that may begin an independent clause.
    pub(crate) CLAUSE_CONJUNCTIONS: en;
    /// Words that introduce a clause.
    pub(crate) CLAUSE_INTRODUCERS: en;
    /// Words that negate a verb, with their clitics.
    pub(crate) CLAUSE_NEGATIONS: en;
    /// Tags that web clippers and highlight importers give to the notes they create.
    pub(crate) CLIPPING_TAGS: en;
    /// Words for times of day.
    pub(crate) CLOCK_WORDS: en;
    /// Auxiliaries of the hypothetical, with their clitics.
    pub(crate) CONDITIONAL_AUXILIARIES: en;
    /// Openings of a condition, under any label.
    pub(crate) CONDITION_OPENERS: en;
    /// Words that open a condition or an indirect question.
    pub(crate) CONDITION_WORDS: en + CONDITION_MARKERS;
    /// Adverbs that only connect sentences.
    pub(crate) CONNECTIVE_ADVERBS: en;
    /// Words behind a comma that depend on those before it.
    pub(crate) CONTINUATION_OPENINGS: en;
    /// Words at the beginning of a sentence that continues the one before.
    pub(crate) CONTINUING_OPENINGS: en;
    /// Forms of *be*, with their clitics.
    pub(crate) COPULA_FORMS: en + BE_FORMS;
    /// Words in front of a date that govern it.
    pub(crate) DATE_PREPOSITIONS: en;
    /// Words that deny a proposal.
    pub(crate) DENIALS: en;
    /// Verbs by which something considered was given up.
    pub(crate) DISMISSING_VERBS: en;
    /// Counts in front of a unit of time.
    pub(crate) DURATION_COUNTS: en;
    /// Pronouns that name no subject.
    pub(crate) EMPTY_SUBJECTS: en;
    /// Verbs in the third person with a pronoun as object: "lets you".
    pub(crate) ENABLING_FORMS: en;
    /// Verbs that end their object.
    pub(crate) ENDING_VERBS: en;
    /// Pronouns in front of an exception: "all but one".
    pub(crate) EXCEPTION_PRONOUNS: en;
    /// Prepositions of the place where something exists: "there is A in B".
    pub(crate) EXISTENCE_PREPOSITIONS: en + STATE_PREPOSITIONS;
    /// Verbs of an end: a time beside them is when something ends. In base forms.
    pub(crate) EXPIRY_VERBS: en;
    /// Pronouns and determiners of the first person.
    pub(crate) FIRST_PERSON_WORDS: en;
    /// Words of frequency.
    pub(crate) FREQUENCY_WORDS: en;
    /// Verbs of a change from one thing to another.
    pub(crate) FROM_TO_VERBS: en;
    /// Words that open a condition in front of its clause.
    pub(crate) FRONTED_CONDITIONS: en;
    /// Words that open an asserted clause in front of another.
    pub(crate) FRONTED_REASONS: en;
    /// Words that open a time or a purpose in front of its clause.
    pub(crate) FRONTED_TIMES: en;
    /// Words and adverbs, with their comma, in front of a fronted clause: "but if".
    pub(crate) FRONT_FILLERS: en;
    /// Verbs and auxiliaries of the future, with their clitics.
    pub(crate) FUTURE_VERBS: en;
    /// Forms of *have* as auxiliaries, with their clitics.
    pub(crate) HAVE_AUXILIARIES: en;
    /// Labels of what others say, or of fiction.
    pub(crate) HEARSAY_LABELS: en;
    /// Words by which the writer does not vouch for a statement.
    pub(crate) HEARSAY_WORDS: en + HEARSAY_ADVERBS;
    /// Auxiliaries of a hypothetical sentence.
    pub(crate) HYPOTHETICAL_AUXILIARIES: en;
    /// Labels that say what to do with the rest.
    pub(crate) INSTRUCTING_LABELS: en;
    /// Verbs at the beginning of instructions.
    pub(crate) INSTRUCTION_VERBS: en;
    /// Verbs of intention before another verb: "wants to learn". In base forms.
    pub(crate) INTENTION_VERBS: en;
    /// Words at the front of a sentence that is inverted and no question.
    pub(crate) INVERTED_OPENINGS: en;
    /// Adverbs that only join a clause to the one before.
    pub(crate) JOINING_ADVERBS: en;
    /// Determiners in front of the name of a relation or a class.
    pub(crate) LEADING_DETERMINERS: en + ARTICLES + POSSESSIVES;
    /// Prepositions of the place where something is left, or of the way in which it ends.
    pub(crate) LEAVING_PREPOSITIONS: en;
    /// Prepositions allowed in a short line that is tried again with a verb.
    pub(crate) LINE_PREPOSITIONS: en;
    /// Auxiliaries by which the text of a link is a clause and no name.
    pub(crate) LINKED_AUXILIARIES: en;
    /// Words in the names of diaries and logs.
    pub(crate) LOG_WORDS: en;
    /// Words of habit, possibility and intention, by which a predicate has no definite tense.
    pub(crate) LOOSE_TENSE_WORDS: en;
    /// Units and signs behind a number.
    pub(crate) MEASURE_UNITS: en;
    /// Determiners behind a plural noun that is likely a verb.
    pub(crate) MISTAGGED_DETERMINERS: en + ARTICLES;
    /// Nouns unknown to the parser, which tags them as prepositions and numbers: "the desktop app that".
    pub(crate) MISTAGGED_NOUNS: en;
    /// Determiners of a bare name at the front of a line.
    pub(crate) NAME_DETERMINERS: en;
    /// Verbs that may follow a marked name.
    pub(crate) NAMING_VERBS: en;
    /// Pronouns that negate their clause.
    pub(crate) NEGATIVE_PRONOUNS: en;
    /// Words of wishing, doubt and untruth, by which a statement is not asserted.
    pub(crate) NON_ASSERTING_WORDS: en;
    /// Words between a subject and its verb that make it less than a fact.
    pub(crate) NON_FACT_VERBS: en + MODALS;
    /// Words behind an article that say nothing about the kind of a thing: `a bit`.
    pub(crate) NON_KIND_WORDS: en;
    /// Determiners in front of a noun.
    pub(crate) NOUN_DETERMINERS: en + ARTICLES + POSSESSIVES;
    /// Words behind a word that is likely a noun.
    pub(crate) NOUN_FOLLOWERS: en;
    /// Numerals that are nouns: `a third`, `a dozen`.
    pub(crate) NOUN_NUMERALS: en;
    /// Prepositions and conjunctions attached to nouns more often than to verbs: "notes from Monday".
    pub(crate) NOUN_PREPOSITIONS: en;
    /// Determiners of an object, behind a word that is likely a verb.
    pub(crate) OBJECT_DETERMINERS: en + ARTICLES;
    /// Pronouns of an object, behind a word that is likely a verb.
    pub(crate) OBJECT_PRONOUNS: en;
    /// Question words at the front of an object that names nothing.
    pub(crate) OBJECT_QUESTION_WORDS: en;
    /// Adverbs at the front of a clause that its other clauses do not share.
    pub(crate) OPENING_ADVERBS: en;
    /// Words by which a clause begins behind an opening time.
    pub(crate) OPENING_SUBJECTS: en + SUBJECT_PRONOUNS;
    /// Conjunctions in front of a clause that makes no claim.
    pub(crate) OPEN_CONJUNCTIONS: en + PLAIN_CONJUNCTIONS;
    /// Words whose clause is denied, wished for, or uncertain.
    pub(crate) OPEN_HEADS: en;
    /// Labels of what is assumed or proposed.
    pub(crate) OPEN_LABELS: en;
    /// Pronouns that are another subject in front of a verb.
    pub(crate) OTHER_SUBJECTS: en;
    /// Auxiliaries of the past.
    pub(crate) PAST_AUXILIARIES: en;
    /// Words at the front of a piece that make it a part of another one.
    pub(crate) PIECE_OPENINGS: en;
    /// Conjunctions of time and condition, under any label.
    pub(crate) PLAIN_CONJUNCTIONS: en;
    /// Words in a predicate that place it in the future.
    pub(crate) PLAN_WORDS: en;
    /// Beginnings of lines that point elsewhere, greet, or list tags.
    pub(crate) POINTER_OPENINGS: en;
    /// Personal pronouns that stand for a subject.
    pub(crate) POINTING_SUBJECTS: en + SUBJECT_PRONOUNS;
    /// Words of a predicate besides its verb: auxiliaries, and adverbs that do not affect the relation.
    pub(crate) PREDICATE_FILLERS: en + ARTICLES + MODALS;
    /// Prepositions that belong to a predicate.
    pub(crate) PREDICATE_PREPOSITIONS: en;
    /// Auxiliaries of the present and the future.
    pub(crate) PRESENT_AUXILIARIES: en;
    /// Prepositions at the front of a phrase that may be an estimate or a bound.
    pub(crate) QUANTITY_PREPOSITIONS: en;
    /// Labels of questions.
    pub(crate) QUESTION_LABELS: en;
    /// Units behind a slash: `€/month`.
    pub(crate) RATE_UNITS: en;
    /// Words at the beginning of a subject that is one of several or was named before.
    pub(crate) REFERRING_DETERMINERS: en;
    /// Pronouns that refer to something named elsewhere.
    pub(crate) REFERRING_PRONOUNS: en;
    /// Subjects that refer to something else.
    pub(crate) REFERRING_SUBJECTS: en;
    /// Predicates of things that were moved, as opposed to people who moved.
    pub(crate) RELOCATION_PASSIVES: en;
    /// Predicates of relocation, if they have a relation.
    pub(crate) RELOCATION_PREDICATES: en;
    /// Words that two wordings of one claim may differ in.
    pub(crate) REPEATED_FILLERS: en + ARTICLES;
    /// Verbs of replacement with a preposition: "replaced A with B".
    pub(crate) REPLACING_VERBS: en;
    /// Conjunctions that end the scope of a negation or a hedge.
    pub(crate) SCOPE_CONJUNCTIONS: en;
    /// Pronouns and determiners of the second person.
    pub(crate) SECOND_PERSON_WORDS: en;
    /// Words at the front of a sentence that join it to the one before.
    pub(crate) SENTENCE_CONJUNCTIONS: en;
    /// Adverbs that may stand between a subject and its verb.
    pub(crate) SKIPPABLE_ADVERBS: en;
    /// Fillers at the beginning of a sentence, with their comma.
    pub(crate) SPOKEN_FILLERS: en;
    /// Adverbs in front of a state: "heating still broken".
    pub(crate) STATE_ADVERBS: en;
    /// Adverbs behind a state: "heating broken again".
    pub(crate) STATE_ENDINGS: en;
    /// Prepositions of a place, in a fragment that states where something is.
    pub(crate) STATE_PREPOSITIONS: en;
    /// Words that open a subordinate clause.
    pub(crate) SUBORDINATE_OPENINGS: en + PLAIN_CONJUNCTIONS;
    /// Forms of *have*, *do*, *want* and *plan*: the verb of a predicate that has no other.
    pub(crate) SUPPORT_VERBS: en;
    /// Words of headings above lists, examples and tasks.
    pub(crate) TASK_HEADINGS: en;
    /// Verbs of thinking and wishing.
    pub(crate) THINKING_VERBS: en;
    /// Pronouns for the listener of what was said: "she told me".
    pub(crate) TOLD_PRONOUNS: en;
    /// Reporting verbs, as they follow the reported clause: "…, he said".
    pub(crate) TRAILING_REPORTING_VERBS: en;
    /// Articles, auxiliaries and prepositions, which are not compared as content.
    pub(crate) UNCOMPARED_WORDS: en + ARTICLES;
    /// Labels of what is not true.
    pub(crate) UNTRUE_LABELS: en;
    /// Words by which *used to* is a state: "is used to", "get used to".
    pub(crate) USED_TO_AUXILIARIES: en + BE_FORMS;
    /// Seasons and coming periods, as whole values.
    pub(crate) VAGUE_DATES: en;
    /// Words at the beginning of a value that is no definition.
    pub(crate) VALUE_OPENINGS: en;
    /// Adverbs directly in front of a verb.
    pub(crate) VERB_ADVERBS: en;
    /// Conjunctions between two verbs of one subject.
    pub(crate) VERB_CONJUNCTIONS: en;
    /// Particles that belong to a verb.
    pub(crate) VERB_PARTICLES: en;
    /// Auxiliaries of the future, with their clitics.
    pub(crate) WILL_AUXILIARIES: en;
    /// Words in *-ly* that are not adverbs.
    pub(crate) WORDS_IN_LY: en;
}
