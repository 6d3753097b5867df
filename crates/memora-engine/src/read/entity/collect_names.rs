//! The names of an entity, collected from titles, aliases and the links to it.

use std::collections::{BTreeSet, HashSet};

use memora_claim::NameKey;
use memora_redact::Viewer;
use memora_store::{NameRole, NamedPlace, ReadError};
use memora_vault::link_key;

use super::Entity;
use super::entity_names::EntityNames;
use super::name_pattern::NamePattern;
use crate::read::entity::EntityResolver;

/// The maximum number of places examined that have a name which is known by a link alone.
const LINK_NAMED_PLACES_MAX: usize = 4096;

impl<'s> EntityResolver<'s> {
    /// Returns the names of an entity, cached for the session.
    pub(crate) fn entity_names(&self, entity: &Entity) -> Result<&'s EntityNames, ReadError> {
        let key = (self.authors, entity.clone());
        if let Some(called) = self.cache.entity_names.get(&key) {
            return Ok(called);
        }
        let asked = match entity {
            Entity::Note(path) => path.stem(),
            Entity::Name(key) => key.as_str(),
        };
        let called = self.collect_entity_names(entity, asked)?;
        Ok(self.cache.entity_names.insert(key, Box::new(called)))
    }

    /// Collects every name of an entity that this door may know.
    pub(super) fn collect_entity_names(&self, entity: &Entity, asked: &str) -> Result<EntityNames, ReadError> {
        let (mut keys, mut shared, mut targets) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let names = match entity {
            Entity::Note(path) => self.note_own_names(path),
            Entity::Name(key) => {
                keys.insert(key.clone());
                targets.extend([link_key(key.as_str()), link_key(asked)]);
                Vec::new()
            }
        };
        for name in &names {
            targets.insert(link_key(name));
            let Some(key) = NameKey::from_name(name) else { continue };
            let alone = match entity {
                Entity::Note(path) => self.claimants_in(&key, path)?.iter().all(|other| other == path),
                Entity::Name(_) => true,
            };
            if alone { &mut keys } else { &mut shared }.insert(key);
        }
        if self.is_owner_entity(entity)? {
            keys.insert(NameKey::owner());
        }
        let (linked, links, spelled) = (BTreeSet::new(), Vec::new(), Vec::new());
        let mut called = EntityNames { entity: entity.clone(), names, keys, shared, linked, links, spelled };
        self.add_link_names(&targets, &mut called)?;
        let own = |name: &&String| NameKey::from_name(name).is_some_and(|key| called.keys.contains(&key));
        let names = called.names.iter().filter(own).filter_map(|name| NamePattern::from_own_name(name));
        called.spelled = match entity {
            Entity::Note(_) => names.collect(),
            Entity::Name(key) => NamePattern::from_key(key).into_iter().chain(names).collect(),
        };
        Ok(called)
    }

    /// Adds the links that lead to it, and those link texts that refer to nothing else.
    fn add_link_names(&self, targets: &BTreeSet<String>, called: &mut EntityNames) -> Result<(), ReadError> {
        let band = self.session.door.strictest_band();
        let mut links = self.session.snapshot.names().links_with_target(targets, (band, self.authors))?;
        links.extend(self.session.snapshot.names().links_with_text(&called.keys, band)?);
        links.sort_by(|a, b| a.place.cmp(&b.place));
        links.dedup();
        let mut shown: BTreeSet<NameKey> = BTreeSet::new();
        for link in links {
            // No check is needed here: listed claims are re-read, and counted ones are checked again.
            if self.resolve_link_use(&link)?.as_ref() == Some(&called.entity) {
                shown.extend(NameKey::from_link_text(&link.shown).filter(|_| link.names));
                called.links.push(link);
            }
        }
        for (key, text) in self.collect_link_texts(&shown)?.unique_texts_of(&called.entity) {
            if called.keys.contains(key) || called.shared.contains(key) {
                continue;
            }
            called.names.push(text.words.clone());
            if text.everywhere {
                called.keys.insert(key.clone());
            } else {
                called.linked.extend(text.notes.iter().map(|note| (key.clone(), note.clone())));
            }
        }
        self.retain_claimed_link_names(called)
    }

    /// Retains the link names that occur in a claim, in notes that count.
    fn retain_claimed_link_names(&self, called: &mut EntityNames) -> Result<(), ReadError> {
        let mut notes = BTreeSet::new();
        for role in [NameRole::Subject, NameRole::Object] {
            let places = self.session.snapshot.names().places_with_name_in_note(
                &called.linked,
                role,
                self.session.door.strictest_band(),
                LINK_NAMED_PLACES_MAX,
            )?;
            notes.extend(places.into_iter().map(|place| place.note));
        }
        let mut counted = BTreeSet::new();
        for note in notes {
            if self.session.may_use_index(&note)? {
                counted.insert(note);
            }
        }
        called.linked.retain(|(_, note)| counted.contains(note));
        Ok(())
    }

    /// Returns the places where a claim has one of its names in this role.
    pub(super) fn places_with_role(
        &self,
        called: &EntityNames,
        role: NameRole,
        limit: usize,
    ) -> Result<Vec<NamedPlace>, ReadError> {
        let band = self.session.door.strictest_band();
        let mut places =
            self.session.snapshot.names().places_with_name(&called.keys, role, (band, self.authors), limit)?;
        if !called.linked.is_empty() {
            places.extend(self.session.snapshot.names().places_with_name_in_note(&called.linked, role, band, limit)?);
        }
        Ok(places)
    }

    /// Returns the places that name the entity: as a subject, by its own note, as an object, or by a link.
    pub(super) fn places_naming(&self, called: &EntityNames, limit: usize) -> Result<Vec<NamedPlace>, ReadError> {
        let mut places = self.places_about(called, limit)?;
        places.extend(self.places_mentioning(called, limit)?);
        let mut seen = HashSet::new();
        places.retain(|place| seen.insert(place.clone()));
        places.truncate(limit);
        Ok(places)
    }

    /// Returns the places about the entity, its own note first.
    pub(crate) fn places_about(&self, called: &EntityNames, limit: usize) -> Result<Vec<NamedPlace>, ReadError> {
        let band = self.session.door.strictest_band();
        let mut places = match called.note_path() {
            Some(note) => self.session.snapshot.names().places_of_note(note, band)?,
            None => Vec::new(),
        };
        places.extend(self.places_with_role(called, NameRole::Subject, limit)?);
        Ok(places)
    }

    pub(super) fn places_mentioning(&self, called: &EntityNames, limit: usize) -> Result<Vec<NamedPlace>, ReadError> {
        let mut places = self.places_with_role(called, NameRole::Object, limit)?;
        places.extend(called.links.iter().take(limit).map(|link| link.place.clone()));
        places.sort();
        places.dedup();
        Ok(places)
    }
}
