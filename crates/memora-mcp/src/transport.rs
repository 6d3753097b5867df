//! JSON-RPC messages, one a line, over a pair of ends.
//!
//! What is no message of the protocol gets an error with the field's code, and the next line is read as if nothing had
//! happened. Memory is bounded: a line longer than [`LINE_BYTES_MAX`] is skipped without being kept.

use std::io::{Error, ErrorKind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, ErrorData, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::sync::Mutex;

/// The maximum size of a message, in bytes. The longest argument of a tool is 1 MiB.
pub(crate) const LINE_BYTES_MAX: usize = 16 << 20;

/// The methods whose parameters are read; the library passes one with other parameters on as a method of an extension.
const METHODS: &[&str] = &[
    "completion/complete",
    "initialize",
    "logging/setLevel",
    "ping",
    "prompts/get",
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "server/discover",
    "tools/call",
    "tools/list",
];

/// What the other end has sent, for those who judge whether it was a client.
#[derive(Debug, Default)]
pub(crate) struct HeardLines {
    request: AtomicBool,
    other: AtomicBool,
}

impl HeardLines {
    /// Whether something was sent, and none of it was a request.
    pub(crate) fn are_only_noise(&self) -> bool {
        self.other.load(Ordering::Relaxed) && !self.request.load(Ordering::Relaxed)
    }
}

/// The transport of a server.
pub(crate) struct LineTransport<R, W> {
    input: BufReader<R>,
    /// The line so far. A read that is cancelled goes on where it stopped.
    line: Vec<u8>,
    /// Whether the rest of a line that is too long is being skipped.
    is_skipping: bool,
    output: Arc<Mutex<LineWriter<W>>>,
    /// An error that is still to be queued, or to be flushed once that is `None`.
    refusal: Option<Option<Value>>,
    heard: Arc<HeardLines>,
}

/// A writer that keeps what was not written when its caller was cancelled.
struct LineWriter<W> {
    output: W,
    unsent: Vec<u8>,
}

/// What a line is.
#[derive(Debug)]
enum Frame {
    /// A message of the protocol.
    Message(Box<ClientJsonRpcMessage>),
    /// Nothing that gets an answer: an empty line, or a notification that this protocol does not have.
    Ignored,
    /// Something else, with the error that answers it.
    Refused(Value),
}

/// The end of a read.
enum LineRead {
    Line,
    /// A line longer than the maximum, with the id of its request if that stands in front of the parameters.
    TooLong(Value),
    End,
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin> LineTransport<R, W> {
    pub(crate) fn new(input: R, output: W) -> Self {
        let output = LineWriter { output, unsent: Vec::new() };
        Self {
            input: BufReader::new(input),
            line: Vec::new(),
            is_skipping: false,
            output: Arc::new(Mutex::new(output)),
            refusal: None,
            heard: Arc::default(),
        }
    }

    /// Returns what the other end has sent so far, and will.
    pub(crate) fn heard_lines(&self) -> Arc<HeardLines> {
        Arc::clone(&self.heard)
    }

    /// Reads until a line is complete. Cancellation loses nothing: bytes are taken from the input only with no await behind.
    async fn read_line(&mut self) -> Result<LineRead, Error> {
        loop {
            let available = self.input.fill_buf().await?;
            if available.is_empty() {
                // A last line may have no end.
                let is_line = !self.line.is_empty() && !self.is_skipping;
                return Ok(if is_line { LineRead::Line } else { LineRead::End });
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(available.len(), |end| end + 1);
            let was_skipping = self.is_skipping;
            let fits = self.line.len() + taken <= LINE_BYTES_MAX;
            if fits && !was_skipping {
                self.line.extend(available.iter().take(taken));
            }
            self.input.consume(taken);
            if was_skipping || !fits {
                let begun = std::mem::take(&mut self.line);
                self.is_skipping = end.is_none();
                if !was_skipping {
                    return Ok(LineRead::TooLong(find_leading_id(&begun)));
                }
            } else if end.is_some() {
                return Ok(LineRead::Line);
            }
        }
    }

    /// Sends the error that is due, if any. Cancellation neither loses nor repeats it.
    async fn send_refusal(&mut self) -> Result<(), Error> {
        if let Some(refusal) = &mut self.refusal {
            let mut output = self.output.lock().await;
            if let Some(error) = refusal.take() {
                output.queue(&error)?;
            }
            output.flush().await?;
            drop(output);
            self.refusal = None;
        }
        Ok(())
    }

    async fn receive_message(&mut self) -> Result<Option<ClientJsonRpcMessage>, Error> {
        loop {
            self.send_refusal().await?;
            let frame = match self.read_line().await? {
                LineRead::Line => parse_frame(&std::mem::take(&mut self.line)),
                LineRead::TooLong(id) => {
                    let error = format!("a message has at most {LINE_BYTES_MAX} bytes, and this one has more");
                    Frame::Refused(error_response(&id, &ErrorData::invalid_request(error, None)))
                }
                LineRead::End => return Ok(None),
            };
            match frame {
                Frame::Message(message) => {
                    let is_request = matches!(*message, ClientJsonRpcMessage::Request(_));
                    if is_request {
                        self.heard.request.store(true, Ordering::Relaxed);
                    } else {
                        self.heard.other.store(true, Ordering::Relaxed);
                    }
                    // Before the first request there is nothing that anything else could be about.
                    if self.heard.request.load(Ordering::Relaxed) {
                        return Ok(Some(*message));
                    }
                }
                Frame::Ignored => {}
                Frame::Refused(error) => {
                    self.heard.other.store(true, Ordering::Relaxed);
                    self.refusal = Some(Some(error));
                }
            }
        }
    }
}

impl<W: AsyncWrite + Unpin> LineWriter<W> {
    fn queue(&mut self, message: &impl serde::Serialize) -> Result<(), Error> {
        let start = self.unsent.len();
        if let Err(error) = serde_json::to_writer(&mut self.unsent, message) {
            self.unsent.truncate(start);
            return Err(error.into());
        }
        self.unsent.push(b'\n');
        Ok(())
    }

    async fn flush(&mut self) -> Result<(), Error> {
        while !self.unsent.is_empty() {
            let written = self.output.write(&self.unsent).await?;
            if written == 0 {
                return Err(ErrorKind::WriteZero.into());
            }
            self.unsent.drain(..written);
        }
        self.output.flush().await
    }
}

impl<R, W> Transport<RoleServer> for LineTransport<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = Error;

    fn send(&mut self, item: ServerJsonRpcMessage) -> impl Future<Output = Result<(), Error>> + Send + 'static {
        let output = Arc::clone(&self.output);
        async move {
            let mut output = output.lock().await;
            output.queue(&item)?;
            output.flush().await
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        // An end that cannot be read or written is gone.
        self.receive_message().await.ok().flatten()
    }

    async fn close(&mut self) -> Result<(), Error> {
        self.output.lock().await.flush().await
    }
}

/// Reads a line as a message of the protocol.
fn parse_frame(line: &[u8]) -> Frame {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return Frame::Ignored;
    }
    let Ok(value) = serde_json::from_slice::<Value>(line) else {
        let error = ErrorData::parse_error("this line is not JSON: send one JSON-RPC message a line", None);
        return Frame::Refused(error_response(&Value::Null, &error));
    };
    let id = value.get("id").filter(|id| id.is_string() || id.is_i64()).cloned().unwrap_or_default();
    if let Some(wrong) = find_shape_fault(&value) {
        return Frame::Refused(error_response(&id, &ErrorData::invalid_request(wrong, None)));
    }
    let is_notification = value.get("id").is_none() && value.get("method").is_some();
    let answers = value.get("result").or_else(|| value.get("error")).is_some();
    let method = value.get("method").and_then(Value::as_str).filter(|_| !answers).map(str::to_owned);
    match serde_json::from_value::<ClientJsonRpcMessage>(value) {
        Ok(ClientJsonRpcMessage::Request(request)) => match &request.request {
            ClientRequest::CustomRequest(custom) => {
                Frame::Refused(error_response(&id, &explain_unread_request(&custom.method)))
            }
            _ => Frame::Message(Box::new(ClientJsonRpcMessage::Request(request))),
        },
        Ok(message) => Frame::Message(Box::new(message)),
        Err(_) if is_notification => Frame::Ignored,
        // A request whose parameters are no object.
        Err(_) => {
            let no_message = || ErrorData::invalid_request("this is no JSON-RPC message", None);
            Frame::Refused(error_response(&id, &method.as_deref().map_or_else(no_message, explain_unread_request)))
        }
    }
}

/// Returns the id of a request that has only begun, so that its client does not wait without end; null if the id is not
/// among its first fields.
fn find_leading_id(line: &[u8]) -> Value {
    const HEAD_BYTES: usize = 1 << 10;
    let head = String::from_utf8_lossy(line.get(..HEAD_BYTES.min(line.len())).unwrap_or_default());
    let fields = head.split_once("\"params\"").map_or(&*head, |(front, _)| front);
    let value = fields.split_once("\"id\"").and_then(|(_, rest)| rest.trim_start().strip_prefix(':'));
    let id = value.and_then(|rest| serde_json::Deserializer::from_str(rest).into_iter::<Value>().next()?.ok());
    id.filter(|id| id.is_string() || id.is_i64()).unwrap_or_default()
}

/// Returns what keeps a value from being a JSON-RPC message, if anything does.
fn find_shape_fault(value: &Value) -> Option<&'static str> {
    let Some(message) = value.as_object() else {
        return Some("a message is a JSON object: send one a line, without batches");
    };
    let id_fits = |id: &Value| id.is_string() || id.is_i64();
    if message.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        Some("a message has \"jsonrpc\": \"2.0\"")
    } else if message.get("method").is_some_and(|method| !method.is_string()) {
        Some("`method` is a string")
    } else if message.contains_key("method") && message.get("id").is_some_and(|id| !id_fits(id)) {
        Some("`id` is a string or an integer")
    } else if !["method", "result", "error"].iter().any(|key| message.contains_key(*key)) {
        Some("a message has a `method`, a `result` or an `error`")
    } else {
        None
    }
}

/// Returns the error for a request that the library did not recognise.
fn explain_unread_request(method: &str) -> ErrorData {
    if METHODS.contains(&method) {
        return ErrorData::invalid_params("the parameters are not those of this method", None);
    }
    ErrorData::new(rmcp::model::ErrorCode::METHOD_NOT_FOUND, "there is no such method", None)
}

fn error_response(id: &Value, error: &ErrorData) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": error.code.0, "message": error.message}})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal_code(line: &[u8]) -> Option<i64> {
        match parse_frame(line) {
            Frame::Refused(error) => error["error"]["code"].as_i64(),
            Frame::Message(_) | Frame::Ignored => None,
        }
    }

    #[test]
    fn a_line_that_is_no_message_is_refused_with_the_code_of_the_field() {
        let deep = "[".repeat(100_000);
        let cases: &[(&[u8], i64)] = &[
            (b"hello", -32700),
            (b"{\"jsonrpc\": \"2.0\", \"id\": 1, ", -32700),
            (b"\xff\xfe\x00", -32700),
            (deep.as_bytes(), -32700),
            (b"7", -32600),
            (b"{}", -32600),
            (b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", -32600),
            (b"{\"id\":1,\"method\":\"ping\"}", -32600),
            (b"{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}", -32600),
            (b"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", -32600),
            (b"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}", -32600),
            (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}", -32600),
            (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"result\":{}}", -32600),
            (b"{\"jsonrpc\":\"2.0\",\"id\":1}", -32600),
            (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"frobnicate\"}", -32601),
            (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\"}", -32602),
            (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":7}}", -32602),
            (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":[]}", -32602),
            (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{}}", -32602),
        ];
        for (line, code) in cases {
            assert_eq!(refusal_code(line), Some(*code), "{}", String::from_utf8_lossy(line));
        }
    }

    #[test]
    fn the_id_of_a_request_that_is_too_long_is_among_its_first_fields() {
        for (line, id) in [
            (r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"text":"a"#, json!(7)),
            (r#"{"method":"tools/call", "id" : "x-1", "params":{"text":"a"#, json!("x-1")),
            (r#"{"method":"tools/call","params":{"id":3,"text":"a"#, Value::Null),
            (r#"{"id":1.5,"method":"a"#, Value::Null),
            ("aaaa", Value::Null),
        ] {
            assert_eq!(find_leading_id(line.as_bytes()), id, "{line}");
        }
    }

    #[test]
    fn messages_and_lines_that_get_no_answer_are_not_refused() {
        for line in [
            "",
            "\r\n",
            "\u{feff}{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\"}\r\n",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}",
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/frobnicated\"}",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
        ] {
            assert_eq!(refusal_code(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn every_method_that_is_read_is_one_of_the_library() {
        for method in METHODS {
            let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": 7});
            assert_eq!(refusal_code(request.to_string().as_bytes()), Some(-32602), "{method}");
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped_and_the_next_is_read() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let mut input = vec![b'x'; 3 * LINE_BYTES_MAX];
        input.extend(b"\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");
        let mut transport = LineTransport::new(&*input.leak(), Vec::new());
        let message = runtime.block_on(transport.receive());
        assert!(matches!(message, Some(ClientJsonRpcMessage::Request(_))), "{message:?}");
        assert!(runtime.block_on(transport.receive()).is_none());
        let output = runtime.block_on(transport.output.lock());
        let refusal: Value = serde_json::from_slice(&output.output).expect("one line of JSON");
        assert_eq!(refusal["error"]["code"], -32600, "{refusal}");
        assert!(transport.line.capacity() <= 2 * LINE_BYTES_MAX);
    }
}
