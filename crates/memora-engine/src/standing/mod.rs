//! What becomes of claims: which still hold, which were replaced, by what, and on what evidence.
//!
//! The one rule to know: **nothing of it is stored.** Whether two claims are of one thing depends on the whole vault, on
//! the user's decisions and on the door, so it is worked out when it is read, from small keyed tables, over what the
//! door may see and no more. An index grown step by step says what one built at once says, and an edit costs no more in a
//! large vault.
//!
//! How claims are held against each other, `memora_claim::held` says. Here is whom they are about and what of them
//! stands.

mod contradictions;
mod decide;
mod derived;
mod group;
mod stale;
mod told;
mod why;

use std::collections::BTreeMap;

use memora_claim::held::{SupersessionBasis, Conflicts, ClaimStatus, Supersession};
use memora_claim::{Claim, ClaimId, Decisions, Phase, Validity};
use memora_redact::Door;
use memora_store::{ReadError, StoredSource, StoredStatement};
use memora_vault::PartialDate;

use crate::entity::Entity;
use crate::session::{Session, claim_validity};

pub(crate) use contradictions::ContradictionPair;
pub use decide::{DecideError, DecisionRequest};
pub(crate) use derived::{CitedState, BrokenSupport};

/// What claims of one thing are compared under.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum ComparisonKey {
    /// A canonical relation.
    Relation(String),
    /// A verb, where there is no relation: only yes and no of the same can be compared.
    Verb(String),
}

/// Claims of one thing under one relation or verb, and what they are to each other.
#[derive(Default)]
pub(crate) struct ClaimGroup {
    pub(crate) judged: Conflicts,
    /// By what was judged: which statement, and whom it is about.
    pub(crate) members: BTreeMap<ClaimId, StoredStatement>,
}

/// What became of one claim, as far as a door may know.
#[derive(Clone, Default)]
pub(crate) struct LifecycleState {
    pub(crate) status: ClaimStatus,
    /// When it holds, by its words, its note, and by what replaced it.
    pub(crate) holds: Validity,
    pub(crate) superseded: Vec<Supersession>,
}

impl LifecycleState {
    /// Whether it can be the case on a day: unknown is unknown, and may.
    pub(crate) fn may_hold_on(&self, claim: &Claim, day: PartialDate, today: PartialDate) -> bool {
        let begins_after = |from: PartialDate| from.first_and_last_day().0 > day.first_and_last_day().1;
        let ended_before = |until: PartialDate| until.first_and_last_day().1 < day.first_and_last_day().0;
        if self.status == ClaimStatus::Withdrawn {
            return false;
        }
        if claim.phase == Phase::Ended {
            // "X no longer owns Y" is not so before the end that it tells of.
            return !self.holds.until.is_some_and(begins_after);
        }
        let over = match self.holds.until {
            Some(until) => ended_before(until),
            None => self.status == ClaimStatus::Superseded && today.first_and_last_day().0 <= day.first_and_last_day().0,
        };
        !over && !self.holds.from.is_some_and(begins_after)
    }
}

impl<D: Door> Session<'_, D> {
    /// What the user decided, as it was when the session first asked.
    pub(crate) fn decisions(&self) -> &Decisions {
        self.decided.get_or_init(|| decide::read_decisions(&self.memora.vault))
    }

    /// What became of a claim, as it stands at one of its places.
    pub(crate) fn claim_state(
        &self,
        claim: &Claim,
        statement: &StoredStatement,
        source: &StoredSource,
    ) -> Result<LifecycleState, ReadError> {
        let mut standing = self.own_claim_state(claim, statement, source)?;
        if standing.status == ClaimStatus::Current && !claim.is_withdrawn() && !self.broken_support(statement)?.is_empty() {
            standing.status = ClaimStatus::Stale;
        }
        Ok(standing)
    }

    /// The same without a look at what it derives from.
    fn own_claim_state(
        &self,
        claim: &Claim,
        statement: &StoredStatement,
        source: &StoredSource,
    ) -> Result<LifecycleState, ReadError> {
        let mut standing = LifecycleState { holds: claim_validity(claim, statement, source), ..LifecycleState::default() };
        if self.decisions().is_retracted(claim.id) {
            standing.status = ClaimStatus::Withdrawn;
            return Ok(standing);
        }
        if let Some(at) = self.decisions().ended_at(claim.id) {
            standing.status = ClaimStatus::Superseded;
            let ended = at.get(..10).and_then(PartialDate::parse);
            standing.holds.until = standing.holds.until.into_iter().chain(ended).min_by_key(|date| date.first_and_last_day());
        }
        let Some((entity, about)) = self.group_key_of(claim, source)? else { return Ok(standing) };
        if !self.may_have_rivals(&entity, &about)? {
            return Ok(standing);
        }
        let group = self.claim_group(&entity, &about)?;
        standing.superseded = group.judged.supersessions_of(claim.id).cloned().collect();
        if !standing.superseded.is_empty() {
            standing.status = ClaimStatus::Superseded;
            let ends = standing.superseded.iter().filter_map(|one| one.until);
            standing.holds.until = ends.chain(standing.holds.until).min_by_key(|date| date.first_and_last_day());
        }
        Ok(standing)
    }

    /// The same for ranking, as far as it costs little: what ends by its verb alone is not told.
    pub(crate) fn ranking_claim_state(
        &self,
        claim: &Claim,
        statement: &StoredStatement,
        source: &StoredSource,
    ) -> Result<LifecycleState, ReadError> {
        let cites = statement.sources.iter().any(|source| !source.cites.is_empty());
        let decided = self.decisions().is_retracted(claim.id) || self.decisions().ended_at(claim.id).is_some();
        if claim.relation.is_some() || cites || decided {
            return self.claim_state(claim, statement, source);
        }
        Ok(LifecycleState { holds: claim_validity(claim, statement, source), ..LifecycleState::default() })
    }

    /// Whether a claim says outright how something is that ages.
    pub(crate) fn is_changeable_state(&self, claim: &Claim, source: &StoredSource) -> bool {
        let relation = claim.relation.as_deref().and_then(|name| self.memora.config.find_relation(name));
        relation.is_some_and(|relation| relation.ages && relation.changes) && told::is_state_claim(claim, source)
    }

    /// What became of a statement, as it stands at one of its places: what is best for any of its readings.
    pub(crate) fn statement_status(&self, statement: &StoredStatement, source: &StoredSource) -> Result<ClaimStatus, ReadError> {
        let mut best = None;
        for claim in &statement.wording.claims {
            let status = self.claim_state(claim, statement, source)?.status;
            best = Some(best.map_or(status, |best| status.min(best)));
        }
        Ok(best.unwrap_or_default())
    }

    /// The group that a claim belongs to; nothing where it can contradict nothing.
    pub(crate) fn group_key_of(&self, claim: &Claim, source: &StoredSource) -> Result<Option<(Entity, ComparisonKey)>, ReadError> {
        let Some(about) = told::comparison_key(claim) else { return Ok(None) };
        Ok(self.subject_entity(claim, source)?.map(|entity| (entity, about)))
    }

    /// The claims of one thing under one relation or verb, judged; each group once in a session.
    pub(crate) fn claim_group(&self, entity: &Entity, about: &ComparisonKey) -> Result<&ClaimGroup, ReadError> {
        let key = (entity.clone(), about.clone());
        if let Some(group) = self.groups.get(&key) {
            return Ok(group);
        }
        let group = self.build_claim_group(entity, about)?;
        Ok(self.groups.insert(key, Box::new(group)))
    }
}

/// On what evidence something was superseded, in words.
pub(crate) fn describe_basis(basis: SupersessionBasis) -> &'static str {
    match basis {
        SupersessionBasis::Decision => "you decided",
        SupersessionBasis::WordsOfChange => "words of change",
        SupersessionBasis::LaterDate => "a later date",
    }
}
