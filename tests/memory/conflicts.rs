//! A memory held against what the user wrote and against other memories.

use serde_json::{Value, json};

use super::{as_agent, found, memory, saved, text_of, vault};
use crate::mcp::Client;
use crate::support::{Line, indexed_example, lines, memora};

const PORT: &str = "The staging API of drift listens on port 8080.";
const OTHER_PORT: &str = "The staging API of drift listens on port 8081.";

#[test]
fn a_newer_value_ends_the_older_memory_and_both_files_stay() {
    let fixture = vault();
    let memora = memora(&fixture);
    let first = as_agent(&memora, &["save", PORT]).assert_code(0).json();
    let second = as_agent(&memora, &["save", OTHER_PORT]).assert_code(0).json();
    assert_eq!(second["superseded"], json!([first["id"]]), "{second}");
    assert_eq!(found(&memora, &["staging API port"]), [text_of(&second, "id")]);
    for report in [&first, &second] {
        assert!(fixture.path(&text_of(report, "path")).is_file());
    }
    // A person sees which of them holds.
    let [listed, read] =
        [vec!["memory", "list", "--all"], vec!["memory", "read", first["id"].as_str().expect("an id")]]
            .map(|args| memora.run(&args).assert_code(0).stdout);
    let by = format!("(superseded by {})", text_of(&second, "id"));
    assert_eq!((listed.matches("(superseded)").count(), read.matches(&by).count()), (1, 1), "{listed}{read}");
    // The user's word is not ended by an agent's.
    let own = memory(&memora, &["save", "The production API of drift listens on port 9000."]).assert_code(0).json();
    let beside =
        as_agent(&memora, &["save", "The production API of drift listens on port 9001."]).assert_code(0).json();
    assert_eq!((&beside["superseded"], &beside["conflicts"]), (&json!([]), &json!([own["id"]])), "{beside}");
    assert!(found(&memora, &["production API port"]).contains(&text_of(&own, "id")));
}

/// The same on one connection, whose index is behind.
#[test]
fn a_newer_value_ends_what_the_same_connection_saved_a_moment_ago() {
    let fixture = vault();
    let memora = memora(&fixture);
    let mut client = Client::connected(&memora, &["--memory"]);
    let first = client.told("memory_save", json!({"content": PORT}));
    let second = client.told("memory_save", json!({"content": OTHER_PORT}));
    assert_eq!(second["superseded"], json!([first["id"]]), "{second}");
    let again = client.told("memory_save", json!({"content": OTHER_PORT}));
    assert_eq!((&again["status"], &again["id"]), (&"duplicate".into(), &second["id"]), "{again}");
    assert_eq!(again["readable_back"], true, "nothing guarded stands in the way: {again}");
}

#[test]
fn a_repetition_is_no_second_memory_and_a_denial_is_one() {
    let fixture = vault();
    let memora = memora(&fixture);
    let (id, _) = saved(&memora, "The user prefers TypeScript with strict mode");
    let again = memory(&memora, &["save", "User prefers TypeScript with strict mode enabled"]).assert_code(1).json();
    assert_eq!((&again["status"], &again["id"]), (&"duplicate".into(), &id.clone().into()), "{again}");
    let agents = as_agent(&memora, &["save", "User prefers TypeScript with strict mode enabled"]).assert_code(1).json();
    assert_eq!(agents["status"], "duplicate", "{agents}");
    let denial =
        memory(&memora, &["save", "User prefers TypeScript without strict mode enabled"]).assert_code(0).json();
    assert_eq!(denial["status"], "saved", "{denial}");
    assert_eq!(memory(&memora, &["list"]).json()["items"].as_array().map(Vec::len), Some(2));
    // What the user says after an agent said it is theirs from then on.
    let weak = as_agent(&memora, &["save", "drift uses pino for structured logging"]).assert_code(0).json();
    let strong = memory(&memora, &["save", "drift uses pino for structured logging"]).assert_code(0).json();
    assert_eq!(strong["superseded"], json!([weak["id"]]), "{strong}");
}

#[test]
fn what_the_notes_say_is_known_and_its_opposite_is_held() {
    let fixture = vault();
    fixture.write("staging.md", format!("# Staging\n\n{PORT}\n"));
    let memora = memora(&fixture);
    let ask =
        || memora.at_local_door().run(&["ask", "On which port does the staging API of drift listen?", "--json"]).stdout;
    let before = ask();
    let known = as_agent(&memora, &["save", "drift is a log engine."]).assert_code(1).json();
    assert_eq!((&known["status"], &known["path"]), (&"known".into(), &json!(null)), "{known}");
    let known = as_agent(&memora, &["save", "The staging API of drift listens on port 8080 now."]).json();
    assert_eq!(known["status"], "known", "{known}");
    assert!(known["notes"][0]["place"]["quote"].as_str().is_some_and(|quote| quote.contains("8080")), "{known}");
    let conflict = as_agent(&memora, &["save", OTHER_PORT]).assert_code(1).json();
    assert_eq!(conflict["status"], "conflict", "{conflict}");
    assert!(conflict["notes"][0]["place"]["quote"].as_str().is_some_and(|quote| quote.contains("8080")), "{conflict}");
    assert!(fixture.read(&text_of(&conflict, "path")).contains("\nheld: conflict\n"));
    let block = memory(&memora, &["context"]).json().to_string();
    assert!(!block.contains("8081"), "{block}");
    let own = memory(&memora, &["save", OTHER_PORT]).assert_code(0).json();
    assert_eq!(own["status"], "saved", "{own}");
    assert!(own["notes"][0]["place"]["quote"].as_str().is_some_and(|quote| quote.contains("8080")), "{own}");
    let block = memory(&memora, &["context"]).json().to_string();
    assert!(block.contains("8081"), "{block}");
    assert_eq!(ask(), before);
}

/// What is secret does not make a guess `known`: a cloud client is told what it would be told if there were none.
#[test]
fn a_guess_of_a_secret_is_answered_as_any_other() {
    let fixture = vault();
    fixture.write("staging.md", format!("---\nprivacy: secret\n---\n{PORT}\n"));
    let memora = memora(&fixture);
    for (content, number) in [(PORT, 1), (OTHER_PORT, 2)] {
        let report = as_agent(&memora, &["save", content, "--project", &format!("p{number}")]).assert_code(0).json();
        assert_eq!((&report["status"], &report["notes"]), (&"saved".into(), &json!([])), "{report}");
    }
}

/// Memories in the words of the example vault's notes: of its things, and some of its own sentences.
fn memories_about_the_example() -> String {
    let things = ["drift", "The segment", "A relay", "Anna", "The rota", "Rye bread", "The serializer", "Priya"];
    let acts = ["uses", "checks", "switched to", "needs", "owns"];
    let others = ["a checksum of the header", "MessagePack for small records", "rye flour from Harburg", "the rope"];
    let mut words: Vec<String> = vec![
        "drift switched serialization from JSON to MessagePack after throughput benchmarks.".to_owned(),
        "An acknowledged record survives a power cut.".to_owned(),
    ];
    for (at, thing) in things.iter().enumerate() {
        for (number, act) in acts.iter().enumerate() {
            let other = others[(at + number) % others.len()];
            words.push(format!("{thing} {act} {other} since the summer of 2025, build {}{number}.", at + 1));
        }
    }
    let records = words.iter().enumerate().map(|(id, words)| json!({"id": format!("m-{id}"), "memory": words}));
    Value::Array(records.collect()).to_string()
}

#[test]
fn what_agents_wrote_changes_no_byte_of_what_the_users_notes_answer() {
    let (_fixture, memora) = indexed_example();
    let memora = memora.at_local_door();
    let asked = r#"
ask "Why did drift switch serialization?" --json
ask "What did I do in the summer of 2025?" --json
search "Why did drift switch serialization?" --json --limit 100
search "segment checksum" --json --limit 100
search "rye bread" --json --limit 100
search "in the summer of 2025" --json --limit 100
search "" --since 2025-03 --json --limit 100
verify --json <<< "Anna works at Tidewell ([[Anna Brandt]]). drift writes \"An acknowledged record survives a power cut\"."
stale --json
contradictions --all --json
"#;
    let answers = || lines(asked).map(|line| Line::parse(line).run(&memora).stdout).collect::<Vec<String>>();
    let index = || assert_eq!(memora.run(&["index", "--complete"]).exit, Some(0));
    let own_claims = || {
        let mut claims = memora.run(&["export", "--canonical"]).assert_code(0).json_lines();
        for claim in &mut claims {
            claim["sources"].as_array_mut().expect("sources").retain(|source| source["captured"] == false);
        }
        claims.retain(|claim| claim["sources"][0].is_object());
        claims
    };
    index();
    let (before, exported) = (answers(), own_claims());
    let report = memora.run_with_stdin(
        &["memory", "import", "--from", "mem0", "-", "--privacy", "public", "--json"],
        memories_about_the_example().as_bytes(),
    );
    assert_eq!(report.assert_code(0).json()["saved"], 42);
    index();
    for ((line, before), after) in lines(asked).zip(&before).zip(answers()) {
        assert_eq!(*before, after, "{line}");
    }
    assert!(exported == own_claims(), "other claims are exported");
    // They are there, and found by who asks for them.
    let all = memora.run(&["search", "segment checksum", "--captured", "--json"]).json();
    let is_captured = |hit: &Value| hit["captured"] == true;
    assert!(all["hits"].as_array().expect("hits").iter().any(is_captured), "{all}");
    assert!(!found(&memora, &["segment checksum"]).is_empty());
}

/// A phrase in front says what it says at the end, and nothing else may stand elsewhere.
#[test]
fn a_phrase_that_stands_in_front_is_a_repetition() {
    let fixture = vault();
    let memora = memora(&fixture);
    for (first, second, status) in [
        ("Tests run with pytest in Docker", "In Docker tests run with pytest", "duplicate"),
        ("On Fridays the release of drift is tagged", "The release of drift is tagged on Fridays", "duplicate"),
        ("The parser of drift calls the lexer", "The lexer of drift calls the parser", "saved"),
    ] {
        let _ = as_agent(&memora, &["save", first]).assert_code(0);
        let report = as_agent(&memora, &["save", second]).json();
        assert_eq!(report["status"], status, "{second}: {report}");
    }
}

/// What adds a thing to what is remembered, or turns it round, is no repetition of it.
#[test]
fn what_joins_more_or_dislikes_is_no_repetition() {
    let fixture = vault();
    let memora = memora(&fixture);
    for (first, second) in [
        ("The user has a severe tree nut allergy", "The user has a severe peanut and tree nut allergy"),
        (
            "I like golf. It brings people together in the open air",
            "I dislike golf. It brings people together in the open air",
        ),
    ] {
        let _ = as_agent(&memora, &["save", first]).assert_code(0);
        let report = as_agent(&memora, &["save", second]).assert_code(0).json();
        assert_eq!(report["status"], "saved", "{second}: {report}");
        assert_eq!(as_agent(&memora, &["save", second]).json()["status"], "duplicate", "{second}");
    }
}
