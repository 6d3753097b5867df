//! `memora mcp install`: the entry for each program, and what becomes of the program's own file.

use std::fs;
use std::path::PathBuf;

use memora_testkit::{Fixture, MemoraBinary, TreeSnapshot};
use serde_json::{Value, json};

use super::Client;
use crate::support::{binary, indexed_example, memora};

const PROGRAMS: [(&str, &str, &str); 6] = [
    ("claude-code", ".claude.json", "mcpServers"),
    ("claude-desktop", "Claude/claude_desktop_config.json", "mcpServers"),
    ("codex", ".codex/config.toml", "mcp_servers"),
    ("cursor", ".cursor/mcp.json", "mcpServers"),
    ("vscode", "Code/User/mcp.json", "servers"),
    ("zed", "zed/settings.json", "context_servers"),
];

fn report(memora: &MemoraBinary, args: &[&str]) -> Value {
    let args: Vec<&str> = ["mcp", "install", "--json", "--client"].iter().chain(args).copied().collect();
    memora.run(&args).assert_code(0).json()
}

/// What a program would start, according to its file.
fn server(program: &str, key: &str, file: &str) -> Value {
    let read: Value = match program {
        "codex" => toml::from_str(file).expect("TOML"),
        _ => serde_json::from_str(file).expect("JSON"),
    };
    read[key]["memora"].clone()
}

#[test]
fn every_program_gets_an_entry_that_starts_this_very_server() {
    let (_fixture, memora) = indexed_example();
    for (program, file, key) in PROGRAMS {
        let report = report(&memora, &[program, "--write"]);
        assert_eq!(report["written"], "new", "{report}");
        let path = PathBuf::from(report["file"].as_str().expect("a path"));
        assert!(path.starts_with(memora.home_dir()) && path.ends_with(file), "{}", path.display());
        let server = server(program, key, &fs::read_to_string(&path).expect("it was written"));
        assert_eq!(server["command"], json!(binary()), "{server}");
        let args: Vec<&str> =
            server["args"].as_array().expect("arguments").iter().map(|arg| arg.as_str().expect("a word")).collect();
        assert_eq!((args[0], args[args.len() - 1]), ("--vault", "mcp"), "{args:?}");
        let typed = server.get("type").and_then(Value::as_str);
        assert_eq!(typed, (["claude-code", "cursor", "vscode"].contains(&program)).then_some("stdio"), "{program}");
        // What is printed is what is written into a file that was not there.
        assert_eq!(report["entry"].as_str(), fs::read_to_string(&path).ok().as_deref());
        // And it works.
        let mut command = std::process::Command::new(binary());
        command.args(&args).env_clear().env("HOME", memora.home_dir()).env("MEMORA_TEST_WITHOUT_GATE", "1");
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        let mut client = Client::of(&mut command);
        assert_eq!(client.shake("2025-06-18")["result"]["serverInfo"]["name"], "memora");
    }
}

/// A package manager puts a new version into another folder and moves the entry in `PATH` to it.
#[cfg(unix)]
#[test]
fn the_entry_in_the_path_is_written_down_where_it_leads_to_this_program() {
    let (_fixture, memora) = indexed_example();
    let folder = memora.home_dir().join("bin");
    fs::create_dir(&folder).expect("a folder");
    let entry = folder.join(binary().file_name().expect("a name"));
    std::os::unix::fs::symlink(binary(), &entry).expect("a link");
    let told = |path: &std::path::Path| {
        let output = memora.command(&["mcp", "install", "--json", "--client", "cursor"]).env("PATH", path).output();
        let report: Value = serde_json::from_slice(&output.expect("it runs").stdout).expect("JSON");
        report["command"][0].clone()
    };
    assert_eq!(told(&folder), json!(entry));
    // Another program of that name is not started instead.
    fs::remove_file(&entry).expect("removed");
    fs::write(&entry, "#!/bin/sh\n").expect("another one");
    assert_eq!(told(&folder), json!(binary()));
}

#[test]
fn without_a_word_nothing_is_written_and_the_entry_alone_is_printed() {
    let (_fixture, memora) = indexed_example();
    let _ = memora.run(&["index"]).assert_code(0);
    let before = TreeSnapshot::take(memora.home_dir());
    for (program, _, key) in PROGRAMS {
        let output = memora.run(&["mcp", "install", "--client", program]).assert_code(0);
        assert_eq!(server(program, key, &output.stdout)["command"], json!(binary()));
        assert!(output.stderr.contains("--write"), "{output}");
    }
    let after: Vec<String> = TreeSnapshot::take(memora.home_dir()).file_names().map(str::to_owned).collect();
    assert_eq!(before.file_names().collect::<Vec<_>>(), after, "no file came");
}

#[test]
fn it_is_said_how_many_notes_there_are_of_each_band() {
    let fixture = Fixture::from_notes(&[
        ("Anna.md", "Anna is here.\n"),
        ("Ben.md", "---\nprivacy: private\n---\nBen is here.\n"),
        ("Cleo.md", "---\nprivacy: secret\n---\nCleo is here.\n"),
        ("Dora.md", "---\nprivacy: secret\n---\nDora is here.\n"),
    ]);
    let memora = memora(&fixture);
    let local = memora.at_local_door().run(&["mcp", "install", "--client", "cursor"]).assert_code(0);
    assert!(local.stderr.contains("notes now: 1 public, 1 private, 2 secret; it may see the public ones"), "{local}");
    memora.write_config("[cloud]\nsees = \"private\"\n");
    let local = memora.at_local_door().run(&["mcp", "install", "--client", "cursor"]).assert_code(0);
    assert!(local.stderr.contains("it may see the public and the private ones"), "{local}");
    let args = &["cursor", "--local"];
    assert_eq!(report(&memora, args)["notes"]["secret"], Value::Null, "not through a pipe");
    let command = report(&memora, args)["command"].clone();
    assert_eq!(command.as_array().expect("words").iter().rev().take(2).collect::<Vec<_>>(), ["local", "--client"]);
}

#[test]
fn what_the_file_said_before_stays_and_is_kept() {
    let (_fixture, memora) = indexed_example();
    let path = memora.home_dir().join(".cursor/mcp.json");
    fs::create_dir(memora.home_dir().join(".cursor")).expect("a folder");
    let mine = "{\n  // mine\n  \"mcpServers\": {\n    \"other\": {\"command\": \"x\"}\n  }\n}\n";
    fs::write(&path, mine).expect("a file");
    let first = report(&memora, &["cursor", "--write"]);
    assert_eq!(first["written"], "merged");
    assert_eq!(fs::read_to_string(first["kept"].as_str().expect("a path")).expect("it is kept"), mine);
    let merged = fs::read_to_string(&path).expect("it is there");
    assert!(merged.contains("// mine") && merged.contains("\"other\": {\"command\": \"x\"}"), "{merged}");
    assert_eq!(report(&memora, &["cursor", "--write"])["written"], "as_it_was");
    let second = report(&memora, &["cursor", "--write", "--name", "second"]);
    assert_eq!(second["written"], "merged");
    assert!(fs::read_to_string(&path).expect("it is there").contains("\"second\""));
}

#[test]
fn a_broken_file_and_one_in_the_vault_are_refused() {
    let (fixture, memora) = indexed_example();
    for (program, file, broken) in [
        ("claude-code", ".claude.json", "{\"a\": 1"),
        ("codex", ".codex/config.toml", "a = "),
        ("cursor", ".cursor/mcp.json", "{\"mcpServers\": {}, \"mcpServers\": {}}"),
    ] {
        let path = memora.home_dir().join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, broken).expect("a file");
        let output = memora.run(&["mcp", "install", "--client", program, "--write"]).assert_code(2);
        assert!(output.stderr.contains("hint: nothing was changed"), "{output}");
        assert_eq!(fs::read_to_string(&path).expect("it is there"), broken);
    }
    let before = TreeSnapshot::take(fixture.vault());
    let output = memora
        .command(&["mcp", "install", "--client", "cursor", "--write"])
        .env("HOME", fixture.vault())
        .output()
        .expect("it can be started");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("lies in a vault"));
    assert_eq!(before.difference(&TreeSnapshot::take(fixture.vault())), "");
    let _ = memora.run(&["mcp", "install", "--client", "cursor", "--name", "no such name"]).assert_code(2);
}
