//! A server in this process, under messages that no good editor sends, and under one that writes faster than it is judged.

use std::fs;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use jiff::civil::date;
use lsp_server::{Connection, Message, Notification, Request, RequestId};
use memora_engine::{Config, FoundVault};
use memora_lsp::{Audience, EditorEnd, EditorServeError, EditorSetup, EditorStop, editor_stop, serve_editor_on};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A server with the other end of its connection.
struct Server {
    folder: TempDir,
    editor: Connection,
    stop: EditorStop,
    thread: JoinHandle<Result<EditorEnd, EditorServeError>>,
    next: i32,
}

impl Server {
    fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let vault = folder.path().join("vault");
        fs::create_dir_all(vault.join(".obsidian")).expect("a folder");
        fs::write(vault.join("a.md"), "The mast is 14 metres high.\n").expect("a note");
        let (state, config) = (folder.path().join("state"), folder.path().join("config"));
        let config = Config::load(Some(state), Some(config), date(2026, 3, 1)).expect("a configuration");
        let vault = FoundVault::find(Some(&vault), config).expect("a vault");
        let (server, editor) = Connection::memory();
        let (stop, stopped) = editor_stop();
        let today = Box::new(|| date(2026, 3, 1));
        let setup = EditorSetup { vault, audience: Audience::Cloud, today, stop: stopped };
        let thread = thread::spawn(move || serve_editor_on(setup, server));
        let mut server = Self { folder, editor, stop, thread, next: 0 };
        let hello = server.request("initialize", json!({"capabilities": {}}));
        assert_eq!(hello["serverInfo"]["name"], "memora");
        server
    }

    fn notify(&self, method: &str, params: Value) {
        let note = Notification { method: method.to_owned(), params };
        self.editor.sender.send(note.into()).expect("it hears");
    }

    /// Sends a request, and waits for its response; what is published meanwhile is dropped.
    fn request(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = RequestId::from(self.next);
        let request = Request { id: id.clone(), method: method.to_owned(), params };
        self.editor.sender.send(request.into()).expect("it hears");
        loop {
            if let Message::Response(response) = self.hear()
                && response.id == id
            {
                return response.response_result.unwrap_or_else(|error| json!({"code": error.code}));
            }
        }
    }

    fn hear(&self) -> Message {
        self.editor.receiver.recv_timeout(Duration::from_secs(60)).expect("it answers")
    }

    fn address(&self) -> String {
        format!("file://{}", self.folder.path().join("vault/draft.md").display())
    }

    fn open(&self, text: &str) -> String {
        let uri = self.address();
        let document = json!({"uri": uri, "languageId": "markdown", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
        uri
    }

    fn end(self) -> EditorEnd {
        drop(self.editor);
        self.thread.join().expect("it does not panic").expect("it served")
    }
}

/// Texts that cut badly: no character is a byte, markers begin and do not end, lines end in each way.
const TEXTS: &[&str] = &[
    "",
    "[claim:",
    "é😀[claim:\r\r\n[claim:zzz]\u{2028}[claim:7h3kq0v9x2ma.",
    "\u{feff}---\na: [claim:7h3kq0v9x2ma]\n---\n| [claim:x] | é |\n|---|---|\n| 😀 [claim:7h3kq0v9x2ma] | 1 |\n",
    "> \"The mast is 15 metres high\" [^1] [[a]] [[a#x]] [[draft]] [x](a.md)\n\n[^1]: [claim:7h3kq0v9x2ma]\n",
    "The mast is 15 metres high [claim:7h3kq0v9x2ma, claim:7h3kq0v9x2ma; é].\r\nΩ\u{301}\u{200d}\u{202e}[claim:~ab3d5f7h]\r",
];

#[test]
fn no_text_and_no_position_ends_it() {
    let mut server = Server::start();
    let edge = u32::MAX;
    for text in TEXTS {
        let uri = server.open(text);
        for (version, (line, character)) in
            [(0, 0), (0, 1), (0, 3), (1, 2), (2, 9), (4, 30), (edge, edge)].into_iter().enumerate()
        {
            let position = json!({"line": line, "character": character});
            let range = json!({"start": position, "end": {"line": 0, "character": edge}});
            let document = json!({"uri": uri});
            for method in ["hover", "definition", "completion", "references"] {
                let context = if method == "references" { json!({"includeDeclaration": true}) } else { Value::Null };
                let params = json!({"textDocument": document, "position": position, "context": context});
                let told = server.request(&format!("textDocument/{method}"), params);
                assert!(told["code"].is_null(), "{method} of {text:?}: {told}");
            }
            let params = json!({"textDocument": document, "range": range, "context": {"diagnostics": []}});
            let told = server.request("textDocument/codeAction", params);
            assert!(told.is_array(), "{text:?}: {told}");
            let changes = json!([{"range": range, "text": "é"}, {"range": range, "text": text}]);
            let named = json!({"uri": uri, "version": version + 2});
            server.notify("textDocument/didChange", json!({"textDocument": named, "contentChanges": changes}));
        }
    }
    assert_eq!(server.end(), EditorEnd::Good);
}

#[test]
fn of_many_changes_the_last_alone_is_judged() {
    let server = Server::start();
    let uri = server.open("Nothing.");
    for version in 2..200 {
        let text = format!("Nothing {version} [claim:zzz].");
        let changes = json!([{"text": text}]);
        server.notify(
            "textDocument/didChange",
            json!({"textDocument": {"uri": uri, "version": version}, "contentChanges": changes}),
        );
    }
    let Message::Notification(note) = server.hear() else { panic!("a response to nothing") };
    assert_eq!(note.method, "textDocument/publishDiagnostics");
    assert_eq!((&note.params["version"], &note.params["uri"]), (&json!(199), &json!(uri)));
    assert!(server.editor.receiver.try_recv().is_err(), "and nothing else is said");
    // Closed, it takes back what it said.
    server.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    let Message::Notification(note) = server.hear() else { panic!("a response to nothing") };
    assert_eq!(note.params["diagnostics"], json!([]));
    assert_eq!(server.end(), EditorEnd::Good);
}

#[test]
fn a_request_is_cancelled_and_a_server_is_stopped() {
    let mut server = Server::start();
    // Behind one that is answered after it in the same thread.
    let request =
        Request { id: RequestId::from("long".to_owned()), method: "memora/review".to_owned(), params: Value::Null };
    server.editor.sender.send(request.into()).expect("it hears");
    server.notify("$/cancelRequest", json!({"id": "long"}));
    let Message::Response(response) = server.hear() else { panic!("nothing is published") };
    assert_eq!(response.id, RequestId::from("long".to_owned()));
    assert!(server.request("memora/status", Value::Null)["code"].is_null());
    server.stop.stop();
    assert!(matches!(server.thread.join(), Ok(Ok(EditorEnd::Good))));
}
