//! Whether a number of a sentence agrees with the numbers of what it cites.
//!
//! A number agrees if a premise has it, in any unit of its kind; if it is a share, a ratio, a sum, a difference or a
//! product of two of them; or if it counts the members of a list. The one rule to know: **another number disagrees only
//! where it is certain which one is meant**: the same kind of unit, and the same noun beside it or no other such number.

use crate::closeness::{is_close, spans};
use crate::lists::RECKONING;
use crate::measure::other_unit;
use crate::premise::Premise;
use crate::rate::other_rate;
use crate::text::{Text, speaks_alike};
use memora_nlp::number::{Quantity, QuantityBound, QuantityForm};
use memora_nlp::token::TokenKind;

/// How a number of a sentence stands to the premises.
pub(crate) enum QuantityMatch {
    /// A premise has it.
    Found,
    /// It follows from numbers that premises have.
    Derived,
    /// None has it; the number that stands in its place, where that is certain.
    Missing(Option<String>),
}

/// The numbers of premises, bare years included.
pub(crate) fn numbers(premises: &[&Premise]) -> Vec<Quantity> {
    let texts = || premises.iter().flat_map(|premise| premise.texts());
    let years = texts().flat_map(|text| &text.dates).filter_map(Quantity::from_year);
    texts().flat_map(|text| text.quantities.iter().cloned()).chain(years).collect()
}

/// Looks a number up in the premises, whose numbers are `all`.
pub(crate) fn match_quantity(
    own: &Quantity,
    sentence: &Text,
    premises: &[&Premise],
    all: &[Quantity],
) -> QuantityMatch {
    if let Some(found) = other_rate(own, sentence, premises) {
        return QuantityMatch::Missing(Some(found));
    }
    if all.iter().any(|other| is_same(own, other)) {
        return QuantityMatch::Found;
    }
    if premises
        .iter()
        .flat_map(|premise| premise.texts())
        .flat_map(abbreviated)
        .any(|value| is_close(own, value, own.value, 0.0))
    {
        return QuantityMatch::Found;
    }
    if let Some(found) = other_unit(own, sentence, premises) {
        return QuantityMatch::Missing(Some(found));
    }
    let digits = premises.iter().flat_map(|premise| &premise.raw_numbers);
    let unitless = own.unit.is_none_or(|unit| unit.dimension == "time" || unit.dimension == "share");
    if unitless && digits.into_iter().any(|raw| (raw - own.value).abs() < 1e-9) && !is_other_unit(own, all) {
        return QuantityMatch::Found;
    }
    let reckons = sentence.tokens.iter().any(|token| RECKONING.contains(token.lower.as_str()));
    let instead = certain(own, sentence, premises);
    // Where it is certain which number is meant, only a sentence that says that it reckons may have another.
    if (reckons || instead.is_none()) && !is_label(own, sentence) && is_derived(own, reckons, all, premises) {
        return QuantityMatch::Derived;
    }
    QuantityMatch::Missing(instead)
}

/// The numbers of a text that a letter multiplies, where it may also be a unit: `38b`, `1.3m`, `600k`.
fn abbreviated(text: &Text) -> impl Iterator<Item = f64> + '_ {
    let factor = |word: &str| match word {
        "k" => Some(1e3),
        "m" | "mn" | "mio" => Some(1e6),
        "b" | "bn" => Some(1e9),
        _ => None,
    };
    text.tokens.windows(2).filter_map(move |pair| {
        let [number, letter] = pair else { return None };
        let (value, _) = memora_nlp::number::parse_numeral(&number.lower)?;
        (number.kind == TokenKind::Numeral && letter.glued).then(|| factor(&letter.lower))?.map(|factor| value * factor)
    })
}

/// Whether a number only names: `batch 6 was`, `phase 3`.
fn is_label(own: &Quantity, sentence: &Text) -> bool {
    let token = |at: usize| sentence.tokens.get(at);
    let named = own.tokens.start.checked_sub(1).and_then(token).is_some_and(|t| t.is_content() && t.lower.len() > 2);
    let counts = token(own.tokens.end).is_some_and(|t| {
        t.is_content() || t.kind != TokenKind::Word && !matches!(t.kind, TokenKind::Mark('.' | ',' | ')'))
    });
    let digits = token(own.tokens.start).is_some_and(|t| t.kind == TokenKind::Numeral);
    named && !counts && digits && own.unit.is_none() && own.value.fract() == 0.0 && own.value < 20.0
}

/// Whether every premise number of this value has another unit.
fn is_other_unit(own: &Quantity, all: &[Quantity]) -> bool {
    let mut equal = all.iter().filter(|other| (other.value - own.value).abs() < 1e-9).peekable();
    own.unit.is_some()
        && equal.peek().is_some()
        && equal.all(|other| {
            other.unit.is_some_and(|unit| {
                own.unit.is_some_and(|own| unit.dimension != own.dimension || unit.name != own.name)
            })
        })
}

/// Whether two numbers are one, units included.
pub(crate) fn is_same_value(own: &Quantity, other: &Quantity) -> bool {
    own.unit.map(|unit| unit.dimension) == other.unit.map(|unit| unit.dimension) && is_same(own, other)
}

fn is_same(own: &Quantity, other: &Quantity) -> bool {
    let values = |q: &Quantity| [Some(q.value), q.other].into_iter().flatten().collect::<Vec<_>>();
    // Two limits are one only if they are equal: `below 30` is not `under 37`.
    let limits = |q: &Quantity| matches!(q.bound, QuantityBound::Over | QuantityBound::Under);
    let exact;
    let own = if limits(own) && own.bound == other.bound {
        exact = Quantity { bound: QuantityBound::Exact, ..own.clone() };
        &exact
    } else {
        own
    };
    let slack = 0.0;
    if let (Some(share), Some(their)) = (share(own), share(other)) {
        return is_close(own, their, share, 0.005 + slack);
    }
    match (own.unit, other.unit) {
        (Some(one), Some(two)) if one.dimension == two.dimension => {
            // Months and years differ in length.
            let slack = if one.dimension == "time" && one.name != two.name { slack + 0.015 } else { slack };
            values(own)
                .iter()
                .any(|a| values(other).iter().any(|b| is_close(own, b * two.factor, a * one.factor, slack)))
        }
        (Some(_), Some(_)) => false,
        _ => values(own).iter().any(|a| values(other).iter().any(|b| is_close(own, *b, *a, slack))),
    }
}

/// The share of a whole that a number says, from 0 to 1.
fn share(quantity: &Quantity) -> Option<f64> {
    match (quantity.form, quantity.unit) {
        (QuantityForm::Fraction, None) => Some(quantity.value),
        (_, Some(unit)) if unit.dimension == "share" => Some(quantity.value * unit.factor),
        (QuantityForm::Cardinal, None) if quantity.value > 0.0 && quantity.value < 1.0 => Some(quantity.value),
        _ => None,
    }
}

/// Of more numbers nearly every other one is a sum or a difference.
const NUMBERS_MAX: usize = 24;

/// Whether a number follows from others; `reckons` says whether its sentence speaks of sums, differences, or what is left.
fn is_derived(own: &Quantity, reckons: bool, all: &[Quantity], premises: &[&Premise]) -> bool {
    let cardinals: Vec<&Quantity> =
        all.iter().filter(|q| q.form != QuantityForm::Ordinal && q.form != QuantityForm::Multiple).collect();
    if cardinals.len() > NUMBERS_MAX {
        return false;
    }
    let pairs =
        || cardinals.iter().enumerate().flat_map(|(at, a)| cardinals.iter().skip(at + 1).map(move |b| (*a, *b)));
    let base = |q: &Quantity| q.unit.map_or(q.value, |unit| q.value * unit.factor);
    if let Some(share) = share(own) {
        let ratio = |a: f64, b: f64| {
            b != 0.0 && (is_close(own, a / b, share, 0.01) || is_close(own, (a - b).abs() / b, share, 0.01))
        };
        let shares: Vec<f64> = all.iter().filter_map(self::share).collect();
        if reckons && shares.iter().any(|a| shares.iter().any(|b| a != b && is_close(own, (a - b).abs(), share, 0.01)))
        {
            return true;
        }
        return pairs().any(|(a, b)| alike(a, b) && (ratio(base(a), base(b)) || ratio(base(b), base(a))))
            || reckons
                && cardinals
                    .iter()
                    .filter_map(|q| self::share(q))
                    .any(|theirs| is_close(own, 1.0 - theirs, share, 0.01));
    }
    match own.form {
        QuantityForm::Multiple => pairs().any(|(a, b)| {
            let (small, large) = (f64::min(base(a), base(b)), f64::max(base(a), base(b)));
            alike(a, b) && small > 0.0 && is_close(own, large / small, own.value, 0.06)
        }),
        QuantityForm::Ordinal => counts(premises).any(|count| f64::from(count) >= own.value && own.value > 0.0),
        _ => {
            let fits = |a: &Quantity, b: &Quantity, value: f64| {
                let unit = a.unit.or(b.unit);
                let kind =
                    unit.map(|u| u.dimension) == own.unit.map(|u| u.dimension) || unit.is_none() || own.unit.is_none();
                let factor = own.unit.filter(|_| unit.is_some()).map_or(1.0, |u| u.factor);
                let scale = unit.filter(|_| own.unit.is_none()).map_or(1.0, |u| u.factor);
                kind && is_close(own, value / scale, own.value * factor, 0.0)
            };
            let computed = pairs().any(|(a, b)| {
                let (x, y) = if a.unit.is_some() == b.unit.is_some() {
                    (base(a), base(b))
                } else {
                    let factor = a.unit.or(b.unit).map_or(1.0, |u| u.factor);
                    (a.value * factor, b.value * factor)
                };
                let is_time = |q: &Quantity| q.unit.is_some_and(|unit| unit.dimension == "time");
                let counted = a.unit.is_none() || b.unit.is_none();
                let paid = (is_time(a) && !is_time(b) && fits(b, b, a.value * base(b)))
                    || (is_time(b) && !is_time(a) && fits(a, a, b.value * base(a)));
                (alike(a, b) && (fits(a, b, x + y) || fits(a, b, (x - y).abs())))
                    || (counted && fits(a, b, base(a) * base(b)))
                    || paid
            });
            let total = || {
                cardinals
                    .iter()
                    .filter(|q| q.unit.map(|u| u.name) == own.unit.map(|u| u.name))
                    .map(|q| q.value)
                    .sum::<f64>()
            };
            let counted = own.unit.is_none()
                && own.value <= 20.0
                && counts(premises).any(|n| (f64::from(n) - own.value).abs() < 0.01);
            reckons && (computed || is_close(own, total(), own.value, 0.0)) || counted || spans(own, premises)
        }
    }
}

/// Whether two numbers may be added: of one kind, or one of no unit, as notes leave it out.
fn alike(a: &Quantity, b: &Quantity) -> bool {
    match (a.unit, b.unit) {
        (Some(a), Some(b)) => a.dimension == b.dimension,
        _ => true,
    }
}

/// How many members lists of the premises have: items parted by commas, slashes or *and*, rows, names, sentences.
fn counts(premises: &[&Premise]) -> impl Iterator<Item = u32> {
    let mut found = Vec::new();
    for premise in premises {
        let tokens = &premise.words.tokens;
        for segment in premise.words.segments() {
            let part = tokens.get(segment).unwrap_or_default();
            let links = part.iter().filter(|t| {
                matches!(t.kind, TokenKind::Mark(',' | '/' | '+' | '&' | '→'))
                    || matches!(t.lower.as_str(), "and" | "or" | "und" | "oder")
            });
            let links = u32::try_from(links.count()).unwrap_or(u32::MAX - 1);
            found.extend((1..=links + 1).filter(|count| links < 12 && *count > 1 || *count == links + 1));
            found.push(u32::try_from(part.iter().filter(|t| t.capital && !t.initial).count()).unwrap_or(0));
        }
        // A table has a head.
        let lines = u32::try_from(tokens.iter().filter(|t| t.is_mark('\n')).count()).unwrap_or(0);
        found.extend(lines.saturating_sub(1)..=lines + 1);
    }
    found.push(u32::try_from(premises.len()).unwrap_or(0));
    found.into_iter()
}

/// The number that stands in the place of one that no premise has, where that is certain.
///
/// A change (`by 5`) and a number beside another (`16 of the 17`) have no certain place.
fn certain(own: &Quantity, sentence: &Text, premises: &[&Premise]) -> Option<String> {
    if own.form != QuantityForm::Cardinal || is_change(own, sentence) {
        return None;
    }
    let used = |other: &Quantity| sentence.quantities.iter().any(|q| is_same(q, other));
    let kind = |q: &Quantity| q.unit.map(|unit| unit.dimension);
    let labels = sentence.labels(&own.tokens);
    let (mut same_kind, mut same_label) = (Vec::new(), Vec::new());
    for premise in premises {
        let cardinals =
            || premise.words.quantities.iter().filter(|q| q.form == QuantityForm::Cardinal && kind(q) == kind(own));
        // `over 5 days` says nothing of four.
        let comparable =
            |q: &&Quantity| q.bound == own.bound || matches!(q.bound, QuantityBound::Exact | QuantityBound::About);
        for other in cardinals().filter(comparable).filter(|q| !used(q) && !is_change(q, &premise.words)) {
            let beside = |q: &Quantity| {
                q.tokens != other.tokens
                    && q.tokens.start < other.tokens.end + 4
                    && other.tokens.start < q.tokens.end + 4
            };
            let place = (premise.words.slice(&other.range), cardinals().any(beside));
            let theirs = premise.words.labels(&other.tokens);
            let share = |at: usize, there: usize| {
                labels.get(at).is_some_and(|label| label.is_some() && theirs.get(there) == Some(label))
            };
            // A count has its noun behind it; what is measured may have its name on either side.
            if share(0, 0) || (own.unit.is_some() && (share(1, 1) || share(0, 1) || share(1, 0))) {
                same_label.push(place);
            }
            if own.unit.is_some() && speaks_alike(sentence, &premise.words, &other.tokens) {
                same_kind.push(place);
            }
        }
    }
    match (same_label.as_slice(), same_kind.as_slice()) {
        ([(written, false)], _) | ([], [(written, false)]) => Some((*written).to_owned()),
        _ => None,
    }
}

/// Whether a number says by how much something changed.
fn is_change(quantity: &Quantity, text: &Text) -> bool {
    let before = |back: usize| quantity.tokens.start.checked_sub(back).and_then(|at| text.tokens.get(at));
    (1..=3).filter_map(before).any(|token| matches!(token.lower.as_str(), "by" | "um" | "difference"))
}
