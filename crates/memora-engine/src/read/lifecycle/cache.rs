//! The cache of the lifecycle.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};

use elsa::FrozenMap;
use memora_claim::{ClaimId, Decisions, NameKey, StatementId};

use super::state::{BrokenSupport, CitedState, ClaimGroup, ComparisonKey};
use crate::read::entity::identity::Entity;

/// The states and groups that a session has computed.
#[derive(Default)]
pub(crate) struct LifecycleCache {
    /// The user's decisions; read when first needed.
    pub(super) decisions: OnceCell<Decisions>,
    /// Groups of claims about one entity that were compared so far.
    pub(super) groups: FrozenMap<(Entity, ComparisonKey), Box<ClaimGroup>>,
    /// Whether a group may have two rival claims.
    pub(super) rivals: FrozenMap<(Entity, ComparisonKey), Box<bool>>,
    /// Every possible name of entities.
    pub(super) possible_names: FrozenMap<Entity, Box<[NameKey]>>,
    pub(super) support: SupportCache,
}

/// The support of statements that a session has computed; with and without the journal it may differ.
#[derive(Default)]
pub(crate) struct SupportCache {
    /// The states of cited claims.
    pub(super) cited_states: FrozenMap<ClaimId, Box<CitedState>>,
    /// The broken support of statements.
    pub(super) broken_support: FrozenMap<StatementId, Vec<BrokenSupport>>,
    /// The statements that derive from each statement; read when first needed.
    pub(super) dependents: OnceCell<HashMap<StatementId, BTreeSet<StatementId>>>,
}
