//! Doors, and the gate that all text passes on its way out.
//!
//! A *door* is any channel through which text leaves the process: a terminal, a pipe, a prompt. [`authorize_claim`] takes a
//! claim [re-read a moment ago](memora_claim::Rechecked) and a door, and returns a [`ClearClaim`], which may
//! pass, or a [`SecretClaim`], which may not and can only be [redacted](SecretClaim::redact). Printed or sent output is
//! a [`WireClaim`], which is built only from a clear or a redacted claim. Requests to a language model
//! are a [`Prompt`], built from the same.
//!
//! Invariant: **the door is part of the type.** A claim authorized for the terminal does not pass a cloud door:
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
//! A secret claim must be redacted before it can become a wire claim:
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
//! Neither a vault claim nor an authorized one can be serialized; a wire claim can:
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
//! The stages behind the doors know of a door what it shows, a [`DoorView`]. What was authorized for a view stays in the process
//! until it is typed for a door of that view:
//!
//! ```
//! use memora_redact::{CloudDoor, DoorView, WireClaim};
//!
//! fn is_serializable<T: serde::Serialize>() {}
//!
//! is_serializable::<WireClaim<CloudDoor>>();
//! ```
//!
//! ```compile_fail,E0277
//! use memora_redact::{CloudDoor, DoorView, WireClaim};
//!
//! fn is_serializable<T: serde::Serialize>() {}
//!
//! is_serializable::<WireClaim<DoorView>>();
//! ```
//!
//! ```
//! use memora_redact::{CloudDoor, CloudPrompt, Prompt};
//!
//! fn out(prompt: Prompt, door: &CloudDoor) -> Option<CloudPrompt> {
//!     prompt.for_door(door)
//! }
//! ```
//!
//! ```compile_fail,E0308
//! use memora_redact::{CloudDoor, CloudPrompt, Prompt};
//!
//! fn out(prompt: Prompt, door: &CloudDoor) -> Option<CloudPrompt> {
//!     Some(prompt)
//! }
//! ```
//!
//! No code outside this crate can make a view but from a door:
//!
//! ```
//! use memora_redact::{CloudDoor, DoorView, Viewer};
//! use memora_vault::Band;
//!
//! fn view() -> DoorView {
//!     CloudDoor::default().view()
//! }
//! ```
//!
//! ```compile_fail,E0451
//! use memora_redact::{CloudDoor, DoorView, Viewer};
//! use memora_vault::Band;
//!
//! fn view() -> DoorView {
//!     DoorView { ceiling: Band::Secret, local: true }
//! }
//! ```
//!
//! Code outside this crate can create a clear claim only through [`authorize_claim`]:
//!
//! ```
//! use memora_claim::Rechecked;
//! use memora_redact::{CloudDoor, ClaimView, ClaimAccess, authorize_claim};
//!
//! fn pass<'n>(shown: ClaimView, place: Rechecked<'n>, door: &CloudDoor) -> ClaimAccess<'n, CloudDoor> {
//!     authorize_claim(shown, place, door)
//! }
//! ```
//!
//! ```compile_fail,E0451
//! use memora_claim::Rechecked;
//! use memora_redact::{ClearClaim, CloudDoor, ClaimView, ClaimAccess, authorize_claim};
//!
//! fn pass<'n>(shown: ClaimView, place: Rechecked<'n>, door: &CloudDoor) -> ClaimAccess<'n, CloudDoor> {
//!     ClaimAccess::Clear(ClearClaim { shown, place, door: std::marker::PhantomData })
//! }
//! ```
//!
//! Out of scope: where text goes once it may leave. This crate opens no file and no connection.

mod bridge;
mod door;
mod envelope;
mod excerpt;
mod gate;
mod handle;
mod outline;
mod page;
mod prompt;
mod template;
mod wire;

pub use bridge::{BridgeQuery, BridgeText};
pub use door::{CloudDoor, CloudVisibility, Door, DoorView, LocalDoor, Viewer};
pub use envelope::{sanitize_for_model, strip_citation_markers};
pub use excerpt::{ClearExcerpt, ExcerptAccess, SecretExcerpt, authorize_excerpts};
pub use gate::{ClaimAccess, ClaimView, ClearClaim, REDACTED, RedactedClaim, SecretClaim, authorize_claim};
pub use handle::Handles;
pub use page::{ClearPage, ClearSource, authorize_page, authorize_source};
pub use prompt::{
    Assertion, CloudPrompt, CloudPromptInput, LocalPrompt, Objection, OfferedSource, Prompt, PromptInput, UserQuestion,
};
pub use template::Template;
pub use wire::{WireClaim, WirePlace, round_to_thousandth};
