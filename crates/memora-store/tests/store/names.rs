//! Names and links: what is looked up comes from places of the band that was asked for, and goes with them.

use std::collections::BTreeSet;

use memora_claim::{Claim, NameKey};
use memora_store::{Authors, LinkRecord, NameRole, NamedPlace, NoteRecord, StatementRecord};
use memora_vault::{Band, link_key};

use crate::support::{batch, note, path, put, snapshot, statement, store};

fn key(name: &str) -> NameKey {
    NameKey::from_name(name).expect("a name")
}

fn keys(names: &[&str]) -> BTreeSet<NameKey> {
    names.iter().map(|name| key(name)).collect()
}

fn about(mut record: StatementRecord, subject: &str, object: &str) -> StatementRecord {
    record.claims = vec![Claim::new(record.source.statement, Some(subject.to_owned()), "is", object)];
    record
}

fn linked(mut record: StatementRecord, target: &str, shown: &str) -> StatementRecord {
    record.links.push(LinkRecord { target: target.to_owned(), shown: shown.to_owned(), names: true });
    record
}

fn at(places: &[NamedPlace]) -> Vec<(&str, u32)> {
    places.iter().map(|place| (place.note.as_str(), place.ordinal)).collect()
}

#[test]
fn a_name_is_found_however_it_is_written_up_to_a_band() {
    let (_dir, store) = store();
    batch(&store, 0, |writer| {
        let mut secret = about(statement("b.md", 1, "two"), "drift", "slow");
        secret.source.band = Band::Secret;
        let both = [about(statement("b.md", 0, "one"), "The Drift", "fast"), secret];
        writer.put_note(&note("b.md"), &both, &[]).expect("put");
        let object = about(statement("a.md", 0, "three"), "it", "our DRIFT");
        writer.put_note(&note("a.md"), &[object], &[]).expect("put");
    });
    let snapshot = snapshot(&store);
    let places = |role, band| {
        snapshot.names().places_with_name(&keys(&["drift"]), role, (band, Authors::All), 10).expect("places")
    };
    assert_eq!(at(&places(NameRole::Subject, Band::Public)), [("b.md", 0)]);
    assert_eq!(at(&places(NameRole::Subject, Band::Secret)), [("b.md", 0), ("b.md", 1)]);
    assert_eq!(at(&places(NameRole::Object, Band::Public)), [("a.md", 0)]);
    let within = |name: &str, notes: &[&str], band| {
        let pairs = notes.iter().map(|note| (key(name), path(note))).collect();
        snapshot.names().places_with_name_in_note(&pairs, NameRole::Subject, band, 10).expect("places")
    };
    assert_eq!(at(&within("drift", &["b.md", "a.md"], Band::Public)), [("b.md", 0)]);
    assert_eq!(at(&within("drift", &["b.md"], Band::Secret)), [("b.md", 0), ("b.md", 1)]);
    assert!(within("drift", &["a.md"], Band::Secret).is_empty() && within("drift", &[], Band::Secret).is_empty());
    let count = |name: &str, band| {
        snapshot.names().statements_naming(&key(name), (band, Authors::All), 9).expect("statements").len()
    };
    assert_eq!((count("drift", Band::Public), count("drift", Band::Secret)), (2, 3));
    assert_eq!((count("slow", Band::Public), count("it", Band::Secret)), (0, 0));
    assert_eq!(
        snapshot.names().statements_naming(&key("drift"), (Band::Secret, Authors::All), 2).expect("statements").len(),
        2
    );
}

#[test]
fn links_are_found_by_what_they_show_and_where_they_may_lead() {
    let (_dir, store) = store();
    batch(&store, 0, |writer| {
        let mut secret = linked(statement("a.md", 1, "two"), "Drift", "the spy");
        secret.source.band = Band::Secret;
        let open = linked(linked(statement("a.md", 0, "one"), "x/Drift.md", "Dérive"), "Other", "here");
        writer.put_note(&note("a.md"), &[open, secret], &[]).expect("put");
    });
    let snapshot = snapshot(&store);
    let showing = |name: &str, band| {
        let links = snapshot.names().links_with_text(&keys(&[name]), band).expect("links");
        links.into_iter().map(|link| link.target).collect::<Vec<_>>()
    };
    assert_eq!(showing("DÉRIVE", Band::Public), ["x/Drift.md"]);
    assert!(showing("here", Band::Secret).is_empty(), "a pointer is no name");
    assert!(showing("spy", Band::Private).is_empty());
    assert_eq!(showing("spy", Band::Secret), ["Drift"]);
    let drift = BTreeSet::from([link_key("drift")]);
    let leading = |band| snapshot.names().links_with_target(&drift, (band, Authors::All)).expect("links").len();
    assert_eq!((leading(Band::Public), leading(Band::Secret)), (1, 2));
    let names = snapshot.names().of_notes(Band::Public).expect("names");
    assert_eq!(names.iter().map(|note| note.title.as_str()).collect::<Vec<_>>(), ["a"]);
}

#[test]
fn what_a_machine_wrote_takes_no_room_from_the_user() {
    let (_dir, store) = store();
    batch(&store, 0, |writer| {
        for path in ["a.md", "b.md"] {
            let words = format!("said in {path}");
            let record = linked(about(statement(path, 0, &words), "Drift", "fast"), "Drift", "Dérive");
            let captured = path == "a.md";
            writer.put_note(&NoteRecord { captured, ..note(path) }, &[record], &[]).expect("put");
        }
    });
    let snapshot = snapshot(&store);
    let drift = keys(&["drift"]);
    for (authors, path) in [(Authors::User, "b.md"), (Authors::Machines, "a.md"), (Authors::All, "a.md")] {
        let of = (Band::Public, authors);
        let places = snapshot.names().places_with_name(&drift, NameRole::Subject, of, 1).expect("places");
        assert_eq!(at(&places), [(path, 0)], "{authors:?}");
        let links = snapshot.names().links_with_target(&BTreeSet::from([link_key("drift")]), of).expect("links");
        assert_eq!(links.first().map(|link| link.place.note.as_str()), Some(path), "{authors:?}");
        let said = snapshot.names().statements_naming(&key("drift"), of, 9).expect("statements").len();
        assert_eq!(said, if authors == Authors::All { 2 } else { 1 }, "{authors:?}");
    }
    let linked = snapshot.names().most_linked(Band::Public, 1).expect("links");
    assert_eq!(linked, [("Drift".to_owned(), 1)]);
}

#[test]
fn a_block_is_an_item_with_what_belongs_to_it() {
    let (_dir, store) = store();
    let item = |ordinal, block, within| {
        let mut item = statement("a.md", ordinal, &format!("item {ordinal}"));
        (item.block, item.within) = (block, within);
        item
    };
    let mut guarded = item(4, 0, None);
    guarded.source.band = Band::Private;
    let items = [item(0, 0, None), item(1, 1, Some(0)), item(2, 2, Some(0)), item(3, 0, None), guarded];
    batch(&store, 0, |writer| {
        writer.put_note(&note("a.md"), &items, &[]).expect("put");
    });
    let snapshot = snapshot(&store);
    let places = snapshot.names().places_of_note(&path("a.md"), Band::Public).expect("places");
    assert_eq!(at(&places).len(), 4);
    let around = |ordinal: usize| {
        let found = snapshot.names().places_in_block(&places[ordinal..=ordinal], Band::Public).expect("a block");
        found.iter().map(|(_, place)| place.ordinal).collect::<Vec<_>>()
    };
    assert_eq!((around(0), around(1), around(3)), (vec![0, 1, 2, 3], vec![0, 1, 3], vec![0, 1, 2, 3]));
    let namings = snapshot.names().claim_names_at(&places).expect("namings");
    assert!(namings.len() == 4 && namings.iter().all(|naming| naming.whole && !naming.quoted));
}

#[test]
fn names_and_links_go_with_their_note() {
    let (_dir, store) = store();
    batch(&store, 0, |writer| {
        let record = linked(about(statement("a.md", 0, "one"), "Drift", "fast"), "Drift", "Dérive");
        writer.put_note(&note("a.md"), &[record], &[]).expect("put");
    });
    put(&store, "b.md", &["two"]);
    batch(&store, 0, |writer| {
        writer.remove_note(&path("a.md")).expect("remove");
    });
    let after = snapshot(&store);
    assert!(
        after
            .names()
            .places_with_name(&keys(&["drift"]), NameRole::Subject, (Band::Secret, Authors::All), 9)
            .expect("places")
            .is_empty()
    );
    assert!(after.names().links_with_text(&keys(&["dérive"]), Band::Secret).expect("links").is_empty());
    drop(after);
    store.reset(true).expect("a reset");
    let health = store.check_integrity().expect("a check");
    assert!(health.index_sound && snapshot(&store).names().of_notes(Band::Secret).expect("names").is_empty());
}
