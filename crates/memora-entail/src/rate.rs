//! Rates: how much in which time. `$30/hr` is not `$30 a day`.

use crate::lists::find_unit;
use crate::premise::Premise;
use crate::text::Text;
use memora_nlp::number::Quantity;

/// How many tokens stand between a number and its `per` at most: `20-30 applications per day`.
const REACH: usize = 4;

/// The rate of the one premise number that is a sentence's, where it is another: the note's words.
pub(crate) fn other_rate(own: &Quantity, sentence: &Text, premises: &[&Premise]) -> Option<String> {
    let (rate, _) = rate_of(own, sentence)?;
    let equal = |q: &&Quantity| (q.value - own.value).abs() < 1e-9;
    let mut theirs = premises.iter().flat_map(|p| p.words.quantities.iter().filter(equal).map(move |q| (*p, q)));
    let (premise, other) = theirs.next().filter(|_| theirs.next().is_none())?;
    let (their, end) = rate_of(other, &premise.words)?;
    let start = other.range.start;
    (their != rate).then(|| premise.words.slice(&(start..end)).to_owned())
}

/// The unit of time behind a number's `per`, `a`, `each` or stroke, by its name, and where it ends.
fn rate_of(quantity: &Quantity, text: &Text) -> Option<(&'static str, usize)> {
    let from = quantity.tokens.end;
    (from..from + REACH).find_map(|at| {
        let token = text.tokens.get(at)?;
        let leads = matches!(token.lower.as_str(), "per" | "a" | "an" | "each" | "every") || token.is_mark('/');
        let next = text.tokens.get(at + 1).filter(|_| leads)?;
        let time = find_unit(&next.lower).filter(|unit| unit.dimension == "time")?;
        Some((time.name, next.range.end))
    })
}
