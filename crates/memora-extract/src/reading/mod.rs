//! What the clauses of a statement claim.
//!
//! [`read`] takes the words of one statement and gives its readings: who, does what, to what, how it is meant, what else
//! hangs on it. The one rule to know: every word of a reading is a word of the statement, but for "is" and "has" where the
//! statement leaves the verb out; a subject that the statement leaves out stays open, for its place to fill in.
//!
//! Nothing that a clause says is dropped: what is neither subject, predicate nor object is a qualifier.

mod amended;
mod asserted;
mod change;
mod clauses;
mod confidence;
mod fragment;
mod front;
mod lead;
mod modality;
mod parsed;
mod parts;
mod pronoun;
mod sentence;
mod shapes;
mod solid;
mod split;
mod torn;
mod when;
mod words;

use std::collections::HashSet;
use std::ops::Range;

use memora_claim::time::{TimeMention, find_times};
use memora_claim::{ValidityExpr, Modality, Phase};
use memora_nlp::tokenize_treebank;

use confidence::ReadingTokens;
pub(crate) use lead::is_instruction_label;
pub(crate) use modality::is_speech_verb;
use parsed::ParsedSpan;
use solid::ParserForm;

/// Readings below this are not claimed: on the labelled notes more of them are wrong than right.
pub(crate) const CONFIDENCE_MIN: f32 = 0.62;

/// Texts of more bytes are kept whole: no sentence is so long, and reading it takes longer than it is worth.
const TEXT_MAX: usize = 8 * 1024;

/// Who a reading is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ReadingSubject {
    /// Words of the statement.
    Named(String),
    /// What the place gives: the statement names nobody, or only "it".
    FromContext,
}

/// One thing that a statement says.
#[derive(Clone, Debug)]
pub(crate) struct StatementReading {
    pub(crate) subject: ReadingSubject,
    pub(crate) predicate: String,
    /// Empty where the verb has nothing behind it.
    pub(crate) object: String,
    pub(crate) qualifiers: Vec<String>,
    pub(crate) modality: Modality,
    pub(crate) negated: bool,
    pub(crate) attribution: Option<String>,
    pub(crate) phase: Phase,
    /// What a change is about: "serialization" in "switched serialization to MessagePack".
    pub(crate) topic: Option<String>,
    pub(crate) confidence: f32,
    /// Whether a clause says it, with a verb of its own.
    pub(crate) is_clause: bool,
    /// Whether it is a line without a verb that describes its subject: "too bitter".
    pub(crate) is_described: bool,
    /// Whether that verb is finite: "reviews", not "reviewing".
    pub(crate) is_finite: bool,
    /// Whether that is the sentence's main clause, or coordinated to it.
    pub(crate) is_main: bool,
    /// When it holds, by its own words.
    pub(crate) holds: ValidityExpr,
    /// Who says so, without the verb.
    speaker: Option<String>,
    /// The tokens it is made of.
    parts: ReadingTokens,
    /// Whether its parts show that the parse is wrong: a finite verb inside a noun phrase.
    pub(crate) torn: bool,
}

impl StatementReading {
    /// `subject | predicate | object`, asserted without a clause; the rest is to be filled in.
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

/// What a statement's place lends it, and how far it may be used.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ReadingContext<'a> {
    /// Whether the statement takes its subject from its place; one that stands alone takes none.
    pub(crate) lends: bool,
    /// The words of the place's subject, as far as they are known here.
    pub(crate) name: Option<&'a str>,
    /// Whether the text begins the statement, so that "it" can only point out of it.
    pub(crate) first: bool,
}

/// Reads a statement. `marked` are the ranges of links and code in it.
pub(crate) fn read_facts(text: &str, marked: &[Range<usize>], place: ReadingContext<'_>) -> Vec<StatementReading> {
    if text.len() > TEXT_MAX {
        return Vec::new();
    }
    let body = lead::strip_noise(text, marked);
    let times = find_times(text);
    let text = AnnotatedText { text, marked, times: &times, depth: 0 };
    deduplicate(text.text, split::read_pieces(text, body, place))
}

/// The same, and its main clauses whole; it is parsed as a whole once for both.
pub(crate) fn read_facts_and_whole(text: &str, marked: &[Range<usize>], place: ReadingContext<'_>) -> (Vec<StatementReading>, Vec<StatementReading>) {
    if text.len() > TEXT_MAX {
        return (Vec::new(), Vec::new());
    }
    let body = lead::strip_noise(text, marked);
    let times = find_times(text);
    let text = AnnotatedText { text, marked, times: &times, depth: 0 };
    let parsed = ParsedSpan::parse(text, &body);
    let apart = deduplicate(text.text, split::read_pieces_reusing(text, body, place, Some(parsed.as_ref())));
    let whole = parsed.map(|parsed| sentence::read_main_clauses(text, &parsed)).unwrap_or_default();
    (apart, whole)
}

/// The main clauses of a statement whole; those that name their subject.
pub(crate) fn read_whole_clauses(text: &str, marked: &[Range<usize>]) -> Vec<StatementReading> {
    if text.len() > TEXT_MAX {
        return Vec::new();
    }
    let body = lead::strip_noise(text, marked);
    let times = find_times(text);
    let text = AnnotatedText { text, marked, times: &times, depth: 0 };
    ParsedSpan::parse(text, &body).map(|parsed| sentence::read_main_clauses(text, &parsed)).unwrap_or_default()
}

/// Readings that were made whole, each once.
fn deduplicate(text: &str, mut found: Vec<StatementReading>) -> Vec<StatementReading> {
    // "\"Search in Obsidian\"": words that somebody says, and nobody is named.
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

/// A text to read, with what is known of its parts.
#[derive(Clone, Copy)]
struct AnnotatedText<'a> {
    text: &'a str,
    /// Links and code.
    marked: &'a [Range<usize>],
    times: &'a [TimeMention],
    /// How many parts of parts this is already.
    depth: u8,
}

/// A part of a text as the reader sees it.
struct TokenizedSpan<'a> {
    ranges: Vec<Range<usize>>,
    forms: Vec<&'a str>,
}

impl<'a> AnnotatedText<'a> {
    /// Cuts a part of the text into tokens.
    fn tokenize_span(self, part: &Range<usize>) -> TokenizedSpan<'a> {
        let within = self.text.get(part.clone()).unwrap_or_default();
        let inside = |range: &Range<usize>| part.start <= range.start && range.end <= part.end;
        let shifted = |range: &Range<usize>| range.start - part.start..range.end - part.start;
        let marked: Vec<Range<usize>> = self.marked.iter().filter(|range| inside(range)).map(shifted).collect();
        let times = self.times.iter().filter(|time| inside(&time.words));
        let times: Vec<TimeMention> = times.map(|time| TimeMention { words: shifted(&time.words), ..time.clone() }).collect();
        let solids = solid::find_opaque_tokens(within, &marked, &times);
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

/// "Last Friday Ben met Lisa": the first token behind a time at the front that no comma parts from what happened then, and
/// the byte where the comma belongs. A parser takes such a time for a name of its neighbour.
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
    let someone = next.starts_with(char::is_uppercase)
        || matches!(next, "we" | "he" | "she" | "they" | "it" | "the" | "my" | "our" | "i");
    (at > 0 && (preposition || front.is_empty() && day) && someone).then_some((at, end))
}
