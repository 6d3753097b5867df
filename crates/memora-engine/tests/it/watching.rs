//! A process that lives long: what it heard of is taken in when it reads, and nothing that it heard is lost.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use memora_engine::{Config, ExportOptions, LocalDoor, Memora, SearchOptions, SyncBound, SyncOutcome, VaultWatch};

/// Every claim, and every statement that claims nothing.
const ALL: ExportOptions = ExportOptions { canonical: true, statements: true };

struct World {
    dir: tempfile::TempDir,
    memora: Memora,
    watching: VaultWatch,
}

impl World {
    fn of(notes: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        fs::create_dir(dir.path().join("vault")).expect("a folder");
        for (note, text) in notes {
            write(&dir.path().join("vault").join(note), text);
        }
        let memora = opened(dir.path(), "state");
        let watching = memora.watch(false);
        Self { dir, memora, watching }
    }

    fn write(&self, note: &str, text: &str) {
        write(&self.dir.path().join("vault").join(note), text);
    }

    fn read(&mut self, bound: SyncBound) -> SyncOutcome {
        self.memora.catch_up(&mut self.watching, bound, &AtomicBool::new(false), &mut |_| {}).expect("it is taken in")
    }

    /// Waits until so much was heard of.
    #[track_caller]
    fn heard(&self, places: usize) {
        let began = Instant::now();
        while self.watching.dirty().places().count() < places {
            assert!(began.elapsed() < Duration::from_secs(30), "heard of {:?}", self.watching.dirty());
            thread::yield_now();
        }
    }

    fn finds(&self, words: &str) -> bool {
        let options = SearchOptions { limit: 3, lexical_only: true, ..SearchOptions::default() };
        let session = self.memora.session(LocalDoor).expect("a session");
        !session.search().find_claims(words, &options).expect("a search").hits.is_empty()
    }

    fn export(&self) -> Vec<String> {
        export(&self.memora)
    }
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
    fs::write(path, text).expect("a note");
}

fn opened(dir: &Path, state: &str) -> Memora {
    let state = dir.join(state);
    let config =
        Config::load(Some(state.clone()), Some(state), jiff::civil::date(2025, 12, 31)).expect("a configuration");
    Memora::open(Some(&dir.join("vault")), config).expect("a vault")
}

fn export(memora: &Memora) -> Vec<String> {
    let lines = memora.session(LocalDoor).expect("a session").catalog().export_claims(ALL).expect("an export");
    lines.iter().map(|line| serde_json::to_string(line).expect("JSON")).collect()
}

#[test]
fn a_reader_takes_in_what_was_heard_without_waiting_or_walking() {
    let mut world = World::of(&[("a.md", "Anna keeps bees.\n"), ("folder/b.md", "The gate is open.\n")]);
    assert!(world.watching.dirty().is_everything());
    let first = world.read(SyncBound::READER);
    assert!(!first.partial && first.seen == 2 && first.changed == 2 && world.watching.dirty().is_clean());

    world.write("folder/b.md", "The gate is shut and painted vermilion.\n");
    world.heard(1);
    assert!(!world.finds("vermilion"));
    let second = world.read(SyncBound::READER);
    assert!(second.partial && second.seen == 2 && second.changed == 1 && world.watching.dirty().is_clean());
    assert!(world.finds("vermilion"));

    let idle = world.read(SyncBound::READER);
    assert!(idle.partial && idle.changed == 0 && idle.walked < first.walked + Duration::from_secs(1));
}

#[test]
fn what_is_over_the_bound_stays_dirty() {
    let mut world = World::of(&[("a.md", "Anna keeps bees.\n")]);
    world.read(SyncBound::READER);
    for number in 0..30 {
        world.write(&format!("note {number}.md"), &format!("Gate {number} is open.\n"));
    }
    world.heard(30);
    let bound = SyncBound::Reader { notes: 8, time: Duration::from_secs(3600) };
    for left in [22, 14, 6, 0] {
        let synced = world.read(bound);
        assert_eq!((synced.pending, synced.freshness().fresh), (left, left == 0));
        assert_eq!(world.watching.dirty().is_clean(), left == 0);
    }
    let at_once = {
        let mut other = opened(world.dir.path(), "other");
        other.sync(SyncBound::All, &AtomicBool::new(false), &mut |_| {}).expect("an index");
        export(&other)
    };
    assert!(at_once.len() > 30 && world.export() == at_once);
}

/// Another process has committed the statements and is still writing the words that find them.
#[test]
fn an_index_whose_words_another_process_is_writing_is_not_fresh() {
    let mut world = World::of(&[("a.md", "Anna keeps bees.\n")]);
    let vaults = fs::read_dir(world.dir.path().join("state/vaults")).expect("the states of vaults");
    let state = vaults.map(|entry| entry.expect("an entry").path()).next().expect("that of this vault");
    let writing = fs::File::create(state.join("lexical/public/.tantivy-writer.lock")).expect("a file");
    writing.lock().expect("nothing else writes");
    let synced = world.read(SyncBound::READER);
    assert!(synced.words_behind && synced.pending == 0 && !synced.freshness().fresh, "{synced:?}");
    assert!(!world.finds("bees"));
    writing.unlock().expect("it was locked");
    let synced = world.read(SyncBound::READER);
    assert!(!synced.words_behind && synced.freshness().fresh && world.finds("bees"), "{synced:?}");
}

#[test]
fn what_fails_stays_dirty_and_is_taken_in_when_it_no_longer_does() {
    let mut world = World::of(&[("a.md", "Anna keeps bees.\n")]);
    world.read(SyncBound::READER);
    let config = world.dir.path().join("state/config.toml");
    fs::write(&config, "[[privacy.rules]\n").expect("a file");
    let began = Instant::now();
    while !world.watching.dirty().has_changed_settings() {
        assert!(began.elapsed() < Duration::from_secs(30));
        thread::yield_now();
    }
    let stop = AtomicBool::new(false);
    for _ in 0..2 {
        let error = world.memora.catch_up(&mut world.watching, SyncBound::READER, &stop, &mut |_| {});
        assert!(error.is_err() && world.watching.dirty().is_everything());
    }
    fs::write(&config, "[privacy]\nunmarked = \"secret\"\n").expect("a file");
    let synced = world.read(SyncBound::READER);
    assert!(!synced.partial && synced.changed == 1);
    // What was written last may be heard of only now.
    let began = Instant::now();
    while !world.watching.dirty().is_clean() {
        assert!(began.elapsed() < Duration::from_secs(30));
        world.read(SyncBound::READER);
    }
    let cloud = world
        .memora
        .session(world.memora.cloud_door())
        .expect("a session")
        .catalog()
        .export_claims(ALL)
        .expect("an export");
    assert!(cloud.iter().all(|line| !serde_json::to_string(line).expect("JSON").contains("bees")));
}

#[test]
fn a_note_that_was_only_touched_is_not_read_as_new() {
    let mut world = World::of(&[("a.md", "Anna keeps bees.\n")]);
    world.read(SyncBound::All);
    world.write("a.md", "Anna keeps bees.\n");
    world.heard(1);
    let touched = world.read(SyncBound::All);
    assert_eq!((touched.changed, touched.claims_added, touched.pending), (0, 0, 0));
    // It is known as it is now, so that a walk finds nothing to read.
    let stop = AtomicBool::new(false);
    let walked = world.memora.sync(SyncBound::All, &stop, &mut |_| {}).expect("a sync");
    assert_eq!((walked.changed, walked.removed), (0, 0));
}
