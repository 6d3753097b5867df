//! What `index` reports as added and removed, at each door: the counts kept by the store, against sets of claims.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use memora_engine::{ClaimId, CloudDoor, Config, Door, LocalDoor, Memora, SyncBound, SyncOutcome};

fn sync(memora: &mut Memora) -> SyncOutcome {
    memora.sync(SyncBound::All, &AtomicBool::new(false), &mut |_| {}).expect("an index")
}

fn claims<D: Door>(memora: &Memora, door: D) -> HashSet<ClaimId> {
    memora.session(door).expect("a session").doctor().list_claim_ids().expect("ids")
}

/// Total, added and removed, as reported and as the sets of claims say.
fn check<D: Door + Clone>(memora: &Memora, door: D, synced: &SyncOutcome, before: &HashSet<ClaimId>) -> [usize; 3] {
    let after = claims(memora, door.clone());
    let report = memora.session(door).expect("a session").doctor().report_index(synced).expect("a report");
    let counted = [after.len(), after.difference(before).count(), before.difference(&after).count()];
    assert_eq!([report.claims.total, report.claims.added, report.claims.removed], counted);
    counted
}

/// Writes notes, syncs, and checks what is reported at both doors; an empty text deletes the note.
fn step(memora: &mut Memora, root: &Path, notes: &[(&str, &str)]) -> ([usize; 3], [usize; 3]) {
    let (local, cloud) = (claims(memora, LocalDoor), claims(memora, CloudDoor::default()));
    for (path, text) in notes {
        match text.is_empty() {
            true => std::fs::remove_file(root.join(path)).expect("a note"),
            false => std::fs::write(root.join(path), text).expect("a note"),
        }
    }
    let synced = sync(memora);
    (check(memora, LocalDoor, &synced, &local), check(memora, CloudDoor::default(), &synced, &cloud))
}

#[test]
fn added_and_removed_are_what_each_door_sees_of_it() {
    let dir = tempfile::tempdir().expect("a folder");
    let root = dir.path().join("vault");
    std::fs::create_dir_all(root.join(".obsidian")).expect("a vault");
    let (state, config) = (dir.path().join("state"), dir.path().join("config"));
    let config = Config::load(Some(state), Some(config), jiff::civil::date(2025, 12, 31)).expect("a configuration");
    let mut memora = Memora::open(Some(&root), config).expect("a vault");
    let secret = "---\nprivacy: secret\n---\n";

    let first = [("a.md", "Anna prefers Postgres.\n\nBen left Berlin.\n"), ("b.md", "Cleo bought a boat.\n")];
    let (local, cloud) = step(&mut memora, &root, &first);
    assert!(local[0] > 0 && local[0] == local[1] && local == cloud, "{local:?}, {cloud:?}");
    let (local, cloud) = step(&mut memora, &root, &[]);
    assert_eq!(([local[1], local[2]], [cloud[1], cloud[2]]), ([0, 0], [0, 0]));
    let guarded = format!("{secret}Cleo bought a boat.\n\nDan sold a house.\n");
    let (local, cloud) = step(&mut memora, &root, &[("c.md", &guarded)]);
    assert!(local[1] > 0 && cloud[1] == 0, "{local:?}, {cloud:?}");
    // The guarded copy stays, so that the claim is gone from the cloud alone.
    let (local, cloud) = step(&mut memora, &root, &[("b.md", "")]);
    assert!(local[2] == 0 && cloud[2] > 0, "{local:?}, {cloud:?}");
    // A short sentence is another statement beside other sentences.
    let moved = [("a.md", "Ben left Berlin.\n"), ("d.md", "Anna prefers Postgres.\n")];
    let (local, cloud) = step(&mut memora, &root, &moved);
    assert!(local[1] == local[2] && local[1..] == cloud[1..], "{local:?}, {cloud:?}");
    let opened = "Cleo bought a boat.\n\nDan sold a house.\n";
    let (local, cloud) = step(&mut memora, &root, &[("c.md", opened)]);
    assert!(local[1] == 0 && cloud[1] > 0, "{local:?}, {cloud:?}");
    let (local, cloud) = step(&mut memora, &root, &[("c.md", ""), ("d.md", "")]);
    assert!(local[0] > 0 && local[2] > 0 && local == cloud, "{local:?}, {cloud:?}");
}
