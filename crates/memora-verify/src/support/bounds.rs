//! Bounds that follow from a number: `just under four hours` of 3:58:20, `more than 30 guests` of 35 guests.
//!
//! The one rule to know: **what is near must be near, and what is only more or less must be the one number of its kind**
//! there. A number that the notes bound themselves bounds nothing here.

use super::derived::{Step, Theirs};
use super::numbers::word;
use super::polarity::is_negation;
use super::tokens::{Kind, Number, Token};

/// On which side of the number the true one is, and how near.
#[derive(Clone, Copy, PartialEq)]
enum Bound {
    JustUnder,
    JustOver,
    Under,
    Over,
    /// On either side.
    About,
}

const BOUNDS: [(&[&str], Bound); 23] = [
    (&["just", "under"], Bound::JustUnder),
    (&["just", "below"], Bound::JustUnder),
    (&["a", "little", "under"], Bound::JustUnder),
    (&["slightly", "under"], Bound::JustUnder),
    (&["a", "little", "less", "than"], Bound::JustUnder),
    (&["slightly", "less", "than"], Bound::JustUnder),
    (&["nearly"], Bound::JustUnder),
    (&["almost"], Bound::JustUnder),
    (&["just", "over"], Bound::JustOver),
    (&["just", "above"], Bound::JustOver),
    (&["a", "little", "over"], Bound::JustOver),
    (&["slightly", "over"], Bound::JustOver),
    (&["a", "little", "more", "than"], Bound::JustOver),
    (&["slightly", "more", "than"], Bound::JustOver),
    (&["less", "than"], Bound::Under),
    (&["fewer", "than"], Bound::Under),
    (&["at", "most"], Bound::Under),
    (&["more", "than"], Bound::Over),
    (&["at", "least"], Bound::Over),
    (&["about"], Bound::About),
    (&["roughly"], Bound::About),
    (&["around"], Bound::About),
    (&["approximately"], Bound::About),
];

/// Reads a bound at the beginning of `rest` that a number of theirs keeps.
pub(super) fn step(before: &[Token], rest: &[Token], theirs: &Theirs<'_>) -> Option<Step> {
    let stands = |words: &[&str]| words.iter().enumerate().all(|(at, name)| word(rest, at) == *name);
    let (words, bound) = BOUNDS.iter().find(|(words, _)| stands(words))?;
    let token = rest.get(words.len())?;
    let Kind::Number(own) = token.kind else { return None };
    if before.iter().any(is_negation) {
        return None;
    }
    let thing = rest.get(words.len() + 1);
    if *bound == Bound::About {
        let lead = rest.first().map(|lead| Token { kind: Kind::Function, ..lead.clone() })?;
        if theirs.give(own) {
            return Some((2, vec![lead, token.clone()]));
        }
    }
    let number = kept(*bound, own, thing, theirs).filter(|_| !theirs.give(own))?;
    let raw: Vec<&str> = rest.iter().take(words.len() + 1).map(|t| t.raw.as_str()).collect();
    Some((words.len() + 1, vec![Token { kind: Kind::Number(number), raw: raw.join(" "), ..token.clone() }]))
}

/// The number of theirs that keeps a bound: of the same unit, or of the same thing.
fn kept(bound: Bound, own: Number, thing: Option<&Token>, theirs: &Theirs<'_>) -> Option<Number> {
    let thing = thing.filter(|t| t.kind == Kind::Word);
    if own.unit.is_none() && thing.is_none() || own.value <= 0 {
        return None;
    }
    let is_of_kind = |(number, rest): &(Number, &[Token])| {
        let counts = || rest.get(1).zip(thing).is_some_and(|(a, b)| a.kind == Kind::Word && a.stem == b.stem);
        number.unit == own.unit && number.value > 0 && (own.unit.is_some() || counts())
    };
    let is_near = matches!(bound, Bound::JustUnder | Bound::JustOver | Bound::About);
    let far = if is_near { 20 } else { 2 };
    let mut found: Vec<Number> = theirs.numbers().filter(is_of_kind).map(|(number, _)| number).collect();
    found.retain(|number| !is_near || is_within(own, *number, far));
    found.dedup();
    let keeps = |number: &Number| match bound {
        Bound::JustUnder | Bound::Under => number.value < own.value,
        Bound::JustOver | Bound::Over => number.value > own.value,
        Bound::About => true,
    };
    match found.as_slice() {
        [number] => Some(*number).filter(|number| is_within(own, *number, far) && keeps(number)),
        _ => None,
    }
}

/// Whether two numbers are apart by no more than such a part of the first.
fn is_within(own: Number, theirs: Number, part: u128) -> bool {
    theirs.value.abs_diff(own.value).checked_mul(part).is_some_and(|far| far <= own.value.unsigned_abs())
}
