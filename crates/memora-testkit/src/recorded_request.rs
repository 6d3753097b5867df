//! Requests as a server received them, byte for byte: [`RecordedRequest`].

use std::io::{self, Read};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

/// The time limit for a client that sends only half a request.
const READ_TIMEOUT: Duration = Duration::from_secs(30);

/// One request as received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedRequest {
    /// `POST`.
    pub method: String,
    /// `/api/chat`, including any query string.
    pub path: String,
    /// Names in lower case, and values as sent.
    pub headers: Vec<(String, String)>,
    /// The bytes after the headers; still chunked if sent in chunks.
    pub body: Vec<u8>,
    /// All bytes received on the connection.
    pub raw: Vec<u8>,
}

impl RecordedRequest {
    /// Reads a request; if it breaks off, returns the part received.
    pub(crate) fn read_from(mut stream: &TcpStream) -> io::Result<Self> {
        stream.set_read_timeout(Some(READ_TIMEOUT))?;
        let mut raw = Vec::new();
        let mut piece = [0; 1 << 12];
        loop {
            let request = Self::parse(&raw);
            if request.as_ref().is_some_and(Self::is_complete) {
                break;
            }
            match stream.read(&mut piece) {
                Ok(0) | Err(_) => break,
                Ok(read) => raw.extend_from_slice(piece.get(..read).unwrap_or_default()),
            }
        }
        let broken = || Self {
            method: String::new(),
            path: String::new(),
            headers: Vec::new(),
            body: Vec::new(),
            raw: raw.clone(),
        };
        Ok(Self::parse(&raw).unwrap_or_else(broken))
    }

    /// Parses a request, if all of its headers are present.
    fn parse(raw: &[u8]) -> Option<Self> {
        let head = raw.windows(4).position(|bytes| bytes == b"\r\n\r\n")?;
        let text = String::from_utf8_lossy(raw.get(..head)?).into_owned();
        let mut lines = text.split("\r\n");
        let mut first = lines.next()?.split(' ');
        let header = |line: &str| {
            let (name, value) = line.split_once(':')?;
            Some((name.to_ascii_lowercase(), value.trim().to_owned()))
        };
        Some(Self {
            method: first.next()?.to_owned(),
            path: first.next()?.to_owned(),
            headers: lines.filter_map(header).collect(),
            body: raw.get(head + 4..)?.to_vec(),
            raw: raw.to_vec(),
        })
    }

    fn is_complete(&self) -> bool {
        if self.header("transfer-encoding").is_some() {
            return self.body.ends_with(b"0\r\n\r\n");
        }
        let length = self.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        self.body.len() >= length
    }

    /// Returns the value of a header; `name` must be lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// Returns the body as JSON, or null.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// Returns the system prompt, in any provider's format.
    #[must_use]
    pub fn system_prompt(&self) -> String {
        let body = self.json();
        let apart = body["system"].as_str().map(str::to_owned);
        apart.unwrap_or_else(|| messages_of_role("system", &body))
    }

    /// Returns the user message.
    #[must_use]
    pub fn user_message(&self) -> String {
        messages_of_role("user", &self.json())
    }

    /// Returns the lines of the message that are JSON objects: the offered sources, and the question.
    #[must_use]
    pub fn offered_objects(&self) -> Vec<Value> {
        let objects = |line: &str| serde_json::from_str(line).ok().filter(Value::is_object);
        self.user_message().lines().filter_map(objects).collect()
    }

    /// Returns the ids of the offered sources, in order.
    #[must_use]
    pub fn offered_ids(&self) -> Vec<String> {
        self.offered_objects().iter().filter_map(|object| object["id"].as_str().map(str::to_owned)).collect()
    }
}

fn messages_of_role(role: &str, body: &Value) -> String {
    let messages = body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let of_role = messages.iter().filter(|message| message["role"] == role);
    of_role.filter_map(|message| message["content"].as_str()).collect::<Vec<_>>().join("\n")
}
