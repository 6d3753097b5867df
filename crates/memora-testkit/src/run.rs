//! The built binary, run as a user or an agent runs it, in an environment of its own.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use serde_json::Value;
use tempfile::TempDir;

/// The day that the program takes for today: the day after the last daily note of the example vault.
const TODAY: &str = "2025-12-31";

/// Who is said to read the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// Nothing is said: standard output is a pipe, which is a cloud door.
    Unsaid,
    /// `MEMORA_DOOR=cloud`.
    Cloud,
    /// `MEMORA_DOOR=local`.
    Local,
}

/// Runs the built binary on one vault, with a home, a state and a configuration of its own.
///
/// Clones share them; they go with the last clone.
#[derive(Clone, Debug)]
pub struct Memora {
    binary: PathBuf,
    vault: Option<PathBuf>,
    home: Arc<TempDir>,
    door: Door,
}

impl Memora {
    /// Takes the binary, which a test of the root package finds in `env!("CARGO_BIN_EXE_memora")`, and a vault.
    #[must_use]
    pub fn new(binary: impl Into<PathBuf>, vault: &Path) -> Self {
        let home = tempfile::tempdir().expect("a temporary folder can be made");
        for folder in ["state", "config", "tmp"] {
            std::fs::create_dir(home.path().join(folder)).expect("a new folder can be made");
        }
        Self { binary: binary.into(), vault: Some(vault.to_owned()), home: Arc::new(home), door: Door::Unsaid }
    }

    /// The same home and state, with the output read by somebody else.
    #[must_use]
    pub fn at(&self, door: Door) -> Self {
        Self { door, ..self.clone() }
    }

    /// The same at the local door.
    #[must_use]
    pub fn local(&self) -> Self {
        self.at(Door::Local)
    }

    /// The same home and state, with no vault named.
    #[must_use]
    pub fn without_vault(&self) -> Self {
        Self { vault: None, ..self.clone() }
    }

    /// The home folder, also the working directory.
    #[must_use]
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// The folder of all state.
    #[must_use]
    pub fn state_dir(&self) -> PathBuf {
        self.home().join("state")
    }

    /// The folder of the user's configuration.
    #[must_use]
    pub fn config_dir(&self) -> PathBuf {
        self.home().join("config")
    }

    /// Writes the user's `config.toml`.
    pub fn configure(&self, toml: &str) {
        std::fs::write(self.config_dir().join("config.toml"), toml).expect("the configuration can be written");
    }

    /// The command, not started, with standard input closed: for tests that change or watch it.
    #[must_use]
    pub fn command<S: AsRef<OsStr>>(&self, args: &[S]) -> Command {
        let mut command = Command::new(&self.binary);
        command
            .env_clear()
            .env("HOME", self.home())
            .env("TMPDIR", self.home().join("tmp"))
            .env("MEMORA_STATE_DIR", self.state_dir())
            .env("MEMORA_CONFIG_DIR", self.config_dir())
            .env("MEMORA_TODAY", TODAY)
            // A build without the gate runs in tests alone.
            .env("MEMORA_TEST_WITHOUT_GATE", "1")
            .current_dir(self.home())
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(vault) = &self.vault {
            command.env("MEMORA_VAULT", vault);
        }
        match self.door {
            Door::Unsaid => {}
            Door::Cloud => drop(command.env("MEMORA_DOOR", "cloud")),
            Door::Local => drop(command.env("MEMORA_DOOR", "local")),
        }
        command
    }

    /// Runs a command, with nothing on standard input.
    pub fn run<S: AsRef<OsStr>>(&self, args: &[S]) -> Output {
        self.run_with(args, b"")
    }

    /// Runs a command with these bytes on standard input.
    pub fn run_with<S: AsRef<OsStr>>(&self, args: &[S], input: &[u8]) -> Output {
        let mut command = self.command(args);
        let line = args.iter().map(|arg| arg.as_ref().to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ");
        let mut child = command.stdin(Stdio::piped()).spawn().expect("the binary can be started");
        let mut stdin = child.stdin.take().expect("standard input is a pipe");
        let output = std::thread::scope(|scope| {
            // Beside the reading, so that neither waits for the other; a program that does not read is no mistake.
            scope.spawn(move || drop(stdin.write_all(input)));
            child.wait_with_output().expect("the program ends")
        });
        Output::new(format!("memora {line}"), output)
    }
}

/// What a command said and how it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "assert how it ended with .code(), or compare what it said"]
pub struct Output {
    /// The command, for messages.
    line: String,
    /// The exit code; nothing when a signal ended it.
    pub exit: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Output {
    /// Takes what a child left; its words must be UTF-8.
    pub fn new(line: impl Into<String>, output: std::process::Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("what is said is UTF-8");
        Self { line: line.into(), exit: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// Asserts the exit code.
    ///
    /// # Panics
    /// When it is another.
    #[track_caller]
    pub fn code(self, expected: i32) -> Self {
        assert_eq!(self.exit, Some(expected), "{self}");
        self
    }

    /// Asserts that it failed (exit code 2) as a failure should: nothing on standard output, words and a `hint:` line on
    /// standard error, and no panic.
    ///
    /// # Panics
    /// When it did not.
    #[track_caller]
    pub fn failed(self, words: &str) {
        assert_eq!(self.exit, Some(2), "{self}");
        assert_eq!(self.stdout, "", "{self}");
        assert!(self.stderr.contains(words), "no {words:?} in what it said: {self}");
        assert!(self.stderr.lines().any(|line| line.starts_with("hint: ")), "no hint: {self}");
        assert!(!self.stderr.contains("panicked"), "{self}");
    }

    /// Standard output as JSON.
    ///
    /// # Panics
    /// When it is not.
    #[must_use]
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("not JSON ({error}): {self}"))
    }

    /// Standard output as lines of JSON.
    ///
    /// # Panics
    /// When a line is not.
    #[must_use]
    #[track_caller]
    pub fn json_lines(&self) -> Vec<Value> {
        let parse = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("not JSON ({error}): {line}"));
        self.stdout.lines().map(parse).collect()
    }
}

impl std::fmt::Display for Output {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let exit = self.exit.map_or_else(|| "by a signal".to_owned(), |code| format!("with {code}"));
        write!(f, "`{}` ended {exit}\n--- stdout\n{}--- stderr\n{}", self.line, self.stdout, self.stderr)
    }
}
