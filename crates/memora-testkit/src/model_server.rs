//! A language model server with scripted replies: [`ModelServer`].
//!
//! It speaks the APIs of Ollama, OpenAI (and compatible servers) and Anthropic on one port, and records every byte it
//! receives. Invariant: **it rejects what a real server rejects.** A request that a provider would reject is rejected
//! here, and does not consume a reply of the script.

use std::io::{self, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

use crate::listener::{LocalListener, ShutdownSignal};
use crate::recorded_request::RecordedRequest;
use crate::scripted_reply::{ProviderFormat, ScriptedReply};

/// The reply of `/api/show` for a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ShowReply {
    /// The model is on this machine.
    #[default]
    Local,
    /// The model runs elsewhere, in Ollama's format for cloud models.
    Remote {
        /// Such as `https://ollama.com:443`.
        host: String,
        /// Its name there.
        model: String,
    },
    /// The model is not found, or the server is not Ollama.
    Unknown,
    /// A body that is not JSON.
    NotJson,
    /// The given body, unchecked.
    Text(String),
    /// The given status, with an empty body.
    Status(u16),
    /// No reply, for as long as the server lives.
    Silence,
}

impl ShowReply {
    /// Ollama's reply for a cloud model.
    #[must_use]
    pub fn ollama_cloud(model: &str) -> Self {
        Self::Remote { host: "https://ollama.com:443".to_owned(), model: model.to_owned() }
    }
}

/// A server on its own port; it stops on drop.
pub struct ModelServer {
    port: LocalListener,
    /// The prefix of all paths.
    under: &'static str,
    seen: Arc<Mutex<Vec<RecordedRequest>>>,
}

impl ModelServer {
    /// Starts a server with a local model and these replies in turn; the last one repeats.
    ///
    /// # Panics
    /// If no port is available.
    #[must_use]
    pub fn start(script: Vec<ScriptedReply>) -> Self {
        Self::start_with_show(ShowReply::Local, script)
    }

    /// Like [`ModelServer::start`], with another reply to `/api/show`.
    ///
    /// # Panics
    /// If no port is available.
    #[must_use]
    pub fn start_with_show(show: ShowReply, script: Vec<ScriptedReply>) -> Self {
        Self::start_under_path("", show, script)
    }

    /// Like [`ModelServer::start_with_show`], behind a path prefix such as `/ollama`, as with a proxy; other paths are unknown.
    ///
    /// # Panics
    /// If no port is available.
    #[must_use]
    pub fn start_under_path(path: &'static str, show: ShowReply, script: Vec<ScriptedReply>) -> Self {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let script =
            ModelScript { show, under: path, says: script, said: AtomicUsize::new(0), seen: Arc::clone(&seen) };
        Self { port: LocalListener::open(move |stream, held| script.serve_request(stream, held)), under: path, seen }
    }

    /// `http://127.0.0.1:PORT`
    #[must_use]
    pub fn address(&self) -> &str {
        self.port.address()
    }

    /// Returns the port.
    ///
    /// # Panics
    /// Never: its address ends with one.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.address().rsplit(':').next().and_then(|port| port.parse().ok()).expect("an address ends with a port")
    }

    /// Returns every request, in the order of arrival.
    #[must_use]
    pub fn requests(&self) -> Vec<RecordedRequest> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the completion requests.
    #[must_use]
    pub fn completion_requests(&self) -> Vec<RecordedRequest> {
        self.requests()
            .into_iter()
            .filter(|request| ProviderFormat::from_request(request, self.under).is_some())
            .collect()
    }

    /// Returns every received byte, of all requests.
    #[must_use]
    pub fn received_bytes(&self) -> Vec<u8> {
        self.requests().into_iter().flat_map(|request| request.raw).collect()
    }
}

struct ModelScript {
    show: ShowReply,
    under: &'static str,
    says: Vec<ScriptedReply>,
    said: AtomicUsize,
    seen: Arc<Mutex<Vec<RecordedRequest>>>,
}

impl ModelScript {
    fn serve_request(&self, stream: &TcpStream, held: &ShutdownSignal) -> io::Result<()> {
        let request = RecordedRequest::read_from(stream)?;
        // A connection that only wakes the server sends nothing.
        if request.raw.is_empty() {
            return Ok(());
        }
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).push(request.clone());
        let Some(format) = ProviderFormat::from_request(&request, self.under) else {
            return self.serve_metadata(&request, stream, held);
        };
        if let Some((status, message)) = format.find_objection(&request) {
            return send_response(stream, status, "", format.error_json(message).to_string().as_bytes());
        }
        let turn = self.said.fetch_add(1, Ordering::SeqCst).min(self.says.len().saturating_sub(1));
        match self.says.get(turn) {
            Some(say) => send_scripted(say, format, &request, stream, held),
            None => send_response(stream, 500, "", format.error_json("the script is empty").to_string().as_bytes()),
        }
    }

    /// Answers requests other than completions.
    fn serve_metadata(&self, request: &RecordedRequest, stream: &TcpStream, held: &ShutdownSignal) -> io::Result<()> {
        let json = |value: Value| send_response(stream, 200, "", value.to_string().as_bytes());
        let details = json!({
            "parent_model": "", "format": "gguf", "family": "scripted", "families": ["scripted"],
            "parameter_size": "1.0B", "quantization_level": "Q4_K_M",
        });
        match (request.method.as_str(), request.path.strip_prefix(self.under).unwrap_or_default()) {
            ("GET", "/") => send_response(stream, 200, "", b"Ollama is running"),
            ("GET", "/api/version") => json(json!({"version": "0.13.0"})),
            ("GET", "/api/tags") => json(json!({"models": [
                {"name": "scripted:latest", "model": "scripted:latest", "size": 1, "digest": "0", "details": details},
            ]})),
            ("GET", "/v1/models") => json(json!({"object": "list", "data": [
                {"id": "scripted", "object": "model", "created": 1_767_182_400, "owned_by": "memora"},
            ]})),
            ("GET" | "POST", "/api/show") => match &self.show {
                ShowReply::Local => json(json!({
                    "modelfile": "# Modelfile", "template": "{{ .Prompt }}", "details": details,
                    "model_info": {"general.architecture": "scripted"}, "capabilities": ["completion"],
                    "modified_at": "2025-12-31T12:00:00Z",
                })),
                ShowReply::Remote { host, model } => json(json!({
                    "template": "", "details": {"format": "", "family": "", "families": null},
                    "remote_host": host, "remote_model": model, "model_info": {},
                    "capabilities": ["completion"], "modified_at": "2025-12-31T12:00:00Z",
                })),
                ShowReply::Unknown => send_response(stream, 404, "", br#"{"error":"model not found"}"#),
                ShowReply::NotJson => send_response(stream, 200, "", b"<html></html>"),
                ShowReply::Text(words) => send_response(stream, 200, "", words.as_bytes()),
                ShowReply::Status(status) => send_response(stream, *status, "", b""),
                ShowReply::Silence => {
                    held.wait();
                    Ok(())
                }
            },
            _ => send_response(stream, 404, "", b"404 page not found"),
        }
    }
}

fn send_scripted(
    say: &ScriptedReply,
    format: ProviderFormat,
    request: &RecordedRequest,
    mut stream: &TcpStream,
    held: &ShutdownSignal,
) -> io::Result<()> {
    let model = &request.json()["model"];
    let reply = |words: &str, truncated: bool| format.reply_json(model, words, truncated).to_string();
    let ok = |body: &[u8]| send_response(stream, 200, "", body);
    match say {
        ScriptedReply::Text(words) => ok(reply(words, false).as_bytes()),
        ScriptedReply::FromRequest(make) => send_scripted(&make(request), format, request, stream, held),
        ScriptedReply::Truncated(words) => ok(reply(words, true).as_bytes()),
        ScriptedReply::Bytes(count) => ok(reply(&"a".repeat(*count), false).as_bytes()),
        ScriptedReply::HalfJson => {
            let whole = reply("half of this is cut off", false);
            ok(whole.as_bytes().get(..whole.len() / 2).unwrap_or_default())
        }
        ScriptedReply::NotUtf8 => {
            let whole = reply("these are ~~ no letters", false).into_bytes();
            ok(&whole.into_iter().map(|byte| if byte == b'~' { 0xff } else { byte }).collect::<Vec<_>>())
        }
        ScriptedReply::NotJson(text) => ok(text.as_bytes()),
        ScriptedReply::WrongShape(value) => ok(value.to_string().as_bytes()),
        ScriptedReply::Empty => ok(b""),
        ScriptedReply::EchoError(status) => send_response(stream, *status, "", echo_error(format, request).as_bytes()),
        ScriptedReply::ErrorJson(status, body) => send_response(stream, *status, "", body.to_string().as_bytes()),
        ScriptedReply::CutShort(body, bytes) => {
            let body = body.to_string();
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
            stream.write_all(head.as_bytes())?;
            stream.write_all(body.as_bytes().get(..*bytes).unwrap_or(body.as_bytes()))?;
            stream.flush()
        }
        ScriptedReply::Busy { status, retry_after } => send_response(
            stream,
            *status,
            &format!("Retry-After: {retry_after}\r\n"),
            echo_error(format, request).as_bytes(),
        ),
        ScriptedReply::Redirect(to) => send_response(stream, 307, &format!("Location: {to}\r\n"), b""),
        ScriptedReply::Closed => stream.flush(),
        ScriptedReply::Hang => {
            held.wait();
            Ok(())
        }
    }
}

/// Formats an error that repeats the request; it must not appear in logs or messages.
fn echo_error(format: ProviderFormat, request: &RecordedRequest) -> String {
    format.error_json(&format!("cannot answer: {}", String::from_utf8_lossy(&request.body))).to_string()
}

fn send_response(mut stream: &TcpStream, status: u16, headers: &str, body: &[u8]) -> io::Result<()> {
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status} x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n{headers}\r\n"
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body)
}
