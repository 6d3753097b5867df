//! The thread of one server: starts it at the first request, answers requests in order, and ends it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::time::Duration;

use tokio::sync::{mpsc::UnboundedReceiver, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout, timeout_at};

use crate::circuit::Circuit;
use crate::command::BridgeCommand;
use crate::error::BridgeError;
use crate::process::Process;
use crate::server::{Reply, Request, Server};

/// How long a server may take to start.
const START_MAX: Duration = Duration::from_secs(30);

/// A request with its limits.
pub(crate) struct Job {
    pub(crate) request: Request,
    /// When it is given up.
    pub(crate) deadline: Instant,
    /// Whether nobody waits for it any more. Then it is not sent.
    pub(crate) is_abandoned: Arc<AtomicBool>,
    pub(crate) reply: SyncSender<Result<Reply, BridgeError>>,
}

/// Where a server is.
enum Link {
    Idle,
    Starting(Process, JoinHandle<Result<Server, BridgeError>>),
    Running(Process, Box<Server>),
}

/// Runs until no more jobs can come, or `stop` is dropped or sent.
pub(crate) fn run(
    command: &BridgeCommand,
    jobs: UnboundedReceiver<Job>,
    stop: oneshot::Receiver<()>,
    circuit: &Circuit,
) {
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
    runtime.block_on(async {
        let mut worker = Worker { command, circuit, link: Link::Idle, is_working: false };
        tokio::select! {
            () = worker.serve(jobs) => {}
            _ = stop => {}
        }
        worker.stop().await;
    });
}

struct Worker<'w> {
    command: &'w BridgeCommand,
    circuit: &'w Circuit,
    link: Link,
    /// Whether it answered the last request, so that it can be expected to end by itself.
    is_working: bool,
}

impl Worker<'_> {
    async fn serve(&mut self, mut jobs: UnboundedReceiver<Job>) {
        while let Some(job) = jobs.recv().await {
            self.is_working = false;
            let outcome = self.answer(&job).await;
            self.is_working = outcome.as_ref().map_or_else(|error| !error.is_failure(), |_| true);
            let is_lost = matches!(&self.link, Link::Running(_, server) if !server.is_connected());
            if self.circuit.record(&outcome) || is_lost {
                self.stop().await;
            }
            // Nobody may wait any more.
            drop(job.reply.send(outcome));
        }
    }

    async fn answer(&mut self, job: &Job) -> Result<Reply, BridgeError> {
        let server = self.connect(job.deadline).await?;
        if job.is_abandoned.load(Ordering::Relaxed) {
            return Err(BridgeError::Starting);
        }
        timeout_at(job.deadline, server.answer(&job.request)).await.unwrap_or(Err(BridgeError::TimedOut))
    }

    /// The running server. The request that starts it waits for it; those that come while it starts do not.
    async fn connect(&mut self, deadline: Instant) -> Result<&Server, BridgeError> {
        let is_first = matches!(self.link, Link::Idle);
        if is_first {
            let (process, output, input) = Process::start(self.command)?;
            let connect = timeout(START_MAX, Server::connect(output, input, self.command.arguments.clone()));
            let start = tokio::spawn(async { connect.await.unwrap_or(Err(BridgeError::TimedOut)) });
            self.link = Link::Starting(process, start);
        }
        if let Link::Starting(_, start) = &mut self.link
            && (is_first || start.is_finished())
            && let Ok(started) = timeout_at(deadline, start).await
            && let Link::Starting(process, _) = std::mem::replace(&mut self.link, Link::Idle)
        {
            match started.unwrap_or(Err(BridgeError::Protocol)) {
                Ok(server) => self.link = Link::Running(process, Box::new(server)),
                Err(error) => {
                    process.end(false).await;
                    return Err(error);
                }
            }
        }
        match &self.link {
            Link::Running(_, server) => Ok(server),
            Link::Idle | Link::Starting(..) => Err(BridgeError::Starting),
        }
    }

    async fn stop(&mut self) {
        match std::mem::replace(&mut self.link, Link::Idle) {
            Link::Idle => {}
            Link::Starting(process, start) => {
                start.abort();
                drop(start.await);
                process.end(false).await;
            }
            Link::Running(process, server) => {
                server.disconnect().await;
                process.end(self.is_working).await;
            }
        }
    }
}
