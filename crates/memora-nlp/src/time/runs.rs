//! A text split into runs of letters and digits, for parsing dates.
//!
//! The text between two runs tells whether they belong together: in `12 March` they do, in `12/March` they do not. An
//! index out of range is allowed and yields nothing.

use std::ops::Range;

use crate::number::parse_count;

/// A run of letters and digits.
#[derive(Clone, Debug)]
pub struct TextRun {
    /// Its bytes.
    pub at: Range<usize>,
    /// In lower case; empty for a run too long to be part of a time.
    pub text: String,
    /// Whether it begins with a capital.
    pub capital: bool,
}

/// A text and its runs.
#[derive(Clone, Debug)]
pub struct TextRuns<'t> {
    text: &'t str,
    list: Vec<TextRun>,
    /// Whether any sign may separate the parts of a date, as in the name of a file.
    is_name: bool,
}

impl<'t> TextRuns<'t> {
    /// Splits a text; the runs are in ASCII lower case.
    #[must_use]
    pub fn from_text(text: &'t str) -> Self {
        let mut list: Vec<TextRun> = Vec::new();
        let mut open = false;
        for (at, c) in text.char_indices() {
            if !c.is_alphanumeric() {
                open = false;
                continue;
            }
            let end = at + c.len_utf8();
            match list.last_mut() {
                Some(run) if open => run.at.end = end,
                _ => list.push(TextRun { at: at..end, text: String::new(), capital: c.is_uppercase() }),
            }
            open = true;
        }
        for token in &mut list {
            let raw = text.get(token.at.clone()).unwrap_or_default();
            if raw.len() <= 16 {
                token.text = raw.to_ascii_lowercase();
            }
        }
        Self::new(text, list)
    }

    /// Splits a name or a heading, in which any sign may separate the parts of a date: `2018-july`.
    #[must_use]
    pub fn from_name(text: &'t str) -> Self {
        Self { is_name: true, ..Self::from_text(text) }
    }

    /// Creates runs of a text from a list of runs that were split and folded elsewhere, in order.
    #[must_use]
    pub fn new(text: &'t str, list: Vec<TextRun>) -> Self {
        Self { text, list, is_name: false }
    }

    /// Whether there are no runs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns the number of runs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns a run, in lower case.
    #[must_use]
    pub fn word(&self, at: usize) -> &str {
        self.list.get(at).map_or("", |token| token.text.as_str())
    }

    /// Returns the run `by` positions before `at`.
    #[must_use]
    pub fn word_before(&self, at: usize, by: usize) -> &str {
        at.checked_sub(by).map_or("", |at| self.word(at))
    }

    /// Whether a run is capitalized.
    #[must_use]
    pub fn is_capitalized(&self, at: usize) -> bool {
        self.list.get(at).is_some_and(|token| token.capital)
    }

    /// Returns the byte range of the tokens `from..to` (at least one).
    #[must_use]
    pub fn range(&self, from: usize, to: usize) -> Option<Range<usize>> {
        Some(self.list.get(from)?.at.start..self.list.get(to.checked_sub(1)?)?.at.end)
    }

    /// Returns the count that begins at token `at`, in digits or in words, with its number of tokens; `a` is one.
    #[must_use]
    pub fn count_at(&self, at: usize) -> Option<(i32, usize)> {
        let one_number = |next: usize| next == at || self.is_space_separated(next) || self.gap_before(next) == "-";
        parse_count(|next| if one_number(next) { self.word(next) } else { "" }, at)
    }

    /// Returns the text between token `at` and the token before it.
    #[must_use]
    pub fn gap_before(&self, at: usize) -> &'t str {
        let from = at.checked_sub(1).and_then(|left| self.list.get(left)).map_or(0, |token| token.at.end);
        let to = self.list.get(at).map_or(self.text.len(), |token| token.at.start);
        self.text.get(from..to).unwrap_or_default()
    }

    /// Whether only white space separates token `at` from the one before it.
    #[must_use]
    pub fn is_space_separated(&self, at: usize) -> bool {
        let gap = self.gap_before(at);
        0 < at && at < self.len() && (self.is_name || !gap.is_empty() && gap.chars().all(char::is_whitespace))
    }

    /// Whether token `at` may continue a date: white space with at most a comma, a full stop or emphasis before it.
    #[must_use]
    pub fn may_continue_date(&self, at: usize) -> bool {
        let gap = self.gap_before(at);
        if self.is_name {
            return 0 < at && at < self.len();
        }
        0 < at
            && at < self.len()
            && gap.len() < 6
            && gap.chars().any(char::is_whitespace)
            && gap.chars().all(|c| c.is_whitespace() || matches!(c, ',' | '.'))
            && gap.chars().filter(|c| !c.is_whitespace()).count() < 2
    }

    /// Whether token `at` may follow a keyword: white space before it, then emphasis, an opening bracket or a quote.
    #[must_use]
    pub fn may_follow_keyword(&self, at: usize) -> bool {
        let gap = self.gap_before(at);
        let marks = gap.trim_start();
        0 < at && at < self.len() && marks.len() < gap.len() && marks.chars().all(|c| "*_=[\"'“‘".contains(c))
    }

    /// Whether a sentence ends between token `at` and the one before it.
    #[must_use]
    pub fn is_sentence_start(&self, at: usize) -> bool {
        let gap = self.gap_before(at);
        at == 0 || gap.contains(['!', '?', ';', '\n']) || gap.contains(". ") || gap.contains(".)")
    }

    /// Whether tokens `from..to` stand alone: not part of a path, an id, a version, a sum, a longer number or a
    /// line of code such as `today()` and `date(today)`.
    #[must_use]
    pub fn is_standalone(&self, from: usize, to: usize) -> bool {
        let (before, after) = (self.gap_before(from), self.gap_before(to));
        let left = !before.ends_with(['/', '\\', '-', '_', '.', ',', '#', '+', '$', '€', '£', '@']);
        let spaced = after.contains(char::is_whitespace);
        let measured = after.starts_with(['%', '$', '€', '£']);
        let bound = after.starts_with(['/', '\\', '_', '-']) && !spaced;
        // `2024.1` goes on; `2024.` ends a sentence.
        let goes_on = matches!(after, "." | "," | ":") && to < self.len();
        let code = after.starts_with('(') || (before == "(" && from > 0);
        left && !(measured || bound || goes_on || code)
    }
}
