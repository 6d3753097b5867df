//! What stages keep between two questions, without the state knowing their types.

use std::any::{Any, TypeId};

use elsa::FrozenMap;
use elsa::sync::FrozenMap as SyncFrozenMap;

/// The caches of one session: one value of each type, empty when it is first asked for.
#[derive(Default)]
pub(crate) struct SessionCaches(FrozenMap<TypeId, Box<dyn Any>>);

impl SessionCaches {
    /// The cache of this type.
    pub(crate) fn of<C: Any + Default>(&self) -> &C {
        let key = TypeId::of::<C>();
        let kept = self.0.get(&key).unwrap_or_else(|| self.0.insert(key, Box::new(C::default())));
        kept.downcast_ref().expect("each cache is kept under its own type")
    }
}

/// The caches of an opened vault, shared by its sessions.
#[derive(Default)]
pub(crate) struct SharedCaches(SyncFrozenMap<TypeId, Box<dyn Any + Send + Sync>>);

impl SharedCaches {
    /// The cache of this type.
    pub(crate) fn of<C: Any + Default + Send + Sync>(&self) -> &C {
        let key = TypeId::of::<C>();
        // Of two that are made at once the first stays.
        let kept = self.0.get(&key).unwrap_or_else(|| self.0.insert(key, Box::new(C::default())));
        kept.downcast_ref().expect("each cache is kept under its own type")
    }
}
