//! Words, numbers and dates of a text, in order.

use unicode_normalization::UnicodeNormalization;

use super::lexicon::{FUNCTION, MONTHS, NUMBERS, ORDINALS, SCALES, WEEKDAYS, unit};
use super::stem::stem;
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

/// A number in millionths, with its unit.
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

/// Cuts a text into tokens.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let visible: String = text.nfkc().filter(|c| !is_invisible(*c)).collect();
    let raw = split(&visible);
    dates(numbers(phrases(classify(raw))))
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
            '/' => digits && (is_slash_date(&letters, i)),
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

fn is_slash_date(letters: &[char], i: usize) -> bool {
    let from = i.saturating_sub(10);
    letters.get(from..(i + 11).min(letters.len())).unwrap_or_default().iter().filter(|&&c| c == '/').count() >= 2
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
    if number.chars().any(|c| c.is_ascii_digit()) && (is_known || rest == "M" || rest == "B") && rest != "c" {
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
    if FUNCTION.contains(&lower) && !(word.len() > 1 && !initial && is_shouted(word)) {
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
    if (upper && !initial && !calendar && !numeral) || weekday || inner || mixed { Kind::Name } else { Kind::Word }
}

fn is_shouted(word: &str) -> bool {
    word.chars().all(char::is_uppercase)
}

/// The value of digits in millionths: `1,000`, `1'000` and `0,5` as well. `None` for a version or a time.
fn value(word: &str) -> Option<i128> {
    let (negative, digits) = word.strip_prefix('-').map_or((false, word), |rest| (true, rest));
    if !digits.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b',' | b'\'')) || digits.len() > 24 {
        return None;
    }
    let groups: Vec<&str> = digits.split([',', '\'']).collect();
    let thousands = groups.len() > 1
        && groups.iter().skip(1).all(|group| group.split('.').next().is_some_and(|whole| whole.len() == 3))
        && groups.first().is_some_and(|first| (1..=3).contains(&first.len()) && !first.contains('.'));
    let plain = if thousands { groups.concat() } else { digits.replace(',', ".") };
    let (whole, part) = plain.split_once('.').unwrap_or((&plain, ""));
    if part.contains('.') || whole.is_empty() || part.len() > 6 || plain.contains('\'') {
        return None;
    }
    let fraction: i128 = format!("{part:0<6}").parse().ok()?;
    let value = whole.parse::<i128>().ok()?.checked_mul(1_000_000)?.checked_add(fraction)?;
    Some(if negative { -value } else { value })
}

/// Reads number words, scales and units.
fn numbers(tokens: Vec<Token>) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::with_capacity(tokens.len());
    for mut token in tokens {
        let previous = found.iter().rev().find(|t| t.kind != Kind::Mark('-')).cloned();
        let counted = match previous.as_ref().map(|t| t.kind) {
            Some(Kind::Number(number)) => Some(number),
            _ => None,
        };
        let mut merged = None;
        if let Some(number) = counted {
            let scale = SCALES.iter().find(|(name, _)| *name == token.lower).map(|(_, factor)| *factor);
            let digits = matches!(token.kind, Kind::Number(_)) && token.raw.len() == 3;
            let short =
                previous.as_ref().is_some_and(|t| t.raw.len() <= 3 && t.raw.bytes().all(|b| b.is_ascii_digit()));
            merged = match (scale, unit(&token.lower), token.kind) {
                _ if number.unit.is_some() => None,
                (Some(factor), _, _) => {
                    Some(Number { value: (number.value as f64 * factor).round() as i128, unit: None })
                }
                (None, Some(unit), _) => Some(Number { value: number.value, unit: Some(unit) }),
                (None, None, Kind::Number(low)) if digits && short => {
                    number.value.checked_mul(1000).map(|high| Number { value: high + low.value, unit: None })
                }
                (None, None, _) => word_value(&token.lower)
                    .filter(|low| *low > 0 && *low < 10_000_000 && number.value % 10_000_000 == 0)
                    .filter(|_| (20_000_000..100_000_000).contains(&number.value))
                    .filter(|_| previous.as_ref().is_some_and(|t| !t.raw.starts_with(|c: char| c.is_ascii_digit())))
                    .map(|low| Number { value: number.value + low, unit: None }),
            };
        } else if let (Kind::Number(number), Some(Kind::Mark('$' | '€' | '£' | '¥'))) =
            (token.kind, found.last().map(|t| t.kind))
            && let Some(sign) = found.pop()
        {
            token.kind = Kind::Number(Number { value: number.value, unit: unit(&sign.lower) });
            token.raw = format!("{}{}", sign.raw, token.raw);
        }
        if let Some(number) = merged {
            while found.last().is_some_and(|t| t.kind == Kind::Mark('-')) {
                found.pop();
            }
            if let Some(last) = found.last_mut() {
                last.raw = format!("{} {}", last.raw, token.raw);
                last.kind = Kind::Number(number);
                continue;
            }
        }
        let determiner = previous.as_ref().is_some_and(|t| {
            ["no", "any", "every", "this", "that", "the", "each", "some", "which", "another"]
                .contains(&t.lower.as_str())
        });
        if let (Kind::Word, Some(value)) = (token.kind, word_value(&token.lower))
            && (token.lower != "one" || !determiner)
        {
            token.kind = Kind::Number(Number { value, unit: None });
        }
        if let Some(at) = ORDINALS.iter().position(|ordinal| *ordinal == token.lower) {
            let ending = ["st", "nd", "rd"].get(at).copied().unwrap_or("th");
            token.lower = format!("{}{ending}", at + 1);
            token.stem.clone_from(&token.lower);
        }
        found.push(token);
    }
    found
}

fn word_value(word: &str) -> Option<i128> {
    NUMBERS.iter().find(|(name, _)| *name == word).map(|(_, value)| (value * 1e6) as i128)
}

/// Joins the parts of dates.
fn dates(tokens: Vec<Token>) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut rest = tokens.into_iter().peekable();
    while let Some(mut token) = rest.next() {
        if let Some(date) = written_date(&token.raw) {
            token.kind = Kind::Date(date);
            found.push(token);
            continue;
        }
        let Some(month) = month_of(&token, found.last(), rest.peek()) else {
            if let Some(year) = year_of(&token) {
                token.kind = Kind::Date(Date { year: Some(year), ..Date::default() });
            }
            found.push(token);
            continue;
        };
        let mut date = Date { month: Some(month), ..Date::default() };
        let of = found.last().is_some_and(|t| t.lower == "of");
        let before = found.iter().rev().nth(usize::from(of));
        if let Some(day) = before.and_then(day_of) {
            date.day = Some(day);
            let parts = 1 + usize::from(of);
            let kept = found.len() - parts;
            let lead: Vec<String> = found.drain(kept..).map(|t| t.raw).collect();
            token.raw = format!("{} {}", lead.join(" "), token.raw);
        } else if let Some(day) = rest.peek().and_then(day_of) {
            date.day = Some(day);
            token.raw = format!("{} {}", token.raw, rest.next().map(|t| t.raw).unwrap_or_default());
        }
        let mut ahead = rest.clone();
        let comma = ahead.next_if(|t| t.kind == Kind::Mark(',')).is_some();
        if let Some(year) = ahead.next().as_ref().and_then(year_of) {
            date.year = Some(year);
            if comma {
                rest.next();
            }
            token.raw = format!("{} {year}", token.raw);
            rest.next();
        }
        token.kind = Kind::Date(date);
        found.push(token);
    }
    found
}

fn month_of(token: &Token, before: Option<&Token>, after: Option<&Token>) -> Option<u32> {
    if !matches!(token.kind, Kind::Word | Kind::Name) {
        return None;
    }
    let beside =
        before.is_some_and(|t| day_of(t).is_some()) || after.is_some_and(|t| day_of(t).or(year_of(t)).is_some());
    let upper = token.raw.starts_with(char::is_uppercase);
    let whole = MONTHS.iter().position(|month| *month == token.lower);
    let short = || {
        let word = token.lower.trim_end_matches('.');
        let length = word.len() == 3 || word == "sept";
        (length && beside && upper).then(|| MONTHS.iter().position(|month| month.starts_with(word))).flatten()
    };
    let ambiguous = matches!(token.lower.as_str(), "may" | "march");
    let led = before.is_some_and(|t| {
        let leads = [
            "in", "on", "of", "since", "until", "till", "by", "to", "from", "before", "after", "during", "late",
            "early", "mid", "last", "next", "this", "and", "or", "for", "through", "between",
        ];
        leads.contains(&t.lower.as_str()) || matches!(t.kind, Kind::Mark('-' | '–'))
    });
    let certain = beside || (upper && (led || !ambiguous));
    let index = whole.filter(|_| certain).or_else(short)?;
    u32::try_from(index + 1).ok()
}

fn day_of(token: &Token) -> Option<u32> {
    let digits = token.lower.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let ending = token.lower.get(digits.len()..).unwrap_or_default();
    let plain = matches!(token.kind, Kind::Number(Number { unit: None, .. })) || token.is_content();
    let day: u32 = (plain && ["", "st", "nd", "rd", "th"].contains(&ending)).then(|| digits.parse().ok()).flatten()?;
    (1..=31).contains(&day).then_some(day)
}

fn year_of(token: &Token) -> Option<u32> {
    let bare = matches!(token.kind, Kind::Number(Number { unit: None, .. })) && token.raw.len() == 4;
    let year: u32 = bare.then(|| token.raw.parse().ok()).flatten()?;
    (1000..=2999).contains(&year).then_some(year)
}

/// `2024-03-12`, `2024-03`, `12.03.2024`, and `12/03/2024` where only one reading is a date.
fn written_date(raw: &str) -> Option<Date> {
    let sign = ['-', '.', '/'].into_iter().find(|&sign| raw.contains(sign))?;
    let parts: Vec<u32> = raw.split(sign).map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let date = |year, month, day| {
        let fits = (1000..=2999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
        fits.then_some(Date { year: Some(year), month: Some(month), day: Some(day) })
    };
    match (parts.as_slice(), sign) {
        (&[year, month, day], '-' | '/' | '.') if year > 999 => date(year, month, day),
        (&[year, month], '-') if (1..=12).contains(&month) => {
            Some(Date { year: Some(year), month: Some(month), day: None })
        }
        (&[day, month, year], '.') => date(year, month, day),
        (&[a, b, year], '/') if a > 12 => date(year, b, a),
        (&[a, b, year], '/') if b > 12 => date(year, a, b),
        _ => None,
    }
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
            ("it takes 40 ms, 40s or 1,000.5 kg", vec!["40ms", "40s", "1000.5kg"]),
            ("twenty-five people and 4.2 million euros, $40", vec!["25", "4200000eur", "40usd"]),
            ("on 12 March 2024", vec!["2024/3/12"]),
            ("on March 12th, 2024, then May 2025", vec!["2024/3/12", "2025/5/?"]),
            ("on the 3rd of June", vec!["?/6/3"]),
            ("from 2024-03-12 to 12.04.2024", vec!["2024/3/12", "2024/4/12"]),
            ("we may march in May", vec!["?/5/?"]),
            ("since 2019 with Mia Keller's serde_json v1.2", vec!["2019/?/?", "Mia", "Keller", "serde_json", "v1.2"]),
            ("10 000 users, -5 °C, no one and 50 %", vec!["10000", "-5", "C", "50%"]),
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
