//! A value that was worked out of a commit of the index, kept for the next session.

use std::sync::{Arc, Mutex, PoisonError};

use memora_store::Snapshot;

/// A cache of the last value that was worked out of the index, for one commit and one key, shared between sessions.
pub(crate) struct CommitCache<K, V>(Mutex<Option<Cached<K, V>>>);

struct Cached<K, V> {
    uuid: String,
    sequence: u64,
    key: K,
    value: Arc<V>,
}

impl<K, V> Default for CommitCache<K, V> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<K: Clone + PartialEq, V> CommitCache<K, V> {
    /// Returns the value of a key as of a snapshot, or works it out.
    pub(crate) fn get_or_try_build<E>(
        &self,
        snapshot: &Snapshot,
        key: &K,
        build: impl FnOnce() -> Result<V, E>,
    ) -> Result<Arc<V>, E> {
        let is_of = |kept: &&Cached<K, V>| {
            kept.uuid == snapshot.uuid() && kept.sequence == snapshot.sequence() && kept.key == *key
        };
        // A poisoned lock still holds a valid value.
        let kept = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = kept().as_ref().filter(is_of) {
            return Ok(Arc::clone(&kept.value));
        }
        let value = Arc::new(build()?);
        let (uuid, sequence) = (snapshot.uuid().to_owned(), snapshot.sequence());
        *kept() = Some(Cached { uuid, sequence, key: key.clone(), value: Arc::clone(&value) });
        Ok(value)
    }
}
