//! Co-occurring entities: `co_occurs` edges, from shared blocks.
//!
//! A block is a paragraph, a list item, a table row or a property. An item shares a block with its parent item, not
//! with its siblings. Edges are computed at read time.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use memora_claim::{NameKey, StatementId};
use memora_redact::Viewer;
use memora_store::{NamedPlace, ReadError};
use memora_vault::NotePath;

use super::entity_names::EntityNames;
use super::resolve::LinkTexts;
use super::{Entity, EntityResolution};
use crate::read::entity::EntityReports;

/// The kind of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntityEdgeKind {
    /// Both are named in one block; symmetric.
    CoOccurs,
}

impl EntityEdgeKind {
    /// Returns its stable name.
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
    /// Its kind.
    pub kind: EntityEdgeKind,
    /// Its target.
    pub to: Entity,
    /// The target's name: a note's title, or the words of the first place that names it.
    pub name: String,
    /// The number of pairs of places, one for each entity, that share a block.
    pub blocks: usize,
}

/// The maximum number of places examined per answer.
pub(super) const PLACES_MAX: usize = 256;

/// The minimum number of statements in which a name without a note must occur.
const REPEATED_MIN: usize = 2;

/// Two blocks, the lesser first.
type BlockPair = [(i64, u32); 2];

/// An entity named at a place.
struct PlaceEntity {
    entity: Entity,
    /// Its spelling there.
    written: String,
}

impl EntityReports<'_> {
    /// Returns the entities named in the same blocks as an entity, most frequent first, up to `limit`.
    ///
    /// Looks at the first 256 places that name the entity and that this door may see.
    pub fn co_occurring_entities(&self, entity: &Entity, limit: usize) -> Result<Vec<EntityEdge>, ReadError> {
        let called = self.entities().collect_entity_names(entity, "")?;
        self.co_occurring_by_names(&called, limit)
    }

    /// Like `co_occurring_entities`, with the entity's names already collected.
    pub(super) fn co_occurring_by_names(
        &self,
        called: &EntityNames,
        limit: usize,
    ) -> Result<Vec<EntityEdge>, ReadError> {
        let seeds = self.entities().places_naming(called, PLACES_MAX)?;
        self.count_co_occurrences(&seeds, Some(&called.entity), limit)
    }

    /// Returns the entities named in the blocks of a statement, itself included, most frequent first, up to `limit`.
    pub fn co_occurring_in_statement(
        &self,
        statement: StatementId,
        limit: usize,
    ) -> Result<Vec<EntityEdge>, ReadError> {
        let mut seeds =
            self.session.snapshot.names().places_of_statement(statement, self.session.door.strictest_band())?;
        seeds.truncate(PLACES_MAX);
        self.count_co_occurrences(&seeds, None, limit)
    }

    /// Counts the entities named around the seeds; with `of`, only around seeds that name it, and without it.
    fn count_co_occurrences(
        &self,
        seeds: &[NamedPlace],
        of: Option<&Entity>,
        limit: usize,
    ) -> Result<Vec<EntityEdge>, ReadError> {
        let mut around = Vec::new();
        let mut included: HashMap<NotePath, bool> = HashMap::new();
        for (seed, place) in self.session.snapshot.names().places_in_block(seeds, self.session.door.strictest_band())? {
            let is_included = match included.get(&place.note) {
                Some(known) => *known,
                None => {
                    let note = self.session.snapshot.note(&place.note)?;
                    let is_included = note.is_some_and(|note| self.authors.include(note.captured))
                        && self.session.may_use_index(&place.note)?;
                    included.insert(place.note.clone(), is_included);
                    is_included
                }
            };
            if is_included {
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

    /// Returns the entities each place names: subjects and objects of claims, the note as implied subject, and links.
    fn entities_at_places(&self, places: &[NamedPlace]) -> Result<HashMap<NamedPlace, Vec<PlaceEntity>>, ReadError> {
        let namings = self.session.snapshot.names().claim_names_at(places)?;
        let keys: BTreeSet<NameKey> = namings
            .iter()
            .flat_map(|n| [n.subject.as_deref().and_then(NameKey::from_subject), NameKey::from_object(&n.object)])
            .flatten()
            .collect();
        let texts = self.entities().collect_link_texts(&keys)?;
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
                    // "I" in a quote is another person, and a heading or a whole item is not a name unless a note has
                    // that name.
                    let own = !(naming.quoted && key == Some(NameKey::owner()));
                    let found = self.resolve_mention(key.filter(|_| own), subject, place, &texts, &mut repeated)?;
                    here.extend(found.filter(|found| !naming.lent || matches!(found.entity, Entity::Note(_))));
                }
            }
            let object = NameKey::from_object(&naming.object);
            let found = self.resolve_mention(object, &naming.object, place, &texts, &mut repeated)?;
            // A short sentence is not a name, unless a note has that name.
            here.extend(found.filter(|found| !naming.whole || matches!(found.entity, Entity::Note(_))));
        }
        for link in self.session.snapshot.names().links_at(places)? {
            if let Some(entity) = self.entities().resolve_link_use(&link)? {
                let named = named.entry(link.place.clone()).or_default();
                named.push(PlaceEntity { entity, written: link.target.clone() });
            }
        }
        Ok(named)
    }

    /// Resolves a subject or an object, unless it is ambiguous. A name without a note counts if it is repeated and
    /// written as a name, and so do link texts.
    fn resolve_mention(
        &self,
        key: Option<NameKey>,
        text: &str,
        place: &NamedPlace,
        texts: &LinkTexts,
        repeated: &mut HashMap<NameKey, bool>,
    ) -> Result<Option<PlaceEntity>, ReadError> {
        let Some(key) = key else { return Ok(None) };
        let EntityResolution::One(entity) = self.entities().resolve_key_with(&key, &place.note, texts)? else {
            return Ok(None);
        };
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

impl EntityReports<'_> {
    /// Returns whether a name occurs in several statements that this door may know.
    fn is_repeated_name(&self, key: &NameKey) -> Result<bool, ReadError> {
        /// The maximum number of statements examined; some may be gone.
        const LOOKED_AT: usize = 16;
        let (band, mut times) = (self.session.door.strictest_band(), 0);
        for statement in self.session.snapshot.names().statements_naming(key, (band, self.authors), LOOKED_AT)? {
            let places = if self.session.door.is_local() {
                None
            } else {
                Some(self.session.snapshot.names().places_of_statement(statement, band)?)
            };
            let mut stands = places.is_none();
            for place in places.into_iter().flatten().take(LOOKED_AT) {
                stands = stands || self.session.may_use_index(&place.note)?;
            }
            times += usize::from(stands);
            if times == REPEATED_MIN {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Returns whether words are written as a name: with a capital, or in a script without capitals; not a number.
fn is_name_like(text: &str) -> bool {
    text.chars().any(|c| c.is_uppercase() || (c.is_alphabetic() && !c.is_lowercase()))
}

/// Prints no name.
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
