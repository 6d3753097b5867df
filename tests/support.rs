//! What the integration tests share: the example vault, the built binary, command lines as text.

use std::io::{BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::LazyLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use memora_testkit::{CommandOutput, Fixture, MemoraBinary};
use regex::Regex;
use serde_json::Value;

/// Every command, in the ways that take it through different code. `{ID}` is a claim's id.
///
/// Ordered so that the state is made, read, thrown away, and made again.
pub(crate) const EVERY_COMMAND: &str = r#"
status
init
init --yes --json
index
index --json
index
ask "Where does Anna work?"
ask "Where does Anna work?" --json
ask "What does Anna earn?"
ask "What does Anna earn?" --json --captured --limit 20
ask "Where does Jonas live?" --folder people/family
ask "Who keeps bees on the moon?"
ask "What did I do in March 2025?"
ask "What happened last year?" --json --limit 50
ask "What did I write about drift in 2025?" --json
search "in the summer of 2025" --json --limit 100
search "" --since 2025-03 --until 2025-05
search Anna
search Anna --json --limit 100
search "drift version" --tag project --since 2024 --until 2025-12
search contract --folder "semantic/projects" --json
search "" --where status=active
verify - <<< "Anna works at Tidewell [claim:{ID}]. The moon is cheese. [claim:7h3kq0v9x2ma] [claim:no]"
verify --json <<< "Anna works at Tidewell [claim:{ID}]. The moon is cheese. [claim:7h3kq0v9x2ma] [claim:no]"
verify <<< "Nothing is cited here."
verify nowhere.md
verify --format sarif <<< "Anna works at Tidewell ([[Anna Brandt]]). The moon is cheese."
verify --fix <<< "Anna works at Tidewell ([[Anna Brandt]]). The moon is cheese."
verify --fix=mark --fail-on uncited <<< "Anna works at Tidewell ([[Anna Brandt]]). The moon is cheese."
verify --json <<< "Anna earns well ([[Anna Brandt#Salary]]) and says \"Anna earns 6,840 euros a month\"."
verify --json <<< "[{\"type\": \"text\", \"text\": \"Anna works at Tidewell.\", \"citations\": [{\"type\": \"char_location\", \"cited_text\": \"Anna earns\", \"document_title\": \"Anna Brandt\"}]}]"
verify --input anthropic <<< "words"
verify --judge scripted <<< "Anna works at Tidewell ([[Anna Brandt]])."
claims
claims --json --limit 1000
claims --note "people/Anna Brandt.md"
claims --note "Anna Brandt"
claims --note jonas
claims --note ../outside.md
why {ID}
why {ID} --json
why 7h3kq0v9x2ma
why not-an-id
entity drift
entity "Anna Brandt" --json --limit 1000
entity Jonas --json
entity "the log engine"
entity people/family/Jonas --json
entity "Anna Brand" --json
entity I
entity ""
entity drift --timeline
entity Anna --timeline --json
claims --as-of 2025-01 --json
contradictions
contradictions --all
contradictions --all --json --limit 1000
contradictions --judge scripted
review --propose scripted
changes
changes --json
changes --judge scripted --all
stale
stale --json --limit 1000
review
review --json --limit 1000
review --apply
review --apply --json
review --write --apply
keep {ID}
keep {ID} --json
keep {ID} --over {ID}
keep {ID} --beside 7h3kq0v9x2ma
why {ID}
retract {ID} --json
why {ID} --json
verify <<< "Anna works at Tidewell [claim:{ID}]."
restore {ID} --json
retract {ID}
restore {ID}
keep 7h3kq0v9x2ma
keep mem-000000000000
retract ~abcdefgh2345
restore not-an-id
capture --title "Work" <<< "Since May 2025 Anna works at Tidewell [claim:{ID}]. Nothing is cited here."
capture - --title "Work at Tidewell" --folder inbox/new --by "A model" --json <<< "Since May 2025 Anna works at Tidewell [claim:{ID}]."
capture --title Kept --privacy private --json <<< "Nothing is cited here."
capture --title Wrong --json <<< "Anna works at Aldersey [claim:{ID}]. The moon is cheese [claim:7h3kq0v9x2ma]. [claim:~abcdefgh2345] [claim:no]"
capture --title Work --folder ../outside <<< "Nothing is cited here."
capture --title Work --folder .obsidian <<< "Nothing is cited here."
capture nowhere.md --title Work
capture --title Empty
memory init
memory save "drift uses pino for structured logging." --json
memory save "ok thanks"
memory save "Anna likes rye bread in the morning." --kind profile --privacy secret
memory write daily "Merged the parser." --title "Parser" --json
memory write scratchpad "Fix the port"
memory search "structured logging" --json
memory search bread
memory read daily --json
memory read mem-000000000000
memory update mem-000000000000 "drift uses tracing for structured logging." --json
memory update mem-000000000000 --outcome ok --json
memory forget mem-000000000000 --json
memory restore mem-000000000000 --json
memory forget ../drift
memory list --json
memory list --all
memory stats --json
memory stats
memory export
memory export nowhere/export.jsonl
memory import --from mem0 - <<< "[{\"id\": \"m-1\", \"memory\": \"Anna likes rye bread in the evening.\"}, {\"id\": 2}]"
memory import --from mem0 - --dry-run --json <<< "[{\"id\": \"m-1\", \"memory\": \"Anna likes rye bread in the evening.\"}]"
memory import --from text - --trust --privacy secret <<< "Anna drinks tea in the evening."
memory import --from memora - <<< "{}"
memory import --from chatgpt nowhere.json
memory import --from nowhere -
memory consolidate --json
memory consolidate
memory consolidate --apply --json
memory gaps --json
memory gaps
memory bridge --json
memory bridge
memory bridge detect --json
memory bridge detect
memory bridge sync --json
memory bridge sync nowhere
memory undo --json
memory undo pass-000000000000
memory context --json
memory context --task "structured logging" --max-bytes 4000
hook session-start --client claude-code <<< "{\"session_id\": \"s1\", \"cwd\": \"/\", \"source\": \"startup\"}"
hook session-start --client codex <<< "words"
hook prompt --client claude-code <<< "{\"session_id\": \"s1\", \"cwd\": \"/\", \"prompt\": \"remember that I like tea in the morning\"}"
hook stop --client claude-code <<< "{\"session_id\": \"s1\", \"transcript_path\": \"/nowhere.jsonl\"}"
hook pre-compact --client cursor <<< "{\"session_id\": \"s1\", \"transcript_path\": \"/nowhere.jsonl\"}"
hook post-compact --client claude-code <<< "{\"session_id\": \"s1\", \"cwd\": \"/\", \"compact_summary\": \"The parser was merged.\"}"
hook session-end --client codex <<< "{\"session_id\": \"s1\", \"transcript_path\": \"/nowhere.jsonl\"}"
hook guard --client claude-code <<< "{\"cwd\": \"/\", \"tool_input\": {\"file_path\": \"Memora/MEMORY.md\"}}"
hook install --client cursor
extract
extract --dry-run --json
extract --note ../outside.md
status
status --json
embedder
embedder status --json
embedder use all-MiniLM-L6-v2
embedder use something-else
embedder install
embedder install something-else
doctor
doctor --json
doctor --check-spans
doctor --check-spans --json
export
export --canonical
privacy audit
privacy audit --json
privacy audit --list --for local --json
privacy audit --note "people/Anna Brandt.md"
privacy audit --note ../outside.md
privacy egress
privacy egress --last 5 --json
privacy
demo
demo --json
demo please
completions bash
completions cmd
man
man --out
reset
status
reset --journal
init --json
watch --help
browse --help
browse --port many
lsp --help
lsp
mcp
mcp --help
mcp --client nowhere
mcp install --client cursor
mcp install --client zed --local --json
mcp install --client codex --write
mcp install --client codex --write --json
mcp install --client nowhere
watch --pole
doctor --check-spans --json
index --json
help
ask --help
--version
frobnicate
ask
search --limit many x
claims --since whenever
"#;

/// The folder of the workspace.
pub(crate) fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A copy of the example vault.
pub(crate) fn example() -> Fixture {
    Fixture::copy_from(&workspace().join("vault-example"))
}

/// A copy of the example vault in which nothing is remembered yet.
pub(crate) fn example_without_memories() -> Fixture {
    let fixture = example();
    std::fs::remove_dir_all(fixture.path("Memora")).expect("the example has memories");
    fixture
}

/// A copy of the example vault that was indexed and read by the transformer, with its runner: for tests that do not look at how an
/// index is made.
pub(crate) fn indexed_example() -> (Fixture, MemoraBinary) {
    let fixture = example();
    let memora = memora(&fixture);
    memora.copy_state_from(example_state());
    (fixture, memora)
}

/// The state of the example vault, indexed and read by the transformer, which takes ten seconds: made once, to be copied.
pub(crate) fn example_state() -> &'static Path {
    static INDEXED: LazyLock<(Fixture, MemoraBinary, PathBuf)> = LazyLock::new(|| {
        let fixture = example();
        let memora = memora(&fixture);
        assert_eq!(memora.at_local_door().run(&["index", "--complete"]).exit, Some(0));
        let state = memora.vault_state_dir();
        (fixture, memora, state)
    });
    &INDEXED.2
}

/// The built binary on a vault.
pub(crate) fn memora(fixture: &Fixture) -> MemoraBinary {
    MemoraBinary::new(binary(), fixture.vault())
}

/// Where the built binary lies; `MEMORA_BINARY` names another build.
pub(crate) fn binary() -> PathBuf {
    std::env::var_os("MEMORA_BINARY").map_or_else(|| env!("CARGO_BIN_EXE_memora").into(), PathBuf::from)
}

/// Reads a file of the workspace.
pub(crate) fn read(path: &str) -> String {
    std::fs::read_to_string(workspace().join(path)).unwrap_or_else(|error| panic!("cannot read {path}: {error}"))
}

/// The lines of a script that are not empty.
pub(crate) fn lines(script: &str) -> impl Iterator<Item = &str> {
    script.lines().filter(|line| !line.trim().is_empty())
}

/// A command line as text: what stands after `memora`, and behind ` <<< ` what stands on standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) args: Vec<String>,
    pub(crate) input: String,
}

impl Line {
    /// Cuts a line into words: double quotes quote, `\"` is a quote.
    pub(crate) fn parse(text: &str) -> Self {
        let (command, input) = text.split_once(" <<< ").unwrap_or((text, ""));
        Self { args: words(command), input: words(input).join(" ") }
    }

    pub(crate) fn run(&self, memora: &MemoraBinary) -> CommandOutput {
        memora.run_with_stdin(&self.args, self.input.as_bytes())
    }
}

fn words(text: &str) -> Vec<String> {
    let (mut found, mut word, mut quoted) = (Vec::new(), None::<String>, false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' if chars.peek() == Some(&'"') => {
                chars.next();
                word.get_or_insert_default().push('"');
            }
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            c if c.is_whitespace() && !quoted => found.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    assert!(!quoted, "a quote is left open in {text}");
    found.extend(word);
    found
}

/// Every claim of the vault and every statement that claims nothing, guarded ones too.
pub(crate) fn exported(memora: &MemoraBinary) -> Vec<Value> {
    memora.at_local_door().run(&["export", "--canonical", "--statements"]).assert_code(0).json_lines()
}

/// The id of the first claim, or the statement, whose quote holds these words.
pub(crate) fn id_of(memora: &MemoraBinary, words: &str) -> String {
    let claims = exported(memora);
    let found = claims.iter().find(|claim| claim["sources"][0]["quote"].as_str().is_some_and(|q| q.contains(words)));
    let claim = found.unwrap_or_else(|| panic!("no claim quotes {words:?}"));
    let id = claim["claim"].as_str().expect("a claim has an id");
    id.split('.').next().expect("something stands before the point").to_owned()
}

/// A running `memora watch`, which is ended when this goes.
pub(crate) struct Watch {
    child: Child,
    lines: Receiver<String>,
    talk: Receiver<String>,
}

impl Watch {
    /// Starts it with `--json` and waits for its first line.
    #[track_caller]
    pub(crate) fn begun(memora: &MemoraBinary, args: &[&str]) -> Self {
        let all: Vec<&str> = ["watch", "--json"].iter().chain(args).copied().collect();
        let watch = Self::start(&mut memora.command(&all));
        let first = watch.line();
        assert_eq!(first["why"], "begun", "{first}");
        watch
    }

    /// Starts a command that is one.
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut child = command.spawn().expect("the binary can be started");
        let lines = spoken(child.stdout.take().expect("standard output is a pipe"));
        let talk = spoken(child.stderr.take().expect("standard error is a pipe"));
        Self { child, lines, talk }
    }

    /// The next line of data.
    #[track_caller]
    pub(crate) fn line(&self) -> Value {
        let line = self.lines.recv_timeout(PATIENCE);
        let line = line.unwrap_or_else(|error| panic!("no line ({error}); it said: {}", self.said()));
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("not JSON ({error}): {line}"))
    }

    /// The lines up to one that has what is wanted, that one included.
    #[track_caller]
    pub(crate) fn until(&self, wanted: impl Fn(&Value) -> bool) -> Vec<Value> {
        let mut lines = Vec::new();
        while lines.last().is_none_or(|line| !wanted(line)) {
            lines.push(self.line());
        }
        lines
    }

    /// Whether nothing is printed for so long.
    pub(crate) fn is_silent_for(&self, time: Duration) -> bool {
        self.lines.recv_timeout(time) == Err(RecvTimeoutError::Timeout)
    }

    /// Waits for words on standard error.
    #[track_caller]
    pub(crate) fn says(&self, words: &str) {
        let mut heard = Vec::new();
        while heard.last().is_none_or(|line: &String| !line.contains(words)) {
            let line = self.talk.recv_timeout(PATIENCE);
            heard.push(line.unwrap_or_else(|error| panic!("{words:?} was not said ({error}), but: {heard:?}")));
        }
    }

    /// What it has said on standard error and nobody waited for.
    pub(crate) fn said(&self) -> String {
        self.talk.try_iter().collect::<Vec<_>>().join("\n")
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends it a signal and gives how it ended, with what it printed and said that nobody waited for.
    #[cfg(unix)]
    #[track_caller]
    pub(crate) fn end(self, signal: &str) -> CommandOutput {
        let sent = Command::new("kill").args([signal, &self.id().to_string()]).status().expect("kill can be started");
        assert!(sent.success(), "{signal} could be sent");
        self.ended()
    }

    /// Waits until it ends, and gives how, with what it printed and said that nobody waited for.
    #[track_caller]
    pub(crate) fn ended(mut self) -> CommandOutput {
        let status = self.child.wait().expect("it ends");
        let rest = |lines: &Receiver<String>| lines.iter().map(|line| line + "\n").collect::<String>().into_bytes();
        let (stdout, stderr) = (rest(&self.lines), rest(&self.talk));
        CommandOutput::new("memora watch", std::process::Output { status, stdout, stderr })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// No machine is so busy that it takes longer.
const PATIENCE: Duration = Duration::from_secs(120);

/// The lines of a pipe, as they come.
fn spoken(pipe: impl Read + Send + 'static) -> Receiver<String> {
    let (send, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(pipe).lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                break;
            }
        }
    });
    lines
}

#[test]
fn a_command_line_is_cut_as_a_shell_would() {
    let line = |args: &[&str], input: &str| Line {
        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        input: input.to_owned(),
    };
    assert_eq!(Line::parse("index --json"), line(&["index", "--json"], ""));
    assert_eq!(Line::parse("why \"\""), line(&["why", ""], ""));
    assert_eq!(Line::parse("search \"\\\"\" --json"), line(&["search", "\"", "--json"], ""));
    assert_eq!(Line::parse("verify - <<< \"A b [claim:x].\""), line(&["verify", "-"], "A b [claim:x]."));
    assert_eq!(Line::parse("verify - <<< \"\""), line(&["verify", "-"], ""));
}

#[test]
fn the_list_of_every_command_names_every_command() {
    let fixture = Fixture::from_notes(&[]);
    let help = memora(&fixture).run(&["help"]).assert_code(0).stdout;
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // A line of the list begins with two spaces and a name; deeper ones go on with a description.
    let names = listed
        .filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next().filter(|_| !line.starts_with("   ")));
    let mut counted = 0;
    for name in names {
        let known = lines(EVERY_COMMAND).any(|line| line.split_whitespace().next() == Some(name));
        assert!(known, "add `memora {name}` to EVERY_COMMAND, so that its leaks and its writes are looked for");
        counted += 1;
    }
    assert!(counted > 9, "the help was not understood:\n{help}");
}

/// Returns the program that a variable names; without the variable, says that the test is skipped.
pub(crate) fn program_in(variable: &str) -> Option<std::ffi::OsString> {
    use std::io::Write as _;

    let program = std::env::var_os(variable);
    if program.is_none() {
        // Past the capture of the test runner, which would show this to nobody.
        drop(writeln!(std::io::stderr(), "skipped: {variable} is not set; .ci/run installs the program and sets it"));
    }
    program
}

/// A text without what differs from run to run: ids of memories, seals, times, ports, temporary folders.
pub(crate) fn masked(text: &str) -> String {
    static CHANGING: LazyLock<[(Regex, &str); 8]> = LazyLock::new(|| {
        [
            (r"\bmem-[0-9a-z]{12}\b", "mem-ID"),
            (r"\bseal: \w+", "seal: SEAL"),
            (r"\btmp\w{6}-[0-9a-f]{8}\b", "PROJECT"),
            (r"\S*/\.tmp\w+", "FOLDER"),
            (r"\b(20\d\d-\d\d-\d\d)[T ]\d\d:?\d\d(?::\d\d)?", "$1 TIME"),
            (r"\b\d\d:\d\d\b", "TIME"),
            (r"127\.0\.0\.1:\d+", "127.0.0.1:PORT"),
            (r" \(os error \d+\)", ""),
        ]
        .map(|(pattern, name)| (Regex::new(pattern).expect("a pattern"), name))
    });
    CHANGING.iter().fold(text.to_owned(), |text, (pattern, name)| pattern.replace_all(&text, *name).into_owned())
}
