//! Counts that are kept, not counted: notes of each band, and claims that a reader sees.
//!
//! Invariant: **every commit updates them with what it changed**, in its own transaction, so that reading them takes the
//! same time in every vault. A reader that sees everything up to a band sees a statement in the wording of its first
//! place there, as [`StoredStatement::retain_sources`](crate::StoredStatement::retain_sources) says.

use std::collections::{BTreeMap, HashMap};

use memora_claim::ClaimId;
use memora_vault::Band;
use rusqlite::{Connection, params};

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
    /// A place, ordered as the places of a statement are; captured ones last.
    type Place = (bool, String, i64, i64);
    let mut query = conn.prepare_cached(
        "SELECT s.statement, s.wording, s.band, n.captured, n.path, s.start_byte, s.ordinal
         FROM json_each(?1) AS asked CROSS JOIN sources AS s ON s.statement = asked.value
         CROSS JOIN notes AS n ON n.id = s.note",
    )?;
    let mut rows = query.query([codec::encode_ids(statements)])?;
    let mut places: HashMap<i64, Vec<(Place, i64, Band)>> = HashMap::new();
    while let Some(row) = rows.next()? {
        let place = (row.get(3)?, row.get(4)?, row.get(5)?, row.get(6)?);
        places.entry(row.get(0)?).or_default().push((place, row.get(1)?, codec::decode_band(row.get(2)?)?));
    }
    let wordings = places.values().flatten().map(|(_, wording, _)| *wording);
    let readings = select_readings(conn, wordings)?;
    let mut found = HashMap::with_capacity(places.len());
    for (statement, mut places) in places {
        places.sort();
        let mut claims = ListedClaims::new();
        let mut add = |wording: i64, bit: u8| {
            for reading in readings.get(&wording).into_iter().flatten() {
                claims.entry(reading.clone()).or_default().0 |= bit;
            }
        };
        for band in ClaimReaders::BANDS {
            if let Some((_, wording, _)) = places.iter().find(|(_, _, of)| *of <= band) {
                add(*wording, ClaimReaders::bit(band));
            }
        }
        for (_, wording, _) in &places {
            add(*wording, ClaimReaders::ANYWHERE);
        }
        found.insert(statement, claims);
    }
    Ok(found)
}

fn select_readings(
    conn: &Connection,
    wordings: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, Vec<String>>, ReadError> {
    let mut query = conn.prepare_cached(
        "SELECT DISTINCT c.wording, c.reading
         FROM json_each(?1) AS asked CROSS JOIN claims AS c ON c.wording = asked.value WHERE c.listed",
    )?;
    let mut rows = query.query([codec::encode_ids(wordings)])?;
    let mut found: HashMap<i64, Vec<String>> = HashMap::new();
    while let Some(row) = rows.next()? {
        found.entry(row.get(0)?).or_default().push(row.get(1)?);
    }
    Ok(found)
}

/// What a batch adds to the counts, by band.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CountChanges {
    notes: [i64; 3],
    claims: [i64; 3],
}

impl CountChanges {
    pub(crate) fn add_note(&mut self, band: Band) {
        add_at(&mut self.notes, band, 1);
    }

    pub(crate) fn remove_note(&mut self, band: Band) {
        add_at(&mut self.notes, band, -1);
    }

    pub(crate) fn change_claim(&mut self, before: ClaimReaders, now: ClaimReaders) {
        for band in ClaimReaders::BANDS {
            add_at(&mut self.claims, band, i64::from(now.include(band)) - i64::from(before.include(band)));
        }
    }

    pub(crate) fn write(&self, conn: &Connection) -> Result<(), ReadError> {
        let mut update =
            conn.prepare_cached("UPDATE counts SET notes = notes + ?2, claims = claims + ?3 WHERE band = ?1")?;
        for ((band, notes), claims) in (0..).zip(self.notes).zip(self.claims) {
            update.execute(params![band, notes, claims])?;
        }
        Ok(())
    }
}

fn add_at(counts: &mut [i64; 3], band: Band, change: i64) {
    if let Some(count) = usize::try_from(codec::encode_band(band)).ok().and_then(|at| counts.get_mut(at)) {
        *count += change;
    }
}

impl Snapshot {
    /// Returns the number of notes of each band: public, private, secret.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn notes_by_band(&self) -> Result<[usize; 3], ReadError> {
        let count = |band| self.read_count("SELECT notes FROM counts WHERE band = ?1", band);
        let [public, private, secret] = ClaimReaders::BANDS.map(count);
        Ok([public?, private?, secret?])
    }

    /// Returns the number of listed claims that a reader sees who may see everything up to a band.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn claim_count(&self, strictest: Band) -> Result<usize, ReadError> {
        self.read_count("SELECT claims FROM counts WHERE band = ?1", strictest)
    }

    /// Returns the number of files that were not read.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn skipped_count(&self) -> Result<usize, ReadError> {
        let mut query = self.conn()?.prepare_cached("SELECT count(*) FROM skipped")?;
        codec::decode_usize(query.query_row([], |row| row.get(0))?)
    }

    fn read_count(&self, sql: &str, band: Band) -> Result<usize, ReadError> {
        let mut query = self.conn()?.prepare_cached(sql)?;
        codec::decode_usize(query.query_row([codec::encode_band(band)], |row| row.get(0))?)
    }
}
