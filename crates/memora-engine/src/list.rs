//! `claims` and `why`: listing and explaining.

use std::collections::BTreeSet;

use memora_claim::held::Status;
use memora_claim::{Claim, ClaimId, Extractor};
use memora_redact::{Door, Sorted, WireClaim};
use memora_store::{NoteFilter, ReadError, StoredSource, StoredStatement};
use memora_vault::{NotePath, PartialDate};

use crate::proposals::{Kept, passages};
use crate::session::{Lost, Session, clearest};
use crate::standing::{Standing, in_words};
use crate::wire::{ClaimState, ClaimsReport, Freshness, WhyReport};

impl<D: Door> Session<'_, D> {
    /// Whether any note that this door shows passes a filter.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn has_note(&self, filter: &NoteFilter) -> Result<bool, ReadError> {
        for path in self.snapshot.notes_where(filter)? {
            if self.snapshot.note(&path)?.is_some_and(|note| self.door.shows(note.band)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Lists claims by note and place, as many as `limit`; guarded ones of public notes redacted. With `as_of`, those that may
    /// have held on that day.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn claims(
        &self,
        filter: &NoteFilter,
        as_of: Option<PartialDate>,
        limit: usize,
        freshness: Freshness,
    ) -> Result<ClaimsReport<D>, ReadError> {
        let mut claims = Vec::new();
        for path in self.snapshot.notes_where(filter)? {
            if claims.len() > limit {
                break;
            }
            claims.extend(self.claims_of(&path, as_of)?);
        }
        let more = claims.len() > limit;
        claims.truncate(limit);
        Ok(ClaimsReport { claims, more, freshness })
    }

    fn claims_of(&self, path: &NotePath, as_of: Option<PartialDate>) -> Result<Vec<WireClaim<D>>, ReadError> {
        let mut found = Vec::new();
        let sources = self.snapshot.sources_of_note(path)?;
        let mut shown = false;
        for source in sources.iter().filter(|source| self.door.shows(source.row.band)) {
            let Ok(place) = self.recheck(&source.row) else { continue };
            let Some(statement) = self.statement(source.row.statement)? else { continue };
            for claim in source.wording.claims.iter().filter(|claim| claim.listed) {
                if let Some(day) = as_of
                    && !self.may_have_held(claim, &statement, source, day)?
                {
                    continue;
                }
                if let Sorted::Clear(clear) = self.sorted(claim, &statement, source, place.clone())? {
                    found.push(WireClaim::clear(&clear, self.memora.vault.name()));
                    shown = true;
                }
            }
        }
        // A note of which nothing may be seen is not even counted.
        if shown && !self.door.is_local() {
            found.extend(self.redacted_of(path)?.into_iter().map(WireClaim::from));
        }
        Ok(found)
    }

    fn may_have_held(
        &self,
        claim: &Claim,
        statement: &StoredStatement,
        source: &StoredSource,
        day: PartialDate,
    ) -> Result<bool, ReadError> {
        let today = self.memora.config.today;
        let today = PartialDate::ymd(today.year(), today.month(), today.day()).unwrap_or(day);
        Ok(self.standing(claim, statement, source)?.may_hold(claim, day, today))
    }

    /// Explains a claim: its readings, its places, its edges, what was decided, where it stood once.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn why(&self, id: &ClaimId) -> Result<WhyReport<D>, ReadError> {
        let asked = id.to_string();
        let report = |status, explanation: String| WhyReport {
            asked: asked.clone(),
            status,
            explanation,
            claims: Vec::new(),
            first_seen: None,
            extractors: Vec::new(),
            models: Vec::new(),
            edges: Vec::new(),
            decisions: Vec::new(),
        };
        if let Some(statement) = self.statement(id.statement())? {
            let claims = self.every_place(id, &statement)?;
            if claims.is_empty() {
                return Ok(match self.stands(&statement).err() {
                    Some(Lost::Changed(change)) => report(
                        ClaimState::Changed,
                        format!("the note changed a moment ago ({}); it is read again next time", change.as_str()),
                    ),
                    Some(Lost::MissingNote) => report(ClaimState::MissingNote, "the note is gone".to_owned()),
                    _ => report(ClaimState::Unknown, "there is no such claim".to_owned()),
                });
            }
            let mut extractors: Vec<_> = statement.wording.claims.iter().map(|c| c.extractor).collect();
            extractors.dedup();
            let models = self.models(id, &statement)?;
            let first_seen = if self.door.is_local() { self.first_seen(id)? } else { None };
            let asked = statement.wording.claims.iter().filter(|claim| !id.is_reading() || claim.id == *id);
            let asked: Vec<&Claim> = asked.collect();
            let (status, explanation) = self.explained(&statement, &asked)?;
            let edges = self.edges_of(&statement, &asked)?;
            let decisions = self.decided_about(id.statement())?;
            let report = report(status, explanation);
            return Ok(WhyReport { claims, first_seen, extractors, models, edges, decisions, ..report });
        }
        if let Some(row) = self.former(id.statement())?.into_iter().next() {
            return Ok(match self.recheck(&row) {
                Ok(place) => {
                    let now = self.now_at(&place)?;
                    let claims =
                        now.map(|(statement, _)| self.every_place(&statement.id.into(), &statement)).transpose()?;
                    WhyReport {
                        claims: claims.unwrap_or_default(),
                        ..report(
                            ClaimState::Current,
                            "it stands under a new id, because its note or heading was renamed".to_owned(),
                        )
                    }
                }
                Err(Lost::Changed(change)) => report(
                    ClaimState::Changed,
                    format!("the words no longer stand in {}: {}", row.note, change.as_str()),
                ),
                Err(Lost::MissingNote) => report(ClaimState::MissingNote, format!("the note {} is gone", row.note)),
                Err(Lost::Guarded) => report(ClaimState::Unknown, "there is no such claim".to_owned()),
            });
        }
        if self.was_there(id.statement())? {
            return Ok(report(ClaimState::Withdrawn, "it was there and is gone".to_owned()));
        }
        Ok(report(ClaimState::Unknown, "there is no such claim".to_owned()))
    }

    /// The models that read a statement, or one claim of it, where this door sees it; by name.
    fn models(&self, id: &ClaimId, statement: &StoredStatement) -> Result<Vec<String>, ReadError> {
        let mut found = BTreeSet::new();
        if !statement.wording.claims.iter().any(|claim| claim.extractor == Extractor::Model) {
            return Ok(Vec::new());
        }
        let proposals = self.memora.store.proposals()?;
        for source in statement.sources.iter().filter(|source| self.door.shows(source.row.band)) {
            let Some(fresh) = self.fresh(&source.row.note) else { continue };
            let keys = passages(fresh, &self.door).into_iter().map(|(key, _)| key);
            let read = Kept::of(&proposals, keys)?.claims(fresh, self.memora.config.extract(), &self.door);
            let of_claim = read.into_values().flatten().filter(|read| match id.is_reading() {
                true => read.claim.id == *id,
                false => read.claim.id.statement() == id.statement(),
            });
            found.extend(of_claim.flat_map(|read| read.by).map(|by| format!("{} ({})", by.model, by.provider)));
        }
        Ok(found.into_iter().collect())
    }

    /// What became of some readings of a statement: what is best for any of them.
    fn explained(&self, statement: &StoredStatement, asked: &[&Claim]) -> Result<(ClaimState, String), ReadError> {
        let Some(source) = clearest(statement) else { return Ok((ClaimState::Current, "it stands".to_owned())) };
        let mut best: Option<Standing> = None;
        for claim in asked {
            let standing = self.standing(claim, statement, source)?;
            if best.as_ref().is_none_or(|best| standing.status < best.status) {
                best = Some(standing);
            }
        }
        let best = best.unwrap_or_default();
        let taken_back = !asked.is_empty() && asked.iter().all(|claim| claim.is_taken_back());
        let explanation = match (best.status, best.superseded.first()) {
            (Status::Withdrawn, _) => "it stands, and you have taken it back".to_owned(),
            (Status::Superseded, Some(by)) => {
                let until = best.holds.until.map(|until| format!(" on {until}")).unwrap_or_default();
                format!("it stands, and was superseded{until} by {}: {}", by.newer, in_words(by.basis))
            }
            (Status::Superseded, None) => {
                let until = best.holds.until.map(|until| format!(" on {until}")).unwrap_or_default();
                format!("it stands, and you said{until} that it holds no longer")
            }
            (Status::Stale, _) => {
                let grounds = self.grounds(statement)?;
                let grounds: Vec<&str> = grounds.iter().map(|ground| ground.explanation.as_str()).collect();
                format!("it stands, and wants to be looked at: {}", grounds.join("; "))
            }
            _ if taken_back => "it stands, and the note takes it back".to_owned(),
            _ => "it stands".to_owned(),
        };
        Ok((best.status.into(), explanation))
    }

    fn every_place(&self, id: &ClaimId, statement: &StoredStatement) -> Result<Vec<WireClaim<D>>, ReadError> {
        let mut found = Vec::new();
        for source in &statement.sources {
            let Ok(place) = self.recheck(&source.row) else { continue };
            for claim in source.wording.claims.iter().filter(|claim| !id.is_reading() || claim.id == *id) {
                if let Sorted::Clear(clear) = self.sorted(claim, statement, source, place.clone())? {
                    found.push(WireClaim::clear(&clear, self.memora.vault.name()));
                }
            }
        }
        Ok(found)
    }
}
