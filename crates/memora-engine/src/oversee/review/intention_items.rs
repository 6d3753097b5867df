//! Review items about the owner's plans that no later note mentions, and about tasks whose day is past.

use std::cmp::Reverse;

use memora_claim::conflict::ClaimStatus;
use memora_claim::{Claim, ClaimId, DecisionKind, Modality, StatementId};
use memora_redact::{Viewer, WireClaim};
use memora_retrieve::{PreparedSearch, Query, SearchFilter};
use memora_store::{Authors, DUE_TOPIC, PLAN_TOPIC, ReadError, StoredSource};

use super::claim_items::quote_claim;
use crate::oversee::review::builder::{ReviewBuilder, ReviewCandidate, new_choice, new_review_item};
use crate::read::entity::is_owner_speaking;
use crate::read::lifecycle::{Lifecycle, LifecycleReports, is_archived};
use crate::read::lists::{DISCOURSE_VERBS, TRANSIENT_WORDS};
use crate::read::search::ClaimSearch;
use crate::report::{ReviewItem, ReviewKind as Kind};
use crate::state::sources::claim_validity;

/// The minimum age of a plan in days.
const PLAN_AGE_MIN_DAYS: i64 = 30;

/// The maximum age of a plan in days, after which it counts as forgotten.
const PLAN_AGE_MAX_DAYS: i64 = 3 * 365;

/// How many days a task is overdue at least, and at most, after which nobody waits for it.
const OVERDUE_MIN_DAYS: i64 = 14;
const OVERDUE_MAX_DAYS: i64 = 365;

/// The maximum number of statements examined for a follow-up.
const HITS_MAX: usize = 40;

/// The minimum share of a plan's words, weighted by rarity, in a follow-up statement.
const FOLLOW_UP_COVERAGE_MIN: f32 = 0.3;

/// The maximum number of plans in a review, newest first.
const PLANS_MAX: usize = 64;

impl ReviewBuilder<'_> {
    /// Collects the owner's plans that are between a month and three years old, newest first.
    pub(super) fn intention_items(&self) -> Result<Vec<ReviewCandidate>, ReadError> {
        let (first, last) = (self.days_ago(PLAN_AGE_MAX_DAYS), self.days_ago(PLAN_AGE_MIN_DAYS));
        let mut found: Vec<(String, StatementId, Claim)> = Vec::new();
        LifecycleReports::new(self.session).for_each_fact_under(&[PLAN_TOPIC.to_owned()], |statement, source| {
            let Some(claim) = statement.wording.claims.iter().find(|claim| is_plan(claim, source)) else {
                return Ok(());
            };
            let place = ClaimSearch::new(self.session).period_at(source)?;
            let Some(day) = place.map(|days| days.until()).or(source.note.date.map(|date| date.first_and_last_day().1))
            else {
                return Ok(());
            };
            // "On 5 December": a future plan is not yet due.
            let due = claim_validity(claim, statement, source);
            let due = due.until.or(due.from).map(|day| day.first_and_last_day().1);
            let confirmed = Lifecycle::new(self.session)
                .decisions()
                .confirmed_at(claim.id)
                .and_then(|at| at.get(..10))
                .map(str::to_owned);
            let told = due.map(|due| due.to_string()).into_iter().chain(confirmed);
            let day = told.fold(day.to_string(), Ord::max);
            if first < day && day < last {
                found.push((day, statement.id, claim.clone()));
            }
            Ok(())
        })?;
        found.sort_by_key(|(day, id, _)| (Reverse(day.clone()), *id));
        let mut items = Vec::new();
        for (day, id, claim) in found {
            if items.len() == PLANS_MAX {
                break;
            }
            if self.has_follow_up(&claim, id, &day)? {
                continue;
            }
            let Some(shown) = LifecycleReports::new(self.session)
                .load_wire_claim(claim.id)?
                .filter(|claim| claim.status() == Some(ClaimStatus::Current))
            else {
                continue;
            };
            let question = format!("Did anything come of this: {}", quote_claim(&shown));
            let why = format!("planned {day}, and nothing in the notes comes back to it");
            items.push(self.intention_item(id, &day, (question, why), shown)?);
        }
        Ok(items)
    }

    fn intention_item(
        &self,
        id: StatementId,
        day: &str,
        (question, why): (String, String),
        shown: WireClaim,
    ) -> Result<ReviewCandidate, ReadError> {
        let statement = id.to_string();
        let choices = vec![
            new_choice("still planned", DecisionKind::Keep, &statement, &[]),
            new_choice("done or dropped", DecisionKind::End, &statement, &[]),
            new_choice("later", DecisionKind::Later, &statement, &[]),
        ];
        let dependents = Lifecycle::new(self.session).dependent_count(id)?;
        let advice = "Say that it is done or dropped, or note what came of it.";
        let asked = new_review_item(Kind::Intention, question, why, advice, vec![shown]);
        let question = ReviewItem { dependents, choices, ..asked };
        let key = format!("{:08} {statement}", descending_day_key(day));
        Ok(ReviewCandidate { kind: Kind::Intention, key, question })
    }

    /// Collects open tasks whose day is past by two weeks to a year, the last due first.
    pub(super) fn overdue_items(&self) -> Result<Vec<ReviewCandidate>, ReadError> {
        let (first, last) = (self.days_ago(OVERDUE_MAX_DAYS), self.days_ago(OVERDUE_MIN_DAYS));
        let mut found: Vec<(String, StatementId, ClaimId)> = Vec::new();
        LifecycleReports::new(self.session).for_each_fact_under(&[DUE_TOPIC.to_owned()], |statement, source| {
            let claims = statement.wording.claims.iter();
            let due = claims.filter_map(|claim| Some((claim.due_day()?.to_string(), claim.id))).next();
            let Some((day, claim)) = due.filter(|_| !source.note.captured && !is_archived(&source.row.note)) else {
                return Ok(());
            };
            let is_confirmed =
                Lifecycle::new(self.session).decisions().confirmed_at(claim).is_some_and(|at| at > day.as_str());
            if first < day && day < last && !is_confirmed {
                found.push((day, statement.id, claim));
            }
            Ok(())
        })?;
        found.sort_by_key(|(day, id, _)| (Reverse(day.clone()), *id));
        let mut items = Vec::new();
        for (day, id, claim) in found.into_iter().take(PLANS_MAX) {
            let shown = LifecycleReports::new(self.session).load_wire_claim(claim)?;
            let Some(shown) = shown.filter(|claim| claim.status() == Some(ClaimStatus::Current)) else { continue };
            let question = format!("Do you still plan to do this: {}", quote_claim(&shown));
            items.push(self.intention_item(id, &day, (question, format!("due {day}, and not ticked")), shown)?);
        }
        Ok(items)
    }

    /// Returns whether another statement of the plan's day or later mentions it.
    fn has_follow_up(&self, claim: &Claim, id: StatementId, day: &str) -> Result<bool, ReadError> {
        let query = Query::new(&claim.object);
        let indexes = self.session.memora.indexes.visible_to(self.session.door, Authors::User);
        // If the search fails, no plan counts as forgotten.
        let Ok(looked) = PreparedSearch::run(&indexes, &query, &SearchFilter::default()) else { return Ok(true) };
        let hits = looked.top_hits(HITS_MAX);
        let near = hits
            .iter()
            .filter(|hit| hit.statement != id && hit.coverage >= FOLLOW_UP_COVERAGE_MIN)
            .map(|hit| hit.statement);
        for statement in self.session.snapshot.statements(&near.collect::<Vec<_>>())? {
            let is_seen = |source: &StoredSource| self.session.door.may_show(source.row.band) && !source.note.captured;
            let Some(seen) = statement.retain_sources(is_seen) else { continue };
            for source in &seen.sources {
                let placed = ClaimSearch::new(self.session).period_at(source)?.map(|days| days.until());
                let then = placed.or(source.note.date.map(|date| date.first_and_last_day().1));
                if then.is_none_or(|then| then.to_string().as_str() >= day) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

/// Returns whether a claim states a plan of the note's owner: "I am going to", not "I should" or "I might".
fn is_plan(claim: &Claim, source: &StoredSource) -> bool {
    let first = claim.predicate.split_whitespace().next().unwrap_or_default().to_lowercase();
    let unsure = matches!(first.as_str(), "should" | "might" | "may" | "could" | "would" | "can" | "was" | "were");
    let words: Vec<String> = source.wording.words.split_whitespace().map(normalize_word).collect();
    let passing = words.iter().any(|word| TRANSIENT_WORDS.contains(word.as_str()));
    let last = claim.predicate.split_whitespace().last().unwrap_or_default().to_lowercase();
    // "I am going without coffee", "I will detail": not a plan that could be done or dropped.
    let acts = match last.as_str() {
        "going" => claim.object.starts_with("to "),
        last => !DISCOURSE_VERBS.contains(last),
    };
    claim.listed
        && !passing
        && acts
        && claim.modality == Modality::Planned
        && !claim.negated
        && !unsure
        && is_owner_speaking(claim, source, |_| false)
}

/// Lower-cases a word and strips punctuation around it.
fn normalize_word(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

/// Returns a sort key that puts later days first.
fn descending_day_key(day: &str) -> u32 {
    let digits: String = day.chars().filter(char::is_ascii_digit).take(8).collect();
    99_999_999_u32.saturating_sub(digits.parse().unwrap_or_default())
}
