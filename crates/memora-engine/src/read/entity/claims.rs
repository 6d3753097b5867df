//! `entity`: the claims about an entity.

use std::collections::{BTreeSet, HashMap, HashSet};

use memora_claim::{Claim, NameKey, StatementId, StatementKind};
use memora_redact::{Viewer, WireClaim};
use memora_retrieve::find_name_mentions;
use memora_store::{Authors, NameRole, ReadError, StoredStatement};
use memora_vault::NotePath;

use super::claim_listing::{ClaimListing, PLACES_SCANNED_MAX, STATEMENTS_PER_CHUNK, build_timeline};
use super::entity_names::EntityNames;
use super::name_pattern::NamePattern;
use super::{Entity, EntityEdge, EntityResolution};
use crate::read::entity::EntityReports;
use crate::read::search::SearchError;
use crate::report::{CoOccurrence, EntityKind, EntityReport, EntityStatus, Freshness, NamedEntity};

/// The maximum number of neighbours listed.
const NEIGHBOURS_MAX: usize = 20;

/// The maximum number of places counted.
const PLACES_COUNTED_MAX: usize = 4096;

/// The maximum number of statements examined that have all words of a name.
const MENTIONING_MAX: usize = 1024;

/// What to report of the entity that a name refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntityQuery<'q> {
    /// The name, or the path of its note.
    pub name: &'q str,
    /// The maximum number of claims, and of entries of the timeline.
    pub limit: usize,
    /// Whether to report dated claims in chronological order, too.
    pub timeline: bool,
}

impl EntityReports<'_> {
    /// Reports the claims about the entity that a name refers to: first claims about it, then other claims and
    /// statements that mention it, up to the limit in total, and its co-occurring entities.
    pub(crate) fn report_entity(
        &self,
        query: &EntityQuery<'_>,
        freshness: Freshness,
    ) -> Result<EntityReport, SearchError> {
        let EntityQuery { name: asked, limit, timeline } = *query;
        let mut report = EntityReport::unknown(asked, freshness);
        let (called, saying) = match self.entities().resolve_name(asked)? {
            EntityResolution::Ambiguous(notes) => {
                report.status = EntityStatus::Ambiguous;
                report.candidates = notes.iter().map(|path| self.named_candidate(path)).collect();
                return Ok(report);
            }
            EntityResolution::One(entity) => {
                let called = self.entities().collect_entity_names(&entity, asked)?;
                let saying = self.find_mentioning_statements(&called)?;
                (called, saying)
            }
            // No claim, link or title has it: statements may still mention it.
            EntityResolution::Unknown => match self.resolve_by_mentions(asked)? {
                Some(found) => found,
                None => {
                    report.nearest = self.suggest_names(asked)?;
                    report.only_captured = self.authors == Authors::User
                        && Self::new(self.session, Authors::All).is_anything_called(asked)?;
                    return Ok(report);
                }
            },
        };
        report.status = EntityStatus::Found;
        let mut listed = ClaimListing::with_limit(limit);
        self.list_subject_claims(&called, &mut listed)?;
        report.claims = std::mem::take(&mut listed.claims);
        listed.limit = limit.saturating_sub(report.claims.len());
        self.list_mentioning_claims(&called, &mut listed)?;
        self.list_mentioning_statements(&called, &saying, &mut listed)?;
        report.mentions = listed.claims;
        report.more = listed.more;
        report.mentioned = self.count_mentions(&called, &saying)?;
        if timeline {
            let mut dated = ClaimListing::dated_with_limit(PLACES_SCANNED_MAX);
            self.list_subject_claims(&called, &mut dated)?;
            self.list_mentioning_claims(&called, &mut dated)?;
            self.list_mentioning_statements(&called, &saying, &mut dated)?;
            let in_order = build_timeline(&dated);
            report.more |= in_order.len() > limit;
            (report.timeline, report.timeline_days) = in_order.into_iter().take(limit).unzip();
        }
        let beside = self.co_occurring_by_names(&called, NEIGHBOURS_MAX)?;
        report.co_occurs = beside.into_iter().map(CoOccurrence::from).collect();
        report.entity = Some(self.to_named_entity(&called, &report, asked));
        Ok(report)
    }

    /// Whether anything at all has a name.
    fn is_anything_called(&self, asked: &str) -> Result<bool, SearchError> {
        match self.entities().resolve_name(asked)? {
            EntityResolution::Unknown => Ok(self.resolve_by_mentions(asked)?.is_some()),
            EntityResolution::One(_) | EntityResolution::Ambiguous(_) => Ok(true),
        }
    }

    /// Resolves a name that no claim, link or title has, by the statements that mention it.
    fn resolve_by_mentions(&self, asked: &str) -> Result<Option<(EntityNames, Vec<StoredStatement>)>, SearchError> {
        // "Here", "this" and "I" are not names.
        let Some(key) = NameKey::from_link_text(asked).filter(|key| NameKey::from_subject(key.as_str()).is_some())
        else {
            return Ok(None);
        };
        let called = self.entities().collect_entity_names(&Entity::Name(key), asked)?;
        let saying = self.find_mentioning_statements(&called)?;
        Ok((!saying.is_empty()).then_some((called, saying)))
    }

    /// Returns the visible statements that mention one of its names, best first. If a one-word name occurs only within
    /// longer names, those count: "Ben" in "Ben Miller".
    fn find_mentioning_statements(&self, called: &EntityNames) -> Result<Vec<StoredStatement>, SearchError> {
        let indexes = self.session.memora.indexes.visible_to(self.session.door, self.authors);
        let names = called.spelled.iter().map(NamePattern::text);
        let (mut seen, mut found) = (HashSet::new(), Vec::new());
        for name in names {
            let ids: Vec<StatementId> =
                find_name_mentions(&indexes, name, MENTIONING_MAX)?.into_iter().filter(|id| seen.insert(*id)).collect();
            for chunk in ids.chunks(STATEMENTS_PER_CHUNK) {
                let loaded = self.session.snapshot.statements(chunk)?.into_iter().filter_map(|statement| {
                    let seen = statement.retain_sources(|source| {
                        self.session.door.may_show(source.row.band) && self.authors.include(source.note.captured)
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
    fn count_mentions(&self, called: &EntityNames, saying: &[StoredStatement]) -> Result<usize, ReadError> {
        let mut named: HashSet<StatementId> = saying.iter().map(|statement| statement.id).collect();
        let mut places = self.entities().places_with_role(called, NameRole::Subject, PLACES_COUNTED_MAX)?;
        places.extend(self.entities().places_mentioning(called, PLACES_COUNTED_MAX)?);
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
                for source in seen.sources.iter().filter(|source| self.authors.include(source.note.captured)) {
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
        let names = self.entities().note_own_names(path);
        NamedEntity {
            name: path.stem().to_owned(),
            kind: EntityKind::Note,
            names,
            path: Some(path.as_str().to_owned()),
        }
    }

    /// Builds the named entity; a bare name is spelled as in the first visible claim.
    fn to_named_entity(&self, called: &EntityNames, report: &EntityReport, asked: &str) -> NamedEntity {
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
