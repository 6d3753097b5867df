//! The store from outside, one subject a file.
//!
//! - `model.rs`: random histories against plain maps; an index grown step by step equals one built at once.
//! - `index.rs`: what goes in comes out: statements, wordings, changes, filters, totals.
//! - `edits.rs`: numbers that were edited in place.
//! - `journal.rs`: what is remembered, and what must not be.
//! - `names.rs`: names and links, looked up by key and band.
//! - `proposals.rs`: what models proposed, and that it goes with its passage.
//! - `opening.rs`: fresh, damaged, newer, locked, emptied; permissions.
//! - `crash.rs`: copies taken at bad moments open at a commit.
//! - `speed.rs`: how long a large index takes; run by hand, since a test that times fails on a busy machine.
//! - `vectors.rs`: a band has its own, under what made them.
//! - `support.rs`: notes and statements in one line each.

mod crash;
mod edits;
mod index;
mod journal;
mod model;
mod names;
mod opening;
mod proposals;
mod speed;
mod support;
mod vectors;
