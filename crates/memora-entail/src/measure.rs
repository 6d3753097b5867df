//! A number that is right, with another unit: [`other_unit`].
//!
//! The one rule to know: **the note must have that number once, with a unit that cannot be meant**: `m` may be metres,
//! minutes or millions, and `dollars` are of any country.

use crate::closeness::spans;
use crate::premise::Premise;
use crate::text::{Text, speaks_alike};
use memora_nlp::number::{Quantity, QuantityForm};

/// The number of the premises with its unit, where a sentence has the same one with another unit.
pub(crate) fn other_unit(own: &Quantity, sentence: &Text, premises: &[&Premise]) -> Option<String> {
    let unit = own.unit.filter(|_| own.form == QuantityForm::Cardinal)?;
    let equal = |q: &&Quantity| (q.value - own.value).abs() < 1e-9 && q.form == QuantityForm::Cardinal;
    let mut in_context =
        premises.iter().flat_map(|p| p.context.iter().chain(&p.aliases)).flat_map(|text| &text.quantities);
    let mut theirs = premises.iter().flat_map(|p| p.words.quantities.iter().filter(equal).map(move |q| (*p, q)));
    let (premise, other) = theirs.next().filter(|_| theirs.next().is_none())?;
    let their = other.unit?;
    let written = |text: &Text, q: &Quantity| text.slice(&q.range).to_lowercase();
    let ambiguous = ["m", "\u{b0}", "d", "degree", "degrees"];
    let vague = |text: String| {
        ambiguous.iter().any(|unit| {
            text.trim_end_matches(char::is_alphabetic).len() + unit.len() == text.len() && text.ends_with(unit)
        })
    };
    let both_money = [unit, their].iter().all(|u| u.dimension == "money" || u.name == "usd" || u.name == "cad");
    let dollars =
        both_money && written(&premise.words, other).contains('$') && written(sentence, own).contains("dollar");
    let same = unit.name == their.name
        || (unit.dimension == their.dimension && (unit.factor - their.factor).abs() < unit.factor * 0.02);
    if same || dollars || vague(written(&premise.words, other)) || vague(written(sentence, own)) || spans(own, premises)
    {
        return None;
    }
    // Whatever else has the number or the unit may be what is meant.
    if in_context.find(equal).is_some() {
        return None;
    }
    let labels = sentence.labels(&own.tokens);
    let near = premise.words.labels(&other.tokens);
    let is_labelled = labels.iter().flatten().any(|label| near.iter().flatten().any(|their| their == label));
    let found = premise.words.slice(&other.range).to_owned();
    (unit.dimension == their.dimension || is_labelled || speaks_alike(sentence, &premise.words, &other.tokens))
        .then_some(found)
}
