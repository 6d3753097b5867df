//! The lifecycle of claims: which still hold, which were superseded, by what, and on what evidence.
//!
//! Invariant: **nothing of this is stored.** Whether two claims are about one entity depends on the whole vault, on the
//! user's decisions and on the door, so it is computed at read time, from small keyed tables, over what the door may
//! see and no more. An incrementally built index gives the same results as a fresh one, and an edit costs no more in a
//! large vault.
//!
//! `memora_claim::conflict` compares claims. This module decides which entity they are about, and which of them can be
//! re-read.

mod against;
pub(crate) mod cache;
mod changes;
mod comparable;
mod contradictions;
mod decide;
mod explain;
mod group;
mod provenance;
mod stale;
mod state;
pub(crate) mod succession;
#[cfg(test)]
mod succession_tests;

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use memora_claim::conflict::{ClaimStatus, SupersessionBasis};
use memora_claim::{Claim, Decisions};
use memora_store::{ReadError, StoredSource, StoredStatement};
use memora_vault::PartialDate;

use crate::read::entity::Entity;
use crate::read::lifecycle::cache::{LifecycleCache, SupportCache};
use crate::state::decisions_file::read_decisions;
use crate::state::session::Session;
use crate::state::sources::claim_validity;

pub use changes::ChangesRequest;
pub(crate) use changes::{is_archived, is_formula, is_imported, letters_of};
pub(crate) use contradictions::ContradictionPair;
pub use decide::DecisionRequest;
pub(crate) use state::{BrokenSupport, CitedState, ClaimGroup, ComparisonKey, LifecycleState};

/// The lifecycle of claims, for one session.
pub(crate) struct Lifecycle<'s> {
    session: &'s Session<'s>,
    cache: &'s LifecycleCache,
    support: &'s SupportCache,
    /// Whether the journal counts, which knows what was renamed.
    uses_journal: bool,
}

impl<'s> Lifecycle<'s> {
    pub(crate) fn new(session: &'s Session<'s>) -> Self {
        let cache: &LifecycleCache = session.caches.of();
        Self { session, cache, support: &cache.support, uses_journal: true }
    }

    /// The lifecycle that follows from the vault alone, without what only watching can know; with a cache of
    /// its own for the support of statements.
    pub(crate) fn without_journal(session: &'s Session<'s>, support: &'s SupportCache) -> Self {
        Self { session, cache: session.caches.of(), support, uses_journal: false }
    }

    /// Returns a number that changes with the index and with the user's decisions.
    pub(crate) fn state_mark(&self) -> u64 {
        let mut mark = DefaultHasher::new();
        self.session.snapshot.sequence().hash(&mut mark);
        let decisions = self.decisions();
        decisions.all_by_time().iter().for_each(|made| made.to_string().hash(&mut mark));
        decisions.about_memories().iter().for_each(|made| made.to_string().hash(&mut mark));
        mark.finish()
    }

    /// Returns the user's decisions, as of the session's first access.
    pub(crate) fn decisions(&self) -> &'s Decisions {
        self.cache.decisions.get_or_init(|| read_decisions(&self.session.memora.vault))
    }

    /// Returns the state of a claim, at one of its places.
    pub(crate) fn claim_state(
        &self,
        claim: &Claim,
        statement: &StoredStatement,
        source: &StoredSource,
    ) -> Result<LifecycleState, ReadError> {
        let mut state = self.own_claim_state(claim, statement, source)?;
        if state.status == ClaimStatus::Current && !claim.is_withdrawn() && !self.broken_support(statement)?.is_empty()
        {
            state.status = ClaimStatus::Stale;
        }
        Ok(state)
    }

    /// What a claim says of itself and the user decided of it, without a look at other claims: nothing is read for it.
    pub(crate) fn stated_claim_state(
        &self,
        claim: &Claim,
        statement: &StoredStatement,
        source: &StoredSource,
    ) -> LifecycleState {
        let mut state = LifecycleState { holds: claim_validity(claim, statement, source), ..LifecycleState::default() };
        if self.decisions().is_retracted(claim.id) {
            state.status = ClaimStatus::Withdrawn;
        } else if let Some(at) = self.decisions().ended_at(claim.id) {
            state.status = ClaimStatus::Superseded;
            let ended = at.get(..10).and_then(PartialDate::parse);
            state.holds.until = state.holds.until.into_iter().chain(ended).min_by_key(|date| date.first_and_last_day());
        }
        state
    }

    /// Like `claim_state`, regardless of the claim's support.
    fn own_claim_state(
        &self,
        claim: &Claim,
        statement: &StoredStatement,
        source: &StoredSource,
    ) -> Result<LifecycleState, ReadError> {
        let mut state = self.stated_claim_state(claim, statement, source);
        if state.status == ClaimStatus::Withdrawn {
            return Ok(state);
        }
        let Some((entity, about)) = self.group_key_of(claim, source)? else { return Ok(state) };
        if !self.may_have_rivals(&entity, &about)? {
            return Ok(state);
        }
        let group = self.claim_group(&entity, &about)?;
        state.superseded = group.judged.supersessions_of(claim.id).cloned().collect();
        if !state.superseded.is_empty() {
            state.status = ClaimStatus::Superseded;
            let ends = state.superseded.iter().filter_map(|one| one.until);
            state.holds.until = ends.chain(state.holds.until).min_by_key(|date| date.first_and_last_day());
        }
        Ok(state)
    }

    /// Like `claim_state`, but cheap enough for ranking: ignores endings by a verb alone.
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

    /// Returns whether a claim directly asserts a state that can change and age.
    pub(crate) fn is_changeable_state(&self, claim: &Claim, source: &StoredSource) -> bool {
        let relation = claim.relation.as_deref().and_then(|name| self.session.memora.config.find_relation(name));
        relation.is_some_and(|relation| relation.ages && relation.changes) && comparable::is_state_claim(claim, source)
    }

    /// Returns the status of a statement at one of its places: the best of its readings.
    pub(crate) fn statement_status(
        &self,
        statement: &StoredStatement,
        source: &StoredSource,
    ) -> Result<ClaimStatus, ReadError> {
        let mut best = None;
        for claim in &statement.wording.claims {
            let status = self.claim_state(claim, statement, source)?.status;
            best = Some(best.map_or(status, |best| status.min(best)));
        }
        Ok(best.unwrap_or_default())
    }

    /// Returns the key of the group that a claim belongs to; `None` if it cannot contradict anything.
    pub(crate) fn group_key_of(
        &self,
        claim: &Claim,
        source: &StoredSource,
    ) -> Result<Option<(Entity, ComparisonKey)>, ReadError> {
        let Some(about) = comparable::comparison_key(claim) else { return Ok(None) };
        Ok(self.subject_entity(claim, source)?.map(|entity| (entity, about)))
    }

    /// Returns the group of claims about one entity under one relation or verb, cached for the session.
    pub(crate) fn claim_group(&self, entity: &Entity, about: &ComparisonKey) -> Result<&'s ClaimGroup, ReadError> {
        let key = (entity.clone(), about.clone());
        if let Some(group) = self.cache.groups.get(&key) {
            return Ok(group);
        }
        let group = self.build_claim_group(entity, about)?;
        Ok(self.cache.groups.insert(key, Box::new(group)))
    }
}

/// The reports of contradictions and stale claims, and the decisions about them, for one session.
pub struct LifecycleReports<'s> {
    session: &'s Session<'s>,
}

impl<'s> LifecycleReports<'s> {
    pub(crate) fn new(session: &'s Session<'s>) -> Self {
        Self { session }
    }
}

/// Describes the evidence of a supersession.
pub(crate) fn describe_basis(basis: SupersessionBasis) -> &'static str {
    match basis {
        SupersessionBasis::Decision => "you decided",
        SupersessionBasis::WordsOfChange => "words of change",
        SupersessionBasis::LaterDate => "a later date",
    }
}
