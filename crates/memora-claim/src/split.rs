//! Splits a note into statements: the user's own words.

use std::ops::Range;

use memora_nlp::sentence::split_sentences;
use memora_nlp::subject::{is_rejecting_heading, is_self_contained};
use memora_vault::{Band, Note, Property, PropertyValue, Segment, SegmentKind, Zone};

use crate::id::normalize_text;
use crate::statement::{Statement, StatementKind, is_file_property, wikilink_text};
use crate::surroundings::collect_headings_above;
use crate::{StatementId, citations};

/// Splits a note into statements, in file order.
///
/// 1. Each property is one, unless it is about the file itself (`aliases`, `tags`, `cssclasses`, `privacy`, …).
/// 2. Each table row, inline field and task is one.
/// 3. A paragraph or a list item is split into sentences, never within code or the text of a link.
/// 4. A code block is split at empty lines and at a maximum length; no claims are extracted from it.
///
/// Notes that Memora wrote for review have none; the caller must skip them.
#[must_use]
pub fn split_statements(note: &Note) -> Vec<Statement> {
    let mut found = Vec::new();
    for (part, property) in note.properties().iter().enumerate() {
        found.extend(build_property_statement(note, part, property));
    }
    for (part, segment) in note.segments().iter().enumerate() {
        let surroundings = SegmentContext::from_segment(note, segment);
        match &segment.kind {
            SegmentKind::Paragraph => {
                found.extend(build_sentence_statements(note, part, segment, &surroundings, StatementKind::Sentence));
            }
            SegmentKind::Item => {
                found.extend(build_sentence_statements(note, part, segment, &surroundings, StatementKind::Item));
            }
            SegmentKind::Task(_) => {
                found.extend(build_whole_statement(note, part, segment, &surroundings, StatementKind::Task));
            }
            SegmentKind::Row { .. } => {
                found.extend(build_whole_statement(note, part, segment, &surroundings, StatementKind::Row));
            }
            SegmentKind::Code => found.extend(build_code_statements(note, part, segment, &surroundings)),
            SegmentKind::Field { .. } => {
                found.extend(build_whole_statement(note, part, segment, &surroundings, StatementKind::Field));
            }
        }
    }
    found.sort_by_key(|statement| (statement.span, statement.part));
    citations::attach_citations(note, &mut found);
    found
}

/// The context of a segment's statements.
struct SegmentContext {
    headings: Vec<String>,
    parent: Option<String>,
    band: Band,
    rejected: bool,
}

impl SegmentContext {
    fn from_segment(note: &Note, segment: &Segment) -> Self {
        let (mut headings, mut band) = collect_headings_above(note, segment.heading);
        if segment.zone == Zone::Footnote {
            // A footnote is at the end of the file, under an unrelated heading.
            headings.clear();
        }
        let mut parent = None;
        let mut rejected = headings.iter().any(|heading| is_rejecting_heading(heading));
        let mut above = segment.parent;
        // A segment's parent was read before it, so this walk ends.
        while let Some(index) = above {
            let Some(item) = note.segments().get(index) else { break };
            parent.get_or_insert_with(|| parent_words(item, segment));
            // "If it is not doing what you want, run:" does not reject anything.
            rejected |= item.kind != SegmentKind::Paragraph && is_rejecting_heading(item.plain.text());
            band = band.join(note.band_of_range(item.range.clone()));
            above = item.parent.filter(|next| *next < index);
        }
        if segment.kind == SegmentKind::Code {
            band = band.join(band_above(note, segment));
        }
        if let SegmentKind::Row { header, header_range, .. } = &segment.kind {
            let columns = normalize_text(&header.join(" | "));
            parent = (!columns.is_empty()).then_some(columns);
            band = band.join(note.band_of_range(header_range.clone()));
        }
        if let SegmentKind::Task(state) = &segment.kind {
            // Ticking a box changes the meaning, but not the words: so the state is part of the context.
            let task = format!("{} task", state.as_str());
            parent = Some(parent.map_or_else(|| task.clone(), |item| format!("{task}: {item}")));
        }
        Self { headings, parent, band, rejected }
    }

    /// Returns the borrowed subject: the note, the headings, the parent.
    fn borrowed_subject(&self, note: &Note) -> Vec<String> {
        let mut parts = vec![note.subject().to_owned()];
        parts.extend(self.headings.iter().cloned());
        parts.extend(self.parent.iter().cloned());
        parts
    }
}

/// Returns the words of the parent: all of them, or for code only the last sentence.
fn parent_words(above: &Segment, segment: &Segment) -> String {
    /// A longer one is no item that a list stands under, and is not repeated whole for each of its statements.
    const WHOLE_MAX: usize = 8 << 10;
    const BEGINNING: usize = 512;
    let text = above.plain.text();
    let text = match text.len() > WHOLE_MAX {
        true => text.get(..text.floor_char_boundary(BEGINNING)).unwrap_or_default(),
        false => text,
    };
    let last = if segment.kind == SegmentKind::Code { split_sentences(text).pop() } else { None };
    normalize_text(last.and_then(|range| text.get(range)).unwrap_or(text))
}

/// Returns the band of the text from the previous segment up to this one: context that code takes from above must not
/// reveal whether guarded text has words.
fn band_above(note: &Note, segment: &Segment) -> Band {
    let before = note.segments().partition_point(|other| other.range.start < segment.range.start);
    let from = before.checked_sub(1).and_then(|at| note.segments().get(at)).map_or(0, |other| other.range.start);
    note.band_of_range(from.min(segment.range.start)..segment.range.start)
}

fn build_property_statement(note: &Note, part: usize, property: &Property) -> Option<Statement> {
    let key = property.key.to_lowercase();
    if is_file_property(&key) || matches!(property.value, PropertyValue::Empty) {
        return None;
    }
    let span = note.span(property.range.clone())?;
    let shown =
        |values: &[String]| -> Vec<String> { values.iter().map(|value| wikilink_text(value).to_owned()).collect() };
    let words_of = |values: &[String]| normalize_text(&format!("{}: {}", property.key, values.join(", ")));
    let (values, identity) = (shown(&property.value.scalar_strings()), shown(&property.identity));
    if values.is_empty() {
        return None;
    }
    let words = words_of(&values);
    // One value with a comma in it differs from two values.
    let form = format!("property {}", identity.join("\u{1f}"));
    Some(Statement {
        id: StatementId::from_words(&words_of(&identity), &[&form, note.subject()]),
        kind: StatementKind::Property,
        words,
        borrowed: vec![note.subject().to_owned()],
        headings: Vec::new(),
        parent: None,
        band: note.band_of_range(property.range.clone()),
        span,
        zone: Zone::FrontMatter,
        part,
        plain: 0..0,
        rejected: false,
        cites: Vec::new(),
        former: Vec::new(),
    })
}

fn build_sentence_statements(
    note: &Note,
    part: usize,
    segment: &Segment,
    around: &SegmentContext,
    kind: StatementKind,
) -> Vec<Statement> {
    let build = |plain: Range<usize>| build_statement(note, part, segment, around, kind, plain);
    let pieces = split_segment(note, segment);
    let mut found = Vec::new();
    for run in join_within_atoms(segment, &pieces) {
        let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
        let Some(whole) = build(first.start..last.end) else { continue };
        let former = if run.len() > 1 { former_pieces(segment, run) } else { Vec::new() };
        let former = former.into_iter().filter_map(build).map(|piece| piece.id).filter(|id| *id != whole.id).collect();
        found.push(Statement { former, ..whole });
    }
    found
}

/// Groups the sentences of a text between which no sign that ends one lies within inline code or the text of a link.
fn join_within_atoms<'p>(segment: &Segment, pieces: &'p [Range<usize>]) -> Vec<&'p [Range<usize>]> {
    if pieces.len() < 2 {
        return pieces.chunks(1).collect();
    }
    let whole = 0..segment.plain.text().len();
    let atoms: Vec<Range<usize>> = segment.plain.atomic_ranges_within(&whole).map(|(plain, _)| plain).collect();
    let goes_on = |next: &Range<usize>| {
        let words = segment.plain.text().get(next.clone()).unwrap_or_default();
        words.starts_with(char::is_lowercase)
    };
    let is_cut_within = |one: &Range<usize>, next: &Range<usize>| {
        let before = atoms.partition_point(|atom| atom.start < one.end);
        let atom = before.checked_sub(1).and_then(|at| atoms.get(at)).filter(|atom| one.end <= atom.end);
        // "Run `make all!` before it": the mark is the code's, and the sentence goes on.
        atom.is_some_and(|atom| next.start < atom.end || goes_on(next))
    };
    pieces.chunk_by(is_cut_within).collect()
}

/// Returns the pieces that were statements before code and the texts of links were kept whole. Two in the text of one link had
/// the same bytes, and were one.
fn former_pieces(segment: &Segment, run: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut apart: Vec<(Range<usize>, Option<Range<usize>>)> = Vec::new();
    for plain in run {
        let source = segment.plain.source_range(plain.clone());
        match apart.last_mut() {
            Some((last, same)) if source.is_some() && *same == source => last.end = plain.end,
            _ => apart.push((plain.clone(), source)),
        }
    }
    apart.into_iter().map(|(plain, _)| plain).collect()
}

/// Splits a text into sentences. A part that is stricter than the note must not influence where sentences around it
/// begin and end: it is split on its own if the text before it has ended and the text after it begins anew, and
/// otherwise counts as one long word.
fn split_segment(note: &Note, segment: &Segment) -> Vec<Range<usize>> {
    let text = segment.plain.text();
    if note.band_of_range(segment.range.clone()) == note.band() {
        return split_sentences(text);
    }
    let guarded = find_guarded_ranges(note, segment);
    let mut masked = text.as_bytes().to_vec();
    let mut found = Vec::new();
    let mut at = 0;
    for part in guarded {
        // Looks no further back than white space goes: a text may have thousands of guarded parts.
        let before = text.get(at..part.start).unwrap_or_default().char_indices().rev();
        let seen = |(from, c): (usize, char)| if masked.get(at + from) == Some(&b'x') { 'x' } else { c };
        let last = before.map(seen).find(|c| !c.is_whitespace());
        let behind = text.get(part.end..).unwrap_or_default();
        let ended = last.is_none_or(|last| matches!(last, '.' | '!' | '?' | '…' | '。' | '！' | '？'));
        let anew = behind.trim_start().chars().next().is_none_or(|c| !c.is_lowercase() && c.is_alphanumeric());
        if ended && anew {
            found.extend(sentence_ranges(&masked, at..part.start));
            found.extend(sentence_ranges(text.as_bytes(), part.clone()));
            at = part.end;
        } else {
            masked[part].fill(b'x');
        }
    }
    found.extend(sentence_ranges(&masked, at..text.len()));
    found
}

/// Returns the sentences of a part of a text, as ranges of the whole.
fn sentence_ranges(text: &[u8], part: Range<usize>) -> Vec<Range<usize>> {
    let start = part.start;
    let words = text.get(part).map(String::from_utf8_lossy).unwrap_or_default();
    split_sentences(&words).into_iter().map(|range| range.start + start..range.end + start).collect()
}

/// Finds the parts of a segment's plain text that are stricter than its note.
fn find_guarded_ranges(note: &Note, segment: &Segment) -> Vec<Range<usize>> {
    let text = segment.plain.text();
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        let source = segment.plain.source_range(at..end);
        if source.is_some_and(|source| note.band_of_range(source) > note.band()) {
            match found.last_mut() {
                Some(last) if last.end == at => last.end = end,
                _ => found.push(at..end),
            }
        }
    }
    found
}

fn build_code_statements(note: &Note, part: usize, segment: &Segment, around: &SegmentContext) -> Vec<Statement> {
    let pieces = split_code(note, segment).into_iter();
    pieces.filter_map(|plain| build_statement(note, part, segment, around, StatementKind::Code, plain)).collect()
}

/// Splits a code block at empty lines and at a maximum length. Very long lines are data and skipped. If a part of it is
/// stricter than the note, only the beginning is one piece, so that the guarded part does not influence where pieces
/// begin.
fn split_code(note: &Note, segment: &Segment) -> Vec<Range<usize>> {
    const LINES_MAX: usize = 12;
    const BYTES_MAX: usize = 1000;
    const PIECES_MAX: usize = 64;
    let text = segment.plain.text();
    if note.band_of_range(segment.range.clone()) != note.band() {
        return std::iter::once(0..text.floor_char_boundary(BYTES_MAX)).collect();
    }
    let mut pieces: Vec<Range<usize>> = Vec::new();
    let (mut at, mut lines) = (0, 0);
    for line in text.split_inclusive('\n') {
        let (start, end) = (at + line.len() - line.trim_start().len(), at + line.trim_end().len());
        at += line.len();
        if start >= end || end - start > BYTES_MAX {
            lines = 0;
            continue;
        }
        match pieces.last_mut() {
            Some(last) if lines > 0 && lines < LINES_MAX && end - last.start <= BYTES_MAX => last.end = end,
            _ => {
                pieces.push(start..end);
                lines = 0;
            }
        }
        lines += 1;
    }
    pieces.truncate(PIECES_MAX);
    pieces
}

fn build_whole_statement(
    note: &Note,
    part: usize,
    segment: &Segment,
    around: &SegmentContext,
    kind: StatementKind,
) -> Option<Statement> {
    build_statement(note, part, segment, around, kind, 0..segment.plain.text().len())
}

fn build_statement(
    note: &Note,
    part: usize,
    segment: &Segment,
    around: &SegmentContext,
    kind: StatementKind,
    plain: Range<usize>,
) -> Option<Statement> {
    let words = normalize_text(segment.plain.text().get(plain.clone())?);
    if !words.chars().any(char::is_alphanumeric) {
        return None;
    }
    let whole_sentence = matches!(kind, StatementKind::Sentence | StatementKind::Item);
    let alone = whole_sentence && segment.zone != Zone::Quote && !around.rejected && is_self_contained(&words);
    let borrowed = if alone { Vec::new() } else { around.borrowed_subject(note) };
    let span = note.span(segment.plain.source_range(plain.clone())?)?;
    let form = identity_form(segment);
    let subject: Vec<&str> = form.iter().chain(&borrowed).map(String::as_str).collect();
    Some(Statement {
        id: StatementId::from_words(&words, &subject),
        kind,
        words,
        borrowed,
        headings: around.headings.clone(),
        parent: around.parent.clone(),
        band: around.band.join(note.band_of_range(span.range())),
        span,
        zone: segment.zone,
        part,
        plain,
        rejected: around.rejected,
        cites: Vec::new(),
        former: Vec::new(),
    })
}

/// Returns the part of the form that the words do not show but the reading depends on, so that one id never has two
/// readings: a field, the cells of a row, a quote. `None` for a sentence.
fn identity_form(segment: &Segment) -> Option<String> {
    let form = match &segment.kind {
        SegmentKind::Field { .. } => "field".to_owned(),
        SegmentKind::Row { cells, .. } => {
            let text = |cell: &Range<usize>| segment.plain.text().get(cell.clone()).unwrap_or_default();
            format!("row {}", cells.iter().map(text).collect::<Vec<_>>().join("\u{1f}"))
        }
        SegmentKind::Code => "code".to_owned(),
        SegmentKind::Paragraph | SegmentKind::Item | SegmentKind::Task(_) => String::new(),
    };
    let quoted = if segment.zone == Zone::Quote { "quoted " } else { "" };
    Some(format!("{quoted}{form}")).filter(|form| !form.is_empty())
}
