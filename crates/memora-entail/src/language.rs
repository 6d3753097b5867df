//! What language a sentence is in, as far as its small words tell.

use memora_nlp::Meaning;

use crate::lists::{FUNCTION, GERMAN};
use crate::text::Text;
use crate::token::Kind;

/// The languages that are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    German,
    Other,
}

impl Language {
    /// The language whose small words a text has most of; English where it has none and most of
    /// its words are English.
    pub(crate) fn of(text: &Text) -> Self {
        let words = || text.tokens.iter().filter(|t| t.kind == Kind::Word);
        let english = words().filter(|t| FUNCTION.contains(t.lower.as_str())).count();
        let german = words().filter(|t| GERMAN.contains(t.lower.as_str())).count();
        let known = || words().filter(|t| Meaning::of(&t.lower).is_known()).count();
        match () {
            () if german > english => Self::German,
            () if english > 0 || known() * 2 > words().count() => Self::English,
            () => Self::Other,
        }
    }
}
