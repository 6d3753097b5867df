//! The connection over standard input and output. Standard output is the protocol's alone.

use crate::desk::Setup;
use crate::server::{ServeError, serve_on};

/// Serves the client at standard input and output, until standard input ends.
///
/// # Errors
/// [`ServeError`].
pub fn serve(setup: Setup) -> Result<(), ServeError> {
    serve_on(setup, tokio::io::stdin(), tokio::io::stdout())
}
