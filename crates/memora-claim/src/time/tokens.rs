//! A text cut into runs of letters and digits, and the names that mean a number.

use std::ops::Range;

use memora_nlp::language::Language;
use memora_nlp::lexicon::{CALENDAR_HOMOGRAPHS, MONTHS, SEASONS, WEEKDAYS};
use memora_nlp::number::count;

/// A run of letters and digits.
pub(super) struct Token {
    pub(super) at: Range<usize>,
    /// In ASCII lower case; empty for a run too long to be part of a time.
    pub(super) text: String,
    /// Whether it begins with a capital.
    pub(super) capital: bool,
}

/// A text and its tokens; every index may be out of range and then finds nothing.
pub(super) struct Tokens<'t> {
    text: &'t str,
    list: Vec<Token>,
}

impl<'t> Tokens<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let mut list: Vec<Token> = Vec::new();
        let mut open = false;
        for (at, c) in text.char_indices() {
            if !c.is_alphanumeric() {
                open = false;
                continue;
            }
            let end = at + c.len_utf8();
            match list.last_mut() {
                Some(token) if open => token.at.end = end,
                _ => list.push(Token { at: at..end, text: String::new(), capital: c.is_uppercase() }),
            }
            open = true;
        }
        for token in &mut list {
            let raw = text.get(token.at.clone()).unwrap_or_default();
            if raw.len() <= 16 {
                token.text = raw.to_ascii_lowercase();
            }
        }
        Self { text, list }
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn word(&self, at: usize) -> &str {
        self.list.get(at).map_or("", |token| token.text.as_str())
    }

    pub(super) fn back(&self, at: usize, by: usize) -> &str {
        at.checked_sub(by).map_or("", |at| self.word(at))
    }

    pub(super) fn capital(&self, at: usize) -> bool {
        self.list.get(at).is_some_and(|token| token.capital)
    }

    /// The bytes of `from..to` (tokens; at least one).
    pub(super) fn range(&self, from: usize, to: usize) -> Option<Range<usize>> {
        Some(self.list.get(from)?.at.start..self.list.get(to.checked_sub(1)?)?.at.end)
    }

    /// The count that token `at` begins, in digits or in words, and how many tokens write it; `a` is one.
    pub(super) fn number(&self, at: usize) -> Option<(i32, usize)> {
        let one_number = |next: usize| next == at || self.joined(next) || self.gap(next) == "-";
        count(|next| if one_number(next) { self.word(next) } else { "" }, at)
    }

    /// What stands before token `at`, back to the token before it.
    pub(super) fn gap(&self, at: usize) -> &'t str {
        let from = at.checked_sub(1).and_then(|left| self.list.get(left)).map_or(0, |token| token.at.end);
        let to = self.list.get(at).map_or(self.text.len(), |token| token.at.start);
        self.text.get(from..to).unwrap_or_default()
    }

    /// Whether only white space separates token `at` from the one before it.
    pub(super) fn joined(&self, at: usize) -> bool {
        let gap = self.gap(at);
        0 < at && at < self.len() && !gap.is_empty() && gap.chars().all(char::is_whitespace)
    }

    /// Whether token `at` follows in the same written date: white space with at most a comma, a full stop or emphasis.
    pub(super) fn near(&self, at: usize) -> bool {
        let gap = self.gap(at);
        0 < at
            && at < self.len()
            && gap.len() < 6
            && gap.chars().any(char::is_whitespace)
            && gap.chars().all(|c| c.is_whitespace() || matches!(c, ',' | '.'))
            && gap.chars().filter(|c| !c.is_whitespace()).count() < 2
    }

    /// Whether token `at` may follow a word that gives it a role: white space, then emphasis, an opening bracket or quote.
    pub(super) fn led(&self, at: usize) -> bool {
        let gap = self.gap(at);
        let marks = gap.trim_start();
        0 < at && at < self.len() && marks.len() < gap.len() && marks.chars().all(|c| "*_=[\"'“‘".contains(c))
    }

    /// Whether a sentence ends between token `at` and the one before it.
    pub(super) fn breaks(&self, at: usize) -> bool {
        let gap = self.gap(at);
        at == 0 || gap.contains(['!', '?', ';', '\n']) || gap.contains(". ") || gap.contains(".)")
    }

    /// Whether tokens `from..to` stand on their own: not part of a path, an id, a version, a sum, a longer number or a
    /// line of code such as `today()` and `date(today)`.
    pub(super) fn alone(&self, from: usize, to: usize) -> bool {
        let (before, after) = (self.gap(from), self.gap(to));
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

/// The month of this name or its usual abbreviation.
pub(super) fn month(name: &str) -> Option<i8> {
    i8::try_from(MONTHS.get(name)?).ok()
}

/// Whether a month or weekday of this name may also be an ordinary word, so that it needs its capital. German nouns have one.
pub(super) fn ordinary(name: &str) -> bool {
    let english =
        MONTHS.get_in(Language::English, name).is_some() || WEEKDAYS.get_in(Language::English, name).is_some();
    !english || CALENDAR_HOMOGRAPHS.contains(name)
}

/// Monday is 1, Sunday 7.
pub(super) fn weekday(name: &str) -> Option<i8> {
    i8::try_from(WEEKDAYS.get(name)? + 1).ok()
}

/// First and last month of a season in the northern hemisphere.
pub(super) fn season(name: &str) -> Option<(i8, i8)> {
    let (first, last) = SEASONS.get(name)?;
    Some((i8::try_from(first).ok()?, i8::try_from(last).ok()?))
}

/// A number of so many ASCII digits.
pub(super) fn digits(word: &str, least: usize, most: usize) -> Option<i32> {
    let fits = (least..=most).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_digit());
    fits.then(|| word.parse().ok()).flatten()
}

/// A year that a text may well speak of.
pub(super) fn year(word: &str) -> Option<i16> {
    digits(word, 4, 4).and_then(|year| i16::try_from(year).ok()).filter(|year| (1500..=2199).contains(year))
}

/// The day in `14`, `14th`, `1st`, and whether it has the ending.
pub(super) fn day(word: &str) -> Option<(i8, bool)> {
    let ending = ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end));
    let day = digits(ending.unwrap_or(word), 1, 2).and_then(|day| i8::try_from(day).ok())?;
    (1..=31).contains(&day).then_some((day, ending.is_some()))
}

/// Whether `word` is one of a list separated by white space.
pub(super) fn listed(list: &str, word: &str) -> bool {
    !word.is_empty() && list.split_ascii_whitespace().any(|listed| listed == word)
}
