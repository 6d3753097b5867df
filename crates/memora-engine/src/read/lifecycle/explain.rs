//! Edges between claims, and decisions about them, for `why`.

use std::collections::{BTreeMap, BTreeSet};

use memora_claim::conflict::{Conflicts, SupersessionBasis};
use memora_claim::{Claim, ClaimId, Decision, StatementId};
use memora_redact::{Viewer, WireClaim};
use memora_store::{ReadError, StoredStatement};

use super::provenance::cited_claims;
use crate::read::lifecycle::{Lifecycle, LifecycleReports};
use crate::report::{ContestedClaim, DecisionReport, EdgeDirection, EdgeLabel, EdgeReport, Passage};
use crate::state::sources::clearest_source;

/// The maximum number of citing sentences listed.
const DEPENDENTS_MAX: usize = 50;

/// An edge whose other end is not yet re-read.
struct UnreadEdge {
    kind: EdgeLabel,
    direction: EdgeDirection,
    to: ClaimId,
    basis: Option<SupersessionBasis>,
    told_by: Option<ClaimId>,
}

impl LifecycleReports<'_> {
    /// Returns the edges of some readings of a statement, as far as the door may see their other ends.
    pub(crate) fn claim_edges(
        &self,
        statement: &StoredStatement,
        claims: &[&Claim],
    ) -> Result<Vec<EdgeReport>, ReadError> {
        let mut found: Vec<EdgeReport> = Vec::new();
        found.extend(self.derivation_edges(statement, claims)?);
        for claim in claims {
            let Some(source) = clearest_source(statement) else { continue };
            let Some((entity, about)) = Lifecycle::new(self.session).group_key_of(claim, source)? else { continue };
            let group = Lifecycle::new(self.session).claim_group(&entity, &about)?;
            for edge in collect_conflict_edges(&group.judged, claim.id) {
                let Some(other) = self.authorize_member(group, edge.to)? else { continue };
                found.push(EdgeReport {
                    claim: claim.id.to_string(),
                    kind: edge.kind,
                    direction: edge.direction,
                    basis: edge.basis,
                    told_by: edge.told_by.map(|id| id.to_string()),
                    other: WireClaim::from_clear(&other, self.session.memora.vault.name()),
                });
            }
        }
        Ok(found)
    }

    /// Returns the claims that an open contradiction sets against any reading of a claim's statement, as far as the door may
    /// see them.
    pub(crate) fn open_rivals(&self, id: ClaimId) -> Result<Vec<WireClaim>, ReadError> {
        let mut found: BTreeMap<ClaimId, WireClaim> = BTreeMap::new();
        let Some(statement) = self.session.statement(id.statement())? else { return Ok(Vec::new()) };
        let Some(source) = clearest_source(&statement) else { return Ok(Vec::new()) };
        for claim in &statement.wording.claims {
            let Some((entity, about)) = Lifecycle::new(self.session).group_key_of(claim, source)? else { continue };
            let group = Lifecycle::new(self.session).claim_group(&entity, &about)?;
            let edges = collect_conflict_edges(&group.judged, claim.id).into_iter();
            for edge in edges.filter(|edge| edge.kind == EdgeLabel::Contradicts && edge.basis.is_none()) {
                if let Some(other) = self.authorize_member(group, edge.to)? {
                    found.insert(edge.to, WireClaim::from_clear(&other, self.session.memora.vault.name()));
                }
            }
        }
        Ok(found.into_values().collect())
    }

    /// Returns what open contradictions set against claims that this door shows, and what newer lines among these or `near` them say otherwise.
    pub(crate) fn contest_claims(
        &self,
        claims: &[WireClaim],
        near: &[Passage],
    ) -> Result<Vec<ContestedClaim>, ReadError> {
        let mut contested = Vec::new();
        for claim in claims {
            let Ok(id) = ClaimId::parse(claim.id()) else { continue };
            let rivals = self.open_rivals(id)?.into_iter();
            contested.extend(rivals.map(|against| ContestedClaim { claim: claim.id().to_owned(), against }));
        }
        for (older, newer) in self.overtaken_claims(claims, near)? {
            let claim = older.to_string();
            let is_same =
                |known: &WireClaim| ClaimId::parse(known.id()).is_ok_and(|id| id.statement() == newer.statement());
            let is_known = contested.iter().any(|known| known.claim == claim && is_same(&known.against));
            if is_known || !claims.iter().any(|shown| shown.id() == claim) {
                continue;
            }
            let against = match claims.iter().find(|shown| is_same(shown)) {
                Some(shown) => Some(shown.clone()),
                None => self.load_wire_claim(newer)?,
            };
            contested.extend(against.map(|against| ContestedClaim { claim, against }));
        }
        Ok(contested)
    }

    /// Returns the claims that a statement cites, and those that cite it.
    fn derivation_edges(&self, statement: &StoredStatement, claims: &[&Claim]) -> Result<Vec<EdgeReport>, ReadError> {
        let Some(claim) = claims.first() else { return Ok(Vec::new()) };
        let of = |direction, other| EdgeReport {
            claim: claim.id.to_string(),
            kind: EdgeLabel::Derives,
            direction,
            basis: None,
            told_by: None,
            other,
        };
        let mut found = Vec::new();
        for id in cited_claims(statement) {
            found.extend(self.load_wire_claim(id)?.map(|other| of(EdgeDirection::To, other)));
        }
        for id in
            Lifecycle::new(self.session).dependents()?.get(&statement.id).into_iter().flatten().take(DEPENDENTS_MAX)
        {
            found.extend(self.load_wire_claim((*id).into())?.map(|other| of(EdgeDirection::From, other)));
        }
        Ok(found)
    }

    /// Returns the decisions about a statement, without ids that this door may not know.
    pub(crate) fn decisions_about(&self, id: StatementId) -> Result<Vec<DecisionReport>, ReadError> {
        let mut found = Vec::new();
        for made in Lifecycle::new(self.session).decisions().decisions_about(id) {
            found.extend(self.visible_decision(made)?);
        }
        Ok(found)
    }

    /// Returns a decision without ids that this door may not know; `None` if its main claim is one.
    pub(crate) fn visible_decision(&self, made: &Decision) -> Result<Option<DecisionReport>, ReadError> {
        let mut known = BTreeSet::new();
        for id in made.named_claims() {
            if self.session.door.is_local() || self.is_known_claim(*id)? {
                known.insert(*id);
            }
        }
        let only = |ids: &[ClaimId]| ids.iter().copied().filter(|id| known.contains(id)).collect();
        let seen = Decision { over: only(&made.over), despite: only(&made.despite), ..made.clone() };
        Ok(known.contains(&made.claim).then(|| DecisionReport::from_decision(&seen)))
    }

    /// Returns whether a claim can be re-read now and this door may see it.
    pub(crate) fn is_known_claim(&self, id: ClaimId) -> Result<bool, ReadError> {
        let Some(statement) = self.session.statement(id.statement())? else { return Ok(false) };
        let read = !id.is_reading() || statement.wording.claims.iter().any(|claim| claim.id == id);
        Ok(read && self.session.recheck_any(&statement).is_ok())
    }
}

fn collect_conflict_edges(judged: &Conflicts, id: ClaimId) -> Vec<UnreadEdge> {
    let mut found = Vec::new();
    for one in &judged.superseded {
        let (direction, to) = match id {
            id if id == one.older => (EdgeDirection::From, one.newer),
            id if id == one.newer => (EdgeDirection::To, one.older),
            _ => continue,
        };
        found.push(UnreadEdge {
            kind: EdgeLabel::Supersedes,
            direction,
            to,
            basis: Some(one.basis),
            told_by: one.told_by,
        });
    }
    for one in &judged.contradictions {
        let to = match id {
            id if id == one.one => one.other,
            id if id == one.other => one.one,
            _ => continue,
        };
        let basis = one.resolved;
        found.push(UnreadEdge { kind: EdgeLabel::Contradicts, direction: EdgeDirection::To, to, basis, told_by: None });
    }
    for one in &judged.entailed {
        let (direction, to) = match id {
            id if id == one.from => (EdgeDirection::To, one.to),
            id if id == one.to && !one.same => (EdgeDirection::From, one.from),
            _ => continue,
        };
        found.push(UnreadEdge {
            kind: if one.same { EdgeLabel::Corroborates } else { EdgeLabel::Entails },
            direction,
            to,
            basis: None,
            told_by: None,
        });
    }
    found
}
