//! Readings: the claims in the clauses of a statement.
//!
//! [`read_facts`] takes the words of one statement and returns its readings: subject, predicate, object, modality and more.
//! Invariant: every word of a reading is a word of the statement, except for "is" and "has" if the statement omits
//! the verb; a subject that the statement omits stays open, and is filled in from the context.
//!
//! No part of a clause is dropped: the rest besides subject, predicate and object becomes a qualifier.

mod arguments;
mod change;
mod clause_readings;
mod confidence;
mod constructions;
mod factuality;
mod fragment;
mod fronted_clause;
mod leading_noise;
mod main_clauses;
mod modality;
mod opaque_tokens;
mod parse_errors;
mod parsed_sentence;
mod parsed_span;
mod pronoun;
mod segmentation;
mod validity;

use std::collections::HashSet;
use std::ops::Range;

use memora_claim::time::{TimeMention, find_times};
use memora_claim::{Modality, Phase, ValidityExpr};
use memora_nlp::tokenize_treebank;

use confidence::ReadingTokens;
pub(crate) use leading_noise::is_instruction_label;
pub(crate) use modality::is_speech_verb;
use opaque_tokens::ParserForm;
use parsed_span::ParsedSpan;

use crate::lists::OPENING_SUBJECTS;

/// Readings with less confidence are not claimed: on the labelled notes more of them are wrong than right.
pub(crate) const CONFIDENCE_MIN: f32 = 0.62;

/// Texts of more bytes are kept whole: no sentence is as long, and reading it would take too long.
const TEXT_MAX: usize = 8 * 1024;

/// The subject of a reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ReadingSubject {
    /// Words of the statement.
    Named(String),
    /// The subject of the context: the statement omits its own, or has only "it".
    FromContext,
}

/// One fact that a statement states.
#[derive(Clone, Debug)]
pub(crate) struct StatementReading {
    pub(crate) subject: ReadingSubject,
    pub(crate) predicate: String,
    /// Empty if the verb has no object.
    pub(crate) object: String,
    pub(crate) qualifiers: Vec<String>,
    pub(crate) modality: Modality,
    pub(crate) negated: bool,
    pub(crate) attribution: Option<String>,
    pub(crate) phase: Phase,
    /// The topic of a change: "serialization" in "switched serialization to MessagePack".
    pub(crate) topic: Option<String>,
    pub(crate) confidence: f32,
    /// Whether it is from a clause with a verb of its own.
    pub(crate) is_clause: bool,
    /// Whether it is a verbless description of its subject: "too bitter".
    pub(crate) is_described: bool,
    /// Whether that verb is finite: "reviews", not "reviewing".
    pub(crate) is_finite: bool,
    /// Whether that clause is the sentence's main clause, or coordinated to it.
    pub(crate) is_main: bool,
    /// Its validity, by its own words.
    pub(crate) holds: ValidityExpr,
    /// The speaker it is attributed to, without the verb.
    speaker: Option<String>,
    /// The tokens of its parts.
    parts: ReadingTokens,
    /// Whether its parts show that the parse is wrong: a finite verb inside a noun phrase.
    pub(crate) torn: bool,
}

impl StatementReading {
    /// Creates an asserted reading `subject | predicate | object` without a clause; other fields are set by the caller.
    fn new_asserted(subject: ReadingSubject, predicate: String, object: String) -> Self {
        Self {
            subject,
            predicate,
            object,
            qualifiers: Vec::new(),
            modality: Modality::Asserted,
            negated: false,
            attribution: None,
            phase: Phase::Steady,
            topic: None,
            confidence: 0.0,
            is_clause: false,
            is_described: false,
            is_finite: false,
            is_main: true,
            holds: ValidityExpr::default(),
            speaker: None,
            parts: ReadingTokens::default(),
            torn: false,
        }
    }
}

/// The context of a statement, and how it may be used.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ReadingContext<'a> {
    /// Whether the statement may take its subject from the context; a self-contained one may not.
    pub(crate) lends: bool,
    /// The name of the context's subject, if known here.
    pub(crate) name: Option<&'a str>,
    /// Whether the text begins the statement, so that "it" can only refer to the context.
    pub(crate) first: bool,
}

/// Reads a statement. `marked` are the ranges of links and code in it.
pub(crate) fn read_facts(text: &str, marked: &[Range<usize>], place: ReadingContext<'_>) -> Vec<StatementReading> {
    if text.len() > TEXT_MAX {
        return Vec::new();
    }
    let body = leading_noise::strip_noise(text, marked);
    let times = find_times(text);
    let text = AnnotatedText { text, marked, times: &times, depth: 0 };
    deduplicate(text.text, segmentation::read_pieces(text, body, place))
}

/// Reads a statement both as facts and as whole main clauses; the whole text is parsed only once.
pub(crate) fn read_facts_and_whole(
    text: &str,
    marked: &[Range<usize>],
    place: ReadingContext<'_>,
) -> (Vec<StatementReading>, Vec<StatementReading>) {
    if text.len() > TEXT_MAX {
        return (Vec::new(), Vec::new());
    }
    let body = leading_noise::strip_noise(text, marked);
    let times = find_times(text);
    let text = AnnotatedText { text, marked, times: &times, depth: 0 };
    let parsed = ParsedSpan::parse(text, &body);
    let apart = deduplicate(text.text, segmentation::read_pieces_reusing(text, body, place, Some(parsed.as_ref())));
    let whole = parsed.map(|parsed| main_clauses::read_main_clauses(text, &parsed)).unwrap_or_default();
    (apart, whole)
}

/// Returns the whole main clauses of a statement that name their subject.
pub(crate) fn read_whole_clauses(text: &str, marked: &[Range<usize>]) -> Vec<StatementReading> {
    if text.len() > TEXT_MAX {
        return Vec::new();
    }
    let body = leading_noise::strip_noise(text, marked);
    let times = find_times(text);
    let text = AnnotatedText { text, marked, times: &times, depth: 0 };
    ParsedSpan::parse(text, &body).map(|parsed| main_clauses::read_main_clauses(text, &parsed)).unwrap_or_default()
}

/// Removes duplicates and malformed readings.
fn deduplicate(text: &str, mut found: Vec<StatementReading>) -> Vec<StatementReading> {
    // "\"Search in Obsidian\"": a quotation without a named subject.
    let quoted = text.trim().starts_with(['"', '“']) && text.trim_end_matches(['.', ' ']).ends_with(['"', '”']);
    let mut seen = HashSet::new();
    found.retain(|reading| {
        if reading.torn || quoted && reading.subject == ReadingSubject::FromContext {
            return false;
        }
        let subject = match &reading.subject {
            ReadingSubject::Named(name) => name.to_lowercase(),
            ReadingSubject::FromContext => String::new(),
        };
        seen.insert((subject, reading.predicate.to_lowercase(), reading.object.to_lowercase()))
    });
    found
}

/// A text to read, with its annotations.
#[derive(Clone, Copy)]
struct AnnotatedText<'a> {
    text: &'a str,
    /// Links and code.
    marked: &'a [Range<usize>],
    times: &'a [TimeMention],
    /// The nesting depth of this part.
    depth: u8,
}

/// A part of a text as the parser sees it.
struct TokenizedSpan<'a> {
    ranges: Vec<Range<usize>>,
    forms: Vec<&'a str>,
}

impl<'a> AnnotatedText<'a> {
    /// Splits a part of the text into tokens.
    fn tokenize_span(self, part: &Range<usize>) -> TokenizedSpan<'a> {
        let within = self.text.get(part.clone()).unwrap_or_default();
        let inside = |range: &Range<usize>| part.start <= range.start && range.end <= part.end;
        let shifted = |range: &Range<usize>| range.start - part.start..range.end - part.start;
        let marked: Vec<Range<usize>> = self.marked.iter().filter(|range| inside(range)).map(shifted).collect();
        let times = self.times.iter().filter(|time| inside(&time.words));
        let times: Vec<TimeMention> =
            times.map(|time| TimeMention { words: shifted(&time.words), ..time.clone() }).collect();
        let solids = opaque_tokens::find_opaque_tokens(within, &marked, &times);
        let whole: Vec<Range<usize>> = solids.iter().map(|solid| solid.range.clone()).collect();
        let ranges = tokenize_treebank(within, &whole);
        let form = |range: &Range<usize>| {
            let at = solids.binary_search_by_key(&range.start, |solid| solid.range.start).ok();
            match at.and_then(|at| solids.get(at)).filter(|solid| solid.range == *range).map(|solid| &solid.shown) {
                Some(ParserForm::Word(word)) => word,
                Some(ParserForm::Part(part)) => within.get(part.clone()).unwrap_or_default(),
                Some(ParserForm::AsWritten) | None => within.get(range.clone()).unwrap_or_default(),
            }
        };
        let mut forms: Vec<&str> = ranges.iter().map(form).collect();
        let mut ranges: Vec<Range<usize>> =
            ranges.iter().map(|range| range.start + part.start..range.end + part.start).collect();
        let opening = self.times.iter().find_map(|time| find_opening_time(self.text, time, &ranges));
        if let Some((at, end)) = opening {
            ranges.insert(at, end..end);
            forms.insert(at, ",");
        }
        TokenizedSpan { ranges, forms }
    }
}

/// Finds the token behind an opening time expression without a comma, and the byte offset for the missing comma: "Last
/// Friday Ben met Lisa". The parser would attach such a time to the following name.
fn find_opening_time(text: &str, time: &TimeMention, ranges: &[Range<usize>]) -> Option<(usize, usize)> {
    let first = ranges.first()?.start;
    let end = time.words.end;
    let words = text.get(first..end)?;
    let at = ranges.iter().position(|range| range.start >= end)?;
    let next = ranges.get(at).and_then(|range| text.get(range.clone()))?;
    let front = text.get(first..time.words.start)?.trim();
    let preposition = matches!(front.to_lowercase().as_str(), "in" | "on" | "since" | "until");
    // A year, or a month that may be a name, is left to the parser: "2024 Olympics", "April Jones".
    let day = words.split_whitespace().count() > 1 || words.ends_with("day") && words != "day";
    let someone = next.starts_with(char::is_uppercase) || OPENING_SUBJECTS.contains(next);
    (at > 0 && (preposition || front.is_empty() && day) && someone).then_some((at, end))
}
