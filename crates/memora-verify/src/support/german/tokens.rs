//! German words, numbers and dates of a text, in order.
//!
//! Every noun is capitalised, so nothing here is a name: what is capitalised is a noun, and has to be found.

use unicode_normalization::UnicodeNormalization;

use super::super::tokens::{Date, Number};
use super::dates::dates;
use super::numbers::numbers;
use crate::fold::is_invisible;

/// A word or sign of a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    /// As written.
    pub(super) raw: String,
    /// In lower case, with ss for ß.
    pub(super) lower: String,
    pub(super) kind: Kind,
    /// Whether a sentence begins with it, so that its capital tells nothing.
    pub(super) initial: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Word,
    /// Capitalised.
    Noun,
    Number(Number),
    Date(Date),
    /// From 0, Monday.
    Weekday(usize),
    Mark(char),
}

impl Token {
    pub(super) fn is_mark(&self, mark: char) -> bool {
        self.kind == Kind::Mark(mark)
    }

    /// Whether it is a number, a date or a day of the week.
    pub(super) fn is_fact(&self) -> bool {
        matches!(self.kind, Kind::Number(_) | Kind::Date(_) | Kind::Weekday(_))
    }

    /// Whether it tells when.
    pub(super) fn is_time(&self) -> bool {
        match self.kind {
            Kind::Date(_) | Kind::Weekday(_) => true,
            Kind::Number(number) => number.unit == Some(super::super::numbers::CLOCK),
            _ => false,
        }
    }
}

/// Cuts a text into tokens.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let visible: String = text.nfkc().filter(|c| !is_invisible(*c)).collect();
    let mut found = Vec::new();
    let mut initial = true;
    for raw in split(&visible) {
        let mut letters = raw.chars();
        let (first, only) = (letters.next().unwrap_or(' '), letters.next().is_none());
        let kind = match first {
            _ if only && !first.is_alphanumeric() => Kind::Mark(first),
            _ if raw.chars().any(char::is_uppercase) => Kind::Noun,
            _ => Kind::Word,
        };
        // `Dr. Weiß` is one name.
        let is_short =
            found.last().is_some_and(|t: &Token| matches!(t.raw.as_str(), "Dr" | "Prof" | "Nr" | "St" | "Hr" | "Fr"));
        if kind == Kind::Mark('.') && is_short {
            continue;
        }
        found.push(Token { lower: folded(&raw), raw, kind, initial });
        initial = matches!(kind, Kind::Mark('.' | '!' | '?' | ':' | '"' | '“' | '„' | '«' | '»'));
    }
    day_parts(&mut found);
    dates(numbers(found))
}

/// `gestern Abend` is `gestern abends`.
fn day_parts(tokens: &mut [Token]) {
    const DAYS: [&str; 5] = ["heute", "gestern", "morgen", "vorgestern", "übermorgen"];
    const PARTS: [(&str, &str); 6] = [
        ("abend", "abends"),
        ("morgen", "morgens"),
        ("mittag", "mittags"),
        ("vormittag", "vormittags"),
        ("nachmittag", "nachmittags"),
        ("nacht", "nachts"),
    ];
    for at in 1..tokens.len() {
        let adverb = PARTS.iter().find(|(noun, _)| *noun == tokens[at].lower).map(|(_, adverb)| *adverb);
        if let Some(adverb) = adverb.filter(|_| DAYS.contains(&tokens[at - 1].lower.as_str())) {
            tokens[at].lower = adverb.to_owned();
            tokens[at].kind = Kind::Word;
        }
    }
}

/// In lower case, with the one spelling for ß: *daß* and *dass* are one word.
pub(super) fn folded(word: &str) -> String {
    word.to_lowercase().replace('ß', "ss")
}

fn split(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().map(|c| if matches!(c, '’' | '‑') { straight(c) } else { c }).collect();
    let mut words = Vec::new();
    let mut word = String::new();
    for (at, &letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| letters.get(at)).copied().unwrap_or(' ');
        let after = letters.get(at + 1).copied().unwrap_or(' ');
        let digits = before.is_ascii_digit() && after.is_ascii_digit();
        // `40km` is a number and its unit.
        let parts = before.is_ascii_digit() && letter.is_alphabetic() && word.chars().all(|c| !c.is_alphabetic());
        let joins = match letter {
            _ if letter.is_alphanumeric() => true,
            '_' | '\'' | '-' | '.' | '&' => before.is_alphanumeric() && after.is_alphanumeric(),
            ',' | ':' | '/' => digits,
            '+' | '#' => before.is_alphabetic() && !after.is_alphanumeric() || (before == '+' && !word.is_empty()),
            _ => false,
        };
        if joins && parts && is_measure(&letters, at) {
            words.push(std::mem::take(&mut word));
        }
        if joins {
            word.push(letter);
            continue;
        }
        if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if matches!(letter, '-' | '−') && after.is_ascii_digit() && !before.is_alphanumeric() {
            word.push('-');
        } else if !letter.is_whitespace() {
            words.push(letter.to_string());
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

fn straight(sign: char) -> char {
    if sign == '’' { '\'' } else { '-' }
}

/// Whether the letters from `at` on are a unit, up to the end of the word.
fn is_measure(letters: &[char], at: usize) -> bool {
    let rest: String = letters.iter().skip(at).take_while(|c| c.is_alphanumeric()).collect();
    super::numbers::unit(&folded(&rest)).is_some()
}
