//! The stages that read in a session.

use memora_redact::Door;
use memora_store::Authors;

use crate::answer::Answerer;
use crate::capture::NoteCapture;
use crate::catalog::ClaimCatalog;
use crate::doctor::Doctor;
use crate::entity::{EntityReports, EntityResolver};
use crate::lifecycle::{Lifecycle, LifecycleReports};
use crate::memory::{Memories, MemoryError, MemorySession, MemoryWriter};
use crate::privacy::audit::PrivacyAudit;
use crate::privacy::authorize::ClaimAuthorizer;
use crate::review::ReviewBuilder;
use crate::search::ClaimSearch;
use crate::session::Session;
use crate::verify::Verifier;

impl<D: Door> Session<'_, D> {
    /// Search: ranks claims, and lists what was found.
    pub fn search(&self) -> ClaimSearch<'_, D> {
        ClaimSearch::new(self)
    }

    /// Answers: the notes' own words, verified sentence by sentence.
    pub fn answerer(&self) -> Answerer<'_, D> {
        Answerer::new(self)
    }

    /// Verification: checks texts against the notes.
    pub fn verifier(&self) -> Verifier<'_, D> {
        Verifier::new(self)
    }

    /// The lifecycle: which claims hold, and what supports them.
    pub(crate) fn lifecycle(&self) -> Lifecycle<'_, D> {
        Lifecycle::new(self)
    }

    /// The lifecycle's reports: what contradicts, what is stale, and what the user decides.
    pub fn lifecycle_reports(&self) -> LifecycleReports<'_, D> {
        LifecycleReports::new(self)
    }

    /// Entities: what names refer to, by the user's notes.
    pub fn entities(&self) -> EntityResolver<'_, D> {
        self.entities_of(Authors::User)
    }

    /// Entities: what names refer to, by the notes of some authors.
    pub fn entities_of(&self, authors: Authors) -> EntityResolver<'_, D> {
        EntityResolver::new(self, authors)
    }

    /// The reports about entities, by the notes of some authors: claims, timelines, and what occurs with them.
    pub fn entity_reports(&self, authors: Authors) -> EntityReports<'_, D> {
        EntityReports::new(self, authors)
    }

    /// The review: items that need the user's attention.
    pub fn review(&self) -> ReviewBuilder<'_, D> {
        ReviewBuilder::new(self)
    }

    /// The catalog: lists and explains claims, notes and edits.
    pub fn catalog(&self) -> ClaimCatalog<'_, D> {
        ClaimCatalog::new(self)
    }

    /// Capture: text as new notes.
    pub fn captures(&self) -> NoteCapture<'_, D> {
        NoteCapture::new(self)
    }

    /// Memories: what agents and the user saved, for one writer.
    ///
    /// # Errors
    /// [`MemoryError`], when the folder or the key cannot be used.
    pub fn memories<'a>(
        &'a self,
        of: &'a MemorySession,
        writer: &'a MemoryWriter,
    ) -> Result<Memories<'a, D>, MemoryError> {
        Memories::new(self, of, writer)
    }

    /// The doctor: the status of the index and the embedders, and what is wrong.
    pub fn doctor(&self) -> Doctor<'_, D> {
        Doctor::new(self)
    }

    /// The privacy audit: what is guarded, and what left.
    pub fn audit(&self) -> PrivacyAudit<'_, D> {
        PrivacyAudit::new(self)
    }

    /// Authorization: sorts claims for the door.
    pub(crate) fn authorizer(&self) -> ClaimAuthorizer<'_, D> {
        ClaimAuthorizer::new(self, self.lifecycle())
    }
}
