//! Credentials.
