//! The editor's door: what `memora lsp` tells an editor, what becomes of its edits, and what it never says.
//!
//! - [`client`]: the protocol over pipes, and a document that edits are applied to
//! - [`conversation`]: a user who writes, is told what is wrong, and mends it
//! - [`gate`]: no guarded word, no influence of one, and no byte of the vault
//! - [`manners`]: handshake, ends, and what is no message

mod client;
mod conversation;
mod gate;
mod manners;
