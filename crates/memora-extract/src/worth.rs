//! Whether a claim is worth asking about later.
//!
//! Such a claim states exactly what its sentence states, about a subject one can ask about, and is understandable under
//! its title and headings. A logistic model judges it by features of a claim and its statement (`TRAITS`), fitted
//! by `training/worth.py` to claims of public vaults that people graded. Other claims remain statements: found and
//! cited by their words.

use memora_claim::{Claim, Extractor, Modality, Statement};
use memora_nlp::word_lists::WordSet;

use crate::lemma::is_irregular_form;
use crate::lists::{
    BE_FORMS, CONTINUING_OPENINGS, INSTRUCTION_VERBS, MODALS, REFERRING_DETERMINERS, REFERRING_PRONOUNS,
    SECOND_PERSON_WORDS, TASK_HEADINGS, THINKING_VERBS,
};
use crate::worth_weights::{BIAS, WEIGHTS};

/// Claims below this score are not listed: of the graded claims above it, four in five are right, one in thirty wrong.
const WORTH_MIN: f32 = 0.62;

/// The number of features.
pub const COUNT: usize = WEIGHTS.len();

/// A feature: its name and its value for a claim, 0 to 1.
type WorthFeature = (&'static str, fn(&ClaimWords<'_>) -> f32);

/// The features, in the order of the weights.
const TRAITS: [WorthFeature; COUNT] = [
    ("is_fragment", |seen| indicator(seen.claim.extractor == Extractor::Fragment)),
    ("is_definition", |seen| indicator(seen.claim.extractor == Extractor::Definition)),
    ("is_label", |seen| indicator(seen.claim.extractor == Extractor::Label)),
    ("is_row", |seen| indicator(seen.claim.extractor == Extractor::Row)),
    ("subject_you", |seen| indicator(seen.subject_starts_with(&SECOND_PERSON_WORDS))),
    ("subject_lent", |seen| indicator(seen.is_subject_borrowed())),
    ("subject_name", |seen| indicator(seen.has_named_subject())),
    ("subject_capital", |seen| indicator(seen.subject.first().is_some_and(|word| is_capitalized(word)))),
    ("subject_long", |seen| indicator(seen.subject.len() > 6)),
    ("subject_points", |seen| indicator(seen.subject_starts_with(&REFERRING_DETERMINERS))),
    ("subject_has_pronoun", |seen| indicator(contains_any(&seen.subject, &REFERRING_PRONOUNS))),
    ("pronouns", |seen| capped_share(seen.count_listed(&REFERRING_PRONOUNS), 3)),
    ("says_number", |seen| indicator(seen.argument_words().any(|word| word.contains(|c: char| c.is_ascii_digit())))),
    ("says_name", |seen| indicator(seen.argument_words().any(is_capitalized))),
    ("says_you", |seen| indicator(seen.count_listed(&SECOND_PERSON_WORDS) > 0)),
    ("object_words", |seen| capped_share(seen.object.len(), 20)),
    ("object_one", |seen| indicator(seen.object.len() == 1)),
    ("says_little", |seen| indicator(seen.predicate.len() + seen.argument_words().count() <= 3)),
    ("covers_all", |seen| indicator(seen.covers_statement())),
    ("statement_leans", |seen| indicator(seen.statement_starts_with(&CONTINUING_OPENINGS))),
    ("statement_instructs", |seen| indicator(seen.statement_starts_with(&INSTRUCTION_VERBS))),
    ("statement_lower", |seen| indicator(seen.statement.words.starts_with(char::is_lowercase))),
    ("has_address", |seen| indicator(seen.statement.words.contains("://"))),
    ("object_is_address", |seen| indicator(seen.claim.object.contains("://"))),
    ("verb_is", |seen| indicator(seen.predicate.last().is_some_and(|verb| is_form_of_be(verb)))),
    ("verb_base", |seen| indicator(seen.has_bare_verb())),
    ("verb_words", |seen| capped_share(seen.predicate.len(), 5)),
    ("verb_thinks", |seen| indicator(contains_any(&seen.predicate, &THINKING_VERBS))),
    ("planned", |seen| indicator(seen.claim.modality == Modality::Planned)),
    ("under_tasks", |seen| indicator(seen.context_words().any(|word| is_one_of(word, &TASK_HEADINGS)))),
    ("headings", |seen| capped_share(seen.statement.headings.len(), 5)),
    ("about_heading", |seen| indicator(seen.is_about_heading())),
];

/// Whether a claim is worth listing.
pub(crate) fn is_worth_listing(statement: &Statement, claim: &Claim) -> bool {
    score_claim(statement, claim) >= WORTH_MIN
}

/// Whether the subject of a claim is a pronoun, or named in another sentence.
pub(crate) fn has_pointing_subject(claim: &Claim) -> bool {
    let subject = claim.subject.as_deref().unwrap_or_default();
    is_one_of(subject, &REFERRING_PRONOUNS) || is_one_of(subject, &REFERRING_DETERMINERS)
}

/// Returns the probability that a reader finds the claim true to its statement and clear under its headings.
fn score_claim(statement: &Statement, claim: &Claim) -> f32 {
    let sum: f32 =
        compute_features(statement, claim).iter().zip(WEIGHTS).map(|((_, value), weight)| value * weight).sum();
    1.0 / (1.0 + (-(BIAS + sum)).exp())
}

/// Returns the features of a claim with their names, in the order of the weights; each 0 to 1.
#[must_use]
pub fn compute_features(statement: &Statement, claim: &Claim) -> [(&'static str, f32); COUNT] {
    let seen = ClaimWords::from_claim(statement, claim);
    TRAITS.map(|(name, value)| (name, value(&seen)))
}

/// A claim with its parts split into words.
struct ClaimWords<'c> {
    statement: &'c Statement,
    claim: &'c Claim,
    said: Vec<&'c str>,
    subject: Vec<&'c str>,
    predicate: Vec<&'c str>,
    object: Vec<&'c str>,
    beside: Vec<&'c str>,
}

impl<'c> ClaimWords<'c> {
    fn from_claim(statement: &'c Statement, claim: &'c Claim) -> Self {
        Self {
            statement,
            claim,
            said: split_words(&statement.words).collect(),
            subject: split_words(claim.subject.as_deref().unwrap_or_default()).collect(),
            predicate: split_words(&claim.predicate).collect(),
            object: split_words(&claim.object).collect(),
            beside: claim.qualifiers.iter().flat_map(|beside| split_words(beside)).collect(),
        }
    }

    /// Iterates over the words of object and qualifiers.
    fn argument_words(&self) -> impl Iterator<Item = &'c str> + '_ {
        self.object.iter().chain(&self.beside).copied()
    }

    fn all_words(&self) -> impl Iterator<Item = &'c str> + '_ {
        self.subject.iter().chain(&self.predicate).copied().chain(self.argument_words())
    }

    /// Iterates over the words of the headings above, and of the parent item.
    fn context_words(&self) -> impl Iterator<Item = &'c str> + '_ {
        let above = self.statement.headings.iter().chain(&self.statement.parent);
        above.flat_map(|heading| split_words(heading))
    }

    fn count_listed(&self, list: &WordSet<'_>) -> usize {
        self.all_words().filter(|word| is_one_of(word, list)).count()
    }

    fn subject_starts_with(&self, list: &WordSet<'_>) -> bool {
        self.subject.first().is_some_and(|word| is_one_of(word, list))
    }

    fn statement_starts_with(&self, list: &WordSet<'_>) -> bool {
        self.said.first().is_some_and(|word| is_one_of(word, list))
    }

    /// Whether its subject is not among the statement's words.
    fn is_subject_borrowed(&self) -> bool {
        let subject = self.claim.subject.as_deref().unwrap_or_default();
        subject.is_empty() || !self.statement.words.to_lowercase().contains(&subject.to_lowercase())
    }

    /// Whether its subject contains a name: a capital that does not begin a sentence, a figure, or a capital in a word.
    fn has_named_subject(&self) -> bool {
        let within = |word: &&str| word.chars().skip(1).any(char::is_uppercase);
        let first = self.subject.first().is_some_and(|word| is_capitalized(word) && self.said.first() != Some(word));
        first
            || self.subject.iter().skip(1).any(|word| is_capitalized(word))
            || self.subject.iter().any(|word| word.contains(|c: char| c.is_ascii_digit()))
            || self.subject.iter().any(within)
    }

    /// Whether it covers nearly all longer words of its statement.
    fn covers_statement(&self) -> bool {
        let long = |word: &&&str| word.chars().count() > 3;
        let held = |word: &&&str| self.all_words().any(|own| own.eq_ignore_ascii_case(word));
        let all = self.said.iter().filter(long).count();
        self.said.iter().filter(long).filter(held).count() * 10 > all * 9 || all == 0
    }

    /// Whether its verb is uninflected: "use", in an instruction.
    fn has_bare_verb(&self) -> bool {
        let verb = self.predicate.first().copied().unwrap_or_default().to_lowercase();
        let helps =
            is_form_of_be(&verb) || is_one_of(&verb, &MODALS) || matches!(verb.as_str(), "has" | "have" | "had");
        !verb.is_empty() && !verb.ends_with("ed") && !verb.ends_with('s') && !helps && !is_irregular_form(&verb)
    }

    fn is_about_heading(&self) -> bool {
        let long = |word: &&str| word.chars().count() > 3;
        self.context_words().filter(long).any(|above| self.all_words().any(|own| own.eq_ignore_ascii_case(above)))
    }
}

fn is_form_of_be(word: &str) -> bool {
    is_one_of(word, &BE_FORMS)
}

/// Iterates over the words of a text, without the marks around them.
fn split_words(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|c: char| c.is_whitespace() || matches!(c, '/' | '|' | '—' | '–'));
    parts.map(|part| part.trim_matches(|c: char| !c.is_alphanumeric())).filter(|word| !word.is_empty())
}

fn is_capitalized(word: &str) -> bool {
    word.starts_with(char::is_uppercase) && word != "I"
}

fn is_one_of(word: &str, list: &WordSet<'_>) -> bool {
    // Lists are in lower case.
    list.contains(word)
        || word.bytes().any(|byte| byte.is_ascii_uppercase()) && list.contains(word.to_ascii_lowercase().as_str())
        || word.contains('’') && list.contains(word.replace('’', "'").as_str())
}

fn contains_any(words: &[&str], list: &WordSet<'_>) -> bool {
    words.iter().any(|word| is_one_of(word, list))
}

fn capped_share(n: usize, most: u16) -> f32 {
    f32::from(u16::try_from(n).unwrap_or(most).min(most)) / f32::from(most)
}

fn indicator(is: bool) -> f32 {
    f32::from(u8::from(is))
}
