//! Fresh, damaged, newer, locked, emptied; permissions.

use std::fs;
use std::path::Path;

use memora_store::{OpenError, OpenedDatabase, ReadError, SetAsideReason, Store};

use crate::support::{batch, dump, id, note, put, snapshot, statements, store};

fn open(dir: &Path) -> (Store, memora_store::OpenReport) {
    Store::open(dir).expect("a store")
}

#[test]
fn a_store_is_fresh_once_and_existing_then() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path().join("deep/state");
    let (_, first) = open(&dir);
    assert_eq!((first.index, first.journal), (OpenedDatabase::Fresh, OpenedDatabase::Fresh));
    let (_, second) = open(&dir);
    assert_eq!((second.index, second.journal), (OpenedDatabase::Existing, OpenedDatabase::Existing));
}

#[cfg(unix)]
#[test]
fn only_the_owner_can_read_the_state() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path().join("state");
    let (store, _) = open(&dir);
    put(&store, "a.md", &["one"]);
    let mode = |path: &Path| fs::metadata(path).expect("metadata").permissions().mode() & 0o777;
    assert_eq!(mode(&dir), 0o700);
    for entry in fs::read_dir(&dir).expect("a folder") {
        let path = entry.expect("an entry").path();
        assert_eq!(mode(&path), 0o600, "{path:?}");
    }
}

#[test]
fn a_damaged_index_is_set_aside_and_said_and_the_journal_stays() {
    let (dir, store) = store();
    batch(&store, 5, |w| drop(w.put_note(&note("a.md"), &statements("a.md", &["one"]), &[]).expect("put")));
    drop(store);
    for number in 1..=2 {
        fs::write(dir.path().join("index.db"), "not a database at all, and long enough to be looked at")
            .expect("write");
        let (store, opening) = open(dir.path());
        let moved_to = dir.path().join(format!("index.db.corrupt-{number}"));
        assert!(moved_to.exists());
        assert_eq!(opening.index, OpenedDatabase::Rebuilt { reason: SetAsideReason::Damaged, moved_to });
        assert_eq!(opening.journal, OpenedDatabase::Existing);
        assert_eq!(snapshot(&store).all_statement_ids(), Ok(vec![]));
        assert_eq!(store.journal().expect("a journal").first_seen(id("one")), Ok(Some(5)));
    }
    assert!(!dir.path().join("index.db.corrupt-1").exists(), "only the last copy is kept");
}

#[test]
fn a_damaged_journal_is_set_aside_and_said_and_the_index_stays() {
    let (dir, store) = store();
    put(&store, "a.md", &["one"]);
    let uuid = snapshot(&store).uuid().to_owned();
    drop(store);
    fs::write(dir.path().join("journal.db"), [7; 5000]).expect("write");
    let (store, opening) = open(dir.path());
    assert!(matches!(opening.journal, OpenedDatabase::Rebuilt { reason: SetAsideReason::Damaged, .. }));
    assert_eq!(opening.index, OpenedDatabase::Existing);
    assert_eq!(snapshot(&store).uuid(), uuid);
}

#[test]
fn a_newer_index_is_set_aside_and_a_newer_journal_refused_untouched() {
    let (dir, store) = store();
    drop(store);
    let later = |file: &str| {
        let conn = rusqlite::Connection::open(dir.path().join(file)).expect("a database");
        conn.pragma_update(None, "user_version", 99).expect("a version");
    };
    later("index.db");
    let (store, opening) = open(dir.path());
    assert!(matches!(opening.index, OpenedDatabase::Rebuilt { reason: SetAsideReason::Newer { found: 99 }, .. }));
    drop(store);
    later("journal.db");
    let refused = Store::open(dir.path()).err().expect("refused");
    assert!(matches!(refused, OpenError::NewerJournal { found: 99, known: 5 }));
    assert!(!dir.path().join("journal.db.newer-1").exists());
}

#[test]
fn a_foreign_database_and_an_index_without_its_tables_are_damage() {
    for sql in ["CREATE TABLE theirs (x)", "PRAGMA user_version = 18", "PRAGMA user_version = -1"] {
        let dir = tempfile::tempdir().expect("a folder");
        rusqlite::Connection::open(dir.path().join("index.db")).expect("a database").execute_batch(sql).expect("sql");
        let (_, opening) = open(dir.path());
        assert!(matches!(opening.index, OpenedDatabase::Rebuilt { reason: SetAsideReason::Damaged, .. }), "{sql}");
    }
}

#[test]
fn a_long_lived_process_notices_that_the_index_was_replaced() {
    let (dir, here) = store();
    put(&here, "a.md", &["one"]);
    drop(snapshot(&here));
    let (there, _) = open(dir.path());
    there.rebuild_index().expect("a rebuild");
    assert_eq!(snapshot(&here).all_statement_ids(), Ok(vec![]));
    put(&here, "a.md", &["two"]);
    assert_eq!(snapshot(&there).all_statement_ids(), Ok(vec![id("two")]));
}

#[test]
fn opening_and_reading_do_not_wait_for_a_writer() {
    let (dir, store) = store();
    put(&store, "a.md", &["one"]);
    let _writer = store.try_writer(0).expect("a lock").expect("free");
    let (other, opening) = open(dir.path());
    assert_eq!(opening.index, OpenedDatabase::Existing);
    assert_eq!(snapshot(&other).all_statement_ids(), Ok(vec![id("one")]));
    assert!(other.try_writer(0).expect("a lock").is_none());
}

/// Bytes are turned over all through the file. Whatever is asked then gives an answer or an error, and never a panic; and
/// there is a way out.
#[test]
fn damage_anywhere_is_an_error_or_goes_unnoticed_and_never_a_panic() {
    let (dir, store) = store();
    for number in 0..40 {
        put(&store, &format!("{number}.md"), &["one", "two", "three", "four"]);
    }
    drop(store);
    let file = dir.path().join("index.db");
    let sound = fs::read(&file).expect("an index");
    let mut noticed = 0;
    for at in (100..sound.len()).step_by(977) {
        let mut bytes = sound.clone();
        for byte in bytes.iter_mut().skip(at).take(24) {
            *byte ^= 0xA5;
        }
        drop(fs::remove_file(dir.path().join("index.db-wal")));
        drop(fs::remove_file(dir.path().join("index.db-shm")));
        fs::write(&file, bytes).expect("write");
        let Ok((store, opening)) = Store::open(dir.path()) else { continue };
        noticed += usize::from(opening.index != OpenedDatabase::Existing);
        let Ok(snapshot) = store.snapshot() else { continue };
        let walked = snapshot.for_each_statement(|_| Ok::<_, ReadError>(()));
        noticed += usize::from(walked == Err(ReadError::Damaged));
        drop((snapshot.notes(), snapshot.counts().totals(), snapshot.problems(), snapshot.note_stats()));
        drop(snapshot);
        if let Ok(Some(mut writer)) = store.try_writer(0) {
            drop(writer.put_note(&note("1.md"), &statements("1.md", &["five"]), &[]));
            drop(writer.commit());
        }
        assert!(store.check_integrity().is_ok());
    }
    assert!(noticed > 0);
    let (store, _) = open(dir.path());
    store.rebuild_index().expect("a way out");
    assert_eq!(dump(&snapshot(&store)), "");
}
