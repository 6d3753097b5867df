//! The agent's door: what a client of `memora mcp` is told, and what never.
//!
//! - [`client`]: JSON lines over pipes
//! - [`conversation`]: the same with the official Python client, where `.ci/run` installed it
//! - [`gate`]: no guarded word, and no influence of one
//! - [`manners`]: handshake, bounds, ends
//! - [`tools`]: what each tool answers

mod client;
mod conversation;
mod gate;
mod manners;
mod tools;

pub(crate) use client::Client;
