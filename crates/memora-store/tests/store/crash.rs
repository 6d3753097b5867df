//! A kill at any instant leaves the last commit.
//!
//! What a killed process leaves is its files as they are, the write-ahead log included, without anybody closing them. So
//! the files are copied while a batch is being written, and the copy is opened.

use std::fs;
use std::path::Path;

use memora_store::{OpenedDatabase, Store};

use crate::support::{batch, dump, id, note, put, snapshot, statements, store};

fn copy(from: &Path) -> tempfile::TempDir {
    let to = tempfile::tempdir().expect("a folder");
    for name in ["index.db", "index.db-wal", "journal.db", "journal.db-wal"] {
        if from.join(name).exists() {
            fs::copy(from.join(name), to.path().join(name)).expect("a copy");
        }
    }
    to
}

#[test]
fn files_copied_in_the_middle_of_a_batch_open_at_the_last_commit() {
    let (dir, store) = store();
    put(&store, "a.md", &["one", "two"]);
    let last = dump(&snapshot(&store));
    let mut writer = store.try_writer(0).expect("a lock").expect("free");
    let words: Vec<String> = (0..3000).map(|n| format!("statement number {n} of a batch that never ends")).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    for number in 0..30 {
        let at = format!("{number}.md");
        writer.put_note(&note(&at), &statements(&at, &words), &[]).expect("put");
        if number % 10 == 9 {
            let copied = copy(dir.path());
            let (store, opening) = Store::open(copied.path()).expect("a store");
            assert_eq!(opening.index, OpenedDatabase::Existing);
            assert_eq!(dump(&snapshot(&store)), last);
            assert!(store.check_integrity().expect("a check").index_sound);
            put(&store, "b.md", &["the lock died with its process"]);
        }
    }
}

#[test]
fn a_log_cut_off_anywhere_opens_at_some_commit() {
    let (dir, store) = store();
    // Keeps the log from being folded back.
    let reader = snapshot(&store);
    let mut after = vec![dump(&snapshot(&store))];
    for number in 0..6 {
        batch(&store, 0, |writer| {
            let at = format!("{number}.md");
            let own = format!("only in {number}");
            writer.put_note(&note(&at), &statements(&at, &["everywhere", &own]), &[]).expect("put");
        });
        after.push(dump(&snapshot(&store)));
    }
    let log = fs::read(dir.path().join("index.db-wal")).expect("a log");
    let mut seen = std::collections::BTreeSet::new();
    for cut in (0..=log.len()).step_by(1531).chain([log.len()]) {
        let copied = copy(dir.path());
        fs::write(copied.path().join("index.db-wal"), log.get(..cut).unwrap_or_default()).expect("a shorter log");
        let (store, _) = Store::open(copied.path()).expect("a store");
        let snapshot = snapshot(&store);
        let sequence = usize::try_from(snapshot.sequence()).expect("small");
        assert_eq!(dump(&snapshot), after[sequence]);
        seen.insert(sequence);
    }
    assert!(seen.len() > 3 && seen.contains(&6), "{seen:?}");
    drop(reader);
    assert!(snapshot(&store).statement(id("everywhere")).expect("read").is_some());
}
