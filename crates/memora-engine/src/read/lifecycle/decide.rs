//! `keep`, `retract`, `restore`: append a line to the vault's `.memora/decisions.jsonl`.

use memora_claim::{Claim, ClaimId, Decision, DecisionKind};
use memora_redact::{Viewer, WireClaim};
use memora_store::ReadError;

use crate::read::authorize::ClaimAuthorizer;
use crate::read::lifecycle::{Lifecycle, LifecycleReports};
use crate::report::{DecidedReport, DecisionReport};
use crate::state::decisions_file::{DecideError, append_decision};
use crate::state::sources::clearest_source;

/// A request to record a decision.
#[derive(Clone, Debug)]
pub struct DecisionRequest {
    /// The decision.
    pub act: DecisionKind,
    /// The claim it is about.
    pub claim: ClaimId,
    /// The other claims. If empty, [`DecisionKind::Keep`] applies to all claims that contradict this one, and despite all broken
    /// support of it.
    pub over: Vec<ClaimId>,
    /// The time, as in [`Decision::at`].
    pub at: String,
}

impl LifecycleReports<'_> {
    /// Records the user's decision about a claim that this door may see.
    ///
    /// A decision about a claim that this door may not know of fails like one about an unknown claim.
    ///
    /// # Errors
    /// [`DecideError`]; nothing was decided then.
    pub(crate) fn decide_claim(&self, deciding: &DecisionRequest) -> Result<DecidedReport, DecideError> {
        let DecisionRequest { act, claim, over, at } = deciding;
        let claim = &self.decidable_id(*claim)?;
        let over = &over.iter().map(|over| self.decidable_id(*over)).collect::<Result<Vec<_>, _>>()?;
        let restores = *act == DecisionKind::Restore && self.session.door.is_local();
        for id in std::iter::once(claim).chain(over) {
            let decided =
                restores && Lifecycle::new(self.session).decisions().decided_statements().contains(&id.statement());
            if !decided && !self.is_known_claim(*id)? {
                let is_gone = Lifecycle::new(self.session).has_history(id.statement())?
                    && self.session.statement(id.statement())?.is_none();
                return Err(if is_gone { DecideError::Gone(*id) } else { DecideError::Unknown(*id) });
            }
        }
        if let Some(same) = over.iter().find(|other| other.statement() == claim.statement()) {
            return Err(DecideError::Itself(*same));
        }
        let all = over.is_empty() && *act == DecisionKind::Keep;
        let (over, despite) = if all {
            (self.conflicting_claim_ids(*claim)?, self.broken_support_ids(*claim)?)
        } else {
            (over.clone(), Vec::new())
        };
        let decision = Decision { at: at.clone(), act: *act, claim: *claim, over, despite, review: None };
        self.record_decision(&decision)?;
        Ok(DecidedReport { decision: DecisionReport::from_decision(&decision), claims: Vec::new() })
    }

    /// The id that a decision about a claim names: the one that it has now, where its sentence is no longer cut or its note was
    /// renamed.
    fn decidable_id(&self, id: ClaimId) -> Result<ClaimId, ReadError> {
        if self.session.statement(id.statement())?.is_some() {
            return self.session.current_id(id);
        }
        let renamed = Lifecycle::new(self.session).find_renamed_statement(id.statement())?;
        Ok(renamed.map_or(id, |statement| statement.id.into()))
    }

    /// Appends a decision to the vault's.
    pub(crate) fn record_decision(&self, decision: &Decision) -> Result<(), DecideError> {
        append_decision(&self.session.memora.vault, decision)
    }

    /// Returns when the user said that a claim no longer holds.
    pub(crate) fn ended_at(&self, id: ClaimId) -> Option<String> {
        Lifecycle::new(self.session).decisions().ended_at(id).map(str::to_owned)
    }

    /// Returns the broken support of a claim: by keeping it, the user says that it holds nevertheless.
    fn broken_support_ids(&self, id: ClaimId) -> Result<Vec<ClaimId>, ReadError> {
        let Some(statement) = self.session.statement(id.statement())? else { return Ok(Vec::new()) };
        Ok(Lifecycle::new(self.session).broken_support(&statement)?.iter().map(|gave_way| gave_way.claim).collect())
    }

    /// Adds the claims that a decision names, as they are now.
    pub(crate) fn decided_claims(&self, decision: &DecisionReport) -> Result<Vec<WireClaim>, ReadError> {
        let mut claims = Vec::new();
        for id in std::iter::once(&decision.claim).chain(&decision.over) {
            let Ok(id) = ClaimId::parse(id) else { continue };
            let Some(statement) = self.session.statement(id.statement())? else { continue };
            for claim in statement.wording.claims.iter().filter(|claim| !id.is_reading() || claim.id == id) {
                let clear = ClaimAuthorizer::new(self.session, Lifecycle::new(self.session))
                    .authorize_claim(claim, &statement)?;
                claims.extend(clear.map(|clear| WireClaim::from_clear(&clear, self.session.memora.vault.name())));
            }
        }
        Ok(claims)
    }

    /// Returns the claims that contradict a claim, or superseded it, as far as this door may know.
    fn conflicting_claim_ids(&self, id: ClaimId) -> Result<Vec<ClaimId>, ReadError> {
        let mut against = Vec::new();
        let Some(statement) = self.session.statement(id.statement())? else { return Ok(against) };
        let Some(source) = clearest_source(&statement) else { return Ok(against) };
        let meant = |claim: &&Claim| !id.is_reading() || claim.id == id;
        for claim in statement.wording.claims.iter().filter(meant) {
            let Some((entity, about)) = Lifecycle::new(self.session).group_key_of(claim, source)? else { continue };
            let judged = &Lifecycle::new(self.session).claim_group(&entity, &about)?.judged;
            let of = |a: ClaimId, b: ClaimId| if a == claim.id { Some(b) } else { (b == claim.id).then_some(a) };
            against.extend(judged.contradictions.iter().filter_map(|found| of(found.one, found.other)));
        }
        against.sort();
        against.dedup();
        Ok(against)
    }
}
