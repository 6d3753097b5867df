//! Scores a hit once its row is read: by its own words, its strength as evidence, and its validity.
//!
//! Invariant: **a prior never buries an answer.** Recency, corroboration and an end that has passed move the odds
//! of a claim by less than one word of the question does. Only a date in the question is a filter.

use std::collections::HashMap;

use memora_claim::conflict::ClaimStatus;
use memora_claim::{Claim, ClaimId, Modality, StatementKind, Validity};
use memora_retrieve::{DateRange, EvidenceStrength, HitContent, HitFeatures, LexicalHit, QueryIntent};
use memora_store::{StoredSource, StoredStatement};
use memora_vault::PartialDate;

use crate::read::lifecycle::LifecycleState;
use crate::state::sources::own_sources;

/// The bonus of a claim of today over an undated one, in log-odds like the others; a claim of a year ago gets half.
const RECENCY_BONUS: f32 = 0.3;

/// The bonus of four or more places over one.
const CORROBORATION_BONUS: f32 = 0.3;

/// The penalty of a claim that has ended, where its time was not asked for.
const ENDED_PENALTY: f32 = 1.0;

/// The time that a question is about.
#[derive(Clone, Debug)]
pub(crate) struct QueryTimes {
    /// The day as of which is asked; `None` for now.
    pub(crate) as_of: Option<PartialDate>,
    /// Today.
    pub(crate) today: PartialDate,
    /// The dates that the question names.
    pub(crate) named: Vec<DateRange>,
}

impl QueryTimes {
    fn reference_day(&self) -> PartialDate {
        self.as_of.unwrap_or(self.today)
    }

    /// Whether a claim may hold on the day that was asked for: at an unknown time it may, if taken back it never does.
    pub(crate) fn may_hold(&self, claim: &Claim, state: &LifecycleState) -> bool {
        match self.as_of {
            Some(day) => state.may_hold_on(claim, day, self.today),
            None => state.status != ClaimStatus::Withdrawn,
        }
    }

    /// Whether the question is about the present.
    pub(crate) fn is_about_now(&self) -> bool {
        self.as_of.is_none() && self.named.is_empty()
    }

    /// Whether a claim that says when it holds covers a date that the question names.
    pub(crate) fn is_date_covered(&self, holds: Validity) -> bool {
        let begun = holds.from.is_some();
        begun && self.named.iter().any(|range| !begins_after(holds, range.until) && !ended_before(holds, range.from))
    }
}

fn begins_after(holds: Validity, day: PartialDate) -> bool {
    holds.from.is_some_and(|from| from.first_and_last_day().0 > day.first_and_last_day().1)
}

fn ended_before(holds: Validity, day: PartialDate) -> bool {
    holds.until.is_some_and(|until| until.first_and_last_day().1 < day.first_and_last_day().0)
}

/// A hit with its best claim and its scores.
pub(crate) struct ScoredHit {
    pub(crate) claim: Claim,
    /// Its features.
    pub(crate) features: HitFeatures,
    /// Its prior, independent of the question, in log-odds.
    pub(crate) prior: f32,
    /// The sort key.
    pub(crate) rank: f32,
    /// The probability that it answers, 0 to 1.
    pub(crate) score: f32,
    pub(crate) strength: EvidenceStrength,
    pub(crate) state: LifecycleState,
    /// Whether its state takes other claims into account.
    pub(crate) is_settled: bool,
}

impl ScoredHit {
    /// Takes the states of its statement's claims, now that other claims were looked at; `None` if none of them is to be shown.
    pub(crate) fn settle(
        self,
        hit: &LexicalHit,
        (statement, source): (&StoredStatement, &StoredSource),
        states: &HashMap<ClaimId, LifecycleState>,
        times: &QueryTimes,
    ) -> Option<Self> {
        let (claim, state) = choose_claim(statement, hit, states, times)?;
        let prior = prior_log_odds(&state, statement, source, times);
        Some(Self { claim, state, prior, rank: self.rank + prior - self.prior, is_settled: true, ..self })
    }

    /// Recomputes its rank from its features.
    pub(crate) fn update_rank(&mut self) {
        self.rank = self.features.rank_score() + self.prior;
    }
}

/// The scores of a hit in the first stage.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FirstStageScores {
    /// The fused score.
    pub(crate) fused: f32,
    /// Its BM25 as a share of the best.
    pub(crate) lexical: f32,
    /// The cosine of the static vectors; 0 where it is not in that list.
    pub(crate) semantic: f32,
    /// Whether tasks are asked for.
    pub(crate) tasks: bool,
}

/// Scores a hit; `None` if it has no claim to show, or none of the time that was asked for.
pub(crate) fn score_hit(
    asked: &QueryIntent<'_>,
    hit: &LexicalHit,
    found: FirstStageScores,
    (statement, source): (&StoredStatement, &StoredSource),
    states: &HashMap<ClaimId, LifecycleState>,
    times: &QueryTimes,
) -> Option<ScoredHit> {
    let (claim, state) = choose_claim(statement, hit, states, times)?;
    let features = hit_features(asked, hit, found, statement, source);
    let prior = prior_log_odds(&state, statement, source, times);
    let rank = features.rank_score() + prior;
    let (score, strength) = (0.0, EvidenceStrength::Nearest);
    Some(ScoredHit { claim, features, prior, rank, score, strength, state, is_settled: false })
}

/// The claim of a statement that stands for it, with its state: of a sentence about several times only those count that may hold.
fn choose_claim(
    statement: &StoredStatement,
    hit: &LexicalHit,
    states: &HashMap<ClaimId, LifecycleState>,
    times: &QueryTimes,
) -> Option<(Claim, LifecycleState)> {
    let may_hold = |claim: &Claim| states.get(&claim.id).is_some_and(|state| times.may_hold(claim, state));
    let is_current = |claim: &Claim| states.get(&claim.id).is_some_and(|s| s.status == ClaimStatus::Current);
    let claim = best_claim(statement, hit, may_hold, is_current)?.clone();
    let state = states.get(&claim.id)?.clone();
    Some((claim, state))
}

/// The prior of a claim, independent of the question.
fn prior_log_odds(
    state: &LifecycleState,
    statement: &StoredStatement,
    source: &StoredSource,
    times: &QueryTimes,
) -> f32 {
    let (now, holds) = (times.reference_day(), state.holds);
    let date = holds.from.or(source.note.date);
    let recent = date.map_or(0.0, |date| {
        let years = f32::from(now.year()) - f32::from(date.year());
        let months = match (now.month(), date.month()) {
            (Some(now), Some(then)) => f32::from(now) - f32::from(then),
            _ => 0.0,
        };
        // A future date is not more recent than today.
        RECENCY_BONUS / (1.0 + (years + months / 12.0).max(0.0))
    });
    let others = u8::try_from(own_sources(statement).count().saturating_sub(1).min(3)).unwrap_or_default();
    let superseded = times.is_about_now() && state.status == ClaimStatus::Superseded;
    let ended = times.named.is_empty() && ended_before(holds, now) || superseded;
    recent + CORROBORATION_BONUS * f32::from(others) / 3.0 - if ended { ENDED_PENALTY } else { 0.0 }
}

/// The features of a hit, from its row.
fn hit_features(
    asked: &QueryIntent<'_>,
    hit: &LexicalHit,
    found: FirstStageScores,
    statement: &StoredStatement,
    source: &StoredSource,
) -> HitFeatures {
    let claims = &statement.wording.claims;
    let named = claims.iter().flat_map(|claim| claim.subject.iter().chain([&claim.predicate, &claim.object]));
    let claimed: Vec<&str> = named.map(String::as_str).collect();
    let words = match &source.speaker {
        Some(speaker) => format!("{speaker} {}", statement.wording.words),
        None => statement.wording.words.clone(),
    };
    let dated = source.note.date.is_some() || claims.iter().any(|claim| !claim.holds.is_unspecified());
    let said = HitContent { words: &words, claims: &claimed.join(" "), spoken: source.speaker.is_some(), dated };
    let FirstStageScores { fused, lexical, semantic, tasks } = found;
    let kind = statement.wording.kind;
    let (property, task) = (kind == StatementKind::Property, kind == StatementKind::Task && !tasks);
    HitFeatures { property, task, fused, lexical, semantic, ..asked.hit_features(hit, &said) }
}

/// The claim of a statement that has the most words of the question; of several, the most confident.
fn best_claim<'c>(
    statement: &'c StoredStatement,
    hit: &LexicalHit,
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

    fn times(as_of: &str, named: &[(&str, &str)]) -> QueryTimes {
        let range = |(from, until): &(&str, &str)| DateRange { from: date(from), until: date(until), text: 0..0 };
        QueryTimes {
            as_of: PartialDate::parse(as_of),
            today: date("2026-01-01"),
            named: named.iter().map(range).collect(),
        }
    }

    #[test]
    fn as_of_a_day_counts_what_may_hold_then() {
        let then = times("2024-06-15", &[]);
        let claim = Claim::new(memora_claim::StatementId::from_words("x", &[]), None, "is", "y");
        let may = |times: &QueryTimes, from: &str, until: &str, status: ClaimStatus| {
            times.may_hold(&claim, &LifecycleState { holds: holds(from, until), status, superseded: Vec::new() })
        };
        let current = |from: &str, until: &str| may(&then, from, until, ClaimStatus::Current);
        assert!(current("", ""), "unknown is unknown");
        assert!(current("2024", ""), "it may have begun in January");
        assert!(current("2024-06", "2024-06"));
        assert!(!current("2024-07", ""));
        assert!(!current("2023", "2024-05"));
        assert!(may(&times("", &[]), "2030", "2031", ClaimStatus::Current), "nothing was asked for");
        assert!(may(&then, "", "", ClaimStatus::Superseded), "nobody knows when it ended");
        assert!(!may(&times("2026-01-01", &[]), "", "", ClaimStatus::Superseded), "but it has");
        assert!(!may(&then, "", "", ClaimStatus::Withdrawn));
        let ended = Claim { phase: memora_claim::Phase::Ended, ..claim.clone() };
        let told = |until: &str| {
            then.may_hold(&ended, &LifecycleState { holds: holds("", until), ..LifecycleState::default() })
        };
        assert!(told("2024-05") && !told("2024-07"), "what ended later had not ended");
    }

    #[test]
    fn a_date_in_the_question_is_covered_by_what_began_before_and_has_not_ended() {
        let march = times("", &[("2025-03-01", "2025-03-31")]);
        assert!(march.is_date_covered(holds("2024-09", "")));
        assert!(march.is_date_covered(holds("2025-03-31", "")));
        assert!(!march.is_date_covered(holds("2025-04", "")));
        assert!(!march.is_date_covered(holds("2024-09", "2025-02")));
        assert!(!march.is_date_covered(holds("", "")), "it does not say when");
    }
}
