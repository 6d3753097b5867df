//! What each tool answers: by its published schema, in what it says, and in what it says of a failure.

use jsonschema::Validator;
use memora_testkit::{Fixture, ModelServer, ScriptedReply, TreeSnapshot};
use serde_json::{Value, json};

use super::Client;
use crate::drafting::elsewhere;
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
    assert_eq!(schemas.len(), 8);
    let calls = [
        ("memora_search", json!({"query": "Anna", "limit": 50})),
        ("memora_search", json!({"query": "xylophone quarks"})),
        ("memora_query_cited", json!({"question": "Where does Anna work?"})),
        ("memora_query_cited", json!({"question": "Who keeps bees on the moon?", "mode": "strict"})),
        ("memora_verify", json!({"text": format!("Anna works at Tidewell [claim:{id}]. The moon is cheese.")})),
        ("memora_verify", json!({"text": "Anna [claim:no]. Anna earns well [claim:7h3kq0v9x2ma]."})),
        ("memora_claim", json!({"claim": id})),
        ("memora_claim", json!({"claim": "7h3kq0v9x2ma"})),
        ("memora_entity", json!({"name": "Anna Brandt"})),
        ("memora_entity", json!({"name": "Jonas"})),
        ("memora_entity", json!({"name": "Anna Brand"})),
        ("memora_contradictions", json!({})),
        ("memora_stale_claims", json!({})),
        ("memora_challenge", json!({"limit": 50})),
        ("memora_contradictions", json!({"all": true, "limit": 50})),
    ];
    for (tool, arguments) in calls {
        let told = client.told(tool, arguments.clone());
        let (_, schema) = schemas.iter().find(|(name, _)| name == tool).expect("it is listed");
        let errors: Vec<String> = schema.iter_errors(&told).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{tool} {arguments}: {errors:?}");
        assert_eq!(told["fresh"], true, "{tool} {arguments}");
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
        ("memora_search", json!({"query": "Town3", "max_tokens": 3000.0, "limit": "5"})),
        ("memora_search", json!({"query": "Town3", "notes": null, "cursor": null, "captured": "false"})),
        ("memora_query_cited", json!({"question": "Who lives in Town3?", "mode": null, "tags": "[]"})),
        ("memory_search", json!({"query": "Town3", "limit": 5.0, "kind": null})),
        (
            "memory_save",
            json!({"content": "The parser of drift is written in Rust since May", "tags": null, "confidence": "0.9"}),
        ),
        ("memory_list", json!({"limit": " 7 "})),
    ] {
        let told = client.request("tools/call", json!({"name": tool, "arguments": arguments}));
        assert_ne!(told["result"]["isError"], true, "{tool} {arguments}: {told}");
    }
    for notes in [json!("[\"n3.md\"]"), json!("n3.md"), json!(["N3"])] {
        let told = client.told("memora_search", json!({"query": "Town3", "notes": notes}));
        let paths: Vec<&Value> = told["claims"].as_array().expect("a list").iter().map(|hit| &hit["path"]).collect();
        assert_eq!(paths, ["n3.md"], "{notes}");
    }
    for arguments in
        [json!({"query": "x", "limit": 2.5}), json!({"query": "x", "limit": "many"}), json!({"query": null})]
    {
        let told = client.request("tools/call", json!({"name": "memora_search", "arguments": arguments}));
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
    let told = client.told("memora_query_cited", json!({"question": "When was Anna Brandt born?", "limit": 1}));
    assert_eq!(told["contested"][0]["contests"], told["claims"][0]["claim"], "{told}");
    let both = format!("{}{}", told["claims"][0]["quote"], told["contested"][0]["quote"]);
    assert!(both.contains("1980") && both.contains("1981"), "{told}");
    assert!(told["next"].as_str().is_some_and(|next| next.contains("say both")), "{told}");
}

#[test]
fn a_question_is_answered_with_claims_and_how_to_cite_them() {
    let (_fixture, memora) = indexed_example();
    let mut client = Client::connected(&memora, &[]);
    let told = client.told("memora_query_cited", json!({"question": "Where does Anna work?"}));
    assert_eq!((&told["status"], &told["answer"]), (&json!("claims"), &Value::Null), "{told}");
    let claims = told["claims"].as_array().expect("a list");
    let says = |claim: &&Value| claim["quote"].as_str().is_some_and(|quote| quote.contains("works at Tidewell"));
    let claim = claims.iter().find(says).unwrap_or_else(|| panic!("nobody says where: {told}"));
    let how = told["how_to_cite"].as_str().expect("it says how");
    assert!(how.contains("[claim:ID]") && how.contains("memora_verify"), "{how}");
    // What it says to do leads to a text that holds; in other words than the notes' it is shown beside them.
    let id = claim["claim"].as_str().expect("an id");
    let own = format!("{} [claim:{id}]", claim["quote"].as_str().expect("words"));
    assert_eq!(client.told("memora_verify", json!({"text": own}))["status"], "verified");
    // So does one from which something is left out that limits nothing.
    let part = format!("Anna works at Tidewell [claim:{id}].");
    let kept = client.told("memora_verify", json!({"text": part}));
    assert_eq!((&kept["status"], &kept["clean_text"]), (&json!("verified"), &json!(part)), "{kept}");
    let draft = format!("Anna has a job at Tidewell [claim:{id}].");
    let kept = client.told("memora_verify", json!({"text": draft}));
    assert_eq!((&kept["status"], &kept["clean_text"]), (&json!("supported"), &json!(draft)), "{kept}");
    assert!(
        kept["problems"][0]["notes"][0].as_str().is_some_and(|words| words.contains("works at Tidewell")),
        "{kept}"
    );
    let strict = client.told("memora_verify", json!({"text": draft, "strict": true}));
    assert_eq!(strict["status"], "unverified", "{strict}");
    let nothing = client.told("memora_query_cited", json!({"question": "Who keeps bees on the moon?"}));
    assert_eq!(nothing["status"], "no_evidence", "{nothing}");
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
    assert_eq!(told["sentences"]["verified"], 1, "{told}");
    let verdicts: Vec<&Value> =
        told["problems"].as_array().expect("a list").iter().map(|problem| &problem["verdict"]).collect();
    assert_eq!(verdicts, ["unsupported", "rejected"]);
    assert!(told["problems"][0]["reasons"][0].as_str().is_some_and(|reason| reason.contains("Nordwind")), "{told}");
    assert_eq!(told["problems"][1]["citations"][0]["verdict"], "unknown_id", "{told}");
}

#[test]
fn a_claim_is_told_in_full_by_its_id() {
    let (_fixture, memora) = indexed_example();
    let id = id_of(&memora, WORK);
    let mut client = Client::connected(&memora, &[]);
    let told = client.told("memora_claim", json!({"claim": format!("[claim:{id}]")}));
    assert_eq!(told["status"], "current", "{told}");
    assert!(told["claims"][0]["quote"].as_str().is_some_and(|quote| quote.contains(WORK)), "{told}");
    assert!(told["claims"][0]["url"].as_str().is_some_and(|url| url.starts_with("obsidian://")), "{told}");
    assert_eq!(client.told("memora_claim", json!({"claim": "7h3kq0v9x2ma"}))["status"], "unknown");
}

#[test]
fn somebody_is_told_of_under_all_their_names() {
    let (_fixture, memora) = indexed_example();
    let mut client = Client::connected(&memora, &[]);
    let told = client.told("memora_entity", json!({"name": "Anna Brandt"}));
    assert_eq!((&told["status"], &told["meant"][0]["path"]), (&json!("found"), &json!("people/Anna Brandt.md")));
    assert!(told["claims"].as_array().is_some_and(|claims| claims.iter().any(|claim| claim["role"] == "subject")));
    assert_eq!(client.told("memora_entity", json!({"name": "Zaphod Beeblebrox"}))["status"], "unknown");
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
    let whole = items(&client.told("memora_challenge", json!({"limit": 50, "max_tokens": 25_000})));
    assert!(whole.len() > 5, "{} questions", whole.len());
    for limit in 1..6 {
        let (mut paged, mut cursor) = (Vec::new(), Value::Null);
        loop {
            let mut arguments = json!({"limit": limit});
            if !cursor.is_null() {
                arguments["cursor"] = cursor;
            }
            let told = client.told("memora_challenge", arguments);
            paged.extend(items(&told));
            cursor = told["cursor"].clone();
            if cursor.is_null() {
                break;
            }
        }
        assert_eq!(paged, whole, "pages of {limit}");
    }
}

#[test]
fn with_a_model_the_answer_is_drafted_and_strictness_refuses_what_repair_mends() {
    let fixture = Fixture::from_notes(&[("Anna.md", "# Anna\n\nAnna works at Tidewell.\n\nAnna likes rye bread.\n")]);
    let memora = memora(&fixture);
    let half = ScriptedReply::from_request(|request| {
        let ids = request.offered_ids();
        ScriptedReply::text(format!(
            "Anna works at Tidewell [claim:{}]. Anna works at Nordwind [claim:{}].",
            ids[0], ids[0]
        ))
    });
    let server = ModelServer::start(vec![half]);
    elsewhere(&memora, "openai", &server);
    let mut client = Client::connected(&memora, &[]);
    let ask = |mode: &str| json!({"question": "Where does Anna work?", "mode": mode});
    let repaired = client.told("memora_query_cited", ask("repair"));
    assert_eq!(repaired["status"], "partial", "{repaired}");
    let answer = repaired["answer"].as_str().expect("an answer");
    assert!(answer.contains("Anna works at Tidewell. [claim:") && !answer.contains("Nordwind"), "{repaired}");
    let asked = server.completion_requests().len();
    assert!(asked > 1, "it was asked again");
    let strict = client.told("memora_query_cited", ask("strict"));
    assert_eq!((&strict["status"], &strict["answer"]), (&json!("unverified"), &Value::Null), "{strict}");
    assert_eq!(server.completion_requests().len(), asked + 1, "it was asked once");
}

#[test]
fn bad_arguments_fail_with_a_hint_and_the_next_call_is_answered() {
    let (_fixture, memora) = indexed_example();
    let mut client = Client::connected(&memora, &[]);
    let long = "word ".repeat(2_000);
    let bad = [
        ("memora_search", json!({})),
        ("memora_search", json!({"query": ""})),
        ("memora_search", json!({"query": 7})),
        ("memora_search", json!({"query": "Anna", "frobnicate": true})),
        ("memora_search", json!({"query": "Anna", "limit": -1})),
        ("memora_search", json!({"query": "Anna", "cursor": "no"})),
        ("memora_search", json!({"query": "Anna", "as_of": "yesterday or so"})),
        ("memora_search", json!({"query": "Anna", "notes": ["../outside.md"]})),
        ("memora_search", json!({"query": long})),
        ("memora_query_cited", json!({"question": "Anna?", "mode": "lenient"})),
        ("memora_verify", json!({"text": ""})),
        ("memora_verify", json!({"text": "word ".repeat(10_000)})),
        ("memora_claim", json!({"claim": "no such thing"})),
        ("memora_claim", json!({"claim": "~abcdefgh2345"})),
        ("memora_entity", json!({"name": " "})),
        ("memora_entity", json!("Anna")),
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
    assert_eq!(client.told("memora_search", json!({"query": "Anna"}))["status"], "found");
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
    assert_eq!(schemas.len(), 9);
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

    let asked = client.told("memora_query_cited", json!({"question": "How many hives does Anna keep on the roof?"}));
    assert!(!asked["claims"].to_string().contains("hives"), "{asked}");
    let found = client.told("memora_search", json!({"query": "hives roof"}));
    assert!(!found.to_string().contains("eleven"), "{found}");
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
        !cloud.told("memora_entity", json!({"name": "Anna Brandt", "captured": true})).to_string().contains("6,840")
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
        client.told("memora_entity", json!({"name": "Anna Brandt", "captured": captured, "limit": 50})).to_string()
    };
    assert!(!entity(&mut client, false).contains("Zanzibar"));
    assert!(entity(&mut client, true).contains("Zanzibar"));
    let unknown = client.told("memora_entity", json!({"name": "Zanzibar"}));
    assert!(unknown["status"] == "unknown" && unknown["next"].to_string().contains("captured: true"), "{unknown}");
}

#[test]
fn no_model_drafts_from_what_was_captured() {
    let (_fixture, memora) = indexed_example();
    let text = "Anna Brandt lives in Zanzibar since 2026.";
    Client::connected(&memora, &["--allow-capture"])
        .told("memora_capture", json!({"title": "Where Anna lives", "text": text}));
    let server = ModelServer::start(vec![ScriptedReply::text("I found nothing.")]);
    elsewhere(&memora, "openai", &server);
    let mut client = Client::connected(&memora, &[]);
    let question = json!({"question": "Where does Anna Brandt live since 2026?", "captured": true});
    let told = client.told("memora_query_cited", question);
    assert!(!told.to_string().contains("in Zanzibar since"), "{told}");
    let sent = String::from_utf8_lossy(&server.received_bytes()).into_owned();
    assert!(!sent.contains("in Zanzibar since"), "{sent}");
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
    let (mut seen, mut cursor) = (0, Value::Null);
    loop {
        let told = client.told("memora_verify", json!({"text": many, "max_tokens": 25_000, "cursor": cursor}));
        seen += told["problems"].as_array().expect("a list").len();
        cursor = told["cursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!(seen, 1_500);
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
    for tools in [memora_mcp::tools(), memora_mcp::listed_tools()] {
        let (mut found, mut seen) = (Vec::new(), 0);
        formats(&serde_json::to_value(tools).expect("JSON"), &mut found, &mut seen);
        found.retain(|format| !KNOWN.contains(&format.as_str()));
        assert_eq!(found, Vec::<String>::new());
        assert!(seen > 100, "the schemas are looked through: {seen}");
    }
}

#[test]
fn the_list_of_tools_is_under_five_thousand_tokens() {
    // Those of memory are listed where the user asked for them alone.
    let (memory, others): (Vec<_>, Vec<_>) =
        memora_mcp::listed_tools().into_iter().partition(|tool| tool.name.starts_with("memory_"));
    for (tools, most) in [(others, 20_000), (memory, 14_800)] {
        let listed = serde_json::to_string(&tools).expect("JSON");
        assert!(listed.len() < most, "{} bytes", listed.len());
    }
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
