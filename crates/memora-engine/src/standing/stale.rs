//! `stale`: which of the user's own summaries rest on what no longer holds, and by which way.

use std::cmp::Reverse;

use memora_claim::ClaimId;
use memora_redact::{ClearClaim, Door, WireClaim};
use memora_store::{ReadError, StoredStatement};

use super::derived::GaveWay;
use super::in_words;
use crate::session::Session;
use crate::wire::{BreakReason, Freshness, GroundReport, StaleClaim, StaleReport};

/// How many sentences between two are told.
const WAY_MAX: usize = 8;

/// What no longer holds, as far as it still stands; what holds instead; and how that came.
struct Replaced<D> {
    was: Option<WireClaim<D>>,
    now: Vec<WireClaim<D>>,
    what: String,
}

impl<D> Replaced<D> {
    fn nothing(what: &str) -> Self {
        Self { was: None, now: Vec::new(), what: what.to_owned() }
    }
}

impl<D: Door> Session<'_, D> {
    /// Lists what is stale, that first on which most rests; as much as `limit`.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn stale(&self, limit: usize, freshness: Freshness) -> Result<StaleReport<D>, ReadError> {
        let mut stale = Vec::new();
        for (id, _) in self.snapshot.citing(self.door.strictest())? {
            let Some(statement) = self.statement(id)? else { continue };
            let Some(claim) = self.first_clear(&statement)? else { continue };
            if claim.status() != memora_claim::held::Status::Stale {
                continue;
            }
            let at = (claim.place().note().path().clone(), claim.place().span().start());
            stale.push(((Reverse(self.weight(id)?), at), statement, claim));
        }
        stale.sort_by(|(a, ..), (b, ..)| a.cmp(b));
        let more = stale.len() > limit;
        stale.truncate(limit);
        let reported = stale.iter().map(|((weight, _), statement, claim)| {
            Ok(StaleClaim {
                claim: WireClaim::clear(claim, self.memora.vault.name()),
                dependents: weight.0,
                because: self.grounds(statement)?,
            })
        });
        let stale = reported.collect::<Result<_, ReadError>>()?;
        Ok(StaleReport { stale, more, freshness })
    }

    /// What a statement rests on that no longer holds, with the way there, as a door shows it.
    pub(crate) fn grounds(&self, statement: &StoredStatement) -> Result<Vec<GroundReport<D>>, ReadError> {
        self.gave_way(statement)?.iter().map(|gave_way| self.ground(gave_way)).collect()
    }

    fn ground(&self, gave_way: &GaveWay) -> Result<GroundReport<D>, ReadError> {
        let GaveWay { claim: id, how, by_way_of } = gave_way;
        let Replaced { was, now, what } = match how {
            BreakReason::Gone => Replaced::nothing(&self.whereabouts(*id)?),
            BreakReason::Withdrawn => {
                Replaced { was: self.claim_shown(*id)?, ..Replaced::nothing("you have taken it back") }
            }
            BreakReason::Superseded => self.replaced(*id)?,
        };
        let mut by = Vec::new();
        for statement in by_way_of.iter().take(WAY_MAX) {
            by.extend(self.claim_shown((*statement).into())?);
        }
        let through = match by_way_of.as_slice() {
            [] => String::new(),
            ways => {
                let named: Vec<String> = ways.iter().take(WAY_MAX).map(ToString::to_string).collect();
                let more =
                    if ways.len() > WAY_MAX { format!(" and {} more", ways.len() - WAY_MAX) } else { String::new() };
                format!(", by way of {}{more}", named.join(", "))
            }
        };
        Ok(GroundReport {
            claim: id.to_string(),
            how: *how,
            explanation: format!("it rests on {id}{through}: {what}"),
            was,
            now,
            by_way_of: by,
        })
    }

    /// What is known of words that no claim has any more; at the local door alone.
    fn whereabouts(&self, id: ClaimId) -> Result<String, ReadError> {
        let former = self.former(id.statement())?;
        Ok(match former.first() {
            Some(row) => format!("its words, formerly in {}, stand there no longer as they did", row.note),
            None if self.was_there(id.statement())? => "its words stand in the notes no longer".to_owned(),
            None => "no sentence of the notes has this id".to_owned(),
        })
    }

    fn replaced(&self, id: ClaimId) -> Result<Replaced<D>, ReadError> {
        let mut replaced = Replaced::nothing("it was superseded");
        let Some(statement) = self.statement(id.statement())? else { return Ok(replaced) };
        let Ok((_, source)) = self.stands(&statement) else { return Ok(replaced) };
        for claim in statement.wording.claims.iter().filter(|claim| !id.is_reading() || claim.id == id) {
            let standing = self.standing(claim, &statement, &source)?;
            for by in &standing.superseded {
                let until = by.until.map(|until| format!(" on {until}")).unwrap_or_default();
                replaced.what = format!("it was superseded{until} by {}: {}", by.newer, in_words(by.basis));
                if replaced.was.is_none() {
                    replaced.was = self.claim_shown(claim.id)?;
                }
                let known = |one: &WireClaim<D>| replaced.now.iter().any(|known| known.id() == one.id());
                let newer = self.claim_shown(by.newer)?.filter(|one| !known(one));
                replaced.now.extend(newer);
            }
        }
        Ok(replaced)
    }

    /// A claim by its id, if it stands and this door may see it; of a statement its first.
    pub(crate) fn claim_shown(&self, id: ClaimId) -> Result<Option<WireClaim<D>>, ReadError> {
        let Some(statement) = self.statement(id.statement())? else { return Ok(None) };
        let claims = &statement.wording.claims;
        let claim = claims.iter().find(|claim| claim.id == id).or_else(|| claims.first());
        let clear = claim.map(|claim| self.clear(claim, &statement)).transpose()?.flatten();
        Ok(clear.map(|claim| WireClaim::clear(&claim, self.memora.vault.name())))
    }

    /// The first claim of a statement, if that stands and this door may see it.
    pub(crate) fn first_clear(&self, statement: &StoredStatement) -> Result<Option<ClearClaim<'_, D>>, ReadError> {
        let first = statement.wording.claims.first().map(|claim| self.clear(claim, statement)).transpose()?;
        Ok(first.flatten())
    }
}
