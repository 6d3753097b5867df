//! Eight servers that write into one log, two of which are killed again and again, and an editor that saves it all the while:
//! nothing that was acknowledged is lost, nothing is torn, nothing is there twice.
//!
//! By hand, for as many writes as wanted: `MEMORA_STORM_WRITES=1000 cargo test --test integration memory::concurrency`.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use memora_testkit::{Fixture, TreeSnapshot};
use serde_json::{Value, json};

use super::{text_of, vault};
use crate::mcp::Client;
use crate::support::memora;

const WRITERS: usize = 8;
/// The first ones are killed.
const KILLED: usize = 2;
/// The writes that a server has before it when it is killed.
const AT_ONCE: usize = 4;

fn write(words: &str) -> Value {
    json!({"kind": "event", "content": words, "project": "drift"})
}

fn words(writer: usize, number: usize) -> String {
    format!("Entry {number} of writer {writer}.")
}

/// How often an entry may be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    /// It was acknowledged.
    Written,
    /// Its server was killed before it answered.
    Unknown,
}

/// Writes entries, and is killed now and then if it is one of those; what it was told of each.
fn write_entries(memora: &memora_testkit::MemoraBinary, writer: usize, writes: usize) -> Vec<(String, Told)> {
    let connect = || Client::connected(memora, &["--memory"]);
    let mut client = connect();
    let mut told = Vec::new();
    let mut number = 0;
    while number < writes {
        if writer < KILLED && number % 10 == 5 {
            let begun: Vec<u64> = (number..number + AT_ONCE)
                .map(|number| {
                    client
                        .begin("tools/call", json!({"name": "memory_save", "arguments": write(&words(writer, number))}))
                })
                .collect();
            let first = client.response(begun[0]);
            assert!(first.to_string().contains("written"), "{first}");
            thread::sleep(Duration::from_millis((number as u64 * 7 + writer as u64 * 3) % 23));
            drop(client);
            told.push((words(writer, number), Told::Written));
            told.extend((number + 1..number + AT_ONCE).map(|number| (words(writer, number), Told::Unknown)));
            number += AT_ONCE;
            client = connect();
        } else {
            let report = client.told("memory_save", write(&words(writer, number)));
            assert_eq!(report["status"], "written", "{report}");
            told.push((words(writer, number), Told::Written));
            number += 1;
        }
    }
    told
}

/// The files of the log, the newest last; not what was brought back beside them.
fn logs(fixture: &Fixture) -> Vec<PathBuf> {
    let projects = fs::read_dir(fixture.path("Memora/projects")).expect("a folder").flatten();
    let files =
        projects.flat_map(|project| fs::read_dir(project.path().join("episodic")).into_iter().flatten().flatten());
    let name = |path: &PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let is_log = |path: &PathBuf| name(path).ends_with(".md") && !name(path).contains("recovered");
    let mut logs: Vec<PathBuf> = files.map(|file| file.path()).filter(is_log).collect();
    logs.sort_by_key(|path| (path.as_os_str().len(), path.clone()));
    logs
}

#[test]
fn eight_writers_an_editor_and_kills_lose_tear_and_repeat_nothing() {
    let writes = std::env::var("MEMORA_STORM_WRITES").ok().and_then(|writes| writes.parse().ok()).unwrap_or(24);
    let fixture = vault();
    let memora = memora(&fixture);
    let _ = memora.run(&["index"]).assert_code(0);
    let mut first = Client::connected(&memora, &["--memory"]);
    first.told("memory_save", write("Begin."));
    let is_over = AtomicBool::new(false);
    let (told, edits) = thread::scope(|scope| {
        let editor = scope.spawn(|| {
            let mut edits = 0;
            while !is_over.load(Ordering::Relaxed) {
                let newest = logs(&fixture).pop().expect("a log");
                let mut file = OpenOptions::new().append(true).open(newest).expect("it is there");
                thread::sleep(Duration::from_millis(3));
                file.write_all(format!("edit {edits} of the user\n").as_bytes()).expect("it writes");
                edits += 1;
                thread::sleep(Duration::from_millis(200));
            }
            edits
        });
        let memora = &memora;
        let writers: Vec<_> =
            (0..WRITERS).map(|writer| scope.spawn(move || write_entries(memora, writer, writes))).collect();
        let told: Vec<_> = writers.into_iter().map(|writer| writer.join()).collect();
        is_over.store(true, Ordering::Relaxed);
        let told: Vec<(String, Told)> = told.into_iter().flat_map(|told| told.expect("it writes")).collect();
        (told, editor.join().expect("it edits"))
    });
    // What an editor wrote to a file that had been replaced comes back with the next writes.
    for number in 0..2 {
        first.told("memory_save", write(&format!("End {number}.")));
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for log in logs(&fixture) {
        let text = fs::read_to_string(&log).expect("text");
        let lines: Vec<&str> = text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            if line.starts_with("Entry ") {
                *counts.entry((*line).to_owned()).or_default() += 1;
                let head = at.checked_sub(1).and_then(|at| lines.get(at)).copied().unwrap_or_default();
                assert!(
                    head.starts_with("## ") && head.contains(" ^mem-"),
                    "torn: {head:?} {line:?} of {}",
                    log.display()
                );
            }
        }
    }
    let count = |words: &String| counts.get(words).copied().unwrap_or_default();
    let lost: Vec<_> = told.iter().filter(|(words, told)| *told == Told::Written && count(words) == 0).collect();
    let repeated: Vec<_> = told.iter().filter(|(words, _)| count(words) > 1).collect();
    assert!(lost.is_empty() && repeated.is_empty(), "lost {lost:?}, there twice {repeated:?}");
    assert!(told.iter().any(|(_, told)| *told == Told::Unknown));
    let everything = TreeSnapshot::take(fixture.vault());
    let names: Vec<String> = everything.file_names().map(str::to_owned).collect();
    assert!(names.iter().all(|name| !name.ends_with(".tmp")), "{names:?}");
    let saved: String = names.iter().filter(|name| name.ends_with(".md")).map(|name| fixture.read(name)).collect();
    for edit in 0..edits {
        assert!(saved.contains(&format!("edit {edit} of the user\n")), "edit {edit} of {edits}");
    }
    let found = first.told("memory_search", json!({"query": "Entry of writer", "project": "drift"}));
    assert_eq!(text_of(&found, "status"), "found");
}
