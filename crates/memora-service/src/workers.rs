//! Worker threads that answer requests: each owns a vault, and all end with the service.
//!
//! One thread reads. One answers slow requests, since a language model may take a minute and searches must not wait for
//! it. A third [indexes](crate::indexer). Requests to one thread are answered in order. A request that panics is answered by
//! [`ServiceError::Panicked`], and the next one finds the vault opened anew.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::thread::{self, JoinHandle};

use jiff::civil::Date;
use memora_engine::FoundVault;
use tokio::sync::{oneshot, watch};

use crate::audience::Audience;
use crate::error::ServiceError;
use crate::indexer::{BackgroundIndexer, IndexProgress};
use crate::request::VaultRequest;
use crate::vault_reader::VaultReader;

/// The configuration of a service.
pub struct ServiceSetup {
    /// The vault. The worker threads open its state, so that starting waits for no disk.
    pub vault: FoundVault,
    /// The reader of the answers.
    pub audience: Audience,
    /// Returns the current day.
    pub today: Box<dyn Fn() -> Date + Send + Sync>,
}

/// A unit of work for a worker thread, which says how it ended.
type WorkerJob = Box<dyn FnOnce(Result<&mut VaultReader<'_>, ServiceError>) -> JobEnd + Send>;

/// How a unit of work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum JobEnd {
    Answered,
    /// It was left in the middle, and so was all that it read from.
    Panicked,
}

/// The handle to the worker threads. When it is dropped, they end.
pub struct VaultService {
    reading: Mutex<Sender<WorkerJob>>,
    answering: Mutex<Sender<WorkerJob>>,
    indexing: Arc<BackgroundIndexer>,
}

/// The join handles of the worker threads.
#[must_use = "the threads are joined by it"]
pub struct ServiceThreads {
    handles: Vec<JoinHandle<()>>,
    indexing: Arc<BackgroundIndexer>,
}

/// The answer to come. Dropping it cancels the request.
pub struct PendingReply<R: VaultRequest> {
    received: oneshot::Receiver<Result<R::Answer, R::Error>>,
    stop: Arc<AtomicBool>,
}

impl VaultService {
    /// Starts the threads. None of them opens the vault before its first request, or before a grace period of half a second
    /// is over.
    pub fn start(setup: ServiceSetup) -> (Self, ServiceThreads) {
        let ServiceSetup { vault, audience, today } = setup;
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
            handles.push(thread::spawn(move || run_jobs(&jobs, &vault, audience, &indexing, &**today)));
            Mutex::new(send)
        };
        let service = Self { reading: start(), answering: start(), indexing: Arc::clone(&indexing) };
        (service, ServiceThreads { handles, indexing })
    }

    /// Queues a request.
    pub fn submit<R: VaultRequest>(&self, request: R) -> PendingReply<R> {
        let (reply, received) = oneshot::channel();
        let stop = Arc::new(AtomicBool::new(false));
        let queue = if request.is_slow() { &self.answering } else { &self.reading };
        let cancelled = Arc::clone(&stop);
        let job: WorkerJob = Box::new(move |reader| {
            // The receiver of a request that was cancelled in the queue is gone.
            if reply.is_closed() {
                return JobEnd::Answered;
            }
            let answer = || reader.map_err(R::Error::from).and_then(|reader| reader.execute(&request, &cancelled));
            // Nothing that a panic may have left in a wrong state is read again: the reader is thrown away.
            let (answer, end) = match catch_unwind(AssertUnwindSafe(answer)) {
                Ok(answer) => (answer, JobEnd::Answered),
                Err(_) => (Err(ServiceError::Panicked.into()), JobEnd::Panicked),
            };
            drop(reply.send(answer));
            end
        });
        // When the thread is gone, the job is dropped with its sender, so the receiver gets an error.
        drop(queue.lock().unwrap_or_else(PoisonError::into_inner).send(job));
        PendingReply { received, stop }
    }

    /// Subscribes to the progress of indexing, from now on.
    #[must_use]
    pub fn subscribe_progress(&self) -> watch::Receiver<IndexProgress> {
        self.indexing.subscribe_progress()
    }
}

impl<R: VaultRequest> PendingReply<R> {
    /// Blocks the current thread until the answer is there. Not for threads that run asynchronous tasks.
    ///
    /// # Errors
    /// The request's error; [`ServiceError::Stopped`] as such if the threads have ended.
    pub fn wait(mut self) -> Result<R::Answer, R::Error> {
        let (_, closed) = oneshot::channel();
        let received = std::mem::replace(&mut self.received, closed);
        received.blocking_recv().unwrap_or_else(|_| Err(ServiceError::Stopped.into()))
    }
}

impl<R: VaultRequest> Future for PendingReply<R> {
    type Output = Result<R::Answer, R::Error>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let received = Pin::new(&mut self.received).poll(context);
        received.map(|answer| answer.unwrap_or_else(|_| Err(ServiceError::Stopped.into())))
    }
}

impl<R: VaultRequest> Drop for PendingReply<R> {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl ServiceThreads {
    /// Waits for all threads to end. Drop the [`VaultService`] and all replies first: a thread ends when its queue is closed
    /// and its last request is answered or cancelled.
    pub fn join(self) {
        self.indexing.request_stop();
        for handle in self.handles {
            if handle.join().is_err() {
                tracing::error!("a thread of the service had panicked");
            }
        }
    }
}

/// Runs jobs in order. Opens the vault, and starts watching it, at the first one.
fn run_jobs(
    jobs: &Receiver<WorkerJob>,
    vault: &FoundVault,
    audience: Audience,
    indexing: &BackgroundIndexer,
    today: &(dyn Fn() -> Date + Send + Sync),
) {
    let mut opened: Option<VaultReader<'_>> = None;
    for job in jobs {
        let end = match &mut opened {
            Some(reader) => job(Ok(reader)),
            // If the vault cannot be opened now, the next job tries again.
            none => {
                let open = || vault.open().map(|memora| VaultReader::new(memora, audience, indexing, today));
                match catch_unwind(AssertUnwindSafe(open)) {
                    Ok(Ok(reader)) => job(Ok(none.insert(reader))),
                    Ok(Err(error)) => job(Err(error.into())),
                    Err(_) => job(Err(ServiceError::Panicked)),
                }
            }
        };
        if end == JobEnd::Panicked {
            tracing::error!("a request panicked; the next one opens the vault anew");
            opened = None;
        }
    }
}
