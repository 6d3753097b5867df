//! The second stage of a search: the transformer reads the candidates of the first one and rescores them.
//!
//! The token vectors of a statement are stored as they are made, so that a question that finds it again
//! costs one pass over the question.

use std::collections::HashMap;
use std::sync::Arc;
use std::thread::{Scope, ScopedJoinHandle};

use memora_claim::StatementId;
use memora_embed::{EncodedQuery, PassageVectors, Transformer};
use memora_redact::Viewer;
use memora_store::{ReadError, StoredStatement};

use crate::index::token_vectors::{RerankPassage, encode_passages, store_vectors};
use crate::read::search::ClaimSearch;

/// How many hits are read for a question, and how many bytes of them, titles and headings included: what two processors read in some
/// 100 ms. A server reads ahead.
const READ_MAX: usize = 64;
const READ_BYTES_MAX: usize = 4 * 1024;

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
            match self.session.snapshot.vectors().tokens(passage.statement, passage.band, passage.key)? {
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
