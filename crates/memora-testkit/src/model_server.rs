//! A language model that says what a test tells it to: [`ModelServer`].
//!
//! It speaks the formats of Ollama, of OpenAI and its like, and of Anthropic on one port, and keeps every byte that it is
//! sent. The one rule to know: **it minds what a real server minds.** A request that a provider would turn down is turned
//! down here, and does not count as a reply of the script.

use std::io::{self, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

use crate::port::{Held, Port};
use crate::recorded::Recorded;
use crate::say::{Format, Say};

/// What `/api/show` tells of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Show {
    /// It is on this machine.
    #[default]
    Here,
    /// It runs elsewhere, as Ollama tells of what it passes on.
    Elsewhere {
        /// Such as `https://ollama.com:443`.
        host: String,
        /// What it is called there.
        model: String,
    },
    /// There is no such model, or no Ollama.
    Unknown,
    /// Something that is no JSON.
    NotJson,
    /// These words, whatever they are.
    Says(String),
    /// This status, and no word of why.
    Status(u16),
    /// Nothing, for as long as the server lives.
    Silence,
}

impl Show {
    /// What Ollama tells of a model that it passes on to its makers.
    #[must_use]
    pub fn cloud(model: &str) -> Self {
        Self::Elsewhere { host: "https://ollama.com:443".to_owned(), model: model.to_owned() }
    }
}

/// A server on a port of its own; it ends when dropped.
pub struct ModelServer {
    port: Port,
    /// What stands before the paths that it knows.
    under: &'static str,
    seen: Arc<Mutex<Vec<Recorded>>>,
}

impl ModelServer {
    /// Starts a server whose model is on this machine and says these in turn; the last again and again.
    ///
    /// # Panics
    /// When no port can be had.
    #[must_use]
    pub fn start(script: Vec<Say>) -> Self {
        Self::showing(Show::Here, script)
    }

    /// The same, with another answer to where the model is.
    ///
    /// # Panics
    /// When no port can be had.
    #[must_use]
    pub fn showing(show: Show, script: Vec<Say>) -> Self {
        Self::under("", show, script)
    }

    /// The same behind a path, as a proxy has it: `/ollama`. It knows nothing that does not begin with that.
    ///
    /// # Panics
    /// When no port can be had.
    #[must_use]
    pub fn under(path: &'static str, show: Show, script: Vec<Say>) -> Self {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let script = Script { show, under: path, says: script, said: AtomicUsize::new(0), seen: Arc::clone(&seen) };
        Self { port: Port::open(move |stream, held| script.answer(stream, held)), under: path, seen }
    }

    /// `http://127.0.0.1:PORT`
    #[must_use]
    pub fn address(&self) -> &str {
        self.port.address()
    }

    /// The port.
    ///
    /// # Panics
    /// Never: its address ends with one.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.address().rsplit(':').next().and_then(|port| port.parse().ok()).expect("an address ends with a port")
    }

    /// Every request, in the order in which they came.
    #[must_use]
    pub fn requests(&self) -> Vec<Recorded> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The requests for a completion.
    #[must_use]
    pub fn completions(&self) -> Vec<Recorded> {
        self.requests().into_iter().filter(|request| Format::of(request, self.under).is_some()).collect()
    }

    /// Every byte that came, of all requests.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        self.requests().into_iter().flat_map(|request| request.raw).collect()
    }
}

struct Script {
    show: Show,
    under: &'static str,
    says: Vec<Say>,
    said: AtomicUsize,
    seen: Arc<Mutex<Vec<Recorded>>>,
}

impl Script {
    fn answer(&self, stream: &TcpStream, held: &Held) -> io::Result<()> {
        let request = Recorded::read(stream)?;
        // Whoever only wakes the server asks for nothing.
        if request.raw.is_empty() {
            return Ok(());
        }
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).push(request.clone());
        let Some(format) = Format::of(&request, self.under) else { return self.look_up(&request, stream, held) };
        if let Some((status, message)) = format.objection(&request) {
            return send(stream, status, "", format.error(message).to_string().as_bytes());
        }
        let turn = self.said.fetch_add(1, Ordering::SeqCst).min(self.says.len().saturating_sub(1));
        match self.says.get(turn) {
            Some(say) => tell(say, format, &request, stream, held),
            None => send(stream, 500, "", format.error("the script is empty").to_string().as_bytes()),
        }
    }

    /// What can be asked beside completions.
    fn look_up(&self, request: &Recorded, stream: &TcpStream, held: &Held) -> io::Result<()> {
        let json = |value: Value| send(stream, 200, "", value.to_string().as_bytes());
        let details = json!({
            "parent_model": "", "format": "gguf", "family": "scripted", "families": ["scripted"],
            "parameter_size": "1.0B", "quantization_level": "Q4_K_M",
        });
        match (request.method.as_str(), request.path.strip_prefix(self.under).unwrap_or_default()) {
            ("GET", "/") => send(stream, 200, "", b"Ollama is running"),
            ("GET", "/api/version") => json(json!({"version": "0.13.0"})),
            ("GET", "/api/tags") => json(json!({"models": [
                {"name": "scripted:latest", "model": "scripted:latest", "size": 1, "digest": "0", "details": details},
            ]})),
            ("GET", "/v1/models") => json(json!({"object": "list", "data": [
                {"id": "scripted", "object": "model", "created": 1_767_182_400, "owned_by": "memora"},
            ]})),
            ("GET" | "POST", "/api/show") => match &self.show {
                Show::Here => json(json!({
                    "modelfile": "# Modelfile", "template": "{{ .Prompt }}", "details": details,
                    "model_info": {"general.architecture": "scripted"}, "capabilities": ["completion"],
                    "modified_at": "2025-12-31T12:00:00Z",
                })),
                Show::Elsewhere { host, model } => json(json!({
                    "template": "", "details": {"format": "", "family": "", "families": null},
                    "remote_host": host, "remote_model": model, "model_info": {},
                    "capabilities": ["completion"], "modified_at": "2025-12-31T12:00:00Z",
                })),
                Show::Unknown => send(stream, 404, "", br#"{"error":"model not found"}"#),
                Show::NotJson => send(stream, 200, "", b"<html></html>"),
                Show::Says(words) => send(stream, 200, "", words.as_bytes()),
                Show::Status(status) => send(stream, *status, "", b""),
                Show::Silence => {
                    held.wait();
                    Ok(())
                }
            },
            _ => send(stream, 404, "", b"404 page not found"),
        }
    }
}

fn tell(say: &Say, format: Format, request: &Recorded, mut stream: &TcpStream, held: &Held) -> io::Result<()> {
    let model = &request.json()["model"];
    let reply = |words: &str, truncated: bool| format.reply(model, words, truncated).to_string();
    let ok = |body: &[u8]| send(stream, 200, "", body);
    match say {
        Say::Text(words) => ok(reply(words, false).as_bytes()),
        Say::With(make) => tell(&make(request), format, request, stream, held),
        Say::Truncated(words) => ok(reply(words, true).as_bytes()),
        Say::Bytes(count) => ok(reply(&"a".repeat(*count), false).as_bytes()),
        Say::HalfJson => {
            let whole = reply("half of this is cut off", false);
            ok(whole.as_bytes().get(..whole.len() / 2).unwrap_or_default())
        }
        Say::NotUtf8 => {
            let whole = reply("these are ~~ no letters", false).into_bytes();
            ok(&whole.into_iter().map(|byte| if byte == b'~' { 0xff } else { byte }).collect::<Vec<_>>())
        }
        Say::NotJson(text) => ok(text.as_bytes()),
        Say::WrongShape(value) => ok(value.to_string().as_bytes()),
        Say::Empty => ok(b""),
        Say::Status(status) => send(stream, *status, "", echo(format, request).as_bytes()),
        Say::Failing(status, body) => send(stream, *status, "", body.to_string().as_bytes()),
        Say::BreaksOff(body, bytes) => {
            let body = body.to_string();
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
            stream.write_all(head.as_bytes())?;
            stream.write_all(body.as_bytes().get(..*bytes).unwrap_or(body.as_bytes()))?;
            stream.flush()
        }
        Say::Busy { status, retry_after } => {
            send(stream, *status, &format!("Retry-After: {retry_after}\r\n"), echo(format, request).as_bytes())
        }
        Say::Redirect(to) => send(stream, 307, &format!("Location: {to}\r\n"), b""),
        Say::Closed => stream.flush(),
        Say::Hang => {
            held.wait();
            Ok(())
        }
    }
}

/// An error that repeats the request, which nobody may see: neither in a log nor in a message.
fn echo(format: Format, request: &Recorded) -> String {
    format.error(&format!("cannot answer: {}", String::from_utf8_lossy(&request.body))).to_string()
}

fn send(mut stream: &TcpStream, status: u16, headers: &str, body: &[u8]) -> io::Result<()> {
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status} x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n{headers}\r\n"
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body)
}
