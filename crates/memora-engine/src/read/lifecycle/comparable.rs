//! Converts a claim into its comparable form: its polarity, its conditions, and whether it may override others.

use std::collections::BTreeSet;

use memora_claim::conflict::{ClaimPolarity, ComparableClaim, ObjectValue};
use memora_claim::{Claim, Extractor, Modality, NameKey, Phase};
use memora_extract::{Relation, TenseAspect, comparable_predicate, detect_tense_aspect};
use memora_store::{StoredSource, StoredStatement};
use memora_vault::fold_name;

use super::ComparisonKey;
use crate::read::lists::{ANNUAL_DAYS, LEAVING_VERBS, LIMITING_WORDS, REASON_WORDS, RECURRING_DAYS};
use crate::state::sources::{anchor_date, claim_validity, daily_date, own_sources};

/// Returns the key under which a claim is compared; `None` if it is not asserted, or is a whole sentence.
pub(super) fn comparison_key(claim: &Claim) -> Option<ComparisonKey> {
    let meant = matches!(claim.modality, Modality::Asserted | Modality::Reported) && !claim.is_withdrawn();
    let read =
        !matches!(claim.extractor, Extractor::Sentence | Extractor::Task | Extractor::Definition | Extractor::Fragment);
    if !meant || !read || claim.object.is_empty() {
        return None;
    }
    // "Is an open standard": a kind, and not the single-valued status.
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

/// "I am sure", "I'm not ready": a momentary state of the owner, each time another.
fn has_owner_subject(claim: &Claim) -> bool {
    claim.subject.as_deref().and_then(NameKey::from_subject) == Some(NameKey::owner())
}

/// Returns the polarity of a claim; `None` if it is about a past time, or only holds at times.
pub(super) fn claim_polarity(claim: &Claim, changes: bool) -> Option<ClaimPolarity> {
    if claim.phase == Phase::Ended {
        return Some(ClaimPolarity::Ended);
    }
    let manner = if claim.extractor.has_named_predicate() {
        TenseAspect::Present
    } else {
        detect_tense_aspect(&claim.predicate)
    };
    match (claim.phase, manner) {
        // "Does not have to use X" denies the need, and not the use.
        _ if claim.negated && claim.relation.is_none() && has_catenative_verb(&claim.predicate) => None,
        _ if claim.negated => (manner == TenseAspect::Present).then_some(ClaimPolarity::Denied),
        (Phase::Begun, _) | (_, TenseAspect::Inchoative) => Some(ClaimPolarity::Begun),
        // A place of birth is stated in the past tense, and still holds.
        (_, TenseAspect::Past) => (!changes).then_some(ClaimPolarity::Affirmed),
        (_, TenseAspect::Hedged) => None,
        (_, TenseAspect::Present) => Some(ClaimPolarity::Affirmed),
    }
}

/// Returns whether a predicate has a second verb behind the first: "do not have to spend".
fn has_catenative_verb(predicate: &str) -> bool {
    let words: Vec<&str> = predicate.split_whitespace().collect();
    words.iter().rev().skip(1).any(|word| word.eq_ignore_ascii_case("to"))
}

/// Returns whether a relation can be ended by any verb of leaving: a person who leaves Acme works there no longer.
pub(super) fn is_leavable_relation(relation: &str) -> bool {
    matches!(relation, "works_at" | "member_of" | "uses" | "owns" | "hosted_on" | "runs_on" | "stored_in")
        || relation.starts_with("uses_")
}

/// Returns whether a claim's verb of leaving ends a state, so that it ends more than claims with the same verb:
/// "switched from Acme", "left Acme", "cancelled Acme". "No longer draws in Acme" ends the drawing alone.
pub(super) fn is_leaving_claim(claim: &Claim) -> bool {
    let verb = comparable_predicate(&claim.predicate);
    claim.phase == Phase::Ended
        && LEAVING_VERBS.iter().any(|leaving| verb.split(' ').next() == Some(&comparable_predicate(leaving)))
}

/// Returns whether a claim directly asserts a current state that may change.
pub(super) fn is_state_claim(claim: &Claim, source: &StoredSource) -> bool {
    matches!(comparison_key(claim), Some(ComparisonKey::Relation(_)))
        && matches!(claim_polarity(claim, true), Some(ClaimPolarity::Affirmed | ClaimPolarity::Begun))
        && can_override(claim, source)
}

/// Returns whether a claim may end or contradict others at this place: direct, and in the words of the note's writer.
fn can_override(claim: &Claim, source: &StoredSource) -> bool {
    claim.modality == Modality::Asserted
        && claim.attribution.is_none()
        && claim.extractor != Extractor::Model
        && !source.note.captured
        && source.speaker.is_none()
}

/// Converts a claim; `relation` is its relation, `note` the note whose name its object is.
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
    // What never changes is of no year that only its note has: "born on 4 July" is one day in the notes of any year.
    let fixed = relation.is_some_and(|relation| relation.single && !relation.changes);
    let anchor = if fixed { None } else { anchor_date(source) };
    let recurs = is_recurring_day(&claim.predicate);
    let days = own_sources(statement).filter_map(|source| daily_date(&source.note));
    ComparableClaim {
        id: claim.id,
        value: ObjectValue::parse(&claim.object, anchor, note, version).of_every_year(recurs),
        says,
        validity: claim_validity(claim, statement, source),
        written: days.max_by_key(|day| day.first_and_last_day()),
        scope: limiting_qualifiers(&claim.qualifiers, relation),
        stands_in: statement.sources.iter().map(|source| source.row.note.as_str().to_owned()).collect(),
        listed_in: listed.then(|| source.row.note.as_str().to_owned()),
        acts: statement.sources.iter().any(|source| can_override(claim, source)),
    }
}

/// Whether a predicate names a day that comes every year: "birthday", but not "date of birth".
fn is_recurring_day(predicate: &str) -> bool {
    predicate.split(|c: char| !c.is_alphabetic()).any(|word| ANNUAL_DAYS.contains(fold_name(word).as_str()))
}

/// Returns the limiting qualifiers of a claim: conditions, places and parts. Reasons and dates do not limit, nor do
/// qualifiers without a preposition, named places and persons ("in Altona", "with Anna"), or, with an employer, the
/// post ("as an engineer"). Without a relation every other qualifier counts, too: to be sure of one thing and not of
/// another is not a contradiction.
pub(super) fn limiting_qualifiers(qualifiers: &[String], relation: Option<&Relation>) -> BTreeSet<String> {
    let limits = |text: &&String| {
        let mut words = text.split_whitespace();
        let first = fold_name(words.next().unwrap_or_default());
        let Some(relation) = relation else { return !REASON_WORDS.contains(first.as_str()) };
        let post = relation.personal && first == "as";
        let named = words.next().is_some_and(|next| {
            next.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
                && !RECURRING_DAYS.contains(fold_name(next).as_str())
        });
        let place = matches!(first.as_str(), "in" | "at" | "on" | "by" | "from" | "until" | "with") && named;
        LIMITING_WORDS.contains(first.as_str()) && !REASON_WORDS.contains(first.as_str()) && !place && !post
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
        for limiting in [
            "on weekdays",
            "on Mondays",
            "for the Standard plan",
            "in production",
            "With the app storage option",
            "as a tool",
        ] {
            assert!(of(limiting), "{limiting}");
        }
        for telling in [
            "after throughput benchmarks",
            "on Monday",
            "in Altona",
            "Since May 2025",
            "four minutes from our office",
            "now",
        ] {
            assert!(!of(telling), "{telling}");
        }
    }
}
