//! Numbers that were edited in place, for the user to decide whether the former value still holds.
//!
//! They come from the journal, so they are proposals without proof: the new text is re-read, and the former words
//! are no longer in any note.

use memora_claim::{ClaimId, StatementId};
use memora_redact::{Viewer, WireClaim};
use memora_store::{NUMBER_CHANGES_MAX, ReadError, StoredNumberChange};

use crate::read::catalog::ClaimCatalog;
use crate::read::lifecycle::{Lifecycle, LifecycleReports};

/// A number that was edited in place, as a door may see it.
#[derive(Clone, Debug)]
pub struct NumberEdit {
    /// The claim in its place now, re-read a moment ago.
    pub now: WireClaim,
    /// The former statement.
    pub former: StatementId,
    /// Its words; `None` where they are not kept, since they are or were guarded.
    pub former_words: Option<String>,
    /// When it was seen, in seconds since 1970.
    pub at: i64,
}

impl ClaimCatalog<'_> {
    /// The edits of numbers in the journal, the latest first, as many as `limit`: those whose new statement is valid
    /// and visible here, and that are not decided yet.
    pub fn list_number_edits(&self, limit: usize) -> Result<Vec<NumberEdit>, ReadError> {
        let mut found = Vec::new();
        for edit in self.session.journal.number_changes(NUMBER_CHANGES_MAX)? {
            if found.len() == limit {
                break;
            }
            // The ids of guarded statements are hashes of their words.
            if !self.session.door.may_show(edit.band) || self.is_settled(&edit) {
                continue;
            }
            let Some(now) = self.current_claim(edit.now)? else { continue };
            found.push(NumberEdit { now, former: edit.former, former_words: edit.former_words, at: edit.at });
        }
        Ok(found)
    }

    /// Whether the user has decided between the two, or that what stands now holds or does not.
    fn is_settled(&self, edit: &StoredNumberChange) -> bool {
        let (former, now) = (ClaimId::from(edit.former), ClaimId::from(edit.now));
        let decisions = Lifecycle::new(self.session).decisions();
        decisions.ruling_between(former, now).is_some()
            || decisions.confirmed_at(now).is_some()
            || decisions.is_retracted(now)
    }

    /// The first claim of a statement, if a person's note says it now and this door may see it.
    fn current_claim(&self, id: StatementId) -> Result<Option<WireClaim>, ReadError> {
        let Some(statement) = self.session.statement(id)? else { return Ok(None) };
        let Some(statement) = statement.retain_sources(|source| !source.note.captured) else { return Ok(None) };
        let clear = LifecycleReports::new(self.session).authorize_first_claim(&statement)?;
        Ok(clear.map(|clear| WireClaim::from_clear(&clear, self.session.memora.vault.name())))
    }
}
