//! A lookup table of the names of all notes.

use std::collections::{BTreeSet, HashMap};

use memora_claim::NameKey;
use memora_store::{Authors, NoteNames};
use memora_vault::{Band, LinkIndex, NotePath, Resolution};

use crate::state::commit_cache::CommitCache;

/// The titles and aliases of the notes that one door may see.
pub(crate) struct NameTable {
    notes: Vec<NoteNames>,
    /// Notes by folded title or alias, as ascending indices of `notes`.
    by_key: HashMap<NameKey, Vec<usize>>,
    /// Names of the user's notes. They come first: a captured note takes no link from one of them.
    links: LinkIndex,
    /// Names of captured notes.
    captured: LinkIndex,
}

/// The name table of one commit and the strictest band that it shows: every search needs it.
pub(crate) type NameTableCache = CommitCache<Band, NameTable>;

impl NameTable {
    /// Builds the table; `notes` must be sorted by path.
    pub(crate) fn new(notes: Vec<NoteNames>) -> Self {
        let mut by_key: HashMap<NameKey, Vec<usize>> = HashMap::new();
        let mut add = |at: usize, key: NameKey| {
            let claimants = by_key.entry(key).or_default();
            // A captured note cannot take a name from a note of the user's.
            let taken = notes[at].captured && claimants.iter().any(|other| !notes[*other].captured);
            if claimants.last() != Some(&at) && !taken {
                claimants.push(at);
            }
        };
        let all = || notes.iter().enumerate();
        for (at, note) in all().filter(|(_, note)| !note.captured).chain(all().filter(|(_, note)| note.captured)) {
            let names = std::iter::once(&note.title).chain(&note.aliases);
            names.filter_map(|name| NameKey::from_name(name)).for_each(|key| add(at, key));
        }
        let links = index_links(notes.iter().filter(|note| !note.captured));
        let captured = index_links(notes.iter().filter(|note| note.captured));
        Self { notes, by_key, links, captured }
    }

    /// The notes.
    pub(crate) fn notes(&self) -> &[NoteNames] {
        &self.notes
    }

    /// Returns whether a machine wrote a note.
    pub(crate) fn is_captured(&self, path: &NotePath) -> bool {
        let at = self.notes.binary_search_by(|note| note.path.cmp(path)).ok();
        at.and_then(|at| self.notes.get(at)).is_some_and(|note| note.captured)
    }

    /// Returns the notes of some authors with this name, by path.
    pub(crate) fn claimants(&self, key: &NameKey, authors: Authors) -> impl Iterator<Item = &NotePath> {
        let found = self.by_key.get(key).map(Vec::as_slice).unwrap_or_default();
        let notes = found.iter().filter_map(|at| self.notes.get(*at));
        notes.filter(move |note| authors.include(note.captured)).map(|note| &note.path)
    }

    /// Resolves a link in the note `from`, or a path from the root, to a note of some authors, as if the notes `without`
    /// did not exist.
    pub(crate) fn resolve_target(
        &self,
        from: Option<&NotePath>,
        target: &str,
        authors: Authors,
        without: &BTreeSet<NotePath>,
    ) -> Resolution {
        // Relative to the root's folder.
        let Some(from) = from.cloned().or_else(|| NotePath::new("-").ok()) else { return Resolution::Unresolved };
        let resolve = |own: &LinkIndex, captured: &LinkIndex| match own.resolve(&from, target) {
            Resolution::Unresolved if authors.include(true) => captured.resolve(&from, target),
            found => found,
        };
        if without.is_empty() {
            return resolve(&self.links, &self.captured);
        }
        let rest = |captured: bool| {
            index_links(self.notes.iter().filter(|note| note.captured == captured && !without.contains(&note.path)))
        };
        resolve(&rest(false), &rest(true))
    }
}

fn index_links<'n>(notes: impl Iterator<Item = &'n NoteNames>) -> LinkIndex {
    LinkIndex::new(notes.map(|note| (&note.path, note.aliases.as_slice())))
}
