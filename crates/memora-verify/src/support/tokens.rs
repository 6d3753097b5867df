//! Words, numbers and dates of a text, in order.

use unicode_normalization::UnicodeNormalization;

use super::dates::{Part, dates, weekdays};
use super::lexicon::{FUNCTION, KIN, LIGHT, MONTHS, NUMBERS, ORDINALS, SCALES, WEEKDAYS};
use super::numbers::{numbers, value};
use super::stem::stem;
use super::units::unit;
use crate::fold::is_invisible;

/// A word or sign of a text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token {
    /// As written, composed, without what can't be seen.
    pub(crate) raw: String,
    /// In lower case.
    pub(crate) lower: String,
    /// Its stem.
    pub(crate) stem: String,
    pub(crate) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    /// Carries no content of its own.
    Function,
    Word,
    /// A capitalised word inside a sentence, or an identifier.
    Name,
    Number(Number),
    Date(Date),
    /// Punctuation between words.
    Mark(char),
}

/// A number in millionths, with its unit. Units that measure the same are one: `2 h` is `120 min`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number {
    pub(crate) value: i128,
    pub(crate) unit: Option<&'static str>,
}

/// What is known of a date.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Date {
    pub(crate) year: Option<u32>,
    pub(crate) month: Option<u32>,
    pub(crate) day: Option<u32>,
    /// Which part of the month, or of the year where none is known.
    pub(crate) part: Option<Part>,
    /// The day of the week, where only that is known: Monday is 1, Sunday 7.
    pub(crate) weekday: Option<u32>,
}

impl Token {
    /// Whether it says something that has to be found.
    pub(crate) fn is_content(&self) -> bool {
        matches!(self.kind, Kind::Word | Kind::Name)
    }

    /// Whether it says something, as a word or as a fact.
    pub(crate) fn says(&self) -> bool {
        !matches!(self.kind, Kind::Function | Kind::Mark(_))
    }

    fn new(raw: &str, kind: Kind) -> Self {
        let lower = raw.to_lowercase();
        Self { stem: stem(&lower), raw: raw.to_owned(), lower, kind }
    }
}

/// Whether two words say the same; of two dates one may be vaguer.
pub(super) fn is_same(one: &Token, other: &Token) -> bool {
    match (one.kind, other.kind) {
        (Kind::Number(one), Kind::Number(other)) => one == other,
        (Kind::Date(one), Kind::Date(other)) => one.is_said_by(other) || other.is_said_by(one),
        _ => one.stem == other.stem,
    }
}

/// Cuts a text into tokens.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let raw = split(&visible(text));
    let mut words = numbers(phrases(classify(raw)));
    weekdays(&mut words);
    dates(words)
}

/// A text composed, without what can't be seen.
pub(super) fn visible(text: &str) -> String {
    let seen = |c: &char| !is_invisible(*c);
    if text.is_ascii() { text.chars().filter(seen).collect() } else { parted(text).nfkc().filter(seen).collect() }
}

/// `1½` is one and a half: composed, it would be 11⁄2.
fn parted(text: &str) -> impl Iterator<Item = char> {
    let is_fraction = |c: char| matches!(c, '¼' | '½' | '¾' | '\u{2150}'..='\u{215e}');
    text.chars().flat_map(move |c| is_fraction(c).then_some(' ').into_iter().chain([c]))
}

/// Several words that say what one does.
fn phrases(tokens: Vec<Token>) -> Vec<Token> {
    const PHRASES: &[(&[&str], &str)] = &[
        (&["make", "use", "of"], "use"),
        (&["makes", "use", "of"], "uses"),
        (&["made", "use", "of"], "used"),
        (&["making", "use", "of"], "using"),
        (&["have", "to"], "must"),
        (&["has", "to"], "must"),
        (&["in", "order", "to"], "to"),
        (&["per", "cent"], "percent"),
    ];
    let mut found: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut rest = tokens.as_slice();
    while let [token, ..] = rest {
        let stands = |words: &[&str]| rest.len() >= words.len() && words.iter().zip(rest).all(|(w, t)| t.lower == **w);
        // Not to have to is not to be forbidden.
        let negated = found.last().is_some_and(|t| t.lower == "not");
        let phrase = PHRASES.iter().find(|(words, one)| stands(words) && !(negated && *one == "must"));
        if let Some((words, one)) = phrase {
            let raw: Vec<&str> = rest.iter().take(words.len()).map(|t| t.raw.as_str()).collect();
            found.push(Token { raw: raw.join(" "), ..Token::new(one, kind_of(one, true)) });
        } else {
            found.push(token.clone());
        }
        rest = rest.get(phrase.map_or(1, |(words, _)| words.len())..).unwrap_or_default();
    }
    found
}

/// Titles that end with a full stop in front of a name.
const TITLES: [&str; 8] = ["Mr", "Mrs", "Ms", "Dr", "Prof", "St", "Fr", "Rev"];

fn split(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().map(|c| if c == '’' { '\'' } else { c }).collect();
    let mut words = Vec::new();
    let mut word = String::new();
    for (i, &letter) in letters.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|i| letters.get(i)).copied().unwrap_or(' ');
        let after = letters.get(i + 1).copied().unwrap_or(' ');
        let digits = before.is_ascii_digit() && after.is_ascii_digit();
        let joins = match letter {
            _ if letter.is_alphanumeric() => true,
            '_' => !word.is_empty() || after.is_alphanumeric(),
            '.' => before.is_alphanumeric() && after.is_alphanumeric(),
            '\'' => before.is_alphanumeric() && after.is_alphabetic() || digits,
            ',' | ':' => digits,
            '/' => digits && (is_slash_date(&letters, i) || is_slash_month(&letters, i, &word)),
            '-' => digits && is_iso_date(&letters, i, &word),
            '+' | '#' => before.is_alphabetic() && !after.is_alphanumeric() || (before == '+' && !word.is_empty()),
            _ => false,
        };
        if joins {
            word.push(letter);
            continue;
        }
        if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        // `Dr. Meyer` is one name, not two sentences.
        if letter == '.' && words.last().is_some_and(|word| TITLES.contains(&word.as_str())) && after.is_whitespace() {
            continue;
        }
        let negative = matches!(letter, '-' | '−') && after.is_ascii_digit() && !before.is_alphanumeric();
        if negative {
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

/// Whether the hyphen at `i` stands in `2024-03-12` or `2024-03`.
fn is_iso_date(letters: &[char], i: usize, word: &str) -> bool {
    let digits = letters.get(i + 1..).unwrap_or_default().iter().take_while(|c| c.is_ascii_digit()).count();
    let head = word.len() == 4 || (word.len() == 7 && word.contains('-'));
    head && word.bytes().all(|b| b.is_ascii_digit() || b == b'-') && digits == 2
}

/// Whether the slash at `i` is one of two in `12/03/2024`.
fn is_slash_date(letters: &[char], i: usize) -> bool {
    let is_part = |c: &&char| c.is_ascii_digit() || **c == '/';
    let front = letters.get(..i).unwrap_or_default().iter().rev().take(10).take_while(is_part);
    let back = letters.get(i..).unwrap_or_default().iter().take(10).take_while(is_part);
    front.chain(back).filter(|c| **c == '/').count() >= 2
}

/// Whether the stroke at `i` stands in `06/2026`.
fn is_slash_month(letters: &[char], i: usize, word: &str) -> bool {
    let digits =
        letters.get(i + 1..).unwrap_or_default().iter().take_while(|c| c.is_ascii_alphanumeric()).collect::<Vec<_>>();
    let is_year = digits.len() == 4 && digits.iter().all(|c| c.is_ascii_digit());
    is_year && word.len() == 2 && word.bytes().all(|b| b.is_ascii_digit())
}

fn classify(raw: Vec<String>) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::new();
    let mut initial = true;
    for word in raw {
        let mut letters = word.chars();
        let (first, only) = (letters.next().unwrap_or(' '), letters.next().is_none());
        if only && !first.is_alphanumeric() {
            found.push(Token::new(&word, Kind::Mark(first)));
            initial |= matches!(first, '.' | '!' | '?' | ':' | '"' | '“' | '„' | '«' | '|' | '•' | '…');
            continue;
        }
        let lower = word.to_lowercase();
        for part in expand(&lower, &word) {
            let kind = kind_of(&part, initial);
            found.push(Token::new(&part, kind));
        }
        initial = false;
    }
    found
}

/// `isn't` is two words, `40ms` a number and its unit.
fn expand(lower: &str, word: &str) -> Vec<String> {
    if let Some(verb) = lower.strip_suffix("n't") {
        let verb = match verb {
            "wo" => "will",
            "ca" => "can",
            "sha" => "shall",
            other => other,
        };
        return vec![verb.to_owned(), "not".to_owned()];
    }
    if lower == "cannot" {
        return vec!["can".to_owned(), "not".to_owned()];
    }
    if let Some(name) = word.strip_suffix("'s") {
        return vec![name.to_owned(), "'s".to_owned()];
    }
    for (ending, verb) in [("'ll", "will"), ("'re", "are"), ("'ve", "have"), ("'d", "would"), ("'m", "am")] {
        if let Some(name) = lower.strip_suffix(ending) {
            return vec![word.get(..name.len()).unwrap_or(name).to_owned(), verb.to_owned()];
        }
    }
    let number: String = word.chars().take_while(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '-')).collect();
    let rest = word.get(number.len()..).unwrap_or_default();
    let is_known = unit(&rest.to_lowercase()).is_some() || SCALES.iter().any(|(name, _)| *name == rest.to_lowercase());
    if number.chars().any(|c| c.is_ascii_digit()) && (is_known || ["M", "B", "x"].contains(&rest)) && rest != "c" {
        let scale = match rest {
            "M" => "million",
            "B" => "billion",
            other => other,
        };
        return vec![number, scale.to_owned()];
    }
    vec![word.to_owned()]
}

fn kind_of(word: &str, initial: bool) -> Kind {
    let lower = word.to_lowercase();
    // The A of "Plan A" is no article.
    if word == "A" && !initial {
        return Kind::Name;
    }
    if (FUNCTION.contains(&lower) || LIGHT.contains(&lower)) && !(word.len() > 1 && !initial && is_shouted(word)) {
        return Kind::Function;
    }
    if let Some(value) = value(word) {
        return Kind::Number(Number { value, unit: None });
    }
    let upper = word.chars().next().is_some_and(char::is_uppercase);
    let calendar = MONTHS.contains(&lower.as_str());
    let inner = word.chars().skip(1).any(|c| c.is_uppercase() || c == '_' || c == '.' || c == '+' || c == '#');
    let mixed = word.chars().any(|c| c.is_ascii_digit()) && word.chars().any(char::is_alphabetic);
    let weekday = WEEKDAYS.contains(&lower.as_str());
    let numeral = NUMBERS.iter().any(|(name, _)| *name == lower) || ORDINALS.contains(&lower.as_str());
    if (upper && !initial && !calendar && !numeral && !KIN.contains(&lower)) || weekday || inner || mixed {
        Kind::Name
    } else {
        Kind::Word
    }
}

fn is_shouted(word: &str) -> bool {
    word.chars().all(char::is_uppercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(text: &str) -> Vec<String> {
        let show = |token: Token| match token.kind {
            Kind::Number(n) => Some(format!("{}{}", n.value as f64 / 1e6, n.unit.unwrap_or_default())),
            Kind::Date(d) => {
                let part = |p: Option<u32>| p.map_or("?".to_owned(), |p| p.to_string());
                Some(format!("{}/{}/{}", part(d.year), part(d.month), part(d.day)))
            }
            Kind::Name => Some(token.raw),
            _ => None,
        };
        tokens(text).into_iter().filter_map(show).collect()
    }

    #[test]
    fn numbers_dates_and_names_are_told_apart() {
        for (text, expect) in [
            ("it takes 40 ms, 40s or 1,000.5 kg", vec!["40000000ns", "40000000000ns", "1000500000mg"]),
            ("twenty-five people and 4.2 million euros, $40", vec!["25", "4200000eur", "40usd"]),
            ("on 12 March 2024", vec!["2024/3/12"]),
            ("on March 12th, 2024, then May 2025", vec!["2024/3/12", "2025/5/?"]),
            ("on the 3rd of June", vec!["?/6/3"]),
            ("on the 22nd, the 2nd box", vec!["?/?/22", "2nd"]),
            ("one hundred and thirty-four, two thousand five hundred", vec!["134", "2500"]),
            (
                "half a kilo, 2 and a half hours, an hour and a half",
                vec!["500000mg", "9000000000000ns", "5400000000000ns"],
            ),
            ("one and two, twenty twenty-four", vec!["1", "2", "20", "24"]),
            ("3 p.m., 3:30 pm, 15:00, 12 am and 45:10", vec!["900clock", "930clock", "900clock", "0clock"]),
            (
                "within a week, 12 euros a month, 90 minutes, 1.5 h",
                vec!["604800000000000ns", "12eur", "5400000000000ns", "5400000000000ns"],
            ),
            ("from 2024-03-12 to 12.04.2024", vec!["2024/3/12", "2024/4/12"]),
            ("we may march in May", vec!["?/5/?"]),
            ("since 2019 with Mia Keller's serde_json v1.2", vec!["2019/?/?", "Mia", "Keller", "serde_json", "v1.2"]),
            ("10 000 users, -5 °C, no one and 50 %", vec!["10000", "-5c", "50%"]),
        ] {
            assert_eq!(facts(text), expect, "{text:?}");
        }
    }

    #[test]
    fn a_quantity_is_one_number_however_it_is_written() {
        let check = |texts: &[&str], expect: &str| {
            for text in texts {
                assert_eq!(facts(text), [expect], "{text:?}");
            }
        };
        check(&["it is 3x a week", "it is three times per week", "it is 3 x/week", "it is 3x weekly"], "3times/week");
        check(&["twice a day", "2x a day", "two times daily"], "2times/d");
        check(&["it came twice", "it came two times", "it costs double the"], "2times");
        check(&["every 15 min", "every 15 minutes"], "900000000000every");
        check(&["half of the jars", "half the jars", "50 % of them", "½ of the jars"], "50%");
        check(&["two thirds voted", "two-thirds of them"], "66.666667%");
        check(&["3/4 h", "45 min", "three quarters of an hour", "¾ h", "0.75 hours"], "2700000000000ns");
        check(&["1½ h", "an hour and a half", "90 min", "1:30:00"], "5400000000000ns");
        check(&["a quarter of a million", "250,000", "250k", "250'000"], "250000");
        check(&["$2.3M", "2.3 million US dollars", "2,300,000 USD"], "2300000usd");
        check(&["1.050,00 €", "€1,050", "1'050 euros"], "1050eur");
        check(&["half past seven", "at 30 minutes past seven"], "450dial");
        check(&["7:30 pm", "19:30", "half past seven in the evening", "at 7:30 in the evening"], "1170clock");
        check(&["10 past midnight", "00:10", "at 0:10 at night"], "10clock");
        check(&["at eight in the morning", "8 am", "8:00"], "480clock");
        check(&["quarter to ten", "it is at a quarter to ten"], "585dial");
        check(&["ten o'clock", "10 o’clock"], "600dial");
        check(&["180 °C", "180 degrees Celsius", "180°C"], "180c");
        check(&["0.5 mg", "half a milligram"], "0.5mg");
        check(&["two decades", "20 yrs"], "240month");
    }

    #[test]
    fn what_only_looks_like_a_quantity_is_none() {
        for (text, expect) in [
            ("due on 3/4 or 1/2", vec!["3", "4", "1", "2"]),
            ("in 2/3 days, 3/4 weeks", vec!["2", "259200000000000ns", "3", "2419200000000000ns"]),
            ("works nine to five", vec!["9", "5"]),
            ("won ten to three, gave a quarter to ten people", vec!["10", "3", "10"]),
            ("take two in the morning and one at night", vec!["2", "1"]),
            ("2 x 65 €", vec!["2", "65eur"]),
            ("in the first half of the year, for two quarters", vec!["0.5", "2"]),
            ("a double room, once", vec![]),
            ("version 1.2, 3:1", vec!["1.2"]),
        ] {
            assert_eq!(facts(text), expect, "{text:?}");
        }
    }

    #[test]
    fn contractions_are_two_words() {
        let words: Vec<String> = tokens("It isn't; we can't, won't").into_iter().map(|t| t.lower).collect();
        assert_eq!(words, ["it", "is", "not", ";", "we", "can", "not", ",", "will", "not"]);
    }

    proptest::proptest! {
        #[test]
        fn any_text_has_tokens(text in r"(\PC|[0-9]{1,30}|[.,'/:-]|May |é|日){0,40}") {
            tokens(&text);
        }
    }
}
