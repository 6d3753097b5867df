//! Memories that become one in a sentence that a language model words.

use std::fs;

use memora_testkit::{Fixture, MemoraBinary, ModelServer, RecordedRequest, ScriptedReply};
use serde_json::{Value, json};

use super::{memory, saved, text_of, vault};
use crate::support::memora;

const DENIED: [&str; 2] = [SHORT, LONG];
const PLAIN: [&str; 2] =
    ["drift uses pino for logging in production", "drift uses pino for structured logging in production"];
const SHORT: &str = "drift does not use pino 9 for logging in production";
const LONG: &str = "drift does not use pino 9 for structured logging in production";

/// A vault with two memories of an agent's that become one, and others; their ids, and where the shorter one lies.
fn repeated(memora: &MemoraBinary, fixture: &Fixture, words: [&str; 2]) -> [String; 2] {
    let agent = |content: &str| {
        let args = ["memory", "--json", "--agent", "claude-code", "save", content];
        let report = memora.run(&args).assert_code(0).json();
        (text_of(&report, "id"), text_of(&report, "path"))
    };
    let (short, path) = agent(words[0]);
    let aside = fixture.parent_dir().join("aside.md");
    fs::rename(fixture.path(&path), &aside).expect("it can be moved");
    let (long, _) = agent(words[1]);
    for part in ["parser", "writer", "cache", "router", "queue"] {
        let _ = saved(memora, &format!("The {part} of drift was written by its owner"));
    }
    fs::rename(&aside, fixture.path(&path)).expect("it can be moved");
    [short, long]
}

/// Words whatever is offered like this, and cites as much of it as it is told.
fn words(says: &'static str, cited: usize) -> ScriptedReply {
    ScriptedReply::from_request(move |request: &RecordedRequest| {
        let ids: Vec<String> = request.offered_ids().into_iter().take(cited).collect();
        ScriptedReply::text(json!({"sentences": [{"says": says, "cites": ids, "evidence": ""}]}).to_string())
    })
}

fn with_model(memora: &MemoraBinary, server: &ModelServer) {
    memora.write_config(&format!(
        "[memory]\nextract = \"propose\"\n[model]\nname = \"scripted\"\ntimeout_seconds = 3\nkey_env = \"HOME\"\n\
         provider = \"openai\"\nurl = \"{}/v1\"\n",
        server.address()
    ));
}

fn consolidate(memora: &MemoraBinary, args: &[&str]) -> Value {
    let args: Vec<&str> = ["consolidate"].iter().chain(args).copied().collect();
    memory(memora, &args).json()
}

#[test]
fn a_sentence_that_loses_nothing_replaces_what_it_words() {
    const WORDED: &str = "drift uses pino for the structured logging in production.";
    let fixture = vault();
    let memora = memora(&fixture);
    let [short, long] = repeated(&memora, &fixture, PLAIN);
    let server = ModelServer::start(vec![words(WORDED, 2)]);
    with_model(&memora, &server);
    let proposed = consolidate(&memora, &[]);
    let step = &proposed["steps"][0];
    assert_eq!(
        (&step["act"], &step["id"], &step["into"]),
        (&"merge".into(), &short.as_str().into(), &long.as_str().into()),
        "{proposed}"
    );
    assert_eq!(step["wording"], WORDED, "{proposed}");
    let applied = consolidate(&memora, &["--apply"]);
    assert_eq!(server.completion_requests().len(), 1, "the same words are asked about once");
    let made = text_of(&applied["steps"][0], "into");
    let states = |ids: &[&str]| -> Vec<String> {
        let read = memory(&memora, &[&["read"][..], ids].concat()).json();
        read["items"].as_array().expect("items").iter().map(|item| text_of(item, "status")).collect()
    };
    assert_eq!(states(&[&short, &long, &made]), ["archived", "superseded", "current"], "{applied}");
    let read = memory(&memora, &["read", &made]).json();
    assert_eq!((&read["items"][0]["text"], &read["items"][0]["origin"]), (&WORDED.into(), &"agent_analysis".into()));
    let undone = memory(&memora, &["undo"]).assert_code(0).json();
    assert_eq!((&undone["restored"], &undone["removed"]), (&1.into(), &1.into()), "{undone}");
    assert_eq!(states(&[&short, &long]), ["current", "current"]);
}

#[test]
fn a_sentence_that_loses_or_adds_something_is_dropped_and_the_merge_is_by_rules() {
    for (pair, reply, cited, reasons) in [
        (DENIED, "drift uses pino 9 for structured logging in production.", 2, &["contradicted", "lost"][..]),
        (
            DENIED,
            "drift does not use pino 8 for structured logging in production.",
            2,
            &["contradicted", "lost", "unproven"],
        ),
        (DENIED, "drift does not use pino 9 for structured logging.", 2, &["lost", "unproven"]),
        (
            DENIED,
            "drift does not use tracing 9 for structured logging in production.",
            2,
            &["contradicted", "unsupported", "unproven", "lost"],
        ),
        (PLAIN, "drift uses pino for the structured logging in production.", 1, &["uncited"]),
        (PLAIN, "drift uses pino for the structured logging in production.", 0, &["uncited"]),
        (PLAIN, "drift uses pino for structured logging in production.", 2, &["says_nothing_new"]),
        (DENIED, "drift does not use pino 9. It is for structured logging in production.", 2, &["not_one_sentence"]),
    ] {
        let fixture = vault();
        let memora = memora(&fixture);
        let [short, long] = repeated(&memora, &fixture, pair);
        let server = ModelServer::start(vec![words(reply, cited)]);
        with_model(&memora, &server);
        let applied = consolidate(&memora, &["--apply"]);
        let dropped = &applied["model"]["dropped"];
        let reason = dropped[0]["name"].as_str().unwrap_or_default();
        assert!(reasons.contains(&reason) && dropped[1].is_null(), "{reply}: {applied}");
        let step = &applied["steps"][0];
        assert_eq!(
            (&step["into"], &step["wording"], &step["done"]),
            (&long.as_str().into(), &Value::Null, &true.into()),
            "{reply}: {applied}"
        );
        let read = memory(&memora, &["read", &short, &long]).json();
        assert_eq!((&read["items"][0]["status"], &read["items"][1]["status"]), (&"archived".into(), &"current".into()));
        let list = memory(&memora, &["list", "--all"]).json();
        assert_eq!(list["items"].as_array().expect("items").len(), 6, "{reply}: {list}");
    }
}

/// What a model elsewhere may not see it is not asked about, and the user's own words are worded by none.
#[test]
fn secrets_and_the_users_own_words_are_worded_by_no_model() {
    let fixture = vault();
    let memora = memora(&fixture);
    let server = ModelServer::start(vec![words("drift does not use pino.", 2)]);
    with_model(&memora, &server);
    let save = |content: &str, privacy: &[&str]| {
        let report = memory(&memora, &[&["save", content][..], privacy].concat()).assert_code(0).json();
        text_of(&report, "path")
    };
    for (pair, privacy) in [
        ([SHORT, LONG], &[][..]),
        (
            ["Quokka keeps the coins in a cellar", "Quokka keeps the coins in a cellar in Kiel"],
            &["--privacy", "secret"],
        ),
    ] {
        let path = save(pair[0], privacy);
        let aside = fixture.parent_dir().join("aside.md");
        fs::rename(fixture.path(&path), &aside).expect("it can be moved");
        let _ = save(pair[1], privacy);
        fs::rename(&aside, fixture.path(&path)).expect("it can be moved");
    }
    let proposed = consolidate(&memora, &[]);
    assert!(proposed["steps"].as_array().is_some_and(|steps| !steps.is_empty()), "{proposed}");
    assert!(server.completion_requests().is_empty(), "{proposed}");
}
