//! A web server on this machine that answers as a test says, badly too.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex, PoisonError};

use crate::port::{Held, Port};

/// What the server answers.
#[derive(Clone, Debug)]
pub enum Reply {
    /// A file.
    Body(Vec<u8>),
    /// This status and nothing else.
    Status(u16),
    /// This status, and to come back after so many seconds.
    Busy(u16, u64),
    /// Go to another address.
    Redirect(String),
    /// A file, and then the connection breaks after so many bytes.
    Broken(Vec<u8>, usize),
    /// Bytes without a length, until the connection ends.
    Unmeasured(Vec<u8>),
    /// Nothing, for as long as the server lives.
    Silence,
}

/// A server on a port of its own; it ends when dropped.
pub struct Server {
    port: Port,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Starts a server. `reply` is given a path and how often it was asked for before.
    ///
    /// # Panics
    /// When no port can be had.
    pub fn start(reply: impl Fn(&str, usize) -> Reply + Send + Sync + 'static) -> Self {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&asked);
        let port = Port::open(move |stream, held| answer(stream, &seen, &reply, held));
        Self { port, asked }
    }

    /// `http://127.0.0.1:PORT`
    #[must_use]
    pub fn address(&self) -> &str {
        self.port.address()
    }

    /// The paths that were asked for, in their order.
    #[must_use]
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn answer(
    mut stream: &TcpStream,
    asked: &Mutex<Vec<String>>,
    reply: &dyn Fn(&str, usize) -> Reply,
    held: &Held,
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
        Reply::Body(body) => {
            stream.write_all(head(200, &length(body.len())).as_bytes())?;
            stream.write_all(&body)
        }
        Reply::Status(status) => stream.write_all(head(status, &length(0)).as_bytes()),
        Reply::Busy(status, seconds) => {
            let rest = format!("Retry-After: {seconds}\r\n{}", length(0));
            stream.write_all(head(status, &rest).as_bytes())
        }
        Reply::Redirect(to) => stream.write_all(head(302, &format!("Location: {to}\r\n{}", length(0))).as_bytes()),
        Reply::Broken(body, at) => {
            stream.write_all(head(200, &length(body.len())).as_bytes())?;
            stream.write_all(&body[..at.min(body.len())])
        }
        Reply::Unmeasured(body) => {
            stream.write_all(head(200, "").as_bytes())?;
            stream.write_all(&body)
        }
        Reply::Silence => {
            held.wait();
            Ok(())
        }
    }
}
