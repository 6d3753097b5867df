//! The second stage of a search: what the first found is read by the transformer, and weighed anew.
//!
//! What the transformer makes of a statement is kept in the store as it is made, so that a question that finds it again
//! costs one pass over the question. The one rule to know: **a statement is read as the clearest band that it stands in
//! shows it**, which every door that finds it may see; what is kept of it never depends on who asked first.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use memora_claim::StatementId;
use memora_embed::{PassageVectors, Transformer};
use memora_redact::Door;
use memora_store::{ReadError, Snapshot, Store, StoredStatement, TokenKey, TokenVectors, WriteError};
use memora_vault::Band;

use crate::Memora;
use crate::derive::BANDS;
use crate::session::{Session, clearest, own_sources};

/// Headings, or the item above, that are read with a statement: the nearest.
const HEADINGS: usize = 2;

/// How far down the hits are read for a question.
const READ: usize = 64;

/// Statements that are read between two looks at whether to stop, and kept together.
const BATCH: usize = 32;

/// A statement as it is read.
struct Passage {
    statement: StatementId,
    band: Band,
    text: String,
}

impl Passage {
    /// A statement as it is seen in a band; nothing where it does not stand there.
    fn of(statement: &StoredStatement, band: Band) -> Option<Self> {
        let seen = statement.clone().seen_through(|source| source.row.band == band)?;
        let place = own_sources(&seen).next()?;
        let above: Vec<&str> = place.row.headings.iter().chain(&place.row.parent).map(String::as_str).collect();
        let nearest = above.get(above.len().saturating_sub(HEADINGS)..).unwrap_or_default();
        let head = std::iter::once(place.note.title.as_str()).chain(nearest.iter().copied());
        let head = head.collect::<Vec<_>>().join(" > ");
        let text = format!("{}: {}", head.trim(), seen.wording.words);
        Some(Self { statement: seen.id, band, text })
    }

    fn keyed(self) -> (Self, TokenKey) {
        let key = self.key();
        (self, key)
    }

    fn key(&self) -> TokenKey {
        let mut hash = blake3::Hasher::new();
        hash.update(Transformer::embedded().id().as_str().as_bytes()).update(&[0]).update(self.text.as_bytes());
        let mut key = TokenKey::default();
        hash.finalize_xof().fill(&mut key);
        key
    }
}

impl<D: Door> Session<'_, D> {
    /// How well statements, the likeliest first, answer a question, as the transformer reads them, from -1 to 1: of those that
    /// were not read before, only the likeliest. Nothing for a question in a language that it does not read.
    pub(crate) fn likeness(
        &self,
        question: &str,
        statements: &[&StoredStatement],
    ) -> Result<HashMap<StatementId, f32>, ReadError> {
        if !Transformer::reads(question) {
            return Ok(HashMap::new());
        }
        let passages: Vec<Passage> =
            statements.iter().filter_map(|statement| Passage::of(statement, clearest(statement)?.row.band)).collect();
        // What was kept tells what was asked before, which is for this door alone.
        let all = self.door.is_local();
        let (mut kept, mut due) = (Vec::new(), Vec::new());
        for (at, passage) in passages.into_iter().enumerate().take_while(|(at, _)| all || *at < READ) {
            let key = passage.key();
            match self.snapshot.token_vectors(passage.statement, passage.band, key)? {
                Some(codes) => kept.push((passage.statement, PassageVectors::from_bytes(&codes))),
                None if at < READ => due.push((passage, key)),
                None => {}
            }
        }
        let asked = Transformer::embedded().question(question);
        let made = read(due);
        keep(&self.memora.store, &self.snapshot, &made).unwrap_or_else(|error| {
            // They are made again when they are asked for again.
            tracing::debug!(%error, "vectors were not kept");
            false
        });
        kept.extend(made.into_iter().map(|made| (made.statement, PassageVectors::from_bytes(&made.codes))));
        Ok(kept.into_iter().map(|(id, vectors)| (id, asked.likeness(&vectors))).collect())
    }
}

/// Has the transformer read passages.
fn read(due: Vec<(Passage, TokenKey)>) -> Vec<TokenVectors> {
    let texts: Vec<&str> = due.iter().map(|(passage, _)| passage.text.as_str()).collect();
    let vectors = Transformer::embedded().passages(&texts);
    let made = due.iter().zip(vectors).map(|((passage, key), vectors)| TokenVectors {
        statement: passage.statement,
        band: passage.band,
        key: *key,
        codes: vectors.to_bytes(),
    });
    made.collect()
}

/// Keeps what was made, unless another process is writing or the index has gone on since: then `false`.
fn keep(store: &Store, snapshot: &Snapshot, made: &[TokenVectors]) -> Result<bool, WriteError> {
    if made.is_empty() {
        return Ok(true);
    }
    let Some(mut writer) = store.try_vectors()? else { return Ok(false) };
    if writer.sequence()? != snapshot.sequence() {
        return Ok(false);
    }
    made.iter().try_for_each(|vectors| writer.keep_tokens(vectors))?;
    writer.commit()?;
    Ok(true)
}

impl Memora {
    /// Has the transformer read the statements that nobody has asked for yet, until all are read, it is to stop, or whoever
    /// is told how many were says `false`. Minutes, for a large vault, which can be asked about meanwhile.
    ///
    /// # Errors
    /// [`WriteError`], also for what kept the store from being read.
    pub fn read_ahead(&self, stop: &AtomicBool, told: &mut dyn FnMut(usize) -> bool) -> Result<(), WriteError> {
        let mut done = 0;
        for band in BANDS {
            let mut behind = None;
            while !stop.load(Ordering::Relaxed) {
                let snapshot = self.store.snapshot()?;
                let ids = snapshot.without_token_vectors(band, behind, BATCH)?;
                let Some(last) = ids.last().copied() else { break };
                let statements = snapshot.statements(&ids)?;
                let passages = statements.iter().filter_map(|statement| Passage::of(statement, band));
                let made = read(passages.map(Passage::keyed).collect());
                if !keep(&self.store, &snapshot, &made)? {
                    // Another process is writing; what is not read now is read when it is asked for.
                    return Ok(());
                }
                done += made.len();
                if !told(done) {
                    return Ok(());
                }
                behind = Some(last);
            }
        }
        Ok(())
    }
}
