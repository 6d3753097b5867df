//! Vectors: what was put in a set is there for its band and embedder, what changed is due, and what is taken out is gone.

use memora_claim::StatementId;
use memora_store::{Store, VectorCounts, VectorSet, VectorWriter};
use memora_vault::Band;

use crate::support::{id, snapshot, store};

fn writer(store: &Store) -> VectorWriter {
    store.try_vector_writer().expect("a writer").expect("nobody else writes")
}

fn set(store: &Store, band: Band, embedder: &str) -> VectorSet {
    let sets = snapshot(store).vectors().sets().expect("sets");
    sets.into_iter().find(|set| set.band == band && set.embedder == embedder).expect("it is there")
}

fn counts(store: &Store, set: &VectorSet) -> VectorCounts {
    snapshot(store).vectors().counts(set).expect("counts")
}

/// A set with one vector for each name.
fn made(store: &Store, band: Band, embedder: &str, names: &[&str]) -> VectorSet {
    let mut writer = writer(store);
    let set = writer.begin_set(band, embedder, 1, &[]).expect("it begins");
    for name in names {
        writer.put_vector(&set, id(name), &[60, -80]).expect("it is put");
    }
    writer.commit().expect("it is kept");
    self::set(store, band, embedder)
}

#[test]
fn a_band_and_an_embedder_have_their_own_vectors() {
    let (_dir, store) = store();
    let mut writer = writer(&store);
    let set = writer.begin_set(Band::Public, "m:1", 4, &[]).expect("it begins");
    writer.put_vector(&set, id("a"), &[60, -80]).expect("it is put");
    writer.put_vector(&set, id("b"), &[127, 0]).expect("it is put");
    assert!(store.try_vector_writer().expect("no error").is_none(), "one process at a time");
    writer.commit().expect("it is kept");
    let other = made(&store, Band::Secret, "m:1", &["c"]);
    let another = made(&store, Band::Public, "m:2", &[]);

    let seen = snapshot(&store);
    let set = self::set(&store, Band::Public, "m:1");
    assert_eq!((set.sequence, set.made), (4, true));
    let codes = seen.vectors().codes(&set, 2).expect("codes");
    let expect = [(id("a"), [60, -80]), (id("b"), [127, 0])];
    assert_eq!(codes.statements, expect.map(|(id, _)| id));
    assert_eq!(codes.bytes, expect.map(|(_, code)| code).concat());
    assert_eq!(seen.vectors().codes(&other, 2).expect("codes").statements, [id("c")]);
    assert!(seen.vectors().codes(&another, 2).expect("none").statements.is_empty());
    assert!(seen.vectors().codes(&set, 3).is_err(), "of another embedder");
}

#[test]
fn what_changed_is_due_until_it_is_put_and_was_never_as_it_was() {
    let (_dir, store) = store();
    let made = made(&store, Band::Public, "m:1", &["a", "b", "c"]);
    let mut batch = writer(&store);
    batch.advance_set(&made, 2, &[id("a")], &[id("b"), id("new")]).expect("it follows");
    batch.commit().expect("it is kept");

    let now = set(&store, Band::Public, "m:1");
    assert_eq!((now.sequence, now.made), (2, true), "it was made once");
    assert_ne!(now.revision, made.revision);
    assert_eq!(counts(&store, &now), VectorCounts { made: 1, due: 2 });
    let due = snapshot(&store).vectors().due(&now).expect("due");
    assert_eq!(due, sorted(["b", "new"].map(id)));

    let mut batch = writer(&store);
    batch.put_vector(&now, id("b"), &[127, 0]).expect("it is put");
    batch.remove_vector(&now, id("new")).expect("nothing to embed");
    batch.commit().expect("it is kept");
    assert_eq!(counts(&store, &now), VectorCounts { made: 2, due: 0 });
}

fn sorted<const N: usize>(mut ids: [StatementId; N]) -> [StatementId; N] {
    ids.sort();
    ids
}

#[test]
fn a_set_is_made_when_nothing_is_due_any_more() {
    let (_dir, store) = store();
    let mut batch = writer(&store);
    let begun = batch.begin_set(Band::Public, "m:1", 1, &[id("a"), id("b")]).expect("it begins");
    batch.put_vector(&begun, id("a"), &[25]).expect("it is put");
    batch.commit().expect("it is kept");
    assert!(!set(&store, Band::Public, "m:1").made);

    // Whoever goes on begins where the other was stopped.
    let due = snapshot(&store).vectors().due(&begun).expect("due");
    assert_eq!(due, [id("b")]);
    let mut batch = writer(&store);
    batch.put_vector(&begun, id("b"), &[25]).expect("it is put");
    batch.commit().expect("it is kept");
    assert!(set(&store, Band::Public, "m:1").made);
}

#[test]
fn what_is_taken_out_is_gone_and_what_is_dropped_was_never_there() {
    let (_dir, store) = store();
    let (public, secret) = (made(&store, Band::Public, "m:1", &["a"]), made(&store, Band::Secret, "m:1", &["a"]));
    let mut batch = writer(&store);
    batch.drop_set(&public).expect("it is emptied");
    drop(batch);
    assert_eq!(counts(&store, &public).made, 1, "an unfinished batch changes nothing");

    let mut batch = writer(&store);
    batch.remove_vector(&public, id("a")).expect("it is taken out");
    batch.remove_vector(&public, id("never there")).expect("no error");
    batch.commit().expect("it is kept");
    assert_eq!((counts(&store, &public).made, counts(&store, &secret).made), (0, 1));
    assert_eq!(snapshot(&store).sequence(), 0, "vectors are no commit of the index");

    store.reset(true).expect("it is emptied");
    assert_eq!(counts(&store, &secret).made, 0);
    assert_eq!(snapshot(&store).vectors().sets().expect("none"), []);
}
