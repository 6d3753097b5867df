//! What goes in comes out.

use memora_claim::time::TimeExpr;
use memora_claim::{Claim, Extractor, StatementKind};
use memora_store::{NoteFilter, ReadError, WriteError};
use memora_vault::{Band, FileStat, Fingerprint, NotePath, NoteProblem, PartialDate, ProblemKind};

use crate::support::{batch, id, note, path, put, snapshot, statement, statements, store};

#[test]
fn a_note_and_its_statements_come_back_as_they_were_put() {
    let (_dir, store) = store();
    let mut record = note("a/b.md");
    record.date = PartialDate::parse("2024-03");
    record.aliases = vec!["Bé \"quoted\"".to_owned()];
    record.tags = vec!["x/y".to_owned()];
    record.properties = vec![("up".to_owned(), "[[A]]".to_owned()), ("up".to_owned(), String::new())];
    let mut put = statements("a/b.md", &["one", "two"]);
    put[1].source.band = Band::Secret;
    put[1].block_id = Some("b1".to_owned());
    put[1].source.parent = Some("parent".to_owned());
    put[1].claims[0].holds.until = TimeExpr::parse("2025");
    let problem = NoteProblem { line: 3, kind: ProblemKind::UnclosedFence };
    batch(&store, 0, |writer| {
        writer.put_note(&record, &put, std::slice::from_ref(&problem)).expect("put");
        writer.set_rules("rules 1").expect("rules");
        writer.set_meta("k", "v").expect("meta");
        writer.set_skipped(&[("x.canvas".to_owned(), "not-read".to_owned())]).expect("skipped");
    });
    let snapshot = snapshot(&store);
    assert_eq!(snapshot.note(&record.path), Ok(Some(record.clone())));
    assert_eq!(snapshot.problems(), Ok(vec![(record.path.clone(), problem)]));
    assert_eq!(snapshot.rules(), Some("rules 1"));
    assert_eq!(snapshot.meta("k"), Ok(Some("v".to_owned())));
    assert_eq!(snapshot.skipped_files().expect("skipped").len(), 1);
    assert_eq!(snapshot.note_stats().expect("stats")[&record.path], (record.stat, record.hash));
    let sources = snapshot.sources_of_note(&record.path).expect("sources");
    for (source, record) in sources.iter().zip(&put) {
        assert!(source.row == record.source);
        assert!(source.wording.claims == record.claims && source.wording.words == record.words);
        assert_eq!((source.ordinal, source.line, &source.block_id), (record.ordinal, record.line, &record.block_id));
    }
    let around = snapshot.neighbours(&sources[1], Band::Public).expect("around");
    let before = around.in_front.first().expect("a neighbour");
    assert_eq!((before.statement, before.words.as_str(), before.band), (id("one"), "one", Band::Public));
    let totals = snapshot.counts().totals().expect("totals");
    assert_eq!((totals.notes, totals.statements, totals.claims, totals.sources), (1, 2, 2, 2));
    assert_eq!(totals.sources_by_band, [1, 0, 1]);
}

#[test]
fn a_statement_in_two_notes_is_one_with_two_sources_until_the_last_goes() {
    let (_dir, store) = store();
    assert_eq!(put(&store, "b.md", &["same"]).claims_added, 1);
    assert_eq!(put(&store, "a.md", &["same"]).claims_added, 0);
    let both = snapshot(&store).statement(id("same")).expect("read").expect("there");
    assert_eq!(both.sources.iter().map(|s| s.row.note.as_str()).collect::<Vec<_>>(), ["a.md", "b.md"]);
    assert_eq!(put(&store, "a.md", &[]).claims_removed, 0);
    assert_eq!(put(&store, "b.md", &[]).claims_removed, 1);
    assert_eq!(snapshot(&store).statement(id("same")), Ok(None));
}

#[test]
fn a_sentence_of_which_nothing_was_read_is_a_statement_and_counts_as_no_claim() {
    let (_dir, store) = store();
    let mut put = statements("a.md", &["read", "unread"]);
    put[1].claims[0].extractor = Extractor::Sentence;
    put[1].claims[0].listed = false;
    let done = batch(&store, 0, |writer| drop(writer.put_note(&note("a.md"), &put, &[]).expect("put")));
    let totals = snapshot(&store).counts().totals().expect("totals");
    assert_eq!((done.claims_added, totals.claims, totals.statements), (1, 1, 2));
    let unread = snapshot(&store).statement(id("unread")).expect("read").expect("there");
    assert_eq!(unread.wording.claims.len(), 1, "it is found and cited as before");
}

#[test]
fn a_captured_note_does_not_give_the_reading_while_a_person_says_it_too() {
    let (_dir, store) = store();
    let mut captured = note("a.md");
    captured.captured = true;
    let mut theirs = statements("a.md", &["same"]);
    theirs[0].kind = StatementKind::Item;
    batch(&store, 0, |writer| {
        writer.put_note(&captured, &theirs, &[]).expect("put");
        writer.put_note(&note("b.md"), &statements("b.md", &["same"]), &[]).expect("put");
    });
    let both = snapshot(&store).statement(id("same")).expect("read").expect("there");
    assert_eq!(both.wording.kind, StatementKind::Sentence);
    let theirs = both.clone().retain_sources(|source| source.note.captured).expect("a source is left");
    assert_eq!(theirs.wording.kind, StatementKind::Item);
    assert_eq!(both.retain_sources(|_| false), None);
}

#[test]
fn moving_down_in_a_note_is_no_change_and_a_stricter_neighbour_is() {
    let (_dir, store) = store();
    let first = put(&store, "a.md", &["one", "two", "three"]).sequence;
    let mut moved = statements("a.md", &["one", "two", "three"]);
    for statement in &mut moved {
        statement.source.start += 100;
        statement.source.end += 100;
        statement.line += 5;
    }
    let at_100 = batch(&store, 0, |w| drop(w.put_note(&note("a.md"), &moved, &[]).expect("put"))).sequence;
    let changes = snapshot(&store).changes_since(first).expect("read").expect("known");
    assert!(changes.changed.is_empty() && changes.deleted.is_empty());
    assert_eq!(snapshot(&store).statement(id("two")).expect("read").expect("there").sources[0].row.start, 110);

    moved[0].source.band = Band::Secret;
    batch(&store, 0, |w| drop(w.put_note(&note("a.md"), &moved, &[]).expect("put")));
    let changes = snapshot(&store).changes_since(at_100).expect("read").expect("known");
    let mut expected = vec![id("one"), id("two"), id("three")];
    expected.sort_unstable();
    assert_eq!(changes.changed, expected, "the lines behind carried the secret one as context");
}

#[test]
fn a_guarded_line_that_moves_to_the_other_side_changes_what_stands_around() {
    let (_dir, store) = store();
    let put = |words: &[&str]| {
        let mut all = statements("a.md", words);
        for statement in &mut all {
            statement.source.band = if statement.words == "roof" { Band::Secret } else { Band::Public };
        }
        batch(&store, 0, |w| drop(w.put_note(&note("a.md"), &all, &[]).expect("put"))).sequence
    };
    let first = put(&["pump", "cat", "roof"]);
    put(&["pump", "roof", "cat"]);
    let snapshot = snapshot(&store);
    let changes = snapshot.changes_since(first).expect("read").expect("known");
    assert!(changes.changed.contains(&id("cat")), "the pump is cut off");
    let cat = snapshot.statement(id("cat")).expect("read").expect("there");
    assert_eq!(snapshot.neighbours(&cat.sources[0], Band::Public).expect("around").in_order().count(), 0);
}

#[test]
fn a_pruned_log_says_that_it_does_not_know() {
    let (_dir, store) = store();
    let first = put(&store, "a.md", &["one"]).sequence;
    let second = put(&store, "a.md", &["two"]).sequence;
    batch(&store, 0, |writer| writer.prune_changes(first).expect("prune"));
    let snapshot = snapshot(&store);
    assert_eq!(snapshot.changes_since(0), Ok(None));
    assert_eq!(snapshot.changes_since(second + 9), Ok(None));
    let changes = snapshot.changes_since(first).expect("read").expect("known");
    assert_eq!((changes.changed, changes.deleted), (vec![id("two")], vec![id("one")]));
}

#[test]
fn a_dropped_batch_leaves_nothing() {
    let (_dir, store) = store();
    put(&store, "a.md", &["one"]);
    let before = crate::support::dump(&snapshot(&store));
    {
        let mut writer = store.try_writer(0).expect("a lock").expect("free");
        writer.put_note(&note("a.md"), &statements("a.md", &["two"]), &[]).expect("put");
        writer.remove_note(&path("a.md")).expect("remove");
    }
    assert_eq!(crate::support::dump(&snapshot(&store)), before);
    assert!(store.journal().expect("a journal").former_sources(id("one")).expect("former").is_empty());
    assert_eq!(put(&store, "a.md", &["one"]).sequence, 2);
}

#[test]
fn a_snapshot_is_stable_while_a_writer_commits_and_a_second_writer_gets_none() {
    let (_dir, store) = store();
    put(&store, "a.md", &["one"]);
    let old = snapshot(&store);
    let mut writer = store.try_writer(0).expect("a lock").expect("free");
    assert!(store.clone().try_writer(0).expect("a lock").is_none());
    writer.put_note(&note("a.md"), &statements("a.md", &["two"]), &[]).expect("put");
    assert_eq!(snapshot(&store).all_statement_ids(), Ok(vec![id("one")]), "not committed yet");
    writer.commit().expect("commit");
    assert_eq!(old.all_statement_ids(), Ok(vec![id("one")]));
    assert_eq!(snapshot(&store).all_statement_ids(), Ok(vec![id("two")]));
    assert!(store.try_writer(0).expect("a lock").is_some());
}

#[test]
fn touching_changes_the_stat_alone() {
    let (_dir, store) = store();
    put(&store, "a.md", &["one"]);
    let stat = FileStat { size: 8, mtime_ns: 1, ctime_ns: 2, inode: 3 };
    batch(&store, 0, |writer| {
        let hash = note("a.md").hash;
        assert!(writer.update_file_stat(&path("a.md"), hash, stat).expect("touch"));
        assert!(!writer.update_file_stat(&path("no.md"), hash, stat).expect("touch"));
        let other = Fingerprint::from_bytes([9; 32]);
        assert!(
            !writer.update_file_stat(&path("a.md"), other, FileStat::default()).expect("touch"),
            "it says something else"
        );
    });
    assert_eq!(snapshot(&store).note(&path("a.md")).expect("read").expect("there").stat, stat);
    assert_eq!(snapshot(&store).changes_since(1).expect("read").expect("known").changed, []);
}

#[test]
fn records_that_do_not_belong_together_are_refused() {
    let (_dir, store) = store();
    let mut writer = store.try_writer(0).expect("a lock").expect("free");
    let mut put = |statements: &[_]| writer.put_note(&note("a.md"), statements, &[]);
    assert!(matches!(put(&[statement("b.md", 4, "x")]), Err(WriteError::ForeignSource { ordinal: 4 })));
    let twice = [statement("a.md", 1, "x"), statement("a.md", 1, "y")];
    assert!(matches!(put(&twice), Err(WriteError::DuplicateOrdinal { ordinal: 1 })));
    let mut foreign = statement("a.md", 2, "x");
    foreign.claims.push(Claim::new(id("y"), None, "is", "y"));
    assert!(matches!(put(&[foreign]), Err(WriteError::ForeignClaim { ordinal: 2 })));
    let mut odd = statement("a.md", 2, "x");
    odd.claims[0].confidence = f32::NAN;
    odd.source.end = usize::MAX;
    assert!(put(&[odd]).is_ok());
}

#[test]
fn filters_join_their_conditions() {
    let (_dir, store) = store();
    batch(&store, 0, |writer| {
        for (at, tag, status, date, band) in [
            ("work/a.md", "project/memora", "Done", Some("2024-03-12"), Band::Public),
            ("work/sub/b.md", "Project", "open", Some("2024-04"), Band::Secret),
            ("workshop/c.md", "projects", "open", None, Band::Public),
        ] {
            let mut note = note(at);
            note.tags = vec![tag.to_owned()];
            note.properties = vec![("Status".to_owned(), status.to_owned())];
            note.date = date.and_then(PartialDate::parse);
            note.band = band;
            let mut statements = statements(at, &[at]);
            statements[0].source.band = band;
            writer.put_note(&note, &statements, &[]).expect("put");
        }
    });
    let snapshot = snapshot(&store);
    let check = |filter: NoteFilter, expect: &[&str]| {
        let found = snapshot.notes_matching(&filter).expect("a filter");
        assert_eq!(found.iter().map(|p| p.as_str()).collect::<Vec<_>>(), expect, "{filter:?}");
    };
    let all = NoteFilter::default;
    let date = |text: &str| PartialDate::parse(text);
    check(all(), &["work/a.md", "work/sub/b.md", "workshop/c.md"]);
    check(NoteFilter { tags: vec!["#project".into()], ..all() }, &["work/a.md", "work/sub/b.md"]);
    check(NoteFilter { tags: vec!["project/memora".into()], ..all() }, &["work/a.md"]);
    check(NoteFilter { folders: vec!["/work/".into()], ..all() }, &["work/a.md", "work/sub/b.md"]);
    check(NoteFilter { folders: vec![String::new()], ..all() }, &["work/a.md", "work/sub/b.md", "workshop/c.md"]);
    check(NoteFilter { folders: vec!["%".into(), "workshop".into()], ..all() }, &["workshop/c.md"]);
    check(NoteFilter { properties: vec![("status".into(), "done".into())], ..all() }, &["work/a.md"]);
    check(NoteFilter { from: date("2024-03-13"), ..all() }, &["work/sub/b.md"]);
    check(NoteFilter { until: date("2024-03"), ..all() }, &["work/a.md"]);
    check(NoteFilter { from: date("2024-04-10"), until: date("2024-04-10"), ..all() }, &["work/sub/b.md"]);
    check(NoteFilter { notes: vec![path("work/a.md")], ..all() }, &["work/a.md"]);
    check(NoteFilter { tags: vec!["project".into()], folders: vec!["work/sub".into()], ..all() }, &["work/sub/b.md"]);
    let seen = snapshot.statements_matching(&all(), Band::Private).expect("a filter");
    assert!(seen.contains(&id("work/a.md")) && !seen.contains(&id("work/sub/b.md")));
}

#[test]
fn names_are_one_composed_or_not() {
    let composed = ["\u{dc}bung/Caf\u{e9}.md", "caf\u{e9}", "\u{c9}tat", "pr\u{ea}t"];
    let decomposed = ["U\u{308}bung/Cafe\u{301}.md", "cafe\u{301}", "E\u{301}tat", "pre\u{302}t"];
    for (stored, asked) in [(composed, decomposed), (decomposed, composed), (decomposed, decomposed)] {
        let (_dir, store) = store();
        batch(&store, 0, |writer| {
            let mut kept = note(stored[0]);
            kept.tags = vec![format!("{}/noir", stored[1])];
            kept.properties = vec![(stored[2].to_owned(), stored[3].to_owned())];
            writer.put_note(&kept, &statements(stored[0], &["in it"]), &[]).expect("put");
            writer.put_note(&note("Ubung/Cafe.md"), &statements("Ubung/Cafe.md", &["beside it"]), &[]).expect("put");
        });
        let snapshot = snapshot(&store);
        let folder = asked[0].split('/').next().expect("a folder").to_owned();
        let all = NoteFilter::default;
        for filter in [
            NoteFilter { notes: vec![path(asked[0])], ..all() },
            NoteFilter { folders: vec![format!("/{folder}/")], ..all() },
            NoteFilter { tags: vec![asked[1].to_owned()], ..all() },
            NoteFilter { properties: vec![(asked[2].to_owned(), asked[3].to_owned())], ..all() },
            NoteFilter { folders: vec![folder], notes: vec![path(asked[0])], ..all() },
        ] {
            let found = snapshot.notes_matching(&filter).expect("a filter");
            assert_eq!(found.iter().map(NotePath::as_str).collect::<Vec<_>>(), [stored[0]], "{filter:?}");
            let said = snapshot.statements_matching(&filter, Band::Secret).expect("a filter");
            assert_eq!(said.into_iter().collect::<Vec<_>>(), [id("in it")]);
        }
        let elsewhere = NoteFilter { folders: vec!["B\u{fc}cher".to_owned()], ..all() };
        assert!(snapshot.notes_matching(&elsewhere).expect("a filter").is_empty());
    }
}

#[test]
fn a_piece_leads_to_the_statement_that_it_was_cut_from() {
    let (_dir, store) = store();
    let write = |texts: &[&str], band: Band| {
        batch(&store, 0, |writer| {
            let mut all = statements("a.md", texts);
            all[0].former = vec![id("a piece"), id("a piece")];
            all[0].source.band = band;
            writer.put_note(&note("a.md"), &all, &[]).expect("put");
        });
    };
    let whole = |at_most: Band| {
        let found = snapshot(&store).statements_formerly(id("a piece"), at_most).expect("a look-up");
        found.into_iter().map(|statement| statement.id).collect::<Vec<_>>()
    };
    write(&["the whole", "another"], Band::Public);
    assert_eq!(whole(Band::Public), [id("the whole")]);
    write(&["it was edited"], Band::Secret);
    assert_eq!((whole(Band::Private), whole(Band::Secret)), (Vec::new(), vec![id("it was edited")]));
    batch(&store, 0, |writer| {
        writer.remove_note(&path("a.md")).expect("it is there");
    });
    assert_eq!(whole(Band::Secret), []);
}

#[test]
fn debug_output_holds_no_words() {
    let (_dir, store) = store();
    let mut note = note("canaryA.md");
    note.properties = vec![("canaryB".to_owned(), "canaryC".to_owned())];
    let mut put = statements("canaryA.md", &["canaryD", "canaryE"]);
    put[1].source.headings = vec!["canaryF".to_owned()];
    batch(&store, 0, |w| drop(w.put_note(&note, &put, &[]).expect("put")));
    let stored = snapshot(&store).statements(&[id("canaryE")]).expect("read");
    assert_eq!(stored[0].wording.words, "canaryE");
    let around = snapshot(&store).neighbours(&stored[0].sources[0], Band::Secret).expect("around");
    assert_eq!(around.in_front.len(), 1);
    let said = format!("{note:?} {put:?} {stored:?} {:?} {around:?}", stored[0].wording);
    assert!(!said.contains("canary"), "{said}");
}

/// Stops early when told to: the error of the caller comes through.
#[test]
fn a_walk_ends_with_the_error_of_its_caller() {
    let (_dir, store) = store();
    put(&store, "a.md", &["one", "two", "three"]);
    let mut met = 0;
    let ended = snapshot(&store).for_each_statement(|_| {
        met += 1;
        Err(ReadError::Damaged)
    });
    assert_eq!((ended, met), (Err(ReadError::Damaged), 1));
}
