//! Vectors: what was put for a band is there for that band, under the state it was made in, and goes when it is taken out.

use memora_store::{VectorState, WriteError};
use memora_vault::Band;

use crate::support::{id, snapshot, store};

fn state(embedder: &str, sequence: u64) -> VectorState {
    VectorState { embedder: embedder.to_owned(), sequence }
}

#[test]
fn a_band_has_its_own_vectors() {
    let (_dir, store) = store();
    let mut writer = store.try_vectors(Band::Public).expect("a writer").expect("nobody else writes");
    writer.put(id("a"), &[0.6, -0.8], &[60, -80]).expect("it is put");
    writer.put(id("b"), &[1.0, 0.0], &[127, 0]).expect("it is put");
    assert!(store.try_vectors(Band::Secret).expect("no error").is_none(), "one process at a time");
    writer.commit(&state("m:1", 4)).expect("it is kept");

    let seen = snapshot(&store);
    assert_eq!(seen.vector_state(Band::Public).expect("a state"), Some(state("m:1", 4)));
    assert_eq!(seen.vector_state(Band::Secret).expect("none"), None);
    let codes = seen.codes(Band::Public, 2).expect("codes");
    let mut expect = [(id("a"), [60, -80]), (id("b"), [127, 0])];
    expect.sort();
    assert_eq!(codes.statements, expect.map(|(id, _)| id));
    assert_eq!(codes.bytes, expect.map(|(_, code)| code).concat());
    assert!(seen.codes(Band::Secret, 2).expect("none").statements.is_empty());
    let vectors = seen.vectors(Band::Public, &[id("b"), id("c"), id("a")]).expect("vectors");
    assert_eq!(vectors, [Some(vec![1.0, 0.0]), None, Some(vec![0.6, -0.8])]);
    assert!(seen.codes(Band::Public, 3).is_err(), "of another embedder");
}

#[test]
fn what_is_taken_out_is_gone_and_what_is_dropped_was_never_there() {
    let (_dir, store) = store();
    let put = |band, name: &str| -> Result<(), WriteError> {
        let mut writer = store.try_vectors(band)?.expect("nobody else writes");
        writer.put(id(name), &[1.0], &[25])?;
        writer.commit(&state("m:1", 1))
    };
    put(Band::Public, "a").expect("it is kept");
    put(Band::Secret, "a").expect("it is kept");
    let mut writer = store.try_vectors(Band::Public).expect("a writer").expect("nobody else writes");
    writer.clear().expect("it is emptied");
    drop(writer);
    let count = |band| snapshot(&store).codes(band, 1).expect("codes").statements.len();
    assert_eq!(count(Band::Public), 1, "an unfinished batch changes nothing");

    let mut writer = store.try_vectors(Band::Public).expect("a writer").expect("nobody else writes");
    writer.delete(id("a")).expect("it is taken out");
    writer.delete(id("never there")).expect("no error");
    writer.commit(&state("m:1", 2)).expect("it is kept");
    assert_eq!((count(Band::Public), count(Band::Secret)), (0, 1));
    assert_eq!(snapshot(&store).sequence(), 0, "vectors are no commit of the index");

    store.reset(true).expect("it is emptied");
    assert_eq!(count(Band::Secret), 0);
    assert_eq!(snapshot(&store).vector_state(Band::Secret).expect("none"), None);
}
