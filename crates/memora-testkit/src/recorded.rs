//! What was asked of a server, byte for byte: [`Recorded`].

use std::io::{self, Read};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

/// A client that sends half a request is given up after this.
const PATIENCE: Duration = Duration::from_secs(30);

/// One request, as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// `POST`.
    pub method: String,
    /// `/api/chat`, with what stands behind a `?`.
    pub path: String,
    /// Names in lower case, and values as they were sent.
    pub headers: Vec<(String, String)>,
    /// What stands behind the headers; in pieces if it was sent in pieces.
    pub body: Vec<u8>,
    /// All that came through the connection.
    pub raw: Vec<u8>,
}

impl Recorded {
    /// Reads a request; of one that breaks off, what came.
    pub(crate) fn read(mut stream: &TcpStream) -> io::Result<Self> {
        stream.set_read_timeout(Some(PATIENCE))?;
        let mut raw = Vec::new();
        let mut piece = [0; 1 << 12];
        loop {
            let request = Self::of(&raw);
            if request.as_ref().is_some_and(Self::is_whole) {
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
        Ok(Self::of(&raw).unwrap_or_else(broken))
    }

    /// The request in these bytes, if all of its headers are there.
    fn of(raw: &[u8]) -> Option<Self> {
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

    fn is_whole(&self) -> bool {
        if self.header("transfer-encoding").is_some() {
            return self.body.ends_with(b"0\r\n\r\n");
        }
        let length = self.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        self.body.len() >= length
    }

    /// The value of a header; its name in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// The body as JSON, or null.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// What the model is told before the message, in whichever format.
    #[must_use]
    pub fn system(&self) -> String {
        let body = self.json();
        let apart = body["system"].as_str().map(str::to_owned);
        apart.unwrap_or_else(|| said_by("system", &body))
    }

    /// The message: what a user would have typed.
    #[must_use]
    pub fn user(&self) -> String {
        said_by("user", &self.json())
    }

    /// The lines of the message that are JSON objects: what was offered, and the question.
    #[must_use]
    pub fn offered(&self) -> Vec<Value> {
        let objects = |line: &str| serde_json::from_str(line).ok().filter(Value::is_object);
        self.user().lines().filter_map(objects).collect()
    }

    /// The ids of what was offered, in their order.
    #[must_use]
    pub fn ids(&self) -> Vec<String> {
        self.offered().iter().filter_map(|object| object["id"].as_str().map(str::to_owned)).collect()
    }
}

fn said_by(role: &str, body: &Value) -> String {
    let messages = body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let of_role = messages.iter().filter(|message| message["role"] == role);
    of_role.filter_map(|message| message["content"].as_str()).collect::<Vec<_>>().join("\n")
}
