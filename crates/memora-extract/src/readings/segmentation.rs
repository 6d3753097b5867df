//! Segmentation of lines into pieces: "hallway got two coats of white, ceiling still bare".
//!
//! Notes have commas and semicolons where grammar wants full stops, and a parser then makes one clause the object of
//! another. A line is read in pieces only if each piece has a reading of its own; otherwise as a whole, since commas
//! also list, interrupt and subordinate. If the whole reading shows a parse error (a finite verb inside a noun phrase),
//! it is split at its conjunctions and read again.

use std::ops::Range;

use memora_claim::Modality;
use memora_nlp::{Label, Upos, Xpos};

use super::annotated_text::{AnnotatedText, split_at_punctuation};
use super::fronted_clause::FrontedPart;
use super::modality::{is_hearsay_adverb, is_speech_verb};
use super::parsed_sentence::collapse_whitespace;
use super::parsed_span::ParsedSpan;
use super::reading::{CONFIDENCE_MIN, ReadingContext, ReadingSubject, StatementReading};
use crate::lists::{CLAUSE_CONJUNCTIONS, NAME_DETERMINERS, PIECE_OPENINGS, SUBORDINATE_OPENINGS, TOLD_PRONOUNS};

/// More pieces than this are a list.
const PIECES_MAX: usize = 8;

/// The maximum nesting depth of parts; deeper ones are not split.
const DEPTH_MAX: u8 = 6;

/// Returns the readings of a part of a text, in pieces or as a whole.
pub(super) fn read_pieces(
    text: AnnotatedText<'_>,
    body: Range<usize>,
    place: ReadingContext<'_>,
) -> Vec<StatementReading> {
    read_pieces_reusing(text, body, place, None)
}

/// The same for a part that may be parsed already; `Some(None)` if parsing failed.
pub(super) fn read_pieces_reusing(
    text: AnnotatedText<'_>,
    body: Range<usize>,
    place: ReadingContext<'_>,
    known: Option<Option<&ParsedSpan<'_>>>,
) -> Vec<StatementReading> {
    let deep = text.depth >= DEPTH_MAX;
    let text = AnnotatedText { depth: text.depth.saturating_add(1), ..text };
    if !deep && let Some(found) = read_fronted(text, &body, place) {
        return found;
    }
    let parts = split_at_punctuation(text, &body);
    let several = |parts: &[Range<usize>]| (2..=PIECES_MAX).contains(&parts.len());
    if several(&parts)
        && let Some(found) = read_all_apart(text, &parts, place, true)
    {
        return found;
    }
    let new = if known.is_none() { ParsedSpan::parse(text, &body) } else { None };
    let Some(parsed) = known.flatten().or(new.as_ref()) else { return Vec::new() };
    let found = parsed.read_line(text, place);
    let torn = found.iter().any(|reading| reading.torn);
    if !torn && combined_score(&found) >= WORTH_ENOUGH {
        return found;
    }
    let clauses = split_at_conjunctions(text, &body, parsed);
    let mut best = found;
    for (parts, strict) in [(&clauses, true), (&parts, false), (&clauses, false)] {
        if several(parts)
            && let Some(other) = read_all_apart(text, parts, place, strict)
            && combined_score(&other) > combined_score(&best)
        {
            best = other;
        }
    }
    best
}

/// Reads a clause and the part in front of it separately.
fn read_fronted(
    text: AnnotatedText<'_>,
    body: &Range<usize>,
    place: ReadingContext<'_>,
) -> Option<Vec<StatementReading>> {
    let fronted = FrontedPart::find(text, body)?;
    let later = ReadingContext { first: false, ..place };
    let mut found = read_pieces(text, fronted.rest.clone(), later);
    if !found.iter().any(|reading| reading.is_clause) {
        return None;
    }
    fronted.qualify(text, &mut found)?;
    found.extend(fronted.behind.clone().into_iter().flat_map(|behind| read_pieces(text, behind, later)));
    let said = fronted.asserted().map(|said| read_pieces(text, said, place));
    let said = said.into_iter().flatten().filter(|reading| reading.is_clause);
    Some(said.chain(found).collect())
}

/// The score from which a whole reading is accepted without trying pieces.
const WORTH_ENOUGH: f32 = 0.35;

/// Returns the combined score of readings: likely ones add to it, unlikely ones subtract.
fn combined_score(readings: &[StatementReading]) -> f32 {
    readings.iter().map(|reading| if reading.torn { -0.3 } else { reading.confidence - 0.5 }).sum()
}

/// Returns the readings of all pieces; `None` if one of them has no reading of its own.
///
/// If not `strict`, a verbless piece without a reading is skipped.
fn read_all_apart(
    text: AnnotatedText<'_>,
    parts: &[Range<usize>],
    place: ReadingContext<'_>,
    strict: bool,
) -> Option<Vec<StatementReading>> {
    let mut found: Vec<StatementReading> = Vec::new();
    let mut subject: Option<ReadingSubject> = None;
    let mut named_before = false;
    let mut unread = false;
    let mut dropped: Vec<String> = Vec::new();
    let mut speaker: Option<String> = None;
    for (index, part) in parts.iter().cloned().enumerate() {
        // A pronoun in a later piece refers to something in an earlier one.
        let place = ReadingContext { first: place.first && index == 0, ..place };
        let joined = text
            .text
            .get(part.clone())
            .is_some_and(|words| matches!(words.split_whitespace().next(), Some("and" | "or")));
        let words = collapse_whitespace(text.text.get(part.clone()).unwrap_or_default());
        // "…, Anna says": an attribution.
        if let Some(said) = find_speech_attribution(text, &part) {
            speaker = Some(said);
            continue;
        }
        // "Ben says if Anna signs, …": this piece states the condition of the next one.
        if has_inner_condition(&words) {
            return None;
        }
        // Readings that are only guesses of the first pieces are left to a later piece.
        let guessed = |piece: &LinePiece| {
            piece.readings.iter().all(|reading| reading.confidence < CONFIDENCE_MIN) && found.is_empty()
        };
        let mut piece = match read_piece(text, part, place).filter(|piece| strict || !guessed(piece)) {
            // "grid, gallery, and list views are imported": the pieces are a list.
            Some(_) if unread && joined => return None,
            Some(piece) => piece,
            None if strict || is_subordinate_clause(text, &parts[index]) => return None,
            None => {
                // "The well pump, replaced by the owner, trips the breaker": a name is the subject of the next piece.
                subject = subject.or_else(|| find_bare_name(text, &parts[index]));
                named_before = index == 0 && subject.is_some();
                unread = true;
                // The words are kept as a qualifier of the next or the previous piece.
                let words = collapse_whitespace(text.text.get(parts[index].clone()).unwrap_or_default());
                match found.last_mut() {
                    _ if words.is_empty() || named_before => {}
                    Some(before) => before.qualifiers.push(words),
                    None => dropped.push(words),
                }
                continue;
            }
        };
        let fragment = piece.readings.iter().all(|reading| !reading.is_clause);
        // "Icons are 18 px in width, 18 px in height", "things that are racist, sexist.": the sentence's list goes on.
        let sentence = text.text.trim_end().ends_with('.') && found.iter().any(|reading| reading.is_clause);
        let number = |words: &str| words.contains(|c: char| c.is_ascii_digit());
        let before = parts.get(..index).into_iter().flatten().filter_map(|part| text.text.get(part.clone()));
        let before: Vec<&str> = before.collect();
        let goes_on = |reading: &StatementReading| {
            reading.subject == ReadingSubject::FromContext
                && (reading.predicate == "has" && number(&reading.object) && before.iter().any(|words| number(words))
                    || !reading.object.contains(' '))
        };
        let list = sentence || unread && text.text.trim_end().ends_with('.');
        if fragment && list && piece.readings.iter().all(goes_on) {
            match found.last_mut().filter(|_| !strict) {
                Some(before) => before.qualifiers.push(words),
                None => return None,
            }
            continue;
        }
        // "We want you to seek help, help others, and share": the list continues, and is not a command.
        let infinitive = piece.commands && sentence && matches!(subject, Some(ReadingSubject::Named(_)));
        if infinitive {
            return None;
        }
        let person = matches!(&subject, Some(ReadingSubject::Named(name)) if name.starts_with(char::is_uppercase));
        let continues = match piece.goes_on {
            SubjectContinuation::Surely => true,
            SubjectContinuation::AfterPerson => person || named_before,
            SubjectContinuation::No => {
                fragment && piece.may_inherit && subject.is_some() && piece.readings.iter().all(|r| r.predicate == "is")
            }
        };
        if let Some(before) = subject.as_ref().filter(|_| continues) {
            for reading in piece.readings.iter_mut().filter(|reading| reading.subject == ReadingSubject::FromContext) {
                reading.subject = before.clone();
            }
        }
        if let Some(first) = piece.readings.iter().find(|reading| reading.is_clause) {
            // The subject of reported speech is continued by its speaker.
            let speaker = first.speaker.clone().filter(|_| !first.is_main);
            subject = Some(speaker.map_or_else(|| first.subject.clone(), ReadingSubject::Named));
        }
        for reading in &mut piece.readings {
            reading.qualifiers.splice(0..0, dropped.iter().cloned());
        }
        dropped.clear();
        found.append(&mut piece.readings);
    }
    if let Some(speaker) = speaker {
        for reading in found.iter_mut().filter(|reading| reading.attribution.is_none()) {
            reading.modality = Modality::Reported;
            reading.attribution = Some(speaker.clone());
        }
    }
    (!found.is_empty() && !found.iter().any(|reading| reading.torn)).then_some(found)
}

/// Returns the attribution in a piece of a few words: "Anna says", "according to the vet", "apparently".
fn find_speech_attribution(text: AnnotatedText<'_>, part: &Range<usize>) -> Option<String> {
    let words = text.text.get(part.clone())?.trim().trim_end_matches(['.', '!', ':']);
    let lower = words.to_lowercase();
    let count = words.split_whitespace().count();
    let named = is_hearsay_adverb(&lower) || lower.starts_with("according to ") && count <= 6;
    if !named {
        let last = lower.split_whitespace().next_back()?;
        let told = TOLD_PRONOUNS.contains(last);
        let verb = if told { lower.split_whitespace().rev().nth(1)? } else { last };
        if !(2..=5).contains(&count) || !is_speech_verb(verb) {
            return None;
        }
        let parsed = ParsedSpan::parse(text, part)?;
        let root = parsed.root()?;
        let says =
            is_speech_verb(parsed.tree.lower(root)) && parsed.tree.upos(root) == Upos::Verb && parsed.has_own_subject();
        says.then_some(())?;
    }
    Some(collapse_whitespace(words))
}

/// Whether "if" or "unless" is a few words into a piece, which then ends before the conditional clause.
fn has_inner_condition(words: &str) -> bool {
    words.split_whitespace().skip(1).take(3).any(|word| matches!(word.to_lowercase().as_str(), "if" | "unless"))
}

/// Whether a piece is a subordinate clause: "If the frost comes, …".
fn is_subordinate_clause(text: AnnotatedText<'_>, part: &Range<usize>) -> bool {
    let words = text.text.get(part.clone()).unwrap_or_default();
    let lower = words.trim_start().to_lowercase();
    let first = lower.split_whitespace().next().unwrap_or_default();
    SUBORDINATE_OPENINGS.contains(first) || lower.starts_with("in case")
}

/// Returns a bare name in front of a line: "The well pump", "Gisela".
fn find_bare_name(text: AnnotatedText<'_>, part: &Range<usize>) -> Option<ReadingSubject> {
    let parsed = ParsedSpan::parse(text, part)?;
    let nominal = |i: usize| matches!(parsed.tree.upos(i), Upos::Noun | Upos::Propn);
    let begins = matches!(parsed.tree.upos(0), Upos::Noun | Upos::Propn | Upos::Det | Upos::Pron | Upos::Adj);
    if !begins || !parsed.root().is_some_and(nominal) {
        return None;
    }
    let words = text.text.get(part.clone())?.trim();
    let count = words.split_whitespace().count();
    let first = words.split_whitespace().next()?.to_lowercase();
    let determined = NAME_DETERMINERS.contains(first.as_str());
    let proper = words.split_whitespace().all(|word| word.starts_with(char::is_uppercase));
    ((determined && count > 1 || proper) && count <= 6).then(|| ReadingSubject::Named(collapse_whitespace(words)))
}

/// Splits a line before "and" or "but" with a finite verb behind; the last resort.
fn split_at_conjunctions(text: AnnotatedText<'_>, body: &Range<usize>, parsed: &ParsedSpan<'_>) -> Vec<Range<usize>> {
    let tree = &parsed.tree;
    let words = parsed.as_sentence(text);
    let mut found = Vec::new();
    let mut start = body.start;
    for i in 1..tree.len() {
        let joins = tree.upos(i) == Upos::Cconj && matches!(tree.lower(i), "and" | "but" | "nor");
        // Somewhere behind it a finite verb, before the next conjunction.
        let behind = (i + 1..tree.len()).take_while(|k| tree.upos(*k) != Upos::Cconj);
        let verb = behind.clone().any(|k| matches!(tree.xpos(k), Xpos::Vbz | Xpos::Vbd | Xpos::Md | Xpos::Vbp));
        if joins && verb {
            let here = words.range(i);
            found.push(start..here.start);
            start = here.start;
        }
    }
    found.push(start..body.end);
    found
}

/// A piece with a reading of its own.
struct LinePiece {
    readings: Vec<StatementReading>,
    /// Whether it does not name its subject.
    may_inherit: bool,
    goes_on: SubjectContinuation,
    /// Whether its verb is in the form of a command.
    commands: bool,
}

/// Whether a piece without a subject continues the one before.
#[derive(Clone, Copy)]
enum SubjectContinuation {
    No,
    Surely,
    /// Only after a person: "…, fled west"; in "drain hose was kinked, bent it back" the subject is the writer.
    AfterPerson,
}

/// Reads a piece; `None` if it has no reading of its own.
fn read_piece(text: AnnotatedText<'_>, part: Range<usize>, place: ReadingContext<'_>) -> Option<LinePiece> {
    let first = text.text.get(part.clone())?.split_whitespace().next()?.to_lowercase();
    let joins = PIECE_OPENINGS.contains(first.as_str());
    // A leading conjunction is not part of the piece.
    let part =
        if CLAUSE_CONJUNCTIONS.contains(first.as_str()) && !matches!(first.as_str(), "before" | "after" | "since") {
            let at = text.text.get(part.clone())?.find(char::is_alphabetic)?;
            part.start + at + first.len()..part.end
        } else {
            part
        };
    let read = ParsedSpan::parse(text, &part)?;
    let (own, verbal) = (read.has_own_subject(), read.is_verbal());
    let root = read.root()?;
    let finite = matches!(read.tree.xpos(root), Xpos::Vbz | Xpos::Vbd | Xpos::Vbp)
        || read
            .tree
            .children(root)
            .iter()
            .any(|k| matches!(read.tree.label(*k), Label::Aux | Label::AuxPass | Label::Cop));
    if joins && !(verbal && (own || finite) && CLAUSE_CONJUNCTIONS.contains(first.as_str())) {
        return None;
    }
    let commands = verbal && !own && !finite && read.tree.xpos(root) == Xpos::Vb;
    let readings = read.read_line(text, place);
    if readings.is_empty() {
        return None;
    }
    let goes_on = match (own, verbal, read.tree.xpos(root)) {
        (true, ..) => SubjectContinuation::No,
        (_, true, Xpos::Vbz | Xpos::Vbn) if joins || read.tree.xpos(root) == Xpos::Vbz => SubjectContinuation::Surely,
        (_, true, Xpos::Vbd | Xpos::Vbn | Xpos::Vbp) if joins => SubjectContinuation::Surely,
        (_, true, Xpos::Vbd | Xpos::Vbn) => SubjectContinuation::AfterPerson,
        (_, true, _) if joins && finite => SubjectContinuation::Surely,
        _ => SubjectContinuation::No,
    };
    Some(LinePiece { readings, may_inherit: !own, goes_on, commands })
}
