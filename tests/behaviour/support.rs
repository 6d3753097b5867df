//! A vault in a folder of its own, and the real binary run on it.
//!
//! Nothing of the surroundings gets in: the environment is cleared, home, state and configuration lie in the same
//! temporary folder, and today is always the last day of 2025.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use serde_json::Value;
use tempfile::TempDir;

/// A vault and what belongs to its user.
pub(crate) struct World {
    dir: TempDir,
}

/// How a command ended.
#[must_use = "look at what was printed, or at least at the exit code"]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl World {
    /// A vault with these notes, not indexed yet.
    pub(crate) fn new(notes: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let world = Self { dir };
        fs::create_dir_all(world.vault().join(".obsidian")).expect("a vault");
        fs::create_dir_all(world.at("home")).expect("a home");
        for (path, text) in notes {
            world.write(path, text);
        }
        world
    }

    /// A vault that is a copy of a folder.
    pub(crate) fn copy_of(folder: &Path) -> Self {
        let world = Self::new(&[]);
        copy(folder, &world.vault());
        world
    }

    pub(crate) fn at(&self, part: &str) -> PathBuf {
        self.dir.path().join(part)
    }

    pub(crate) fn vault(&self) -> PathBuf {
        self.at("vault")
    }

    /// The folder of this vault's state; there once a command ran.
    pub(crate) fn state(&self) -> PathBuf {
        let vaults = fs::read_dir(self.at("state").join("vaults")).expect("there is a state folder");
        vaults.map(|entry| entry.expect("a readable folder").path()).next().expect("there is a state")
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.vault().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a written note");
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.vault().join(path)).expect("a readable note")
    }

    /// Replaces words that stand exactly once in a note.
    pub(crate) fn edit(&self, path: &str, from: &str, to: &str) {
        let text = self.read(path);
        assert_eq!(text.matches(from).count(), 1, "{from:?} stands once in {path}");
        self.write(path, text.replacen(from, to, 1));
    }

    pub(crate) fn delete(&self, path: &str) {
        fs::remove_file(self.vault().join(path)).expect("a note to delete");
    }

    pub(crate) fn rename(&self, from: &str, to: &str) {
        let to = self.vault().join(to);
        fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
        fs::rename(self.vault().join(from), to).expect("a note to rename");
    }

    /// The program, without arguments, in an environment of its own.
    pub(crate) fn bare(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_memora"));
        command
            .env_clear()
            .env("HOME", self.at("home"))
            .env("MEMORA_STATE_DIR", self.at("state"))
            .env("MEMORA_CONFIG_DIR", self.at("config"))
            .env("MEMORA_TODAY", "2025-12-31")
            .current_dir(self.dir.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// The program, for this vault, at the user's own door.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = self.bare();
        command.arg("--vault").arg(self.vault()).args(["--door", "local"]).args(args);
        command
    }

    /// Runs a command at the user's own door.
    pub(crate) fn local(&self, args: &[&str]) -> Run {
        run(self.command(args), "")
    }

    /// Runs a command at a cloud door, which standard output is when it is no terminal.
    pub(crate) fn cloud(&self, args: &[&str]) -> Run {
        self.cloud_with(args, "")
    }

    /// The same, with this on standard input.
    pub(crate) fn cloud_with(&self, args: &[&str], input: &str) -> Run {
        let mut command = self.bare();
        command.arg("--vault").arg(self.vault()).args(args);
        run(command, input)
    }

    /// Runs a command at the user's own door and reads its JSON.
    pub(crate) fn json(&self, args: &[&str]) -> Value {
        let run = self.local(&[args, &["--json"]].concat());
        assert!(matches!(run.code, Some(0 | 1)), "{args:?} failed: {}", run.stderr);
        run.json()
    }

    /// Brings the index up to date, which must work.
    pub(crate) fn index(&self) -> Value {
        self.json(&["index"])
    }

    /// What `export --canonical` prints.
    pub(crate) fn export(&self) -> String {
        let run = self.local(&["export", "--canonical", "--statements"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run.stdout
    }

    /// All that was read, listed or not, as exported.
    pub(crate) fn claims(&self) -> Vec<Value> {
        self.exported(&["export", "--statements"])
    }

    fn exported(&self, command: &[&str]) -> Vec<Value> {
        let run = self.local(command);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run.stdout.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
    }

    /// The id of the statement whose place has these words; there must be exactly one.
    pub(crate) fn id(&self, words: &str) -> String {
        self.id_in("", words)
    }

    /// The id of the statement of a note whose place has these words; an empty path is any note.
    pub(crate) fn id_in(&self, note: &str, words: &str) -> String {
        let claims = self.claims();
        let mut found: Vec<&str> = claims
            .iter()
            .filter(|claim| {
                places(claim).any(|p| (note.is_empty() || p["path"] == note) && text(&p["quote"]).contains(words))
            })
            .map(|claim| statement(text(&claim["claim"])))
            .collect();
        found.dedup();
        assert_eq!(found.len(), 1, "{words:?} stands in statements {found:?}");
        found[0].to_owned()
    }

    /// Judges a text at the user's own door.
    pub(crate) fn verify(&self, draft: &str) -> Value {
        let run = run(self.command(&["verify", "--json"]), draft);
        assert!(matches!(run.code, Some(0 | 1)), "verify failed: {}", run.stderr);
        let report = run.json();
        let good = text(&report["status"]) == "verified";
        assert_eq!(run.code, Some(i32::from(!good)), "the exit code says whether it is verified: {report}");
        report
    }

    /// Judges one sentence with one citation: the verdicts of the two.
    pub(crate) fn verdicts(&self, sentence: &str, id: &str) -> (String, String) {
        let report = self.verify(&format!("{sentence} [claim:{id}]"));
        let first = &report["sentences"][0];
        (text(&first["verdict"]).to_owned(), text(&first["citations"][0]["verdict"]).to_owned())
    }

    /// The quotes that a search finds, best first.
    pub(crate) fn found(&self, query: &str) -> Vec<String> {
        let report = self.json(&["search", query]);
        let hits = report["hits"].as_array().expect("hits");
        let found = hits.iter().filter(|hit| hit["relevance"] != "none");
        found.map(|hit| text(&hit["place"]["quote"]).to_owned()).collect()
    }

    /// The quotes that an answer rests on, and its status.
    pub(crate) fn asked(&self, question: &str) -> (String, Vec<String>) {
        let report = self.json(&["ask", question]);
        let claims = report["claims"].as_array().expect("claims");
        let quotes = claims.iter().map(|claim| text(&claim["place"]["quote"]).to_owned()).collect();
        (text(&report["status"]).to_owned(), quotes)
    }

    /// Every file below the vault with its bytes and the time it was last written.
    pub(crate) fn everything(&self) -> BTreeMap<PathBuf, (Vec<u8>, SystemTime)> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.vault()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a readable folder") {
                let path = entry.expect("a readable folder").path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let written = fs::metadata(&path).and_then(|m| m.modified()).expect("a time");
                    let bytes = fs::read(&path).expect("a readable file");
                    found.insert(path, (bytes, written));
                }
            }
        }
        found
    }
}

impl Run {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}\n{}", self.stdout, self.stderr))
    }

    /// Everything that was printed.
    pub(crate) fn said(&self) -> String {
        format!("{}\n{}", self.stdout, self.stderr)
    }

    /// Ended on its own, and not in a panic.
    pub(crate) fn assert_sane(&self) {
        assert!(matches!(self.code, Some(0..=2)), "ended with {:?}: {}", self.code, self.stderr);
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        if self.code == Some(2) {
            assert!(self.stderr.contains("error: "), "a failure says why: {:?}", self.stderr);
        }
    }
}

/// Runs a command to its end.
pub(crate) fn run(mut command: Command, input: &str) -> Run {
    command.stdin(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A command that does not read its input closes the pipe.
    drop(stdin.write_all(input.as_bytes()));
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    let run = Run {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    };
    run.assert_sane();
    run
}

/// A JSON text, or nothing.
pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The statement of a claim's id.
pub(crate) fn statement(id: &str) -> &str {
    id.split('.').next().unwrap_or(id)
}

/// The places of an exported claim.
pub(crate) fn places(claim: &Value) -> impl Iterator<Item = &Value> {
    claim["sources"].as_array().into_iter().flatten()
}

/// The top of the repository.
pub(crate) fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Copies what lies below a folder.
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a readable folder") {
        let path = entry.expect("a readable folder").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).expect("a copied file");
        }
    }
}

/// Numbers that look random and are the same every time (xorshift).
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(bound).expect("a small bound")).expect("a small number")
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}
