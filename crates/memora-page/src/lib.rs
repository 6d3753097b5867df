//! The page: a server for one person on this machine, which shows answers beside their evidence.
//!
//! [`PageServer::bind`] listens on this machine alone, and [`PageServer::serve`] answers until it is stopped. Everything works without a
//! script: each link is a real link, each form a real form. Pages are [templates](askama) that were reviewed as files, and what
//! they print is escaped; what they show is read by [`VaultService`](memora_service::VaultService), which is the vault for the
//! user's own eyes.
//!
//! Invariant: **nobody without a session gets a byte of the vault.** `guard` stands before every route: the exact `Host`, the origin,
//! the cookie, and for whatever is posted a token that no other site knows. A session begins with a token that was printed or
//! handed to the browser in a file, and works once.
//!
//! What the page shows of a note to a cloud model is read at a [`CloudDoor`](memora_engine::CloudDoor) and goes through the same gate
//! as everything else: in `audience`, the two readers are types.
//!
//! Deliberately not here: capture, settings, the network. The page writes nothing, or, if it was started so, the user's own decisions.

mod app;
mod assets;
mod audience;
mod done;
mod error;
mod excerpt;
mod guard;
mod host;
mod last_review;
mod links;
mod listen;
mod pages;
mod serve;
mod sessions;
mod svg;
mod token;
mod visible;

pub use listen::BindError;
pub use serve::{Entrance, Limits, PageServer, PageSetup, PageStop};
