//! Claims from sentences and list items: labels and definitions first, then clause by clause.
//!
//! A statement without any reading is kept verbatim, so that every assertion in a vault can be found and cited.

use std::ops::Range;

use memora_claim::time::{find_times, find_validity};
use memora_claim::{Claim, Extractor, Modality, Phase, Statement, StatementKind, ValidityExpr};
use memora_nlp::DependencyParser;
use memora_vault::{Note, Segment, Zone};

use crate::label::{is_definition_text, label_modality, split_label, split_label_values};
use crate::lists::{
    ATTRIBUTE_LABELS, LINKED_AUXILIARIES, NAMING_VERBS, POINTER_OPENINGS, RELOCATION_PASSIVES, RELOCATION_PREDICATES,
};
use crate::readings::{
    CONFIDENCE_MIN, ReadingContext, ReadingSubject, StatementReading, is_instruction_label, read_facts,
};
use crate::relation::Relations;
use crate::structured::{borrowed_subject, build_claim, verbatim_claim};
use memora_nlp::language_detection::is_english;

/// The form of a sentence or a list item, which selects how it is read.
pub(crate) enum SentenceForm<'s> {
    /// A question, which claims nothing.
    Question,
    /// A pointer, an example, or text in another language: kept but not read.
    Unread,
    /// A date, and what was done then: "2025-03-15: planted potatoes".
    Dated(&'s str, &'s str),
    /// `Term — meaning`.
    Definition(&'s str, &'s str),
    /// `Label: value | Label: value`.
    Labels(Vec<(&'s str, &'s str)>),
    /// `Label: value`.
    Labelled(&'s str, &'s str),
    /// Clauses.
    Clauses,
}

/// Classifies a statement by its words.
pub(crate) fn classify_form<'s>(statement: &'s Statement, line: &StatementLine<'_>) -> SentenceForm<'s> {
    let words = statement.words.as_str();
    if is_question(words) {
        return SentenceForm::Question;
    }
    if is_pointer_line(words) {
        return SentenceForm::Unread;
    }
    // "2025-03-15: planted potatoes", "April 6 – pruned the fig": an entry with its date.
    let dated =
        [split_at_dash(words), words.split_once(": ")].into_iter().flatten().find(|(front, _)| is_whole_date(front));
    if let Some((date, done)) = dated {
        return SentenceForm::Dated(date, done);
    }
    if let Some((term, meaning)) = split_at_dash(words) {
        return SentenceForm::Definition(term, meaning);
    }
    let parts: Vec<&str> = words.split(" | ").collect();
    let labels: Vec<(&str, &str)> = parts.iter().filter_map(|part| split_label(part)).collect();
    if parts.len() > 1 && labels.len() == parts.len() {
        return SentenceForm::Labels(labels);
    }
    if let Some((label, value)) = split_label(words) {
        // "> Tom: are you coming": a quoted chat, not an attribute.
        if line.is_label_inside_name(label) {
            return SentenceForm::Clauses;
        }
        let chat = statement.zone == Zone::Quote && value.split_whitespace().count() > 2;
        return if chat { SentenceForm::Unread } else { SentenceForm::Labelled(label, value) };
    }
    // "To customise it:" introduces the next lines, and claims nothing yet.
    if !is_english(words) || words.ends_with(':') || line.is_only_markup() {
        SentenceForm::Unread
    } else {
        SentenceForm::Clauses
    }
}

/// Extracts the facts of a sentence or a list item, each by itself.
pub(crate) fn extract_sentence_facts(note: &Note, statement: &Statement, relations: &Relations) -> Vec<Claim> {
    match StatementLine::from_statement(note, statement) {
        Some(line) => line.extract_facts(&classify_form(statement, &line), relations),
        None => claims_without_segment(statement),
    }
}

/// Returns the claims of a statement that is in no segment of its note.
pub(crate) fn claims_without_segment(statement: &Statement) -> Vec<Claim> {
    if is_question(&statement.words) { Vec::new() } else { verbatim_claim(statement) }
}

/// Returns all readings of a sentence or a list item, even unlikely ones, for comparison with an external reading.
pub(crate) fn collect_readings(note: &Note, statement: &Statement) -> Vec<StatementReading> {
    let Some(line) = StatementLine::from_statement(note, statement) else { return Vec::new() };
    read_facts(line.text, &line.solid, line.context())
}

/// A statement's text as it is in its segment, with its links and code.
pub(crate) struct StatementLine<'n> {
    pub(crate) statement: &'n Statement,
    pub(crate) text: &'n str,
    pub(crate) solid: Vec<Range<usize>>,
    /// The links and the code among `solid`, of any length.
    links: Vec<Range<usize>>,
    /// Emphasized ranges.
    marked: Vec<Range<usize>>,
    /// Whether other items are nested below it: then it names their topic.
    heads_list: bool,
    /// Whether it is the title of a callout, which is a name and not a command: "> [!info] Excluded files".
    is_title: bool,
}

impl<'n> StatementLine<'n> {
    pub(crate) fn from_statement(note: &'n Note, statement: &'n Statement) -> Option<Self> {
        let segment = note.segments().get(statement.part)?;
        let text = segment.plain.text().get(statement.plain.clone())?;
        // Content stricter than the statement must not affect how it is read.
        let band = note.band_of_range(segment.range.clone());
        let heads_list =
            note.segments_below(statement.part).any(|below| note.band_of_range(below.range.clone()) <= band);
        let links = link_ranges(note, segment, &statement.plain);
        let marked = shift_ranges(segment.plain.marked_ranges_within(&statement.plain), &statement.plain);
        let solid = find_opaque_ranges(&links, &marked, text);
        let start = statement.span.start();
        let before = note.text().get(note.line_start(start)..start).filter(|before| before.len() <= OPENING_MAX);
        let is_title = before.is_some_and(is_callout_opening);
        Some(Self { statement, text, solid, links, marked, heads_list, is_title })
    }

    /// Returns the facts of the line, which has this form; its own words if nothing was read.
    pub(crate) fn extract_facts(&self, form: &SentenceForm<'_>, relations: &Relations) -> Vec<Claim> {
        let statement = self.statement;
        let found = match form {
            SentenceForm::Question => return Vec::new(),
            SentenceForm::Unread => Vec::new(),
            SentenceForm::Dated(date, done) => self.extract_dated(date, done, relations),
            SentenceForm::Definition(term, meaning) => vec![build_definition(statement, term, meaning, relations)],
            SentenceForm::Labels(labels) => {
                let of = |(label, value): &(&str, &str)| {
                    build_claim(statement, borrowed_subject(statement), label, value, Extractor::Label)
                };
                labels.iter().map(of).collect()
            }
            SentenceForm::Labelled(label, value) => self.extract_labelled(label, value, relations),
            SentenceForm::Clauses => self.extract_part(0..self.text.len(), relations),
        };
        if found.is_empty() { verbatim_claim(statement) } else { found }
    }

    /// Returns the claims of a part of the line.
    fn extract_part(&self, part: Range<usize>, relations: &Relations) -> Vec<Claim> {
        let text = self.text.get(part.clone()).unwrap_or_default();
        self.claim_confident(read_facts(text, &self.opaque_ranges_in(&part), self.context()), relations)
    }

    /// Returns the claims of the readings that are confident enough.
    pub(crate) fn claim_confident(&self, found: Vec<StatementReading>, relations: &Relations) -> Vec<Claim> {
        found
            .into_iter()
            .filter(|reading| reading.confidence >= CONFIDENCE_MIN && (reading.is_clause || !self.heads_list))
            .map(|reading| self.claim_from_reading(reading, borrowed_subject(self.statement), relations))
            .collect()
    }

    /// Returns the opaque ranges in a part, relative to its start.
    pub(crate) fn opaque_ranges_in(&self, part: &Range<usize>) -> Vec<Range<usize>> {
        let within = self.solid.iter().filter(|range| part.start <= range.start && range.end <= part.end);
        shift_ranges(within.cloned(), part)
    }

    pub(crate) fn context(&self) -> ReadingContext<'_> {
        // A self-contained statement borrows nothing from headings, or its claim would name two things in two places.
        // The title is not part of a claim in either case.
        let under_nothing = self.statement.headings.is_empty() && self.statement.parent.is_none();
        let lends = !self.is_title && (!self.statement.borrowed.is_empty() || under_nothing);
        let parent = self.statement.parent.as_deref().filter(|_| self.statement.kind == StatementKind::Item);
        let heading = self.statement.headings.last().map(String::as_str);
        let note = self.statement.borrowed.first().map(String::as_str);
        // Behind another sentence of its paragraph, "it" refers to something in that one.
        let first = self.statement.plain.start == 0;
        ReadingContext { lends, name: parent.or(heading).or(note).filter(|_| lends), first }
    }

    /// Whether the colon behind a label is inside marked words or code, and no separator: `**Note composer: Merge**`.
    fn is_label_inside_name(&self, label: &str) -> bool {
        let Some(colon) = self.text.find(label).map(|at| at + label.len()) else { return false };
        let around = |range: &Range<usize>| range.start < colon && colon + 2 < range.end;
        self.solid.iter().chain(&self.marked).any(around) || self.links.iter().any(|range| range.contains(&colon))
    }

    /// Whether the line is only a link, a piece of code or a name in bold: a pointer, an example, or the heading of the
    /// next lines.
    fn is_only_markup(&self) -> bool {
        let text = self.text.trim();
        let inside = |range: &Range<usize>| self.text.get(range.clone()).map_or(0, str::len);
        let most = |ranges: &[Range<usize>]| ranges.iter().any(|range| inside(range) * 10 >= text.len() * 9);
        let head =
            !text.ends_with(['.', '!']) && text.split_whitespace().count() <= 4 && text.starts_with(char::is_uppercase);
        !text.is_empty() && (most(&self.links) || head && most(&self.marked))
    }

    /// Whether a range of the line is code.
    fn is_code_range(&self, range: &Range<usize>) -> bool {
        self.text
            .get(range.clone())
            .is_some_and(|text| text.contains(['(', '=', '{', '.', '-', '/', '|', '"']) || !text.contains(' '))
    }

    /// Extracts an entry with its date in front.
    fn extract_dated(&self, date: &str, done: &str, relations: &Relations) -> Vec<Claim> {
        let start = self.text.find(done).filter(|_| is_english(done)).unwrap_or(self.text.len());
        let mut found = self.extract_part(start..self.text.len(), relations);
        let (from, until) = find_validity(date);
        for claim in &mut found {
            claim.qualifiers.insert(0, date.to_owned());
            if claim.holds == ValidityExpr::default() {
                claim.holds = ValidityExpr { from, until };
            }
        }
        if found.is_empty() { verbatim_claim(self.statement) } else { found }
    }

    /// Extracts a label and its text: a definition, a clause about the label, or a value.
    fn extract_labelled(&self, label: &str, value: &str, relations: &Relations) -> Vec<Claim> {
        let statement = self.statement;
        let english = is_english(value);
        let meant = label_modality(label);
        let colon = self.text.char_indices().find(|(_, c)| matches!(c, ':' | '：'));
        let start = colon.map_or(0, |(at, c)| at + c.len_utf8());
        if let Some(meant) = meant {
            let mut found = if english { self.extract_part(start..self.text.len(), relations) } else { Vec::new() };
            if found.is_empty() {
                found = verbatim_claim(statement);
            }
            for claim in &mut found {
                claim.modality = meant;
                claim.phase = Phase::Steady;
                if meant == Modality::Reported && claim.attribution.is_none() {
                    claim.attribution = Some(label.to_owned());
                }
            }
            return found;
        }
        if is_instruction_label(label) {
            let found = if english { self.extract_part(start..self.text.len(), relations) } else { Vec::new() };
            return if found.is_empty() { verbatim_claim(statement) } else { found };
        }
        let known = relations.find_by_label(label, value).is_some();
        let attribute = ATTRIBUTE_LABELS.contains(label.to_lowercase().as_str());
        let code = self.solid.iter().any(|range| range.start >= start && self.is_code_range(range));
        if english {
            let text = self.text.get(start..).unwrap_or_default();
            let readings = read_facts(text, &[], ReadingContext { lends: true, name: Some(label), first: true });
            let says = |reading: &StatementReading| {
                reading.is_clause && reading.is_main && reading.is_finite
                    || reading.is_described && reading.subject == ReadingSubject::FromContext && !known && !code
            };
            let of_label = |reading: &StatementReading| reading.subject == ReadingSubject::FromContext;
            // A verb whose subject is its label is not capitalized: "Slot: Sat 14:30" has none.
            let capital = value.starts_with(char::is_uppercase);
            let clauses = readings.iter().any(says) && (!(known || capital) || !readings.iter().any(of_label));
            if clauses && !attribute {
                // "Jonas: \"the price went up\""
                let quoted = value.starts_with(['"', '“']) && value.ends_with(['"', '”']);
                let named = |reading| {
                    let mut claim = self.claim_from_reading(reading, Some(label.to_owned()), relations);
                    if quoted {
                        (claim.modality, claim.attribution) = (Modality::Reported, Some(label.to_owned()));
                    }
                    claim
                };
                let found: Vec<Claim> =
                    readings.into_iter().filter(|reading| reading.confidence >= CONFIDENCE_MIN).map(named).collect();
                return if found.is_empty() { verbatim_claim(statement) } else { found };
            }
            if !known && !code && is_definition_text(value) && !attribute {
                return vec![build_definition(statement, label, value, relations)];
            }
        }
        if let Some((old, new)) = value.split_once(" → ").or_else(|| value.split_once(" -> ")).filter(|_| !code) {
            let of = |value: &str, phase| {
                let mut claim =
                    build_claim(statement, borrowed_subject(statement), label, value.trim(), Extractor::Label);
                claim.phase = phase;
                claim
            };
            return vec![of(old, Phase::Ended), of(new, Phase::Begun)];
        }
        let values = if code { vec![value] } else { split_label_values(label, value) };
        values
            .into_iter()
            .map(|value| self::build_claim(statement, borrowed_subject(statement), label, value, Extractor::Label))
            .collect()
    }

    pub(crate) fn claim_from_reading(
        &self,
        reading: StatementReading,
        of_place: Option<String>,
        relations: &Relations,
    ) -> Claim {
        let subject = match reading.subject {
            ReadingSubject::Named(name) => Some(name),
            ReadingSubject::FromContext => of_place,
        };
        let about = subject.as_deref().or_else(|| self.context().name);
        // "You can use Git": a possibility does not state a relation yet.
        let possible = reading.predicate.split(' ').any(|word| matches!(word, "can" | "could" | "may" | "might"));
        // "The parser was moved to Lisbon" does not say that anyone lives there.
        let possible = possible || RELOCATION_PASSIVES.iter().any(|words| reading.predicate.contains(words));
        let relation = relations
            .find_for_clause(about, &reading.predicate, &reading.object, reading.topic.as_deref())
            .filter(|_| !possible)
            .map(|r| r.name.clone());
        let mut claim = Claim::new(self.statement.id, subject, &reading.predicate, &reading.object);
        claim.extractor = if reading.is_clause { Extractor::Clause } else { Extractor::Fragment };
        claim.confidence = reading.confidence;
        claim.qualifiers = reading.qualifiers;
        claim.relation = relation;
        claim.modality = reading.modality;
        claim.negated = reading.negated;
        claim.attribution = reading.attribution;
        claim.phase = reading.phase;
        claim.holds = reading.holds;
        // "Ben moved to Lisbon": where he lives now.
        let moved = RELOCATION_PREDICATES.contains(claim.predicate.to_lowercase().as_str());
        if moved && claim.phase == Phase::Steady && claim.modality == Modality::Asserted && claim.relation.is_some() {
            claim.phase = Phase::Begun;
        }
        claim
    }
}

/// The longest opening of a callout, with the marks of the quotes around it, in bytes.
const OPENING_MAX: usize = 512;

/// Whether a line begins with a callout's opening and nothing else: `> [!info]- `.
fn is_callout_opening(front: &str) -> bool {
    let mark = front.trim_start_matches(['>', ' ', '\t']).trim_end().trim_end_matches(['+', '-']);
    let kind = mark.strip_prefix("[!").and_then(|rest| rest.strip_suffix(']'));
    front.contains('>')
        && kind.is_some_and(|kind| kind.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '|')))
}

/// Returns the ranges of links and code within a statement.
pub(crate) fn link_ranges(note: &Note, segment: &Segment, within: &Range<usize>) -> Vec<Range<usize>> {
    let marked = |source: &Range<usize>| {
        note.text().get(source.clone()).is_some_and(|text| text.starts_with(['[', '`', '<']) || text.starts_with("!["))
    };
    let atoms = segment.plain.atomic_ranges_within(within);
    shift_ranges(atoms.filter(|(_, source)| marked(source)).map(|(plain, _)| plain), within)
}

/// Returns ranges within a part of the text, relative to its start.
fn shift_ranges(ranges: impl Iterator<Item = Range<usize>>, within: &Range<usize>) -> Vec<Range<usize>> {
    ranges.map(|range| range.start - within.start..range.end - within.start).collect()
}

/// Returns the ranges that the parser treats as one word: links, code, names.
fn find_opaque_ranges(links: &[Range<usize>], marked: &[Range<usize>], text: &str) -> Vec<Range<usize>> {
    let names = marked.iter().cloned().chain(quoted_ranges(text)).filter(|range| is_marked_name(text, range));
    // "[changes will be merged](…)" is read as words, and so is a link as long as a sentence; code never is.
    let said = |range: &Range<usize>| {
        let words = text.get(range.clone()).unwrap_or_default();
        let helps = |word: &str| LINKED_AUXILIARIES.contains(word);
        let code = words.contains(['{', '(', '=', '|', '\\', '$', '<']);
        !code && (range.len() > 60 || words.starts_with(char::is_lowercase) && words.split(' ').any(helps))
    };
    let mut found: Vec<Range<usize>> = links.iter().cloned().chain(names).filter(|range| !said(range)).collect();
    found.sort_by_key(|range| range.start);
    found.dedup_by(|later, earlier| later.start < earlier.end);
    found
}

/// Returns the ranges between double quotes.
fn quoted_ranges(text: &str) -> impl Iterator<Item = Range<usize>> {
    let marks: Vec<(usize, char)> = text.char_indices().filter(|(_, c)| matches!(c, '"' | '“' | '”')).collect();
    let between = |pair: &[(usize, char)]| match pair {
        [(start, open), (end, _)] => Some(start + open.len_utf8()..*end),
        _ => None,
    };
    marks.chunks(2).filter_map(between).collect::<Vec<_>>().into_iter()
}

/// Whether marked words are a name: "*The Dispossessed*" anywhere, and "Select **Open folder as vault**", which is
/// capitalized in the middle of a sentence.
pub(crate) fn is_marked_name(text: &str, range: &Range<usize>) -> bool {
    let words = text.get(range.clone()).unwrap_or_default();
    let count = words.split_whitespace().count();
    let long = |word: &str| word.chars().count() > 3;
    let large = |word: &str| word.starts_with(|c: char| c.is_uppercase() || c.is_numeric());
    let title = words.split_whitespace().all(|word| !long(word) || large(word));
    let before = text.get(..range.start).unwrap_or_default().trim_end_matches(['*', '_', ' ', '"', '“', '(']);
    let quoted = text.get(..range.start).is_some_and(|before| before.ends_with(['"', '“']));
    let midway = before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | '→' | '/'));
    // "**Same folder as current file** adds the attachment": what a verb follows.
    let next = text.get(range.end..).unwrap_or_default().trim_start_matches(['*', '_']);
    let next = next.strip_prefix(' ').and_then(|rest| rest.split_whitespace().next()).unwrap_or_default();
    let acts = before.is_empty()
        && (NAMING_VERBS.contains(next) || next.ends_with('s') && next == next.to_lowercase())
        && DependencyParser::embedded().may_be_verb(next);
    (2..=8).contains(&count)
        && !words.ends_with(['.', ':', '!', '?', ',', ';'])
        && (title || (midway || acts) && !quoted && large(words))
}

fn build_definition(statement: &Statement, term: &str, meaning: &str, relations: &Relations) -> Claim {
    let mut claim = build_claim(statement, Some(term.to_owned()), "is", meaning, Extractor::Definition);
    claim.relation = relations.find_for_clause(Some(term), "is", meaning, None).map(|relation| relation.name.clone());
    claim
}

/// Whether a line points elsewhere, greets, or lists tags.
fn is_pointer_line(words: &str) -> bool {
    let lower = words.to_lowercase();
    // "Home > Projects > Drift", "← back | index →"
    let trail = lower.matches(" > ").count() > 1 || lower.contains('←') || lower.matches(" · ").count() > 1;
    let greets = matches!(lower.split_once(' '), Some(("hi" | "hey" | "dear", _)));
    trail || greets || POINTER_OPENINGS.iter().any(|start| lower.starts_with(start))
}

fn is_question(words: &str) -> bool {
    words.trim_end_matches(['"', '\'', ')', '”', '’', '*', '_', '!']).ends_with(['?', '？'])
}

/// Splits `Term — meaning`, with spaces around the dash and a short term before it.
fn split_at_dash(words: &str) -> Option<(&str, &str)> {
    let (term, meaning) = [" — ", " – ", " = "].iter().find_map(|dash| words.split_once(dash))?;
    let short = (1..=5).contains(&term.split_whitespace().count()) && !term.contains([',', ':', '.', ';']);
    (short && meaning.split_whitespace().count() >= 2).then(|| (term.trim(), meaning.trim()))
}

/// Whether words are a date and nothing else.
pub(crate) fn is_whole_date(words: &str) -> bool {
    let words = words.trim();
    words.contains(|c: char| c.is_ascii_digit()) && find_times(words).iter().any(|time| time.words == (0..words.len()))
}
