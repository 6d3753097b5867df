//! The tools of `memora mcp --memory`.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use memora_testkit::{Fixture, MemoraBinary, TreeSnapshot};
use regex::Regex;
use serde_json::{Value, json};

use super::{memory, text_of, vault};
use crate::mcp::Client;
use crate::support::memora;

fn client(memora: &MemoraBinary, args: &[&str]) -> Client {
    Client::connected(memora, &[&["--memory"], args].concat())
}

fn tool_names(client: &mut Client) -> Vec<String> {
    let list = client.request("tools/list", json!({}));
    list["result"]["tools"].as_array().expect("tools").iter().map(|tool| text_of(tool, "name")).collect()
}

#[test]
fn there_are_memory_tools_where_the_user_asked_for_them_alone() {
    let fixture = vault();
    let memora = memora(&fixture);
    let without = tool_names(&mut Client::connected(&memora, &[]));
    assert!(without.iter().all(|name| name.starts_with("memora_")), "{without:?}");
    let writing = tool_names(&mut client(&memora, &[]));
    let reading = tool_names(&mut Client::connected(&memora, &["--memory=read"]));
    assert_eq!((writing.len(), reading.len()), (without.len() + 4, without.len() + 2), "{writing:?} {reading:?}");
    // Those that are about notes tell nothing of memories, either.
    let id = {
        let mut writer = client(&memora, &[]);
        let saved = writer.told("memory_save", json!({"content": "drift uses pino for structured logging"}));
        assert_eq!(writer.memory("memory:list")["items"][0]["id"], saved["id"]);
        text_of(&saved, "id")
    };
    let refused = |args: &[&str]| {
        let mut client = Client::connected(&memora, args);
        for name in ["memory:list", "memory:files", "memory:page", "memory:log", &id] {
            client.failed("memora_read", json!({"note": name}));
        }
        assert_eq!(tool_names(&mut client), without);
    };
    refused(&[]);
    fixture.write(".memora/config.toml", "[memory]\nagents = \"off\"\n");
    refused(&["--memory"]);
}

#[test]
fn a_save_is_found_by_the_next_search_even_while_another_process_indexes() {
    let fixture = vault();
    let memora = memora(&fixture);
    let _ = memora.run(&["index"]).assert_code(0);
    let mut client = client(&memora, &[]);
    assert_eq!(client.memory("memory:list")["items"], json!([]));
    let state =
        fs::read_dir(memora.state_dir().join("vaults")).expect("a state").next().expect("one").expect("it").path();
    let lock = fs::File::options().write(true).open(state.join("write.lock")).expect("it was written before");
    lock.lock().expect("nobody else writes");
    let saved = client.told("memory_save", json!({"content": "drift uses pino for structured logging"}));
    assert_eq!((&saved["status"], &saved["saves_left"]), (&"saved".into(), &9.into()), "{saved}");
    // The system tells of the new file in its own time; before and after, it is found.
    let is_due = (0..10_000).any(|_| {
        let found = client.told("memory_search", json!({"query": "logging"}));
        assert_eq!(found["hits"][0]["id"], saved["id"], "{found}");
        found["fresh"] == false
    });
    assert!(is_due, "the index cannot have it");
}

#[test]
fn reading_writes_nothing_and_counts_once_a_session() {
    let fixture = vault();
    let memora = memora(&fixture);
    let mut writer = client(&memora, &[]);
    let id = text_of(&writer.told("memory_save", json!({"content": "drift uses pino for structured logging"})), "id");
    drop(writer);
    let _ = memora.run(&["index"]).assert_code(0);
    let before = TreeSnapshot::take(fixture.vault());
    let mut reader = client(&memora, &[]);
    let mut seen = BTreeSet::new();
    for _ in 0..50 {
        let found = reader.told("memory_search", json!({"query": "structured logging"}));
        seen.insert(found["hits"][0]["why"]["frequency"].to_string());
        assert_eq!(reader.memory(&id)["items"][0]["id"], *id);
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), ["1.0", "1.15"]);
    assert_eq!(before.difference(&TreeSnapshot::take(fixture.vault())), "");
}

/// Whatever search names, reading shows: an entry of a log, the note of a session, a reference note, a file of tasks.
#[test]
fn every_id_that_search_gives_can_be_read() {
    let fixture = vault();
    let memora = memora(&fixture);
    let mut writer = client(&memora, &[]);
    let note = json!({"kind": "note", "title": "Rotation", "content": "The zebra rota lists who walks the zebra."});
    for (kind, content) in [("event", "Fed the zebra with clover at noon."), ("task", "Buy a saddle for the zebra")] {
        let written = writer.told("memory_save", json!({"kind": kind, "content": content}));
        assert_eq!(written["status"], "written", "{written}");
    }
    writer.told("memory_save", note);
    drop(writer);
    let transcript = fixture.parent_dir().join("zebra.jsonl");
    let line = json!({"type": "user", "message": {"role": "user", "content": "Where does the zebra sleep in winter?"}});
    fs::write(&transcript, format!("{line}\n")).expect("it can be written");
    let event = json!({"session_id": "s1", "transcript_path": transcript, "cwd": fixture.vault()}).to_string();
    let hook = ["hook", "session-end", "--client", "claude-code"];
    let _ = memora.run_with_stdin(&hook, event.as_bytes()).assert_code(0);
    let _ = memora.run(&["index"]).assert_code(0);
    let mut reader = client(&memora, &[]);
    let found = reader.told("memory_search", json!({"query": "zebra", "scope": "all", "limit": 20}));
    let mut read = String::new();
    for hit in found["hits"].as_array().expect("hits") {
        let id = text_of(hit, "id");
        let told = reader.memory(&id);
        assert_eq!(told["missing"], json!([]), "{hit}");
        let passage = &told["passages"][0];
        assert_eq!((&passage["id"], &passage["path"]), (&hit["id"], &hit["path"]), "{told}");
        let printed = memora.at_local_door().run(&["memory", "read", &id]).assert_code(0).stdout;
        assert!(printed.contains(&text_of(passage, "text")), "{printed}");
        read.push_str(&told.to_string());
    }
    for needed in ["Fed the zebra with clover at noon.", "Buy a saddle", "who walks the zebra", "sleep in winter"] {
        assert!(read.contains(needed), "{needed} is not in {read}");
    }
    let unknown = memora.at_local_door().run(&["memory", "read", "../drift"]).assert_code(2);
    assert!(unknown.stderr.contains("hint:"), "{unknown}");
}

/// A result is read by its path as by its id; a text that was cut says where it goes on, and is not called missing.
#[test]
fn what_results_name_is_read_and_long_texts_leave_room() {
    let fixture = vault();
    let memora = memora(&fixture);
    let mut client = client(&memora, &[]);
    let saved = client.told("memory_save", json!({"content": "drift uses pino for structured logging"}));
    let (id, path) = (text_of(&saved, "id"), text_of(&saved, "path"));
    for name in [&path, &id, &format!("[{id}]"), &format!(" {id} ")] {
        let told = client.memory(name);
        assert_eq!((&told["items"][0]["id"], &told["missing"]), (&saved["id"], &json!([])), "{told}");
        assert_eq!(told["items"][0]["text"], "drift uses pino for structured logging");
    }
    let long = "It goes on and on, line after line. ".repeat(1_500);
    let [one, two] = ["first", "second"].map(|title| {
        let note = json!({"kind": "note", "title": title, "content": format!("The {title} note. {long}")});
        client.told("memory_save", note)
    });
    for (name, title) in [(&one["id"], "first"), (&two["path"], "second")] {
        let told = client.memory(name.as_str().expect("a name"));
        assert_eq!((&told["missing"], told["passages"].as_array().map(Vec::len)), (&json!([]), Some(1)), "{told}");
        let passage = &told["passages"][0];
        let (text, next) = (text_of(passage, "text"), passage["next_offset"].as_u64().expect("it is cut"));
        assert!(text.len() > 15_000 && next == text.len() as u64, "{} {next}", text.len());
        let shown = client.text("memora_read", json!({"note": name}));
        assert!(shown.contains(&text) && shown.ends_with(&format!("\nmore: from {next}")), "{name} {next}");
        assert_eq!(shown.matches("more: from").count(), 1, "{name}");
        let rest = client.told("memora_read", json!({"note": passage["path"], "from": next}));
        let rest = text_of(&rest["memory"]["read"]["passages"][0], "text");
        let whole = format!("The {title} note. {long}");
        assert!(rest.len() > 15_000 && format!("{text}{rest}").contains(whole.trim_end()), "{name} {next}");
    }
    assert_eq!(client.memory("mem-000000000000")["missing"], json!(["mem-000000000000"]));
    let nothing = client.text("memora_read", json!({"note": "memory:tasks"}));
    assert_eq!(nothing.lines().next(), Some("there is nothing"), "{nothing}");
    let both = client.call("memora_read", json!({"note": "memory:list", "claim": "7h3kq0v9x2ma"}));
    assert!(both.to_string().contains("one of them"), "{both}");
}

#[test]
fn the_eleventh_save_of_a_session_is_refused() {
    let fixture = vault();
    let memora = memora(&fixture);
    let mut client = client(&memora, &[]);
    for number in 0..10 {
        let saved =
            client.told("memory_save", json!({"content": format!("The parser of drift has {number} stages in all")}));
        assert_eq!((&saved["status"], &saved["saves_left"]), (&"saved".into(), &(9 - number).into()), "{saved}");
    }
    let eleventh = json!({"content": "The writer of drift has three stages in all"});
    let refused = client.told("memory_save", eleventh.clone());
    assert_eq!((&refused["reason"], &refused["saves_left"]), (&"rate_limited".into(), &0.into()));
    drop(client);
    assert_eq!(self::client(&memora, &[]).told("memory_save", eleventh)["status"], "saved");
}

#[test]
fn a_client_cannot_overwrite_pose_or_flood() {
    let fixture = vault();
    let memora = memora(&fixture);
    let mut client = client(&memora, &[]);
    client.failed("memory_save", json!({"content": "x", "op": "replace"}));
    client.failed("memory_save", json!({"kind": "knowledge", "content": "drift has a parser", "done": true}));
    client.failed("memory_save", json!({"kind": "event", "content": "drift has a parser", "done": true}));
    for kind in ["event", "task", "note"] {
        let content = json!({"kind": kind, "content": "drift has a parser", "replaces": "mem-000000000000"});
        client.failed("memory_save", content);
        // What it would not do is not passed over.
        for (argument, value) in [("privacy", "secret"), ("scope", "shared"), ("old", "drift"), ("outcome", "ok")] {
            let mut content = json!({"kind": kind, "content": "drift has a parser"});
            content[argument] = value.into();
            client.failed("memory_save", content);
        }
    }
    for (argument, value) in [("privacy", "secret"), ("scope", "shared"), ("source_type", "tool_output")] {
        let mut content = json!({"replaces": "mem-000000000000", "content": "drift has a parser"});
        content[argument] = value.into();
        client.failed("memory_save", content);
    }
    client.failed("memory_save", json!({"kind": "MEMORY.md", "content": "x"}));
    client.failed("memory_save", json!({"content": "x".repeat(10 << 20)}));
    client.failed("memory_forget", json!({"id": "../drift"}));
    client.failed("memory_save", json!({"content": "drift has a parser of its own", "path": "drift.md"}));
    let posed = client.told(
        "memory_save",
        json!({"content": "The user prefers tabs over spaces", "source_type": "user_instruction"}),
    );
    assert_eq!(posed["origin"], "agent_analysis");
    let tool = client.told(
        "memory_save",
        json!({"content": "The linter of drift reports four errors", "source_type": "tool_output"}),
    );
    assert_eq!(tool["origin"], "tool_output");
    for (line, status) in [("drift has a parser of its own", "saved"), ("ok", "refused")] {
        let saved = client.told("memory_save", json!({"content": line}));
        assert_eq!(saved["status"], status, "{saved}");
    }
    let cut = client.told("memory_save", json!({"kind": "event", "content": "word ".repeat(20_000)}));
    assert!(cut["truncated"].as_u64().is_some_and(|bytes| bytes <= 65_536), "{}", cut["truncated"]);
}

/// The address of a project's remote, without what remotes differ in.
const PROJECT: &str = "example.org/drift";

/// What a cloud client is told of a vault in which a local agent remembered something secret.
fn told_of(secret: &str) -> Vec<String> {
    let fixture = vault();
    let memora = memora(&fixture);
    fs::write(memora.config_dir().join("handle.key"), [7; 32]).expect("the key can be written");
    fs::write(memora.config_dir().join("memory.key"), [9; 32]).expect("the key can be written");
    // As `memora_read` names no project, the servers are started in it.
    let folder = memora.home_dir().join("drift");
    fs::create_dir_all(folder.join(".git")).expect("a folder");
    let remote = format!("[remote \"origin\"]\n\turl = https://{PROJECT}.git\n");
    fs::write(folder.join(".git/config"), remote).expect("a file");
    let client = |args: &[&str]| {
        let args = [&["mcp", "--structured", "--memory"], args].concat();
        let mut client = Client::of(memora.command(&args).current_dir(&folder));
        let _ = client.shake("2025-06-18");
        client
    };
    let mut local = client(&["--client", "local"]);
    let place = json!({"project": PROJECT});
    let with = |mut arguments: Value| {
        arguments.as_object_mut().expect("an object").extend(place.as_object().expect("an object").clone());
        arguments
    };
    let saved = local.told("memory_save", with(json!({"content": secret})));
    let entry = local.told("memory_save", with(json!({"kind": "event", "content": secret})));
    assert_eq!((&saved["status"], &saved["band"]), (&"saved".into(), &"secret".into()), "{saved}");
    assert!(fixture.read(&text_of(&saved, "path")).contains("\nprivacy: secret\n"));
    let pad = local.told("memory_save", with(json!({"kind": "task", "content": secret})));
    let note = local.told("memory_save", with(json!({"kind": "note", "content": secret, "title": secret})));
    // What the cloud client asks for below is there, and has it.
    for name in ["memory:log", "memory:tasks"] {
        assert!(text_of(&local.memory(name), "text").contains(secret), "{name}");
    }
    assert!(local.memory("memory:list").to_string().contains(secret));
    drop(local);
    let id = text_of(&saved, "id");
    let (entry, pad) = (text_of(&entry, "id"), text_of(&pad, "path"));
    let note = text_of(&note, "id");
    let mut cloud = client(&[]);
    let mut told = Vec::new();
    // The guess is the client's own.
    let masked = |answer: String| answer.replace(secret, "{SECRET}").replace(secret.trim_end_matches('.'), "{SECRET}");
    for (tool, arguments) in [
        ("memory_search", json!({"query": "salary earns thousand"})),
        ("memory_search", json!({"query": secret, "scope": "all"})),
        ("memory_save", json!({"content": secret})),
        ("memory_save", json!({"kind": "event", "content": "Merged the parser."})),
        ("memory_save", json!({"kind": "task", "content": "Fix the port"})),
        ("memory_save", json!({"replaces": id, "content": "Anna earns nothing at all any more"})),
        ("memory_save", json!({"replaces": id, "old": "Anna", "content": "Ben"})),
        ("memory_save", json!({"kind": "task", "content": secret, "done": true})),
        ("memory_forget", json!({"id": id})),
    ] {
        told.push(masked(cloud.call(tool, with(arguments)).to_string()));
    }
    let files = ["memory:tasks", "memory:log", "memory:files", "memory:list", "memory:page"].map(str::to_owned);
    let notes = [secret.to_owned(), note.clone()].map(|name| format!("memory:{name}"));
    for name in [id, entry, pad, note].into_iter().chain(files).chain(notes) {
        let mut told_of = cloud.call("memora_read", json!({"note": name})).to_string();
        // In the text as in the JSON: what it may see of the project is there.
        if matches!(&*name, "memory:tasks" | "memory:log") {
            let said = if name == "memory:log" { "Merged the parser." } else { "Fix the port" };
            assert_eq!(told_of.matches(said).count(), 2, "{told_of}");
        }
        told_of = told_of.replace(&name, "{NAME}");
        told.push(masked(told_of));
    }
    drop(cloud);
    for args in [
        &["memory", "--json", "stats"][..],
        &["memory", "--json", "gaps"],
        &["memory", "--json", "--project", PROJECT, "context", "--task", "How much does Anna earn?"],
        &["memory", "--json", "--project", PROJECT, "consolidate", "--today", "2026-05-10"],
        &["stale", "--json"],
        &["review", "--json"],
    ] {
        let said = memora.run(args);
        assert!(said.exit.is_some_and(|code| code < 2), "{said}");
        told.push(masked(said.stdout));
    }
    told
}

#[test]
fn a_secret_memory_has_no_influence_on_a_cloud_client() {
    let random = Regex::new(r"mem-[0-9a-z]{12}| [0-9a-z]{4}\.md|T?\d\d:\d\d(:\d\d)?").expect("a regex");
    let masked = |told: Vec<String>| -> Vec<String> {
        told.iter().map(|answer| random.replace_all(answer, "#").into_owned()).collect()
    };
    let one = masked(told_of("Anna earns ninety thousand a year."));
    let other = masked(told_of("Anna earns fifty thousand a month."));
    assert_eq!(one, other);
    assert!(one.iter().all(|answer| !answer.contains("\"band\":\"secret\"")), "{one:?}");
}

/// All entries of a day's logs.
fn logged(fixture: &Fixture) -> Vec<String> {
    fn collect(folder: &std::path::Path, into: &mut Vec<String>) {
        for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            match path.is_dir() {
                true => collect(&path, into),
                false => into.extend(fs::read_to_string(&path).expect("text").lines().map(str::to_owned)),
            }
        }
    }
    let mut lines = Vec::new();
    collect(&fixture.path("Memora"), &mut lines);
    lines
}

/// Two servers write to one log, and an editor saves it all the while.
#[test]
fn two_servers_and_an_editor_lose_nothing() {
    const WRITES: usize = 10;
    let fixture = vault();
    let memora = memora(&fixture);
    let mut first = client(&memora, &[]);
    let path = text_of(&first.told("memory_save", json!({"kind": "event", "content": "Begin."})), "path");
    let done = AtomicBool::new(false);
    let edits = thread::scope(|scope| {
        let editor = scope.spawn(|| {
            let mut edits = 0;
            while !done.load(Ordering::Relaxed) {
                // An editor that opens, waits, and writes to what it opened.
                let mut file = OpenOptions::new().append(true).open(fixture.path(&path)).expect("it is there");
                thread::sleep(Duration::from_millis(3));
                file.write_all(format!("edit {edits} of the user\n").as_bytes()).expect("it writes");
                edits += 1;
                thread::sleep(Duration::from_millis(50));
            }
            edits
        });
        let writers: Vec<_> = (0..2)
            .map(|server| {
                let memora = &memora;
                scope.spawn(move || {
                    let mut client = client(memora, &[]);
                    for number in 0..WRITES {
                        let content = format!("Entry {number} of server {server}.");
                        let told = client.told("memory_save", json!({"kind": "event", "content": content}));
                        assert_eq!(told["status"], "written", "{told}");
                    }
                })
            })
            .collect();
        for writer in writers {
            writer.join().expect("it writes");
        }
        done.store(true, Ordering::Relaxed);
        editor.join().expect("it edits")
    });
    // What an editor wrote to a file that had been replaced comes back with the next writes.
    for number in 0..2 {
        first.told("memory_save", json!({"kind": "event", "content": format!("End {number}.")}));
    }
    let lines = logged(&fixture);
    let entries: BTreeSet<&str> = lines.iter().filter(|line| line.starts_with("Entry ")).map(String::as_str).collect();
    assert_eq!(entries.len(), 2 * WRITES);
    for edit in 0..edits {
        assert!(lines.contains(&format!("edit {edit} of the user")), "edit {edit} of {edits}");
    }
}

/// Killed at any instant, a file is the old or the new one, and the next write clears up.
#[test]
fn a_kill_leaves_old_or_new_files_and_the_next_write_clears_up() {
    const ROUNDS: u32 = 10;
    let fixture = vault();
    let memora = memora(&fixture);
    let _ = memora.run(&["index"]).assert_code(0);
    for round in 0..ROUNDS {
        let mut client = client(&memora, &[]);
        for number in 0..20 {
            client.begin(
                "tools/call",
                json!({"name": "memory_save", "arguments": {
                "kind": "event", "content": format!("Round {round}, entry {number}.")}}),
            );
        }
        // The first answers show that it is at work.
        let _ = client.message();
        thread::sleep(Duration::from_millis(5) * round);
        drop(client);
    }
    let mut last = client(&memora, &[]);
    let told = last.told("memory_save", json!({"kind": "event", "content": "The last entry."}));
    // One file all the while: no kill broke its seal.
    assert_eq!(told["continued"], false, "{told}");
    let path = fixture.path(&text_of(&told, "path"));
    let folder = path.parent().expect("a folder");
    let names: Vec<String> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(names.len(), 1, "{names:?}");
    let log = fs::read_to_string(path).expect("text");
    let heads = log.lines().filter(|line| line.starts_with("## ")).count();
    let bodies = log.lines().filter(|line| line.starts_with("Round ") || line.starts_with("The last")).count();
    assert_eq!(heads, bodies, "no entry is torn");
    assert!(heads > ROUNDS as usize, "{heads}");
    let unheard = memory(&memora, &["search", "last entry"]).json();
    assert!(unheard["hits"].is_array());
}
