//! A local web server that answers as a test specifies, including malformed replies.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex, PoisonError};

use crate::listener::{LocalListener, ShutdownSignal};

/// The server's reply to a request.
#[derive(Clone, Debug)]
pub enum MockReply {
    /// A complete file.
    Body(Vec<u8>),
    /// The given status, with an empty body.
    Status(u16),
    /// The given status, with a `Retry-After` of this many seconds.
    Busy(u16, u64),
    /// A redirect to another address.
    Redirect(String),
    /// A file whose connection breaks after this many bytes.
    CutShort(Vec<u8>, usize),
    /// A file without a content length, ended by closing the connection.
    WithoutLength(Vec<u8>),
    /// No reply, for as long as the server lives.
    Silence,
}

/// A server on its own port; it stops on drop.
pub struct MockServer {
    port: LocalListener,
    asked: Arc<Mutex<Vec<String>>>,
}

impl MockServer {
    /// Starts a server. `reply` gets the path and the number of earlier requests for it.
    ///
    /// # Panics
    /// If no port is available.
    pub fn start(reply: impl Fn(&str, usize) -> MockReply + Send + Sync + 'static) -> Self {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&asked);
        let port = LocalListener::open(move |stream, held| serve_request(stream, &seen, &reply, held));
        Self { port, asked }
    }

    /// `http://127.0.0.1:PORT`
    #[must_use]
    pub fn address(&self) -> &str {
        self.port.address()
    }

    /// Returns the requested paths, in order.
    #[must_use]
    pub fn requested_paths(&self) -> Vec<String> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn serve_request(
    mut stream: &TcpStream,
    asked: &Mutex<Vec<String>>,
    reply: &dyn Fn(&str, usize) -> MockReply,
    held: &ShutdownSignal,
) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let path = first.split_whitespace().nth(1).unwrap_or_default().to_owned();
    let before = {
        let mut asked = asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.push(path.clone());
        asked.iter().filter(|other| **other == path).count() - 1
    };
    let head = |status: u16, rest: &str| format!("HTTP/1.1 {status} x\r\nConnection: close\r\n{rest}\r\n");
    let length = |bytes: usize| format!("Content-Length: {bytes}\r\n");
    match reply(&path, before) {
        MockReply::Body(body) => {
            stream.write_all(head(200, &length(body.len())).as_bytes())?;
            stream.write_all(&body)
        }
        MockReply::Status(status) => stream.write_all(head(status, &length(0)).as_bytes()),
        MockReply::Busy(status, seconds) => {
            let rest = format!("Retry-After: {seconds}\r\n{}", length(0));
            stream.write_all(head(status, &rest).as_bytes())
        }
        MockReply::Redirect(to) => stream.write_all(head(302, &format!("Location: {to}\r\n{}", length(0))).as_bytes()),
        MockReply::CutShort(body, at) => {
            stream.write_all(head(200, &length(body.len())).as_bytes())?;
            stream.write_all(&body[..at.min(body.len())])
        }
        MockReply::WithoutLength(body) => {
            stream.write_all(head(200, "").as_bytes())?;
            stream.write_all(&body)
        }
        MockReply::Silence => {
            held.wait();
            Ok(())
        }
    }
}
