//! Readings: the claims in the clauses of a statement.
//!
//! [`read_facts`] takes the words of one statement and returns its readings: subject, predicate, object, modality and more.
//! Invariant: every word of a reading is a word of the statement, except for "is" and "has" if the statement omits
//! the verb; a subject that the statement omits stays open, and is filled in from the context.
//!
//! No part of a clause is dropped: the rest besides subject, predicate and object becomes a qualifier.

mod annotated_text;
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
mod reading;
mod segmentation;
mod validity;

use std::collections::HashSet;
use std::ops::Range;

use memora_claim::time::find_times;

use annotated_text::AnnotatedText;
pub(crate) use leading_noise::is_instruction_label;
pub(crate) use modality::is_speech_verb;
use parsed_span::ParsedSpan;
pub(crate) use reading::{CONFIDENCE_MIN, ReadingContext, ReadingSubject, StatementReading};

/// Texts of more bytes are kept whole: no sentence is as long, and reading it would take too long.
const TEXT_MAX: usize = 8 * 1024;

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
