//! How long an agent waits: for the list of tools on a vault that nobody has indexed, and for a search on a warm one.
//!
//! `cargo bench --bench mcp` makes a vault of 3,176 notes and starts `memora mcp` on it as a client does; `-- 6500` asks for
//! more notes. The figures, each beside the floor of the same run:
//!
//! - **list of tools**: from the start of the process until the list is there, without an index; again with one. The floor
//!   is a process of the same program that says its version and ends.
//! - **first search**: on the vault that nobody has indexed, until it is answered. No floor: the pipeline's bench has that.
//! - **search**: from the request until the whole answer, on a warm server. The floor is the same search by the same engine in
//!   this process, without a protocol, without looking whether anything changed, and without a log of what left.
//! - **fifty at once**: the same fifty times before the first answer is read, by each.
//! - **end**: from the end of input until the process has gone.
//!
//! Nothing here fails when a figure is bad: it is to be read.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use memora_engine::report::Freshness;
use memora_engine::{Config, Memora, SearchOptions};
use serde_json::{Value, json};

const NOTES: usize = 3_176;
const STARTS: usize = 9;
const SEARCHES: usize = 200;
const WORDS: [&str; 8] = ["hinge", "lantern", "harbour", "ledger", "orchard", "compass", "gravel", "parade"];

fn make_vault(root: &Path, notes: usize) {
    fs::create_dir_all(root.join(".obsidian")).expect("a folder");
    for number in 0..notes {
        let folder = root.join(format!("folder {}", number % 40));
        fs::create_dir_all(&folder).expect("a folder");
        let word = |step: usize| WORDS[(number / 7 + step * 3) % WORDS.len()];
        let mut text = format!("---\nstatus: active\n---\n# Gate {number}\n\n");
        text.push_str(&format!("The {} of gate {number} was painted by Anna in {}.\n\n", word(0), 1990 + number % 30));
        for part in 0..8 {
            text.push_str(&format!(
                "- Gate {number} has {} bolts beside the {}.\n",
                (number * 7 + part) % 100,
                word(part)
            ));
        }
        fs::write(folder.join(format!("note {number}.md")), text).expect("a note");
    }
}

/// A server and its client's ends.
struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    next: u64,
}

fn memora(vault: &Path, state: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_memora"));
    command.arg("--vault").arg(vault).args(["--today", "2025-12-31"]).args(args);
    command.env("MEMORA_STATE_DIR", state).env("MEMORA_CONFIG_DIR", state);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

impl Server {
    fn start(vault: &Path, state: &Path) -> Self {
        let mut child = memora(vault, state, &["mcp"]).spawn().expect("it can be started");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut server = Self { child, input, output, next: 0 };
        let client = json!({"name": "bench", "version": "0"});
        server.ask("initialize", &json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}));
        writeln!(server.input, "{}", json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
            .expect("it reads");
        server
    }

    fn send(&mut self, method: &str, params: &Value) {
        self.next += 1;
        let request = json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params});
        writeln!(self.input, "{request}").expect("it reads");
    }

    fn answer(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("it speaks");
        assert!(line.contains("\"result\""), "{line}");
        line
    }

    fn ask(&mut self, method: &str, params: &Value) -> String {
        self.send(method, params);
        self.answer()
    }

    fn end(mut self) -> Duration {
        let began = Instant::now();
        drop(self.input);
        assert!(self.child.wait().expect("it ends").success());
        began.elapsed()
    }
}

fn search(number: usize) -> Value {
    let query = format!("Which {} stands beside gate {}?", WORDS[number % WORDS.len()], number * 13 % NOTES);
    json!({"name": "memora_find", "arguments": {"question": query}})
}

fn timed(times: usize, mut run: impl FnMut(usize)) -> Vec<Duration> {
    (0..times)
        .map(|number| {
            let began = Instant::now();
            run(number);
            began.elapsed()
        })
        .collect()
}

fn middle(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[(times.len() - 1) / 2]
}

#[expect(clippy::print_stdout, reason = "a bench prints its figures")]
fn line(what: &str, mut times: Vec<Duration>, floor: Option<Duration>) {
    let (middle, last) = (middle(&mut times), times[times.len() - 1]);
    let ratio =
        floor.map(|floor| format!("   {:>6.1} x the floor of {floor:.1?}", middle.as_secs_f64() / floor.as_secs_f64()));
    println!("{what:<34} {middle:>10.1?} in the middle   {last:>10.1?} at most{}", ratio.unwrap_or_default());
}

fn main() {
    let notes = std::env::args().skip(1).find_map(|arg| arg.parse().ok()).unwrap_or(NOTES);
    let dir = tempfile::tempdir().expect("a folder");
    let vault = dir.path().join("vault");
    make_vault(&vault, notes);
    let state = dir.path().join("state");
    let list = |state: &Path| {
        let mut server = Server::start(&vault, state);
        server.ask("tools/list", &json!({}));
        server
    };

    let version = || memora(&vault, &state, &["--version"]).output().expect("it can be started");
    let floor = middle(&mut timed(STARTS, |_| drop(version())));
    // Each ends before the next begins, so that no two of them index at once.
    let (mut cold, mut busy) = (Vec::new(), Vec::new());
    for number in 0..STARTS {
        let began = Instant::now();
        let server = list(&dir.path().join(format!("cold {number}")));
        cold.push(began.elapsed());
        busy.push(server.end());
    }
    line("list of tools, nothing indexed", cold, Some(floor));
    line("end, while it indexes", busy, None);

    let began = Instant::now();
    let mut server = Server::start(&vault, &state);
    server.ask("tools/call", &search(0));
    line("first search, nothing indexed", vec![began.elapsed()], None);
    server.end();
    let (mut warm, mut idle) = (Vec::new(), Vec::new());
    for _ in 0..STARTS {
        let began = Instant::now();
        let server = list(&state);
        warm.push(began.elapsed());
        idle.push(server.end());
    }
    line("list of tools, indexed", warm, Some(floor));
    line("end", idle, None);

    let config = Config::load(Some(state.clone()), Some(state.clone()), jiff::civil::date(2025, 12, 31));
    let engine = Memora::open(Some(&vault), config.expect("a configuration")).expect("a vault");
    let fresh = Freshness { fresh: true, pending: 0 };
    let alone = |number: usize| {
        let query = search(number)["arguments"]["query"].as_str().expect("words").to_owned();
        let options = SearchOptions { limit: 11, ..SearchOptions::default() };
        let session = engine.session(engine.cloud_door()).expect("a session");
        session.search().report_claims(&query, &options, fresh).expect("a search");
    };
    let mut server = Server::start(&vault, &state);
    for number in 0..20 {
        alone(number);
        server.ask("tools/call", &search(number));
    }
    // One of each in turn, so that both meet the same machine.
    let (mut floors, mut searches) = (Vec::new(), Vec::new());
    for number in 0..SEARCHES {
        floors.extend(timed(1, |_| alone(number)));
        searches.extend(timed(1, |_| drop(server.ask("tools/call", &search(number)))));
    }
    line("search", searches, Some(middle(&mut floors)));
    let at_once = timed(4, |_| {
        (0..50).for_each(|number| server.send("tools/call", &search(number)));
        (0..50).for_each(|_| drop(server.answer()));
    });
    line("fifty at once, each", at_once.into_iter().map(|all| all / 50).collect(), None);
    server.end();
}
