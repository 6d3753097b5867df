//! The common setup of HTTP clients.

use std::time::Duration;

use reqwest::ClientBuilder;

/// The user agent of this program.
pub(crate) const USER_AGENT: &str = concat!("memora/", env!("CARGO_PKG_VERSION"));

/// Returns a client builder that verifies certificates as the platform does, without cookies or decompression.
pub(crate) fn client_builder(connect: Duration) -> ClientBuilder {
    // The provider of cryptography is the process's; a second one is refused, and the first serves.
    drop(rustls::crypto::ring::default_provider().install_default());
    reqwest::Client::builder().connect_timeout(connect).user_agent(USER_AGENT)
}
