//! `entity`: what is claimed about somebody or something.

use std::collections::{BTreeSet, HashMap, HashSet};

use memora_claim::{Claim, ClaimId, NameKey, StatementId};
use memora_redact::{Door, Sorted, WireClaim};
use memora_store::{LinkUse, NamedPlace, ReadError, Role, StoredSource, StoredStatement};
use memora_vault::{NotePath, PartialDate, Zone, link_key};

use super::neighbours::PLACES_MAX;
use super::resolve::is_title;
use super::{Edge, Entity, Meant};
use crate::session::Session;
use crate::wire::{CoOccurrence, EntityReport, Freshness, NamedEntity};

/// Neighbours listed at most.
const NEIGHBOURS_MAX: usize = 20;

/// Places looked at besides those that are listed: some will not stand any more.
const SPARE: usize = 64;

/// Places looked at that have a name which is one by a link alone.
const LINKED_MAX: usize = 4096;

/// Statements loaded at once.
const CHUNK: usize = 64;

/// How an entity is called, and by whom it is linked.
pub(crate) struct Called {
    pub(crate) entity: Entity,
    /// As written: for a note its title and aliases first.
    names: Vec<String>,
    /// Names that are its own alone.
    keys: BTreeSet<NameKey>,
    /// Names that other notes have too: in its own note they are its.
    shared: BTreeSet<NameKey>,
    /// Names by the words of a link alone, each with a note in which it is its.
    linked: BTreeSet<(NameKey, NotePath)>,
    links: Vec<LinkUse>,
}

/// Claims on their way out, each once.
struct Listed<D> {
    limit: usize,
    /// Whether what a machine wrote down is listed.
    captured: bool,
    seen: HashSet<ClaimId>,
    more: bool,
    claims: Vec<WireClaim<D>>,
}

impl Called {
    /// The note, if it is one.
    fn note(&self) -> Option<&NotePath> {
        match &self.entity {
            Entity::Note(path) => Some(path),
            Entity::Name(_) => None,
        }
    }

    /// Whether a claim at this place is about it.
    pub(crate) fn is_subject(&self, claim: &Claim, source: &StoredSource) -> bool {
        let at_home = self.note() == Some(&source.row.note);
        let Some(subject) = claim.subject.as_deref() else { return at_home };
        NameKey::of_subject(subject).is_some_and(|key| self.has(&key, source, at_home))
    }

    fn is_object(&self, claim: &Claim, source: &StoredSource) -> bool {
        let at_home = self.note() == Some(&source.row.note);
        NameKey::of_object(&claim.object).is_some_and(|key| self.has(&key, source, at_home))
    }

    fn has(&self, key: &NameKey, source: &StoredSource, at_home: bool) -> bool {
        // "I" in a quote, or in what a machine wrote down, is somebody else.
        let quoted = source.row.zone == Zone::Quote || source.note.captured;
        if at_home && self.shared.contains(key) {
            return true;
        }
        // "Ben" in "Ben Miller" is no other Ben's.
        if !at_home && key.is_short_for(source.row.note.stem()) && !self.is_called(key) {
            return false;
        }
        (self.keys.contains(key) && !(quoted && *key == NameKey::owner()))
            || self.linked.contains(&(key.clone(), source.row.note.clone()))
    }

    /// Every name that it may have as a subject.
    pub(crate) fn every_key(&self) -> BTreeSet<NameKey> {
        let linked = self.linked.iter().map(|(key, _)| key);
        self.keys.iter().chain(&self.shared).chain(linked).cloned().collect()
    }

    /// Whether that is the name it has first of all.
    fn is_called(&self, key: &NameKey) -> bool {
        match &self.entity {
            Entity::Note(path) => is_title(key, path),
            Entity::Name(name) => name == key,
        }
    }
}

impl<D: Door> Session<'_, D> {
    /// Tells what is claimed about whom a name means, with `timeline` in order of time too: claims about it first, then those
    /// that name it otherwise, as many as `limit` together, and what it occurs together with. What a machine wrote down counts
    /// if `captured`.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn entity(
        &self,
        asked: &str,
        limit: usize,
        timeline: bool,
        captured: bool,
        freshness: Freshness,
    ) -> Result<EntityReport<D>, ReadError> {
        let mut report = EntityReport::unknown(asked, freshness);
        match self.meant_by(asked)? {
            Meant::Nobody => report.nearest = self.nearest(asked)?,
            Meant::Several(notes) => {
                report.status = "ambiguous";
                report.candidates = notes.iter().map(|path| self.candidate(path)).collect();
            }
            Meant::One(entity) => {
                let called = self.how_called(&entity, asked)?;
                report.status = "found";
                let mut listed = Listed { limit, captured, seen: HashSet::new(), more: false, claims: Vec::new() };
                self.list_about(&called, &mut listed)?;
                report.claims = std::mem::take(&mut listed.claims);
                listed.limit = limit.saturating_sub(report.claims.len());
                self.list_mentions(&called, &mut listed)?;
                report.mentions = listed.claims;
                report.more = listed.more;
                if timeline {
                    report.timeline = in_order(&report.claims);
                }
                report.co_occurs = self.around(&called, NEIGHBOURS_MAX)?.into_iter().map(CoOccurrence::from).collect();
                report.entity = Some(self.named(&called, &report, asked));
            }
        }
        Ok(report)
    }

    fn candidate(&self, path: &NotePath) -> NamedEntity {
        let names = self.called(path);
        NamedEntity { name: path.stem().to_owned(), kind: "note", names, path: Some(path.as_str().to_owned()) }
    }

    /// A bare name is written as the first claim writes it that is shown.
    fn named(&self, called: &Called, report: &EntityReport<D>, asked: &str) -> NamedEntity {
        if let Entity::Note(path) = &called.entity {
            return NamedEntity { names: called.names.clone(), ..self.candidate(path) };
        }
        let is_name = |words: &&str| NameKey::of(words).is_some_and(|key| called.entity == Entity::Name(key));
        let subjects = report.claims.iter().map(|claim| claim.triple().0);
        let objects = report.mentions.iter().map(|claim| claim.triple().2);
        let written = subjects.chain(objects).chain(called.names.iter().map(String::as_str)).find(is_name);
        let name = written.unwrap_or(asked.trim()).to_owned();
        let mut names = vec![name.clone()];
        names.extend(called.names.iter().filter(|other| **other != name).cloned());
        NamedEntity { name, kind: "name", names, path: None }
    }

    /// The same, once in a session.
    pub(crate) fn known_as(&self, entity: &Entity) -> Result<&Called, ReadError> {
        if let Some(called) = self.called.get(entity) {
            return Ok(called);
        }
        let asked = match entity {
            Entity::Note(path) => path.stem(),
            Entity::Name(key) => key.as_str(),
        };
        let called = self.how_called(entity, asked)?;
        Ok(self.called.insert(entity.clone(), Box::new(called)))
    }

    /// Every name of an entity that this door may know.
    pub(super) fn how_called(&self, entity: &Entity, asked: &str) -> Result<Called, ReadError> {
        let (mut keys, mut shared, mut targets) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let names = match entity {
            Entity::Note(path) => self.called(path),
            Entity::Name(key) => {
                keys.insert(key.clone());
                targets.extend([link_key(key.as_str()), link_key(asked)]);
                Vec::new()
            }
        };
        for name in &names {
            targets.insert(link_key(name));
            let Some(key) = NameKey::of(name) else { continue };
            let alone = self.claimants(&key)?.len() < 2;
            if alone { &mut keys } else { &mut shared }.insert(key);
        }
        if self.is_owner(entity)? {
            keys.insert(NameKey::owner());
        }
        let mut called =
            Called { entity: entity.clone(), names, keys, shared, linked: BTreeSet::new(), links: Vec::new() };
        self.follow_links(&targets, &mut called)?;
        Ok(called)
    }

    /// Adds the links that lead to it, and the words they show that mean nothing else.
    fn follow_links(&self, targets: &BTreeSet<String>, called: &mut Called) -> Result<(), ReadError> {
        let band = self.door.strictest();
        let mut links = self.snapshot.links_with_key(targets, band)?;
        links.extend(self.snapshot.links_showing(&called.keys, band)?);
        links.sort_by(|a, b| a.place.cmp(&b.place));
        links.dedup();
        let mut shown: BTreeSet<NameKey> = BTreeSet::new();
        for link in links {
            // What is listed is re-read, and what is counted is looked at again: here nothing is shown.
            if self.led_to(&link)?.as_ref() == Some(&called.entity) {
                shown.extend(NameKey::of_link(&link.shown).filter(|_| link.names));
                called.links.push(link);
            }
        }
        for (key, text) in self.link_texts(&shown)?.only_of(&called.entity) {
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
        self.keep_linked(called)
    }

    /// Keeps of the names by links those that a claim has, in notes that count.
    fn keep_linked(&self, called: &mut Called) -> Result<(), ReadError> {
        let mut notes = BTreeSet::new();
        for role in [Role::Subject, Role::Object] {
            let places = self.snapshot.places_named_in(&called.linked, role, self.door.strictest(), LINKED_MAX)?;
            notes.extend(places.into_iter().map(|place| place.note));
        }
        let mut counted = BTreeSet::new();
        for note in notes {
            if self.may_count(&note)? {
                counted.insert(note);
            }
        }
        called.linked.retain(|(_, note)| counted.contains(note));
        Ok(())
    }

    /// The places where a claim has one of its names in this role.
    fn places_as(&self, called: &Called, role: Role, limit: usize) -> Result<Vec<NamedPlace>, ReadError> {
        let band = self.door.strictest();
        let mut places = self.snapshot.places_named(&called.keys, role, band, limit)?;
        if !called.linked.is_empty() {
            places.extend(self.snapshot.places_named_in(&called.linked, role, band, limit)?);
        }
        Ok(places)
    }

    /// The places that name an entity: as a subject, as what its own note speaks of, as an object, by a link.
    pub(super) fn places_naming(&self, called: &Called, limit: usize) -> Result<Vec<NamedPlace>, ReadError> {
        let mut places = self.places_about(called, limit)?;
        places.extend(self.places_mentioning(called, limit)?);
        let mut seen = HashSet::new();
        places.retain(|place| seen.insert(place.clone()));
        places.truncate(limit);
        Ok(places)
    }

    /// Its own note first.
    pub(crate) fn places_about(&self, called: &Called, limit: usize) -> Result<Vec<NamedPlace>, ReadError> {
        let band = self.door.strictest();
        let mut places = match called.note() {
            Some(note) => self.snapshot.places_of(note, band)?,
            None => Vec::new(),
        };
        places.extend(self.places_as(called, Role::Subject, limit)?);
        Ok(places)
    }

    fn places_mentioning(&self, called: &Called, limit: usize) -> Result<Vec<NamedPlace>, ReadError> {
        let mut places = self.places_as(called, Role::Object, limit)?;
        places.extend(called.links.iter().take(limit).map(|link| link.place.clone()));
        places.sort();
        places.dedup();
        Ok(places)
    }

    fn list_about(&self, called: &Called, listed: &mut Listed<D>) -> Result<(), ReadError> {
        let places = self.places_about(called, listed.limit.saturating_add(SPARE))?;
        self.list(&places, listed, |source| {
            source.wording.claims.iter().filter(|claim| called.is_subject(claim, source)).collect()
        })
    }

    fn list_mentions(&self, called: &Called, listed: &mut Listed<D>) -> Result<(), ReadError> {
        let mut shown: HashMap<(&NotePath, u32), Vec<&str>> = HashMap::new();
        for link in &called.links {
            shown.entry((&link.place.note, link.place.ordinal)).or_default().push(&link.shown);
        }
        let places = self.places_mentioning(called, listed.limit.saturating_add(SPARE).max(PLACES_MAX))?;
        self.list(&places, listed, |source| {
            let claims = &source.wording.claims;
            let links = shown.get(&(&source.row.note, source.ordinal)).map(Vec::as_slice).unwrap_or_default();
            let says = |claim: &&Claim| {
                called.is_object(claim, source) || links.iter().any(|words| claim.object.contains(*words))
            };
            let mut said: Vec<&Claim> = claims.iter().filter(says).collect();
            if said.is_empty() && !links.is_empty() {
                // The link stands in the subject or the predicate, which the claims share.
                said.extend(claims.first());
            }
            said
        })
    }

    /// Re-reads and sorts the claims that are wanted of each place, until there are enough.
    fn list(
        &self,
        places: &[NamedPlace],
        listed: &mut Listed<D>,
        wanted: impl Fn(&StoredSource) -> Vec<&Claim>,
    ) -> Result<(), ReadError> {
        for chunk in places.chunks(CHUNK) {
            let mut ids: Vec<StatementId> = chunk.iter().map(|place| place.statement).collect();
            ids.sort();
            ids.dedup();
            let loaded = self.snapshot.statements(&ids)?.into_iter().filter_map(|statement| {
                let seen = statement.seen_through(|source| self.door.shows(source.row.band))?;
                Some((seen.id, seen))
            });
            let loaded: HashMap<StatementId, StoredStatement> = loaded.collect();
            for place in chunk {
                let Some(statement) = loaded.get(&place.statement) else { continue };
                let at = |source: &&StoredSource| source.row.note == place.note && source.ordinal == place.ordinal;
                let Some(source) = statement.sources.iter().find(at) else { continue };
                if source.note.captured && !listed.captured {
                    continue;
                }
                if !self.list_one(statement, source, &wanted(source), listed)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Lists claims of one place; `false` when there are enough.
    fn list_one(
        &self,
        statement: &StoredStatement,
        source: &StoredSource,
        wanted: &[&Claim],
        listed: &mut Listed<D>,
    ) -> Result<bool, ReadError> {
        let new: Vec<&&Claim> = wanted.iter().filter(|claim| !listed.seen.contains(&claim.id)).collect();
        if new.is_empty() {
            return Ok(true);
        }
        let Ok(place) = self.recheck(&source.row) else { return Ok(true) };
        for claim in new {
            let Sorted::Clear(clear) = self.sorted(claim, statement, source, place.clone())? else { continue };
            if listed.claims.len() == listed.limit {
                listed.more = true;
                return Ok(false);
            }
            listed.seen.insert(claim.id);
            listed.claims.push(WireClaim::clear(&clear, self.memora.vault.name()));
        }
        Ok(true)
    }
}

/// The claims that say when they hold, the earliest first; what ended at a day before what began there.
fn in_order<D: Door>(claims: &[WireClaim<D>]) -> Vec<WireClaim<D>> {
    let day = |claim: &WireClaim<D>| {
        let first = |text: &str| PartialDate::parse(text).map(|date| date.bounds().0);
        let ended = claim.phase() == Some("ended");
        let from = claim.valid_from().filter(|_| !ended).and_then(first);
        from.map(|day| (day, !ended)).or_else(|| claim.valid_until().and_then(first).map(|day| (day, !ended)))
    };
    let mut dated: Vec<_> = claims.iter().filter_map(|claim| Some((day(claim)?, claim.clone()))).collect();
    dated.sort_by_key(|(day, _)| *day);
    dated.into_iter().map(|(_, claim)| claim).collect()
}

impl From<Edge> for CoOccurrence {
    fn from(edge: Edge) -> Self {
        let (kind, path) = match edge.to {
            Entity::Note(path) => ("note", Some(path.as_str().to_owned())),
            Entity::Name(_) => ("name", None),
        };
        Self { name: edge.name, kind, path, count: edge.blocks }
    }
}
