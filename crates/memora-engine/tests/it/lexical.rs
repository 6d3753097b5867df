//! The lexical indexes: an edit touches those that it concerns, whoever opens them finds the same, and what became guarded leaves.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use memora_engine::{Authors, Config, LocalDoor, Memora, SearchOptions, SyncBound};

pub(crate) struct World {
    pub(crate) dir: tempfile::TempDir,
    pub(crate) memora: Memora,
}

impl World {
    pub(crate) fn new(notes: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(dir.path().join("vault/.obsidian")).expect("a folder");
        let memora = open(dir.path());
        let mut world = Self { dir, memora };
        world.write(notes);
        world
    }

    /// Writes notes and indexes them as a reader does; an empty text deletes the note.
    fn write(&mut self, notes: &[(&str, &str)]) {
        for (note, text) in notes {
            let path = self.dir.path().join("vault").join(note);
            match text.is_empty() {
                true => fs::remove_file(path).expect("a note"),
                false => fs::write(path, text).expect("a note"),
            }
        }
        sync(&mut self.memora, SyncBound::READER);
    }

    fn folder_of(&self, part: &str) -> PathBuf {
        let vaults = self.dir.path().join("state/vaults");
        let vault = fs::read_dir(vaults).expect("a folder").next().expect("a vault").expect("an entry");
        vault.path().join("lexical").join(part)
    }

    /// The commit of each index.
    fn commits(&self) -> BTreeMap<&'static str, Vec<u8>> {
        let parts = ["public", "private", "secret", "captured-public", "captured-private", "captured-secret"];
        parts
            .into_iter()
            .map(|part| (part, fs::read(self.folder_of(part).join("meta.json")).expect("a commit")))
            .collect()
    }

    /// The indexes that were written since.
    fn written_since(&self, before: &BTreeMap<&'static str, Vec<u8>>) -> Vec<&'static str> {
        self.commits().into_iter().filter(|(part, now)| before[part] != *now).map(|(part, _)| part).collect()
    }

    /// What is found, by this process and by a new one.
    #[track_caller]
    fn check(&self, words: &str, authors: Authors, expected: usize) {
        let mut other = open(self.dir.path());
        sync(&mut other, SyncBound::READER);
        assert_eq!([count(&self.memora, words, authors), count(&other, words, authors)], [expected; 2], "{words}");
    }
}

pub(crate) fn open(dir: &Path) -> Memora {
    let state = dir.join("state");
    let config =
        Config::load(Some(state.clone()), Some(state), jiff::civil::date(2025, 12, 31)).expect("a configuration");
    Memora::open(Some(&dir.join("vault")), config).expect("a vault")
}

pub(crate) fn sync(memora: &mut Memora, bound: SyncBound) {
    memora.sync(bound, &AtomicBool::new(false), &mut |_| {}).expect("an index");
}

fn count(memora: &Memora, words: &str, authors: Authors) -> usize {
    let options = SearchOptions { limit: 9, lexical_only: true, authors, ..SearchOptions::default() };
    let session = memora.session(LocalDoor).expect("a session");
    session.search().find_claims(words, &options).expect("a search").hits.len()
}

const CAPTURED: &str = "---\nmemora: captured\n---\n\nThe machine keeps zinnias.\n";

#[test]
fn an_edit_writes_the_indexes_that_it_concerns() {
    let secret = "---\nprivacy: secret\n---\nDan keeps newts.\n";
    let mut world = World::new(&[("a.md", "Anna keeps bees.\n"), ("b.md", CAPTURED), ("c.md", secret)]);
    let before = world.commits();
    world.write(&[("a.md", "Anna keeps wasps.\n")]);
    assert_eq!(world.written_since(&before), ["public"]);
    world.check("wasps", Authors::User, 1);
    world.check("bees", Authors::User, 0);
    let before = world.commits();
    world.write(&[("b.md", &CAPTURED.replace("zinnias", "tulips"))]);
    assert_eq!(world.written_since(&before), ["captured-public"]);
    world.check("tulips", Authors::Machines, 1);
    world.check("zinnias", Authors::All, 0);
    // Back and forth: what stands here now has to leave where it was.
    let before = world.commits();
    world.write(&[("b.md", "The machine keeps tulips.\n"), ("c.md", "")]);
    assert_eq!(world.written_since(&before), ["captured-public", "public", "secret"]);
    world.check("tulips", Authors::User, 1);
    world.check("tulips", Authors::Machines, 0);
    world.check("newts", Authors::All, 0);
}

/// Of many changes that do not concern an index it says that it has followed them, so that the next process need not look.
#[test]
fn many_changes_are_written_down_and_the_log_goes() {
    let mut world = World::new(&[("a.md", "Anna keeps bees.\n"), ("b.md", CAPTURED)]);
    let before = world.commits();
    for number in 0..140 {
        world.write(&[("a.md", &format!("Anna keeps {number} bees.\n"))]);
        if number == 20 {
            assert_eq!(world.written_since(&before), ["public"]);
        }
    }
    assert_eq!(world.written_since(&before).len(), 6, "every index was written by now");
    world.check("139 bees", Authors::User, 1);
    world.write(&[("b.md", &CAPTURED.replace("zinnias", "tulips"))]);
    world.check("tulips", Authors::Machines, 1);
    world.check("zinnias", Authors::Machines, 0);
}

/// The files of the clear index are written anew without what became guarded, however it became so; what merely went waits.
#[test]
fn words_that_became_guarded_leave_the_files_of_the_clear_index_at_once() {
    let has_deleted = |world: &World, part: &str| {
        let commit = String::from_utf8(world.commits()[part].clone()).expect("JSON").replace(' ', "");
        commit.matches("\"deletes\":").count() > commit.matches("\"deletes\":null").count()
    };
    // Of an index that has lost a third of its documents the library rewrites the files anyway.
    let others: String = (0..20).map(|number| format!("Eva writes poem {number} in Kiel.\n\n")).collect();
    let notes =
        [("a.md", "Anna keeps bees.\n"), ("b.md", "Dan breeds axolotls.\n\nBen lives in Ulm.\n"), ("c.md", &*others)];
    for guarded in ["Dan breeds axolotls.\n\nBen lives in Ulm.\n", "Dan breeds newts now.\n"] {
        let mut world = World::new(&notes);
        world.write(&[("a.md", "Anna keeps wasps.\n")]);
        assert!(has_deleted(&world, "public"));
        world.write(&[("b.md", &format!("---\nprivacy: secret\n---\n{guarded}"))]);
        assert!(!has_deleted(&world, "public"), "{guarded}");
        world.check("axolotls Ulm", Authors::All, usize::from(guarded.contains("Ulm")) * 2);
        world.write(&[("b.md", "---\nprivacy: secret\n---\nDan breeds newts.\n")]);
        assert!(!has_deleted(&world, "secret"));
    }
}

/// Notes with nothing in them are made by links that were followed once; they are looked at each time, and nobody waits for them.
#[test]
fn hundreds_of_blank_notes_leave_nothing_to_wait_for() {
    let blank: Vec<String> = (0..300).map(|number| format!("blank {number}.md")).collect();
    let mut notes: Vec<(&str, &str)> = blank.iter().map(|name| (name.as_str(), "\n")).collect();
    notes.push(("anna.md", "Anna keeps bees.\n"));
    let mut world = World::new(&notes);
    for said in ["Anna keeps bees.\n", "Anna keeps wasps.\n"] {
        world.write(&[("anna.md", said)]);
        let synced = world.memora.sync(SyncBound::READER, &AtomicBool::new(false), &mut |_| {}).expect("an index");
        assert_eq!((synced.pending, synced.changed), (0, 0));
    }
    world.write(&[("blank 7.md", "Ben keeps newts.\n")]);
    world.check("newts", Authors::User, 1);
}
