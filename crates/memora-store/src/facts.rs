//! Facts: claims that may conflict, looked up by subject and topic.
//!
//! Invariant: **a row follows from one claim alone.** Whether two claims have the same subject depends on the
//! whole vault, and is decided on reading. As with names, every look-up takes the strictest band that the caller
//! may see.

use std::collections::BTreeSet;

use memora_claim::{Claim, ClaimId, Modality, NameKey, Phase, StatementId};
use memora_vault::{Band, NotePath};
use rusqlite::{Connection, params};

use crate::load::read_packed;
use crate::{Authors, ReadError, Snapshot, codec};

/// The topic of claims that deny something, or express a beginning or an end.
pub const CHANGE_TOPIC: &str = "!";

/// The topic of listed claims about the owner's plans.
pub const PLAN_TOPIC: &str = "?";

/// The topic of open tasks with a day by which they are due.
pub const DUE_TOPIC: &str = "@";

/// The rows of a wording's facts: the topic of each, and the hash of its subject.
fn collect_fact_rows(claims: &[Claim]) -> BTreeSet<(&str, i64)> {
    let mut rows = BTreeSet::new();
    for claim in claims {
        let key = match claim.subject.as_deref() {
            None => String::new(),
            Some(subject) => match NameKey::from_subject(subject) {
                Some(key) => key.as_str().to_owned(),
                None => continue,
            },
        };
        let hash = codec::hash_texts(&[&key]);
        rows.extend(claim.relation.as_deref().map(|relation| (relation, hash)));
        if claim.listed && claim.modality == Modality::Planned && key == NameKey::owner().as_str() {
            rows.insert((PLAN_TOPIC, hash));
        }
        if claim.due_day().is_some() {
            rows.insert((DUE_TOPIC, hash));
        }
        if claim.negated || claim.phase != Phase::Steady {
            rows.insert((CHANGE_TOPIC, hash));
        }
    }
    rows
}

pub(crate) fn write_facts(conn: &Connection, wording: i64, claims: &[Claim]) -> Result<(), ReadError> {
    let mut insert = conn.prepare_cached("INSERT INTO facts (topic, key, wording) VALUES (?1, ?2, ?3)")?;
    for (topic, key) in collect_fact_rows(claims) {
        insert.execute(params![topic, key, wording])?;
    }
    Ok(())
}

pub(crate) fn delete_facts(conn: &Connection, wording: i64, claims: &[Claim]) -> Result<(), ReadError> {
    let mut delete = conn.prepare_cached("DELETE FROM facts WHERE topic = ?1 AND key = ?2 AND wording = ?3")?;
    for (topic, key) in collect_fact_rows(claims) {
        delete.execute(params![topic, key, wording])?;
    }
    Ok(())
}

/// The facts of a snapshot.
pub struct Facts<'s>(&'s Snapshot);

impl Snapshot {
    /// Returns the facts, for look-ups.
    #[must_use]
    pub fn facts(&self) -> Facts<'_> {
        Facts(self)
    }
}

impl Facts<'_> {
    /// Returns the statements of some authors up to a band with a fact under one of these names and this topic, at most
    /// `limit`, by id.
    pub fn by_name<'k>(
        &self,
        names: impl IntoIterator<Item = &'k NameKey>,
        topic: &str,
        (at_most, authors): (Band, Authors),
        limit: usize,
    ) -> Result<Vec<StatementId>, ReadError> {
        let names = codec::encode_ids(names.into_iter().map(|key| codec::hash_texts(&[key.as_str()])));
        let sql = format!(
            "SELECT DISTINCT s.statement
             FROM json_each(?1) AS asked CROSS JOIN facts AS f ON f.key = asked.value AND f.topic = ?2
             CROSS JOIN wordings AS w ON w.id = f.wording
             CROSS JOIN sources AS s ON s.statement = w.statement AND s.wording = w.id AND s.band <= ?3
             CROSS JOIN notes AS n ON n.id = s.note AND {}
             ORDER BY s.statement LIMIT ?4",
            authors.condition()
        );
        let limit = codec::encode_usize(limit);
        self.0.read_statement_ids(&sql, params![names, topic, codec::encode_band(at_most), limit])
    }

    /// Returns the statements of a note up to a band with a fact under this topic whose subject is the note's title.
    pub fn by_title(&self, note: &NotePath, topic: &str, at_most: Band) -> Result<Vec<StatementId>, ReadError> {
        let title = codec::hash_texts(&[""]);
        self.0.read_statement_ids(
            "SELECT DISTINCT s.statement
             FROM notes AS n CROSS JOIN sources AS s ON s.note = n.id AND s.band <= ?3
             CROSS JOIN facts AS f ON f.wording = s.wording AND f.key = ?4 AND f.topic = ?2
             WHERE n.path = ?1 ORDER BY s.statement",
            params![note.as_str(), topic, codec::encode_band(at_most), title],
        )
    }

    /// Returns the statements up to a band with a fact under one of these topics, by id.
    pub fn by_topic(&self, topics: &[String], at_most: Band) -> Result<Vec<StatementId>, ReadError> {
        self.0.read_statement_ids(
            "SELECT DISTINCT s.statement
             FROM json_each(?1) AS asked CROSS JOIN facts AS f ON f.topic = asked.value
             CROSS JOIN wordings AS w ON w.id = f.wording
             CROSS JOIN sources AS s ON s.statement = w.statement AND s.wording = w.id AND s.band <= ?2
             ORDER BY s.statement",
            params![codec::encode_list(topics), codec::encode_band(at_most)],
        )
    }

    /// Returns the statements up to a band that cite claims, with the cited claims, by id.
    pub fn citing_statements(&self, at_most: Band) -> Result<Vec<(StatementId, Vec<ClaimId>)>, ReadError> {
        let mut query = self.0.conn()?.prepare_cached(
            "SELECT statement, cites FROM sources WHERE cites IS NOT NULL AND band <= ?1 ORDER BY statement, note, ordinal",
        )?;
        let mut rows = query.query([codec::encode_band(at_most)])?;
        let mut found: Vec<(StatementId, Vec<ClaimId>)> = Vec::new();
        while let Some(row) = rows.next()? {
            let (id, cites) = (codec::decode_statement(row.get(0)?)?, codec::decode_claims(read_packed(row, 1)?)?);
            match found.last_mut().filter(|(last, _)| *last == id) {
                Some((_, known)) => known.extend(cites),
                None => found.push((id, cites)),
            }
        }
        Ok(found)
    }
}
