//! The memories of the example vault: another machine wrote them, so they are what a clone or a synchronised vault brings.

use std::collections::BTreeMap;
use std::fs;

use memora_testkit::{CommandOutput, Fixture, MemoraBinary};
use serde_json::Value;

use super::text_of;
use crate::leaks::guarded;
use crate::support::{Line, example, example_state, example_without_memories, lines, memora};

/// The day on which they were written.
const DAY: &str = "2025-12-30";

/// Runs `memora memory` in the project of the example.
fn in_drift(memora: &MemoraBinary, args: &[&str]) -> CommandOutput {
    memora.run(&[&["memory", "--project", "drift", "--json"][..], args].concat())
}

/// The files that machines wrote, by path.
fn machines_files(fixture: &Fixture) -> BTreeMap<String, String> {
    fn collect(fixture: &Fixture, folder: &str, found: &mut BTreeMap<String, String>) {
        for entry in fs::read_dir(fixture.path(folder)).expect("a folder") {
            let name = format!("{folder}/{}", entry.expect("an entry").file_name().to_string_lossy());
            if fixture.path(&name).is_dir() {
                collect(fixture, &name, found);
            } else if name.ends_with(".md") {
                let text = fixture.read(&name);
                if text.contains("\nmemora: ") {
                    found.insert(name, text);
                }
            }
        }
    }
    let mut found = BTreeMap::new();
    collect(fixture, "Memora", &mut found);
    assert!(found.len() > 9, "{found:?}");
    found
}

/// The ids of listed items.
fn listed(memora: &MemoraBinary) -> Vec<Value> {
    let list = in_drift(memora, &["list", "--all"]).assert_code(0).json();
    list["items"].as_array().expect("items").clone()
}

/// Nothing was changed in them since the program printed them: under a seal of this machine they are the same but for the seal.
#[test]
fn the_files_are_as_the_program_prints_them() {
    let fixture = example();
    let memora = memora(&fixture).at_local_door();
    let without_seal = |text: &str| -> Vec<String> {
        lines(text).filter(|line| !line.starts_with("seal: ")).map(str::to_owned).collect()
    };
    for (path, before) in machines_files(&fixture) {
        let report = in_drift(&memora, &["reseal", &path]).assert_code(0).json();
        assert_eq!(report["sealed"], true, "{report}");
        let after = fixture.read(&path);
        assert_ne!(before, after, "{path}: no seal of this machine");
        assert_eq!(without_seal(&before), without_seal(&after), "{path}");
        assert_eq!(before.len(), after.len(), "{path}");
    }
    assert!(listed(&memora).iter().all(|item| item["owned"] == true));
}

/// Whatever an agent does, and whatever a pass of consolidating does a year later.
#[test]
fn the_files_are_read_and_never_written_to() {
    let fixture = example();
    let memora = memora(&fixture);
    let before = machines_files(&fixture);
    let act = |args: &[&str]| in_drift(&memora, &[&["--agent", "claude-code", "--today", DAY][..], args].concat());
    for item in listed(&memora) {
        let id = text_of(&item, "id");
        assert_eq!(item["owned"], false, "{item}");
        if item["status"] == "superseded" {
            continue;
        }
        let within = act(&["update", &id, "--old", "drift", "--new", "drift"]).json();
        assert!(matches!(within["status"].as_str(), Some("not_owned" | "not_found" | "refused")), "{within}");
        assert_eq!(act(&["forget", &id]).assert_code(1).json()["status"], "not_owned");
        let _ = act(&["update", &id, "--outcome", "ok"]);
    }
    for args in [
        &["write", "daily", "The parser was merged.", "--title", "Parser"][..],
        &["write", "scratchpad", "Write to Rotterdam"],
        &["write", "scratchpad", "Ask Priya to read the key exchange", "--op", "done"],
    ] {
        let written = act(args).assert_code(0).json();
        assert!(!before.contains_key(&text_of(&written, "path")), "{written}");
    }
    let _ = in_drift(&memora.at_local_door(), &["consolidate", "--apply", "--force", "--today", "2026-12-30"]);
    for (path, text) in before {
        assert_eq!(fixture.read(&path), text, "{path}");
    }
    // A task of theirs is closed beside them.
    let open = text_of(&act(&["read", "scratchpad"]).json(), "text");
    assert!(open.contains("Write to Rotterdam") && !open.contains("key exchange"), "{open}");
}

/// Nobody edited them, and nothing says so.
#[test]
fn who_clones_the_vault_finds_the_memories() {
    let fixture = example();
    let local = memora(&fixture).at_local_door();
    let block = text_of(&in_drift(&local, &["context"]).assert_code(0).json(), "text");
    for words in ["four minutes", "the place where it was measured", "1.3.0", "Ottilie", "(worked 1/1)"] {
        let task = text_of(&in_drift(&local, &["context", "--task", "make a release of drift"]).json(), "text");
        assert!(block.contains(words) || task.contains(words), "{words}: {block}\n{task}");
    }
    assert!(block.contains("unverified: from another machine, or edited by hand"), "{block}");
    // What the notes deny, and what was superseded, is before no agent.
    assert!(!block.contains("256 MiB") && !block.contains("eleven minutes on"), "{block}");
    let doctor = local.run(&["doctor", "--json"]).assert_code(0).json();
    assert!(doctor["summary"].as_str().is_some_and(|words| words.starts_with("all ")), "{doctor}");
    let states: Vec<String> = listed(&local).iter().map(|item| text_of(item, "status")).collect();
    let count = |state: &str| states.iter().filter(|known| *known == state).count();
    assert_eq!((count("held"), count("superseded"), count("stale")), (1, 1, 0), "{states:?}");
}

/// The one secret memory is there for its owner alone.
#[test]
fn a_cloud_client_learns_of_all_but_the_secret_memory() {
    let (own, other) = (example(), example());
    let secret = machines_files(&other).into_iter().find(|(_, text)| text.contains("\nprivacy: secret"));
    other.remove(&secret.expect("one is secret").0);
    for args in [&["list", "--all"][..], &["search", "lawyer"], &["context"], &["stats"]] {
        let [said, without] = [&own, &other].map(|fixture| in_drift(&memora(fixture), args).stdout);
        assert_eq!(said, without, "{args:?}");
        assert!(guarded().iter().all(|word| !said.to_lowercase().contains(word)), "{said}");
    }
    assert_eq!(listed(&memora(&own).at_local_door()).len(), listed(&memora(&own)).len() + 1);
}

/// What agents remember changes no answer from the notes, at either door.
#[test]
fn the_notes_answer_as_without_the_memories() {
    const ASKED: &str = r#"
ask "Why did drift switch serialization?"
ask "Where does Anna work?" --json
ask "What is the segment size of drift?" --json
ask "How long do the integration tests of drift take?" --json
ask "What did I do in December 2025?" --json --limit 50
ask "Who is my lawyer?" --json
search "drift release" --json --limit 100
search "compaction of tombstones" --json --limit 100
search "integration tests" --json --limit 100
search "" --since 2025-12 --json --limit 100
search Priya --tag project --json --limit 100
verify --json <<< "The segment size of drift is 256 MiB ([[2025-03-20]]). Anna works at Tidewell ([[Anna Brandt]])."
stale --json --limit 1000
contradictions --all --json --limit 1000
"#;
    /// Lists that have machines' claims too, each marked.
    const LISTED: &str = r#"
claims --json --limit 1000
claims --as-of 2025-12 --json --limit 1000
entity drift --json --limit 1000
entity Anna --json --limit 1000
"#;
    // The example as it is was read for all tests; that without the memories is read here from nothing, so that none was ever seen.
    let vaults = [(example(), Some(example_state())), (example_without_memories(), None)];
    let [with, without] = vaults.each_ref().map(|(fixture, known)| {
        let memora = memora(fixture);
        known.iter().for_each(|state| memora.copy_state_from(state));
        fs::write(memora.config_dir().join("handle.key"), [7; 32]).expect("the key can be written");
        assert_eq!(memora.at_local_door().run(&["index", "--complete"]).exit, Some(0));
        memora
    });
    for line in lines(ASKED) {
        let line = Line::parse(line);
        for [with, without] in [[&with, &without], [&with.at_local_door(), &without.at_local_door()]] {
            assert_eq!(line.run(with).stdout, line.run(without).stdout, "{line:?}");
        }
    }
    for line in lines(LISTED) {
        let own = |memora: &MemoraBinary| {
            let mut report = Line::parse(line).run(&memora.at_local_door()).assert_code(0).json();
            for list in ["claims", "mentions"] {
                if let Some(list) = report[list].as_array_mut() {
                    list.retain(|claim| claim["captured"] != true);
                }
            }
            (report["claims"].clone(), report["mentions"].clone())
        };
        assert_eq!(own(&with), own(&without), "{line}");
    }
}
