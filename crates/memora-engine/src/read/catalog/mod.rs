//! Reports of `claims` and `why`.

pub(crate) mod export;
pub(crate) mod note_names;
pub(crate) mod note_page;
pub(crate) mod number_edits;
pub(crate) mod unknown_folders;

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};

use memora_claim::conflict::ClaimStatus;
use memora_claim::{Claim, ClaimId, Extractor, StatementId};
use memora_redact::{ClaimAccess, Viewer, WireClaim};
use memora_store::{Authors, NoteFilter, ReadError, StoredSource, StoredStatement};
use memora_vault::{NotePath, PartialDate};

use crate::index::proposals::{ProposalsByPassage, model_passages};
use crate::read::authorize::ClaimAuthorizer;
use crate::read::lifecycle::{Lifecycle, LifecycleReports, LifecycleState, describe_basis};
use crate::report::{ClaimState, ClaimsReport, Freshness, WhyReport};
use crate::state::session::{RecheckError, Session};
use crate::state::sources::clearest_source;

/// The listings of claims and notes, for one session.
pub struct ClaimCatalog<'s> {
    session: &'s Session<'s>,
}

/// Which claims to list.
#[derive(Clone, Default)]
pub struct ListOptions {
    /// The notes that they stand in.
    pub filter: NoteFilter,
    /// Whose notes.
    pub authors: Authors,
    /// Only those that may have held on this day, month or year.
    pub as_of: Option<PartialDate>,
    /// The most claims.
    pub limit: usize,
}

impl<'s> ClaimCatalog<'s> {
    pub(crate) fn new(session: &'s Session<'s>) -> Self {
        Self { session }
    }

    /// Whether any note that this door shows passes a filter.
    pub fn has_matching_note(&self, filter: &NoteFilter) -> Result<bool, ReadError> {
        for path in self.session.snapshot.notes_matching(filter)? {
            if self.session.snapshot.note(&path)?.is_some_and(|note| self.session.door.may_show(note.band)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Lists claims by note and place; guarded ones of public notes redacted.
    pub(crate) fn list_claims(&self, options: &ListOptions, freshness: Freshness) -> Result<ClaimsReport, ReadError> {
        let limit = options.limit;
        let mut claims = Vec::new();
        for path in self.session.snapshot.notes_matching(&options.filter)? {
            if claims.len() > limit {
                break;
            }
            let wanted = limit.saturating_add(1).saturating_sub(claims.len());
            claims.extend(self.list_note_claims(&path, options, wanted)?);
        }
        let more = claims.len() > limit;
        claims.truncate(limit);
        Ok(ClaimsReport { claims, more, freshness })
    }

    /// The claims of a note; of more than are wanted, as many or a few more.
    fn list_note_claims(
        &self,
        path: &NotePath,
        options: &ListOptions,
        wanted: usize,
    ) -> Result<Vec<WireClaim>, ReadError> {
        let mut found = Vec::new();
        let sources = self.session.snapshot.sources_of_note(path)?;
        let mut shown = false;
        // A statement may stand in the note thousands of times, and each time it brings all its places.
        let mut statements: HashMap<StatementId, Option<StoredStatement>> = HashMap::new();
        let has_listed = |source: &&StoredSource| source.wording.claims.iter().any(|claim| claim.listed);
        let is_visible = |source: &&StoredSource| {
            self.session.door.may_show(source.row.band) && options.authors.include(source.note.captured)
        };
        let visible = sources.iter().filter(is_visible);
        for source in visible.filter(has_listed) {
            if found.len() >= wanted {
                return Ok(found);
            }
            let Ok(place) = self.session.recheck(&source.row) else { continue };
            let id = source.row.statement;
            let statement = match statements.entry(id) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(empty) => empty.insert(self.session.statement(id)?),
            };
            let Some(statement) = statement else { continue };
            for claim in source.wording.claims.iter().filter(|claim| claim.listed) {
                if let Some(day) = options.as_of
                    && !self.may_have_held(claim, statement, source, day)?
                {
                    continue;
                }
                if let ClaimAccess::Clear(clear) = ClaimAuthorizer::new(self.session, Lifecycle::new(self.session))
                    .authorize(claim, statement, source, place.clone())?
                {
                    found.push(WireClaim::from_clear(&clear, self.session.memora.vault.name()));
                    shown = true;
                }
            }
        }
        // A note of which nothing may be seen is not even counted.
        if shown && !self.session.door.is_local() {
            found.extend(
                ClaimAuthorizer::new(self.session, Lifecycle::new(self.session))
                    .redact_note_claims(path)?
                    .into_iter()
                    .map(WireClaim::from),
            );
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
        let today = self.session.memora.config.today;
        let today = PartialDate::from_ymd(today.year(), today.month(), today.day()).unwrap_or(day);
        Ok(Lifecycle::new(self.session).claim_state(claim, statement, source)?.may_hold_on(claim, day, today))
    }

    /// Explains a claim: its readings, its places, its edges, the decisions about it, its former place.
    pub(crate) fn explain_claim(&self, id: &ClaimId) -> Result<WhyReport, ReadError> {
        let asked = id.to_string();
        let id = &self.session.current_id(*id)?;
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
        if let Some(statement) = self.session.statement(id.statement())? {
            let claims = self.claims_at_places(id, &statement)?;
            if claims.is_empty() {
                return Ok(match self.session.recheck_any(&statement).err() {
                    Some(RecheckError::Changed(change)) => report(
                        ClaimState::Changed,
                        format!("the note changed a moment ago ({}); it is read again next time", change.as_str()),
                    ),
                    Some(RecheckError::MissingNote) => report(ClaimState::MissingNote, "the note is gone".to_owned()),
                    _ => report(ClaimState::Unknown, "there is no such claim".to_owned()),
                });
            }
            let mut extractors: Vec<_> = statement.wording.claims.iter().map(|c| c.extractor).collect();
            extractors.dedup();
            let models = self.models_that_read(id, &statement)?;
            let first_seen =
                if self.session.door.is_local() { self.session.journal.first_seen(id.statement())? } else { None };
            let asked = statement.wording.claims.iter().filter(|claim| !id.is_reading() || claim.id == *id);
            let asked: Vec<&Claim> = asked.collect();
            let (status, explanation) = self.explain_status(&statement, &asked)?;
            let edges = LifecycleReports::new(self.session).claim_edges(&statement, &asked)?;
            let decisions = LifecycleReports::new(self.session).decisions_about(id.statement())?;
            let report = report(status, explanation);
            return Ok(WhyReport { claims, first_seen, extractors, models, edges, decisions, ..report });
        }
        if let Some(row) = Lifecycle::new(self.session).former_places(id.statement())?.into_iter().next() {
            return Ok(match self.session.recheck(&row) {
                Ok(place) => {
                    let now = self.session.statement_at(place.note().path(), place.span())?;
                    let claims = now
                        .map(|(statement, _)| self.claims_at_places(&statement.id.into(), &statement))
                        .transpose()?;
                    WhyReport {
                        claims: claims.unwrap_or_default(),
                        ..report(
                            ClaimState::Current,
                            "it has a new id, because its note or heading was renamed".to_owned(),
                        )
                    }
                }
                Err(RecheckError::Changed(change)) => report(
                    ClaimState::Changed,
                    format!("the words no longer stand in {}: {}", row.note, change.as_str()),
                ),
                Err(RecheckError::MissingNote) => {
                    report(ClaimState::MissingNote, format!("the note {} is gone", row.note))
                }
                Err(RecheckError::Guarded) => report(ClaimState::Unknown, "there is no such claim".to_owned()),
            });
        }
        if Lifecycle::new(self.session).has_history(id.statement())? {
            return Ok(report(ClaimState::Withdrawn, "removed from the vault".to_owned()));
        }
        Ok(report(ClaimState::Unknown, "there is no such claim".to_owned()))
    }

    /// Where a statement stood that does so no longer, as far as the index or the journal knows and this door may see it.
    pub(crate) fn former_place(&self, id: &ClaimId) -> Result<Option<(String, usize)>, ReadError> {
        let former = Lifecycle::new(self.session).former_places(id.statement())?.into_iter().next();
        let known = match former {
            Some(row) => Some(row),
            None => self.session.statement(id.statement())?.and_then(|found| Some(found.sources.first()?.row.clone())),
        };
        Ok(known.map(|row| (row.note.as_str().to_owned(), row.start)))
    }

    /// The models that read a statement, or one claim of it, where this door sees it; by name.
    fn models_that_read(&self, id: &ClaimId, statement: &StoredStatement) -> Result<Vec<String>, ReadError> {
        let mut found = BTreeSet::new();
        if !statement.wording.claims.iter().any(|claim| claim.extractor == Extractor::Model) {
            return Ok(Vec::new());
        }
        let proposals = self.session.memora.store.proposals()?;
        for source in statement.sources.iter().filter(|source| self.session.door.may_show(source.row.band)) {
            let Some(fresh) = self.session.notes.read_note(&source.row.note) else { continue };
            let keys = model_passages(fresh, self.session.door).into_iter().map(|(key, _)| key);
            let read = ProposalsByPassage::load(&proposals, keys)?.ground_claims(
                fresh,
                self.session.memora.config.extractor(),
                self.session.door,
            );
            let of_claim = read.into_values().flatten().filter(|read| match id.is_reading() {
                true => read.claim.id == *id,
                false => read.claim.id.statement() == id.statement(),
            });
            found.extend(of_claim.flat_map(|read| read.by).map(|by| format!("{} ({})", by.model, by.provider)));
        }
        Ok(found.into_iter().collect())
    }

    /// The status of some readings of a statement: the best of theirs, with an explanation.
    fn explain_status(&self, statement: &StoredStatement, asked: &[&Claim]) -> Result<(ClaimState, String), ReadError> {
        let Some(source) = clearest_source(statement) else {
            return Ok((ClaimState::Current, "the note says so".to_owned()));
        };
        let mut best: Option<LifecycleState> = None;
        let mut superseded = 0;
        for claim in asked {
            let state = Lifecycle::new(self.session).claim_state(claim, statement, source)?;
            superseded += usize::from(state.status == ClaimStatus::Superseded);
            if best.as_ref().is_none_or(|best| state.status < best.status) {
                best = Some(state);
            }
        }
        let best = best.unwrap_or_default();
        let taken_back = !asked.is_empty() && asked.iter().all(|claim| claim.is_withdrawn());
        let explanation = match (best.status, best.superseded.first()) {
            (ClaimStatus::Withdrawn, _) => "still in the note; you retracted it".to_owned(),
            (ClaimStatus::Superseded, Some(by)) => {
                let until = best.holds.until.map(|until| format!(" on {until}")).unwrap_or_default();
                format!("still in the note; superseded{until} by {}: {}", by.newer, describe_basis(by.basis))
            }
            (ClaimStatus::Superseded, None) => {
                let until = best.holds.until.map(|until| format!(" on {until}")).unwrap_or_default();
                format!("still in the note; you said{until} that it no longer holds")
            }
            (ClaimStatus::Stale, _) => {
                let grounds = LifecycleReports::new(self.session).broken_support_reports(statement)?;
                let grounds: Vec<&str> = grounds.iter().map(|ground| ground.explanation.as_str()).collect();
                format!("still in the note, and needs review: {}", grounds.join("; "))
            }
            _ if taken_back => "still in the note, which rejects it".to_owned(),
            _ if superseded > 0 => format!("the note says so; superseded: {superseded} of {} readings", asked.len()),
            _ => "the note says so".to_owned(),
        };
        Ok((best.status.into(), explanation))
    }

    fn claims_at_places(&self, id: &ClaimId, statement: &StoredStatement) -> Result<Vec<WireClaim>, ReadError> {
        let mut found = Vec::new();
        for source in &statement.sources {
            let Ok(place) = self.session.recheck(&source.row) else { continue };
            for claim in source.wording.claims.iter().filter(|claim| !id.is_reading() || claim.id == *id) {
                if let ClaimAccess::Clear(clear) = ClaimAuthorizer::new(self.session, Lifecycle::new(self.session))
                    .authorize(claim, statement, source, place.clone())?
                {
                    found.push(WireClaim::from_clear(&clear, self.session.memora.vault.name()));
                }
            }
        }
        Ok(found)
    }
}
