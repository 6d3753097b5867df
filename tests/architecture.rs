//! Which crate may know which, who may print, and that nobody writes `unsafe`.
//!
//! A new arrow between our crates is a decision: it changes this list and `docs/architecture.md` in the same commit.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use regex::Regex;
use serde_json::Value;

use crate::support::{read, workspace};

/// What each crate may depend on, of ours. Not for tests: a test may reach for whatever it looks at.
const ARROWS: &[(&str, &[&str])] = &[
    ("memora-nlp", &[]),
    ("memora-vault", &[]),
    ("memora-embed", &[]),
    ("memora-claim", &["memora-nlp", "memora-vault"]),
    ("memora-extract", &["memora-claim", "memora-nlp", "memora-vault"]),
    ("memora-store", &["memora-claim", "memora-vault"]),
    ("memora-retrieve", &["memora-claim", "memora-embed", "memora-nlp", "memora-vault"]),
    ("memora-redact", &["memora-claim", "memora-vault"]),
    // What a model is sent is a prompt, which has one maker; what it replies is as guarded.
    ("memora-model", &["memora-redact", "memora-vault"]),
    // What another program's memory server is told has one maker, too.
    ("memora-bridge", &["memora-redact", "memora-vault"]),
    // Words against words: no notes, no files.
    ("memora-entail", &["memora-nlp"]),
    ("memora-verify", &["memora-claim", "memora-entail", "memora-nlp", "memora-vault"]),
    // What memory is, as values: no files, no store, no doors.
    ("memora-memory", &["memora-nlp", "memora-vault"]),
    (
        "memora-engine",
        &[
            "memora-bridge",
            "memora-claim",
            "memora-embed",
            "memora-extract",
            "memora-memory",
            "memora-model",
            "memora-nlp",
            "memora-redact",
            "memora-retrieve",
            "memora-store",
            "memora-vault",
            "memora-verify",
        ],
    ),
    // Users and agents are talked to through the engine alone; threads and indexing know no protocol.
    ("memora-service", &["memora-engine"]),
    ("memora-mcp", &["memora-engine", "memora-service"]),
    ("memora-lsp", &["memora-engine", "memora-service"]),
    ("memora-page", &["memora-engine", "memora-service"]),
    ("memora", &["memora-engine", "memora-lsp", "memora-mcp", "memora-page"]),
    (
        "memora-eval",
        &[
            "memora-claim",
            "memora-engine",
            "memora-entail",
            "memora-extract",
            "memora-mcp",
            "memora-nlp",
            "memora-vault",
            "memora-verify",
        ],
    ),
    // Sees what a user sees, and so knows none of ours.
    ("memora-testkit", &[]),
];

/// Crates that are reached through one of ours only.
const ONLY_THROUGH: &[(&str, &[&str])] = &[
    ("rusqlite", &["memora-store"]),
    ("tantivy", &["memora-retrieve"]),
    ("hnsw_rs", &["memora-retrieve"]),
    ("gray_matter", &["memora-vault"]),
    ("notify", &["memora-vault"]),
    // Drafts are markdown too, and no notes.
    ("pulldown-cmark", &["memora-vault", "memora-verify"]),
    ("sentencex", &["memora-nlp", "memora-verify"]),
    ("fastembed", &["memora-embed"]),
    ("ort", &["memora-embed"]),
    ("ctrlc", &["memora"]),
    ("clap", &["memora", "memora-eval"]),
    ("clap_complete", &["memora"]),
    ("clap_mangen", &["memora"]),
    ("include_dir", &["memora"]),
    // The user's settings, and the files of assistants' programs.
    ("toml_edit", &["memora-engine", "memora"]),
    // Whatever opens a connection, and whatever speaks to agents, has a crate of its own.
    ("reqwest", &["memora-model"]),
    ("ureq", &["memora-model"]),
    // The client's side, and the server's.
    ("hyper", &["memora-model", "memora-page"]),
    ("hyper-util", &["memora-page"]),
    ("axum", &["memora-page"]),
    ("lsp-server", &["memora-lsp"]),
    ("lsp-types", &["memora-lsp"]),
    ("askama", &["memora-page"]),
    ("rustls", &["memora-model"]),
    ("zip", &["memora-model"]),
    // The server's side, and the client's.
    ("rmcp", &["memora-mcp", "memora-bridge"]),
];

/// Files that may write to the two outputs.
const MAY_PRINT: &[&str] = &[
    "crates/memora/src/ui.rs",
    // Sets up the log, which goes to standard error.
    "crates/memora/src/main.rs",
    // Speaks the protocol to the client, and nothing else to anybody.
    "crates/memora-mcp/src/stdio.rs",
    // The same, to an editor.
    "crates/memora-lsp/src/stdio.rs",
    // A developers' program: JSON on standard output is all it is for.
    "benches/memora-eval/src/main.rs",
];

/// A crate of the workspace, and what it names as dependencies outside its tests.
struct Member {
    folder: PathBuf,
    dependencies: BTreeSet<String>,
}

fn members() -> BTreeMap<String, Member> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--no-deps", "--format-version", "1"])
        .current_dir(workspace())
        .output()
        .expect("cargo can be run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    let text = |value: &Value| value.as_str().expect("a string").to_owned();
    let packages = metadata["packages"].as_array().expect("a list of packages");
    let member = |package: &Value| {
        let folder = Path::new(&text(&package["manifest_path"])).parent().expect("it lies in a folder").to_owned();
        let all = package["dependencies"].as_array().expect("a list of dependencies");
        // `kind` is null for ordinary ones, else `dev` or `build`.
        let dependencies = all.iter().filter(|d| d["kind"] != "dev").map(|d| text(&d["name"])).collect();
        (text(&package["name"]), Member { folder, dependencies })
    };
    packages.iter().map(member).collect()
}

#[test]
fn the_crates_of_the_workspace_know_each_other_as_the_list_says() {
    let members = members();
    let listed: BTreeSet<&str> = ARROWS.iter().map(|(name, _)| *name).collect();
    assert_eq!(members.keys().map(String::as_str).collect::<BTreeSet<_>>(), listed, "list every crate once");
    for (name, allowed) in ARROWS {
        let ours: BTreeSet<&str> =
            members[*name].dependencies.iter().map(String::as_str).filter(|d| members.contains_key(*d)).collect();
        let allowed: BTreeSet<&str> = allowed.iter().copied().collect();
        assert_eq!(ours, allowed, "{name} depends on the left and may depend on the right");
    }
}

#[test]
fn arrows_point_one_way() {
    // In the order of the list nothing points forward, so nothing can go round.
    let position = |name: &str| ARROWS.iter().position(|(other, _)| *other == name).expect("a listed crate");
    for (name, allowed) in ARROWS {
        for other in *allowed {
            assert!(position(other) < position(name), "{name} points forward to {other}");
        }
    }
}

/// Connections are opened through the HTTP client, and through nothing else of any crate's own code.
#[test]
fn only_the_crate_that_fetches_opens_connections() {
    const WAYS: &[&str] = &["TcpStream", "TcpListener", "UdpSocket", "UnixStream", "to_socket_addrs", "std::net"];
    // The page's files that know a socket: one serves, one listens.
    const MAY_LISTEN: &[&str] = &["TcpStream", "TcpListener", "std::net"];
    for (name, member) in members().into_iter().filter(|(name, _)| name != "memora-model" && name != "memora-testkit") {
        let folder = if name == "memora" { workspace().join("crates/memora") } else { member.folder };
        for file in sources(&folder.join("src")) {
            let code = std::fs::read_to_string(&file).expect("a source can be read");
            let serves = file.ends_with("crates/memora-page/src/serve.rs");
            let binds = file.ends_with("crates/memora-page/src/listen.rs");
            let listens = serves || binds;
            for way in WAYS.iter().filter(|way| !(listens && MAY_LISTEN.contains(way))) {
                assert!(!code.contains(way), "{name}: {way} in {}", file.display());
            }
            // Who listens waits to be connected to, on this machine alone, and connects to nobody.
            assert!(!listens || !code.contains("connect(") && code.matches("::bind(").count() == usize::from(binds));
            assert!(!binds || code.contains("TcpListener::bind(address)") && code.contains("loopback.at(port)"));
            let addresses = ["Ipv4Addr::LOCALHOST", "Ipv6Addr::LOCALHOST", "SocketAddr::", "Addr::from("];
            let named = addresses.map(|address| code.matches(address).count());
            assert!(!binds || named == [1, 1, 1, 2] && !code.contains("UNSPECIFIED"), "{named:?}");
        }
    }
}

/// Programs of others are started where the user named them: a memory server, what prints the key of a model, their editor.
#[test]
fn only_three_files_start_programs() {
    const MAY_START: &[&str] =
        &["crates/memora-bridge/src/process.rs", "crates/memora-model/src/key.rs", "crates/memora/src/opener.rs"];
    let starts = Regex::new(r"process::(\{[^}]*)?\bCommand\b").expect("a regex");
    let mut seen = BTreeSet::new();
    for (_, member) in members().into_iter().filter(|(name, _)| name != "memora-testkit") {
        let own = sources(&member.folder.join("src"));
        for file in own.into_iter().chain(sources(&workspace().join("crates/memora/src"))) {
            if starts.is_match(&std::fs::read_to_string(&file).expect("a source can be read")) {
                let name = file.strip_prefix(workspace()).expect("below the workspace");
                seen.insert(name.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), MAY_START);
}

#[test]
fn what_a_crate_keeps_to_itself_is_reached_through_it_alone() {
    for (name, member) in members() {
        for (kept, by) in ONLY_THROUGH {
            assert!(!member.dependencies.contains(*kept) || by.contains(&name.as_str()), "{name} depends on {kept}");
        }
    }
}

/// One stray line on standard output breaks MCP over stdio, and every line is a door.
#[test]
fn only_the_file_that_knows_who_reads_prints() {
    const WAYS: &[&str] =
        &["println!", "print!(", "eprint!(", "dbg!(", "stdout()", "stderr()", "io::stdout", "io::stderr"];
    let mut seen = BTreeSet::new();
    for member in members().into_values() {
        for file in
            sources(&member.folder.join("src")).into_iter().chain(sources(&workspace().join("crates/memora/src")))
        {
            let name =
                file.strip_prefix(workspace()).expect("below the workspace").to_string_lossy().replace('\\', "/");
            let code = std::fs::read_to_string(&file).expect("a source can be read");
            for (number, line) in code.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")) {
                if let Some(way) = WAYS.iter().find(|way| line.contains(**way)) {
                    assert!(MAY_PRINT.contains(&name.as_str()), "{name}:{}: {way}", number + 1);
                    seen.insert(name.clone());
                }
            }
        }
    }
    assert_eq!(seen.len(), MAY_PRINT.len(), "these do: {seen:?}");
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut found = Vec::new();
    for path in entries.map(|entry| entry.expect("an entry").path()) {
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
    found
}

#[test]
fn every_crate_forbids_unsafe_code_by_the_lints_of_the_workspace() {
    let root = read("Cargo.toml");
    let lints = root.split("[workspace.lints.rust]").nth(1).and_then(|rest| rest.split("\n[").next());
    assert!(lints.is_some_and(|lints| lints.contains("unsafe_code = \"forbid\"")));
    for (name, member) in members() {
        let manifest = std::fs::read_to_string(member.folder.join("Cargo.toml")).expect("a manifest can be read");
        assert!(manifest.contains("[lints]\nworkspace = true\n"), "{name} does not take over the lints");
    }
}

/// Packages with the features they are compiled with, for some kinds of dependencies of the default members.
fn compiled_packages(kinds: &str) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--edges", kinds, "--prefix", "none", "--format", "{p}\t{f}"])
        .current_dir(workspace())
        .output()
        .expect("cargo can be run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    lines.lines().map(|line| line.trim_end_matches(" (*)").trim().to_owned()).filter(|line| !line.is_empty()).collect()
}

#[test]
fn the_tests_compile_no_package_of_the_program_a_second_time() {
    let package = |line: &String| line.split('\t').next().unwrap_or_default().to_owned();
    let program = compiled_packages("normal,build");
    let packages: BTreeSet<String> = program.iter().map(package).collect();
    let tests = compiled_packages("normal,build,dev");
    let again: Vec<&String> = tests.difference(&program).filter(|line| packages.contains(&package(line))).collect();
    assert!(packages.len() > 200 && again.is_empty(), "other features than the program's: {again:#?}");
}

#[test]
fn no_sql_stands_outside_the_store() {
    for (name, member) in members().into_iter().filter(|(name, _)| name != "memora-store" && name != "memora") {
        for file in sources(&member.folder.join("src")) {
            let code = std::fs::read_to_string(&file).expect("a source can be read");
            for sql in ["SELECT ", "INSERT INTO", "DELETE FROM", "CREATE TABLE", "PRAGMA "] {
                assert!(!code.contains(sql), "{name}: {sql}in {}", file.display());
            }
        }
    }
}

/// Crates whose types hold words of notes, and are shown through `memora-redact` alone.
const DOMAIN: &[&str] =
    &["vault", "claim", "nlp", "entail", "extract", "store", "embed", "retrieve", "verify", "memory"];

#[test]
fn of_the_domain_only_closed_sets_of_words_can_be_serialized() {
    let derive =
        Regex::new(r"#\[derive\([^\]]*\bSerialize\b[^\]]*\)\]\n((?:\s*#\[[^\n]*\n)*)\s*pub (\w+) (\w+)([^}]*)")
            .expect("a regex");
    let mut found = 0;
    for file in DOMAIN.iter().flat_map(|name| sources(&workspace().join(format!("crates/memora-{name}/src")))) {
        let text = std::fs::read_to_string(&file).expect("a source file");
        for derived in derive.captures_iter(&text) {
            let (kind, name, body) = (&derived[2], &derived[3], &derived[4]);
            let body: String = body.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
            let holds = kind != "enum" || body.contains('(') || body.matches('{').count() > 1;
            assert!(!holds, "{}: {name} holds data and can be serialized", file.display());
            found += 1;
        }
    }
    assert!(found > 5, "the closed sets are no longer found: {found}");
}
