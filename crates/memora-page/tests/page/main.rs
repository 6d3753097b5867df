//! The page as anybody meets it who reaches its port: requests byte by byte over a socket, no browser and no client between.
//!
//! - [`guard`]: who is let in, and who is not: hosts, methods, sites, cookies, tokens
//! - [`hostile`]: notes that want to be more than text
//! - [`limits`]: floods, slow clients, large heads and bodies
//! - [`pages`]: what the pages show, and that they write nothing
//! - [`templates`]: the files that pages are made of
//!
//! and [`client`] is what they share.

mod client;
mod guard;
mod hostile;
mod limits;
mod pages;
mod templates;
