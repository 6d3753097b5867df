//! Privacy bands: how far a piece of text may travel.

use schemars::JsonSchema;
use serde::Serialize;
use strum::{Display, IntoStaticStr};

/// How far a piece of text may travel: `Public < Private < Secret`.
///
/// A band belongs to a position in a note, not to a sentence as such. The only operation is [`Band::join`], which
/// returns the stricter of two; a band is never lowered.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema, IntoStaticStr, Display,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[schemars(inline, transform = crate::closed_set)]
pub enum Band {
    /// May leave the machine.
    #[default]
    Public,
    /// Leaves only where the user's own configuration says so.
    Private,
    /// Never leaves.
    Secret,
}

impl Band {
    /// Returns the stricter of the two.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        self.max(other)
    }

    /// Parses a band as users write it; case and surrounding white space are ignored.
    ///
    /// # Errors
    /// [`UnknownBand`] for any other word. Callers treat that as [`Band::Secret`] and report a problem: a typo must not
    /// publish a diary.
    pub fn parse(word: &str) -> Result<Self, UnknownBand> {
        match word.trim().to_lowercase().as_str() {
            "public" => Ok(Self::Public),
            "private" => Ok(Self::Private),
            "secret" => Ok(Self::Secret),
            _ => Err(UnknownBand),
        }
    }

    /// The word for it, as in configuration and output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A word that names no band.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a privacy band; the bands are public, private and secret")]
pub struct UnknownBand;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn join_takes_the_stricter_and_never_relaxes() {
        let all = [Band::Public, Band::Private, Band::Secret];
        for a in all {
            assert_eq!(a.join(a), a);
            for b in all {
                assert_eq!(a.join(b), b.join(a));
                assert!(a.join(b) >= a && a.join(b) >= b);
            }
        }
    }

    #[test]
    fn a_misspelt_band_is_an_error_not_public() {
        assert_eq!(Band::parse(" Secret "), Ok(Band::Secret));
        assert_eq!(Band::parse("confidental"), Err(UnknownBand));
        assert_eq!(Band::parse(""), Err(UnknownBand));
    }
}
