//! Whether a reading is worth keeping as a claim.
//!
//! A claim is a promise to be asked about later: it says exactly what its sentence says, of something that one can ask about,
//! and stands alone. That is told by a logistic model over what is seen of a reading and its statement ([`TRAITS`]), fitted by
//! `training/worth.py` to readings of public vaults that people graded. The one rule to know: **a trait depends on the
//! statement and its reading alone**, never on the note or the vault, so that equal statements have equal claims.
//!
//! What is not worth keeping stays a statement: it is found and cited by its words.

use memora_claim::{Claim, Extractor, Modality, Statement, StatementKind};
use memora_vault::Zone;

use crate::worth_weights::{BIAS, WEIGHTS};

/// Readings below this are not claimed: of the graded readings above it, six of ten are right and one in fourteen is wrong.
const WORTH_MIN: f32 = 0.5;

/// Names of what is looked at, in the order of the weights.
pub const TRAITS: [&str; COUNT] = [
    "is_clause",
    "is_fragment",
    "is_definition",
    "is_label",
    "is_property",
    "is_row",
    "is_field",
    "is_task",
    "is_item",
    "is_quote",
    "confidence",
    "subject_i",
    "subject_we",
    "subject_mine",
    "subject_you",
    "subject_pronoun",
    "subject_pointing",
    "subject_the",
    "subject_a",
    "subject_theirs",
    "subject_lent",
    "subject_name",
    "subject_capital",
    "subject_lower",
    "subject_words",
    "subject_long",
    "subject_plural",
    "subject_doing",
    "subject_unfinished",
    "says_pronoun",
    "says_pronouns",
    "says_it",
    "begins_it",
    "says_name",
    "says_names",
    "says_number",
    "object_words",
    "object_none",
    "object_one",
    "words",
    "qualifiers",
    "says_little",
    "covered",
    "covered_all",
    "statement_words",
    "statement_long",
    "statement_leans",
    "statement_lower",
    "statement_ended",
    "statement_shouts",
    "statement_asks",
    "statement_quotes",
    "statement_brackets",
    "statement_parted",
    "statement_colon",
    "statement_commas",
    "statement_marked",
    "verb_is",
    "verb_is_first",
    "verb_has",
    "verb_modal",
    "verb_past",
    "verb_s",
    "verb_base",
    "verb_capital",
    "verb_words",
    "verb_thinks",
    "is_little",
    "is_plain",
    "planned",
    "reported",
    "conditional",
    "rejected",
    "negated",
    "attributed",
    "related",
    "dated",
    "i_past",
    "i_little",
    "named_whole",
    "named_past",
    "lent_named",
];

/// How many traits there are.
pub(crate) const COUNT: usize = 82;

/// Words that point at something else.
const POINTING: &[&str] = &[
    "all",
    "another",
    "any",
    "both",
    "each",
    "everyone",
    "everything",
    "former",
    "he",
    "her",
    "here",
    "him",
    "it",
    "its",
    "latter",
    "many",
    "most",
    "nothing",
    "one",
    "ones",
    "other",
    "others",
    "people",
    "same",
    "she",
    "some",
    "someone",
    "something",
    "such",
    "that",
    "their",
    "them",
    "there",
    "these",
    "they",
    "thing",
    "things",
    "this",
    "those",
    "what",
    "which",
    "who",
];

/// Those that leave open what is meant wherever they stand.
const OPEN: &[&str] =
    &["he", "her", "here", "him", "it", "she", "that", "them", "there", "these", "they", "this", "those"];

/// Words at the beginning of a sentence that goes on from the one before.
const LEANING: &[&str] = &[
    "also",
    "and",
    "because",
    "but",
    "he",
    "however",
    "instead",
    "it",
    "or",
    "she",
    "so",
    "still",
    "such",
    "that",
    "then",
    "therefore",
    "these",
    "they",
    "this",
    "those",
    "thus",
    "well",
    "which",
    "yet",
];

/// Verbs in the past that do not end in "ed".
const PAST: &[&str] = &[
    "became", "began", "bought", "built", "came", "chose", "did", "felt", "found", "gave", "got", "grew", "had",
    "heard", "held", "kept", "knew", "learnt", "left", "lost", "made", "met", "moved", "paid", "ran", "read", "said",
    "sat", "saw", "sent", "sold", "spent", "spoke", "taught", "thought", "told", "took", "was", "went", "were", "won",
    "wrote",
];

/// Verbs of thinking and wishing.
const THINKING: &[&str] = &[
    "agree", "believe", "feel", "guess", "hope", "know", "like", "love", "mean", "seem", "seems", "suppose", "think",
    "thought", "want", "wish", "wonder",
];

const MODAL: &[&str] = &["can", "could", "may", "might", "must", "should", "will", "would"];

/// Whether a reading is worth being asked about later.
pub(crate) fn is_worth_it(statement: &Statement, claim: &Claim) -> bool {
    worth(statement, claim) >= WORTH_MIN
}

/// Whether a reading is about a pronoun, or what another sentence names.
pub(crate) fn is_pointing(claim: &Claim) -> bool {
    let subject = claim.subject.as_deref().unwrap_or_default().to_lowercase();
    POINTING.contains(&subject.as_str())
}

/// How likely a reader finds that a reading says what its statement says, definitely and by itself; 0 to 1.
fn worth(statement: &Statement, claim: &Claim) -> f32 {
    let sum: f32 = traits(statement, claim).iter().zip(WEIGHTS).map(|(value, weight)| value * weight).sum();
    1.0 / (1.0 + (-(BIAS + sum)).exp())
}

/// What is seen of a reading, in the order of [`TRAITS`]; each 0 to 1.
#[must_use]
pub fn traits(statement: &Statement, claim: &Claim) -> [f32; COUNT] {
    let said = statement.words.as_str();
    let subject = claim.subject.as_deref().unwrap_or_default();
    let object = claim.object.as_str();
    let beside = claim.qualifiers.join(" ");
    let (subjects, verbs, objects) = (words(subject), words(&claim.predicate), words(object));
    let (besides, whole) = (words(&beside), words(said));
    let subject_lower = lower(&subjects);
    let verbs_lower = lower(&verbs);
    let rest: Vec<&str> = objects.iter().chain(&besides).copied().collect();
    let rest_lower = lower(&rest);
    let first = subject_lower.first().map_or("", String::as_str);
    let only = |word: &str| subject_lower.len() == 1 && first == word;
    let any = |list: &[&str], of: &[String]| of.iter().any(|word| list.contains(&word.as_str()));
    let capital = |word: &&str| word.starts_with(char::is_uppercase);
    let by = |extractor: Extractor| claim.extractor == extractor;
    let is_read = by(Extractor::Clause) || by(Extractor::Fragment);
    let names = rest.iter().filter(|word| capital(word)).count();
    let covered = covered(&whole, &[&subjects, &verbs, &objects, &besides]);
    let lent = !subject.is_empty() && !said.to_lowercase().contains(&subject.to_lowercase()) || claim.subject.is_none();
    let named = is_name(subject, &subjects, said);
    let subject_i = only("i");
    let verb = verbs_lower.first().map_or("", String::as_str);
    let is = |word: &str| matches!(word, "is" | "are" | "was" | "were" | "be" | "am" | "been");
    let verb_is = verbs_lower.last().is_some_and(|word| is(word));
    let verb_past = verb.ends_with("ed") || PAST.contains(&verb);
    let verb_s = verb.ends_with('s') && !matches!(verb, "is" | "was" | "has");
    let verb_modal = MODAL.contains(&verb);
    let verb_has = matches!(verb, "has" | "have" | "had");
    let little = verbs.len() + rest.len() <= 3;
    let number = |text: &str| text.contains(|c: char| c.is_ascii_digit());
    let says_number = number(object) || number(&beside);
    let begins = lower(&whole).into_iter().next().unwrap_or_default();
    let pronouns = rest_lower.iter().filter(|word| POINTING.contains(&word.as_str())).count();
    let flags_before = [
        by(Extractor::Clause),
        by(Extractor::Fragment),
        by(Extractor::Definition),
        by(Extractor::Label),
        by(Extractor::Property),
        by(Extractor::Row),
        by(Extractor::Field),
        by(Extractor::Task),
        statement.kind == StatementKind::Item,
        statement.zone == Zone::Quote,
    ];
    let mut found = [0.0; COUNT];
    let mut at = 0;
    let mut put = |value: f32| {
        if let Some(slot) = found.get_mut(at) {
            *slot = value;
        }
        at += 1;
    };
    flags_before.into_iter().for_each(|is| put(flag(is)));
    put(if is_read { claim.confidence } else { 0.0 });
    for is in [
        subject_i,
        only("we"),
        first == "my" || first == "our",
        only("you"),
        subject_lower.len() == 1 && POINTING.contains(&first),
        subject_lower.len() > 1
            && matches!(
                first,
                "this" | "that" | "these" | "those" | "such" | "another" | "other" | "both" | "each" | "same"
            ),
        first == "the",
        matches!(first, "a" | "an" | "some" | "any" | "every" | "no"),
        matches!(first, "its" | "their" | "his" | "her" | "your"),
        lent,
        named,
        subjects.first().is_some_and(capital),
        subjects.first().is_some_and(|word| word.starts_with(char::is_lowercase)),
    ] {
        put(flag(is));
    }
    put(few(subjects.len(), 10));
    for is in [
        subjects.len() > 6,
        subject_lower.last().is_some_and(|word| word.ends_with('s') && !word.ends_with("ss")),
        first.ends_with("ing"),
        subject.trim_end().ends_with([':', '?', '.']),
        pronouns > 0,
    ] {
        put(flag(is));
    }
    put(few(pronouns, 4));
    put(flag(any(OPEN, &rest_lower)));
    put(flag(
        rest_lower.first().is_some_and(|word| OPEN.contains(&word.as_str()) || word == "something" || word == "one"),
    ));
    put(flag(names > 0));
    put(few(names, 5));
    put(flag(says_number));
    put(few(objects.len(), 20));
    put(flag(object.is_empty()));
    put(flag(objects.len() == 1));
    put(few(subjects.len() + verbs.len() + rest.len(), 40));
    put(few(claim.qualifiers.len(), 5));
    put(flag(little));
    put(covered);
    put(flag(covered > 0.9));
    put(few(whole.len(), 60));
    for is in [
        whole.len() > 35,
        LEANING.contains(&begins.as_str()),
        whole.first().is_some_and(|word| word.starts_with(char::is_lowercase)),
        said.trim_end().ends_with(['.', '!', ')', '"', '”']),
        said.contains('!'),
        said.contains('?'),
        said.contains(['"', '“']),
        said.contains('('),
        said.contains([';', '—']) || said.contains(" - ") || said.contains(" – "),
        said.contains(':'),
    ] {
        put(flag(is));
    }
    put(few(said.matches(',').count(), 4));
    for is in [
        said.contains(['`', '$', '=', '{', '|', '\\', '→']) || said.contains("->"),
        verb_is,
        matches!(verb, "is" | "are"),
        verb_has,
        verb_modal,
        verb_past,
        verb_s,
        !verb.is_empty() && !verb_past && !verb_s && !verb_is && !verb_modal && !verb_has,
        verbs.first().is_some_and(capital),
    ] {
        put(flag(is));
    }
    put(few(verbs.len(), 5));
    for is in [
        any(THINKING, &verbs_lower),
        verb_is && rest.len() <= 3,
        verb_is && objects.len() <= 2 && names == 0 && !says_number,
        claim.modality == Modality::Planned,
        claim.modality == Modality::Reported,
        claim.modality == Modality::Conditional,
        claim.modality == Modality::Rejected,
        claim.negated,
        claim.attribution.is_some(),
        claim.relation.is_some(),
        !claim.holds.is_open(),
        subject_i && verb_past,
        (subject_i || only("we")) && little,
        named && covered > 0.8,
        named && verb_past,
        lent && named,
    ] {
        put(flag(is));
    }
    found
}

/// The words of a text, without the marks around them.
fn words(text: &str) -> Vec<&str> {
    let word = |part: &'_ str| part.chars().any(char::is_alphanumeric);
    text.split(|c: char| c.is_whitespace() || matches!(c, '/' | '|' | '—' | '–'))
        .map(|part| part.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|part| word(part))
        .collect()
}

fn lower(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| word.to_lowercase().replace('’', "'")).collect()
}

/// Whether a subject holds a name: a capital that no sentence begins with, a figure, or a capital within a word.
fn is_name(subject: &str, words: &[&str], said: &str) -> bool {
    let capital = |word: &&str| word.starts_with(char::is_uppercase) && *word != "I";
    let within = |word: &&str| word.chars().skip(1).any(char::is_uppercase);
    let opens = said.trim_start_matches(|c: char| !c.is_alphanumeric()).starts_with(subject);
    words.iter().skip(1).any(capital)
        || words.first().is_some_and(|word| capital(word) && !opens)
        || subject.contains(|c: char| c.is_ascii_digit())
        || words.iter().any(within)
}

/// The share of a statement's longer words that a reading takes up.
fn covered(whole: &[&str], parts: &[&[&str]]) -> f32 {
    let long: Vec<String> = lower(whole).into_iter().filter(|word| word.chars().count() > 3).collect();
    let taken: Vec<String> = parts.iter().flat_map(|part| lower(part)).collect();
    let held = long.iter().filter(|word| taken.contains(word)).count();
    if long.is_empty() { 1.0 } else { few(held, 400) / few(long.len(), 400) }
}

fn few(n: usize, most: u16) -> f32 {
    f32::from(u16::try_from(n).unwrap_or(most).min(most)) / f32::from(most)
}

fn flag(is: bool) -> f32 {
    f32::from(u8::from(is))
}
