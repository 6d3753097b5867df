//! A service on a vault on disk, with its real threads and under no protocol.

use std::fs;
use std::path::Path;
use std::sync::mpsc::{Sender, channel};

use jiff::civil::date;
use memora_engine::report::Freshness;
use memora_engine::{Config, Door, FoundVault, Hint as _, SearchOptions};
use memora_service::{
    Audience, ReadContext, ServiceError, ServiceErrorKind, ServiceSetup, ServiceThreads, VaultRequest, VaultService,
};
use tempfile::TempDir;

/// A search for words. The answer has the paths of the notes found, and how fresh the index was.
struct Search(&'static str);

impl VaultRequest for Search {
    type Answer = (Vec<String>, Freshness);
    type Error = ServiceError;

    fn label(&self) -> &'static str {
        "search"
    }

    fn answer<D: Door>(&self, context: &ReadContext<'_, D>) -> Result<Self::Answer, ServiceError> {
        let session = context.session().expect("the index can be read");
        let options = SearchOptions { limit: 10, ..SearchOptions::default() };
        let found = session.search().report_claims(self.0, &options, context.freshness());
        let report = found.expect("the index can be searched");
        let places = report.hits.iter().filter_map(|hit| hit.claim.place());
        Ok((places.map(|place| place.path.clone()).collect(), context.freshness()))
    }
}

/// A request that lasts until it is cancelled, and says when it began and when it ended.
struct UntilCancelled(Sender<&'static str>);

impl VaultRequest for UntilCancelled {
    type Answer = ();
    type Error = ServiceError;

    fn label(&self) -> &'static str {
        "until cancelled"
    }

    fn is_slow(&self) -> bool {
        true
    }

    fn answer<D: Door>(&self, context: &ReadContext<'_, D>) -> Result<(), ServiceError> {
        self.0.send("began").expect("the test listens");
        while !context.is_cancelled() {
            std::thread::yield_now();
        }
        let _ = self.0.send("cancelled");
        Ok(())
    }
}

/// A request that meets a fault of the program.
struct Faulty {
    slow: bool,
}

impl VaultRequest for Faulty {
    type Answer = ();
    type Error = ServiceError;

    fn label(&self) -> &'static str {
        "faulty"
    }

    fn is_slow(&self) -> bool {
        self.slow
    }

    fn answer<D: Door>(&self, _: &ReadContext<'_, D>) -> Result<(), ServiceError> {
        panic!("a fault that the test makes")
    }
}

struct Vault {
    folder: TempDir,
}

impl Vault {
    fn new(notes: &[(&str, &str)]) -> Self {
        let vault = Self { folder: tempfile::tempdir().expect("a folder") };
        fs::create_dir(vault.notes()).expect("a folder");
        for (path, text) in notes {
            vault.write(path, text);
        }
        vault
    }

    fn notes(&self) -> std::path::PathBuf {
        self.folder.path().join("vault")
    }

    fn write(&self, path: &str, text: &str) {
        fs::write(self.notes().join(path), text).expect("a note");
    }

    fn write_many(&self, count: usize, word: &str) {
        for number in 0..count {
            self.write(&format!("{word} {number}.md"), &format!("# {word} {number}\n\nIt is about a {word}.\n"));
        }
    }

    fn serve(&self, audience: Audience) -> (VaultService, ServiceThreads) {
        let state = self.folder.path().join("state");
        let config = Config::load(Some(state), Some(self.folder.path().join("config")), date(2025, 12, 31));
        let vault = FoundVault::find(Some(&self.notes()), config.expect("a configuration")).expect("a vault");
        VaultService::start(ServiceSetup { vault, audience, today: Box::new(|| date(2025, 12, 31)) })
    }
}

fn search(service: &VaultService, words: &'static str) -> (Vec<String>, Freshness) {
    service.submit(Search(words)).wait().expect("it answers")
}

/// Whether a file of this name lies anywhere below a folder.
fn has_file(folder: &Path, name: &str) -> bool {
    fs::read_dir(folder).is_ok_and(|entries| {
        entries.filter_map(Result::ok).any(|entry| {
            let path = entry.path();
            path.file_name().is_some_and(|found| found == name) || (path.is_dir() && has_file(&path, name))
        })
    })
}

const ANNA: (&str, &str) = ("Anna.md", "# Anna\n\nAnna works at Tidewell.\n");
const BEN: (&str, &str) = ("Ben.md", "---\nprivacy: secret\n---\n# Ben\n\nBen works at Tidewell.\n");

#[test]
fn an_audience_is_shown_what_its_door_shows_and_nothing_is_logged() {
    for (audience, paths) in [(Audience::Cloud, vec!["Anna.md"]), (Audience::Local, vec!["Anna.md", "Ben.md"])] {
        let vault = Vault::new(&[ANNA, BEN]);
        let (service, threads) = vault.serve(audience);
        let (mut found, freshness) = search(&service, "Tidewell");
        found.sort();
        assert_eq!(found, paths, "{audience:?}");
        assert!(freshness.fresh);
        drop(service);
        threads.join();
        assert!(!has_file(vault.folder.path(), "egress.jsonl"), "what is sent is the protocol's to log");
    }
}

#[test]
fn an_answer_is_given_at_once_while_more_is_indexed_than_a_question_waits_for() {
    let vault = Vault::new(&[ANNA]);
    let (service, threads) = vault.serve(Audience::Cloud);
    assert!(search(&service, "Tidewell").1.fresh);
    let mut progress = service.subscribe_progress();
    vault.write_many(400, "zeppelin");
    // The system reports changes in its own time. What is due is told, and the rest is indexed beside the answers.
    let mut was_due = false;
    loop {
        let (found, freshness) = search(&service, "Tidewell");
        assert_eq!(found, ["Anna.md"]);
        // The number would reveal something about guarded notes.
        assert!(freshness.pending <= usize::from(!freshness.fresh), "{freshness:?}");
        was_due |= !freshness.fresh;
        if was_due && freshness.fresh {
            break;
        }
    }
    assert!(progress.has_changed().expect("the service is there"));
    let told = *progress.borrow_and_update();
    assert!(told.done > 0 && told.done <= told.total, "{told:?}");
    assert!(!search(&service, "zeppelin").0.is_empty());
    drop(service);
    threads.join();
}

#[test]
fn what_was_saved_is_found_and_what_was_guarded_is_not() {
    let vault = Vault::new(&[ANNA]);
    let (service, threads) = vault.serve(Audience::Cloud);
    assert!(search(&service, "Nordwind").0.is_empty());
    vault.write("Ben.md", "# Ben\n\nBen works at Nordwind.\n");
    while search(&service, "Nordwind").0 != ["Ben.md"] {}
    // A note that was found is read again, so this waits for nothing.
    vault.write("Ben.md", "---\nprivacy: secret\n---\n# Ben\n\nBen works at Nordwind.\n");
    assert!(search(&service, "Nordwind").0.is_empty());
    drop(service);
    threads.join();
}

#[test]
fn it_stops_while_notes_are_indexed_and_goes_on_where_it_stopped() {
    let vault = Vault::new(&[ANNA]);
    vault.write_many(1_500, "zeppelin");
    let (service, threads) = vault.serve(Audience::Local);
    let mut progress = service.subscribe_progress();
    let waiting = service.submit(Search("Tidewell"));
    while !progress.has_changed().expect("the service is there") {
        std::thread::yield_now();
    }
    drop((waiting, service));
    threads.join();
    let told = *progress.borrow_and_update();
    assert!(told.done < told.total, "it stopped before the end: {told:?}");

    let (service, threads) = vault.serve(Audience::Local);
    let (found, freshness) = search(&service, "Tidewell");
    assert_eq!((found, freshness.fresh), (vec!["Anna.md".to_owned()], true));
    assert!(!search(&service, "zeppelin").0.is_empty());
    drop(service);
    threads.join();
}

#[test]
fn a_slow_request_keeps_no_other_waiting_and_ends_when_it_is_no_longer_awaited() {
    let vault = Vault::new(&[ANNA]);
    let (service, threads) = vault.serve(Audience::Cloud);
    let (say, heard) = channel();
    let slow = service.submit(UntilCancelled(say.clone()));
    let queued = service.submit(UntilCancelled(say));
    assert_eq!(heard.recv(), Ok("began"));
    assert_eq!(search(&service, "Tidewell").0, ["Anna.md"]);
    drop((queued, slow));
    assert_eq!(heard.recv(), Ok("cancelled"));
    drop(service);
    threads.join();
    assert!(heard.recv().is_err(), "a request that was cancelled in the queue never began");
}

#[test]
fn a_vault_that_went_is_told_with_a_hint_until_it_is_back() {
    let vault = Vault::new(&[ANNA]);
    let (service, threads) = vault.serve(Audience::Local);
    let away = vault.folder.path().join("away");
    fs::rename(vault.notes(), &away).expect("it can be moved");
    let error = service.submit(Search("Tidewell")).wait().expect_err("it is gone");
    assert_eq!(error.kind(), ServiceErrorKind::Vault, "{error}");
    assert!(!error.hint().is_empty());
    fs::rename(&away, vault.notes()).expect("it can be moved back");
    let (found, _) = search(&service, "Tidewell");
    assert_eq!(found, ["Anna.md"]);
    drop(service);
    threads.join();
}

#[test]
fn a_request_that_panics_is_answered_and_ends_no_thread() {
    let vault = Vault::new(&[ANNA]);
    let (service, threads) = vault.serve(Audience::Local);
    for slow in [false, true] {
        for _ in 0..2 {
            let error = service.submit(Faulty { slow }).wait().expect_err("it panicked");
            assert_eq!(error.kind(), ServiceErrorKind::Panicked, "{error}");
            assert!(!error.hint().is_empty());
            assert_eq!(search(&service, "Tidewell").0, ["Anna.md"]);
        }
    }
    vault.write("Ben.md", "# Ben\n\nBen works at Nordwind.\n");
    while search(&service, "Nordwind").0 != ["Ben.md"] {}
    drop(service);
    threads.join();
}
