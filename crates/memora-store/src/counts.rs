//! Counts that are kept, not counted: notes of each band, and claims that a reader sees.
//!
//! Invariant: **every commit updates them with what it changed**, in its own transaction, so that reading them takes the
//! same time in every vault. A reader that sees everything up to a band sees a statement in the wording of its first
//! place there, as [`StoredStatement::retain_sources`](crate::StoredStatement::retain_sources) says.

use std::collections::{BTreeMap, HashMap};

use memora_claim::ClaimId;
use memora_vault::Band;
use rusqlite::{Connection, Row, params};

use crate::claim_codec::unpack_claims;
use crate::load::read_packed;
use crate::record::{IndexTotals, NoteRecord};
use crate::wordings::select_wordings;
use crate::{ReadError, Snapshot, codec};

/// The readers that see a claim: a bit for each strictest band, and one for any wording at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClaimReaders(u8);

impl ClaimReaders {
    const BANDS: [Band; 3] = [Band::Public, Band::Private, Band::Secret];
    const ANYWHERE: u8 = 1 << 3;

    fn bit(strictest: Band) -> u8 {
        1 << codec::encode_band(strictest)
    }

    /// Whether a reader sees the claim that may see everything up to a band.
    #[must_use]
    pub fn include(self, strictest: Band) -> bool {
        self.0 & Self::bit(strictest) != 0
    }

    /// Whether the claim is in the index at all.
    pub(crate) fn exist(self) -> bool {
        self.0 & Self::ANYWHERE != 0
    }
}

/// A claim whose readers a commit changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClaimChange {
    /// The claim.
    pub claim: ClaimId,
    /// Who saw it before.
    pub before: ClaimReaders,
    /// Who sees it now.
    pub now: ClaimReaders,
}

/// The listed claims of a statement, by the part of their ids behind the point.
pub(crate) type ListedClaims = BTreeMap<String, ClaimReaders>;

/// Returns the listed claims of statements in the index, by statement.
pub(crate) fn select_listed_claims(
    conn: &Connection,
    statements: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, ListedClaims>, ReadError> {
    let wordings = select_wordings(conn, statements)?;
    let readings = select_readings(conn, wordings.values().flatten().map(|(wording, _)| *wording))?;
    let mut found = HashMap::with_capacity(wordings.len());
    for (statement, wordings) in wordings {
        let mut claims = ListedClaims::new();
        let mut add = |wording: i64, bit: u8| {
            for reading in readings.get(&wording).into_iter().flatten() {
                claims.entry(reading.clone()).or_default().0 |= bit;
            }
        };
        for band in ClaimReaders::BANDS {
            let mut seen = wordings.iter().filter(|(_, of)| *of <= band).map(|(wording, _)| *wording);
            let Some(first) = seen.next() else { continue };
            // Which place is the first one matters only where they are read in several ways.
            let is_same = seen.all(|other| readings.get(&other) == readings.get(&first));
            let shown = if is_same { first } else { select_first_wording(conn, statement, band)? };
            add(shown, ClaimReaders::bit(band));
        }
        for (wording, _) in &wordings {
            add(*wording, ClaimReaders::ANYWHERE);
        }
        found.insert(statement, claims);
    }
    Ok(found)
}

/// Returns the wording of a statement's first place up to a band, as its places are ordered; captured ones come last.
fn select_first_wording(conn: &Connection, statement: i64, strictest: Band) -> Result<i64, ReadError> {
    let mut query = conn.prepare_cached(
        "SELECT s.wording FROM sources AS s CROSS JOIN notes AS n ON n.id = s.note
         WHERE s.statement = ?1 AND s.band <= ?2 ORDER BY n.captured, n.path, s.start_byte, s.ordinal LIMIT 1",
    )?;
    Ok(query.query_row(params![statement, codec::encode_band(strictest)], |row| row.get(0))?)
}

fn select_readings(
    conn: &Connection,
    wordings: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, Vec<String>>, ReadError> {
    let mut query = conn.prepare_cached(
        "SELECT w.id, w.statement, w.words, w.claims
         FROM json_each(?1) AS asked CROSS JOIN wordings AS w ON w.id = asked.value WHERE w.claims IS NOT NULL",
    )?;
    let read = |row: &Row<'_>| {
        let words = row.get_ref(2)?.as_str().map_err(|_| ReadError::Damaged)?;
        let claims = unpack_claims(read_packed(row, 3)?, codec::decode_statement(row.get(1)?)?, words)?;
        let listed = claims.iter().filter(|claim| claim.listed).map(|claim| codec::encode_reading(claim.id));
        Ok((row.get(0)?, listed.collect()))
    };
    query.query_and_then([codec::encode_ids(wordings)], read)?.collect()
}

/// What a batch adds to the counts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CountChanges {
    notes: [i64; 3],
    sources: [i64; 3],
    claims: [i64; 3],
    captured: i64,
    statements: i64,
    listed: i64,
    problems: i64,
}

impl CountChanges {
    pub(crate) fn add_note(&mut self, note: &NoteRecord, sources: impl IntoIterator<Item = Band>, problems: usize) {
        self.change_note(1, note, sources, problems);
    }

    pub(crate) fn remove_note(&mut self, note: &NoteRecord, sources: impl IntoIterator<Item = Band>, problems: usize) {
        self.change_note(-1, note, sources, problems);
    }

    fn change_note(&mut self, by: i64, note: &NoteRecord, sources: impl IntoIterator<Item = Band>, problems: usize) {
        add_at(&mut self.notes, note.band, by);
        sources.into_iter().for_each(|band| add_at(&mut self.sources, band, by));
        self.captured += by * i64::from(note.captured);
        self.problems += by * codec::encode_usize(problems);
    }

    pub(crate) fn change_statement(&mut self, was_there: bool, is_there: bool) {
        self.statements += i64::from(is_there) - i64::from(was_there);
    }

    pub(crate) fn change_claim(&mut self, before: ClaimReaders, now: ClaimReaders) {
        for band in ClaimReaders::BANDS {
            add_at(&mut self.claims, band, i64::from(now.include(band)) - i64::from(before.include(band)));
        }
        self.listed += i64::from(now.exist()) - i64::from(before.exist());
    }

    pub(crate) fn write(&self, conn: &Connection) -> Result<(), ReadError> {
        let mut update = conn.prepare_cached(
            "UPDATE counts SET notes = notes + ?2, sources = sources + ?3, claims = claims + ?4 WHERE band = ?1",
        )?;
        for (((band, notes), sources), claims) in (0..).zip(self.notes).zip(self.sources).zip(self.claims) {
            update.execute(params![band, notes, sources, claims])?;
        }
        conn.prepare_cached(
            "UPDATE totals SET captured = captured + ?1, statements = statements + ?2, claims = claims + ?3,
                               problems = problems + ?4",
        )?
        .execute([self.captured, self.statements, self.listed, self.problems])?;
        Ok(())
    }
}

fn add_at(counts: &mut [i64; 3], band: Band, change: i64) {
    if let Some(count) = usize::try_from(codec::encode_band(band)).ok().and_then(|at| counts.get_mut(at)) {
        *count += change;
    }
}

/// The counts of a snapshot.
pub struct Counts<'s>(&'s Snapshot);

impl Snapshot {
    /// Returns the counts that are kept.
    #[must_use]
    pub fn counts(&self) -> Counts<'_> {
        Counts(self)
    }
}

impl Counts<'_> {
    /// Returns the number of notes of each band: public, private, secret.
    pub fn notes_by_band(&self) -> Result<[usize; 3], ReadError> {
        self.read_counts("SELECT notes FROM counts WHERE band = ?1")
    }

    /// Returns the number of notes.
    pub fn notes(&self) -> Result<usize, ReadError> {
        Ok(self.notes_by_band()?.iter().sum())
    }

    /// Returns what the index holds, as kept by its commits.
    pub fn totals(&self) -> Result<IndexTotals, ReadError> {
        let notes_by_band = self.notes_by_band()?;
        let sources_by_band = self.read_counts("SELECT sources FROM counts WHERE band = ?1")?;
        let mut query = self.0.conn()?.prepare_cached("SELECT captured, statements, claims, problems FROM totals")?;
        let [captured, statements, claims, problems] =
            query.query_row([], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?]))?;
        Ok(IndexTotals {
            notes: notes_by_band.iter().sum(),
            notes_captured: codec::decode_usize(captured)?,
            notes_by_band,
            statements: codec::decode_usize(statements)?,
            claims: codec::decode_usize(claims)?,
            sources: sources_by_band.iter().sum(),
            sources_by_band,
            problems: codec::decode_usize(problems)?,
            skipped: self.skipped()?,
        })
    }

    /// Returns the number of listed claims that a reader sees who may see everything up to a band.
    pub fn claims(&self, strictest: Band) -> Result<usize, ReadError> {
        self.read_count("SELECT claims FROM counts WHERE band = ?1", strictest)
    }

    /// Returns the number of files that were not read.
    pub fn skipped(&self) -> Result<usize, ReadError> {
        let mut query = self.0.conn()?.prepare_cached("SELECT count(*) FROM skipped")?;
        codec::decode_usize(query.query_row([], |row| row.get(0))?)
    }

    fn read_counts(&self, sql: &str) -> Result<[usize; 3], ReadError> {
        let [public, private, secret] = ClaimReaders::BANDS.map(|band| self.read_count(sql, band));
        Ok([public?, private?, secret?])
    }

    fn read_count(&self, sql: &str, band: Band) -> Result<usize, ReadError> {
        let mut query = self.0.conn()?.prepare_cached(sql)?;
        codec::decode_usize(query.query_row([codec::encode_band(band)], |row| row.get(0))?)
    }
}
