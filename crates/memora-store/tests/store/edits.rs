//! Numbers that were edited in place: what is noted, what takes it back, and what must not be kept.

use memora_store::{NUMBER_CHANGES_MAX, Store, StoredNumberChange, Writer};
use memora_vault::Band;

use crate::support::{batch, id, note, path, put, snapshot, statements, store};

const TEN: &str = "Up to 10 people share it.";
const TWENTY: &str = "Up to 20 people share it.";
const THIRTY: &str = "Up to 30 people share it.";

fn edits(store: &Store) -> Vec<StoredNumberChange> {
    store.journal().expect("a journal").number_changes(NUMBER_CHANGES_MAX).expect("edits")
}

fn put_at(store: &Store, now: i64, at: &str, words: &[&str]) {
    batch(store, now, |writer| {
        writer.put_note(&note(at), &statements(at, words), &[]).expect("put");
    });
}

/// Pairs of what went and what came, and whether the words are kept.
#[track_caller]
fn check(store: &Store, expect: &[(&str, &str, Option<&str>)]) {
    let found: Vec<_> = edits(store).into_iter().map(|edit| (edit.former, edit.now, edit.former_words)).collect();
    let expect: Vec<_> =
        expect.iter().map(|(former, now, words)| (id(former), id(now), words.map(str::to_owned))).collect();
    assert_eq!(found, expect);
}

#[test]
fn a_number_edited_in_place_is_noted_with_its_former_words() {
    let (_dir, store) = store();
    put(&store, "a.md", &["It is shared.", TEN, "It stays."]);
    put_at(&store, 77, "a.md", &["It is shared.", TWENTY, "It stays."]);
    check(&store, &[(TEN, TWENTY, Some(TEN))]);
    let edit = edits(&store).remove(0);
    assert_eq!((edit.at, edit.band, edit.note), (77, Band::Public, Some(path("a.md"))));
    assert!(
        edits(&store).len() <= 1 && store.journal().expect("a journal").number_changes(0).expect("edits").is_empty()
    );
}

#[test]
fn it_is_taken_back_when_the_former_stands_again_or_the_new_one_goes() {
    let (_dir, store) = store();
    let changes: [fn(&mut Writer); 3] = [
        |w| drop(w.put_note(&note("a.md"), &statements("a.md", &[TEN]), &[]).expect("put")),
        |w| drop(w.put_note(&note("a.md"), &statements("a.md", &["Other words."]), &[]).expect("put")),
        |w| drop(w.remove_note(&path("a.md")).expect("remove")),
    ];
    for change in changes {
        put(&store, "a.md", &[TEN]);
        put(&store, "a.md", &[TWENTY]);
        check(&store, &[(TEN, TWENTY, Some(TEN))]);
        batch(&store, 1, change);
        check(&store, &[]);
    }
}

#[test]
fn a_note_that_moves_takes_its_edits_along() {
    let (_dir, store) = store();
    put(&store, "a.md", &[TEN]);
    put(&store, "a.md", &[TWENTY]);
    batch(&store, 1, |writer| {
        writer.remove_note(&path("a.md")).expect("remove");
        writer.put_note(&note("b.md"), &statements("b.md", &[TWENTY]), &[]).expect("put");
        writer.record_rename(&path("a.md"), &path("b.md"));
    });
    assert_eq!(edits(&store)[0].note, Some(path("b.md")));
    put(&store, "b.md", &[TEN]);
    check(&store, &[]);
}

#[test]
fn what_may_have_come_of_several_and_what_a_machine_wrote_is_no_edit() {
    let (_dir, store) = store();
    put(&store, "a.md", &[TEN, TWENTY]);
    put(&store, "a.md", &[THIRTY]);
    check(&store, &[]);
    put(&store, "b.md", &[TEN]);
    put(&store, "b.md", &[TWENTY, THIRTY]);
    check(&store, &[]);
    // Under another heading it is another thing.
    put(&store, "c.md", &[TEN]);
    let mut moved = statements("c.md", &[TWENTY]);
    moved[0].source.headings = vec!["Elsewhere".to_owned()];
    batch(&store, 1, |w| drop(w.put_note(&note("c.md"), &moved, &[]).expect("put")));
    check(&store, &[]);
    let mut captured = note("d.md");
    captured.captured = true;
    for words in [TEN, TWENTY] {
        batch(&store, 1, |w| drop(w.put_note(&captured, &statements("d.md", &[words]), &[]).expect("put")));
    }
    check(&store, &[]);
}

#[test]
fn what_is_saved_while_somebody_types_is_one_edit() {
    let (_dir, store) = store();
    put_at(&store, 0, "a.md", &[TEN]);
    put_at(&store, 1000, "a.md", &["Up to 2 people share it."]);
    put_at(&store, 1002, "a.md", &[TWENTY]);
    check(&store, &[(TEN, TWENTY, Some(TEN))]);
    // And months later it is another.
    put_at(&store, 9_000_000, "a.md", &[THIRTY]);
    check(&store, &[(TWENTY, THIRTY, Some(TWENTY))]);
    // Typed away and back again is none.
    put_at(&store, 9_900_000, "a.md", &["Up to 3 people share it."]);
    put_at(&store, 9_900_002, "a.md", &[THIRTY]);
    check(&store, &[]);
}

#[test]
fn of_what_is_guarded_no_words_and_no_name_are_kept() {
    for (then, now) in [(Band::Secret, Band::Public), (Band::Public, Band::Private), (Band::Secret, Band::Secret)] {
        let (dir, store) = store();
        for (words, band) in [("canary pays 10 euros.", then), ("canary pays 20 euros.", now)] {
            let mut put = statements("canaryNote.md", &[words]);
            put[0].source.band = band;
            batch(&store, 1, |w| drop(w.put_note(&note("canaryNote.md"), &put, &[]).expect("put")));
        }
        check(&store, &[("canary pays 10 euros.", "canary pays 20 euros.", None)]);
        let edit = edits(&store).remove(0);
        assert!(edit.band > Band::Public && edit.note.is_none(), "{edit:?}");
        drop(dir);
    }
}

#[test]
fn what_becomes_guarded_later_loses_the_words_that_were_kept() {
    let guard: [fn(&mut Writer); 3] = [
        // The statement that stands now, here.
        |w| {
            let mut put = statements("canaryNote.md", &["canary pays 20 euros."]);
            put[0].source.band = Band::Private;
            w.put_note(&note("canaryNote.md"), &put, &[]).expect("put");
        },
        // The former one, elsewhere.
        |w| {
            let mut put = statements("other.md", &["canary pays 10 euros."]);
            put[0].source.band = Band::Secret;
            w.put_note(&note("other.md"), &put, &[]).expect("put");
        },
        // The whole note.
        |w| {
            let mut guarded = note("canaryNote.md");
            guarded.band = Band::Secret;
            let mut put = statements("canaryNote.md", &["canary pays 20 euros."]);
            put[0].source.band = Band::Secret;
            w.put_note(&guarded, &put, &[]).expect("put");
        },
    ];
    for change in guard {
        let (_dir, store) = store();
        put(&store, "canaryNote.md", &["canary pays 10 euros."]);
        put(&store, "canaryNote.md", &["canary pays 20 euros."]);
        assert!(edits(&store)[0].former_words.is_some());
        batch(&store, 1, change);
        let left = edits(&store);
        assert!(left.iter().all(|edit| edit.former_words.is_none() && edit.band > Band::Public), "{left:?}");
        assert!(left.iter().all(|edit| edit.note.is_none()), "{left:?}");
    }
}

#[test]
fn words_that_are_taken_back_are_on_no_disk() {
    let (dir, store) = store();
    put(&store, "a.md", &["canary pays 10 euros."]);
    put(&store, "a.md", &["canary pays 20 euros."]);
    batch(&store, 1, |w| drop(w.remove_note(&path("a.md")).expect("remove")));
    check(&store, &[]);
    for entry in std::fs::read_dir(dir.path()).expect("a folder") {
        let bytes = std::fs::read(entry.expect("an entry").path()).expect("a file");
        assert!(!bytes.windows(6).any(|window| window == b"canary"));
    }
}

#[test]
fn edits_are_forgotten_by_time_and_with_the_journal_and_outlive_the_index() {
    let (_dir, store) = store();
    put(&store, "a.md", &[TEN]);
    put_at(&store, 50, "a.md", &[TWENTY]);
    store.reset(true).expect("reset");
    put(&store, "a.md", &[TWENTY]);
    check(&store, &[(TEN, TWENTY, Some(TEN))]);
    batch(&store, 90, |w| w.forget_before(50));
    check(&store, &[(TEN, TWENTY, Some(TEN))]);
    batch(&store, 90, |w| w.forget_before(51));
    check(&store, &[]);
    put_at(&store, 100, "a.md", &[THIRTY]);
    assert_eq!(edits(&store).len(), 1);
    store.reset(false).expect("reset");
    check(&store, &[]);
}

#[test]
fn an_index_that_saw_edits_is_the_one_built_at_once() {
    let ((_one, grown), (_other, fresh)) = (store(), store());
    for words in [TEN, TWENTY, THIRTY] {
        put(&grown, "a.md", &[words]);
    }
    put(&fresh, "a.md", &[THIRTY]);
    assert_eq!(crate::support::dump(&snapshot(&grown)), crate::support::dump(&snapshot(&fresh)));
    assert!(!edits(&grown).is_empty() && edits(&fresh).is_empty());
}
