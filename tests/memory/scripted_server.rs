//! Another program's memory server, as a process of its own: this test binary, started again to run [`serve`] alone.
//!
//! Its folder has `mode` (how it behaves, read at each message), `store.json` (what it remembers), `received.jsonl` (every line
//! that it was ever sent), `environment` (the names of its variables) and `pid`.

use std::fs::{self, OpenOptions};
use std::io::{self, BufRead as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

/// A server that a test scripts and records.
pub(crate) struct ScriptedServer {
    folder: TempDir,
}

impl ScriptedServer {
    /// A server that behaves, and remembers nothing yet.
    pub(crate) fn new() -> Self {
        let server = Self { folder: tempfile::tempdir().expect("a folder") };
        server.behave("well");
        server
    }

    /// How it behaves from now on: see [`respond`].
    pub(crate) fn behave(&self, mode: &str) {
        fs::write(self.folder.path().join("mode"), mode).expect("a file");
    }

    /// Has it remember a text.
    pub(crate) fn remember(&self, text: &str) {
        remember(self.folder.path(), text);
    }

    /// What it remembers.
    pub(crate) fn remembered(&self) -> Vec<String> {
        let texts = load(self.folder.path()).into_iter();
        texts.map(|entry| entry["memory"].as_str().expect("a text").to_owned()).collect()
    }

    /// The entry for `config.toml`.
    pub(crate) fn config(&self, name: &str, more: &str) -> String {
        let exe = std::env::current_exe().expect("the test binary");
        let folder = format!("script:{}", self.folder.path().display());
        let words = [
            exe.to_str().expect("a plain path"),
            "memory::scripted_server::serve",
            "--exact",
            "--ignored",
            "--nocapture",
            "-q",
            &folder,
        ];
        format!("[[memory.bridge]]\nname = \"{name}\"\ncommand = {}\n{more}\n", json!(words))
    }

    /// Every line that it was ever sent.
    pub(crate) fn received(&self) -> String {
        fs::read_to_string(self.folder.path().join("received.jsonl")).unwrap_or_default()
    }

    /// The arguments of all calls of a tool.
    pub(crate) fn calls(&self, tool: &str) -> Vec<Value> {
        let lines = self.received();
        let calls = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        calls.filter(|call| call["params"]["name"] == tool).map(|call| call["params"]["arguments"].clone()).collect()
    }

    /// How many calls there were, of any tool.
    pub(crate) fn call_count(&self) -> usize {
        self.received().matches("\"tools/call\"").count()
    }

    /// The names of the variables of its environment.
    pub(crate) fn environment(&self) -> Vec<String> {
        let names = fs::read_to_string(self.folder.path().join("environment")).expect("it was started");
        names.lines().map(str::to_owned).collect()
    }

    /// The process that was started last; `None` if none ever was.
    pub(crate) fn process_id(&self) -> Option<u32> {
        fs::read_to_string(self.folder.path().join("pid")).ok()?.parse().ok()
    }
}

/// The process of a server.
#[test]
#[ignore = "other tests start it as a process of its own"]
fn serve() {
    let Some(folder) = std::env::args().find_map(|arg| arg.strip_prefix("script:").map(PathBuf::from)) else { return };
    let mode = || fs::read_to_string(folder.join("mode")).unwrap_or_default();
    if mode() == "down" {
        std::process::exit(1);
    }
    let names: Vec<String> = std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned()).collect();
    fs::write(folder.join("environment"), names.join("\n")).expect("a file");
    fs::write(folder.join("pid"), std::process::id().to_string()).expect("a file");
    // The test runner has begun a line.
    say("");
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let mut log = OpenOptions::new().append(true).create(true).open(folder.join("received.jsonl")).expect("a file");
        log.write_all(format!("{line}\n").as_bytes()).expect("it is written");
        let message: Value = serde_json::from_str(&line).expect("JSON");
        if message.get("id").is_some() {
            respond(&folder, &message, &mode());
        }
    }
    std::process::exit(0);
}

/// Answers a request.
///
/// - `well`: as a server does
/// - `deaf`: never, not even the handshake
/// - `hang`: never, once the handshake is over
/// - `swallow`: does what it is asked for, and says nothing
/// - `fail`: with an error
/// - `huge`: with ten megabytes
/// - `lie`: with what is no JSON, another's id, and a result of another shape
/// - `posing`: as if it were Memora
/// - `mute`: well, but without a tool to delete
fn respond(folder: &Path, message: &Value, mode: &str) {
    let call = message["method"] == "tools/call";
    if mode == "deaf" || call && mode == "hang" {
        loop {
            std::thread::sleep(Duration::from_secs(60));
        }
    }
    let result = match message["method"].as_str().expect("a method") {
        "initialize" => json!({
            "protocolVersion": message["params"]["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": if mode == "posing" { "memora" } else { "scripted" }, "version": "1"},
        }),
        "tools/list" => json!({"tools": tools(mode)}),
        "tools/call" => act(folder, &message["params"]),
        _ => {
            return say(
                &json!({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "no"}}).to_string()
            );
        }
    };
    let text = |text: String| json!({"content": [{"type": "text", "text": text}]});
    match mode {
        "swallow" if call => {}
        "fail" if call => {
            let mut failed = text("it broke".to_owned());
            failed["isError"] = true.into();
            answer(message, &failed);
        }
        "huge" if call => answer(message, &text(json!([{"memory": "x".repeat(10 << 20)}]).to_string())),
        "lie" if call => {
            say("this is no JSON");
            say(&json!({"jsonrpc": "2.0", "id": 99_999, "result": text(result.to_string())}).to_string());
            say(&json!({"jsonrpc": "2.0", "id": message["id"], "result": 7}).to_string());
        }
        _ if call => answer(message, &text(result.to_string())),
        _ => answer(message, &result),
    }
}

fn tools(mode: &str) -> Vec<Value> {
    let tool = |name: &str, argument: &str| {
        let fields = if argument.is_empty() { json!({}) } else { json!({argument: {"type": "string"}}) };
        let required = if argument.is_empty() { json!([]) } else { json!([argument]) };
        json!({"name": name, "inputSchema": {"type": "object", "properties": fields, "required": required}})
    };
    let mut tools = vec![tool("search_memories", "query"), tool("add_memory", "text"), tool("get_memories", "")];
    if mode != "mute" {
        tools.push(tool("delete_memory", "memory_id"));
    }
    tools
}

/// Does what a tool does.
fn act(folder: &Path, call: &Value) -> Value {
    let argument = |name: &str| call["arguments"][name].as_str().unwrap_or_default().to_lowercase();
    match call["name"].as_str().expect("a tool") {
        "search_memories" => {
            let query = argument("query");
            let words: Vec<&str> = query.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 3).collect();
            let matches = |entry: &Value| {
                let text = entry["memory"].as_str().unwrap_or_default().to_lowercase();
                words.iter().any(|word| text.contains(word))
            };
            json!({"results": load(folder).into_iter().filter(matches).collect::<Vec<_>>()})
        }
        "add_memory" => {
            let id = remember(folder, call["arguments"]["text"].as_str().expect("a text"));
            json!({"results": [{"id": id, "event": "ADD"}]})
        }
        "delete_memory" => {
            let mut entries = load(folder);
            entries.retain(|entry| entry["id"] != call["arguments"]["memory_id"]);
            store(folder, &entries);
            json!({"message": "deleted"})
        }
        _ => json!({"results": load(folder)}),
    }
}

fn load(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("store.json")).unwrap_or_else(|_| "[]".to_owned());
    serde_json::from_str(&text).expect("JSON")
}

fn store(folder: &Path, entries: &[Value]) {
    fs::write(folder.join("store.json"), json!(entries).to_string()).expect("a file");
}

fn remember(folder: &Path, text: &str) -> String {
    let mut entries = load(folder);
    let id = format!("f-{}", entries.len() + 1);
    entries.push(json!({"id": id, "memory": text}));
    store(folder, &entries);
    id
}

fn answer(message: &Value, result: &Value) {
    say(&json!({"jsonrpc": "2.0", "id": message["id"], "result": result}).to_string());
}

fn say(line: &str) {
    let mut out = io::stdout().lock();
    // Who asked may be gone.
    drop(out.write_all(format!("{line}\n").as_bytes()).and_then(|()| out.flush()));
}
