//! The integration tests, one binary.
mod behaviour;
//! The integration tests, one binary. Each file says what it states about Memora as a whole:
//!
//! - [`architecture`]: which crate may know which, who may print, and that nobody writes `unsafe`
//! - [`vault_untouched`]: no command changes the vault, or leaves anything in it
//!
//! and [`support`] is what they share. Run them with `cargo test --test integration`.

mod architecture;
mod support;
mod vault_untouched;
