//! The languages that word lists are of: [`Language`].

/// The languages that are distinguished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// English.
    English,
    /// German.
    German,
    /// Any other.
    Other,
}
