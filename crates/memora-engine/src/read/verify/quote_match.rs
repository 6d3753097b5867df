//! Finds quoted words in a note.
//!
//! First byte for byte; then with white space, quotation marks and dashes normalised and markup
//! removed. Case must match, and no word may be missing or added.

use std::ops::Range;

use memora_claim::{ParsedNote, Statement};
use memora_verify::{is_cjk, plain_text};

/// Maximum number of words looked up in the index; all are compared.
const LOOKED_UP_MAX: usize = 24;
/// Maximum number of places in one note.
const PLACES_MAX: usize = 16;

/// Words to be found.
pub(crate) struct QuotedWords {
    exact: String,
    /// Folded, as they are and without markup.
    forms: Vec<String>,
}

impl QuotedWords {
    /// Prepares quoted words; `None` if there are none.
    pub(crate) fn from_quote(quote: &str) -> Option<Self> {
        let is_edge = |c: char| c.is_whitespace() || matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | '…');
        let exact = quote.trim().trim_end_matches(is_edge).trim_start_matches(['…', '.', ' ']).to_owned();
        let mut forms: Vec<String> = Vec::new();
        for form in [normalize_text(&exact), normalize_text(plain_text(&exact).trim_end_matches(is_edge))] {
            if form.contains(char::is_alphanumeric) && !forms.contains(&form) {
                forms.push(form);
            }
        }
        (!forms.is_empty()).then_some(Self { exact, forms })
    }

    /// The query for the index: the first words of the longest sentence.
    pub(crate) fn index_query(&self) -> String {
        let form = self.forms.last().map(String::as_str).unwrap_or_default();
        let sentences = memora_verify::split_sentences(form);
        let longest = sentences.iter().map(|sentence| sentence.text.as_str()).max_by_key(|text| text.len());
        let bare: String = longest.unwrap_or(form).chars().map(|c| if c == '"' { ' ' } else { c }).collect();
        bare.split_whitespace().take(LOOKED_UP_MAX).collect::<Vec<_>>().join(" ")
    }

    /// The statements that contain the words, for each place in the note, in order. Text that `shows` rejects is
    /// ignored.
    pub(crate) fn find_runs<'n>(
        &self,
        fresh: &'n ParsedNote,
        shows: impl Fn(&Statement) -> bool,
    ) -> Vec<Vec<&'n Statement>> {
        let mut found: Vec<Vec<&Statement>> = Vec::new();
        let mut keep = |run: Vec<&'n Statement>| {
            let shown = run.iter().all(|statement| shows(statement));
            if shown && !run.is_empty() && found.len() < PLACES_MAX && !found.contains(&run) {
                found.push(run);
            }
        };
        let text = fresh.note().text();
        for range in find_occurrences(text, &self.exact) {
            if fresh.note().zone_at(range.start).may_hold_claims() {
                keep(fresh.statements_touching(range).collect());
            }
        }
        for passage in fresh.text_blocks() {
            let statements = passage.statements();
            let mut joined = String::new();
            let mut places: Vec<Range<usize>> = Vec::new();
            for statement in statements {
                if !joined.is_empty() {
                    joined.push(' ');
                }
                let start = joined.len();
                joined.push_str(&normalize_text(&statement.words));
                places.push(start..joined.len());
            }
            for range in self.forms.iter().flat_map(|form| find_occurrences(&joined, form)) {
                let first = places.partition_point(|place| place.end <= range.start);
                let behind = places.partition_point(|place| place.start < range.end);
                keep(statements.get(first..behind).unwrap_or_default().iter().collect());
            }
        }
        found
    }
}

/// The occurrences of words in a text, at word boundaries.
fn find_occurrences<'t>(text: &'t str, words: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_cjk(c));
    let (first, last) = (words.chars().next(), words.chars().next_back());
    let found = text.match_indices(words).map(|(at, found)| at..at + found.len());
    found.filter(move |range| {
        let before = text.get(..range.start).and_then(|text| text.chars().next_back());
        let behind = text.get(range.end..).and_then(|text| text.chars().next());
        !(is_word(first) && is_word(before) || is_word(last) && is_word(behind))
    })
}

/// Normalises white space, quotation marks, dashes and dots, and drops invisible characters.
fn normalize_text(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '’' | '‘' | '‚' | '`' | '´' | '′' => folded.push('\''),
            '“' | '”' | '„' | '«' | '»' | '″' => folded.push('"'),
            '‐' | '‑' | '‒' | '–' | '—' | '−' => folded.push('-'),
            '…' => folded.push_str("..."),
            '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' => {}
            c if c.is_whitespace() => {
                if !folded.is_empty() && !folded.ends_with(' ') {
                    folded.push(' ');
                }
            }
            c => folded.push(c),
        }
    }
    folded.truncate(folded.trim_end().len());
    folded
}

#[cfg(test)]
mod tests {
    use memora_vault::{Note, NotePath, PathContext};

    use super::*;

    /// The words of the statements that hold a quotation, a place each.
    #[track_caller]
    fn check(note: &str, quote: &str, expect: &[&str]) {
        let path = NotePath::new("Title.md").expect("a good path");
        let fresh = ParsedNote::new(Note::parse(path, note.to_owned(), PathContext::default()).0);
        let found =
            QuotedWords::from_quote(quote).map(|wording| wording.find_runs(&fresh, |_| true)).unwrap_or_default();
        let said = |run: &Vec<&Statement>| run.iter().map(|s| s.words.as_str()).collect::<Vec<_>>().join(" + ");
        assert_eq!(found.iter().map(said).collect::<Vec<_>>(), expect, "{quote:?}");
    }

    const NOTE: &str = "# Drift\n\nAnna moved **drift** from March\nto May. She didn’t ask — nobody did.\n\n\
        - The price is 40 euros.\n- The price is 40 euros a month.\n\n~~Anna moved out.~~ 会議は三月に延期された。\n";

    #[test]
    fn words_are_found_as_they_are_and_as_one_types_them() {
        check(NOTE, "Anna moved **drift** from March", &["Anna moved drift from March to May."]);
        check(NOTE, "drift from March to May", &["Anna moved drift from March to May."]);
        check(NOTE, "She didn't ask - nobody did.", &["She didn’t ask — nobody did."]);
        check(NOTE, "to May. She didn't ask", &["Anna moved drift from March to May. + She didn’t ask — nobody did."]);
        check(NOTE, "三月に延期", &["会議は三月に延期された。"]);
    }

    #[test]
    fn every_place_is_found() {
        check(NOTE, "price is 40 euros", &["The price is 40 euros.", "The price is 40 euros a month."]);
    }

    #[test]
    fn other_words_are_not() {
        for quote in ["anna moved drift", "drift from March to Ma", "moved from March", "Anna moved out", "…", ""] {
            check(NOTE, quote, &[]);
        }
    }
}
