//! For tests only: a vault to spoil ([`Fixture`]), what is on disk ([`Picture`]), the built binary ([`Memora`]),
//! a web server that misbehaves ([`Server`]), and a language model that says what it is told to ([`ModelServer`]).
//!
//! The one rule to know: **nothing outlives a test, and nothing of the machine reaches the program.** Every folder is a
//! temporary one that goes with its value, and the program gets an empty environment with a home of its own.
//!
//! Deliberately not here: what Memora should say. This crate knows no other crate of the workspace, so that a test sees
//! what a user sees.

mod fixture;
mod model_server;
mod picture;
mod port;
mod recorded;
mod run;
mod say;
mod server;

pub use fixture::Fixture;
pub use model_server::{ModelServer, Show};
pub use picture::Picture;
pub use recorded::Recorded;
pub use run::{Door, Memora, Output};
pub use say::Say;
pub use server::{Reply, Server};
