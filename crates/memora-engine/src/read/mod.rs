//! Reading: what the notes say, found, answered, verified, followed through time, and shown for one view of a door.
//!
//! Each stage is a type over a [`Session`](crate::state::session::Session), made by its `new`.

pub(crate) mod answer;
pub(crate) mod authorize;
pub(crate) mod authorizer_cache;
pub(crate) mod capture;
pub(crate) mod catalog;
pub(crate) mod entity;
pub(crate) mod guard_reasons;
pub(crate) mod lifecycle;
pub(crate) mod lists;
pub(crate) mod llm;
pub(crate) mod search;
pub(crate) mod timing;
pub(crate) mod verify;
