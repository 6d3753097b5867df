//! Vectors of passages: made of a note as one band shows it, kept until the note changes.
//!
//! Invariant: **what is kept is of the note as it was indexed**. A changed note loses its vectors in the commit that changes it, and
//! vectors of another reading of it are not taken.

use std::ops::Range;

use memora_vault::{Band, Fingerprint, NotePath};
use rusqlite::{OptionalExtension, Row, params};

use crate::vectors::{VectorWriter, Vectors};
use crate::{Authors, ReadError, WriteError, codec};

/// The passages of a note as they are seen by a door that shows up to `band`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NotePassages {
    /// The strictest band of what they may hold.
    pub band: Band,
    /// Their bytes in the note, in order.
    pub places: Vec<Range<usize>>,
    /// Their codes, one after the other, a byte a dimension.
    pub codes: Vec<i8>,
}

/// All passages that a door may see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PassageVectors {
    /// Their notes, each with the hash of the file that they are of.
    pub notes: Vec<(NotePath, Fingerprint)>,
    /// Of each passage the index of its note, and its bytes there.
    pub places: Vec<(usize, Range<usize>)>,
    /// Their codes, one after the other.
    pub codes: Vec<i8>,
}

/// A note whose passages are still to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadNote {
    /// Its path.
    pub path: NotePath,
    /// The hash of its file when it was indexed.
    pub hash: Fingerprint,
    /// Its band as it was indexed.
    pub band: Band,
}

impl Vectors<'_> {
    /// Counts the notes whose passages a network has not read.
    pub fn count_notes_without_passages(&self, network: &str) -> Result<usize, ReadError> {
        let mut query = self.0.conn()?.prepare_cached(
            "SELECT count(*) FROM notes AS n
             WHERE NOT EXISTS (SELECT 1 FROM passage_vectors AS p WHERE p.note = n.id AND p.band = 0 AND p.network = ?1)",
        )?;
        codec::decode_usize(query.query_row([network], |row| row.get(0))?)
    }

    /// Returns notes whose passages a network has not read, the newest first.
    pub fn notes_without_passages(&self, network: &str, limit: usize) -> Result<Vec<UnreadNote>, ReadError> {
        let mut query = self.0.conn()?.prepare_cached(
            "SELECT n.path, n.hash, n.band FROM notes AS n
             WHERE NOT EXISTS (SELECT 1 FROM passage_vectors AS p WHERE p.note = n.id AND p.band = 0 AND p.network = ?1)
             ORDER BY n.mtime_ns DESC, n.id LIMIT ?2",
        )?;
        let read = |row: &Row<'_>| {
            let hash = codec::decode_fingerprint(row.get_ref(1)?.as_blob().map_err(|_| ReadError::Damaged)?)?;
            let (path, band) = (codec::decode_path(row.get(0)?)?, codec::decode_band(row.get(2)?)?);
            Ok(UnreadNote { path, hash, band })
        };
        query.query_and_then(params![network, codec::encode_usize(limit)], read)?.collect()
    }

    /// Returns the passages of all notes of some authors as a door shows them that shows up to a band.
    ///
    /// # Errors
    /// [`ReadError`]; [`ReadError::Damaged`] if the codes are not of this many dimensions.
    pub fn passages(
        &self,
        network: &str,
        at_most: Band,
        authors: Authors,
        dimensions: usize,
    ) -> Result<PassageVectors, ReadError> {
        // Of a note, what the strictest of the bands shows that the door may see.
        let mut query = self.0.conn()?.prepare_cached(
            "SELECT n.path, n.hash, n.captured, p.places, p.codes FROM passage_vectors AS p JOIN notes AS n ON n.id = p.note
             WHERE p.network = ?1 AND p.band = (SELECT max(q.band) FROM passage_vectors AS q WHERE q.note = p.note AND q.band <= ?2)
             ORDER BY n.path",
        )?;
        let mut rows = query.query(params![network, codec::encode_band(at_most)])?;
        let mut found = PassageVectors::default();
        while let Some(row) = rows.next()? {
            let blob = |at: usize| row.get_ref(at)?.as_blob().map_err(|_| ReadError::Damaged);
            let places = decode_places(blob(3)?)?;
            let codes = blob(4)?;
            if codes.len() != places.len() * dimensions {
                return Err(ReadError::Damaged);
            }
            if places.is_empty() || !authors.include(row.get(2)?) {
                continue;
            }
            let note = found.notes.len();
            found.notes.push((codec::decode_path(row.get(0)?)?, codec::decode_fingerprint(blob(1)?)?));
            found.places.extend(places.into_iter().map(|place| (note, place)));
            found.codes.extend(codes.iter().map(|byte| byte.cast_signed()));
        }
        Ok(found)
    }
}

impl VectorWriter {
    /// Stores what a network made of a note, in place of what was there, if the note in the index is still of this hash. Each band has
    /// more to show than the one below it; the public one is always given, though it may be empty.
    pub fn put_passages(
        &mut self,
        path: &NotePath,
        hash: Fingerprint,
        network: &str,
        by_band: &[NotePassages],
    ) -> Result<(), WriteError> {
        let conn = self.conn()?;
        let mut note =
            conn.prepare_cached("SELECT id FROM notes WHERE path = ?1 AND hash = ?2").map_err(ReadError::from)?;
        let id: Option<i64> = note
            .query_row(params![path.as_str(), hash.as_bytes()], |row| row.get(0))
            .optional()
            .map_err(ReadError::from)?;
        let Some(id) = id else { return Ok(()) };
        conn.prepare_cached("DELETE FROM passage_vectors WHERE note = ?1")?.execute([id])?;
        for made in by_band {
            let codes: Vec<u8> = made.codes.iter().map(|byte| byte.cast_unsigned()).collect();
            conn.prepare_cached(
                "INSERT INTO passage_vectors (note, band, network, places, codes) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![
                id,
                codec::encode_band(made.band),
                network,
                encode_places(&made.places),
                codes
            ])?;
        }
        Ok(())
    }
}

/// Two little-endian `u32` a place: where it begins and where it ends.
fn encode_places(places: &[Range<usize>]) -> Vec<u8> {
    let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX).to_le_bytes();
    places.iter().flat_map(|place| [number(place.start), number(place.end)]).flatten().collect()
}

fn decode_places(bytes: &[u8]) -> Result<Vec<Range<usize>>, ReadError> {
    let (pairs, rest) = bytes.as_chunks::<8>();
    if !rest.is_empty() {
        return Err(ReadError::Damaged);
    }
    let number = |bytes: [u8; 4]| usize::try_from(u32::from_le_bytes(bytes)).unwrap_or(usize::MAX);
    Ok(pairs.iter().map(|[a, b, c, d, e, f, g, h]| number([*a, *b, *c, *d])..number([*e, *f, *g, *h])).collect())
}
