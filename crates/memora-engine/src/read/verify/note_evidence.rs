//! The notes as evidence for verification: each citation is looked up, and its place re-read.

use std::cell::RefCell;
use std::collections::HashMap;

use memora_claim::conflict::ClaimStatus;
use memora_claim::{Claim, ClaimId, Rechecked};
use memora_redact::{ClaimAccess, WireClaim};
use memora_store::{ReadError, StoredSource, StoredStatement};
use memora_verify::{CitationFailure, CitationResolution, CitedPassage, Evidence};

use crate::read::authorize::ClaimAuthorizer;
use crate::read::lifecycle::Lifecycle;
use crate::read::search::time_filter::TemporalMatches;
use crate::state::note_kind::is_captured;
use crate::state::session::{RecheckError, Session};

/// The notes as evidence, for one door. Remembers what it showed, for the output.
pub(crate) struct NoteEvidence<'s> {
    session: &'s Session<'s>,
    shown: RefCell<HashMap<ClaimId, WireClaim>>,
    failed: RefCell<Option<ReadError>>,
    /// Whether superseded claims count: the question is about their time.
    past: bool,
    /// Whether captured text counts as evidence: it was asked for.
    captured: bool,
    /// The time that was asked about: of several places only those of that time count.
    of_time: TemporalMatches,
}

impl<'s> NoteEvidence<'s> {
    pub(crate) fn new(session: &'s Session<'s>) -> Self {
        Self {
            session,
            shown: RefCell::default(),
            failed: RefCell::default(),
            past: false,
            captured: false,
            of_time: TemporalMatches::default(),
        }
    }

    /// Evidence for a draft made from search hits, which may be captured text if that was asked for.
    pub(crate) fn for_draft(session: &'s Session<'s>) -> Self {
        Self { captured: true, ..Self::new(session) }
    }

    /// The same, where superseded claims may be asked for as of their time.
    pub(crate) fn at_any_time(session: &'s Session<'s>) -> Self {
        Self { past: true, ..Self::for_draft(session) }
    }

    /// The same, limited to places of a time.
    pub(crate) fn within_time(self, of_time: &TemporalMatches) -> Self {
        Self { of_time: of_time.clone(), ..self }
    }

    /// Every cited claim that was valid, as this door shows it.
    ///
    /// # Errors
    /// The error that kept the store from being read during a look-up.
    pub(crate) fn into_shown_claims(self) -> Result<HashMap<ClaimId, WireClaim>, ReadError> {
        match self.failed.into_inner() {
            Some(error) => Err(error),
            None => Ok(self.shown.into_inner()),
        }
    }

    fn find_evidence(&self, id: &ClaimId) -> Result<CitationResolution, ReadError> {
        match self.session.statement(id.statement())? {
            Some(statement) => self.check_statement(id, &self.of_time.narrow_statement(statement)),
            None => self.check_former(id),
        }
    }

    fn check_statement(&self, id: &ClaimId, statement: &StoredStatement) -> Result<CitationResolution, ReadError> {
        let claims = &statement.wording.claims;
        let Some(claim) = claims.iter().find(|claim| claim.id == *id).or_else(|| claims.first()) else {
            return Ok(CitationResolution::Failed(CitationFailure::UnknownId));
        };
        if claim.is_withdrawn() {
            return Ok(CitationResolution::Failed(CitationFailure::Withdrawn));
        }
        Ok(match self.session.recheck_any(statement) {
            Ok((place, _)) if self.is_unwanted_capture(&place) => CitationResolution::Failed(CitationFailure::Captured),
            Ok((place, source)) => match self.end_failure(id, claim, statement, &source)? {
                Some(ended) => CitationResolution::Failed(ended),
                None => {
                    let passage = cited_passage(self.session, &place);
                    self.record_shown(*id, claim, statement, &source, place)?;
                    CitationResolution::Resolved(passage)
                }
            },
            Err(lost) => CitationResolution::Failed(lost_to_failure(lost)),
        })
    }

    /// Why words that are still in the note no longer count: the cited claim was superseded or taken back. A citation
    /// of a whole statement counts as long as one of its readings does.
    fn end_failure(
        &self,
        id: &ClaimId,
        claim: &Claim,
        statement: &StoredStatement,
        source: &StoredSource,
    ) -> Result<Option<CitationFailure>, ReadError> {
        let status = match claim.id == *id {
            true => Lifecycle::new(self.session).claim_state(claim, statement, source)?.status,
            false => Lifecycle::new(self.session).statement_status(statement, source)?,
        };
        Ok(status_failure(status).filter(|failure| *failure == CitationFailure::Withdrawn || !self.past))
    }

    /// Whether a place is captured text that was not asked for.
    fn is_unwanted_capture(&self, place: &Rechecked<'_>) -> bool {
        !self.captured && is_captured(place.note())
    }

    fn record_shown(
        &self,
        id: ClaimId,
        claim: &Claim,
        statement: &StoredStatement,
        source: &StoredSource,
        place: Rechecked<'_>,
    ) -> Result<(), ReadError> {
        if let ClaimAccess::Clear(clear) = ClaimAuthorizer::new(self.session, Lifecycle::new(self.session))
            .authorize(claim, statement, source, place)?
        {
            let wire = WireClaim::from_clear(&clear, self.session.memora.vault.name());
            self.shown.borrow_mut().insert(id, wire);
        }
        Ok(())
    }

    /// Looks up a statement whose id is gone: the journal may know its former place, and it may still be there
    /// under a renamed heading or title.
    fn check_former(&self, id: &ClaimId) -> Result<CitationResolution, ReadError> {
        let mut lost = None;
        for row in Lifecycle::new(self.session).former_places(id.statement())? {
            match self.session.recheck(&row) {
                Ok(place) if self.is_unwanted_capture(&place) => {
                    return Ok(CitationResolution::Failed(CitationFailure::Captured));
                }
                Ok(place) => {
                    let passage = cited_passage(self.session, &place);
                    if let Some((statement, source)) = self.session.statement_at(place.note().path(), place.span())?
                        && let Some(claim) = statement.wording.claims.first()
                    {
                        self.record_shown(*id, claim, &statement, &source, place)?;
                    }
                    return Ok(CitationResolution::Resolved(passage));
                }
                Err(RecheckError::MissingNote) => lost = lost.or(Some(RecheckError::MissingNote)),
                Err(other) => lost = Some(other),
            }
        }
        Ok(CitationResolution::Failed(match lost {
            Some(lost) => lost_to_failure(lost),
            None if Lifecycle::new(self.session).has_history(id.statement())? => CitationFailure::Withdrawn,
            None => CitationFailure::UnknownId,
        }))
    }
}

/// The failure that a status implies, if any.
pub(crate) fn status_failure(status: ClaimStatus) -> Option<CitationFailure> {
    match status {
        ClaimStatus::Withdrawn => Some(CitationFailure::Withdrawn),
        ClaimStatus::Superseded => Some(CitationFailure::Superseded),
        // A stale sentence is still in the note.
        ClaimStatus::Current | ClaimStatus::Stale => None,
    }
}

/// A claim that became guarded a moment ago is as unknown at a cloud door as one that always was.
fn lost_to_failure(lost: RecheckError) -> CitationFailure {
    match lost {
        RecheckError::Changed(change) => CitationFailure::Changed(change),
        RecheckError::MissingNote => CitationFailure::MissingNote,
        RecheckError::Guarded => CitationFailure::UnknownId,
    }
}

impl Evidence for NoteEvidence<'_> {
    fn resolve_id(&self, id: &ClaimId) -> CitationResolution {
        self.find_evidence(id).unwrap_or_else(|error| {
            *self.failed.borrow_mut() = Some(error);
            CitationResolution::Failed(CitationFailure::UnknownId)
        })
    }

    /// A handle only says that a claim is guarded: even whether the vault has it is not told.
    fn resolve_handle(&self, _handle: &str) -> CitationResolution {
        CitationResolution::Failed(CitationFailure::Redacted)
    }
}

/// A place as a passage to be cited, which names the owner of the notes, unless a machine wrote them.
pub(crate) fn cited_passage(session: &Session<'_>, place: &Rechecked<'_>) -> CitedPassage {
    let passage = CitedPassage::from_rechecked(place);
    match &session.memora.config.owner {
        Some(owner) if !is_captured(place.note()) => passage.with_owner(owner),
        _ => passage,
    }
}
