//! The budgets of indexing, searching and keeping, each beside its floor of the same run.
//!
//! `cargo bench --bench budgets` makes vaults of 60,000 and of 100,000 distinct statements out of `vault-example`, and
//! prints a line for each budget: what it took, what it may take, and the ratio to the floor. `-- 10000` asks for other
//! sizes; `MEMORA_BENCH_MILLION=1` adds a million; `MEMORA_BENCH_VAULT` names another vault to make them of.
//!
//! `-- FOLDER` measures a vault as it is, any number of them one behind the other: its cold index five times, each in a process of its own,
//! since a process remembers what it has parsed. What people write by hand costs several times what lines from a template cost, so the share
//! of words in lines that other notes have too stands beside the figures.
//!
//! The floor of indexing is what nobody can do without: walking, `stat`, reading, hashing, and the markdown parser's events,
//! on one thread. Nothing here fails when a figure is bad: machines are noisy, and a figure is to be read.

#[path = "support/generator.rs"]
mod generator;

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use memora_engine::report::Freshness;
use memora_engine::{Config, LocalDoor, Memora, SearchOptions, SyncBound, SyncStage};
use memora_store::Store;

use generator::{Generator, walk};

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const SIZES: [usize; 2] = [60_000, 100_000];
const MILLION: usize = 1_000_000;
const QUESTIONS: usize = 300;

/// The argument of a process that makes one cold index and prints what it took.
const ONE_COLD_INDEX: &str = "one-cold-index";
const FRESH: Freshness = Freshness { fresh: true, pending: 0 };

/// What a process takes besides its work, in the budget of an index with nothing new.
const PROCESS: Duration = Duration::from_millis(30);

#[expect(clippy::print_stdout, reason = "a bench prints its figures")]
fn say(line: &str) {
    println!("{line}");
}

fn seconds_line(what: &str, took: Duration, floor: Duration, allowed: f64, goal: &str) {
    let ratio = took.as_secs_f64() / floor.as_secs_f64();
    say(&verdict(&format!("{what:<46} {took:>10.1?}  {ratio:>7.2} x"), ratio <= allowed, goal));
}

fn milliseconds_line(what: &str, took: Duration, allowed: Duration, goal: &str) {
    say(&verdict(&format!("{what:<46} {took:>10.1?}           "), took <= allowed, goal));
}

fn verdict(line: &str, is_kept: bool, goal: &str) -> String {
    format!("{line}   {} {goal}", if is_kept { "kept:  " } else { "missed:" })
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let started = Instant::now();
    let result = work();
    (result, started.elapsed())
}

/// The time of the median of some runs.
fn median(runs: usize, mut work: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..runs).map(|_| timed(&mut work).1).collect();
    times.sort_unstable();
    times.get(runs / 2).copied().unwrap_or_default()
}

/// Processor time of this process so far; nothing where the system does not say.
fn processor_time() -> Option<Duration> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let mut behind_name = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let user: u64 = behind_name.next()?.parse().ok()?;
    let system: u64 = behind_name.next()?.parse().ok()?;
    Some(Duration::from_millis((user + system) * 10))
}

/// Resident memory in MiB; nothing where the system does not say.
fn resident() -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse::<usize>().ok().map(|kib| kib / 1024)
}

/// What a cold index took: by the clock until it answers and until it is complete, and of processors.
#[derive(Clone, Copy)]
struct ColdIndex {
    answerable: Duration,
    complete: Duration,
    busy: Duration,
}

impl ColdIndex {
    fn make(memora: &mut Memora) -> Self {
        let before = processor_time();
        let (started, mut answerable) = (Instant::now(), None);
        let mut told = |progress: memora_engine::SyncProgress| {
            if progress.stage == SyncStage::Vectors {
                answerable.get_or_insert_with(|| started.elapsed());
            }
        };
        memora.sync(SyncBound::All, &AtomicBool::new(false), &mut told).expect("a sync");
        let complete = started.elapsed();
        let busy = processor_time().zip(before).map(|(now, then)| now.saturating_sub(then)).unwrap_or_default();
        Self { answerable: answerable.unwrap_or(complete), complete, busy }
    }

    /// The median of five by processor time, each in a process of its own.
    fn median_of_processes(root: &Path) -> Self {
        let mut runs: Vec<Self> = (0..5).map(|_| Self::in_other_process(root)).collect();
        runs.sort_by_key(|run| run.busy);
        runs[2]
    }

    fn in_other_process(root: &Path) -> Self {
        let program = std::env::current_exe().expect("this program");
        let output = Command::new(program).arg(ONE_COLD_INDEX).arg(root).output().expect("this program runs");
        let told = String::from_utf8_lossy(&output.stdout);
        let mut times = told.split_whitespace().filter_map(|part| part.parse().ok()).map(Duration::from_micros);
        let mut next = || times.next().expect("three times");
        Self { answerable: next(), complete: next(), busy: next() }
    }

    /// What such a process does.
    fn print_one(root: &Path) {
        let state = tempfile::tempdir().expect("a folder");
        let Self { answerable, complete, busy } = Self::make(&mut open(root, state.path()));
        let [answerable, complete, busy] = [answerable, complete, busy].map(|time| time.as_micros());
        say(&format!("{answerable} {complete} {busy}"));
    }
}

/// Bytes of all files below a folder.
fn bytes_below(folder: &Path) -> u64 {
    let mut bytes = 0;
    walk(folder, &mut |path| bytes += path.metadata().map_or(0, |data| data.len()));
    bytes
}

fn open(root: &Path, state: &Path) -> Memora {
    let today = jiff::civil::date(2025, 12, 31);
    let config = Config::load(Some(state.into()), Some(state.into()), today).expect("a configuration");
    Memora::open(Some(root), config).expect("a vault")
}

fn sync(memora: &mut Memora) {
    memora.sync(SyncBound::All, &AtomicBool::new(false), &mut |_| {}).expect("a sync");
}

/// Statements of the notes themselves, so that it is known how many copies are wanted.
fn count_statements(generator: &Generator) -> usize {
    let (notes, state) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    generator.write_copy(notes.path(), 0);
    let mut memora = open(notes.path(), state.path());
    sync(&mut memora);
    totals(&memora).statements
}

fn totals(memora: &Memora) -> memora_store::IndexTotals {
    let store = Store::open(memora.state_dir()).expect("the store").0;
    store.snapshot().expect("a snapshot").counts().totals().expect("counts")
}

/// Floors of a vault: a walk with `stat`; that with reading and hashing; that with the parser's events; and its bytes.
fn floors(root: &Path) -> (Duration, Duration, Duration, usize) {
    let bare = median(3, || walk(root, &mut |path| drop(black_box(path.to_owned()))));
    let hashed = median(3, || {
        walk(root, &mut |path| {
            black_box(blake3::hash(&fs::read(path).unwrap_or_default()));
        });
    });
    let mut bytes = 0;
    let floor = median(5, || {
        bytes = 0;
        walk(root, &mut |path| {
            let text = fs::read_to_string(path).unwrap_or_default();
            black_box(blake3::hash(text.as_bytes()));
            black_box(pulldown_cmark::Parser::new(&text).count());
            bytes += text.len();
        });
    });
    (bare, hashed, floor, bytes)
}

fn measure(generator: &Generator, copies: usize, as_it_is: bool) {
    let dir = tempfile::tempdir().expect("a folder");
    let (root, state) = (dir.path().join("vault"), dir.path().join("state"));
    fs::create_dir_all(root.join(".obsidian")).expect("a folder");
    for number in 0..copies {
        generator.write_copy(&root, number);
    }
    let (bare, hashed, floor, bytes) = floors(&root);
    let separate = as_it_is.then(|| ColdIndex::median_of_processes(&root));
    let mut memora = open(&root, &state);
    let own = ColdIndex::make(&mut memora);
    let ColdIndex { answerable, complete, busy } = separate.unwrap_or(own);
    let totals = totals(&memora);
    say(&format!(
        "\n{} statements, {} claims, {} notes, {:.1} MB, {:.0} of 100 words in lines that other notes have too; the floor is {floor:.1?}, \
         a walk {bare:.1?}",
        totals.statements,
        totals.claims,
        totals.notes,
        bytes as f64 / 1e6,
        generator.repeated_share() * 100.0
    ));
    seconds_line("cold index, answerable", answerable, floor, 15.0, "15 x the floor");
    seconds_line("cold index, complete", complete, floor, 60.0, "60 x the floor");
    if !busy.is_zero() {
        let ratio = busy.as_secs_f64() / floor.as_secs_f64();
        say(&format!("{:<46} {busy:>10.1?}  {ratio:>7.2} x", "  processor time, user and system"));
        let cores = busy.as_secs_f64() / complete.as_secs_f64();
        say(&verdict(&format!("{:<46} {cores:>10.2}             ", "  cores busy meanwhile"), cores >= 1.7, "1.7"));
    }
    let again = median(5, || sync(&mut memora));
    milliseconds_line("index again, nothing changed", again, bare * 2 + PROCESS, "two walks and 30 ms");
    let edited = first_note(&root);
    let mut text = fs::read_to_string(&edited).expect("a note");
    let mut number = 0;
    let one = median(5, || {
        number += 1;
        text.push_str(&format!("\nThe gate was painted {number} times by quorvex.\n"));
        fs::write(&edited, &text).expect("an edit");
        sync(&mut memora);
    });
    milliseconds_line(
        "one edited note, the walk not counted",
        one.saturating_sub(bare),
        Duration::from_millis(50),
        "50 ms",
    );
    // Closed, so that the log of the last writes is not counted.
    let kept_in = memora.state_dir().to_owned();
    drop(memora);
    let kept = bytes_below(&kept_in);
    let memora = open(&root, &state);
    search(generator, &memora, totals.statements);
    let session = memora.session(LocalDoor).expect("a session");
    let (report, spans) = timed(|| session.doctor().run_checks(true, FRESH).expect("a check"));
    assert!(report.healthy, "every place stands");
    drop(session);
    seconds_line("every place re-read and compared", spans, hashed, 2.0, "twice reading and hashing");
    let ratio = kept as f64 / bytes as f64;
    let line = format!("{:<46} {:>8.1} MB  {ratio:>7.2} x", "state on disk, before any question", kept as f64 / 1e6);
    say(&verdict(&line, ratio <= 3.0, "3 x the notes"));
    drop(memora);
    let with_vectors = bytes_below(&kept_in);
    say(&format!("{:<46} {:>8.1} MB", "  with what the transformer read for them", with_vectors as f64 / 1e6));
}

fn search(generator: &Generator, memora: &Memora, statements: usize) {
    let words = generator.words();
    let word = |at: usize| words.get(at % words.len().max(1)).map_or("", String::as_str);
    let options = SearchOptions { limit: 10, ..SearchOptions::default() };
    let question = |number: usize| {
        let rare = [word(200 + number * 31), word(200 + number * 97), word(20 + number % 100)];
        format!("What about the {}?", rare.join(" "))
    };
    let session = || memora.session(LocalDoor).expect("a session");
    let search = |number: usize| {
        black_box(session().search().find_claims(&question(number), &options).expect("a search").hits.len());
    };
    let ask = |number: usize| {
        let options = SearchOptions::for_answer(None, 50);
        let answered = session().answerer().answer_question(&question(number), &options, FRESH);
        black_box(answered.expect("an answer"));
    };
    let allowed = |small: u64, large: u64| if statements > 500_000 { large } else { small };
    let told = |what: &str, allowed: u64, asked: &dyn Fn(usize)| {
        let mut times: Vec<Duration> = (0..QUESTIONS).map(|number| timed(|| asked(number)).1).collect();
        times.sort_unstable();
        for percent in [50, 99] {
            let at = times.get(times.len() * percent / 100).copied().unwrap_or_default();
            let what = format!("{what}, {percent} of 100");
            milliseconds_line(&what, at, Duration::from_millis(allowed), &format!("{allowed} ms"));
        }
    };
    // Its statements are read by the transformer, which a server and `index --complete` do ahead.
    told("search, its statements not yet read", allowed(10, 25), &search);
    told("search, its statements read", allowed(10, 25), &search);
    told("ask", allowed(20, 40), &ask);
    if let Some(resident) = resident() {
        let most = if statements > 500_000 { 1024 } else { 150 };
        let line = format!("{:<46} {resident:>7} MiB           ", "resident memory of this process");
        say(&verdict(&line, resident <= most, &format!("{most} MiB")));
    }
}

fn first_note(root: &Path) -> PathBuf {
    let mut notes = Vec::new();
    walk(root, &mut |path| {
        if path.extension().is_some_and(|ending| ending == "md") {
            notes.push(path.to_owned());
        }
    });
    notes.into_iter().min().expect("a note")
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [mode, root, ..] = args.as_slice()
        && mode == ONE_COLD_INDEX
    {
        return ColdIndex::print_one(Path::new(root));
    }
    let vaults: Vec<&Path> = args.iter().map(Path::new).filter(|path| path.is_dir()).collect();
    for vault in &vaults {
        say(&format!("\n{}", vault.display()));
        measure(&Generator::read(vault), 1, true);
    }
    let mut sizes: Vec<usize> = args.iter().filter_map(|arg| arg.parse().ok()).collect();
    if sizes.is_empty() && vaults.is_empty() {
        sizes = SIZES.to_vec();
    }
    if std::env::var_os("MEMORA_BENCH_MILLION").is_some() {
        sizes.push(MILLION);
    }
    if sizes.is_empty() {
        return;
    }
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("vault-example");
    let vault = std::env::var_os("MEMORA_BENCH_VAULT").map_or(example, PathBuf::from);
    let generator = Generator::read(&vault);
    let own = count_statements(&generator);
    for size in sizes {
        measure(&generator, size.div_ceil(own.max(1)), false);
    }
}
