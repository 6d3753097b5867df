//! What models proposed: kept by passage and model, through a reset, and gone without a trace with its passage.

use std::fs;

use memora_store::{ProposedBy, Store};

use crate::support::{batch, path};

fn by(model: &str, version: &str) -> ProposedBy {
    ProposedBy { provider: "ollama".to_owned(), model: model.to_owned(), version: version.to_owned() }
}

#[test]
fn proposals_are_kept_by_passage_and_model() {
    let folder = tempfile::tempdir().expect("a folder");
    let (store, _) = Store::open(folder.path()).expect("a store");
    let kept = store.proposals().expect("a journal");
    assert!(kept.is_empty().expect("a count"));
    kept.save(&[1; 32], &by("b", "v1"), "one").expect("kept");
    kept.save(&[1; 32], &by("a", "v1"), "two").expect("kept");
    let of = || -> Vec<_> {
        let all = kept.for_passage(&[1; 32]).expect("read");
        all.into_iter().map(|(by, words)| (by.model, words)).collect()
    };
    assert_eq!(of(), [("a".to_owned(), "two".to_owned()), ("b".to_owned(), "one".to_owned())], "in the order of names");
    assert_eq!(kept.find_proposal(&[1; 32], &by("a", "v1")).expect("read").as_deref(), Some("two"));
    assert_eq!(kept.find_proposal(&[1; 32], &by("a", "v2")).expect("read"), None, "told something else");
    assert_eq!(kept.find_proposal(&[2; 32], &by("a", "v1")).expect("read"), None);
    kept.save(&[1; 32], &by("a", "v2"), "three").expect("kept");
    assert_eq!(of()[0].1, "three", "in place of the older");
    let all = kept.list_all().expect("read");
    assert_eq!(all.iter().map(|row| (row.passage, row.taken)).collect::<Vec<_>>(), [([1; 32], false); 2]);
    kept.mark_taken(all.iter()).expect("taken");
    assert!(kept.list_all().expect("read").iter().all(|row| row.taken));
}

/// Between a look and what follows from it another process may have kept something else for the same passage.
#[test]
fn what_took_the_place_of_what_was_seen_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let (store, _) = Store::open(folder.path()).expect("a store");
    let kept = store.proposals().expect("a journal");
    kept.save(&[1; 32], &by("a", "v1"), "old").expect("kept");
    let seen = kept.list_all().expect("read");
    kept.save(&[1; 32], &by("a", "v2"), "new").expect("kept");
    kept.save(&[1; 32], &by("b", "v2"), "beside it").expect("kept");
    kept.mark_taken(seen.iter()).expect("nothing is there");
    assert!(kept.list_all().expect("read").iter().all(|row| !row.taken));
    assert_eq!(kept.forget(seen.iter()).expect("nothing is there"), 0);
    assert_eq!(kept.for_passage(&[1; 32]).expect("read").len(), 2);
}

#[test]
fn proposals_outlive_the_index_and_not_the_journal() {
    let folder = tempfile::tempdir().expect("a folder");
    let (store, _) = Store::open(folder.path()).expect("a store");
    store.proposals().expect("a journal").save(&[1; 32], &by("a", "v1"), "one").expect("kept");
    store.reset(true).expect("an empty index");
    assert!(!store.proposals().expect("a journal").is_empty().expect("a count"));
    store.reset(false).expect("an empty journal");
    assert!(store.proposals().expect("a journal").is_empty().expect("a count"));
}

#[test]
fn what_went_leaves_no_byte() {
    let folder = tempfile::tempdir().expect("a folder");
    let (store, _) = Store::open(folder.path()).expect("a store");
    let kept = store.proposals().expect("a journal");
    kept.save(&[1; 32], &by("a", "v1"), "QUILLWORT").expect("kept");
    kept.save(&[2; 32], &by("a", "v1"), "SAXIFRAGE").expect("kept");
    let all = kept.list_all().expect("read");
    let gone = || all.iter().filter(|row| row.passage == [1; 32]);
    assert_eq!(kept.forget(gone()).expect("forgotten"), 1);
    assert_eq!(kept.forget(gone()).expect("forgotten"), 0);
    assert!(store.wipe_deleted_words().expect("wiped"));
    let on_disk = |word: &str| {
        let files = fs::read_dir(folder.path()).expect("a folder").flatten();
        files
            .filter_map(|file| fs::read(file.path()).ok())
            .any(|bytes| bytes.windows(word.len()).any(|window| window == word.as_bytes()))
    };
    assert!(on_disk("SAXIFRAGE"), "the control");
    assert!(!on_disk("QUILLWORT"));
}

/// Who reads keeps the write-ahead log, and with it the words: that is said, and made good later.
#[test]
fn words_that_cannot_be_wiped_are_not_said_to_be() {
    let folder = tempfile::tempdir().expect("a folder");
    let (store, _) = Store::open(folder.path()).expect("a store");
    let kept = store.proposals().expect("a journal");
    kept.save(&[1; 32], &by("a", "v1"), "QUILLWORT").expect("kept");
    let other = rusqlite::Connection::open(folder.path().join("journal.db")).expect("another reader");
    other.execute_batch("BEGIN; SELECT count(*) FROM proposals;").expect("it reads");
    let seen = kept.list_all().expect("read");
    assert_eq!(kept.forget(seen.iter()).expect("forgotten"), 1);
    assert!(!store.wipe_deleted_words().expect("not yet"));
    other.execute_batch("COMMIT").expect("it ends");
    assert!(store.wipe_deleted_words().expect("wiped"));
    let log = fs::read(folder.path().join("journal.db-wal")).unwrap_or_default();
    assert!(log.is_empty());
}

#[test]
fn the_passages_of_a_note_go_with_it_and_stay_while_it_cannot_be_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let (store, _) = Store::open(folder.path()).expect("a store");
    let (here, there) = (path("a.md"), path("b.md"));
    batch(&store, 0, |writer| {
        writer.set_passages(&here, &[[1; 32], [2; 32]]).expect("said");
        writer.set_passages(&there, &[]).expect("said");
    });
    let passages = || store.snapshot().expect("a snapshot").passages().expect("read");
    assert_eq!(passages().get(&here), Some(&vec![[1; 32], [2; 32]]));
    assert_eq!(passages().get(&there), Some(&Vec::new()), "read, and without any");
    batch(&store, 0, |writer| drop(writer.withdraw_note(&here).expect("withdrawn")));
    assert!(passages().contains_key(&here));
    assert_eq!(store.snapshot().expect("a snapshot").withdrawn_notes().expect("read"), [here.clone(), there]);
    batch(&store, 0, |writer| drop(writer.remove_note(&here).expect("removed")));
    assert!(!passages().contains_key(&here));
}

#[test]
fn a_commit_says_which_passages_a_note_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let (store, _) = Store::open(folder.path()).expect("a store");
    let here = path("a.md");
    let set = |keys: &[[u8; 32]]| batch(&store, 0, |writer| writer.set_passages(&here, keys).expect("said"));
    assert!(set(&[[1; 32], [2; 32]]).passages_gone.is_empty());
    assert_eq!(set(&[[2; 32]]).passages_gone, [[1; 32]].into());
    let removed = batch(&store, 0, |writer| drop(writer.remove_note(&here).expect("removed")));
    assert_eq!(removed.passages_gone, [[2; 32]].into());
}
