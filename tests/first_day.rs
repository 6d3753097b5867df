//! What a newcomer runs first: `init` keeps every byte that it was not told to change, `demo` shows what comes out and touches
//! nothing, `doctor` explains itself, completions and the manual are those of the program.
//!
//! What `init` understands of answers is tested beside it. Here somebody sits at a terminal where `MEMORA_MCP_PYTHON` names a Python, whose
//! library has such; elsewhere nobody does.

use std::fs;
#[cfg(unix)]
use std::process::Command;

use memora_testkit::{Fixture, TreeSnapshot};
use serde_json::Value;

use crate::leaks::guarded;
use crate::support::{Line, example, memora};
#[cfg(unix)]
use crate::support::{binary, workspace};

const OWN: &str = "# mine\r\nowner = 'Mara Lindqvist' # me\r\n\r\n[privacy]\r\nunmarked = \"private\"\r\n\r\n[[privacy.rules]]\r\nglob = \"daily/**\" # dear diary\r\nband = \"secret\"\r\n";

#[test]
fn init_without_a_terminal_keeps_the_configuration_and_says_what_is_set() {
    let fixture = example();
    let memora = memora(&fixture);
    memora.write_config(OWN);
    for _ in 0..2 {
        let report = memora.at_local_door().run(&["init", "--json"]).assert_code(0).json();
        assert_eq!(report["changed"], false);
        assert_eq!((&report["owner"], &report["unmarked"]), (&"Mara Lindqvist".into(), &"private".into()));
        assert_eq!(report["places"][0]["glob"], "daily/**");
        assert_eq!(fs::read(memora.config_dir().join("config.toml")).expect("it is there"), OWN.as_bytes());
    }
    let text = memora.at_local_door().run(&["init", "--yes"]).assert_code(0);
    for words in
        ["Mara Lindqvist", "notes without a mark: private", "daily/** is secret", "left as it was", "try next:"]
    {
        assert!(text.stdout.contains(words), "{text}");
    }
    // A glob may name what it guards.
    let cloud = memora.run(&["init"]).assert_code(0);
    assert!(!cloud.stdout.contains("daily") && !cloud.stdout.contains("Mara"), "{cloud}");
}

#[cfg(unix)]
#[test]
fn at_a_terminal_init_keeps_what_is_answered_and_a_server_says_what_it_waits_for() {
    let Some(python) = crate::support::program_in("MEMORA_MCP_PYTHON") else { return };
    let fixture = example();
    let memora = memora(&fixture);
    let output = Command::new(python)
        .arg(workspace().join("tests/terminal.py"))
        .args([binary().as_path(), fixture.vault(), memora.home_dir()])
        .output()
        .expect("MEMORA_MCP_PYTHON names a Python");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "done");
}

#[test]
fn init_makes_the_index_and_writes_no_configuration_that_nobody_asked_for() {
    let fixture = example();
    let memora = memora(&fixture);
    let report = memora.at_local_door().run(&["init", "--json"]).assert_code(0).json();
    assert_eq!(report["notes"]["public"].as_u64().map(|count| count > 30), Some(true), "{report}");
    assert_eq!((&report["fresh"], &report["unmarked"]), (&true.into(), &"public".into()));
    assert!(!memora.config_dir().join("config.toml").exists());
}

/// Each command that is suggested finds something, with words of public notes alone.
#[test]
fn what_init_suggests_works() {
    let fixture = example();
    let memora = memora(&fixture);
    // Who owns the notes is not what the question is about.
    memora.write_config("owner = \"Mara Lindqvist\"\n");
    let (local, cloud) =
        (memora.at_local_door().run(&["init", "--json"]).assert_code(0).json(), memora.run(&["init", "--json"]).json());
    assert_eq!(local["next"], cloud["next"]);
    let next = local["next"].as_array().expect("a list");
    assert_eq!(next.len(), 3);
    assert_eq!(next[1], "memora entity \"drift\"");
    for command in next.iter().filter_map(Value::as_str) {
        let line = Line::parse(command.strip_prefix("memora ").expect("a command"));
        let _ = line.run(&memora).assert_code(0);
        assert!(guarded().iter().all(|word| !command.to_lowercase().contains(word)), "{command}");
    }
}

#[test]
fn init_in_a_vault_that_answers_nothing_suggests_what_works_anywhere() {
    let fixture =
        Fixture::from_notes(&[("a.md", "---\nprivacy: secret\n---\nAnna works at Tidewell. Anna lives in Kiel.\n")]);
    let memora = memora(&fixture);
    let report = memora.at_local_door().run(&["init", "--json"]).assert_code(0).json();
    assert!(!report["next"].to_string().contains("Anna"), "{report}");
    assert_eq!(report["next"][1], "memora status");
}

/// Where there is no vault, those of Obsidian's own list are named to the user, and to no other reader.
#[cfg(target_os = "linux")]
#[test]
fn without_a_vault_those_that_obsidian_lists_are_named() {
    let fixture = Fixture::from_notes(&[("a.md", "Anna works at Tidewell.\n")]);
    let memora = memora(&fixture).without_vault();
    let settings = memora.home_dir().join(".config/obsidian");
    fs::create_dir_all(&settings).expect("folders can be made");
    let listed =
        serde_json::json!({ "vaults": { "0": { "path": fixture.vault(), "ts": 1 }, "1": { "path": "/gone" } } });
    fs::write(settings.join("obsidian.json"), listed.to_string()).expect("a file can be written");
    let hint = format!("hint: a vault of Obsidian's: --vault \"{}\"", fixture.vault().display());
    for command in [&["init", "--yes"][..], &["status"]] {
        let local = memora.at_local_door().run(command);
        assert!(local.stderr.contains(&hint) && !local.stderr.contains("/gone"), "{local}");
        let home = memora.home_dir().canonicalize().expect("it is there");
        local.assert_failed(&format!("no vault at or above {}\n", home.display()));
        let cloud = memora.run(command);
        assert!(!cloud.stderr.contains(&fixture.vault().display().to_string()), "{cloud}");
        cloud.assert_failed("no vault at or above");
    }
    // A file that cannot be read is none.
    fs::write(settings.join("obsidian.json"), "{").expect("a file can be written");
    memora.at_local_door().run(&["init"]).assert_failed("no vault at or above");
}

#[test]
fn init_fails_with_a_hint_and_loses_nothing() {
    let fixture = example();
    let memora = memora(&fixture);
    memora.write_config("owner = \"Mara\"\n[privacy\n");
    memora.run(&["init", "--yes"]).assert_failed("config.toml cannot be read");
    let text = fs::read_to_string(memora.config_dir().join("config.toml")).expect("it is there");
    assert_eq!(text, "owner = \"Mara\"\n[privacy\n");
    memora.write_config("");
    memora.without_vault().run(&["init"]).assert_failed("error: ");
    let empty = Fixture::from_notes(&[]);
    crate::support::memora(&empty).run(&["init"]).assert_failed("there are no notes");
}

#[test]
fn the_demo_comes_out_as_said_at_either_door() {
    let fixture = Fixture::from_notes(&[]);
    let memora = memora(&fixture);
    let local = memora.at_local_door().run(&["demo"]).assert_code(0);
    assert!(local.stdout.contains("6,840 euros"), "{local}");
    let cloud = memora.run(&["demo"]).assert_code(0);
    let said = format!("{}{}", cloud.stdout, cloud.stderr).to_lowercase();
    assert!(guarded().iter().all(|word| !said.contains(word)), "{cloud}");
    assert_eq!(memora.run(&["demo"]), cloud, "it is the same every time");
    for memora in [&memora, &memora.at_local_door()] {
        let report = memora.run(&["demo", "--json"]).assert_code(0).json();
        assert_eq!(report["passed"], true);
        let steps = report["steps"].as_array().expect("a list");
        let names: Vec<&str> = steps.iter().filter_map(|step| step["name"].as_str()).collect();
        assert_eq!(names, ["answer", "swapped_number", "secret", "stale"]);
        assert!(steps.iter().all(|step| step["passed"] == true), "{report}");
    }
}

/// Not even a configuration that stops every other command, nor a vault that is none.
#[test]
fn the_demo_reads_and_leaves_nothing_of_the_users() {
    let fixture = example();
    let memora = memora(&fixture);
    memora.write_config("[privacy");
    let before = (TreeSnapshot::take(fixture.vault()), TreeSnapshot::take(memora.home_dir()));
    let nowhere = memora.home_dir().join("nowhere");
    let output = memora.command(&["demo"]).env("MEMORA_VAULT", nowhere).output().expect("it starts");
    let _ = memora_testkit::CommandOutput::new("demo", output).assert_code(0);
    let after = (TreeSnapshot::take(fixture.vault()), TreeSnapshot::take(memora.home_dir()));
    assert_eq!(before.0.difference(&after.0), "");
    let changed = before.1.difference(&after.1);
    // The folder for temporary files was written to, and nothing is left in it.
    assert!(changed.lines().all(|line| line.starts_with("tmp:")), "{changed}");
    assert_eq!(fs::read_dir(memora.home_dir().join("tmp")).expect("a folder").count(), 0);
}

#[test]
fn doctor_explains_every_check_and_sums_up() {
    let fixture = example();
    let memora = memora(&fixture).at_local_door();
    let text = memora.run(&["doctor", "--check-spans"]).assert_code(0).stdout;
    let report = memora.run(&["doctor", "--check-spans", "--json"]).assert_code(0).json();
    let checks = report["checks"].as_array().expect("a list");
    for check in checks {
        for key in ["name", "looked_at", "found", "matters"] {
            let words = check[key].as_str().expect("words");
            assert!(!words.is_empty() && text.contains(words), "{key}: {check}");
        }
    }
    assert_eq!(text.lines().last(), report["summary"].as_str());
    assert_eq!(report["summary"], format!("all {} checks passed", checks.len()));
    fixture.write(".memora/config.toml", "[privacy");
    let report = memora.run(&["doctor", "--json"]).assert_code(1).json();
    let summary = report["summary"].as_str().expect("words");
    assert!(summary.ends_with("put right: settings"), "{summary}");
}

#[test]
fn completions_and_the_manual_know_every_command() {
    let fixture = Fixture::from_notes(&[]);
    let memora = memora(&fixture).without_vault();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = memora.run(&["completions", shell]).assert_code(0).stdout;
        for word in ["contradictions", "completions", "check-spans"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    assert!(memora.run(&["man"]).assert_code(0).stdout.contains(".TH memora 1"));
    let folder = memora.home_dir().join("new/man1");
    let out = folder.to_str().expect("a plain path");
    for _ in 0..2 {
        let _ = memora.run(&["man", "--out", out]).assert_code(0);
    }
    for page in ["memora.1", "memora-ask.1", "memora-privacy-audit.1"] {
        assert!(folder.join(page).is_file(), "{page}");
    }
    let before = TreeSnapshot::take(fixture.vault());
    let inside = fixture.path("man");
    memora.run(&["man", "--out", inside.to_str().expect("a plain path")]).assert_failed("lies inside a vault");
    assert_eq!(before.difference(&TreeSnapshot::take(fixture.vault())), "");
    let _ = memora.run(&["completions", "cmd"]).assert_code(2);
}

/// Obsidian makes a note with nothing in it of a link that is followed.
#[test]
fn blank_notes_are_counted_where_their_names_are_not_told() {
    let fixture =
        Fixture::from_notes(&[("a.md", "Anna likes tea.\n"), ("b.md", "\n"), ("c.md", "\n"), ("d.md", " \n")]);
    let memora = memora(&fixture);
    let cloud = memora.run(&["index"]).assert_code(0).stdout;
    assert!(cloud.contains("skipped: 3 notes: empty") && !cloud.contains("b.md"), "{cloud}");
    let local = memora.at_local_door().run(&["index"]).assert_code(0).stdout;
    assert!(["b.md", "c.md", "d.md"].iter().all(|name| local.contains(name)), "{local}");
    // Who asks for a review means the one that there is.
    let review = memora.run(&["review"]).assert_code(0);
    assert_eq!(review.stdout, memora.run(&["review"]).stdout);
}
