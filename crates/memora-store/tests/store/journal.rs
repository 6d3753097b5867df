//! What is remembered, and what must not be.

use std::path::Path;

use memora_store::{FORMER_MAX, Store};
use memora_vault::Band;

use crate::support::{batch, id, note, path, put, snapshot, statements, store};

fn former(store: &Store, words: &str) -> Vec<memora_store::FormerSource> {
    store.journal().expect("a journal").former_sources(id(words)).expect("former")
}

/// Whether any file of the store holds these bytes.
fn on_disk(dir: &Path, needle: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).expect("a folder") {
        let path = entry.expect("an entry").path();
        let bytes = std::fs::read(&path).expect("a file");
        if bytes.windows(needle.len()).any(|window| window == needle.as_bytes()) {
            found.push(path.file_name().expect("a name").to_string_lossy().into_owned());
        }
    }
    found
}

#[test]
fn an_edited_statement_leaves_its_former_place_until_it_stands_again() {
    let (_dir, store) = store();
    put(&store, "a.md", &["old", "kept"]);
    batch(&store, 77, |w| drop(w.put_note(&note("a.md"), &statements("a.md", &["new", "kept"]), &[]).expect("put")));
    let left = former(&store, "old");
    assert_eq!((left.len(), left[0].removed_at), (1, 77));
    let place = left[0].place.as_ref().expect("a public place");
    assert!(*place == statements("a.md", &["old"])[0].source);
    assert!(former(&store, "kept").is_empty());
    put(&store, "a.md", &["old"]);
    assert!(former(&store, "old").is_empty());
}

#[test]
fn removed_and_put_back_within_a_batch_is_not_gone() {
    let (_dir, store) = store();
    put(&store, "a.md", &["one"]);
    batch(&store, 1, |writer| {
        writer.remove_note(&path("a.md")).expect("remove");
        writer.put_note(&note("a.md"), &statements("a.md", &["one"]), &[]).expect("put");
    });
    assert!(former(&store, "one").is_empty());
}

#[test]
fn first_seen_survives_a_rebuild_of_the_index() {
    let (dir, store) = store();
    batch(&store, 5, |w| drop(w.put_note(&note("a.md"), &statements("a.md", &["one"]), &[]).expect("put")));
    let uuid = snapshot(&store).uuid().to_owned();
    store.reset(true).expect("reset");
    assert_ne!(snapshot(&store).uuid(), uuid);
    assert_eq!(snapshot(&store).sequence(), 0);
    batch(&store, 9, |w| drop(w.put_note(&note("a.md"), &statements("a.md", &["one"]), &[]).expect("put")));
    assert_eq!(store.journal().expect("a journal").first_seen(id("one")), Ok(Some(5)));
    store.reset(false).expect("reset");
    assert_eq!(store.journal().expect("a journal").first_seen(id("one")), Ok(None));
    drop(dir);
}

#[test]
fn former_places_of_a_statement_are_bounded_and_the_latest_stay() {
    let (_dir, store) = store();
    for round in 0..FORMER_MAX + 3 {
        let at = format!("{round:02}.md");
        put(&store, &at, &["one"]);
        batch(&store, 100 + round as i64, |w| drop(w.remove_note(&path(&at)).expect("remove")));
    }
    let left = former(&store, "one");
    assert_eq!((left.len(), left[0].removed_at), (FORMER_MAX, 110));
    batch(&store, 0, |w| w.forget_before(110));
    assert_eq!(former(&store, "one").len(), 1);
}

#[test]
fn of_a_guarded_place_only_id_band_and_time_are_kept() {
    let (dir, store) = store();
    for (at, band) in [("canaryPath1.md", Band::Private), ("canaryPath2.md", Band::Secret)] {
        let mut put = statements(at, &[at]);
        put[0].source.band = band;
        put[0].source.headings = vec!["canaryHead".to_owned()];
        put[0].source.parent = Some("canaryParent".to_owned());
        batch(&store, 0, |w| drop(w.put_note(&note(at), &put, &[]).expect("put")));
        batch(&store, 3, |writer| {
            writer.remove_note(&path(at)).expect("remove");
        });
        let left = former(&store, at);
        assert_eq!((left.len(), left[0].band, left[0].removed_at), (1, band, 3));
        assert!(left[0].place.is_none());
    }
    assert_eq!(on_disk(dir.path(), "canary"), Vec::<String>::new(), "its words went with it");
}

/// The user marks a note as secret after it was edited: what was noted while it was public has to go.
#[test]
fn a_note_that_becomes_guarded_is_forgotten_while_its_ids_stay() {
    let (dir, store) = store();
    let at = "canaryNote.md";
    put(&store, "before.md", &["elsewhere"]);
    put(&store, at, &["one", "two"]);
    batch(&store, 1, |writer| {
        writer.put_note(&note(at), &statements(at, &["two"]), &[]).expect("put");
        writer.record_rename(&path("before.md"), &path(at));
    });
    assert!(former(&store, "one")[0].place.is_some());
    let mut guarded = note(at);
    guarded.band = Band::Secret;
    batch(&store, 2, |w| drop(w.put_note(&guarded, &[], &[]).expect("put")));
    for words in ["one", "two"] {
        let left = former(&store, words);
        assert_eq!((left.len(), left[0].band, left[0].place.is_none()), (1, Band::Secret, true), "{words}");
    }
    assert_eq!(store.journal().expect("a journal").renamed_to(&path("before.md")), Ok(None));
    batch(&store, 3, |w| drop(w.remove_note(&path(at)).expect("remove")));
    assert_eq!(on_disk(dir.path(), "canaryNote"), Vec::<String>::new());
}

#[test]
fn a_statement_guarded_anywhere_leaves_nothing_telling_anywhere() {
    let (_dir, store) = store();
    put(&store, "a.md", &["one"]);
    let mut secret = statements("b.md", &["one"]);
    secret[0].source.band = Band::Secret;
    batch(&store, 1, |writer| {
        writer.put_note(&note("b.md"), &secret, &[]).expect("put");
        writer.remove_note(&path("a.md")).expect("remove");
    });
    assert!(former(&store, "one").iter().all(|former| former.place.is_none()));
}

#[test]
fn the_outline_of_a_note_with_a_guarded_line_is_not_kept() {
    let (_dir, store) = store();
    put(&store, "a.md", &["one", "two", "three"]);
    put(&store, "a.md", &["two", "three"]);
    assert_eq!(former(&store, "one")[0].place.as_ref().expect("a place").outline.len(), 2);
    let mut mixed = statements("a.md", &["three"]);
    mixed[0].source.band = Band::Secret;
    batch(&store, 1, |w| drop(w.put_note(&note("a.md"), &mixed, &[]).expect("put")));
    for words in ["one", "two"] {
        assert!(former(&store, words)[0].place.as_ref().expect("a place").outline.is_empty(), "{words}");
    }
}

#[test]
fn renames_are_followed_through_chains_swaps_and_circles() {
    let (_dir, store) = store();
    let rename = |from: &str, to: &str| {
        batch(&store, 0, |w| w.record_rename(&path(from), &path(to)));
    };
    let check = |from: &str, expect: Option<&str>| {
        let to = store.journal().expect("a journal").renamed_to(&path(from)).expect("read");
        assert_eq!(to.as_ref().map(|p| p.as_str()), expect, "{from}");
    };
    rename("a.md", "b.md");
    rename("b.md", "c.md");
    check("a.md", Some("c.md"));
    check("b.md", Some("c.md"));
    // Another note takes the name that the first had for a while.
    rename("x.md", "b.md");
    check("a.md", Some("c.md"));
    check("x.md", Some("b.md"));
    check("b.md", None);
    // And the first goes home.
    rename("c.md", "a.md");
    check("a.md", None);
    check("c.md", Some("a.md"));
    rename("a.md", "a.md");
    check("a.md", None);
}
