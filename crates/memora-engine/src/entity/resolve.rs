//! Whom a name means, for one door.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use memora_claim::{FreshNote, NameKey};
use memora_redact::Door;
use memora_store::{LinkUse, ReadError, Role};
use memora_vault::{NotePath, Resolution, link_key};

use super::{Entity, Meant, Names};
use crate::session::Session;

/// Endings of files that are no notes: a link to one names nothing.
const ATTACHMENTS: &[&str] = &[
    "avif", "base", "bmp", "canvas", "csv", "docx", "flac", "gif", "jpeg", "jpg", "json", "m4a", "mkv", "mov", "mp3",
    "mp4", "ogg", "pdf", "png", "svg", "txt", "wav", "webm", "webp", "xlsx", "zip",
];

/// For words that links show and no note calls itself, what the links lead to.
#[derive(Default)]
pub(super) struct LinkTexts {
    led_to: HashMap<NameKey, BTreeSet<Entity>>,
}

impl LinkTexts {
    /// The only thing that links with these words lead to. What leads to several is no name.
    pub(super) fn only(&self, key: &NameKey) -> Option<&Entity> {
        let targets = self.led_to.get(key)?;
        targets.first().filter(|_| targets.len() == 1)
    }
}

impl<D: Door> Session<'_, D> {
    /// What the notes that this door may see call themselves.
    pub(super) fn names(&self) -> Result<&Names, ReadError> {
        if let Some(names) = self.names.get() {
            return Ok(names);
        }
        let names = Names::new(self.snapshot.note_names(self.door.strictest())?);
        Ok(self.names.get_or_init(|| names))
    }

    /// Whom a name means that somebody asks for: a title, an alias, the words of a link, a bare name, or a path.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn meant_by(&self, asked: &str) -> Result<Meant, ReadError> {
        let asked = asked.trim();
        if asked.contains('/') || asked.to_lowercase().ends_with(".md") {
            let found = match self.names()?.at_path(asked) {
                Resolution::Note(note) => vec![note],
                Resolution::Ambiguous(notes) => notes,
                Resolution::Unresolved => Vec::new(),
            };
            let meant = self.one_or_several(found);
            if meant != Meant::Nobody {
                return Ok(meant);
            }
        }
        let Some(key) = NameKey::of(asked) else { return Ok(Meant::Nobody) };
        let claimed = self.one_or_several(self.claimants(&key)?);
        if claimed != Meant::Nobody {
            return Ok(claimed);
        }
        if NameKey::of_subject(asked) == Some(NameKey::owner()) {
            return Ok(self.owner()?.map_or(Meant::Nobody, Meant::One));
        }
        let texts = self.link_texts([&key])?;
        if let Some(entity) = texts.only(&key) {
            return Ok(Meant::One(entity.clone()));
        }
        let entity = Entity::Name(key);
        Ok(if self.is_said(&entity)? { Meant::One(entity) } else { Meant::Nobody })
    }

    /// Whom a name means that stands in the note `from`. A note's own name means that note in the note itself, whoever
    /// else has it.
    pub(super) fn resolve(&self, key: &NameKey, from: &NotePath, texts: &LinkTexts) -> Result<Meant, ReadError> {
        if *key == NameKey::owner() {
            return Ok(self.owner()?.map_or(Meant::Nobody, Meant::One));
        }
        let claimants = self.claimants(key)?;
        if claimants.contains(from) {
            return Ok(Meant::One(Entity::Note(from.clone())));
        }
        Ok(match self.one_or_several(claimants) {
            Meant::Nobody => Meant::One(texts.only(key).cloned().unwrap_or_else(|| Entity::Name(key.clone()))),
            claimed => claimed,
        })
    }

    /// The notes that call themselves so, as far as this door may know.
    pub(super) fn claimants(&self, key: &NameKey) -> Result<Vec<NotePath>, ReadError> {
        let claimants = self.names()?.claimants(key).filter(|path| self.goes_by(path, key));
        Ok(claimants.cloned().collect())
    }

    fn goes_by(&self, path: &NotePath, key: &NameKey) -> bool {
        // At the user's own door the index is good enough, and no note is read for it.
        self.door.is_local() || self.called(path).iter().any(|name| NameKey::of(name).as_ref() == Some(key))
    }

    /// What a note calls itself now, its title first, as far as this door may know; nothing when it is guarded or gone.
    pub(super) fn called(&self, path: &NotePath) -> Vec<String> {
        let Some(note) = self.fresh(path).map(FreshNote::note).filter(|note| self.door.shows(note.band())) else {
            return Vec::new();
        };
        let aliases = note.aliases().iter().filter(|alias| self.door.shows(alias.band));
        std::iter::once(note.title().to_owned()).chain(aliases.map(|alias| alias.text.clone())).collect()
    }

    fn may_name(&self, path: &NotePath) -> bool {
        self.door.is_local() || !self.called(path).is_empty()
    }

    fn one_or_several(&self, notes: Vec<NotePath>) -> Meant {
        let mut notes: Vec<NotePath> = notes.into_iter().filter(|path| self.may_name(path)).collect();
        notes.sort();
        match notes.pop() {
            None => Meant::Nobody,
            Some(one) if notes.is_empty() => Meant::One(Entity::Note(one)),
            Some(last) => {
                notes.push(last);
                Meant::Several(notes)
            }
        }
    }

    /// Who "I" is, when the user has said so and the name means one.
    fn owner(&self) -> Result<Option<Entity>, ReadError> {
        let Some(key) = self.memora.config.owner.as_deref().and_then(NameKey::of) else { return Ok(None) };
        Ok(match self.one_or_several(self.claimants(&key)?) {
            Meant::One(entity) => Some(entity),
            Meant::Several(_) => None,
            Meant::Nobody => Some(self.link_texts([&key])?.only(&key).cloned().unwrap_or(Entity::Name(key))),
        })
    }

    /// Whether an entity is the vault's owner.
    pub(super) fn is_owner(&self, entity: &Entity) -> Result<bool, ReadError> {
        Ok(self.owner()?.as_ref() == Some(entity))
    }

    /// What links lead to that show one of these names, for the names that no note has.
    pub(super) fn link_texts<'k>(&self, keys: impl IntoIterator<Item = &'k NameKey>) -> Result<LinkTexts, ReadError> {
        let mut unclaimed = BTreeSet::new();
        for key in keys {
            if self.claimants(key)?.is_empty() {
                unclaimed.insert(key);
            }
        }
        let mut texts = LinkTexts::default();
        // Nearly all links of a text lead to the same place, and one that stands proves it.
        let mut proved: BTreeMap<(NameKey, Entity), bool> = BTreeMap::new();
        for link in self.snapshot.links_showing(unclaimed, self.door.strictest())? {
            let Some((key, entity)) = NameKey::of_link(&link.shown).zip(self.led_to(&link)?) else { continue };
            let proof = proved.entry((key.clone(), entity.clone())).or_default();
            *proof = *proof || self.may_count(&link.place.note)?;
            if *proof {
                texts.led_to.entry(key).or_default().insert(entity);
            }
        }
        Ok(texts)
    }

    /// What a link leads to: a note, or what it names where there is none. Nothing when that is open, or a file.
    pub(super) fn led_to(&self, link: &LinkUse) -> Result<Option<Entity>, ReadError> {
        let found = match self.names()?.led_to(&link.place.note, &link.target) {
            Resolution::Note(note) => vec![note],
            Resolution::Ambiguous(notes) => notes,
            Resolution::Unresolved => Vec::new(),
        };
        match self.one_or_several(found) {
            Meant::One(entity) => return Ok(Some(entity)),
            Meant::Several(_) => return Ok(None),
            Meant::Nobody => {}
        }
        let name = link.target.rsplit('/').next().unwrap_or(&link.target);
        let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_lowercase());
        if ending.is_some_and(|ending| ATTACHMENTS.contains(&ending.as_str())) {
            return Ok(None);
        }
        let Some(key) = NameKey::of(name) else { return Ok(None) };
        Ok(match self.one_or_several(self.claimants(&key)?) {
            Meant::One(entity) => Some(entity),
            Meant::Several(_) => None,
            Meant::Nobody => Some(Entity::Name(key)),
        })
    }

    /// Whether a bare name is said anywhere that this door may see: in a claim, or as the target of a link.
    fn is_said(&self, entity: &Entity) -> Result<bool, ReadError> {
        /// Places looked at. Where the first ones do not stand any more, the index will catch up.
        const LOOKED_AT: usize = 16;
        let Entity::Name(key) = entity else { return Ok(true) };
        let (band, mut keys) = (self.door.strictest(), BTreeSet::from([key.clone()]));
        if self.is_owner(entity)? {
            keys.insert(NameKey::owner());
        }
        for role in [Role::Subject, Role::Object] {
            for place in self.snapshot.places_named(&keys, role, band, LOOKED_AT)? {
                if self.may_count(&place.note)? {
                    return Ok(true);
                }
            }
        }
        for link in self.snapshot.links_with_key(&BTreeSet::from([link_key(key.as_str())]), band)? {
            if self.led_to(&link)?.as_ref() == Some(entity) && self.may_count(&link.place.note)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
