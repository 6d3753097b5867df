//! Listens on this machine alone, and answers until it is stopped.
//!
//! Limits are the connection's: how many there are, how long a head may take and how large it may be. The crate's other files know no
//! socket.

use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
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
use memora_engine::{FoundVault, Hint};
use memora_service::{Audience, ServiceSetup, ServiceThreads, VaultService};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, Semaphore};

use crate::app::{App, SharedApp};
use crate::guard::{ENTRANCE, Guard, refuse, with_headers};
use crate::pages;
use crate::sessions::Sessions;

/// The configuration of the page.
pub struct PageSetup {
    /// The vault.
    pub vault: FoundVault,
    /// The port; 0 for one that the system chooses.
    pub port: u16,
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
}

impl Default for Limits {
    fn default() -> Self {
        Self { connections: 64, head_time: Duration::from_secs(10), body_time: Duration::from_secs(30) }
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

/// The page cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// Another program has the port, or this one may have none.
    #[error("cannot listen on 127.0.0.1 at port {port}")]
    Port {
        /// The port that was asked for.
        port: u16,
        /// Why.
        source: std::io::Error,
    },
    /// No runtime could be started for the connections.
    #[error("the page cannot be served")]
    Runtime(#[source] std::io::Error),
}

impl Hint for BindError {
    fn hint(&self) -> &'static str {
        match self {
            Self::Port { .. } => "leave out --port, and the system chooses one that is free",
            Self::Runtime(_) => "the system lets this program have no more threads or files",
        }
    }
}

/// A server that listens, and answers from [`PageServer::serve`] on.
pub struct PageServer {
    listener: std::net::TcpListener,
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
        let Guard { port, sessions, .. } = &*self.0;
        format!("http://127.0.0.1:{port}{ENTRANCE}?once={}", sessions.issue_once())
    }
}

impl PageServer {
    /// Listens on 127.0.0.1, and starts the threads that read the vault.
    ///
    /// # Errors
    /// [`BindError`].
    pub fn bind(setup: PageSetup) -> Result<Self, BindError> {
        let PageSetup { vault, port, decide, today, stop, limits } = setup;
        let failed = |source| BindError::Port { port, source };
        let listener = std::net::TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        let name = vault.vault().name().to_owned();
        let (service, threads) = VaultService::start(ServiceSetup { vault, audience: Audience::Local, today });
        let guard = Arc::new(Guard { port, sessions: Sessions::default(), body_time: limits.body_time });
        let app = Arc::new(App {
            service,
            guard,
            decide,
            vault: name,
            suggested: OnceLock::new(),
            last_review: Arc::default(),
        });
        Ok(Self { listener, app, threads, stop, limits })
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
        let Self { listener, app, threads, stop, limits } = self;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(BindError::Runtime)?;
        let served = runtime.block_on(async {
            let listener = TcpListener::from_std(listener).map_err(BindError::Runtime)?;
            tokio::select! {
                () = accept_all(&listener, &app, limits) => {}
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
async fn accept_all(listener: &TcpListener, app: &SharedApp, limits: Limits) {
    let routes = pages::routes(app);
    let free = Arc::new(Semaphore::new(limits.connections));
    loop {
        let Ok(place) = Arc::clone(&free).acquire_owned().await else { return };
        match listener.accept().await {
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

/// Answers the requests of one connection, one after the other.
async fn answer_connection(stream: TcpStream, app: &SharedApp, routes: &Router, limits: Limits) {
    let answer = service_fn(|request: hyper::Request<Incoming>| async {
        Ok::<_, Infallible>(answer_request(request.map(Body::new), app, routes).await)
    });
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(limits.head_time).max_buf_size(HEAD_MAX);
    // A client that breaks off, or sends what is no request, is nobody's error.
    drop(server.serve_connection(TokioIo::new(stream), answer).await);
}

async fn answer_request(request: axum::extract::Request, app: &SharedApp, routes: &Router) -> Response {
    match app.guard.admit(request).await {
        Ok((request, admitted)) => {
            let Ok(response) = TowerToHyperService::new(routes.clone()).call(request).await;
            with_headers(response, &admitted.nonce)
        }
        Err(refusal) => refuse(refusal),
    }
}
