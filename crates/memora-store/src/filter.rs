//! Filters for notes: properties, tags, folders, dates.
//!
//! Names are compared in composed form: `Übung` is one name, whether its accent is a letter's own or one of its own, as some file
//! systems and keyboards have it.

use std::collections::{BTreeSet, HashSet};

use memora_claim::StatementId;
use memora_vault::{Band, NotePath, PartialDate, compose_name, fold_name};
use rusqlite::{Connection, ToSql, params_from_iter};

use crate::record::NoteRecord;
use crate::{ReadError, codec};

/// Conditions on notes. All of them must hold; the empty filter matches every note.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct NoteFilter {
    /// Required properties by name and value, ignoring case. For a list one value is enough.
    pub properties: Vec<(String, String)>,
    /// Tags without `#`, ignoring case; `project` matches `project/memora` too.
    pub tags: Vec<String>,
    /// Folders, at least one of which must contain the note, at any depth; slashes at the ends do not matter. Empty: any.
    pub folders: Vec<String>,
    /// Paths, one of which must be the note's. Empty: any.
    pub notes: Vec<NotePath>,
    /// First day that the note's date may mean. A note without a date fails this and the next.
    pub from: Option<PartialDate>,
    /// Last day that the note's date may mean: a note dated `2024-03` matches any day of that March.
    pub until: Option<PartialDate>,
}

/// Property names and values are vault text.
impl std::fmt::Debug for NoteFilter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NoteFilter")
            .field("properties", &self.properties.len())
            .field("tags", &self.tags.len())
            .field("folders", &self.folders.len())
            .field("notes", &self.notes.len())
            .field("from", &self.from)
            .field("until", &self.until)
            .finish()
    }
}

/// Folds a tag or property for look-up.
fn fold_case(text: &str) -> String {
    fold_name(text.trim())
}

fn hash_tag(tag: &str) -> i64 {
    codec::hash_texts(&["tag", &fold_case(tag)])
}

fn hash_property(key: &str, value: &str) -> i64 {
    codec::hash_texts(&["property", &fold_case(key), &fold_case(value)])
}

/// Returns the hashes of what a note is found by: each tag and each of its parents, and each property with its value.
pub(crate) fn collect_terms(note: &NoteRecord) -> BTreeSet<i64> {
    let mut terms: BTreeSet<i64> = note.properties.iter().map(|(key, value)| hash_property(key, value)).collect();
    for tag in &note.tags {
        let tag = fold_case(tag);
        let parents = tag.match_indices('/').filter_map(|(slash, _)| tag.get(..slash));
        terms.extend(parents.chain([tag.as_str()]).map(hash_tag));
    }
    terms
}

pub(crate) fn select_notes(conn: &Connection, filter: &NoteFilter) -> Result<BTreeSet<NotePath>, ReadError> {
    let (conditions, parameters) = build_conditions(conn, filter)?;
    let mut query = conn.prepare_cached(&format!("SELECT n.path FROM notes AS n WHERE {conditions}"))?;
    query.query_and_then(params_from_iter(parameters), |row| codec::decode_path(row.get(0)?))?.collect()
}

pub(crate) fn select_statements(
    conn: &Connection,
    filter: &NoteFilter,
    at_most: Band,
) -> Result<HashSet<StatementId>, ReadError> {
    let (conditions, mut parameters) = build_conditions(conn, filter)?;
    parameters.push(Box::new(codec::encode_band(at_most)));
    let mut query = conn.prepare_cached(&format!(
        "SELECT s.statement FROM notes AS n JOIN sources AS s ON s.note = n.id
         WHERE {conditions} AND s.band <= ?{}",
        parameters.len()
    ))?;
    query.query_and_then(params_from_iter(parameters), |row| codec::decode_statement(row.get(0)?))?.collect()
}

/// Returns the filter as SQL over `n`, with its parameters in order. Only placeholders depend on the filter's text.
fn build_conditions(conn: &Connection, filter: &NoteFilter) -> Result<(String, Vec<Box<dyn ToSql>>), ReadError> {
    let mut sql = String::from("1");
    let mut parameters: Vec<Box<dyn ToSql>> = Vec::new();
    for (key, value) in &filter.properties {
        sql.push_str(" AND n.id IN (SELECT note FROM note_terms WHERE term = ?)");
        parameters.push(Box::new(hash_property(key, value)));
    }
    for tag in &filter.tags {
        sql.push_str(" AND n.id IN (SELECT note FROM note_terms WHERE term = ?)");
        parameters.push(Box::new(hash_tag(tag.trim_start_matches('#').trim_end_matches('/'))));
    }
    let folders: Vec<&str> = filter.folders.iter().map(|folder| folder.trim_matches('/')).collect();
    let notes: Vec<&str> = filter.notes.iter().map(NotePath::as_str).collect();
    if !folders.iter().chain(&notes).all(|name| name.is_ascii()) {
        sql.push_str(" AND n.id IN (SELECT value FROM json_each(?))");
        parameters.push(Box::new(codec::encode_ids(find_by_composed_path(conn, &folders, &notes)?)));
    } else {
        if !folders.is_empty() {
            // One JSON parameter, so that any number of folders fits. '0' is the character behind '/'.
            sql.push_str(
                " AND EXISTS (SELECT 1 FROM json_each(?) AS f
                              WHERE f.value = '' OR (n.path >= f.value || '/' AND n.path < f.value || '0'))",
            );
            parameters.push(Box::new(codec::encode_list(&folders)));
        }
        if !notes.is_empty() {
            sql.push_str(" AND n.path IN (SELECT value FROM json_each(?))");
            parameters.push(Box::new(codec::encode_list(&notes)));
        }
    }
    if let Some(from) = filter.from {
        sql.push_str(" AND n.last_day >= ?");
        parameters.push(Box::new(codec::day_bounds(from).0));
    }
    if let Some(until) = filter.until {
        sql.push_str(" AND n.first_day <= ?");
        parameters.push(Box::new(codec::day_bounds(until).1));
    }
    Ok((sql, parameters))
}

/// Returns the rows of the notes in one of these folders and at one of these paths, compared in composed form. Without folders,
/// or without paths, any will do.
///
/// SQLite compares bytes, so this goes through all paths; names in ASCII, which have one form, need not.
fn find_by_composed_path(conn: &Connection, folders: &[&str], notes: &[&str]) -> Result<BTreeSet<i64>, ReadError> {
    let composed = |name: &&str| compose_name(name).into_owned();
    let folders: Vec<String> = folders.iter().map(composed).collect();
    let notes: HashSet<String> = notes.iter().map(composed).collect();
    let mut query = conn.prepare_cached("SELECT id, path FROM notes")?;
    let mut rows = query.query([])?;
    let mut found = BTreeSet::new();
    while let Some(row) = rows.next()? {
        let path = row.get_ref(1)?.as_str().map_err(|_| ReadError::Damaged)?;
        let path = compose_name(path);
        let lies_in = |folder: &String| {
            folder.is_empty() || path.strip_prefix(folder.as_str()).is_some_and(|rest| rest.starts_with('/'))
        };
        if (folders.is_empty() || folders.iter().any(lies_in)) && (notes.is_empty() || notes.contains(&*path)) {
            found.insert(row.get(0)?);
        }
    }
    Ok(found)
}
