//! A user who writes, is told what is wrong, and mends it by the editor's edits, which are verified again.

use memora_testkit::{Fixture, MemoraBinary};
use serde_json::{Value, json};

use super::client::{Editor, summarize};
use crate::support::{id_of, indexed_example, memora};

const RETENTION: &str = "The retention default of drift is 14 days.";

/// The address of a file of the vault.
pub(super) fn address(fixture: &Fixture, note: &str) -> String {
    let root = fixture.vault().canonicalize().expect("it is there");
    let path = format!("{}/{note}", root.display());
    let code = |byte: u8| match byte {
        b'/' | b'.' | b'-' | b'_' | b'~' => char::from(byte).to_string(),
        byte if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    format!("file://{}", path.bytes().map(code).collect::<String>())
}

fn start(memora: &MemoraBinary) -> Editor {
    Editor::start(memora, &[])
}

#[test]
fn a_wrong_number_is_told_mended_by_an_action_and_told_no_more() {
    let (fixture, memora) = indexed_example();
    let id = id_of(&memora, RETENTION);
    let mut editor = start(&memora);
    // Accents, an emoji and CRLF before the number: positions are counted in UTF-16.
    let text =
        format!("# Größe 😀\r\n\r\nÉ 😀 text. The retention default of drift is 15 days [claim:{id}].\r\nMore.\r\n");
    let mut note = editor.open(&address(&fixture, "Entwurf é.md"), &text);
    let told = editor.diagnostics(&note);
    assert_eq!(summarize(&note, &told), ["contradicted: 15 days"], "{told:#?}");
    assert_eq!(told[0]["message"], "contradicted: the note says 14 days, not 15 days");
    assert_eq!(told[0]["severity"], 1);
    let beside = &told[0]["relatedInformation"][0];
    assert_eq!(beside["message"], RETENTION);
    assert!(beside["location"]["uri"].as_str().is_some_and(|uri| uri.ends_with("/daily/2024-06-14.md")), "{beside}");
    editor.apply(&mut note, "15 days", "Write “14 days” for “15 days”");
    assert!(note.text.contains("is 14 days [claim:") && note.text.ends_with("\r\nMore.\r\n"), "{}", note.text);
    assert_eq!(summarize(&note, &editor.diagnostics(&note)), [""; 0]);
}

#[test]
fn what_was_superseded_is_cited_anew_said_in_the_notes_words_or_left_out() {
    let (fixture, memora) = indexed_example();
    let old = id_of(&memora, "The retention default of drift is 7 days.");
    let new = id_of(&memora, RETENTION);
    let text = format!("- One.\n- The retention default of drift is 7 days [claim:{old}].\n- Two.\n");
    let mut editor = start(&memora);
    for (title, expect) in [
        ("Cite what holds now", format!("- The retention default of drift is 7 days [claim:{new}].\n")),
        ("Use the note's own words", format!("- {RETENTION} [claim:{new}]\n")),
        ("Leave the sentence out", String::new()),
    ] {
        let mut note = editor.open(&address(&fixture, &format!("{title}.md")), &text);
        let told = editor.diagnostics(&note);
        assert_eq!(summarize(&note, &told), [format!("superseded: [claim:{old}]")]);
        assert_eq!(told[0]["severity"], 2);
        assert_eq!(told[0]["relatedInformation"][0]["message"], RETENTION, "what holds now stands beside");
        editor.apply(&mut note, "7 days", title);
        assert_eq!(note.text, format!("- One.\n{expect}- Two.\n"), "{title}");
        let told = editor.diagnostics(&note);
        let is_contradicted = title == "Cite what holds now";
        let expect = if is_contradicted { vec!["contradicted: 7 days"] } else { vec![] };
        assert_eq!(summarize(&note, &told), expect, "{title}: the sentence has to change with its citation");
    }
}

#[test]
fn a_citation_is_found_while_writing() {
    let (fixture, memora) = indexed_example();
    let id = id_of(&memora, "Anna lives in Ottensen");
    let mut editor = start(&memora);
    let mut note = editor.open(&address(&fixture, "draft.md"), "Anna lives in Ottensen, third floor, no lift.\n");
    // A sentence without a citation: on request, one is offered.
    let said = note.text.clone();
    editor.apply(&mut note, "Ottensen", "Cite: “Anna lives in Ottensen");
    assert_eq!(note.text, said.replace("lift.", &format!("lift [claim:{id}].")));
    assert_eq!(editor.at("textDocument/hover", &note, "[claim")["range"]["start"]["character"], 45);
    // Behind what begins a citation, statements are.
    let end = note.text.len();
    editor.change(&mut note, end, end, "\nOne. Anna lives in Ottensen. [claim:");
    let position = json!({"line": 2, "character": 36});
    let params = json!({"textDocument": {"uri": note.uri}, "position": position});
    let offered = editor.request("textDocument/completion", params);
    let first = &offered["items"][0];
    assert_eq!(first["label"], "Anna lives in Ottensen, third floor, no lift.", "{offered:#}");
    assert_eq!(first["detail"], "people/Anna Brandt.md:12");
    let (from, to) = note.range(&first["textEdit"]["range"]);
    editor.change(&mut note, from, to, first["textEdit"]["newText"].as_str().expect("text"));
    assert!(note.text.ends_with(&format!("One. Anna lives in Ottensen. [claim:{id}]")), "{}", note.text);
    assert!(editor.at("textDocument/completion", &note, "Anna").is_null(), "elsewhere there is nothing to complete");
}

#[test]
fn what_is_cited_is_shown_led_to_and_led_back_from() {
    let (fixture, memora) = indexed_example();
    let old = id_of(&memora, "The retention default of drift is 7 days.");
    let mut editor = start(&memora);
    let note =
        editor.open(&address(&fixture, "draft.md"), &format!("Retention é [claim:{old}]. See [[drift-bench]].\n"));
    let hover = editor.at("textDocument/hover", &note, "[claim");
    let shown = hover["contents"]["value"].as_str().expect("words");
    for words in [
        "superseded: the cited words stand, but something newer replaced them",
        "> The retention default of drift is 7 days.",
        "daily/2024-03-12.md:17 · bytes 364–405 · blake3 1e24dd00…",
        "until 2024-06-14",
        "now: The retention default of drift is 14 days. (daily/2024-06-14.md:10)",
    ] {
        assert!(shown.contains(words), "{words:?} is not in\n{shown}");
    }
    assert_eq!(hover["contents"]["kind"], "plaintext");
    let place = editor.at("textDocument/definition", &note, "[claim");
    assert_eq!(place[0]["uri"], address(&fixture, "daily/2024-03-12.md"));
    let there = editor.open(&address(&fixture, "daily/2024-03-12.md"), &fixture.read("daily/2024-03-12.md"));
    assert_eq!(there.words(&place[0]["range"]), "The retention default of drift is 7 days.");
    // From the citation, and from the sentence itself in its note.
    for (document, words) in [(&note, "[claim"), (&there, "The retention default")] {
        let resting = editor.at("textDocument/references", document, words);
        let uris: Vec<&Value> = resting.as_array().expect("a list").iter().map(|place| &place["uri"]).collect();
        assert_eq!(uris, [&address(&fixture, "semantic/what-i-believe-about-drift.md")], "{words}");
    }
    assert!(editor.at("textDocument/hover", &note, "Retention").is_null());
}

#[test]
fn what_is_not_asked_for_is_not_said() {
    let (fixture, memora) = indexed_example();
    let link = "Her copy of [[📚 The Shape of Logs]] has wine on page 88.\n";
    let mut editor = start(&memora);
    let mut note = editor.open(&address(&fixture, "draft.md"), link);
    // What is wrong is published in order, so that an earlier word would be heard before this.
    let end = note.text.len();
    editor.change(&mut note, end, end, "\nIt is late [claim:zzz] and cold [claim:");
    assert_eq!(
        summarize(&note, &editor.diagnostics(&note)),
        ["malformed: [claim:zzz]"],
        "links mention, and writing goes on"
    );
    drop(editor);
    let mut editor = Editor::with_options(&memora, &[], json!({"links": true, "uncited": true}));
    let note = editor.open(&address(&fixture, "draft.md"), &format!("{link}\nIt is late.\n"));
    assert_eq!(summarize(&note, &editor.diagnostics(&note)), ["unsupported: 88", "uncited: It is late."]);
}

#[test]
fn what_is_stale_in_the_vault_is_listed_once() {
    let (fixture, memora) = indexed_example();
    let mut editor = start(&memora);
    let listed = editor.request("workspace/diagnostic", json!({"previousResultIds": []}));
    let uri = address(&fixture, "semantic/what-i-believe-about-drift.md");
    let item = &listed["items"][0];
    assert_eq!((&item["uri"], &item["items"][0]["code"]), (&json!(uri), &json!("stale")), "{listed:#}");
    let known = json!({"previousResultIds": [{"uri": uri, "value": item["resultId"]}]});
    assert_eq!(editor.request("workspace/diagnostic", known.clone())["items"][0]["kind"], "unchanged");
    // A document that is open is judged as it is written, and not twice.
    let note = editor.open(&uri, &fixture.read("semantic/what-i-believe-about-drift.md"));
    assert_eq!(summarize(&note, &editor.diagnostics(&note)).len(), 1);
    let taken_back = &editor.request("workspace/diagnostic", known)["items"][0];
    assert_eq!((&taken_back["kind"], &taken_back["items"]), (&json!("full"), &json!([])));
}

#[test]
fn our_own_requests_answer_in_the_shapes_of_json() {
    let (_fixture, memora) = indexed_example();
    let id = id_of(&memora, "Anna lives in Ottensen");
    let mut editor = start(&memora);
    for (method, params, args) in [
        ("memora/ask", json!({"question": "Where does Anna live?"}), vec!["ask", "Where does Anna live?"]),
        ("memora/search", json!({"query": "Ottensen", "limit": 20}), vec!["search", "Ottensen", "--limit", "20"]),
        ("memora/why", json!({"claim": id}), vec!["why", &id]),
        ("memora/status", Value::Null, vec!["status"]),
    ] {
        let printed = memora.run(&[&args[..], &["--json"]].concat()).json();
        assert_eq!(editor.request(method, params), printed, "{method}");
    }
    let entity = editor.request("memora/entity", json!({"name": "Anna Brandt"}));
    assert_eq!(entity["status"], "found");
    let claims = editor.request("memora/note", json!({"path": "people/Anna Brandt.md"}))["claims"].clone();
    assert!(claims.as_array().is_some_and(|claims| claims.len() > 5), "{claims:#}");
    assert!(
        editor.request("memora/review", json!({"limit": 2}))["items"].as_array().is_some_and(|items| items.len() == 2)
    );
}

#[test]
fn a_note_that_is_saved_counts_at_once() {
    let fixture = Fixture::from_notes(&[("drift.md", "The segment size of drift is 64 MiB.\n")]);
    let memora = memora(&fixture);
    let id = id_of(&memora, "The segment size");
    let mut editor = start(&memora);
    let note =
        editor.open(&address(&fixture, "draft.md"), &format!("The segment size of drift is 64 MiB [claim:{id}].\n"));
    fixture.write("drift.md", "The segment size of drift is 128 MiB.\n");
    editor.notify("textDocument/didSave", json!({"textDocument": {"uri": note.uri}}));
    let told = editor.diagnostics(&note);
    assert_eq!(summarize(&note, &told).len(), 1, "{told:#?}");
    assert!(["changed", "withdrawn"].contains(&told[0]["code"].as_str().expect("a code")), "{told:#?}");
}
