//! Wordings: the words, form and claims of a statement as read at one or several places, written once.
//!
//! Invariant: **an id is given once**, so that a row that refers to a wording can never mean another one.

use std::collections::{BTreeSet, HashMap};

use memora_claim::Claim;
use memora_vault::Band;
use rusqlite::{Connection, OptionalExtension, params};

use crate::claim_codec::{pack_claims, unpack_claims};
use crate::load::read_packed;
use crate::record::StatementRecord;
use crate::{ReadError, codec, facts, names};

/// The ids of wordings: of those that are known to a batch, by statement and digest, and the next one.
pub(crate) struct WordingIds {
    known: HashMap<(i64, i64), i64>,
    next: i64,
}

impl WordingIds {
    /// Starts with the next id as the index has it.
    pub(crate) fn read(conn: &Connection) -> Result<Self, ReadError> {
        let next = conn.query_row("SELECT next_wording FROM state WHERE only_row = 1", [], |row| row.get(0))?;
        Ok(Self { known: HashMap::new(), next })
    }

    /// Returns the next id, for the index to keep.
    pub(crate) fn next(&self) -> i64 {
        self.next
    }

    /// Makes the stored wordings of statements known.
    pub(crate) fn look_up(
        &mut self,
        conn: &Connection,
        statements: impl IntoIterator<Item = i64>,
    ) -> Result<(), ReadError> {
        let mut query = conn.prepare_cached(
            "SELECT w.statement, w.digest, w.id
             FROM json_each(?1) AS asked CROSS JOIN wordings AS w ON w.id = asked.value",
        )?;
        let stored = select_wordings(conn, statements)?;
        let ids: BTreeSet<i64> = stored.values().flatten().map(|(id, _)| *id).collect();
        let mut rows = query.query([codec::encode_ids(ids)])?;
        while let Some(row) = rows.next()? {
            self.known.insert((row.get(0)?, row.get(1)?), row.get(2)?);
        }
        Ok(())
    }

    /// Returns the id of a statement's wording, which is written if it is new.
    pub(crate) fn find_or_write(
        &mut self,
        conn: &Connection,
        number: i64,
        statement: &StatementRecord,
    ) -> Result<i64, ReadError> {
        let digest = compute_digest(statement);
        if let Some(id) = self.known.get(&(number, digest)) {
            return Ok(*id);
        }
        let id = self.next;
        conn.prepare_cached(
            "INSERT INTO wordings (id, statement, digest, kind, words, claims) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![
            id,
            number,
            digest,
            codec::encode_kind(statement.kind),
            statement.words,
            pack_claims(&storable_claims(&statement.claims), &statement.words),
        ])?;
        names::write_names(conn, id, &statement.claims)?;
        facts::write_facts(conn, id, &statement.claims)?;
        self.next += 1;
        self.known.insert((number, digest), id);
        Ok(id)
    }
}

/// Returns the wordings of statements, in order, each with the least guarded band in which it stands somewhere.
///
/// Goes from one entry of the index to the next that differs, so that a line in each of ten thousand notes takes no longer than
/// one that stands in a single note.
pub(crate) fn select_wordings(
    conn: &Connection,
    statements: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, Vec<(i64, Band)>>, ReadError> {
    let mut query = conn.prepare_cached(
        "SELECT wording, band FROM sources WHERE statement = ?1 AND wording > ?2 ORDER BY wording, band LIMIT 1",
    )?;
    let mut found = HashMap::new();
    for statement in statements {
        let mut wordings = Vec::new();
        let mut last = i64::MIN;
        let mut behind =
            |wording: i64| query.query_row([statement, wording], |row| Ok((row.get(0)?, row.get(1)?))).optional();
        while let Some((wording, band)) = behind(last)? {
            wordings.push((wording, codec::decode_band(band)?));
            last = wording;
        }
        if !wordings.is_empty() {
            found.insert(statement, wordings);
        }
    }
    Ok(found)
}

/// Deletes those of some wordings that no source uses, with their names and facts; returns how many.
pub(crate) fn delete_unused(conn: &Connection, ids: BTreeSet<i64>) -> Result<usize, ReadError> {
    let mut query = conn.prepare_cached(
        "SELECT w.id, w.statement, w.words, w.claims
         FROM json_each(?1) AS asked CROSS JOIN wordings AS w ON w.id = asked.value
         WHERE NOT EXISTS (SELECT 1 FROM sources AS s WHERE s.statement = w.statement AND s.wording = w.id)",
    )?;
    let mut rows = query.query([codec::encode_ids(ids)])?;
    let mut unused = Vec::new();
    while let Some(row) = rows.next()? {
        let words: String = row.get(2)?;
        let claims = unpack_claims(read_packed(row, 3)?, codec::decode_statement(row.get(1)?)?, &words)?;
        unused.push((row.get::<_, i64>(0)?, claims));
    }
    for (id, claims) in &unused {
        names::delete_names(conn, *id, claims)?;
        facts::delete_facts(conn, *id, claims)?;
        conn.prepare_cached("DELETE FROM wordings WHERE id = ?1")?.execute([id])?;
    }
    Ok(unused.len())
}

/// Deletes names and facts of wordings that are gone: those that another version of the program had folded otherwise.
pub(crate) fn delete_orphans(conn: &Connection) -> Result<(), ReadError> {
    conn.execute("DELETE FROM names WHERE wording NOT IN (SELECT id FROM wordings)", [])?;
    conn.execute("DELETE FROM facts WHERE wording NOT IN (SELECT id FROM wordings)", [])?;
    Ok(())
}

fn storable_claims(claims: &[Claim]) -> Vec<Claim> {
    let storable = |claim: &Claim| Claim { confidence: storable_confidence(claim.confidence), ..claim.clone() };
    claims.iter().map(storable).collect()
}

/// SQLite would store NaN as NULL.
fn storable_confidence(confidence: f32) -> f32 {
    if confidence.is_nan() { 0.0 } else { confidence }
}

/// Hashes every part of the wording with its length: 64 bits, by which the few wordings of one statement differ.
fn compute_digest(statement: &StatementRecord) -> i64 {
    let mut hasher = blake3::Hasher::new_derive_key("memora 2026 wording");
    let mut part = |text: Option<&str>| {
        let length = text.map_or(u64::MAX, |text| text.len() as u64);
        hasher.update(&length.to_le_bytes());
        hasher.update(text.unwrap_or_default().as_bytes());
    };
    part(Some(statement.kind.as_str()));
    part(Some(&statement.words));
    for claim in &statement.claims {
        part(Some(&codec::encode_reading(claim.id)));
        part(claim.subject.as_deref());
        part(Some(&claim.predicate));
        part(Some(&claim.object));
        part(Some(claim.modality.as_str()));
        part(Some(&storable_confidence(claim.confidence).to_bits().to_string()));
        part(Some(claim.extractor.as_str()));
        part(claim.holds.from.map(|when| when.to_string()).as_deref());
        part(claim.holds.until.map(|when| when.to_string()).as_deref());
        for qualifier in &claim.qualifiers {
            part(Some(qualifier));
        }
        part(claim.relation.as_deref());
        part(claim.negated.then_some("negated"));
        part(claim.attribution.as_deref());
        part(Some(claim.phase.as_str()));
        part(claim.listed.then_some("listed"));
    }
    let mut digest = [0; 8];
    hasher.finalize_xof().fill(&mut digest);
    i64::from_le_bytes(digest)
}
