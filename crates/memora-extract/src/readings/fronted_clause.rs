//! Sentences with a separable part in front: a condition, a time, a purpose.
//!
//! A short main clause is parsed better than a long sentence. The part in front becomes a qualifier of each of the
//! clauses, so that none loses its condition.

use std::ops::Range;

use memora_claim::time::{TimeExpr, TimeMention, find_clause_validity};
use memora_claim::{Modality, Phase, ValidityExpr};
use memora_nlp::word_lists::WordSet;
use memora_nlp::{DependencyParser, Upos, Xpos};

use super::annotated_text::{AnnotatedText, split_at_punctuation};
use super::parsed_sentence::collapse_whitespace;
use super::parsed_span::ParsedSpan;
use super::reading::StatementReading;
use crate::clause::tree_query::{TreeQuery, is_subject_label};
use crate::lists::{FRONT_FILLERS, FRONTED_CONDITIONS, FRONTED_REASONS, FRONTED_TIMES};

/// A part in front of a clause: "If the frost comes, we cover the beds", "To add a tag, enter its name".
pub(super) struct FrontedPart {
    opener: FrontOpener,
    /// Its bytes.
    front: Range<usize>,
    /// The clause behind it.
    pub(super) rest: Range<usize>,
    /// What it does not extend to: the text behind a semicolon.
    pub(super) behind: Option<Range<usize>>,
}

impl FrontedPart {
    /// Finds the condition, the time or the purpose in front of a clause.
    pub(super) fn find(text: AnnotatedText<'_>, body: &Range<usize>) -> Option<Self> {
        let opener = find_opener(text.text.get(body.clone())?)?;
        let front = opener.start + body.start;
        let end = find_sentence_end(text, body);
        let (cut, rest) = find_front_end(text, front..end)?;
        Some(Self { opener, front: front..cut, rest, behind: (end < body.end).then(|| end + 1..body.end) })
    }

    /// The clause in it, where it is asserted, too.
    pub(super) fn asserted(&self) -> Option<Range<usize>> {
        self.opener.reason.then(|| self.front.start + self.opener.length..self.front.end)
    }

    /// Makes it a qualifier of each of the clauses behind it.
    pub(super) fn qualify(&self, text: AnnotatedText<'_>, found: &mut [StatementReading]) -> Option<()> {
        let when = times_within(text, &self.front);
        let words = collapse_whitespace(text.text.get(self.front.clone())?);
        for reading in found.iter_mut().filter(|reading| reading.is_clause) {
            reading.qualifiers.insert(0, words.clone());
            if reading.holds == ValidityExpr::default() && !when.is_empty() {
                let (from, until) = find_clause_validity(&when, 0..usize::MAX);
                let known = ValidityExpr { from, until };
                reading.holds = if self.opener.conditional {
                    ValidityExpr { from: Some(TimeExpr::UNKNOWN), until: None }
                } else {
                    known
                };
            }
            if self.opener.conditional && matches!(reading.modality, Modality::Asserted | Modality::Planned) {
                reading.modality = Modality::Conditional;
                reading.phase = Phase::Steady;
            }
        }
        Some(())
    }
}

/// A word that opens a front part.
struct FrontOpener {
    /// Its position in the text: "But if", "However, if" begin later.
    start: usize,
    length: usize,
    conditional: bool,
    /// Whether its clause is asserted: "because", "although".
    reason: bool,
}

fn find_opener(words: &str) -> Option<FrontOpener> {
    let lower = words.to_lowercase();
    if lower.len() != words.len() {
        // Lower-casing changed the length: offsets would not match.
        return None;
    }
    let mut start = 0;
    while let Some(length) = lower.get(start..).and_then(filler_length) {
        start += length;
    }
    let rest = lower.get(start..)?;
    let of = |list: &WordSet<'_>| {
        list.iter()
            .find(|word| rest.strip_prefix(**word).is_some_and(|rest| rest.starts_with(' ')))
            .map(|word| word.len())
    };
    if let Some(length) = of(&FRONTED_CONDITIONS) {
        return Some(FrontOpener { start, length, conditional: true, reason: false });
    }
    if let Some(length) = of(&FRONTED_TIMES) {
        return Some(FrontOpener { start, length, conditional: false, reason: false });
    }
    let length = of(&FRONTED_REASONS)?;
    // "Because if it rains": only a condition.
    let nested =
        rest.get(length..).and_then(|rest| find_opener(rest.trim_start())).is_some_and(|inner| inner.conditional);
    Some(FrontOpener { start, length, conditional: nested, reason: !nested })
}

/// Returns the length of a filler at the front of a text: a quote, a bracket, or a word with its space.
fn filler_length(text: &str) -> Option<usize> {
    match text.chars().next()? {
        sign @ ('"' | '“' | '(') => Some(sign.len_utf8()),
        _ => FRONT_FILLERS
            .iter()
            .find(|filler| text.strip_prefix(**filler).is_some_and(|rest| rest.starts_with(' ')))
            .map(|filler| filler.len() + 1),
    }
}

/// The maximum number of commas to try.
const TRIES_MAX: usize = 6;

/// Returns the end of the front part, and the rest: a comma with a clause on either side. In "If Anna, Ben and Tom
/// agree, the shop opens" it is not the first comma.
fn find_front_end(text: AnnotatedText<'_>, body: Range<usize>) -> Option<(usize, Range<usize>)> {
    let parts = split_at_punctuation(text, &body);
    let mut found: Option<(usize, Range<usize>)> = None;
    for pair in parts.windows(2).take(TRIES_MAX) {
        let [before, behind] = pair else { continue };
        let rest = behind.start..body.end;
        if let Some((end, earlier)) = &found {
            // A list item with its "and" lies between: the front part continues.
            let between = text.text.get(earlier.start..before.end).unwrap_or_default();
            let list = between.split_whitespace().any(|word| matches!(word, "and" | "or"))
                && !is_verbal_part(text, *end + 1..before.end);
            if !list {
                break;
            }
        }
        if is_verbal_part(text, body.start..before.end) && begins_clause(text, &rest) {
            found = Some((before.end, rest));
        }
    }
    found
}

fn is_verbal_part(text: AnnotatedText<'_>, part: Range<usize>) -> bool {
    ParsedSpan::parse(text, &part).is_some_and(|parsed| {
        let tree = &parsed.tree;
        // "If Anna signs": such a short piece is often tagged as a noun.
        let plural =
            |i: usize| i > 1 && tree.xpos(i) == Xpos::Nns && DependencyParser::embedded().may_be_verb(tree.lower(i));
        (0..tree.len()).any(|i| matches!(tree.upos(i), Upos::Verb | Upos::Aux) || plural(i))
    })
}

/// Returns the end of the first sentence: a semicolon, or the end of the text.
fn find_sentence_end(text: AnnotatedText<'_>, body: &Range<usize>) -> usize {
    let ends = split_at_punctuation(text, body).into_iter().map(|part| part.end);
    ends.into_iter().find(|end| text.text.get(*end..).is_some_and(|behind| behind.starts_with(';'))).unwrap_or(body.end)
}

fn times_within(text: AnnotatedText<'_>, part: &Range<usize>) -> Vec<TimeMention> {
    let inside = |time: &&TimeMention| part.start <= time.words.start && time.words.end <= part.end;
    text.times.iter().filter(inside).cloned().collect()
}

/// Whether a part begins with the subject of its main verb, or with a command.
fn begins_clause(text: AnnotatedText<'_>, part: &Range<usize>) -> bool {
    let Some(parsed) = ParsedSpan::parse(text, part) else { return false };
    let tree = &parsed.tree;
    let Some(root) = parsed.root().filter(|_| parsed.is_verbal()) else { return false };
    let first = (0..root).find(|i| !matches!(tree.upos(*i), Upos::Adv | Upos::Intj)).unwrap_or(root);
    let grammar = TreeQuery::new(tree);
    let command = first == root && matches!(tree.xpos(root), Xpos::Vb | Xpos::Vbp);
    let subject = grammar.children(root).find(|k| is_subject_label(tree.label(*k)));
    command || subject.is_some_and(|subject| grammar.leftmost(subject) == first)
}
