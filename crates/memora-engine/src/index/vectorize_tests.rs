//! What an embedder is asked for, when, and what becomes of its vectors: with one that only counts.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use memora_embed::{EmbedError, Embedder, EmbedderId, Vector};
use memora_redact::LocalDoor;
use memora_store::VectorCounts;
use tempfile::TempDir;

use crate::index::outcome::SyncOutcome;
use crate::index::sync::SyncBound;
use crate::state::config::Config;
use crate::state::embedder::choice::{EmbedderChoice, Embedders};
use crate::state::open::Memora;
use crate::state::semantic_index::SemanticIndex;

/// Remembers what it was asked for.
struct Counting {
    id: EmbedderId,
    asked: Arc<Mutex<Vec<Vec<String>>>>,
    stop: Arc<AtomicBool>,
    /// Raises `stop` while it embeds, once.
    trip: Arc<AtomicBool>,
}

impl Embedder for Counting {
    fn id(&self) -> &EmbedderId {
        &self.id
    }

    fn dimensions(&self) -> usize {
        2
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vector>, EmbedError> {
        if self.trip.swap(false, Ordering::Relaxed) {
            self.stop.store(true, Ordering::Relaxed);
        }
        self.asked.lock().expect("nobody panicked").push(texts.iter().map(|text| (*text).to_owned()).collect());
        Ok(texts.iter().map(|text| Vector::normalized(vec![1.0, text.len() as f32])).collect())
    }
}

/// A vault of so many notes, indexed, with the counting embedder chosen.
struct Scene {
    dir: TempDir,
    memora: Memora,
    asked: Arc<Mutex<Vec<Vec<String>>>>,
    stop: Arc<AtomicBool>,
    trip: Arc<AtomicBool>,
}

impl Scene {
    fn new(notes: usize) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(dir.path().join("vault/.obsidian")).expect("a folder");
        for note in 0..notes {
            write(dir.path(), note, "The kiln is warm. The glaze is blue.");
        }
        let memora = open(dir.path());
        let mut scene = Self { dir, memora, asked: Arc::default(), stop: Arc::default(), trip: Arc::default() };
        scene.choose(true);
        scene
    }

    /// Chooses the embedder, which is there or is not.
    fn choose(&mut self, is_there: bool) {
        let counting = || Counting {
            id: EmbedderId::new("all-MiniLM-L6-v2/1", "00"),
            asked: Arc::clone(&self.asked),
            stop: Arc::clone(&self.stop),
            trip: Arc::clone(&self.trip),
        };
        let chosen = is_there.then(|| Box::new(counting()) as Box<dyn Embedder>);
        self.memora.semantic =
            SemanticIndex::new(Embedders::with_chosen(chosen), crate::state::config::NearestMethod::Scan);
    }

    fn sync(&mut self, bound: SyncBound) -> SyncOutcome {
        self.stop.store(false, Ordering::Relaxed);
        self.memora.sync(bound, &self.stop, &mut |_| {}).expect("it is brought up to date")
    }

    /// How many vectors an embedder has, and how many are due, in all bands.
    fn counts(&self, by: EmbedderChoice) -> Option<(usize, usize)> {
        let snapshot = self.memora.store.snapshot().expect("a snapshot");
        let sets = snapshot.vectors().sets().expect("sets");
        let of = sets.iter().filter(|set| by.is_maker_of(&set.embedder));
        let counts = of.map(|set| snapshot.vectors().counts(set).expect("counts"));
        counts.map(|VectorCounts { made, due }| (made, due)).reduce(|a, b| (a.0 + b.0, a.1 + b.1))
    }

    fn live(&self) -> Option<&'static str> {
        let session = self.memora.session(LocalDoor).expect("a session");
        session.doctor().report_embedder().expect("a report").live
    }

    fn texts(&self) -> usize {
        self.asked.lock().expect("nobody panicked").iter().map(Vec::len).sum()
    }
}

fn write(dir: &Path, note: usize, text: &str) {
    fs::write(dir.join(format!("vault/Note {note}.md")), format!("# Pottery\n\n{text} Batch {note} is fired.\n"))
        .expect("a note");
}

fn open(dir: &Path) -> Memora {
    let day = jiff::civil::date(2025, 12, 31);
    let config = Config::load(Some(dir.join("state")), Some(dir.join("config")), day).expect("a configuration");
    Memora::open(Some(&dir.join("vault")), config).expect("a vault")
}

/// What a question waits for, had it all been used up before.
const NO_TIME: SyncBound = SyncBound::Reader { notes: 64, time: Duration::ZERO };

use EmbedderChoice::{Embedded, MiniLm};

#[test]
fn equal_texts_are_embedded_once_and_empty_ones_never() {
    let mut scene = Scene::new(3);
    scene.sync(SyncBound::All);
    let asked = scene.asked.lock().expect("nobody panicked");
    for texts in asked.iter() {
        assert_eq!(texts.iter().collect::<BTreeSet<_>>().len(), texts.len(), "{texts:?}");
        assert!(texts.iter().all(|text| !text.trim().is_empty()));
    }
    drop(asked);
    let (made, due) = scene.counts(MiniLm).expect("sets");
    assert!(made > 3 && due == 0, "{made} made, {due} due");
    assert_eq!(scene.counts(Embedded), None, "what stood in is not kept");
    assert_eq!(scene.live(), Some("all-MiniLM-L6-v2"));
}

#[test]
fn a_question_does_not_wait_for_a_slow_embedder_that_was_just_chosen() {
    let mut scene = Scene::new(3);
    let synced = scene.sync(SyncBound::READER);
    assert_eq!((scene.texts(), synced.vectors_due), (0, 0));
    assert_eq!(scene.live(), Some("embedded"));
    scene.sync(SyncBound::All);
    assert_eq!(scene.live(), Some("all-MiniLM-L6-v2"));
}

#[test]
fn nothing_is_embedded_again_when_nothing_changed() {
    let mut scene = Scene::new(3);
    scene.sync(SyncBound::All);
    let before = scene.texts();
    scene.sync(SyncBound::All);
    scene.sync(SyncBound::READER);
    assert_eq!(scene.texts(), before);
}

#[test]
fn without_time_what_changed_is_due_and_the_next_who_has_time_makes_it() {
    let mut scene = Scene::new(2);
    scene.sync(SyncBound::All);
    let (made, _) = scene.counts(MiniLm).expect("sets");
    write(scene.dir.path(), 0, "The kiln is cold.");
    let synced = scene.sync(NO_TIME);
    let (left, due) = scene.counts(MiniLm).expect("sets");
    assert!(left < made && due > 0 && synced.vectors_due == due, "{left} of {made}, {due} due, {synced:?}");
    assert_eq!(scene.live(), Some("all-MiniLM-L6-v2"), "the others still answer");
    assert_eq!(scene.sync(SyncBound::READER).vectors_due, 0);
    assert_eq!(scene.counts(MiniLm).expect("sets").1, 0);
}

#[test]
fn what_was_made_when_it_was_stopped_is_not_made_again() {
    let mut scene = Scene::new(40);
    scene.trip.store(true, Ordering::Relaxed);
    let synced = scene.sync(SyncBound::All);
    let (made, due) = scene.counts(MiniLm).expect("sets");
    assert!(synced.stopped && made > 0 && due > 0, "{synced:?}, {made} made, {due} due");
    assert_eq!((scene.live(), synced.vectors_due), (Some("embedded"), 0), "the other serves meanwhile");

    scene.asked.lock().expect("nobody panicked").clear();
    assert!(!scene.sync(SyncBound::All).stopped);
    assert_eq!(scene.counts(MiniLm), Some((made + due, 0)));
    assert!(scene.texts() <= 3 * due, "{} texts for {due} statements", scene.texts());
}

#[test]
fn while_it_is_missing_its_vectors_are_kept_but_for_what_changed() {
    let mut scene = Scene::new(4);
    scene.sync(SyncBound::All);
    let (made, texts) = (scene.counts(MiniLm).expect("sets").0, scene.texts());

    scene.choose(false);
    write(scene.dir.path(), 0, "The kiln is cold.");
    fs::remove_file(scene.dir.path().join("vault/Note 1.md")).expect("it was there");
    for bound in [SyncBound::READER, SyncBound::All] {
        let synced = scene.sync(bound);
        assert_eq!((scene.live(), synced.vectors_due), (Some("embedded"), 0));
    }
    let (left, due) = scene.counts(MiniLm).expect("they are kept");
    assert!(0 < left && left < made && due > 0, "{left} of {made}, {due} due");

    scene.choose(true);
    scene.sync(SyncBound::All);
    assert_eq!((scene.live(), scene.counts(MiniLm).expect("sets").1), (Some("all-MiniLM-L6-v2"), 0));
    assert!(scene.texts() - texts < texts, "only what changed was embedded");
}

#[test]
fn a_cloud_door_may_be_served_by_what_is_made_of_what_it_sees() {
    let mut scene = Scene::new(1);
    scene.sync(SyncBound::All);
    let door = memora_redact::CloudDoor::new(memora_redact::CloudVisibility::Public);
    let session = scene.memora.session(door).expect("a session");
    let report = session.doctor().report_embedder().expect("a report");
    assert_eq!((report.live, report.folder), (Some("all-MiniLM-L6-v2"), None));
}
