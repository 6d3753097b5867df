//! The vectors of passages, as they were loaded last.

use std::sync::{Arc, Mutex, PoisonError};

use memora_embed::Transformer;
use memora_redact::{DoorView, Viewer};
use memora_store::{Authors, PassageVectors, ReadError, Snapshot};
use memora_vault::Band;

/// The passages that were loaded last, by the door and the authors that they are for.
#[derive(Default)]
pub(crate) struct PassageIndex {
    loaded: Mutex<Vec<(PassageVersion, Arc<PassageVectors>)>>,
}

/// How many are kept: a server answers at a door or two.
const LOADED_MAX: usize = 2;

#[derive(Clone, Debug, PartialEq, Eq)]
struct PassageVersion {
    uuid: String,
    sequence: u64,
    /// Changes with every batch of vectors.
    revision: Option<i64>,
    at_most: Band,
    authors: Authors,
}

impl PassageIndex {
    /// The passages that a door may see, of some authors; what is loaded already is shared.
    pub(crate) fn load(
        &self,
        snapshot: &Snapshot,
        door: DoorView,
        authors: Authors,
    ) -> Result<Arc<PassageVectors>, ReadError> {
        let network = Transformer::embedded();
        let revision = snapshot.vectors().sets()?.first().map(|set| set.revision);
        let (uuid, sequence, at_most) = (snapshot.uuid().to_string(), snapshot.sequence(), door.strictest_band());
        let version = PassageVersion { uuid, sequence, revision, at_most, authors };
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = loaded.iter().find(|(known, _)| *known == version) {
            return Ok(Arc::clone(known));
        }
        let vectors = snapshot.vectors().passages(network.id().as_str(), at_most, authors, network.dimensions())?;
        let vectors = Arc::new(vectors);
        loaded.retain(|(known, _)| (known.at_most, known.authors) != (at_most, authors));
        loaded.truncate(LOADED_MAX - 1);
        loaded.insert(0, (version, Arc::clone(&vectors)));
        Ok(vectors)
    }
}
