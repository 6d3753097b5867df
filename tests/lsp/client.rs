//! An editor, as thin as can be: messages over pipes, a document, and everything that it was ever told.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, ExitStatus, Stdio};

use memora_testkit::MemoraBinary;
use serde_json::{Value, json};

/// A running server with its editor.
pub(crate) struct Editor {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    next: u64,
    /// What was published and not asked for yet.
    published: Vec<Value>,
    /// Every message, as it was written.
    said: String,
    pub(crate) capabilities: Value,
}

/// A document as the editor holds it, in UTF-16.
pub(crate) struct Document {
    pub(crate) uri: String,
    pub(crate) text: String,
    version: u64,
}

impl Editor {
    /// Starts `memora lsp` with these arguments and shakes hands.
    pub(crate) fn start(memora: &MemoraBinary, args: &[&str]) -> Self {
        Self::with_options(memora, args, json!({}))
    }

    /// The same, with options of the user's.
    pub(crate) fn with_options(memora: &MemoraBinary, args: &[&str], options: Value) -> Self {
        let mut editor = Self::silent(memora, args);
        let able = json!({"textDocument": {
            "publishDiagnostics": {"relatedInformation": true},
            "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}},
        }});
        let hello = editor.request(
            "initialize",
            json!({"processId": null, "rootUri": null, "capabilities": able, "initializationOptions": options}),
        );
        editor.capabilities = hello["capabilities"].clone();
        editor.notify("initialized", json!({}));
        editor
    }

    /// Starts it without a word.
    pub(crate) fn silent(memora: &MemoraBinary, args: &[&str]) -> Self {
        let args: Vec<&str> = ["lsp"].iter().chain(args).copied().collect();
        let mut command = memora.command(&args);
        let mut child =
            command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary can be started");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (published, said, capabilities) = (Vec::new(), String::new(), Value::Null);
        Self { child, input, output, next: 0, published, said, capabilities }
    }

    /// Sends a request and gives its result, or its error.
    #[track_caller]
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let message = self.hear().unwrap_or_else(|| panic!("it ended before it answered {method}"));
            if message["id"] == id {
                return if message["error"].is_null() { message["result"].clone() } else { message["error"].clone() };
            }
            self.published.push(message);
        }
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    pub(crate) fn send(&mut self, message: &Value) {
        let body = message.to_string();
        self.write(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
    }

    pub(crate) fn write(&mut self, raw: &str) {
        let input = self.input.as_mut().expect("it is open");
        input.write_all(raw.as_bytes()).and_then(|()| input.flush()).expect("it reads");
    }

    /// The next message; `None` at the end.
    fn hear(&mut self) -> Option<Value> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).expect("text") == 0 {
                return None;
            }
            match line.trim().split_once(": ") {
                Some((_, value)) => length = value.parse().expect("a length"),
                None if line.trim().is_empty() => break,
                None => panic!("no header: {line:?}"),
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).expect("a whole message");
        let body = String::from_utf8(body).expect("text");
        self.said.push_str(&body);
        self.said.push('\n');
        Some(serde_json::from_str(&body).expect("JSON"))
    }

    /// Opens a document.
    pub(crate) fn open(&mut self, uri: &str, text: &str) -> Document {
        let document = json!({"uri": uri, "languageId": "markdown", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
        Document { uri: uri.to_owned(), text: text.to_owned(), version: 1 }
    }

    /// The diagnostics of a document, of this version.
    #[track_caller]
    pub(crate) fn diagnostics(&mut self, of: &Document) -> Vec<Value> {
        let is_meant = |note: &Value| {
            let params = &note["params"];
            note["method"] == "textDocument/publishDiagnostics"
                && params["uri"] == of.uri.as_str()
                && params["version"] == of.version
        };
        loop {
            if let Some(at) = self.published.iter().position(is_meant) {
                let note = self.published.remove(at);
                return note["params"]["diagnostics"].as_array().expect("a list").clone();
            }
            let message = self.hear().expect("it ended before it judged");
            self.published.push(message);
        }
    }

    /// Sends one change of a document.
    pub(crate) fn change(&mut self, document: &mut Document, from: usize, to: usize, with: &str) {
        let range = json!({"start": document.position(from), "end": document.position(to)});
        document.text.replace_range(from..to, with);
        document.version += 1;
        let change = json!({"range": range, "text": with});
        let named = json!({"uri": document.uri, "version": document.version});
        self.notify("textDocument/didChange", json!({"textDocument": named, "contentChanges": [change]}));
    }

    /// Asks something at the first byte of words.
    #[track_caller]
    pub(crate) fn at(&mut self, method: &str, document: &Document, words: &str) -> Value {
        let position = document.position(document.find(words));
        let mut params = json!({"textDocument": {"uri": document.uri}, "position": position});
        if method == "textDocument/references" {
            params["context"] = json!({"includeDeclaration": false});
        }
        self.request(method, params)
    }

    /// The code actions at words.
    #[track_caller]
    pub(crate) fn actions(&mut self, document: &Document, words: &str) -> Vec<Value> {
        let at = document.position(document.find(words));
        let params = json!({
            "textDocument": {"uri": document.uri}, "range": {"start": at, "end": at}, "context": {"diagnostics": []},
        });
        self.request("textDocument/codeAction", params).as_array().cloned().unwrap_or_default()
    }

    /// Does what the action says whose title begins so, as an editor does, and tells the server.
    #[track_caller]
    pub(crate) fn apply(&mut self, document: &mut Document, words: &str, title: &str) {
        let actions = self.actions(document, words);
        let action = actions.iter().find(|action| action["title"].as_str().is_some_and(|said| said.starts_with(title)));
        let action = action.unwrap_or_else(|| panic!("no {title:?} in {actions:#?}"));
        let edits = action["edit"]["changes"][document.uri.as_str()].as_array().expect("edits of the document").clone();
        for edit in edits.iter().rev() {
            let (from, to) = document.range(&edit["range"]);
            self.change(document, from, to, edit["newText"].as_str().expect("text"));
        }
    }

    /// Everything that was said so far.
    pub(crate) fn said(&self) -> &str {
        &self.said
    }

    /// Closes the editor's end, and gives how the server ended and what it said on standard error.
    pub(crate) fn end(mut self) -> (ExitStatus, String) {
        drop(self.input.take());
        while let Some(message) = self.hear() {
            self.published.push(message);
        }
        let mut talk = String::new();
        self.child.stderr.take().expect("a pipe").read_to_string(&mut talk).expect("text");
        (self.child.wait().expect("it ends"), talk)
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Document {
    /// The first byte of words.
    #[track_caller]
    pub(crate) fn find(&self, words: &str) -> usize {
        self.text.find(words).unwrap_or_else(|| panic!("{words:?} is not in the document"))
    }

    /// The position of a byte.
    fn position(&self, at: usize) -> Value {
        let before = self.text.get(..at).expect("a boundary");
        let line = before.rsplit('\n').next().expect("a last line");
        json!({"line": before.matches('\n').count(), "character": line.encode_utf16().count()})
    }

    /// The byte of a position.
    fn offset(&self, position: &Value) -> usize {
        let number = |key: &str| usize::try_from(position[key].as_u64().expect("a number")).expect("small");
        let line = self.text.split_inclusive('\n').take(number("line")).map(str::len).sum::<usize>();
        let mut units = 0;
        for (at, c) in self.text.get(line..).unwrap_or_default().char_indices() {
            if units >= number("character") {
                return line + at;
            }
            units += c.len_utf16();
        }
        self.text.len()
    }

    /// The bytes of a range.
    pub(crate) fn range(&self, range: &Value) -> (usize, usize) {
        (self.offset(&range["start"]), self.offset(&range["end"]))
    }

    /// The words of a range.
    pub(crate) fn words(&self, range: &Value) -> &str {
        let (from, to) = self.range(range);
        self.text.get(from..to).expect("boundaries")
    }
}

/// Each diagnostic as `code: words`.
pub(crate) fn summarize(document: &Document, diagnostics: &[Value]) -> Vec<String> {
    let line =
        |found: &Value| format!("{}: {}", found["code"].as_str().expect("a code"), document.words(&found["range"]));
    diagnostics.iter().map(line).collect()
}
