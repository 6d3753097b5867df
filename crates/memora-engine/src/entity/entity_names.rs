//! The names of an entity: as written, as keys, and by the links to it.

use std::collections::{BTreeSet, HashSet};

use memora_claim::{Claim, Modality, NameKey};
use memora_redact::Door;
use memora_store::{LinkUse, NameRole, NamedPlace, ReadError, StoredSource, StoredStatement};
use memora_vault::{NotePath, Zone, link_key};

use super::Entity;
use super::name_pattern::NamePattern;
use super::resolve::is_note_title;
use crate::entity::EntityResolver;

/// The maximum number of places examined that have a name which is known by a link alone.
const LINK_NAMED_PLACES_MAX: usize = 4096;

/// The names of an entity, and the links to it.
pub(crate) struct EntityNames {
    pub(crate) entity: Entity,
    /// As written: for a note its title and aliases first.
    pub(super) names: Vec<String>,
    /// Names that no other note has.
    pub(super) keys: BTreeSet<NameKey>,
    /// Names that other notes share: in its own note they mean this entity.
    pub(super) shared: BTreeSet<NameKey>,
    /// Names known by link text alone, each with a note in which it means this entity.
    pub(super) linked: BTreeSet<(NameKey, NotePath)>,
    pub(super) links: Vec<LinkUse>,
    /// Patterns that match its names in the words of statements.
    pub(super) spelled: Vec<NamePattern>,
}

/// Returns whether "I" in a claim is the vault's owner: not in a quote, in captured text, or in another person's
/// speech, unless that speaker is the owner. "Anna says I should" still speaks of the owner.
pub(crate) fn is_owner_speaking(claim: &Claim, source: &StoredSource, is_own: impl Fn(&str) -> bool) -> bool {
    let words = source.wording.words.as_str();
    let told = claim.attribution.as_deref();
    // Direct speech has no other attribution, starts with it, or stands between quotation marks.
    let direct =
        || told.is_none_or(|told| words.starts_with(told)) || words.contains(['"', '“', '”', '„', '«', '»', '「']);
    let of_another = claim.modality == Modality::Reported && direct() && !told.is_some_and(&is_own);
    let spoken = source.speaker.as_deref();
    source.row.zone != Zone::Quote
        && !source.note.captured
        && spoken.is_none_or(&is_own)
        && (!of_another || spoken.is_some())
}

impl EntityNames {
    /// Returns the note's path, if the entity is a note.
    pub(super) fn note_path(&self) -> Option<&NotePath> {
        match &self.entity {
            Entity::Note(path) => Some(path),
            Entity::Name(_) => None,
        }
    }

    /// Returns whether a claim at this place is about the entity.
    pub(crate) fn is_subject_of(&self, claim: &Claim, source: &StoredSource) -> bool {
        let at_home = self.note_path() == Some(&source.row.note);
        let Some(subject) = claim.subject.as_deref() else { return at_home };
        NameKey::from_subject(subject).is_some_and(|key| self.matches_key(&key, claim, source, at_home))
    }

    /// Like `is_subject_of`, if the claim itself has the name, rather than the title of its note.
    pub(super) fn is_explicit_subject_of(&self, claim: &Claim, source: &StoredSource) -> bool {
        claim.subject.is_some() && self.is_subject_of(claim, source)
    }

    pub(super) fn is_object_of(&self, claim: &Claim, source: &StoredSource) -> bool {
        let at_home = self.note_path() == Some(&source.row.note);
        NameKey::from_object(&claim.object).is_some_and(|key| self.matches_key(&key, claim, source, at_home))
    }

    fn matches_key(&self, key: &NameKey, claim: &Claim, source: &StoredSource, at_home: bool) -> bool {
        if at_home && self.shared.contains(key) {
            return true;
        }
        // "Ben" in the note "Ben Miller" does not mean another Ben.
        if !at_home && key.is_first_name_in(source.row.note.stem()) && !self.is_primary_name(key) {
            return false;
        }
        if *key == NameKey::owner() {
            return self.keys.contains(key) && self.is_speaker(claim, source);
        }
        self.keys.contains(key) || self.linked.contains(&(key.clone(), source.row.note.clone()))
    }

    /// Returns whether the entity is the owner, and "I" in the claim is the owner.
    fn is_speaker(&self, claim: &Claim, source: &StoredSource) -> bool {
        let is_own = |name: &str| NameKey::from_subject(name).is_some_and(|key| self.keys.contains(&key));
        is_owner_speaking(claim, source, is_own)
    }

    /// Returns whether a statement contains one of its names, in its own words or in the headings above it.
    pub(super) fn is_mentioned_in(&self, statement: &StoredStatement, alone: bool) -> bool {
        let places = |source: &&StoredSource| {
            // "Ben" in the note "Ben Miller" does not mean another Ben.
            let short = |key: &NameKey| key.is_first_name_in(source.row.note.stem()) && !self.is_primary_name(key);
            self.note_path() == Some(&source.row.note) || !self.keys.iter().any(short)
        };
        let Some(source) = statement.sources.iter().find(places) else { return false };
        let above = source.row.headings.iter().chain(&source.row.parent).map(String::as_str);
        let mut texts = std::iter::once(statement.wording.words.as_str()).chain(above);
        texts.any(|text| {
            self.spelled.iter().any(|name| name.matches_in(text) && (!alone || name.matches_alone_in(text)))
        })
    }

    /// Returns every name that the entity may have as a subject.
    pub(crate) fn all_keys(&self) -> BTreeSet<NameKey> {
        let linked = self.linked.iter().map(|(key, _)| key);
        self.keys.iter().chain(&self.shared).chain(linked).cloned().collect()
    }

    /// Returns whether the key is the primary name.
    fn is_primary_name(&self, key: &NameKey) -> bool {
        match &self.entity {
            Entity::Note(path) => is_note_title(key, path),
            Entity::Name(name) => name == key,
        }
    }
}

impl<'s, D: Door> EntityResolver<'s, D> {
    /// Returns the names of an entity, cached for the session.
    pub(crate) fn entity_names(&self, entity: &Entity) -> Result<&'s EntityNames, ReadError> {
        if let Some(called) = self.session.entity_cache.entity_names.get(entity) {
            return Ok(called);
        }
        let asked = match entity {
            Entity::Note(path) => path.stem(),
            Entity::Name(key) => key.as_str(),
        };
        let called = self.collect_entity_names(entity, asked)?;
        Ok(self.session.entity_cache.entity_names.insert(entity.clone(), Box::new(called)))
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
            let alone = self.claimants(&key)?.len() < 2;
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
        let mut links = self.session.snapshot.links_with_target(targets, band)?;
        links.extend(self.session.snapshot.links_with_text(&called.keys, band)?);
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
            let places = self.session.snapshot.places_with_name_in_note(
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
        let mut places = self.session.snapshot.places_with_name(&called.keys, role, band, limit)?;
        if !called.linked.is_empty() {
            places.extend(self.session.snapshot.places_with_name_in_note(&called.linked, role, band, limit)?);
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
            Some(note) => self.session.snapshot.places_of_note(note, band)?,
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
