//! Listens on this machine alone, and answers until it is stopped.
//!
//! Limits are the connection's: how many there are, how long a head may take and how large it may be, and how long somebody without a
//! session may have it. But for `listen`, the crate's other files know no socket.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use jiff::civil::Date;
use memora_engine::FoundVault;
use memora_service::{Audience, ServiceSetup, ServiceThreads, VaultService};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, Semaphore};

use crate::app::{App, SharedApp};
use crate::guard::{ENTRANCE, Guard, with_headers};
use crate::host::PageHost;
use crate::listen::{BindError, Listeners, listen};
use crate::pages::{self, entrance::refuse};
use crate::sessions::Sessions;

/// The configuration of the page.
pub struct PageSetup {
    /// The vault.
    pub vault: FoundVault,
    /// The port; 0 for one that the system chooses.
    pub port: u16,
    /// Whether the address is `127.0.0.1` instead of a name of its own, for browsers that do not know such names. Other programs of this
    /// machine can then be sent the session, and can leave things in the browser that read the pages.
    pub plain_address: bool,
    /// Whether the user decides on the page. Without it, the page writes nothing and shows the commands.
    pub decide: bool,
    /// Returns the current day.
    pub today: Box<dyn Fn() -> Date + Send + Sync>,
    /// Ends the server.
    pub stop: PageStop,
    /// How much may be asked at once.
    pub limits: Limits,
}

/// What keeps a flood away from the vault.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most connections; others wait.
    pub connections: usize,
    /// The time within which the head of a request has to come.
    pub head_time: Duration,
    /// The time within which its body has to come.
    pub body_time: Duration,
    /// The time after which a connection is closed by which no session was named so far, whatever it is doing.
    pub stranger_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        let (head_time, body_time, stranger_time) =
            (Duration::from_secs(10), Duration::from_secs(30), Duration::from_secs(10));
        Self { connections: 64, head_time, body_time, stranger_time }
    }
}

/// The most bytes of a head.
const HEAD_MAX: usize = 16 << 10;

/// Ends a server from another thread, such as that of a signal.
#[derive(Clone, Default)]
pub struct PageStop(Arc<Notify>);

impl PageStop {
    /// Ends the server. What it is answering is not finished.
    pub fn stop(&self) {
        self.0.notify_one();
    }
}

/// A server that listens, and answers from [`PageServer::serve`] on.
pub struct PageServer {
    listeners: Listeners,
    app: SharedApp,
    threads: ServiceThreads,
    stop: PageStop,
    limits: Limits,
}

/// Makes addresses that let a browser in, while the page is served.
#[derive(Clone)]
pub struct Entrance(Arc<Guard>);

impl Entrance {
    /// Returns the port of the page.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.0.port
    }

    /// Returns an address that begins one session, within two minutes. Whoever has it reads the vault.
    #[must_use]
    pub fn new_address(&self) -> String {
        format!("http://{}{ENTRANCE}?once={}", self.host(), self.0.sessions.issue_once())
    }

    /// Returns the host of the page, with its port: the only one that is answered.
    #[must_use]
    pub fn host(&self) -> &str {
        self.0.host.as_str()
    }
}

impl PageServer {
    /// Listens on this machine alone, and starts the threads that read the vault.
    ///
    /// # Errors
    /// [`BindError`].
    pub fn bind(setup: PageSetup) -> Result<Self, BindError> {
        let PageSetup { vault, port, plain_address, decide, today, stop, limits } = setup;
        let listeners = Listeners::open(port, &listen)?;
        let port = listeners.port;
        let host = if plain_address { PageHost::plain(port) } else { PageHost::new_name(port) };
        let name = vault.vault().name().to_owned();
        let (service, threads) = VaultService::start(ServiceSetup { vault, audience: Audience::Local, today });
        let guard = Arc::new(Guard { port, host, sessions: Sessions::default(), body_time: limits.body_time });
        let app = Arc::new(App {
            service,
            guard,
            decide,
            vault: name,
            suggested: OnceLock::new(),
            last_review: Arc::default(),
        });
        Ok(Self { listeners, app, threads, stop, limits })
    }

    /// Returns what makes addresses that let a browser in.
    #[must_use]
    pub fn entrance(&self) -> Entrance {
        Entrance(Arc::clone(&self.app.guard))
    }

    /// Answers until the server is stopped. All threads have ended when this returns.
    ///
    /// # Errors
    /// [`BindError`].
    pub fn serve(self) -> Result<(), BindError> {
        let Self { listeners: Listeners { v4, v6, .. }, app, threads, stop, limits } = self;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(BindError::Runtime)?;
        let served = runtime.block_on(async {
            let v4 = TcpListener::from_std(v4).map_err(BindError::Runtime)?;
            let v6 = v6.map(TcpListener::from_std).transpose().map_err(BindError::Runtime)?;
            tokio::select! {
                () = accept_all(&v4, v6.as_ref(), &app, limits) => {}
                () = stop.0.notified() => {}
            }
            Ok(())
        });
        // Dropping the runtime drops the connections with their pending replies, which cancels what is running.
        runtime.shutdown_background();
        drop(app);
        threads.join();
        served
    }
}

/// Accepts connections, as many at once as the limits say.
async fn accept_all(v4: &TcpListener, v6: Option<&TcpListener>, app: &SharedApp, limits: Limits) {
    let routes = pages::routes(app);
    let free = Arc::new(Semaphore::new(limits.connections));
    loop {
        let Ok(place) = Arc::clone(&free).acquire_owned().await else { return };
        match accept_one(v4, v6).await {
            Ok((stream, _)) => {
                let (app, routes) = (Arc::clone(app), routes.clone());
                tokio::spawn(async move {
                    answer_connection(stream, &app, &routes, limits).await;
                    drop(place);
                });
            }
            // No more files, or a client that has gone: what is open closes in time.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

/// Accepts the next connection at either address.
async fn accept_one(v4: &TcpListener, v6: Option<&TcpListener>) -> std::io::Result<(TcpStream, SocketAddr)> {
    match v6 {
        None => v4.accept().await,
        Some(v6) => tokio::select! {
            accepted = v4.accept() => accepted,
            accepted = v6.accept() => accepted,
        },
    }
}

/// Answers the requests of one connection, one after the other.
async fn answer_connection(stream: TcpStream, app: &SharedApp, routes: &Router, limits: Limits) {
    let known = AtomicBool::new(false);
    let answer = service_fn(|request: hyper::Request<Incoming>| async {
        Ok::<_, Infallible>(answer_request(request.map(Body::new), app, routes, &known).await)
    });
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(limits.head_time).max_buf_size(HEAD_MAX);
    tokio::select! {
        // A client that breaks off, or sends what is no request, is nobody's error.
        served = server.serve_connection(TokioIo::new(stream), answer) => drop(served),
        // Whoever sends requests and reads no answer would keep the place of a browser.
        () = time_of_stranger(&known, limits.stranger_time) => {}
    }
}

/// Waits for as long as a connection is left to somebody who has named no session: for good, once one was named.
async fn time_of_stranger(known: &AtomicBool, time: Duration) {
    tokio::time::sleep(time).await;
    if known.load(Ordering::Relaxed) {
        std::future::pending::<()>().await;
    }
}

async fn answer_request(
    request: axum::extract::Request,
    app: &SharedApp,
    routes: &Router,
    known: &AtomicBool,
) -> Response {
    match app.guard.admit(request, known).await {
        Ok((request, admitted)) => {
            let Ok(response) = TowerToHyperService::new(routes.clone()).call(request).await;
            with_headers(response, &admitted.nonce)
        }
        Err(refusal) => refuse(refusal),
    }
}
