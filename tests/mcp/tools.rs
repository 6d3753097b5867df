//! What each tool answers: by its published schema, in what it says, and in what it says of a failure.

use jsonschema::Validator;
use memora_testkit::{Fixture, TreeSnapshot};
use serde_json::{Value, json};

use super::Client;
use crate::support::{id_of, indexed_example, memora};

const WORK: &str = "Since May 2025 Anna works at Tidewell";

/// Validators by tool, of what the server itself publishes.
fn schemas(client: &mut Client) -> Vec<(String, Validator)> {
    let listed = client.request("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().expect("a list of tools").clone();
    let schema = |tool: &Value| {
        let name = tool["name"].as_str().expect("a name").to_owned();
        (name, jsonschema::validator_for(&tool["outputSchema"]).expect("a schema"))
    };
    tools.iter().map(schema).collect()
}

#[test]
fn every_tool_answers_in_its_published_shape() {
    let (_fixture, memora) = indexed_example();
    let id = id_of(&memora, WORK);
    let mut client = Client::connected(&memora, &[]);
    let schemas = schemas(&mut client);
    assert_eq!(schemas.len(), 5);
    let calls = [
        ("memora_find", json!({"question": "Anna", "limit": 30})),
        ("memora_find", json!({"question": "xylophone quarks"})),
        ("memora_find", json!({"question": "Where does Anna work?", "also": ["Tidewell", "her job"]})),
        ("memora_verify", json!({"text": format!("Anna works at Tidewell [claim:{id}]. The moon is cheese.")})),
        ("memora_verify", json!({"text": "Anna [claim:no]. Anna earns well [claim:7h3kq0v9x2ma]."})),
        ("memora_read", json!({"claim": id})),
        ("memora_read", json!({"claim": "7h3kq0v9x2ma"})),
        ("memora_read", json!({"note": "Anna Brandt"})),
        ("memora_about", json!({"name": "Anna Brandt"})),
        ("memora_about", json!({"name": "Jonas"})),
        ("memora_about", json!({"name": "Anna Brand"})),
        ("memora_review", json!({"what": "contradictions"})),
        ("memora_review", json!({"what": "stale"})),
        ("memora_review", json!({"what": "changes"})),
        ("memora_review", json!({"limit": 50})),
    ];
    for (tool, arguments) in calls {
        let told = client.told(tool, arguments.clone());
        let (_, schema) = schemas.iter().find(|(name, _)| name == tool).expect("it is listed");
        let errors: Vec<String> = schema.iter_errors(&told).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{tool} {arguments}: {errors:?}");
        let part = |part: &Value| part["fresh"].as_bool();
        let fresh = part(&told).or(part(&told["note"])).or(part(&told["claim"]));
        assert_eq!(fresh, Some(true), "{tool} {arguments}");
    }
}

/// Schemas are JSON's: `3000.0` is an integer there. Models write numbers, lists and nothing as strings and `null`.
#[test]
fn an_argument_is_read_where_its_meaning_is_certain() {
    let fixture =
        Fixture::from_notes(&[("n3.md", "Person3 lives in Town3.\n"), ("n4.md", "Person4 lives in Town3.\n")]);
    let memora = memora(&fixture);
    let mut client = Client::connected(&memora, &["--memory"]);
    for (tool, arguments) in [
        ("memora_find", json!({"question": "Town3", "limit": 3.0, "folder": "[]"})),
        ("memora_find", json!({"question": "Town3", "limit": "5", "tag": null, "captured": "false"})),
        ("memora_review", json!({"what": "Stale", "from": " 0 "})),
        ("memory_search", json!({"query": "Town3", "limit": 5.0, "kind": null})),
        (
            "memory_save",
            json!({"content": "The parser of drift is written in Rust since May", "tags": null, "confidence": "0.9"}),
        ),
    ] {
        let told = client.request("tools/call", json!({"name": tool, "arguments": arguments}));
        assert_ne!(told["result"]["isError"], true, "{tool} {arguments}: {told}");
    }
    for also in [json!("[\"Town3\"]"), json!("Town3"), json!(["Town3"])] {
        let told = client.told("memora_find", json!({"question": "Person3", "also": also}));
        assert_eq!(told["passages"][0]["place"], "n3.md", "{also}: {told}");
    }
    for arguments in
        [json!({"question": "x", "limit": 2.5}), json!({"question": "x", "limit": "many"}), json!({"question": null})]
    {
        let told = client.request("tools/call", json!({"name": "memora_find", "arguments": arguments}));
        assert!(told.to_string().contains("bad arguments"), "{arguments}: {told}");
    }
}

#[test]
fn an_open_contradiction_is_told_with_the_claim_that_it_contests() {
    let fixture = Fixture::from_notes(&[
        ("a.md", "Anna Brandt was born on 3 March 1980.\n"),
        ("b.md", "Anna Brandt was born on 3 March 1981.\n"),
    ]);
    let memora = memora(&fixture);
    let asked = memora.at_local_door().run(&["ask", "When was Anna Brandt born?", "--limit", "1", "--json"]).json();
    let contested = &asked["contested"][0];
    assert_eq!(contested["claim"], asked["claims"][0]["claim"], "{asked}");
    assert_ne!(contested["against"]["claim"], asked["claims"][0]["claim"], "{asked}");
    let mut client = Client::connected(&memora, &[]);
    let told = client.told("memora_find", json!({"question": "When was Anna Brandt born?"}));
    let lines: Vec<&Value> = told["passages"]
        .as_array()
        .expect("a list")
        .iter()
        .flat_map(|passage| passage["lines"].as_array())
        .flatten()
        .collect();
    assert_eq!(lines.len(), 2, "{told}");
    for (line, other) in [(lines[0], lines[1]), (lines[1], lines[0])] {
        let remark = line["remark"].as_str().unwrap_or_else(|| panic!("nothing contests {line}"));
        let id = other["claim"].as_str().expect("an id");
        assert!(remark.starts_with("contested by ") && remark.contains(&format!("[claim:{id}]")), "{told}");
    }
}

#[test]
fn a_question_is_answered_with_lines_to_cite_and_what_is_drafted_from_them_stands() {
    let (_fixture, memora) = indexed_example();
    let mut client = Client::connected(&memora, &[]);
    let told = client.told("memora_find", json!({"question": "Where does Anna work?"}));
    assert_eq!(told["status"], "found", "{told}");
    let lines = told["passages"].as_array().expect("a list").iter().flat_map(|passage| passage["lines"].as_array());
    let says = |line: &&Value| line["text"].as_str().is_some_and(|text| text.contains("works at Tidewell"));
    let line = lines.flatten().find(says).unwrap_or_else(|| panic!("nobody says where: {told}"));
    // What is drafted from it holds; in other words than the notes' it is shown beside them.
    let id = line["claim"].as_str().expect("an id");
    let own = format!("{} [claim:{id}]", line["text"].as_str().expect("words"));
    assert_eq!(client.told("memora_verify", json!({"text": own}))["status"], "verified");
    // One from which something is left out is kept, and shown beside the notes' words.
    let part = format!("Anna works at Tidewell [claim:{id}].");
    let kept = client.told("memora_verify", json!({"text": part}));
    assert_eq!((&kept["status"], &kept["clean_text"]), (&json!("supported"), &json!(part)), "{kept}");
    assert_eq!(kept["sentences"]["close"], 1, "{kept}");
    let draft = format!("Anna has a job at Tidewell [claim:{id}].");
    let kept = client.told("memora_verify", json!({"text": draft}));
    assert_eq!((&kept["status"], &kept["clean_text"]), (&json!("supported"), &json!(draft)), "{kept}");
    assert!(
        kept["problems"][0]["notes"][0].as_str().is_some_and(|words| words.contains("works at Tidewell")),
        "{kept}"
    );
    let strict = client.told("memora_verify", json!({"text": draft, "least": "proven"}));
    assert_eq!(strict["status"], "unverified", "{strict}");
    // What stands nowhere is said, and nothing else: whether the nearest answers is the reader's to judge.
    let nothing = client.told("memora_find", json!({"question": "Who keeps bees on the moon?"}));
    assert_eq!(
        (&nothing["certainty"], &nothing["unknown"]),
        (&json!("nearest"), &json!(["bees", "moon"])),
        "{nothing}"
    );
}

#[test]
fn several_wordings_are_one_question() {
    let fixture = Fixture::from_notes(&[
        ("a.md", "The feline sleeps in the attic.\n"),
        ("b.md", "The dog sleeps in the cellar.\n"),
        ("c.md", "The parrot has a cage.\n"),
    ]);
    let memora = memora(&fixture);
    let mut client = Client::connected(&memora, &[]);
    let first = |also: &[&str], client: &mut Client| {
        let told = client.told("memora_find", json!({"question": "parrot", "also": also}));
        let places = told["passages"].as_array().expect("a list").iter();
        places.map(|passage| passage["place"].as_str().expect("a place").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(first(&[], &mut client)[0], "c.md");
    let both = first(&["where does the dog sleep?"], &mut client);
    assert_eq!(both[..2].iter().collect::<std::collections::BTreeSet<_>>().len(), 2);
    assert!(both[..2].contains(&"b.md".to_owned()) && both[..2].contains(&"c.md".to_owned()), "{both:?}");
}

#[test]
fn a_property_is_found_as_a_line_of_its_note_and_read_with_it() {
    let fixture = Fixture::from_notes(&[
        ("ranch.md", "---\ndesc: surely the best restaurant in Ojai\n---\nWe sat outside.\n"),
        ("b.md", "The dog sleeps in the cellar.\n"),
    ]);
    let memora = memora(&fixture);
    for complete in [false, true] {
        if complete {
            let _ = memora.run(&["index", "--complete"]).assert_code(0);
        }
        let mut client = Client::reader(&memora, &[]);
        let found = client.text("memora_find", json!({"question": "restaurant in Ojai"}));
        assert!(found.contains("ranch.md\n   2* desc: surely the best restaurant in Ojai [claim:"), "{found}");
        let read = client.text("memora_read", json!({"note": "ranch"}));
        assert!(read.contains("best restaurant in Ojai [claim:") && read.contains("We sat outside."), "{read}");
    }
}

#[test]
fn a_draft_comes_back_without_what_does_not_stand_and_with_why() {
    let (_fixture, memora) = indexed_example();
    let id = id_of(&memora, WORK);
    let mut client = Client::connected(&memora, &[]);
    let text = format!(
        "Anna works at Tidewell [claim:{id}]. Anna works at Nordwind [claim:{id}]. Anna sings [claim:0000000000zz]."
    );
    let told = client.told("memora_verify", json!({"text": text}));
    assert_eq!(told["status"], "partial", "{told}");
    assert_eq!(told["clean_text"].as_str().map(str::trim), Some(&*format!("Anna works at Tidewell [claim:{id}].")));
    assert_eq!(told["sentences"]["close"], 1, "{told}");
    let verdicts: Vec<&Value> =
        told["problems"].as_array().expect("a list").iter().map(|problem| &problem["verdict"]).collect();
    assert_eq!(verdicts, ["paraphrased", "unsupported", "rejected"]);
    assert!(told["problems"][1]["reasons"][0].as_str().is_some_and(|reason| reason.contains("Nordwind")), "{told}");
    assert_eq!(told["problems"][2]["citations"][0]["verdict"], "unknown_id", "{told}");
}

#[test]
fn a_claim_is_told_in_full_by_its_id() {
    let (_fixture, memora) = indexed_example();
    let id = id_of(&memora, WORK);
    let mut client = Client::connected(&memora, &[]);
    let told = client.told("memora_read", json!({"claim": format!("[claim:{id}]")}))["claim"].clone();
    assert_eq!(told["status"], "current", "{told}");
    assert!(told["claims"][0]["quote"].as_str().is_some_and(|quote| quote.contains(WORK)), "{told}");
    assert!(told["claims"][0]["url"].as_str().is_some_and(|url| url.starts_with("obsidian://")), "{told}");
    assert_eq!(client.told("memora_read", json!({"claim": "7h3kq0v9x2ma"}))["claim"]["status"], "unknown");
}

#[test]
fn somebody_is_told_of_under_all_their_names() {
    let (_fixture, memora) = indexed_example();
    let mut client = Client::connected(&memora, &[]);
    let told = client.told("memora_about", json!({"name": "Anna Brandt"}));
    assert_eq!((&told["status"], &told["meant"][0]["path"]), (&json!("found"), &json!("people/Anna Brandt.md")));
    assert!(told["claims"].as_array().is_some_and(|claims| claims.iter().any(|claim| claim["role"] == "subject")));
    assert_eq!(client.told("memora_about", json!({"name": "Zaphod Beeblebrox"}))["status"], "unknown");
}

/// A page is a cut of the whole review, in the order that the whole has.
#[test]
fn the_pages_of_a_review_are_all_of_it_each_question_once() {
    let (_fixture, memora) = indexed_example();
    let mut client = Client::connected(&memora, &[]);
    let items = |told: &Value| -> Vec<String> {
        let items = told["items"].as_array().expect("a list").iter();
        items.map(|item| format!("{} {} {}", item["question"], item["claims"][0]["claim"], item["path"])).collect()
    };
    let pages = |client: &mut Client, limit: usize| {
        let (mut paged, mut from) = (Vec::new(), json!(0));
        while !from.is_null() {
            let told = client.told("memora_review", json!({"limit": limit, "from": from}));
            paged.extend(items(&told));
            from = told["next"].clone();
        }
        paged
    };
    let whole = pages(&mut client, 50);
    assert!(whole.len() > 5, "{} questions", whole.len());
    for limit in [2, 7] {
        assert_eq!(pages(&mut client, limit), whole, "pages of {limit}");
    }
}

#[test]
fn bad_arguments_fail_with_a_hint_and_the_next_call_is_answered() {
    let (_fixture, memora) = indexed_example();
    let mut client = Client::connected(&memora, &[]);
    let long = "word ".repeat(2_000);
    let bad = [
        ("memora_find", json!({})),
        ("memora_find", json!({"question": ""})),
        ("memora_find", json!({"question": 7})),
        ("memora_find", json!({"question": "Anna", "frobnicate": true})),
        ("memora_find", json!({"question": "Anna", "limit": -1})),
        ("memora_find", json!({"question": "Anna", "as_of": "yesterday or so"})),
        ("memora_find", json!({"question": "Anna", "since": "2024", "until": "2023"})),
        ("memora_find", json!({"question": long})),
        ("memora_find", json!({"question": "Anna", "also": [long]})),
        ("memora_read", json!({})),
        ("memora_read", json!({"note": "Anna Brandt", "claim": "7h3kq0v9x2ma"})),
        ("memora_read", json!({"note": "../outside.md"})),
        ("memora_read", json!({"note": "Anna Brand"})),
        ("memora_read", json!({"note": "no such note"})),
        ("memora_read", json!({"note": "Anna Brandt", "heading": "No such heading"})),
        ("memora_read", json!({"claim": "no such thing"})),
        ("memora_read", json!({"claim": "~abcdefgh2345"})),
        ("memora_review", json!({"what": "the weather"})),
        ("memora_verify", json!({"text": ""})),
        ("memora_verify", json!({"text": "word ".repeat(10_000)})),
        ("memora_about", json!({"name": " "})),
        ("memora_about", json!("Anna")),
    ];
    for (tool, arguments) in bad {
        if !arguments.is_object() {
            assert!(client.call(tool, arguments).get("error").is_some());
            continue;
        }
        let said = client.failed(tool, arguments.clone());
        assert!(said.starts_with("error: ") && said.contains("\nhint: "), "{tool} {arguments}: {said}");
    }
    let unknown = client.call("memora_frobnicate", json!({}));
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    assert_eq!(client.told("memora_find", json!({"question": "Anna"}))["status"], "found");
}

/// What a client writes down is a new note, checked first, and never knowledge of the user's.
#[test]
fn what_a_client_captured_is_a_new_note_and_never_comes_back_as_the_users_word() {
    let (fixture, memora) = indexed_example();
    let id = id_of(&memora, WORK);
    let before = TreeSnapshot::take(fixture.vault());

    // Not unless the user allows it.
    let mut client = Client::connected(&memora, &[]);
    let refused = client.call("memora_capture", json!({"title": "Anna", "text": "Anna keeps bees."}));
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
    let mut client = Client::connected(&memora, &["--allow-capture"]);
    let schemas = schemas(&mut client);
    assert_eq!(schemas.len(), 6);
    let (_, schema) = schemas.iter().find(|(name, _)| name == "memora_capture").expect("it is listed");
    let mut capture = |text: &str| {
        let told = client.told("memora_capture", json!({"title": "What I heard of Anna", "text": text}));
        let errors: Vec<String> = schema.iter_errors(&told).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}");
        told
    };

    // What the notes do not bear out is not written.
    let secret = memora.at_local_door().run(&["claims", "--json", "--limit", "1000"]).json();
    let secret = secret["claims"].as_array().into_iter().flatten().find(|claim| claim["band"] == "secret");
    let secret = secret.and_then(|claim| claim["claim"].as_str()).expect("a secret claim").to_owned();
    for text in [
        format!("Anna works at Nordwind [claim:{id}]."),
        "Anna works at Tidewell [claim:7h3kq0v9x2ma].".to_owned(),
        "Anna works at Tidewell [claim:~abcdefgh2345].".to_owned(),
        format!("Anna earns well [claim:{secret}]."),
    ] {
        let told = capture(&text);
        assert_eq!((&told["status"], &told["path"]), (&json!("refused"), &Value::Null), "{text}: {told}");
        assert_eq!(told["problems"].as_array().map(Vec::len), Some(1), "{text}: {told}");
    }
    assert_eq!(before.difference(&TreeSnapshot::take(fixture.vault())), "");

    let told = capture(&format!("Anna works at Tidewell [claim:{id}]. Anna keeps eleven hives on the roof."));
    let path = told["path"].as_str().expect("a note was made").to_owned();
    let note = std::fs::read_to_string(fixture.vault().join(&path)).expect("the note");
    assert!(note.contains("memora: captured") && note.contains("by: \"test\""), "{note}");
    assert!(!note.contains("[claim:~"), "{note}");

    let question = json!({"question": "How many hives does Anna keep on the roof?"});
    let asked = client.told("memora_find", question.clone());
    assert!(!asked["passages"].to_string().contains("hives"), "{asked}");
    let mut asked_for = question;
    asked_for["captured"] = true.into();
    let found = client.told("memora_find", asked_for);
    assert!(found["passages"].to_string().contains("eleven hives"), "{found}");
    assert!(found["passages"].to_string().contains("written by a machine"), "{found}");
    let own = memora.at_local_door().run(&["claims", "--captured", "--json", "--note", &path]).json();
    let hives = own["claims"].as_array().into_iter().flatten().find(|claim| claim.to_string().contains("hives"));
    let hives = hives.expect("it is a claim").clone();
    assert_eq!((&hives["captured"], &hives["modality"]), (&json!(true), &json!("reported")), "{hives}");
    let read = client.request("resources/read", json!({"uri": format!("memora://note/{}", path.replace(' ', "%20"))}));
    assert!(
        read["result"]["contents"][0]["text"].as_str().is_some_and(|text| text.starts_with("(A machine")),
        "{read}"
    );
    let cites = format!("Anna keeps eleven hives on the roof [claim:{}].", hives["claim"].as_str().expect("an id"));
    let verified = client.told("memora_verify", json!({"text": cites}));
    assert_ne!(verified["status"], "verified", "{verified}");
    assert_ne!(verified["status"], "supported", "{verified}");
}

#[test]
fn what_is_captured_where_secrets_are_shown_is_secret() {
    let (fixture, memora) = indexed_example();
    let mut client = Client::connected(&memora, &["--client", "local", "--allow-capture"]);
    let told = client.told("memora_capture", json!({"title": "Salaries", "text": "Anna earns 6,840 euros a month."}));
    let path = told["path"].as_str().expect("a path");
    let note = std::fs::read_to_string(fixture.vault().join(path)).expect("a note");
    assert!(note.contains("privacy: secret"), "{note}");
    let mut cloud = Client::connected(&memora, &[]);
    assert!(
        !cloud.told("memora_about", json!({"name": "Anna Brandt", "captured": true})).to_string().contains("6,840")
    );
    let read = cloud.request("resources/read", json!({"uri": format!("memora://note/{path}")}));
    assert!(!read.to_string().contains("6,840"), "{read}");
}

#[test]
fn somebody_is_not_told_of_by_what_was_captured_unless_that_is_asked_for() {
    let (_fixture, memora) = indexed_example();
    let mut client = Client::connected(&memora, &["--allow-capture"]);
    let text = "Anna Brandt lives in Zanzibar since 2026.";
    client.told("memora_capture", json!({"title": "Where Anna lives", "text": text}));
    let entity = |client: &mut Client, captured: bool| {
        client.told("memora_about", json!({"name": "Anna Brandt", "captured": captured})).to_string()
    };
    assert!(!entity(&mut client, false).contains("Zanzibar"));
    assert!(entity(&mut client, true).contains("Zanzibar"));
    let unknown = client.told("memora_about", json!({"name": "Zanzibar"}));
    assert!(unknown["status"] == "unknown" && unknown["only_captured"] == true, "{unknown}");
}

#[test]
fn all_of_a_draft_is_judged_and_what_is_clean_leads_nowhere() {
    let (_fixture, memora) = indexed_example();
    let id = id_of(&memora, WORK);
    let mut client = Client::connected(&memora, &[]);
    let front = format!("---\ndrift went back to JSON in 2029: yes\n---\n\n{WORK} [claim:{id}].");
    let told = client.told("memora_verify", json!({"text": front}));
    assert_eq!(told["status"], "partial", "{told}");
    assert!(!told["clean_text"].as_str().expect("a text").contains("2029"), "{told}");
    let image = format!("{WORK} ![](https://evil.example/x?d=1) [claim:{id}].");
    let told = client.told("memora_verify", json!({"text": image}));
    assert!(!told["clean_text"].as_str().expect("a text").contains("evil"), "{told}");
    // What is wrong is listed to its end, however much it is.
    let many = "It is. ".repeat(1_500);
    let (mut seen, mut from) = (0, json!(0));
    while !from.is_null() {
        let told = client.told("memora_verify", json!({"text": many, "from": from}));
        seen += told["problems"].as_array().expect("a list").len();
        from = told["next"].clone();
    }
    assert!(seen > 1_000, "{seen} of 1,500 were listed");
}

/// A client's model reads the list in every conversation: about four letters are a token.
/// Validators complain of a format that JSON Schema does not have, such as `uint64`.
#[test]
fn every_format_in_a_schema_is_one_of_json_schema() {
    const KNOWN: &[&str] = &["date", "date-time", "time", "duration", "uri", "uri-reference", "uri-template", "regex"];
    fn formats(value: &Value, found: &mut Vec<String>, seen: &mut usize) {
        *seen += 1;
        if let Some(format) = value.get("format").and_then(Value::as_str) {
            found.push(format.to_owned());
        }
        let inner: Vec<&Value> = match value {
            Value::Object(object) => object.values().collect(),
            Value::Array(list) => list.iter().collect(),
            _ => Vec::new(),
        };
        inner.into_iter().for_each(|value| formats(value, found, seen));
    }
    for tools in [memora_mcp::tools(), memora_mcp::listed_tools(memora_mcp::AnswerForm::Text)] {
        let (mut found, mut seen) = (Vec::new(), 0);
        formats(&serde_json::to_value(tools).expect("JSON"), &mut found, &mut seen);
        found.retain(|format| !KNOWN.contains(&format.as_str()));
        assert_eq!(found, Vec::<String>::new());
        assert!(seen > 100, "the schemas are looked through: {seen}");
    }
}

#[test]
fn the_list_of_tools_costs_five_kilobytes_and_with_memory_eight() {
    let listed = memora_mcp::listed_tools(memora_mcp::AnswerForm::Text);
    let bytes = |memory: bool| {
        let told = listed.iter().filter(|tool| memory || !tool.name.starts_with("memory_"));
        told.map(|tool| serde_json::to_string(tool).expect("JSON").len() + 1).sum::<usize>()
    };
    assert!(bytes(false) <= 5_120, "{} bytes", bytes(false));
    assert!(bytes(true) <= 8_192, "{} bytes with memory", bytes(true));
}

#[test]
fn what_is_written_for_assistants_names_the_tools_that_there_are() {
    let tools = memora_mcp::tools();
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    for file in ["docs/mcp.md", "docs/skills/memora/SKILL.md"] {
        let text = crate::support::read(file);
        for name in &names {
            assert!(text.contains(name), "{file} says nothing of {name}");
        }
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        for word in words.filter(|word| word.starts_with("memora_") && *word != "memora_") {
            assert!(names.contains(&word), "{file} speaks of {word}, which is no tool");
        }
    }
}

#[test]
fn the_description_for_registries_is_of_this_version() {
    let read: Value = serde_json::from_str(&crate::support::read("docs/server.json")).expect("JSON");
    for version in [&read["version"], &read["packages"][0]["version"]] {
        assert_eq!(version, env!("CARGO_PKG_VERSION"));
    }
    // What the registry refuses.
    assert!(read["description"].as_str().is_some_and(|text| text.len() <= 100));
    assert_eq!(read["name"].as_str().map(|name| name.matches('/').count()), Some(1));
    assert_eq!(read["repository"]["url"], env!("CARGO_PKG_REPOSITORY"));
}
