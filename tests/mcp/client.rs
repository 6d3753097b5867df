//! A client of `memora mcp`, as thin as can be: JSON lines over pipes, and everything that it was ever told.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus};
use std::thread::JoinHandle;

use memora_testkit::MemoraBinary;
use serde_json::{Value, json};

/// A running server with its client.
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    /// Reads standard error, so that the server never waits for somebody who does.
    talk: Option<JoinHandle<String>>,
    next: u64,
    /// All lines that the server said.
    said: String,
}

/// How a server ended, and what it said on standard error.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) stderr: String,
}

impl Client {
    /// Starts `memora mcp` with these arguments, without a word to it.
    pub(crate) fn start(memora: &MemoraBinary, args: &[&str]) -> Self {
        let args: Vec<&str> = ["mcp"].iter().chain(args).copied().collect();
        Self::of(&mut memora.command(&args))
    }

    /// Starts a command that is one.
    pub(crate) fn of(command: &mut Command) -> Self {
        let mut child = command.stdin(std::process::Stdio::piped()).spawn().expect("the binary can be started");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("standard output is a pipe"));
        let mut talk = child.stderr.take().expect("standard error is a pipe");
        let talk = std::thread::spawn(move || {
            let mut said = String::new();
            talk.read_to_string(&mut said).expect("it speaks UTF-8");
            said
        });
        Self { child, input, output, talk: Some(talk), next: 0, said: String::new() }
    }

    /// The same, for a client that is a program and gets JSON, and shakes hands.
    pub(crate) fn connected(memora: &MemoraBinary, args: &[&str]) -> Self {
        Self::reader(memora, &[&["--structured"], args].concat())
    }

    /// The same, for a client that a model reads behind.
    pub(crate) fn reader(memora: &MemoraBinary, args: &[&str]) -> Self {
        let mut client = Self::start(memora, args);
        let hello = client.shake("2025-06-18");
        assert_eq!(hello["result"]["serverInfo"]["name"], "memora", "{hello}");
        client
    }

    /// Shakes hands under a version of the protocol.
    pub(crate) fn shake(&mut self, version: &str) -> Value {
        let params =
            json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}});
        let hello = self.request("initialize", params);
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        hello
    }

    /// Calls a tool and gives the result, with everything around it.
    #[track_caller]
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.request("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    /// Calls a tool and gives what it answers a program.
    #[track_caller]
    pub(crate) fn told(&mut self, tool: &str, arguments: Value) -> Value {
        let response = self.call(tool, arguments);
        let result = &response["result"];
        assert_ne!(result["isError"], true, "{tool}: {response}");
        assert!(result["structuredContent"].is_object(), "{tool} says nothing to a program: {response}");
        result["structuredContent"].clone()
    }

    /// Calls a tool and gives the text that a model reads.
    #[track_caller]
    pub(crate) fn text(&mut self, tool: &str, arguments: Value) -> String {
        let response = self.call(tool, arguments);
        let result = &response["result"];
        assert_ne!(result["isError"], true, "{tool}: {response}");
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{tool} says nothing: {response}"));
        assert!(!text.is_empty(), "{tool} says nothing: {response}");
        text.to_owned()
    }

    /// Reads memories, or a file of memory, by the name that `memora_read` takes.
    #[track_caller]
    pub(crate) fn memory(&mut self, name: &str) -> Value {
        let told = self.told("memora_read", json!({"note": name}));
        let page = &told["memory"];
        if page["list"].is_null() { page["read"].clone() } else { page["list"].clone() }
    }

    /// Calls a tool that fails, and gives what it says.
    #[track_caller]
    pub(crate) fn failed(&mut self, tool: &str, arguments: Value) -> String {
        let response = self.call(tool, arguments);
        assert_eq!(response["result"]["isError"], true, "{tool}: {response}");
        response["result"]["content"][0]["text"].as_str().expect("it says why").to_owned()
    }

    /// Sends a request and waits for its response.
    #[track_caller]
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        self.response(id)
    }

    /// Sends a request and waits for nothing.
    pub(crate) fn begin(&mut self, method: &str, params: Value) -> u64 {
        self.next += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}));
        self.next
    }

    /// The response to a request; others that come before it are passed over.
    #[track_caller]
    pub(crate) fn response(&mut self, id: u64) -> Value {
        loop {
            let message = self.message().unwrap_or_else(|| panic!("no response to {id}; it said: {}", self.said));
            if message["id"] == id {
                return message;
            }
        }
    }

    /// The line that responds to a request, as it was said; nothing if the server went without one, or says what is no JSON.
    pub(crate) fn response_line(&mut self, id: u64) -> Option<String> {
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).ok()? == 0 {
                return None;
            }
            if serde_json::from_str::<Value>(&line).ok()?["id"] == id {
                return Some(line);
            }
        }
    }

    /// The next message of the server; nothing when it said its last.
    pub(crate) fn message(&mut self) -> Option<Value> {
        let mut line = String::new();
        if self.output.read_line(&mut line).expect("it speaks UTF-8") == 0 {
            return None;
        }
        self.said.push_str(&line);
        Some(serde_json::from_str(&line).unwrap_or_else(|error| panic!("no JSON on standard output ({error}): {line}")))
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.send_line(&message.to_string());
    }

    /// Sends a line, whatever it is.
    pub(crate) fn send_line(&mut self, line: &str) {
        self.send_text(&format!("{line}\n"));
    }

    /// Sends a text, whatever it is.
    pub(crate) fn send_text(&mut self, text: &str) {
        let input = self.input.as_mut().expect("the server is there");
        input.write_all(text.as_bytes()).expect("it reads");
    }

    /// The process that the server is.
    pub(crate) fn process_id(&self) -> u32 {
        self.child.id()
    }

    /// Sends the server a signal and waits until it has gone, while its standard input is open.
    #[cfg(unix)]
    pub(crate) fn end_by_signal(mut self, signal: &str) -> ExitStatus {
        let sent = Command::new("kill").args([signal, &self.process_id().to_string()]).status();
        assert!(sent.expect("kill can be started").success(), "it was gone");
        self.child.wait().expect("it ends")
    }

    /// The most memory that the server ever had, in KiB.
    #[cfg(target_os = "linux")]
    pub(crate) fn peak_memory_kib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("it runs");
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("its peak");
        peak.trim().trim_end_matches(" kB").parse().expect("a number")
    }

    /// Closes standard input, as a client does that goes, and waits until the server has gone.
    pub(crate) fn end(mut self) -> Ended {
        drop(self.input.take());
        // Whatever it says still is of the protocol.
        while self.message().is_some() {}
        let talk = self.talk.take().expect("it is read once");
        let stderr = talk.join().expect("it speaks UTF-8");
        let status = self.child.wait().expect("it ends");
        Ended { status, stderr }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        drop(self.input.take());
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
