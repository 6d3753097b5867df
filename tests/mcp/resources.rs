//! Notes and claims by their address, prompts, completions.

use memora_testkit::Fixture;
use serde_json::{Value, json};

use super::Client;
use crate::support::{id_of, indexed_example, memora};

/// What a client is offered of a vault, page by page.
fn listed(client: &mut Client) -> Vec<Value> {
    let (mut all, mut cursor) = (Vec::new(), Value::Null);
    loop {
        let params = if cursor.is_null() { json!({}) } else { json!({"cursor": cursor}) };
        let page = client.request("resources/list", params);
        let resources = page["result"]["resources"].as_array().unwrap_or_else(|| panic!("no list: {page}"));
        assert!(resources.len() <= 101, "{} on a page", resources.len());
        all.extend(resources.iter().filter(|resource| resource["uri"] != "memora://review").cloned());
        cursor = page["result"]["nextCursor"].clone();
        if cursor.is_null() {
            return all;
        }
    }
}

fn read(client: &mut Client, uri: &str) -> Result<String, Value> {
    let response = client.request("resources/read", json!({"uri": uri}));
    match response["result"]["contents"][0]["text"].as_str() {
        Some(text) => Ok(text.to_owned()),
        None => Err(response["error"].clone()),
    }
}

#[test]
fn every_note_that_is_listed_can_be_read_and_no_guarded_one_is() {
    let (_fixture, memora) = indexed_example();
    let counts = |args: &[&str]| {
        let mut client = Client::connected(&memora, args);
        let notes = listed(&mut client);
        for note in &notes {
            let text = read(&mut client, note["uri"].as_str().expect("an address")).expect("it is listed");
            assert!(!text.is_empty(), "{note}");
        }
        notes.len()
    };
    let (cloud, local) = (counts(&[]), counts(&["--client", "local"]));
    assert!(0 < cloud && cloud < local, "{cloud} of {local}");
}

#[test]
fn a_note_is_read_as_far_as_the_client_may_see_it() {
    let partly =
        "# Anna\n\nAnna works at Tidewell.\n\nAnna earns <!--privacy:secret-->6,840 euros<!--/privacy--> a month.\n";
    let fixture = Fixture::from_notes(&[
        ("Open.md", "---\nrole: none\n---\n# Open\n\nAll of **this** is open.\n"),
        ("people/Anna B.md", partly),
        ("Ben.md", "---\nprivacy: secret\n---\n# Ben\n\nBen works at Tidewell.\n"),
    ]);
    let memora = memora(&fixture);
    let mut client = Client::connected(&memora, &[]);
    let open = read(&mut client, "memora://note/Open.md").expect("it is public");
    assert_eq!(open, fixture.read("Open.md"), "as it stands");
    let anna = read(&mut client, "memora://note/people/Anna%20B.md").expect("it is public");
    assert!(anna.starts_with("# Anna\n\nAnna works at Tidewell.\n"), "{anna}");
    assert!(!anna.contains("earns") && !anna.contains("6,840"), "{anna}");
    // What is guarded is not there, in the same words.
    let guarded = read(&mut client, "memora://note/Ben.md").expect_err("it is secret");
    assert_eq!(guarded, read(&mut client, "memora://note/Nobody.md").expect_err("there is none"));
    assert!(guarded["message"].as_str().is_some_and(|text| text.contains("hint: ")), "{guarded}");
    let mut client = Client::connected(&memora, &["--client", "local"]);
    assert_eq!(read(&mut client, "memora://note/people/Anna B.md").expect("everything is shown"), partly);
}

#[test]
fn a_note_that_was_marked_secret_a_moment_ago_is_neither_listed_nor_read_nor_offered() {
    let fixture =
        Fixture::from_notes(&[("Anna.md", "# Anna\n\nAnna works at Tidewell.\n"), ("Ben.md", "Ben is here.\n")]);
    let memora = memora(&fixture);
    let mut client = Client::connected(&memora, &[]);
    assert_eq!(listed(&mut client).len(), 2);
    fixture.write("Anna.md", "---\nprivacy: secret\n---\n# Anna\n\nAnna works at Tidewell.\n");
    let titles: Vec<Value> = listed(&mut client).iter().map(|note| note["title"].clone()).collect();
    assert_eq!(titles, ["Ben"]);
    read(&mut client, "memora://note/Anna.md").expect_err("it is secret");
    assert_eq!(offered(&mut client, "ann"), Vec::<String>::new());
}

fn offered(client: &mut Client, typed: &str) -> Vec<String> {
    let params = json!({
        "ref": {"type": "ref/resource", "uri": "memora://note/{path}"},
        "argument": {"name": "path", "value": typed},
    });
    let response = client.request("completion/complete", params);
    let values = response["result"]["completion"]["values"].as_array().unwrap_or_else(|| panic!("{response}"));
    values.iter().map(|value| value.as_str().expect("a value").to_owned()).collect()
}

#[test]
fn what_is_typed_is_completed_to_paths_and_names_of_notes() {
    let fixture = Fixture::from_notes(&[("people/Anna.md", "Anna is here.\n"), ("Hannah.md", "So is Hannah.\n")]);
    let memora = memora(&fixture);
    let mut client = Client::connected(&memora, &[]);
    assert_eq!(offered(&mut client, "ann"), ["Hannah.md", "people/Anna.md"]);
    assert_eq!(offered(&mut client, "people/"), ["people/Anna.md"]);
    assert_eq!(offered(&mut client, "zz"), Vec::<String>::new());
    let params = json!({
        "ref": {"type": "ref/prompt", "name": "review_my_vault"},
        "argument": {"name": "about", "value": "Ann"},
    });
    let response = client.request("completion/complete", params);
    assert_eq!(response["result"]["completion"]["values"], json!(["Hannah", "Anna"]), "{response}");
}

#[test]
fn a_claim_is_read_by_its_address_as_the_tool_tells_it() {
    let (_fixture, memora) = indexed_example();
    let id = id_of(&memora, "Since May 2025 Anna works at Tidewell");
    let mut client = Client::connected(&memora, &[]);
    let text = read(&mut client, &format!("memora://claim/{id}")).expect("it is public");
    assert_eq!(text, client.text("memora_read", json!({"claim": id})));
}

#[test]
fn the_review_is_listed_and_read_as_the_tool_tells_it() {
    let (_fixture, memora) = indexed_example();
    let mut client = Client::connected(&memora, &[]);
    let page = client.request("resources/list", json!({}));
    assert_eq!(page["result"]["resources"][0]["uri"], "memora://review", "{page}");
    let text = read(&mut client, "memora://review").expect("it is there");
    assert_eq!(text, client.text("memora_review", json!({})));
}

#[test]
fn the_prompts_lead_to_the_tools() {
    let (_fixture, memora) = indexed_example();
    let mut client = Client::connected(&memora, &[]);
    let prompts = client.request("prompts/list", json!({}));
    let names: Vec<&Value> =
        prompts["result"]["prompts"].as_array().expect("a list").iter().map(|prompt| &prompt["name"]).collect();
    assert_eq!(names, ["answer_from_my_vault", "review_my_vault"]);
    let arguments = json!({"question": "Where does Anna work?"});
    let prompt = client.request("prompts/get", json!({"name": "answer_from_my_vault", "arguments": arguments}));
    let text = prompt["result"]["messages"][0]["content"]["text"].as_str().expect("words");
    assert!(text.contains("Where does Anna work?") && text.contains("memora_find"), "{text}");
    for params in [json!({"name": "answer_from_my_vault"}), json!({"name": "frobnicate"})] {
        assert_eq!(client.request("prompts/get", params)["error"]["code"], -32602);
    }
}

/// A list of notes takes no more than a page at a time, and a long note is read in parts.
#[test]
fn a_long_list_and_a_long_note_say_how_to_go_on() {
    let long = "Drift has a long line about its engine.\n\n".repeat(4_000);
    let mut notes: Vec<(String, &str)> = (0..250).map(|number| (format!("note {number:03}.md"), "A note.\n")).collect();
    notes.push(("long.md".to_owned(), &long));
    let notes: Vec<(&str, &str)> = notes.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let fixture = Fixture::from_notes(&notes);
    let memora = memora(&fixture);
    let mut client = Client::connected(&memora, &[]);
    let mut uris: Vec<String> = listed(&mut client).iter().map(|note| note["uri"].to_string()).collect();
    assert_eq!(uris.len(), 251);
    uris.dedup();
    assert_eq!(uris.len(), 251, "each once");
    let (mut uri, mut whole) = ("memora://note/long.md".to_owned(), String::new());
    loop {
        let part = read(&mut client, &uri).expect("it is public");
        assert!(part.len() <= 75_000, "{} bytes", part.len());
        let Some((shown, next)) = part.split_once("\n\n(The note goes on: read ") else {
            whole.push_str(&part);
            break;
        };
        whole.push_str(shown);
        uri = next.trim_end().trim_end_matches(')').to_owned();
    }
    assert_eq!(whole, long);
}
