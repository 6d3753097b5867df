//! A memory that rests on what gave way, or that the notes contradict by now.

use memora_testkit::{Fixture, MemoraBinary};
use serde_json::{Value, json};

use super::{as_agent, found, memory, saved, text_of, vault};
use crate::support::{id_of, memora};

const NOTE: &str = "# Index\n\ndrift writes its index to disk every ten seconds.\n";
const PORT: &str = "# Staging\n\nThe staging API of drift listens on port 8080.\n";
const OTHER_PORT: &str = "The staging API of drift listens on port 8081.";

fn block(memora: &MemoraBinary) -> String {
    text_of(&memory(memora, &["context"]).json(), "text")
}

/// What an agent behind a cloud door begins with.
fn agents_block(memora: &MemoraBinary) -> String {
    text_of(&as_agent(memora, &["context"]).json(), "text")
}

fn stale(memora: &MemoraBinary) -> Vec<Value> {
    let report = memora.run(&["stale", "--json"]).json();
    assert_eq!(report["stale"], json!([]), "no note is stale: {report}");
    report["memories"].as_array().expect("a list").clone()
}

fn status(memora: &MemoraBinary, id: &str) -> String {
    text_of(&memory(memora, &["read", id]).json()["items"][0], "status")
}

/// The questions about memories, for the user.
fn questions(memora: &MemoraBinary) -> Vec<Value> {
    let report = memora.at_local_door().run(&["review", "--json", "--limit", "100"]).json();
    let items = report["items"].as_array().expect("items");
    items.iter().filter(|item| item["kind"] == "memory").cloned().collect()
}

/// Ticks a box of the review and applies it.
#[track_caller]
fn tick(fixture: &Fixture, memora: &MemoraBinary, tick: &str) -> Value {
    let local = memora.at_local_door();
    let report = local.run(&["review", "--write", "--json"]).assert_code(1).json();
    let path = text_of(&report, "written");
    let note = fixture.read(&path);
    let ticked = note.replacen(&format!("- [ ] {tick} "), &format!("- [x] {tick} "), 1);
    assert_ne!(ticked, note, "{note}");
    fixture.write(&path, ticked);
    let applied = local.run(&["review", "--apply", "--json"]).assert_code(0).json();
    let again = local.run(&["review", "--apply", "--json"]).assert_code(0).json();
    assert_eq!(again["applied"], json!([]), "a tick that stays is not new");
    applied
}

#[test]
fn what_cites_a_claim_that_is_gone_is_stale_and_leaves_the_block() {
    let fixture = vault();
    fixture.write("index.md", NOTE);
    let memora = memora(&fixture);
    let cited = id_of(&memora, "every ten seconds");
    let content = format!("drift writes its index to disk [claim:{cited}].");
    let report = as_agent(&memora, &["save", &content]).assert_code(0).json();
    let id = text_of(&report, "id");
    // A change of words leaves the citation where it is.
    let _ = as_agent(&memora, &["update", &id, "--old", "its index", "--new", "the index"]).assert_code(0);
    assert!(fixture.read(&text_of(&report, "path")).contains(&format!("the index to disk [claim:{cited}].")));
    let read = memory(&memora, &["read", &text_of(&report, "id")]).json();
    assert_eq!(read["items"][0]["text"], "drift writes the index to disk.", "{read}");
    let both = [memora.clone(), memora.at_local_door()];
    assert!(block(&memora).contains(&id) && agents_block(&memora).contains(&id));
    assert!(both.iter().all(|memora| stale(memora).is_empty()));
    fixture.write("index.md", "# Index\n\ndrift keeps its index in memory.\n");
    assert!(!block(&memora).contains(&id) && !agents_block(&memora).contains(&id));
    for memora in &both {
        let listed = stale(memora);
        assert_eq!(listed.len(), 1, "{listed:?}");
        assert_eq!((&listed[0]["memory"]["id"], &listed[0]["because"][0]["how"]), (&id.clone().into(), &"gone".into()));
    }
    // It is found, and marked.
    let hit = &as_agent(&memora, &["search", "index disk"]).json()["hits"][0];
    assert_eq!((&hit["id"], &hit["status"]), (&id.clone().into(), &"stale".into()));
    // Who keeps it says that it holds nevertheless.
    let [asked] = questions(&memora).try_into().expect("one");
    assert_eq!(asked["memory"], id.as_str(), "{asked}");
    let _ = memora.at_local_door().run(&["keep", &id]).assert_code(0);
    assert!(block(&memora).contains(&id) && stale(&memora).is_empty() && questions(&memora).is_empty());
    // Where the words are back, nothing is stale.
    fixture.write("index.md", NOTE);
    assert_eq!(status(&memora, &id), "current");
}

/// A claim that may not be shown any more is as good as gone at a cloud door, and there alone.
#[test]
fn what_cites_what_is_guarded_by_now_is_stale_at_a_cloud_door() {
    let fixture = vault();
    fixture.write("index.md", NOTE);
    let memora = memora(&fixture);
    let cited = id_of(&memora, "every ten seconds");
    let content = format!("drift writes its index to disk [claim:{cited}].");
    let id = text_of(&as_agent(&memora, &["save", &content]).assert_code(0).json(), "id");
    let guarded = |seconds: &str| {
        fixture.write("index.md", format!("---\nprivacy: secret\n---\n{}", NOTE.replace("ten", seconds)));
        let told = [&["stale"][..], &["stale", "--json"], &["memory", "--agent", "claude-code", "context"]]
            .map(|args| memora.run(args).stdout);
        assert!(told[0].contains(&id) && !told[2].contains(&id), "{told:?}");
        told
    };
    assert_eq!(guarded("ten"), guarded("five"), "whether it still stands there is not told");
    fixture.write("index.md", format!("---\nprivacy: secret\n---\n{NOTE}"));
    assert!(block(&memora).contains(&id));
}

/// The user's own opposite stands beside the note, and the review asks.
#[test]
fn the_users_own_opposite_stands_beside_the_note_and_is_asked_about() {
    let fixture = vault();
    fixture.write("staging.md", PORT);
    let memora = memora(&fixture);
    let (id, _) = saved(&memora, OTHER_PORT);
    let shown = block(&memora);
    assert!(shown.contains("8081") && shown.contains("but the user's note staging.md says"), "{shown}");
    let [asked] = questions(&memora).try_into().expect("one");
    let question = text_of(&asked, "question");
    assert!(
        question.contains("8080") && question.contains("8081") && question.contains("you remembered"),
        "{question}"
    );
    assert!(!memora.run(&["review", "--json"]).stdout.contains("8081"), "the user alone is asked");
    let applied = tick(&fixture, &memora, "keep the memory");
    assert_eq!((&applied["applied"][0]["do"], &applied["applied"][0]["claim"]), (&"keep".into(), &id.clone().into()));
    assert!(questions(&memora).is_empty());
    assert!(block(&memora).contains("8081"));
    // Another value of the note's is another question.
    fixture.write("staging.md", PORT.replace("8080", "8082"));
    assert_eq!(questions(&memora).len(), 1);
}

/// What the notes say later ends what an agent remembered, as long as they say it.
#[test]
fn a_note_that_changes_takes_an_agents_memory_out_of_the_block() {
    let fixture = vault();
    let memora = memora(&fixture);
    let id = text_of(&as_agent(&memora, &["save", OTHER_PORT]).assert_code(0).json(), "id");
    assert!(agents_block(&memora).contains("8081") && questions(&memora).is_empty());
    fixture.write("staging.md", PORT);
    assert!(!agents_block(&memora).contains("8081") && !block(&memora).contains("8081"));
    assert_eq!(status(&memora, &id), "contradicted");
    assert_eq!(found(&memora, &["staging API port"]), std::slice::from_ref(&id), "it is found as data");
    let applied = tick(&fixture, &memora, "forget it");
    assert_eq!(applied["applied"][0]["do"], "retract", "{applied}");
    assert_eq!(status(&memora, &id), "archived");
    assert!(questions(&memora).is_empty() && found(&memora, &["staging API port"]).is_empty());
}

/// A tick is about the words that stood there, and boxes about the same must agree.
#[test]
fn a_tick_counts_for_the_words_that_were_asked_about() {
    let fixture = vault();
    fixture.write("staging.md", PORT);
    let memora = memora(&fixture);
    let local = memora.at_local_door();
    let conflict = as_agent(&memora, &["save", OTHER_PORT]).assert_code(1).json();
    let id = text_of(&conflict, "id");
    let path = text_of(&local.run(&["review", "--write", "--json"]).assert_code(1).json(), "written");
    let note = fixture.read(&path);
    let ticked = note.replacen("- [ ] keep the memory", "- [x] keep the memory", 1);
    fixture.write(&path, &ticked);
    let _ = as_agent(&memora, &["update", &id, "--old", "8081", "--new", "6666"]).assert_code(0);
    let applied = local.run(&["review", "--apply", "--json"]).assert_code(0).json();
    assert_eq!(applied["applied"], json!([]), "{applied}");
    assert!(text_of(&applied["refused"][0], "why").contains("have changed"), "{applied}");
    assert!(!block(&memora).contains("6666"));
    fixture.write(&path, ticked.replacen("- [ ] forget it", "- [x] forget it", 1));
    let applied = local.run(&["review", "--apply", "--json"]).assert_code(1).json();
    assert_eq!((&applied["applied"], &applied["conflict"]), (&json!([]), &true.into()), "{applied}");
    fixture.write(&path, note.replacen("- [ ] later", "- [x] later", 1));
    let _ = local.run(&["review", "--apply", "--json"]).assert_code(0);
    assert!(questions(&memora).is_empty(), "asked again in 30 days");
}
