//! What each command takes on a note that repeats one construct a million times: processor time and peak resident memory.
//!
//! `cargo bench --bench giants` measures every construct of `memora-testkit`'s list at a tester's size and prints a table;
//! `-- brackets` those whose name has this word, and `MEMORA_BINARY` names another build of the program to measure. A command
//! that takes over 60 seconds of processor is ended. Nothing here fails when a figure is bad; those over a bound are marked.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use memora_testkit::{Fixture, HOSTILE_CONSTRUCTS, HostileConstruct, MemoraBinary};

/// The bounds: processor time, and resident memory in MiB.
const TIME_MAX: Duration = Duration::from_secs(5);
const MEMORY_MAX: u64 = 400;

/// Such a command hangs, by processor time, or by the clock on a machine that others use as well.
const PROCESSOR_MAX: Duration = Duration::from_secs(60);
const PATIENCE: Duration = Duration::from_secs(600);

/// A clock tick of `/proc`: 100 a second on every Linux.
const TICK: Duration = Duration::from_millis(10);

/// A sentence that the note may bear out, and quotations: of its words, and of words that it nearly has.
const DRAFT: &str = "Anna owns boat 17 ([[Giant]]). It says \"Anna owns boat 17\" ([[Giant]]). \
                     It says \"Anna painted boat 17 and then she sold it to Ben\" ([[Giant]]).\n";

/// The commands, each with its standard input.
const COMMANDS: [(&[&str], &str); 6] = [
    (&["index"], ""),
    (&["ask", "--offline", "Who owns boat 17?"], ""),
    (&["verify", "--json"], DRAFT),
    (&["claims", "--json", "--limit", "1000"], ""),
    (&["doctor", "--check-spans"], ""),
    (&["export", "--canonical"], ""),
];

/// What a command took.
#[derive(Clone, Copy, Debug, Default)]
struct Cost {
    processor: Duration,
    /// In MiB.
    peak: u64,
    hung: bool,
    failed: bool,
}

impl Cost {
    fn print(self) -> String {
        let mark = if self.hung || self.failed || self.processor > TIME_MAX { "**" } else { "" };
        let end = if self.hung {
            " (ended)"
        } else if self.failed {
            " (failed)"
        } else {
            ""
        };
        format!("{mark}{:.1}{end}{mark}", self.processor.as_secs_f64())
    }
}

/// Waits until a process ends, and adds up what it took.
fn watch(child: &mut Child) -> Cost {
    let folder = PathBuf::from(format!("/proc/{}", child.id()));
    let (mut cost, since) = (Cost::default(), Instant::now());
    loop {
        let stat = fs::read_to_string(folder.join("stat")).unwrap_or_default();
        // Behind the name, which may hold anything.
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks: u32 = [11, 12].iter().filter_map(|at| fields.get(*at)?.parse::<u32>().ok()).sum();
        cost.processor = cost.processor.max(TICK * ticks);
        let status = fs::read_to_string(folder.join("status")).unwrap_or_default();
        let peak =
            status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
        cost.peak = cost.peak.max(peak.unwrap_or(0_u64) / 1024);
        // It has ended and waits to be asked how.
        if fields.first().is_none_or(|state| *state == "Z") {
            cost.failed = child.wait().is_ok_and(|status| !matches!(status.code(), Some(0 | 1)));
            return cost;
        }
        if cost.processor > PROCESSOR_MAX || since.elapsed() > PATIENCE {
            drop(child.kill());
            drop(child.wait());
            return Cost { hung: true, ..cost };
        }
        thread::sleep(Duration::from_millis(2));
    }
}

fn measure(memora: &MemoraBinary, args: &[&str], input: &str) -> Cost {
    let draft = memora.home_dir().join("input");
    fs::write(&draft, input).expect("a file can be written");
    let mut command: Command = memora.command(args);
    command.stdin(fs::File::open(draft).expect("it was just written")).stdout(Stdio::null()).stderr(Stdio::null());
    watch(&mut command.spawn().expect("the program can be started"))
}

fn measure_construct(binary: &PathBuf, construct: &HostileConstruct) {
    let note = construct.note(construct.giant);
    let fixture = Fixture::from_notes(&[("Anna.md", "Anna works at Tidewell.\n"), ("Giant.md", &note)]);
    let memora = MemoraBinary::new(binary, fixture.vault()).at_local_door();
    let costs = COMMANDS.map(|(args, input)| measure(&memora, args, input));
    let peak = costs.iter().map(|cost| cost.peak).max().unwrap_or_default();
    let mark = if peak > MEMORY_MAX { "**" } else { "" };
    let times: Vec<String> = costs.into_iter().map(Cost::print).collect();
    say(&format!(
        "| {} | {:.1} | {} | {mark}{peak}{mark} |",
        construct.name,
        note.len() as f64 / 1e6,
        times.join(" | ")
    ));
}

#[expect(clippy::print_stdout, reason = "a bench prints its figures")]
fn say(text: &str) {
    println!("{text}");
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let binary = std::env::var_os("MEMORA_BINARY").unwrap_or_else(|| env!("CARGO_BIN_EXE_memora").into()).into();
    let names: Vec<&str> = COMMANDS.iter().filter_map(|(args, _)| args.first().copied()).collect();
    say(&format!("| construct | MB | {} | peak MiB |", names.join(" | ")));
    say(&format!("|---|---|{}---|", "---|".repeat(names.len())));
    for construct in HOSTILE_CONSTRUCTS {
        if wanted.is_empty() || wanted.iter().any(|word| construct.name.contains(word.as_str())) {
            measure_construct(&binary, construct);
        }
    }
}
