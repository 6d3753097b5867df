//! What a hit is worth once its row is read: what it says itself, whether that is evidence, and when it holds.
//!
//! The one rule to know: **a prior never buries an answer.** Recency, corroboration and an end that has passed move the odds
//! of a claim by less than one word of the question does. What is asked for by a date is a filter, and nothing else is.

use std::collections::HashMap;

use memora_claim::held::Status;
use memora_claim::{Claim, ClaimId, Modality, StatementKind, Validity};
use memora_retrieve::{Asked, DateRange, Features, Hit, Said, Strength};
use memora_store::{StoredSource, StoredStatement};
use memora_vault::PartialDate;

use crate::session::own_sources;
use crate::standing::Standing;

/// What a claim of today has more than one without a date, in log-odds, as are the others; one of a year ago half of it.
const RECENT: f32 = 0.3;

/// What four places or more are worth more than one.
const CORROBORATED: f32 = 0.3;

/// What a claim loses that has ended, when nobody asks for that time.
const ENDED: f32 = 1.0;

/// The time that a question is about.
#[derive(Clone, Debug)]
pub(crate) struct Times {
    /// The day on which things are asked about as they were then; nothing: as they are now.
    pub(crate) as_of: Option<PartialDate>,
    /// Today.
    pub(crate) today: PartialDate,
    /// The dates that the question names.
    pub(crate) named: Vec<DateRange>,
}

impl Times {
    fn now(&self) -> PartialDate {
        self.as_of.unwrap_or(self.today)
    }

    /// Whether a claim can hold on the day that was asked for: unknown is unknown, and may. What was taken back never does.
    pub(crate) fn may_hold(&self, claim: &Claim, standing: &Standing) -> bool {
        match self.as_of {
            Some(day) => standing.may_hold(claim, day, self.today),
            None => standing.status != Status::Withdrawn,
        }
    }

    /// Whether it is asked how things are now.
    pub(crate) fn is_now(&self) -> bool {
        self.as_of.is_none() && self.named.is_empty()
    }

    /// Whether a claim that says when it holds covers a date that the question names.
    pub(crate) fn is_covered(&self, holds: Validity) -> bool {
        let begun = holds.from.is_some();
        begun && self.named.iter().any(|range| !begins_after(holds, range.until) && !ended_before(holds, range.from))
    }
}

fn begins_after(holds: Validity, day: PartialDate) -> bool {
    holds.from.is_some_and(|from| from.bounds().0 > day.bounds().1)
}

fn ended_before(holds: Validity, day: PartialDate) -> bool {
    holds.until.is_some_and(|until| until.bounds().1 < day.bounds().0)
}

/// A hit with the claim that answers, and what it is worth.
pub(crate) struct Weighed {
    pub(crate) claim: Claim,
    /// What is weighed of it.
    pub(crate) features: Features,
    /// What speaks for it before anything is asked, in log-odds.
    pub(crate) prior: f32,
    /// What it ranks by.
    pub(crate) rank: f32,
    /// How likely it answers, 0 to 1.
    pub(crate) score: f32,
    pub(crate) strength: Strength,
    pub(crate) standing: Standing,
}

impl Weighed {
    /// Ranks it by what is known of it now.
    pub(crate) fn ranked(&mut self) {
        self.rank = self.features.rank() + self.prior;
    }
}

/// What the first stage found of a hit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    /// What it gave it.
    pub(crate) fused: f32,
    /// Its BM25 as a share of the best.
    pub(crate) lexical: f32,
    /// The cosine of the static vectors; 0 where it is not in that list.
    pub(crate) semantic: f32,
    /// Whether tasks are asked for.
    pub(crate) tasks: bool,
}

/// Weighs a hit; nothing if it has no claim to show, or none of the time that was asked for.
pub(crate) fn weigh(
    asked: &Asked<'_>,
    hit: &Hit,
    found: Found,
    (statement, source): (&StoredStatement, &StoredSource),
    standings: &HashMap<ClaimId, Standing>,
    times: &Times,
) -> Option<Weighed> {
    let may_hold = |claim: &Claim| standings.get(&claim.id).is_some_and(|standing| times.may_hold(claim, standing));
    let is_current = |claim: &Claim| standings.get(&claim.id).is_some_and(|s| s.status == Status::Current);
    // Of what a sentence says of several times only that counts which may hold.
    let claim = best_claim(statement, hit, may_hold, is_current)?.clone();
    let standing = standings.get(&claim.id)?.clone();
    let features = features(asked, hit, found, statement, source);
    let prior = prior(&standing, statement, source, times);
    let rank = features.rank() + prior;
    Some(Weighed { claim, features, prior, rank, score: 0.0, strength: Strength::None, standing })
}

/// What speaks for a claim before anything is asked.
fn prior(standing: &Standing, statement: &StoredStatement, source: &StoredSource, times: &Times) -> f32 {
    let (now, holds) = (times.now(), standing.holds);
    let date = holds.from.or(source.note.date);
    let recent = date.map_or(0.0, |date| {
        let years = f32::from(now.year()) - f32::from(date.year());
        let months = match (now.month(), date.month()) {
            (Some(now), Some(then)) => f32::from(now) - f32::from(then),
            _ => 0.0,
        };
        // What lies ahead is no more recent than today.
        RECENT / (1.0 + (years + months / 12.0).max(0.0))
    });
    let others = u8::try_from(own_sources(statement).count().saturating_sub(1).min(3)).unwrap_or_default();
    let superseded = times.is_now() && standing.status == Status::Superseded;
    let ended = times.named.is_empty() && ended_before(holds, now) || superseded;
    recent + CORROBORATED * f32::from(others) / 3.0 - if ended { ENDED } else { 0.0 }
}

/// What is weighed of a hit, by what stands in its place.
fn features(
    asked: &Asked<'_>,
    hit: &Hit,
    found: Found,
    statement: &StoredStatement,
    source: &StoredSource,
) -> Features {
    let claims = &statement.wording.claims;
    let named = claims.iter().flat_map(|claim| claim.subject.iter().chain([&claim.predicate, &claim.object]));
    let claimed: Vec<&str> = named.map(String::as_str).collect();
    let words = match &source.speaker {
        Some(speaker) => format!("{speaker} {}", statement.wording.words),
        None => statement.wording.words.clone(),
    };
    let dated = source.note.date.is_some() || claims.iter().any(|claim| !claim.holds.is_open());
    let said = Said { words: &words, claims: &claimed.join(" "), spoken: source.speaker.is_some(), dated };
    let Found { fused, lexical, semantic, tasks } = found;
    let kind = statement.wording.kind;
    let (property, task) = (kind == StatementKind::Property, kind == StatementKind::Task && !tasks);
    Features { property, task, fused, lexical, semantic, ..asked.features(hit, &said) }
}

/// Of a statement's claims the one that says most of what was asked for; of several, the surest.
fn best_claim<'c>(
    statement: &'c StoredStatement,
    hit: &Hit,
    may_hold: impl Fn(&Claim) -> bool,
    is_current: impl Fn(&Claim) -> bool,
) -> Option<&'c Claim> {
    let asked: Vec<&str> = hit.matched.iter().map(|m| m.term.as_str()).collect();
    let held = |claim: &Claim| {
        let said = format!("{} {}", claim.predicate, claim.object).to_lowercase();
        asked.iter().filter(|term| said.contains(**term)).count()
    };
    let said = |claim: &&Claim| claim.modality != Modality::Questioned && may_hold(claim);
    let claims = statement.wording.claims.iter().filter(said);
    claims.max_by(|a, b| {
        let current = is_current(a).cmp(&is_current(b));
        held(a).cmp(&held(b)).then(current).then(a.confidence.total_cmp(&b.confidence)).then(b.id.cmp(&a.id))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> PartialDate {
        PartialDate::parse(text).expect("a date")
    }

    fn holds(from: &str, until: &str) -> Validity {
        Validity { from: PartialDate::parse(from), until: PartialDate::parse(until) }
    }

    fn times(as_of: &str, named: &[(&str, &str)]) -> Times {
        let range = |(from, until): &(&str, &str)| DateRange { from: date(from), until: date(until), text: 0..0 };
        Times { as_of: PartialDate::parse(as_of), today: date("2026-01-01"), named: named.iter().map(range).collect() }
    }

    #[test]
    fn as_of_a_day_counts_what_may_hold_then() {
        let then = times("2024-06-15", &[]);
        let claim = Claim::new(memora_claim::StatementId::of("x", &[]), None, "is", "y");
        let may = |times: &Times, from: &str, until: &str, status: Status| {
            times.may_hold(&claim, &Standing { holds: holds(from, until), status, superseded: Vec::new() })
        };
        let current = |from: &str, until: &str| may(&then, from, until, Status::Current);
        assert!(current("", ""), "unknown is unknown");
        assert!(current("2024", ""), "it may have begun in January");
        assert!(current("2024-06", "2024-06"));
        assert!(!current("2024-07", ""));
        assert!(!current("2023", "2024-05"));
        assert!(may(&times("", &[]), "2030", "2031", Status::Current), "nothing was asked for");
        assert!(may(&then, "", "", Status::Superseded), "nobody knows when it ended");
        assert!(!may(&times("2026-01-01", &[]), "", "", Status::Superseded), "but it has");
        assert!(!may(&then, "", "", Status::Withdrawn));
        let ended = Claim { phase: memora_claim::Phase::Ended, ..claim.clone() };
        let told = |until: &str| then.may_hold(&ended, &Standing { holds: holds("", until), ..Standing::default() });
        assert!(told("2024-05") && !told("2024-07"), "what ended later had not ended");
    }

    #[test]
    fn a_date_in_the_question_is_covered_by_what_began_before_and_has_not_ended() {
        let march = times("", &[("2025-03-01", "2025-03-31")]);
        assert!(march.is_covered(holds("2024-09", "")));
        assert!(march.is_covered(holds("2025-03-31", "")));
        assert!(!march.is_covered(holds("2025-04", "")));
        assert!(!march.is_covered(holds("2024-09", "2025-02")));
        assert!(!march.is_covered(holds("", "")), "it does not say when");
    }
}
