//! The confidence of a reading: how likely a careful reader would claim the same.
//!
//! A logistic model over features of a reading and its tree, fitted on the development halves of the labelled notes.
//! It ranks claims and cuts off the worst; it is not a probability.

use memora_claim::Phase;
use memora_nlp::{Label, Upos, Xpos};

use super::parsed_sentence::ParsedSentence;
use super::reading::{ReadingSubject, StatementReading};
use crate::clause::tree_query::is_subject_label;
use crate::lists::MISTAGGED_DETERMINERS;

/// The number of features, in the order of [`WEIGHTS`].
const COUNT: usize = 32;

const BIAS: f32 = -0.113;

const WEIGHTS: [f32; COUNT] = [
    0.080, 0.179, 0.861, 0.962, 0.757, 0.117, 0.199, -1.016, 0.894, 0.253, -1.341, -0.684, -0.328, -0.037, 0.700,
    0.022, -0.504, -0.372, -0.634, 0.013, -0.882, 1.330, -0.026, -0.718, -0.752, -0.294, -0.545, -0.535, -0.085,
    -0.643, -0.647, -0.196,
];

/// Adds the text in front of all readings, which is attached nowhere in the tree, as a qualifier to the main
/// clauses: "Under Settings, next to Sync, select Manage".
pub(super) fn add_front_qualifier(sentence: ParsedSentence<'_>, readings: &mut [StatementReading]) {
    let Some(first) = readings.iter().flat_map(|reading| reading.parts.all_tokens()).min() else { return };
    let words: Vec<usize> = (0..first).collect();
    let says = |i: &usize| {
        matches!(sentence.tree.upos(*i), Upos::Noun | Upos::Propn | Upos::Verb | Upos::Num)
            && !sentence.range(*i).is_empty()
    };
    if !words.iter().any(says) {
        return;
    }
    let front = sentence.phrase(&words);
    let front = front.trim_end_matches([',', ';', ':', '-', '–', '—', ' ']);
    for reading in readings.iter_mut().filter(|reading| reading.is_clause && reading.is_main) {
        reading.qualifiers.insert(0, front.to_owned());
    }
}

/// Sets the confidence of all readings of a line.
pub(super) fn rate_readings(sentence: ParsedSentence<'_>, readings: &mut [StatementReading]) {
    let covered = covered_share(sentence, readings);
    for reading in readings {
        let traits = compute_features(sentence, reading, covered);
        let sum: f32 = traits.iter().zip(WEIGHTS).map(|(t, w)| t * w).sum();
        reading.confidence = 1.0 / (1.0 + (-(BIAS + sum)).exp());
    }
}

/// Returns the share of content words covered by the readings.
fn covered_share(sentence: ParsedSentence<'_>, readings: &[StatementReading]) -> f32 {
    let content: Vec<usize> = (0..sentence.tree.len())
        .filter(|i| matches!(sentence.tree.upos(*i), Upos::Noun | Upos::Propn | Upos::Verb | Upos::Adj | Upos::Num))
        .collect();
    let taken =
        content.iter().filter(|i| readings.iter().any(|r| r.parts.all_tokens().any(|part| part == **i))).count();
    ratio(taken, content.len())
}

fn compute_features(sentence: ParsedSentence<'_>, reading: &StatementReading, covered: f32) -> [f32; COUNT] {
    let tree = sentence.tree;
    let parts = &reading.parts;
    let core: Vec<usize> = parts.subject.iter().chain(&parts.predicate).chain(&parts.object).copied().collect();
    let share = |wanted: &dyn Fn(usize) -> bool| ratio(core.iter().filter(|i| wanted(**i)).count(), core.len());
    let all = |wanted: &dyn Fn(usize) -> bool| ratio((0..tree.len()).filter(|i| wanted(*i)).count(), tree.len());
    let any = |words: &[usize], wanted: &dyn Fn(usize) -> bool| indicator(words.iter().any(|i| wanted(*i)));
    let pronoun = |i: usize| tree.upos(i) == Upos::Pron;
    let verb_agreed = parts.verb.is_none_or(|verb| tree.has_agreed_head(verb));
    let few = |n: usize, most: u16| f32::from(u16::try_from(n).unwrap_or(most).min(most)) / f32::from(most);
    [
        reading.confidence,
        indicator(reading.is_clause),
        indicator(reading.is_described),
        indicator(!reading.is_clause && reading.predicate == "has"),
        indicator(reading.is_finite),
        indicator(reading.is_main),
        indicator(reading.phase != Phase::Steady),
        indicator(reading.subject == ReadingSubject::FromContext),
        any(&parts.subject, &pronoun),
        any(&parts.subject, &|i| tree.upos(i) == Upos::Propn),
        few(parts.subject.len(), 10),
        indicator(parts.object.is_empty()),
        few(parts.object.len(), 12),
        any(&parts.object, &pronoun),
        few(parts.predicate.len(), 5),
        few(parts.beside.len(), 12),
        share(&|i| !tree.has_agreed_head(i)),
        share(&|i| tree.margin(i) < 3.0),
        all(&|i| !tree.has_agreed_head(i)),
        indicator(verb_agreed),
        few(tree.len(), 30),
        covered,
        indicator(tree.word(tree.len().saturating_sub(1)) == "."),
        any(&parts.predicate, &|i| matches!(tree.xpos(i), Xpos::Vb | Xpos::Vbp)),
        any(&parts.object, &|i| matches!(tree.upos(i), Upos::Punct | Upos::Verb)),
        any(&parts.predicate, &|i| tree.margin(i) < 6.0),
        all(&|i| is_fallback_label(tree.label(i))),
        indicator(
            parts
                .beside_starts
                .iter()
                .any(|i| matches!(tree.upos(*i), Upos::Noun | Upos::Verb | Upos::Adj | Upos::Num)),
        ),
        any(&parts.subject, &|i| tree.upos(i) == Upos::Verb),
        indicator(parts.object.first().is_some_and(|i| matches!(tree.upos(*i), Upos::Adv | Upos::Adp))),
        indicator(
            parts
                .verb
                .is_some_and(|v| tree.children(v).iter().filter(|k| is_subject_label(tree.label(**k))).count() > 1),
        ),
        indicator(
            (0..tree.len()).any(|i| tree.xpos(i) == Xpos::Nns && MISTAGGED_DETERMINERS.contains(tree.lower(i + 1))),
        ),
    ]
}

/// Whether the parser uses a label as a fallback.
fn is_fallback_label(label: Label) -> bool {
    matches!(
        label,
        Label::Reparandum
            | Label::List
            | Label::Orphan
            | Label::Dislocated
            | Label::Goeswith
            | Label::Parataxis
            | Label::Dep
            | Label::Vocative
            | Label::Discourse
    )
}

fn ratio(part: usize, whole: usize) -> f32 {
    let count = |n: usize| f32::from(u16::try_from(n).unwrap_or(u16::MAX));
    if whole == 0 { 0.0 } else { count(part) / count(whole) }
}

fn indicator(is: bool) -> f32 {
    if is { 1.0 } else { 0.0 }
}
