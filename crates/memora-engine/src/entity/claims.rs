//! `entity`: the claims about an entity.

use std::collections::{BTreeSet, HashMap, HashSet};

use memora_claim::{Claim, Modality, NameKey, StatementId, StatementKind};
use memora_redact::{Door, WireClaim};
use memora_retrieve::find_name_mentions;
use memora_store::{LinkUse, NameRole, NamedPlace, ReadError, StoredSource, StoredStatement};
use memora_vault::{NotePath, Zone, link_key};

use super::claim_listing::{ClaimListing, build_timeline};
use super::name_pattern::NamePattern;
use super::resolve::is_note_title;
use super::{Entity, EntityEdge, EntityResolution};
use crate::entity::EntityResolver;
use crate::report::{CoOccurrence, EntityKind, EntityReport, EntityStatus, Freshness, NamedEntity};
use crate::search::SearchError;

/// The maximum number of neighbours listed.
const NEIGHBOURS_MAX: usize = 20;

/// The maximum number of places scanned; listing stops earlier, once there are enough claims.
pub(super) const PLACES_SCANNED_MAX: usize = 65_536;

/// The maximum number of places counted.
const PLACES_COUNTED_MAX: usize = 4096;

/// The maximum number of statements examined that have all words of a name.
const MENTIONING_MAX: usize = 1024;

/// The maximum number of places examined that have a name which is known by a link alone.
const LINK_NAMED_PLACES_MAX: usize = 4096;

/// The number of statements loaded at once.
pub(super) const STATEMENTS_PER_CHUNK: usize = 64;

/// The names of an entity, and the links to it.
pub(crate) struct EntityNames {
    pub(crate) entity: Entity,
    /// As written: for a note its title and aliases first.
    names: Vec<String>,
    /// Names that no other note has.
    keys: BTreeSet<NameKey>,
    /// Names that other notes share: in its own note they mean this entity.
    shared: BTreeSet<NameKey>,
    /// Names known by link text alone, each with a note in which it means this entity.
    linked: BTreeSet<(NameKey, NotePath)>,
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
    fn note_path(&self) -> Option<&NotePath> {
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
    fn is_explicit_subject_of(&self, claim: &Claim, source: &StoredSource) -> bool {
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
    fn is_mentioned_in(&self, statement: &StoredStatement, alone: bool) -> bool {
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
    /// Reports the claims about the entity that a name refers to: first claims about it, then other claims and
    /// statements that mention it, up to `limit` in total, and its co-occurring entities. With `timeline`, also up to
    /// `limit` dated claims in chronological order. Captured notes count if `captured`.
    ///
    /// # Errors
    /// [`SearchError`].
    pub fn report_entity(
        &self,
        asked: &str,
        limit: usize,
        timeline: bool,
        captured: bool,
        freshness: Freshness,
    ) -> Result<EntityReport<D>, SearchError> {
        let mut report = EntityReport::unknown(asked, freshness);
        let (called, saying) = match self.resolve_name(asked)? {
            EntityResolution::Ambiguous(notes) => {
                report.status = EntityStatus::Ambiguous;
                report.candidates = notes.iter().map(|path| self.named_candidate(path)).collect();
                return Ok(report);
            }
            EntityResolution::One(entity) => {
                let called = self.collect_entity_names(&entity, asked)?;
                let saying = self.find_mentioning_statements(&called, captured)?;
                (called, saying)
            }
            // No claim, link or title has it: statements may still mention it.
            EntityResolution::Unknown => match self.resolve_by_mentions(asked, captured)? {
                Some(found) => found,
                None => {
                    report.nearest = self.suggest_names(asked)?;
                    return Ok(report);
                }
            },
        };
        report.status = EntityStatus::Found;
        let mut listed = ClaimListing::with_limit(limit, captured);
        self.list_subject_claims(&called, &mut listed)?;
        report.claims = std::mem::take(&mut listed.claims);
        listed.limit = limit.saturating_sub(report.claims.len());
        self.list_mentioning_claims(&called, &mut listed)?;
        self.list_mentioning_statements(&called, &saying, &mut listed)?;
        report.mentions = listed.claims;
        report.more = listed.more;
        report.mentioned = self.count_mentions(&called, &saying, captured)?;
        if timeline {
            let mut dated = ClaimListing::dated_with_limit(PLACES_SCANNED_MAX, captured);
            self.list_subject_claims(&called, &mut dated)?;
            self.list_mentioning_claims(&called, &mut dated)?;
            self.list_mentioning_statements(&called, &saying, &mut dated)?;
            let in_order = build_timeline(&dated);
            report.more |= in_order.len() > limit;
            (report.timeline, report.timeline_days) = in_order.into_iter().take(limit).unzip();
        }
        report.co_occurs =
            self.co_occurring_by_names(&called, NEIGHBOURS_MAX)?.into_iter().map(CoOccurrence::from).collect();
        report.entity = Some(self.to_named_entity(&called, &report, asked));
        Ok(report)
    }

    /// Resolves a name that no claim, link or title has, by the statements that mention it.
    fn resolve_by_mentions(
        &self,
        asked: &str,
        captured: bool,
    ) -> Result<Option<(EntityNames, Vec<StoredStatement>)>, SearchError> {
        // "Here", "this" and "I" are not names.
        let Some(key) = NameKey::from_link_text(asked).filter(|key| NameKey::from_subject(key.as_str()).is_some())
        else {
            return Ok(None);
        };
        let called = self.collect_entity_names(&Entity::Name(key), asked)?;
        let saying = self.find_mentioning_statements(&called, captured)?;
        Ok((!saying.is_empty()).then_some((called, saying)))
    }

    /// Returns the visible statements that mention one of its names, best first. If a one-word name occurs only within
    /// longer names, those count: "Ben" in "Ben Miller".
    fn find_mentioning_statements(
        &self,
        called: &EntityNames,
        captured: bool,
    ) -> Result<Vec<StoredStatement>, SearchError> {
        let indexes = self.session.memora.indexes.visible_to(&self.session.door);
        let names = called.spelled.iter().map(NamePattern::text);
        let (mut seen, mut found) = (HashSet::new(), Vec::new());
        for name in names {
            let ids: Vec<StatementId> =
                find_name_mentions(&indexes, name, MENTIONING_MAX)?.into_iter().filter(|id| seen.insert(*id)).collect();
            for chunk in ids.chunks(STATEMENTS_PER_CHUNK) {
                let loaded = self.session.snapshot.statements(chunk)?.into_iter().filter_map(|statement| {
                    let seen = statement.retain_sources(|source| {
                        self.session.door.may_show(source.row.band) && (captured || !source.note.captured)
                    })?;
                    // Identifiers in code are not names.
                    let says = seen.wording.kind != StatementKind::Code && called.is_mentioned_in(&seen, false);
                    says.then_some((seen.id, seen))
                });
                let mut loaded: HashMap<StatementId, StoredStatement> = loaded.collect();
                for id in chunk {
                    let Some(statement) = loaded.remove(id) else { continue };
                    if self.may_count_any_source(&statement)? {
                        found.push(statement);
                    }
                }
            }
        }
        let alone: Vec<bool> = found.iter().map(|statement| called.is_mentioned_in(statement, true)).collect();
        let longer_count = matches!(called.entity, Entity::Name(_)) && !alone.contains(&true);
        if !longer_count {
            let mut alone = alone.into_iter();
            found.retain(|_| alone.next().unwrap_or_default());
        }
        // Statements with the name come before those that are only below a heading with it.
        let below =
            |statement: &StoredStatement| !called.spelled.iter().any(|name| name.matches_in(&statement.wording.words));
        found.sort_by_key(below);
        Ok(found)
    }

    /// Returns whether a statement stands in a note that this door may count.
    fn may_count_any_source(&self, statement: &StoredStatement) -> Result<bool, ReadError> {
        for source in &statement.sources {
            if self.session.may_use_index(&source.row.note)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Counts the statements that mention the entity: as a subject or an object, by a link, or in their words.
    fn count_mentions(
        &self,
        called: &EntityNames,
        saying: &[StoredStatement],
        captured: bool,
    ) -> Result<usize, ReadError> {
        let mut named: HashSet<StatementId> = saying.iter().map(|statement| statement.id).collect();
        let mut places = self.places_with_role(called, NameRole::Subject, PLACES_COUNTED_MAX)?;
        places.extend(self.places_mentioning(called, PLACES_COUNTED_MAX)?);
        places.retain(|place| !named.contains(&place.statement));
        let linked: HashSet<(&NotePath, u32)> =
            called.links.iter().map(|link| (&link.place.note, link.place.ordinal)).collect();
        for chunk in places.chunks(STATEMENTS_PER_CHUNK) {
            let ids: BTreeSet<StatementId> = chunk.iter().map(|place| place.statement).collect();
            let ids: Vec<StatementId> = ids.into_iter().collect();
            for statement in self.session.snapshot.statements(&ids)? {
                let Some(seen) = statement.retain_sources(|source| self.session.door.may_show(source.row.band)) else {
                    continue;
                };
                for source in seen.sources.iter().filter(|source| captured || !source.note.captured) {
                    let mut claims = source.wording.claims.iter();
                    let names = |c: &Claim| called.is_explicit_subject_of(c, source) || called.is_object_of(c, source);
                    let linked = || linked.contains(&(&source.row.note, source.ordinal));
                    if (claims.any(names) || linked()) && self.session.may_use_index(&source.row.note)? {
                        named.insert(seen.id);
                    }
                }
            }
        }
        Ok(named.len())
    }

    fn named_candidate(&self, path: &NotePath) -> NamedEntity {
        let names = self.note_own_names(path);
        NamedEntity {
            name: path.stem().to_owned(),
            kind: EntityKind::Note,
            names,
            path: Some(path.as_str().to_owned()),
        }
    }

    /// Builds the named entity; a bare name is spelled as in the first visible claim.
    fn to_named_entity(&self, called: &EntityNames, report: &EntityReport<D>, asked: &str) -> NamedEntity {
        if let Entity::Note(path) = &called.entity {
            return NamedEntity { names: called.names.clone(), ..self.named_candidate(path) };
        }
        let is_name = |words: &&str| NameKey::from_name(words).is_some_and(|key| called.entity == Entity::Name(key));
        let subjects = report.claims.iter().map(|claim| claim.triple().0);
        let objects = report.mentions.iter().map(|claim| claim.triple().2);
        let quotes = report.mentions.iter().filter_map(WireClaim::place).map(|place| place.quote.as_str());
        let said = || quotes.filter_map(|quote| find_as_written(&called.entity, quote)).next();
        let written = subjects.chain(objects).chain(called.names.iter().map(String::as_str)).find(is_name);
        let name = written.map(str::to_owned).or_else(said).unwrap_or_else(|| asked.trim().to_owned());
        let mut names = vec![name.clone()];
        names.extend(called.names.iter().filter(|other| **other != name).cloned());
        NamedEntity { name, kind: EntityKind::Name, names, path: None }
    }

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
    fn places_with_role(
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

/// Finds a bare name in a text, spelled as it is there.
fn find_as_written(entity: &Entity, text: &str) -> Option<String> {
    let Entity::Name(key) = entity else { return None };
    let words: Vec<&str> = text.split_whitespace().collect();
    let count = key.as_str().split(' ').count();
    let found = words.windows(count).find(|words| NameKey::from_all_words(&words.join(" ")).as_ref() == Some(key))?;
    let name = found.join(" ").replace("’s", "'s");
    let name = name.trim_matches(|c: char| !c.is_alphanumeric());
    Some(name.strip_suffix("'s").unwrap_or(name).to_owned())
}

impl From<EntityEdge> for CoOccurrence {
    fn from(edge: EntityEdge) -> Self {
        let (kind, path) = match edge.to {
            Entity::Note(path) => (EntityKind::Note, Some(path.as_str().to_owned())),
            Entity::Name(_) => (EntityKind::Name, None),
        };
        Self { name: edge.name, kind, path, count: edge.blocks }
    }
}
