//! Where calls are carried out: threads that own a vault each, and end with the connection.
//!
//! One reads. One answers questions, since a language model may take a minute over one, and nobody's search is to wait for
//! that. A third [indexes](crate::indexer). Calls to one thread are answered in turn.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use jiff::civil::Date;
use memora_engine::FoundVault;
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
    /// The vault; its state is opened by those who read it, so that the handshake waits for no disk.
    pub vault: FoundVault,
    /// Who is at the other end.
    pub client: Client,
    /// Whether the client may make new notes.
    pub allow_capture: bool,
    /// Says what day it is.
    pub today: Box<dyn Fn() -> Date + Send + Sync>,
}

/// Something to be carried out by a thread.
type Job = Box<dyn FnOnce(Result<&mut Reader<'_>, Trouble>) + Send>;

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
    /// Starts the threads. None of them opens the vault before it is asked for something, or has waited a while.
    pub(crate) fn start(setup: Setup) -> (Self, Threads) {
        let Setup { vault, client, today, allow_capture: _ } = setup;
        let indexing = Arc::new(Indexing::default());
        let (vault, today) = (Arc::new(vault), Arc::new(today));
        let indexer = {
            let (vault, indexing) = (Arc::clone(&vault), Arc::clone(&indexing));
            thread::spawn(move || indexing.run(&vault))
        };
        let mut handles = vec![indexer];
        let mut start = || {
            let (send, jobs) = channel();
            let (vault, indexing, today) = (Arc::clone(&vault), Arc::clone(&indexing), Arc::clone(&today));
            handles.push(thread::spawn(move || work(&jobs, &vault, client, &indexing, &**today)));
            Mutex::new(send)
        };
        let desk = Self { reading: start(), answering: start(), indexing: Arc::clone(&indexing) };
        (desk, Threads { handles, indexing })
    }

    /// Has something answered. Raising `stop` ends it early.
    pub(crate) fn submit<A: Ask>(&self, ask: A, stop: Stop) -> Reply<A::Answer> {
        let (reply, received) = oneshot::channel();
        let queue = if ask.is_slow() { &self.answering } else { &self.reading };
        let job: Job = Box::new(move |reader| {
            // Nobody waits for one that was cancelled in the queue.
            if !reply.is_closed() {
                drop(reply.send(reader.and_then(|reader| reader.carry_out(&ask, &stop))));
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

/// Carries out calls, one after the other. The vault is opened, and watched, from the first on.
fn work(
    jobs: &Receiver<Job>,
    vault: &FoundVault,
    client: Client,
    indexing: &Indexing,
    today: &(dyn Fn() -> Date + Send + Sync),
) {
    let mut opened: Option<Reader<'_>> = None;
    for job in jobs {
        if let Some(reader) = &mut opened {
            job(Ok(reader));
            continue;
        }
        // Where it cannot be opened, it may be by the next call.
        match vault.open() {
            Ok(memora) => job(Ok(opened.insert(Reader::new(memora, client, indexing, today)))),
            Err(error) => job(Err(error.into())),
        }
    }
}
