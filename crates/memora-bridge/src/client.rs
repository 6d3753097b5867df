//! The handle to one server.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use memora_redact::{BridgeQuery, BridgeText};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;

use crate::circuit::Circuit;
use crate::command::BridgeCommand;
use crate::error::BridgeError;
use crate::reply::BridgedText;
use crate::server::{Reply, Request};
use crate::tools::ServerDescription;
use crate::worker::{Job, run};

/// A server, which is started by the first request. When the client is dropped, the server ends.
pub struct BridgeClient {
    command: BridgeCommand,
    circuit: Arc<Circuit>,
    thread: Mutex<Option<WorkerThread>>,
}

struct WorkerThread {
    jobs: UnboundedSender<Job>,
    stop: oneshot::Sender<()>,
    handle: JoinHandle<()>,
}

/// A reply to come.
#[must_use = "nobody else waits for it"]
pub struct Pending<T> {
    received: Receiver<Result<Reply, BridgeError>>,
    take: fn(Reply) -> Option<T>,
    is_abandoned: Arc<AtomicBool>,
}

impl BridgeClient {
    /// A client of a server, which is not started yet.
    #[must_use]
    pub fn new(command: BridgeCommand) -> Self {
        Self { command, circuit: Arc::default(), thread: Mutex::default() }
    }

    /// Whether the server is left alone, since it failed three times in a row.
    #[must_use]
    pub fn is_resting(&self) -> bool {
        self.circuit.is_open()
    }

    /// Asks what the server is, even one that was left alone. It is sent nothing.
    pub fn describe(&self, patience: Duration) -> Pending<ServerDescription> {
        self.circuit.close();
        self.begin(Request::Describe, patience, |reply| match reply {
            Reply::Description(description) => Some(description),
            _ => None,
        })
    }

    /// Searches what the server remembers.
    pub fn search(&self, query: BridgeQuery, limit: usize, patience: Duration) -> Pending<Vec<BridgedText>> {
        self.begin(Request::Search { query, limit }, patience, texts)
    }

    /// Lists what the server remembers.
    pub fn list(&self, patience: Duration) -> Pending<Vec<BridgedText>> {
        self.begin(Request::List, patience, texts)
    }

    /// Saves a text; the reply has its id there, if the server tells one. The title is for servers that want one.
    pub fn save(&self, text: &BridgeText, title: &str, patience: Duration) -> Pending<Option<String>> {
        let request = Request::Save { text: text.clone(), title: title.to_owned() };
        self.begin(request, patience, |reply| match reply {
            Reply::Saved(id) => Some(id),
            _ => None,
        })
    }

    /// Deletes what the server keeps under an id of its own.
    pub fn delete(&self, id: &str, patience: Duration) -> Pending<()> {
        self.begin(Request::Delete { id: id.to_owned() }, patience, |reply| match reply {
            Reply::Deleted => Some(()),
            _ => None,
        })
    }

    fn begin<T>(&self, request: Request, patience: Duration, take: fn(Reply) -> Option<T>) -> Pending<T> {
        let (reply, received) = sync_channel(1);
        let is_abandoned = Arc::new(AtomicBool::new(false));
        if self.is_resting() {
            drop(reply.send(Err(BridgeError::Resting)));
        } else {
            let deadline = (Instant::now() + patience).into();
            let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
            let thread = thread.get_or_insert_with(|| WorkerThread::start(&self.command, &self.circuit));
            // If the thread could not work, the reply's sender is dropped with the job.
            drop(thread.jobs.send(Job { request, deadline, is_abandoned: Arc::clone(&is_abandoned), reply }));
        }
        Pending { received, take, is_abandoned }
    }
}

fn texts(reply: Reply) -> Option<Vec<BridgedText>> {
    match reply {
        Reply::Texts(texts) => Some(texts),
        _ => None,
    }
}

impl<T> Pending<T> {
    /// Waits for the reply until then. What was not sent by then is not sent; what was, may still be answered.
    pub fn wait_until(self, deadline: Instant) -> Result<T, BridgeError> {
        let reply = match self.received.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(reply) => reply?,
            Err(RecvTimeoutError::Timeout) => return Err(BridgeError::TimedOut),
            Err(RecvTimeoutError::Disconnected) => return Err(BridgeError::Protocol),
        };
        (self.take)(reply).ok_or(BridgeError::Protocol)
    }
}

impl<T> Drop for Pending<T> {
    fn drop(&mut self) {
        self.is_abandoned.store(true, Ordering::Relaxed);
    }
}

impl WorkerThread {
    fn start(command: &BridgeCommand, circuit: &Arc<Circuit>) -> Self {
        let (jobs, received) = unbounded_channel();
        let (stop, stopped) = oneshot::channel();
        let (command, circuit) = (command.clone(), Arc::clone(circuit));
        let handle = std::thread::spawn(move || run(&command, received, stopped, &circuit));
        Self { jobs, stop, handle }
    }
}

impl Drop for BridgeClient {
    fn drop(&mut self) {
        let thread = self.thread.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(WorkerThread { jobs, stop, handle }) = thread {
            let _ = stop.send(());
            drop(jobs);
            drop(handle.join());
        }
    }
}
