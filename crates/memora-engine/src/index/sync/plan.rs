//! The plan of a sync: the difference between the index and a walk of the vault.

use std::collections::{HashMap, HashSet};

use memora_store::{ReadError, Snapshot};
use memora_vault::{Fingerprint, FoundNote, NotePath, SkipReason, VaultWalk};

use crate::index::proposals::is_at_or_below;
use crate::state::open::Memora;

/// The work of a sync.
#[derive(Default)]
pub(super) struct SyncPlan {
    pub(super) read: Vec<FoundNote>,
    pub(super) gone: Vec<NotePath>,
    /// The paths in `gone` that exist and cannot be read.
    pub(super) unreadable: HashSet<NotePath>,
    /// Notes that could not be read earlier and no longer exist.
    pub(super) given_up: Vec<NotePath>,
    /// Skipped paths with reasons, of the whole vault.
    pub(super) skipped: Vec<(String, String)>,
    /// The number of notes.
    pub(super) seen: usize,
    pub(super) rules: String,
    pub(super) fresh_index: bool,
    pub(super) known: KnownHashes,
}

/// Notes to read that are in the index, each with its content hash if the reading rules are the same.
pub(super) type KnownHashes = HashMap<NotePath, Option<Fingerprint>>;

/// Computes the work that updates the index to the walk; paths that the walk does not cover stay as they are.
pub(super) fn plan_sync(
    memora: &Memora,
    snapshot: &Snapshot,
    walk: VaultWalk,
    rules: String,
    old_skipped: &[(String, String)],
    thorough: bool,
) -> Result<SyncPlan, ReadError> {
    // Between two queries usually nothing changes: then the stats of all notes need not be loaded.
    if walk.covers_nothing() {
        return Ok(SyncPlan {
            skipped: old_skipped.to_vec(),
            seen: snapshot.counts().notes()?,
            rules,
            fresh_index: snapshot.rules().is_none(),
            ..SyncPlan::default()
        });
    }
    let same_rules = snapshot.rules() == Some(rules.as_str());
    let known = snapshot.note_stats()?;
    let here: HashSet<&NotePath> = walk.notes.iter().map(|found| &found.path).collect();
    // A folder that temporarily cannot be listed has not lost its notes.
    let closed: Vec<&str> = walk
        .skipped
        .iter()
        .filter(|skipped| skipped.reason == SkipReason::Unreadable)
        .map(|skipped| skipped.path.as_str())
        .collect();
    let is_unreadable = |path: &NotePath| closed.contains(&path.as_str());
    let is_closed = |path: &NotePath| closed.iter().any(|place| is_at_or_below(path, place)) && !is_unreadable(path);
    let covered = |path: &NotePath| walk.covers(path.as_str());
    let missed = |path: &&NotePath| covered(path) && !here.contains(*path) && !is_closed(path);
    let mut gone: Vec<NotePath> = known.keys().filter(missed).cloned().collect();
    gone.sort();
    let unreadable = gone.iter().filter(|path| is_unreadable(path)).cloned().collect();
    let given_up = if thorough { snapshot.withdrawn_notes()? } else { Vec::new() };
    let given_up = given_up.iter().filter(|path| missed(path) && !is_unreadable(path)).cloned().collect();
    let others = known.keys().filter(|path| !covered(path)).count();
    let again = |found: &FoundNote| memora.notes_to_reread.contains(&found.path);
    let unchanged = |found: &FoundNote| {
        same_rules && !again(found) && known.get(&found.path).is_some_and(|(stat, _)| *stat == found.stat)
    };
    let read: Vec<FoundNote> = walk.notes.iter().filter(|found| !unchanged(found)).cloned().collect();
    let hash = |found: &FoundNote| {
        let (_, hash) = known.get(&found.path)?;
        Some((found.path.clone(), (same_rules && !again(found)).then_some(*hash)))
    };
    let known = read.iter().filter_map(hash).collect();
    let mut skipped: Vec<(String, String)> =
        walk.skipped.iter().map(|s| (s.path.clone(), s.reason.code().to_owned())).collect();
    skipped.extend(old_skipped.iter().filter(|(path, _)| !walk.covers(path)).cloned());
    let seen = walk.notes.len() + others;
    let fresh_index = snapshot.rules().is_none();
    Ok(SyncPlan { known, read, gone, unreadable, given_up, skipped, seen, rules, fresh_index })
}
