//! The connection over standard input and output. Standard output is reserved for the protocol.

use crate::server::{ServeError, ServerSetup, serve_on};

/// Serves the client on standard input and output until standard input ends.
pub fn serve(setup: ServerSetup) -> Result<(), ServeError> {
    serve_on(setup, tokio::io::stdin(), tokio::io::stdout())
}
