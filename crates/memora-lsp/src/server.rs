//! The conversation with an editor: the handshake, and one loop that waits for its messages, for a pause in what it writes, and for
//! answers of the [`VaultService`].

use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, bounded, never, select};
use jiff::civil::Date;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response, ResponseError};
use lsp_types::{InitializeResult, PublishDiagnosticsParams, ServerInfo, Uri};
use memora_engine::{FoundVault, Hint};
use memora_service::{Audience, ServiceSetup, VaultService};
use serde_json::Value;

use crate::documents::{Buffer, Documents, WAIT, WAITS_MAX};
use crate::error::EditorError;
use crate::judge::{Judge, LATER};
use crate::options::{View, capabilities};
use crate::pending::{Answered, PendingRequests, Purpose};
use crate::question::Question;
use crate::routes::{self, Routed};

/// The configuration of a server.
pub struct EditorSetup {
    /// The vault. The service's threads open its state, so that the handshake waits for no disk.
    pub vault: FoundVault,
    /// Who reads what the editor shows.
    pub audience: Audience,
    /// Returns the current day.
    pub today: Box<dyn Fn() -> Date + Send + Sync>,
    /// Ends the server before its editor does.
    pub stop: EditorStopSignal,
}

/// Ends a server from another thread, such as that of a signal.
pub struct EditorStop(Sender<()>);

/// What an [`EditorStop`] is heard by. A server whose [`EditorStop`] was dropped is ended, too.
pub struct EditorStopSignal(Receiver<()>);

/// Makes what ends a server, and what the server hears it by.
#[must_use]
pub fn editor_stop() -> (EditorStop, EditorStopSignal) {
    let (sender, receiver) = bounded(1);
    (EditorStop(sender), EditorStopSignal(receiver))
}

impl EditorStop {
    /// Ends the server, as if its editor had gone.
    pub fn stop(&self) {
        // A server that was told before, or has ended, needs no more.
        let _ = self.0.try_send(());
    }
}

/// How a conversation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditorEnd {
    /// The editor said that it would end, or went, or the server was stopped.
    Good,
    /// The editor said `exit` without `shutdown`, which the protocol has end with exit code 1.
    WithoutShutdown,
}

/// An error that ends serving.
#[derive(Debug, thiserror::Error)]
pub enum EditorServeError {
    /// Nothing that was sent is a request of the protocol, or the first request is no handshake.
    #[error("no editor spoke: expected messages of the Language Server Protocol, and first an `initialize` request")]
    Handshake,
}

impl Hint for EditorServeError {
    fn hint(&self) -> &'static str {
        "memora lsp is started by an editor, not by hand; docs/editors.md has a few lines for each"
    }
}

/// Serves an editor over a connection until it ends or the server is stopped. All threads of the service have ended when this returns.
///
/// # Errors
/// [`EditorServeError`]. An editor that goes is no error.
pub fn serve_editor_on(setup: EditorSetup, connection: Connection) -> Result<EditorEnd, EditorServeError> {
    let EditorSetup { vault, audience, today, stop: EditorStopSignal(stop) } = setup;
    let Some(view) = shake_hands(&connection, &stop)? else { return Ok(EditorEnd::Good) };
    let (service, threads) = VaultService::start(ServiceSetup { vault, audience, today });
    let (bell, rung) = bounded(1);
    let documents = Documents::new(view.units);
    let server = EditorServer {
        connection,
        service,
        view,
        documents,
        pending: PendingRequests::new(bell),
        is_shut_down: false,
        has_failed: false,
    };
    // The server is dropped at the end of its loop, with its pending requests and the service, which cancels what is running.
    let end = server.run(&rung, &stop);
    threads.join();
    Ok(end)
}

/// Answers `initialize`; returns what the editor can show, or `None` if it went.
fn shake_hands(connection: &Connection, stop: &Receiver<()>) -> Result<Option<View>, EditorServeError> {
    loop {
        let message = select! {
            recv(connection.receiver) -> message => message,
            recv(stop) -> _ => return Ok(None),
        };
        match message {
            Ok(Message::Request(request)) if request.method == "initialize" => {
                let view = View::read(&request.params);
                let info =
                    ServerInfo { name: "memora".to_owned(), version: Some(env!("CARGO_PKG_VERSION").to_owned()) };
                let result = InitializeResult { capabilities: capabilities(&view), server_info: Some(info) };
                let sent = connection.sender.send(Response::new_ok(request.id, result).into());
                return Ok(sent.is_ok().then_some(view));
            }
            Ok(Message::Request(request)) => {
                let code = ErrorCode::ServerNotInitialized as i32;
                let refusal = Response::new_err(request.id, code, "expected `initialize` first".to_owned());
                if connection.sender.send(refusal.into()).is_err() {
                    return Ok(None);
                }
            }
            Ok(Message::Notification(note)) if note.method == "exit" => return Ok(None),
            Ok(_) => {}
            Err(_) => return Err(EditorServeError::Handshake),
        }
    }
}

/// Whether the loop goes on.
type Flow = std::ops::ControlFlow<EditorEnd>;

struct EditorServer {
    connection: Connection,
    service: VaultService,
    view: View,
    documents: Documents,
    pending: PendingRequests,
    is_shut_down: bool,
    /// Whether the user was told that documents cannot be judged.
    has_failed: bool,
}

impl EditorServer {
    /// Serves until the editor ends, goes, or the server is stopped.
    fn run(mut self, rung: &Receiver<()>, stop: &Receiver<()>) -> EditorEnd {
        loop {
            let wait = self.documents.next_due().map(|due| due.saturating_duration_since(Instant::now()));
            let pause = wait.map_or_else(never, crossbeam_channel::after);
            let flow = select! {
                recv(self.connection.receiver) -> message => match message {
                    Ok(message) => self.hear(message),
                    Err(_) => Flow::Break(EditorEnd::Good),
                },
                recv(rung) -> _ => self.tell_answers(),
                recv(pause) -> _ => self.judge_due(),
                recv(stop) -> _ => Flow::Break(EditorEnd::Good),
            };
            if let Flow::Break(end) = flow {
                return end;
            }
        }
    }

    fn hear(&mut self, message: Message) -> Flow {
        match message {
            Message::Request(request) => self.take_request(request),
            Message::Notification(note) => self.take_notification(note),
            // The server asks the editor nothing.
            Message::Response(_) => Flow::Continue(()),
        }
    }

    fn take_request(&mut self, request: Request) -> Flow {
        let Request { id, method, params } = request;
        if self.is_shut_down {
            let message = "the server was asked to shut down".to_owned();
            return self.respond(Response::new_err(id, ErrorCode::InvalidRequest as i32, message));
        }
        if method == "shutdown" {
            self.is_shut_down = true;
            self.pending.cancel(|_| true);
            return self.respond(Response::new_ok(id, Value::Null));
        }
        match routes::route(&method, params, &self.documents, &self.view) {
            Routed::Ask(question) => {
                self.pending.push(Purpose::Respond(id), self.service.submit(question));
                Flow::Continue(())
            }
            Routed::Answer(value) => self.respond(Response::new_ok(id, value)),
            Routed::Refuse(error) => self.respond(refused(id, &error)),
            Routed::Unknown => {
                let message = "there is no such request".to_owned();
                self.respond(Response::new_err(id, ErrorCode::MethodNotFound as i32, message))
            }
        }
    }

    fn take_notification(&mut self, note: Notification) -> Flow {
        match note.method.as_str() {
            "exit" if self.is_shut_down => return Flow::Break(EditorEnd::Good),
            "exit" => return Flow::Break(EditorEnd::WithoutShutdown),
            "$/cancelRequest" => return self.cancel(&note.params),
            _ => {}
        }
        match routes::apply_notification(note, &mut self.documents) {
            Some(routes::Changed::Text(uri)) => {
                // What an older version was judged to be is not awaited.
                self.pending.cancel(|purpose| matches!(purpose, Purpose::Publish(of, _) if *of == uri));
                Flow::Continue(())
            }
            Some(routes::Changed::Closed(uri, was_published)) => {
                self.pending.cancel(|purpose| matches!(purpose, Purpose::Publish(of, _) if *of == uri));
                if was_published { self.publish(uri, None, Value::Array(Vec::new())) } else { Flow::Continue(()) }
            }
            None => Flow::Continue(()),
        }
    }

    fn cancel(&mut self, params: &Value) -> Flow {
        let Some(Ok(id)) = params.get("id").cloned().map(serde_json::from_value::<RequestId>) else {
            return Flow::Continue(());
        };
        if !self.pending.cancel(|purpose| *purpose == Purpose::Respond(id.clone())) {
            return Flow::Continue(());
        }
        self.respond(Response::new_err(id, ErrorCode::RequestCanceled as i32, "cancelled".to_owned()))
    }

    /// Has the documents judged whose pause is over.
    fn judge_due(&mut self) -> Flow {
        for (uri, version, buffer) in self.documents.take_due(Instant::now()) {
            self.pending.cancel(|purpose| matches!(purpose, Purpose::Publish(of, _) if *of == uri));
            self.judge(uri, version, buffer);
        }
        Flow::Continue(())
    }

    fn judge(&mut self, uri: Uri, version: i32, buffer: Buffer) {
        let document = self.documents.get(&uri);
        let published = document.and_then(|document| document.published.clone());
        let may_wait = document.is_some_and(|document| document.waits < WAITS_MAX);
        let judge = Question::Judge(Judge { buffer, view: self.view, published, may_wait });
        self.pending.push(Purpose::Publish(uri, version), self.service.submit(judge));
    }

    fn tell_answers(&mut self) -> Flow {
        for (purpose, answer) in self.pending.take_answered() {
            self.tell_answer((purpose, answer))?;
        }
        Flow::Continue(())
    }

    fn tell_answer(&mut self, (purpose, answer): Answered) -> Flow {
        match (purpose, answer) {
            (Purpose::Respond(id), Ok(value)) => self.respond(Response::new_ok(id, value)),
            (Purpose::Respond(id), Err(error)) => self.respond(refused(id, &error)),
            (Purpose::Publish(uri, version), Ok(value)) => self.tell_verdicts(uri, version, value),
            (Purpose::Publish(..), Err(error)) => self.tell_failure(&error),
        }
    }

    /// Publishes what is wrong in a document, if that is not what was published last.
    fn tell_verdicts(&mut self, uri: Uri, version: i32, diagnostics: Value) -> Flow {
        self.has_failed = false;
        let Some(document) = self.documents.get_mut(uri.as_str()) else { return Flow::Continue(()) };
        if document.version != version {
            return Flow::Continue(());
        }
        if diagnostics == LATER {
            document.waits += 1;
            document.due = Some(Instant::now() + WAIT);
            return Flow::Continue(());
        }
        document.waits = 0;
        if diagnostics.is_null() {
            return Flow::Continue(());
        }
        document.published = Some(diagnostics.clone());
        self.publish(uri, Some(version), diagnostics)
    }

    /// Tells the user once that documents cannot be judged.
    fn tell_failure(&mut self, error: &EditorError) -> Flow {
        if error.is_stopped() || std::mem::replace(&mut self.has_failed, true) {
            return Flow::Continue(());
        }
        let params = serde_json::json!({"type": 1, "message": format!("memora: {}", error.render())});
        self.send(Notification::new("window/showMessage".to_owned(), params).into())
    }

    fn publish(&mut self, uri: Uri, version: Option<i32>, diagnostics: Value) -> Flow {
        let Ok(diagnostics) = serde_json::from_value(diagnostics) else { return Flow::Continue(()) };
        let params = PublishDiagnosticsParams { uri, diagnostics, version };
        self.send(Notification::new("textDocument/publishDiagnostics".to_owned(), params).into())
    }

    fn respond(&mut self, response: Response) -> Flow {
        self.send(response.into())
    }

    /// Sends; an editor that cannot be written to has gone.
    fn send(&mut self, message: Message) -> Flow {
        match self.connection.sender.send(message) {
            Ok(()) => Flow::Continue(()),
            Err(_) => Flow::Break(EditorEnd::Good),
        }
    }
}

fn refused(id: RequestId, error: &EditorError) -> Response {
    let ResponseError { code, message, .. } = error.to_response();
    Response::new_err(id, code, message)
}
