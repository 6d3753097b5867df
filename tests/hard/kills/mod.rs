//! What is killed at any moment loses nothing: the next run ends as one that was never disturbed.
//!
//! Commands that write run two at a time on one vault. Each is killed at a random instant, or as it enters a random system
//! call (where `strace` is installed), or finds the disk full; the index vanishes under it, it believes in another day, and
//! notes have times of the past and the future. After a few rounds what the commands had [acknowledged](promises) has to be
//! there, and `export --canonical` has to say what it says of an index built from nothing.
//!
//! Runs for seconds. By hand: `MEMORA_KILL_ROUNDS=1000 cargo test --test integration hard::kills -- --nocapture`.

mod acts;
mod promises;

use std::fs::File;
use std::io::{Read, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

use memora_claim::ParsedNote;
use memora_testkit::{Fixture, MemoraBinary, ModelServer};
use memora_vault::{Note, NotePath, PathContext};

use self::acts::Act;
use self::promises::Promises;
use super::{Dice, files_below, wrap};
use crate::drafting::elsewhere;
use crate::support::{example, memora};

/// Rounds between two looks at what is there.
const LOOK_EVERY: u64 = 8;

/// No command takes longer, except one that waits for its end.
const LONGEST: Duration = Duration::from_secs(20);

/// Calls of the system at which what is written can be half done.
const CALLS: [&str; 10] =
    ["fsync", "fdatasync", "pwrite64", "write", "rename", "renameat2", "linkat", "unlink", "ftruncate", "openat"];

/// How a command ends.
#[derive(Clone, Copy, Debug)]
enum Death {
    At(Duration),
    AtCall(&'static str, usize),
    /// No file may grow over so many blocks of 512 bytes.
    FullDisk(usize),
}

/// A command that runs.
struct Running {
    act: Act,
    child: Child,
    /// Held open for a server, which would end with it.
    input: Option<ChildStdin>,
    stdout: JoinHandle<String>,
    stderr: JoinHandle<String>,
    deadline: Instant,
}

/// A command that ran.
struct Ended {
    act: Act,
    /// `None` where it was killed.
    exit: Option<i32>,
    stdout: String,
    stderr: String,
}

/// What became of the commands.
#[derive(Debug, Default)]
struct Tally {
    started: u64,
    killed: u64,
    killed_in_a_call: u64,
    full_disks: u64,
    vanished: u64,
    looks: u64,
}

/// A note with one statement, which is edited, moved and deleted.
struct Boat {
    path: String,
    statement: String,
}

struct World {
    fixture: Fixture,
    memora: MemoraBinary,
    _server: ModelServer,
    dice: Dice,
    boats: Vec<Option<Boat>>,
    /// Claims to decide about.
    claims: Vec<String>,
    promises: Promises,
    tally: Tally,
    /// How long an index takes from nothing.
    span: Duration,
    has_strace: bool,
    number: usize,
}

impl World {
    fn new(seed: u64) -> Self {
        let fixture = example();
        fixture.write(acts::MODEL_NOTE, "Carla sold her boat to Ben, whose brother had none.\n");
        let memora = memora(&fixture).at_local_door();
        let server = ModelServer::start(vec![acts::model_reply()]);
        elsewhere(&memora, "openai", &server);
        let since = Instant::now();
        let _ = memora.run(&["index"]).assert_code(0);
        let span = since.elapsed();
        let listed = memora.run(&["claims", "--json", "--limit", "60"]).assert_code(0).json();
        let claims = listed["claims"].as_array().into_iter().flatten();
        let claims = claims.filter_map(|claim| Some(claim["claim"].as_str()?.to_owned())).collect();
        let has_strace = Command::new("strace")
            .args(["-D", "-f", "-qq", "-o", "/dev/null", "--", "true"])
            .status()
            .is_ok_and(|status| status.success());
        Self {
            fixture,
            memora,
            _server: server,
            dice: Dice(seed),
            boats: (0..6).map(|_| None).collect(),
            claims,
            promises: Promises::default(),
            tally: Tally::default(),
            span,
            has_strace,
            number: 0,
        }
    }

    /// A number that no other text has.
    fn next_number(&mut self) -> usize {
        self.number += 1;
        self.number
    }

    fn choose_death(&mut self) -> Death {
        let span = usize::try_from(self.span.as_millis()).unwrap_or(1000);
        match self.dice.below(10) {
            0..3 if self.has_strace => {
                let call = CALLS[self.dice.below(CALLS.len())];
                // The first calls matter more, and no command makes many of some kinds.
                let most = [3, 12, 60][self.dice.below(3)];
                Death::AtCall(call, 1 + self.dice.below(most))
            }
            3 => Death::FullDisk([0, 8, 64, 512, 4096][self.dice.below(5)] + self.dice.below(64)),
            _ => Death::At(Duration::from_millis(self.dice.below(span * 5 / 4 + 20) as u64)),
        }
    }

    /// Edits, moves or deletes a note, between two rounds.
    fn change_a_note(&mut self) {
        let (at, number) = (self.dice.below(self.boats.len()), self.next_number());
        let before = self.boats.get_mut(at).and_then(Option::take);
        if let Some(boat) = &before {
            self.promises.record_replaced(&boat.statement);
        }
        let path = match (&before, self.dice.below(4)) {
            (Some(boat), 0) => {
                self.fixture.remove(&boat.path);
                return;
            }
            (Some(boat), 1) => {
                let path = format!("moved/Boat {at} of {number}.md");
                self.fixture.write(&path, self.fixture.read(&boat.path));
                self.fixture.remove(&boat.path);
                path
            }
            (before, _) => {
                let path = before.as_ref().map_or_else(|| format!("boats/Boat {at}.md"), |boat| boat.path.clone());
                self.fixture.write(&path, format!("Boat {at} has {number} rivets.\n"));
                path
            }
        };
        let day = Duration::from_secs(86_400);
        let now = SystemTime::now();
        let time = [now, now - 9000 * day, now + 9000 * day][self.dice.below(3)];
        let file = File::options().write(true).open(self.fixture.path(&path)).expect("a note");
        file.set_modified(time).expect("its time can be set");
        let statement = statement_of(&path, self.fixture.read(&path));
        self.promises.record_present(&statement);
        self.boats[at] = Some(Boat { path, statement });
    }

    fn start(&mut self, act: Act, death: Death) -> Running {
        let mut plain = self.memora.command(&act.args);
        plain.env("MEMORA_TODAY", ["2025-12-31", "1999-01-01", "2099-06-01"][self.dice.below(3)]);
        let mut command = match death {
            Death::At(_) => plain,
            Death::AtCall(call, nth) => {
                let (trace, inject) = (format!("trace={call}"), format!("inject={call}:signal=SIGKILL:when={nth}"));
                wrap(&plain, &["strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", &trace, "-e", &inject, "--"])
            }
            // Ignored, the signal becomes an error of the write.
            Death::FullDisk(blocks) => {
                let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
                wrap(&plain, &["sh", "-c", &script])
            }
        };
        let mut child = command.stdin(Stdio::piped()).spawn().expect("the binary can be started");
        let mut input = child.stdin.take().expect("standard input is a pipe");
        // A program that is gone does not read.
        drop(input.write_all(act.input.as_bytes()));
        let (stdout, stderr) = (listen(child.stdout.take()), listen(child.stderr.take()));
        let lives = match death {
            Death::At(instant) => instant,
            Death::AtCall(..) | Death::FullDisk(_) if act.waits_for_its_end() => self.span * 3,
            Death::AtCall(..) | Death::FullDisk(_) => LONGEST,
        };
        self.tally.started += 1;
        self.tally.full_disks += u64::from(matches!(death, Death::FullDisk(_)));
        let input = act.waits_for_its_end().then_some(input);
        Running { act, child, input, stdout, stderr, deadline: Instant::now() + lives }
    }

    /// Runs two commands at once to their ends.
    fn run_two(&mut self) -> Vec<Ended> {
        let loses = self.dice.below(20) == 0;
        let mut running = Vec::new();
        for _ in 0..2 {
            let (act, death) = (Act::choose(self), self.choose_death());
            let begun = self.start(act, death);
            running.push((begun, matches!(death, Death::AtCall(..))));
        }
        if loses {
            std::thread::sleep(Duration::from_millis(self.dice.below(200) as u64));
            self.lose_index();
        }
        let disturbed = loses || running.iter().any(|(begun, _)| begun.act.empties_the_index());
        if disturbed {
            self.promises.record_lost_index();
        }
        let mut ended = Vec::new();
        while !running.is_empty() {
            let mut still = Vec::new();
            for (mut begun, in_a_call) in running {
                let gone = begun.child.try_wait().expect("a child can be waited for");
                let late = Instant::now() >= begun.deadline;
                if gone.is_none() && !late {
                    still.push((begun, in_a_call));
                    continue;
                }
                // It may have ended by itself.
                drop(begun.child.kill());
                let status = begun.child.wait().expect("it ends");
                drop(begun.input.take());
                let text = |thread: JoinHandle<String>| thread.join().expect("what is said is read");
                self.tally.killed += u64::from(status.code().is_none());
                self.tally.killed_in_a_call += u64::from(status.code().is_none() && in_a_call && !late);
                let (stdout, stderr) = (text(begun.stdout), text(begun.stderr));
                ended.push(Ended { act: begun.act, exit: status.code(), stdout, stderr });
            }
            running = still;
            std::thread::sleep(Duration::from_millis(1));
        }
        for one in &ended {
            let made = one.act.acknowledged(one);
            self.promises.record(made, !disturbed);
        }
        ended
    }

    /// The index goes, the journal and the logs stay: as somebody cleans up, or as a disk forgets.
    fn lose_index(&mut self) {
        self.tally.vanished += 1;
        for file in files_below(&self.memora.state_dir()) {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let lexical = file.components().any(|part| part.as_os_str() == "lexical");
            if name.starts_with("index.db") || lexical {
                // The other command may have taken it away.
                drop(std::fs::remove_file(file));
            }
        }
    }

    /// Looks at everything, with nothing else running.
    fn look(&mut self) {
        self.tally.looks += 1;
        let _ = self.memora.run(&["index"]).assert_code(0);
        let export = |memora: &MemoraBinary| memora.run(&["export", "--canonical"]).assert_code(0).stdout;
        let anew = memora(&self.fixture).at_local_door();
        let (grown, at_once) = (export(&self.memora), export(&anew));
        for (grown, at_once) in grown.lines().zip(at_once.lines()) {
            assert_eq!(grown, at_once, "{:?}", self.tally);
        }
        assert_eq!(grown.len(), at_once.len(), "{:?}", self.tally);
        self.promises.assert_kept(&self.fixture, &self.memora);
    }

    /// The folder of the vault's state.
    fn state(&self) -> PathBuf {
        state_of(&self.memora)
    }
}

fn state_of(memora: &MemoraBinary) -> PathBuf {
    let vaults = memora.state_dir().join("vaults");
    let first = vaults.read_dir().expect("a state").flatten().next().expect("the state of one vault");
    first.path()
}

/// Reads a pipe to its end.
fn listen(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<String> {
    let mut pipe = pipe.expect("a pipe");
    std::thread::spawn(move || {
        let mut said = Vec::new();
        drop(pipe.read_to_end(&mut said));
        String::from_utf8_lossy(&said).into_owned()
    })
}

/// The id of a note's only statement.
fn statement_of(path: &str, text: String) -> String {
    let path = NotePath::new(path).expect("a good path");
    let note = ParsedNote::new(Note::parse(path, text, PathContext::default()).0);
    note.statements().first().expect("a statement").id.to_string()
}

#[test]
#[expect(clippy::print_stdout, reason = "by hand, its figures are read")]
fn what_is_killed_ends_like_what_was_never_disturbed() {
    let asked = std::env::var("MEMORA_KILL_ROUNDS").ok().and_then(|rounds| rounds.parse().ok());
    let rounds: u64 = asked.unwrap_or(LOOK_EVERY);
    let mut world = World::new(0x51a7_e5d1_0c0d_e001 ^ asked.map_or(0, |_| u64::from(std::process::id())));
    for round in 1..=rounds {
        world.change_a_note();
        for ended in world.run_two() {
            ended.assert_fair();
        }
        if round % LOOK_EVERY == 0 || round == rounds {
            world.look();
        }
    }
    println!("{:?}; {}", world.tally, world.promises.summary());
    world.promises.assert_all_kept(&world.fixture, &world.memora);
    assert_eq!(failed_checks(&world.memora), failed_checks(&memora(&world.fixture).at_local_door()));
    assert!(world.state().join("index.db").exists());
}

/// The names of what `doctor` finds wrong.
fn failed_checks(memora: &MemoraBinary) -> Vec<String> {
    elsewhere_is_forgotten(memora);
    let _ = memora.run(&["index"]).assert_code(0);
    let report = memora.run(&["doctor", "--check-spans", "--json"]).json();
    let checks = report["checks"].as_array().cloned().unwrap_or_default();
    assert!(!checks.is_empty(), "{report}");
    checks.iter().filter(|check| check["ok"] == false).map(|check| check["name"].to_string()).collect()
}

/// Takes the language model out of the configuration, so that `doctor` asks none.
fn elsewhere_is_forgotten(memora: &MemoraBinary) {
    memora.write_config("");
}

impl Ended {
    /// A command that was not killed says what went wrong, and panics never.
    fn assert_fair(&self) {
        let Self { act, exit, stdout, stderr } = self;
        assert!(!stderr.contains("panicked"), "{act:?}: {stderr}");
        let hints = stderr.contains("hint:");
        assert!(
            matches!(exit, None | Some(0 | 1)) || (*exit == Some(2) && hints),
            "{act:?} {exit:?}: {stdout}{stderr}"
        );
    }
}
