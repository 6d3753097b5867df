//! The integration tests, one binary.
mod behaviour;
