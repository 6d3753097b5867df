//! The agent's door: an MCP server over standard input and output.
//!
//! [`serve`] answers a client until it closes its end. A client counts as a cloud door unless the user says that it is
//! local ([`Audience`]). Invariant: **everything sent to a client was authorized for its door, and is logged before it is
//! sent.** Results are built only from [`memora_engine::report`]'s reports; errors are fixed text.
//! Each tool is a type in `tools`, and a line there.
//!
//! A [`VaultService`](memora_service::VaultService) carries out calls on threads of its own, so that the connection never
//! waits for the disk: the handshake is answered before the index is opened.
//!
//! Out of scope: threads and indexing (the service), searching, answering and verifying (the engine), and any tool that
//! changes an existing note.

mod budget;
mod prompts;
mod request;
mod resources;
mod server;
mod stdio;
mod tool_answer;
mod tool_error;
mod tools;
mod transport;
pub mod wire;

pub use memora_service::Audience;
pub use prompts::prompts;
pub use server::{INSTRUCTIONS, ServeError, ServerSetup, ServerStop, serve_on};
pub use stdio::serve;
pub use tool_answer::AnswerForm;
pub use tools::{listed_tools, tools};
