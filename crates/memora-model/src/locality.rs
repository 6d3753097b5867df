//! Where a model runs: on this machine, or anywhere else.
//!
//! Invariant: **anything else is the cloud.** A model is local only if everything indicates it: the user says so,
//! all addresses of its host are this machine's, and it does not forward prompts. Anything unknown counts as
//! remote.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use reqwest::dns::{Name, Resolve, Resolving};
use reqwest::redirect::Policy;
use reqwest::{ClientBuilder, Url};

use crate::http;
use crate::retry::{Stopped, wait_or_stop};

use memora_vault::Hint;

/// Why a model is treated as remote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RemoteReason {
    /// The user's configuration does not say `trusted_local = true`.
    NotTrusted,
    /// Its host is, or may be, another machine.
    NotLoopback,
    /// Its name ends as those do that Ollama passes on.
    NamedCloud,
    /// The server says that the model runs elsewhere.
    RunsElsewhere,
    /// The server could not be reached to be asked where the model runs.
    NotReached,
    /// The server knows no model of this name.
    NoSuchModel,
    /// The server does not say where the model runs.
    NotSaid,
}

impl Hint for RemoteReason {
    fn hint(&self) -> &'static str {
        match self {
            Self::NotTrusted => "write trusted_local = true if it runs on this machine and may see what is guarded",
            Self::NotLoopback => "only this machine's address is local, such as http://127.0.0.1:11434 or unix:///path",
            Self::NamedCloud | Self::RunsElsewhere => "name a model that is on this machine; ollama list shows them",
            Self::NotReached => "check that it runs and that model.url is its address",
            Self::NoSuchModel => "check model.name; for Ollama, fetch the model: ollama pull NAME",
            Self::NotSaid => "docs/privacy.md says what its server has to answer",
        }
    }
}

impl fmt::Display for RemoteReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotTrusted => "the configuration does not say trusted_local = true",
            Self::NotLoopback => "its address is not this machine's alone",
            Self::NamedCloud => "its name is that of a model that runs in the cloud",
            Self::RunsElsewhere => "the server says that the model runs elsewhere",
            Self::NotReached => "its server cannot be reached",
            Self::NoSuchModel => "its server knows no model of this name",
            Self::NotSaid => "the server does not say where the model runs",
        })
    }
}

/// The destination of requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ModelEndpoint {
    /// A socket in the file system, which is this machine's.
    Socket(PathBuf),
    /// A host whose addresses are loopback ones; connections go to these and to no others.
    Loopback { host: String, addresses: Vec<SocketAddr> },
    /// Any other.
    Remote,
}

impl ModelEndpoint {
    /// Determines where an address leads. Names are resolved here, once.
    pub(crate) async fn resolve_url(
        url: &Url,
        trusted: bool,
        within: Duration,
        stop: &AtomicBool,
    ) -> Result<Self, Stopped> {
        if url.scheme() == "unix" {
            return Ok(socket_path(url).filter(|_| cfg!(unix)).map_or(Self::Remote, Self::Socket));
        }
        let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else { return Ok(Self::Remote) };
        if let Some(address) = parse_ip(host) {
            return Ok(Self::from_addresses(host, vec![SocketAddr::new(address, port)]));
        }
        // An untrusted, encrypted host is reached as any cloud host is, perhaps through a proxy that knows the name
        // where this machine does not.
        if !trusted && url.scheme() == "https" {
            return Ok(Self::Remote);
        }
        let found = tokio::time::timeout(within, tokio::net::lookup_host((host, port)));
        let addresses = match wait_or_stop(stop, found).await? {
            Ok(Ok(addresses)) => addresses.collect(),
            Ok(Err(_)) | Err(_) => Vec::new(),
        };
        Ok(Self::from_addresses(host, addresses))
    }

    /// Classifies a host by its resolved addresses.
    fn from_addresses(host: &str, addresses: Vec<SocketAddr>) -> Self {
        let here = !addresses.is_empty() && addresses.iter().all(|address| address.ip().is_loopback());
        if here { Self::Loopback { host: host.to_owned(), addresses } } else { Self::Remote }
    }

    /// Whether requests stay on this machine, judging by the address.
    pub(crate) fn is_local(&self) -> bool {
        !matches!(self, Self::Remote)
    }

    /// Returns a client builder for requests to an address at this endpoint: no redirects, no automatic retries.
    pub(crate) fn client_builder(&self, url: &Url, connect: Duration) -> ClientBuilder {
        let client =
            http::client_builder(connect).redirect(Policy::none()).retry(reqwest::retry::never()).referer(false);
        // Connections are not kept: each call has its own, and stopping the call ends it.
        let client = client.pool_max_idle_per_host(0);
        // What stays on this machine in plain text needs no certificates, and reading the platform's takes longer than the rest.
        let is_plain = self.is_local() && url.scheme() != "https";
        let client = if is_plain { client.tls_certs_only([]) } else { client };
        match self {
            Self::Remote => client,
            Self::Loopback { host, addresses } => {
                client.no_proxy().resolve_to_addrs(host, addresses).dns_resolver(Arc::new(NoResolver))
            }
            Self::Socket(path) => over_socket(client.no_proxy(), path),
        }
    }
}

/// Resolves no name: a local host was resolved before.
struct NoResolver;

impl Resolve for NoResolver {
    fn resolve(&self, _: Name) -> Resolving {
        Box::pin(std::future::ready(Err("another name than the one that was looked up".into())))
    }
}

#[cfg(unix)]
fn over_socket(client: ClientBuilder, path: &std::path::Path) -> ClientBuilder {
    client.unix_socket(path)
}

/// There are none here, and [`Place::find`] finds none.
#[cfg(not(unix))]
fn over_socket(client: ClientBuilder, _: &std::path::Path) -> ClientBuilder {
    client
}

/// The path of a socket, whose address is written like a file's.
fn socket_path(url: &Url) -> Option<PathBuf> {
    Url::parse(&format!("file://{}", url.path())).ok()?.to_file_path().ok()
}

fn parse_ip(host: &str) -> Option<IpAddr> {
    host.trim_start_matches('[').trim_end_matches(']').parse().ok()
}

/// Host and port, or the socket, as in the egress log.
pub(crate) fn format_destination(url: &Url) -> String {
    match (url.host_str(), url.port_or_known_default()) {
        (Some(host), Some(port)) => format!("{host}:{port}"),
        _ => format!("{}:{}", url.scheme(), url.path()),
    }
}

/// Whether Ollama runs a model of this name elsewhere: `x:cloud`, `x:120b-cloud`. Case and spaces are ignored.
pub(crate) fn is_named_cloud(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let (model, tag) = name.rsplit_once(':').map_or((None, name.as_str()), |(model, tag)| (Some(model), tag));
    tag.trim().ends_with("-cloud") || (model.is_some() && tag.trim() == "cloud")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(url: &str, trusted: bool) -> ModelEndpoint {
        let (url, stop) = (Url::parse(url).expect("an address"), AtomicBool::new(false));
        let found = crate::retry::block_on(ModelEndpoint::resolve_url(&url, trusted, Duration::from_secs(5), &stop));
        found.expect("a runtime").expect("nobody stops it")
    }

    #[test]
    fn a_host_is_here_only_by_all_of_its_addresses() {
        let check = |addresses: &[&str], here: bool| {
            let parsed = addresses.iter().map(|address| address.parse().expect("an address")).collect();
            assert_eq!(ModelEndpoint::from_addresses("host", parsed).is_local(), here, "{addresses:?}");
        };
        check(&["127.0.0.1:1"], true);
        check(&["127.9.9.9:1", "[::1]:1"], true);
        check(&["127.0.0.1:1", "10.0.0.1:1"], false);
        check(&["[::1]:1", "[fe80::1]:1"], false);
        check(&["192.0.2.1:1"], false);
        check(&["0.0.0.0:1"], false);
        check(&["[::]:1"], false);
        check(&["[::ffff:10.0.0.1]:1"], false);
        check(&[], false);
    }

    #[test]
    fn numbers_are_read_and_names_looked_up() {
        for here in
            ["http://127.0.0.1:1", "http://0x7f.1:1", "http://2130706433:1", "http://[::1]:1", "https://127.0.0.1"]
        {
            assert!(find(here, true).is_local() && find(here, false).is_local(), "{here}");
        }
        for elsewhere in
            ["http://10.0.0.1:1", "http://0.0.0.0:1", "http://[::]:1", "http://name.invalid", "https://192.0.2.1"]
        {
            assert!(!find(elsewhere, true).is_local(), "{elsewhere}");
        }
        let ModelEndpoint::Loopback { host, addresses } = find("http://localhost:11434", true) else {
            panic!("it is here")
        };
        assert_eq!(host, "localhost");
        assert!(!addresses.is_empty() && addresses.iter().all(|a| a.ip().is_loopback() && a.port() == 11434));
        // An untrusted host need not be resolved.
        assert_eq!(find("https://localhost", false), ModelEndpoint::Remote);
    }

    #[cfg(unix)]
    #[test]
    fn a_socket_is_a_path() {
        assert_eq!(find("unix:///run/a%20b.sock", true), ModelEndpoint::Socket("/run/a b.sock".into()));
    }

    #[test]
    fn a_name_tells_of_the_cloud() {
        for name in ["x:cloud", "x:120b-cloud", "a/x:Cloud", "x:120B-CLOUD ", "x-cloud", "x: cloud", "x:b -cloud"] {
            assert!(is_named_cloud(name), "{name}");
        }
        for name in ["x", "x:8b", "cloud", "cloudy:8b", "x-cloud:8b", "x:cloud9", "cloud:latest"] {
            assert!(!is_named_cloud(name), "{name}");
        }
    }

    #[test]
    fn a_destination_is_host_and_port() {
        let check =
            |url: &str, expect: &str| assert_eq!(format_destination(&Url::parse(url).expect("an address")), expect);
        check("https://api.openai.com/v1", "api.openai.com:443");
        check("http://127.0.0.1:11434", "127.0.0.1:11434");
        check("http://[::1]:8080/v1", "[::1]:8080");
        check("unix:///run/model.sock", "unix:/run/model.sock");
    }
}
