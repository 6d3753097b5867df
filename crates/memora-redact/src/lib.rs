//! Doors, and the gate that everything passes on its way out.
//!
//! A *door* is any way text leaves the process: a terminal, a pipe, a prompt, a tool's result. [`sort`] takes a claim
//! whose place was [re-read a moment ago](memora_claim::Rechecked) and one door, and gives a [`ClearClaim`], which may
//! pass, or a [`SecretClaim`], which may not and can only be [redacted](SecretClaim::redact). What is printed or sent is
//! a [`WireClaim`], and a wire claim is made of a clear or a redacted one, never of anything else. What a language model
//! is sent is a [`Prompt`], made of the same.
//!
//! The one rule to know: **the door is part of the type.** What was sorted for the terminal does not pass a cloud door:
//!
//! ```
//! use memora_redact::{CloudDoor, LocalDoor, WireClaim};
//!
//! fn send(claims: Vec<WireClaim<CloudDoor>>) -> usize { claims.len() }
//!
//! fn relay(claims: Vec<WireClaim<CloudDoor>>) -> usize { send(claims) }
//! ```
//!
//! ```compile_fail,E0308
//! use memora_redact::{CloudDoor, LocalDoor, WireClaim};
//!
//! fn send(claims: Vec<WireClaim<CloudDoor>>) -> usize { claims.len() }
//!
//! fn relay(claims: Vec<WireClaim<LocalDoor>>) -> usize { send(claims) }
//! ```
//!
//! A secret claim cannot be made a wire claim without redacting it:
//!
//! ```
//! use memora_redact::{CloudDoor, Handles, SecretClaim, WireClaim};
//!
//! fn out(secret: SecretClaim<'_, CloudDoor>, keys: &Handles) -> WireClaim<CloudDoor> {
//!     WireClaim::from(secret.redact(keys, 0, |_| false))
//! }
//! ```
//!
//! ```compile_fail,E0277
//! use memora_redact::{CloudDoor, Handles, SecretClaim, WireClaim};
//!
//! fn out(secret: SecretClaim<'_, CloudDoor>, keys: &Handles) -> WireClaim<CloudDoor> {
//!     WireClaim::from(secret)
//! }
//! ```
//!
//! Neither a claim of the vault nor a sorted one can be serialized; a wire claim can:
//!
//! ```
//! use memora_redact::{ClearClaim, LocalDoor, WireClaim};
//!
//! fn is_serializable<T: serde::Serialize>() {}
//!
//! is_serializable::<WireClaim<LocalDoor>>();
//! ```
//!
//! ```compile_fail,E0277
//! use memora_redact::{ClearClaim, LocalDoor, WireClaim};
//!
//! fn is_serializable<T: serde::Serialize>() {}
//!
//! is_serializable::<ClearClaim<'static, LocalDoor>>();
//! ```
//!
//! And nobody outside this crate can make a clear claim without [`sort`]:
//!
//! ```
//! use memora_claim::Rechecked;
//! use memora_redact::{CloudDoor, Shown, Sorted, sort};
//!
//! fn pass<'n>(shown: Shown, place: Rechecked<'n>, door: &CloudDoor) -> Sorted<'n, CloudDoor> {
//!     sort(shown, place, door)
//! }
//! ```
//!
//! ```compile_fail,E0451
//! use memora_claim::Rechecked;
//! use memora_redact::{ClearClaim, CloudDoor, Shown, Sorted, sort};
//!
//! fn pass<'n>(shown: Shown, place: Rechecked<'n>, door: &CloudDoor) -> Sorted<'n, CloudDoor> {
//!     Sorted::Clear(ClearClaim { shown, place, door: std::marker::PhantomData })
//! }
//! ```
//!
//! Deliberately not here: where text goes once it may leave. This crate opens no file and no connection.

mod door;
mod envelope;
mod excerpt;
mod handle;
mod outline;
mod page;
mod prompt;
mod sorted;
mod wire;

pub use door::{CloudDoor, CloudVisibility, Door, LocalDoor};
pub use excerpt::{ClearExcerpt, SecretExcerpt, ExcerptAccess, authorize_excerpts};
pub use handle::Handles;
pub use page::{ClearPage, authorize_page};
pub use prompt::{
    Assertion, PromptInput, CloudPromptInput, CloudPrompt, LocalPrompt, Objection, OfferedSource, Prompt, UserQuestion, Template,
};
pub use sorted::{ClearClaim, REDACTED, RedactedClaim, SecretClaim, ClaimView, ClaimAccess, authorize_claim};
pub use wire::{WireClaim, WirePlace, round_to_thousandth};
