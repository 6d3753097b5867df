//! What a person wrote or edited is never written to.

use std::collections::BTreeSet;

use super::{as_agent, found, memory, saved, text_of, vault};
use crate::support::memora;

#[test]
fn an_item_that_a_person_edited_is_theirs() {
    let fixture = vault();
    let memora = memora(&fixture);
    let report = as_agent(&memora, &["save", "drift uses pino for structured logging"]).assert_code(0).json();
    let (id, path) = (text_of(&report, "id"), text_of(&report, "path"));
    let edited = fixture.read(&path).replace("pino", "tracing");
    fixture.write(&path, &edited);
    let in_place = as_agent(&memora, &["update", &id, "--old", "tracing", "--new", "slog"]).assert_code(1).json();
    assert_eq!(in_place["status"], "not_owned");
    assert_eq!(as_agent(&memora, &["forget", &id]).assert_code(1).json()["status"], "not_owned");
    let beside = as_agent(&memora, &["update", &id, "drift uses slog for structured logging"]).assert_code(0).json();
    assert_ne!(text_of(&beside, "path"), path);
    assert_eq!(found(&memora, &["structured logging"]), [text_of(&beside, "id")]);
    assert_eq!(fixture.read(&path), edited);
    let read = memory(&memora, &["read", &id]).assert_code(0).json();
    assert_eq!((&read["items"][0]["owned"], &read["items"][0]["status"]), (&false.into(), &"superseded".into()));
}

/// A lower rank never ends a higher one.
#[test]
fn an_agents_word_stands_beside_the_users_and_never_in_its_place() {
    let fixture = vault();
    let memora = memora(&fixture);
    let (id, path) = saved(&memora, "drift uses pino for structured logging");
    let before = fixture.read(&path);
    let in_place = as_agent(&memora, &["update", &id, "--old", "pino", "--new", "slog"]).assert_code(1).json();
    assert_eq!((in_place["status"].as_str(), fixture.read(&path)), (Some("not_owned"), before));
    let beside = as_agent(&memora, &["update", &id, "drift uses slog for structured logging"]).assert_code(0).json();
    assert_eq!(beside["superseded"], serde_json::json!([]));
    let both: BTreeSet<String> = found(&memora, &["structured logging"]).into_iter().collect();
    assert_eq!(both, BTreeSet::from([id, text_of(&beside, "id")]));
}

#[test]
fn a_scratchpad_that_a_person_ticked_is_continued_in_a_next_file_until_they_hand_it_back() {
    let fixture = vault();
    let memora = memora(&fixture);
    let first = as_agent(&memora, &["write", "scratchpad", "Fix the port\nWrite the docs"]).assert_code(0).json();
    let path = text_of(&first, "path");
    assert!(path.ends_with("/SCRATCHPAD.md"), "{path}");
    let ticked = fixture.read(&path).replace("- [ ] Fix the port", "- [x] Fix the port");
    fixture.write(&path, &ticked);
    let next = as_agent(&memora, &["write", "scratchpad", "Release it"]).assert_code(0).json();
    assert!(text_of(&next, "path").ends_with("/SCRATCHPAD 2.md") && next["continued"] == true, "{next}");
    assert_eq!(fixture.read(&path), ticked);
    let open = || text_of(&as_agent(&memora, &["read", "scratchpad"]).json(), "text");
    assert_eq!(open(), "- [ ] Write the docs\n- [ ] Release it\n");
    // A task of theirs is closed by a later line.
    let _ = as_agent(&memora, &["write", "scratchpad", "Write the docs", "--op", "done"]).assert_code(0);
    assert_eq!((open(), fixture.read(&path)), ("- [ ] Release it\n".to_owned(), ticked));
    let back = memory(&memora, &["reseal", &path]).assert_code(0).json();
    assert_eq!((&back["sealed"], &back["merged"]), (&true.into(), &1.into()));
    assert!(!fixture.path(&path.replace(".md", " 2.md")).exists());
    assert_eq!(open(), "- [ ] Release it\n");
    let again = as_agent(&memora, &["write", "scratchpad", "Tell the users"]).assert_code(0).json();
    assert_eq!(text_of(&again, "path"), path);
    // Only the user hands a file back.
    let _ = memora.run(&["memory", "reseal", &path]).assert_code(2);
}

#[test]
fn a_task_of_a_later_file_is_changed_there_and_too_many_at_once_are_refused() {
    let fixture = vault();
    let memora = memora(&fixture);
    let tasks = |from: usize, to: usize| (from..to).map(|n| format!("Water plant {n}")).collect::<Vec<_>>().join("\n");
    let write = |text: &str, op: &str| as_agent(&memora, &["write", "scratchpad", text, "--op", op]);
    let first = write(&tasks(0, 150), "append").assert_code(0).json();
    let second = write(&tasks(150, 250), "append").assert_code(0).json();
    let paths = [text_of(&first, "path"), text_of(&second, "path")];
    assert!(paths[0].ends_with("/SCRATCHPAD.md") && paths[1].ends_with("/SCRATCHPAD 2.md"), "{paths:?}");
    let _ = write("to do: water  plant 200.\nWater plant 3", "done").assert_code(0);
    assert!(fixture.read(&paths[0]).contains("- [x] Water plant 3\n"));
    assert!(fixture.read(&paths[1]).contains("- [x] Water plant 200\n"));
    let before = paths.clone().map(|path| fixture.read(&path));
    let _ = write("Water plant 4\nWater plant 999", "done").assert_code(1);
    assert_eq!(paths.map(|path| fixture.read(&path)), before, "all or none");
    assert_eq!(write(&tasks(0, 201), "append").assert_code(1).json()["reason"], "too_long");
}

#[test]
fn what_the_user_wrote_for_agents_is_never_written_to() {
    let fixture = vault();
    let memora = memora(&fixture);
    let _ = memory(&memora, &["init"]).assert_code(0);
    let before = fixture.read("Memora/MEMORY.md");
    assert!(!before.contains("memora:") && fixture.path("Memora/Memory.base").exists());
    fixture.write("Memora/MEMORY.md", "# Memory\n\nThe user lives in Kiel.\n");
    let _ = memory(&memora, &["init"]).assert_code(0);
    for args in [
        &["write", "note", "Overwritten.", "--title", "MEMORY"][..],
        &["write", "note", "Overwritten.", "--title", "../../../MEMORY"],
        &["write", "daily", "Overwritten.", "--title", "MEMORY"],
    ] {
        let _ = as_agent(&memora, args).assert_code(0);
    }
    assert_eq!(fixture.read("Memora/MEMORY.md"), "# Memory\n\nThe user lives in Kiel.\n");
    assert_eq!(
        text_of(&as_agent(&memora, &["read", "memory-md"]).json(), "text"),
        "# Memory\n\nThe user lives in Kiel.\n"
    );
    // It is a note of the user's like any other.
    let _ = memora.run(&["ask", "Where does the user live?"]).assert_code(0);
}

/// The user's switches, and the vault's own, which can only tighten.
#[test]
fn what_agents_may_do_is_for_the_user_to_say() {
    let fixture = vault();
    let memora = memora(&fixture);
    let text = "drift uses pino for structured logging";
    fixture.write(".memora/config.toml", "[memory]\nagents = \"read\"\n");
    as_agent(&memora, &["save", text]).assert_failed("agents may not do this");
    let _ = memory(&memora, &["save", text]).assert_code(0);
    let _ = as_agent(&memora, &["search", "logging"]).assert_code(0);
    memora.write_config("[memory]\nagents = \"off\"\n");
    as_agent(&memora, &["search", "logging"]).assert_failed("agents may not do this");
    memora.write_config("[memory]\nfolder = \"Agents\"\n");
    fixture.write(".memora/config.toml", "");
    assert!(saved(&memora, "drift uses tokio for its runtime").1.starts_with("Agents/projects/"));
    for bad in ["[memory]\nfolder = \"../x\"\n", "[memory]\nagents = \"all\"\n", "[memory]\nwho = 1\n"] {
        memora.write_config(bad);
        memory(&memora, &["stats"]).assert_failed("[memory]");
    }
}
