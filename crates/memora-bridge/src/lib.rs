//! A client of other programs' memory servers, over the Model Context Protocol: it starts them, chooses their tools, and bounds
//! what they say and how long they may take.
//!
//! Invariants: **nothing is sent but a [`BridgeText`], a [`BridgeQuery`], and ids that the server gave**; a server is started by
//! the first request to it, and ends with its [`BridgeClient`]; a message of a server is never larger than [`LINE_BYTES_MAX`].
//!
//! A server cannot be trusted: what it says is data, of which texts and ids are taken and nothing else. It is given no
//! capability of the client's, so that it can ask for nothing, and of the environment only what every program needs and
//! what the user names.
//!
//! Out of scope: the vault and its state, what may leave, what is logged, and what becomes of the texts.
//!
//! What is saved was re-read and authorized for a cloud door:
//!
//! ```
//! use std::time::Duration;
//! use memora_bridge::{BridgeClient, Pending};
//! use memora_redact::BridgeText;
//!
//! fn save(client: &BridgeClient, text: &BridgeText) -> Pending<Option<String>> {
//!     client.save(text, "a title", Duration::from_secs(2))
//! }
//! ```
//!
//! ```compile_fail,E0308
//! use std::time::Duration;
//! use memora_bridge::{BridgeClient, Pending};
//! use memora_redact::BridgeText;
//!
//! fn save(client: &BridgeClient, text: &str) -> Pending<Option<String>> {
//!     client.save(text, "a title", Duration::from_secs(2))
//! }
//! ```

mod arguments;
mod circuit;
mod client;
mod command;
mod environment;
mod error;
mod process;
mod reply;
mod server;
mod tools;
mod worker;

pub use client::{BridgeClient, Pending};
pub use command::BridgeCommand;
pub use environment::ServerEnvironment;
pub use error::BridgeError;
pub use process::{kill_servers, terminate_servers};
pub use reply::BridgedText;
pub use server::LINE_BYTES_MAX;
pub use tools::{ChosenTools, ServerDescription, is_like_memory_server};

#[cfg(doc)]
use memora_redact::{BridgeQuery, BridgeText};
