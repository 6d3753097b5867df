//! What is published under `schemas/` is what the program prints.
//!
//! The files are made from the types of `memora_engine::report` and from a fresh database, never edited by hand:
//! `UPDATE_SCHEMAS=1 cargo test schemas` writes them anew.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use jsonschema::Validator;
use memora_engine::CloudDoor;
use memora_engine::report;
use memora_testkit::{MemoraBinary, ModelServer, ScriptedReply};
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::memory::scripted_server::ScriptedServer;
use crate::support::{EVERY_COMMAND, Line, Watch, id_of, indexed_example, lines, workspace};

/// The reports by the command that prints them, as references into the `$defs` of what they share. Doors differ in values, never
/// in shape.
fn reports() -> (BTreeMap<&'static str, Value>, Map<String, Value>) {
    // As it is written, not as it could be read: what may be null is there all the same.
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let reports = BTreeMap::from([
        ("ask", generator.subschema_for::<report::AskReport<CloudDoor>>()),
        // With --show-prompt.
        ("ask-prompt", generator.subschema_for::<report::PromptReport>()),
        ("capture", generator.subschema_for::<report::CapturedReport<CloudDoor>>()),
        ("review", generator.subschema_for::<report::ReviewReport<CloudDoor>>()),
        ("review-apply", generator.subschema_for::<report::AppliedReport>()),
        ("changes", generator.subschema_for::<report::ChangesReport<CloudDoor>>()),
        ("claims", generator.subschema_for::<report::ClaimsReport<CloudDoor>>()),
        ("contradictions", generator.subschema_for::<report::ContradictionsReport<CloudDoor>>()),
        ("demo", generator.subschema_for::<report::DemoReport>()),
        ("doctor", generator.subschema_for::<report::DoctorReport>()),
        ("embedder", generator.subschema_for::<report::EmbedderReport>()),
        ("entity", generator.subschema_for::<report::EntityReport<CloudDoor>>()),
        // A line of it.
        ("export", generator.subschema_for::<report::ExportedClaim>()),
        ("extract", generator.subschema_for::<report::ExtractReport>()),
        ("index", generator.subschema_for::<report::IndexReport>()),
        ("init", generator.subschema_for::<report::InitReport>()),
        ("keep", generator.subschema_for::<report::DecidedReport<CloudDoor>>()),
        ("hook-install", generator.subschema_for::<report::HookInstallReport>()),
        ("mcp-install", generator.subschema_for::<report::InstallReport>()),
        ("memory-bridge", generator.subschema_for::<report::BridgesReport>()),
        ("memory-bridge-detect", generator.subschema_for::<report::BridgeCandidatesReport>()),
        ("memory-bridge-sync", generator.subschema_for::<report::BridgeSyncReport>()),
        ("memory-consolidate", generator.subschema_for::<report::ConsolidationReport<CloudDoor>>()),
        ("memory-context", generator.subschema_for::<report::MemoryContext<CloudDoor>>()),
        // A line of it.
        ("memory-export", generator.subschema_for::<report::ExportedMemory<CloudDoor>>()),
        ("memory-forget", generator.subschema_for::<report::ForgetReport<CloudDoor>>()),
        ("memory-import", generator.subschema_for::<report::ImportReport>()),
        ("memory-gaps", generator.subschema_for::<report::GapsReport>()),
        ("memory-list", generator.subschema_for::<report::MemoryList<CloudDoor>>()),
        ("memory-read", generator.subschema_for::<report::MemoryRead<CloudDoor>>()),
        ("memory-reseal", generator.subschema_for::<report::ResealReport>()),
        ("memory-restore", generator.subschema_for::<report::ForgetReport<CloudDoor>>()),
        ("memory-save", generator.subschema_for::<report::SaveReport<CloudDoor>>()),
        ("memory-search", generator.subschema_for::<report::MemoryResults<CloudDoor>>()),
        ("memory-stats", generator.subschema_for::<report::MemoryStats>()),
        ("memory-undo", generator.subschema_for::<report::UndoReport>()),
        ("memory-update", generator.subschema_for::<report::WriteReport<CloudDoor>>()),
        ("memory-write", generator.subschema_for::<report::WriteReport<CloudDoor>>()),
        ("privacy-audit", generator.subschema_for::<report::AuditReport>()),
        ("privacy-egress", generator.subschema_for::<report::EgressReport>()),
        ("restore", generator.subschema_for::<report::DecidedReport<CloudDoor>>()),
        ("retract", generator.subschema_for::<report::DecidedReport<CloudDoor>>()),
        ("search", generator.subschema_for::<report::SearchReport<CloudDoor>>()),
        ("stale", generator.subschema_for::<report::StaleReport<CloudDoor>>()),
        ("status", generator.subschema_for::<report::StatusReport>()),
        ("verify", generator.subschema_for::<report::VerifyReport<CloudDoor>>()),
        // A line of it.
        ("watch", generator.subschema_for::<report::WatchLine>()),
        ("why", generator.subschema_for::<report::WhyReport<CloudDoor>>()),
    ]);
    let types = generator.take_definitions(true);
    (reports.into_iter().map(|(command, reference)| (command, reference.to_value())).collect(), types)
}

/// One schema of all that is printed: `memora.json#/$defs/ask` is what `memora ask --json` prints.
fn schema_of_reports() -> Value {
    let (reports, mut types) = reports();
    types.extend(reports.into_iter().map(|(command, reference)| (command.to_owned(), reference)));
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What `memora --json` prints",
        "description": "`$defs` has a schema for each command, by its name: `ask`, `memory-save`.",
        "$defs": types,
    })
}

/// Every published file and what should be in it.
fn published() -> BTreeMap<String, String> {
    let pretty = |schema: &Value| format!("{}\n", serde_json::to_string_pretty(schema).expect("JSON can be written"));
    let tools = serde_json::to_value(memora_mcp::tools()).expect("tools are JSON");
    BTreeMap::from([
        ("memora.json".to_owned(), pretty(&schema_of_reports())),
        // What a client of `memora mcp` is told that there is: names, arguments, results.
        ("mcp.json".to_owned(), pretty(&tools)),
        ("store.sql".to_owned(), memora_store::schema_sql()),
    ])
}

#[test]
fn published_schemas_are_those_of_the_types_and_of_the_database() {
    let folder = workspace().join("schemas");
    if std::env::var_os("UPDATE_SCHEMAS").is_some() {
        std::fs::create_dir_all(&folder).expect("the folder can be made");
        for (name, text) in published() {
            std::fs::write(folder.join(name), text).expect("a schema can be written");
        }
    }
    let mut differences = String::new();
    for (name, text) in published() {
        let there = std::fs::read_to_string(folder.join(&name)).unwrap_or_default();
        differences.push_str(&difference(&name, &there, &text));
    }
    for entry in std::fs::read_dir(&folder).into_iter().flatten() {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        assert!(published().contains_key(&name), "schemas/{name} is of nothing that is printed");
    }
    assert!(differences.is_empty(), "{differences}hint: UPDATE_SCHEMAS=1 cargo test schemas, and read what changed");
}

/// The lines that only one of two texts has around the first and the last difference.
fn difference(name: &str, there: &str, made: &str) -> String {
    let (there, made): (Vec<&str>, Vec<&str>) = (there.lines().collect(), made.lines().collect());
    let same = there.iter().zip(&made).take_while(|(a, b)| a == b).count();
    let rest = there.iter().skip(same).rev().zip(made.iter().skip(same).rev()).take_while(|(a, b)| a == b).count();
    let mut out = String::new();
    let changed = |lines: &[&str]| lines[same..lines.len() - rest].iter().map(ToString::to_string).collect::<Vec<_>>();
    let (gone, new) = (changed(&there), changed(&made));
    if gone.is_empty() && new.is_empty() {
        return out;
    }
    let _ = writeln!(out, "schemas/{name}, from line {}:", same + 1);
    for (mark, lines) in [("-", gone), ("+", new)] {
        for line in lines.iter().take(40) {
            let _ = writeln!(out, "{mark} {line}");
        }
        if lines.len() > 40 {
            let _ = writeln!(out, "{mark} … {} more", lines.len() - 40);
        }
    }
    out
}

/// The schema with every object closed: what is printed must be published, too.
fn closed(mut schema: Value) -> Value {
    fn close(value: &mut Value) {
        match value {
            Value::Object(map) => {
                if map.get("properties").is_some_and(Value::is_object) {
                    map.insert("additionalProperties".to_owned(), Value::Bool(false));
                }
                map.values_mut().for_each(close);
            }
            Value::Array(list) => list.iter_mut().for_each(close),
            _ => {}
        }
    }
    close(&mut schema);
    schema
}

fn validators() -> BTreeMap<&'static str, Validator> {
    let (reports, types) = reports();
    let make = |mut schema: Value| {
        schema["$defs"] = types.clone().into();
        jsonschema::validator_for(&closed(schema)).expect("the schema is one")
    };
    reports.into_iter().map(|(command, reference)| (command, make(reference))).collect()
}

#[track_caller]
fn assert_valid(validator: &Validator, value: &Value, line: &str) {
    let errors: Vec<String> =
        validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path)).collect();
    assert!(errors.is_empty(), "memora {line}: {}", errors.join("; "));
}

/// The command that some words are: the first, the first two of `privacy`, `mcp`, `memory` and `hook`, and `--apply` of `review`.
fn command(args: &[String]) -> String {
    match args {
        [first, rest @ ..] if first == "review" && rest.iter().any(|arg| arg == "--apply") => {
            format!("{first}-apply")
        }
        [first, second, third, ..] if second == "bridge" && !third.starts_with('-') => {
            format!("{first}-{second}-{third}")
        }
        [first, second, ..] if ["privacy", "mcp", "memory", "hook"].contains(&first.as_str()) => {
            format!("{first}-{second}")
        }
        [first, ..] => first.clone(),
        [] => String::new(),
    }
}

fn check(memora: &MemoraBinary) {
    let validators = validators();
    let id = id_of(memora, "Since May 2025 Anna works at Tidewell");
    let mut met: BTreeMap<String, usize> = BTreeMap::new();
    for line in lines(EVERY_COMMAND) {
        let mut parsed = Line::parse(&line.replace("{ID}", &id));
        let command = command(&parsed.args);
        let Some(validator) = validators.get(command.as_str()) else { continue };
        if parsed.args.iter().any(|arg| arg == "--help") {
            continue;
        }
        if !parsed.args.iter().any(|arg| arg == "--json") {
            parsed.args.push("--json".to_owned());
        }
        let output = parsed.run(memora);
        // What fails says so on standard error, and prints nothing.
        let documents = match (output.exit, command.as_str()) {
            (Some(2), _) => {
                assert_eq!(output.stdout, "", "{output}");
                continue;
            }
            (_, "export" | "memory-export") => output.json_lines(),
            _ => vec![output.json()],
        };
        for document in &documents {
            assert_valid(validator, document, line);
        }
        *met.entry(command).or_default() += documents.len();
    }
    // It goes on until it is ended.
    let line = Watch::start(&mut memora.command(&["watch", "--json"])).line();
    assert_valid(&validators["watch"], &line, "watch");
    met.insert("watch".to_owned(), 1);
    // Only the user hands a file back, exports and imports, at the local door.
    let _ = memora.run(&["memory", "init"]).assert_code(0);
    let resealed = memora.at_local_door().run(&["memory", "reseal", "Memora/MEMORY.md", "--json"]).assert_code(1);
    assert_valid(&validators["memory-reseal"], &resealed.json(), "memory reseal");
    met.insert("memory-reseal".to_owned(), 1);
    let exported = memora.at_local_door().run(&["memory", "export"]).assert_code(0).json_lines();
    assert!(!exported.is_empty(), "MEMORY.md is there");
    for line in &exported {
        assert_valid(&validators["memory-export"], line, "memory export");
    }
    met.insert("memory-export".to_owned(), exported.len());
    let import = Line::parse("memory import --from text - --json <<< \"Anna drinks tea in the evening.\"");
    assert_valid(&validators["memory-import"], &import.run(&memora.at_local_door()).json(), "memory import");
    met.insert("memory-import".to_owned(), 1);
    // The same of a pass that archives all.
    let local = memora.at_local_door();
    let consolidate = ["memory", "consolidate", "--apply", "--force", "--today", "2027-06-01", "--json"];
    let applied = local.run(&consolidate).assert_code(0).json();
    assert_valid(&validators["memory-consolidate"], &applied, "memory consolidate --apply");
    assert_eq!(applied["status"], "applied", "{applied}");
    let undone = local.run(&["memory", "undo", "--json"]).assert_code(0).json();
    assert_valid(&validators["memory-undo"], &undone, "memory undo");
    met.insert("memory-undo".to_owned(), 1);
    // And looks after bridges.
    let server = ScriptedServer::new();
    server.remember("The parser of drift is written by hand");
    memora.write_config(&server.config("other", "write = true"));
    let _ = local.run(&["memory", "save", "drift uses pino for structured logging"]);
    for args in [&["bridge"][..], &["bridge", "detect"], &["bridge", "sync", "--pull"]] {
        let args = [&["memory"], args, &["--json"]].concat();
        let command = args.iter().take_while(|arg| !arg.starts_with('-')).copied().collect::<Vec<_>>().join("-");
        assert_valid(&validators[command.as_str()], &local.run(&args).json(), &command);
        met.insert(command, 1);
    }
    // Without a model it prints nothing.
    let server = ModelServer::start(vec![ScriptedReply::text("{\"claims\": []}")]);
    memora.write_config(&format!(
        "[model]\nprovider = \"openai\"\nname = \"m\"\nkey_env = \"HOME\"\nurl = \"{}/v1\"\n",
        server.address()
    ));
    for flag in ["--budget=2", "--dry-run"] {
        let output = memora.run(&["extract", "--json", flag]).assert_code(0);
        assert_valid(&validators["extract"], &output.json(), flag);
        *met.entry("extract".to_owned()).or_default() += 1;
    }
    let output = memora.run(&["ask", "Where does Anna work?", "--show-prompt", "--json"]).assert_code(0);
    assert_valid(&validators["ask-prompt"], &output.json(), "ask --show-prompt");
    met.insert("ask-prompt".to_owned(), 1);
    let missing: Vec<_> = validators.keys().filter(|command| !met.contains_key(**command)).collect();
    assert!(missing.is_empty(), "nothing was printed by {missing:?}");
    assert!(met["export"] > 100, "{met:?}");
}

#[test]
fn what_a_cloud_door_prints_is_what_is_published() {
    let (_fixture, memora) = indexed_example();
    check(&memora);
}

#[test]
fn what_the_local_door_prints_is_what_is_published() {
    let (_fixture, memora) = indexed_example();
    check(&memora.at_local_door());
}

#[test]
fn what_is_not_published_is_found() {
    let validators = validators();
    let (_fixture, memora) = indexed_example();
    let report = memora.run(&["search", "Anna", "--json"]).assert_code(0).json();
    assert_valid(&validators["search"], &report, "search");
    let spoiled = |spoil: &dyn Fn(&mut Map<String, Value>)| {
        let mut report = report.clone();
        spoil(report["hits"][0].as_object_mut().expect("a hit"));
        validators["search"].is_valid(&report)
    };
    assert!(spoiled(&|_| {}));
    assert!(!spoiled(&|hit| drop(hit.remove("claim"))));
    assert!(!spoiled(&|hit| drop(hit.insert("score".to_owned(), json!("high")))));
    assert!(!spoiled(&|hit| drop(hit.insert("colour".to_owned(), json!("red")))));
    assert!(!validators["why"].is_valid(&report));
}

/// The names that tools may rely on, whatever else is added.
#[test]
fn the_names_that_were_promised_are_there() {
    let root = &schema_of_reports();
    let check = |command: &str, path: &str, names: &[&str]| {
        let mut at = &root["$defs"][command];
        for part in path.split('.').filter(|part| !part.is_empty()) {
            at = resolved(root, &resolved(root, at)["properties"][part]);
        }
        let properties = resolved(root, at)["properties"].as_object();
        let properties = properties.unwrap_or_else(|| panic!("{command}: no object at {path:?}"));
        for name in names {
            assert!(properties.contains_key(*name), "{command}: no `{name}` at {path:?}");
        }
    };
    let place = ["path", "start", "end", "line", "column", "hash", "quote", "url"];
    for command in ["ask", "verify"] {
        check(command, "", &["status", "sentences"]);
        check(command, "sentences", &["text", "verdict", "citations"]);
        check(command, "sentences.citations", &["start", "end", "marker", "claim", "verdict"]);
        check(command, "claims.place", &place);
    }
    let hit =
        ["claim", "subject", "predicate", "object", "band", "status", "valid_from", "valid_until", "score", "why"];
    check("search", "hits", &hit);
    check("search", "hits.place", &place);
    let line = ["claim", "subject", "predicate", "object", "status", "valid_from", "valid_until", "sources"];
    check("export", "", &line);
    check("export", "sources", &place);
    check("export", "sources", &["band"]);
    check("entity", "", &["status", "entity", "candidates", "claims", "mentions", "co_occurs"]);
    check("entity", "claims.place", &place);
    check("index", "", &["notes", "claims", "problems"]);
    check("index", "notes", &["seen", "changed", "removed", "skipped"]);
    check("index", "claims", &["total", "added", "removed"]);
}

/// Follows references, lists to what they hold, and "this or null" to this.
fn resolved<'s>(root: &'s Value, schema: &'s Value) -> &'s Value {
    if let Some(name) = schema["$ref"].as_str().and_then(|reference| reference.strip_prefix("#/$defs/")) {
        return resolved(root, &root["$defs"][name]);
    }
    if schema["items"].is_object() {
        return resolved(root, &schema["items"]);
    }
    match schema["anyOf"].as_array() {
        Some(either) => resolved(root, &either[0]),
        None => schema,
    }
}
