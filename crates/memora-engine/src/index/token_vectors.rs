//! The token vectors of statements, by the transformer: made ahead of questions, or when a question finds a statement without them.
//!
//! Invariant: **a statement is read as a single band shows it**, and stored for that band, so that a score never depends on text
//! that the door may not see.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use memora_claim::StatementId;
use memora_embed::Transformer;
use memora_store::{Store, StoredStatement, TokenKey, TokenVectors, WriteError};
use memora_vault::Band;

use crate::state::lexical_indexes::BANDS;
use crate::state::open::Memora;
use crate::state::sources::clearest_source;

/// Maximum number of headings, or items above, that are read with a statement: the nearest.
const HEADINGS_MAX: usize = 2;

/// Statements that are read and stored in one batch, between two checks of the stop flag.
const BATCH: usize = 32;

/// A statement as the transformer reads it.
pub(crate) struct RerankPassage {
    pub(crate) statement: StatementId,
    pub(crate) band: Band,
    pub(crate) text: String,
    pub(crate) key: TokenKey,
}

impl RerankPassage {
    /// A statement as it is seen in a band; `None` where it is not in that band.
    pub(crate) fn in_band(statement: &StoredStatement, band: Band) -> Option<Self> {
        let places = statement.sources.iter().filter(|source| source.row.band == band);
        // The user's own words first; captured text only where there is nothing else.
        let place = places.min_by_key(|source| source.note.captured)?;
        let above: Vec<&str> = place.row.headings.iter().chain(&place.row.parent).map(String::as_str).collect();
        let nearest = above.get(above.len().saturating_sub(HEADINGS_MAX)..).unwrap_or_default();
        let head = std::iter::once(place.note.title.as_str()).chain(nearest.iter().copied());
        let head = head.collect::<Vec<_>>().join(" > ");
        let said = place.speaker.as_ref().map_or_else(String::new, |speaker| format!("{speaker}: "));
        let text = format!("{}: {said}{}", head.trim(), place.wording.words);
        Some(Self { statement: statement.id, band, key: token_key(&text), text })
    }

    /// A statement as its clearest band shows it.
    pub(crate) fn in_clearest_band(statement: &StoredStatement) -> Option<Self> {
        Self::in_band(statement, clearest_source(statement)?.row.band)
    }
}

/// The key of stored vectors: a hash of the network's id and its input.
fn token_key(text: &str) -> TokenKey {
    let mut hash = blake3::Hasher::new();
    hash.update(Transformer::embedded().id().as_str().as_bytes()).update(&[0]).update(text.as_bytes());
    let mut key = TokenKey::default();
    hash.finalize_xof().fill(&mut key);
    key
}

/// Encodes passages with the transformer.
pub(crate) fn encode_passages(due: &[RerankPassage]) -> Vec<TokenVectors> {
    let texts: Vec<&str> = due.iter().map(|passage| passage.text.as_str()).collect();
    let vectors = Transformer::embedded().encode_passages(&texts);
    let made = due.iter().zip(vectors).map(|(passage, vectors)| TokenVectors {
        statement: passage.statement,
        band: passage.band,
        key: passage.key,
        codes: vectors.to_bytes(),
    });
    made.collect()
}

/// Stores vectors of statements that are still read as they were; `false` where another process is writing.
///
/// Anything may have been indexed since they were made: what was deleted meanwhile must leave no vectors behind.
pub(crate) fn store_vectors(store: &Store, made: &[TokenVectors]) -> Result<bool, WriteError> {
    if made.is_empty() {
        return Ok(true);
    }
    let Some(mut writer) = store.try_vector_writer()? else { return Ok(false) };
    // Nobody else writes while the lock is held, so that this shows the latest.
    let snapshot = store.snapshot()?;
    let ids: Vec<StatementId> = made.iter().map(|vectors| vectors.statement).collect();
    let now: HashMap<StatementId, StoredStatement> =
        snapshot.statements(&ids)?.into_iter().map(|statement| (statement.id, statement)).collect();
    for vectors in made {
        let passage = now.get(&vectors.statement).and_then(|found| RerankPassage::in_band(found, vectors.band));
        if passage.is_some_and(|passage| passage.key == vectors.key) {
            writer.put_token_vectors(vectors)?;
        }
    }
    writer.commit()?;
    Ok(true)
}

/// The delay between two tries while another process is writing.
pub(crate) const RETRY: Duration = Duration::from_millis(200);

/// Maximum number of failed tries in a row.
pub(crate) const RETRIES: usize = 150;

/// The outcome of reading ahead of questions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadAhead {
    /// Statements, or notes, that were read.
    pub done: usize,
    /// Whether none is left.
    pub complete: bool,
}

impl Memora {
    /// Has the transformer read all statements without token vectors, until it is done or stopped, or until `told`,
    /// which gets the progress, returns `false`. Takes minutes for a large vault, which stays usable meanwhile.
    ///
    /// # Errors
    /// [`WriteError`], also for what kept the store from being read.
    pub fn precompute_token_vectors(
        &self,
        stop: &AtomicBool,
        told: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Result<ReadAhead, WriteError> {
        let mut ahead = ReadAhead::default();
        let snapshot = self.store.snapshot()?;
        let due = BANDS
            .iter()
            .map(|band| snapshot.vectors().count_statements_without_tokens(*band))
            .sum::<Result<usize, _>>()?;
        drop(snapshot);
        for band in BANDS {
            let (mut behind, mut in_vain) = (None, 0);
            loop {
                // No snapshot is held while the network reads: deleted words could not be wiped.
                let snapshot = self.store.snapshot()?;
                let ids = snapshot.vectors().statements_without_tokens(band, behind, BATCH)?;
                let Some(last) = ids.last().copied() else { break };
                let statements = snapshot.statements(&ids)?;
                drop(snapshot);
                if stop.load(Ordering::Relaxed) || !told(ahead.done, due.max(ahead.done)) {
                    return Ok(ahead);
                }
                let passages: Vec<_> = statements.iter().filter_map(|s| RerankPassage::in_band(s, band)).collect();
                let made = encode_passages(&passages);
                if store_vectors(&self.store, &made)? {
                    (behind, in_vain) = (Some(last), 0);
                    ahead.done += made.len();
                    continue;
                }
                in_vain += 1;
                if in_vain > RETRIES {
                    return Ok(ahead);
                }
                thread::sleep(RETRY);
            }
        }
        Ok(ReadAhead { complete: true, ..ahead })
    }
}
