//! A claim as it is held against others: what it says, under which conditions, and whether it may.

use std::collections::BTreeSet;

use memora_claim::held::{ComparableClaim, ClaimPolarity, ObjectValue};
use memora_claim::{Claim, Extractor, Modality, NameKey, Phase};
use memora_extract::{TenseAspect, Relation, detect_tense_aspect, comparable_predicate};
use memora_store::{StoredSource, StoredStatement};
use memora_vault::fold_name;

use super::ComparisonKey;
use crate::session::{daily_date, own_sources, claim_validity};

/// What a claim is compared under; nothing for what is not said to be so, or is a whole sentence.
pub(super) fn comparison_key(claim: &Claim) -> Option<ComparisonKey> {
    let meant = matches!(claim.modality, Modality::Asserted | Modality::Reported) && !claim.is_withdrawn();
    let read =
        !matches!(claim.extractor, Extractor::Sentence | Extractor::Task | Extractor::Definition | Extractor::Fragment);
    if !meant || !read || claim.object.is_empty() {
        return None;
    }
    // "Is an open standard": a kind of thing, and no status, of which there is one.
    let kind = |relation: &str| {
        let first = claim.object.split_whitespace().next().unwrap_or_default().to_lowercase();
        relation == "status" && matches!(first.as_str(), "a" | "an" | "the")
    };
    match &claim.relation {
        Some(relation) if kind(relation) => None,
        Some(relation) => Some(ComparisonKey::Relation(relation.clone())),
        None if claim.extractor.has_named_predicate() => None,
        None => Some(comparable_predicate(&claim.predicate))
            .filter(|verb| !(verb.is_empty() || verb == "be" && has_owner_subject(claim)))
            .map(ComparisonKey::Verb),
    }
}

/// "I am sure", "I'm not ready": how somebody is at the moment, each time another.
fn has_owner_subject(claim: &Claim) -> bool {
    claim.subject.as_deref().and_then(NameKey::from_subject) == Some(NameKey::owner())
}

/// What a claim says of its object; nothing where it tells of a time that is over, or of what is so at times.
pub(super) fn claim_polarity(claim: &Claim, changes: bool) -> Option<ClaimPolarity> {
    if claim.phase == Phase::Ended {
        return Some(ClaimPolarity::Ended);
    }
    let manner = if claim.extractor.has_named_predicate() { TenseAspect::Present } else { detect_tense_aspect(&claim.predicate) };
    match (claim.phase, manner) {
        // "Does not have to use X" denies the need, and not the use.
        _ if claim.negated && claim.relation.is_none() && has_catenative_verb(&claim.predicate) => None,
        _ if claim.negated => (manner == TenseAspect::Present).then_some(ClaimPolarity::Denied),
        (Phase::Begun, _) | (_, TenseAspect::Inchoative) => Some(ClaimPolarity::Begun),
        // Where somebody was born is told in the past, and holds.
        (_, TenseAspect::Past) => (!changes).then_some(ClaimPolarity::Affirmed),
        (_, TenseAspect::Hedged) => None,
        (_, TenseAspect::Present) => Some(ClaimPolarity::Affirmed),
    }
}

/// Whether a predicate has a second verb behind the first: "do not have to spend".
fn has_catenative_verb(predicate: &str) -> bool {
    let words: Vec<&str> = predicate.split_whitespace().collect();
    words.iter().rev().skip(1).any(|word| word.eq_ignore_ascii_case("to"))
}

/// What somebody has until they give it up, whatever the verb: who leaves Acme works there no longer.
pub(super) fn is_leavable_relation(relation: &str) -> bool {
    matches!(relation, "works_at" | "member_of" | "uses" | "owns" | "hosted_on" | "runs_on" | "stored_in")
        || relation.starts_with("uses_")
}

/// Whether a claim tells by a verb of leaving that something is over, so that it ends more than what is said with the same
/// verb: "switched from Acme", "left Acme", "cancelled Acme". "No longer draws in Acme" ends the drawing alone.
pub(super) fn is_leaving_claim(claim: &Claim) -> bool {
    const LEAVING: &[&str] = &[
        "switch",
        "move",
        "migrate",
        "leave",
        "quit",
        "drop",
        "cancel",
        "abandon",
        "ditch",
        "sell",
        "retire",
        "remove",
        "replace",
        "swap",
        "transition",
        "exchange",
        "trade",
    ];
    let verb = comparable_predicate(&claim.predicate);
    claim.phase == Phase::Ended && LEAVING.iter().any(|leaving| verb.split(' ').next() == Some(&comparable_predicate(leaving)))
}

/// Whether a claim says outright how something is now that may change.
pub(super) fn is_state_claim(claim: &Claim, source: &StoredSource) -> bool {
    matches!(comparison_key(claim), Some(ComparisonKey::Relation(_)))
        && matches!(claim_polarity(claim, true), Some(ClaimPolarity::Affirmed | ClaimPolarity::Begun))
        && can_override(claim, source)
}

/// Whether a claim may end or contradict others, where it stands: outright, in the words of the note's writer.
fn can_override(claim: &Claim, source: &StoredSource) -> bool {
    claim.modality == Modality::Asserted
        && claim.attribution.is_none()
        && claim.extractor != Extractor::Model
        && !source.note.captured
        && source.speaker.is_none()
}

/// A claim as it is held against others; `relation` is the one it has, `note` the note whose name its object is.
pub(super) fn to_comparable(
    claim: &Claim,
    statement: &StoredStatement,
    source: &StoredSource,
    says: ClaimPolarity,
    relation: Option<&Relation>,
    note: Option<String>,
) -> ComparableClaim {
    let version = claim.relation.as_deref() == Some("version");
    let listed = claim.extractor.has_named_predicate();
    let days = own_sources(statement).filter_map(|source| daily_date(&source.note));
    ComparableClaim {
        id: claim.id,
        value: ObjectValue::parse(&claim.object, source.note.date, note, version),
        says,
        validity: claim_validity(claim, statement, source),
        written: days.max_by_key(|day| day.first_and_last_day()),
        scope: limiting_qualifiers(&claim.qualifiers, relation),
        stands_in: statement.sources.iter().map(|source| source.row.note.as_str().to_owned()).collect(),
        listed_in: listed.then(|| source.row.note.as_str().to_owned()),
        acts: statement.sources.iter().any(|source| can_override(claim, source)),
    }
}

/// What begins a condition, a place or a part.
const LIMITING_WORDS: &[&str] = &[
    "for", "on", "with", "without", "when", "whenever", "if", "unless", "while", "during", "under", "only", "per",
    "via", "using", "outside", "inside", "within", "at", "in", "by", "as", "except", "through", "where", "until",
    "from",
];

/// What tells why or when, and limits nothing.
const REASON_WORDS: &[&str] = &["after", "before", "because", "since", "due", "thanks", "so", "now", "today", "finally"];

/// The conditions, places and parts among a claim's qualifiers. What gives the reason or the date is none; nor is what
/// stands beside without a preposition, nor a place or a person by name ("in Altona", "with Anna"), nor, of a person's employer, the post
/// there ("as an engineer"). Without a relation what is said beside counts too: who is sure of one thing and not of another
/// does not contradict themselves.
fn limiting_qualifiers(qualifiers: &[String], relation: Option<&Relation>) -> BTreeSet<String> {
    let limits = |text: &&String| {
        let mut words = text.split_whitespace();
        let first = fold_name(words.next().unwrap_or_default());
        let Some(relation) = relation else { return !REASON_WORDS.contains(&first.as_str()) };
        let post = relation.personal && first == "as";
        let named = words.next().is_some_and(|next| next.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit()));
        let place = matches!(first.as_str(), "in" | "at" | "on" | "by" | "from" | "until" | "with") && named;
        LIMITING_WORDS.contains(&first.as_str()) && !REASON_WORDS.contains(&first.as_str()) && !place && !post
    };
    qualifiers.iter().filter(limits).map(|text| fold_name(text)).collect()
}

#[cfg(test)]
mod tests {
    use memora_extract::Relations;

    use super::*;

    #[test]
    fn a_condition_limits_and_a_reason_does_not() {
        let named = |name| Relations::built_in().find_by_name(name).expect("a relation");
        let (works_at, other) = (named("works_at"), named("uses"));
        let of = |text: &str| !limiting_qualifiers(&[text.to_owned()], Some(other)).is_empty();
        assert!(limiting_qualifiers(&["as an engineer".to_owned()], Some(works_at)).is_empty());
        for limiting in
            ["on weekdays", "for the Standard plan", "in production", "With the app storage option", "as a tool"]
        {
            assert!(of(limiting), "{limiting}");
        }
        for telling in
            ["after throughput benchmarks", "in Altona", "Since May 2025", "four minutes from our office", "now"]
        {
            assert!(!of(telling), "{telling}");
        }
    }
}
