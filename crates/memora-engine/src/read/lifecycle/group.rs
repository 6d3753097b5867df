//! Collects the claims about one entity under one relation or verb.

use std::collections::{BTreeMap, BTreeSet};

use memora_claim::conflict::{
    ClaimPolarity, ComparableClaim, Conflicts, SlotConstraint, ValueRelation, detect_conflicts,
};
use memora_claim::{Claim, NameKey, Phase, StatementId};
use memora_redact::Viewer;
use memora_store::{Authors, CHANGE_TOPIC, ReadError, StoredSource, StoredStatement};
use memora_vault::link_key;

use super::{ClaimGroup, ComparisonKey, comparable};
use crate::read::entity::{Entity, EntityNames, EntityResolution, EntityResolver, is_owner_speaking};
use crate::read::lifecycle::Lifecycle;
use crate::read::lists::{GENERIC_PERSONS, INDEFINITE_WORDS};
use crate::state::sources::own_sources;

/// The maximum number of claims in a group; a relation stated more often is not a state.
const MEMBERS_MAX: usize = 96;

/// The maximum number of statements examined for an ending.
const ENDINGS_MAX: usize = 256;

impl<'s> Lifecycle<'s> {
    /// Returns the entity that a claim is about, if its subject is unambiguous: a note, the vault's owner, or a proper
    /// name in the statement's own words. "The meeting" in two notes is not one meeting.
    pub(crate) fn subject_entity(&self, claim: &Claim, source: &StoredSource) -> Result<Option<Entity>, ReadError> {
        let here = &source.row.note;
        let Some(subject) = claim.subject.as_deref() else { return Ok(Some(Entity::Note(here.clone()))) };
        let Some(key) = NameKey::from_subject(subject) else { return Ok(None) };
        if key == NameKey::owner() {
            let owner = is_owner_speaking(claim, source, |_| false)
                .then(|| EntityResolver::new(self.session, Authors::User).resolve_key_in(&key, here))
                .transpose()?;
            return Ok(owner.map(|meant| match meant {
                EntityResolution::One(entity) => entity,
                EntityResolution::Ambiguous(_) | EntityResolution::Unknown => Entity::Name(key),
            }));
        }
        Ok(match EntityResolver::new(self.session, Authors::User).resolve_key_in(&key, here)? {
            EntityResolution::One(Entity::Name(name)) => {
                let own = source.wording.words.contains(subject);
                (own && is_identifying(subject)).then_some(Entity::Name(name))
            }
            EntityResolution::One(Entity::Note(note)) => {
                (note == *here || !is_generic_subject(subject)).then_some(Entity::Note(note))
            }
            EntityResolution::Ambiguous(_) | EntityResolution::Unknown => None,
        })
    }

    /// Returns whether a group may have two rival claims: cheap, and without false negatives.
    pub(super) fn may_have_rivals(&self, entity: &Entity, about: &ComparisonKey) -> Result<bool, ReadError> {
        // Thousands of claims of a note may be of one group.
        let key = (entity.clone(), about.clone());
        if let Some(known) = self.cache.rivals.get(&key) {
            return Ok(*known);
        }
        let found = self.find_rivals(entity, about)?;
        Ok(*self.cache.rivals.insert(key, Box::new(found)))
    }

    fn find_rivals(&self, entity: &Entity, about: &ComparisonKey) -> Result<bool, ReadError> {
        let band = self.session.door.strictest_band();
        let of = (band, Authors::All);
        let names = self.possible_names(entity)?;
        let (topic, wanted) = match about {
            ComparisonKey::Relation(relation) => (relation.as_str(), 2),
            ComparisonKey::Verb(_) => (CHANGE_TOPIC, 1),
        };
        let mut found: BTreeSet<StatementId> =
            self.session.snapshot.facts().by_name(names, topic, of, wanted)?.into_iter().collect();
        if let Entity::Note(note) = entity
            && found.len() < wanted
        {
            found.extend(self.session.snapshot.facts().by_title(note, topic, band)?);
        }
        if let ComparisonKey::Relation(relation) = about
            && found.len() < wanted
            && comparable::is_leavable_relation(relation)
        {
            found.extend(self.session.snapshot.facts().by_name(names, CHANGE_TOPIC, of, wanted)?);
        }
        Ok(found.len() >= wanted)
    }

    /// Returns every name that an entity may have, and possibly some names of others.
    fn possible_names(&self, entity: &Entity) -> Result<&'s [NameKey], ReadError> {
        if let Some(names) = self.cache.possible_names.get(entity) {
            return Ok(names);
        }
        let (mut keys, mut targets) = (BTreeSet::new(), BTreeSet::new());
        match entity {
            Entity::Note(path) => {
                let note = self.session.snapshot.note(path)?;
                for name in note.iter().flat_map(|note| note.aliases.iter().chain([&note.title])) {
                    keys.extend(NameKey::from_name(name));
                    targets.insert(link_key(name));
                }
                targets.insert(link_key(path.stem()));
            }
            Entity::Name(key) => {
                keys.insert(key.clone());
                targets.insert(link_key(key.as_str()));
            }
        }
        keys.extend(self.session.snapshot.names().link_texts(&targets)?);
        if self.session.memora.config.owner.is_some() {
            keys.insert(NameKey::owner());
        }
        Ok(self.cache.possible_names.insert(entity.clone(), keys.into_iter().collect()))
    }

    pub(super) fn build_claim_group(&self, entity: &Entity, about: &ComparisonKey) -> Result<ClaimGroup, ReadError> {
        let topic = self.slot_constraint(entity, about)?;
        let called = EntityResolver::new(self.session, Authors::User).entity_names(entity)?;
        let ids = self.find_rival_statements(called, about)?;
        let turns = self.find_ending_statements(called, about)?;
        let none = ClaimGroup::default();
        if ids.len() + turns.len() < 2 || ids.len() > MEMBERS_MAX {
            return Ok(none);
        }
        let ids: Vec<StatementId> = ids.into_iter().collect();
        let mut found: Vec<(ComparableClaim, StoredStatement, StoredSource)> = Vec::new();
        for statement in self.session.snapshot.statements(&ids)? {
            let Some(statement) = statement.retain_sources(|source| self.session.door.may_show(source.row.band)) else {
                continue;
            };
            for claim in statement
                .wording
                .claims
                .iter()
                .filter(|claim| comparable::comparison_key(claim).as_ref() == Some(about))
            {
                let Some(source) = own_sources(&statement).find(|source| called.is_subject_of(claim, source)) else {
                    continue;
                };
                let Some(says) = comparable::claim_polarity(claim, topic.changes) else { continue };
                if self.subject_entity(claim, source)?.as_ref() != Some(entity) {
                    continue;
                }
                let note = self.unique_note_named(&claim.object)?;
                let relation =
                    claim.relation.as_deref().and_then(|name| self.session.memora.config.find_relation(name));
                let held = comparable::to_comparable(claim, &statement, source, says, relation, note);
                found.push((held, statement.clone(), source.clone()));
            }
        }
        self.add_ending_claims(entity, &turns, &mut found)?;
        let of = |found: &[(ComparableClaim, StoredStatement, StoredSource)]| -> Conflicts {
            let held: Vec<ComparableClaim> = found.iter().map(|(held, ..)| held.clone()).collect();
            detect_conflicts(topic, &held, self.decisions())
        };
        // If the indexed claims have no conflicts, nothing needs to be re-read; but a cloud door must not see a
        // difference that a recently guarded claim makes.
        if self.session.door.is_local() && of(&found) == Conflicts::default() {
            return Ok(none);
        }
        found.retain(|(_, statement, _)| match self.session.recheck_any(statement) {
            Ok((_, source)) => self.session.door.is_local() || self.session.is_as_indexed(&source),
            Err(_) => false,
        });
        let judged = of(&found);
        let members: BTreeMap<_, _> = found.into_iter().map(|(held, statement, _)| (held.id, statement)).collect();
        Ok(ClaimGroup { judged, members })
    }

    fn slot_constraint(&self, entity: &Entity, about: &ComparisonKey) -> Result<SlotConstraint, ReadError> {
        let relation = match about {
            ComparisonKey::Relation(name) => self.session.memora.config.find_relation(name),
            ComparisonKey::Verb(_) => None,
        };
        let Some(relation) = relation.filter(|relation| relation.single) else { return Ok(SlotConstraint::default()) };
        // A program is written in one language, but a person uses several.
        let single = !(relation.several && self.is_person(entity)?);
        Ok(SlotConstraint { single, changes: single && relation.changes })
    }

    /// Returns whether an entity is a person, according to the notes: the owner, or one with an employer or a birthday.
    fn is_person(&self, entity: &Entity) -> Result<bool, ReadError> {
        let names = EntityResolver::new(self.session, Authors::User).entity_names(entity)?.all_keys();
        if names.contains(&NameKey::owner()) {
            return Ok(true);
        }
        let relations = self.session.memora.config.extractor().relations().names();
        let of = (self.session.door.strictest_band(), Authors::User);
        for relation in relations {
            if self.session.memora.config.find_relation(relation).is_some_and(|known| known.personal)
                && !self.session.snapshot.facts().by_name(&names, relation, of, 1)?.is_empty()
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the statements that may end a state of another relation: "switched from Acme".
    fn find_ending_statements(
        &self,
        called: &EntityNames,
        about: &ComparisonKey,
    ) -> Result<Vec<StatementId>, ReadError> {
        match about {
            ComparisonKey::Relation(relation) if comparable::is_leavable_relation(relation) => {
                self.facts_users_first(&called.all_keys(), CHANGE_TOPIC, ENDINGS_MAX)
            }
            ComparisonKey::Relation(_) | ComparisonKey::Verb(_) => Ok(Vec::new()),
        }
    }

    /// Adds statements whose verb of leaving ends a state that a member of the group asserts, with the claims about its
    /// replacement.
    fn add_ending_claims(
        &self,
        entity: &Entity,
        turns: &[StatementId],
        found: &mut Vec<(ComparableClaim, StoredStatement, StoredSource)>,
    ) -> Result<(), ReadError> {
        let known: BTreeSet<StatementId> = found.iter().map(|(held, ..)| held.id.statement()).collect();
        let new: Vec<StatementId> = turns.iter().copied().filter(|id| !known.contains(id)).collect();
        let called = EntityResolver::new(self.session, Authors::User).entity_names(entity)?;
        for statement in self.session.snapshot.statements(&new)? {
            let Some(statement) = statement.retain_sources(|source| self.session.door.may_show(source.row.band)) else {
                continue;
            };
            let mut added = Vec::new();
            let mut ends = false;
            for claim in statement.wording.claims.iter().filter(|claim| claim.phase != Phase::Steady) {
                let Some(source) = own_sources(&statement).find(|source| called.is_subject_of(claim, source)) else {
                    continue;
                };
                let says = comparable::comparison_key(claim).and_then(|_| comparable::claim_polarity(claim, true));
                let Some(says) = says.filter(|_| comparable::is_leaving_claim(claim) || claim.phase == Phase::Begun)
                else {
                    continue;
                };
                if self.subject_entity(claim, source)?.as_ref() != Some(entity) {
                    continue;
                }
                let note = self.unique_note_named(&claim.object)?;
                let relation =
                    claim.relation.as_deref().and_then(|name| self.session.memora.config.find_relation(name));
                let held = comparable::to_comparable(claim, &statement, source, says, relation, note);
                ends |= held.says == ClaimPolarity::Ended
                    && found.iter().any(|(member, ..)| {
                        matches!(member.says, ClaimPolarity::Affirmed | ClaimPolarity::Begun)
                            && matches!(
                                member.value.compare(&held.value),
                                ValueRelation::Same | ValueRelation::Narrower
                            )
                    });
                added.push((held, statement.clone(), source.clone()));
            }
            if ends {
                found.extend(added);
            }
        }
        Ok(())
    }

    /// Returns the statements that may have claims of the group.
    fn find_rival_statements(
        &self,
        called: &EntityNames,
        about: &ComparisonKey,
    ) -> Result<BTreeSet<StatementId>, ReadError> {
        let band = self.session.door.strictest_band();
        let topic = match about {
            ComparisonKey::Relation(relation) => relation.as_str(),
            ComparisonKey::Verb(_) => CHANGE_TOPIC,
        };
        let mut ids: BTreeSet<StatementId> =
            self.facts_users_first(&called.all_keys(), topic, MEMBERS_MAX + 1)?.into_iter().collect();
        if let Entity::Note(note) = &called.entity {
            ids.extend(self.session.snapshot.facts().by_title(note, topic, band)?);
        }
        if let ComparisonKey::Verb(verb) = about {
            let said = self.session.snapshot.statements(&ids.iter().copied().collect::<Vec<_>>())?;
            let turns = |claim: &Claim| {
                comparable::comparison_key(claim).is_some_and(|about| about == ComparisonKey::Verb(verb.clone()))
            };
            if !said.iter().any(|statement| statement.wording.claims.iter().any(turns)) {
                return Ok(BTreeSet::new());
            }
            let places = EntityResolver::new(self.session, Authors::User).places_about(called, MEMBERS_MAX)?;
            ids.extend(places.into_iter().take(MEMBERS_MAX).map(|place| place.statement));
            // Few statements about an entity use this verb.
            let all = self.session.snapshot.statements(&ids.iter().copied().collect::<Vec<_>>())?;
            ids = all.iter().filter(|s| s.wording.claims.iter().any(turns)).map(|s| s.id).collect();
        }
        Ok(ids)
    }

    /// Returns the statements with a fact, the user's first, at most `limit`: machines' take no room from them.
    fn facts_users_first(
        &self,
        names: &BTreeSet<NameKey>,
        topic: &str,
        limit: usize,
    ) -> Result<Vec<StatementId>, ReadError> {
        let band = self.session.door.strictest_band();
        let mut found = self.session.snapshot.facts().by_name(names, topic, (band, Authors::User), limit)?;
        // Only the user's may reach the limit, behind which a group is none.
        let room = limit.saturating_sub(found.len() + 1);
        if room == 0 {
            return Ok(found);
        }
        let others = self.session.snapshot.facts().by_name(names, topic, (band, Authors::Machines), limit)?;
        let known: BTreeSet<StatementId> = found.iter().copied().collect();
        found.extend(others.into_iter().filter(|id| !known.contains(id)).take(room));
        Ok(found)
    }

    /// Returns the only note with this name.
    fn unique_note_named(&self, words: &str) -> Result<Option<String>, ReadError> {
        let Some(key) = NameKey::from_object(words) else { return Ok(None) };
        let claimants = EntityResolver::new(self.session, Authors::User).claimants(&key)?;
        Ok(match claimants.as_slice() {
            [only] => Some(only.as_str().to_owned()),
            _ => None,
        })
    }
}

/// Returns whether a note's name is generic or anaphoric, and does not identify one thing: "the system", "flashcards",
/// "people", a symbol of a formula.
fn is_generic_subject(subject: &str) -> bool {
    let lower = subject.to_lowercase();
    let first = lower.split_whitespace().next().unwrap_or_default();
    let symbol = subject.contains(['$', '\\', '{']) || subject.chars().filter(|c| c.is_alphanumeric()).count() < 2;
    let plural = lower == subject && subject.ends_with('s') && !subject.contains(['-', '.', '_']);
    let short = lower.split_whitespace().count() <= 2;
    let common = plural || first == "the" && short && !is_identifying(subject);
    symbol || common || INDEFINITE_WORDS.contains(first) || GENERIC_PERSONS.contains(lower.as_str())
}

/// Returns whether words identify one thing anywhere: a proper name, or a thing that belongs to one.
fn is_identifying(subject: &str) -> bool {
    let words: Vec<&str> = subject.split_whitespace().collect();
    let Some((first, behind)) = words.split_first() else { return false };
    let first = first.to_lowercase();
    // A symbol means something else in each formula.
    if INDEFINITE_WORDS.contains(first.as_str()) || subject.contains(['$', '\\', '{']) {
        return false;
    }
    if matches!(first.as_str(), "my" | "our") {
        return !behind.is_empty();
    }
    let definite = first == "the";
    let rest = if definite { behind } else { words.as_slice() };
    let of = rest.iter().position(|word| matches!(*word, "of" | "at" | "in" | "for" | "behind"));
    match of {
        // "the licence of drift": identified by its owner.
        Some(at) => {
            let owner = rest.get(at + 1..).unwrap_or_default();
            let owner_first = owner.first().map(|word| word.to_lowercase()).unwrap_or_default();
            !INDEFINITE_WORDS.contains(owner_first.as_str())
                && (definite || is_proper_name(rest))
                && !owner.is_empty()
                && owner_first != "the"
        }
        None => is_proper_name(rest),
    }
}

/// Returns whether words are a proper name: every longer word has a capital, a digit or a hyphen, and a single word
/// with only an initial capital is not a plural.
fn is_proper_name(words: &[&str]) -> bool {
    let marked = |word: &str| {
        word.chars().skip(1).any(|c| c.is_uppercase() || c.is_ascii_digit() || matches!(c, '-' | '.' | '_'))
            || word.chars().any(|c| c.is_alphabetic() && !c.is_lowercase() && !c.is_uppercase())
    };
    let capital = |word: &str| word.starts_with(|c: char| c.is_uppercase());
    match words {
        [] => false,
        [only] => marked(only) || capital(only) && !only.ends_with('s'),
        several => {
            // The first word of a sentence always has a capital.
            several.iter().skip(1).filter(|word| word.len() > 3).all(|word| capital(word) || marked(word))
                && several.iter().skip(1).any(|word| capital(word) || marked(word))
                && several.first().is_some_and(|word| capital(word) || marked(word))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_means_one_thing_in_every_note_and_a_noun_does_not() {
        for name in
            ["drift-bench", "Anna", "Anna Brandt", "The licence of drift", "my hardest lead", "the HMS Beagle", "佐藤"]
        {
            assert!(is_identifying(name), "{name}");
        }
        for noun in ["The meeting", "the plan", "Icons", "Your data", "some tools", "a file", "Open notes", "price", ""]
        {
            assert!(!is_identifying(noun), "{noun}");
        }
    }
}
