//! Detects supersessions, contradictions and entailments among the claims of one subject and topic.

use std::collections::{BTreeMap, BTreeSet};

use memora_vault::PartialDate;

use super::{ClaimPolarity, ComparableClaim, SlotConstraint, SupersessionBasis, ValueRelation};
use crate::{ClaimId, Decisions, Ruling};

/// One claim supersedes another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Supersession {
    /// The claim that no longer holds.
    pub older: ClaimId,
    /// The claim that holds instead; the ending claim itself if there is no replacement.
    pub newer: ClaimId,
    /// The claim whose words express the change, if any.
    pub told_by: Option<ClaimId>,
    /// The evidence for it.
    pub basis: SupersessionBasis,
    /// The last day, month or year on which the older claim held, if known.
    pub until: Option<PartialDate>,
}

/// Two claims cannot both hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The claim with the smaller id.
    pub one: ClaimId,
    /// The other claim.
    pub other: ClaimId,
    /// Whether one asserts what the other denies; otherwise both assert different values.
    pub denied: bool,
    /// The evidence by which one of them superseded the other; `None` while both hold.
    pub resolved: Option<SupersessionBasis>,
}

/// One claim entails another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entailment {
    /// The claim that says as much or more.
    pub from: ClaimId,
    /// The entailed claim.
    pub to: ClaimId,
    /// Whether both say the same, so that each corroborates the other.
    pub same: bool,
}

/// The conflicts and entailments among some claims.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conflicts {
    /// The supersessions.
    pub superseded: Vec<Supersession>,
    /// The contradictions.
    pub contradictions: Vec<Contradiction>,
    /// The entailments.
    pub entailed: Vec<Entailment>,
}

impl Conflicts {
    /// Returns the supersessions of a claim; several if the newer claims say the same.
    pub fn supersessions_of(&self, older: ClaimId) -> impl Iterator<Item = &Supersession> {
        self.superseded.iter().filter(move |found| found.older == older)
    }
}

/// Compares claims of one subject and topic, each given once.
///
/// 1. The user's decisions come first.
/// 2. Words of change end the claims that they refer to, except those known to hold later.
/// 3. Of two values in a single-valued topic that may change, the later one supersedes the earlier; not where the two
///    alternate, and not where one note lists both.
/// 4. Any other incompatible pair remains as an unresolved contradiction.
#[must_use]
pub fn detect_conflicts(topic: SlotConstraint, held: &[ComparableClaim], decisions: &Decisions) -> Conflicts {
    let held: Vec<&ComparableClaim> = held.iter().filter(|claim| !decisions.is_retracted(claim.id)).collect();
    let mut judged = Conflicts::default();
    for (at, one) in held.iter().enumerate() {
        for other in held.iter().skip(at + 1) {
            if one.id.statement() != other.id.statement() {
                add_entailments(one, other, &mut judged);
            }
        }
        judged.superseded.extend(find_supersessions(topic, one, &held, decisions));
    }
    add_contradictions(topic, &held, decisions, &mut judged);
    judged
}

fn add_entailments(one: &ComparableClaim, other: &ComparableClaim, judged: &mut Conflicts) {
    if !(one.is_affirmative() && other.is_affirmative() && one.acts && other.acts && one.scope == other.scope) {
        return;
    }
    let mut add = |from: ClaimId, to: ClaimId, same| judged.entailed.push(Entailment { from, to, same });
    match one.value.compare(&other.value) {
        ValueRelation::Same => {
            add(one.id, other.id, true);
            add(other.id, one.id, true);
        }
        ValueRelation::Narrower => add(one.id, other.id, false),
        ValueRelation::Broader => add(other.id, one.id, false),
        ValueRelation::Incompatible | ValueRelation::Undetermined => {}
    }
}

/// Finds the supersessions of a claim: by decision, else by words of change, else by the next date.
fn find_supersessions(
    topic: SlotConstraint,
    older: &ComparableClaim,
    held: &[&ComparableClaim],
    decisions: &Decisions,
) -> Vec<Supersession> {
    let others = || held.iter().copied().filter(|other| other.id.statement() != older.id.statement());
    let ruled = |other: &ComparableClaim| decisions.ruling_between(older.id, other.id);
    let mut found: Vec<Supersession> = others()
        .filter(|newer| ruled(newer) == Some(Ruling::For(newer.id.statement())))
        .map(|newer| Supersession {
            older: older.id,
            newer: newer.id,
            told_by: None,
            basis: SupersessionBasis::Decision,
            until: newer.validity.from.filter(|from| older.known_since().is_none_or(|told| is_before(told, *from))),
        })
        .collect();
    if !found.is_empty() || !older.is_affirmative() || older.validity.until.is_some() {
        return found;
    }
    let open = |other: &&ComparableClaim| ruled(other).is_none() && other.acts && other.scope == older.scope;
    // "No longer works at Acme" ends "works at Acme as a data engineer", and not the other way round.
    let over = |other: &&ComparableClaim| ruled(other).is_none() && other.acts && other.scope.is_subset(&older.scope);
    found.extend(others().filter(over).filter(|end| is_end_of(end, older)).map(|end| {
        let came =
            held.iter().find(|came| came.says == ClaimPolarity::Begun && came.id.statement() == end.id.statement());
        Supersession {
            older: older.id,
            newer: came.map_or(end.id, |came| came.id),
            told_by: Some(end.id),
            basis: SupersessionBasis::WordsOfChange,
            until: end.validity.until,
        }
    }));
    if !found.is_empty() {
        return keep_earliest(found);
    }
    let later = others().filter(open).filter(|newer| {
        is_superseded_by_date(topic, older, newer)
            && !is_stated_together(older, newer, held)
            && !is_alternating(older, newer, held)
    });
    let by_date = later.map(|newer| Supersession {
        older: older.id,
        newer: newer.id,
        told_by: None,
        basis: SupersessionBasis::LaterDate,
        until: newer.validity.from,
    });
    keep_earliest(by_date.collect())
}

/// Keeps the earliest supersessions.
fn keep_earliest(found: Vec<Supersession>) -> Vec<Supersession> {
    let first = found.iter().filter_map(|one| one.until).map(|until| until.first_and_last_day()).min();
    found.into_iter().filter(|one| one.until.map(PartialDate::first_and_last_day) == first).collect()
}

/// Whether words of change end a claim.
fn is_end_of(end: &ComparableClaim, older: &ComparableClaim) -> bool {
    let told = end.validity.until.zip(older.known_since()).is_none_or(|(until, told)| !is_before(until, told));
    end.says == ClaimPolarity::Ended
        && told
        && matches!(older.value.compare(&end.value), ValueRelation::Same | ValueRelation::Narrower)
}

/// Whether a claim has a later date and is incompatible with the older one.
fn is_superseded_by_date(topic: SlotConstraint, older: &ComparableClaim, newer: &ComparableClaim) -> bool {
    let (Some(told), Some(from)) = (older.known_since(), newer.validity.from) else { return false };
    topic.changes && older.acts && is_before(told, from) && is_incompatible(topic, older, newer)
}

/// Whether one of two values recurs after the other: alternation is not a change of state.
fn is_alternating(one: &ComparableClaim, other: &ComparableClaim, held: &[&ComparableClaim]) -> bool {
    let days = |value: &ComparableClaim| -> Vec<PartialDate> {
        let same = held.iter().filter(|again| {
            again.acts
                && again.is_affirmative() == value.is_affirmative()
                && again.value.compare(&value.value) == ValueRelation::Same
        });
        same.filter_map(|again| again.known_since()).collect()
    };
    let between = |outer: &[PartialDate], inner: &[PartialDate]| {
        inner.iter().any(|day| {
            outer.iter().any(|first| is_before(*first, *day)) && outer.iter().any(|last| is_before(*day, *last))
        })
    };
    let (one, other) = (days(one), days(other));
    between(&one, &other) || between(&other, &one)
}

/// Whether one statement names both values, and so says that both hold.
fn is_stated_together(one: &ComparableClaim, other: &ComparableClaim, held: &[&ComparableClaim]) -> bool {
    let of = |value: &ComparableClaim| -> BTreeSet<_> {
        let same = held.iter().filter(|h| h.is_affirmative() && h.value.compare(&value.value) == ValueRelation::Same);
        same.map(|h| h.id.statement()).collect()
    };
    one.is_affirmative() && other.is_affirmative() && of(one).intersection(&of(other)).next().is_some()
}

/// Whether two claims cannot hold at once: different values of a single-valued topic, or one value asserted and denied.
fn is_incompatible(topic: SlotConstraint, one: &ComparableClaim, other: &ComparableClaim) -> bool {
    if one.listed_in.is_some() && one.listed_in == other.listed_in {
        return false;
    }
    let likeness = one.value.compare(&other.value);
    match (one.says, other.says) {
        (ClaimPolarity::Affirmed | ClaimPolarity::Begun, ClaimPolarity::Affirmed | ClaimPolarity::Begun) => {
            topic.single && likeness == ValueRelation::Incompatible
        }
        (ClaimPolarity::Affirmed | ClaimPolarity::Begun, ClaimPolarity::Denied) => {
            matches!(likeness, ValueRelation::Same | ValueRelation::Narrower)
        }
        (ClaimPolarity::Denied, ClaimPolarity::Affirmed | ClaimPolarity::Begun) => {
            matches!(likeness, ValueRelation::Same | ValueRelation::Broader)
        }
        _ => false,
    }
}

/// Adds the contradictions, resolved and unresolved.
fn add_contradictions(topic: SlotConstraint, held: &[&ComparableClaim], decisions: &Decisions, judged: &mut Conflicts) {
    let mut closed: BTreeMap<(ClaimId, ClaimId), SupersessionBasis> = BTreeMap::new();
    for one in &judged.superseded {
        closed.insert(ordered_pair(one.older, one.newer), one.basis);
    }
    let over: BTreeSet<ClaimId> = judged.superseded.iter().map(|one| one.older).collect();
    for (at, one) in held.iter().enumerate() {
        for other in held.iter().skip(at + 1) {
            let (a, b) = ordered_pair(one.id, other.id);
            let denied = one.is_affirmative() != other.is_affirmative();
            if let Some(basis) = closed.get(&(a, b)) {
                judged.contradictions.push(Contradiction { one: a, other: b, denied, resolved: Some(*basis) });
                continue;
            }
            let stand = !over.contains(&a) && !over.contains(&b) && decisions.ruling_between(a, b).is_none();
            if stand
                && one.id.statement() != other.id.statement()
                && one.acts
                && other.acts
                && one.scope == other.scope
                && is_incompatible(topic, one, other)
                && !(denied && one.stands_in.intersection(&other.stands_in).next().is_some())
                && may_overlap(one, other)
                && !is_stated_together(one, other, held)
                && !is_alternating(one, other, held)
                && (topic.changes || topic.single || !is_on_different_days(one, other))
            {
                judged.contradictions.push(Contradiction { one: a, other: b, denied, resolved: None });
            }
        }
    }
}

fn ordered_pair(a: ClaimId, b: ClaimId) -> (ClaimId, ClaimId) {
    if a <= b { (a, b) } else { (b, a) }
}

/// Whether the validities of both may overlap.
fn may_overlap(one: &ComparableClaim, other: &ComparableClaim) -> bool {
    let over = |a: &ComparableClaim, b: &ComparableClaim| {
        a.validity.until.zip(b.validity.from).is_some_and(|(until, from)| is_before(until, from) || until == from)
    };
    !over(one, other) && !over(other, one)
}

/// Whether both are events of different days, which do not contradict each other.
fn is_on_different_days(one: &ComparableClaim, other: &ComparableClaim) -> bool {
    one.validity.from.is_some() != other.validity.from.is_some()
        || one.validity.from.zip(other.validity.from).is_some_and(|(a, b)| is_before(a, b) || is_before(b, a))
}

/// Whether a date ends before another begins.
fn is_before(a: PartialDate, b: PartialDate) -> bool {
    a.first_and_last_day().1 < b.first_and_last_day().0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conflict::ObjectValue;
    use crate::{StatementId, Validity};

    const STATE: SlotConstraint = SlotConstraint { single: true, changes: true };
    const FIXED: SlotConstraint = SlotConstraint { single: true, changes: false };
    const VERB: SlotConstraint = SlotConstraint { single: false, changes: false };

    /// `2024-05-02 Go`, `2024..2025 Go`, `begun 2025-02 Rust`, `ended 2025 Go`, `not Go`, `Go [on mobile]`, `said Go`. Claims
    /// that begin with the same number and a colon are of one statement.
    fn held(at: usize, line: &str) -> ComparableClaim {
        let (statement, line) = line.split_once(": ").unwrap_or(("", line));
        let statement = if statement.is_empty() { at.to_string() } else { format!("s{statement}") };
        let (line, scope) = line.split_once(" [").map_or((line, None), |(line, scope)| (line, scope.strip_suffix(']')));
        let mut words: Vec<&str> = line.split(' ').collect();
        let mut take = |word: &str| words.first() == Some(&word) && !words.remove(0).is_empty();
        let says = match () {
            () if take("begun") => ClaimPolarity::Begun,
            () if take("ended") => ClaimPolarity::Ended,
            () if take("not") => ClaimPolarity::Denied,
            () => ClaimPolarity::Affirmed,
        };
        let acts = !take("said");
        let listed_in = take("field").then(|| "a note".to_owned());
        let date = |text: &str| PartialDate::parse(text).filter(|_| text.len() >= 4);
        let first = words.first().copied().unwrap_or_default();
        let (from, until) = first.split_once("..").unwrap_or((first, ""));
        let (from, until) = (date(from), date(until));
        if from.is_some() || until.is_some() {
            words.remove(0);
        }
        let (from, until) = if says == ClaimPolarity::Ended { (None, from) } else { (from, until) };
        let object = words.join(" ");
        let id = ClaimId::from_reading(StatementId::from_words(&statement, &[]), Some("drift"), "is", &object);
        ComparableClaim {
            id,
            value: ObjectValue::parse(&object, None, None, false),
            says,
            validity: Validity { from, until },
            written: None,
            scope: scope.into_iter().map(str::to_owned).collect(),
            stands_in: BTreeSet::new(),
            listed_in,
            acts,
        }
    }

    /// What is found, by the numbers of the lines: `0<1 date 2025` for "0 is superseded by 1", `0x1` for "both stand and
    /// contradict".
    #[track_caller]
    fn check(topic: SlotConstraint, lines: &[&str], expect: &str) {
        let claims: Vec<ComparableClaim> = (0..).zip(lines).map(|(at, line)| held(at, line)).collect();
        let number = |id: ClaimId| claims.iter().position(|claim| claim.id == id).expect("one of the lines");
        let judged = detect_conflicts(topic, &claims, &Decisions::default());
        let mut found: Vec<String> = Vec::new();
        for one in &judged.superseded {
            let until = one.until.map(|date| format!(" {date}")).unwrap_or_default();
            found.push(format!("{}<{} {}{until}", number(one.older), number(one.newer), one.basis.as_str()));
        }
        for one in judged.contradictions.iter().filter(|one| one.resolved.is_none()) {
            let (a, b) = (number(one.one), number(one.other));
            found.push(format!("{}x{}", a.min(b), a.max(b)));
        }
        found.sort();
        assert_eq!(found.join(", "), expect, "{lines:?}");
    }

    #[test]
    fn a_later_date_supersedes() {
        check(STATE, &["2024-05-02 Go", "2025-02-11 Rust"], "0<1 later_date 2025-02-11");
        check(STATE, &["2023 Go", "2024 Rust", "2025 Zig"], "0<1 later_date 2024, 1<2 later_date 2025");
        check(STATE, &["2024-03 Go", "2024 Rust"], "0x1");
        check(STATE, &["2024-05-02 7 days", "2024-06-14 14 days"], "0<1 later_date 2024-06-14");
    }

    #[test]
    fn without_two_dates_both_stand() {
        check(STATE, &["Go", "Rust"], "0x1");
        check(STATE, &["Go", "2025 Rust"], "0x1");
        check(STATE, &["Go", "begun 2025 Rust"], "0x1");
    }

    #[test]
    fn words_of_change_supersede_what_they_speak_of() {
        check(STATE, &["Go", "1: ended 2025-02 Go", "1: begun 2025-02 Rust"], "0<2 words_of_change 2025-02");
        check(STATE, &["2024 Go", "1: ended Go", "1: begun Rust"], "0<2 words_of_change");
        check(STATE, &["Go", "ended 2025 Go"], "0<1 words_of_change 2025");
        check(STATE, &["Go 1.80", "ended 2025 Go"], "0<1 words_of_change 2025");
        check(STATE, &["Go", "ended 2025 Go with cgo"], "");
        check(STATE, &["2026 Go", "ended 2025 Go"], "");
        check(STATE, &["Go [on mobile]", "ended 2025 Go"], "0<1 words_of_change 2025");
        check(STATE, &["Go", "ended 2025 Go [on mobile]"], "");
        check(STATE, &["Go [on servers]", "ended 2025 Go [on mobile]"], "");
        check(VERB, &["tabs", "ended 2025 tabs"], "0<1 words_of_change 2025");
    }

    #[test]
    fn what_may_both_be_true_is_no_contradiction() {
        check(STATE, &["Rust 1.80", "Rust"], "");
        check(STATE, &["3 km", "3000 m"], "");
        check(STATE, &["about 40", "41"], "");
        check(STATE, &["8 am [on weekdays]", "10 am"], "");
        check(STATE, &["2019..2021 Kiel", "2022 Malmö"], "");
        check(STATE, &["1: Go", "1: Rust"], "");
        check(STATE, &["field Go", "field Rust"], "");
        check(VERB, &["Go", "Rust"], "");
        check(FIXED, &["1990 Kiel", "1991 Malmö"], "0x1");
        check(STATE, &["Go", "1: Rust", "2: Rust", "2: Go"], "");
        check(STATE, &["2023 Go", "2024 Rust", "2: Rust", "2: Go"], "");
    }

    #[test]
    fn who_did_not_say_it_outright_ends_and_contradicts_nothing() {
        check(STATE, &["2024 Go", "said 2025 Rust"], "");
        check(STATE, &["Go", "ended said 2025 Go"], "");
    }

    #[test]
    fn what_alternates_has_not_ended() {
        check(STATE, &["2023 vim", "2024 Zed", "2025 Vim"], "");
        check(STATE, &["2023 vim", "2024 Zed", "2025 vim", "2026 Zed"], "");
        check(STATE, &["2023 vim", "2024 Zed", "2025 Zed"], "0<1 later_date 2024");
    }

    #[test]
    fn yes_and_no_of_the_same_contradict() {
        check(VERB, &["tabs", "not tabs"], "0x1");
        check(VERB, &["tabs", "not tabs [on mobile]"], "");
        check(VERB, &["tabs", "not tables"], "");
        check(VERB, &["2024-01-01 rain", "not 2024-01-02 rain"], "");
        check(STATE, &["Rust", "not Go"], "");
        check(STATE, &["2024 Tidewell", "not 2025 Tidewell"], "0<1 later_date 2025");
    }
}
