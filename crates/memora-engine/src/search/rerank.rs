//! The second stage of a search: the transformer reads the candidates of the first one and rescores them.
//!
//! The token vectors of a statement are stored as they are made, so that a question that finds it again
//! costs one pass over the question. Invariant: **a statement is read as a single band shows it**, and stored for
//! that band, so that a score never depends on text that the door may not see.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Scope, ScopedJoinHandle};
use std::time::Duration;

use memora_claim::StatementId;
use memora_embed::{EncodedQuery, PassageVectors, Transformer};
use memora_redact::Viewer;
use memora_store::{ReadError, Store, StoredStatement, TokenKey, TokenVectors, WriteError};
use memora_vault::Band;

use crate::Memora;
use crate::index::lexical_sync::BANDS;
use crate::search::ClaimSearch;
use crate::sources::clearest_source;

/// Maximum number of headings, or items above, that are read with a statement: the nearest.
const HEADINGS_MAX: usize = 2;

/// How many hits are read for a question, and how many bytes of them, titles and headings included: what two processors read in some
/// 100 ms. A server reads ahead.
const READ_MAX: usize = 64;
const READ_BYTES_MAX: usize = 4 * 1024;

/// Statements that are read and stored in one batch, between two checks of the stop flag.
const BATCH: usize = 32;

/// A statement as the transformer reads it.
pub(crate) struct RerankPassage {
    statement: StatementId,
    band: Band,
    pub(crate) text: String,
    key: TokenKey,
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

/// A question that the transformer reads on a thread of its own, while its candidates are found. Nothing for a question in a
/// language that it does not read.
pub(crate) struct QueryEncoding<'scope>(Option<ScopedJoinHandle<'scope, Arc<EncodedQuery>>>);

impl<'scope> QueryEncoding<'scope> {
    pub(crate) fn start<'env>(question: &'env str, scope: &'scope Scope<'scope, 'env>) -> Self {
        let is_read = Transformer::can_read(question);
        Self(is_read.then(|| scope.spawn(|| Transformer::embedded().encode_query(question))))
    }

    /// Waits for it.
    fn finish(self) -> Option<Arc<EncodedQuery>> {
        self.0.map(|reading| reading.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
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

impl ClaimSearch<'_> {
    /// Scores how well statements, the likeliest first, answer a question, by the transformer, from -1 to 1: of those
    /// without stored vectors only the likeliest. Empty for a question in a language that it does not read.
    pub(crate) fn score_likeness(
        &self,
        question: QueryEncoding<'_>,
        statements: &[&StoredStatement],
    ) -> Result<HashMap<StatementId, f32>, ReadError> {
        let Some(asked) = question.finish() else { return Ok(HashMap::new()) };
        let passages = statements.iter().filter_map(|statement| RerankPassage::in_clearest_band(statement));
        let (mut kept, mut due) = (Vec::new(), Vec::new());
        let mut bytes = 0;
        for (at, passage) in passages.enumerate() {
            bytes += passage.text.len();
            let may_be_read = at < READ_MAX && (at == 0 || bytes <= READ_BYTES_MAX);
            // Stored vectors reveal earlier questions, so only a local door uses all of them.
            if !may_be_read && !self.session.door.is_local() {
                break;
            }
            match self.session.snapshot.token_vectors(passage.statement, passage.band, passage.key)? {
                Some(codes) => kept.push((passage.statement, PassageVectors::from_bytes(&codes))),
                None if may_be_read => due.push(passage),
                None => {}
            }
        }
        let made = encode_passages(&due);
        if let Err(error) = store_vectors(&self.session.memora.store, &made) {
            // They are made again when they are asked for again.
            tracing::debug!(%error, "vectors were not kept");
        }
        kept.extend(made.into_iter().map(|made| (made.statement, PassageVectors::from_bytes(&made.codes))));
        Ok(kept.into_iter().map(|(id, vectors)| (id, asked.pieces.max_similarity(&vectors))).collect())
    }
}

/// Encodes passages with the transformer.
fn encode_passages(due: &[RerankPassage]) -> Vec<TokenVectors> {
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
fn store_vectors(store: &Store, made: &[TokenVectors]) -> Result<bool, WriteError> {
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
            .map(|band| snapshot.count_statements_without_token_vectors(*band))
            .sum::<Result<usize, _>>()?;
        drop(snapshot);
        for band in BANDS {
            let (mut behind, mut in_vain) = (None, 0);
            loop {
                // No snapshot is held while the network reads: deleted words could not be wiped.
                let snapshot = self.store.snapshot()?;
                let ids = snapshot.statements_without_token_vectors(band, behind, BATCH)?;
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
