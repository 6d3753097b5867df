//! Whether all that a sentence names is there: numbers, dates, names, signs, and its other words.

use unicode_normalization::UnicodeNormalization;

use super::clauses;
use super::ground::{Ground, Quote};
use super::lexicon::{NEGATIONS, WEEKDAYS, opposes};
use super::polarity::is_negation;
use super::sentence::Sentence;
use super::tokens::{Date, Kind, Number, Token};
use super::{Reason, ReasonKind, reason, wording};

/// Numbers, dates, names and signs that the grounds don't give.
pub(super) fn facts(words: &[Token], grounds: &[&Ground]) -> Vec<Reason> {
    let found = |test: &dyn Fn(&Token) -> bool| grounds.iter().any(|ground| ground.all().any(test));
    let mut reasons = Vec::new();
    for (at, token) in words.iter().enumerate() {
        match token.kind {
            Kind::Number(number)
                if !found(&|t| {
                    gives(t, number) || matches!(t.kind, Kind::Number(theirs) if is_about(words, at, number, theirs))
                }) =>
            {
                reasons.push(reason(ReasonKind::Number, &token.raw));
            }
            Kind::Date(date) if !found(&|t| names_date(t, date)) => {
                reasons.push(reason(ReasonKind::Date, &led(words, at)));
            }
            Kind::Name if !grounds.iter().any(|ground| ground.names(token)) => {
                let kind = if WEEKDAYS.contains(&token.lower.as_str()) { ReasonKind::Date } else { ReasonKind::Name };
                reasons.push(reason(kind, &token.raw));
            }
            Kind::Mark(mark) if !is_punctuation(mark) && !found(&|t| t.kind == token.kind) => {
                reasons.push(reason(ReasonKind::Content, &token.raw));
            }
            _ => {}
        }
    }
    reasons.extend(counted(words, grounds));
    reasons.extend(again(words, grounds));
    reasons.extend(both(words, grounds));
    reasons
}

/// `Both passed` needs two that are joined: `Ana passed. Tim retakes.` has none.
fn both(words: &[Token], grounds: &[&Ground]) -> Option<Reason> {
    const JOINING: [&str; 8] = ["both", "and", "or", "two", "each", "all", "neither", "either"];
    let own = words.iter().find(|t| t.lower == "both")?;
    let is_joined = grounds.len() > 1
        || grounds.iter().any(|ground| ground.all().any(|t| JOINING.contains(&t.lower.as_str()) || t.raw == "2"));
    (!is_joined).then(|| reason(ReasonKind::Content, &own.raw))
}

/// `1 year here and 12 months there` isn't said by `1 month here and 12 months there`: what is written in two ways has to be
/// said twice.
fn again(words: &[Token], grounds: &[&Ground]) -> Vec<Reason> {
    let numbers = || words.iter().filter(|t| matches!(t.kind, Kind::Number(Number { unit: Some(_), .. })));
    let otherwise = |token: &Token| numbers().any(|other| other.kind == token.kind && other.raw != token.raw);
    let said = |token: &Token| grounds.iter().flat_map(|ground| ground.all()).filter(|t| t.kind == token.kind).count();
    let found = numbers().filter(|token| otherwise(token) && said(token) < 2);
    found.map(|token| reason(ReasonKind::Number, &token.raw)).collect()
}

/// A word with those in front that lead to it: `since May 2024`.
pub(super) fn led(words: &[Token], at: usize) -> String {
    let front = words.get(..at).unwrap_or_default();
    let length = front.iter().rev().take_while(|t| t.kind == Kind::Function).count();
    let phrase = words.get(at - length..=at).unwrap_or_default();
    phrase.iter().map(|t| t.raw.as_str()).collect::<Vec<_>>().join(" ")
}

/// `three nodes and two people` doesn't say `two nodes`: what is counted must be counted so.
fn counted(words: &[Token], grounds: &[&Ground]) -> Vec<Reason> {
    let theirs: Vec<Count<'_>> = grounds.iter().flat_map(|ground| &ground.sentences).flat_map(|s| counts(s)).collect();
    let other = |count: Count<'_>| {
        let there: Vec<&Count<'_>> = theirs.iter().filter(|other| other.thing.stem == count.thing.stem).collect();
        let is_it =
            |theirs: Number| theirs.value == count.number.value || is_about(words, count.at, count.number, theirs);
        if there.iter().any(|other| is_it(other.number)) {
            return None;
        }
        // `Room 4` is not four rooms.
        let Some(first) = there.first() else {
            return is_numbered(count.thing, count.number, grounds).then(|| reason(ReasonKind::Number, &count.raw()));
        };
        let instead = first.raw();
        Some(Reason { instead, ..reason(ReasonKind::Number, &count.raw()) })
    };
    counts(words).filter_map(other).collect()
}

/// Whether the notes only number a thing so: `room 4`.
fn is_numbered(thing: &Token, number: Number, grounds: &[&Ground]) -> bool {
    let pairs = grounds.iter().flat_map(|ground| &ground.sentences).flat_map(|sentence| sentence.windows(2));
    let is_it = |pair: &[Token]| match pair {
        [noun, Token { kind: Kind::Number(theirs), .. }] => noun.stem == thing.stem && theirs.value == number.value,
        _ => false,
    };
    pairs.into_iter().any(is_it)
}

/// `About 2.9 million` is said by 2,937,600: within a twentieth.
fn is_about(words: &[Token], at: usize, number: Number, theirs: Number) -> bool {
    const ABOUT: [&str; 6] = ["about", "around", "roughly", "approximately", "circa", "some"];
    let is_led = at.checked_sub(1).and_then(|at| words.get(at)).is_some_and(|t| ABOUT.contains(&t.lower.as_str()));
    let is_near = |far: u128| far <= theirs.value.unsigned_abs();
    is_led && theirs.unit == number.unit && theirs.value.abs_diff(number.value).checked_mul(20).is_some_and(is_near)
}

/// A number and what it counts: "three nodes".
struct Count<'t> {
    /// Where it stands.
    at: usize,
    number: Number,
    written: &'t str,
    thing: &'t Token,
}

impl Count<'_> {
    fn raw(&self) -> String {
        format!("{} {}", self.written, self.thing.raw)
    }
}

fn counts(tokens: &[Token]) -> impl Iterator<Item = Count<'_>> {
    tokens.windows(2).enumerate().filter_map(|(at, pair)| match pair {
        [Token { kind: Kind::Number(number), raw, .. }, thing] if thing.kind == Kind::Word => {
            Some(Count { at, number: *number, written: raw, thing })
        }
        _ => None,
    })
}

/// Signs that divide words and say nothing; any other sign (`>`, `→`, `=`) has to be found.
pub(super) fn is_punctuation(mark: char) -> bool {
    mark.is_ascii_punctuation() && !"<>=+%$~^&@".contains(mark)
        || "“”„‘’«»‹›…–—·•、。，．：；！？「」『』（）【】〈〉《》〔〕‑‐|".contains(mark)
        || (!mark.is_ascii()
            && !mark.is_alphanumeric()
            && matches!(mark, '\u{1f300}'..='\u{1faff}')
            && !"👍👎".contains(mark))
}

/// Whether a token is a number.
pub(super) fn gives(token: &Token, number: Number) -> bool {
    match token.kind {
        Kind::Number(other) => other == number,
        Kind::Date(Date { year: Some(year), month: None, day: None, part: None, .. }) => {
            number.unit.is_none() && number.value == i128::from(year) * 1_000_000
        }
        _ => false,
    }
}

fn names_date(token: &Token, date: Date) -> bool {
    match token.kind {
        Kind::Date(other) => date.is_said_by(other),
        Kind::Number(number) => {
            date.month.is_none()
                && date.part.is_none()
                && date.year.is_some_and(|y| number.value == i128::from(y) * 1_000_000)
        }
        _ => false,
    }
}

/// Whether a token of theirs is the same word.
pub(super) fn same_name(token: &Token, name: &Token) -> bool {
    if name.lower == "a" && name.kind == Kind::Name {
        return token.lower == "a" && token.kind == Kind::Name;
    }
    token.lower == name.lower
        || (token.is_content() && token.stem == name.stem)
        || is_unaccented(&token.lower, &name.lower)
        || is_unaccented(&name.lower, &token.lower)
}

/// `Noel` for `Noël`; another accent is another name.
fn is_unaccented(plain: &str, accented: &str) -> bool {
    let is_accent = |c: &char| matches!(c, '\u{300}'..='\u{36f}');
    plain.is_ascii() && !accented.is_ascii() && accented.nfd().filter(|c| !is_accent(c)).eq(plain.chars())
}

/// Every content word must be covered, however long the sentence: one verb is enough to turn it round. And not all by
/// what only surrounds the words.
pub(super) fn missing(own: &Sentence<'_>, grounds: &[&Ground], quotes: &[Quote<'_>]) -> Vec<Reason> {
    let words = own.tokens;
    let is_there = |token: &Token| grounds.iter().any(|ground| ground.names(token));
    // Names and negations are asked for elsewhere.
    let is_plain = |token: &Token| token.kind == Kind::Word && !NEGATIONS.contains(&token.lower);
    let is_gone = |at: usize| {
        let token = &words[at];
        is_plain(token) && !is_there(token) && !is_implied(own, at, grounds, quotes)
    };
    let gone: Vec<usize> = (0..words.len()).filter(|&at| is_gone(at)).collect();
    let opposite = gone.iter().map(|&at| &words[at]).filter(|token| is_opposed(token, grounds));
    let mut reasons: Vec<Reason> = opposite.map(|token| reason(ReasonKind::Opposite, &token.raw)).collect();
    reasons.extend(phrases(words, &gone).iter().map(|phrase| reason(ReasonKind::Content, phrase)));
    let is_said = |token: &Token| {
        let theirs = |t: &Token| same_name(t, token) || alike(t, token);
        grounds.iter().any(|ground| ground.sentences.iter().flatten().any(theirs))
    };
    if !words.iter().any(|token| token.says() && is_said(token)) {
        reasons.push(reason(ReasonKind::Content, ""));
    }
    reasons
}

/// Whether a word adds nothing to what the notes say, by the way they say it.
fn is_implied(own: &Sentence<'_>, at: usize, grounds: &[&Ground], quotes: &[Quote<'_>]) -> bool {
    let (words, token) = (own.tokens, &own.tokens[at]);
    is_condition(token) && theirs_any(grounds, is_condition)
        || may_be(token, words, grounds)
        || clauses::is_said(words, at, quotes)
        || wording::is_implied(own, at, quotes)
}

/// `If it rains` says no more than `when it rains`.
pub(super) fn is_condition(token: &Token) -> bool {
    matches!(token.lower.as_str(), "if" | "when" | "whenever" | "once" | "provided")
}

/// What is so can be so: a *can* takes something away from what the notes say, unless something is denied.
fn may_be(token: &Token, words: &[Token], grounds: &[&Ground]) -> bool {
    token.lower == "can" && !words.iter().any(is_negation) && !theirs_any(grounds, is_negation)
}

fn theirs_any(grounds: &[&Ground], is: fn(&Token) -> bool) -> bool {
    grounds.iter().any(|ground| ground.sentences.iter().flatten().any(is))
}

fn is_opposed(token: &Token, grounds: &[&Ground]) -> bool {
    grounds.iter().any(|ground| ground.all().any(|t| opposes(&t.stem, &token.stem)))
}

/// The words at some places, those that have only words without content between them as one.
fn phrases(words: &[Token], places: &[usize]) -> Vec<String> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for &at in places {
        let follows = |(_, end): &&mut (usize, usize)| {
            words.get(*end + 1..at).unwrap_or_default().iter().all(|t| t.kind == Kind::Function)
        };
        match runs.last_mut().filter(follows) {
            Some((_, end)) => *end = at,
            None => runs.push((at, at)),
        }
    }
    let raws = |(start, end): &(usize, usize)| {
        let run = words.get(*start..=*end).unwrap_or_default();
        run.iter().map(|t| t.raw.as_str()).collect::<Vec<_>>().join(" ")
    };
    runs.iter().map(raws).collect()
}

/// Whether a number or date of theirs says as much as one of the sentence.
pub(super) fn alike(theirs: &Token, own: &Token) -> bool {
    match own.kind {
        Kind::Number(number) => gives(theirs, number),
        Kind::Date(date) => names_date(theirs, date),
        _ => false,
    }
}
