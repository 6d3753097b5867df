//! What agents' memory costs, each figure beside the floor of the same run.
//!
//! `cargo bench --bench memory` makes memories of 1,000 items with a log, a scratchpad and sessions, in a vault of notes of the
//! example; `-- 50000` asks for another number. The figures:
//!
//! - **search**: the memory's own; its floor is the engine's search on the same index, for as many hits in the same folders.
//! - **context**: what a session begins with, of 32 KiB; its floor is one search. And the bytes that it reads for each that it prints.
//! - **save**: without indexing, which comes later; its floor is creating the file, syncing it to disk, and indexing that one note.
//! - **append**: to a log that is nearly full; its floor is writing that file anew, syncing it, and renaming it.
//! - **hook**: the whole process at a session's start; its floor is a process that says its version and ends. And before a
//!   compaction, over a transcript of 50 MB: its floor is reading that file.
//! - **consolidate**: comparisons for each item.
//!
//! Nothing here fails when a figure is bad: it is to be read.

#[path = "support/generator.rs"]
mod generator;

use std::fs::{self, File};
use std::hint::black_box;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use memora_engine::report::{Freshness, SaveStatus};
use memora_engine::{
    Authors, CloudDoor, Config, ContextRequest, Memora, MemoryQuery, MemorySession, MemoryTarget, MemoryWriter,
    NoteFilter, SaveRequest, SearchOptions, Session, SyncBound, TaskOperation, WriteRequest,
};
use memora_memory::{Item, Kind, Log, MemoryId, Origin, SealKey, item_name};
use memora_vault::Band;
use serde_json::json;

use generator::Generator;

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ITEMS: usize = 1_000;
const SEARCHES: usize = 200;
const CONTEXTS: usize = 15;
const SAVES: usize = 20;
const STARTS: usize = 9;
const TRANSCRIPT_BYTES: usize = 50_000_000;
const PROJECT: &str = "drift-1a2b3c4d";
const KEY: [u8; 32] = [7; 32];
const TODAY: jiff::civil::Date = jiff::civil::date(2025, 12, 31);
const FRESH: Freshness = Freshness { fresh: true, pending: 0 };
/// Copies of the example vault beside the memories.
const COPIES: usize = 3;

#[expect(clippy::print_stdout, reason = "a bench prints its figures")]
fn say(line: &str) {
    println!("{line}");
}

/// A line with its ratio to a floor.
fn ratio_line(what: &str, took: Duration, floor: Duration, allowed: f64) {
    let ratio = took.as_secs_f64() / floor.as_secs_f64();
    let verdict = if ratio <= allowed { "kept:  " } else { "missed:" };
    say(&format!("{what:<44} {took:>10.2?}  {ratio:>8.2} x the floor of {floor:>10.2?}   {verdict} {allowed} x"));
}

fn count_line(what: &str, counted: f64, unit: &str, allowed: f64) {
    let verdict = if counted <= allowed { "kept:  " } else { "missed:" };
    say(&format!("{what:<44} {counted:>10.2} {unit:<38} {verdict} {allowed}"));
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let started = Instant::now();
    let result = work();
    (result, started.elapsed())
}

/// The time of the n-th of 100.
fn percentile(times: &mut [Duration], percent: usize) -> Duration {
    times.sort_unstable();
    times.get((times.len() * percent / 100).min(times.len().saturating_sub(1))).copied().unwrap_or_default()
}

fn median(runs: usize, mut work: impl FnMut(usize)) -> Duration {
    let mut times: Vec<Duration> = (0..runs).map(|number| timed(|| work(number)).1).collect();
    percentile(&mut times, 50)
}

/// Bytes that this process has read from files so far; nothing where the system does not say.
fn bytes_read() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/io").ok()?;
    status.lines().find_map(|line| line.strip_prefix("rchar: "))?.parse().ok()
}

/// The most memory that a process had resident so far, in MiB.
fn peak_resident(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib / 1024)
}

/// A vault with memories, and what is known of them.
struct Place {
    _dir: tempfile::TempDir,
    root: PathBuf,
    state: PathBuf,
    key: SealKey,
    words: Vec<String>,
}

impl Place {
    fn new(items: usize) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let (root, state) = (dir.path().join("vault"), dir.path().join("state"));
        fs::create_dir_all(root.join(".obsidian")).expect("a folder");
        fs::create_dir_all(&state).expect("a folder");
        fs::write(state.join("memory.key"), KEY).expect("a key");
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("vault-example");
        let generator = Generator::read(&example);
        for copy in 0..COPIES {
            generator.write_copy(&root, copy);
        }
        let place = Self { _dir: dir, root, state, key: SealKey::new(KEY), words: generator.words().to_vec() };
        (0..items).for_each(|number| place.write_item(number));
        place
    }

    fn word(&self, at: usize) -> &str {
        self.words.get(at % self.words.len().max(1)).map_or("", String::as_str)
    }

    /// A sentence that no other item has.
    fn sentence(&self, number: usize) -> String {
        let word = |step: usize| self.word(200 + number.wrapping_mul(31 * step + 7) % 4_001);
        let who = ["The parser", "The cache", "Anna", "The staging server", "The user"][number % 5];
        let does = ["keeps", "uses", "prefers", "reads", "writes"][number / 5 % 5];
        format!("{who} {does} the {} {} for the {} number {number}.", word(1), word(2), word(3))
    }

    fn item(&self, number: usize) -> Item {
        let day = TODAY.checked_sub(jiff::Span::new().days(i64::try_from(number % 300).unwrap_or_default()));
        Item {
            id: MemoryId::from_random((number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)),
            kind: [Kind::Knowledge, Kind::Tool, Kind::Behavior, Kind::Knowledge, Kind::Skill][number % 5],
            origin: Origin::AgentAnalysis,
            confidence: 0.8,
            domain: None,
            tags: Vec::new(),
            by: "claude-code".to_owned(),
            created: day.expect("a day").at(12, 0, 0, 0),
            from: None,
            imported: None,
            supersedes: Vec::new(),
            privacy: Band::Public,
            held: None,
            archived: None,
            entity: Some(self.word(300 + number % 50).to_owned()),
            text: self.sentence(number),
        }
    }

    /// Writes an item as Memora does: one file, sealed.
    fn write_item(&self, number: usize) {
        let item = self.item(number);
        let inside = format!("Memora/projects/{PROJECT}/{}", item.kind.folder());
        let folder = self.root.join(inside);
        fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join(format!("{}.md", item_name(&item.text, &item.id)));
        fs::write(file, self.key.seal(&item.to_document())).expect("an item");
    }

    /// Writes a log of today with entries of so many bytes.
    fn write_log(&self, bytes: usize) -> PathBuf {
        let mut log = Log::new(TODAY, Band::Public);
        let mut number = 0;
        while log.document().body.len() < bytes {
            let id = MemoryId::from_random(0x5_0000 + number as u64);
            log.append(jiff::civil::time(9, 0, 0, 0), "Step", "claude-code", &id, &self.sentence(100_000 + number));
            number += 1;
        }
        let folder = self.root.join(format!("Memora/projects/{PROJECT}/episodic"));
        fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join(format!("{TODAY} {PROJECT}.md"));
        fs::write(&file, self.key.seal(log.document())).expect("a log");
        file
    }

    fn open(&self) -> Memora {
        let config = Config::load(Some(self.state.clone()), Some(self.state.clone()), TODAY).expect("a configuration");
        Memora::open(Some(&self.root), config).expect("a vault")
    }

    fn memora(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_memora"));
        command.arg("--vault").arg(&self.root).args(["--today", "2025-12-31"]).args(args);
        command.env("MEMORA_STATE_DIR", &self.state).env("MEMORA_CONFIG_DIR", &self.state);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        command
    }
}

fn sync(memora: &mut Memora) {
    memora.sync(SyncBound::All, &AtomicBool::new(false), &mut |_| {}).expect("a sync");
}

fn agent() -> MemoryWriter {
    MemoryWriter { agent: Some("claude-code".into()), project: Some(PROJECT.into()), at: TODAY.at(18, 0, 0, 0) }
}

fn open_session(memora: &Memora) -> Session<'_, CloudDoor> {
    memora.session(memora.cloud_door()).expect("a session")
}

/// The memory's search, and the engine's for as many hits of the same notes.
fn measure_search(place: &Place, memora: &Memora) -> Duration {
    let (of, writer) = (MemorySession::named("bench"), agent());
    let folders = vec!["Memora/shared".to_owned(), format!("Memora/projects/{PROJECT}")];
    let query = |number: usize| {
        let about = place.sentence(number * 37 % 997);
        about.split_whitespace().skip(1).take(4).collect::<Vec<_>>().join(" ")
    };
    let memories = |number: usize| {
        let session = open_session(memora);
        let asked = MemoryQuery { query: query(number), ..MemoryQuery::default() };
        black_box(session.memories(&of, &writer).expect("memories").finder().find_hits(&asked).expect("hits").len());
    };
    let engine = |number: usize| {
        let session = open_session(memora);
        let filter = NoteFilter { folders: folders.clone(), ..NoteFilter::default() };
        let options = SearchOptions { limit: 5, filter, authors: Authors::Machines, ..SearchOptions::default() };
        black_box(session.search().report_claims(&query(number), &options, FRESH).expect("claims").hits.len());
    };
    // The statements that they need are read by the transformer once.
    for number in 0..SEARCHES {
        memories(number);
        engine(number);
    }
    let (mut own, mut floor) = (Vec::new(), Vec::new());
    // One of each in turn, so that both meet the same machine.
    for number in 0..SEARCHES {
        floor.push(timed(|| engine(number)).1);
        own.push(timed(|| memories(number)).1);
    }
    let middle = percentile(&mut floor, 50);
    ratio_line("memory_search, half of them", percentile(&mut own, 50), middle, 1.3);
    ratio_line("memory_search, 99 of 100", percentile(&mut own, 99), percentile(&mut floor, 99), 1.3);
    middle
}

fn measure_context(place: &Place, memora: &Memora, search: Duration) {
    let (of, writer) = (MemorySession::named("bench"), agent());
    let lay_out = |task: Option<String>| {
        let session = open_session(memora);
        let asked = ContextRequest { task, bytes_max: 32 << 10 };
        session.memories(&of, &writer).expect("memories").context().lay_out_context(&asked).expect("a block").bytes
    };
    lay_out(None);
    let plain = median(CONTEXTS, |_| {
        black_box(lay_out(None));
    });
    ratio_line("memory_context of 32 KiB", plain, search, 4.0);
    let told = median(CONTEXTS, |number| {
        black_box(lay_out(Some(place.sentence(number))));
    });
    ratio_line("memory_context of 32 KiB, with a task", told, search, 4.0);
    if let Some(before) = bytes_read() {
        let printed = lay_out(None) as u64;
        let read = bytes_read().unwrap_or_default().saturating_sub(before);
        #[expect(clippy::cast_precision_loss, reason = "megabytes")]
        let share = read as f64 / printed.max(1) as f64;
        count_line("  bytes read for each printed", share, &format!("x: {read} of files and index"), 4.0);
    }
}

/// Saves, where the transformer has read what a save is compared with, as a server does in idle time, or has not.
fn measure_save(place: &Place, memora: &mut Memora, is_read: bool) {
    let writer = agent();
    let (mut saves, mut floors) = (Vec::new(), Vec::new());
    let first = if is_read { 500 } else { 0 };
    for number in first..first + SAVES {
        if is_read {
            memora.precompute_token_vectors(&AtomicBool::new(false), &mut |_, _| true).expect("vectors");
        }
        let of = MemorySession::named(&format!("save {number}"));
        let saving = SaveRequest { content: place.sentence(200_000 + number), ..SaveRequest::default() };
        let session = open_session(memora);
        let memories = session.memories(&of, &writer).expect("memories");
        let (report, took) = timed(|| memories.gate().save(&saving).expect("a save"));
        assert_eq!(report.status, SaveStatus::Saved, "{:?}", report.reason);
        saves.push(took);
        drop(memories);
        drop(session);
        sync(memora);
        let item = place.item(300_000 + number);
        let text = place.key.seal(&item.to_document());
        let folder = place.root.join(format!("Memora/projects/{PROJECT}/semantic"));
        let file = folder.join(format!("{}.md", item_name(&item.text, &item.id)));
        floors.push(
            timed(|| {
                let mut file = File::create_new(&file).expect("a file");
                file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).expect("it is written");
                File::open(&folder).and_then(|folder| folder.sync_all()).expect("a folder");
                sync(memora);
            })
            .1,
        );
    }
    let what = if is_read { "memory_save, all read by the transformer" } else { "memory_save, not yet indexed" };
    ratio_line(what, percentile(&mut saves, 50), percentile(&mut floors, 50), 1.5);
}

fn measure_append(place: &Place, memora: &Memora) {
    let log = place.write_log(250 << 10);
    let writer = agent();
    let of = MemorySession::named("bench");
    let (mut appends, mut floors) = (Vec::new(), Vec::new());
    for number in 0..SAVES {
        let writing = WriteRequest {
            target: MemoryTarget::Daily,
            content: format!("Step {number}."),
            operation: TaskOperation::Append,
            title: None,
        };
        let session = open_session(memora);
        let memories = session.memories(&of, &writer).expect("memories");
        appends.push(timed(|| drop(black_box(memories.gate().write(&writing).expect("an entry")))).1);
        let text = fs::read(&log).expect("the log");
        let (making, folder) = (log.with_extension("making"), log.parent().expect("a folder"));
        floors.push(
            timed(|| {
                let mut file = File::create(&making).expect("a file");
                file.write_all(&text).and_then(|()| file.sync_all()).expect("it is written");
                fs::rename(&making, &log).expect("it is renamed");
                File::open(folder).and_then(|folder| folder.sync_all()).expect("a folder");
            })
            .1,
        );
    }
    ratio_line("append to a full log", percentile(&mut appends, 50), percentile(&mut floors, 50), 2.0);
}

/// Runs a command on an event, and says how long it took and what it had resident at most.
fn run_hook(place: &Place, args: &[&str], event: &str) -> (Duration, Option<u64>) {
    let began = Instant::now();
    let mut child = place.memora(args).spawn().expect("it can be started");
    let process = child.id();
    drop(child.stdin.take().map(|mut input| input.write_all(event.as_bytes())));
    let mut output = child.stdout.take().expect("a pipe");
    let reader = std::thread::spawn(move || {
        let mut printed = Vec::new();
        drop(output.read_to_end(&mut printed));
        printed.len()
    });
    let mut most = None;
    let ended = loop {
        most = most.max(peak_resident(process));
        match child.try_wait().expect("it ends") {
            Some(status) => break status,
            None => std::thread::sleep(Duration::from_micros(500)),
        }
    };
    assert!(ended.success(), "{args:?}");
    drop(reader.join());
    (began.elapsed(), most)
}

fn measure_hooks(place: &Place, context: impl Fn() -> Duration) {
    let version = median(STARTS, |_| drop(place.memora(&["--version"]).output().expect("it can be started")));
    let cwd = place.root.to_string_lossy().into_owned();
    let event =
        json!({"session_id": "s-1", "cwd": cwd, "hook_event_name": "SessionStart", "source": "startup"}).to_string();
    let start = ["hook", "session-start", "--client", "claude-code"];
    let took = median(STARTS, |_| {
        black_box(run_hook(place, &start, &event));
    });
    let context = context();
    let bare = took.saturating_sub(context);
    ratio_line("hook session-start, less one context", bare, version, 2.5);

    let transcript = place.state.join("transcript.jsonl");
    let mut lines = String::with_capacity(TRANSCRIPT_BYTES + 4_096);
    let output = "a line of what the tool printed, which nobody reads again; ".repeat(40);
    let mut number = 0;
    while lines.len() < TRANSCRIPT_BYTES {
        let said = |role: &str, text: &str| json!({"type": role, "message": {"role": role, "content": text}});
        lines.push_str(&format!("{}\n", said("user", &place.sentence(number))));
        lines.push_str(&format!(
            "{}\n",
            said("assistant", &format!("Decision: {}\n{output}", place.sentence(number + 1)))
        ));
        let result = json!({"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "content": output.repeat(4)}]}});
        lines.push_str(&format!("{result}\n"));
        number += 2;
    }
    fs::write(&transcript, &lines).expect("a transcript");
    drop(lines);
    let reading = median(5, |_| {
        black_box(fs::read(&transcript).expect("it is readable").len());
    });
    // What a checkpoint of its session has is not read again.
    let event = |session: &str| {
        json!({"session_id": session, "cwd": cwd, "transcript_path": transcript, "stop_hook_active": false}).to_string()
    };
    let before_compaction = ["hook", "pre-compact", "--client", "claude-code"];
    let sessions = ["s-1", "s-2", "s-3"];
    let runs: Vec<_> = sessions.iter().map(|session| run_hook(place, &before_compaction, &event(session))).collect();
    let mut times: Vec<Duration> = runs.iter().map(|(took, _)| *took).collect();
    ratio_line(
        "hook pre-compact, 50 MB, less a process",
        percentile(&mut times, 50).saturating_sub(version),
        reading,
        3.0,
    );
    if let Some(most) = runs.iter().filter_map(|(_, most)| *most).max() {
        #[expect(clippy::cast_precision_loss, reason = "megabytes")]
        let most = most as f64;
        count_line("  resident at most", most, "MiB", 64.0);
    }
    let end_of_turn = ["hook", "stop", "--client", "claude-code"];
    let took = median(STARTS, |_| {
        black_box(run_hook(place, &end_of_turn, &event("s-1")));
    });
    ratio_line("hook stop, nothing due, 50 MB", took, version, 2.5);
}

fn measure_consolidation(memora: &Memora) {
    let (of, writer) = (MemorySession::named("bench"), MemoryWriter { agent: None, ..agent() });
    let session = memora.session(memora_engine::LocalDoor).expect("a session");
    let memories = session.memories(&of, &writer).expect("memories");
    let (plan, took) = timed(|| memories.upkeep().plan_consolidation(false).expect("a plan"));
    let report = memories.upkeep().report_plan(&plan);
    #[expect(clippy::cast_precision_loss, reason = "counts")]
    let each = report.compared as f64 / report.items.max(1) as f64;
    count_line("comparisons of a consolidation", each, &format!("an item, of {} in {took:.1?}", report.items), 20.0);
}

fn measure(items: usize) {
    let place = Place::new(items);
    place.write_log(20_000);
    let pad = "Fix the port\nWrite the docs\nTag the release";
    let mut memora = place.open();
    let ((), indexing) = timed(|| sync(&mut memora));
    say(&format!("\n{items} items beside {COPIES} copies of the example vault; indexed in {indexing:.1?}"));
    {
        let session = open_session(&memora);
        let (of, writer) = (MemorySession::named("bench"), agent());
        let writing = WriteRequest {
            target: MemoryTarget::Scratchpad,
            content: pad.to_owned(),
            operation: TaskOperation::Append,
            title: None,
        };
        session.memories(&of, &writer).expect("memories").gate().write(&writing).expect("tasks");
    }
    sync(&mut memora);
    let search = measure_search(&place, &memora);
    measure_context(&place, &memora, search);
    measure_consolidation(&memora);
    measure_save(&place, &mut memora, false);
    measure_save(&place, &mut memora, true);
    measure_append(&place, &memora);
    sync(&mut memora);
    let context = || {
        let (of, writer) = (MemorySession::named("bench"), agent());
        median(CONTEXTS, |_| {
            let session = open_session(&memora);
            let asked = ContextRequest { task: None, bytes_max: 9_000 };
            black_box(
                session
                    .memories(&of, &writer)
                    .expect("memories")
                    .context()
                    .lay_out_context(&asked)
                    .expect("a block")
                    .bytes,
            );
        })
    };
    measure_hooks(&place, context);
}

fn main() {
    let mut sizes: Vec<usize> = std::env::args().filter_map(|arg| arg.parse().ok()).collect();
    if sizes.is_empty() {
        sizes.push(ITEMS);
    }
    sizes.into_iter().for_each(measure);
}
