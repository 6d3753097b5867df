//! What a credential is.

use std::ops::Range;

/// The kind of a detected credential.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CredentialKind {
    /// A block of a private key.
    PrivateKey,
    /// An access token or key: of a known form, or a long random body behind any prefix.
    Token,
    /// What follows "password:", "API key =", "パスワード：" and their like, or "the password for the server is", in many languages, or
    /// stands in `scheme://user:here@host`.
    Password,
    /// An IBAN with valid check digits.
    Iban,
    /// A payment card number with a valid check digit.
    Card,
}

impl CredentialKind {
    /// A stable name for machines, such as `private-key`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::PrivateKey => "private-key",
            Self::Token => "token",
            Self::Password => "password",
            Self::Iban => "iban",
            Self::Card => "card",
        }
    }
}

/// Where credentials were found.
pub(super) type CredentialRanges = Vec<(Range<usize>, CredentialKind)>;
