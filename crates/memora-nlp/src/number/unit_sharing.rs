//! Adjacent numbers: `5–10 %` shares one unit, `3h10` is one duration.

use super::quantity::{Quantity, QuantityForm};
use crate::lexicon::QUANTITY_LINKS;
use crate::token::Token;

/// Merges parts of one duration: `3h10`, `three hours and ten minutes`.
pub(super) fn join_durations(tokens: &[Token], found: Vec<Quantity>) -> Vec<Quantity> {
    let mut joined: Vec<Quantity> = Vec::with_capacity(found.len());
    for next in found {
        if let Some(last) = joined.last_mut()
            && let Some(long) = last.unit.filter(|unit| unit.name == "h" || unit.name == "min")
        {
            let between = tokens.get(last.tokens.end..next.tokens.start).unwrap_or_default();
            let beside = between.is_empty() || (between.len() == 1 && between.iter().all(|t| t.lower == "and"));
            let glued = tokens.get(next.tokens.start).is_some_and(|t| t.glued) && between.is_empty();
            let short = match next.unit {
                Some(unit) if unit.dimension == "time" && unit.factor < long.factor => Some(unit.factor),
                None if glued && next.form == QuantityForm::Cardinal => Some(long.factor / 60.0),
                _ => None,
            };
            if let Some(short) = short.filter(|_| beside && next.value < 60.0) {
                last.value += next.value * short / long.factor;
                last.other = None;
                last.range.end = next.range.end;
                last.tokens.end = next.tokens.end;
                continue;
            }
        }
        joined.push(next);
    }
    joined
}

/// Gives the first number of a pair the unit of the second: `5–10 %`, `2 or 3 days`, `4.1 → 3.3M`.
pub(super) fn share_trailing_units(tokens: &[Token], found: &mut [Quantity]) {
    for at in (1..found.len()).rev() {
        let Some(unit) = found.get(at).and_then(|next| next.unit) else { continue };
        let (Some(one), Some(next)) = (found.get(at - 1), found.get(at)) else { continue };
        let between = tokens.get(one.tokens.end..next.tokens.start).unwrap_or_default();
        let links =
            |t: &Token| matches!(t.lower.as_str(), "-" | "→" | "/") || QUANTITY_LINKS.contains(t.lower.as_str());
        if one.unit.is_none()
            && one.form == QuantityForm::Cardinal
            && between.len() <= 2
            && !between.is_empty()
            && between.iter().all(links)
            && let Some(one) = found.get_mut(at - 1)
        {
            one.unit = Some(unit);
        }
    }
}
