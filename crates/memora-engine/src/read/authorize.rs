//! Authorization: claims are sorted for the door, with their state, right after they were re-read.

use std::collections::HashMap;

use memora_claim::conflict::ClaimStatus;
use memora_claim::{Claim, ClaimId, Modality, ParsedNote, Rechecked, Validity};
use memora_redact::{ClaimAccess, ClaimView, ClearClaim, RedactedClaim, Viewer, authorize_claim};
use memora_store::{ReadError, StoredSource, StoredStatement};
use memora_vault::{Band, NotePath};

use crate::read::authorizer_cache::AuthorizerCache;
use crate::read::lifecycle::Lifecycle;
use crate::state::session::Session;
use crate::state::sources::own_sources;

/// The sorting of claims for a session's door.
pub(crate) struct ClaimAuthorizer<'s> {
    session: &'s Session<'s>,
    lifecycle: Lifecycle<'s>,
}

impl<'s> ClaimAuthorizer<'s> {
    /// Sorts claims with the states that `lifecycle` gives them.
    pub(crate) fn new(session: &'s Session<'s>, lifecycle: Lifecycle<'s>) -> Self {
        Self { session, lifecycle }
    }

    /// Sorts one claim of a statement that was re-read.
    pub(crate) fn authorize<'n>(
        &self,
        claim: &Claim,
        statement: &StoredStatement,
        source: &StoredSource,
        place: Rechecked<'n>,
    ) -> Result<ClaimAccess<'n>, ReadError> {
        let state = self.lifecycle.claim_state(claim, statement, source)?;
        let Validity { from: valid_from, until: valid_until } = state.holds;
        let mut claim = claim.clone();
        if source.note.captured {
            // Captured text is reported speech, not the user's own words.
            claim.modality = Modality::Reported;
        }
        let shown = ClaimView {
            captured: source.note.captured,
            valid_from,
            valid_until,
            sources: own_sources(statement).count(),
            status: state.status,
            claim,
        };
        Ok(authorize_claim(shown, place, &self.session.door))
    }

    /// A claim of a statement, if the statement is valid now and this door may see it.
    ///
    /// At a cloud door its note must be what was indexed: ranks, dates and reasons rest on the context as it was then.
    pub(crate) fn authorize_claim(
        &self,
        claim: &Claim,
        statement: &StoredStatement,
    ) -> Result<Option<ClearClaim<'s>>, ReadError> {
        let Ok((place, source)) = self.session.recheck_any(statement) else { return Ok(None) };
        if !self.session.door.is_local() && !self.session.is_as_indexed(&source) {
            return Ok(None);
        }
        Ok(match self.authorize(claim, statement, &source, place)? {
            ClaimAccess::Clear(claim) => Some(claim),
            ClaimAccess::Secret(_) => None,
        })
    }

    /// A claim as it is now, if this door may see it.
    pub(crate) fn authorize_current(&self, id: ClaimId) -> Result<Option<ClearClaim<'s>>, ReadError> {
        let Some(statement) = self.session.statement(id.statement())? else { return Ok(None) };
        match statement.wording.claims.iter().find(|claim| claim.id == id) {
            Some(claim) => self.authorize_claim(claim, &statement),
            None => Ok(None),
        }
    }

    /// The guarded claims of a note that a cloud door may know by their subject alone, redacted, in order.
    ///
    /// A note's title stays when it is a name that public text has: the title or an alias of a public note.
    pub(crate) fn redact_note_claims(&self, path: &NotePath) -> Result<Vec<RedactedClaim>, ReadError> {
        let sources = self.session.snapshot.sources_of_note(path)?;
        let cache: &AuthorizerCache = self.session.caches.of();
        let names = match cache.public_names.get() {
            Some(names) => names,
            None => {
                let names = self.read_public_names()?;
                cache.public_names.get_or_init(|| names)
            }
        };
        let mut found = Vec::new();
        let guarded = sources.iter().filter(|source| !self.session.door.may_show(source.row.band));
        for (ordinal, source) in (0..).zip(guarded) {
            let Some(fresh) = self.session.notes.read_note(path) else { continue };
            let Ok(place) = source.row.recheck(fresh) else { continue };
            let Some(claim) = source.wording.claims.first() else { continue };
            let shown = ClaimView {
                claim: claim.clone(),
                captured: source.note.captured,
                valid_from: None,
                valid_until: None,
                sources: 1,
                status: ClaimStatus::Current,
            };
            if let ClaimAccess::Secret(secret) = authorize_claim(shown, place, &self.session.door) {
                let known = |name: &str| {
                    let named = names.get(&name.to_lowercase()).into_iter().flatten();
                    named.into_iter().any(|path| self.is_publicly_named(path, name))
                };
                found.push(secret.redact(&self.session.memora.handles, ordinal, known));
            }
        }
        Ok(found)
    }

    /// Titles and aliases of public notes, in lower case.
    fn read_public_names(&self) -> Result<HashMap<String, Vec<NotePath>>, ReadError> {
        let mut names: HashMap<String, Vec<NotePath>> = HashMap::new();
        for note in self.session.snapshot.notes()?.into_iter().filter(|note| note.band == Band::Public) {
            for name in note.aliases.iter().chain([&note.title]) {
                names.entry(name.to_lowercase()).or_default().push(note.path.clone());
            }
        }
        Ok(names)
    }

    /// Whether a note is public now and goes by this name, by its title or an alias in the open.
    pub(crate) fn is_publicly_named(&self, path: &NotePath, name: &str) -> bool {
        let same = |other: &str| other.to_lowercase() == name.to_lowercase();
        self.session.notes.read_note(path).map(ParsedNote::note).is_some_and(|note| {
            let aliases = note.aliases().iter().filter(|alias| alias.band == Band::Public);
            note.band() == Band::Public && (same(note.title()) || aliases.map(|alias| &alias.text).any(|a| same(a)))
        })
    }
}
