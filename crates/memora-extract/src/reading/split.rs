//! Lines of several pieces: "hallway got two coats of white, ceiling still bare".
//!
//! People put commas and semicolons where grammar wants full stops, and a parser then makes one clause the object of
//! another. A line is read in pieces only when each piece says something by itself; otherwise as a whole, since commas
//! also list, interrupt and subordinate.

use std::ops::Range;

use memora_english::{Label, Reader, TOKENS_MAX, Tree, Upos, Xpos};

use super::words::Words;
use super::{Place, Reading, Subject, Text};
use crate::clause::clauses;
use crate::clause::grammar::is_subject;

/// More pieces than this are a list.
const PIECES_MAX: usize = 8;

/// The readings of a part of a text, in pieces or as a whole.
pub(super) fn pieces(text: Text<'_>, body: Range<usize>, place: Place<'_>) -> Vec<Reading> {
    let parts = parts(text.text, &body, text.marked);
    if parts.len() < 2 || parts.len() > PIECES_MAX {
        return whole(text, body, place);
    }
    let mut found: Vec<Reading> = Vec::new();
    let mut subject: Option<Subject> = None;
    for part in parts {
        let Some(mut piece) = piece(text, part, place) else {
            return whole(text, body, place);
        };
        if let Some(before) = subject.as_ref().filter(|_| piece.continues) {
            for reading in piece.readings.iter_mut().filter(|reading| reading.subject == Subject::OfPlace) {
                reading.subject = before.clone();
            }
        }
        if let Some(first) = piece.readings.iter().find(|reading| reading.is_clause) {
            subject = Some(first.subject.clone());
        }
        found.append(&mut piece.readings);
    }
    found
}

/// Where a line may fall into pieces: behind a semicolon or a comma, outside brackets, quotes, links and numbers.
fn parts(text: &str, body: &Range<usize>, marked: &[Range<usize>]) -> Vec<Range<usize>> {
    let within = text.get(body.clone()).unwrap_or_default();
    let mut found = Vec::new();
    let mut depth = 0_i32;
    let mut start = body.start;
    for (at, c) in within.char_indices() {
        let here = body.start + at;
        match c {
            '(' | '[' | '“' | '«' => depth += 1,
            ')' | ']' | '”' | '»' => depth -= 1,
            ',' | ';' if depth <= 0 && !marked.iter().any(|range| range.contains(&here)) => {
                let spaced = within.get(at + 1..).is_some_and(|rest| rest.starts_with(char::is_whitespace));
                if spaced {
                    found.push(start..here);
                    start = here + 1;
                }
            }
            _ => {}
        }
    }
    found.push(start..body.end);
    found
}

/// A piece that says something by itself.
struct Piece {
    readings: Vec<Reading>,
    /// Whether it is a verb that goes on with the subject before: "…, works at a lab".
    continues: bool,
}

/// Reads a piece; nothing when it says nothing by itself.
fn piece(text: Text<'_>, part: Range<usize>, place: Place<'_>) -> Option<Piece> {
    let first = text.text.get(part.clone())?.split_whitespace().next()?.to_lowercase();
    const JOINING: &[&str] = &[
        "and",
        "or",
        "nor",
        "which",
        "who",
        "whom",
        "whose",
        "that",
        "where",
        "when",
        "while",
        "because",
        "since",
        "if",
        "unless",
        "although",
        "though",
        "as",
        "so",
        "until",
        "till",
        "after",
        "before",
        "e.g.",
        "i.e.",
        "including",
        "especially",
        "then",
        "with",
        "without",
        "for",
        "by",
        "to",
        "from",
        "of",
        "in",
        "on",
        "at",
        "than",
        "not",
    ];
    const JOINING_CLAUSES: &[&str] = &["and", "but", "so", "then", "yet", "before", "after", "since"];
    let joins = JOINING.contains(&first.as_str());
    let read = Parsed::of(text, &part, place)?;
    let words = read.words(text);
    let tree = &read.tree;
    let root = (0..tree.len()).find(|i| tree.label(*i) == Label::Root)?;
    let own =
        words.grammar().children(root).any(|k| matches!(tree.label(k), Label::Nsubj | Label::NsubjPass | Label::Expl));
    let verbal = matches!(tree.upos(root), Upos::Verb | Upos::Aux)
        || tree.children(root).iter().any(|k| tree.label(*k) == Label::Cop);
    if joins && !(own && verbal && JOINING_CLAUSES.contains(&first.as_str())) {
        return None;
    }
    let readings = read.readings(text, place);
    if readings.is_empty() {
        return None;
    }
    let continues = !own && verbal && matches!(tree.xpos(root), Xpos::Vbz | Xpos::Vbd | Xpos::Vbp);
    Some(Piece { readings, continues })
}

/// Reads a part of a text as one sentence.
fn whole(text: Text<'_>, body: Range<usize>, place: Place<'_>) -> Vec<Reading> {
    Parsed::of(text, &body, place).map(|parsed| parsed.readings(text, place)).unwrap_or_default()
}

/// A part of a text with its tree.
struct Parsed<'a> {
    ranges: Vec<Range<usize>>,
    tree: Tree<'a>,
}

impl<'a> Parsed<'a> {
    fn of(text: Text<'a>, part: &Range<usize>, place: Place<'_>) -> Option<Self> {
        let cut = text.cut(part);
        if cut.ranges.is_empty() || cut.ranges.len() > TOKENS_MAX {
            return None;
        }
        let tree = Reader::embedded().read(&cut.forms);
        let parsed = Self { ranges: cut.ranges, tree };
        if !place.lends || !parsed.may_lack_subject() {
            return Some(parsed);
        }
        Some(parsed.with_subject(&cut.forms).unwrap_or(parsed))
    }

    fn words<'p>(&'p self, text: Text<'p>) -> Words<'p> {
        Words { text: text.text, tokens: &self.ranges, tree: &self.tree, times: text.times }
    }

    fn readings(&self, text: Text<'_>, place: Place<'_>) -> Vec<Reading> {
        let words = self.words(text);
        if let Some(amount) = words.amount() {
            return vec![amount];
        }
        let mut found: Vec<Reading> = Vec::new();
        for clause in clauses(&self.tree) {
            found.extend(words.readings_of(&clause, place));
        }
        let appositions = (0..self.tree.len()).filter_map(|i| words.grammar().apposition(i));
        found.extend(appositions.filter_map(|nominal| words.in_passing(&nominal)));
        if found.is_empty() { words.fragment(place) } else { found }
    }

    /// Whether the first word could be a verb without its subject.
    fn may_lack_subject(&self) -> bool {
        let tree = &self.tree;
        let lower = tree.lower(0);
        let form = lower.ends_with('s') || lower.ends_with("ed") || matches!(tree.upos(0), Upos::Verb | Upos::Aux);
        let root = (0..tree.len()).find(|i| tree.label(*i) == Label::Root);
        let own = root.is_some_and(|root| tree.children(root).iter().any(|k| is_subject(tree.label(*k))));
        form && tree.len() > 1 && !own
    }

    /// The same words read behind "It", which a note leaves out; only if that makes the first word a finite verb.
    fn with_subject(&self, forms: &[&'a str]) -> Option<Self> {
        let mut longer: Vec<&'a str> = vec!["It"];
        let first = forms.first()?;
        longer.push(first);
        longer.extend(forms.iter().skip(1));
        let tree = Reader::embedded().read(&longer);
        let finite = matches!(tree.xpos(1), Xpos::Vbz | Xpos::Vbd | Xpos::Md);
        let root = tree.head(0)?;
        let main = tree.label(0) == Label::Nsubj || tree.label(0) == Label::NsubjPass;
        if !finite || !main || root > 4 || tree.label(root) != Label::Root {
            return None;
        }
        let mut ranges = vec![0..0];
        ranges.extend(self.ranges.iter().cloned());
        Some(Self { ranges, tree })
    }
}
