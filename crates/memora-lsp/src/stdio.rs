//! The connection over standard input and output. Standard output is reserved for the protocol.
//!
//! Messages are read here rather than by `lsp-server`, which ends at the first that is no JSON, and believes whatever length a header
//! gives. Here a message that cannot be read is skipped, and one that is too long ends the connection.

use std::io::{self, BufRead, Read as _, Write as _};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use lsp_server::{Connection, Message};

use crate::server::{EditorEnd, EditorServeError, EditorSetup, serve_editor_on};

/// The longest message, in bytes.
const MESSAGE_MAX: usize = 64 << 20;

/// The longest header, in bytes.
const HEADER_MAX: u64 = 8 << 10;

/// Serves the editor on standard input and output until it ends, standard input ends, or the server is stopped.
///
/// # Errors
/// [`EditorServeError`]. An editor that goes is no error.
pub fn serve_editor(setup: EditorSetup) -> Result<EditorEnd, EditorServeError> {
    let (heard, receiver) = bounded(0);
    let (sender, told) = unbounded();
    // Reads until the end of input; a server that is stopped does not wait for it.
    thread::spawn(move || read_messages(&mut io::stdin().lock(), &heard));
    let writer = thread::spawn(move || write_messages(&told));
    let served = serve_editor_on(setup, Connection { sender, receiver });
    // What was sent is written before the program ends.
    drop(writer.join());
    served
}

fn read_messages(input: &mut impl BufRead, heard: &Sender<Message>) {
    while let Ok(Some(body)) = read_frame(input) {
        // What is no message cannot be answered, and the next one may be.
        let Ok(message) = serde_json::from_slice::<Message>(&body) else { continue };
        let is_last = matches!(&message, Message::Notification(note) if note.method == "exit");
        if heard.send(message).is_err() || is_last {
            return;
        }
    }
}

fn write_messages(told: &Receiver<Message>) {
    let mut output = io::stdout().lock();
    for message in told {
        if message.write(&mut output).and_then(|()| output.flush()).is_err() {
            return;
        }
    }
}

/// Reads the next message; `None` at the end of input.
fn read_frame(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut length: Option<usize> = None;
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(HEADER_MAX).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        match (line.split_once(':'), length) {
            (None, Some(length)) if line.is_empty() => return read_body(input, length).map(Some),
            (Some((name, value)), _) if name.trim().eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().ok().filter(|length| *length <= MESSAGE_MAX);
                if length.is_none() {
                    return Err(io::ErrorKind::InvalidData.into());
                }
            }
            _ => {}
        }
    }
}

fn read_body(input: &mut impl BufRead, length: usize) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    let read = input.by_ref().take(u64::try_from(length).unwrap_or(u64::MAX)).read_to_end(&mut body)?;
    if read < length { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(body) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(input: &str) -> Vec<String> {
        let (heard, messages) = unbounded();
        read_messages(&mut input.as_bytes(), &heard);
        drop(heard);
        messages.iter().map(|message| serde_json::to_string(&message).expect("it was JSON")).collect()
    }

    fn frame(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    #[test]
    fn what_is_no_message_is_skipped() {
        let ping = r#"{"method":"é"}"#;
        let input = [frame("{"), frame("[1]"), frame(ping), "\r\nx: y\r\n".to_owned(), frame(ping)].concat();
        assert_eq!(read_all(&input).len(), 2);
    }

    #[test]
    fn a_length_that_cannot_be_ends_the_connection() {
        for input in [
            "Content-Length: 99999999999999999999\r\n\r\n{}",
            "Content-Length: 9999999999\r\n\r\n{}",
            "Content-Length: -1\r\n\r\n{}",
            "Content-Length: 9\r\n\r\n{}",
            "Content-Length: ",
            "\u{0}\u{0}",
        ] {
            assert!(read_all(input).is_empty(), "{input:?}");
        }
    }

    #[test]
    fn nothing_is_read_behind_exit() {
        let input = [frame(r#"{"method":"exit"}"#), frame(r#"{"method":"late"}"#)].concat();
        assert_eq!(read_all(&input).len(), 1);
    }
}
