//! The cache of the entity resolution.

use std::cell::OnceCell;
use std::sync::Arc;

use elsa::FrozenMap;
use memora_claim::NameKey;
use memora_store::Authors;
use memora_vault::NotePath;

use super::entity_names::EntityNames;
use super::identity::{Entity, EntityResolution};
use super::name_table::NameTable;

/// The names that a session has resolved.
#[derive(Default)]
pub(crate) struct EntityCache {
    /// Names of the notes that this door may see; read when first needed.
    pub(super) names: OnceCell<Arc<NameTable>>,
    /// Names of entities.
    pub(super) entity_names: FrozenMap<(Authors, Entity), Box<EntityNames>>,
    /// The entities that names refer to in notes.
    pub(super) resolved_keys: FrozenMap<(Authors, NameKey, NotePath), Box<EntityResolution>>,
}
