//! Worker threads that carry out calls: each owns a vault, and all end with the connection.
//!
//! One thread reads. One answers questions, since a language model may take a minute and searches must not wait for
//! it. A third [indexes](crate::indexer). Calls to one thread are answered in order.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use jiff::civil::Date;
use memora_engine::{FoundVault, MemoryAccess, MemorySession};
use tokio::sync::oneshot;

use crate::indexer::BackgroundIndexer;
use crate::request::{MemoryConnection, VaultRequest};
use crate::tool_error::ToolError;
use crate::vault_reader::{StopFlag, VaultReader};

/// The kind of client at the other end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClientKind {
    /// Any client: its model may run anywhere, so guarded text is withheld.
    #[default]
    Cloud,
    /// A client whose model runs on this machine, according to the user: it is shown everything.
    Local,
}

/// The configuration of a server.
pub struct ServerSetup {
    /// The vault. The worker threads open its state, so that the handshake waits for no disk.
    pub vault: FoundVault,
    /// The kind of client at the other end.
    pub client: ClientKind,
    /// Whether the client may create notes.
    pub allow_capture: bool,
    /// What the client may do with agents' memory.
    pub memory: MemoryAccess,
    /// The slug of the project that the client works on.
    pub project: Option<String>,
    /// Returns the current day.
    pub today: Box<dyn Fn() -> Date + Send + Sync>,
}

/// A unit of work for a worker thread.
type WorkerJob = Box<dyn FnOnce(Result<&mut VaultReader<'_>, ToolError>) + Send>;

/// The receiver of a result; closed without a value when the threads are gone.
pub(crate) type PendingReply<A> = oneshot::Receiver<Result<A, ToolError>>;

/// The server's handle to the worker threads of a connection.
pub(crate) struct Workers {
    reading: Mutex<Sender<WorkerJob>>,
    answering: Mutex<Sender<WorkerJob>>,
    pub(crate) indexing: Arc<BackgroundIndexer>,
}

/// The join handles of the worker threads.
pub(crate) struct WorkerThreads {
    handles: Vec<JoinHandle<()>>,
    indexing: Arc<BackgroundIndexer>,
}

impl Workers {
    /// Starts the threads. None of them opens the vault before its first job, or before a grace period is over.
    pub(crate) fn start(setup: ServerSetup) -> (Self, WorkerThreads) {
        let ServerSetup { vault, client, today, project, allow_capture: _, memory: _ } = setup;
        let indexing = Arc::new(BackgroundIndexer::default());
        let (vault, today) = (Arc::new(vault), Arc::new(today));
        let indexer = {
            let (vault, indexing) = (Arc::clone(&vault), Arc::clone(&indexing));
            thread::spawn(move || indexing.run(&vault))
        };
        let mut handles = vec![indexer];
        let mut start = || {
            let (send, jobs) = channel();
            let (vault, indexing, today) = (Arc::clone(&vault), Arc::clone(&indexing), Arc::clone(&today));
            let project = project.clone();
            handles.push(thread::spawn(move || {
                let memory = MemoryConnection { session: MemorySession::default(), project };
                run_jobs(&jobs, &vault, client, &memory, &indexing, &**today);
            }));
            Mutex::new(send)
        };
        let desk = Self { reading: start(), answering: start(), indexing: Arc::clone(&indexing) };
        (desk, WorkerThreads { handles, indexing })
    }

    /// Queues a request. Raising `stop` ends it early.
    pub(crate) fn submit<A: VaultRequest>(&self, ask: A, stop: StopFlag) -> PendingReply<A::Answer> {
        let (reply, received) = oneshot::channel();
        let queue = if ask.is_slow() { &self.answering } else { &self.reading };
        let job: WorkerJob = Box::new(move |reader| {
            // The receiver of a request that was cancelled in the queue is gone.
            if !reply.is_closed() {
                drop(reply.send(reader.and_then(|reader| reader.execute(&ask, &stop))));
            }
        });
        // When the thread is gone, its sender is dropped too, so the receiver gets an error.
        drop(queue.lock().unwrap_or_else(PoisonError::into_inner).send(job));
        received
    }
}

impl WorkerThreads {
    /// Waits for all threads to end: the queues are closed, so none has work left.
    pub(crate) fn join(self) {
        self.indexing.request_stop();
        for handle in self.handles {
            if handle.join().is_err() {
                tracing::error!("a thread of the server had panicked");
            }
        }
    }
}

/// Runs jobs in order. Opens the vault, and starts watching it, at the first one.
fn run_jobs(
    jobs: &Receiver<WorkerJob>,
    vault: &FoundVault,
    client: ClientKind,
    memory: &MemoryConnection,
    indexing: &BackgroundIndexer,
    today: &(dyn Fn() -> Date + Send + Sync),
) {
    let mut opened: Option<VaultReader<'_>> = None;
    for job in jobs {
        if let Some(reader) = &mut opened {
            job(Ok(reader));
            continue;
        }
        // If the vault cannot be opened now, the next job tries again.
        match vault.open() {
            Ok(memora) => job(Ok(opened.insert(VaultReader::new(memora, client, memory, indexing, today)))),
            Err(error) => job(Err(error.into())),
        }
    }
}
