//! Reads a batch of notes on all cores, while the batch before is written.

use memora_store::{Proposals, ReadError};
use memora_vault::{Fingerprint, FoundNote, ReadNoteError, Vault};
use rayon::prelude::*;

use crate::index::prepare::{self, PreparedNote};
use crate::index::proposals::{ProposalsByPassage, passage_keys};
use crate::index::sync::plan::KnownHashes;
use crate::state::config::Config;

/// A note file that was found, and the result of reading it.
pub(super) type NoteReading<'f> = (&'f FoundNote, Result<ContentChange, ReadNoteError>);

/// The content of a note, compared with the index.
pub(super) enum ContentChange {
    /// Unchanged, with this hash: the file was only touched.
    Unchanged(Fingerprint),
    /// Changed, or to be read under other rules.
    Changed(Box<PreparedNote>),
}

/// Reads notes, with what was proposed for them.
pub(super) struct NoteReader<'m> {
    pub(super) vault: &'m Vault,
    pub(super) config: &'m Config,
    pub(super) known: &'m KnownHashes,
    /// `None` where no note is due.
    pub(super) proposals: Option<Proposals>,
}

impl NoteReader<'_> {
    pub(super) fn read_notes<'f>(&mut self, batch: &'f [FoundNote]) -> Result<Vec<NoteReading<'f>>, ReadError> {
        let Some(proposals) = &self.proposals else { return Ok(Vec::new()) };
        let (vault, config, known) = (self.vault, self.config, self.known);
        let read = |found: &'f FoundNote| {
            let read = prepare::read_found_note(vault, found);
            (found, read.map(|(fresh, problems)| (passage_keys(&fresh), fresh, problems)))
        };
        let read: Vec<_> = batch.par_iter().map(read).collect();
        let none = proposals.is_empty()?;
        let of_all = read.iter().filter_map(|(_, read)| read.as_ref().ok()).flat_map(|(keys, ..)| keys).copied();
        let kept = if none { ProposalsByPassage::default() } else { ProposalsByPassage::load(proposals, of_all)? };
        let content = read.into_par_iter().map(|(found, read)| {
            let content = read.map(|(passages, fresh, problems)| {
                let hash = fresh.note().file_fingerprint();
                if known.get(&found.path) == Some(&Some(hash)) {
                    return ContentChange::Unchanged(hash);
                }
                let extract = config.extractor();
                ContentChange::Changed(Box::new(prepare::prepare_note(
                    &fresh, problems, passages, found.stat, extract, &kept,
                )))
            });
            (found, content)
        });
        Ok(content.collect())
    }
}
