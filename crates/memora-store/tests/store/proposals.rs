//! What models proposed: kept by passage and model, through a reset, and gone without a trace with its passage.

use std::collections::HashSet;
use std::fs;

use memora_store::{ProposedBy, Store};

fn by(model: &str, version: &str) -> ProposedBy {
    ProposedBy { provider: "ollama".to_owned(), model: model.to_owned(), version: version.to_owned() }
}

#[test]
fn proposals_are_kept_by_passage_and_model() {
    let folder = tempfile::tempdir().expect("a folder");
    let (store, _) = Store::open(folder.path()).expect("a store");
    let kept = store.proposals().expect("a journal");
    assert!(kept.is_empty().expect("a count"));
    kept.keep(&[1; 32], &by("b", "v1"), "one").expect("kept");
    kept.keep(&[1; 32], &by("a", "v1"), "two").expect("kept");
    assert_eq!(kept.of(&[1; 32]).expect("read"), ["two", "one"], "in the order of names");
    assert_eq!(kept.by(&[1; 32], &by("a", "v1")).expect("read").as_deref(), Some("two"));
    assert_eq!(kept.by(&[1; 32], &by("a", "v2")).expect("read"), None, "told something else");
    assert_eq!(kept.by(&[2; 32], &by("a", "v1")).expect("read"), None);
    kept.keep(&[1; 32], &by("a", "v2"), "three").expect("kept");
    assert_eq!(kept.of(&[1; 32]).expect("read"), ["three", "one"], "in place of the older");
    assert_eq!(kept.not_taken().expect("read"), HashSet::from([[1; 32]]));
    kept.take(&HashSet::from([[1; 32]])).expect("taken");
    assert!(kept.not_taken().expect("read").is_empty());
}

#[test]
fn proposals_outlive_the_index_and_not_the_journal() {
    let folder = tempfile::tempdir().expect("a folder");
    let (store, _) = Store::open(folder.path()).expect("a store");
    store.proposals().expect("a journal").keep(&[1; 32], &by("a", "v1"), "one").expect("kept");
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
    kept.keep(&[1; 32], &by("a", "v1"), "QUILLWORT").expect("kept");
    kept.keep(&[2; 32], &by("a", "v1"), "SAXIFRAGE").expect("kept");
    assert_eq!(kept.keep_only(&HashSet::from([[2; 32]])).expect("pruned"), 1);
    assert_eq!(kept.keep_only(&HashSet::from([[2; 32]])).expect("pruned"), 0);
    let on_disk = |word: &str| {
        let files = fs::read_dir(folder.path()).expect("a folder").flatten();
        files
            .filter_map(|file| fs::read(file.path()).ok())
            .any(|bytes| bytes.windows(word.len()).any(|window| window == word.as_bytes()))
    };
    assert!(on_disk("SAXIFRAGE"), "the control");
    assert!(!on_disk("QUILLWORT"));
}
