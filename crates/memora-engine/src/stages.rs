//! The stages that read in a session.

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

impl Session<'_> {
    /// Search: ranks claims, and lists what was found.
    pub(crate) fn search(&self) -> ClaimSearch<'_> {
        ClaimSearch::new(self)
    }

    /// Answers: the notes' own words, verified sentence by sentence.
    pub(crate) fn answerer(&self) -> Answerer<'_> {
        Answerer::new(self)
    }

    /// Verification: checks texts against the notes.
    pub(crate) fn verifier(&self) -> Verifier<'_> {
        Verifier::new(self)
    }

    /// The lifecycle: which claims hold, and what supports them.
    pub(crate) fn lifecycle(&self) -> Lifecycle<'_> {
        Lifecycle::new(self)
    }

    /// The lifecycle's reports: what contradicts, what is stale, and what the user decides.
    pub(crate) fn lifecycle_reports(&self) -> LifecycleReports<'_> {
        LifecycleReports::new(self)
    }

    /// Entities: what names refer to, by the user's notes.
    pub(crate) fn entities(&self) -> EntityResolver<'_> {
        self.entities_of(Authors::User)
    }

    /// Entities: what names refer to, by the notes of some authors.
    pub(crate) fn entities_of(&self, authors: Authors) -> EntityResolver<'_> {
        EntityResolver::new(self, authors)
    }

    /// The reports about entities, by the notes of some authors: claims, timelines, and what occurs with them.
    pub(crate) fn entity_reports(&self, authors: Authors) -> EntityReports<'_> {
        EntityReports::new(self, authors)
    }

    /// The review: items that need the user's attention.
    pub(crate) fn review(&self) -> ReviewBuilder<'_> {
        ReviewBuilder::new(self)
    }

    /// The catalog: lists and explains claims, notes and edits.
    pub(crate) fn catalog(&self) -> ClaimCatalog<'_> {
        ClaimCatalog::new(self)
    }

    /// Capture: text as new notes.
    pub(crate) fn captures(&self) -> NoteCapture<'_> {
        NoteCapture::new(self)
    }

    /// Memories: what agents and the user saved, for one writer.
    ///
    /// # Errors
    /// [`MemoryError`], when the folder or the key cannot be used.
    pub(crate) fn memories<'a>(
        &'a self,
        of: &'a MemorySession,
        writer: &'a MemoryWriter,
    ) -> Result<Memories<'a>, MemoryError> {
        Memories::new(self, of, writer)
    }

    /// The doctor: the status of the index and the embedders, and what is wrong.
    pub(crate) fn doctor(&self) -> Doctor<'_> {
        Doctor::new(self)
    }

    /// The privacy audit: what is guarded, and what left.
    pub(crate) fn audit(&self) -> PrivacyAudit<'_> {
        PrivacyAudit::new(self)
    }

    /// Authorization: sorts claims for the door.
    pub(crate) fn authorizer(&self) -> ClaimAuthorizer<'_> {
        ClaimAuthorizer::new(self, self.lifecycle())
    }
}
