//! A client in this process, at the other end of two pipes in memory.

use std::fs;
use std::path::Path;
use std::thread;

use jiff::civil::date;
use memora_engine::{Config, FoundVault, MemoryAccess};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, duplex};

use super::*;

/// A vault with two notes, one of them secret, and a place for its state.
fn vault() -> (TempDir, FoundVault) {
    let folder = tempfile::tempdir().expect("a folder");
    let notes = folder.path().join("vault");
    fs::create_dir(&notes).expect("a folder");
    fs::write(notes.join("Anna.md"), "# Anna\n\nAnna works at Tidewell.\n").expect("a note");
    fs::write(notes.join("Ben.md"), "---\nprivacy: secret\n---\n# Ben\n\nBen works at Tidewell.\n").expect("a note");
    let vault = open(folder.path());
    (folder, vault)
}

fn open(folder: &Path) -> FoundVault {
    let config = Config::load(Some(folder.join("state")), Some(folder.join("config")), date(2025, 12, 31));
    FoundVault::find(Some(&folder.join("vault")), config.expect("a configuration")).expect("a vault")
}

/// The client's ends.
struct Ends {
    input: DuplexStream,
    output: BufReader<DuplexStream>,
}

impl Ends {
    async fn ask(&mut self, id: u64, method: &str, params: Value) -> Value {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.input.write_all(format!("{request}\n").as_bytes()).await.expect("it reads");
        let mut line = String::new();
        while !line.contains(&format!("\"id\":{id}")) {
            line.clear();
            assert_ne!(self.output.read_line(&mut line).await.expect("it speaks"), 0, "it ended");
        }
        serde_json::from_str(&line).expect("JSON")
    }

    async fn shake(&mut self) {
        let client = json!({"name": "test", "version": "0"});
        let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
        self.ask(0, "initialize", params).await;
        let done = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        self.input.write_all(format!("{done}\n").as_bytes()).await.expect("it reads");
    }

    async fn search(&mut self, id: u64) -> Value {
        let params = json!({"name": "memora_find", "arguments": {"question": "Tidewell"}});
        self.ask(id, "tools/call", params).await["result"]["structuredContent"].clone()
    }
}

/// Serves a vault while a client talks, and ends when the client's ends go.
fn talk<F: Future<Output = ()>>(vault: FoundVault, client: Audience, talk: impl FnOnce(Ends) -> F) {
    let ((input, server_reads), (server_writes, output)) = (duplex(1 << 16), duplex(1 << 16));
    let setup = ServerSetup {
        vault,
        client,
        allow_capture: false,
        memory: MemoryAccess::Off,
        project: None,
        form: AnswerForm::Structured,
        today: Box::new(|| date(2025, 12, 31)),
        stop: ServerStop::default(),
    };
    let server = thread::spawn(move || serve_on(setup, server_reads, server_writes));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(talk(Ends { input, output: BufReader::new(output) }));
    // It waits for its threads, so that it ends says that they have.
    server.join().expect("no panic").expect("the client was one");
}

#[test]
fn a_client_is_told_what_its_door_shows_and_the_server_ends_with_it() {
    for (client, paths) in [(Audience::Cloud, 1), (Audience::Local, 2)] {
        let (_folder, vault) = vault();
        talk(vault, client, async |mut ends| {
            ends.shake().await;
            let told = ends.search(1).await;
            assert_eq!(told["status"], "found", "{told}");
            assert_eq!(told["passages"].as_array().map(Vec::len), Some(paths), "{told}");
        });
    }
}

#[test]
fn a_client_that_says_nothing_is_no_failure() {
    let (_folder, vault) = vault();
    talk(vault, Audience::Cloud, async |ends| drop(ends));
}

/// "In no note" is said of what was looked for everywhere.
#[test]
fn what_is_not_indexed_yet_is_not_said_to_be_missing() {
    let (folder, vault) = vault();
    talk(vault, Audience::Cloud, async |mut ends| {
        ends.shake().await;
        ends.search(1).await;
        // More notes than a question waits for.
        for number in 0..400 {
            let text = format!("# Note {number}\n\nNote {number} is about a zeppelin.\n");
            fs::write(folder.path().join(format!("vault/note {number}.md")), text).expect("a note");
        }
        // The system says so in its own time; the rest is taken in behind the answers.
        let mut seen = Vec::new();
        for id in 2..100_000 {
            let params = json!({"name": "memora_find", "arguments": {"question": "quagga"}});
            let told = ends.ask(id, "tools/call", params).await["result"].clone();
            let text = told["content"][0]["text"].as_str().expect("text");
            let fresh = told["structuredContent"]["fresh"] == true;
            assert_eq!(text.contains("in no note: quagga"), fresh, "{told}");
            assert_eq!(text.contains("some notes are not indexed yet"), !fresh, "{told}");
            seen.push(fresh);
            if fresh && seen.contains(&false) {
                return;
            }
        }
        panic!("never was anything due, or always");
    });
}
