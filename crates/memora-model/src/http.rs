//! What every connection has in common: how a client is made.

use std::time::Duration;

use reqwest::ClientBuilder;

/// How this program calls itself.
pub(crate) const USER_AGENT: &str = concat!("memora/", env!("CARGO_PKG_VERSION"));

/// A client that checks certificates as the platform does. It keeps no cookies and unpacks nothing.
pub(crate) fn client_builder(connect: Duration) -> ClientBuilder {
    // The provider of cryptography is the process's; a second one is refused, and the first serves.
    drop(rustls::crypto::ring::default_provider().install_default());
    reqwest::Client::builder().connect_timeout(connect).user_agent(USER_AGENT)
}
