//! What a newer memory ends or replaces, what stands beside it, and what is changed where it belongs.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{as_agent, found, memory, saved, text_of, vault};
use crate::support::memora;

fn block(memora: &memora_testkit::MemoraBinary) -> String {
    text_of(&memory(memora, &["context"]).json(), "text")
}

/// What its user says to be over is current nowhere; what only sounds like it ends nothing.
#[test]
fn what_its_user_says_is_over_is_superseded() {
    let fixture = vault();
    let memora = memora(&fixture);
    let (job, _) = saved(&memora, "I work at Acme");
    let agents = as_agent(&memora, &["save", "We use Jenkins for the nightly builds."]).assert_code(0).json();
    for beside in ["Anna stopped working at Acme", "I left my umbrella at Acme", "we moved off GitLab in May"] {
        let report = memory(&memora, &["save", beside]).assert_code(0).json();
        assert_eq!(report["superseded"], json!([]), "{report}");
    }
    let told = as_agent(&memora, &["save", "The user works at Acme as an engineer."]).assert_code(0).json();
    let over = memory(&memora, &["save", "I stopped working at Acme"]).assert_code(0).json();
    let ended = BTreeSet::from([job, text_of(&told, "id")]);
    let superseded: BTreeSet<String> = serde_json::from_value(over["superseded"].clone()).expect("ids");
    assert_eq!(superseded, ended, "{over}");
    let moved = memory(&memora, &["save", "we moved off Jenkins"]).assert_code(0).json();
    assert_eq!(moved["superseded"], json!([agents["id"]]), "{moved}");
    let hits = found(&memora, &["where do I work, Acme", "--limit", "20"]);
    assert!(hits.contains(&text_of(&over, "id")) && ended.iter().all(|id| !hits.contains(id)), "{hits:?}");
    let text = block(&memora);
    assert!(text.contains("I stopped working at Acme") && !text.contains("- I work at Acme"), "{text}");
    // An agent's word ends none of the user's.
    let (own, _) = saved(&memora, "I work at Tidewell");
    let report = as_agent(&memora, &["save", "The user stopped working at Tidewell."]).assert_code(0).json();
    assert_eq!((&report["superseded"], &report["conflicts"]), (&json!([]), &json!([own])), "{report}");
    assert!(found(&memora, &["where do I work, Tidewell"]).contains(&own));
}

/// A value that there is one of is replaced; otherwise both stand, the newer first, and it says so.
#[test]
fn a_new_value_replaces_the_old_or_stands_before_it() {
    let fixture = vault();
    let memora = memora(&fixture);
    let (fish, _) = saved(&memora, "my shell is fish");
    let (alias, _) = saved(&memora, "my shell alias is ll");
    let zsh = memory(&memora, &["save", "my shell is zsh now"]).assert_code(0).json();
    assert_eq!(zsh["superseded"], json!([fish]), "{zsh}");
    let read = memory(&memora, &["read", &fish]).assert_code(0).json();
    assert_eq!(read["items"][0]["superseded_by"], zsh["id"], "{read}");
    let hits = found(&memora, &["my shell", "--limit", "20"]);
    assert!(!hits.contains(&fish) && hits.contains(&alias) && hits.contains(&text_of(&zsh, "id")), "{hits:?}");

    let (tuesday, _) = saved(&memora, "standup is on Tuesday");
    let wednesday = memory(&memora, &["save", "standup is on Wednesday"]).assert_code(0).json();
    let newer = text_of(&wednesday, "id");
    assert_eq!((&wednesday["superseded"], &wednesday["conflicts"]), (&json!([]), &json!([tuesday])), "{wednesday}");
    let report = memory(&memora, &["search", "when is standup"]).assert_code(0).json();
    let place = |id: &str| {
        let hits = report["hits"].as_array().expect("hits");
        hits.iter().position(|hit| hit["id"] == id).unwrap_or_else(|| panic!("{id} is not in {report}"))
    };
    assert!(place(&newer) < place(&tuesday), "{report}");
    let hit = |id: &str| -> &Value { &report["hits"][place(id)] };
    assert_eq!(
        (&hit(&tuesday)["differs_from"], &hit(&newer)["differs_from"]),
        (&json!(newer), &json!(null)),
        "{report}"
    );
    let text = block(&memora);
    let at = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words} is not in {text}"));
    assert!(at("standup is on Wednesday") < at("standup is on Tuesday"), "{text}");
    assert!(text.contains(&format!("but the newer {newer} says otherwise")), "{text}");
    let moved = memory(&memora, &["save", "standup moved to Friday"]).assert_code(0).json();
    let superseded: BTreeSet<String> = serde_json::from_value(moved["superseded"].clone()).expect("ids");
    assert_eq!(superseded, BTreeSet::from([tuesday, newer]), "{moved}");
}

/// What somebody moved or switched to ends nothing else that they do; a limited statement ends no general one.
#[test]
fn what_still_holds_is_not_ended() {
    for (older, newer) in [
        ("I work at Northwind", "I moved to Hamburg"),
        ("I work at Northwind", "I switched to Zed"),
        ("I work at Northwind", "I switched from npm to pnpm"),
        ("I work at Northwind", "I moved to the second floor"),
        ("I work at Northwind", "I moved to the payments team"),
        ("I work at Northwind", "I joined the Rust user group"),
        ("I live in Berlin", "I switched to Zed"),
        ("I live in Berlin", "I moved to Zed"),
        ("Anna works at Northwind", "Anna moved to Hamburg"),
        ("I use Slack", "I left Slack open last night"),
        ("I drink coffee", "I stopped drinking coffee after 3pm"),
        ("my editor is VS Code", "my editor is Vim on servers"),
    ] {
        let fixture = vault();
        let memora = memora(&fixture);
        let (older, _) = saved(&memora, older);
        let report = memory(&memora, &["save", newer]).assert_code(0).json();
        assert_eq!(report["superseded"], json!([]), "{newer}: {report}");
        let read = memory(&memora, &["read", &older]).assert_code(0).json();
        assert_eq!(read["items"][0]["status"], "current", "{newer}: {read}");
    }
}

/// An item that an agent in another project changes stays where it belongs; what holds no longer is not changed.
#[test]
fn a_change_stays_in_its_scope_and_ended_items_stay_as_they_are() {
    let fixture = vault();
    let memora = memora(&fixture);
    let first = as_agent(&memora, &["--project", "one", "save", "drift uses pino for structured logging"])
        .assert_code(0)
        .json();
    let (id, path) = (text_of(&first, "id"), text_of(&first, "path"));
    let folder = path.rsplit_once('/').expect("a folder").0;
    let changed = ["--project", "two", "update", &id, "drift uses slog for structured logging"];
    let second = as_agent(&memora, &changed).assert_code(0).json();
    assert!(text_of(&second, "path").starts_with(folder), "{second}");
    assert_eq!(second["superseded"], json!([id]), "{second}");
    let own = memory(&memora, &["save", "I prefer short answers", "--kind", "profile"]).assert_code(0).json();
    let changed = ["--project", "two", "update", &text_of(&own, "id"), "I prefer long answers"];
    assert!(text_of(&memory(&memora, &changed).assert_code(0).json(), "path").starts_with("Memora/shared/"));

    let before = fixture.read(&path);
    for change in [vec!["--old", "pino", "--new", "tracing"], vec!["drift uses tracing for structured logging"]] {
        let args: Vec<&str> = ["update", id.as_str()].into_iter().chain(change).collect();
        let refused = as_agent(&memora, &args).assert_code(1).json();
        assert_eq!(refused["status"], "not_current", "{refused}");
        assert!(text_of(&refused, "next").contains(&text_of(&second, "id")), "{refused}");
    }
    assert_eq!(fixture.read(&path), before);
    let newer = text_of(&second, "id");
    let forgotten = text_of(&as_agent(&memora, &["forget", &newer]).assert_code(0).json(), "path");
    let before = fixture.read(&forgotten);
    let refused = as_agent(&memora, &["update", &newer, "--old", "slog", "--new", "tracing"]).assert_code(1).json();
    assert_eq!((&refused["status"], fixture.read(&forgotten)), (&"not_current".into(), before), "{refused}");
    assert!(text_of(&refused, "next").contains("memory restore"), "{refused}");
}

/// A file that somebody edited says nothing of who said it.
#[test]
fn what_no_seal_vouches_for_is_not_told_as_the_users_word() {
    let fixture = vault();
    let memora = memora(&fixture);
    let (id, path) = saved(&memora, "drift uses pino for structured logging");
    assert!(block(&memora).contains(&format!("[{id} · user_instruction · user")), "{}", block(&memora));
    fixture.write(&path, fixture.read(&path).replace("pino", "tracing"));
    let text = block(&memora);
    assert!(text.contains("drift uses tracing") && text.contains(&format!("[{id} · unverified")), "{text}");
    assert!(!text.contains("user_instruction"), "{text}");
    let read = memory(&memora, &["read", &id]).assert_code(0).json();
    assert_eq!(read["items"][0]["origin"], "agent_analysis", "{read}");
}

/// A wish that is over ends the one memory that it names, and where several may be meant, none.
#[test]
fn what_its_user_no_longer_wants_is_superseded() {
    let fixture = vault();
    let memora = memora(&fixture);
    for (older, newer, ends) in [
        ("Always use semicolons", "I don't want semicolons anymore", true),
        ("I prefer dark themes over light ones", "I don't want dark themes anymore", true),
        ("I want commit trailers", "I no longer want commit trailers", true),
        ("Always use trailing commas in Python", "I don't want trailing commas anymore", false),
        ("Never use exclamation marks", "I don't want exclamation marks anymore", false),
        ("I want long answers", "I don't want long answers on Fridays anymore", false),
        ("Anna wants weekly reports", "I don't want weekly reports anymore", false),
    ] {
        let kind = if older.starts_with("Always") || older.starts_with("Never") { "behavior" } else { "profile" };
        let id = text_of(&memory(&memora, &["save", older, "--kind", kind]).assert_code(0).json(), "id");
        let report = memory(&memora, &["save", newer, "--kind", "profile"]).assert_code(0).json();
        let superseded = report["superseded"].as_array().is_some_and(|ids| ids.contains(&id.clone().into()));
        assert_eq!(superseded, ends, "{older} / {newer}: {report}");
    }
    for text in ["Always use emojis", "I want emojis"] {
        let kind = if text.starts_with("Always") { "behavior" } else { "profile" };
        let _ = memory(&memora, &["save", text, "--kind", kind]).assert_code(0);
    }
    let report = memory(&memora, &["save", "I don't want emojis anymore", "--kind", "profile"]).json();
    // The one with the same verb is named by it.
    assert!(report["superseded"].as_array().is_some_and(|ids| ids.len() < 2), "{report}");
}

/// A number that the user's notes give another value is a conflict; what is about the same is shown.
#[test]
fn a_number_is_held_against_the_notes() {
    let fixture = vault();
    fixture.write("cache.md", "# Cache\n\nThe cache TTL is 300 seconds.\n\nThe upload limit is 20 MB for guests.\n");
    let memora = memora(&fixture);
    let report = as_agent(&memora, &["save", "The cache TTL is 600 seconds."]).assert_code(1).json();
    assert_eq!(report["status"], "conflict", "{report}");
    assert!(report["notes"][0]["place"]["quote"].as_str().is_some_and(|quote| quote.contains("300")), "{report}");
    for same in ["The cache TTL is 300 seconds, as before.", "The index TTL is 600 seconds."] {
        let report = as_agent(&memora, &["save", same]).json();
        assert_ne!(report["status"], "conflict", "{report}");
    }
    // Amounts with two ends are compared as others are.
    fixture.write("canary.md", "# Canary\n\nThe canary share is 30-50 %.\n\nThe retry window is 2 to 5 minutes.\n");
    for (said, status) in [
        ("The canary share is 10-20 %.", "conflict"),
        ("The canary share is between 10 and 20 percent.", "conflict"),
        ("The canary share is 40-60 %.", "conflict"),
        ("The canary share is 80 %.", "conflict"),
        ("The retry window is 10 to 20 minutes.", "conflict"),
        ("The canary share is 30–50 % of the traffic of drift.", "saved"),
        ("The canary share of Kelp is 10-20 %.", "saved"),
    ] {
        let report = as_agent(&memora, &["save", said]).json();
        assert_eq!(report["status"], status, "{said}: {report}");
    }
    let near = as_agent(&memora, &["save", "Guests upload up to 50 MB, which is the limit."]).assert_code(0).json();
    assert!(near["related_notes"].to_string().contains("20 MB for guests"), "{near}");
}
