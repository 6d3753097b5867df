//! Handshake, freshness, bounds, ends: what a client may rely on, whatever the vault.

use std::fs;

use memora_testkit::{Fixture, MemoraBinary, TreeSnapshot};
use serde_json::{Value, json};

use super::Client;
use crate::support::{example, indexed_example, memora};

/// Whether any client was told anything of the vault.
fn was_told(memora: &MemoraBinary) -> bool {
    TreeSnapshot::take(&memora.state_dir()).file_names().any(|file| file.ends_with("egress.jsonl"))
}

#[test]
fn the_handshake_is_answered_under_every_version_of_the_protocol() {
    let (_fixture, memora) = indexed_example();
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut client = Client::start(&memora, &["--structured"]);
        let hello = client.shake(version);
        assert_eq!(hello["result"]["protocolVersion"], version, "{hello}");
        assert!(hello["result"]["instructions"].as_str().is_some_and(|text| text.contains("memora_verify")));
        assert_eq!(client.told("memora_find", json!({"question": "Anna"}))["status"], "found");
        assert!(client.end().status.success());
    }
    // One that nobody knows yet is answered with one that is known.
    let hello = Client::start(&memora, &[]).shake("2099-01-01");
    assert_eq!(hello["result"]["protocolVersion"], "2025-11-25", "{hello}");
}

/// Two servers on a vault that neither has indexed: both list their tools, and both answer.
#[test]
fn several_servers_serve_one_vault() {
    let (_fixture, memora) = indexed_example();
    let (mut one, mut other) = (Client::connected(&memora, &[]), Client::connected(&memora, &[]));
    let calls = [one.begin("tools/list", json!({})), other.begin("tools/list", json!({}))];
    assert_eq!(one.response(calls[0])["result"]["tools"].as_array().map(Vec::len), Some(5));
    assert_eq!(other.response(calls[1])["result"], one.request("tools/list", json!({}))["result"]);
    assert!(!was_told(&memora));
    for client in [&mut one, &mut other, &mut Client::connected(&memora, &[])] {
        assert_eq!(client.told("memora_find", json!({"question": "Anna"}))["status"], "found");
    }
}

#[test]
fn a_client_that_goes_leaves_nothing_behind() {
    let (fixture, memora) = indexed_example();
    let before = TreeSnapshot::take(fixture.vault());
    let mut client = Client::connected(&memora, &[]);
    client.told("memora_find", json!({"question": "Anna"}));
    let ended = client.end();
    assert!(ended.status.success(), "{ended:?}");
    assert_eq!(ended.stderr, "", "{ended:?}");
    assert_eq!(before.difference(&TreeSnapshot::take(fixture.vault())), "", "nothing is written into the vault");
    // One that goes without a word, at once, or in the midst of a call.
    assert!(Client::start(&memora, &[]).end().status.success());
    let mut client = Client::connected(&memora, &[]);
    client.begin("tools/call", json!({"name": "memora_find", "arguments": {"question": "Anna"}}));
    assert!(client.end().status.success());
}

/// The handshake waits for no disk; what fails there is told by the calls that need it, until it is mended.
#[test]
fn a_state_that_cannot_be_opened_is_told_by_calls_and_a_vault_that_is_not_there_before_anything() {
    let fixture = example();
    let memora = memora(&fixture);
    let vaults = memora.state_dir().join("vaults");
    fs::write(&vaults, "in the way").expect("a file where a folder should be");
    let mut client = Client::connected(&memora, &[]);
    assert_eq!(client.request("tools/list", json!({}))["result"]["tools"].as_array().map(Vec::len), Some(5));
    let said = client.failed("memora_find", json!({"question": "Anna"}));
    assert!(said.starts_with("error: the vault cannot be opened\nhint: "), "{said}");
    fs::remove_file(vaults).expect("it can be removed");
    assert_eq!(client.told("memora_find", json!({"question": "Anna"}))["status"], "found");
    assert!(client.end().status.success());

    let ended = Client::start(&memora, &["--vault", "/no/such/vault"]).end();
    assert_eq!(ended.status.code(), Some(2), "{ended:?}");
    assert!(ended.stderr.contains("no such folder") && ended.stderr.contains("hint: "), "{ended:?}");
}

/// How far the index is, as a client hears it that calls a tool on a vault which nobody has indexed.
fn heard(fixture: &Fixture, meta: &Value) -> Vec<(f64, f64)> {
    let memora = memora(fixture);
    let mut client = Client::connected(&memora, &[]);
    let params = json!({"name": "memora_find", "arguments": {"question": "Tidewell"}, "_meta": meta});
    let call = client.begin("tools/call", params);
    let mut heard = Vec::new();
    loop {
        let message = client.message().expect("an answer");
        if message["id"] == call {
            assert_eq!(message["result"]["structuredContent"]["status"], "found", "{message}");
            return heard;
        }
        assert_eq!(message["method"], "notifications/progress", "{message}");
        let told = &message["params"];
        assert_eq!(told["progressToken"], meta["progressToken"], "{message}");
        heard.push((told["progress"].as_f64().expect("a number"), told["total"].as_f64().expect("a number")));
    }
}

#[test]
fn who_wants_to_know_hears_how_far_the_index_is_and_nobody_else_does() {
    const NOTES: usize = 1_500;
    let notes: Vec<(String, String)> =
        (0..NOTES).map(|n| (format!("{n}.md"), format!("Person {n} works at Tidewell.\n"))).collect();
    let notes: Vec<(&str, &str)> = notes.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let fixture = Fixture::from_notes(&notes);
    for token in [json!("how far"), json!(7)] {
        let heard = heard(&fixture, &json!({"progressToken": token}));
        // The same whatever the number of notes, some of which the client may not know of.
        assert_eq!(heard, [(1.0, 4.0), (2.0, 4.0), (3.0, 4.0), (4.0, 4.0)]);
    }
    assert_eq!(heard(&fixture, &json!({})), []);
}

#[test]
fn whoever_is_no_client_is_told_so() {
    let fixture = example();
    let mut client = Client::start(&memora(&fixture), &[]);
    client.send(&json!({"jsonrpc": "2.0", "id": 1, "result": {}}));
    let ended = client.end();
    assert_eq!(ended.status.code(), Some(2), "{ended:?}");
    assert!(ended.stderr.contains("error: ") && ended.stderr.contains("hint: "), "{ended:?}");
}

#[test]
fn what_was_saved_is_found_and_what_was_marked_secret_is_not_told() {
    let fixture = Fixture::from_notes(&[("Anna.md", "# Anna\n\nAnna works at Tidewell.\n")]);
    let memora = memora(&fixture);
    let mut client = Client::connected(&memora, &[]);
    let search = |client: &mut Client, query: &str| {
        client.told("memora_find", json!({"question": query}))["passages"].to_string()
    };
    assert!(!search(&mut client, "Nordwind").contains("Ben works"));
    fixture.write("Ben.md", "# Ben\n\nBen works at Nordwind.\n");
    // The system says so in its own time.
    let found =
        (0..100_000).map(|_| search(&mut client, "Nordwind")).find(|told| told.contains("Ben works at Nordwind"));
    assert!(found.expect("it is found").contains("Ben.md"));
    // What was found is read again, so that this waits for nobody.
    fixture.write("Ben.md", "---\nprivacy: secret\n---\n# Ben\n\nBen works at Nordwind.\n");
    assert!(!search(&mut client, "Nordwind").contains("Ben"));
    // Rules hold from the moment that they stand there, of the user and of the vault.
    assert!(search(&mut client, "Tidewell").contains("Anna works"));
    memora.write_config("[privacy]\nunmarked = \"private\"\n");
    assert_eq!(search(&mut client, "Tidewell"), "[]");
}

/// Headings that stand before a page take nothing of it.
#[test]
fn each_page_of_a_note_with_many_headings_is_a_page() {
    let heading = |n: usize| {
        format!("## A heading of some length that is number {n} in its note\n\nPart {n} is about drift.\n\n")
    };
    let fixture = Fixture::from_notes(&[("long.md", &(0..300).map(heading).collect::<String>())]);
    let memora = memora(&fixture);
    let mut client = Client::connected(&memora, &[]);
    let (mut from, mut sizes) = (json!(0), Vec::new());
    while !from.is_null() {
        let told = client.told("memora_read", json!({"note": "long", "from": from}));
        sizes.push(told["note"]["passages"].as_array().expect("a list").len());
        from = told["note"]["next"].clone();
    }
    assert_eq!(sizes.iter().sum::<usize>(), 300, "{sizes:?}");
    let fullest = sizes.iter().max().copied().unwrap_or_default();
    assert!(sizes.len() > 3 && sizes[..sizes.len() - 1].iter().all(|size| *size * 2 > fullest), "{sizes:?}");
}

/// The whole of a note, page by page: nothing twice, nothing left out, no page longer than a page.
#[test]
fn a_note_that_is_cut_says_how_to_go_on_and_no_result_exceeds_its_bytes() {
    let long = "drift has a very long line about the engine. ".repeat(8);
    let text: String = (0..120).map(|n| format!("- Item {n} is on drift 日本語 \"{long}\".\n")).collect();
    let fixture = Fixture::from_notes(&[("long.md", &text), ("b.md", "drift is a queue.\n")]);
    let memora = memora(&fixture);
    let mut client = Client::connected(&memora, &[]);
    let (mut ids, mut from, mut pages) = (Vec::new(), json!(0), 0);
    while !from.is_null() {
        let response = client.call("memora_read", json!({"note": "long", "from": from}));
        let text = response["result"]["content"][0]["text"].as_str().expect("text");
        assert!(text.len() <= 6_144, "{} bytes", text.len());
        let note = &response["result"]["structuredContent"]["note"];
        let lines = note["passages"].as_array().expect("a list").iter().flat_map(|passage| passage["lines"].as_array());
        ids.extend(lines.flatten().map(|line| line["claim"].to_string()));
        pages += 1;
        from = note["next"].clone();
        assert_eq!(from.is_null(), !text.contains("\nmore: from "), "{text}");
    }
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert!(pages > 3 && count >= 120 && ids.len() == count, "{pages} pages, {count} lines, {} different", ids.len());
    for question in ["drift", "Where is the engine?", "Item 7"] {
        let text = client.text("memora_find", json!({"question": question}));
        assert!(text.len() <= 3_072, "{} bytes", text.len());
    }
}

#[test]
fn fifty_calls_at_once_are_all_answered() {
    let (_fixture, memora) = indexed_example();
    let mut client = Client::connected(&memora, &[]);
    let tools = ["memora_find", "memora_find", "memora_about"];
    let arguments =
        [json!({"question": "Anna"}), json!({"question": "Where does Anna work?"}), json!({"name": "Anna Brandt"})];
    let begun: Vec<u64> = (0..50)
        .map(|n| client.begin("tools/call", json!({"name": tools[n % 3], "arguments": arguments[n % 3]})))
        .collect();
    let mut answers: Vec<Value> = begun.iter().map(|_| client.message().expect("an answer")).collect();
    answers.sort_by_key(|answer| answer["id"].as_u64());
    assert_eq!(answers.iter().map(|answer| answer["id"].as_u64().expect("an id")).collect::<Vec<_>>(), begun);
    for answer in &answers {
        let status = &answer["result"]["structuredContent"]["status"];
        assert_eq!(status, "found", "{answer}");
    }
}

/// A call that takes its time is not waited for by a client that cancels or goes.
#[test]
fn a_call_that_is_cancelled_ends_and_others_go_on() {
    let (_fixture, memora) = indexed_example();
    let mut client = Client::connected(&memora, &[]);
    let draft = "Anna works at Nordwind since the spring of 2019. ".repeat(600);
    let slow = client.begin("tools/call", json!({"name": "memora_verify", "arguments": {"text": draft}}));
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": slow}}));
    assert_eq!(client.told("memora_find", json!({"question": "Anna"}))["status"], "found");
    assert!(client.end().status.success());
}
