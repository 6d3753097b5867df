//! Inline.
