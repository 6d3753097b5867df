//! Sentences with something in front or behind that is read by itself: a condition, a time, a purpose; an example in code.
//!
//! A short main clause is parsed better than a long sentence. What stands in front goes with each of the clauses as its
//! qualifier, so that nothing is said without its condition.

use std::ops::Range;

use memora_claim::{Modality, Phase};
use memora_english::{Upos, Xpos};

use super::parsed::Parsed;
use super::split::{parts, pieces};
use super::words::folded;
use super::{Place, Reading, Text};
use crate::clause::grammar::{Grammar, is_subject};

/// "It splits on every character: `\"a\"|split` returns …": what is said, and the code that shows it.
pub(super) fn with_example(text: Text<'_>, body: &Range<usize>, place: Place<'_>) -> Option<Vec<Reading>> {
    let (said, shown) =
        text.marked.iter().filter(|code| body.start < code.start && code.end <= body.end).find_map(|code| {
            let before = text.text.get(body.start..code.start)?;
            let said = before.trim_end().strip_suffix(':')?;
            (before.ends_with(' ') && said.contains(' '))
                .then_some((body.start..body.start + said.len(), code.start..body.end))
        })?;
    let mut found = pieces(text, said, place);
    let words = folded(text.text.get(shown.clone())?);
    let examples = pieces(text, shown, Place { lends: false, ..Place::default() });
    if let Some(last) = found.last_mut().filter(|_| examples.is_empty()) {
        last.qualifiers.push(words);
    }
    found.extend(examples);
    Some(found)
}

/// "If the frost comes, we cover the beds", "To add a tag, enter its name": what is said under a condition, at a time, for
/// a purpose, which stands in front. It is read by itself, and the front goes with each of its clauses.
pub(super) fn behind_front(text: Text<'_>, body: &Range<usize>, place: Place<'_>) -> Option<Vec<Reading>> {
    const CONDITIONS: &[&str] = &["if", "unless"];
    const FRONTS: &[&str] = &["when", "whenever", "once", "to", "in order to"];
    // What these open is so.
    const REASONS: &[&str] = &["while", "although", "though", "because"];
    let words = text.text.get(body.clone())?.to_lowercase();
    let opens =
        |list: &[&str]| list.iter().any(|opener| words.strip_prefix(opener).is_some_and(|rest| rest.starts_with(' ')));
    let conditional = opens(CONDITIONS) || opens(&["in case"]);
    let reason = REASONS.iter().find(|opener| opens(&[opener]));
    if !conditional && reason.is_none() && !opens(FRONTS) {
        return None;
    }
    let parts = parts(text, body);
    let (front, rest) = parts.windows(2).find_map(|pair| {
        let [before, behind] = pair else { return None };
        let rest = behind.start..body.end;
        begins_clause(text, &rest).then_some((body.start..before.end, rest))
    })?;
    let mut found = pieces(text, rest, Place { first: false, ..place });
    if !found.iter().any(|reading| reading.is_clause) {
        return None;
    }
    let said = reason.map(|opener| pieces(text, front.start + opener.len()..front.end, place));
    let front = folded(text.text.get(front)?);
    for reading in found.iter_mut().filter(|reading| reading.is_clause) {
        reading.qualifiers.insert(0, front.clone());
        if conditional && matches!(reading.modality, Modality::Asserted | Modality::Planned) {
            reading.modality = Modality::Conditional;
            reading.phase = Phase::Steady;
        }
    }
    let said = said.into_iter().flatten().filter(|reading| reading.is_clause);
    Some(said.chain(found).collect())
}

/// Whether a part begins with the subject of its main verb, or with a command.
fn begins_clause(text: Text<'_>, part: &Range<usize>) -> bool {
    let Some(parsed) = Parsed::of(text, part) else { return false };
    let tree = &parsed.tree;
    let Some(root) = parsed.root().filter(|_| parsed.is_verbal()) else { return false };
    let first = (0..root).find(|i| !matches!(tree.upos(*i), Upos::Adv | Upos::Intj)).unwrap_or(root);
    let grammar = Grammar::new(tree);
    let command = first == root && matches!(tree.xpos(root), Xpos::Vb | Xpos::Vbp);
    let subject = grammar.children(root).find(|k| is_subject(tree.label(*k)));
    command || subject.is_some_and(|subject| grammar.leftmost(subject) == first)
}
