//! Name resolution for one door.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use memora_claim::{NameKey, ParsedNote};
use memora_redact::Viewer;
use memora_store::{Authors, LinkUse, NameRole, ReadError};
use memora_vault::{NotePath, Resolution, link_key};

use super::entity_names::is_note_title;
use super::{Entity, EntityResolution, NameTable};
use crate::read::entity::EntityResolver;
use crate::read::entity::name_table::NameTableCache;

/// Extensions of files that are not notes: a link to one names nothing.
const ATTACHMENT_EXTENSIONS: &[&str] = &[
    "avif", "base", "bmp", "canvas", "csv", "docx", "flac", "gif", "jpeg", "jpg", "json", "m4a", "mkv", "mov", "mp3",
    "mp4", "ogg", "pdf", "png", "svg", "txt", "wav", "webm", "webp", "xlsx", "zip",
];

/// The targets of link texts that no note has as its own name.
#[derive(Default)]
pub(super) struct LinkTexts {
    led_to: HashMap<NameKey, BTreeMap<Entity, LinkText>>,
}

/// Links with the same text and the same target.
pub(super) struct LinkText {
    /// The text of the first link.
    pub(super) words: String,
    /// Whether the text is a name in every note; else only in notes with such a link.
    pub(super) everywhere: bool,
    /// The notes with such a link, as indexed: each has to be checked again.
    pub(super) notes: BTreeSet<NotePath>,
}

impl LinkTexts {
    /// Returns the only target of links with this text. A text with several targets is not a name.
    fn unique_target(&self, key: &NameKey) -> Option<&Entity> {
        let targets = self.led_to.get(key)?;
        targets.keys().next().filter(|_| targets.len() == 1)
    }

    /// Like `unique_target`, for a claim of the note `from`.
    fn unique_target_in(&self, key: &NameKey, from: &NotePath) -> Option<&Entity> {
        let entity = self.unique_target(key)?;
        let text = self.led_to.get(key)?.get(entity)?;
        (text.everywhere || text.notes.contains(from)).then_some(entity)
    }

    /// Returns the link texts whose only target is this entity, by key.
    pub(super) fn unique_texts_of(&self, entity: &Entity) -> BTreeMap<&NameKey, &LinkText> {
        let own = self.led_to.iter().filter(|(_, targets)| targets.len() == 1);
        own.filter_map(|(key, targets)| Some((key, targets.get(entity)?))).collect()
    }
}

impl<'s> EntityResolver<'s> {
    /// Returns the names of all notes that this door may see.
    pub(crate) fn name_table(&self) -> Result<&'s NameTable, ReadError> {
        if let Some(names) = self.cache.names.get() {
            return Ok(names);
        }
        let (snapshot, band) = (&self.session.snapshot, self.session.door.strictest_band());
        let names = self
            .session
            .memora
            .caches
            .of::<NameTableCache>()
            .get_or_try_build(snapshot, &band, || snapshot.names().of_notes(band).map(NameTable::new))?;
        Ok(self.cache.names.get_or_init(|| names))
    }

    /// Resolves a name in a query: a title, an alias, a link text, a bare name, or a path.
    pub fn resolve_name(&self, asked: &str) -> Result<EntityResolution, ReadError> {
        let asked = asked.trim();
        if asked.contains('/') || asked.to_lowercase().ends_with(".md") {
            let meant = self.resolve_link(None, asked)?;
            if meant != EntityResolution::Unknown {
                return Ok(meant);
            }
        }
        // Queries like "las vegas" or "os x" lack capitals, so a name with all the words comes first.
        let (all, key) = (NameKey::from_all_words(asked), NameKey::from_name(asked));
        for key in all.as_ref().filter(|all| Some(*all) != key.as_ref()).into_iter().chain(&key) {
            let meant = self.resolve_asked_key(key, asked)?;
            if meant != EntityResolution::Unknown {
                return Ok(meant);
            }
        }
        Ok(EntityResolution::Unknown)
    }

    fn resolve_asked_key(&self, key: &NameKey, asked: &str) -> Result<EntityResolution, ReadError> {
        let claimed = self.resolve_candidates(self.claimants(key)?)?;
        if claimed != EntityResolution::Unknown {
            return Ok(claimed);
        }
        if NameKey::from_subject(asked) == Some(NameKey::owner()) {
            return Ok(self.owner_entity()?.map_or(EntityResolution::Unknown, EntityResolution::One));
        }
        let texts = self.collect_link_texts([key])?;
        if let Some(entity) = texts.unique_target(key) {
            return Ok(EntityResolution::One(entity.clone()));
        }
        let entity = Entity::Name(key.clone());
        Ok(if self.is_mentioned_name(&entity)? { EntityResolution::One(entity) } else { EntityResolution::Unknown })
    }

    /// Resolves a name that stands in the note `from`. In a note that has the name itself, the name means that note,
    /// even if others have it, too.
    pub(super) fn resolve_key_with(
        &self,
        key: &NameKey,
        from: &NotePath,
        texts: &LinkTexts,
    ) -> Result<EntityResolution, ReadError> {
        if *key == NameKey::owner() {
            return Ok(self.owner_entity()?.map_or(EntityResolution::Unknown, EntityResolution::One));
        }
        let claimants = self.claimants_in(key, from)?;
        if claimants.contains(from) {
            return Ok(EntityResolution::One(Entity::Note(from.clone())));
        }
        // "Ben" in the note "Ben Miller" does not mean another Ben, unless a note has no other name.
        if key.is_first_name_in(from.stem()) {
            let named: Vec<NotePath> = claimants.iter().filter(|path| is_note_title(key, path)).cloned().collect();
            let known = !claimants.is_empty() || texts.unique_target(key).is_some();
            return Ok(match self.resolve_candidates(named)? {
                EntityResolution::Unknown if known => EntityResolution::Unknown,
                EntityResolution::Unknown => EntityResolution::One(Entity::Name(key.clone())),
                titled => titled,
            });
        }
        Ok(match self.resolve_candidates(claimants)? {
            EntityResolution::Unknown => EntityResolution::One(
                texts.unique_target_in(key, from).cloned().unwrap_or_else(|| Entity::Name(key.clone())),
            ),
            claimed => claimed,
        })
    }

    /// Like `resolve_key_with`, with link texts looked up; cached for the session.
    pub(crate) fn resolve_key_in(&self, key: &NameKey, from: &NotePath) -> Result<EntityResolution, ReadError> {
        let asked = (self.authors, key.clone(), from.clone());
        if let Some(meant) = self.cache.resolved_keys.get(&asked) {
            return Ok(meant.clone());
        }
        let texts = self.collect_link_texts([key])?;
        let meant = self.resolve_key_with(key, from, &texts)?;
        Ok(self.cache.resolved_keys.insert(asked, Box::new(meant)).clone())
    }

    /// Whose notes a name or a link in the note `from` may mean: in a machine's note anybody's.
    pub(super) fn authors_in(&self, from: &NotePath) -> Result<Authors, ReadError> {
        Ok(if self.name_table()?.is_captured(from) { Authors::All } else { self.authors })
    }

    /// Returns the notes with this name, as far as this door may know.
    pub(crate) fn claimants(&self, key: &NameKey) -> Result<Vec<NotePath>, ReadError> {
        self.claimants_of(key, self.authors)
    }

    /// Returns the notes that this name may mean in the note `from`.
    pub(super) fn claimants_in(&self, key: &NameKey, from: &NotePath) -> Result<Vec<NotePath>, ReadError> {
        self.claimants_of(key, self.authors_in(from)?)
    }

    fn claimants_of(&self, key: &NameKey, authors: Authors) -> Result<Vec<NotePath>, ReadError> {
        let mut claimants = Vec::new();
        for path in self.name_table()?.claimants(key, authors) {
            // For a note that is unchanged since indexing, the index has the names.
            if self.session.may_use_index(path)?
                || self.note_own_names(path).iter().any(|name| NameKey::from_name(name).as_ref() == Some(key))
            {
                claimants.push(path.clone());
            }
        }
        Ok(claimants)
    }

    /// Returns a note's current names, its title first, as far as this door may know; empty if it is guarded or gone.
    pub(super) fn note_own_names(&self, path: &NotePath) -> Vec<String> {
        let Some(note) = self
            .session
            .notes
            .read_note(path)
            .map(ParsedNote::note)
            .filter(|note| self.session.door.may_show(note.band()))
        else {
            return Vec::new();
        };
        let aliases = note.aliases().iter().filter(|alias| self.session.door.may_show(alias.band));
        std::iter::once(note.title().to_owned()).chain(aliases.map(|alias| alias.text.clone())).collect()
    }

    /// Resolves the target of a link in `from`, or a path from the root.
    pub(crate) fn resolve_link(&self, from: Option<&NotePath>, target: &str) -> Result<EntityResolution, ReadError> {
        /// The maximum number of notes skipped because the index does not know yet that they are guarded.
        const HIDDEN_MAX: usize = 16;
        let authors = from.map_or(Ok(self.authors), |from| self.authors_in(from))?;
        let mut hidden = BTreeSet::new();
        while hidden.len() < HIDDEN_MAX {
            let found = match self.name_table()?.resolve_target(from, target, authors, &hidden) {
                Resolution::Note(note) => vec![note],
                Resolution::Ambiguous(notes) => notes,
                Resolution::Unresolved => return Ok(EntityResolution::Unknown),
            };
            let before = hidden.len();
            for path in &found {
                if !self.is_known_note(path)? {
                    hidden.insert(path.clone());
                }
            }
            if hidden.len() == before {
                return self.resolve_candidates(found);
            }
        }
        Ok(EntityResolution::Unknown)
    }

    /// Returns whether this door may know of a note.
    fn is_known_note(&self, path: &NotePath) -> Result<bool, ReadError> {
        Ok(self.session.may_use_index(path)? || !self.note_own_names(path).is_empty())
    }

    fn resolve_candidates(&self, notes: Vec<NotePath>) -> Result<EntityResolution, ReadError> {
        let mut known = Vec::new();
        for path in notes {
            if self.is_known_note(&path)? {
                known.push(path);
            }
        }
        known.sort();
        Ok(match known.as_slice() {
            [] => EntityResolution::Unknown,
            [one] => EntityResolution::One(Entity::Note(one.clone())),
            _ => EntityResolution::Ambiguous(known),
        })
    }

    /// Returns the entity that "I" refers to, if the user has configured an owner and the name is unambiguous.
    fn owner_entity(&self) -> Result<Option<Entity>, ReadError> {
        let Some(key) = self.session.memora.config.owner.as_deref().and_then(NameKey::from_name) else {
            return Ok(None);
        };
        Ok(match self.resolve_candidates(self.claimants(&key)?)? {
            EntityResolution::One(entity) => Some(entity),
            EntityResolution::Ambiguous(_) => None,
            EntityResolution::Unknown => {
                Some(self.collect_link_texts([&key])?.unique_target(&key).cloned().unwrap_or(Entity::Name(key)))
            }
        })
    }

    /// Returns whether an entity is the vault's owner.
    pub(super) fn is_owner_entity(&self, entity: &Entity) -> Result<bool, ReadError> {
        Ok(self.owner_entity()?.as_ref() == Some(entity))
    }

    /// Collects the targets of links with one of these texts, for the names that no note has.
    pub(super) fn collect_link_texts<'k>(
        &self,
        keys: impl IntoIterator<Item = &'k NameKey>,
    ) -> Result<LinkTexts, ReadError> {
        let mut unclaimed = BTreeSet::new();
        for key in keys {
            if self.claimants(key)?.is_empty() {
                unclaimed.insert(key);
            }
        }
        let mut texts = LinkTexts::default();
        for link in self.session.snapshot.names().links_with_text(unclaimed, self.session.door.strictest_band())? {
            let Some((key, entity)) = NameKey::from_link_text(&link.shown).zip(self.resolve_link_use(&link)?) else {
                continue;
            };
            // Nearly all links with one text have the same target, and one re-read link is enough proof.
            let tells = NameKey::is_distinctive(&link.shown);
            let found = texts.led_to.get_mut(&key).and_then(|targets| targets.get_mut(&entity));
            match found {
                Some(text) if text.everywhere || !tells => {
                    text.notes.insert(link.place.note);
                }
                _ if !self.session.may_use_index(&link.place.note)? => {}
                Some(text) => {
                    text.everywhere = true;
                    text.notes.insert(link.place.note);
                }
                None => {
                    let notes = BTreeSet::from([link.place.note]);
                    let text = LinkText { words: link.shown, everywhere: tells, notes };
                    texts.led_to.entry(key).or_default().insert(entity, text);
                }
            }
        }
        Ok(texts)
    }

    /// Resolves a link: to a note, or to a bare name if there is no note. `None` if it is ambiguous, or a file.
    pub(super) fn resolve_link_use(&self, link: &LinkUse) -> Result<Option<Entity>, ReadError> {
        match self.resolve_link(Some(&link.place.note), &link.target)? {
            EntityResolution::One(entity) => return Ok(Some(entity)),
            EntityResolution::Ambiguous(_) => return Ok(None),
            EntityResolution::Unknown => {}
        }
        let name = link.target.rsplit('/').next().unwrap_or(&link.target);
        let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_lowercase());
        if ending.is_some_and(|ending| ATTACHMENT_EXTENSIONS.contains(&ending.as_str())) {
            return Ok(None);
        }
        let Some(key) = NameKey::from_name(name) else { return Ok(None) };
        Ok(match self.resolve_candidates(self.claimants_in(&key, &link.place.note)?)? {
            EntityResolution::One(entity) => Some(entity),
            EntityResolution::Ambiguous(_) => None,
            EntityResolution::Unknown => Some(Entity::Name(key)),
        })
    }

    /// Returns whether a bare name occurs in a visible claim, or as the target of a link.
    fn is_mentioned_name(&self, entity: &Entity) -> Result<bool, ReadError> {
        /// The maximum number of places examined; if the first ones are stale, the index will catch up.
        const LOOKED_AT: usize = 16;
        let Entity::Name(key) = entity else { return Ok(true) };
        let (of, mut keys) = ((self.session.door.strictest_band(), self.authors), BTreeSet::from([key.clone()]));
        if self.is_owner_entity(entity)? {
            keys.insert(NameKey::owner());
        }
        for role in [NameRole::Subject, NameRole::Object] {
            for place in self.session.snapshot.names().places_with_name(&keys, role, of, LOOKED_AT)? {
                if self.session.may_use_index(&place.note)? {
                    return Ok(true);
                }
            }
        }
        for link in self.session.snapshot.names().links_with_target(&BTreeSet::from([link_key(key.as_str())]), of)? {
            if self.resolve_link_use(&link)?.as_ref() == Some(entity) && self.session.may_use_index(&link.place.note)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
