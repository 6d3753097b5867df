//! A claim as it is held against others: what it says, under which conditions, and whether it may.

use std::collections::BTreeSet;

use memora_claim::held::{Held, Says, Value};
use memora_claim::{Claim, Extractor, Modality, NameKey, Phase};
use memora_extract::{Manner, Relation, manner, verb_of};
use memora_store::{StoredSource, StoredStatement};
use memora_vault::fold;

use super::About;
use crate::session::{daily_date, own_sources, validity};

/// What a claim is compared under; nothing for what is not said to be so, or is a whole sentence.
pub(super) fn about(claim: &Claim) -> Option<About> {
    let meant = matches!(claim.modality, Modality::Asserted | Modality::Reported) && !claim.is_taken_back();
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
        Some(relation) => Some(About::Relation(relation.clone())),
        None if claim.extractor.names_its_predicate() => None,
        None => Some(verb_of(&claim.predicate))
            .filter(|verb| !(verb.is_empty() || verb == "be" && is_of_the_owner(claim)))
            .map(About::Verb),
    }
}

/// "I am sure", "I'm not ready": how somebody is at the moment, each time another.
fn is_of_the_owner(claim: &Claim) -> bool {
    claim.subject.as_deref().and_then(NameKey::of_subject) == Some(NameKey::owner())
}

/// What a claim says of its object; nothing where it tells of a time that is over, or of what is so at times.
pub(super) fn says(claim: &Claim, changes: bool) -> Option<Says> {
    if claim.phase == Phase::Ended {
        return Some(Says::Ended);
    }
    let manner = if claim.extractor.names_its_predicate() { Manner::Now } else { manner(&claim.predicate) };
    match (claim.phase, manner) {
        // "Does not have to use X" denies the need, and not the use.
        _ if claim.negated && claim.relation.is_none() && is_catenative(&claim.predicate) => None,
        _ if claim.negated => (manner == Manner::Now).then_some(Says::Denied),
        (Phase::Begun, _) | (_, Manner::Turned) => Some(Says::Begun),
        // Where somebody was born is told in the past, and holds.
        (_, Manner::Then) => (!changes).then_some(Says::Holds),
        (_, Manner::Loosely) => None,
        (_, Manner::Now) => Some(Says::Holds),
    }
}

/// Whether a predicate has a second verb behind the first: "do not have to spend".
fn is_catenative(predicate: &str) -> bool {
    let words: Vec<&str> = predicate.split_whitespace().collect();
    words.iter().rev().skip(1).any(|word| word.eq_ignore_ascii_case("to"))
}

/// What somebody has until they give it up, whatever the verb: who leaves Acme works there no longer.
pub(super) fn can_be_left(relation: &str) -> bool {
    matches!(relation, "works_at" | "member_of" | "uses" | "owns" | "hosted_on" | "runs_on" | "stored_in")
        || relation.starts_with("uses_")
}

/// Whether a claim tells by a verb of leaving that something is over, so that it ends more than what is said with the same
/// verb: "switched from Acme", "left Acme", "cancelled Acme". "No longer draws in Acme" ends the drawing alone.
pub(super) fn leaves(claim: &Claim) -> bool {
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
    let verb = verb_of(&claim.predicate);
    claim.phase == Phase::Ended && LEAVING.iter().any(|leaving| verb.split(' ').next() == Some(&verb_of(leaving)))
}

/// Whether a claim says outright how something is now that may change.
pub(super) fn tells_a_state(claim: &Claim, source: &StoredSource) -> bool {
    matches!(about(claim), Some(About::Relation(_)))
        && matches!(says(claim, true), Some(Says::Holds | Says::Begun))
        && acts(claim, source)
}

/// Whether a claim may end or contradict others, where it stands: outright, in the words of the note's writer.
fn acts(claim: &Claim, source: &StoredSource) -> bool {
    claim.modality == Modality::Asserted
        && claim.attribution.is_none()
        && claim.extractor != Extractor::Model
        && !source.note.captured
        && source.speaker.is_none()
}

/// A claim as it is held against others; `relation` is the one it has, `note` the note whose name its object is.
pub(super) fn held(
    claim: &Claim,
    statement: &StoredStatement,
    source: &StoredSource,
    says: Says,
    relation: Option<&Relation>,
    note: Option<String>,
) -> Held {
    let version = claim.relation.as_deref() == Some("version");
    let listed = claim.extractor.names_its_predicate();
    let days = own_sources(statement).filter_map(|source| daily_date(&source.note));
    Held {
        id: claim.id,
        value: Value::read(&claim.object, source.note.date, note, version),
        says,
        validity: validity(claim, statement, source),
        written: days.max_by_key(|day| day.bounds()),
        scope: scope(&claim.qualifiers, relation),
        stands_in: statement.sources.iter().map(|source| source.row.note.as_str().to_owned()).collect(),
        listed_in: listed.then(|| source.row.note.as_str().to_owned()),
        acts: statement.sources.iter().any(|source| acts(claim, source)),
    }
}

/// What begins a condition, a place or a part.
const LIMITING: &[&str] = &[
    "for", "on", "with", "without", "when", "whenever", "if", "unless", "while", "during", "under", "only", "per",
    "via", "using", "outside", "inside", "within", "at", "in", "by", "as", "except", "through", "where", "until",
    "from",
];

/// What tells why or when, and limits nothing.
const TELLING: &[&str] = &["after", "before", "because", "since", "due", "thanks", "so", "now", "today", "finally"];

/// The conditions, places and parts among a claim's qualifiers. What gives the reason or the date is none; nor is what
/// stands beside without a preposition, nor a place or a person by name ("in Altona", "with Anna"), nor, of a person's employer, the post
/// there ("as an engineer"). Without a relation what is said beside counts too: who is sure of one thing and not of another
/// does not contradict themselves.
fn scope(qualifiers: &[String], relation: Option<&Relation>) -> BTreeSet<String> {
    let limits = |text: &&String| {
        let mut words = text.split_whitespace();
        let first = fold(words.next().unwrap_or_default());
        let Some(relation) = relation else { return !TELLING.contains(&first.as_str()) };
        let post = relation.personal && first == "as";
        let named = words.next().is_some_and(|next| next.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit()));
        let place = matches!(first.as_str(), "in" | "at" | "on" | "by" | "from" | "until" | "with") && named;
        LIMITING.contains(&first.as_str()) && !TELLING.contains(&first.as_str()) && !place && !post
    };
    qualifiers.iter().filter(limits).map(|text| fold(text)).collect()
}

#[cfg(test)]
mod tests {
    use memora_extract::Relations;

    use super::*;

    #[test]
    fn a_condition_limits_and_a_reason_does_not() {
        let named = |name| Relations::shipped().named(name).expect("a relation");
        let (works_at, other) = (named("works_at"), named("uses"));
        let of = |text: &str| !scope(&[text.to_owned()], Some(other)).is_empty();
        assert!(scope(&["as an engineer".to_owned()], Some(works_at)).is_empty());
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
