//! What commands acknowledged, and whether it is there.

use std::collections::{BTreeMap, BTreeSet};

use memora_testkit::{Fixture, MemoraBinary};
use serde_json::Value;

use super::{files_below, state_of};
use crate::hard::Dice;

/// What a command acknowledged.
#[derive(Clone, Debug)]
pub(super) enum Promise {
    /// All notes were read.
    Indexed,
    Decision {
        at: String,
        claim: String,
    },
    /// A new note, with a line that stands near its end.
    Text {
        path: String,
        end: String,
    },
    Memory {
        id: String,
        path: String,
        words: String,
    },
    Forgotten {
        from: String,
        to: String,
    },
    Logged(String),
    /// A model's claim was grounded and kept.
    ModelClaim,
    /// A result was sent to a client.
    Sent,
}

/// All that was acknowledged so far.
#[derive(Default)]
pub(super) struct Promises {
    decisions: Vec<(String, String)>,
    texts: BTreeMap<String, String>,
    /// By id: path and words.
    memories: BTreeMap<String, (String, String)>,
    forgotten: BTreeMap<String, String>,
    /// Ids that somebody began to forget.
    given_up: BTreeSet<String>,
    logged: Vec<String>,
    model_claim: bool,
    sent: usize,
    /// Statements of the notes as they are that an index knows; of those that went since; and that the journal must know.
    current: BTreeSet<String>,
    replaced: BTreeSet<String>,
    former: BTreeSet<String>,
    /// Statements of the notes as they are.
    present: BTreeSet<String>,
}

impl Promises {
    /// Remembers what was acknowledged. An index that was taken away meanwhile may know nothing any more.
    pub(super) fn record(&mut self, made: Vec<Promise>, undisturbed: bool) {
        for promise in made {
            match promise {
                Promise::Indexed if undisturbed => {
                    self.current = self.present.clone();
                    self.former.append(&mut self.replaced);
                }
                Promise::Indexed => {}
                Promise::Decision { at, claim } => self.decisions.push((at, claim)),
                Promise::Text { path, end } => drop(self.texts.insert(path, end)),
                Promise::Memory { id, path, words } => drop(self.memories.insert(id, (path, words))),
                Promise::Forgotten { from, to } => drop(self.forgotten.insert(from, to)),
                Promise::Logged(words) => self.logged.push(words),
                Promise::ModelClaim => self.model_claim = true,
                Promise::Sent => self.sent += 1,
            }
        }
    }

    pub(super) fn record_present(&mut self, statement: &str) {
        self.present.insert(statement.to_owned());
    }

    /// A statement went from the notes.
    pub(super) fn record_replaced(&mut self, statement: &str) {
        self.present.remove(statement);
        if self.current.remove(statement) {
            self.replaced.insert(statement.to_owned());
        }
    }

    pub(super) fn record_lost_index(&mut self) {
        self.current.clear();
        self.replaced.clear();
    }

    /// A memory that was saved, to be forgotten.
    pub(super) fn any_memory(&mut self, dice: &mut Dice) -> Option<(String, String)> {
        let live: Vec<_> = self.memories.iter().filter(|(_, (path, _))| !self.forgotten.contains_key(path)).collect();
        let (id, (path, _)) = live.get(dice.below(live.len()))?;
        let found = ((*id).clone(), path.clone());
        self.given_up.insert(found.0.clone());
        Some(found)
    }

    pub(super) fn summary(&self) -> String {
        format!(
            "acknowledged: {} decisions, {} notes, {} memories, {} forgotten, {} lines of a log, {} results, {} former statements",
            self.decisions.len(),
            self.texts.len(),
            self.memories.len(),
            self.forgotten.len(),
            self.logged.len(),
            self.sent,
            self.former.len()
        )
    }

    /// Asserts what files show.
    pub(super) fn assert_kept(&self, fixture: &Fixture, memora: &MemoraBinary) {
        let decisions = std::fs::read_to_string(fixture.path(".memora/decisions.jsonl")).unwrap_or_default();
        for (at, claim) in &self.decisions {
            let is_it = |line: &str| line.contains(at.as_str()) && line.contains(claim.as_str()) && line.ends_with('}');
            assert!(decisions.lines().any(is_it), "the decision of {at} about {claim} is lost");
        }
        for (path, end) in &self.texts {
            assert!(fixture.read(path).contains(end.as_str()), "{path} lost {end:?}");
        }
        let files = files_below(fixture.vault());
        for file in files.iter().filter(|file| file.to_string_lossy().contains("Kept ")) {
            let text = std::fs::read_to_string(file).unwrap_or_default();
            assert!(text.contains("This is the end of "), "{} is cut: {text:?}", file.display());
        }
        let memory: String = files
            .iter()
            .filter(|file| file.starts_with(fixture.path("Memora")))
            .map(|file| std::fs::read_to_string(file).unwrap_or_default())
            .collect();
        for words in self.memories.values().map(|(_, words)| words).chain(&self.logged) {
            assert!(memory.contains(words.as_str()), "memory lost {words:?}");
        }
        for (from, to) in &self.forgotten {
            assert!(fixture.path(to).exists() && !fixture.path(from).exists(), "{from} was forgotten to {to}");
        }
        let logs = ["egress.1.jsonl", "egress.jsonl"].map(|name| state_of(memora).join(name));
        let logged: String = logs.iter().map(|log| std::fs::read_to_string(log).unwrap_or_default()).collect();
        let whole = logged.lines().filter(|line| serde_json::from_str::<Value>(line).is_ok()).count();
        assert!(whole >= self.sent, "{} results were sent, and {whole} are in the log", self.sent);
        if self.model_claim {
            let claims = memora.run(&["export"]).assert_code(0).json_lines();
            assert!(claims.iter().any(|claim| claim["extractor"] == "model"), "a model's claim is lost");
        }
        self.assert_known(memora, 4);
    }

    /// Asserts that former statements are known, the last so many of them.
    fn assert_known(&self, memora: &MemoraBinary, most: usize) {
        for id in self.former.iter().rev().take(most) {
            let why = memora.run(&["why", id]);
            assert!(why.exit.is_some_and(|code| code < 2), "the journal lost {id}: {why}");
        }
    }

    /// Asserts also what takes long to ask.
    pub(super) fn assert_all_kept(&self, fixture: &Fixture, memora: &MemoraBinary) {
        self.assert_known(memora, 40);
        // What was half forgotten can be forgotten, and stays so.
        for (id, (path, _)) in self.memories.iter().filter(|(id, _)| self.given_up.contains(*id)) {
            let report = memora.run(&["memory", "forget", id, "--json"]).json();
            let was = if self.forgotten.contains_key(path) { "unknown" } else { "forgotten" };
            let again = report["status"].as_str().unwrap_or_default();
            assert!(again == was || (again == "unknown" && !fixture.path(path).exists()), "{id} in {path}: {report}");
            assert!(!fixture.path(path).exists(), "{path} is there after it was forgotten");
        }
        let kept: Vec<&str> =
            self.memories.keys().filter(|id| !self.given_up.contains(*id)).map(String::as_str).collect();
        for ids in kept.chunks(10) {
            let report = memora.run(&[&["memory", "--json", "read"], ids].concat()).assert_code(0).json();
            let items = report["items"].as_array().cloned().unwrap_or_default();
            assert!(items.len() == ids.len() && items.iter().all(|item| item["owned"] == true), "{report}");
        }
        // What killed captures left behind is gone after the next, once it is old.
        let leftovers = || files_below(fixture.vault()).into_iter().filter(|file| is_leftover(file));
        for path in leftovers() {
            let old = std::time::SystemTime::now() - std::time::Duration::from_secs(7200);
            let file = std::fs::File::options().write(true).open(&path).expect("a file");
            file.set_modified(old).expect("its time can be set");
            let folder = path.parent().and_then(|folder| folder.strip_prefix(fixture.vault()).ok()).expect("a folder");
            let title =
                format!("The last of {}", path.file_stem().unwrap_or_default().to_string_lossy().replace('.', ""));
            let capture = ["capture", "-", "--title", &title, "--folder", folder.to_str().expect("a plain path")];
            let _ = memora.run_with_stdin(&capture, b"Nothing is cited here.\n").assert_code(0);
        }
        assert_eq!(leftovers().collect::<Vec<_>>(), Vec::<std::path::PathBuf>::new());
    }
}

fn is_leftover(file: &std::path::Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(".memora-") && name.ends_with(".tmp")
}
