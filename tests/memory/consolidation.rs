//! What is recalled again and again, repeated, or faded.

use std::fs;

use memora_testkit::{Fixture, MemoraBinary, TreeSnapshot};
use serde_json::{Value, json};

use super::{as_agent, memory, saved, text_of, vault};
use crate::support::memora;

/// 130 days after the day that the tests are on.
const LATER: &str = "2026-05-10";

fn consolidate(memora: &MemoraBinary, args: &[&str]) -> Value {
    let args: Vec<&str> = ["consolidate"].iter().chain(args).copied().collect();
    memory(memora, &args).json()
}

/// The steps of a report: what is done to which.
fn steps(report: &Value) -> Vec<(String, String)> {
    let steps = report["steps"].as_array().expect("steps");
    steps.iter().map(|step| (text_of(step, "act"), text_of(step, "id"))).collect()
}

/// What changed in the vault but for the lines of the audit.
fn changed_since(before: &TreeSnapshot, fixture: &Fixture) -> Vec<String> {
    let difference = before.difference(&TreeSnapshot::take(fixture.vault()));
    let files = difference.lines().filter(|line| line.contains(".md"));
    files.map(str::to_owned).collect()
}

fn bytes_of(fixture: &Fixture) -> Vec<(String, String)> {
    let snapshot = TreeSnapshot::take(fixture.vault());
    let files = snapshot.file_names().filter(|name| name.ends_with(".md"));
    files.map(|name| (name.to_owned(), fixture.read(name))).collect()
}

/// A question about something else finds entries that resemble it at most, and recalls none: nothing is promoted for it.
#[test]
fn what_only_resembles_a_query_is_no_recall() {
    let fixture = vault();
    let memora = memora(&fixture);
    let line = "- The SSE parser of drift drops empty lines.";
    let written = as_agent(&memora, &["write", "daily", line, "--title", "Parser"]).assert_code(0).json();
    let (item, _) = saved(&memora, "The staging API of drift listens on port 8080.");
    let days = ["2026-01-01", "2026-01-02", "2026-01-03", "2026-01-04", "2026-01-05"];
    for day in days {
        let found = as_agent(&memora, &["search", "Which wine goes with grilled trout?", "--today", day]).json();
        assert!(found["hits"].as_array().expect("hits").iter().all(|hit| hit["weak"] == true), "{found}");
    }
    assert_eq!(consolidate(&memora, &[])["status"], "nothing_to_do");
    let frequency = |query: &str| {
        let found = as_agent(&memora, &["search", query, "--today", "2026-01-06"]).assert_code(0).json();
        (found["hits"][0]["weak"].clone(), found["hits"][0]["why"]["frequency"].clone())
    };
    assert_eq!(frequency("staging API port"), (json!(false), json!(1.0)));
    // Reading is a recall, whatever it was found by.
    for day in days {
        let ids = [item.as_str(), written["id"].as_str().expect("an id")];
        let _ = as_agent(&memora, &["read", ids[0], ids[1], "--today", day]).assert_code(0);
    }
    assert_eq!(steps(&consolidate(&memora, &[])), [("promote".to_owned(), text_of(&written, "id"))]);
}

#[test]
fn an_entry_that_four_sessions_recalled_becomes_an_item() {
    let fixture = vault();
    let memora = memora(&fixture);
    let written =
        as_agent(&memora, &["write", "daily", "- The SSE parser of drift drops empty lines.", "--title", "Parser"])
            .assert_code(0)
            .json();
    let entry = text_of(&written, "id");
    let recall = |day: &str| {
        let found = as_agent(&memora, &["search", "SSE parser", "--today", day]).assert_code(0).json();
        assert_eq!(found["hits"][0]["id"], entry.as_str(), "{found}");
    };
    ["2026-01-01", "2026-01-02", "2026-01-03", "2026-01-03"].iter().for_each(|day| recall(day));
    assert_eq!(consolidate(&memora, &[])["status"], "nothing_to_do", "three sessions are too few");
    recall("2026-01-04");
    let before = bytes_of(&fixture);
    let snapshot = TreeSnapshot::take(fixture.vault());
    let proposed = consolidate(&memora, &[]);
    assert_eq!(
        (&proposed["status"], steps(&proposed)),
        (&"proposed".into(), vec![("promote".to_owned(), entry.clone())])
    );
    assert_eq!(snapshot.difference(&TreeSnapshot::take(fixture.vault())), "", "nothing is done unless it is asked for");
    let applied = consolidate(&memora, &["--apply"]);
    assert_eq!(applied["status"], "applied", "{applied}");
    let id = text_of(&applied["steps"][0], "into");
    let read = memory(&memora, &["read", &id]).assert_code(0).json();
    let item = &read["items"][0];
    assert_eq!(item["text"], "The SSE parser of drift drops empty lines.");
    assert_eq!(
        (&item["origin"], &item["by"], &item["band"]),
        (&"agent_analysis".into(), &"claude-code".into(), &"public".into())
    );
    let file = fixture.read(&text_of(item, "path"));
    assert!(file.contains("\nfrom: \"[[2025-12-31 ") && file.contains(&format!("#^{entry}]]\"\n")), "{file}");
    assert_eq!(consolidate(&memora, &[])["status"], "nothing_to_do", "it is one now");
    let undone = memory(&memora, &["undo"]).assert_code(0).json();
    assert_eq!((&undone["pass"], &undone["removed"]), (&applied["pass"], &1.into()));
    assert_eq!(bytes_of(&fixture), before);
    memora.at_local_door().run(&["memory", "undo"]).assert_failed("no pass to undo");
    // What the user confirmed meanwhile is theirs, and stays.
    let applied = consolidate(&memora, &["--apply"]);
    let id = text_of(&applied["steps"][0], "into");
    let _ = memora.at_local_door().run(&["keep", &id]).assert_code(0);
    let undone = memory(&memora, &["undo"]).json();
    assert_eq!((&undone["removed"], &undone["left"][0]), (&0.into(), &id.into()), "{undone}");
}

#[test]
fn what_faded_goes_to_the_archive_only_when_it_is_told_and_not_all_at_once() {
    let fixture = vault();
    let memora = memora(&fixture);
    let facts = ["parser", "writer", "cache", "router"]
        .map(|part| saved(&memora, &format!("The {part} of drift was written by its owner")).0);
    let (faded, _) = saved(&memora, "drift uses pino for structured logging");
    for kind in ["profile", "behavior"] {
        let content = format!("The user likes short answers in their {kind}");
        let _ = memory(&memora, &["save", &content, "--kind", kind]).assert_code(0);
    }
    let read: Vec<&str> =
        ["read"].into_iter().chain(facts.iter().map(String::as_str)).chain(["--today", "2026-04-10"]).collect();
    let _ = memory(&memora, &read).assert_code(0);
    assert_eq!(consolidate(&memora, &[])["status"], "nothing_to_do");
    let before = bytes_of(&fixture);
    let proposed = consolidate(&memora, &["--today", LATER]);
    assert_eq!(steps(&proposed), [("prune".to_owned(), faded.clone())], "{proposed}");
    assert_eq!(bytes_of(&fixture), before);
    // A year later all of the project has faded, and that is too much for one pass.
    let refused = memory(&memora, &["consolidate", "--apply", "--today", "2027-06-01"]).assert_code(1).json();
    assert_eq!((&refused["status"], &refused["too_much"][0]["archived"]), (&"refused".into(), &5.into()), "{refused}");
    assert_eq!(bytes_of(&fixture), before);
    let applied = consolidate(&memora, &["--apply", "--today", LATER]);
    assert_eq!(applied["status"], "applied", "{applied}");
    let read = memory(&memora, &["read", &faded]).json();
    assert_eq!(read["items"][0]["status"], "archived", "{read}");
    let forced = consolidate(&memora, &["--apply", "--force", "--today", "2027-06-01"]);
    assert_eq!((forced["status"].as_str(), steps(&forced).len()), (Some("applied"), 4));
    for pass in [&forced, &applied] {
        let undone = memory(&memora, &["undo", &text_of(pass, "pass")]).assert_code(0).json();
        assert_eq!(undone["restored"], steps(pass).len());
    }
    assert_eq!(bytes_of(&fixture), before);
    // What the user keeps is pinned.
    let _ = memora.at_local_door().run(&["keep", &faded]).assert_code(0);
    assert_eq!(consolidate(&memora, &["--today", LATER])["status"], "nothing_to_do");
}

/// Two machines that saved the same, as a synchronisation brings it together.
#[test]
fn a_repetition_goes_to_the_archive_with_a_link_to_what_stays() {
    let fixture = vault();
    let memora = memora(&fixture);
    let (first, path) = saved(&memora, "drift uses pino for structured logging");
    let aside = fixture.parent_dir().join("aside.md");
    fs::rename(fixture.path(&path), &aside).expect("it can be moved");
    let (longer, longer_path) = saved(&memora, "drift uses pino for structured logging in production");
    let (other, _) = saved(&memora, "drift does not use pino for its tests");
    for part in ["parser", "writer", "cache"] {
        let _ = saved(&memora, &format!("The {part} of drift was written by its owner"));
    }
    fs::rename(&aside, fixture.path(&path)).expect("it can be moved");
    let before = TreeSnapshot::take(fixture.vault());
    let proposed = consolidate(&memora, &[]);
    assert_eq!(steps(&proposed), [("merge".to_owned(), first.clone())], "{proposed}");
    assert_eq!(proposed["steps"][0]["into"], longer.as_str());
    assert!(proposed["compared"].as_u64().is_some_and(|compared| compared <= 20 * 6), "{proposed}");
    assert!(changed_since(&before, &fixture).is_empty());
    let applied = consolidate(&memora, &["--apply"]);
    assert_eq!(applied["status"], "applied", "{applied}");
    let read = memory(&memora, &["read", &first, &longer, &other]).assert_code(0).json();
    let states: Vec<&str> = (0..3).filter_map(|at| read["items"][at]["status"].as_str()).collect();
    assert_eq!(states, ["archived", "current", "current"]);
    let stem = longer_path.rsplit('/').next().expect("a name").trim_end_matches(".md");
    let archived = fixture.read(&text_of(&read["items"][0], "path"));
    assert!(archived.contains(&format!("\nreason: \"merged into [[{stem}]]\"\n")), "{archived}");
}

/// What an agent may do of it: see what is proposed.
#[test]
fn no_agent_consolidates() {
    let fixture = vault();
    let memora = memora(&fixture);
    let _ = saved(&memora, "drift uses pino for structured logging");
    let proposed = as_agent(&memora, &["consolidate", "--today", LATER]).assert_code(1).json();
    assert_eq!(proposed["steps"][0]["act"], "prune", "{proposed}");
    let before = bytes_of(&fixture);
    for args in [&["consolidate", "--apply", "--force", "--today", LATER][..], &["undo"]] {
        let all: Vec<&str> = ["memory", "--agent", "claude-code"].iter().chain(args).copied().collect();
        memora.run(&all).assert_failed("only you can");
        memora.at_local_door().run(&all).assert_failed("only you can");
    }
    assert_eq!(bytes_of(&fixture), before);
    assert_eq!(json!(before.len()), json!(2));
}
