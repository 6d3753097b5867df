//! `stale`: the user's own summaries that rest on claims which no longer hold, with the path to each.

use std::cmp::Reverse;

use memora_claim::ClaimId;
use memora_redact::{ClearClaim, Viewer, WireClaim};
use memora_store::{ReadError, StoredStatement};

use super::{BrokenSupport, describe_basis};
use crate::read::authorize::ClaimAuthorizer;
use crate::read::lifecycle::{Lifecycle, LifecycleReports};
use crate::report::{BreakReason, BrokenSupportReport, Freshness, StaleClaim, StaleReport};
use crate::state::note_kind::is_memory;

/// The maximum number of intermediate sentences listed.
const PATH_SHOWN_MAX: usize = 8;

/// A claim that no longer holds, if it can be re-read; its replacements; and an explanation.
struct ReplacementDetails {
    was: Option<WireClaim>,
    now: Vec<WireClaim>,
    what: String,
}

impl ReplacementDetails {
    fn without_claims(what: &str) -> Self {
        Self { was: None, now: Vec::new(), what: what.to_owned() }
    }
}

impl<'s> LifecycleReports<'s> {
    /// Lists stale sentences, most dependents first; up to `limit`.
    pub(crate) fn list_stale(&self, limit: usize, freshness: Freshness) -> Result<StaleReport, ReadError> {
        let mut stale = Vec::new();
        for (id, _) in self.session.snapshot.facts().citing_statements(self.session.door.strictest_band())? {
            let Some(statement) = self.session.statement(id)? else { continue };
            let Some(claim) = self.authorize_first_claim(&statement)? else { continue };
            if claim.status() != memora_claim::conflict::ClaimStatus::Stale {
                continue;
            }
            // What agents remember is listed apart.
            if is_memory(claim.place().note()) {
                continue;
            }
            let at = (claim.place().note().path().clone(), claim.place().span().start());
            stale.push(((Reverse(Lifecycle::new(self.session).dependent_count(id)?), at), statement, claim));
        }
        stale.sort_by(|(a, ..), (b, ..)| a.cmp(b));
        let more = stale.len() > limit;
        stale.truncate(limit);
        let reported = stale.iter().map(|((weight, _), statement, claim)| {
            Ok(StaleClaim {
                claim: WireClaim::from_clear(claim, self.session.memora.vault.name()),
                dependents: weight.0,
                because: self.broken_support_reports(statement)?,
            })
        });
        let stale = reported.collect::<Result<_, ReadError>>()?;
        Ok(StaleReport { stale, memories: Vec::new(), more, freshness })
    }

    /// Reports the broken support of a statement, with the path to it, as the door shows it.
    pub(crate) fn broken_support_reports(
        &self,
        statement: &StoredStatement,
    ) -> Result<Vec<BrokenSupportReport>, ReadError> {
        Lifecycle::new(self.session)
            .broken_support(statement)?
            .iter()
            .map(|gave_way| self.broken_support_report(gave_way))
            .collect()
    }

    pub(crate) fn broken_support_report(&self, gave_way: &BrokenSupport) -> Result<BrokenSupportReport, ReadError> {
        let BrokenSupport { claim: id, how, by_way_of } = gave_way;
        let ReplacementDetails { was, now, what } = match how {
            BreakReason::Gone if !self.session.door.is_local() => {
                ReplacementDetails::without_claims("it is not in the notes that may be shown here")
            }
            BreakReason::Gone => ReplacementDetails::without_claims(&self.describe_missing(*id)?),
            BreakReason::Withdrawn => ReplacementDetails {
                was: self.load_wire_claim(*id)?,
                ..ReplacementDetails::without_claims("you have taken it back")
            },
            BreakReason::Superseded => self.find_replacement(*id)?,
        };
        let mut by = Vec::new();
        for statement in by_way_of.iter().take(PATH_SHOWN_MAX) {
            by.extend(self.load_wire_claim((*statement).into())?);
        }
        let through = match by_way_of.as_slice() {
            [] => String::new(),
            ways => {
                let named: Vec<String> = ways.iter().take(PATH_SHOWN_MAX).map(ToString::to_string).collect();
                let more = if ways.len() > PATH_SHOWN_MAX {
                    format!(" and {} more", ways.len() - PATH_SHOWN_MAX)
                } else {
                    String::new()
                };
                format!(", by way of {}{more}", named.join(", "))
            }
        };
        Ok(BrokenSupportReport {
            claim: id.to_string(),
            how: *how,
            explanation: format!("it rests on {id}{through}; {what}"),
            was,
            now,
            by_way_of: by,
        })
    }

    /// Describes a claim that no longer exists; only called at the local door.
    fn describe_missing(&self, id: ClaimId) -> Result<String, ReadError> {
        let former = Lifecycle::new(self.session).former_places(id.statement())?;
        Ok(match former.first() {
            Some(row) => format!("its words, formerly in {}, stand there no longer as they did", row.note),
            None if Lifecycle::new(self.session).has_history(id.statement())? => {
                "its words stand in the notes no longer".to_owned()
            }
            None => "no sentence of the notes has this id".to_owned(),
        })
    }

    fn find_replacement(&self, id: ClaimId) -> Result<ReplacementDetails, ReadError> {
        let mut replaced = ReplacementDetails::without_claims("it was superseded");
        let Some(statement) = self.session.statement(id.statement())? else { return Ok(replaced) };
        let Ok((_, source)) = self.session.recheck_any(&statement) else { return Ok(replaced) };
        for claim in statement.wording.claims.iter().filter(|claim| !id.is_reading() || claim.id == id) {
            let state = Lifecycle::new(self.session).claim_state(claim, &statement, &source)?;
            for by in &state.superseded {
                let until = by.until.map(|until| format!(" on {until}")).unwrap_or_default();
                replaced.what = format!("it was superseded{until} by {}: {}", by.newer, describe_basis(by.basis));
                if replaced.was.is_none() {
                    replaced.was = self.load_wire_claim(claim.id)?;
                }
                let known = |one: &WireClaim| replaced.now.iter().any(|known| known.id() == one.id());
                let newer = self.load_wire_claim(by.newer)?.filter(|one| !known(one));
                replaced.now.extend(newer);
            }
        }
        Ok(replaced)
    }

    /// Returns a claim by its id, if it can be re-read and this door may see it; for a statement's id the first claim.
    pub(crate) fn load_wire_claim(&self, id: ClaimId) -> Result<Option<WireClaim>, ReadError> {
        let Some(statement) = self.session.statement(id.statement())? else { return Ok(None) };
        let claims = &statement.wording.claims;
        let claim = claims.iter().find(|claim| claim.id == id).or_else(|| claims.first());
        let clear = claim
            .map(|claim| {
                ClaimAuthorizer::new(self.session, Lifecycle::new(self.session)).authorize_claim(claim, &statement)
            })
            .transpose()?
            .flatten();
        Ok(clear.map(|claim| WireClaim::from_clear(&claim, self.session.memora.vault.name())))
    }

    /// Authorizes the first claim of a statement, if it can be re-read and this door may see it.
    pub(crate) fn authorize_first_claim(
        &self,
        statement: &StoredStatement,
    ) -> Result<Option<ClearClaim<'s>>, ReadError> {
        let first = statement
            .wording
            .claims
            .first()
            .map(|claim| {
                ClaimAuthorizer::new(self.session, Lifecycle::new(self.session)).authorize_claim(claim, statement)
            })
            .transpose()?;
        Ok(first.flatten())
    }
}
