//! The agent's door: an MCP server over standard input and output.
//!
//! [`serve`] answers a client until that closes its end. A client counts as a cloud door unless the user says that it is
//! local ([`Client`]). The one rule to know: **what a client is told was sorted for its door, and is logged before it is
//! sent.** Results are made of [`memora_engine::report`]'s reports and of nothing else; errors are fixed words.
//! A tool is a file of `tools`, and a line there.
//!
//! Calls are carried out by threads that open the vault for themselves (`desk`), so that the connection never waits for
//! the disk: the handshake is answered before the index was opened.
//!
//! Deliberately not here: what a search, an answer, a verdict is (the engine), and any tool that writes to a note that is there.

mod budget;
mod desk;
mod indexer;
mod prompts;
mod reader;
mod reading;
mod resources;
mod server;
mod stdio;
mod tools;
mod trouble;
pub mod wire;

pub use desk::{Client, Setup};
pub use prompts::prompts;
pub use server::{INSTRUCTIONS, ServeError, serve_on};
pub use stdio::serve;
pub use tools::tools;
