//! Handshake, ends, and what is no message.

use memora_testkit::Fixture;
use serde_json::json;

use super::client::Editor;
use super::conversation::address;
use crate::support::memora;

fn small() -> Fixture {
    Fixture::from_notes(&[("a.md", "drift is written in Rust.\n")])
}

#[test]
fn it_ends_as_the_protocol_has_it() {
    let fixture = small();
    let memora = memora(&fixture);
    let mut polite = Editor::start(&memora, &["--stdio"]);
    assert!(polite.request("shutdown", json!(null)).is_null());
    assert_eq!(polite.request("memora/status", json!(null))["code"], -32600, "nothing is answered behind it");
    polite.notify("exit", json!(null));
    let (status, said) = polite.end();
    assert_eq!((status.code(), said.as_str()), (Some(0), ""));
    let mut rude = Editor::start(&memora, &[]);
    rude.notify("exit", json!(null));
    assert_eq!(rude.end().0.code(), Some(1));
    // An editor that crashes closes its end.
    let mut gone = Editor::start(&memora, &[]);
    gone.open(&address(&fixture, "b.md"), "drift is [claim:zzz]\n");
    assert_eq!(gone.end().0.code(), Some(0));
    let (status, said) = Editor::silent(&memora, &[]).end();
    assert_eq!(status.code(), Some(2));
    assert!(said.contains("no editor spoke") && said.contains("hint: "), "{said}");
}

#[test]
fn what_is_no_message_or_no_request_is_refused_and_passed_over() {
    let fixture = small();
    let memora = memora(&fixture);
    let mut editor = Editor::silent(&memora, &[]);
    assert_eq!(editor.request("memora/status", json!(null))["code"], -32002, "no handshake yet");
    editor.write("Content-Length: 3\r\n\r\n{[x");
    assert_eq!(editor.request("initialize", json!("nothing that an editor says"))["serverInfo"]["name"], "memora");
    for (method, params) in [
        ("textDocument/didChange", json!({"textDocument": 3})),
        ("textDocument/didOpen", json!([])),
        ("$/setTrace", json!({"value": "off"})),
        ("$/cancelRequest", json!({"id": {}})),
    ] {
        editor.notify(method, params);
    }
    let mut refused = |method: &str, params| editor.request(method, params)["code"].clone();
    assert_eq!(refused("textDocument/hover", json!({})), -32602);
    assert_eq!(refused("memora/ask", json!({"question": 1})), -32602);
    assert_eq!(refused("textDocument/rename", json!({})), -32601);
    let nowhere = json!({"textDocument": {"uri": "untitled:x"}, "position": {"line": 9, "character": 9}});
    assert!(editor.request("textDocument/hover", nowhere).is_null(), "a document that is not open");
}

#[test]
fn utf_8_is_counted_in_where_an_editor_offers_it() {
    let fixture = small();
    let mut editor = Editor::silent(&memora(&fixture), &[]);
    let able = json!({"capabilities": {"general": {"positionEncodings": ["utf-8", "utf-16"]}}});
    let hello = editor.request("initialize", able);
    assert_eq!(hello["capabilities"]["positionEncoding"], "utf-8");
    assert!(hello["capabilities"]["codeActionProvider"].is_null(), "it did not say that it takes edits");
    editor.notify("initialized", json!({}));
    let note = editor.open("untitled:Untitled-1", "é😀 [claim:zzz]");
    let told = editor.diagnostics(&note);
    assert_eq!(told[0]["range"], json!({"start": {"line": 0, "character": 7}, "end": {"line": 0, "character": 18}}));
}
