//! How queries are answered: every plan is looked at, and what a read costs is compared between stores of two sizes.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use memora_claim::{Claim, ClaimId, Extractor, NameKey, Phase};
use memora_vault::{Band, NotePath, NoteProblem, PartialDate, ProblemKind, link_key};
use rusqlite::trace::{TraceEvent, TraceEventCodes};
use rusqlite::{Connection, StatementStatus};

use crate::passage_vectors::NotePassages;
use crate::record::{LinkRecord, NoteRecord, StatementRecord};
use crate::token_vectors::TokenVectors;
use crate::{Authors, NameRole, NoteFilter, ProposedBy, ReadError, Snapshot, Store};

#[path = "../tests/store/support.rs"]
#[allow(dead_code, reason = "each user of the helpers needs others")]
mod support;

use support::{batch, id, note, path, statements};

thread_local! {
    /// The statements that this thread ran, each with the steps of SQLite's machine that it took.
    static RUN: RefCell<Vec<(String, i64)>> = const { RefCell::new(Vec::new()) };
}

/// Records what a connection runs.
pub(crate) fn watch(conn: &mut Connection) {
    let mut so_far: HashMap<String, i64> = HashMap::new();
    let record = move |event: TraceEvent<'_>| {
        let TraceEvent::Profile(statement, _) = event else { return };
        let sql = statement.sql().into_owned();
        // A statement counts on as long as it is kept for another run.
        let steps = i64::from(statement.get_status(StatementStatus::VmStep));
        let before = so_far.insert(sql.clone(), steps).filter(|before| *before <= steps).unwrap_or_default();
        RUN.with_borrow_mut(|run| run.push((sql, steps - before)));
    };
    conn.trace_v2(TraceEventCodes::SQLITE_TRACE_PROFILE, Some(record)).expect("a connection can be watched");
}

/// What was run since the last call.
fn take_run() -> Vec<(String, i64)> {
    RUN.take()
}

const STATEMENTS_PER_NOTE: u32 = 20;

/// A note with something of everything that is stored, and nothing in common with others but one link and one tag.
fn full_note(number: usize) -> (NoteRecord, Vec<StatementRecord>, Vec<NoteProblem>) {
    let at = format!("folder/note {number}.md");
    let mut record = note(&at);
    record.date = PartialDate::parse("2024-03");
    record.tags = vec![format!("project/{number}")];
    record.properties = vec![("status".to_owned(), format!("number {number}"))];
    record.aliases = vec![format!("Other {number}")];
    let words: Vec<String> = (0..STATEMENTS_PER_NOTE).map(|at| format!("statement {number} of {at}")).collect();
    let mut all = statements(&at, &words.iter().map(String::as_str).collect::<Vec<_>>());
    for statement in &mut all {
        let subject = Some(format!("thing {number} {}", statement.ordinal));
        let claim = Claim::new(statement.source.statement, subject, "uses", &format!("tool {number}"));
        statement.claims.push(Claim {
            relation: Some(format!("relation {number}")),
            phase: Phase::Begun,
            extractor: Extractor::Clause,
            listed: true,
            ..claim
        });
        let (target, shown) = (format!("target {number}"), format!("Shown {number}"));
        statement.links.push(LinkRecord { target, shown, names: true });
        statement.source.parent = Some(format!("parent {number}"));
        statement.speaker = Some("Anna".to_owned());
    }
    all[0].former = vec![id(&format!("piece {number}"))];
    if number == 0 {
        all[0].cites = vec![ClaimId::from(id("cited"))];
    }
    (record, all, vec![NoteProblem { line: 3, kind: ProblemKind::UnclosedFence }])
}

fn fill(store: &Store, notes: usize) {
    batch(store, 0, |writer| {
        for number in 0..notes {
            let (record, statements, problems) = full_note(number);
            writer.put_note(&record, &statements, &problems).expect("put");
            let mut key = [0; 32];
            key[..8].copy_from_slice(&number.to_le_bytes());
            writer.set_passages(&record.path, &[key]).expect("passages");
        }
        writer.set_rules("rules").expect("rules");
    });
    let snapshot = store.snapshot().expect("a snapshot");
    let due = snapshot.statement_ids_in_band(Band::Public).expect("ids");
    let mut writer = store.try_vector_writer().expect("a lock").expect("nobody else writes");
    let set = writer.begin_set(Band::Public, "m:1", snapshot.sequence(), &due).expect("a set");
    let (last, others) = due.split_last().expect("statements");
    others.iter().for_each(|id| writer.put_vector(&set, *id, &[1, -1]).expect("a vector"));
    writer
        .put_token_vectors(&TokenVectors { statement: *last, band: Band::Public, key: [0; 16], codes: vec![0] })
        .expect("token vectors");
    for number in 0..notes {
        let (record, ..) = full_note(number);
        let made = NotePassages { band: Band::Public, places: vec![0..4, 4..9], codes: vec![1, -1, 1, 1] };
        writer.put_passages(&record.path, record.hash, "net", &[made]).expect("passages");
    }
    writer.commit().expect("a commit");
}

/// A read, and why it takes longer in a larger vault; empty where it must not.
type Read = (&'static str, &'static str, fn(&Snapshot) -> Result<(), ReadError>);

const ALL_OF_IT: &str = "its answer is the whole vault";
const OF_NOTES: &str = "it compares or lists all notes, fewer than the walk has files";

/// Every read of a snapshot.
fn reads() -> Vec<Read> {
    fn first(number: usize) -> NotePath {
        path(&format!("folder/note {number}.md"))
    }
    fn key(name: &str) -> NameKey {
        NameKey::from_name(name).expect("a name")
    }
    fn keys(name: &str) -> BTreeSet<NameKey> {
        BTreeSet::from([key(name)])
    }
    fn target() -> BTreeSet<String> {
        BTreeSet::from([link_key("target 1")])
    }
    const ALL: Band = Band::Secret;
    vec![
        ("meta", "", |s| s.meta("k").map(drop)),
        ("totals", "", |s| s.counts().totals().map(drop)),
        ("notes_by_band", "", |s| s.counts().notes_by_band().map(drop)),
        ("note_count", "", |s| s.counts().notes().map(drop)),
        ("claim_count", "", |s| s.counts().claims(ALL).map(drop)),
        ("skipped_count", "", |s| s.counts().skipped().map(drop)),
        ("note", "", |s| s.note(&first(1)).map(drop)),
        ("statement", "", |s| s.statement(id("statement 1 of 3")).map(drop)),
        ("statements_formerly", "", |s| {
            let found = s.statements_formerly(id("piece 1"), ALL)?;
            assert_eq!(found.len(), 1);
            Ok(())
        }),
        ("sources_of_note", "", |s| s.sources_of_note(&first(1)).map(drop)),
        ("changes_since", "", |s| s.changes_since(s.sequence()).map(drop)),
        ("neighbours", "", |s| {
            let sources = s.sources_of_note(&first(1))?;
            sources.iter().try_for_each(|source| s.neighbours(source, ALL).map(drop))
        }),
        ("notes_of_statements", "", |s| s.notes_of_statements(&[id("statement 1 of 3")]).map(drop)),
        ("adjacent_statements", "", |s| s.adjacent_statements(&[id("statement 1 of 3")]).map(drop)),
        ("facts_by_name", "", |s| {
            s.facts().by_name([&key("thing 1 3")], "relation 1", (ALL, Authors::User), 9).map(drop)
        }),
        ("facts_by_title", "", |s| s.facts().by_title(&first(1), "relation 1", ALL).map(drop)),
        ("facts_by_topic", "", |s| s.facts().by_topic(&["relation 1".to_owned()], ALL).map(drop)),
        ("link_texts", "", |s| s.names().link_texts(&target()).map(drop)),
        ("citing_statements", "", |s| s.facts().citing_statements(ALL).map(drop)),
        ("places_with_name", "", |s| {
            s.names().places_with_name(&keys("thing 1 3"), NameRole::Subject, (ALL, Authors::User), 9).map(drop)
        }),
        ("places_with_name_in_note", "", |s| {
            let wanted = BTreeSet::from([(key("thing 1 3"), first(1))]);
            let found = s.names().places_with_name_in_note(&wanted, NameRole::Subject, ALL, 9)?;
            assert_eq!(found.len(), 1);
            Ok(())
        }),
        ("statements_naming", "", |s| {
            s.names().statements_naming(&key("thing 1 3"), (ALL, Authors::User), 9).map(drop)
        }),
        ("links_with_text", "", |s| s.names().links_with_text(&keys("shown 1"), ALL).map(drop)),
        ("links_with_target", "", |s| s.names().links_with_target(&target(), (ALL, Authors::User)).map(drop)),
        ("places_of_statement", "", |s| s.names().places_of_statement(id("statement 1 of 3"), ALL).map(drop)),
        ("of places", "", |s| {
            let places = s.names().places_of_note(&first(1), ALL)?;
            s.names().links_at(&places)?;
            s.names().places_in_block(&places, ALL)?;
            s.names().claim_names_at(&places).map(drop)
        }),
        ("notes_matching", "", |s| {
            let tags = NoteFilter { tags: vec!["project/1".to_owned()], ..NoteFilter::default() };
            s.notes_matching(&tags)?;
            let status = ("status".to_owned(), "number 1".to_owned());
            s.notes_matching(&NoteFilter { properties: vec![status], ..NoteFilter::default() })?;
            s.notes_matching(&NoteFilter { notes: vec![first(1)], ..NoteFilter::default() })?;
            s.statements_matching(&tags, ALL).map(drop)
        }),
        ("notes_matching a folder or a day", OF_NOTES, |s| {
            let folder = NoteFilter { folders: vec!["folder/none".to_owned()], ..NoteFilter::default() };
            s.notes_matching(&folder)?;
            s.notes_matching(&NoteFilter { folders: vec!["Übung".to_owned()], ..NoteFilter::default() })?;
            let day = PartialDate::parse("2024-03-01");
            s.notes_matching(&NoteFilter { from: day, until: day, ..NoteFilter::default() }).map(drop)
        }),
        ("vector_sets", "", |s| s.vectors().sets().map(drop)),
        ("vectors of some", "", |s| {
            let set = s.vectors().sets()?.pop().ok_or(ReadError::Damaged)?;
            s.vectors().due(&set)?;
            s.vectors().codes_of(&set, &[id("statement 1 of 3")], 2).map(drop)
        }),
        ("token_vectors", "", |s| s.vectors().tokens(id("statement 1 of 3"), Band::Public, [0; 16]).map(drop)),
        ("statements_without_token_vectors", "", |s| {
            s.vectors().statements_without_tokens(Band::Public, None, 4).map(drop)
        }),
        ("note_stats", OF_NOTES, |s| s.note_stats().map(drop)),
        ("note_names", OF_NOTES, |s| s.names().of_notes(ALL).map(drop)),
        ("notes", OF_NOTES, |s| s.notes().map(drop)),
        ("passages", OF_NOTES, |s| s.passages().map(drop)),
        ("withdrawn_notes", OF_NOTES, |s| s.withdrawn_notes().map(drop)),
        ("problems", "its answer is a list over all notes", |s| s.problems().map(drop)),
        ("skipped_files", "", |s| s.skipped_files().map(drop)),
        ("most_linked", "it counts all links, for a review that lists what is linked most", |s| {
            s.names().most_linked(ALL, 1).map(drop)
        }),
        ("for_each_statement", ALL_OF_IT, |s| s.for_each_statement(|_| Ok(()))),
        ("own_statement_ids", "", |s| s.own_statement_ids(&[id("statement 1 of 3")], Band::Public).map(drop)),
        ("statement_places", "", |s| s.statement_places(&[id("statement 1 of 3")]).map(drop)),
        ("captured_statement_ids", "", |s| s.captured_statement_ids(Band::Public).map(drop)),
        ("captured_only_statement_ids", "", |s| s.captured_only_statement_ids(Band::Public).map(drop)),
        ("statement_ids_in_band", ALL_OF_IT, |s| s.statement_ids_in_band(Band::Public).map(drop)),
        ("all_statement_ids", ALL_OF_IT, |s| s.all_statement_ids().map(drop)),
        ("a whole log of changes", ALL_OF_IT, |s| s.changes_since(0).map(drop)),
        ("vector_codes", "a process reads them once", |s| {
            let set = s.vectors().sets()?.pop().ok_or(ReadError::Damaged)?;
            s.vectors().codes(&set, 2)?;
            s.vectors().counts(&set).map(drop)
        }),
        ("passage_vectors", "a process reads them once", |s| {
            let found = s.vectors().passages("net", ALL, Authors::All, 2)?;
            if found.codes.is_empty() { Err(ReadError::Damaged) } else { Ok(()) }
        }),
        ("count_notes_without_passages", "it says how much is still to be made ahead", |s| {
            s.vectors().count_notes_without_passages("net").map(drop)
        }),
        ("notes_without_passages", "it lists what is still to be made ahead, hundreds at once", |s| {
            s.vectors().notes_without_passages("net", 4).map(drop)
        }),
        ("count_statements_without_token_vectors", "status counts what is still to be made ahead", |s| {
            s.vectors().count_statements_without_tokens(Band::Public).map(drop)
        }),
    ]
}

fn steps(store: &Store) -> BTreeMap<&'static str, i64> {
    let snapshot = store.snapshot().expect("a snapshot");
    let measure = |(name, _, read): Read| {
        take_run();
        read(&snapshot).unwrap_or_else(|error| panic!("{name}: {error}"));
        (name, take_run().iter().map(|(_, steps)| steps).sum())
    };
    reads().into_iter().map(measure).collect()
}

#[test]
fn no_read_takes_longer_in_a_larger_vault_unless_it_says_why() {
    let small = support::store();
    let large = support::store();
    fill(&small.1, 5);
    fill(&large.1, 50);
    let (few, many) = (steps(&small.1), steps(&large.1));
    let mut wrong = Vec::new();
    for (name, why, _) in reads() {
        let (few, many) = (few[name], many[name]);
        // A deeper tree takes no step more; ten times the rows take ten times the steps.
        let grows = many > few + few / 5 + 20;
        if grows == why.is_empty() {
            wrong.push(format!("{name}: {few} steps of 5 notes, {many} of 50"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A template's line stands in every daily note.
#[test]
fn a_line_of_every_note_takes_no_longer_to_write_in_a_larger_vault() {
    let steps = |notes: usize| {
        let (_folder, store) = support::store();
        let put = |number: usize| {
            support::put(&store, &format!("day {number}.md"), &["Three good things", &format!("{number} is a number")]);
        };
        (0..notes).for_each(put);
        take_run();
        put(notes);
        let mut steps: BTreeMap<String, i64> = BTreeMap::new();
        take_run().into_iter().for_each(|(sql, taken)| *steps.entry(fold(&sql)).or_default() += taken);
        steps
    };
    let (few, many) = (steps(5), steps(50));
    let grown: Vec<_> = many
        .iter()
        .map(|(sql, many)| (sql, few.get(sql).copied().unwrap_or_default(), *many))
        .filter(|(_, few, many)| *many > few + few / 5 + 20)
        .collect();
    assert!(!few.is_empty() && grown.is_empty(), "{grown:#?}");
}

/// Scans of tables that grow with the vault: part of the statement, and why it may.
const SCANS: &[(&str, &str)] = &[
    ("FROM sources WHERE cites IS NOT NULL", "places that cite, of which alone there is an index"),
    ("SELECT path, size, mtime_ns", "a walk is compared with all notes"),
    ("SELECT note, passages FROM passages", "with a whole walk only"),
    ("SELECT note FROM passages", "with a whole walk only"),
    ("SELECT path, title, aliases, captured", "names of all notes"),
    ("FROM notes AS n ORDER BY n.path", "all notes are listed"),
    ("FROM notes AS n CROSS JOIN problems", "all problems are listed"),
    ("FROM notes AS n CROSS JOIN sources AS s ON s.note = n.id ORDER BY n.path", "all statements are listed"),
    ("SELECT statement FROM sources WHERE band", "all statements of a band are listed"),
    ("SELECT DISTINCT statement FROM sources ORDER BY", "all statements are listed"),
    ("SELECT statement, deleted FROM changes", "what changed is listed, by id"),
    ("count(DISTINCT l.note)", "all links are counted"),
    ("FROM passage_vectors AS p JOIN notes", "a process reads them once"),
    ("FROM notes AS n WHERE NOT EXISTS (SELECT 1 FROM passage_vectors", "it lists what is still to be made ahead"),
    ("SELECT COUNT(DISTINCT statement)", "status counts what is still to be made ahead"),
    ("AND EXISTS (SELECT 1 FROM json_each(?) AS f", "notes of a folder are found among all"),
    ("SELECT id, path FROM notes", "names that are not ASCII are compared in composed form"),
    ("SELECT count(*) FROM skipped", "files that cannot be read"),
    ("SELECT path, reason FROM skipped", "files that cannot be read"),
    ("DELETE FROM names WHERE wording NOT IN", "after a new version of the program has read all notes again"),
    ("DELETE FROM facts WHERE wording NOT IN", "after a new version of the program has read all notes again"),
    ("DELETE FROM renames", "renames are few"),
    ("FROM edits", "at most 4096 are kept"),
    ("FROM proposals", "all proposals are listed, for a whole walk"),
];

/// Tables that a vault does not make larger.
const SMALL: [&str; 5] = ["state", "counts", "totals", "vector_sets", "meta"];

/// Everything that writes.
fn write_all(store: &Store) {
    let (record, mut statements, problems) = full_note(0);
    statements.truncate(3);
    statements[0].source.band = Band::Private;
    batch(store, 1, |writer| {
        writer.put_note(&record, &statements, &problems).expect("put");
        writer.update_file_stat(&record.path, record.hash, record.stat).expect("a stat");
        writer.set_rules("other rules").expect("rules");
        writer.set_meta("k", "v").expect("meta");
        writer.set_skipped(&[("x.canvas".to_owned(), "not-read".to_owned())]).expect("skipped");
    });
    let (edited, [before, after]) = (path("folder/edited.md"), ["The gate costs 40 euros", "The gate costs 50 euros"]);
    for words in [before, after, before, after] {
        support::put(store, edited.as_str(), &[words, "The gate is red"]);
    }
    // The same words, read in another way.
    let other = "folder/other.md";
    let mut otherwise = support::statements(other, &["The gate is red"]);
    let claim = Claim::new(otherwise[0].source.statement, Some("the gate".to_owned()), "is", "red");
    otherwise[0].claims = vec![Claim { listed: true, ..claim }];
    batch(store, 1, |writer| drop(writer.put_note(&note(other), &otherwise, &[]).expect("put")));
    let gone = record.path;
    let (mut record, statements, problems) = full_note(0);
    record.path = path("folder/renamed.md");
    batch(store, 2, |writer| {
        let moved = |mut statement: StatementRecord| {
            statement.source.note = record.path.clone();
            statement
        };
        let statements: Vec<_> = statements.into_iter().map(moved).collect();
        writer.remove_note(&gone).expect("remove");
        writer.put_note(&record, &statements, &problems).expect("put");
        writer.record_rename(&gone, &record.path);
        writer.forget_before(0);
        writer.prune_changes(0).expect("prune");
        writer.restart_change_log();
    });
    batch(store, 9, |writer| {
        let mut guarded = note(edited.as_str());
        guarded.band = Band::Private;
        writer.put_note(&guarded, &statements_in(Band::Private, edited.as_str(), after), &[]).expect("put");
    });
    let journal = store.journal().expect("the journal");
    journal.former_sources(id("x")).expect("former");
    journal.renamed_to(&gone).expect("renames");
    journal.first_seen(id("x")).expect("first seen");
    journal.number_changes(9).expect("edits");
    let proposals = store.proposals().expect("the proposals");
    let by = ProposedBy { provider: "p".to_owned(), model: "m".to_owned(), version: "v".to_owned() };
    proposals.save(&[1; 32], &by, "[]").expect("saved");
    let kept = proposals.list_all().expect("a list");
    proposals.for_passage(&[1; 32]).expect("proposals");
    proposals.find_proposal(&[1; 32], &by).expect("a proposal");
    proposals.mark_taken(kept.iter()).expect("marked");
    proposals.forget(kept.iter()).expect("forgotten");
    proposals.is_empty().expect("none");
    let recalls = store.recalls().expect("the recalls");
    recalls.record(&["i"], true, "s", "2024-01-01").expect("recorded");
    journal.count_recalls("i", true).expect("a count");
    let mut writer = store.try_vector_writer().expect("a lock").expect("nobody else writes");
    let (sequence, set) =
        (writer.sequence().expect("a number"), writer.find_set(Band::Public, "m:1").expect("sets").expect("a set"));
    writer.advance_set(&set, sequence, &[id("gone")], &[id("statement 1 of 3")]).expect("it follows");
    writer.drop_set(&set).expect("dropped");
    writer.commit().expect("a commit");
}

fn statements_in(band: Band, at: &str, words: &str) -> Vec<StatementRecord> {
    let mut all = statements(at, &[words]);
    all.iter_mut().for_each(|statement| statement.source.band = band);
    all
}

/// Folds white space, so that a statement can be compared with its source text.
fn fold(sql: &str) -> String {
    sql.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Everything that was run, in both databases.
fn run_everything(store: &Store) -> BTreeSet<String> {
    take_run();
    fill(store, 3);
    let snapshot = store.snapshot().expect("a snapshot");
    reads().into_iter().for_each(|(name, _, read)| read(&snapshot).unwrap_or_else(|error| panic!("{name}: {error}")));
    drop(snapshot);
    write_all(store);
    let is_query = |sql: &String| ["SELECT", "INSERT", "UPDATE", "DELETE"].iter().any(|verb| sql.starts_with(verb));
    take_run().into_iter().map(|(sql, _)| fold(&sql)).filter(is_query).collect()
}

#[test]
fn no_plan_scans_a_table_that_grows_with_the_vault_unless_it_is_listed() {
    let (dir, store) = support::store();
    let queries = run_everything(&store);
    let databases = ["index.db", "journal.db"].map(|name| Connection::open(dir.path().join(name)).expect("a database"));
    let (mut used, mut wrong) = (BTreeSet::new(), Vec::new());
    // Whether there is anything at all is known from the first row.
    for sql in queries.iter().filter(|sql| !(sql.starts_with("SELECT 1 FROM") && sql.ends_with("LIMIT 1"))) {
        let of = databases.iter().find_map(|conn| conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).ok());
        let mut query = of.unwrap_or_else(|| panic!("neither database has it: {sql}"));
        let mut rows = query.raw_query();
        while let Some(row) = rows.next().expect("a plan") {
            let detail: String = row.get(3).expect("a text");
            let Some(table) = detail.strip_prefix("SCAN ").and_then(|rest| rest.split(' ').next()) else { continue };
            let virtual_table = detail.contains("VIRTUAL TABLE");
            if virtual_table
                || SMALL.contains(&table)
                || ["CONSTANT", "d"].contains(&table)
                || table.starts_with("(subquery")
            {
                continue;
            }
            match SCANS.iter().find(|(part, _)| sql.contains(part)) {
                Some((part, _)) => drop(used.insert(*part)),
                None => wrong.push(format!("{detail} in {sql}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let unused: Vec<_> = SCANS.iter().filter(|(part, _)| !used.contains(part)).collect();
    assert!(unused.is_empty(), "no longer a scan, or no longer there: {unused:?}");
}

#[test]
fn every_query_in_the_source_was_looked_at() {
    let (_dir, store) = support::store();
    let queries = run_everything(&store);
    let sources = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src")).expect("the sources");
    let (mut seen, mut missed) = (0, Vec::new());
    for file in sources.flatten() {
        let name = file.file_name().to_string_lossy().into_owned();
        // Tests, schemas, and statements on opening and resetting a whole database.
        if ["query_tests.rs", "schema.rs", "setup.rs", "connection.rs", "open.rs"].contains(&name.as_str()) {
            continue;
        }
        let text = std::fs::read_to_string(file.path()).expect("a source");
        for verb in ["\"SELECT ", "\"INSERT ", "\"UPDATE ", "\"DELETE "] {
            for (at, _) in text.match_indices(verb) {
                let rest = text.get(at + 1..).unwrap_or_default();
                // As far as it is literal.
                let literal = fold(rest.split(['{', '"', '\\']).next().unwrap_or_default());
                seen += 1;
                if !queries.iter().any(|sql| sql.contains(&literal)) {
                    missed.push(format!("{name}: {literal}"));
                }
            }
        }
    }
    assert!(seen > 60 && missed.is_empty(), "of {seen} never ran: {missed:#?}");
}
