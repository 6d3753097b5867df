//! What is named together: `co_occurs` edges, from shared blocks.
//!
//! A block is what is written as one piece: a paragraph, a list item, a table row, a property. An item shares a block
//! with the item that it belongs to, not with its siblings. Edges are worked out when they are read.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use memora_claim::{NameKey, StatementId};
use memora_redact::Door;
use memora_store::{NamedPlace, ReadError};

use super::claims::EntityNames;
use super::resolve::LinkTexts;
use super::{Entity, EntityResolution};
use crate::session::Session;

/// How an edge came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntityEdgeKind {
    /// Both are named in one block; goes both ways.
    CoOccurs,
}

impl EntityEdgeKind {
    /// A stable word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::CoOccurs => "co_occurs",
        }
    }
}

/// An edge to an entity.
#[derive(Clone, PartialEq, Eq)]
pub struct EntityEdge {
    /// What kind.
    pub kind: EntityEdgeKind,
    /// Where it leads.
    pub to: Entity,
    /// How that is called: a note's title, or the words of the first place that names it.
    pub name: String,
    /// How many pairs of places, one naming each, share a block.
    pub blocks: usize,
}

/// Places looked at for one answer at most; what is named more often is known well enough by these.
pub(super) const PLACES_MAX: usize = 256;

/// In how many statements a name without a note must stand to count.
const REPEATED_MIN: usize = 2;

/// Two blocks, the lesser first.
type BlockPair = [(i64, u32); 2];

/// What a place names.
struct PlaceEntity {
    entity: Entity,
    /// As it is written.
    written: String,
}

impl<D: Door> Session<'_, D> {
    /// What is named in the blocks in which an entity is, most often first, as many as `limit`.
    ///
    /// Looks at the first 256 places that name the entity and that this door may see.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn co_occurring_entities(&self, entity: &Entity, limit: usize) -> Result<Vec<EntityEdge>, ReadError> {
        self.co_occurring_by_names(&self.collect_entity_names(entity, "")?, limit)
    }

    /// The same, when it is known how the entity is called.
    pub(super) fn co_occurring_by_names(&self, called: &EntityNames, limit: usize) -> Result<Vec<EntityEdge>, ReadError> {
        let seeds = self.places_naming(called, PLACES_MAX)?;
        self.count_co_occurrences(&seeds, Some(&called.entity), limit)
    }

    /// What is named in the blocks of a statement, itself included, most often first, as many as `limit`.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn co_occurring_in_statement(&self, statement: StatementId, limit: usize) -> Result<Vec<EntityEdge>, ReadError> {
        let mut seeds = self.snapshot.places_of_statement(statement, self.door.strictest_band())?;
        seeds.truncate(PLACES_MAX);
        self.count_co_occurrences(&seeds, None, limit)
    }

    /// Counts what is named around the seeds; with `of`, around those that do name it, without it.
    fn count_co_occurrences(&self, seeds: &[NamedPlace], of: Option<&Entity>, limit: usize) -> Result<Vec<EntityEdge>, ReadError> {
        let mut around = Vec::new();
        for (seed, place) in self.snapshot.places_in_block(seeds, self.door.strictest_band())? {
            if self.may_use_index(&place.note)? {
                around.extend(seeds.get(seed).map(|seed| (seed, place)));
            }
        }
        let places: BTreeSet<&NamedPlace> = around.iter().flat_map(|(seed, place)| [*seed, place]).collect();
        let places: Vec<NamedPlace> = places.into_iter().cloned().collect();
        let named = self.entities_at_places(&places)?;
        let names_it = |place: &NamedPlace| {
            of.is_none_or(|of| named.get(place).is_some_and(|all| all.iter().any(|n| n.entity == *of)))
        };
        let mut found: BTreeMap<&Entity, (&str, BTreeSet<BlockPair>)> = BTreeMap::new();
        for (seed, place) in around.iter().filter(|(seed, _)| names_it(seed)) {
            let mut pair = [seed.block(), place.block()];
            pair.sort_unstable();
            for other in named.get(place).into_iter().flatten().filter(|other| of != Some(&other.entity)) {
                found.entry(&other.entity).or_insert((&other.written, BTreeSet::new())).1.insert(pair);
            }
        }
        let mut edges: Vec<EntityEdge> = found
            .into_iter()
            .map(|(entity, (written, blocks))| EntityEdge {
                kind: EntityEdgeKind::CoOccurs,
                to: entity.clone(),
                name: match entity {
                    Entity::Note(path) => path.stem().to_owned(),
                    Entity::Name(_) => written.to_owned(),
                },
                blocks: blocks.len(),
            })
            .collect();
        edges.sort_by(|a, b| b.blocks.cmp(&a.blocks).then_with(|| a.name.cmp(&b.name)).then_with(|| a.to.cmp(&b.to)));
        edges.truncate(limit);
        Ok(edges)
    }

    /// What each place names: subjects and objects of its claims, the note where that is the subject, what it links to.
    fn entities_at_places(&self, places: &[NamedPlace]) -> Result<HashMap<NamedPlace, Vec<PlaceEntity>>, ReadError> {
        let namings = self.snapshot.claim_names_at(places)?;
        let keys: BTreeSet<NameKey> = namings
            .iter()
            .flat_map(|n| [n.subject.as_deref().and_then(NameKey::from_subject), NameKey::from_object(&n.object)])
            .flatten()
            .collect();
        let texts = self.collect_link_texts(&keys)?;
        let mut repeated = HashMap::new();
        let mut named: HashMap<NamedPlace, Vec<PlaceEntity>> = HashMap::new();
        for naming in &namings {
            let Some(place) = places.get(naming.at) else { continue };
            let here = named.entry(place.clone()).or_default();
            match naming.subject.as_deref() {
                None => {
                    let written = place.note.stem().to_owned();
                    here.push(PlaceEntity { entity: Entity::Note(place.note.clone()), written });
                }
                Some(subject) => {
                    let key = NameKey::from_subject(subject);
                    // "I" in a quote is somebody else, and a heading or a whole item is no name unless a note is
                    // called so.
                    let own = !(naming.quoted && key == Some(NameKey::owner()));
                    let found = self.resolve_mention(key.filter(|_| own), subject, place, &texts, &mut repeated)?;
                    here.extend(found.filter(|found| !naming.lent || matches!(found.entity, Entity::Note(_))));
                }
            }
            let object = NameKey::from_object(&naming.object);
            let found = self.resolve_mention(object, &naming.object, place, &texts, &mut repeated)?;
            // A short sentence is no name, unless a note is called so.
            here.extend(found.filter(|found| !naming.whole || matches!(found.entity, Entity::Note(_))));
        }
        for link in self.snapshot.links_at(places)? {
            if let Some(entity) = self.resolve_link_use(&link)? {
                let named = named.entry(link.place.clone()).or_default();
                named.push(PlaceEntity { entity, written: link.target.clone() });
            }
        }
        Ok(named)
    }

    /// Whom a subject or an object names, unless that is open. A name without a note counts when it is repeated and
    /// written as a name, and so are the words of links.
    fn resolve_mention(
        &self,
        key: Option<NameKey>,
        text: &str,
        place: &NamedPlace,
        texts: &LinkTexts,
        repeated: &mut HashMap<NameKey, bool>,
    ) -> Result<Option<PlaceEntity>, ReadError> {
        let Some(key) = key else { return Ok(None) };
        let EntityResolution::One(entity) = self.resolve_key_with(&key, &place.note, texts)? else { return Ok(None) };
        let counts = match &entity {
            Entity::Note(_) => true,
            Entity::Name(name) if *name != key => true,
            Entity::Name(_) if !is_name_like(text) => false,
            Entity::Name(_) => match repeated.get(&key) {
                Some(known) => *known,
                None => {
                    let stands = self.is_repeated_name(&key)?;
                    repeated.insert(key, stands);
                    stands
                }
            },
        };
        Ok(counts.then(|| PlaceEntity { entity, written: text.trim().to_owned() }))
    }
}

impl<D: Door> Session<'_, D> {
    /// Whether a name stands in several statements, as far as this door may know.
    fn is_repeated_name(&self, key: &NameKey) -> Result<bool, ReadError> {
        /// Statements looked at, where some may not stand any more.
        const LOOKED_AT: usize = 16;
        let (band, mut times) = (self.door.strictest_band(), 0);
        for statement in self.snapshot.statements_naming(key, band, LOOKED_AT)? {
            let places =
                if self.door.is_local() { None } else { Some(self.snapshot.places_of_statement(statement, band)?) };
            let mut stands = places.is_none();
            for place in places.into_iter().flatten().take(LOOKED_AT) {
                stands = stands || self.may_use_index(&place.note)?;
            }
            times += usize::from(stands);
            if times == REPEATED_MIN {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Whether words without a note are written as names are: with a capital, or in a script that has none; not a number.
fn is_name_like(text: &str) -> bool {
    text.chars().any(|c| c.is_uppercase() || (c.is_alphabetic() && !c.is_lowercase()))
}

/// No name.
impl std::fmt::Debug for EntityEdge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Edge({:?} to {:?}, {} blocks)", self.kind, self.to, self.blocks)
    }
}

#[cfg(test)]
mod tests {
    use super::is_name_like;

    #[test]
    fn names_are_written_as_names() {
        for name in ["Anna", "the API", "佐藤先生", "iPhone"] {
            assert!(is_name_like(name), "{name}");
        }
        for value in ["active", "40 euros", "2025-03-01", "true"] {
            assert!(!is_name_like(value), "{value}");
        }
    }
}
