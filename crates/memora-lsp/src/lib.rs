//! The editor's server: verdicts, passages and citations where the user writes, by the Language Server Protocol.
//!
//! [`serve_editor`] speaks to an editor on standard input and output, [`serve_editor_on`] over any connection. What the editor holds
//! open is judged unsaved, after a pause; what it shows is read by [`VaultService`](memora_service::VaultService) at the door of its
//! audience. `routes` says which message leads to which question, and each question has a file.
//!
//! Invariants: **nothing is written** but the egress log and the index: edits are the editor's, when its user says so. **What a cloud
//! door may not see has no influence** on a diagnostic, a place or a completion, since every question reads through the door alone.
//! Words of notes are plain text: no editor renders them.
//!
//! Deliberately not here: decisions, captures, settings. Opening and closing notes is the editor's, and links between notes are other
//! servers'.

mod claims;
mod completion;
mod cursor;
mod documents;
mod edits;
mod error;
mod fixes;
mod judge;
mod options;
mod own;
mod pending;
mod places;
mod position;
mod question;
mod request;
mod routes;
mod server;
mod stdio;
mod uri;
mod workspace;

pub use memora_service::Audience;
pub use server::{
    EditorEnd, EditorServeError, EditorSetup, EditorStop, EditorStopSignal, editor_stop, serve_editor_on,
};
pub use stdio::serve_editor;
