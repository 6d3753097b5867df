//! Whether a node of a sentence's graph says what a node of a note's graph says.
//!
//! The one rule to know: **tense, mood, polarity and number are part of a word.**

use crate::atom::AtomKind;
use crate::graph::{Node, Relation, Time};
use crate::lists::{POINT_PREPOSITIONS, STATIVE_VERBS};
use memora_nlp::Upos;

/// Whether two nodes say the same, in the same tense, mood and polarity.
pub(crate) fn is_same(own: &Node, their: &Node) -> bool {
    if own.is_name() && their.meant.as_ref() == Some(&own.atom.key) {
        return own.negations.is_empty() && their.negations.is_empty();
    }
    if own.is_fact() || their.is_fact() {
        // `is 5` does not say `was 5`, nor `will be 5`.
        let said = own.copula == their.copula
            && (!own.copula || own.time == their.time && own.modal == their.modal && !their.unsure);
        return said && (own.atom.is_same(&their.atom) || is_within(own, their)) && own.negations == their.negations;
    }
    let times = own.time == their.time && own.progressive == their.progressive
        // `has worked since May` is `works since May`.
        || (their.time == Time::Present && own.time == Time::Perfect && own.since && their.since)
        // `written by Ina` was or is written by her.
        || (their.participle
            && !own.progressive
            && (own.time == Time::Past || (own.time == Time::Present && own.passive)))
        || (their.time == Time::Perfect && own.time == Time::Past && own.progressive == their.progressive)
        || (their.time == Time::Past
            && own.time == Time::Perfect
            && own.progressive == their.progressive
            && own.negations.is_empty()
            && !STATIVE_VERBS.contains(&their.atom.key)
            && !their.copula);
    let plain = !own.is_predicate() && !their.is_predicate() && own.atom.lower == their.atom.lower;
    let verbs = plain || (own.upos == Upos::Verb) == (their.upos == Upos::Verb);
    let forms = (own.is_predicate() && !own.copula) || own.atom.is_same(&their.atom);
    let kinds = !own.copula || own.upos == their.upos;
    (times || plain)
        && verbs
        && forms
        && kinds
        && own.modal == their.modal
        && own.copula == their.copula
        && own.negations == their.negations
        && !their.unsure
        && is_same_word(own, their)
}

/// Whether a date only tells less than another: `in 2016` of `on 2 September 2016`.
fn is_within(own: &Node, their: &Node) -> bool {
    let when = |node: &Node| node.case.iter().all(|case| POINT_PREPOSITIONS.contains(case.as_str()));
    match (&own.atom.kind, &their.atom.kind) {
        (AtomKind::Date(one), AtomKind::Date(two)) => {
            one.granularity() < two.granularity()
                && two.granularity() < 4
                && one.agrees_with(two)
                && when(own)
                && when(their)
        }
        _ => false,
    }
}

/// Whether two nodes are the same word.
pub(crate) fn is_same_word(own: &Node, their: &Node) -> bool {
    own.atom.kind == their.atom.kind && own.atom.key == their.atom.key && !own.atom.key.is_empty()
        || own.atom.is_same(&their.atom)
}

/// Whether two nodes have the same prepositions; a date needs none to say when.
pub(crate) fn has_same_case(own: &Node, their: &Node) -> bool {
    let sorted = |node: &Node| {
        let mut case = node.case.clone();
        case.sort();
        case
    };
    let when = |node: &Node| node.case.iter().all(|case| POINT_PREPOSITIONS.contains(case.as_str()));
    let is_time = |node: &Node| matches!(node.atom.kind, AtomKind::Date(_) | AtomKind::Clock(_));
    let to = |node: &Node| node.case.iter().all(|case| case == "to");
    let each = |node: &Node| node.has_case("per") || (node.case.is_empty() && node.indefinite);
    sorted(own) == sorted(their)
        || (each(own) && each(their))
        || (is_time(own) && is_time(their) && when(own) && when(their))
        || ((own.relation == Relation::Recipient || their.relation == Relation::Recipient) && to(own) && to(their))
}
