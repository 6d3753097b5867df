//! A vault, read for one audience by threads of its own. Knows no protocol: an MCP server, a page or an editor's server is
//! built on top of it.
//!
//! [`VaultService::start`] starts three threads. A [`VaultRequest`] is queued with [`VaultService::submit`] and answered with
//! the index as current as the vault, or with the [`Freshness`](memora_engine::report::Freshness) that says how much is due.
//! Dropping a [`PendingReply`] cancels its request. When the [`VaultService`] is dropped, the threads end, and
//! [`ServiceThreads::join`] waits for that.
//!
//! Invariant: **a request reads only through the door of the audience**, which is fixed when the service starts, and under the
//! rules that stand in the configuration at that moment.
//!
//! Out of scope: what is sent, and to whom. A client that is not the user's own eyes needs an
//! [`EgressLog`](memora_engine::EgressLog), which its protocol writes before it sends.

mod audience;
mod error;
mod indexer;
mod request;
mod vault_reader;
mod workers;

pub use audience::Audience;
pub use error::{ServiceError, ServiceErrorKind};
pub use indexer::IndexProgress;
pub use request::{ReadContext, VaultRequest};
pub use workers::{PendingReply, ServiceSetup, ServiceThreads, VaultService};
