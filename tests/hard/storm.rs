//! Watchers, readers, clients and a writer at once: nothing fails, nothing is quoted that does not stand in its note, nothing
//! grows.
//!
//! A quotation is checked against every text that its note had between the start and the end of the command that printed it,
//! since the writer may be ahead of the reader.
//!
//! Runs for seconds. By hand: `MEMORA_STORM_SECONDS=600 cargo test --test integration hard::storm -- --nocapture`.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use memora_testkit::{Fixture, MemoraBinary};
use regex::Regex;
use serde_json::{Value, json};

use super::Dice;
use crate::mcp::Client;
use crate::support::{Watch, memora};
use crate::watching::git;

/// Notes of each branch.
const GATES: usize = 120;

/// Processes that run one command after another.
const READERS: usize = 4;

/// Calls that each client makes before its process counts as warm.
const WARMING_CALLS: usize = 20;

/// How much larger a warm process may get in the second half of the storm than it got in the first: open files, and resident
/// memory in KiB. One command holds open and in memory less than this, whenever it comes; what leaks holds more in minutes.
const FILES_GROWN_MAX: usize = 32;
const MEMORY_GROWN_MAX: u64 = 128 << 10;

/// A text that a note had, and when it may have been read. `None` while there is no note.
struct Version {
    text: Option<String>,
    from: Instant,
    until: Option<Instant>,
}

/// The texts of the notes, by path.
#[derive(Default)]
struct History(Mutex<HashMap<String, Vec<Version>>>);

impl History {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Vec<Version>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a change of notes around what makes it.
    fn change(&self, texts: &[(String, Option<String>)], make: impl FnOnce()) {
        let now = Instant::now();
        for (path, text) in texts {
            self.lock().entry(path.clone()).or_default().push(Version { text: text.clone(), from: now, until: None });
        }
        make();
        let now = Instant::now();
        for (path, _) in texts {
            let mut all = self.lock();
            let versions = all.entry(path.clone()).or_default();
            let last = versions.len() - 1;
            for version in versions.iter_mut().take(last) {
                version.until.get_or_insert(now);
            }
        }
    }

    /// Whether a note had these words at some time since.
    fn had(&self, path: &str, words: &str, since: Instant) -> bool {
        let all = self.lock();
        let Some(versions) = all.get(path) else { return false };
        let was_there = |version: &&Version| version.until.is_none_or(|until| until >= since);
        versions.iter().filter(was_there).any(|version| {
            version.text.as_ref().is_some_and(|text| text.contains(words)) && version.from <= Instant::now()
        })
    }

    fn texts(&self) -> BTreeMap<String, String> {
        let all = self.lock();
        let last = |versions: &Vec<Version>| versions.last().and_then(|version| version.text.clone());
        all.iter().filter_map(|(path, versions)| Some((path.clone(), last(versions)?))).collect()
    }
}

fn gate(number: usize, version: usize) -> (String, String) {
    let path = format!("yard {}/Gate {number}.md", number % 7);
    (path, gate_text(number, version))
}

fn gate_text(number: usize, version: usize) -> String {
    format!(
        "# Gate {number}\n\nGate {number} has {version} bolts and {} hinges.\n\n- Anna oiled gate {number} {version} times\n",
        version + 3
    )
}

/// What all take part in.
struct Storm {
    fixture: Fixture,
    memora: MemoraBinary,
    history: History,
    /// The notes of each branch.
    branches: [BTreeMap<String, String>; 2],
    is_over: AtomicBool,
    quotes: AtomicUsize,
    commands: AtomicUsize,
    changes: AtomicUsize,
    /// Calls that each client made.
    calls: [AtomicUsize; 3],
}

impl Storm {
    fn new() -> Self {
        let fixture = Fixture::from_notes(&[]);
        let branch =
            |part: usize| (0..GATES).filter(move |number| number % 10 != part).map(move |n| gate(n, part * 1000));
        let branches: [BTreeMap<String, String>; 2] = [branch(1).collect(), branch(2).collect()];
        git(&fixture, &["init", "--quiet", "--initial-branch=none"]);
        for (name, notes) in ["one", "two"].into_iter().zip(&branches) {
            git(&fixture, &["checkout", "--quiet", "--orphan", name]);
            git(&fixture, &["rm", "-r", "-f", "-q", "--ignore-unmatch", "."]);
            for (path, text) in notes {
                fixture.write(path, text);
            }
            git(&fixture, &["add", "."]);
            git(&fixture, &["commit", "--quiet", "-m", name]);
        }
        git(&fixture, &["checkout", "--quiet", "one"]);
        let history = History::default();
        let texts: Vec<_> = branches[0].iter().map(|(path, text)| (path.clone(), Some(text.clone()))).collect();
        history.change(&texts, || ());
        let memora = memora(&fixture).at_local_door();
        let _ = memora.run(&["index"]).assert_code(0);
        let is_over = AtomicBool::new(false);
        let (quotes, commands, changes) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
        let calls = [const { AtomicUsize::new(0) }; 3];
        Self { fixture, memora, history, branches, is_over, quotes, commands, changes, calls }
    }

    fn goes_on(&self) -> bool {
        !self.is_over.load(Ordering::Relaxed)
    }

    /// Edits, moves, deletes and creates notes, and switches branches, until it is over.
    fn write(&self) {
        let mut dice = Dice(0x5708_0000_0000_0001);
        let mut version = 5000;
        while self.goes_on() {
            version += 1;
            self.changes.fetch_add(1, Ordering::Relaxed);
            let texts = self.history.texts();
            let paths: Vec<&String> = texts.keys().collect();
            let path = paths[dice.below(paths.len())].clone();
            let number = path.split([' ', '.']).find_map(|word| word.parse::<usize>().ok()).unwrap_or_default();
            let text = gate_text(number, version);
            match dice.below(40) {
                0 => self.switch_branch(dice.below(2)),
                1..4 => self.history.change(&[(path.clone(), None)], || self.fixture.remove(&path)),
                4..8 => {
                    let to = format!("moved/Gate {number} of {version}.md");
                    let changes = [(path.clone(), None), (to.clone(), texts.get(&path).cloned())];
                    self.history.change(&changes, || {
                        self.fixture.write("moved/.keep", "");
                        fs::rename(self.fixture.path(&path), self.fixture.path(&to)).expect("a note can be moved");
                    });
                }
                8..12 => {
                    let (path, text) = gate(dice.below(GATES * 2), version);
                    self.history.change(&[(path.clone(), Some(text.clone()))], || self.fixture.write(&path, &text));
                }
                12..26 => {
                    self.history.change(&[(path.clone(), Some(text.clone()))], || self.fixture.write(&path, &text));
                }
                _ => self.history.change(&[(path.clone(), Some(text.clone()))], || {
                    let making = self.fixture.path(".making.tmp");
                    fs::write(&making, &text).expect("a file can be written");
                    fs::rename(making, self.fixture.path(&path)).expect("it can take a note's place");
                }),
            }
            thread::sleep(Duration::from_millis(dice.below(50) as u64));
        }
    }

    /// Switches to a branch. What was changed is staged, so that it goes with the other branch.
    fn switch_branch(&self, to: usize) {
        let name = ["one", "two"][to];
        let here = self.history.texts();
        let all: BTreeSet<&String> = self.branches.iter().flat_map(BTreeMap::keys).chain(here.keys()).collect();
        let changes: Vec<_> =
            all.into_iter().map(|path| (path.clone(), self.branches[to].get(path).cloned())).collect();
        self.history.change(&changes, || {
            git(&self.fixture, &["add", "--all", "--", ".", ":!Memora"]);
            git(&self.fixture, &["checkout", "--quiet", "--force", name]);
        });
    }

    /// Checks what was printed by a command that was started at `since`.
    fn check(&self, what: &str, printed: &Value, since: Instant) {
        self.commands.fetch_add(1, Ordering::Relaxed);
        let mut due = vec![printed];
        while let Some(value) = due.pop() {
            match value {
                Value::Array(values) => due.extend(values),
                Value::Object(fields) => {
                    if let (Some(Value::String(path)), Some(Value::String(quote))) =
                        (fields.get("path"), fields.get("quote"))
                    {
                        self.check_quote(what, path, quote, since);
                    }
                    if let (Some(Value::String(place)), Some(Value::Array(lines))) =
                        (fields.get("place"), fields.get("lines"))
                    {
                        let path = place.split(" › ").next().unwrap_or_default();
                        for line in lines {
                            self.check_quote(what, path, line["text"].as_str().expect("a line's words"), since);
                            let remark = line["remark"].as_str().unwrap_or_default();
                            for (quote, path) in contested(remark) {
                                self.check_quote(what, path, quote, since);
                            }
                        }
                    }
                    due.extend(fields.values());
                }
                _ => {}
            }
        }
    }

    fn check_quote(&self, what: &str, path: &str, quote: &str, since: Instant) {
        if path.starts_with("Memora/") {
            return;
        }
        assert!(
            self.history.had(path, quote, since),
            "{what} quotes {quote:?} of {path}, which it did not say while it ran"
        );
        self.quotes.fetch_add(1, Ordering::Relaxed);
    }

    fn run_commands(&self, mut dice: Dice) {
        while self.goes_on() {
            let number = dice.below(GATES);
            let args: &[&str] = match dice.below(4) {
                0 => &["ask", "--offline", "--json", &format!("How many bolts has gate {number}?")],
                1 => &["entity", "--json", &format!("Gate {number}")],
                2 => &["claims", "--json", "--limit", "200"],
                _ => &["search", "--json", "--limit", "30", &format!("gate {number} bolts hinges")],
            };
            let since = Instant::now();
            let output = self.memora.run(args);
            assert!(matches!(output.exit, Some(0 | 1)) && !output.stderr.contains("panicked"), "{output}");
            self.check(&args.join(" "), &output.json(), since);
        }
    }

    fn is_warm(&self) -> bool {
        self.calls.iter().all(|calls| calls.load(Ordering::Relaxed) >= WARMING_CALLS)
    }

    fn ask_as_client(&self, client: &mut Client, calls: &AtomicUsize, remembers: bool, mut dice: Dice) {
        while self.goes_on() {
            let number = dice.below(GATES);
            let (tool, arguments) = match dice.below(if remembers { 6 } else { 4 }) {
                0 => ("memora_find", json!({"question": format!("How many bolts has gate {number}?")})),
                1 => ("memora_about", json!({"name": format!("Gate {number}")})),
                2 => ("memora_find", json!({"question": format!("gate {number} hinges"), "limit": 12})),
                3 => ("memora_read", json!({"note": format!("Gate {number}")})),
                4 => (
                    "memory_save",
                    json!({"content": format!("The yard of gate {number} keeps {number} spare hinges.")}),
                ),
                _ => ("memory_search", json!({"query": "spare hinges"})),
            };
            let since = Instant::now();
            if tool == "memora_read" {
                // The note may be gone, or be two.
                let response = client.call(tool, arguments);
                let result = &response["result"];
                let text = result["content"][0]["text"].as_str().unwrap_or_default();
                let is_missing = ["no such note", "several notes have this name"].iter().any(|why| text.contains(why));
                assert!(result["isError"] != true || is_missing, "{response}");
                self.check(tool, &result["structuredContent"], since);
            } else {
                self.check(tool, &client.told(tool, arguments), since);
            }
            calls.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// The quotations in the remark on a line, each with its note.
fn contested(remark: &str) -> impl Iterator<Item = (&str, &str)> {
    static QUOTATION: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"contested by (.+?) \[claim:\w+\] \((.+?\.md)[:;)]").expect("a pattern"));
    QUOTATION.captures_iter(remark).map(|found| found.extract()).map(|(_, [quote, path])| (quote, path))
}

/// Open files, and resident memory in KiB, of a process.
fn size_of(process: u32) -> (usize, u64) {
    let files = fs::read_dir(format!("/proc/{process}/fd")).expect("it runs").count();
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("it runs");
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("its memory");
    (files, resident.trim().trim_end_matches(" kB").parse().expect("a number"))
}

#[test]
#[expect(clippy::print_stdout, reason = "by hand, its figures are read")]
fn in_a_storm_nothing_fails_lies_or_grows() {
    let seconds = std::env::var("MEMORA_STORM_SECONDS").ok().and_then(|seconds| seconds.parse().ok()).unwrap_or(10);
    let time = Duration::from_secs(seconds);
    let storm = Storm::new();
    let mut watches = [Watch::begun(&storm.memora, &[]), Watch::begun(&storm.memora, &["--poll"])];
    let mut clients = [&["--client", "local"][..], &[], &["--client", "local", "--memory"]]
        .map(|args| Client::connected(&storm.memora, args));
    let processes: Vec<u32> = watches.iter().map(Watch::id).chain(clients.iter().map(Client::process_id)).collect();
    let (early, late) = thread::scope(|scope| {
        // What fails ends the storm, and the test when its thread is joined.
        scope.spawn(|| {
            let _over = OnDrop(&storm.is_over);
            storm.write();
        });
        for number in 0..READERS {
            let storm = &storm;
            scope.spawn(move || {
                let _over = OnDrop(&storm.is_over);
                // Nothing is measured before: beside eight readers the servers take minutes for their first answers.
                while storm.goes_on() && !storm.is_warm() {
                    thread::sleep(Duration::from_millis(50));
                }
                storm.run_commands(Dice(0x4ead_0000_0000_0001 + number as u64));
            });
        }
        for (number, (client, calls)) in clients.iter_mut().zip(&storm.calls).enumerate() {
            let storm = &storm;
            scope.spawn(move || {
                let _over = OnDrop(&storm.is_over);
                storm.ask_as_client(client, calls, number == 2, Dice(0xc11e_0000_0000_0001 + number as u64));
            });
        }
        let largest_until = |is_reached: &dyn Fn() -> bool| {
            let mut largest = vec![(0, 0); processes.len()];
            while storm.goes_on() && !is_reached() {
                for (largest, process) in largest.iter_mut().zip(&processes) {
                    let size = size_of(*process);
                    *largest = (size.0.max(largest.0), size.1.max(largest.1));
                }
                thread::sleep(Duration::from_millis(50));
            }
            largest
        };
        let _ = largest_until(&|| storm.is_warm());
        let warm = Instant::now();
        let early = largest_until(&|| warm.elapsed() >= time / 2);
        let late = largest_until(&|| warm.elapsed() >= time);
        storm.is_over.store(true, Ordering::Relaxed);
        (early, late)
    });
    for ((before, after), process) in early.iter().zip(&late).zip(0..) {
        assert!(after.0 <= before.0 + FILES_GROWN_MAX, "process {process}: open files {before:?}, then {after:?}");
        assert!(after.1 <= before.1 + MEMORY_GROWN_MAX, "process {process}: memory {before:?}, then {after:?}");
    }
    for client in clients {
        let ended = client.end();
        assert!(ended.status.success() && !ended.stderr.contains("panicked"), "{ended:?}");
    }
    for watch in &mut watches {
        let said = watch.said();
        assert!(!said.contains("panicked") && !said.contains("error:"), "{said}");
    }
    for watch in watches {
        let _ = watch.end("-TERM").assert_code(0);
    }
    let _ = storm.memora.run(&["index"]).assert_code(0);
    let export = |memora: &MemoraBinary| memora.run(&["export", "--canonical"]).assert_code(0).stdout;
    assert!(
        export(&storm.memora) == export(&memora(&storm.fixture).at_local_door()),
        "the index differs from one made anew"
    );
    let [quotes, commands, changes] =
        [&storm.quotes, &storm.commands, &storm.changes].map(|count| count.load(Ordering::Relaxed));
    assert!(quotes > 0 && commands > 10 && changes > 10, "{quotes} {commands} {changes}");
    println!("{commands} commands and calls, {quotes} quotations, {changes} changes; early {early:?}, late {late:?}");
}

/// Raises a flag when it goes, also in a panic.
struct OnDrop<'s>(&'s AtomicBool);

impl Drop for OnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
