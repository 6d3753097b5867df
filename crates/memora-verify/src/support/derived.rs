//! Numbers of a sentence that follow from other numbers of the notes: half of 48 of 96, just under four hours of 3:58:20,
//! four times an hour of every 15 minutes.
//!
//! What is the same number in another form is read alike already ([`numbers`](super::numbers)). Here each number that follows
//! is exchanged for theirs, so that the other rules find it and compare its place. The one rule to know: **it must follow one
//! way, from one number of theirs**: where several might be meant, none is.

use super::content::gives;
use super::ground::Ground;
use super::hours::{DIAL, HALF_DAY, said_by_time};
use super::numbers::{CLOCK, DEGREES, ONE, measured, small, unit_factor, word};
use super::polarity::is_negation;
use super::rates::{EVERY, period};
use super::shares::{COUPLE, percent};
use super::tokens::{Date, Kind, Number, Token};
use super::{bounds, units};

/// The tokens of the notes, a sentence each, and those of what stands around them.
pub(super) struct Theirs<'g> {
    texts: Vec<&'g [Token]>,
}

/// So many tokens of the sentence say what these do.
pub(super) type Step = (usize, Vec<Token>);

/// The sentence, with theirs for each number that follows from theirs.
pub(super) fn in_their_numbers(own: Vec<Token>, grounds: &[&Ground]) -> Vec<Token> {
    let theirs = Theirs::of(grounds);
    let mut found: Vec<Token> = Vec::with_capacity(own.len());
    let mut rest = own.as_slice();
    while let [token, ..] = rest {
        let (length, tokens) = step(&found, rest, &theirs).unwrap_or_else(|| (1, vec![token.clone()]));
        found.extend(tokens.into_iter().map(|token| by_their_stem(token, &theirs)));
        rest = rest.get(length.max(1)..).unwrap_or_default();
    }
    found
}

impl<'g> Theirs<'g> {
    fn of(grounds: &[&'g Ground]) -> Self {
        let texts = |ground: &&'g Ground| ground.sentences.iter().chain([&ground.context]).map(Vec::as_slice);
        Self { texts: grounds.iter().flat_map(texts).collect() }
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &'g Token> {
        self.texts.iter().flat_map(|text| text.iter())
    }

    /// Each number, with what follows it.
    pub(super) fn numbers(&self) -> impl Iterator<Item = (Number, &'g [Token])> {
        self.places().filter_map(|(text, at)| match text.get(at)?.kind {
            Kind::Number(number) => Some((number, text.get(at..)?)),
            _ => None,
        })
    }

    fn places(&self) -> impl Iterator<Item = (&'g [Token], usize)> {
        self.texts.iter().flat_map(|text| (0..text.len()).map(|at| (*text, at)))
    }

    /// Whether a number is there as it is.
    pub(super) fn give(&self, number: Number) -> bool {
        self.all().any(|token| gives(token, number))
    }

    fn find(&self, is: impl Fn(Number) -> bool) -> Option<Number> {
        self.numbers().map(|(number, _)| number).find(|number| is(*number))
    }
}

fn step(before: &[Token], rest: &[Token], theirs: &Theirs<'_>) -> Option<Step> {
    let token = rest.first()?;
    let Kind::Number(number) = token.kind else {
        return bounds::step(before, rest, theirs)
            .or_else(|| whole_one(before, rest, theirs))
            .or_else(|| birthday(rest, theirs))
            .or_else(|| year(rest, theirs))
            .or_else(|| named_hour(token, theirs));
    };
    let of = ratio(rest, theirs);
    if of.is_some() {
        return of;
    }
    if theirs.give(number) {
        return Some(without_half(rest, number, theirs));
    }
    let is_denied = before.iter().any(is_negation);
    let shared = share(before, rest, number, theirs).filter(|_| !is_denied);
    shared.or_else(|| several(rest, number, theirs)).or_else(|| {
        let number = same(before, rest, number, theirs)?;
        Some(without_half(rest, number, theirs))
    })
}

/// A number with the stem that theirs has: some rules compare no more than stems.
fn by_their_stem(token: Token, theirs: &Theirs<'_>) -> Token {
    let Kind::Number(number) = token.kind else { return token };
    let mut stems = theirs.all().filter(|t| gives(t, number)).map(|t| &t.stem);
    match stems.next() {
        Some(first) if *first != token.stem && stems.all(|stem| *stem != token.stem) => {
            Token { stem: first.clone(), ..token }
        }
        _ => token,
    }
}

/// A time without *in the evening*, where the notes don't write so.
fn without_half(rest: &[Token], number: Number, theirs: &Theirs<'_>) -> Step {
    let token = rest.first().map(|token| Token { kind: Kind::Number(number), ..token.clone() });
    let behind = rest.get(1..).unwrap_or_default();
    let part = said_by_time(number, behind).filter(|at| !theirs.all().any(|t| t.lower == word(behind, at - 1)));
    let length = 1 + part.unwrap_or(0);
    (length, token.into_iter().collect())
}

/// Another form of one number of theirs.
fn same(before: &[Token], rest: &[Token], own: Number, theirs: &Theirs<'_>) -> Option<Number> {
    let token = rest.first()?;
    let leads = before.last().map(|t| t.lower.as_str()).unwrap_or_default();
    if period(own).is_some() {
        return theirs.find(|n| n.unit == Some(EVERY) && period(own) == Some(n.value));
    }
    match own.unit {
        Some(DEGREES) => theirs.find(|n| matches!(n.unit, Some("c" | "f")) && n.value == own.value),
        Some("%") if own.value % (ONE / 100) != 0 => theirs.find(|n| is_rounded(own, n)),
        Some(DIAL) => theirs.find(|n| n.unit == Some(CLOCK) && n.value % (HALF_DAY * ONE) == own.value),
        Some(CLOCK) => {
            let is_plain =
                !token.raw.chars().any(char::is_alphabetic) && word(rest, 1) != "in" && word(rest, 1) != "at";
            let is_on_dial = is_plain && (60 * ONE..(HALF_DAY + 60) * ONE).contains(&own.value);
            theirs.find(|n| is_on_dial && n.unit == Some(DIAL) && n.value == own.value % (HALF_DAY * ONE))
        }
        Some(unit) => bytes(own, unit, theirs).or_else(|| from_bare(leads, own, theirs)),
        None => bare_hour(leads, rest, theirs).or_else(|| shared_unit(leads, rest, own, theirs)),
    }
}

/// `A third` of 33 %.
fn is_rounded(own: Number, theirs: Number) -> bool {
    theirs.unit == own.unit && theirs.value % ONE == 0 && theirs.value.abs_diff(own.value) < ONE.unsigned_abs() / 2
}

/// 64 GB are 64,000 MB, and 65,536 MB.
fn bytes(own: Number, unit: &str, theirs: &Theirs<'_>) -> Option<Number> {
    const SCALE: [&str; 4] = ["kb", "mb", "gb", "tb"];
    let place = |unit: &str| SCALE.iter().position(|name| *name == unit).and_then(|at| u32::try_from(at).ok());
    let mine = place(unit)?;
    let is_it = |other: Number| {
        let Some(there) = other.unit.and_then(place) else { return false };
        let is = |thousand: i128| {
            let in_kilo = |value: i128, place: u32| value.checked_mul(thousand.checked_pow(place)?);
            in_kilo(own.value, mine).is_some() && in_kilo(own.value, mine) == in_kilo(other.value, there)
        };
        is(1000) || is(1024)
    };
    theirs.find(is_it)
}

/// `At eight` of 20:00.
fn bare_hour(leads: &str, rest: &[Token], theirs: &Theirs<'_>) -> Option<Number> {
    let hour = small(rest.first()?).filter(|hour| (1..=12).contains(hour))?;
    let ends = rest.get(1).is_none_or(|t| matches!(t.kind, Kind::Function | Kind::Mark(_)));
    let is_led = ["at", "by", "until", "till"].contains(&leads) && ends && word(rest, 1) != "of";
    let is_it =
        |n: Number| matches!(n.unit, Some(CLOCK | DIAL)) && n.value % (HALF_DAY * ONE) == hour * 60 % HALF_DAY * ONE;
    theirs.find(|n| is_led && is_it(n))
}

/// `From 2 to 6 GB` of 2 GB.
fn shared_unit(leads: &str, rest: &[Token], own: Number, theirs: &Theirs<'_>) -> Option<Number> {
    let goal = rest.get(2).filter(|_| leads == "from" && word(rest, 1) == "to")?;
    let Kind::Number(Number { unit: Some(unit), .. }) = goal.kind else { return None };
    let value = unit_factor(Some(goal)).and_then(|factor| own.value.checked_mul(factor))?;
    Some(Number { value, unit: Some(unit) }).filter(|number| theirs.give(*number))
}

/// `From 900 MB` of `from 900 to 300 MB`.
fn from_bare(leads: &str, own: Number, theirs: &Theirs<'_>) -> Option<Number> {
    let is_it = |(text, at): (&[Token], usize)| {
        let Kind::Number(bare @ Number { unit: None, .. }) = text.get(at)?.kind else { return None };
        let before = at.checked_sub(1).map(|at| word(text, at)).unwrap_or_default();
        let goal = text.get(at + 2).filter(|_| before == "from" && word(text, at + 1) == "to")?;
        let Kind::Number(Number { unit, .. }) = goal.kind else { return None };
        let value = unit_factor(Some(goal)).and_then(|factor| bare.value.checked_mul(factor))?;
        (unit == own.unit && value == own.value).then_some(bare)
    };
    theirs.places().filter(|_| leads == "from").find_map(is_it)
}

/// `Half a milligram in the morning and a whole one at night` of 1 mg at night.
fn whole_one(before: &[Token], rest: &[Token], theirs: &Theirs<'_>) -> Option<Step> {
    let said = before.iter().rev().find_map(|t| match t.kind {
        Kind::Number(number) => Some((number, unit_factor(Some(t))?)),
        _ => None,
    });
    let token = rest.get(1).filter(|token| word(rest, 0) == "whole" && token.lower == "one")?;
    let (other, factor) = said?;
    let number = Number { value: ONE * factor, ..other };
    let tokens = vec![Token { kind: Kind::Number(number), ..token.clone() }];
    (number.unit.is_some() && theirs.give(number)).then_some((2, tokens))
}

/// `A couple of weeks` of two weeks.
fn several(rest: &[Token], own: Number, theirs: &Theirs<'_>) -> Option<Step> {
    let token = rest.first().filter(|_| own.unit == Some(COUPLE))?;
    let unit = units::unit(word(rest, 1));
    let number = unit.map_or(Number { value: own.value, unit: None }, |unit| measured(own.value, unit));
    let tokens = vec![Token { kind: Kind::Number(number), ..token.clone() }];
    let counts = |(there, behind): (Number, &[Token])| {
        let thing = || behind.get(1).zip(rest.get(1)).is_some_and(|(a, b)| a.stem == b.stem);
        there == number && (unit.is_some() || thing())
    };
    theirs.numbers().any(counts).then_some((1 + usize::from(unit.is_some()), tokens))
}

/// A number of others: `48 of the 96`, `250/500`.
struct Ratio<'g> {
    part: Number,
    whole: Number,
    tokens: &'g [Token],
    next: Option<&'g Token>,
    text: &'g [Token],
    /// Whether a slash divides them, and they may be a day and a month.
    may_be_date: bool,
}

fn ratios<'g>(theirs: &Theirs<'g>) -> impl Iterator<Item = Ratio<'g>> {
    let rated = theirs.all().any(|t| {
        let is = ["rat", "scor", "star", "point", "pag", "vot", "grad", "mark", "progress"].contains(&t.stem.as_str());
        is || t.lower == "rating"
    });
    theirs.places().filter_map(move |(text, at)| {
        let (length, part, whole) = ratio_in(text.get(at..)?)?;
        let is_slash = text.get(at + 1).is_some_and(|t| t.kind == Kind::Mark('/'));
        let (low, high) = (part.value.min(whole.value), part.value.max(whole.value));
        let may_be_date = is_slash && !rated && low <= 12 * ONE && high <= 31 * ONE;
        let (tokens, next) = (text.get(at..at + length)?, text.get(at + length));
        Some(Ratio { part, whole, tokens, next, text, may_be_date })
    })
}

/// The two numbers of a ratio at the beginning, and of how many tokens it is.
fn ratio_in(tokens: &[Token]) -> Option<(usize, Number, Number)> {
    let joint = match (word(tokens, 1), word(tokens, 2)) {
        ("/" | "of", _) => 1,
        ("out", "of") => 2,
        _ => return None,
    };
    let article = usize::from(["the", "all", "our", "my", "their", "your"].contains(&word(tokens, 1 + joint)));
    let (Kind::Number(part), Kind::Number(whole)) = (tokens.first()?.kind, tokens.get(1 + joint + article)?.kind)
    else {
        return None;
    };
    let is_count = |number: Number| number.unit.is_none() && number.value >= 0 && number.value < ONE * ONE * ONE;
    (is_count(part) && is_count(whole)).then_some((2 + joint + article, part, whole))
}

/// `Two out of five` of 2/5; the other way round it is another.
fn ratio(rest: &[Token], theirs: &Theirs<'_>) -> Option<Step> {
    let (length, part, whole) = ratio_in(rest)?;
    let own = rest.get(..length)?;
    let has = |part: Number, whole: Number| {
        ratios(theirs).any(|ratio| ratio.part == part && ratio.whole == whole && !ratio.may_be_date)
    };
    if has(part, whole) {
        let plain = |token: &Token| match token.lower.as_str() {
            "out" => Token { kind: Kind::Function, ..token.clone() },
            _ => token.clone(),
        };
        return Some((length, own.iter().map(plain).collect()));
    }
    let turned = Kind::Number(Number { unit: Some("turned"), ..part });
    let first = rest.first().filter(|_| part != whole && has(whole, part))?;
    Some((1, vec![Token { kind: turned, ..first.clone() }]))
}

/// `Half of the jars` of 48 of the 96 jars.
fn share(before: &[Token], rest: &[Token], own: Number, theirs: &Theirs<'_>) -> Option<Step> {
    let token = rest.first().filter(|_| own.unit == Some("%"))?;
    let is_about = before.last().is_some_and(|t| matches!(t.lower.as_str(), "about" | "around" | "roughly"));
    let near = if is_about { ONE.unsigned_abs() / 2 } else { 0 };
    let is_it = |ratio: &Ratio<'_>| {
        let is_part = ratio.whole.value > 0 && ratio.part.value <= ratio.whole.value && !ratio.may_be_date;
        is_part && percent(ratio.part.value, ratio.whole.value).value.abs_diff(own.value) <= near
    };
    let of = usize::from(word(rest, 1) == "of");
    let article = usize::from(["the", "all", "our", "my", "their", "your"].contains(&word(rest, 1 + of)));
    let thing = rest.get(1 + of + article).filter(|t| of + article > 0 && t.is_content());
    // Half of the jars: they are what was counted, or, of `Pages: 250/500`, what it is headed.
    let is_of_it = |ratio: &Ratio<'_>| {
        let is_it = |t: &Token| thing.is_none_or(|thing| thing.stem == t.stem);
        ratio.next.filter(|t| t.is_content()).map_or_else(|| ratio.text.iter().any(is_it), is_it)
    };
    let mut found = ratios(theirs).filter(|ratio| is_it(ratio) && is_of_it(ratio));
    let ratio = found.next().filter(|_| found.next().is_none())?;
    let length = if article > 0 { 1 + of + article } else { 1 };
    Some((length, ratio.tokens.iter().map(|t| Token { raw: token.raw.clone(), ..t.clone() }).collect()))
}

/// `The 90th birthday` of whoever turned ninety.
fn birthday(rest: &[Token], theirs: &Theirs<'_>) -> Option<Step> {
    let token = rest.first().filter(|_| word(rest, 1) == "birthday")?;
    let age: i128 = token.lower.trim_end_matches(|c: char| c.is_ascii_alphabetic()).parse().ok()?;
    let is_it = |(text, at): (&[Token], usize)| {
        let turned = at.checked_sub(1).and_then(|at| text.get(at)).is_some_and(|t| t.stem == "turn");
        turned && text.get(at).and_then(small) == Some(age)
    };
    let (text, at) = theirs.places().find(|place| is_it(*place))?;
    Some((2, vec![Token { raw: token.raw.clone(), ..text.get(at)?.clone() }]))
}

/// `Summer '98` of 1998.
fn year(rest: &[Token], theirs: &Theirs<'_>) -> Option<Step> {
    let digits =
        rest.get(1).filter(|t| t.raw.len() == 2 && rest.first().is_some_and(|t| t.kind == Kind::Mark('\'')))?;
    let short: u32 = digits.raw.parse().ok()?;
    let years = theirs.all().filter_map(|t| match t.kind {
        Kind::Date(Date { year, .. }) => year,
        _ => None,
    });
    let mut fitting: Vec<u32> = years.filter(|year| (1900..2100).contains(year) && year % 100 == short).collect();
    fitting.dedup();
    let [year] = *fitting.as_slice() else { return None };
    let date = Date { year: Some(year), ..Date::default() };
    Some((2, vec![Token { kind: Kind::Date(date), raw: format!("'{}", digits.raw), ..digits.clone() }]))
}

/// `Midnight` of 00:00.
fn named_hour(token: &Token, theirs: &Theirs<'_>) -> Option<Step> {
    let minutes = match token.raw.as_str() {
        "midnight" => 0,
        "noon" => HALF_DAY,
        _ => return None,
    };
    let number = Number { value: minutes * ONE, unit: Some(CLOCK) };
    let is_named = theirs.all().any(|t| t.lower == token.lower);
    (!is_named && theirs.give(number)).then(|| (1, vec![Token { kind: Kind::Number(number), ..token.clone() }]))
}

#[cfg(test)]
mod tests {
    use super::super::{Support, judge};
    use super::*;

    fn is_said(sentence: &str, words: &str) -> bool {
        judge(sentence, &[&Ground::read(words, &[], &[])]).support != Support::Unsupported
    }

    #[test]
    fn what_follows_from_a_number_is_said_by_it() {
        for (words, sentence) in [
            ("48 of the 96 jars were sold.", "Half of the jars were sold."),
            ("33 % of the tickets are open.", "A third of the tickets are open."),
            ("Two thirds voted for the statute.", "About 67 percent voted for the statute."),
            ("The marathon took 3:58:20.", "The marathon took just under four hours."),
            ("35 guests came.", "More than 30 guests came."),
            ("The server has 65536 MB of RAM.", "The server has 64 GB of RAM."),
            ("The server has 64,000 MB of RAM.", "The server has 64 GB of RAM."),
            ("The bus runs every 15 min.", "The bus runs four times an hour."),
            ("The interview is at 22:00.", "The interview is at ten o'clock."),
            ("The dinner is at 8 pm.", "The dinner is at eight in the evening."),
            ("The dinner is at 8 pm.", "The dinner is at eight."),
            ("The oven is at 180 °C.", "The oven is at 180 degrees."),
            ("The size was cut from 900 to 300 MB.", "The size was cut from 900 MB down to 300."),
            ("The heap was raised from 2 GB to 6 GB.", "The heap was raised from 2 to 6 GB."),
            ("The trip took two weeks.", "The trip took a couple of weeks."),
            ("The first trip was in summer 1998.", "The first trip was in summer '98."),
            ("Grandpa turned ninety and had a party.", "Grandpa had his 90th birthday."),
            (
                "The dose is 0.5 mg in the morning and 1 mg at night.",
                "The dose is half a milligram in the morning and a whole one at night.",
            ),
        ] {
            assert!(is_said(sentence, words), "{words} -> {sentence}");
        }
    }

    #[test]
    fn what_does_not_follow_is_not() {
        for (words, sentence) in [
            ("48 of the 69 jars were sold.", "Half of the jars were sold."),
            ("48 of the 96 jars and all of the cups were sold.", "Half of the cups were sold."),
            ("48 of the 96 jars were sold.", "96 of the 48 jars were sold."),
            ("The reports are due 1/2.", "Half of the reports are due."),
            ("The reports are due on 3/4.", "Three out of four reports are due."),
            ("The marathon took 3:58:20.", "The marathon took just over four hours."),
            ("The marathon took 3:58:20.", "The marathon took just under five hours."),
            ("The marathon took 3:58:20.", "The marathon took four hours."),
            ("The marathon took 4:02:20.", "The marathon took nearly four hours."),
            ("35 guests and 12 children came.", "More than 30 children came."),
            ("35 guests came.", "No more than 30 guests came."),
            ("The server has 65536 MB of RAM.", "The server has 65 GB of RAM."),
            ("The bus runs every 15 min.", "The bus runs four times a day."),
            ("The bus runs every 15 min.", "The bus runs for 15 min."),
            ("The interview is at ten o'clock.", "The interview is at 22:00."),
            ("The feed is at 8 am.", "The feed is at eight in the evening."),
            ("The oven is at 180 degrees.", "The oven is at 180 °C."),
            ("The size was cut from 900 to 300 MB.", "The size was cut from 300 MB down to 900."),
            ("The size was cut from 900 to 300 MB.", "The size is 900 MB."),
            ("The heap was raised from 2 GB to 6 GB.", "The heap was raised from 2 to 6 MB."),
            ("The trip took a couple of weeks.", "The trip took two weeks."),
            ("Anna brought two chairs and a table.", "Anna brought a couple of tables."),
            ("The first trip was in summer 1998.", "The first trip was in summer '89."),
            ("Grandpa turned 80 and got 90 cards.", "Grandpa had his 90th birthday."),
        ] {
            assert!(!is_said(sentence, words), "{words} -> {sentence}");
        }
    }
}
