//! Listing of an entity's claims, and their chronological order.

use std::collections::{HashMap, HashSet};

use memora_claim::time::Period;
use memora_claim::{Claim, ClaimId, Phase, StatementId, StatementKind};
use memora_redact::{ClaimAccess, Viewer, WireClaim};
use memora_store::{NamedPlace, ReadError, StoredSource, StoredStatement};
use memora_vault::{NotePath, PartialDate};

use super::entity_names::EntityNames;
use crate::read::authorize::ClaimAuthorizer;
use crate::read::entity::EntityReports;
use crate::read::lifecycle::Lifecycle;
use crate::read::search::ClaimSearch;
use crate::read::search::time_filter::is_mostly_links;
use crate::report::ClaimDays;
use crate::state::sources::claim_validity;

/// The maximum number of places scanned; listing stops earlier, once there are enough claims.
pub(super) const PLACES_SCANNED_MAX: usize = 65_536;

/// The number of statements loaded at once.
pub(super) const STATEMENTS_PER_CHUNK: usize = 64;

/// A function that selects the claims of a statement at a place.
type ClaimSelector<'w> = &'w dyn for<'s> Fn(&'s StoredStatement, &'s StoredSource) -> Vec<&'s Claim>;

/// A list of claims to report, without duplicates.
pub(super) struct ClaimListing {
    pub(super) limit: usize,
    /// Whether only dated claims are listed.
    dated: bool,
    seen: HashSet<ClaimId>,
    pub(super) more: bool,
    pub(super) claims: Vec<WireClaim>,
    /// For each claim the days of its place, if the claim has no time itself.
    placed: Vec<Option<Period>>,
}

impl ClaimListing {
    pub(super) fn with_limit(limit: usize) -> Self {
        let seen = HashSet::new();
        Self { limit, dated: false, seen, more: false, claims: Vec::new(), placed: Vec::new() }
    }

    /// Creates a listing of dated claims only.
    pub(super) fn dated_with_limit(limit: usize) -> Self {
        Self { dated: true, ..Self::with_limit(limit) }
    }
}

impl EntityReports<'_> {
    pub(super) fn list_subject_claims(&self, called: &EntityNames, listed: &mut ClaimListing) -> Result<(), ReadError> {
        let places = self.entities().places_about(called, PLACES_SCANNED_MAX)?;
        self.list_claims_at(&places, listed, &|_, source| {
            source.wording.claims.iter().filter(|claim| called.is_subject_of(claim, source)).collect()
        })
    }

    pub(super) fn list_mentioning_claims(
        &self,
        called: &EntityNames,
        listed: &mut ClaimListing,
    ) -> Result<(), ReadError> {
        let mut shown: HashMap<(&NotePath, u32), Vec<&str>> = HashMap::new();
        for link in &called.links {
            shown.entry((&link.place.note, link.place.ordinal)).or_default().push(&link.shown);
        }
        let places = self.entities().places_mentioning(called, PLACES_SCANNED_MAX)?;
        self.list_claims_at(&places, listed, &|_, source| {
            let claims = &source.wording.claims;
            let links = shown.get(&(&source.row.note, source.ordinal)).map(Vec::as_slice).unwrap_or_default();
            let says = |claim: &&Claim| {
                called.is_object_of(claim, source) || links.iter().any(|words| claim.object.contains(*words))
            };
            let mut said: Vec<&Claim> = claims.iter().filter(says).collect();
            if said.is_empty() && !links.is_empty() {
                // The link is in the subject or the predicate, which all claims share.
                said.extend(claims.first());
            }
            said
        })
    }

    /// Lists statements that mention the name and are not listed yet, by the reading with the name, else the first.
    pub(super) fn list_mentioning_statements(
        &self,
        called: &EntityNames,
        saying: &[StoredStatement],
        listed: &mut ClaimListing,
    ) -> Result<(), ReadError> {
        for statement in saying {
            if statement.wording.claims.iter().any(|claim| listed.seen.contains(&claim.id)) {
                continue;
            }
            for source in &statement.sources {
                if !self.authors.include(source.note.captured) {
                    continue;
                }
                let claims = &source.wording.claims;
                let says = |claim: &&Claim| {
                    let subject = claim.subject.as_deref().unwrap_or_default();
                    let text = format!("{subject} {} {}", claim.predicate, claim.object);
                    called.spelled.iter().any(|name| name.matches_in(&text))
                };
                // A question has no claims, and is not listed.
                let Some(said) = claims.iter().find(says).or(claims.first()) else { continue };
                let before = listed.claims.len();
                if !self.list_source_claims(statement, source, &[said], listed)? {
                    return Ok(());
                }
                if listed.claims.len() > before {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Re-reads and authorizes the selected claims of each place, until there are enough.
    fn list_claims_at(
        &self,
        places: &[NamedPlace],
        listed: &mut ClaimListing,
        wanted: ClaimSelector<'_>,
    ) -> Result<(), ReadError> {
        for chunk in places.chunks(STATEMENTS_PER_CHUNK) {
            let mut ids: Vec<StatementId> = chunk.iter().map(|place| place.statement).collect();
            ids.sort();
            ids.dedup();
            let loaded = self.session.snapshot.statements(&ids)?.into_iter().filter_map(|statement| {
                let seen = statement.retain_sources(|source| self.session.door.may_show(source.row.band))?;
                Some((seen.id, seen))
            });
            let loaded: HashMap<StatementId, StoredStatement> = loaded.collect();
            for place in chunk {
                let Some(statement) = loaded.get(&place.statement) else { continue };
                let at = |source: &&StoredSource| source.row.note == place.note && source.ordinal == place.ordinal;
                let Some(source) = statement.sources.iter().find(at) else { continue };
                if !self.authors.include(source.note.captured) {
                    continue;
                }
                if !self.list_source_claims(statement, source, &wanted(statement, source), listed)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Lists claims of one place; returns `false` once there are enough.
    fn list_source_claims(
        &self,
        statement: &StoredStatement,
        source: &StoredSource,
        wanted: &[&Claim],
        listed: &mut ClaimListing,
    ) -> Result<bool, ReadError> {
        // A statement in a daily note is of that day, except in its properties.
        let placed = match listed.dated && source.wording.kind != StatementKind::Property {
            true => ClaimSearch::new(self.session).period_at(source)?,
            false => None,
        };
        let is_dated = |claim: &Claim| {
            let holds = claim_validity(claim, statement, source);
            holds.from.or(holds.until).is_some()
        };
        let is_wanted = |claim: &&&Claim| {
            !listed.seen.contains(&claim.id) && (!listed.dated || placed.is_some() || is_dated(claim))
        };
        // A sentence listed as a whole is not repeated fact by fact, except for facts with a relation.
        let whole = wanted.iter().any(|claim| claim.listed);
        let told = |claim: &&&Claim| !whole || claim.listed || claim.relation.is_some();
        let new: Vec<&&Claim> = wanted.iter().filter(told).filter(is_wanted).collect();
        if new.is_empty() {
            return Ok(true);
        }
        let Ok(place) = self.session.recheck(&source.row) else { return Ok(true) };
        // A table of contents only names other places.
        if placed.is_some() && is_mostly_links(place.quote()) && !new.iter().any(|claim| is_dated(claim)) {
            return Ok(true);
        }
        for claim in new {
            let ClaimAccess::Clear(clear) = ClaimAuthorizer::new(self.session, Lifecycle::new(self.session))
                .authorize(claim, statement, source, place.clone())?
            else {
                continue;
            };
            if listed.claims.len() == listed.limit {
                listed.more = true;
                return Ok(false);
            }
            listed.seen.insert(claim.id);
            listed.placed.push(placed.filter(|_| !is_dated(claim)));
            listed.claims.push(WireClaim::from_clear(&clear, self.session.memora.vault.name()));
        }
        Ok(true)
    }
}

/// Returns the dated claims in chronological order, each with the days of its place if it has no time itself; on one
/// day, ended claims come before begun ones.
pub(super) fn build_timeline(listed: &ClaimListing) -> Vec<(WireClaim, Option<ClaimDays>)> {
    let first = |text: &str| PartialDate::parse(text).map(|date| date.first_and_last_day().0);
    let day_of = |claim: &WireClaim, placed: Option<Period>| {
        let ended = claim.phase() == Some(Phase::Ended);
        let from = claim.valid_from().filter(|_| !ended).and_then(first);
        let until = || claim.valid_until().and_then(first);
        Some((from.or_else(until).or_else(|| placed.map(Period::from))?, !ended))
    };
    let claims = listed.claims.iter().zip(&listed.placed);
    let mut found: Vec<_> =
        claims.filter_map(|(claim, placed)| Some((day_of(claim, *placed)?, claim, *placed))).collect();
    found.sort_by_key(|(day, ..)| *day);
    found.into_iter().map(|(_, claim, placed)| (claim.clone(), placed.map(ClaimDays::from_period))).collect()
}
