//! The tests of the crate as seen from outside, one binary.
//!
//! - [`properties`]: what holds of any text: nothing panics, and reasons stand where they say.
//! - [`rules`]: every rule of `data/rules.txt` by its example and its counter-example.

mod properties;
mod rules;
