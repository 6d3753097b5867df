//! The agent's door: what a client of `memora mcp` is told, and what never.
//!
//! - [`client`]: JSON lines over pipes
//! - [`conversation`]: the same with the official Python client, where `.ci/run` installed it
//! - [`gate`]: no guarded word, and no influence of one
//! - [`inspector`]: the same with the official inspector
//! - [`install`]: the entry for each program, printed or merged into its file
//! - [`manners`]: handshake, bounds, ends
//! - [`refusals`]: lines that are no message of the protocol
//! - [`resources`]: notes and claims by their address, prompts, completions
//! - [`tools`]: what each tool answers

mod client;
mod conversation;
mod gate;
mod inspector;
mod install;
mod manners;
mod refusals;
mod resources;
mod tools;

pub(crate) use client::Client;
