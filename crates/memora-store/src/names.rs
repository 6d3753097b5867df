//! Names and links: stored as written, looked up by key; resolved in the engine.
//!
//! Invariant: every look-up takes the strictest band that the caller may see, and returns nothing of a stricter
//! place: no row, no count, no order that depends on one.

use std::collections::BTreeSet;

use memora_claim::{Claim, Modality, NameKey, STATES, StatementId};
use memora_vault::{Band, NotePath, Zone, link_key};
use rusqlite::{Connection, Params, Row, params};

use crate::bytes::unpack_texts;
use crate::claim_codec::unpack_claims;
use crate::context::{NoteTexts, unpack_headings};
use crate::load::{read_packed, read_title};
use crate::record::StatementRecord;
use crate::{Authors, ReadError, Snapshot, codec};

/// The role of a name in a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameRole {
    /// The subject of the claim.
    Subject,
    /// The object of the claim, if it is short.
    Object,
}

impl NameRole {
    fn to_number(self) -> i64 {
        match self {
            Self::Subject => 0,
            Self::Object => 1,
        }
    }
}

/// The names of a note.
#[derive(Clone, PartialEq, Eq)]
pub struct NoteNames {
    /// The note.
    pub path: NotePath,
    /// The title, as Obsidian shows it.
    pub title: String,
    /// Its aliases.
    pub aliases: Vec<String>,
    /// Whether the note was captured by a machine.
    pub captured: bool,
}

/// A place of a statement that contains a name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NamedPlace {
    /// The note.
    pub note: NotePath,
    /// The ordinal of the statement in the note.
    pub ordinal: u32,
    /// The statement.
    pub statement: StatementId,
    /// The row id of the note.
    row: i64,
    /// The block of the note.
    block: u32,
}

impl NamedPlace {
    /// Returns the id, in this snapshot, of the block that contains the statement.
    #[must_use]
    pub fn block(&self) -> (i64, u32) {
        (self.row, self.block)
    }
}

/// The names in one claim at a place.
#[derive(Clone, PartialEq, Eq)]
pub struct ClaimNames {
    /// Index of the place in the request.
    pub at: usize,
    /// The subject; `None` if the note's title is the subject.
    pub subject: Option<String>,
    /// The object.
    pub object: String,
    /// Whether the subject is the heading above or the whole parent item, and not written at this place.
    pub lent: bool,
    /// Whether the object is the whole sentence.
    pub whole: bool,
    /// Whether the words are someone else's: a quote, words between quotation marks, or a captured note.
    pub quoted: bool,
}

/// A link at a place.
#[derive(Clone, PartialEq, Eq)]
pub struct LinkUse {
    /// The place of the link.
    pub place: NamedPlace,
    /// The linked note, as written.
    pub target: String,
    /// The text of the link.
    pub shown: String,
    /// Whether that text may be a name of the target.
    pub names: bool,
}

/// The rows of a wording's names: the hash of each and its role.
fn collect_name_rows(claims: &[Claim]) -> BTreeSet<(i64, i64)> {
    let mut rows = BTreeSet::new();
    for claim in claims {
        let subject = claim.subject.as_deref().and_then(NameKey::from_subject);
        rows.extend(subject.map(|key| (hash_name(&key), NameRole::Subject.to_number())));
        rows.extend(NameKey::from_object(&claim.object).map(|key| (hash_name(&key), NameRole::Object.to_number())));
    }
    rows
}

fn hash_name(key: &NameKey) -> i64 {
    codec::hash_texts(&[key.as_str()])
}

pub(crate) fn write_names(conn: &Connection, wording: i64, claims: &[Claim]) -> Result<(), ReadError> {
    let mut insert = conn.prepare_cached("INSERT INTO names (key, role, wording) VALUES (?1, ?2, ?3)")?;
    for (key, role) in collect_name_rows(claims) {
        insert.execute([key, role, wording])?;
    }
    Ok(())
}

pub(crate) fn delete_names(conn: &Connection, wording: i64, claims: &[Claim]) -> Result<(), ReadError> {
    let mut delete = conn.prepare_cached("DELETE FROM names WHERE key = ?1 AND role = ?2 AND wording = ?3")?;
    for (key, role) in collect_name_rows(claims) {
        delete.execute([key, role, wording])?;
    }
    Ok(())
}

pub(crate) fn write_links(conn: &Connection, note: i64, statement: &StatementRecord) -> Result<(), ReadError> {
    if statement.links.is_empty() {
        return Ok(());
    }
    let mut insert = conn.prepare_cached(
        "INSERT INTO links (note, ordinal, number, target, target_key, shown, shown_key)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    for (number, link) in statement.links.iter().enumerate() {
        let key = NameKey::from_link_text(&link.shown).filter(|_| link.names);
        insert.execute(params![
            note,
            statement.ordinal,
            codec::encode_usize(number),
            link.target,
            hash_target(&link_key(&link.target)),
            Some(&link.shown).filter(|shown| **shown != link.target),
            key.as_ref().map(hash_name),
        ])?;
    }
    Ok(())
}

/// Hashes the [key](link_key) of a link's target.
fn hash_target(key: &str) -> i64 {
    codec::hash_texts(&[key])
}

/// The columns that [`read_place`] reads first.
const PLACE_COLUMNS: &str = "n.path, s.ordinal, s.statement, s.note, s.block";
const LINK_COLUMNS: &str =
    "n.path, s.ordinal, s.statement, s.note, s.block, l.target, coalesce(l.shown, l.target), l.shown_key IS NOT NULL";

fn read_place(row: &Row<'_>) -> Result<NamedPlace, ReadError> {
    Ok(NamedPlace {
        note: codec::decode_path(row.get(0)?)?,
        ordinal: row.get(1)?,
        statement: codec::decode_statement(row.get(2)?)?,
        row: row.get(3)?,
        block: row.get(4)?,
    })
}

fn read_link(row: &Row<'_>) -> Result<LinkUse, ReadError> {
    Ok(LinkUse { place: read_place(row)?, target: row.get(5)?, shown: row.get(6)?, names: row.get(7)? })
}

/// Encodes the hashes of names, as a JSON array.
fn encode_keys<'k>(keys: impl IntoIterator<Item = &'k NameKey>) -> String {
    codec::encode_ids(keys.into_iter().map(hash_name))
}

/// Encodes places as a JSON array of pairs.
fn encode_places(places: &[NamedPlace]) -> String {
    let pairs: Vec<String> = places.iter().map(|place| format!("[{},{}]", place.row, place.ordinal)).collect();
    format!("[{}]", pairs.join(","))
}

const FROM_PLACES: &str = "json_each(?1) AS asked CROSS JOIN sources AS s
         ON s.note = json_extract(asked.value, '$[0]') AND s.ordinal = json_extract(asked.value, '$[1]')";

/// The names and links of a snapshot.
pub struct Names<'s>(&'s Snapshot);

impl Snapshot {
    /// Returns the names and links, for look-ups.
    #[must_use]
    pub fn names(&self) -> Names<'_> {
        Names(self)
    }
}

impl Names<'_> {
    /// Returns the titles and aliases of notes up to a band, by path.
    pub fn of_notes(&self, at_most: Band) -> Result<Vec<NoteNames>, ReadError> {
        let sql = "SELECT path, title, aliases, captured FROM notes WHERE band <= ?1 ORDER BY path";
        let mut query = self.0.conn()?.prepare_cached(sql)?;
        let read = |row: &Row<'_>| {
            let path = codec::decode_path(row.get(0)?)?;
            Ok(NoteNames {
                title: read_title(row.get(1)?, &path),
                aliases: unpack_texts(read_packed(row, 2)?)?,
                captured: row.get(3)?,
                path,
            })
        };
        query.query_and_then([codec::encode_band(at_most)], read)?.collect()
    }

    /// Returns the most linked notes as links of the user's write them, with the number of the user's notes up to a band
    /// that link to them (at least `at_least`), most linked first.
    pub fn most_linked(&self, at_most: Band, at_least: usize) -> Result<Vec<(String, usize)>, ReadError> {
        let mut query = self.0.conn()?.prepare_cached(
            "SELECT min(l.target), count(DISTINCT l.note) AS notes
             FROM links AS l CROSS JOIN sources AS s ON s.note = l.note AND s.ordinal = l.ordinal AND s.band <= ?1
             CROSS JOIN notes AS n ON n.id = s.note AND n.captured = 0
             GROUP BY l.target_key HAVING notes >= ?2 ORDER BY notes DESC, min(l.target)",
        )?;
        let read = |row: &Row<'_>| Ok((row.get(0)?, codec::decode_usize(row.get(1)?)?));
        query.query_and_then([codec::encode_band(at_most), codec::encode_usize(at_least)], read)?.collect()
    }

    /// Returns the places of some authors up to a band where a claim has one of these names in this role, by note and
    /// position, at most `limit`.
    pub fn places_with_name(
        &self,
        names: &BTreeSet<NameKey>,
        role: NameRole,
        (at_most, authors): (Band, Authors),
        limit: usize,
    ) -> Result<Vec<NamedPlace>, ReadError> {
        let sql = format!(
            "SELECT DISTINCT {PLACE_COLUMNS}
             FROM json_each(?1) AS asked CROSS JOIN names AS m ON m.key = asked.value AND m.role = ?2
             CROSS JOIN wordings AS w ON w.id = m.wording
             CROSS JOIN sources AS s ON s.statement = w.statement AND s.wording = w.id AND s.band <= ?3
             CROSS JOIN notes AS n ON n.id = s.note AND {}
             ORDER BY n.path, s.start_byte, s.ordinal LIMIT ?4",
            authors.condition()
        );
        let (names, limit) = (encode_keys(names), codec::encode_usize(limit));
        self.read_places(&sql, params![names, role.to_number(), codec::encode_band(at_most), limit])
    }

    /// Returns the places up to a band where a claim has a name in this role, each name in one note, by note and
    /// position, at most `limit`.
    pub fn places_with_name_in_note(
        &self,
        names: &BTreeSet<(NameKey, NotePath)>,
        role: NameRole,
        at_most: Band,
        limit: usize,
    ) -> Result<Vec<NamedPlace>, ReadError> {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let sql = format!(
            "SELECT DISTINCT {PLACE_COLUMNS}
             FROM json_each(?1) AS asked CROSS JOIN notes AS n ON n.path = json_extract(asked.value, '$[1]')
             CROSS JOIN sources AS s ON s.note = n.id AND s.band <= ?3
             CROSS JOIN names AS m ON m.key = CAST(json_extract(asked.value, '$[0]') AS INTEGER) AND m.role = ?2
                 AND m.wording = s.wording
             ORDER BY n.path, s.start_byte, s.ordinal LIMIT ?4"
        );
        // A number of 64 bits is exact in SQLite's JSON, as text it is in everyone's.
        let asked: Vec<_> =
            names.iter().map(|(key, note)| (hash_name(key).to_string(), note.as_str().to_owned())).collect();
        let (asked, limit) = (codec::encode_pairs(&asked), codec::encode_usize(limit));
        self.read_places(&sql, params![asked, role.to_number(), codec::encode_band(at_most), limit])
    }

    /// Returns statements of some authors up to a band with this name as subject, object or link text, unordered, at most
    /// `limit`: to detect a repeated name without reading all the places of a frequent one.
    pub fn statements_naming(
        &self,
        name: &NameKey,
        (at_most, authors): (Band, Authors),
        limit: usize,
    ) -> Result<Vec<StatementId>, ReadError> {
        let of = authors.condition();
        let sql = format!(
            "SELECT DISTINCT statement FROM (
                 SELECT s.statement FROM names AS m CROSS JOIN wordings AS w ON w.id = m.wording
                 CROSS JOIN sources AS s ON s.statement = w.statement AND s.wording = w.id
                 CROSS JOIN notes AS n ON n.id = s.note AND {of}
                 WHERE m.key = ?1 AND s.band <= ?2
                 UNION ALL
                 SELECT s.statement FROM links AS l CROSS JOIN sources AS s ON s.note = l.note AND s.ordinal = l.ordinal
                 CROSS JOIN notes AS n ON n.id = s.note AND {of}
                 WHERE l.shown_key = ?1 AND s.band <= ?2)
             LIMIT ?3"
        );
        let limit = codec::encode_usize(limit);
        self.0.read_statement_ids(&sql, [hash_name(name), codec::encode_band(at_most), limit])
    }

    /// Returns the links up to a band with one of these texts, by note and position. Captured notes are excluded.
    pub fn links_with_text<'k>(
        &self,
        names: impl IntoIterator<Item = &'k NameKey>,
        at_most: Band,
    ) -> Result<Vec<LinkUse>, ReadError> {
        let from = "json_each(?1) AS asked CROSS JOIN links AS l ON l.shown_key = asked.value";
        self.select_links(from, &encode_keys(names), (at_most, Authors::User))
    }

    /// Returns the links of some authors up to a band whose target has one of these [keys](memora_vault::link_key), by note
    /// and position. To resolve them, use a [`memora_vault::LinkIndex`].
    pub fn links_with_target(
        &self,
        targets: &BTreeSet<String>,
        of: (Band, Authors),
    ) -> Result<Vec<LinkUse>, ReadError> {
        let targets = codec::encode_ids(targets.iter().map(|target| hash_target(target)));
        let from = "json_each(?1) AS asked CROSS JOIN links AS l ON l.target_key = asked.value";
        self.select_links(from, &targets, of)
    }

    fn select_links(
        &self,
        from: &str,
        asked: &str,
        (at_most, authors): (Band, Authors),
    ) -> Result<Vec<LinkUse>, ReadError> {
        let mut query = self.0.conn()?.prepare_cached(&format!(
            "SELECT {LINK_COLUMNS} FROM {from}
             CROSS JOIN sources AS s ON s.note = l.note AND s.ordinal = l.ordinal AND s.band <= ?2
             CROSS JOIN notes AS n ON n.id = s.note AND {}
             ORDER BY n.path, s.ordinal, l.number",
            authors.condition()
        ))?;
        query.query_and_then(params![asked, codec::encode_band(at_most)], read_link)?.collect()
    }

    /// Returns the texts of links to these [targets](memora_vault::link_key), folded and distinct: at any band and
    /// maybe of other notes. Use them only to exclude names, never for display.
    pub fn link_texts(&self, targets: &BTreeSet<String>) -> Result<BTreeSet<NameKey>, ReadError> {
        // Of each text one link is read, the rest of the index alone.
        let mut query = self.0.conn()?.prepare_cached(
            "SELECT (SELECT coalesce(o.shown, o.target) FROM links AS o
                     WHERE o.target_key = d.target_key AND o.shown_key = d.shown_key LIMIT 1)
             FROM (SELECT DISTINCT l.target_key, l.shown_key FROM json_each(?1) AS asked
                   CROSS JOIN links AS l ON l.target_key = asked.value AND l.shown_key IS NOT NULL) AS d",
        )?;
        let mut rows = query.query([codec::encode_ids(targets.iter().map(|target| hash_target(target)))])?;
        let mut found = BTreeSet::new();
        while let Some(row) = rows.next()? {
            found.extend(NameKey::from_link_text(row.get_ref(0)?.as_str().map_err(|_| ReadError::Damaged)?));
        }
        Ok(found)
    }

    /// Returns the links at these places, by note and position.
    pub fn links_at(&self, places: &[NamedPlace]) -> Result<Vec<LinkUse>, ReadError> {
        let mut query = self.0.conn()?.prepare_cached(&format!(
            "SELECT {LINK_COLUMNS} FROM {FROM_PLACES}
             CROSS JOIN links AS l ON l.note = s.note AND l.ordinal = s.ordinal
             CROSS JOIN notes AS n ON n.id = s.note
             ORDER BY n.path, s.ordinal, l.number"
        ))?;
        query.query_and_then([encode_places(places)], read_link)?.collect()
    }

    /// Returns for each of these places those up to a band in its block: the paragraph, item or row that contains it,
    /// its parent item, and its child items. Each with the index of the requested place; itself included.
    pub fn places_in_block(&self, places: &[NamedPlace], at_most: Band) -> Result<Vec<(usize, NamedPlace)>, ReadError> {
        let mut query = self.0.conn()?.prepare_cached(&format!(
            "SELECT n.path, o.ordinal, o.statement, o.note, o.block, asked.key FROM {FROM_PLACES}
             CROSS JOIN sources AS o ON o.note = s.note AND o.band <= ?2
                 AND (o.block = s.block OR o.block = s.within OR o.within = s.block)
             CROSS JOIN notes AS n ON n.id = s.note
             ORDER BY asked.key, o.ordinal"
        ))?;
        let read = |row: &Row<'_>| Ok((codec::decode_usize(row.get(5)?)?, read_place(row)?));
        query.query_and_then(params![encode_places(places), codec::encode_band(at_most)], read)?.collect()
    }

    /// Returns the names in the claims at these places, by place and claim.
    pub fn claim_names_at(&self, places: &[NamedPlace]) -> Result<Vec<ClaimNames>, ReadError> {
        let mut query = self.0.conn()?.prepare_cached(&format!(
            "SELECT asked.key, s.zone, n.captured, s.headings, n.outline, s.parent, n.texts, s.statement, w.words, w.claims
             FROM {FROM_PLACES}
             CROSS JOIN wordings AS w ON w.id = s.wording
             CROSS JOIN notes AS n ON n.id = s.note
             ORDER BY asked.key"
        ))?;
        let mut rows = query.query([encode_places(places)])?;
        let mut namings = Vec::new();
        while let Some(row) = rows.next()? {
            let at = codec::decode_usize(row.get(0)?)?;
            let theirs = codec::decode_zone(row.get(1)?)? == Zone::Quote || row.get(2)?;
            let headings = unpack_headings(read_packed(row, 3)?, &unpack_texts(read_packed(row, 4)?)?)?;
            let parent = row.get::<_, Option<i64>>(5)?.map(codec::decode_usize).transpose()?;
            let parent = parent.map(|number| NoteTexts::new(row.get(6)?).get(number)).transpose()?;
            let words = row.get_ref(8)?.as_str().map_err(|_| ReadError::Damaged)?;
            let statement = codec::decode_statement(row.get(7)?)?;
            for claim in unpack_claims(read_packed(row, 9)?, statement, words)? {
                namings.push(ClaimNames {
                    at,
                    lent: headings.last() == claim.subject.as_ref() || parent == claim.subject,
                    whole: claim.predicate == STATES,
                    quoted: theirs || claim.modality == Modality::Reported && claim.attribution.is_none(),
                    subject: claim.subject,
                    object: claim.object,
                });
            }
        }
        Ok(namings)
    }

    /// Returns the places of a statement up to a band, by note and position.
    pub fn places_of_statement(&self, id: StatementId, at_most: Band) -> Result<Vec<NamedPlace>, ReadError> {
        let sql = format!(
            "SELECT {PLACE_COLUMNS} FROM sources AS s CROSS JOIN notes AS n ON n.id = s.note
             WHERE s.statement = ?1 AND s.band <= ?2 ORDER BY n.path, s.ordinal"
        );
        self.read_places(&sql, [codec::encode_statement(id), codec::encode_band(at_most)])
    }

    /// Returns the places of a note up to a band, in note order.
    pub fn places_of_note(&self, note: &NotePath, at_most: Band) -> Result<Vec<NamedPlace>, ReadError> {
        let sql = format!(
            "SELECT {PLACE_COLUMNS} FROM notes AS n CROSS JOIN sources AS s ON s.note = n.id AND s.band <= ?2
             WHERE n.path = ?1 ORDER BY s.ordinal"
        );
        self.read_places(&sql, params![note.as_str(), codec::encode_band(at_most)])
    }

    /// Reads a query of [`PLACE_COLUMNS`].
    fn read_places(&self, sql: &str, params: impl Params) -> Result<Vec<NamedPlace>, ReadError> {
        let mut query = self.0.conn()?.prepare_cached(sql)?;
        query.query_and_then(params, read_place)?.collect()
    }
}

/// Names are vault text.
impl std::fmt::Debug for NoteNames {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "NoteNames({:?}, {} aliases)", self.path, self.aliases.len())
    }
}

impl std::fmt::Debug for ClaimNames {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Naming(at {}, {} bytes)", self.at, self.object.len())
    }
}

impl std::fmt::Debug for LinkUse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "LinkUse(at {:?}, {} bytes)", self.place, self.target.len())
    }
}
