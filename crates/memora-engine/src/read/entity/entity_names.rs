//! The names of an entity: as written, as keys, and by the links to it.

use std::collections::BTreeSet;

use memora_claim::{Claim, Modality, NameKey};
use memora_store::{LinkUse, StoredSource, StoredStatement};
use memora_vault::{NotePath, Zone};

use super::identity::Entity;
use super::name_pattern::NamePattern;

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

/// Returns whether a name is a note's title.
pub(super) fn is_note_title(key: &NameKey, path: &NotePath) -> bool {
    NameKey::from_name(path.stem()).as_ref() == Some(key)
}
