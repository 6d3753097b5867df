//! Semantic search: the vectors of statements, compared with the vector of a question.
//!
//! A statement's vector is that of its own words, with a share of the sentences around it and of its title and headings,
//! made for each band from what is visible there. `vectorize` makes them. Invariant: **a question is compared with
//! vectors of one embedder**, the same for all bands that a door shows, and which one depends on those bands alone.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use memora_claim::StatementId;
use memora_embed::Embedder;
use memora_redact::{DoorView, Viewer};
use memora_retrieve::Nearest;
use memora_store::{Authors, ReadError, Snapshot, VectorSet};

use crate::state::config::NearestMethod;
use crate::state::embedder::choice::{EmbedderChoice, Embedders};
use crate::state::lexical_indexes::{BANDS, DeriveError};
use crate::state::vector_cache::{CachedVectors, GRAPH_MIN, VectorSetVersion};

/// The minimum cosine: a statement below it that has no word in common either is not listed. Set for the
/// built-in embedder; it serves for the other one as well (see `docs/decisions/0010-surroundings.md`).
fn cosine_min(live: EmbedderChoice) -> f32 {
    match live {
        EmbedderChoice::Embedded | EmbedderChoice::MiniLm => 0.3,
    }
}

/// The embedders, and the scans that were loaded.
pub(crate) struct SemanticIndex {
    pub(crate) embedders: Embedders,
    /// By band; each as of one batch of one set.
    scans: Mutex<[Option<CachedVectors>; 3]>,
    nearest_by: NearestMethod,
}

/// The embedder that answers at a door, with its vectors.
pub(crate) struct ServingEmbedder<'m> {
    /// Which it is.
    pub(crate) live: EmbedderChoice,
    pub(crate) embedder: &'m dyn Embedder,
    pub(crate) sets: Vec<VectorSet>,
}

/// Which statements near to a question are wanted.
pub(crate) struct Neighbours<'a> {
    pub(crate) limit: usize,
    /// Only these, if given.
    pub(crate) among: Option<&'a HashSet<StatementId>>,
    pub(crate) authors: Authors,
    /// Also those that hardly resemble the question.
    pub(crate) keep_semantic_only: bool,
}

impl SemanticIndex {
    pub(crate) fn new(embedders: Embedders, nearest_by: NearestMethod) -> Self {
        Self { embedders, scans: Mutex::default(), nearest_by }
    }

    /// Which embedder answers at a door: the chosen one, if it is there and once had vectors of all that the door may
    /// see; else the one in the program; nothing if that has none either.
    pub(crate) fn serving_embedder(
        &self,
        snapshot: &Snapshot,
        door: DoorView,
    ) -> Result<Option<ServingEmbedder<'_>>, ReadError> {
        let mut sets = snapshot.vectors().sets()?;
        sets.retain(|set| door.may_show(set.band));
        let shown = BANDS.into_iter().filter(|band| door.may_show(*band)).count();
        let choice = self.embedders.choice();
        let is_made = sets.iter().filter(|set| choice.is_maker_of(&set.embedder) && set.made).count() >= shown;
        if choice != EmbedderChoice::Embedded
            && is_made
            && let Ok(embedder) = self.embedders.load_chosen()
        {
            let of: Vec<VectorSet> =
                sets.iter().filter(|set| set.made && set.embedder == embedder.id().as_str()).cloned().collect();
            if of.len() == shown {
                return Ok(Some(ServingEmbedder { live: choice, embedder, sets: of }));
            }
        }
        let embedder = self.embedders.builtin();
        sets.retain(|set| set.embedder == embedder.id().as_str());
        Ok((!sets.is_empty()).then_some(ServingEmbedder { live: EmbedderChoice::Embedded, embedder, sets }))
    }

    /// The statements nearest to a question among the bands that a door shows, nearest first, each with its cosine.
    pub(crate) fn find_nearest(
        &self,
        question: &str,
        snapshot: &Snapshot,
        door: DoorView,
        wanted: &Neighbours<'_>,
    ) -> Result<Vec<(StatementId, f32)>, DeriveError> {
        let Some(serving) = self.serving_embedder(snapshot, door)? else { return Ok(Vec::new()) };
        let asked = serving.embedder.embed_one(question)?;
        let mut found: Vec<(StatementId, f32)> = Vec::new();
        for set in &serving.sets {
            let searchers = self.load_searchers(snapshot, set, serving.embedder.dimensions(), wanted.authors)?;
            found.extend(
                searchers.iter().flat_map(|searcher| searcher.find_nearest(&asked, wanted.limit, wanted.among)),
            );
        }
        found.retain(|(_, cosine)| wanted.keep_semantic_only || *cosine >= cosine_min(serving.live));
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        // A statement that stands in two bands counts as the nearer.
        let mut seen = HashSet::new();
        found.retain(|(id, _)| seen.insert(*id));
        found.truncate(wanted.limit);
        Ok(found)
    }

    /// Returns the searchers for a set as of a snapshot, of some authors' text.
    fn load_searchers(
        &self,
        snapshot: &Snapshot,
        set: &VectorSet,
        dimensions: usize,
        authors: Authors,
    ) -> Result<Vec<Arc<dyn Nearest>>, DeriveError> {
        let version = VectorSetVersion::from_set(snapshot.uuid(), set);
        let load = || -> Result<CachedVectors, DeriveError> {
            let captured_only = snapshot.captured_only_statement_ids(set.band)?.into_iter().collect();
            let codes = snapshot.vectors().codes(set, dimensions)?;
            Ok(CachedVectors::new(version.clone(), snapshot.vectors().due(set)?, codes, dimensions, &captured_only))
        };
        let mut scans = self.scans.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(slot) = BANDS.iter().position(|b| *b == set.band).and_then(|at| scans.get_mut(at)) else {
            return Ok(load()?.searchers(NearestMethod::Scan, GRAPH_MIN, authors));
        };
        // Small changes are applied in place: to read a million codes again would take a second.
        if let Some(loaded) = slot.as_mut().filter(|loaded| loaded.version.is_older_than(&version))
            && let Some(known) = snapshot.changes_since(loaded.version.sequence)?
        {
            let due = snapshot.vectors().due(set)?;
            let ids = [&known.changed, &known.deleted, &loaded.due, &due].into_iter().flatten().copied();
            let ids: Vec<StatementId> = ids.collect::<HashSet<_>>().into_iter().collect();
            let codes = snapshot.vectors().codes_of(set, &ids, dimensions)?;
            let own: HashSet<StatementId> = snapshot.own_statement_ids(&ids, set.band)?.into_iter().collect();
            loaded.apply_changes(version.clone(), due, ids.into_iter().zip(codes), |id| own.contains(&id));
        }
        if let Some(loaded) = slot.as_mut().filter(|loaded| loaded.version == version) {
            return Ok(loaded.searchers(self.nearest_by, GRAPH_MIN, authors));
        }
        Ok(slot.insert(load()?).searchers(self.nearest_by, GRAPH_MIN, authors))
    }
}
