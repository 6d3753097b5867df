//! Random histories against plain maps.

use std::collections::{BTreeMap, BTreeSet};

use memora_claim::time::TimeExpr;
use memora_claim::{Claim, Extractor, NameKey, StatementId, StatementKind};
use memora_store::{Authors, LinkRecord, NameRole, NoteRecord, Snapshot, StatementRecord, Store};
use memora_vault::{Band, PartialDate, link_key};
use proptest::prelude::*;

use crate::support::{batch, dump, id, note, path, snapshot, statements, store};

/// What one step does to the vault. Notes and words are few, so that they meet often.
#[derive(Clone, Debug)]
enum Step {
    Put { note: u8, words: Vec<u8>, look: u8 },
    Remove { note: u8 },
    Rename { from: u8, to: u8 },
    Commit,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        5 => (0..5_u8, prop::collection::vec(0..8_u8, 0..6), 0..16_u8)
            .prop_map(|(note, words, look)| Step::Put { note, words, look }),
        1 => (0..5_u8).prop_map(|note| Step::Remove { note }),
        2 => (0..5_u8, 0..5_u8).prop_map(|(from, to)| Step::Rename { from, to }),
        3 => Just(Step::Commit),
    ]
}

type Vault = BTreeMap<u8, (Vec<u8>, u8)>;

fn name(note: u8) -> String {
    // Not in order of number, so that paths and row ids differ in order.
    ["m.md", "a/z.md", "é.md", "b.md", "a/b.md"][usize::from(note)].to_owned()
}

/// A note with its statements. `look` decides band, date, capture and form, so that the same words are read in different
/// ways at different places.
fn records(number: u8, words: &[u8], look: u8) -> (NoteRecord, Vec<StatementRecord>) {
    let at = name(number);
    let mut record = note(&at);
    record.captured = look & 1 > 0;
    record.band = if look & 2 > 0 { Band::Private } else { Band::Public };
    record.date = PartialDate::from_ymd(2024, 1 + (look % 3) as i8, 1);
    let words: Vec<String> = words.iter().map(|w| format!("word {w}")).collect();
    let mut statements = statements(&at, &words.iter().map(String::as_str).collect::<Vec<_>>());
    for statement in &mut statements {
        statement.source.band = record.band;
        statement.block /= 2;
        if look & 4 > 0 {
            let shown = statement.words.replace("word", "the");
            statement.links.push(LinkRecord { target: "a/B#".to_owned(), shown, names: true });
            statement.kind = StatementKind::Item;
        }
        if look & 8 > 0 {
            let claim = Claim::new(statement.source.statement, Some("word".to_owned()), "is", &statement.words);
            let claim = Claim { extractor: Extractor::Clause, listed: true, ..claim };
            statement.claims.push(claim);
        }
        for claim in &mut statement.claims {
            claim.holds.from = record.date.and_then(|date| TimeExpr::from_dates(date, date));
        }
    }
    (record, statements)
}

fn build_at_once(vault: &Vault) -> (tempfile::TempDir, Store) {
    let (dir, store) = store();
    batch(&store, 0, |writer| {
        for (number, (words, look)) in vault {
            let (note, statements) = records(*number, words, *look);
            writer.put_note(&note, &statements, &[]).expect("put");
        }
    });
    (dir, store)
}

/// The ids of statements and of claims that a vault has.
fn ids(vault: &Vault) -> (BTreeSet<StatementId>, BTreeSet<String>) {
    let all = || vault.iter().flat_map(|(number, (words, look))| records(*number, words, *look).1);
    let claims = all().flat_map(|s| s.claims).map(|c| c.id.to_string()).collect();
    (all().map(|s| s.source.statement).collect(), claims)
}

/// The listed claims of a reader that may see everything up to a band, counted one by one.
fn seen_claims(snapshot: &Snapshot, strictest: Band) -> BTreeSet<String> {
    let ids = snapshot.all_statement_ids().expect("ids");
    let all = snapshot.statements(&ids).expect("statements").into_iter();
    let seen = all.filter_map(|statement| statement.retain_sources(|source| source.row.band <= strictest));
    let listed = seen.flat_map(|statement| statement.wording.claims.clone()).filter(|claim| claim.listed);
    listed.map(|claim| claim.id.to_string()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_index_grown_step_by_step_equals_one_built_at_once(steps in prop::collection::vec(step(), 1..24)) {
        let (_dir, store) = store();
        let mut vault = Vault::new();
        let mut committed = Vault::new();
        // A derived index that follows by the log of changes: statement to what it took in.
        let mut derived: BTreeMap<StatementId, String> = BTreeMap::new();
        let mut taken_in = 0;
        for chunk in steps.split_inclusive(|step| matches!(step, Step::Commit)) {
            let done = batch(&store, 0, |writer| for step in chunk {
                match step {
                    Step::Put { note, words, look } => {
                        let (record, statements) = records(*note, words, *look);
                        writer.put_note(&record, &statements, &[]).expect("put");
                        vault.insert(*note, (words.clone(), *look));
                    }
                    Step::Remove { note } => {
                        writer.remove_note(&path(&name(*note))).expect("remove");
                        vault.remove(note);
                    }
                    Step::Rename { from, to } => {
                        if let Some((words, look)) = vault.remove(from) {
                            writer.remove_note(&path(&name(*from))).expect("remove");
                            let (record, statements) = records(*to, &words, look);
                            writer.put_note(&record, &statements, &[]).expect("put");
                            writer.record_rename(&path(&name(*from)), &path(&name(*to)));
                            vault.insert(*to, (words, look));
                        }
                    }
                    Step::Commit => {}
                }
            });

            let ((_, then), (expected, now)) = (ids(&committed), ids(&vault));
            prop_assert_eq!(done.claims_added, now.difference(&then).count());
            prop_assert_eq!(done.claims_removed, then.difference(&now).count());
            committed = vault.clone();

            let snapshot = snapshot(&store);
            prop_assert_eq!(snapshot.sequence(), done.sequence);
            prop_assert_eq!(snapshot.all_statement_ids().expect("ids"), Vec::from_iter(expected));
            let changes = snapshot.changes_since(taken_in).expect("changes").expect("nothing was pruned");
            for gone in &changes.deleted {
                derived.remove(gone);
            }
            for statement in snapshot.statements(&changes.changed).expect("statements") {
                derived.insert(statement.id, look(&snapshot, &statement));
            }
            taken_in = snapshot.sequence();
        }

        let (_other_dir, other) = build_at_once(&vault);
        let (grown, fresh) = (snapshot(&store), snapshot(&other));
        prop_assert_eq!(dump(&grown), dump(&fresh));
        prop_assert_eq!(named(&grown), named(&fresh));
        prop_assert_eq!(grown.counts().totals(), fresh.counts().totals());
        prop_assert_eq!(grown.counts().notes_by_band(), grown.counts().totals().map(|totals| totals.notes_by_band));
        for band in [Band::Public, Band::Private, Band::Secret] {
            prop_assert_eq!(grown.counts().claims(band), Ok(seen_claims(&grown, band).len()), "kept is not counted: {}", band);
        }
        prop_assert_eq!(grown.notes().expect("notes"), fresh.notes().expect("notes"));

        let mut expected = BTreeMap::new();
        for statement in fresh.statements(&fresh.all_statement_ids().expect("ids")).expect("statements") {
            expected.insert(statement.id, look(&fresh, &statement));
        }
        prop_assert_eq!(derived, expected);
        let health = store.check_integrity().expect("a check");
        prop_assert!(health.index_sound && health.journal_sound);

        for number in 0..8_u8 {
            let statement = id(&format!("word {number}"));
            for former in store.journal().expect("a journal").former_sources(statement).expect("former") {
                let Some(place) = former.place else { continue };
                let stands = grown.sources_of_note(&place.note).expect("sources");
                prop_assert!(stands.iter().all(|source| source.row.statement != statement));
            }
        }
    }
}

/// Everything that is named, linked, and stands together, as far as private text goes.
fn named(snapshot: &Snapshot) -> Vec<String> {
    let words = (0..8).flat_map(|number| [format!("word {number}"), format!("the {number}"), "word".to_owned()]);
    let keys: BTreeSet<NameKey> = words.filter_map(|name| NameKey::from_name(&name)).collect();
    let mut found = Vec::new();
    for band in [Band::Public, Band::Private] {
        for role in [NameRole::Subject, NameRole::Object] {
            let places = snapshot.names().places_with_name(&keys, role, (band, Authors::All), 1000).expect("places");
            for (at, place) in snapshot.names().places_in_block(&places, band).expect("blocks") {
                let seed = &places[at];
                found.push(format!(
                    "{band} {role:?} {} {} {} {}",
                    seed.note, seed.ordinal, place.ordinal, place.statement
                ));
            }
        }
        let links = snapshot.names().links_with_text(&keys, band).expect("links");
        let mut all = snapshot
            .names()
            .links_with_target(&BTreeSet::from([link_key("a/B#")]), (band, Authors::All))
            .expect("links");
        // What a machine wrote down names nothing.
        let notes = snapshot.names().of_notes(band).expect("notes");
        all.retain(|link| notes.iter().any(|note| note.path == link.place.note && !note.captured));
        assert!(links == all);
        let places: Vec<_> = links.iter().map(|link| link.place.clone()).collect();
        assert!(links == snapshot.names().links_at(&places).expect("links"));
        found.extend(links.iter().map(|l| format!("{band} {} {} {}", l.place.note, l.place.ordinal, l.shown)));
        for key in &keys {
            let mut naming = snapshot.names().statements_naming(key, (band, Authors::All), 1000).expect("statements");
            naming.sort();
            found.push(format!("{naming:?}"));
        }
    }
    found
}

/// What a derived index may take from a statement.
fn look(snapshot: &memora_store::Snapshot, statement: &memora_store::StoredStatement) -> String {
    let mut text = format!("{:?}", statement.wording.words);
    let mut sources: Vec<_> = statement.sources.iter().collect();
    sources.sort_by_key(|source| (source.row.note.clone(), source.ordinal));
    for source in sources {
        let around = snapshot.neighbours(source, Band::Secret).expect("around");
        let around: Vec<_> = around.in_order().map(|near| (&near.words, near.band)).collect();
        let note = &source.note;
        text += &format!("{} {} {:?} {:?} {:?}", note.path, source.row.band, around, note.date, source.wording.kind);
    }
    text
}
