//! A port of this machine, and a thread for every connection to it.

use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::JoinHandle;

/// A port that is served until this is dropped.
pub(crate) struct Port {
    address: String,
    ended: Arc<AtomicBool>,
    /// Whoever keeps silent waits for its other end to go.
    hold: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// Waits for the port to go.
#[derive(Clone)]
pub(crate) struct Held(Arc<Mutex<mpsc::Receiver<()>>>);

impl Held {
    /// Keeps silent until the server ends.
    pub(crate) fn wait(&self) {
        let _ = self.0.lock().unwrap_or_else(PoisonError::into_inner).recv();
    }
}

impl Port {
    /// Opens a port; `serve` gets every connection, each on a thread of its own.
    pub(crate) fn open(serve: impl Fn(&TcpStream, &Held) -> std::io::Result<()> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port can be had");
        let address = format!("http://{}", listener.local_addr().expect("it has an address"));
        let (hold, held) = mpsc::channel();
        let held = Held(Arc::new(Mutex::new(held)));
        let ended = Arc::new(AtomicBool::new(false));
        let (end, serve) = (Arc::clone(&ended), Arc::new(serve));
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if end.load(Ordering::Relaxed) {
                    return;
                }
                let (serve, held) = (Arc::clone(&serve), held.clone());
                // A client that goes away is no mistake.
                std::thread::spawn(move || drop(serve(&stream, &held)));
            }
        });
        Self { address, ended, hold: Some(hold), thread: Some(thread) }
    }

    /// `http://127.0.0.1:PORT`
    pub(crate) fn address(&self) -> &str {
        &self.address
    }
}

impl Drop for Port {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        drop(self.hold.take());
        // Wakes the thread that waits for connections.
        drop(TcpStream::connect(self.address.trim_start_matches("http://")));
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}
