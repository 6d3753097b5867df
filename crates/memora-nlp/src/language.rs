//! Which language a text is in.

/// The languages that are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// English.
    English,
    /// German.
    German,
    /// Any other.
    Other,
}
