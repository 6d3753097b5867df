//! Where calls are carried out: threads that own a vault each, and end with the connection.
//!
//! One reads. One answers questions, since a language model may take a minute over one, and nobody's search is to wait for
//! that. A third [indexes](crate::indexer). Calls to one thread are answered in turn.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use jiff::civil::Date;
use memora_engine::{EngineOpenError, Memora};
use tokio::sync::oneshot;

use crate::indexer::Indexing;
use crate::reader::{Reader, Stop};
use crate::reading::Ask;
use crate::trouble::Trouble;

/// Who is at the other end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Client {
    /// Anybody: its model may run anywhere, so guarded text is withheld.
    #[default]
    Cloud,
    /// One whose model runs on this machine, as the user says: it is shown everything.
    Local,
}

/// What a server needs.
pub struct Setup {
    /// The vault.
    pub memora: Memora,
    /// Who is at the other end.
    pub client: Client,
    /// Whether the client may make new notes.
    pub allow_capture: bool,
    /// Says what day it is.
    pub today: Box<dyn Fn() -> Date + Send + Sync>,
}

/// Something to be carried out by a thread.
type Job = Box<dyn FnOnce(&mut Reader<'_>) + Send>;

/// What became of something that was asked: nothing when the threads are gone.
pub(crate) type Reply<A> = oneshot::Receiver<Result<A, Trouble>>;

/// The threads' end of a connection.
pub(crate) struct Desk {
    reading: Mutex<Sender<Job>>,
    answering: Mutex<Sender<Job>>,
    pub(crate) indexing: Arc<Indexing>,
}

/// The threads, to be waited for.
pub(crate) struct Threads {
    handles: Vec<JoinHandle<()>>,
    indexing: Arc<Indexing>,
}

impl Desk {
    /// Starts the threads. None of them reads a note before this returns.
    ///
    /// # Errors
    /// [`EngineOpenError`], when the vault can't be opened a second time.
    pub(crate) fn start(setup: Setup) -> Result<(Self, Threads), EngineOpenError> {
        let Setup { memora, client, today, allow_capture: _ } = setup;
        let indexing = Arc::new(Indexing::default());
        let today = Arc::new(today);
        let (to_index, to_answer) = (memora.beside()?, memora.beside()?);
        let indexer = {
            let indexing = Arc::clone(&indexing);
            thread::spawn(move || indexing.run(&to_index))
        };
        let mut handles = vec![indexer];
        let mut start = |memora: Memora| {
            let (send, jobs) = channel();
            let (indexing, today) = (Arc::clone(&indexing), Arc::clone(&today));
            handles.push(thread::spawn(move || work(&jobs, memora, client, &indexing, &**today)));
            Mutex::new(send)
        };
        let desk = Self { reading: start(memora), answering: start(to_answer), indexing: Arc::clone(&indexing) };
        Ok((desk, Threads { handles, indexing }))
    }

    /// Has something answered. Raising `stop` ends it early.
    pub(crate) fn submit<A: Ask>(&self, ask: A, stop: Stop) -> Reply<A::Answer> {
        let (reply, received) = oneshot::channel();
        let queue = if ask.is_slow() { &self.answering } else { &self.reading };
        let job: Job = Box::new(move |reader| {
            // Nobody waits for one that was cancelled in the queue.
            if !reply.is_closed() {
                drop(reply.send(reader.carry_out(&ask, &stop)));
            }
        });
        // When the thread is gone, the reply's sender goes too, and whoever waits is told.
        drop(queue.lock().unwrap_or_else(PoisonError::into_inner).send(job));
        received
    }
}

impl Threads {
    /// Waits until all have ended: the desk is gone, so none has anything left to do.
    pub(crate) fn join(self) {
        self.indexing.end();
        for handle in self.handles {
            if handle.join().is_err() {
                tracing::error!("a thread of the server had panicked");
            }
        }
    }
}

/// Carries out calls, one after the other. The vault is watched from the first on.
fn work(
    jobs: &Receiver<Job>,
    memora: Memora,
    client: Client,
    indexing: &Indexing,
    today: &(dyn Fn() -> Date + Send + Sync),
) {
    let Ok(first) = jobs.recv() else { return };
    let mut reader = Reader::new(memora, client, indexing, today);
    for job in std::iter::once(first).chain(jobs) {
        job(&mut reader);
    }
}
