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

use memora_claim::held::{Basis, Judged, Status, Supersession};
use memora_claim::{Claim, ClaimId, Decisions, Phase, Validity};
use memora_redact::Door;
use memora_store::{ReadError, StoredSource, StoredStatement};
use memora_vault::PartialDate;

use crate::entity::Entity;
use crate::session::{Session, validity};

pub(crate) use contradictions::Pair;
pub use decide::{DecideError, Deciding};
pub(crate) use derived::{Fate, GaveWay};

/// What claims of one thing are compared under.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum About {
    /// A canonical relation.
    Relation(String),
    /// A verb, where there is no relation: only yes and no of the same can be compared.
    Verb(String),
}

/// Claims of one thing under one relation or verb, and what they are to each other.
#[derive(Default)]
pub(crate) struct Group {
    pub(crate) judged: Judged,
    /// By what was judged: which statement, and whom it is about.
    pub(crate) members: BTreeMap<ClaimId, StoredStatement>,
}

/// What became of one claim, as far as a door may know.
#[derive(Clone, Default)]
pub(crate) struct Standing {
    pub(crate) status: Status,
    /// When it holds, by its words, its note, and by what replaced it.
    pub(crate) holds: Validity,
    pub(crate) superseded: Vec<Supersession>,
}

impl Standing {
    /// Whether it can be the case on a day: unknown is unknown, and may.
    pub(crate) fn may_hold(&self, claim: &Claim, day: PartialDate, today: PartialDate) -> bool {
        let begins_after = |from: PartialDate| from.bounds().0 > day.bounds().1;
        let ended_before = |until: PartialDate| until.bounds().1 < day.bounds().0;
        if self.status == Status::Withdrawn {
            return false;
        }
        if claim.phase == Phase::Ended {
            // "X no longer owns Y" is not so before the end that it tells of.
            return !self.holds.until.is_some_and(begins_after);
        }
        let over = match self.holds.until {
            Some(until) => ended_before(until),
            None => self.status == Status::Superseded && today.bounds().0 <= day.bounds().0,
        };
        !over && !self.holds.from.is_some_and(begins_after)
    }
}

impl<D: Door> Session<'_, D> {
    /// What the user decided, as it was when the session first asked.
    pub(crate) fn decisions(&self) -> &Decisions {
        self.decided.get_or_init(|| decide::read(&self.memora.vault))
    }

    /// What became of a claim, as it stands at one of its places.
    pub(crate) fn standing(
        &self,
        claim: &Claim,
        statement: &StoredStatement,
        source: &StoredSource,
    ) -> Result<Standing, ReadError> {
        let mut standing = self.standing_by_itself(claim, statement, source)?;
        if standing.status == Status::Current && !claim.is_taken_back() && !self.gave_way(statement)?.is_empty() {
            standing.status = Status::Stale;
        }
        Ok(standing)
    }

    /// The same without a look at what it derives from.
    fn standing_by_itself(
        &self,
        claim: &Claim,
        statement: &StoredStatement,
        source: &StoredSource,
    ) -> Result<Standing, ReadError> {
        let mut standing = Standing { holds: validity(claim, statement, source), ..Standing::default() };
        if self.decisions().is_retracted(claim.id) {
            standing.status = Status::Withdrawn;
            return Ok(standing);
        }
        if let Some(at) = self.decisions().ended(claim.id) {
            standing.status = Status::Superseded;
            let ended = at.get(..10).and_then(PartialDate::parse);
            standing.holds.until = standing.holds.until.into_iter().chain(ended).min_by_key(|date| date.bounds());
        }
        let Some((entity, about)) = self.group_of(claim, source)? else { return Ok(standing) };
        if !self.has_rivals(&entity, &about)? {
            return Ok(standing);
        }
        let group = self.group(&entity, &about)?;
        standing.superseded = group.judged.superseding(claim.id).cloned().collect();
        if !standing.superseded.is_empty() {
            standing.status = Status::Superseded;
            let ends = standing.superseded.iter().filter_map(|one| one.until);
            standing.holds.until = ends.chain(standing.holds.until).min_by_key(|date| date.bounds());
        }
        Ok(standing)
    }

    /// The same for ranking, as far as it costs little: what ends by its verb alone is not told.
    pub(crate) fn standing_by_relation(
        &self,
        claim: &Claim,
        statement: &StoredStatement,
        source: &StoredSource,
    ) -> Result<Standing, ReadError> {
        let cites = statement.sources.iter().any(|source| !source.cites.is_empty());
        let decided = self.decisions().is_retracted(claim.id) || self.decisions().ended(claim.id).is_some();
        if claim.relation.is_some() || cites || decided {
            return self.standing(claim, statement, source);
        }
        Ok(Standing { holds: validity(claim, statement, source), ..Standing::default() })
    }

    /// Whether a claim says outright how something is that ages.
    pub(crate) fn tells_a_state(&self, claim: &Claim, source: &StoredSource) -> bool {
        let relation = claim.relation.as_deref().and_then(|name| self.memora.config.relation(name));
        relation.is_some_and(|relation| relation.ages && relation.changes) && told::tells_a_state(claim, source)
    }

    /// What became of a statement, as it stands at one of its places: what is best for any of its readings.
    pub(crate) fn status_of(&self, statement: &StoredStatement, source: &StoredSource) -> Result<Status, ReadError> {
        let mut best = None;
        for claim in &statement.wording.claims {
            let status = self.standing(claim, statement, source)?.status;
            best = Some(best.map_or(status, |best| status.min(best)));
        }
        Ok(best.unwrap_or_default())
    }

    /// The group that a claim belongs to; nothing where it can contradict nothing.
    pub(crate) fn group_of(&self, claim: &Claim, source: &StoredSource) -> Result<Option<(Entity, About)>, ReadError> {
        let Some(about) = told::about(claim) else { return Ok(None) };
        Ok(self.thing(claim, source)?.map(|entity| (entity, about)))
    }

    /// The claims of one thing under one relation or verb, judged; each group once in a session.
    pub(crate) fn group(&self, entity: &Entity, about: &About) -> Result<&Group, ReadError> {
        let key = (entity.clone(), about.clone());
        if let Some(group) = self.groups.get(&key) {
            return Ok(group);
        }
        let group = self.make_group(entity, about)?;
        Ok(self.groups.insert(key, Box::new(group)))
    }
}

/// On what evidence something was superseded, in words.
pub(crate) fn in_words(basis: Basis) -> &'static str {
    match basis {
        Basis::Decision => "you decided",
        Basis::WordsOfChange => "words of change",
        Basis::LaterDate => "a later date",
    }
}
