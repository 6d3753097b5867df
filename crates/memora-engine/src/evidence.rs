//! What the notes say, for verification: each citation is looked up, and its place re-read.

use std::cell::RefCell;
use std::collections::HashMap;

use memora_claim::held::Status;
use memora_claim::{Claim, ClaimId, Rechecked};
use memora_redact::{Door, Sorted, WireClaim};
use memora_store::{ReadError, StoredSource, StoredStatement};
use memora_verify::{Evidence, Failure, Finding, Passage};

use crate::of_time::OfTime;
use crate::prepare::is_captured;
use crate::session::{Lost, Session};

/// The notes as evidence, for one door. Remembers what it showed, for the output.
pub(crate) struct Notes<'s, 'm, D: Door> {
    session: &'s Session<'m, D>,
    shown: RefCell<HashMap<ClaimId, WireClaim<D>>>,
    failed: RefCell<Option<ReadError>>,
    /// Whether what was superseded counts as what stands: it was asked for as of its time.
    past: bool,
    /// Whether what a machine wrote down bears anything out: it was asked for.
    captured: bool,
    /// The time that was asked about: of several places those count that are of it.
    of_time: OfTime,
}

impl<'s, 'm, D: Door> Notes<'s, 'm, D> {
    pub(crate) fn new(session: &'s Session<'m, D>) -> Self {
        Self {
            session,
            shown: RefCell::default(),
            failed: RefCell::default(),
            past: false,
            captured: false,
            of_time: OfTime::default(),
        }
    }

    /// The same for a draft of what was found, which may be captured, if that was asked for.
    pub(crate) fn of_found(session: &'s Session<'m, D>) -> Self {
        Self { captured: true, ..Self::new(session) }
    }

    /// The same for what may be asked for as of its time.
    pub(crate) fn of_any_time(session: &'s Session<'m, D>) -> Self {
        Self { past: true, ..Self::of_found(session) }
    }

    /// The same, where what was found is of a time.
    pub(crate) fn of_that_time(self, of_time: &OfTime) -> Self {
        Self { of_time: of_time.clone(), ..self }
    }

    /// Every claim that was cited and stood, as this door shows it.
    ///
    /// # Errors
    /// What kept the store from being read while evidence was looked up.
    pub(crate) fn into_shown(self) -> Result<HashMap<ClaimId, WireClaim<D>>, ReadError> {
        match self.failed.into_inner() {
            Some(error) => Err(error),
            None => Ok(self.shown.into_inner()),
        }
    }

    fn find(&self, id: &ClaimId) -> Result<Finding, ReadError> {
        match self.session.statement(id.statement())? {
            Some(statement) => self.of_statement(id, &self.of_time.narrowed(statement)),
            None => self.of_former(id),
        }
    }

    fn of_statement(&self, id: &ClaimId, statement: &StoredStatement) -> Result<Finding, ReadError> {
        let claims = &statement.wording.claims;
        let Some(claim) = claims.iter().find(|claim| claim.id == *id).or_else(|| claims.first()) else {
            return Ok(Finding::Fails(Failure::UnknownId));
        };
        if claim.is_taken_back() {
            return Ok(Finding::Fails(Failure::Withdrawn));
        }
        Ok(match self.session.stands(statement) {
            Ok((place, _)) if self.is_foreign(&place) => Finding::Fails(Failure::Captured),
            Ok((place, source)) => match self.ended(id, claim, statement, &source)? {
                Some(ended) => Finding::Fails(ended),
                None => {
                    let passage = Passage::of(&place);
                    self.show(*id, claim, statement, &source, place)?;
                    Finding::Stands(passage)
                }
            },
            Err(lost) => Finding::Fails(failure(lost)),
        })
    }

    /// Why words that stand count no longer: what a citation names was superseded or taken back. One that names a whole
    /// statement counts as long as a reading of it does.
    fn ended(
        &self,
        id: &ClaimId,
        claim: &Claim,
        statement: &StoredStatement,
        source: &StoredSource,
    ) -> Result<Option<Failure>, ReadError> {
        let status = match claim.id == *id {
            true => self.session.standing(claim, statement, source)?.status,
            false => self.session.status_of(statement, source)?,
        };
        Ok(over(status).filter(|failure| *failure == Failure::Withdrawn || !self.past))
    }

    /// Whether words stand where a machine wrote them down, and nobody asked for that.
    fn is_foreign(&self, place: &Rechecked<'_>) -> bool {
        !self.captured && is_captured(place.note())
    }

    fn show(
        &self,
        id: ClaimId,
        claim: &Claim,
        statement: &StoredStatement,
        source: &StoredSource,
        place: Rechecked<'_>,
    ) -> Result<(), ReadError> {
        if let Sorted::Clear(clear) = self.session.sorted(claim, statement, source, place)? {
            let wire = WireClaim::clear(&clear, self.session.memora.vault.name());
            self.shown.borrow_mut().insert(id, wire);
        }
        Ok(())
    }

    /// A statement that stands nowhere under its id: the journal may know where it stood, and it may stand there still
    /// under a renamed heading or title.
    fn of_former(&self, id: &ClaimId) -> Result<Finding, ReadError> {
        let mut lost = None;
        for row in self.session.former(id.statement())? {
            match self.session.recheck(&row) {
                Ok(place) if self.is_foreign(&place) => return Ok(Finding::Fails(Failure::Captured)),
                Ok(place) => {
                    let passage = Passage::of(&place);
                    if let Some((statement, source)) = self.session.now_at(&place)?
                        && let Some(claim) = statement.wording.claims.first()
                    {
                        self.show(*id, claim, &statement, &source, place)?;
                    }
                    return Ok(Finding::Stands(passage));
                }
                Err(Lost::MissingNote) => lost = lost.or(Some(Lost::MissingNote)),
                Err(other) => lost = Some(other),
            }
        }
        Ok(Finding::Fails(match lost {
            Some(lost) => failure(lost),
            None if self.session.was_there(id.statement())? => Failure::Withdrawn,
            None => Failure::UnknownId,
        }))
    }
}

/// Why words that stand count no longer, if so.
pub(crate) fn over(status: Status) -> Option<Failure> {
    match status {
        Status::Withdrawn => Some(Failure::Withdrawn),
        Status::Superseded => Some(Failure::Superseded),
        // A sentence that wants to be looked at still is the note's.
        Status::Current | Status::Stale => None,
    }
}

/// A claim that became guarded a moment ago is as unknown at a cloud door as one that always was.
fn failure(lost: Lost) -> Failure {
    match lost {
        Lost::Changed(change) => Failure::Changed(change),
        Lost::MissingNote => Failure::MissingNote,
        Lost::Guarded => Failure::UnknownId,
    }
}

impl<D: Door> Evidence for Notes<'_, '_, D> {
    fn look_up(&self, id: &ClaimId) -> Finding {
        self.find(id).unwrap_or_else(|error| {
            *self.failed.borrow_mut() = Some(error);
            Finding::Fails(Failure::UnknownId)
        })
    }

    /// A handle names a guarded claim and nothing more: whether it is one of ours is not said either.
    fn look_up_handle(&self, _handle: &str) -> Finding {
        Finding::Fails(Failure::Redacted)
    }
}
