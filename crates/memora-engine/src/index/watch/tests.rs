//! Partial scans leave other proposals of models alone; only a walk settles them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use memora_claim::{ClaimId, DecisionKind};
use memora_redact::LocalDoor;
use memora_store::{PassageKey, ProposedBy};
use memora_vault::NotePath;
use tempfile::TempDir;

use super::VaultWatch;
use crate::index::outcome::SyncOutcome;
use crate::index::sync::SyncBound;
use crate::read::catalog::ListOptions;
use crate::read::lifecycle::DecisionRequest;
use crate::report::Freshness;
use crate::state::config::Config;
use crate::state::open::Memora;

const ROUND: SyncBound = SyncBound::Round { thorough: false };

/// A passage that is in no note of the index, as of a note that is not indexed yet.
const ELSEWHERE: PassageKey = [9; 32];

struct World {
    dir: TempDir,
    memora: Memora,
    watching: VaultWatch,
}

impl World {
    /// Two notes that were walked.
    fn begun() -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let vault = dir.path().join("vault");
        fs::create_dir(&vault).expect("a folder");
        fs::write(vault.join("a.md"), "Anna keeps bees.\n").expect("a note");
        fs::write(vault.join("b.md"), "Ben sold the boat.\n").expect("a note");
        let memora = opened(dir.path());
        let watching = memora.watch(false);
        let mut world = Self { dir, memora, watching };
        assert!(!world.catch_up(SyncBound::All).partial);
        world
    }

    fn note(&self, name: &str) -> PathBuf {
        self.dir.path().join("vault").join(name)
    }

    fn catch_up(&mut self, bound: SyncBound) -> SyncOutcome {
        let stop = AtomicBool::new(false);
        self.memora.catch_up(&mut self.watching, bound, &stop, &mut |_| {}).expect("it is taken in")
    }

    /// Waits until a note was heard of.
    #[track_caller]
    fn heard(&self, note: &str) {
        let began = Instant::now();
        while !self.watching.dirty().places().any(|place| place == note) {
            assert!(began.elapsed() < Duration::from_secs(30), "heard of {:?}", self.watching.dirty());
            thread::yield_now();
        }
    }

    fn look(&mut self, bound: SyncBound) {
        assert!(self.catch_up(bound).partial);
    }

    fn walk(&mut self, bound: SyncBound) {
        let stop = AtomicBool::new(false);
        assert!(!self.memora.sync(bound, &stop, &mut |_| {}).expect("a sync").partial);
    }

    /// The one passage of a note, as the index knows it.
    fn passage(&self, note: &str) -> Option<PassageKey> {
        let passages = self.memora.store.snapshot().expect("a snapshot").passages().expect("passages");
        passages.get(&NotePath::new(note).expect("a path")).map(|keys| keys[0])
    }

    fn propose(&self, passage: PassageKey) {
        let by = ProposedBy { provider: "ollama".into(), model: "a".into(), version: "v1".into() };
        self.memora.store.proposals().expect("a journal").save(&passage, &by, "[]").expect("it is kept");
    }

    /// Whether what was proposed for a passage is kept, and if so whether it was taken in.
    fn kept(&self, passage: PassageKey) -> Option<bool> {
        let kept = self.memora.store.proposals().expect("a journal").list_all().expect("rows");
        kept.iter().find(|row| row.passage == passage).map(|row| row.taken)
    }
}

/// The vault, as another process opens it too.
fn opened(dir: &Path) -> Memora {
    let state = dir.join("state");
    let config = Config::load(Some(state.clone()), Some(state), jiff::civil::date(2025, 12, 31));
    Memora::open(Some(&dir.join("vault")), config.expect("a configuration")).expect("a vault")
}

#[test]
fn what_another_process_decides_is_heard_of_and_holds() {
    let mut world = World::begun();
    let other = opened(world.dir.path());
    let fresh = Freshness { fresh: true, pending: 0 };
    let options = ListOptions { limit: 1, ..ListOptions::default() };
    let listed = world.memora.session(LocalDoor).expect("a session").catalog().list_claims(&options, fresh);
    let id = ClaimId::parse(listed.expect("a list").claims[0].id()).expect("an id");
    for (second, act, status) in [(1, DecisionKind::Retract, "withdrawn"), (2, DecisionKind::Restore, "current")] {
        let at = format!("2025-12-31T12:00:{second:02}.000000Z");
        let deciding = DecisionRequest { act, claim: id, over: Vec::new(), at };
        other
            .session(LocalDoor)
            .expect("a session")
            .lifecycle_reports()
            .decide_claim(&deciding)
            .expect("it is decided");
        let began = Instant::now();
        while !world.watching.dirty().is_everything() {
            assert!(began.elapsed() < Duration::from_secs(30), "heard of {:?}", world.watching.dirty());
            thread::yield_now();
        }
        world.catch_up(SyncBound::READER);
        let why = world.memora.session(LocalDoor).expect("a session").catalog().explain_claim(&id).expect("a report");
        assert_eq!(why.status.as_str(), status);
    }
}

/// Between two questions mostly nothing changes, and then no note is looked at, nor what is known of any.
#[test]
fn where_nothing_was_heard_of_all_is_as_it_was() {
    let mut world = World::begun();
    fs::write(world.note("empty.md"), "").expect("a note");
    world.walk(SyncBound::All);
    let skipped = |world: &World| world.memora.store.snapshot().expect("a snapshot").skipped_files().expect("a list");
    let before = skipped(&world);
    assert_eq!(before.len(), 1);
    world.heard("empty.md");
    world.look(ROUND);
    for bound in [ROUND, SyncBound::Round { thorough: true }, SyncBound::READER, SyncBound::All] {
        let synced = world.catch_up(bound);
        assert!(synced.partial && synced.freshness().fresh, "{bound:?}: {synced:?}");
        assert_eq!((synced.seen, synced.changed, synced.removed), (2, 0, 0), "{bound:?}");
        assert_eq!(skipped(&world), before, "{bound:?}");
    }
}

#[test]
fn a_look_settles_nothing_beyond_what_it_looked_at() {
    for bound in [ROUND, SyncBound::Round { thorough: true }, SyncBound::READER, SyncBound::All] {
        let mut world = World::begun();
        let (a, b) = (world.passage("a.md").expect("one"), world.passage("b.md").expect("one"));
        [a, b, ELSEWHERE].into_iter().for_each(|passage| world.propose(passage));
        fs::write(world.note("b.md"), "Ben bought a boat.\n").expect("a note");
        world.heard("b.md");
        world.look(bound);
        assert_eq!(world.kept(b), None, "{bound:?}: it went with its words");
        assert_eq!(world.kept(a), Some(false), "{bound:?}: its note was not read");
        assert_eq!(world.kept(ELSEWHERE), Some(false), "{bound:?}: whose it is was not seen");
    }
}

#[test]
fn a_thorough_walk_settles_what_models_proposed() {
    for bound in [SyncBound::Round { thorough: true }, SyncBound::All] {
        let mut world = World::begun();
        let a = world.passage("a.md").expect("one");
        [a, ELSEWHERE].into_iter().for_each(|passage| world.propose(passage));
        world.walk(ROUND);
        assert_eq!((world.kept(a), world.kept(ELSEWHERE)), (Some(false), Some(false)));
        world.walk(bound);
        assert_eq!((world.kept(a), world.kept(ELSEWHERE)), (Some(true), None), "{bound:?}");
    }
}

#[test]
fn a_touched_note_keeps_its_passages_and_what_was_proposed_for_them() {
    let mut world = World::begun();
    let b = world.passage("b.md").expect("one");
    world.propose(b);
    fs::write(world.note("b.md"), "Ben sold the boat.\n").expect("a note");
    world.heard("b.md");
    world.look(ROUND);
    assert_eq!((world.passage("b.md"), world.kept(b)), (Some(b), Some(false)));
    // What was proposed is due still: the same bytes are read again for it.
    let stop = AtomicBool::new(false);
    assert_eq!(world.memora.sync(SyncBound::All, &stop, &mut |_| {}).expect("a sync").changed, 1);
    assert_eq!((world.passage("b.md"), world.kept(b)), (Some(b), Some(true)));
}

/// A dangling link cannot be read, even by a privileged user.
#[cfg(unix)]
#[test]
fn a_note_that_could_not_be_read_is_given_up_once_it_is_gone() {
    let thorough = SyncBound::Round { thorough: true };
    let mut world = World::begun();
    let b = world.passage("b.md").expect("one");
    world.propose(b);
    fs::remove_file(world.note("b.md")).expect("it goes");
    std::os::unix::fs::symlink(world.note("nowhere"), world.note("b.md")).expect("a link");
    world.heard("b.md");
    world.look(thorough);
    assert_eq!((world.passage("b.md"), world.kept(b)), (Some(b), Some(false)), "it is there and cannot be read");

    fs::remove_file(world.note("b.md")).expect("it goes");
    world.heard("b.md");
    world.look(thorough);
    assert_eq!((world.passage("b.md"), world.kept(b)), (None, None));
}
