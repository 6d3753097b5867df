//! The built binary, run as by a user or an agent, in an isolated environment.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use serde_json::Value;
use tempfile::TempDir;

use crate::fixture::copy_tree;

/// The date that the program takes as today: the day after the last daily note of the example vault.
const TODAY: &str = "2025-12-31";

/// The door setting passed to the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DoorSetting {
    /// Not set: standard output is a pipe, which is a cloud door.
    Unset,
    /// `MEMORA_DOOR=cloud`.
    Cloud,
    /// `MEMORA_DOOR=local`.
    Local,
}

/// Runs the built binary on one vault, with its own home, state and configuration.
///
/// Clones share these folders; they are deleted with the last clone.
#[derive(Clone, Debug)]
pub struct MemoraBinary {
    binary: PathBuf,
    vault: Option<PathBuf>,
    home: Arc<TempDir>,
    door: DoorSetting,
}

impl MemoraBinary {
    /// Creates a runner from the binary, `env!("CARGO_BIN_EXE_memora")` in tests of the root package, and a vault.
    #[must_use]
    pub fn new(binary: impl Into<PathBuf>, vault: &Path) -> Self {
        let home = tempfile::tempdir().expect("a temporary folder can be made");
        for folder in ["state", "config", "tmp"] {
            std::fs::create_dir(home.path().join(folder)).expect("a new folder can be made");
        }
        Self { binary: binary.into(), vault: Some(vault.to_owned()), home: Arc::new(home), door: DoorSetting::Unset }
    }

    /// Returns a runner with the same home and state, at another door.
    #[must_use]
    pub fn at_door(&self, door: DoorSetting) -> Self {
        Self { door, ..self.clone() }
    }

    /// Returns a runner with the same home and state, at the local door.
    #[must_use]
    pub fn at_local_door(&self) -> Self {
        self.at_door(DoorSetting::Local)
    }

    /// Returns a runner with the same home and state, and no vault set.
    #[must_use]
    pub fn without_vault(&self) -> Self {
        Self { vault: None, ..self.clone() }
    }

    /// Returns the home folder, which is also the working directory.
    #[must_use]
    pub fn home_dir(&self) -> &Path {
        self.home.path()
    }

    /// Returns the state folder.
    #[must_use]
    pub fn state_dir(&self) -> PathBuf {
        self.home_dir().join("state")
    }

    /// Returns the folder with the vault's own state, be it there or not: its name is made of the vault's canonical path. That `status`
    /// names the same folder is tested; asking it would index the vault.
    ///
    /// # Panics
    /// If there is no vault.
    #[must_use]
    pub fn vault_state_dir(&self) -> PathBuf {
        let vault = self.vault.as_ref().and_then(|vault| vault.canonicalize().ok()).expect("a vault");
        let hash = blake3::hash(vault.as_os_str().as_encoded_bytes()).to_hex();
        self.state_dir().join("vaults").join(hash.as_str().get(..16).unwrap_or_default())
    }

    /// Begins with the state of another vault with the same notes, as if it were its own: what is the same there is not read
    /// again.
    pub fn copy_state_from(&self, other: &Path) {
        let own = self.vault_state_dir();
        std::fs::create_dir_all(&own).expect("a new folder can be made");
        copy_tree(other, &own);
    }

    /// Returns the user's configuration folder.
    #[must_use]
    pub fn config_dir(&self) -> PathBuf {
        self.home_dir().join("config")
    }

    /// Writes the user's `config.toml`.
    pub fn write_config(&self, toml: &str) {
        std::fs::write(self.config_dir().join("config.toml"), toml).expect("the configuration can be written");
    }

    /// Returns the command, not started and with standard input closed, for tests that modify or watch it.
    #[must_use]
    pub fn command<S: AsRef<OsStr>>(&self, args: &[S]) -> Command {
        let mut command = Command::new(&self.binary);
        command
            .env_clear()
            .env("HOME", self.home_dir())
            .env("TMPDIR", self.home_dir().join("tmp"))
            .env("MEMORA_STATE_DIR", self.state_dir())
            .env("MEMORA_CONFIG_DIR", self.config_dir())
            .env("MEMORA_TODAY", TODAY)
            // A build without the gate only runs in tests.
            .env("MEMORA_TEST_WITHOUT_GATE", "1")
            .current_dir(self.home_dir())
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(vault) = &self.vault {
            command.env("MEMORA_VAULT", vault);
        }
        match self.door {
            DoorSetting::Unset => {}
            DoorSetting::Cloud => drop(command.env("MEMORA_DOOR", "cloud")),
            DoorSetting::Local => drop(command.env("MEMORA_DOOR", "local")),
        }
        command
    }

    /// Runs a command with empty standard input.
    pub fn run<S: AsRef<OsStr>>(&self, args: &[S]) -> CommandOutput {
        self.run_with_stdin(args, b"")
    }

    /// Runs a command with these bytes on standard input.
    pub fn run_with_stdin<S: AsRef<OsStr>>(&self, args: &[S], input: &[u8]) -> CommandOutput {
        let mut command = self.command(args);
        let line = args.iter().map(|arg| arg.as_ref().to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ");
        let mut child = command.stdin(Stdio::piped()).spawn().expect("the binary can be started");
        let mut stdin = child.stdin.take().expect("standard input is a pipe");
        let output = std::thread::scope(|scope| {
            // On its own thread, to avoid a deadlock; a program that does not read its input is not an error.
            scope.spawn(move || drop(stdin.write_all(input)));
            child.wait_with_output().expect("the program ends")
        });
        CommandOutput::new(format!("memora {line}"), output)
    }
}

/// The output and exit status of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "assert how it ended with .code(), or compare what it said"]
pub struct CommandOutput {
    /// The command, for messages.
    line: String,
    /// The exit code; `None` if a signal ended it.
    pub exit: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl CommandOutput {
    /// Converts the output of a child process, which must be UTF-8.
    pub fn new(line: impl Into<String>, output: std::process::Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("what is said is UTF-8");
        Self { line: line.into(), exit: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// Asserts the exit code.
    ///
    /// # Panics
    /// If the exit code differs.
    #[track_caller]
    pub fn assert_code(self, expected: i32) -> Self {
        assert_eq!(self.exit, Some(expected), "{self}");
        self
    }

    /// Asserts a proper failure: exit code 2, nothing on standard output, the given words and a `hint:` line on
    /// standard error, and no panic.
    ///
    /// # Panics
    /// If any of these does not hold.
    #[track_caller]
    pub fn assert_failed(self, words: &str) {
        assert_eq!(self.exit, Some(2), "{self}");
        assert_eq!(self.stdout, "", "{self}");
        assert!(self.stderr.contains(words), "no {words:?} in what it said: {self}");
        assert!(self.stderr.lines().any(|line| line.starts_with("hint: ")), "no hint: {self}");
        assert!(!self.stderr.contains("panicked"), "{self}");
    }

    /// Parses standard output as JSON.
    ///
    /// # Panics
    /// If it is not JSON.
    #[must_use]
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("not JSON ({error}): {self}"))
    }

    /// Parses standard output as lines of JSON.
    ///
    /// # Panics
    /// If a line is not JSON.
    #[must_use]
    #[track_caller]
    pub fn json_lines(&self) -> Vec<Value> {
        let parse = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("not JSON ({error}): {line}"));
        self.stdout.lines().map(parse).collect()
    }
}

impl std::fmt::Display for CommandOutput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let exit = self.exit.map_or_else(|| "by a signal".to_owned(), |code| format!("with {code}"));
        write!(f, "`{}` ended {exit}\n--- stdout\n{}--- stderr\n{}", self.line, self.stdout, self.stderr)
    }
}
