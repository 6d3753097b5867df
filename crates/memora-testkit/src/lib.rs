//! For tests only: temporary vaults ([`Fixture`]), snapshots of a folder ([`TreeSnapshot`]), the built binary ([`MemoraBinary`]),
//! a misbehaving web server ([`MockServer`]), and a language model with scripted replies ([`ModelServer`]).
//!
//! Invariant: **nothing outlives a test, and nothing of the machine reaches the program.** Every folder is
//! temporary and is deleted with its value, and the program gets an empty environment with its own home.
//!
//! Out of scope: what Memora should print. This crate depends on no other crate of the workspace, so that a test sees
//! what a user sees.

mod fixture;
mod hostile;
mod listener;
mod mock_server;
mod model_server;
mod recorded_request;
mod runner;
mod scripted_reply;
mod snapshot;
#[cfg(unix)]
mod terminal;

pub use fixture::Fixture;
pub use hostile::{HOSTILE_CONSTRUCTS, HostileConstruct};
pub use mock_server::{MockReply, MockServer};
pub use model_server::{ModelServer, ShowReply};
pub use recorded_request::RecordedRequest;
pub use runner::{CommandOutput, DoorSetting, MemoraBinary};
pub use scripted_reply::ScriptedReply;
pub use snapshot::TreeSnapshot;
#[cfg(unix)]
pub use terminal::Terminal;
