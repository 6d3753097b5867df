//! What is asked of two sentences that say of one named thing how often, on which weekday or how good, and differ.
//!
//! The one rule to know: **it asks, and ends nothing.** No relation tells that both are of the same, so that neither
//! supersedes the other, and both stay current until the user says which is over.

use std::collections::{BTreeMap, BTreeSet};

use memora_claim::{Act, ClaimId, StatementId};
use memora_redact::{Door, WireClaim};
use memora_store::{ReadError, StoredStatement};

use super::measured::{Measured, measured, names};
use super::{Item, Kind, asked, choice};
use crate::session::{Session, clearest};
use crate::wire::Challenge;

/// Sentences with a value under one name at most; what is said more often is no state of a thing.
const UNDER_MAX: usize = 6;

/// Statements loaded at once.
const CHUNK: usize = 512;

/// A sentence that says a value of something.
struct Said {
    statement: StoredStatement,
    note: String,
    words: String,
    values: Vec<Measured>,
    names: BTreeSet<String>,
}

impl<D: Door> Session<'_, D> {
    pub(super) fn differing_items(&self) -> Result<Vec<Item<D>>, ReadError> {
        let mut said = self.said_with_values()?;
        // Who writes everything small names things all the same: a name of several words is known by them.
        let long: BTreeSet<String> =
            said.iter().flat_map(|one| &one.names).filter(|name| name.contains(' ')).cloned().collect();
        for one in &mut said {
            let more = long.iter().filter(|name| one.words.contains(*name)).cloned();
            one.names.extend(more.collect::<Vec<_>>());
        }
        let mut under: BTreeMap<&String, Vec<&Said>> = BTreeMap::new();
        for one in &said {
            for name in &one.names {
                under.entry(name).or_default().push(one);
            }
        }
        let mut found: BTreeMap<[StatementId; 2], Item<D>> = BTreeMap::new();
        for (name, group) in under.into_iter().filter(|(_, group)| group.len() <= UNDER_MAX) {
            for (at, one) in group.iter().enumerate() {
                for other in group.iter().skip(at + 1).filter(|other| other.note != one.note) {
                    let differ = one.values.iter().any(|a| other.values.iter().any(|b| a.differs(b)));
                    let key = [one.statement.id.min(other.statement.id), one.statement.id.max(other.statement.id)];
                    if differ && !found.contains_key(&key) && !self.is_let_be(key) {
                        found.extend(
                            self.differing_item(name, &one.statement, &other.statement)?.map(|item| (key, item)),
                        );
                    }
                }
            }
        }
        Ok(found.into_values().collect())
    }

    /// Whether the user decided about both, or that one is over.
    fn is_let_be(&self, [a, b]: [StatementId; 2]) -> bool {
        let (a, b) = (ClaimId::from(a), ClaimId::from(b));
        let over = |id| self.decisions().ended(id).is_some() || self.decisions().is_retracted(id);
        self.decisions().on(a, b).is_some() || over(a) || over(b)
    }

    /// The sentences with a value, said outright by the notes' writer.
    fn said_with_values(&self) -> Result<Vec<Said>, ReadError> {
        let band = self.door.strictest();
        let mut ids: BTreeSet<StatementId> = BTreeSet::new();
        for note in self.snapshot.notes()? {
            if self.door.shows(note.band) && !note.captured && self.may_count(&note.path)? {
                ids.extend(self.snapshot.places_of(&note.path, band)?.into_iter().map(|place| place.statement));
            }
        }
        let ids: Vec<StatementId> = ids.into_iter().collect();
        let mut said = Vec::new();
        for chunk in ids.chunks(CHUNK) {
            for statement in self.snapshot.statements(chunk)? {
                let Some(statement) = statement.seen_through(|source| self.door.shows(source.row.band)) else {
                    continue;
                };
                let Some(source) = clearest(&statement) else { continue };
                let words = &source.wording.words;
                let values = measured(words);
                let own = statement.wording.claims.iter().any(|claim| self.says_itself(claim, source));
                if values.is_empty() || !own {
                    continue;
                }
                let names = names(words, &source.note.title);
                let (note, words) = (source.row.note.as_str().to_owned(), words.to_lowercase());
                said.push(Said { note, words, values, names, statement });
            }
        }
        Ok(said)
    }

    fn differing_item(
        &self,
        name: &str,
        one: &StoredStatement,
        other: &StoredStatement,
    ) -> Result<Option<Item<D>>, ReadError> {
        let clear = (self.first_clear(one)?, self.first_clear(other)?);
        let (Some(one_claim), Some(other_claim)) = clear else { return Ok(None) };
        let vault = self.memora.vault.name();
        let day = |claim: ClaimId, statement| self.last_told(claim, statement);
        let (day_one, day_other) = (day(one_claim.claim().id, one), day(other_claim.claim().id, other));
        let (one_claim, other_claim) = (WireClaim::clear(&one_claim, vault), WireClaim::clear(&other_claim, vault));
        let (older, newer) = if day_one <= day_other { (one_claim, other_claim) } else { (other_claim, one_claim) };
        let dependents = self.weight_of(&older)? + self.weight_of(&newer)?;
        let (old, new) = (older.id().to_owned(), newer.id().to_owned());
        let choices = vec![
            choice("the first is over", Act::End, &old, &[]),
            choice("the second is over", Act::End, &new, &[]),
            choice("both true", Act::Both, &new, &[&old]),
            choice("later", Act::Later, &new, &[&old]),
        ];
        let question = "Can both be so?".to_owned();
        let why = format!("both say how often, when or how good of “{name}”, and differ");
        let advice = "Say which is over, or that both are true.";
        let asked = asked(Kind::Differing, question, why, advice, vec![older, newer]);
        let challenge = Challenge { dependents, choices, ..asked };
        Ok(Some(Item { kind: Kind::Differing, key: format!("{old} {new}"), challenge }))
    }
}
