//! Claims from structured text: properties, inline fields, table rows, tasks.

use memora_claim::time::{TimeExpr, TimeRole, find_clause_validity, find_times};
use memora_claim::{Claim, Extractor, Modality, STATES, Statement, StatementKind, ValidityExpr, wikilink_text};
use memora_vault::{Note, PropertyValue, SegmentKind, TaskState};

pub(crate) fn build_claim(
    statement: &Statement,
    subject: Option<String>,
    predicate: &str,
    object: &str,
    by: Extractor,
) -> Claim {
    let mut claim = Claim::new(statement.id, subject, predicate, object);
    claim.extractor = by;
    claim.confidence = rule_confidence(by);
    claim.holds = value_validity(object, by);
    claim
}

/// Returns the validity of a claim that is not read clause by clause. A date as the value is the claim itself, and not
/// the start of its validity; "since 2019" is.
fn value_validity(object: &str, by: Extractor) -> ValidityExpr {
    let times = find_times(object);
    let is_date = !times.is_empty() && times.iter().all(|time| time.role == TimeRole::At);
    if is_date && by != Extractor::Sentence {
        return ValidityExpr { from: Some(TimeExpr::UNKNOWN), until: None };
    }
    let (from, until) = find_clause_validity(&times, 0..usize::MAX);
    ValidityExpr { from, until }
}

/// Returns how explicit a rule's evidence is. It orders claims and is not a probability.
fn rule_confidence(by: Extractor) -> f32 {
    match by {
        Extractor::Property => 0.95,
        Extractor::Field => 0.93,
        Extractor::Row => 0.85,
        Extractor::Definition => 0.75,
        Extractor::Label => 0.7,
        Extractor::Task => 0.6,
        // A reading has a confidence of its own.
        Extractor::Clause | Extractor::Fragment => 0.5,
        Extractor::Model => crate::MODEL_CONFIDENCE,
        Extractor::Sentence => 0.4,
    }
}

/// The maximum number of words of a name.
const NAME_WORDS_MAX: usize = 8;

pub(crate) fn verbatim_claim(statement: &Statement) -> Vec<Claim> {
    vec![build_claim(statement, borrowed_subject(statement), STATES, &statement.words, Extractor::Sentence)]
}

/// Returns the claim for a code block, which has no validity, even if it contains numbers.
pub(crate) fn extract_code(statement: &Statement) -> Vec<Claim> {
    let claims = verbatim_claim(statement).into_iter();
    claims.map(|claim| Claim { holds: ValidityExpr::default(), modality: Modality::Code, ..claim }).collect()
}

/// Returns the subject that the context lends to a dependent statement: its parent item, else the nearest heading. Both
/// are in its id. A self-contained statement borrows none, or one id would have two subjects in two places.
pub(crate) fn borrowed_subject(statement: &Statement) -> Option<String> {
    if statement.borrowed.is_empty() {
        return None;
    }
    let item = match statement.kind {
        StatementKind::Item | StatementKind::Field => statement.parent.clone(),
        // The state of the task stands in front: "open task: Release 1.4".
        StatementKind::Task => {
            statement.parent.as_deref().and_then(|p| p.split_once(" task: ")).map(|(_, item)| item.to_owned())
        }
        _ => None,
    };
    // The subject of a field is its item or the note, anywhere in the note.
    let of_note = statement.kind == StatementKind::Field;
    // A whole sentence is not a name: the subject of a field in brackets within one is the note.
    let item = item.filter(|item| !of_note || item.split_whitespace().count() <= NAME_WORDS_MAX);
    let heading = statement.headings.last().filter(|heading| !of_note && !heading.is_empty());
    item.or_else(|| heading.cloned())
}

pub(crate) fn extract_property(note: &Note, statement: &Statement) -> Vec<Claim> {
    let Some(property) = note.properties().get(statement.part) else { return verbatim_claim(statement) };
    let values = match &property.value {
        PropertyValue::List(items) => items.iter().flat_map(PropertyValue::scalar_strings).collect(),
        value => value.scalar_strings(),
    };
    values
        .iter()
        .map(|value| build_claim(statement, None, &property.key, wikilink_text(value), Extractor::Property))
        .collect()
}

pub(crate) fn extract_field(note: &Note, statement: &Statement) -> Vec<Claim> {
    let Some(segment) = note.segments().get(statement.part) else { return verbatim_claim(statement) };
    let SegmentKind::Field { key, value, .. } = &segment.kind else { return verbatim_claim(statement) };
    let cut = |range: &std::ops::Range<usize>| segment.plain.text().get(range.clone()).unwrap_or_default().trim();
    vec![build_claim(statement, borrowed_subject(statement), cut(key), cut(value), Extractor::Field)]
}

/// Extracts the claims of a table row: its first cell is the subject, each column a predicate.
pub(crate) fn extract_row(note: &Note, statement: &Statement) -> Vec<Claim> {
    let Some(segment) = note.segments().get(statement.part) else { return verbatim_claim(statement) };
    let SegmentKind::Row { cells, header, .. } = &segment.kind else { return verbatim_claim(statement) };
    let cell = |at: usize| {
        let range = cells.get(at)?.clone();
        segment.plain.text().get(range).map(str::trim).filter(|text| !text.is_empty())
    };
    let Some(subject) = cell(0) else { return verbatim_claim(statement) };
    // `[[Anna|Ann]]` with a plain bar is two cells, as Obsidian draws it, and every value stands a column too far.
    let is_torn = |text: &str| text.rfind("[[") > text.rfind("]]") || is_closed_first(text);
    if (0..cells.len()).filter_map(cell).chain(header.iter().map(String::as_str)).any(is_torn) {
        return verbatim_claim(statement);
    }
    let found: Vec<Claim> = (1..cells.len())
        .filter_map(|at| {
            let column = header.get(at).map(String::as_str).filter(|name| !name.trim().is_empty())?;
            Some(build_claim(statement, Some(subject.to_owned()), column, cell(at)?, Extractor::Row))
        })
        .collect();
    if found.is_empty() { verbatim_claim(statement) } else { found }
}

/// Whether brackets of a link are closed before any are opened.
fn is_closed_first(text: &str) -> bool {
    text.find("]]").is_some_and(|close| text.find("[[").is_none_or(|open| close < open))
}

pub(crate) fn extract_task(note: &Note, statement: &Statement) -> Vec<Claim> {
    let state = match note.segments().get(statement.part).map(|segment| &segment.kind) {
        Some(SegmentKind::Task(state)) => *state,
        _ => return verbatim_claim(statement),
    };
    let mut task =
        build_claim(statement, borrowed_subject(statement), state.as_str(), &statement.words, Extractor::Task);
    task.modality = match state {
        TaskState::Done | TaskState::Cancelled => Modality::Asserted,
        _ => Modality::Planned,
    };
    vec![task]
}
