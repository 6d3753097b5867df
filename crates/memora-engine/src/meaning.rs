//! What statements mean, as vectors: made while the index is brought up to date, scanned when something is asked.
//!
//! A statement's vector is that of its own words, with a share of the sentence before it and of its title and headings,
//! each band's from what is seen there alone. The one rule to know: **vectors of another embedder are no vectors.** They
//! are made anew, and until then a question is answered by words alone.

use std::sync::{Arc, Mutex, PoisonError};

use memora_claim::StatementId;
use memora_embed::{EmbedError, Embedder, StaticEmbedder, Vector, quantize};
use memora_redact::Door;
use memora_retrieve::{Doc, Nearest, Scan, statement_vector};
use memora_store::{Snapshot, Store, VectorState, VectorWriter};
use memora_vault::Band;

use crate::derive::{BANDS, CHUNK, DeriveError, docs};

/// Below this cosine a statement means something else: what has no word in common either is not listed.
const NEAR: f32 = 0.3;

/// How many of the nearest are scored again by their vectors.
const RESCORED: usize = 64;

/// The embedder, and the scans that were loaded.
pub(crate) struct Meaning {
    embedder: &'static dyn Embedder,
    /// By band; each as of one commit of one index.
    scans: Mutex<[Option<Loaded>; 3]>,
}

struct Loaded {
    uuid: String,
    sequence: u64,
    scan: Arc<Scan>,
}

impl Meaning {
    /// With the embedder that is part of the program.
    pub(crate) fn embedded() -> Self {
        Self { embedder: StaticEmbedder::embedded(), scans: Mutex::default() }
    }

    /// Brings the vectors of each band to the snapshot's sequence.
    ///
    /// Returns `false` when another process is writing: then what is there serves as it is.
    pub(crate) fn catch_up(&self, store: &Store, snapshot: &Snapshot) -> Result<bool, DeriveError> {
        for band in BANDS {
            let to = VectorState { embedder: self.embedder.id().to_string(), sequence: snapshot.sequence() };
            let at = snapshot.vector_state(band)?;
            if at.as_ref() == Some(&to) {
                continue;
            }
            let Some(mut writer) = store.try_vectors(band)? else { return Ok(false) };
            let same = at.filter(|at| at.embedder == to.embedder);
            let known = same.map(|at| snapshot.statements_after(at.sequence)).transpose()?.flatten();
            let changed = match known {
                Some(known) => {
                    known.deleted.iter().try_for_each(|id| writer.delete(*id))?;
                    known.changed
                }
                None => {
                    writer.clear()?;
                    snapshot.statement_ids_of(band)?
                }
            };
            for ids in changed.chunks(CHUNK) {
                self.put(&mut writer, docs(snapshot, ids, band)?)?;
            }
            writer.commit(&to)?;
        }
        Ok(true)
    }

    fn put(&self, writer: &mut VectorWriter, docs: Vec<(StatementId, Option<Doc>)>) -> Result<(), DeriveError> {
        let (here, gone): (Vec<_>, Vec<_>) = docs.into_iter().partition(|(_, doc)| doc.is_some());
        gone.into_iter().try_for_each(|(id, _)| writer.delete(id))?;
        let here: Vec<(StatementId, Doc)> = here.into_iter().filter_map(|(id, doc)| Some((id, doc?))).collect();
        let vectors = self.vectors(&here)?;
        for ((id, _), vector) in here.iter().zip(&vectors) {
            match vector.is_zero() {
                true => writer.delete(*id)?,
                false => writer.put(*id, vector.values(), &quantize(vector))?,
            }
        }
        Ok(())
    }

    /// A vector for each statement.
    fn vectors(&self, docs: &[(StatementId, Doc)]) -> Result<Vec<Vector>, EmbedError> {
        let of = |text: &dyn Fn(&Doc) -> String| {
            let texts: Vec<String> = docs.iter().map(|(_, doc)| text(doc)).collect();
            self.embedder.embed(&texts.iter().map(String::as_str).collect::<Vec<_>>())
        };
        let words = of(&|doc| format!("{} {}", doc.subject, doc.words))?;
        let before = of(&|doc| doc.before.clone().unwrap_or_default())?;
        let context = of(&|doc| format!("{} {}", doc.title, doc.headings.join(" ")))?;
        let parts = words.iter().zip(&before).zip(&context);
        Ok(parts.map(|((words, before), context)| statement_vector(words, before, context)).collect())
    }

    /// The statements nearest to a question among the bands that a door shows, nearest first, each with its cosine.
    pub(crate) fn nearest<D: Door>(
        &self,
        question: &str,
        snapshot: &Snapshot,
        door: &D,
        limit: usize,
        keep: &dyn Fn(StatementId) -> bool,
    ) -> Result<Vec<(StatementId, f32)>, DeriveError> {
        let asked = self.embedder.embed_one(question)?;
        let mut found: Vec<(StatementId, f32)> = Vec::new();
        for band in BANDS.into_iter().filter(|band| door.shows(*band)) {
            let Some(scan) = self.scan(snapshot, band)? else { continue };
            let mut nearest = scan.nearest(&asked, limit, keep);
            let ids: Vec<StatementId> = nearest.iter().take(RESCORED).map(|(id, _)| *id).collect();
            for ((_, cosine), exact) in nearest.iter_mut().zip(snapshot.vectors(band, &ids)?) {
                if let Some(exact) = exact {
                    *cosine = Vector::normalized(exact).cosine(&asked);
                }
            }
            found.extend(nearest);
        }
        found.retain(|(_, cosine)| *cosine >= NEAR);
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        // A statement that stands in two bands counts as the nearer.
        let mut seen = std::collections::HashSet::new();
        found.retain(|(id, _)| seen.insert(*id));
        found.truncate(limit);
        Ok(found)
    }

    /// The codes of a band as of a snapshot; nothing while there are none of this embedder.
    fn scan(&self, snapshot: &Snapshot, band: Band) -> Result<Option<Arc<Scan>>, DeriveError> {
        let Some(state) = snapshot.vector_state(band)? else { return Ok(None) };
        if state.embedder != self.embedder.id().as_str() {
            return Ok(None);
        }
        let mut scans = self.scans.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(slot) = BANDS.iter().position(|b| *b == band).and_then(|at| scans.get_mut(at)) else {
            return Ok(None);
        };
        if let Some(loaded) = slot.as_ref().filter(|l| l.sequence == state.sequence && l.uuid == snapshot.uuid()) {
            return Ok(Some(Arc::clone(&loaded.scan)));
        }
        let codes = snapshot.codes(band, self.embedder.dimensions())?;
        let scan = Arc::new(Scan::new(codes.statements, codes.bytes, self.embedder.dimensions()));
        *slot = Some(Loaded { uuid: snapshot.uuid().to_owned(), sequence: state.sequence, scan: Arc::clone(&scan) });
        Ok(Some(scan))
    }
}
