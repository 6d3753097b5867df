//! Language models near and far; the only crate that opens an outgoing connection.
//!
//! Today it fetches the files of embedding models: [`Pins`] say what each file must be, [`Origin`] where it may be had,
//! [`install`] puts what is missing into a folder. The one rule to know: **a file is taken for what it hashes to, never
//! for where it comes from.** A mirror, a proxy, a broken disk can make an installation fail, and nothing else.
//!
//! Deliberately not here: asking the user, which folder it is, and what the files are used for.

mod fetch;
mod http;
mod install;
mod land;
mod origin;
mod pins;
mod unpack;
mod wait;

pub use fetch::{FetchError, Fetcher, Limits, Progress, Watch};
pub use install::{Missing, install, missing};
pub use origin::{Origin, OriginError};
pub use pins::{Member, Pin, Pins, PinsError, platform};
