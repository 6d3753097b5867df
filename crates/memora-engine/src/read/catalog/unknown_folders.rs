//! Folders that a filter names and no note lies in, with those that may be meant.

use std::collections::BTreeSet;
use std::path::Path;

use memora_redact::Viewer;
use memora_store::{NoteFilter, ReadError};

use super::ClaimCatalog;
use crate::read::entity::name_suggestions::name_distance;

/// A folder below which no visible note lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFolder {
    /// As asked for.
    pub asked: String,
    /// Folders of a similar name with visible notes, the nearest first.
    pub nearest: Vec<String>,
}

impl ClaimCatalog<'_> {
    /// Returns the folders of a filter below which this door shows no note, each with visible folders of a similar name.
    pub fn find_unknown_folders(&self, filter: &NoteFilter) -> Result<Vec<UnknownFolder>, ReadError> {
        const NEAREST_MAX: usize = 3;
        let mut unknown = Vec::new();
        for folder in &filter.folders {
            let only = NoteFilter { folders: vec![folder.clone()], ..NoteFilter::default() };
            if !self.has_matching_note(&only)? {
                unknown.push(UnknownFolder { asked: folder.clone(), nearest: Vec::new() });
            }
        }
        if unknown.is_empty() {
            return Ok(unknown);
        }
        let mut visible = BTreeSet::new();
        for path in self.session.snapshot.notes_matching(&NoteFilter::default())? {
            if self.session.snapshot.note(&path)?.is_some_and(|note| self.session.door.may_show(note.band)) {
                let parents = Path::new(path.as_str()).ancestors().skip(1).filter_map(Path::to_str);
                visible.extend(parents.filter(|parent| !parent.is_empty()).map(str::to_owned));
            }
        }
        let last = |folder: &str| folder.rsplit('/').next().unwrap_or(folder).to_lowercase();
        for folder in &mut unknown {
            let distance = |other: &String| {
                let whole = name_distance(&folder.asked.to_lowercase(), &other.to_lowercase());
                whole.or_else(|| name_distance(&last(&folder.asked), &last(other)))
            };
            let mut near: Vec<(usize, &String)> =
                visible.iter().filter_map(|other| Some((distance(other)?, other))).collect();
            near.sort();
            folder.nearest = near.into_iter().take(NEAREST_MAX).map(|(_, other)| other.clone()).collect();
        }
        Ok(unknown)
    }
}
