//! The date that stands in the place of one that no premise has.

use crate::premise::Premise;
use crate::text::Text;
use memora_nlp::time::Date;

/// The premise's only date of the same kind, where its clause speaks of what the sentence does.
///
/// Certain only if the sentence does not have that date as well, and shares half of its words with content.
pub(crate) fn other_date(own: &Date, sentence: &Text, premises: &[&Premise]) -> Option<String> {
    let content: Vec<&str> = sentence.tokens.iter().filter(|t| t.is_content()).map(|t| t.stem.as_str()).collect();
    let mut found: Vec<(&Premise, &Date)> = Vec::new();
    for premise in premises {
        let others = premise.words.dates.iter().filter(|other| {
            other.granularity() == own.granularity() || (own.granularity() == 3 && other.granularity() == 3)
        });
        found.extend(
            others
                .filter(|other| !sentence.dates.iter().any(|date| date.agrees_with(other)))
                .map(|date| (*premise, date)),
        );
    }
    let [(premise, date)] = found.as_slice() else { return None };
    let part = premise.words.segments().into_iter().find(|segment| segment.contains(&date.tokens.start))?;
    let tokens = premise.words.tokens.get(part)?;
    let shared = content.iter().filter(|stem| tokens.iter().any(|t| t.stem == **stem)).count();
    (shared >= 2 && shared * 2 >= content.len()).then(|| premise.words.slice(&date.range).to_owned())
}
