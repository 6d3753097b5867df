//! What is due: the index compared with what a walk found.

use std::collections::{HashMap, HashSet};

use memora_store::{ReadError, Snapshot};
use memora_vault::{Fingerprint, FoundNote, NotePath, SkipReason, VaultWalk};

use crate::Memora;
use crate::proposals::is_at_or_below;

/// What is due.
#[derive(Default)]
pub(super) struct SyncPlan {
    pub(super) read: Vec<FoundNote>,
    pub(super) gone: Vec<NotePath>,
    /// Those of `gone` that are there and cannot be read.
    pub(super) unreadable: HashSet<NotePath>,
    /// Notes that could not be read and are there no more.
    pub(super) given_up: Vec<NotePath>,
    /// Paths and reasons of what is passed over, of the whole vault.
    pub(super) skipped: Vec<(String, String)>,
    /// How many notes there are.
    pub(super) seen: usize,
    pub(super) rules: String,
    pub(super) fresh_index: bool,
    pub(super) known: KnownHashes,
}

/// Notes to read that the index knows, each with the hash of its bytes where the same bytes are read in the same way.
pub(super) type KnownHashes = HashMap<NotePath, Option<Fingerprint>>;

/// What has to be done for the index to be as the walk found the vault; what the walk does not cover stays as it is.
pub(super) fn plan_sync(
    memora: &Memora,
    snapshot: &Snapshot,
    walk: VaultWalk,
    rules: String,
    old_skipped: &[(String, String)],
    thorough: bool,
) -> Result<SyncPlan, ReadError> {
    // Between two questions mostly nothing changes: then what is known of every note need not be read.
    if walk.covers_nothing() {
        return Ok(SyncPlan {
            skipped: old_skipped.to_vec(),
            seen: snapshot.note_count()?,
            rules,
            fresh_index: snapshot.rules().is_none(),
            ..SyncPlan::default()
        });
    }
    let same_rules = snapshot.rules() == Some(rules.as_str());
    let known = snapshot.note_stats()?;
    let here: HashSet<&NotePath> = walk.notes.iter().map(|found| &found.path).collect();
    // A folder that cannot be listed right now has not lost its notes.
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
    let again = |found: &FoundNote| memora.again.contains(&found.path);
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
