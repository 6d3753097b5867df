//! A local listening port, with a thread per connection.

use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::JoinHandle;

/// A port that is served until it is dropped.
pub(crate) struct LocalListener {
    address: String,
    ended: Arc<AtomicBool>,
    /// Dropped to release connections that wait in [`ShutdownSignal::wait`].
    hold: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// A handle that waits for the server to shut down.
#[derive(Clone)]
pub(crate) struct ShutdownSignal(Arc<Mutex<mpsc::Receiver<()>>>);

impl ShutdownSignal {
    /// Blocks until the server shuts down.
    pub(crate) fn wait(&self) {
        let _ = self.0.lock().unwrap_or_else(PoisonError::into_inner).recv();
    }
}

impl LocalListener {
    /// Opens a port; `serve` handles every connection, each on its own thread.
    pub(crate) fn open(
        serve: impl Fn(&TcpStream, &ShutdownSignal) -> std::io::Result<()> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port can be had");
        let address = format!("http://{}", listener.local_addr().expect("it has an address"));
        let (hold, held) = mpsc::channel();
        let held = ShutdownSignal(Arc::new(Mutex::new(held)));
        let ended = Arc::new(AtomicBool::new(false));
        let (end, serve) = (Arc::clone(&ended), Arc::new(serve));
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if end.load(Ordering::Relaxed) {
                    return;
                }
                let (serve, held) = (Arc::clone(&serve), held.clone());
                // A client that disconnects is not an error.
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

impl Drop for LocalListener {
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
