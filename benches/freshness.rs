//! How long it takes from a save until what was saved answers a question, and what the time goes into.
//!
//! `cargo bench --bench freshness` makes a vault of 2,000 notes and watches it as `memora watch` does, in this process;
//! `-- 6500` asks for more. Then one note is saved after another, in each of the ways that editors save, with a word that
//! stands nowhere else. A save is over when that word is found by a search that re-reads its place. The parts:
//!
//! - **heard**: from the end of the save until the watcher knows;
//! - **debounce**: until nothing more was heard for a moment, and it is due;
//! - **indexed**: looking, reading, writing the store, the lexical index and the vectors;
//! - **answered**: the search.
//!
//! The budget is a second for all of them. Nothing here fails when it is not kept: a figure is to be read.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use memora_engine::report::Freshness;
use memora_engine::{Config, LocalDoor, Memora, SearchOptions, VaultWatch};

const NOTES: usize = 2_000;
const SAVES: usize = 40;
const FRESH: Freshness = Freshness { fresh: true, pending: 0 };

/// What one save took, part by part.
#[derive(Clone, Copy)]
struct Save {
    heard: Duration,
    debounce: Duration,
    looked: Duration,
    indexed: Duration,
    answered: Duration,
}

impl Save {
    fn all(&self) -> Duration {
        self.heard + self.debounce + self.indexed + self.answered
    }
}

#[expect(clippy::print_stdout, reason = "a bench prints its figures")]
fn line(what: &str, times: impl Iterator<Item = Duration>) {
    let mut times: Vec<Duration> = times.collect();
    times.sort_unstable();
    let last = times.len() - 1;
    println!("{what:<44} {:>10.1?} in the middle   {:>10.1?} at most", times[last / 2], times[last]);
}

fn make_vault(root: &Path, notes: usize) {
    fs::create_dir_all(root.join(".obsidian")).expect("a folder");
    for number in 0..notes {
        let folder = root.join(format!("folder {}", number % 40));
        fs::create_dir_all(&folder).expect("a folder");
        let mut text = format!("---\nstatus: active\n---\n# Gate {number}\n\n");
        for part in 0..12 {
            text.push_str(&format!("- Gate {number} has {part} bolts and {} hinges.\n", (number * 7 + part) % 100));
        }
        fs::write(folder.join(format!("note {number}.md")), text).expect("a note");
    }
}

/// Saves a note in one of the ways that editors do.
fn save(note: &Path, text: &str, way: usize) {
    match way % 3 {
        // Obsidian, VS Code.
        0 => fs::write(note, text).expect("a save"),
        // Syncthing, and who saves atomically.
        1 => {
            let temporary = note.with_extension("tmp");
            fs::write(&temporary, text).expect("a save");
            fs::rename(temporary, note).expect("a rename");
        }
        // Vim.
        _ => {
            let backup = note.with_extension("md~");
            fs::rename(note, &backup).expect("a rename");
            fs::write(note, text).expect("a save");
            fs::remove_file(backup).expect("a file can go");
        }
    }
}

fn measure(memora: &mut Memora, watching: &mut VaultWatch, note: &Path, number: usize) -> Save {
    let stop = AtomicBool::new(false);
    let word = format!("quorvex{number}");
    save(note, &format!("# A gate\n\nThe gate was painted by {word}.\n"), number);
    let saved = Instant::now();
    while watching.dirty().is_clean() {
        thread::sleep(Duration::from_micros(200));
    }
    let heard = saved.elapsed();
    let began = Instant::now();
    watching.wait(&stop, None);
    let debounce = began.elapsed();
    let began = Instant::now();
    let bound = watching.next_round();
    let synced = memora.catch_up(watching, bound, &stop, &mut |_| {}).expect("it can be taken in");
    let (looked, indexed) = (synced.walked, began.elapsed());
    let began = Instant::now();
    let options = SearchOptions { limit: 10, ..SearchOptions::default() };
    let session = memora.session(LocalDoor).expect("a session");
    let report = session.search().report_claims(&word, &options, FRESH).expect("a search");
    let found = report.hits.first().is_some_and(|hit| hit.why.iter().any(|why| why.contains("quorvex")));
    assert!(found, "what was saved is found");
    Save { heard, debounce, looked, indexed, answered: began.elapsed() }
}

fn main() {
    let notes = std::env::args().skip(1).find_map(|arg| arg.parse().ok()).unwrap_or(NOTES);
    let dir = tempfile::tempdir().expect("a folder");
    let root = dir.path().join("vault");
    make_vault(&root, notes);
    let state = dir.path().join("state");
    let today = jiff::civil::date(2025, 12, 31);
    let config = Config::load(Some(state.clone()), Some(state), today).expect("a configuration");
    let mut memora = Memora::open(Some(&root), config).expect("a vault");
    let mut watching = memora.watch(false);
    let bound = watching.next_round();
    let stop = AtomicBool::new(false);
    let begun = memora.catch_up(&mut watching, bound, &stop, &mut |_| {}).expect("an index");
    assert_eq!(begun.seen, notes);

    let saves: Vec<Save> = (0..SAVES)
        .map(|number| {
            let note = root.join(format!("folder {}", number % 40)).join(format!("note {number}.md"));
            measure(&mut memora, &mut watching, &note, number)
        })
        .collect();
    line("heard", saves.iter().map(|save| save.heard));
    line("debounce", saves.iter().map(|save| save.debounce));
    line("indexed", saves.iter().map(|save| save.indexed));
    line("  of that looking at the places", saves.iter().map(|save| save.looked));
    line("answered, place re-read", saves.iter().map(|save| save.answered));
    line(&format!("all, of {SAVES} saves in a vault of {notes} notes"), saves.iter().map(Save::all));
}
