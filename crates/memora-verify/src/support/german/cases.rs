//! What articles and pronouns show of the case.
//!
//! `der Hund` is who does it, `den Hund` whom it is done to. The noun has one gender and number, so two articles agree if one gender
//! and number lets both be the same case.

use super::words::{ARTICLES, POSSESSIVES, POSSESSIVES_BARE};

/// Pairs of a case and a gender (or the plural) that a form may be, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cases(u16);

const NOMINATIVE: u16 = 0x000f;
const ACCUSATIVE: u16 = 0x00f0;
const DATIVE: u16 = 0x0f00;
const GENITIVE: u16 = 0xf000;

const MALE: u16 = 0x1111;
const FEMALE: u16 = 0x2222;
const NEUTER: u16 = 0x4444;
const PLURAL: u16 = 0x8888;

impl Cases {
    /// Nothing shows it.
    pub(super) const ANY: Self = Self(0xffff);

    /// What an article shows.
    pub(super) fn of_article(word: &str) -> Self {
        match word {
            "ein" => Self((NOMINATIVE & (MALE | NEUTER)) | (ACCUSATIVE & NEUTER)),
            "das" => Self((NOMINATIVE | ACCUSATIVE) & NEUTER),
            "des" => Self(GENITIVE & (MALE | NEUTER)),
            "einen" => Self(ACCUSATIVE & MALE),
            "eine" => Self((NOMINATIVE | ACCUSATIVE) & FEMALE),
            "einer" => Self((DATIVE | GENITIVE) & FEMALE),
            _ => Self::of_ending(word),
        }
    }

    /// What the ending of `dieser`, `meinem`, `keine` shows.
    pub(super) fn of_ending(word: &str) -> Self {
        let ends = |end: &str| word.ends_with(end);
        if ends("em") {
            Self(DATIVE & (MALE | NEUTER))
        } else if ends("en") {
            Self((ACCUSATIVE & MALE) | (DATIVE & PLURAL))
        } else if ends("er") {
            Self((NOMINATIVE & MALE) | ((DATIVE | GENITIVE) & FEMALE) | (GENITIVE & PLURAL))
        } else if ends("es") {
            Self(((NOMINATIVE | ACCUSATIVE) & NEUTER) | (GENITIVE & (MALE | NEUTER)))
        } else if ends("e") {
            Self((NOMINATIVE | ACCUSATIVE) & (FEMALE | PLURAL))
        } else {
            Self((NOMINATIVE & (MALE | NEUTER)) | (ACCUSATIVE & NEUTER))
        }
    }

    /// What a pronoun shows.
    pub(super) fn of_pronoun(word: &str) -> Self {
        match word {
            "ich" | "du" | "er" | "wir" | "man" | "wer" | "jemand" | "niemand" => Self(NOMINATIVE & MALE),
            "mich" | "dich" | "ihn" | "wen" | "jemanden" | "niemanden" => Self(ACCUSATIVE & MALE),
            "mir" | "dir" | "ihm" | "ihnen" | "wem" | "jemandem" | "niemandem" => Self(DATIVE & MALE),
            "uns" | "euch" => Self((ACCUSATIVE | DATIVE) & MALE),
            _ => Self::ANY,
        }
    }

    /// As the subject of a passive, what it is done to.
    pub(super) fn raised(self) -> Self {
        Self((self.0 & ACCUSATIVE) >> 4)
    }

    /// As the agent of a passive, whoever does it.
    pub(super) fn as_agent(self) -> Self {
        Self((self.0 & NOMINATIVE) << 8)
    }

    /// Whether a pronoun is *er*, *ihn*, *ihm*.
    pub(super) fn is_he(self) -> bool {
        self.0 & !MALE == 0
    }

    /// Whether a pronoun of this form may stand for it: gender and number are the same.
    pub(super) fn may_be_called(self, pronoun: Self) -> bool {
        let genders = |cases: Self| (cases.0 | cases.0 >> 4 | cases.0 >> 8 | cases.0 >> 12) & NOMINATIVE;
        genders(self) & genders(pronoun) != 0
    }

    /// Whether it may be whom or what it is done to.
    pub(super) fn may_be_object(self) -> bool {
        self.0 & ACCUSATIVE != 0
    }

    /// Whether it may be to whom it is done.
    pub(super) fn may_be_dative(self) -> bool {
        self.0 & DATIVE != 0
    }

    /// Whether both may be the same case.
    pub(super) fn agrees(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether it may be who does it.
    pub(super) fn may_be_subject(self) -> bool {
        self.0 & NOMINATIVE != 0
    }

    /// Whether the form tells who does it from whom it is done to, wherever it stands.
    pub(super) fn is_fixed(self) -> bool {
        let both = |gender: u16| self.0 & NOMINATIVE & gender != 0 && self.0 & ACCUSATIVE & gender != 0;
        !(both(MALE) || both(FEMALE) || both(NEUTER) || both(PLURAL))
    }
}

/// Whether a lower-case word is an article, or stands in its place.
pub(super) fn is_article(word: &str) -> bool {
    ARTICLES.contains(word)
}

/// The stem of a word that says whose it is.
pub(super) fn possessive(word: &str) -> Option<&'static str> {
    let of = |stem: &str| {
        let end = word.strip_prefix(stem)?;
        let bare = end.is_empty() && POSSESSIVES_BARE.contains(stem);
        (bare || matches!(end, "e" | "en" | "em" | "er" | "es")).then_some(())
    };
    let found = POSSESSIVES.iter().find(|stem| of(stem).is_some())?;
    Some(match found {
        "unsr" => "unser",
        "eur" => "euer",
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn articles_agree_only_in_one_case() {
        let agree = |a: &str, b: &str| Cases::of_article(a).agrees(Cases::of_article(b));
        assert!(agree("der", "ein") && agree("die", "eine") && agree("den", "einen") && agree("dem", "einem"));
        assert!(!agree("der", "den") && !agree("der", "dem") && !agree("die", "der") && !agree("das", "dem"));
        assert!(Cases::of_article("den").is_fixed() && Cases::of_article("der").is_fixed());
        assert!(!Cases::of_article("die").is_fixed() && !Cases::ANY.is_fixed());
    }
}
